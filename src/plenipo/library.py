"""The library: finds variant folders, reads them, and makes `Rules` of them.

A variant is a folder of data with a `variant.toml` and a drawn map, either one of the package's own or any other on
disk. Reading goes in two steps: `read` turns a folder into a checked `Definition`, `load` chooses options and makes
the definition ready to play. This is the one place that opens the files of a variant.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any

from plenipo.engine.board import Board, Coast, Code, Location, UnitKind
from plenipo.engine.calendar import Calendar, PhaseKind, Step
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rulebook import DEFAULT_EDITION, POLICIES, Rulebook
from plenipo.engine.rules import PowerInfo, Rules
from plenipo.errors import InvalidVariant, PlenipoError, UnknownName
from plenipo.maps.board import SpaceText, board_from
from plenipo.maps.planar import Figure

__all__ = ["VARIANTS", "Definition", "folder_of", "load", "names", "read"]

VARIANTS = Path(__file__).parent / "variants"
"""The folder of the package's own variants."""

_TOP = frozenset({"title", "figure", "victory", "calendar", "powers", "spaces", "rulebook", "policies"})
_CALENDAR = frozenset({"start", "cycle"})
_POWER = frozenset({"adjective", "aliases", "units", "homes"})
_SPACE = frozenset({"name", "centre", "aliases"})


_Stamps = tuple[tuple[str, int], ...]
"""The times of a folder's files, part of what is remembered of it, so that an edited variant is read again."""


@dataclass(frozen=True)
class Definition:
    """What a `variant.toml` says, checked as far as it can be without the board.

    `file` is that file; `spaces` are its provinces by their codes, `units` and `homes` are as written.
    `homes` has an entry only for a power whose home centres are not the centres its units start on.
    """

    name: str
    file: Path
    title: str
    figure: Path
    victory: int
    calendar: Calendar
    powers: tuple[PowerInfo, ...]
    units: Mapping[Power, tuple[str, ...]]
    homes: Mapping[Power, tuple[str, ...]]
    spaces: Mapping[Code, SpaceText]
    rulebook: str = DEFAULT_EDITION
    policies: Mapping[str, str] = field(default_factory=dict)


def names() -> tuple[str, ...]:
    """The names of the package's own variants, alphabetically.

    >>> "standard" in names()
    True
    """
    return tuple(sorted(file.parent.name for file in VARIANTS.glob("*/variant.toml")))


def folder_of(name_or_path: str | Path) -> Path:
    """The folder of a variant: one of the package's own by its name, or else a folder on disk.

    Raises `UnknownName` if there is neither, and lists the nearest names.
    """
    if isinstance(name_or_path, str) and name_or_path in names():
        return VARIANTS / name_or_path
    path = Path(name_or_path)
    if (path / "variant.toml").is_file():
        return path.resolve()
    if path.is_dir():
        raise UnknownName(f"'{name_or_path}' is a folder without a variant.toml, so it is no variant.")
    near = get_close_matches(str(name_or_path).casefold(), names(), 3, 0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"the variants are {', '.join(names())}."
    raise UnknownName(f"'{name_or_path}' is neither a variant nor a folder with one; {hint}")


def load(name_or_path: str | Path, options: Mapping[str, str] | None = None) -> Rules:
    """The rules of a variant with `options` chosen, ready to play; the same value for the same call.

    Options are `rulebook` (an edition), the key of any policy such as `4.A.2`, and `victory` (centres that win).
    Raises `UnknownName` for a variant, option or choice there is none of, `InvalidVariant` for a faulty folder.

    >>> rules = load("standard", {"rulebook": "1971"})
    >>> rules.rulebook["4.A.1"], rules.to_win
    ('any', 18)
    """
    folder = folder_of(name_or_path)
    chosen = tuple((str(key), str(value)) for key, value in (options or {}).items())
    return _load(folder, _stamps(folder), chosen)


@lru_cache(maxsize=256)
def _load(folder: Path, stamps: _Stamps, chosen: tuple[tuple[str, str], ...]) -> Rules:
    definition = _read(folder, stamps)
    board = _board(folder, stamps)
    options = dict(chosen)
    rulebook, to_win = _choose(definition, board, options)
    return Rules(
        definition.name,
        definition.title,
        board,
        definition.powers,
        definition.calendar,
        rulebook,
        to_win,
        _opening(definition, board),
        options,
    )


def _choose(definition: Definition, board: Board, options: Mapping[str, str]) -> tuple[Rulebook, int]:
    """The rulebook and the number of centres that wins, with `options` in place of the variant's own."""
    known = ("rulebook", "victory", *POLICIES)
    for key in options:
        if key not in known:
            near = get_close_matches(key.casefold(), known, 3, 0.5)
            hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(known)}."
            raise UnknownName(f"'{key}' is not an option of {definition.title}; {hint}")
    if "rulebook" in options:
        # another edition replaces the variant's single choices too: they deviate from the edition it names
        edition, policies = options["rulebook"], {}
    else:
        edition, policies = definition.rulebook, dict(definition.policies)
    policies |= {key: value for key, value in options.items() if key in POLICIES}
    to_win = definition.victory
    if "victory" in options:
        text = options["victory"]
        most = len(board.centres)
        if not text.isdecimal() or not 1 <= int(text) <= most:
            raise UnknownName(f"'{text}' is not a number of centres to win with; write one from 1 to {most}.")
        to_win = int(text)
    return Rulebook.edition(edition, policies), to_win


