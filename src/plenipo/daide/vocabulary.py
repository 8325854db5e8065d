"""The vocabulary of a variant in DAIDE: the tokens of its powers and provinces, and its map as `MDF`.

Where a board has the powers and provinces of the protocol's own list, those tokens are used and the representation is
empty; any other board gets tokens of its own. A variant that DAIDE has no words for is refused.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from string import ascii_uppercase, digits

from plenipo.daide.tokens import NUMBERS, POWER, Nested, Token, Tokens, build, number_of, parts_of, token_of
from plenipo.engine.board import Coast, Code, Location, Space, Terrain, UnitKind
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.hooks import RuleModule
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import say
from plenipo.errors import InvalidMessage, InvalidVariant

__all__ = ["TokenVocabulary", "describe_map", "map_name", "phase_of", "turn_of", "vocabulary_of"]

_POWERS = "AUS ENG FRA GER ITA RUS TUR".split()
"""The powers of the protocol, in the order of their tokens."""

_PROVINCES = {
    0x50: "BOH BUR GAL RUH SIL TYR UKR",
    0x51: "BUD MOS MUN PAR SER VIE WAR",
    0x52: "ADR AEG BAL BAR BLA EAS ECH GOB GOL HEL ION IRI MAO NAO NTH NWG SKA TYS WES",
    0x54: "ALB APU ARM CLY FIN GAS LVN NAF PIC PIE PRU SYR TUS WAL YOR",
    0x55: "ANK BEL BER BRE CON DEN EDI GRE HOL KIE LON LVP MAR NAP NWY POR ROM RUM SEV SMY SWE TRI TUN VEN",
    0x57: "BUL SPA STP",
}
"""The provinces of the protocol by category, in the order of their tokens."""

_COASTS = {
    "NC": Token.NCS,
    "EC": Token.ECS,
    "SC": Token.SCS,
    "WC": Token.WCS,
    "NEC": Token.NEC,
    "NWC": Token.NWC,
    "SEC": Token.SEC,
    "SWC": Token.SWC,
}
_UNITS = {UnitKind.ARMY: Token.AMY, UnitKind.FLEET: Token.FLT}
_KINDS_OF_SEASONS: Mapping[int, PhaseKind] = {
    Token.SPR: PhaseKind.MOVEMENT,
    Token.SUM: PhaseKind.RETREATS,
    Token.FAL: PhaseKind.MOVEMENT,
    Token.AUT: PhaseKind.RETREATS,
    Token.WIN: PhaseKind.ADJUSTMENTS,
}
_MOST_PROVINCES, _MOST_POWERS = 256, 256
_LETTERS = 3


@dataclass(frozen=True)
class TokenVocabulary:
    """The tokens of the powers and provinces of a variant, and their names of three characters.

    `standard` is true if they are those of the protocol, so that the representation is empty. `seasons` are the two
    turns of movement in a year; a variant that has one has it in spring.
    """

    powers: Mapping[Power, int]
    provinces: Mapping[Code, int]
    names: Mapping[int, str]
    standard: bool
    seasons: tuple[str, ...]
    _found: dict[str, int] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def tokens(self) -> Mapping[str, int]:
        """The tokens of powers and provinces by their names."""
        return {name: token for token, name in self.names.items()}

    @cached_property
    def power_of(self) -> Mapping[int, Power]:
        """The powers by their tokens."""
        return {token: power for power, token in self.powers.items()}

    @cached_property
    def code_of(self) -> Mapping[int, Code]:
        """The spaces by their tokens."""
        return {token: code for code, token in self.provinces.items()}

    @property
    def representation(self) -> bytes:
        """The content of the representation message: empty for the tokens of the protocol."""
        if self.standard:
            return b""
        return b"".join(token.to_bytes(2, "big") + name.encode() + b"\0" for token, name in self.names.items())

    def place(self, at: Location) -> Nested:
        """Return a location: a province, or a province and a coast in brackets."""
        province = self.provinces[at.space]
        return [province, _COASTS[at.coast].value] if at.coast else province

    def location(self, place: Nested) -> Location:
        """Return the location of `place`; the province has to be known."""
        if isinstance(place, int):
            return Location(self.code_of[place])
        province, coast = place
        names = {token.value: name for name, token in _COASTS.items()}
        return Location(self.code_of[token_of(province)], Coast(names[token_of(coast)]))

    def unit(self, power: Power, kind: UnitKind, at: Location) -> list[Nested]:
        """Return a unit: its power, its type and its place."""
        return [self.powers[power], _UNITS[kind].value, self.place(at)]


def vocabulary_of(rules: Rules) -> TokenVocabulary:
    """Return the vocabulary of a variant; raise `InvalidVariant` with the reason if DAIDE cannot express it."""
    _refuse_others(rules)
    seasons = rules.calendar.seasons(PhaseKind.MOVEMENT)
    spaces = [space for space in rules.board.spaces.values() if not space.impassable]
    powers = [info.name for info in rules.powers]
    listed = _find_listed(rules, spaces)
    if listed is not None:
        return TokenVocabulary(*listed, standard=True, seasons=seasons)
    reserved = set(Token.__members__)
    named_powers = _name({str(power): [_plain(power)[:_LETTERS], _plain(power)] for power in powers}, reserved)
    reserved |= set(named_powers.values())
    named = _name({str(space.code): [*_spellings(space)] for space in spaces}, reserved)
    power_tokens = {power: POWER << 8 | number for number, power in enumerate(powers)}
    tokens = {space.code: _category(space) << 8 | number for number, space in enumerate(_sort(spaces))}
    names = {token: named_powers[str(power)] for power, token in power_tokens.items()}
    names |= {token: named[str(code)] for code, token in tokens.items()}
    return TokenVocabulary(power_tokens, tokens, names, standard=False, seasons=seasons)


def _refuse_others(rules: Rules) -> None:
    """Raise `InvalidVariant` for a variant whose game is more than DAIDE can say."""
    board, calendar = rules.board, rules.calendar
    steps = [(step.season, step.kind) for step in (*calendar.opening, *calendar.cycle)]
    asking = [kind for _, kind in steps if kind.asks_orders or kind is PhaseKind.DRAWS]
    movements = calendar.seasons(PhaseKind.MOVEMENT)
    adjustments = calendar.seasons(PhaseKind.ADJUSTMENTS)
    odd = next((traits for traits in board.units if traits.kind not in _UNITS or not traits.simple), None)
    coast = next((c for space in board.spaces.values() for c in space.coasts if c not in _COASTS), None)
    spaces = sum(not space.impassable for space in board.spaces.values())
    if rules.has_secrets:
        why = say("parts of it are secret, and DAIDE shows everything to all")
    elif odd is not None:
        why = say("it has {type}, and DAIDE knows armies and fleets", type=odd.plural)
    elif rules.commanded:
        why = say("units take orders from other powers than their own")
    elif rules.facts.conversions:
        why = say("units can become others")
    elif _has_more(rules):
        why = say("its board is more than provinces and their contacts")
    elif {PhaseKind.CHOICE, PhaseKind.DRAWS} & set(asking):
        why = say("it has phases beside movement, retreats and adjustments")
    elif len(movements) > 2 or len(adjustments) > 1 or not _is_in_order(steps):
        why = say("its year is not that of DAIDE: spring, fall, and adjustments at the end")
    elif spaces > _MOST_PROVINCES or len(rules.powers) > _MOST_POWERS:
        why = say("DAIDE has room for {number} provinces", number=_MOST_PROVINCES)
    elif coast is not None:
        why = say("DAIDE has no word for the coast '{coast}'", coast=coast)
    elif calendar.first.year not in NUMBERS:
        why = say("DAIDE has no number for the year {year}", year=calendar.first.year)
    else:
        return
    raise InvalidVariant(say("{title} cannot be played over DAIDE: {why}.", title=rules.title, why=why))


def _has_more(rules: Rules) -> bool:
    """Return whether the board has corners and halves, or whether a rule module changes more than its contacts."""
    shaped = any(space.whole or space.corner for space in rules.board.spaces.values())
    return shaped or not all(module.changes_contacts_alone for module in rules.overriding[RuleModule.board])


def _is_in_order(steps: list[tuple[str, PhaseKind]]) -> bool:
    """Return whether the adjustments follow all movements of the year."""
    kinds = [kind for _, kind in steps if kind in (PhaseKind.MOVEMENT, PhaseKind.ADJUSTMENTS)]
    return PhaseKind.ADJUSTMENTS not in kinds[:-1]


def _find_listed(
    rules: Rules, spaces: Collection[Space]
) -> tuple[dict[Power, int], dict[Code, int], dict[int, str]] | None:
    """Return the tokens of the protocol's own list, None if the board has other powers or provinces."""
    listed = [(kind, name) for kind, names in _PROVINCES.items() for name in names.split()]
    tokens = {name: kind << 8 | number for number, (kind, name) in enumerate(listed)}
    provinces: dict[Code, int] = {}
    for space in spaces:
        name = next((one for one in (space.code, *space.aliases) if one in tokens), None)
        if name is None or tokens[name] >> 8 != _category(space):
            return None
        provinces[space.code] = tokens[name]
    powers = {_plain(info.name)[:_LETTERS]: info.name for info in rules.powers}
    if set(provinces.values()) != set(tokens.values()) or list(powers) != _POWERS:
        return None
    named = {powers[name]: POWER << 8 | number for number, name in enumerate(_POWERS)}
    names = {token: _POWERS[token & 0xFF] for token in named.values()}
    return named, provinces, names | {token: name for name, token in tokens.items()}


