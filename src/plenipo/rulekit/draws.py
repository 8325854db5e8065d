"""Draws: who makes the draws of a turn, the game's dice or the game master, and whether they precede its retreats."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.calendar import Calendar
from plenipo.engine.facts import DrawsByHand, Fact
from plenipo.engine.hooks import RuleModule
from plenipo.rulekit.draw_piles import with_draws_before_retreats

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["DrawRules"]


@dataclass(frozen=True)
class DrawRules(RuleModule):
    """The options hold for everything that is drawn; the module itself draws nothing.

    `draws` are `seeded` by the game's dice, or `gm_entered` from a real hat, which the log then says.
    """

    name: ClassVar[str] = "draws"

    draws: Literal["seeded", "gm_entered"] = "seeded"
    draws_before_retreats: bool = False

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the rule that the game master draws, if the option says so."""
        if self.draws == "gm_entered":
            yield DrawsByHand()

    def calendar(self, calendar: Calendar) -> Calendar:
        """Return the calendar, with the draws before the retreats if the option says so."""
        return with_draws_before_retreats(calendar) if self.draws_before_retreats else calendar
