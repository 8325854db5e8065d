"""The part of a person's data that only the download of all personal data needs."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from sqlalchemy import Connection, Engine, Table, select

from plenipo.server.store import schema
from plenipo.server.store.values import Json

__all__ = ["everything_else"]


def everything_else(engine: Engine, person: str) -> Json:
    """Return the stored data on a person's notifications, votes, results and moderation, as JSON.

    The authors of reports about the person are left out, and so are digests and tokens.
    """
    with engine.connect() as connection:
        bans, appeals = schema.bans, schema.appeals
        banned = select(bans.c.at, bans.c.until, bans.c.reason, bans.c.lifted, appeals.c.text.label("appeal"))
        banned = banned.join(appeals, appeals.c.ban == bans.c.number, isouter=True).where(bans.c.person == person)
        posts, moderation, merges = schema.posts, schema.moderation, schema.merges
        preferences = _rows(
            connection, schema.mail_preferences, "person", person, "kinds quiet_from quiet_until zone hour language"
        )
        return {
            "bans": [{"since": row.pop("at"), **row} for row in map(_plain, connection.execute(banned).mappings())],
            "notifications": preferences,
            "notified": _rows(connection, schema.notices, "person", person, "game phase_number kind"),
            "mail": _rows(connection, posts, "person", person, "to subject kind game sent"),
            "moderated": _rows(connection, moderation, "by", person, "at kind text"),
            "games_moved_here": _rows(connection, merges, "person", person, "name until"),
            "tournaments": _rows(
                connection, schema.tournament_players, "person", person, "tournament number name active"
            ),
            "tournaments_run": _rows(connection, schema.tournaments, "director", person, "id name state created"),
            "presets": _rows(connection, schema.host_presets, "person", person, "name fields created"),
            "follows": _rows(connection, schema.follows, "person", person, "followed"),
            "bans_made": _rows(connection, bans, "by", person, "at until reason"),
            **{
                name: _of_seats(connection, table, column, person, columns)
                for name, (table, column, columns) in _BY_SEAT.items()
            },
        }


_BY_SEAT: Mapping[str, tuple[Table, str, str]] = {
    "deadlines": (schema.attendances, "tenure", "game phase_number met"),
    "votes": (schema.ballots, "tenure", "game number seat yes"),
    "results": (schema.results, "tenure", "game power score came"),
    "read": (schema.marks, "tenure", "game number"),
    "received": (schema.message_readers, "tenure", "game number"),
    "muted": (schema.mutes, "tenure", "game muted"),
    "notes": (schema.notes, "tenure", "game about text"),
}
"""The tables that identify a person by the number of a tenure: its column, and the exported columns of each row."""


def _of_seats(connection: Connection, table: Table, column: str, person: str, columns: str) -> list[Json]:
    tenures = schema.tenures
    mine = (tenures.c.game == table.c.game) & (tenures.c.number == table.c[column])
    query = select(*(table.c[name] for name in columns.split())).join(tenures, mine).where(tenures.c.person == person)
    return [_plain(row) for row in connection.execute(query).mappings()]


def _rows(connection: Connection, table: Table, column: str, person: str, columns: str) -> list[Json]:
    query = select(*(table.c[name] for name in columns.split())).where(table.c[column] == person)
    return [_plain(row) for row in connection.execute(query).mappings()]


def _plain(row: Mapping[Any, Any]) -> Json:
    return {key: value.isoformat() if isinstance(value, datetime | date) else value for key, value in row.items()}
