"""Points: every power has a purse, filled in each build season, and enough points win.

A power gets so many points for each centre it owns when ownership has been settled, some powers more than others. Who
then has enough and strictly the most wins; the number of centres does not matter.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from plenipo.engine.calendar import Phase
from plenipo.engine.events import Event, EventKind
from plenipo.engine.facts import Fact, Victory
from plenipo.engine.hooks import Effects, RuleModule
from plenipo.engine.position import Position, Power
from plenipo.errors import UnreadablePosition

if TYPE_CHECKING:
    from plenipo.engine.reading.positions import BoardReader
    from plenipo.engine.rules import Rules

__all__ = ["DEBT_PAID", "POINTS_RECEIVED", "Points", "Purses", "counted"]

POINTS_RECEIVED = EventKind("points_received")
"""The power got the first number of points, and has the second."""

DEBT_PAID = EventKind("debt_paid")
"""The first power paid the second so many points that it owed."""


def counted(points: int) -> str:
    """A number of points in words.

    >>> counted(1), counted(2)
    ('1 point', '2 points')
    """
    return f"{points} point{'' if points == 1 else 's'}"


class Debt(NamedTuple):
    """Points that one power owes another."""

    debtor: Power
    creditor: Power
    points: int


@dataclass(frozen=True)
class Purses:
    """The points of each power, and the debts between them, the oldest first."""

    points: Mapping[Power, int] = field(default_factory=dict)
    debts: tuple[Debt, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", MappingProxyType(dict(sorted(self.points.items()))))

    def pay(self, giver: Power, to: Power, points: int) -> "Purses":
        """The purses after `giver` paid `to` what it has of these points; it owes the rest."""
        paid = min(points, self.points.get(giver, 0))
        purses = self.with_points(giver, -paid).with_points(to, paid)
        rest = (Debt(giver, to, points - paid),) if paid < points else ()
        return replace(purses, debts=(*self.debts, *rest))

    def with_points(self, power: Power, more: int) -> "Purses":
        """The purses with some points more, or fewer, in one of them."""
        return replace(self, points={**self.points, power: self.points.get(power, 0) + more})

    def settled(self, debtor: Power) -> "Purses":
        """The purses after `debtor` paid what it can of its debts, the oldest first."""
        purses = replace(self, debts=())
        for debt in self.debts:
            purses = purses.pay(*debt) if debt.debtor == debtor else replace(purses, debts=(*purses.debts, debt))
        return purses

    def to_json(self) -> Any:
        """The points by power; with the debts beside them where there are any."""
        points = dict(self.points)
        return {"points": points, "debts": [list(debt) for debt in self.debts]} if self.debts else points


@dataclass(frozen=True)
class Points(RuleModule):
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

    def opening(self, rules: "Rules", position: Position) -> Position:
        """Empty purses."""
        return position.with_slot(self.name, Purses(dict.fromkeys(rules.names, 0)))

    def ledger(self, position: Position) -> Purses:
        """The purses and debts."""
        slot = position.slots.get(self.name)
        return slot if isinstance(slot, Purses) else Purses()

    def with_ledger(self, position: Position, purses: Purses) -> Position:
        """`position` with these purses and debts."""
        return position.with_slot(self.name, purses)

    def purses(self, position: Position) -> Mapping[Power, int]:
        """The points of each power that has any."""
        return self.ledger(position).points

    def income(self, position: Position, power: Power) -> int:
        """What `power` gets for its centres in a build season."""
        each = self.major_income if power in self.majors else self.minor_income
        return each * len(position.centres_of(power))

    def after_ownership(self, rules: "Rules", position: Position, phase: Phase) -> Effects:
        """The income of the season, out of which debts are paid first."""
        purses = self.ledger(position)
        income = {power: self.income(position, power) for power in rules.names}
        events: list[Event] = []
        for power, points in income.items():
            before = purses
            purses = purses.with_points(power, points)
            has = purses.points[power]
            if points:
                why = f"{power} got {counted(points)} and has {has}."
                events.append(Event(POINTS_RECEIVED, why, (power,), numbers=(points, has)))
            purses = purses.settled(power)
            for creditor in dict.fromkeys(debt.creditor for debt in before.debts if debt.debtor == power):
                paid = purses.points.get(creditor, 0) - before.points.get(creditor, 0)
                if paid:
                    why = f"{power} paid {creditor} {counted(paid)} that it owed."
                    events.append(Event(DEBT_PAID, why, (power, creditor), numbers=(paid,)))
        return Effects(self.with_ledger(position, purses), tuple(events))

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """That points win, and how many."""
        if self.victory_points:
            yield Victory("point", self.victory_points, shared=self.tie == "shared")

    def progress(self, rules: "Rules", position: Position) -> Mapping[Power, int]:
        """The purses."""
        purses = self.purses(position)
        return {power: purses.get(power, 0) for power in rules.names}

    def decode_slot(self, value: Any, reader: "BoardReader") -> Purses:
        """The purses, from JSON."""
        whole = reader.mapping(value)
        debts = reader.items(whole["debts"]) if "debts" in whole else ()
        points = reader.mapping(whole["points"]) if "points" in whole else {} if debts else whole
        return Purses(
            {reader.power(power): reader.number(count) for power, count in points.items()},
            tuple(_debt(debt, reader) for debt in debts),
        )


def _debt(value: Any, reader: "BoardReader") -> Debt:
    parts = reader.items(value)
    if len(parts) != len(Debt._fields):
        raise UnreadablePosition(f"'{value}' is not a debt; write its debtor, its creditor and the points.")
    return Debt(reader.power(parts[0]), reader.power(parts[1]), reader.number(parts[2]))
