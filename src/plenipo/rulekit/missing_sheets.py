"""Missing sheets: what the units of a power do that handed in no orders at all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import notation_of
from plenipo.engine.hooks import RuleModule
from plenipo.engine.legality import Legality
from plenipo.engine.orders import Order
from plenipo.engine.position import Position, Power, Slot

if TYPE_CHECKING:
    from plenipo.engine.reading.positions import BoardReader
    from plenipo.engine.rules import Rules

__all__ = ["LastOrders", "MissingSheets"]


@dataclass(frozen=True)
class LastOrders:
    """What each power ordered in the last movement for which it handed in orders."""

    orders: Mapping[Power, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "orders", MappingProxyType(dict(sorted(self.orders.items()))))

    def to_json(self) -> Any:
        """The texts by power."""
        return {power: list(texts) for power, texts in self.orders.items()}


@dataclass(frozen=True)
class MissingSheets(RuleModule):
    """The option `do`: units without a sheet `hold`, or do again what was ordered `last`, where that is possible."""

    name: ClassVar[str] = "missing_sheets"
    claims: ClassVar[frozenset[str]] = frozenset({"what a missing sheet does"})

    do: Literal["hold", "last"] = "last"

    def last(self, position: Position) -> Mapping[Power, tuple[str, ...]]:
        """The last orders of each power."""
        slot = position.slots.get(self.name)
        return slot.orders if isinstance(slot, LastOrders) else {}

    def sheets(
        self, rules: "Rules", position: Position, sheets: Mapping[Power, Sequence[Order]]
    ) -> tuple[Mapping[Power, Sequence[Order]], Position]:
        """The sheets with the last orders of those who handed in none, and what is remembered of them."""
        if self.do == "hold" or position.phase.kind is not PhaseKind.MOVEMENT:
            return sheets, position
        legality, notation = Legality(rules, position, assigned=True), notation_of(rules, position)
        last, whole = dict(self.last(position)), dict(sheets)
        for power in rules.names:
            if sheets.get(power):
                last[power] = tuple(map(str, sheets[power]))
                continue
            again = [notation.read(text, PhaseKind.MOVEMENT) for text in last.get(power, ())]
            whole[power] = [order for order in again if legality.check(power, order).order is not None]
        return whole, position.with_slot(self.name, LastOrders(last))

    def slot_seen(self, rules: "Rules", slot: Slot, who: Power | None) -> Slot | None:
        """One's own orders in fog; else everything, as all orders are public."""
        if not rules.in_fog or not isinstance(slot, LastOrders):
            return slot
        return LastOrders({power: texts for power, texts in slot.orders.items() if power == who})

    def decode_slot(self, value: Any, reader: "BoardReader") -> LastOrders:
        """The last orders, from JSON."""
        return LastOrders(
            {
                reader.power(power): tuple(reader.text(text) for text in reader.items(texts))
                for power, texts in reader.mapping(value).items()
            }
        )
