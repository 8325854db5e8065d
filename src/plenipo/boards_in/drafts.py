"""A draft of a board while its source is read, and what every format needs to make a board of it.

A reader names spaces by keys of its own, codes or whole names. `BoardDraft.board` gives each a code, settles what is
land or sea from the units that pass, resolves coasts, and says in a sentence what it leaves out.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from plenipo.boards_in.source_files import fault_at, shorten
from plenipo.boards_in.values import BoardSource, BoardSpot, ImportedBoard, ImportedPower, ImportedSpace
from plenipo.engine.sentences import Sentence, say

__all__ = [
    "CODE",
    "RESERVED",
    "BoardDraft",
    "DraftPower",
    "DraftSpace",
    "clean_name",
    "coast_of",
    "make_codes",
    "power_name",
]

CODE = re.compile(r"[A-Z][A-Z0-9]{1,5}")
"""The codes that are kept as a source has them."""

RESERVED = {"A", "F", "H", "S", "C", "D", "B", "R", "M", "W", "VIA", "TO", "FROM", "HOLD", "ALL", "THE", "NMR"}
"""Words of orders, which no code or other spelling may be."""

COASTS = {"north": "NC", "south": "SC", "east": "EC", "west": "WC"}
"""The first words of the names of coasts."""

MOST_SPACES = 1_000
"""The most spaces of a board."""

MOST_STEPS = 40_000
"""The most steps of a board."""

LONGEST = 60
"""The longest name of a space or a power."""


@dataclass
class DraftSpace:
    """A space while it is read; `kind` is empty until the source says it."""

    name: str
    kind: str = ""
    centre: bool = False
    aliases: tuple[str, ...] = ()
    impassable: bool = False
    at: tuple[float, float] | None = None
    port: bool = False


@dataclass
class DraftPower:
    """A power while it is read; units by type, space and coast, spaces by their keys."""

    name: str
    adjective: str = ""
    units: list[tuple[str, str, str]] = field(default_factory=list)
    homes: list[str] = field(default_factory=list)
    owned: list[str] | None = None
    played: bool = True


@dataclass
class BoardDraft:
    """All that a source says of a board, with spaces by the source's own keys."""

    name: str
    title: str
    origin: BoardSource
    spaces: dict[str, DraftSpace] = field(default_factory=dict)
    powers: dict[str, DraftPower] = field(default_factory=dict)
    armies: set[tuple[str, str]] = field(default_factory=set)
    fleets: set[tuple[BoardSpot, BoardSpot]] = field(default_factory=set)
    neutral: list[tuple[str, str, str]] = field(default_factory=list)
    year: int = 1901
    victory: int = 0
    build: str = "home"
    first_phase: tuple[str, str] = ("Spring", "movement")
    left_out: list[Sentence] = field(default_factory=list)

    def space(self, key: str, line: int = 0) -> DraftSpace:
        """Return the space of a key; raise `InvalidBoardFile` that names the line if there is none."""
        if key not in self.spaces:
            raise fault_at(self.origin.file, line, say("'{name}' is not a space of this board.", name=shorten(key)))
        return self.spaces[key]

    def add_space(self, key: str, space: DraftSpace, line: int = 0) -> None:
        """Add a space; raise `InvalidBoardFile` if the key is taken, or if there are too many."""
        if key in self.spaces:
            raise fault_at(self.origin.file, line, say("the space '{name}' is there twice.", name=shorten(key)))
        if len(self.spaces) >= MOST_SPACES:
            raise fault_at(self.origin.file, line, say("it has more than {number} spaces.", number=MOST_SPACES))
        space.name = clean_name(space.name) or clean_name(key) or key[:LONGEST]
        self.spaces[key] = space

    def leave_out(self, sentence: str) -> None:
        """Note what is left out and why, once."""
        if isinstance(sentence, Sentence) and sentence not in self.left_out:
            self.left_out.append(sentence)

    def board(self) -> ImportedBoard:
        """Return the board; raise `InvalidBoardFile` if it cannot be played."""
        if len(self.armies) + len(self.fleets) > MOST_STEPS:
            raise fault_at(self.origin.file, 0, say("it has more than {number} contacts.", number=MOST_STEPS))
        if not self.armies and not self.fleets:
            raise fault_at(self.origin.file, 0, say("it has no contacts."))
        self._fold_single_coasts()
        self._resolve_coasts()
        self._settle_terrain()
        codes = make_codes({key: space.name for key, space in self.spaces.items()})
        powers, neutral = tuple(self._powers(codes)), tuple(self._units(self.neutral, codes))
        if not powers:
            raise fault_at(self.origin.file, 0, say("no power has a unit or a home centre in it."))
        if not any(space.centre for space in self.spaces.values()):
            raise fault_at(self.origin.file, 0, say("it has no supply centre."))
        return ImportedBoard(
            self.name,
            self.title,
            self.origin,
            dict(self._spaces(codes)),
            frozenset((BoardSpot(codes[a]), BoardSpot(codes[b])) for a, b in self.armies),
            frozenset((BoardSpot(codes[a.space], a.coast), BoardSpot(codes[b.space], b.coast)) for a, b in self.fleets),
            powers,
            self.year,
            self.victory,
            self.build,
            self.first_phase,
            neutral,
            tuple(self.left_out),
        )

    def _every_coast(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for pair in self.fleets:
            for at in pair:
                if at.coast:
                    found.setdefault(at.space, set()).add(at.coast)
        return found

    def _fold_single_coasts(self) -> None:
        """Forget the name of a coast that is the only one of its space."""
        single = {key for key, coasts in self._every_coast().items() if len(coasts) == 1}

        def fold(at: BoardSpot) -> BoardSpot:
            return BoardSpot(at.space) if at.space in single else at

        self.fleets = {(fold(a), fold(b)) for a, b in self.fleets}
        for power in self.powers.values():
            power.units = [(kind, key, "" if key in single else coast) for kind, key, coast in power.units]

    def _resolve_coasts(self) -> None:
        """Give each step to or from a space with coasts its coast, where the way back tells it."""
        coasts = self._every_coast()
        bare = {pair for pair in self.fleets if any(at.space in coasts and not at.coast for at in pair)}
        clear = self.fleets - bare
        for a, b in sorted(bare):
            ends = [
                [at] if at.coast else [BoardSpot(at.space, coast) for coast in coasts.get(at.space, ("",))]
                for at in (a, b)
            ]
            known = {(x, y) for x in ends[0] for y in ends[1] if (y, x) in clear or (x, y) in clear}
            clear |= known
            if not known:
                names = {"one": self.spaces[a.space].name, "other": self.spaces[b.space].name}
                self.leave_out(say("a contact of {one} with {other} does not say which coast.", **names))
        self.fleets = clear

    def _settle_terrain(self) -> None:
        """Decide what is land or sea from the units that pass, where the source says otherwise or nothing."""
        by_land = {key for pair in self.armies for key in pair}
        by_sea = {at.space for pair in self.fleets for at in pair}
        stands = {key for power in self.powers.values() for kind, key, _ in power.units if kind == "F"}
        for key, space in self.spaces.items():
            land, sea = key in by_land, key in by_sea
            if not land and not sea:
                space.impassable, space.kind = True, space.kind or "inland"
            elif space.kind == "sea" and land:
                space.kind, space.port = "coast", True
            elif space.kind == "inland" and (sea or key in stands):
                space.kind = "coast"
            elif not space.kind:
                space.kind = "coast" if land and sea else "inland" if land else "sea"
        for key, coasts in self._every_coast().items():
            if coasts and self.spaces[key].kind == "sea":
                self.spaces[key].kind = "coast"
        blocked = {key for key, space in self.spaces.items() if space.impassable}
        self.armies = {pair for pair in self.armies if not blocked.intersection(pair)}
        self.fleets = {pair for pair in self.fleets if not blocked.intersection(at.space for at in pair)}

    def _spaces(self, codes: dict[str, str]) -> Iterator[tuple[str, ImportedSpace]]:
        often = Counter(space.name.casefold() for space in self.spaces.values())
        spelt = Counter(_plain(alias) for space in self.spaces.values() for alias in {*map(_plain, space.aliases)})
        taken = {_plain(code) for code in codes.values()} | {_plain(space.name) for space in self.spaces.values()}
        places = Counter(space.at for space in self.spaces.values())
        coasts = self._every_coast()
        for key, space in self.spaces.items():
            code = codes[key]
            name = space.name if often[space.name.casefold()] == 1 else f"{space.name} ({code})"
            wanted = (key, *space.aliases) if CODE.fullmatch(key.upper()) and key.upper() != code else space.aliases
            aliases = {
                alias: None
                for alias in wanted
                if _plain(alias) not in taken and spelt[_plain(alias)] < 2 and _is_clear(alias)
            }
            yield (
                code,
                ImportedSpace(
                    code,
                    name,
                    space.kind,
                    space.centre,
                    tuple(sorted(coasts.get(key, ()))),
                    space.impassable,
                    tuple(aliases)[:8],
                    space.at if places[space.at] == 1 else None,
                    space.port,
                ),
            )

    def _powers(self, codes: dict[str, str]) -> Iterator[ImportedPower]:
        taken: set[str] = set()
        for power in self.powers.values():
            name = clean_name(power.name) or "Power"
            while name.casefold() in taken:
                name = f"{name}_"
            taken.add(name.casefold())
            homes, owned = ([] if keys is None else self._centres(keys, codes) for keys in (power.homes, power.owned))
            if not power.units and not homes and not owned:
                self.leave_out(say("{power} has neither units nor centres, and is no power of the board.", power=name))
                continue
            yield ImportedPower(
                name,
                clean_name(power.adjective),
                tuple(self._units(power.units, codes)),
                tuple(homes),
                None if power.owned is None or set(owned) == set(homes) else tuple(owned),
                power.played,
            )

    def _centres(self, keys: Iterable[str], codes: dict[str, str]) -> list[str]:
        return [codes[key] for key in dict.fromkeys(keys) if key in codes and self.spaces[key].centre]

    def _units(self, units: Iterable[tuple[str, str, str]], codes: dict[str, str]) -> Iterator[str]:
        coasts = self._every_coast()
        for kind, key, coast in dict.fromkeys(units):
            space = self.spaces[key]
            text = f"{kind} {codes[key]}"
            if kind not in ("A", "F"):
                self.leave_out(say("the unit {unit} is neither an army nor a fleet.", unit=text))
            elif space.impassable or space.kind == ("sea" if kind == "A" else "inland"):
                self.leave_out(say("the unit {unit} cannot stand there.", unit=text))
            elif kind == "A" or key not in coasts:
                yield text
            elif coast in coasts[key]:
                yield f"{text}/{coast}"
            else:
                self.leave_out(say("the unit {unit} does not say on which coast it stands.", unit=text))


def coast_of(text: str) -> str:
    """Return the name of a coast in two characters, '' if it is none: `NC` for 'north coast' and for 'nc'.

    >>> coast_of("South Coast"), coast_of("ec"), coast_of("xc")
    ('SC', 'EC', '')
    """
    word = text.strip(" ()").lower()
    if word in ("nc", "sc", "ec", "wc"):
        return word.upper()
    return next((code for start, code in COASTS.items() if word.startswith(start)), "")


def power_name(text: str) -> str:
    """Return the name of a power as people read it.

    >>> power_name("NEW+YORK")
    'New York'
    """
    words = re.split(r"[\s_+-]+", text)
    kept = (word if any(map(str.islower, word)) else word.capitalize() for word in words if word)
    return " ".join(word[:1].upper() + word[1:] for word in kept)


def clean_name(text: str) -> str:
    """Return a name without signs that orders or TOML would stumble over."""
    plain = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(re.sub(r"[\"\\<>{}\[\]|=*#/:;,]+", " ", plain).split())[:LONGEST]


def _plain(text: str) -> str:
    """Return the ASCII characters and digits of a text in lower case, without accents."""
    flat = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in flat if sign.isalnum() and sign.isascii()).casefold()


