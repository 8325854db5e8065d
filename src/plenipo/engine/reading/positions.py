"""The only reader of written positions: for variant files, JSON lines, cases, records and the interface.

It reads values from JSON, TOML and YAML. Their types are checked once, here, and their names are looked up on the
board. Invalid parts are a `PositionFault`, with its place in the data and a sentence, and are left out; the reader
continues, so that all faults are reported at once. Parts that cannot be left out (the phase, the changes of the board,
the slots of rule modules) raise `InvalidPosition` instead.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from plenipo.engine.board import Board, Code, Location, UnitKind
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.changes import (
    Barred,
    BoardChange,
    Border,
    Closed,
    Founded,
    Joined,
    Opened,
    Razed,
    Split,
    closed_by,
    find_successors,
    half_names,
)
from plenipo.engine.phases import retreats
from plenipo.engine.position import GAME_MASTER, Dislodged, Position, Power, Slot, Unit
from plenipo.engine.reading.notation import Notation, notation_of
from plenipo.engine.rules import Rules
from plenipo.engine.wording import in_quotes, listing
from plenipo.errors import ImpossiblePosition, InvalidPosition, PlenipoError, UnreadablePosition

__all__ = [
    "MOST_CHANGES",
    "MOST_ENTRIES",
    "BoardReader",
    "PositionFault",
    "PositionRead",
    "quote_value",
    "read_position",
]

MOST_ENTRIES = 5000
"""The greatest number of names in a position, its units, centres and homes together; the largest have a few hundred."""

MOST_CHANGES = 400
"""The greatest number of changes of the board in a position; a game of twelve years has about seventy."""

_MOST_POINTS = 10**9
_LONGEST_QUOTED = 60
_LONGEST_NAME = 1000

T = TypeVar("T")


class PositionFault(NamedTuple):
    """An invalid part of the data: the keys that lead to it, and a sentence about it."""

    place: tuple[str, ...]
    sentence: str

    def __str__(self) -> str:
        return f"'{'.'.join(self.place)}': {self.sentence}"


def quote_value(value: object) -> str:
    """Return a value as an error shows it: JSON in quotes, cut short, without unprintable characters.

    A text unchanged.
    """
    try:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):
        text = "…"  # nested too deeply, or a number too long, to be written down
    return in_quotes(text, _LONGEST_QUOTED)


class BoardReader:
    """A reader of data about one board.

    The methods named for one thing (`text`, `space`, `unit` …) return it or raise `PlenipoError` with a sentence; those
    named for several leave out the parts that cannot be read and add to `faults`.
    """

    def __init__(
        self,
        board: Board,
        power: Callable[[str], Power],
        notation: Callable[[], Notation],
        changes: tuple[BoardChange, ...] = (),
    ) -> None:
        self.board, self.changes = board, changes
        self.faults: list[PositionFault] = []
        self.spelt: dict[Power, str] = {}
        """The spelling of each power at its first place in the data."""
        self._power, self._notation = power, notation
        self._left = MOST_ENTRIES

    # -- one thing

    def text(self, value: object) -> str:
        """Return a text."""
        if isinstance(value, str):
            return value
        raise UnreadablePosition(f"{quote_value(value)} is not a text.")

    def number(self, value: object) -> int:
        """Return a whole number."""
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _MOST_POINTS:
            return value
        raise UnreadablePosition(f"{quote_value(value)} is not a whole number of a billion or less.")

    def mapping(self, value: object) -> Mapping[str, object]:
        """Return an object whose keys are texts."""
        if isinstance(value, dict) and all(isinstance(key, str) for key in value):
            self._spend(len(value))
            return value
        raise UnreadablePosition(f"{quote_value(value)} is not an object.")

    def items(self, value: object) -> Sequence[object]:
        """Return a list, also for a text alone."""
        if isinstance(value, str):
            return (value,)
        if isinstance(value, list | tuple):
            self._spend(len(value))
            return value
        raise UnreadablePosition(f"{quote_value(value)} is not a list of texts.")

    def power(self, value: object) -> Power:
        """Return a power of the game by any of its names."""
        return self._power(self.text(value)[:_LONGEST_NAME])

    def location(self, value: object) -> Location:
        """Return a space, and its coast if one is written."""
        text = self.text(value)
        if text in self.board.spaces:
            return Location(Code(text))
        return self._notation().location(text)

    def space(self, value: object) -> Code:
        """Return a space of the board by any of its names."""
        return self.location(value).space

    def centre(self, value: object) -> Code:
        """Return a supply centre."""
        code = self.space(value)
        if code not in self.board.centres:
            raise UnreadablePosition(f"{self.board.spaces[code].name} is not a supply centre.")
        return code

    def piece(self, value: object) -> tuple[UnitKind | None, Location]:
        """Return a unit without its power, at any location; without a type if no letter is written."""
        text = self.text(value)
        return self.board.standing.get(text) or self._notation().unit(text)

    def unit(self, power: Power, value: object) -> Unit:
        """Return a unit of `power` that may be at its location."""
        known = self.board.standing.get(value) if isinstance(value, str) else None
        if known is not None:
            return Unit(power, *known)
        kind, location = self.piece(value)
        if kind is None:
            letters = listing([f"{kind} for {self.board.name_with_article(kind)}" for kind in self.board.kinds], "or")
            raise UnreadablePosition(f"{quote_value(value)} must begin with {letters}.")  # english: ok
        unit = Unit(power, kind, location)
        phase = Phase("", 0, PhaseKind.MOVEMENT)
        for wrong in Position(phase, (unit,), changes=self.changes).faults(self.board):
            raise ImpossiblePosition(wrong)
        return unit

    def unit_of_power(self, value: object, *, standing: bool = True) -> Unit:
        """Return a unit with its power, `["France", "A PAR"]`; unless `standing`, only its notation must be valid."""
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise UnreadablePosition(f"{quote_value(value)} is not a list of a power and a unit.")
        power = self.power(value[0])
        if standing:
            return self.unit(power, value[1])
        kind, location = self.piece(value[1])
        return Unit(power, kind or UnitKind.ARMY, location)

    # -- several

    def each(self, place: tuple[str, ...], value: object, read: Callable[[object], T]) -> Iterator[T]:
        """Yield every item of a list that can be read."""
        try:
            items = self.items(value)
        except InvalidPosition as fault:
            self._over(fault)
            self.faults.append(PositionFault(place, str(fault)))
            return
        for item in items:
            try:
                yield read(item)
            except PlenipoError as fault:
                self.faults.append(PositionFault(place, str(fault)))

    def by_power(
        self, place: tuple[str, ...], value: object, *, master: bool = False
    ) -> Iterator[tuple[Power, object]]:
        """Yield the entries of an object whose keys are powers, and the game master with `master`."""
        if value is None:
            return
        if not isinstance(value, dict):
            self.faults.append(
                PositionFault(place, f"{quote_value(value)} is not an object with an entry for each power.")
            )
            return
        for name, entry in self.mapping(value).items():
            try:
                if master and name.strip().casefold() == GAME_MASTER.casefold():
                    power = GAME_MASTER
                else:
                    power = self.power(name)
            except PlenipoError as fault:
                self.faults.append(PositionFault(place, str(fault)))
                continue
            self.spelt.setdefault(power, name)
            yield power, entry

    def units(self, place: tuple[str, ...], value: object) -> tuple[Unit, ...]:
        """Return the units of each power, one per space."""
        at: dict[Code, Unit] = {}
        for power, entry in self.by_power(place, value):
            for unit in self.units_of((*place, power), power, entry):
                other = at.setdefault(unit.location.space, unit)
                if other is not unit:
                    why = f"{unit} of {power} cannot stand where {other} of {other.power} does."
                    self.faults.append(PositionFault((*place, power), why))
        return tuple(at.values())

    def units_of(self, place: tuple[str, ...], power: Power, value: object) -> Iterable[Unit]:
        """Return the units of one power."""
        standing = self.board.standing
        if isinstance(value, list):
            with suppress(KeyError, TypeError):  # most often all are written as a unit is, and may stand there
                units = [Unit(power, *standing[text]) for text in value]
                self._spend(len(value))
                return units
        return self.each(place, value, lambda item: self.unit(power, item))

    def codes(
        self, place: tuple[str, ...], value: object, known: frozenset[Code], read: Callable[[object], Code]
    ) -> Iterable[Code]:
        """Return the spaces of a list; those that are written by their codes and are `known` need not be read."""
        if isinstance(value, list):
            with suppress(TypeError):  # something in it is not even a text
                if known.issuperset(value):
                    self._spend(len(value))
                    return value
        return self.each(place, value, read)

    def owners(self, place: tuple[str, ...], value: object) -> dict[Code, Power]:
        """Return the owner of each centre."""
        owners: dict[Code, Power] = {}
        for power, entry in self.by_power(place, value):
            for code in self.codes((*place, power), entry, self.board.centres, self.centre):
                if owners.setdefault(code, power) != power:
                    why = f"{code} cannot belong to {power}, for it belongs to {owners[code]}."
                    self.faults.append(PositionFault((*place, power), why))
        return owners

    def _spend(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            raise UnreadablePosition(f"This has more than {MOST_ENTRIES} entries, which no position can have.")

    def _over(self, fault: InvalidPosition) -> None:
        """Continue with `fault` if there is too much to read."""
        if self._left < 0:
            raise fault


class PositionRead(NamedTuple):
    """A position that was read, and the reader, with its faults and the spelling of the powers."""

    position: Position
    reader: BoardReader


_REQUIRED = {
    "phase": "",
    "units": '{"France": ["A PAR"]}',
    "dislodged": "[]",
    "contested": "[]",
    "centres": '{"France": ["PAR"]}',
    "homes": '{"France": ["PAR"]}',
    "winners": "[]",
}
"""The required keys of a position, except those of the board's changes and of modules, each with an example."""