@lru_cache(maxsize=64)
def _board(folder: Path, stamps: _Stamps) -> Board:
    """The board of the variant in `folder`; all its rulebooks share it."""
    definition = _read(folder, stamps)
    if not definition.figure.is_file():
        raise InvalidVariant(f"{definition.file}: 'figure' names {definition.figure.name}, which is not there.")
    try:
        drawn = Figure.from_json(definition.figure.read_text(encoding="utf-8"))
        return board_from(drawn, definition.spaces, definition.name)
    except (PlenipoError, UnicodeDecodeError) as fault:
        raise InvalidVariant(f"{definition.figure}: {fault}") from fault


def _stamps(folder: Path) -> _Stamps:
    return tuple((file.name, file.stat().st_mtime_ns) for file in sorted(folder.glob("*.*")) if file.is_file())


def read(name_or_path: str | Path) -> Definition:
    """The definition of a variant, as its file says; raises as `load` does."""
    return _define(folder_of(name_or_path))


@lru_cache(maxsize=64)
def _read(folder: Path, stamps: _Stamps) -> Definition:  # noqa: ARG001  # part of the cache's key
    return _define(folder)


def _define(folder: Path) -> Definition:
    file = folder / "variant.toml"
    try:
        text = file.read_text(encoding="utf-8")
        top = _Table(file, "", tomllib.loads(text))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise InvalidVariant(f"{file}: this is not TOML: {fault}.") from fault
    top.only(_TOP)
    powers = top.tables("powers")
    for power in powers.values():
        power.only(_POWER)
    spaces = top.tables("spaces")
    for space in spaces.values():
        space.only(_SPACE)
    definition = Definition(
        name=folder.name,
        file=file,
        title=top.text("title"),
        figure=folder / top.text("figure"),
        victory=top.number("victory"),
        calendar=_calendar(top.table("calendar")),
        powers=tuple(
            PowerInfo(Power(name), power.text("adjective", name), power.texts("aliases", ()))
            for name, power in powers.items()
        ),
        units={Power(name): power.texts("units", ()) for name, power in powers.items()},
        homes={Power(name): power.texts("homes") for name, power in powers.items() if "homes" in power.content},
        spaces={
            Code(code): SpaceText(space.text("name"), space.flag("centre"), space.texts("aliases", ()))
            for code, space in spaces.items()
        },
        rulebook=top.text("rulebook", DEFAULT_EDITION),
        policies={key: top.table("policies").text(key) for key in top.content.get("policies", {})},
    )
    try:
        Rulebook.edition(definition.rulebook, definition.policies)
    except UnknownName as fault:
        raise InvalidVariant(f"{file}: {fault}") from fault
    return definition


def _calendar(table: "_Table") -> Calendar:
    table.only(_CALENDAR)
    start = table.number("start")
    steps: list[Step] = []
    cycle = table.content.get("cycle")
    kinds = [kind.value for kind in PhaseKind]
    for item in cycle if isinstance(cycle, list) else ():
        match item:
            case [str(season), str(kind)] if kind in kinds:
                steps.append(Step(season, PhaseKind(kind)))
            case _:
                raise table.wrong("cycle", f"has {item!r}; a step is a season and one of {', '.join(kinds)}")
    if not any(step.kind is PhaseKind.MOVEMENT for step in steps):
        raise table.wrong("cycle", "must be a list of steps, and one of them a movement")
    return Calendar(tuple(steps), start)


