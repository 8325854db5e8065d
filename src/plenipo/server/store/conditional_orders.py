"""The store of conditional orders, which seats give for the phases before their next moves."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, select

from plenipo.server.store import schema
from plenipo.server.store.values import ChangeMoment

__all__ = ["ConditionalOrdersGiven", "conditional_orders_of"]


@dataclass(frozen=True)
class ConditionalOrdersGiven:
    """The part of a change that replaces all conditional orders of a game."""

    orders: Mapping[str, tuple[str, ...]]

    def write(self, connection: Connection, at: ChangeMoment) -> None:
        """Store the orders in place of earlier ones."""
        table = schema.ahead
        connection.execute(table.delete().where(table.c.game == at.game))
        if rows := [{"game": at.game, "power": power, "orders": texts} for power, texts in self.orders.items()]:
            connection.execute(table.insert(), rows)


def conditional_orders_of(connection: Connection, game: str) -> dict[str, tuple[str, ...]]:
    """Return the conditional orders of a game by power."""
    table = schema.ahead
    rows = connection.execute(select(table.c.power, table.c.orders).where(table.c.game == game))
    return {row.power: tuple(row.orders) for row in rows}
