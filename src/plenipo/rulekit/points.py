"""Points: every power has a purse, filled in each build season, and enough points win.

A power gets so many points for each centre it owns when ownership has been settled, some powers more than others. Who
then has enough and strictly the most wins; the number of centres does not matter.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from plenipo.engine.calendar import Phase
from plenipo.engine.events import Event, EventKind
from plenipo.engine.facts import Fact, Victory
from plenipo.engine.hooks import Effects, RuleModule
from plenipo.engine.position import Position, Power

if TYPE_CHECKING:
    from plenipo.engine.reading.positions import BoardReader
    from plenipo.engine.rules import Rules

__all__ = ["POINTS_RECEIVED", "Points", "Purses", "counted"]

POINTS_RECEIVED = EventKind("points_received")
"""The power got the first number of points, and has the second."""


def counted(points: int) -> str:
    """A number of points in words.

    >>> counted(1), counted(2)
    ('1 point', '2 points')
    """
    return f"{points} point{'' if points == 1 else 's'}"


@dataclass(frozen=True)
class Purses:
    """The points of each power."""

    points: Mapping[Power, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", MappingProxyType(dict(sorted(self.points.items()))))

    def to_json(self) -> Any:
        """The points by power."""
        return dict(self.points)


@dataclass(frozen=True)
class Points(RuleModule):
    """The options.

    `major_income` and `minor_income` are the points for each centre of a power among `majors` and of any other.
    `victory_points` win; `tie` says what happens if several have as many and nobody has more: the game goes on
    (`continue`) or they share it (`shared`).
    """

    name: ClassVar[str] = "points"
    claims: ClassVar[frozenset[str]] = frozenset({"who wins"})
    fixed: ClassVar[frozenset[str]] = frozenset({"majors"})

    majors: tuple[Power, ...] = ()
    major_income: int = 2
    minor_income: int = 5
    victory_points: int = 200
    tie: Literal["continue", "shared"] = "continue"

    def opening(self, rules: "Rules", position: Position) -> Position:
        """Empty purses."""
        return position.with_slot(self.name, Purses(dict.fromkeys(rules.names, 0)))

    def purses(self, position: Position) -> Mapping[Power, int]:
        """The points of each power that has any."""
        slot = position.slots.get(self.name)
        return slot.points if isinstance(slot, Purses) else {}

    def with_purses(self, position: Position, points: Mapping[Power, int]) -> Position:
        """`position` with these purses."""
        return position.with_slot(self.name, Purses(points))

    def income(self, position: Position, power: Power) -> int:
        """What `power` gets for its centres in a build season."""
        each = self.major_income if power in self.majors else self.minor_income
        return each * len(position.centres_of(power))

    def after_ownership(self, rules: "Rules", position: Position, phase: Phase) -> Effects:  # noqa: ARG002  # a hook
        """The income of the season."""
        before = self.purses(position)
        got = {power: self.income(position, power) for power in rules.names}
        after = {power: before.get(power, 0) + got.get(power, 0) for power in (*rules.names, *before)}
        events = (
            Event(
                POINTS_RECEIVED,
                f"{power} got {counted(count)} and has {after[power]}.",
                (power,),
                numbers=(count, after[power]),
            )
            for power, count in got.items()
            if count
        )
        return Effects(self.with_purses(position, after), tuple(events))

    def facts(self, rules: "Rules") -> Iterator[Fact]:  # noqa: ARG002  # a hook
        """That points win, and how many."""
        yield Victory("point", self.victory_points, shared=self.tie == "shared")

    def progress(self, rules: "Rules", position: Position) -> Mapping[Power, int]:
        """The purses."""
        purses = self.purses(position)
        return {power: purses.get(power, 0) for power in rules.names}

    def decode_slot(self, value: Any, reader: "BoardReader") -> Purses:
        """The purses, from JSON."""
        return Purses({reader.power(power): reader.number(count) for power, count in reader.mapping(value).items()})
