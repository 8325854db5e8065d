"""Conditional orders: a seat's orders for the retreats and adjustments that may follow its moves.

Pure. They are ranked: of two orders for one unit or one place the first legal one counts.
"""

from collections.abc import Mapping, Sequence

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.position import Position, Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import SentenceKind
from plenipo.engine.wording import shorten
from plenipo.errors import InvalidOrder
from plenipo.server.errors import OrderRefused
from plenipo.server.hosted_game import SeatOrderSet

__all__ = ["KINDS", "MOST", "check_orders", "prepare_order_sets"]

_CONDITIONAL_ORDERS_MANY = SentenceKind(
    "server-conditional-orders-many", "There are {number} conditional orders; a seat can have at most {most}."
)
_CONDITIONAL_ORDER_KIND = SentenceKind(
    "server-conditional-order-kind",
    "'{text}' is neither a retreat nor an adjustment; write one like 'A VIE - BUD' or 'build F TRI'.",
)

KINDS = (PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS)
"""The kinds of phases for which conditional orders may be given."""

MOST = 60
"""The most conditional orders of a seat."""


def check_orders(rules: Rules, position: Position, texts: Sequence[str]) -> tuple[str, ...]:
    """Return conditional orders without empty lines.

    Raise `OrderRefused` for the first that is no retreat or adjustment.
    """
    kept = tuple(" ".join(text.split()) for text in texts if text.strip())
    if len(kept) > MOST:
        raise OrderRefused(_CONDITIONAL_ORDERS_MANY(number=len(kept), most=MOST), MOST, illegal=False)
    notation = notation_of(rules, position)
    for index, text in enumerate(kept):
        faults: list[InvalidOrder] = []
        for kind in KINDS:
            try:
                notation.read(text, kind)
            except InvalidOrder as fault:
                faults.append(fault)
        if len(faults) == len(KINDS):
            first = faults[0]
            raise OrderRefused(
                _CONDITIONAL_ORDER_KIND(text=shorten(text, 80)),
                index,
                illegal=False,
                piece=first.piece,
                suggestions=first.suggestions,
            )
    return kept


def prepare_order_sets(game: Game, ahead: Mapping[Power, Sequence[str]]) -> dict[Power, SeatOrderSet]:
    """Return the order sets that conditional orders make for the open phase; a complete one is ready."""
    position = game.position
    if game.over or position.phase.kind not in KINDS:
        return {}
    order_sets = {power: _order_set(OrderEntry(game.rules, position, power), texts) for power, texts in ahead.items()}
    return {power: order_set for power, order_set in order_sets.items() if order_set.orders}


def _order_set(entry: OrderEntry, texts: Sequence[str]) -> SeatOrderSet:
    orders = entry.read_preferences(texts)
    return SeatOrderSet(orders, ready=bool(orders) and not entry.describe_missing(orders), version=1)
