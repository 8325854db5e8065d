"""What the store has of what was asked of browsers that are about to sign in: each is answered once, and in time."""

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from sqlalchemy import Engine, delete, select

from plenipo.server.store import schema

__all__ = ["LASTS", "Challenge", "Challenges"]

LASTS = timedelta(minutes=10)
"""How long a browser may take to answer."""


@dataclass(frozen=True)
class Challenge:
    """What was asked: its SHA-256, for what, of whom, with what the answer is looked at, and until when."""

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
        """Keep a challenge until it is answered; those that are too old go."""
        table = schema.challenges
        with self.engine.begin() as connection:
            connection.execute(delete(table).where(table.c.expires <= now))
            connection.execute(table.insert().values(**asdict(challenge)))

    def take(self, digest: str, kind: str, now: datetime) -> Challenge | None:
        """The challenge that is answered, which nobody answers again; None if there is none of this kind in time."""
        table = schema.challenges
        where = (table.c.digest == digest, table.c.kind == kind)
        with self.engine.begin() as connection:
            row = connection.execute(select(table).where(*where)).mappings().first()
            if row is None or connection.execute(delete(table).where(*where)).rowcount != 1:
                return None
        found = Challenge(**row)
        return found if now < found.expires else None