def read_position(rules: Rules, value: Mapping[str, Any], *, whole: bool = False) -> PositionRead:
    """Return the position written as `value` in a game with these `rules`, for instance by `record.encode_position`.

    `owners` and `centers` are read as `centres`. A `whole` position must have every key. Otherwise centres have no
    owner where none is given, homes are those of the opening, and rule modules have their slots of the opening or those
    that they derive from the position. Raises `InvalidPosition` for data that cannot be read at all.
    """
    named = dict(value)
    for other in ("owners", "centers"):
        if other in named and named.get("centres") is None:
            named["centres"] = named.pop(other)
    for key in _REQUIRED if whole else ("phase", "units"):
        if named.get(key) is None:
            example = _REQUIRED[key] or f'"{rules.calendar.first}"'
            raise UnreadablePosition(f"'{key}' is missing; write it like {example}.")
    phase = _phase(rules, named.get("phase"))
    changes = _changes(rules, named.get("changes"))
    return _PositionReading(rules, phase, changes, named).read(assuming=not whole)


@lru_cache(maxsize=4096)
def _phase_of(rules: Rules, text: str) -> Phase:
    return rules.calendar.read(text)


def _phase(rules: Rules, value: object) -> Phase:
    if not isinstance(value, str):
        raise UnreadablePosition(f"'phase' is {quote_value(value)}; write it like \"{rules.calendar.first}\".")
    return _phase_of(rules, value[:_LONGEST_NAME])


