"""The store of moderation: mutes, blocks, reports, and the moderators' log."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, delete, func, select, update

from plenipo.server.store import schema
from plenipo.server.store.bans import end_ban, insert_ban
from plenipo.server.store.values import Json, entry_hash

__all__ = ["LoggedAction", "Moderation", "Report"]

CHAIN = "moderation"
"""The value to which the first entry of the moderators' log is chained."""


@dataclass(frozen=True)
class Report:
    """A report: its subject, game and sentence, and the messages as they were then."""

    number: int
    at: datetime
    by: str | None
    about: str | None
    game: str | None
    messages: tuple[Json, ...]
    sentence: str
    closed: bool
    kind: str = "other"
    thread: tuple[str, ...] = ()


@dataclass(frozen=True)
class LoggedAction:
    """An entry of the moderators' log."""

    number: int
    at: datetime
    kind: str
    text: str
    hash: str
    report: int | None = None
    by: str | None = None
    about: str | None = None


class Moderation:
    """The mutes, blocks, reports and moderators' log of one database; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def mute(self, game: str, tenures: Collection[int], others: Collection[int], *, on: bool) -> None:
        """Mute or unmute other tenures for tenures of a game."""
        table = schema.mutes
        with self.engine.begin() as connection:
            here = (table.c.game == game, table.c.tenure.in_(tenures), table.c.muted.in_(others))
            connection.execute(delete(table).where(*here))
            rows = [{"game": game, "tenure": one, "muted": other} for one in tenures for other in others]
            if on and rows:
                connection.execute(table.insert(), rows)

    def list_mutes(self, game: str, tenures: Collection[int] | None = None) -> frozenset[tuple[int, int]]:
        """Return the mutes of a game as pairs of tenures: all, or those of some tenures."""
        table = schema.mutes
        query = select(table.c.tenure, table.c.muted).where(table.c.game == game)
        if tenures is not None:
            query = query.where(table.c.tenure.in_(tenures))
        with self.engine.connect() as connection:
            return frozenset((row.tenure, row.muted) for row in connection.execute(query))

    def block(self, person: str, other: str, *, on: bool) -> None:
        """Block or unblock another person in all games that a person hosts."""
        table = schema.blocks
        with self.engine.begin() as connection:
            connection.execute(delete(table).where(table.c.person == person, table.c.blocked == other))
            if on:
                connection.execute(table.insert().values(person=person, blocked=other))

    def list_blocked(self, person: str) -> tuple[tuple[str, str], ...]:
        """Return the ids and names that a person blocks."""
        table, persons = schema.blocks, schema.persons
        query = select(persons.c.id, persons.c.name).join(table, table.c.blocked == persons.c.id)
        with self.engine.connect() as connection:
            found = connection.execute(query.where(table.c.person == person).order_by(persons.c.name))
            return tuple((row.id, row.name) for row in found)

    def is_blocked(self, person: str, by: Collection[str]) -> bool:
        """Return whether one of these people blocks a person."""
        table = schema.blocks
        query = select(table.c.blocked).where(table.c.blocked == person, table.c.person.in_(by))
        with self.engine.connect() as connection:
            return connection.execute(query).first() is not None

    def report(
        self,
        by: str,
        about: str | None,
        game: str | None,
        messages: Sequence[Json],
        sentence: str,
        now: datetime,
        *,
        kind: str = "other",
        thread: Sequence[str] = (),
    ) -> int:
        """Store a report; return its number."""
        table = schema.reports
        with self.engine.begin() as connection:
            number = _next(connection, table.c.number)
            values = {"number": number, "at": now, "by": by, "about": about, "game": game, "sentence": sentence}
            texts = {"messages": messages, "thread": thread}
            connection.execute(table.insert().values(**values, **texts, kind=kind))
        return number

    def reports(self, most: int = 200) -> tuple[Report, ...]:
        """Return the reports, open ones first and then the newest."""
        table = schema.reports
        query = select(table).order_by(table.c.closed, table.c.number.desc()).limit(most)
        with self.engine.connect() as connection:
            rows = connection.execute(query).mappings().all()
        return tuple(_report(row) for row in rows)

    def reports_about(self, person: str) -> tuple[Report, ...]:
        """Return the reports about a person, the newest first."""
        table = schema.reports
        query = select(table).where(table.c.about == person).order_by(table.c.number.desc())
        with self.engine.connect() as connection:
            return tuple(_report(row) for row in connection.execute(query).mappings())

    def close(
        self,
        number: int,
        kind: str,
        text: str,
        now: datetime,
        *,
        by: str | None = None,
        ban: Json | None = None,
        digests: Collection[str] = (),
    ) -> bool:
        """Close a report, log the decision, and store the `ban` that follows with its `digests`.

        Return False, and do nothing, if the report is closed already.
        """
        reports = schema.reports
        with self.engine.begin() as connection:
            here = (reports.c.number == number, ~reports.c.closed)
            if connection.execute(update(reports).where(*here).values(closed=True)).rowcount != 1:
                return False
            about = connection.execute(select(reports.c.about).where(reports.c.number == number)).scalar_one()
            _log(connection, {"kind": kind, "text": text, "at": now, "by": by, "about": about, "report": number})
            if ban is not None:
                insert_ban(connection, {**ban, "at": now, "by": by}, digests)
        return True

    def ban(self, text: str, ban: Json, digests: Collection[str], now: datetime, by: str | None) -> int:
        """Store a ban without a report, and log it; return its number."""
        with self.engine.begin() as connection:
            about = ban.get("person")
            _log(connection, {"kind": "ban", "text": text, "at": now, "by": by, "about": about, "report": None})
            return insert_ban(connection, {**ban, "at": now, "by": by}, digests)

    def end_ban(self, number: int, text: str, now: datetime, by: str | None, *, lifted: bool) -> bool:
        """Lift a ban, or reject its appeal, and log that; return False if it is done already."""
        with self.engine.begin() as connection:
            if not end_ban(connection, number, lifted=lifted):
                return False
            kind = "lift" if lifted else "uphold"
            about = connection.execute(select(schema.bans.c.person).where(schema.bans.c.number == number)).scalar_one()
            _log(connection, {"kind": kind, "text": text, "at": now, "by": by, "about": about, "report": None})
        return True

    def count_open(self) -> int:
        """Return the number of open reports."""
        query = select(func.count()).select_from(schema.reports).where(~schema.reports.c.closed)
        with self.engine.connect() as connection:
            return int(connection.execute(query).scalar_one())

    def deeds(self) -> tuple[LoggedAction, ...]:
        """Return the moderators' log, the newest entry first."""
        table = schema.moderation
        with self.engine.connect() as connection:
            rows = connection.execute(select(table).order_by(table.c.number.desc())).mappings()
            return tuple(LoggedAction(**row) for row in rows)

    def unlist(self, game: str) -> None:
        """Restrict a game to people who have its link."""
        table = schema.games
        with self.engine.begin() as connection:
            row = connection.execute(select(table.c.settings).where(table.c.id == game)).one_or_none()
            if row is not None:
                settings = {**(row.settings or {}), "listed": "link"}
                values = {"settings": settings, "listed": "link", "revision": table.c.revision + 1}
                connection.execute(update(table).where(table.c.id == game).values(**values))

    def strike(self, person: str, name: str) -> None:
        """Rename a person, here and in all games."""
        persons, tenures, games = schema.persons, schema.tenures, schema.games
        with self.engine.begin() as connection:
            mine = select(tenures.c.game).where(tenures.c.person == person)
            connection.execute(update(persons).where(persons.c.id == person).values(name=name))
            connection.execute(update(tenures).where(tenures.c.person == person).values(name=name))
            connection.execute(update(games).where(games.c.id.in_(mine)).values(revision=games.c.revision + 1))

    def close_ways(self, digests: Collection[str]) -> None:
        """Close sign-in methods for good."""
        table = schema.closed_ways
        with self.engine.begin() as connection:
            connection.execute(delete(table).where(table.c.digest.in_(digests)))
            if digests:
                connection.execute(table.insert(), [{"digest": one} for one in digests])

    def is_closed(self, digest: str) -> bool:
        """Return whether a sign-in method was closed."""
        table = schema.closed_ways
        with self.engine.connect() as connection:
            return connection.execute(select(table).where(table.c.digest == digest)).first() is not None


def _report(row: Any) -> Report:
    return Report(**{**row, "messages": tuple(row["messages"]), "thread": tuple(row["thread"])})


def _log(connection: Connection, entry: Json) -> None:
    """Write an entry into the moderators' log; its hash covers the columns that remain when people leave."""
    table = schema.moderation
    last = select(table.c.hash).order_by(table.c.number.desc()).limit(1)
    before = connection.execute(last).scalar_one_or_none() or CHAIN
    row = {**entry, "number": _next(connection, table.c.number)}
    kept = {name: row[name] for name in ("number", "at", "kind", "text")}
    hashed = entry_hash(before, {**kept, "phase_number": entry["report"] or 0})
    connection.execute(table.insert().values(**row, hash=hashed))


def _next(connection: Connection, column: Any) -> int:
    return 1 + (connection.execute(select(func.max(column))).scalar_one_or_none() or 0)