def _category(space: Space) -> int:
    """Return the category of a province: by its terrain, its coasts, and whether it is a supply centre."""
    terrain = {Terrain.INLAND: 0, Terrain.SEA: 2, Terrain.COAST: 6 if space.coasts else 4}[space.terrain]
    return 0x50 + terrain + space.centre


def _sort(spaces: Collection[Space]) -> list[Space]:
    """Return the spaces by category, so that tokens of a category follow each other."""
    return sorted(spaces, key=lambda space: (_category(space), space.code))


def _plain(text: str) -> str:
    """Return the capitals and digits of a text, without accents."""
    bare = unicodedata.normalize("NFKD", text).upper()
    return "".join(letter for letter in bare if letter in ascii_uppercase + digits)


def _spellings(space: Space) -> Iterator[str]:
    yield _plain(space.code)
    yield from (_plain(alias) for alias in space.aliases if len(alias) == _LETTERS)
    yield _plain(space.name)


def _name(spellings: Mapping[str, list[str]], reserved: Collection[str]) -> dict[str, str]:
    """Return a name of three characters for each thing, the first free one of its spellings where there is one."""
    taken = set(reserved)
    named: dict[str, str] = {}
    for thing, texts in spellings.items():  # the codes that can stay as they are come first
        if len(texts[0]) == _LETTERS and texts[0] not in taken:
            named[thing] = texts[0]
            taken.add(texts[0])
    for thing, texts in spellings.items():
        if thing not in named:
            named[thing] = next(name for name in _possible_names(texts) if name not in taken)
            taken.add(named[thing])
    return {thing: named[thing] for thing in spellings}


