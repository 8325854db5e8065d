"""Submissions: the orders of an open phase, their visibility, the powers it waits for, and the order sets that count.

A later order set of a power replaces its earlier one (DATC 4.D.1). Until the phase is over a power sees only its own
order set; afterwards no more are accepted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from plenipo.engine.immutable import FrozenMap, Immutable, name_text
from plenipo.engine.orders import Choose, Order
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import SentenceKind
from plenipo.errors import IllegalOrder

__all__ = ["Submissions"]

_TOO_LATE = SentenceKind("orders-too-late", "{phase} is over: the orders of {power} came too late.")


@dataclass(frozen=True)
class Submissions(Immutable):
    """The order sets of one phase; immutable: submitting returns another value."""

    rules: Rules
    position: Position
    order_sets: Mapping[Power, tuple[Order, ...]] = field(default_factory=dict)
    closed: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "order_sets", FrozenMap(self.order_sets))

    def __repr__(self) -> str:
        return name_text(self, f"{self.position.phase}: orders of {', '.join(self.order_sets) or 'no power'}")

    def submit_orders(self, power: Power, orders: tuple[Order, ...]) -> "Submissions":
        """Return the submissions with this order set of `power` in place of an earlier one.

        Raises `IllegalOrder` for the first order that is not allowed, and for any order once the phase is closed;
        earlier submissions stand.
        """
        if self.closed:
            raise IllegalOrder(_TOO_LATE(phase=self.position.phase, power=power))
        legality = Legality(self.rules, self.position)
        checked = tuple(legality.complete(power, order) for order in orders)
        clash = legality.why_not_together(power, [order for order in checked if isinstance(order, Choose)])
        if clash:
            raise IllegalOrder(clash)
        return replace(self, order_sets={**self.order_sets, power: checked})

    def close(self) -> "Submissions":
        """Return the submissions after the phase was adjudicated."""
        return replace(self, closed=True)

    @property
    def waiting_for(self) -> tuple[Power, ...]:
        """The powers that may order something now and have submitted nothing."""
        if self.closed:
            return ()
        legality = Legality(self.rules, self.position)
        return tuple(power for power in self.rules.names if power not in self.order_sets and legality.orders_of(power))

    @property
    def complete(self) -> bool:
        """True if the phase waits for no power."""
        return not self.waiting_for

    def seen_by(self, power: Power | None) -> Mapping[Power, tuple[Order, ...]]:
        """Return the order sets `power` may see (None: a spectator): all once the phase is closed, else its own."""
        if self.closed:
            return self.order_sets
        return {name: order_set for name, order_set in self.order_sets.items() if name == power}
