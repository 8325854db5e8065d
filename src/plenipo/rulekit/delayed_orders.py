"""Delayed orders: orders of a movement phase are carried out in the next one.

Orders are written for the spaces in which units will stand if the stored orders succeed, or for their spaces now.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import DrawSource
from plenipo.engine.hooks import Declared
from plenipo.engine.orders import Move, Order
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position, Power, Slot, Unit
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.sentences import say
from plenipo.engine.wording import hint
from plenipo.errors import InvalidVariant, PlenipoError
from plenipo.rulekit.stored_orders import StoredOrders, StoresOrders

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["DelayedOrders"]


@dataclass(frozen=True)
class DelayedOrders(StoresOrders):
    """The option `seasons`: in whose movements orders are written for the next movement; in all where it is empty.

    In a movement for which nothing could be written before, such as the first, all units hold; one after a movement of
    another season than those named takes its orders at once.
    """

    name: ClassVar[str] = "delayed_orders"
    claims: ClassVar[frozenset[str]] = frozenset({"when orders are carried out", "what units without orders do"})

    seasons: tuple[str, ...] = ()

    @property
    def secret_order_sets(self) -> bool:
        """True, as the order sets are for a movement phase that is still to come."""
        return True

    def opening(self, rules: "Rules", position: Position) -> Position:
        """Return `position` unchanged; raise `InvalidVariant` for seasons without a movement phase."""
        known = rules.calendar.seasons(PhaseKind.MOVEMENT)
        for season in self.seasons:
            if season not in known:
                raise InvalidVariant(
                    say(
                        "'{name}.seasons' has '{season}', in which no unit moves; {hint}",
                        name=self.name,
                        season=season,
                        hint=hint(season, known),
                    )
                )
        return position

    def writes_ahead(self, position: Position) -> bool:
        """Return True if the orders written now are for the next movement phase."""
        phase = position.phase
        return phase.kind is PhaseKind.MOVEMENT and (not self.seasons or phase.season in self.seasons)

    def order_sets(
        self,
        rules: "Rules",
        position: Position,
        order_sets: Mapping[Power, Sequence[Order]],
        declared: Declared,
        source: DrawSource,
    ) -> tuple[Mapping[Power, Sequence[Order]], Position]:
        """Return the orders written in the previous movement phase, and store those written now.

        In a season in which orders are not written ahead, those written now are carried out too.
        """
        if position.phase.kind is not PhaseKind.MOVEMENT:
            return order_sets, position
        ahead = self.writes_ahead(position)
        if not ahead and self.name not in position.slots:
            return order_sets, position  # the movement before was not one in which orders are written ahead
        due = {power: self._due(rules, position, power) for power in rules.names}
        written = (
            {power: tuple(map(str, order_set)) for power, order_set in order_sets.items() if order_set} if ahead else {}
        )
        slots = {name: slot for name, slot in position.slots.items() if name != self.name}
        kept = replace(position, slots=slots | ({self.name: StoredOrders(written)} if ahead else {}))
        if ahead:
            return due, kept
        return {power: [*due[power], *order_sets.get(power, ())] for power in rules.names}, kept

    def _due(self, rules: "Rules", position: Position, power: Power) -> list[Order]:
        """Return the orders that a power wrote for this movement phase and that are legal now."""
        legality, notation = Legality(rules, position, assigned=True), notation_of(rules, position)
        due: list[Order] = []
        for text in self.stored_orders(position).get(power, ()):
            try:
                order = notation.read(text, PhaseKind.MOVEMENT)
            except PlenipoError:
                continue  # a space that is there no more
            if legality.check(power, order).order is not None:
                due.append(order)
        return due

    def foreseen(self, rules: "Rules", position: Position, power: Power) -> Position | None:
        """Return the position if the stored moves of `power` succeed and no other power moves.

        None if orders written now are not for the next movement phase, or if `power` has no stored orders.
        """
        if not self.writes_ahead(position) or not self.stored_orders(position).get(power):
            return None
        goes = {
            order.unit.location.space: order for order in self._due(rules, position, power) if isinstance(order, Move)
        }
        now: dict[Code, Unit] = {}
        for unit in (unit for unit in position.units_of(power) if unit.space not in goes):
            now[unit.space] = unit
        for unit in (unit for unit in position.units_of(power) if unit.space in goes):
            to = goes[unit.space].to
            now.setdefault(to.space, unit._replace(location=to))
        others = (unit for unit in position.units if unit.power != power and unit.space not in now)
        return replace(position, units=(*now.values(), *others))

    def slot_seen(self, rules: "Rules", slot: Slot, who: Power | None) -> Slot | None:
        """Return the stored orders of `who` alone."""
        return slot.of(who) if isinstance(slot, StoredOrders) else slot
