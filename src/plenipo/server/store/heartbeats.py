"""The store of heartbeats: when each loop of the servers ran last."""

from datetime import datetime

from sqlalchemy import Engine, bindparam, select, text

from plenipo.server.store import schema

__all__ = ["Heartbeats"]

_BEAT = text(
    "INSERT INTO heartbeats (name, at) VALUES (:name, :at) ON CONFLICT (name) DO UPDATE SET at = excluded.at"
).bindparams(bindparam("at", type_=schema.Instant()))
"""The statement that writes the row of a heartbeat; both databases know this form."""


class Heartbeats:
    """The heartbeats in one database; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def beat(self, name: str, now: datetime) -> datetime | None:
        """Record a heartbeat at `now`; return the one before, None if there is none."""
        table = schema.heartbeats
        with self.engine.connect() as connection:
            row = connection.execute(select(table.c.at).where(table.c.name == name))
            before: datetime | None = row.scalar_one_or_none()
        with self.engine.begin() as connection:
            connection.execute(_BEAT, {"name": name, "at": now})
        return before

    def last(self, name: str) -> datetime | None:
        """Return the last heartbeat of a name, None if there is none."""
        table = schema.heartbeats
        with self.engine.connect() as connection:
            beat: datetime | None = connection.execute(
                select(table.c.at).where(table.c.name == name)
            ).scalar_one_or_none()
        return beat
