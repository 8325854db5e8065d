"""The cases of jDip: a position, its orders, and the units that are left after them.

```text
VARIANT_ALL Standard

CASE Two armies for Burgundy
PRESTATE_SETPHASE Spring 1901, Movement
PRESTATE
    France: A PAR
    Germany: A MUN
ORDERS
    France: A PAR - BUR
    Germany: A MUN - BUR
POSTSTATE_SAME
END
```

A file has one case or many, and each is read as a game of its own. Blank space before a line means nothing, and a `#`
begins a comment. A case of a retreat states the results of the movement before it, which say the places that are barred
to a unit. A game of several phases is written as a case for each, and the name of all but the
first says that they continue; jDip reads them as single cases.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.turns import Turn
from plenipo.engine.orders import Build, Disband, Move, Remove, Retreat, Waive
from plenipo.engine.position import Power
from plenipo.engine.reading.notation import Notation, notation_of
from plenipo.engine.sentences import say
from plenipo.engine.wording import in_quotes, listing
from plenipo.errors import InvalidOrder, InvalidRecord, PlenipoError
from plenipo.formats.base import Format, GamePart, LoadRules
from plenipo.formats.playback import play_back
from plenipo.formats.transcript import StatedDislodged, StatedPhase, StatedPosition, StatedUnit, Transcript
from plenipo.formats.words import FIELD_CODES

__all__ = ["JDIP"]

VARIANT, THERE = "standard", "Standard"
"""The variant that is written: its name here, and in jDip."""

CONTINUED = "(continued)"
"""The end of the name of a case that follows the one before in the same game."""

_FIRST = re.compile(r"VARIANT_ALL\s+\S", re.IGNORECASE)
_CASE = re.compile(r"CASE\b(?P<name>.*)", re.IGNORECASE)
_KEY = re.compile(r"(?P<key>VARIANT_ALL|END|ORDERS|(?:PRE|POST)STATE(?:_[A-Z_]+)?)\b(?P<rest>.*)", re.IGNORECASE)
_BLOCKS = frozenset(
    "ORDERS PRESTATE PRESTATE_DISLODGED PRESTATE_RESULTS PRESTATE_SUPPLYCENTER_OWNERS POSTSTATE POSTSTATE_DISLODGED "
    "POSTSTATE_SAME".split()
)
_PHASE = re.compile(
    r"(?P<season>Spring|Fall|S|F)\s*,?\s*(?P<year>\d{1,4})\s*,?\s*[(\[]?\s*(?P<kind>Movement|Retreat|Adjustment|M|R|B|A)"
    r"s?\s*[)\]]?",
    re.IGNORECASE,
)
_RESULT = re.compile(r"(?P<word>SUCCESS|FAILURE)\s*:\s*(?P<rest>.+)", re.IGNORECASE)
_WAIVE = re.compile(r"waives?\b.*", re.IGNORECASE)
_PREFIX = re.compile(r"(DATC|TEST)_", re.IGNORECASE)
"""The beginnings of the names of jDip's variants for tests."""

_NAMES = {
    "breast": "BRE",
    "esp": "SPA",
    "nor": "NWY",
    "nora": "NAF",
    "norsea": "NTH",
    "nrd": "NTH",
    "rhe": "RUH",
    "st petersberg": "STP",
    "st. petersberg": "STP",
    "tyrhenian sea": "TYN",
}
"""Names of places that only jDip knows, or takes for another place."""

_NAME = re.compile(rf"\b({'|'.join(sorted(map(re.escape, _NAMES), key=len, reverse=True))})\b", re.IGNORECASE)
_CODE = re.compile(r"\b[A-Z]{3}\b")
_THERE = {PhaseKind.MOVEMENT: "Movement", PhaseKind.RETREATS: "Retreat", PhaseKind.ADJUSTMENTS: "Adjustment"}


