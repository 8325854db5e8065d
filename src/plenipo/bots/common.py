"""Helpers of all computer players: sets of orders that go together."""

from collections.abc import Iterable, Sequence
from random import Random

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.view import View
from plenipo.engine.orders import AdjustmentOrder, Build, Order, Remove
from plenipo.engine.phases import adjustments
from plenipo.engine.phases.choosing import standing
from plenipo.engine.phases.legality import Legality, LegalOrders
from plenipo.engine.reading.plan_repair import repair_plan

__all__ = ["by_unit", "list_repairs", "pick_adjustments", "pick_choices"]


def by_unit(view: View, legal: LegalOrders) -> list[tuple[Order, ...]]:
    """Return the legal orders of each unit in a movement or retreat phase; nothing in the others."""
    if view.position.phase.kind not in (PhaseKind.MOVEMENT, PhaseKind.RETREATS):
        return []
    return [tuple(legal.of(unit)) for unit in legal.units]


def list_repairs(view: View, legal: LegalOrders, orders: Sequence[Order], most: int) -> list[list[Order]]:
    """Return up to `most` plans close to `orders` of which the plan check has no doubts; `orders` where there are none.

    All orders of a repaired plan are legal.
    """
    plans = repair_plan(view.rules, view.position, legal.power, orders, most)
    return [list(plan) for plan in plans if all(order in legal for order in plan)] or [list(orders)]


def pick_choices(view: View, legal: LegalOrders, chance: Random) -> list[Order]:
    """Choices that can stand together, as many as go, in any order."""
    legality = Legality(view.rules, view.position)
    offered = list(legality.choices(legal.power))
    chance.shuffle(offered)
    return list(standing(legality, legal.power, offered))


def pick_adjustments(view: View, legal: LegalOrders, ranked: Sequence[AdjustmentOrder]) -> list[Order]:
    """Return the first of `ranked` that the power may give together: one build a site, no more than are due."""
    left = abs(adjustments.possible(view.rules, view.position, legal.power))
    sites: set[str] = set()
    taken: list[Order] = []
    for order in _without_waives(ranked):
        site = order.unit.location.space
        if left and site not in sites:
            left -= 1
            sites.add(site)
            taken.append(order)
    return taken


def _without_waives(orders: Iterable[AdjustmentOrder]) -> Iterable[Build | Remove]:
    return (order for order in orders if isinstance(order, Build | Remove))