def _opening(definition: Definition, board: Board) -> Position:
    """The first position: units as written, home centres owned."""
    units: list[Unit] = []
    homes: dict[Power, frozenset[Code]] = {}
    owners: dict[Code, Power] = {}
    for power, texts in definition.units.items():
        where = f"{definition.file}: 'powers.{power}"
        own = [_unit(board, power, text, f"{where}.units'") for text in texts]
        units += own
        key = "homes" if power in definition.homes else "units"
        if power in definition.homes:
            found = frozenset(_code(board.centres, text, f"{where}.homes'") for text in definition.homes[power])
        else:
            found = frozenset(unit.space for unit in own) & board.centres
        homes[power] = found
        for code in found:
            if code in owners:
                raise InvalidVariant(f"{where}.{key}' has {code}, which is a home centre of {owners[code]}.")
            owners[code] = power
    opening = Position(definition.calendar.first, tuple(units), owners=owners, homes=homes)
    fault = next(opening.faults(board), None)
    if fault:
        raise InvalidVariant(f"{definition.file}: in the opening {fault}")
    return opening


def _unit(board: Board, power: Power, text: str, where: str) -> Unit:
    letter, _, place = text.strip().partition(" ")
    space, _, coast = place.strip().partition("/")
    if letter not in [kind.value for kind in UnitKind] or not space:
        raise InvalidVariant(f"{where} has '{text}'; write a unit like 'A PAR' or 'F STP/SC'.")
    return Unit(power, UnitKind(letter), Location(_code(board.spaces, space, where), Coast(coast)))


def _code(known: Iterable[Code], text: str, where: str) -> Code:
    codes = tuple(known)
    if text not in codes:
        near = get_close_matches(text.upper(), codes, 3, 0.5)
        hint = f"; the nearest are {', '.join(near)}" if near else ""
        raise InvalidVariant(f"{where} has '{text}', which is no such place of the board{hint}.")
    return Code(text)


class _Table:
    """A table of the file, read key by key; every fault is one sentence with the file and the key."""

    def __init__(self, file: Path, prefix: str, content: Mapping[str, Any]) -> None:
        self.file = file
        self.prefix = prefix
        self.content = content

    def wrong(self, key: str, what: str) -> InvalidVariant:
        return InvalidVariant(f"{self.file}: '{self.prefix}{key}' {what}.")

    def only(self, known: frozenset[str]) -> None:
        for key in self.content:
            if key not in known:
                near = get_close_matches(key, known, 1, 0.5)
                hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(sorted(known))}."
                raise InvalidVariant(f"{self.file}: '{self.prefix}{key}' is not a key of a variant; {hint}")

    def _get(self, key: str, kind: type, what: str) -> Any:
        if key not in self.content:
            raise self.wrong(key, f"is missing; it must be {what}")
        value = self.content[key]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.wrong(key, f"is {value!r}; it must be {what}")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        if key not in self.content and default is not None:
            return default
        value: str = self._get(key, str, "a text")
        if not value:
            raise self.wrong(key, "is empty")
        return value

    def number(self, key: str) -> int:
        value: int = self._get(key, int, "a whole number above 0")
        if value < 1:
            raise self.wrong(key, f"is {value}; it must be a whole number above 0")
        return value

    def flag(self, key: str) -> bool:
        value = self.content.get(key, False)
        if not isinstance(value, bool):
            raise self.wrong(key, f"is {value!r}; it must be true or false")
        return value

    def texts(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        if key not in self.content and default is not None:
            return default
        value = self._get(key, list, "a list of texts")
        for item in value:
            if not isinstance(item, str):
                raise self.wrong(key, f"has {item!r}; it must be a list of texts")
        return tuple(value)

    def table(self, key: str) -> "_Table":
        return _Table(self.file, f"{self.prefix}{key}.", self._get(key, dict, "a table"))

    def tables(self, key: str) -> "dict[str, _Table]":
        found = self.table(key)
        if not found.content:
            raise self.wrong(key, "is empty")
        return {name: found.table(name) for name in found.content}
