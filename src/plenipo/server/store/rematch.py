"""What the store has of games that are played again: which game follows which."""

from collections.abc import Callable

from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import IntegrityError

from plenipo.server.store import schema

__all__ = ["Sequels"]


class Sequels:
    """The games of one database that follow others; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def of(self, game: str) -> str | None:
        """The game that follows a game, None if none does."""
        table = schema.sequels
        with self.engine.connect() as connection:
            return connection.execute(select(table.c.next).where(table.c.game == game)).scalar_one_or_none()

    def follow(self, game: str, following: str, also: Callable[[Connection], None]) -> bool:
        """Note that one game follows another, and do `also` in the same transaction; False if another does already."""
        try:
            with self.engine.begin() as connection:
                connection.execute(schema.sequels.insert().values(game=game, next=following))
                also(connection)
        except IntegrityError:
            return False
        return True
