"""Homes frozen at a date: what a power owns when ownership is settled in that year are its homes for good."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.events import Event, EventKind
from plenipo.engine.hooks import Effects, RuleModule
from plenipo.engine.position import Position

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["HOMES_FIXED", "HomesFrozenAt"]

HOMES_FIXED = EventKind("homes_fixed")
"""The centres are the home centres of the power from now on."""


@dataclass(frozen=True)
class HomesFrozenAt(RuleModule):
    """The option `year` is the one in which the homes are fixed; in that year's last settling if there are several.

    A centre nobody owns then is nobody's home for the rest of the game.
    """

    name: ClassVar[str] = "homes_frozen_at"
    claims: ClassVar[frozenset[str]] = frozenset({"later home centres"})

    year: int = 0

    def after_ownership(self, rules: "Rules", position: Position, phase: Phase) -> Effects:
        """The position with the owned centres of each power as its homes, in the year this happens."""
        if not self.scheduled(phase):
            return Effects(position)
        homes = {power: frozenset(position.centres_of(power)) for power in rules.names}
        events = (
            Event(HOMES_FIXED, f"The home centres of {power} are now {', '.join(codes)}.", (power,), tuple(codes))
            for power, codes in ((power, sorted(codes)) for power, codes in homes.items())
            if codes
        )
        return Effects(replace(position, homes=homes), tuple(events))

    def scheduled(self, phase: Phase) -> tuple[str, ...]:
        """`homes fixed` in the settling of that year."""
        return ("homes fixed",) if (phase.kind, phase.year) == (PhaseKind.OWNERSHIP, self.year) else ()
