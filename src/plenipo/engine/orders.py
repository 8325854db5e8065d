"""Orders, a type for each kind, so that a build cannot be given in spring.

An order holds what was written: the unit is named by a `Ref`, whose letter or coast may be missing or wrong.
`plenipo.engine.phases.legality` compares it with a position and completes it.
`str(order)` is the canonical text, which `plenipo.engine.reading.notation` reads back.
"""

from dataclasses import dataclass
from typing import NamedTuple

from plenipo.engine.board import Location, UnitKind
from plenipo.engine.immutable import Brief, name_text

__all__ = [
    "NOTICES",
    "AdjustmentOrder",
    "Build",
    "Choose",
    "Convert",
    "Convoy",
    "Declare",
    "Disband",
    "Enter",
    "Hold",
    "Move",
    "MovementOrder",
    "Notice",
    "Order",
    "Promise",
    "Ref",
    "Remove",
    "Retreat",
    "RetreatOrder",
    "Support",
    "Waive",
]


class Ref(NamedTuple):
    """A unit as an order names it: its location, and its letter, or `None` where the letter was left out."""

    kind: UnitKind | None
    location: Location

    def __str__(self) -> str:
        return f"{self.kind} {self.location}" if self.kind else str(self.location)


class _Written(Brief):
    """An order, whose `repr` shows its canonical text."""

    __slots__ = ()

    def __repr__(self) -> str:
        return name_text(self, self)


@dataclass(frozen=True, slots=True)
class Hold(_Written):
    """Stay: `A PAR H`."""

    unit: Ref

    def __str__(self) -> str:
        return f"{self.unit} H"


@dataclass(frozen=True, slots=True)
class Move(_Written):
    """Go to another space: `A PAR - BUR`; `via` asks for a convoy even where a land way exists (DATC 4.A.3)."""

    unit: Ref
    to: Location
    via: bool = False

    def __str__(self) -> str:
        return f"{self.unit} - {self.to}{' VIA' if self.via else ''}"


@dataclass(frozen=True, slots=True)
class Support(_Written):
    """Support `other` to hold (`to` is None: `A PAR S A BUR`) or to move (`A PAR S A MAR - BUR`)."""

    unit: Ref
    other: Ref
    to: Location | None = None

    def __str__(self) -> str:
        return f"{self.unit} S {self.other}{f' - {self.to}' if self.to else ''}"


@dataclass(frozen=True, slots=True)
class Convoy(_Written):
    """Convoy the army `other` across this fleet's sea: `F NTH C A YOR - NWY`."""

    unit: Ref
    other: Ref
    to: Location

    def __str__(self) -> str:
        return f"{self.unit} C {self.other} - {self.to}"


@dataclass(frozen=True, slots=True)
class Convert(_Written):
    """Convert to a unit of another type in the same space: `A BRE T F BRE`, `F STP/NC T A STP`."""

    unit: Ref
    into: Ref

    def __str__(self) -> str:
        return f"{self.unit} T {self.into}"


@dataclass(frozen=True, slots=True)
class Retreat(_Written):
    """Retreat with a dislodged unit: `A VIE R BOH`."""

    unit: Ref
    to: Location

    def __str__(self) -> str:
        return f"{self.unit} R {self.to}"


@dataclass(frozen=True, slots=True)
class Disband(_Written):
    """Disband a dislodged unit: `A VIE D`."""

    unit: Ref

    def __str__(self) -> str:
        return f"{self.unit} D"


@dataclass(frozen=True, slots=True)
class Build(_Written):
    """Build a new unit: `A PAR B`, `F STP/NC B`; the unit named is the new one."""

    unit: Ref

    def __str__(self) -> str:
        return f"{self.unit} B"


@dataclass(frozen=True, slots=True)
class Remove(_Written):
    """Remove a unit of the power from the board in an adjustment phase: `A PAR D`."""

    unit: Ref

    def __str__(self) -> str:
        return f"{self.unit} D"


@dataclass(frozen=True, slots=True)
class Waive(_Written):
    """Leave `count` builds unused (1 or more): `WAIVE`, `WAIVE 2`."""

    count: int = 1

    def __str__(self) -> str:
        return "WAIVE" if self.count == 1 else f"WAIVE {self.count}"


@dataclass(frozen=True, slots=True)
class Choose(_Written):
    """Choose secretly in a choice phase: `CHOOSE LON`, or with the letter of a unit `CHOOSE A LON`."""

    unit: Ref

    def __str__(self) -> str:
        return f"CHOOSE {self.unit}"


@dataclass(frozen=True, slots=True)
class Enter(_Written):
    """Enter the result of a physical draw by the game master (GM): `DRAW black hole: NTH`."""

    label: str
    result: str

    def __str__(self) -> str:
        return f"DRAW {self.label}: {self.result}"


@dataclass(frozen=True, slots=True)
class Promise(_Written):
    """Promise another power something, in words, with the orders of a movement phase: `PROMISE If France …`."""

    text: str

    def __str__(self) -> str:
        return f"PROMISE {self.text}"


@dataclass(frozen=True, slots=True)
class Declare(_Written):
    """Declare something with a word that a rule module defines, beside the orders: `GIVE France 3`."""

    word: str
    text: str

    def __str__(self) -> str:
        return f"{self.word} {self.text}"


Notice = Enter | Promise | Declare
"""A declaration, promise or entered draw; rule modules process it."""

NOTICES = (Enter, Promise, Declare)
"""The same as a tuple for `isinstance`, which would rebuild the union of types at every call."""

MovementOrder = Hold | Move | Support | Convoy | Convert
RetreatOrder = Retreat | Disband
AdjustmentOrder = Build | Remove | Waive | Convert
Order = MovementOrder | RetreatOrder | AdjustmentOrder | Choose | Notice
