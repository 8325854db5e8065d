"""The store of deals: what a seat offered to another, and what became of it.

Deals belong to the seats, so that a replacement player keeps the promises of the power, or breaks them.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields

from sqlalchemy import Connection, delete, select, update

from plenipo.server.store import schema
from plenipo.server.store.values import ChangeMoment, StoredDeal, bytes_of

__all__ = ["DealsChanged", "DealsUndone", "deals_of"]


@dataclass(frozen=True)
class DealsChanged:
    """The part of a change that adds deals or replaces those with the same numbers."""

    deals: Sequence[StoredDeal]

    def write(self, connection: Connection, at: ChangeMoment) -> None:
        """Store the deals, and count their size."""
        table, games = schema.deals, schema.games
        rows = [{"game": at.game, **asdict(deal)} for deal in self.deals]
        numbers = [deal.number for deal in self.deals]
        size = bytes_of(*(schema.encode_json(row["clauses"]) for row in rows))
        connection.execute(delete(table).where(table.c.game == at.game, table.c.number.in_(numbers)))
        connection.execute(table.insert(), rows)
        connection.execute(update(games).where(games.c.id == at.game).values(stored=games.c.stored + size))


@dataclass(frozen=True)
class DealsUndone:
    """The part of a change that removes the deals of turns that were undone."""

    turn: int

    def write(self, connection: Connection, at: ChangeMoment) -> None:
        """Remove the deals made after so many turns."""
        table = schema.deals
        connection.execute(delete(table).where(table.c.game == at.game, table.c.turn > self.turn))


def deals_of(connection: Connection, game: str) -> tuple[StoredDeal, ...]:
    """Return the deals of a game, the oldest first."""
    table = schema.deals
    query = select(*(table.c[value.name] for value in fields(StoredDeal))).where(table.c.game == game)
    rows = connection.execute(query.order_by(table.c.made, table.c.number)).mappings()
    return tuple(StoredDeal(**{**row, "clauses": tuple(row["clauses"])}) for row in rows)
