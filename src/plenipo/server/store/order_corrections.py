"""The store of questions about orders, and of order corrections in an open phase.

A question does not change the revision of its game; a correction does, as part of a change of the game. Its
number is random: consecutive ones would reveal how many others asked.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime

from sqlalchemy import Connection, Engine, func, select, update

from plenipo.server.store import schema
from plenipo.server.store.row_numbers import draw_number
from plenipo.server.store.values import ChangeMoment, StoredQuestion, StoredReading, StoredReason

__all__ = ["OrdersCorrected", "Questions", "ReasonsGiven", "readings_of"]


class Questions:
    """The questions in one database; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def ask(
        self, game: str, question: StoredQuestion, also: Callable[[Connection, StoredQuestion], None]
    ) -> StoredQuestion:
        """Store a question, and do `also` in the same transaction; return the question with its number."""
        games = schema.games
        with self.engine.begin() as connection:
            # simultaneous questions wait for each other at the row of the game
            connection.execute(update(games).where(games.c.id == game).values(talk=games.c.talk))
            kept = replace(question, number=draw_number(connection, schema.questions, game))
            connection.execute(schema.questions.insert().values(game=game, **asdict(kept)))
            also(connection, kept)
        return kept

    def answer(self, game: str, number: int, text: str, now: datetime, also: Callable[[Connection], None]) -> bool:
        """Store the answer to a question, and do `also`; return False, and do nothing, if it is answered or unknown."""
        table = schema.questions
        here = (table.c.game == game, table.c.number == number, table.c.answered.is_(None))
        with self.engine.begin() as connection:
            if connection.execute(update(table).where(*here).values(answer=text, answered=now)).rowcount != 1:
                return False
            also(connection)
        return True

    def of(self, game: str) -> tuple[StoredQuestion, ...]:
        """Return the questions of a game, the oldest first."""
        table = schema.questions
        query, age = select(*(table.c[value.name] for value in fields(StoredQuestion))), (table.c.asked, table.c.number)
        with self.engine.connect() as connection:
            rows = connection.execute(query.where(table.c.game == game).order_by(*age)).mappings()
            return tuple(StoredQuestion(**row) for row in rows)


@dataclass(frozen=True)
class OrdersCorrected:
    """The part of a change that corrects orders of the open phase."""

    readings: tuple[StoredReading, ...]

    def write(self, connection: Connection, at: ChangeMoment) -> None:
        """Store the corrections after earlier ones."""
        table = schema.readings
        newest = select(func.max(table.c.number)).where(table.c.game == at.game)
        first = 1 + (connection.execute(newest).scalar_one_or_none() or 0)
        for number, reading in enumerate(self.readings, first):
            values = {"power": reading.power, "order": reading.order, "read": reading.read, **asdict(reading.reason)}
            values |= {"game": at.game, "number": number, "phase_number": at.phase_number}
            connection.execute(table.insert().values(**values))


@dataclass(frozen=True)
class ReasonsGiven:
    """The part of a change that gives the reasons of rulings."""

    reasons: tuple[StoredReason, ...]

    def write(self, connection: Connection, at: ChangeMoment) -> None:
        """Store the reasons."""
        if self.reasons:
            rows = [{"game": at.game, **asdict(one)} for one in self.reasons]
            connection.execute(schema.reasons.insert(), rows)


def readings_of(connection: Connection, game: str, phase_number: int) -> tuple[StoredReading, ...]:
    """Return the corrections of orders of a phase, in order."""
    table = schema.readings
    here = (table.c.game == game, table.c.phase_number == phase_number)
    return tuple(
        StoredReading(
            row["power"],
            row["order"],
            row["read"],
            StoredReason(row["digest"], row["salt"], row["text"], row["withheld"]),
        )
        for row in connection.execute(select(table).where(*here).order_by(table.c.number)).mappings()
    )
