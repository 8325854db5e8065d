"""Draw timing: the slips of a turn are drawn after its retreats, or before them."""

from dataclasses import dataclass
from typing import ClassVar

from plenipo.engine.calendar import Calendar
from plenipo.engine.hooks import RuleModule
from plenipo.rulekit.draw_piles import with_draws_before_retreats

__all__ = ["DrawTiming"]


@dataclass(frozen=True)
class DrawTiming(RuleModule):
    """The option `draws_before_retreats`, for everything that is drawn; no module draws because of it."""

    name: ClassVar[str] = "draw_timing"

    draws_before_retreats: bool = False

    def calendar(self, calendar: Calendar) -> Calendar:
        """Return the calendar, with the draws before the retreats if the option says so."""
        return with_draws_before_retreats(calendar) if self.draws_before_retreats else calendar
