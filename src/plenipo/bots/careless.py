"""A computer player that orders anything legal, each unit for itself; good for tests and for a quick game."""

from random import Random
from typing import cast

from plenipo.bots.common import by_unit, pick_adjustments, pick_choices
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.view import View
from plenipo.engine.orders import AdjustmentOrder, Order
from plenipo.engine.phases.legality import LegalOrders

__all__ = ["careless"]


def careless(view: View, legal: LegalOrders, chance: Random) -> list[Order]:
    """Anything legal."""
    match view.position.phase.kind:
        case PhaseKind.CHOICE:
            return pick_choices(view, legal, chance)
        case PhaseKind.ADJUSTMENTS:
            offered = [cast("AdjustmentOrder", order) for order in legal]
            chance.shuffle(offered)
            return pick_adjustments(view, legal, offered)
    return [chance.choice(orders) for orders in by_unit(view, legal)]
