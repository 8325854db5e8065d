"""Budgets: what orders cost, and what a power has to pay them with, be it money or a ration of orders.

A rule module says what its budget is (`RuleModule.budget`); here orders are paid in the order in which they were given.
What cannot be paid does not count, and legality, the order sets and the phases all ask here.
"""

from collections.abc import Iterable, Mapping, Sequence

from plenipo.engine.hooks import Budget, RuleModule
from plenipo.engine.orders import NOTICES, Order
from plenipo.engine.outcome import Outcome, Reason
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.engine.wording import count

__all__ = ["Account", "affordable", "budgets", "paid_for", "spent"]


def budgets(rules: Rules, position: Position, power: Power) -> tuple[Budget, ...]:
    """The budgets that the orders of `power` must keep to in this phase; none in most games."""
    found = (module.budget(rules, position, power) for module in rules.overriding[RuleModule.budget])
    return tuple(budget for budget in found if budget is not None)


class Account:
    """The budgets of a power while its orders are gone through, one after the other."""

    def __init__(self, rules: Rules, position: Position, power: Power) -> None:
        self.power = power
        self.budgets = budgets(rules, position, power)
        self.used = [0] * len(self.budgets)

    def why_unpaid(self, order: Order) -> str:
        """Why `order` cannot be paid now, a sentence; empty if it can."""
        for budget, used in zip(self.budgets, self.used, strict=True):
            cost, left = budget.cost(order), budget.has - used
            if cost > left:
                have = f"{self.power} has {count(left, budget.noun) if left else f'no {budget.noun}'} left"
                return f"'{order}' takes {count(cost, budget.noun)}, and {have}."
        return ""

    def pay(self, order: Order) -> str:
        """Pay `order`; or why that is not possible, a sentence, and then nothing is paid."""
        if not self.budgets:
            return ""
        why = self.why_unpaid(order)
        if not why:
            self.used = [used + budget.cost(order) for budget, used in zip(self.budgets, self.used, strict=True)]
        return why


def affordable(rules: Rules, position: Position, power: Power, orders: Iterable[Order]) -> list[Order]:
    """Those of `orders` that can be paid, the first ones first."""
    account = Account(rules, position, power)
    return [order for order in orders if isinstance(order, NOTICES) or not account.pay(order)]


def paid_for(outcomes: Sequence[Outcome]) -> Mapping[Power, tuple[Order, ...]]:
    """The orders that were carried out and so are paid, whatever came of them."""
    orders: dict[Power, tuple[Order, ...]] = {}
    for outcome in outcomes:
        given = outcome.cause.reason not in _NOT_GIVEN and outcome.order is not None
        if given and outcome.order is not None and not isinstance(outcome.order, NOTICES):
            orders[outcome.power] = (*orders.get(outcome.power, ()), outcome.order)
    return orders


def spent(budget: Budget, orders: Iterable[Order]) -> int:
    """What these orders cost together."""
    return sum(map(budget.cost, orders))


_NOT_GIVEN = (Reason.ILLEGAL, Reason.PUT_OFF, Reason.NO_ORDER, Reason.SILENCED, Reason.CIVIL_DISORDER)
