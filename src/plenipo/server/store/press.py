"""The store of press: messages with the tenures that read them, and read marks.

Messages do not change the revision of their game, so that press and orders never wait for each other. A message is
stored only if the game has not changed meanwhile: so it reaches the holders of the seats at that moment.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import fields, replace
from typing import Any

from sqlalchemy import Connection, Engine, Select, delete, or_, select, update
from sqlalchemy.exc import IntegrityError

from plenipo.server.store import schema
from plenipo.server.store.values import StoredMessage, bytes_of

__all__ = ["PressStore"]

_COLUMNS = tuple(value.name for value in fields(StoredMessage) if value.name != "readers")


class PressStore:
    """The messages in one database; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def add(
        self,
        game: str,
        revision: int,
        message: StoredMessage,
        also: Callable[[Connection, StoredMessage], None] | None = None,
    ) -> StoredMessage | None:
        """Store a message written at `revision`; return it with its number, or None if the game has changed since.

        `also` is done in the same transaction. A message that its writer has sent before under the same name is not
        stored again; the first one is returned.
        """
        games, table = schema.games, schema.messages
        try:
            with self.engine.begin() as connection:
                here = (games.c.id == game, games.c.revision == revision)
                stored = games.c.stored + bytes_of(message.text + schema.encode_json(message.proposal))
                counted = update(games).where(*here).values(talk=games.c.talk + 1, stored=stored)
                if connection.execute(counted).rowcount != 1:
                    return None
                number = connection.execute(select(games.c.talk).where(games.c.id == game)).scalar_one()
                kept = replace(message, number=number)
                connection.execute(table.insert().values(game=game, **{name: getattr(kept, name) for name in _COLUMNS}))
                if kept.readers:
                    rows = [{"game": game, "number": number, "tenure": reader} for reader in sorted(kept.readers)]
                    connection.execute(schema.message_readers.insert(), rows)
                if also is not None:
                    also(connection, kept)
                return kept
        except IntegrityError:
            return self._again(game, message)

    def _again(self, game: str, message: StoredMessage) -> StoredMessage:
        table = schema.messages
        same = (table.c.game == game, table.c.sender == message.sender, table.c.once == message.once)
        with self.engine.connect() as connection:
            return _read(connection, game, select(table).where(*same))[0]

    def of(self, game: str, tenures: Collection[int] | None, since: int = 0) -> tuple[StoredMessage, ...]:
        """Return the public messages after number `since` and those that tenures wrote or were sent; with None all.

        The caller checks the reader's permission.
        """
        table, to = schema.messages, schema.message_readers
        query = select(table).where(table.c.game == game, table.c.number > since).order_by(table.c.number)
        if tenures is not None:
            mine = select(to.c.number).where(to.c.game == game, to.c.tenure.in_(tenures))
            query = query.where(or_(table.c.open, table.c.number.in_(mine)))
        with self.engine.connect() as connection:
            return _read(connection, game, query)

    def marks(self, game: str, tenures: Collection[int]) -> dict[tuple[int, str], int]:
        """Return the read marks of tenures, by tenure and the digest of a thread's key."""
        table = schema.marks
        with self.engine.connect() as connection:
            rows = connection.execute(select(table).where(table.c.game == game, table.c.tenure.in_(tenures)))
            return {(row.tenure, row.thread): row.number for row in rows}

    def mark(self, game: str, tenures: Iterable[int], thread: tuple[str, ...], number: int) -> None:
        """Set the read marks of tenures in a thread; they never move back."""
        table, name = schema.marks, thread_digest(thread)
        with self.engine.begin() as connection:
            for tenure in tenures:
                here = (table.c.game == game, table.c.tenure == tenure, table.c.thread == name)
                before = connection.execute(select(table.c.number).where(*here)).scalar_one_or_none()
                if before is None or before < number:
                    connection.execute(delete(table).where(*here))
                    connection.execute(table.insert().values(game=game, tenure=tenure, thread=name, number=number))


def thread_digest(thread: tuple[str, ...]) -> str:
    """Return the digest by which a thread is looked up."""
    return hashlib.sha256(json.dumps(thread).encode()).hexdigest()


def _read(connection: Connection, game: str, query: Select[Any]) -> tuple[StoredMessage, ...]:
    to = schema.message_readers
    rows = connection.execute(query).mappings().all()
    readers: dict[int, set[int]] = {}
    if rows:
        between = (to.c.number >= rows[0]["number"], to.c.number <= rows[-1]["number"])
        for row in connection.execute(select(to.c.number, to.c.tenure).where(to.c.game == game, *between)):
            readers.setdefault(row.number, set()).add(row.tenure)
    return tuple(
        StoredMessage(
            **{
                **{name: row[name] for name in _COLUMNS},
                "thread": tuple(row["thread"]),
                "proposal": tuple(map(tuple, row["proposal"])),
                "readers": frozenset(readers.get(row["number"], ())),
            }
        )
        for row in rows
    )
