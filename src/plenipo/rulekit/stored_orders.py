"""Kept order sets: what modules share that keep what powers wrote, for a later phase."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from plenipo.engine.hooks import RuleModule
from plenipo.engine.module_memory import ModuleMemory
from plenipo.engine.position import Position, Power

__all__ = ["StoredOrders", "StoresOrders"]


@dataclass(frozen=True)
class StoredOrders(ModuleMemory):
    """The orders that each power wrote, as texts."""

    orders: Mapping[Power, tuple[str, ...]] = field(default_factory=dict)

    def of(self, who: Power | None) -> "StoredOrders":
        """Return the orders of one power alone."""
        return StoredOrders({power: texts for power, texts in self.orders.items() if power == who})


@dataclass(frozen=True)
class StoresOrders(RuleModule):
    """A module whose slot holds the orders that powers wrote."""

    memory: ClassVar[type[ModuleMemory]] = StoredOrders

    def stored_orders(self, position: Position) -> Mapping[Power, tuple[str, ...]]:
        """Return the stored orders by power."""
        slot = position.slots.get(self.name)
        return slot.orders if isinstance(slot, StoredOrders) else {}
