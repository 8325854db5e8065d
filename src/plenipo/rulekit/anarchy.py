"""Anarchy: a unit in anarchy takes no orders until it is cured.

It holds, anybody may support it in place, and it still needs a supply centre. Dislodged it is annihilated.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase
from plenipo.engine.changes import Split
from plenipo.engine.dice import DrawSource
from plenipo.engine.hooks import Effects, RuleModule, SplitUnit
from plenipo.engine.module_memory import ModuleMemory
from plenipo.engine.position import Dislodged, Position, Unit
from plenipo.engine.sentences import SentenceKind

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["Anarchic", "Anarchy"]

_IN_ANARCHY = SentenceKind("in-anarchy", "{unit} is in anarchy: it takes no orders and holds.")
_ANNIHILATED = SentenceKind("annihilated-in-anarchy", "{unit} was annihilated: it was in anarchy.")


@dataclass(frozen=True)
class Anarchic(ModuleMemory):
    """The units in anarchy."""

    units: frozenset[Unit] = frozenset()


@dataclass(frozen=True)
class Anarchy(RuleModule):
    """The option `anarchic_captures` says whether a unit in anarchy takes or keeps the centre it stands in."""

    name: ClassVar[str] = "anarchy"
    memory: ClassVar[type[ModuleMemory]] = Anarchic
    signs: ClassVar[Mapping[str, str]] = {
        "anarchy": "a unit in anarchy: it holds, whatever it is ordered",
    }
    claims: ClassVar[frozenset[str]] = frozenset({"units in anarchy"})

    anarchic_captures: bool = True

    def units(self, position: Position) -> frozenset[Unit]:
        """Return the units in anarchy that are on the board."""
        slot = position.slots.get(self.name)
        return slot.units & frozenset(position.units) if isinstance(slot, Anarchic) else frozenset()

    def with_units(self, position: Position, units: Iterable[Unit]) -> Position:
        """Return `position` with exactly these units in anarchy."""
        return position.with_slot(self.name, Anarchic(frozenset(units)))

    def why_no_orders(self, rules: "Rules", position: Position, unit: Unit) -> str:
        """Return why a unit in anarchy takes no orders; empty for other units."""
        return _IN_ANARCHY(unit=unit) if unit in self.units(position) else ""

    def why_no_retreat(self, rules: "Rules", position: Position, dislodged: Dislodged) -> str:
        """Return why a unit in anarchy does not retreat; empty for other units."""
        unit = dislodged.unit
        return _ANNIHILATED(unit=unit) if unit in self.units(position) else ""

    def after_phase(self, rules: "Rules", position: Position, phase: Phase, source: DrawSource) -> Effects:
        """Remove units that are gone from the slot, so that another unit in their space is not taken for them."""
        slot = position.slots.get(self.name)
        if isinstance(slot, Anarchic) and slot.units != self.units(position):
            return Effects(self.with_units(position, self.units(position)))
        return Effects(position)

    def captures(self, rules: "Rules", position: Position, unit: Unit) -> bool:
        """Return True if the unit may capture a centre; in anarchy only if the option allows it."""
        return self.anarchic_captures or unit not in self.units(position)

    def space_lost(self, rules: "Rules", position: Position, space: Code) -> Effects:
        """Remove a lost unit from the units in anarchy."""
        slot = position.slots.get(self.name)
        return Effects(self.with_units(position, self.units(position)) if isinstance(slot, Anarchic) else position)

    def space_split(self, rules: "Rules", position: Position, split: Split, units: Sequence[SplitUnit]) -> Effects:
        """Record a split unit that was in anarchy, and its double, as units in anarchy."""
        slot = position.slots.get(self.name)
        if not isinstance(slot, Anarchic):
            return Effects(position)
        anarchic = set(slot.units)
        for split_unit in units:
            if split_unit.unit in anarchic:
                anarchic.remove(split_unit.unit)
                anarchic |= {unit for unit in split_unit[1:] if unit}
        return Effects(self.with_units(position, anarchic))

    def marks(self, rules: "Rules", position: Position) -> Mapping[Code, tuple[str, ...]]:
        """Return the spaces of units in anarchy."""
        return {unit.space: ("anarchy",) for unit in self.units(position)}
