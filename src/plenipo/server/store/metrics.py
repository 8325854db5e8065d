"""Counts of the games and posts of a database, for operators."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Engine, func, select

from plenipo.server.store import schema

__all__ = ["Figured", "collect_metrics"]


@dataclass(frozen=True)
class Figured:
    """Games by their state; games that are due; posts that wait, fail and are given up; open reports."""

    games: dict[str, int]
    due: int
    due_late: float
    posts: int
    posts_late: float
    failing: int
    given_up: int
    open_reports: int


def collect_metrics(engine: Engine, now: datetime) -> Figured:
    """Return the counts at an instant; times are in seconds."""
    games, posts = schema.games, schema.posts
    state = select(games.c.state, games.c.over, func.count()).group_by(games.c.state, games.c.over)
    due = select(func.count(), func.min(games.c.wake)).where(games.c.wake <= now)
    ready = select(func.min(posts.c.not_before)).where(posts.c.not_before <= now)
    waiting = select(func.count()).select_from(posts).where(posts.c.not_before.is_not(None))
    given_up = select(func.count()).select_from(posts).where(posts.c.not_before.is_(None), posts.c.sent.is_(None))
    open_reports = select(func.count()).select_from(schema.reports).where(~schema.reports.c.closed)
    with engine.connect() as connection:
        found: dict[str, int] = {}
        for name, over, number in connection.execute(state):
            key = "over" if over else name
            found[key] = found.get(key, 0) + number
        late = connection.execute(due).one()
        first = connection.execute(ready).scalar_one()
        return Figured(
            found,
            late[0],
            _since(late[1], now),
            connection.execute(waiting).scalar_one(),
            _since(first, now),
            connection.execute(waiting.where(posts.c.tries > 0)).scalar_one(),
            connection.execute(given_up).scalar_one(),
            connection.execute(open_reports).scalar_one(),
        )


def _since(instant: datetime | None, now: datetime) -> float:
    return 0.0 if instant is None else max(now - instant, timedelta(0)).total_seconds()
