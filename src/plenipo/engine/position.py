"""The position: one moment of a game, which alone is enough to continue from in any phase."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import itemgetter
from typing import Any, NamedTuple, NewType, Protocol, Self, TypeVar

from plenipo.engine.board import Board, Code, Location, Terrain, UnitKind
from plenipo.engine.calendar import Phase
from plenipo.engine.changes import BoardChange, Split
from plenipo.engine.display import PLUG
from plenipo.engine.immutable import Brief, FrozenMap, Immutable, freeze_sorted, name_text
from plenipo.engine.orders import Ref
from plenipo.errors import InvalidPosition

__all__ = ["GAME_MASTER", "Dislodged", "Position", "Power", "PowerInfo", "Slot", "Unit"]

Power = NewType("Power", str)
"""The name of a power as printed: `Austria`, `France`."""

GAME_MASTER = Power("GM")
"""The author of the order set that contains the results of physical draws; no power of a game."""


@dataclass(frozen=True, slots=True)
class PowerInfo(Brief):
    """A power of the variant: its name, its adjective (`German`) and other spellings accepted on input.

    A power that is not `played` has units and no player. `like` is another power, in the game or not, whose colours it
    uses.
    """

    name: Power
    adjective: str = ""
    aliases: tuple[str, ...] = ()
    played: bool = True
    like: str = ""


class _UnitFields(NamedTuple):
    power: Power
    kind: UnitKind
    location: Location


class Unit(_UnitFields):
    """A piece on the board. A space holds one, so its location is its identity within a position.

    >>> Unit("France", "F", "STP/NC").location.coast
    'NC'
    """

    __slots__ = ()

    def __new__(cls, power: str, kind: str, location: Location | str) -> Self:  # noqa: D102  # the class says it
        if type(location) is not Location:
            location = Location.from_text(location) if isinstance(location, str) else Location(*location)
        return tuple.__new__(cls, (power, kind if type(kind) is UnitKind else UnitKind(kind), location))

    @property
    def space(self) -> Code:
        """The space it is in, without the coast."""
        return self.location.space

    @property
    def ref(self) -> Ref:
        """The unit as its own order names it."""
        return Ref(self.kind, self.location)

    @classmethod
    def from_text(cls, power: str, text: str) -> "Unit":
        """Return the unit of `power` that `str` writes as `text`; raises `ValueError` if no unit has such a letter."""
        kind, _, place = text.partition(" ")
        return cls(Power(power), UnitKind(kind), Location.from_text(place))

    def __str__(self) -> str:
        space, coast = self.location
        return f"{self.kind + ' ' + space}/{coast}" if coast else self.kind + " " + space


class Dislodged(NamedTuple):
    """A unit that must retreat or disband.

    `by` is the unit that took its place, as it stood before moving, if known; `barred` are spaces this unit may not
    retreat to, such as the one its attacker came from (rulebook, retreats; DATC 4.A.5 for convoyed attackers).
    """

    unit: Unit
    by: Unit | None = None
    barred: tuple[Code, ...] = ()

    def __repr__(self) -> str:
        by = f" by {self.by} of {self.by.power}" if self.by else ""
        return name_text(self, f"{self.unit} of {self.unit.power}{by}")


class Slot(Protocol):
    """The state of a rule module between phases: an immutable value that can be compared and saved."""

    def to_json(self) -> Any:
        """Return the value as JSON, from which its module restores it."""
        ...


_by_location = itemgetter(2)


@dataclass(frozen=True)
class Position(Immutable):
    """The complete state of a game at one moment.

    `units` are those on the board, sorted by space; `dislodged` those that must retreat, which are in no space.
    `contested` are the spaces left vacant by a stand-off in the movement just over, closed to retreats.
    `owners` maps each owned centre to its power; `homes` maps each power to its home centres.
    `winners` is empty while the game goes on, one power after a solo, several after a draw.
    `changes` are the changes of the board so far; `slots` is the state of rule modules, by the name of the module.
    """

    phase: Phase
    units: tuple[Unit, ...] = ()
    dislodged: tuple[Dislodged, ...] = ()
    contested: frozenset[Code] = frozenset()
    owners: Mapping[Code, Power] = field(default_factory=dict)
    homes: Mapping[Power, frozenset[Code]] = field(default_factory=dict)
    winners: tuple[Power, ...] = ()
    changes: tuple[BoardChange, ...] = ()
    slots: Mapping[str, Slot] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "units", tuple(sorted(self.units, key=_by_location)))
        object.__setattr__(self, "dislodged", tuple(sorted(self.dislodged)))
        for name in ("owners", "homes", "slots"):
            mapping = getattr(self, name)
            if not isinstance(mapping, FrozenMap):
                object.__setattr__(self, name, freeze_sorted(mapping))

    def __repr__(self) -> str:
        retreating = f", {len(self.dislodged)} dislodged" if self.dislodged else ""
        won = f", won by {', '.join(self.winners)}" if self.winners else ""
        return name_text(
            self, f"{self.phase}: {len(self.units)} units{retreating}, {len(self.owners)} owned supply centres{won}"
        )

    def in_phase(self, phase: Phase) -> "Position":
        """Return this position in `phase`, with the cached results that depend only on units and owners."""
        there = object.__new__(Position)
        there.__dict__.update(self.__dict__, phase=phase)
        return there

    @cached_property
    def _at(self) -> dict[Code, Unit]:
        return {unit.location.space: unit for unit in self.units}

    @cached_property
    def _units_of(self) -> Mapping[Power, tuple[Unit, ...]]:
        return _group_by_power((unit.power, unit) for unit in self.units)

    @cached_property
    def _centres_of(self) -> Mapping[Power, tuple[Code, ...]]:
        return _group_by_power((self.owners[code], code) for code in sorted(self.owners))

    def unit_at(self, space: Code) -> Unit | None:
        """Return the unit on the board in `space`, not counting one dislodged from it; None if it is vacant."""
        return self._at.get(space)

    def dislodged_at(self, space: Code) -> Dislodged | None:
        """Return the unit that must retreat from `space`, if any."""
        return next((d for d in self.dislodged if d.unit.space == space), None)

    def units_of(self, power: Power) -> tuple[Unit, ...]:
        """Return the units of `power` on the board, by space, not counting dislodged ones."""
        return self._units_of.get(power, ())

    def survives(self, power: Power) -> bool:
        """Return whether a power has a unit or a centre left."""
        return bool(self.units_of(power) or self.centres_of(power))

    def centres_of(self, power: Power) -> tuple[Code, ...]:
        """Return the centres that `power` owns, alphabetically."""
        return self._centres_of.get(power, ())

    def homes_of(self, power: Power) -> frozenset[Code]:
        """Return the home centres of `power`, owned or not."""
        return self.homes.get(power, frozenset())

    def with_slot(self, name: str, value: Slot) -> "Position":
        """Return this position with `value` as the slot of the module `name`."""
        return replace(self, slots={**self.slots, name: value})

    def is_stranded(self, board: Board, unit: Unit) -> bool:
        """Return whether `unit` is a fleet that a split left in a part without a coast, where it may only hold."""
        landlocked = unit.kind in board.sailing and board.spaces[unit.space].terrain is Terrain.INLAND
        bare = not board.spaces[unit.space].impassable and not unit.location.coast
        return landlocked and bare and any(isinstance(c, Split) and unit.space in c.halves for c in self.changes)

    @classmethod
    def parse(cls, text: str, rules: object = None) -> "Position":
        """Return the position that `text` describes, in the standard game or in that of `rules`.

        Supply centres have no owners in it. Raises `InvalidPosition`, and `UnknownName` for an unknown power.

        >>> import plenipo
        >>> [str(unit) for unit in plenipo.Position.parse("F1901M: France A PAR, F BRE; Germany A MUN").units]
        ['F BRE', 'A MUN', 'A PAR']
        """
        if PLUG.tools is None:
            raise InvalidPosition("Reading a position needs the whole package: use 'from plenipo import Position'.")
        position: Position = PLUG.tools.parse(text, rules)
        return position

    def _repr_svg_(self) -> str | None:
        return PLUG.tools.svg(self, self.__dict__.get("_sound_on")) if PLUG.tools else None

    def known_sound(self, board: Board) -> bool:
        """Return whether this position is already known to have no faults on `board`."""
        return self.__dict__.get("_sound_on") is board

    def mark_sound(self, board: Board) -> None:
        """Mark this position as one without faults on `board`, so that it need not be checked again."""
        object.__setattr__(self, "_sound_on", board)

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for every fault of this position on `board`; nothing if it is sound."""
        seen: dict[Code, Unit] = {}
        for unit in self.units:
            space = unit.location.space
            if space in seen:
                yield f"'{seen[space]}' and '{unit}' stand in the same space."
            seen[space] = unit
        for unit in (*self.units, *(d.unit for d in self.dislodged)):
            if unit.kind not in board.traits:
                yield f"'{unit}' is of no kind that this board has; it has {', '.join(board.kinds)}."
            elif unit.location.space not in board.spaces:
                yield f"'{unit}' stands in '{unit.space}', which is not on the board."
            elif (unit.kind, unit.location) not in board.destinations and not self.is_stranded(board, unit):
                yield f"'{unit}' cannot stand there: {_why_not(board, unit.kind, unit.location)}."
        for code in self.owners:
            if code not in board.centres:
                yield f"'{code}' is owned but is not a supply centre."


T = TypeVar("T")


def _group_by_power(items: Iterable[tuple[Power, T]]) -> Mapping[Power, tuple[T, ...]]:
    """Return the items of each power, in the order given."""
    groups: dict[Power, list[T]] = {}
    for power, item in items:
        groups.setdefault(power, []).append(item)
    return {power: tuple(group) for power, group in groups.items()}


def _why_not(board: Board, kind: UnitKind, location: Location) -> str:
    space = board.spaces[location.space]
    if space.impassable:
        return f"{space.name} is {'closed' if space.closed else 'impassable'}"
    one, traits = board.name_with_article(kind), board.traits[kind]
    if kind not in board.sailing and location.coast:
        return f"{one} has no coast"
    if traits.simple and traits.by == "land":
        return f"{one} needs land"
    if traits.by == "sea" and space.coasts and location.coast not in space.coasts:
        return f"{one} there is on one of {', '.join(space.coasts)}"
    if traits.by == "sea" and location.coast and not space.coasts:
        return f"{space.name} has no coast {location.coast}"
    return f"{one} needs water" if traits.simple and traits.by == "sea" else f"{one} does not stand in {space.name}"
