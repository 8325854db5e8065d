"""The store of bans and appeals; a ban identifies its subject by digests alone, so that it outlives an account."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, and_, func, select, update
from sqlalchemy.exc import IntegrityError

from plenipo.server.store import schema
from plenipo.server.store.values import Json

__all__ = ["Ban", "BanStore"]


@dataclass(frozen=True)
class Ban:
    """A ban of an account or a network, until an instant or, with None, for good; with its appeal, if there is one."""

    number: int
    at: datetime
    until: datetime | None
    kind: str
    person: str | None
    reason: str
    lifted: bool
    appeal: str | None
    appealed: datetime | None
    answered: bool


class BanStore:
    """The bans and appeals in one database; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def active(self, digests: Collection[str], now: datetime) -> tuple[Ban, ...]:
        """Return the bans that hold now for one of these digests, the longest first."""
        marks = schema.ban_marks
        here = select(marks.c.ban).where(marks.c.digest.in_(digests))
        found = self._find_bans(schema.bans.c.number.in_(here), now) if digests else ()
        return tuple(sorted(found, key=lambda ban: (ban.until is not None, -(ban.until or now).timestamp())))

    def all_active(self, now: datetime) -> tuple[Ban, ...]:
        """Return all bans that hold now, the newest first."""
        return self._find_bans(None, now)

    def of_person(self, person: str) -> tuple[Ban, ...]:
        """Return the bans of an account, also those that are over, the newest first."""
        return self._find_bans(schema.bans.c.person == person, None)

    def find(self, number: int) -> Ban | None:
        """Return the ban with this number."""
        return next(iter(self._find_bans(schema.bans.c.number == number, None)), None)

    def _find_bans(self, where: Any, now: datetime | None) -> tuple[Ban, ...]:
        bans, appeals = schema.bans, schema.appeals
        columns = [getattr(bans.c, name) for name in ("number", "at", "until", "kind", "person", "reason", "lifted")]
        query = (
            select(*columns, appeals.c.text.label("appeal"), appeals.c.at.label("appealed"), appeals.c.answered)
            .join(appeals, appeals.c.ban == bans.c.number, isouter=True)
            .order_by(bans.c.number.desc())
        )
        if where is not None:
            query = query.where(where)
        if now is not None:
            query = query.where(and_(~bans.c.lifted, bans.c.until.is_(None) | (bans.c.until > now)))
        with self.engine.connect() as connection:
            rows = connection.execute(query).mappings().all()
        return tuple(Ban(**{**row, "answered": bool(row["answered"])}) for row in rows)

    def appeal(self, number: int, text: str, now: datetime) -> bool:
        """Keep the one appeal against a ban; return False, and keep nothing, if there was one already."""
        try:
            with self.engine.begin() as connection:
                connection.execute(schema.appeals.insert().values(ban=number, at=now, text=text))
        except IntegrityError:
            return False
        return True


def insert_ban(connection: Connection, values: Json, digests: Collection[str]) -> int:
    """Write a ban with its digests; return its number."""
    bans = schema.bans
    number = 1 + (connection.execute(select(func.max(bans.c.number))).scalar_one_or_none() or 0)
    connection.execute(bans.insert().values(**values, number=number))
    marks = [{"ban": number, "digest": one} for one in dict.fromkeys(digests)]
    if marks:
        connection.execute(schema.ban_marks.insert(), marks)
    return number


def end_ban(connection: Connection, number: int, *, lifted: bool) -> bool:
    """Answer the appeal against a ban, which is lifted or stays; return False if there is nothing to answer or lift."""
    bans, appeals = schema.bans, schema.appeals
    answered = update(appeals).where(appeals.c.ban == number, ~appeals.c.answered).values(answered=True)
    had_appeal = connection.execute(answered).rowcount == 1
    if not lifted:
        return had_appeal
    return (
        connection.execute(update(bans).where(bans.c.number == number, ~bans.c.lifted).values(lifted=True)).rowcount
        == 1
    )
