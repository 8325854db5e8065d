"""The store of reliability: deadlines met, games left, and results."""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import Connection, Engine, delete, func, or_, select

from plenipo.server.store import schema
from plenipo.server.store.values import Attendance, ChangeMoment, StoredResult

__all__ = ["DeadlineMet", "FinishedGame", "RatedSeat", "Reliability", "ResultsFinal", "Standings"]

UNPLAYED = ("forming", "ready_check", "cancelled")
"""The states of games that never began."""

ENDED = ("over", "abandoned")
"""The states of games that have ended after play."""


@dataclass(frozen=True)
class Reliability:
    """The reliability of a person in numbers: deadlines met of all due, games left of all played."""

    met: int = 0
    due: int = 0
    left: int = 0
    games: int = 0


@dataclass(frozen=True)
class FinishedGame:
    """A game that a person played to its end, and that person's result."""

    id: str
    name: str
    variant: str
    power: str
    score: float
    ended: datetime


@dataclass(frozen=True)
class RatedSeat:
    """A seat of a finished game, for ratings: its person (None: deleted), and its result."""

    game: str
    tenure: int
    person: str | None
    score: float
    came: str


class Standings:
    """The reliability and results of people in one database; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def reliability(self, person: str, since: datetime) -> Reliability:
        """Return the reliability of a person since an instant.

        An anonymous game counts only when it is over: a growing count would reveal its players.
        """
        tenures, games, kept = schema.tenures, schema.games, schema.attendances
        mine = (kept.c.game == tenures.c.game) & (kept.c.tenure == tenures.c.number)
        shown = or_(~games.c.anonymous, games.c.state.in_(ENDED))
        deadlines = (
            select(kept.c.met, func.count())
            .join(tenures, mine)
            .join(games, games.c.id == kept.c.game)
            .where(tenures.c.person == person, shown)
        )
        played = (
            select(tenures.c.game, tenures.c.until)
            .join(games, games.c.id == tenures.c.game)
            .where(tenures.c.person == person, tenures.c.kind.in_(("player", "substitute")))
            .where(games.c.state.not_in(UNPLAYED), games.c.changed >= since, shown)
        )
        with self.engine.connect() as connection:
            grouped = connection.execute(deadlines.where(kept.c.at >= since).group_by(kept.c.met))
            counts: dict[bool, int] = dict(map(tuple, grouped))
            rows = list(connection.execute(played))
        met = counts.get(True, 0)
        left = {game for game, until in rows if until is not None}
        return Reliability(met, met + counts.get(False, 0), len(left), len({game for game, _ in rows}))

    def list_finished_games(self, person: str, most: int = 100) -> tuple[FinishedGame, ...]:
        """Return the listed games that a person played to their end, the newest first."""
        results, tenures, games = schema.results, schema.tenures, schema.games
        mine = (results.c.game == tenures.c.game) & (results.c.tenure == tenures.c.number)
        query = (
            select(games.c.id, games.c.name, games.c.variant, results.c.power, results.c.score, results.c.ended)
            .join(tenures, mine)
            .join(games, games.c.id == results.c.game)
            .where(tenures.c.person == person, games.c.listed == "listed", results.c.came != "left")
            .order_by(results.c.ended.desc())
            .limit(most)
        )
        with self.engine.connect() as connection:
            return tuple(FinishedGame(*row) for row in connection.execute(query))

    def list_rated_games(self, *, press: bool, variant: str = "", pace: str = "") -> tuple[tuple[RatedSeat, ...], ...]:
        """Return the finished games, each with the seats of people, in the order in which they ended.

        Those with or without private press; of one variant and of one pace, if those are given.
        """
        results, tenures = schema.results, schema.tenures
        mine = (results.c.game == tenures.c.game) & (results.c.tenure == tenures.c.number)
        query = (
            select(results.c.game, results.c.tenure, tenures.c.person, results.c.score, results.c.came)
            .join(tenures, mine)
            .where(results.c.press == press)
            .order_by(results.c.ended, results.c.game, results.c.tenure)
        )
        if variant:
            query = query.where(results.c.game.in_(select(schema.games.c.id).where(schema.games.c.variant == variant)))
        if pace:
            query = query.where(results.c.pace == pace)
        games: dict[str, list[RatedSeat]] = {}
        with self.engine.connect() as connection:
            for row in connection.execute(query):
                games.setdefault(row.game, []).append(RatedSeat(*row))
        return tuple(map(tuple, games.values()))

    def list_rated_variants(self) -> tuple[str, ...]:
        """Return the variants that have finished games with results, in alphabetical order."""
        games, results = schema.games, schema.results
        query = select(games.c.variant).join(results, results.c.game == games.c.id).distinct().order_by(games.c.variant)
        with self.engine.connect() as connection:
            return tuple(connection.execute(query).scalars())

    def name_people(self, persons: Collection[str]) -> dict[str, str]:
        """Return the names of people by their ids; people who are gone are left out."""
        table = schema.persons
        with self.engine.connect() as connection:
            rows = connection.execute(select(table.c.id, table.c.name).where(table.c.id.in_(persons)))
            return {row.id: row.name for row in rows}


@dataclass(frozen=True)
class DeadlineMet:
    """The part of a change that records who met the deadline of the phase before, and who did not."""

    attended: tuple[Attendance, ...]

    def write(self, connection: Connection, at: ChangeMoment) -> None:
        """Store the records; earlier ones of the phase stay."""
        table = schema.attendances
        known = select(table.c.tenure).where(table.c.game == at.game, table.c.phase_number == at.phase_before)
        before = set(connection.execute(known).scalars()) if self.attended else set()
        rows = [
            {"game": at.game, "phase_number": at.phase_before, "at": at.now, **asdict(one)}
            for one in self.attended
            if one.tenure not in before
        ]
        if rows:
            connection.execute(table.insert(), rows)


@dataclass(frozen=True)
class ResultsFinal:
    """The part of a change that ends a game, with its results; without any if the game goes on after all."""

    results: tuple[StoredResult, ...]

    def write(self, connection: Connection, at: ChangeMoment) -> None:
        """Store the results in place of earlier ones."""
        table = schema.results
        connection.execute(delete(table).where(table.c.game == at.game))
        if self.results:
            rows = [{"game": at.game, "ended": at.now, **asdict(one)} for one in self.results]
            connection.execute(table.insert(), rows)