def _possible_names(texts: list[str]) -> Iterator[str]:
    for text in texts:
        if len(text) == _LETTERS:
            yield text
    for text in texts:
        yield from map("".join, combinations(text, _LETTERS))
    initial = next((text[0] for text in texts if text), "X")
    yield from (f"{initial}{number:02}" for number in range(100))
    yield from (f"Q{number:02X}" for number in range(256))


def map_name(rules: Rules) -> str:
    """Return the name of the map of a variant, made of lower-case ASCII, digits and underscores."""
    folder = rules.variant.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return re.sub(r"[^A-Za-z0-9]+", "_", folder).strip("_").lower() or "map"


def turn_of(vocabulary: TokenVocabulary, phase: Phase) -> list[Nested]:
    """Return a phase as DAIDE names it: spring, summer, fall, autumn or winter, and the year."""
    late = phase.season in vocabulary.seasons[1:]
    season = Token.WIN
    if phase.kind is PhaseKind.MOVEMENT:
        season = Token.FAL if late else Token.SPR
    elif phase.kind is PhaseKind.RETREATS:
        season = Token.AUT if late else Token.SUM
    return [season.value, phase.year & 0x3FFF]


def phase_of(rules: Rules, vocabulary: TokenVocabulary, turn: Nested) -> Phase:
    """Return the phase that DAIDE names by a season and a year; raise `InvalidMessage` if that names none."""
    season, year = map(token_of, parts_of(turn))
    late = season in (Token.FAL, Token.AUT)
    kind = _KINDS_OF_SEASONS.get(season)
    seasons = rules.calendar.seasons(PhaseKind.ADJUSTMENTS) if season == Token.WIN else vocabulary.seasons
    number = number_of(year)
    if kind is None or number is None or late >= len(seasons):
        raise InvalidMessage(say("A season and a year are expected."))
    return Phase(seasons[late], number, kind)


def describe_map(rules: Rules, vocabulary: TokenVocabulary) -> Tokens:
    """Return the map as `MDF`: the powers, the provinces by home, and the contacts of each."""
    board, words = rules.board, vocabulary
    homes: dict[tuple[Power, ...], list[Nested]] = {(info.name,): [] for info in rules.powers}
    plain: list[Nested] = []
    neutral: list[Nested] = []
    for code, token in words.provinces.items():
        owners = tuple(info.name for info in rules.powers if code in rules.opening.homes_of(info.name))
        if not board.spaces[code].centre:
            plain.append(token)
        elif owners:
            homes.setdefault(owners, []).append(token)
        else:
            neutral.append(token)
    centres: list[Nested] = []
    for owners, tokens in homes.items():
        whose: list[Nested] = [words.powers[power] for power in owners]
        if tokens or len(whose) == 1:
            centres.append([whose[0] if len(whose) == 1 else whose, *tokens])
    centres.append([Token.UNO.value, *neutral])
    contacts: list[Nested] = []
    for code, token in words.provinces.items():
        near: list[Nested] = []
        for kind, word in _UNITS.items():
            for at in (Location(code), *(Location(code, coast) for coast in board.spaces[code].coasts)):
                if board.can_stand(kind, at):
                    steps = [words.place(to) for to in sorted(board.steps(kind, at))]
                    unit: Nested = [word.value, _COASTS[at.coast].value] if at.coast else word.value
                    near.append([unit, *steps])
        contacts.append([token, *near])
    return build(Token.MDF, list(words.powers.values()), [centres, plain], contacts)
