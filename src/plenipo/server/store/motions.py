"""The store of motions and the votes on them.

A vote does not change the revision of its game; a decision does, in the change that carries it out.
The number of a motion is random: consecutive ones would count the secret motions.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from datetime import datetime

from sqlalchemy import Connection, Engine, delete, select, update

from plenipo.server.store import schema
from plenipo.server.store.row_numbers import draw_number
from plenipo.server.store.values import ChangeMoment, StoredMotion

__all__ = ["Motions", "MotionsDecided"]

_COLUMNS = tuple(value.name for value in fields(StoredMotion) if value.name != "ballots")


class Motions:
    """The motions in one database; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def add(self, game: str, motion: StoredMotion, also: Callable[[Connection, StoredMotion], None]) -> int:
        """Store a motion with its first vote, and do `also` in the same transaction; return its number."""
        games, table, ballots = schema.games, schema.motions, schema.ballots
        with self.engine.begin() as connection:
            # simultaneous motions wait for each other at the row of the game
            connection.execute(update(games).where(games.c.id == game).values(talk=games.c.talk))
            number = draw_number(connection, table, game)
            values = {name: getattr(motion, name) for name in _COLUMNS} | {"number": number}
            connection.execute(table.insert().values(game=game, **values))
            for seat, (tenure, yes) in motion.ballots.items():
                connection.execute(ballots.insert().values(game=game, number=number, seat=seat, tenure=tenure, yes=yes))
            also(connection, replace(motion, number=number))
        return number

    def vote(self, game: str, number: int, seat: str, ballot: tuple[int, bool] | None) -> None:
        """Store the vote of a seat in place of the one before, or withdraw it."""
        table = schema.ballots
        here = (table.c.game == game, table.c.number == number, table.c.seat == seat)
        with self.engine.begin() as connection:
            connection.execute(delete(table).where(*here))
            if ballot is not None:
                values = {"seat": seat, "tenure": ballot[0], "yes": ballot[1]}
                connection.execute(table.insert().values(game=game, number=number, **values))

    def of(self, game: str) -> tuple[StoredMotion, ...]:
        """Return the motions of a game, the oldest first."""
        table, ballots = schema.motions, schema.ballots
        age = (table.c.moved, table.c.number)
        with self.engine.connect() as connection:
            rows = connection.execute(select(table).where(table.c.game == game).order_by(*age)).mappings()
            votes = connection.execute(select(ballots).where(ballots.c.game == game)).mappings().all()
            return tuple(
                StoredMotion(
                    **{name: row[name] for name in _COLUMNS} | {"about": tuple(row["about"])},
                    ballots={v["seat"]: (v["tenure"], v["yes"]) for v in votes if v["number"] == row["number"]},
                )
                for row in rows
            )

    def due(self, now: datetime, most: int = 100) -> tuple[str, ...]:
        """Return the games with a motion that is to be counted at `now` or before."""
        table = schema.motions
        query = select(table.c.game).where(table.c.state == "open", table.c.until <= now).distinct().limit(most)
        with self.engine.connect() as connection:
            return tuple(connection.execute(query).scalars())


@dataclass(frozen=True)
class MotionsDecided:
    """The part of a change that decides open motions: their numbers and new states."""

    decided: tuple[tuple[int, str], ...]

    def write(self, connection: Connection, at: ChangeMoment) -> None:
        """Store the decisions."""
        table = schema.motions
        for number, state in self.decided:
            here = (table.c.game == at.game, table.c.number == number, table.c.state == "open")
            connection.execute(update(table).where(*here).values(state=state))
