"""Kept sheets: what modules share that keep what powers wrote, for a later phase."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from plenipo.engine.hooks import RuleModule
from plenipo.engine.immutable import freeze_sorted
from plenipo.engine.position import Position, Power

if TYPE_CHECKING:
    from plenipo.engine.reading.positions import BoardReader

__all__ = ["KeepsSheets", "KeptSheets"]


@dataclass(frozen=True)
class KeptSheets:
    """What each power wrote, as texts."""

    orders: Mapping[Power, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "orders", freeze_sorted(self.orders))

    def of(self, who: Power | None) -> "KeptSheets":
        """What one power wrote."""
        return KeptSheets({power: texts for power, texts in self.orders.items() if power == who})

    def to_json(self) -> Any:
        """The texts by power."""
        return {power: list(texts) for power, texts in self.orders.items()}


@dataclass(frozen=True)
class KeepsSheets(RuleModule):
    """A module whose slot is what powers wrote."""

    def kept(self, position: Position) -> Mapping[Power, tuple[str, ...]]:
        """What is kept of each power."""
        slot = position.slots.get(self.name)
        return slot.orders if isinstance(slot, KeptSheets) else {}

    def decode_slot(self, value: Any, reader: "BoardReader") -> KeptSheets:
        """What is kept, from JSON."""
        return KeptSheets(
            {
                reader.power(power): tuple(reader.text(text) for text in reader.items(texts))
                for power, texts in reader.mapping(value).items()
            }
        )
