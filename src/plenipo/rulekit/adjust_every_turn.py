"""Adjust every turn: ownership is settled and units are built and removed after every movement."""

from dataclasses import dataclass, replace
from typing import ClassVar

from plenipo.engine.calendar import Calendar, PhaseKind, Step
from plenipo.engine.hooks import RuleModule
from plenipo.engine.sentences import say
from plenipo.errors import InvalidVariant
from plenipo.rulekit.draw_piles import has_draws, with_draws

__all__ = ["AdjustEveryTurn"]

TURN = (PhaseKind.MOVEMENT, PhaseKind.RETREATS, PhaseKind.OWNERSHIP, PhaseKind.ADJUSTMENTS)
"""The phases of a turn."""


@dataclass(frozen=True)
class AdjustEveryTurn(RuleModule):
    """The options: the seasons of a year in their order, and the one of them in which the game begins.

    Seasons are labels; a turn is the same in each. `first_season` is ignored if it is none of the seasons.
    """

    name: ClassVar[str] = "adjust_every_turn"
    claims: ClassVar[frozenset[str]] = frozenset({"the cycle of a year"})

    season_cycle: tuple[str, ...] = ("Spring", "Fall")
    first_season: str = ""

    def calendar(self, calendar: Calendar) -> Calendar:
        """Return the calendar with these turns, and with draws in them if it had any.

        Raises `InvalidVariant` if there are no seasons or not all are different, and if the game begins with a later
        season than the first although the opening takes a year of its own.
        """
        seasons = self.season_cycle
        if not seasons or len(set(seasons)) < len(seasons):
            raise InvalidVariant(
                say(
                    "'season_cycle' is '{seasons}'; it must list one or more different seasons.",
                    seasons=", ".join(seasons),
                )
            )
        first = seasons.index(self.first_season) if self.first_season in seasons else 0
        if first and calendar.first_year not in (None, calendar.start):
            raise InvalidVariant(
                say(
                    "'first_season' is '{first_season}', but the opening takes the year {start} alone; the first "
                    "season must be '{seasons}'.",
                    first_season=self.first_season,
                    start=calendar.start,
                    seasons=seasons[0],
                )
            )
        opening = (*calendar.opening, *(_turns(seasons[first:]) if first else ()))
        first_year = calendar.start + 1 if first else calendar.first_year
        turns = replace(calendar, cycle=_turns(seasons), opening=opening, first_year=first_year)
        return with_draws(turns) if has_draws(calendar) else turns


def _turns(seasons: tuple[str, ...]) -> tuple[Step, ...]:
    return tuple(Step(season, kind) for season in seasons for kind in TURN)
