"""Budgets: the costs of orders, and the funds of a power for them, be it money or an order quota.

A rule module declares its budget (`RuleModule.budget`); here orders are paid in the order in which they were given.
Orders that cannot be paid do not count; legality, the order sets and the phases all use this module.
"""

from collections.abc import Iterable, Mapping, Sequence

from plenipo.engine.amounts import count_things
from plenipo.engine.hooks import Budget, RuleModule
from plenipo.engine.orders import NOTICES, Order
from plenipo.engine.outcome import Outcome, Reason
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import NOTHING, SentenceKind

__all__ = ["PowerBudgets", "affordable", "budgets", "paid_for", "sum_costs"]

_NOTHING_LEFT = SentenceKind("nothing-left", "'{order}' takes {cost}, and {power} has no {noun} left.")
_TOO_LITTLE_LEFT = SentenceKind("too-little-left", "'{order}' takes {cost}, and {power} has {left} left.")


def budgets(rules: Rules, position: Position, power: Power) -> tuple[Budget, ...]:
    """Return the budgets that limit the orders of `power` in this phase; none in most games."""
    found = (module.budget(rules, position, power) for module in rules.overriding[RuleModule.budget])
    return tuple(budget for budget in found if budget is not None)


class PowerBudgets:
    """The budgets of a power while its orders are paid, one after the other."""

    def __init__(self, rules: Rules, position: Position, power: Power) -> None:
        self.power = power
        self.budgets = budgets(rules, position, power)
        self.used = [0] * len(self.budgets)

    def why_unpaid(self, order: Order) -> str:
        """Return a sentence that says why `order` cannot be paid now; empty if it can."""
        for budget, used in zip(self.budgets, self.used, strict=True):
            cost, left = budget.cost(order), budget.has - used
            if cost > left:
                costs = count_things(cost, budget.noun)
                if not left:
                    return _NOTHING_LEFT(order=order, cost=costs, power=self.power, noun=budget.noun)
                return _TOO_LITTLE_LEFT(order=order, cost=costs, power=self.power, left=count_things(left, budget.noun))
        return NOTHING

    def pay(self, order: Order) -> str:
        """Pay for `order`; return a sentence that says why that is impossible, in which case nothing is paid."""
        if not self.budgets:
            return ""
        why = self.why_unpaid(order)
        if not why:
            self.used = [used + budget.cost(order) for budget, used in zip(self.budgets, self.used, strict=True)]
        return why


def affordable(rules: Rules, position: Position, power: Power, orders: Iterable[Order]) -> list[Order]:
    """Return those of `orders` that can be paid, in the order given."""
    account = PowerBudgets(rules, position, power)
    return [order for order in orders if isinstance(order, NOTICES) or not account.pay(order)]


def paid_for(outcomes: Sequence[Outcome]) -> Mapping[Power, tuple[Order, ...]]:
    """Return the orders that were carried out and so are paid, whatever their results."""
    orders: dict[Power, tuple[Order, ...]] = {}
    for outcome in outcomes:
        given = outcome.cause.reason not in _NOT_GIVEN and outcome.order is not None
        if given and outcome.order is not None and not isinstance(outcome.order, NOTICES):
            orders[outcome.power] = (*orders.get(outcome.power, ()), outcome.order)
    return orders


def sum_costs(budget: Budget, orders: Iterable[Order]) -> int:
    """Return the total cost of these orders."""
    return sum(map(budget.cost, orders))


_NOT_GIVEN = (Reason.ILLEGAL, Reason.PUT_OFF, Reason.NO_ORDER, Reason.SILENCED, Reason.CIVIL_DISORDER)