@dataclass
class _CaseText:
    """A case while its lines are read: the lines of each block, as pairs of a power and a text.

    `results` are the orders of the movement before a retreat, and whether each succeeded.
    """

    name: str
    phase: str = "S1901M"
    blocks: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    results: list[tuple[bool, str]] = field(default_factory=list)

    def units(self, block: str) -> tuple[StatedUnit, ...]:
        """Return the units of a block."""
        return tuple(StatedUnit(power, text) for power, text in self.blocks.get(block, ()))

    @property
    def is_played(self) -> bool:
        """True if the case has orders or says what is left."""
        return not self.blocks.keys().isdisjoint({"ORDERS", "POSTSTATE", "POSTSTATE_SAME"})

    def orders(self) -> dict[str, tuple[str, ...]]:
        """Return the orders of each power."""
        found: dict[str, list[str]] = {}
        for power, text in self.blocks.get("ORDERS", ()):
            found.setdefault(power, []).append(_WAIVE.sub("WAIVE", text))
        return {power: tuple(texts) for power, texts in found.items()}


# Reading


def _sniff(text: str) -> bool:
    return any(_FIRST.match(line.lstrip()) for line in text.split("\n"))


def _begins(line: str) -> bool:
    return _CASE.match(line.lstrip()) is not None and not line.rstrip().endswith(CONTINUED)


def _read(text: str, load: LoadRules) -> Game:
    there, cases = _read_cases(text)
    if not cases:
        raise InvalidRecord(say("The file has no line that begins with CASE, so it has no game."))
    try:
        load(_name_here(there), {})
    except PlenipoError as fault:
        raise InvalidRecord(
            say("The cases are for the variant {name} of jDip, which is not known here.", name=in_quotes(there[:60]))
        ) from fault
    try:
        return _play(_name_here(there), cases, load)
    except PlenipoError as fault:
        raise _at_case(cases[0].name, str(fault)) from fault


def _name_here(there: str) -> str:
    """Return the name of a variant of jDip as it may be called here: `1898` for `DATC_1898`."""
    return _PREFIX.sub("", there).lower()


def _at_case(name: str, fault: str) -> InvalidRecord:
    return InvalidRecord(say("Case {name}: {fault}", name=in_quotes(name[:60]), fault=fault))


def _read_cases(text: str) -> tuple[str, list[_CaseText]]:
    """Return the name of the variant and the cases; raises `InvalidRecord` for a line that is none of a case."""
    variant = THERE
    cases: list[_CaseText] = []
    block = ""
    for whole in text.split("\n"):
        line = whole.partition("#")[0].strip()
        if not line:
            continue
        if case := _CASE.match(line):
            cases.append(_CaseText(case["name"].strip()))
            block = ""
        elif key := _KEY.fullmatch(line):
            word, rest = key["key"].upper(), key["rest"].strip()
            if word == "VARIANT_ALL":
                variant = rest
            elif word == "PRESTATE_SETPHASE" and cases:
                cases[-1].phase = _read_phase(rest, cases[-1].name)
            elif word in _BLOCKS and cases and not rest:
                cases[-1].blocks.setdefault(word, [])
                block = word
                continue
            elif word != "END":
                raise _refuse_line(cases, line)
            block = ""
        elif cases and block:
            _read_line(line, cases, block)
        elif cases:
            raise _refuse_line(cases, line)
    return variant, cases


def _refuse_line(cases: Sequence[_CaseText], line: str) -> InvalidRecord:
    fault = say(
        "{line} is not a line of a case; write a power with a unit or an order, such as 'France: A PAR', or one of the "
        "words {words}.",
        line=in_quotes(line[:60]),
        words=listing(["CASE", "PRESTATE_SETPHASE", *sorted(_BLOCKS), "END"]),
    )
    return _at_case(cases[-1].name, str(fault)) if cases else InvalidRecord(fault)


def _read_phase(text: str, case: str) -> str:
    found = _PHASE.fullmatch(" ".join(text[:200].split()))
    if found is None:
        fault = say("{text} is not a phase; write one like 'Spring 1901, Movement'.", text=in_quotes(text[:60]))
        raise _at_case(case, str(fault))
    kind = found["kind"][0].upper()
    return _code(found["season"][0].upper(), int(found["year"]), "A" if kind == "B" else kind)


