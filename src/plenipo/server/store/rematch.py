"""The store of rematches: which game follows another."""

from collections.abc import Callable

from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import IntegrityError

from plenipo.server.store import schema

__all__ = ["Sequels"]


class Sequels:
    """The rematches in one database; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def of(self, game: str) -> str | None:
        """Return the rematch of a game, None if there is none."""
        table = schema.sequels
        with self.engine.connect() as connection:
            return connection.execute(select(table.c.next).where(table.c.game == game)).scalar_one_or_none()

    def follow(self, game: str, following: str, also: Callable[[Connection], None]) -> bool:
        """Record the rematch of a game, and do `also` in the same transaction; return False if it has one already."""
        try:
            with self.engine.begin() as connection:
                connection.execute(schema.sequels.insert().values(game=game, next=following))
                also(connection)
        except IntegrityError:
            return False
        return True
