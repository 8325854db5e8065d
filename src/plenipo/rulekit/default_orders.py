"""Missing order sets: what the units of a power do that submitted no orders at all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import DrawSource
from plenipo.engine.hooks import Declared
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position, Power, Slot
from plenipo.engine.reading.notation import notation_of
from plenipo.rulekit.stored_orders import StoredOrders, StoresOrders

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["DefaultOrders"]


@dataclass(frozen=True)
class DefaultOrders(StoresOrders):
    """The option `do`: units without an order set `hold`, or repeat their `last` order where that is possible."""

    name: ClassVar[str] = "default_orders"
    claims: ClassVar[frozenset[str]] = frozenset({"what units without orders do"})

    do: Literal["hold", "last"] = "last"

    def order_sets(
        self,
        rules: "Rules",
        position: Position,
        order_sets: Mapping[Power, Sequence[Order]],
        declared: Declared,
        source: DrawSource,
    ) -> tuple[Mapping[Power, Sequence[Order]], Position]:
        """Return the order sets, with the last orders of each power that submitted none, and store the last orders."""
        if self.do == "hold" or position.phase.kind is not PhaseKind.MOVEMENT:
            return order_sets, position
        legality, notation = Legality(rules, position, assigned=True), notation_of(rules, position)
        last, whole = dict(self.stored_orders(position)), dict(order_sets)
        for power in rules.names:
            if order_sets.get(power):
                last[power] = tuple(map(str, order_sets[power]))
                continue
            again = [notation.read(text, PhaseKind.MOVEMENT) for text in last.get(power, ())]
            whole[power] = [order for order in again if legality.check(power, order).order is not None]
        return whole, position.with_slot(self.name, StoredOrders(last))

    def slot_seen(self, rules: "Rules", slot: Slot, who: Power | None) -> Slot | None:
        """Return the whole slot, as all orders are public; in fog the orders of `who` alone."""
        return slot.of(who) if rules.in_fog and isinstance(slot, StoredOrders) else slot
