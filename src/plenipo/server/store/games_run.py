"""The store of the games that a person runs as host or game master, and the tasks that are due in each."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, RowMapping, Select, func, select

from plenipo.server.store import schema

__all__ = ["GameRun", "GamesRun"]

MOST_RUN = 200
"""The most games of a list."""

NOBODY = "nobody"
"""The holder of a vacant seat, in the stored instants of a game."""


@dataclass(frozen=True)
class GameRun:
    """A game that a person runs; `master` says whether as its game master, `plays` whether with a seat in it.

    `waits` are the powers that are not ready, `vacant` those without a player. `questions` counts the unanswered
    questions, `requests` the people on the waiting list.
    """

    id: str
    name: str
    variant: str
    phase: str
    state: str
    due: datetime | None
    anonymous: bool
    waits: tuple[str, ...]
    master: bool
    plays: bool
    vacant: tuple[str, ...]
    questions: int
    requests: int

    @property
    def known_waits(self) -> tuple[str, ...]:
        """The powers that are not ready, as far as the person may know them."""
        return self.waits if not self.anonymous or (self.master and not self.plays) else ()


class GamesRun:
    """The games that people run, in one database; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def of(self, person: str, states: Collection[str]) -> tuple[GameRun, ...]:
        """Return the games in these states that a person hosts, the last changed first."""
        games, tenures, questions = schema.games, schema.tenures, schema.questions
        hosts = select(tenures.c.game).where(
            tenures.c.person == person, tenures.c.kind == "host", tenures.c.until.is_(None)
        )
        query = select(games).where(games.c.id.in_(hosts), games.c.state.in_(states))
        with self.engine.connect() as connection:
            rows = connection.execute(query.order_by(games.c.changed.desc()).limit(MOST_RUN)).mappings().all()
            ids = [row["id"] for row in rows]
            held = (tenures.c.game.in_(ids), tenures.c.until.is_(None))
            players = select(tenures.c.game).where(*held, tenures.c.person == person, tenures.c.kind != "host")
            plays = set(connection.execute(players).scalars())
            waiting = select(tenures.c.game, func.count()).where(*held, tenures.c.kind == "reserve")
            requests = _count(connection, waiting.group_by(tenures.c.game))
            unanswered = select(questions.c.game, func.count()).where(
                questions.c.game.in_(ids), questions.c.answered.is_(None)
            )
            asked = _count(connection, unanswered.group_by(questions.c.game))
        return tuple(
            GameRun(
                **{name: row[name] for name in ("id", "name", "variant", "phase", "state", "due", "anonymous")},
                waits=tuple(row["waits"]),
                master=_rules(row),
                plays=row["id"] in plays,
                vacant=_list_vacant(row, hidden=row["anonymous"] and (not _rules(row) or row["id"] in plays)),
                questions=asked.get(row["id"], 0),
                requests=requests.get(row["id"], 0),
            )
            for row in rows
        )


def _rules(row: RowMapping) -> bool:
    """Return whether the host of a game is its game master."""
    return (row["settings"] or {}).get("host") == "game master"


def _list_vacant(row: RowMapping, *, hidden: bool) -> tuple[str, ...]:
    """Return the powers without a player; where submissions are `hidden`, as they were when the phase was opened."""
    timing = row["timing"] or {"seats": {}}

    def is_vacant(seat: Mapping[str, Any]) -> bool:
        if seat["holder"] != "person" or not hidden:
            return bool(seat["holder"] == NOBODY)
        missed: int = seat["missed"] + seat.get("forgiven", 0)
        return missed >= int(timing["schedule"]["missed"]["vacant_after"])

    return tuple(power for power, seat in timing["seats"].items() if is_vacant(seat))


def _count(connection: Connection, query: Select[Any]) -> dict[str, int]:
    return {row[0]: row[1] for row in connection.execute(query)}