def _code(season: str, year: int, kind: str) -> str:
    """Return the code of a phase; builds and removals are those of the winter."""
    return f"{'W' if kind == 'A' else season}{year}{kind}"


def _read_line(line: str, cases: Sequence[_CaseText], block: str) -> None:
    """Read a line of a block into the last case: a power and a unit or order, after a result if it is one."""
    result = _RESULT.fullmatch(line) if block == "PRESTATE_RESULTS" else None
    power, colon, text = (result["rest"] if result else line).partition(":")
    if not colon or not text.strip() or (block == "PRESTATE_RESULTS" and result is None):
        raise _refuse_line(cases, line)
    text = _NAME.sub(lambda name: _NAMES[name[0].lower()], text.strip())
    if result is not None:
        cases[-1].results.append((result["word"].upper() == "SUCCESS", text))
    else:
        cases[-1].blocks[block].append((power.strip(), text))


def _play(variant: str, cases: Sequence[_CaseText], load: LoadRules) -> Game:
    """Return the game of cases that follow each other, up to the position that the last leaves."""
    notation = notation_of(load(variant, {}))
    phases = [
        StatedPhase(case.phase, _state_position(case, notation), case.orders(), played=case.is_played) for case in cases
    ]
    game = play_back(Transcript(variant, tuple(phases)), load)
    end = _state_end(game, cases[-1], notation)
    return play_back(Transcript(variant, (*phases, end)), load) if end is not None else game


def _state_position(case: _CaseText, notation: Notation) -> StatedPosition:
    barred, standoffs = _places_barred(case, notation)
    fallen = tuple(
        StatedDislodged(
            unit.power, unit.text, None, (*barred.get(notation.unit(unit.text).location.space, ()), *standoffs)
        )
        for unit in case.units("PRESTATE_DISLODGED")
    )
    owners = case.blocks.get("PRESTATE_SUPPLYCENTER_OWNERS")
    stated = None if owners is None else {text: power for power, text in owners}
    return StatedPosition(case.units("PRESTATE"), fallen, stated)


def _places_barred(case: _CaseText, notation: Notation) -> tuple[dict[Code, list[Code]], tuple[Code, ...]]:
    """Return the places that dislodged units may not retreat to, by the results of the movement.

    These are for the unit of each space the place from which it was dislodged, unless by convoy, and for all of them
    those where moves failed; a dislodged unit has no effect on the place that its attacker came from.
    """
    fallen = {notation.unit(unit.text).location.space for unit in case.units("PRESTATE_DISLODGED")}
    moves: dict[bool, list[Move]] = {True: [], False: []}
    for succeeded, text in case.results:
        with suppress(InvalidOrder):  # a unit alone, which held, or an order without meaning
            order = notation.read(text, PhaseKind.MOVEMENT)
            if isinstance(order, Move):
                moves[succeeded].append(order)
    attackers = {order.to.space: order.unit.location.space for order in moves[True] if order.to.space in fallen}
    barred: dict[Code, list[Code]] = {}
    for order in moves[True]:
        if order.to.space in fallen and not order.via:
            barred.setdefault(order.to.space, []).append(order.unit.location.space)
    failed = (order for order in moves[False] if attackers.get(order.unit.location.space) != order.to.space)
    return barred, tuple(dict.fromkeys(order.to.space for order in failed))


def _state_end(game: Game, case: _CaseText, notation: Notation) -> StatedPhase | None:
    """Return the position after the last case, if it states one, in the phase that follows."""
    if not case.blocks.keys() & {"POSTSTATE", "POSTSTATE_SAME"} or game.over or not game.turns:
        return None
    turn = game.turns[-1].resolution
    block = "PRESTATE" if "POSTSTATE_SAME" in case.blocks else "POSTSTATE"
    fallen = case.units("POSTSTATE_DISLODGED")
    now = game.position.phase
    if now.kind is not PhaseKind.RETREATS:
        lost = {one.unit.space for one in turn.outcomes if one.unit is not None and one.dislodged_by is not None}
        fallen = tuple(unit for unit in fallen if notation.unit(unit.text).location.space not in lost)
    name = f"{case.phase[:-1]}R" if fallen and now.kind is not PhaseKind.RETREATS else now.code
    dislodged = tuple(StatedDislodged(unit.power, unit.text) for unit in fallen)
    return StatedPhase(name, StatedPosition(case.units(block), dislodged, None), played=False)


