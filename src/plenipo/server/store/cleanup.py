"""Removal of expired rows, a bounded batch at a time."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Engine, Table, and_, delete, exists, select, update

from plenipo.server.store import schema

__all__ = ["BATCH", "GUEST_LASTS", "POST_LASTS", "UNPLAYED_LASTS", "VERSIONS_LAST", "clean_up"]

BATCH = 500
"""The most rows of a kind that are removed at a time."""

GUEST_LASTS = timedelta(days=30)
"""The time after which a guest without a seat, game or sign-in method is removed, from the last visit."""

UNPLAYED_LASTS = timedelta(days=30)
"""The time after which a game that was cancelled before it began is removed."""

POST_LASTS = timedelta(days=30)
"""The time after which the row of a sent post is removed."""

VERSIONS_LAST = timedelta(days=7)
"""The time after the end of a game for which older versions of order sets are kept."""


def clean_up(engine: Engine, now: datetime) -> dict[str, int]:
    """Remove a batch of all expired rows; return the number of each kind."""
    return {
        "counters": _remove(engine, schema.counters, schema.counters.c.until <= now),
        "games": _remove(engine, schema.games, _is_unplayed(now)),
        "posts": _remove(engine, schema.posts, schema.posts.c.sent <= now - POST_LASTS),
        "guests": _remove_guests(engine, now),
        "versions": _thin(engine, now),
    }


def _remove(engine: Engine, table: Table, condition: ColumnElement[bool]) -> int:
    (key,) = table.primary_key.columns
    batch = select(key).where(condition).limit(BATCH)
    with engine.begin() as connection:
        return connection.execute(delete(table).where(key.in_(batch))).rowcount


def _is_unplayed(now: datetime) -> ColumnElement[bool]:
    games = schema.games
    return and_(games.c.state == "cancelled", games.c.changed <= now - UNPLAYED_LASTS)


def _remove_guests(engine: Engine, now: datetime) -> int:
    """Remove guests who could not sign in again and belong to no game."""
    persons, sessions, posts, since = schema.persons, schema.sessions, schema.posts, now - GUEST_LASTS
    unused = (
        persons.c.created <= since,
        ~exists().where(schema.ways.c.person == persons.c.id),
        ~exists().where(schema.tenures.c.person == persons.c.id),
        ~exists().where(sessions.c.person == persons.c.id, sessions.c.used > since),
    )
    with engine.begin() as connection:
        gone = connection.execute(select(persons.c.id).where(*unused).limit(BATCH)).scalars().all()
        connection.execute(delete(posts).where(posts.c.person.in_(gone)))
        return connection.execute(delete(persons).where(persons.c.id.in_(gone), *unused)).rowcount


def _thin(engine: Engine, now: datetime) -> int:
    """Remove the versions of order sets that were replaced, of some games that are over."""
    games, order_sets = schema.games, schema.order_sets
    later = order_sets.alias("later")
    over = select(games.c.id).where(games.c.over, ~games.c.thinned, games.c.changed <= now - VERSIONS_LAST)
    removed = 0
    with engine.begin() as connection:
        for game in connection.execute(over.limit(BATCH // 50)).scalars().all():
            same = [later.c[name] == order_sets.c[name] for name in ("game", "phase_number", "power")]
            old = exists().where(*same, later.c.version > order_sets.c.version)
            removed += connection.execute(delete(order_sets).where(order_sets.c.game == game, old)).rowcount
            connection.execute(update(games).where(games.c.id == game).values(thinned=True))
    return removed
