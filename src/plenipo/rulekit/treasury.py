"""Treasuries: the money or points of each power, the debts between powers, and how they are stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from plenipo.engine.amounts import count_things
from plenipo.engine.events import Event, EventKind
from plenipo.engine.hooks import Effects, RuleModule
from plenipo.engine.immutable import freeze_sorted
from plenipo.engine.position import Position, Power
from plenipo.engine.sentences import Sentence, SentenceKind
from plenipo.errors import UnreadablePosition

if TYPE_CHECKING:
    from plenipo.engine.reading.positions import BoardReader
    from plenipo.engine.rules import Rules

__all__ = ["DEBT_PAID", "MONEY_PAID", "POINTS_RECEIVED", "Balances", "Debt", "Treasury"]


POINTS_RECEIVED = EventKind("points_received")
"""The power received the first number of points or coins, and has the second."""

MONEY_PAID = EventKind("money_paid")
"""The power paid the first number of coins for units, orders or special actions, and has the second left."""

DEBT_PAID = EventKind("debt_paid")
"""The first power paid the second a number of points that it owed."""

_GOT = SentenceKind("points-got", "{power} got {sum} and has {has}.")
_LOST = SentenceKind("points-lost", "{power} lost {sum} and has {has}.")
_DEBT_PAID = SentenceKind("debt-paid", "{power} paid {creditor} {sum} that it owed.")
_PAID = SentenceKind("money-paid", "{power} paid {sum} {purpose} and has {has} left.")


class Debt(NamedTuple):
    """Points that one power owes another."""

    debtor: Power
    creditor: Power
    points: int


@dataclass(frozen=True)
class Balances:
    """The points of each power, the debts between powers, the oldest first, and the number of unpaid units."""

    points: Mapping[Power, int] = field(default_factory=dict)
    debts: tuple[Debt, ...] = ()
    unpaid: Mapping[Power, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("points", "unpaid"):
            object.__setattr__(self, name, freeze_sorted(getattr(self, name)))

    def pay(self, giver: Power, to: Power, points: int) -> "Balances":
        """Return the treasuries after `giver` paid `to` as many of these points as it has; it owes the rest."""
        paid = min(points, self.points.get(giver, 0))
        balances = self.with_points(giver, -paid).with_points(to, paid)
        rest = (Debt(giver, to, points - paid),) if paid < points else ()
        return replace(balances, debts=(*self.debts, *rest))

    def with_points(self, power: Power, more: int) -> "Balances":
        """Return the treasuries with `more` points in one of them, fewer if negative."""
        return replace(self, points={**self.points, power: self.points.get(power, 0) + more})

    def settle_debts(self, debtor: Power) -> "Balances":
        """Return the treasuries after `debtor` paid its debts as far as it can, the oldest first."""
        balances = replace(self, debts=())
        for debt in self.debts:
            balances = (
                balances.pay(*debt) if debt.debtor == debtor else replace(balances, debts=(*balances.debts, debt))
            )
        return balances

    def to_json(self) -> Any:
        """Return the points by power; with the debts and the unpaid units if there are any."""
        points, more = dict(self.points), dict[str, Any]()
        if self.debts:
            more["debts"] = [list(debt) for debt in self.debts]
        if self.unpaid:
            more["unpaid"] = dict(self.unpaid)
        return {"points": points, **more} if more else points


@dataclass(frozen=True)
class Treasury(RuleModule):
    """A module that keeps a treasury for each power; `noun` is the unit in which it counts."""

    @property
    def noun(self) -> str:
        """The word for one unit of the treasury."""
        return "point"

    def format_sum(self, number: int) -> Sentence:
        """Return a sum in words, such as "3 points"."""
        return count_things(number, self.noun)

    def opening(self, rules: "Rules", position: Position) -> Position:
        """Return the position with empty treasuries."""
        return self.with_ledger(position, Balances(dict.fromkeys(rules.names, 0)))

    def ledger(self, position: Position) -> Balances:
        """Return the treasuries and debts."""
        slot = position.slots.get(self.name)
        return slot if isinstance(slot, Balances) else Balances()

    def with_ledger(self, position: Position, balances: Balances) -> Position:
        """Return `position` with these treasuries and debts."""
        return position.with_slot(self.name, balances)

    def balances(self, position: Position) -> Mapping[Power, int]:
        """Return the balance of each power that has one."""
        return self.ledger(position).points

    def receive_income(self, position: Position, income: Mapping[Power, int]) -> Effects:
        """Add `income` to the treasuries of the powers, and pay their debts first."""
        balances = self.ledger(position)
        events: list[Event] = []
        for power, points in income.items():
            before = balances
            balances = balances.with_points(power, points)
            has = balances.points[power]
            if points:
                kind = _GOT if points > 0 else _LOST
                why = kind(power=power, sum=self.format_sum(abs(points)), has=has)
                events.append(Event(POINTS_RECEIVED, why, (power,), numbers=(points, has)))
            balances = balances.settle_debts(power)
            for creditor in dict.fromkeys(debt.creditor for debt in before.debts if debt.debtor == power):
                paid = balances.points.get(creditor, 0) - before.points.get(creditor, 0)
                if paid:
                    why = _DEBT_PAID(power=power, creditor=creditor, sum=self.format_sum(paid))
                    events.append(Event(DEBT_PAID, why, (power, creditor), numbers=(paid,)))
        return Effects(self.with_ledger(position, balances), tuple(events))

    def pay_cost(self, balances: Balances, power: Power, cost: int, purpose: str) -> tuple[Balances, Event]:
        """Return the treasuries after a power has paid, and the event; `purpose` is a part of its sentence."""
        balances = balances.with_points(power, -cost)
        has = balances.points.get(power, 0)
        why = _PAID(power=power, sum=self.format_sum(cost), purpose=purpose, has=has)
        return balances, Event(MONEY_PAID, why, (power,), numbers=(cost, has))

    def progress(self, rules: "Rules", position: Position) -> Mapping[Power, int]:
        """Return the balance of every power."""
        balances = self.balances(position)
        return {power: balances.get(power, 0) for power in rules.names}

    def decode_slot(self, value: Any, reader: "BoardReader") -> Balances:
        """Read the treasuries, debts and unpaid units from JSON."""
        whole = reader.mapping(value)
        parts = {"points", "debts", "unpaid"} & whole.keys()
        points = reader.mapping(whole.get("points", {})) if parts else whole
        return Balances(
            {reader.power(power): reader.number(count) for power, count in points.items()},
            tuple(_debt(debt, reader) for debt in reader.items(whole.get("debts", []))) if parts else (),
            {reader.power(power): reader.number(count) for power, count in reader.mapping(whole["unpaid"]).items()}
            if "unpaid" in parts
            else {},
        )


def _debt(value: Any, reader: "BoardReader") -> Debt:
    parts = reader.items(value)
    if len(parts) != len(Debt._fields):
        raise UnreadablePosition(f"'{value}' is not a debt; write its debtor, its creditor and the points.")
    return Debt(reader.power(parts[0]), reader.power(parts[1]), reader.number(parts[2]))
