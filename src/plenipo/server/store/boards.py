"""The store of boards that changed during play, computed once."""

import zlib
from contextlib import suppress
from datetime import datetime, timedelta

from sqlalchemy import Engine, select
from sqlalchemy.exc import IntegrityError

from plenipo.server.store import schema

__all__ = ["BOARDS_KEPT", "BoardStore"]

BOARDS_KEPT = timedelta(days=90)
"""The least time for which computed boards are kept; a missing one is computed again."""


class BoardStore:
    """The computed boards in one database; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def find(self, name: str) -> str | None:
        """Return the cached text for a board; None if it is missing or has expired."""
        table = schema.boards
        with self.engine.connect() as connection:
            content = connection.execute(select(table.c.content).where(table.c.name == name)).scalar_one_or_none()
        return None if content is None else zlib.decompress(content).decode()

    def keep(self, name: str, text: str, now: datetime) -> None:
        """Cache a computed board, for `BOARDS_KEPT` at least, unless another process does at the same time."""
        table, content = schema.boards, zlib.compress(text.encode())
        old = (table.c.name == name) | (table.c.created < now - BOARDS_KEPT)
        with suppress(IntegrityError), self.engine.begin() as connection:  # the other process computed the same
            connection.execute(table.delete().where(old))
            connection.execute(table.insert().values(name=name, created=now, content=content))
