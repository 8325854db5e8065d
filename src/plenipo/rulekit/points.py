"""Points: every power has a treasury of points, filled in each build season, and enough points win.

A power gets so many points for each centre that it owns when ownership has been settled, some powers more than others.
A power that then has enough points and strictly the most wins; the number of centres does not matter.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.amounts import count_things
from plenipo.engine.calendar import Phase
from plenipo.engine.facts import Fact, Victory
from plenipo.engine.hooks import Effects
from plenipo.engine.position import Position, Power
from plenipo.engine.sentences import Sentence
from plenipo.rulekit.treasury import DEBT_PAID, POINTS_RECEIVED, Balances, Treasury

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["DEBT_PAID", "POINTS_RECEIVED", "Balances", "Points", "format_points"]


def format_points(points: int) -> Sentence:
    """Return a number of points in words.

    >>> str(format_points(1)), str(format_points(2))
    ('1 point', '2 points')
    """
    return count_things(points, "point")


@dataclass(frozen=True)
class Points(Treasury):
    """The options.

    `major_income` and `minor_income` are the points for each centre of a power among `majors` and of any other.
    `victory_points` win; none do where it is 0 and another module says who wins. `tie` says what happens if several
    have as many and nobody has more: the game goes on (`continue`) or they share it (`shared`).
    """

    name: ClassVar[str] = "points"
    claims: ClassVar[frozenset[str]] = frozenset({"points"})
    fixed: ClassVar[frozenset[str]] = frozenset({"majors"})

    majors: tuple[Power, ...] = ()
    major_income: int = 2
    minor_income: int = 5
    victory_points: int = 200
    tie: Literal["continue", "shared"] = "continue"

    def income(self, position: Position, power: Power) -> int:
        """Return the income of `power` for its centres in a build season."""
        each = self.major_income if power in self.majors else self.minor_income
        return each * len(position.centres_of(power))

    def after_ownership(self, rules: "Rules", position: Position, phase: Phase) -> Effects:
        """Add the income of the season, out of which debts are paid first."""
        return self.receive_income(position, {power: self.income(position, power) for power in rules.names})

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the victory by points with the number required, unless that is 0."""
        if self.victory_points:
            yield Victory("point", self.victory_points, shared=self.tie == "shared")