class _PositionReading:
    """One position while it is read: its parts one after the other, each with the help of those before."""

    def __init__(self, rules: Rules, phase: Phase, changes: tuple[BoardChange, ...], value: Mapping[str, Any]) -> None:
        self.rules, self.phase, self.changes, self.value = rules, phase, changes, value
        bare = Position(phase, changes=changes)
        self.board = rules.board_at(bare)
        self.reader = BoardReader(self.board, rules.power, lambda: notation_of(rules, bare), changes)

    def read(self, *, assuming: bool) -> PositionRead:
        """Return the position, with every fault; slots of modules may be assumed."""
        reader, value = self.reader, self.value
        units = reader.units(("units",), value.get("units"))
        contested = value.get("contested")
        winners = value.get("winners")
        position = Position(
            self.phase,
            units,
            (),
            frozenset(reader.each(("contested",), contested, reader.space)) if contested else frozenset(),
            reader.owners(("centres",), value.get("centres")),
            self._homes(assuming=assuming),
            tuple(reader.each(("winners",), winners, reader.power)) if winners else (),
            self.changes,
        )
        if value.get("dislodged"):
            position = replace(position, dislodged=self._read_dislodged(position))
        if slots := self._slots(position, assuming=assuming):
            position = replace(position, slots=slots)
        position.mark_sound(self.board)  # every unit may stand where it does, alone, and what is owned is a centre
        return PositionRead(position, reader)

    def _homes(self, *, assuming: bool) -> dict[Power, frozenset[Code]]:
        """Return the home centres; those of the opening, as the changes of the board left them, may be assumed."""
        opening = self.rules.opening.homes if assuming else {}
        homes = {power: find_successors(codes, self.changes) for power, codes in opening.items()}
        written = self.value.get("homes")
        for power, entry in self.reader.by_power(("homes",), written):
            homes[power] = frozenset(self.reader.codes(("homes", power), entry, self.board.centres, self._home))
        return homes

    def _home(self, value: object) -> Code:
        """Return a centre, or a space that was one before it was closed."""
        code = self.reader.space(value)
        return code if code in closed_by(self.changes) else self.reader.centre(value)

    # -- dislodged units

    def _read_dislodged(self, position: Position) -> tuple[Dislodged, ...]:
        """Return the units that must retreat: from a record, or for each power from a list or an object for each."""
        at: dict[Code, Dislodged] = {}
        for dislodged in self._each_dislodged(position):
            other = at.setdefault(dislodged.unit.space, dislodged)
            if other is not dislodged:
                why = f"{dislodged.unit} cannot have stood where {other.unit} did."
                self.reader.faults.append(PositionFault(("dislodged",), why))
        if at and self.phase.kind is not PhaseKind.RETREATS and not self._draws_first:
            why = f"nobody is dislodged in {self.phase}; this belongs to a retreat phase."
            self.reader.faults.append(PositionFault(("dislodged",), why))
            return ()
        return tuple(at.values())

    @property
    def _draws_first(self) -> bool:
        """True if draws are made now, and the dislodged units retreat afterwards."""
        return self.phase.kind is PhaseKind.DRAWS and self.rules.calendar.draws_before_retreats

    def _each_dislodged(self, position: Position) -> Iterator[Dislodged]:
        reader, value = self.reader, self.value["dislodged"]
        if isinstance(value, list):
            yield from reader.each(("dislodged",), value, self._decode_dislodged)
            return
        for power, entry in reader.by_power(("dislodged",), value):
            place = ("dislodged", power)
            facts = entry if isinstance(entry, dict) else {}
            for unit in reader.units_of(place, power, list(facts) if facts else entry):
                known = next((facts[text] for text in facts if reader.piece(text)[1] == unit.location), None)
                if known is not None and not isinstance(known, dict):
                    reader.faults.append(PositionFault((*place, str(unit)), f"{quote_value(known)} is not an object."))
                    known = None
                yield self._complete_dislodged(position, (*place, str(unit)), unit, known or {})

    def _decode_dislodged(self, value: object) -> Dislodged:
        """Return a dislodged unit from a record."""
        facts = self.reader.mapping(value)
        by = facts.get("by")
        return Dislodged(
            self.reader.unit_of_power(facts.get("unit")),
            None if by is None else self.reader.unit_of_power(by, standing=False),
            tuple(map(self.reader.space, self.reader.items(facts.get("barred", ())))),
        )

    def _complete_dislodged(
        self, position: Position, place: tuple[str, ...], unit: Unit, facts: Mapping[str, Any]
    ) -> Dislodged:
        """Return a dislodged unit with its attacker and the spaces barred to it.

        `barred` lists those; else `retreats` lists the places open to it, else `from` names the space its attacker
        came from, else `by` does.
        """
        reader = self.reader
        for key in facts:
            if key not in {"by", "from", "retreats", "barred"}:
                reader.faults.append(
                    PositionFault(place, f"{quote_value(key)} is not one of by, from, retreats, barred.")
                )
        by = self._attacker(position, place, unit, facts.get("by"))
        if facts.get("barred") is not None:
            return Dislodged(unit, by, tuple(reader.each(place, facts["barred"], reader.space)))
        if facts.get("retreats") is not None:
            places = set(reader.each(place, facts["retreats"], reader.space))
            free = retreats.options(self.rules, position, Dislodged(unit, by))
            return Dislodged(unit, by, tuple(sorted({to.space for to in free} - places)))
        if facts.get("from") is not None:
            return Dislodged(unit, by, tuple(reader.each(place, facts["from"], reader.space)))
        return Dislodged(unit, by, () if by is None else (by.space,))

    def _attacker(self, position: Position, place: tuple[str, ...], unit: Unit, value: object) -> Unit | None:
        """Return the unit that took the place of `unit`, as it stood before.

        Its power is that of the unit there now.
        """
        if value is None:
            return None
        piece = next(self.reader.each(place, value, self.reader.piece), None)
        if piece is None:
            return None
        there = position.unit_at(unit.space)
        if there is None:
            why = f"no unit stands in {unit.space}, so none can have come there."
            self.reader.faults.append(PositionFault(place, why))
            return None
        kind, location = piece
        return Unit(there.power, kind or there.kind, location)

    # -- the memory of rule modules

    def _slots(self, position: Position, *, assuming: bool) -> dict[str, Slot]:
        """Return the slots of rule modules; missing ones that may be assumed are derived from the position."""
        modules = {module.name: module for module in self.rules.modules}
        slots: dict[str, Slot] = {}
        for name, value in self._read_slots().items():
            if name not in modules:
                raise UnreadablePosition(f"'slots': {quote_value(name)} is not a rule module of this game.")
            try:
                slots[name] = modules[name].decode_slot(value, self.reader)
            except (PlenipoError, KeyError) as fault:
                why = f"{fault} is missing." if isinstance(fault, KeyError) else fault
                raise UnreadablePosition(f"'slots': what '{name}' remembers cannot be read: {why}") from fault
        for name, module in modules.items() if assuming else ():
            assumed = None if name in slots else module.without_slot(self.rules, position)
            if assumed is not None:
                slots[name] = assumed
        return slots

    def _read_slots(self) -> Mapping[str, object]:
        """Return the slots as they are written."""
        written = self.value.get("slots")
        try:
            return self.reader.mapping({} if written is None else written)
        except InvalidPosition as fault:
            raise UnreadablePosition(f"'slots': {fault}") from fault