# Writing


def _write(game: Game) -> str:
    if game.rules.variant != VARIANT:
        raise InvalidRecord(
            say("The cases of jDip are for the standard game, and the game is one of {title}.", title=game.rules.title)
        )
    lines = [f"VARIANT_ALL {THERE}"]
    for number in range(max(len(game.turns), 1)):
        lines += ["", *_case_lines(game, number)]
    return "\n".join(lines) + "\n"


def _case_lines(game: Game, number: int) -> Iterator[str]:
    """Yield the lines of the case of a phase; a game without orders is a case without any."""
    before = game.position_after(number)
    turn = game.turns[number] if number < len(game.turns) else None
    yield f"CASE {before.phase}" + (f" {CONTINUED}" if number else "")
    yield f"PRESTATE_SETPHASE {_name_phase(before.phase)}"
    yield from _block("PRESTATE_SUPPLYCENTER_OWNERS", [(p, f"A {c}") for c, p in before.owners.items()], always=True)
    yield from _block("PRESTATE", [(unit.power, str(unit)) for unit in before.units], always=True)
    if before.dislodged:
        yield from _block("PRESTATE_DISLODGED", [(one.unit.power, str(one.unit)) for one in before.dislodged])
        if number:
            yield from _block("PRESTATE_RESULTS", _result_lines(game.turns[number - 1]))
    if turn is None:
        yield "END"
        return
    yield from _block("ORDERS", [*_order_lines(game, turn)])
    after = turn.resolution.after
    yield from _block("POSTSTATE", [(unit.power, str(unit)) for unit in after.units], always=True)
    yield from _block("POSTSTATE_DISLODGED", [(one.unit.power, str(one.unit)) for one in after.dislodged])
    yield "END"


def _name_phase(phase: Phase) -> str:
    season = "Fall" if phase.kind is PhaseKind.ADJUSTMENTS else phase.season.capitalize()
    return f"{season} {phase.year}, {_THERE[phase.kind]}"


def _block(word: str, lines: Sequence[tuple[str, str]], *, always: bool = False) -> Iterator[str]:
    if lines or always:
        yield word
    for power, text in lines:
        yield f"    {power}: {_CODE.sub(lambda code: FIELD_CODES.get(code[0], code[0]), text)}"


def _result_lines(turn: Turn) -> list[tuple[str, str]]:
    return [
        (
            f"{'SUCCESS' if one.result.succeeded and one.dislodged_by is None else 'FAILURE'}: {one.power}",
            str(one.order),
        )
        for one in turn.resolution.outcomes
        if one.unit is not None and one.order is not None
    ]


def _order_lines(game: Game, turn: Turn) -> Iterator[tuple[Power, str]]:
    kind = turn.resolution.before.phase.kind
    notation = notation_of(game.rules, turn.resolution.before)
    for power, texts in turn.orders.items():
        for text in texts:
            try:
                order = notation.read(text, kind)
            except InvalidOrder:
                yield power, " ".join(text.replace("#", " ").split())
                continue
            match order:
                case Build():
                    yield power, f"Build {order.unit}"
                case Remove():
                    yield power, f"Remove {order.unit}"
                case Retreat():
                    yield power, f"{order.unit} - {order.to}"
                case Disband():
                    yield power, f"{order.unit} disband"
                case Waive():
                    yield from [(power, "Waive")] * order.count
                case Move() if order.via:
                    yield power, f"{order.unit} - {order.to} via convoy"
                case _:
                    yield power, str(order)


JDIP = Format(
    "jdip",
    "the cases of jDip",
    _sniff,
    _read,
    _write,
    frozenset({GamePart.ORDERS, GamePart.POSITIONS}),
    _begins,
)
