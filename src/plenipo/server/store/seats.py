"""The store of seats: the tenures of players, the keys, and the computer players."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields

from sqlalchemy import Connection, select

from plenipo.server.store import schema
from plenipo.server.store.values import ChangeMoment, GameChange, Json, StoredKey, StoredTenure

__all__ = ["SeatsChanged", "as_row", "tenures_of"]

_COLUMNS = tuple(value.name for value in fields(StoredTenure))


@dataclass(frozen=True)
class SeatsChanged:
    """The part of a change that concerns the seats of a game.

    `tenures` are new or changed, `forget` are the numbers of tenures to delete. `add_keys` are new keys, and keys whose
    seat is in `drop_keys` are revoked. `computers` are the computer players of the seats that it names.
    """

    tenures: tuple[StoredTenure, ...] = ()
    forget: tuple[int, ...] = ()
    add_keys: tuple[StoredKey, ...] = ()
    drop_keys: tuple[str, ...] = ()
    computers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, change: GameChange) -> "SeatsChanged":
        """Return this part of a change, an empty one if there is none."""
        return next((part for part in change.parts if isinstance(part, cls)), cls())

    def write(self, connection: Connection, at: ChangeMoment) -> None:
        """Store tenures, keys and computer players."""
        tenures, keys, seats = schema.tenures, schema.keys, schema.seats
        gone = (*self.forget, *(tenure.number for tenure in self.tenures))
        if gone:
            connection.execute(tenures.delete().where(tenures.c.game == at.game, tenures.c.number.in_(gone)))
        if self.forget:  # their numbers may be given again, and with them the messages
            messages = schema.messages
            connection.execute(messages.delete().where(messages.c.game == at.game, messages.c.sender.in_(self.forget)))
        if self.tenures:
            connection.execute(tenures.insert(), [as_row(at.game, tenure) for tenure in self.tenures])
        for power, computer in self.computers.items():
            where = (seats.c.game == at.game, seats.c.power == power)
            connection.execute(seats.update().where(*where).values(computer=computer))
        if self.drop_keys:
            connection.execute(keys.delete().where(keys.c.game == at.game, keys.c.power.in_(self.drop_keys)))
        for key in self.add_keys:
            connection.execute(keys.insert().values(digest=key.digest, game=at.game, power=key.power))


def as_row(game: str, tenure: StoredTenure) -> Json:
    """Return the row of a tenure."""
    return {**asdict(tenure), "game": game}


def tenures_of(connection: Connection, game: str) -> tuple[StoredTenure, ...]:
    """Return the tenures of a game in order."""
    table = schema.tenures
    rows = connection.execute(select(table).where(table.c.game == game).order_by(table.c.number)).mappings()
    return tuple(
        StoredTenure(**{name: row[name] for name in _COLUMNS} | {"preferences": tuple(row["preferences"])})
        for row in rows
    )
