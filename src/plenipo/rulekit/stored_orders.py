"""Kept order sets: what modules share that keep what powers wrote, for a later phase."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from plenipo.engine.hooks import RuleModule
from plenipo.engine.immutable import freeze_sorted
from plenipo.engine.position import Position, Power

if TYPE_CHECKING:
    from plenipo.engine.reading.positions import BoardReader

__all__ = ["StoredOrders", "StoresOrders"]


@dataclass(frozen=True)
class StoredOrders:
    """The orders that each power wrote, as texts."""

    orders: Mapping[Power, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "orders", freeze_sorted(self.orders))

    def of(self, who: Power | None) -> "StoredOrders":
        """Return the orders of one power alone."""
        return StoredOrders({power: texts for power, texts in self.orders.items() if power == who})

    def to_json(self) -> Any:
        """Return the texts by power."""
        return {power: list(texts) for power, texts in self.orders.items()}


@dataclass(frozen=True)
class StoresOrders(RuleModule):
    """A module whose slot holds the orders that powers wrote."""

    def stored_orders(self, position: Position) -> Mapping[Power, tuple[str, ...]]:
        """Return the stored orders by power."""
        slot = position.slots.get(self.name)
        return slot.orders if isinstance(slot, StoredOrders) else {}

    def decode_slot(self, value: Any, reader: "BoardReader") -> StoredOrders:
        """Read the stored orders from JSON."""
        return StoredOrders(
            {
                reader.power(power): tuple(reader.text(text) for text in reader.items(texts))
                for power, texts in reader.mapping(value).items()
            }
        )