def _is_clear(alias: str) -> bool:
    return (
        len(_plain(alias)) > 1 and alias.upper() not in RESERVED and clean_name(alias) == alias and len(alias) < LONGEST
    )


def make_codes(names: Mapping[str, str], taken: Collection[str] = ()) -> dict[str, str]:
    """Return a code for each key that is not taken: the key itself if it can be one, else one made of the name."""
    found: dict[str, str] = {}
    used = set(taken)
    own = all(CODE.fullmatch(key.upper()) for key in names)
    for key in names:
        code = key.upper()
        if own and code not in RESERVED and code not in used:
            found[key] = code
            used.add(code)
    for key, name in names.items():
        if key not in found:
            found[key] = next(code for code in _proposals(name) if code not in used and code not in RESERVED)
            used.add(found[key])
    return found


def _proposals(name: str) -> Iterator[str]:
    """Yield codes of three characters for a name, the likeliest first, and then longer ones."""
    words = [word.upper() for word in map(_plain, name.split()) if word] or ["SPA"]
    letters = "".join(words)
    letters = letters if letters[0].isalpha() else f"X{letters}"
    if len(words) > 2:
        yield from (code for code in ("".join(word[0] for word in words)[:3],) if len(code) == 3 and code[0].isalpha())
    if len(words) == 2:
        yield from (code for code in (words[0][:1] + words[1][:2], words[0][:2] + words[1][:1]) if _fits(code))
    if len(letters) >= 3:
        yield letters[:3]
        yield from (letters[0] + b + c for b, c in combinations(letters[1:12], 2))
    stem = (letters + "XX")[:2]
    yield from (f"{stem}{number}" for number in range(1, 10))
    yield from (f"{stem}{number}" for number in range(10, 2_000))


def _fits(code: str) -> bool:
    return len(code) == 3 and code[0].isalpha()
