"""The store of seats: the tenures of players, the keys, and the computer players."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, fields

from sqlalchemy import Connection, func, select

from plenipo.server.store import schema
from plenipo.server.store.values import ChangeMoment, GameChange, Json, StoredKey, StoredTenure

__all__ = ["SeatsChanged", "as_row", "tenures_of"]

_COLUMNS = tuple(value.name for value in fields(StoredTenure))


@dataclass(frozen=True)
class SeatsChanged:
    """The part of a change that concerns the seats of a game.

    `tenures` are new or changed, `forget` are the numbers of tenures that end before they had a power. `add_keys` are
    new keys, and keys whose seat is in `drop_keys` are revoked. `computers` are the computer players of the seats that
    it names.
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
        changed = [tenure.number for tenure in self.tenures]
        if changed:
            connection.execute(tenures.delete().where(tenures.c.game == at.game, tenures.c.number.in_(changed)))
            connection.execute(tenures.insert(), [as_row(at.game, tenure) for tenure in self.tenures])
        if self.forget:
            _end_tenures(connection, at, self.forget)
        for power, computer in self.computers.items():
            where = (seats.c.game == at.game, seats.c.power == power)
            connection.execute(seats.update().where(*where).values(computer=computer))
        if self.drop_keys:
            connection.execute(keys.delete().where(keys.c.game == at.game, keys.c.power.in_(self.drop_keys)))
        for key in self.add_keys:
            connection.execute(keys.insert().values(digest=key.digest, game=at.game, power=key.power))


def _end_tenures(connection: Connection, at: ChangeMoment, numbers: Collection[int]) -> None:
    """End tenures without a power; those that wrote messages stay for their names.

    The newest stays in any case: a number that was given again would bring a stranger the notes and mutes of the
    player before, and whether it is given again would show in an anonymous game who wrote.
    """
    table, messages = schema.tenures, schema.messages
    mine = table.c.game == at.game
    ended = {"until": at.phase_before, "power": "", "preferences": ()}
    connection.execute(table.update().where(mine, table.c.number.in_(numbers)).values(**ended))
    newest = connection.execute(select(func.max(table.c.number)).where(mine)).scalar_one()
    wrote = select(messages.c.sender).where(messages.c.game == at.game)
    unused = (mine, table.c.until.is_not(None), table.c.power == "", table.c.number.not_in(wrote))
    gone = connection.execute(select(table.c.number).where(*unused, table.c.number < newest)).scalars().all()
    connection.execute(table.delete().where(mine, table.c.number.in_(gone)))
    connection.execute(table.update().where(*unused).values(person=None))


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
