"""Raids: a centre in which a unit of another power stands at the end of a season loses its owner."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from plenipo.engine.board import UnitKind
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.dice import DrawSource
from plenipo.engine.events import CENTRE_LOST, Event
from plenipo.engine.facts import Fact
from plenipo.engine.hooks import Effects, RuleModule
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.sentences import SentenceKind
from plenipo.rulekit.rule_entries import RuleEntry

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["Raids"]

_RAIDED = SentenceKind("centre-raided", "{power} lost {place}: {unit} of {raider} raids it.")


@dataclass(frozen=True)
class Raids(RuleModule):
    """The options: the `seasons` after whose moves and retreats it is looked, or all; which `units` and `powers` raid.

    The new owner of the centre is decided when ownership is updated, as usual. A centre that no unit can capture cannot
    be raided.
    """

    name: ClassVar[str] = "raids"
    fixed: ClassVar[frozenset[str]] = frozenset({"seasons", "units", "powers"})

    seasons: tuple[str, ...] = ()
    units: tuple[UnitKind, ...] = ()
    powers: tuple[Power, ...] = ()

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield no facts; raise `InvalidVariant` for seasons without movement, unknown unit types and powers."""
        at = RuleEntry(rules, f"'{self.name}'", ("modules", self.name))
        at.seasons(PhaseKind.MOVEMENT, seasons=self.seasons)
        at.kinds(units=self.units)
        at.players(powers=self.powers)
        yield from ()

    def after_phase(self, rules: "Rules", position: Position, phase: Phase, source: DrawSource) -> Effects:
        """Remove the owner of every centre in which a unit of another power stands."""
        if not self._over(rules, phase):
            return Effects(position)
        spaces = rules.board_at(position).spaces
        owners, events = dict(position.owners), list[Event]()
        for unit in position.units:
            owner = owners.get(unit.space)
            if owner is None or unit.power == owner or not self._raids(rules, unit):
                continue
            if all(module.captures(rules, position, unit) for module in rules.overriding[RuleModule.captures]):
                del owners[unit.space]
                why = _RAIDED(power=owner, place=spaces[unit.space].name, unit=unit, raider=unit.power)
                events.append(Event(CENTRE_LOST, why, (owner, unit.power), (unit.space,), (unit,)))
        return Effects(replace(position, owners=owners) if events else position, tuple(events))

    def _raids(self, rules: "Rules", unit: Unit) -> bool:
        kind, power = not self.units or unit.kind in self.units, not self.powers or unit.power in self.powers
        return unit.power not in rules.unplayed_powers and kind and power

    def _over(self, rules: "Rules", phase: Phase) -> bool:
        """Return True if the moves and retreats of one of the seasons end with this phase."""
        if self.seasons and phase.season not in self.seasons:
            return False
        following = next(iter(rules.calendar.after(phase))).kind
        unended = (PhaseKind.RETREATS, PhaseKind.DRAWS)
        return phase.kind is PhaseKind.RETREATS or (phase.kind is PhaseKind.MOVEMENT and following not in unended)