# -- changes of the board


def _changes(rules: Rules, value: object) -> tuple[BoardChange, ...]:
    """Return the changes of the board, each of a space or border that exists by then."""
    if not value:
        return ()
    if not isinstance(value, list):
        raise UnreadablePosition(
            f'\'changes\' is {quote_value(value)}; it must be a list such as [{{"closed": "NTH"}}].'
        )
    if len(value) > MOST_CHANGES:
        raise UnreadablePosition(f"'changes' lists {len(value)} changes of the board; there may be {MOST_CHANGES}.")
    codes = set(rules.board.spaces)
    changes: list[BoardChange] = []
    for number, item in enumerate(value, 1):
        try:
            change = _change(item, codes)
        except InvalidPosition as fault:
            raise UnreadablePosition(f"'changes', number {number}: {fault}") from fault
        if isinstance(change, Split):
            codes.discard(change.space)
            codes.update(change.halves)
        elif isinstance(change, Joined):
            codes.discard(change.space)
        changes.append(change)
    return tuple(changes)


def _change(value: object, codes: set[Code]) -> BoardChange:
    if isinstance(value, dict):
        if value.keys() == {"closed"}:
            return Closed(_on_board(value["closed"], codes))
        if value.keys() == {"opened"}:
            return Opened(_on_board(value["opened"], codes))
        if value.keys() == {"founded"}:
            return Founded(_on_board(value["founded"], codes))
        if value.keys() == {"razed"}:
            return Razed(_on_board(value["razed"], codes))
        if value.keys() == {"barred"} and isinstance(value["barred"], list) and len(value["barred"]) == 2:
            one, other = (_on_board(code, codes) for code in value["barred"])
            return Barred(one, other)
        if value.keys() == {"joined", "into"} and value["joined"] != value["into"]:
            return Joined(_on_board(value["joined"], codes), _on_board(value["into"], codes))
        if value.keys() == {"split", "from", "to", "halves"}:
            space = _on_board(value["split"], codes)
            halves = half_names(space, codes)
            if value["halves"] != list(halves):
                raise UnreadablePosition(
                    f"{quote_value(value['halves'])} are not the halves of {space}; they are {halves}."
                )
            return Split(space, _border(value["from"], codes), _border(value["to"], codes), halves)
    kinds = "'closed', 'opened', 'barred', 'founded', 'razed', 'joined' with 'into', or 'split' with its line"
    raise UnreadablePosition(f"{quote_value(value)} is not a change; it has {kinds}.")


def _on_board(value: object, codes: set[Code]) -> Code:
    if isinstance(value, str) and value in codes:
        return Code(value)
    raise UnreadablePosition(f"{quote_value(value)} is not the code of a space of the board as it then is.")


def _border(value: object, codes: set[Code]) -> Border:
    if isinstance(value, list) and len(value) == 2 and isinstance(value[1], int) and not isinstance(value[1], bool):
        return Border(_on_board(value[0], codes), value[1])
    raise UnreadablePosition(f"{quote_value(value)} is not a border; it is the code of a neighbour and a number.")
