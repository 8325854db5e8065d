"""The store of sign-in challenges: each is answered once, and in time."""

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from sqlalchemy import Engine, delete, select

from plenipo.server.store import schema

__all__ = ["LASTS", "Challenge", "Challenges"]

LASTS = timedelta(minutes=10)
"""The time a browser has to answer."""


@dataclass(frozen=True)
class Challenge:
    """A challenge: its SHA-256, kind and person, the data for checking the answer, and its expiry."""

    digest: str
    kind: str
    person: str | None
    content: str
    expires: datetime


class Challenges:
    """The challenges in one database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def ask(self, challenge: Challenge, now: datetime) -> None:
        """Store a challenge until it is answered; remove expired ones."""
        table = schema.challenges
        with self.engine.begin() as connection:
            connection.execute(delete(table).where(table.c.expires <= now))
            connection.execute(table.insert().values(**asdict(challenge)))

    def take(self, digest: str, kind: str, now: datetime) -> Challenge | None:
        """Take the answered challenge, which cannot be used again; return None if no valid one is of this kind."""
        table = schema.challenges
        where = (table.c.digest == digest, table.c.kind == kind)
        with self.engine.begin() as connection:
            row = connection.execute(select(table).where(*where)).mappings().first()
            if row is None or connection.execute(delete(table).where(*where)).rowcount != 1:
                return None
        found = Challenge(**row)
        return found if now < found.expires else None
