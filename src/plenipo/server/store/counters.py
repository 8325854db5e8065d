"""The counters of the rate limits, shared by all processes of a server."""

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import Engine, bindparam, select, text

from plenipo.server.store import schema
from plenipo.server.store.subscriptions import Subscriptions

__all__ = ["Counters"]

_TAKE = text(
    "INSERT INTO counters (subject, number, until) VALUES (:subject, :number, :until) "
    "ON CONFLICT (subject) DO UPDATE SET "
    "number = CASE WHEN counters.until <= :now THEN excluded.number ELSE counters.number + excluded.number END, "
    "until = CASE WHEN counters.until <= :now THEN excluded.until ELSE counters.until END "
    "WHERE counters.until <= :now OR counters.number + excluded.number <= :most "
    "RETURNING until"
).bindparams(bindparam("until", type_=schema.Instant()), bindparam("now", type_=schema.Instant()))
"""The statement that counts, or begins a window; it returns no row if the limit would be exceeded."""


class Counters:
    """Counters, each with the end of its window; safe to use from several threads and processes."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def secret(self, made: Callable[[], str]) -> str:
        """Return the key of the digests that identify what is counted; store `made` if there is none yet."""
        return Subscriptions(self.engine).own_key("limits", made)

    def take(self, subject: str, number: int, most: int, now: datetime, until: datetime) -> tuple[bool, datetime]:
        """Add `number` to a counter unless it would exceed `most`; begin a window up to `until` if there is none.

        Return whether it was added, and when the window ends.
        """
        table = schema.counters
        values = {"subject": subject, "number": number, "most": most, "now": now, "until": until}
        statement = _TAKE.columns(until=schema.Instant())
        with self.engine.begin() as connection:
            ends: datetime | None = connection.execute(statement, values).scalar_one_or_none()
        if ends is not None:
            return True, ends
        with self.engine.connect() as connection:
            query = select(table.c.until).where(table.c.subject == subject)
            return False, connection.execute(query).scalar_one_or_none() or until
