"""The store of tournaments: their players, and the boards and seats of their rounds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Engine, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from plenipo.server.store import schema
from plenipo.server.store.reliability import ENDED
from plenipo.server.store.values import Json

__all__ = [
    "BoardResult",
    "StoredBoard",
    "StoredTournament",
    "TournamentPlayer",
    "TournamentState",
    "TournamentStore",
]

TournamentState = Literal["registration", "running", "over", "cancelled"]
"""The stages of a tournament."""

MOST_LISTED = 100
"""The most tournaments of the list."""


@dataclass(frozen=True)
class TournamentPlayer:
    """A player of a tournament; `person` is None for a deleted account."""

    number: int
    name: str
    person: str | None
    active: bool = True


@dataclass(frozen=True)
class StoredBoard:
    """A board of a round: the players of its powers by number, and its game with its state once it is opened."""

    round: int
    board: int
    seats: Mapping[str, int]
    game: str | None = None
    phase: str = ""
    state: str = ""

    @property
    def has_begun(self) -> bool:
        """True if all players are seated and the game has begun."""
        return self.game is not None and self.state not in ("forming", "ready_check")

    @property
    def is_over(self) -> bool:
        """True if the game has ended, or never began."""
        return self.state in (*ENDED, "cancelled")


@dataclass(frozen=True)
class BoardResult:
    """The result of a player on a board."""

    round: int
    player: int
    score: float


@dataclass(frozen=True)
class StoredTournament:
    """A tournament with its players and boards; `round` is the number of rounds that have begun."""

    id: str
    name: str
    description: str
    variant: str
    plan: Json
    schedule: Json
    settings: Json
    director: str | None
    state: TournamentState
    round: int
    created: datetime
    players: tuple[TournamentPlayer, ...] = ()
    boards: tuple[StoredBoard, ...] = ()

    @property
    def active_players(self) -> tuple[TournamentPlayer, ...]:
        """The players who take part in the next round."""
        return tuple(one for one in self.players if one.active and one.person is not None)

    def player_of(self, person: str | None) -> TournamentPlayer | None:
        """Return the player who is a person, None if there is none."""
        return next((one for one in self.players if person is not None and one.person == person), None)


_COLUMNS = (
    "id", "name", "description", "variant", "plan", "schedule", "settings", "director", "state", "round", "created",
)  # fmt: skip


class TournamentStore:
    """The tournaments of one database; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def create(self, tournament: StoredTournament) -> None:
        """Store a new tournament, without players."""
        with self.engine.begin() as connection:
            values = {name: getattr(tournament, name) for name in _COLUMNS}
            connection.execute(schema.tournaments.insert().values(values))

    def find(self, tournament: str) -> StoredTournament | None:
        """Return a tournament with its players and boards, None if there is none."""
        with self.engine.connect() as connection:
            query = select(schema.tournaments).where(schema.tournaments.c.id == tournament)
            row = connection.execute(query).mappings().one_or_none()
            if row is None:
                return None
            found = _as_tournament(row)
            return replace(
                found, players=_list_players(connection, tournament), boards=_list_boards(connection, tournament)
            )

    def list_newest(self) -> tuple[tuple[StoredTournament, int], ...]:
        """Return the tournaments that were not cancelled, the newest first, each with the number of its players."""
        table, players = schema.tournaments, schema.tournament_players
        counted = select(func.count()).where(players.c.tournament == table.c.id).scalar_subquery()
        query = (
            select(table, counted.label("players"))
            .where(table.c.state != "cancelled")
            .order_by(table.c.created.desc(), table.c.id)
            .limit(MOST_LISTED)
        )
        with self.engine.connect() as connection:
            return tuple((_as_tournament(row), row["players"]) for row in connection.execute(query).mappings())

    def count_open(self, director: str) -> int:
        """Return the number of tournaments that a person runs and that are not over."""
        table = schema.tournaments
        query = select(func.count()).where(table.c.director == director, table.c.state.in_(("registration", "running")))
        with self.engine.connect() as connection:
            return int(connection.execute(query).scalar_one())

    def add_player(self, tournament: str, person: str, name: str) -> bool:
        """Add a player; return False if another was added at the same time."""
        table = schema.tournament_players
        try:
            with self.engine.begin() as connection:
                last = select(func.max(table.c.number)).where(table.c.tournament == tournament)
                number = (connection.execute(last).scalar_one_or_none() or 0) + 1
                connection.execute(
                    table.insert().values(tournament=tournament, number=number, person=person, name=name, active=True)
                )
        except IntegrityError:
            return False
        return True

    def set_active(self, tournament: str, number: int, *, active: bool) -> None:
        """Say whether a player takes part in further rounds."""
        table = schema.tournament_players
        here = (table.c.tournament == tournament, table.c.number == number)
        with self.engine.begin() as connection:
            connection.execute(update(table).where(*here).values(active=active))

    def remove_player(self, tournament: str, number: int) -> None:
        """Remove a player who has no seat yet."""
        table = schema.tournament_players
        with self.engine.begin() as connection:
            connection.execute(delete(table).where(table.c.tournament == tournament, table.c.number == number))

    def set_state(self, tournament: str, before: TournamentState, after: TournamentState) -> bool:
        """Change the state; return False if it is not `before` any more."""
        table = schema.tournaments
        with self.engine.begin() as connection:
            here = (table.c.id == tournament, table.c.state == before)
            return connection.execute(update(table).where(*here).values(state=after)).rowcount == 1

    def begin_round(self, tournament: str, number: int, boards: Sequence[Mapping[str, int]]) -> bool:
        """Store the seats of a round, if it is the next one; return False, and do nothing, if it is not."""
        table = schema.tournaments
        with self.engine.begin() as connection:
            here = (table.c.id == tournament, table.c.round == number - 1)
            begun = update(table).where(*here).values(round=number, state="running")
            if connection.execute(begun).rowcount != 1:
                return False
            for board, seats in enumerate(boards, 1):
                at = {"tournament": tournament, "round": number, "board": board}
                connection.execute(schema.tournament_boards.insert().values(**at, game=None))
                rows = [{**at, "power": power, "player": player} for power, player in seats.items()]
                connection.execute(schema.tournament_seats.insert(), rows)
        return True

    def set_game(self, tournament: str, board: StoredBoard, game: str) -> bool:
        """Store the game of a board; return False if it has one."""
        table = schema.tournament_boards
        here = (table.c.tournament == tournament, table.c.round == board.round, table.c.board == board.board)
        with self.engine.begin() as connection:
            query = update(table).where(*here, table.c.game.is_(None)).values(game=game)
            return connection.execute(query).rowcount == 1

    def list_results(self, tournament: str) -> tuple[BoardResult, ...]:
        """Return the results of the players who stayed to the end of their games."""
        boards, results = schema.tournament_boards, schema.results
        tenures, players = schema.tenures, schema.tournament_players
        query = (
            select(boards.c.round, players.c.number, results.c.score)
            .join(results, results.c.game == boards.c.game)
            .join(tenures, (tenures.c.game == results.c.game) & (tenures.c.number == results.c.tenure))
            .join(players, (players.c.tournament == boards.c.tournament) & (players.c.person == tenures.c.person))
            .where(boards.c.tournament == tournament, results.c.came != "left")
        )
        with self.engine.connect() as connection:
            return tuple(BoardResult(*row) for row in connection.execute(query))


def _as_tournament(row: Mapping[Any, Any]) -> StoredTournament:
    return StoredTournament(**{name: row[name] for name in _COLUMNS})


def _list_players(connection: Connection, tournament: str) -> tuple[TournamentPlayer, ...]:
    table = schema.tournament_players
    query = select(table).where(table.c.tournament == tournament).order_by(table.c.number)
    return tuple(TournamentPlayer(row.number, row.name, row.person, row.active) for row in connection.execute(query))


def _list_boards(connection: Connection, tournament: str) -> tuple[StoredBoard, ...]:
    boards, games, seats = schema.tournament_boards, schema.games, schema.tournament_seats
    query = (
        select(boards.c.round, boards.c.board, boards.c.game, games.c.phase, games.c.state)
        .join(games, games.c.id == boards.c.game, isouter=True)
        .where(boards.c.tournament == tournament)
        .order_by(boards.c.round, boards.c.board)
    )
    held: dict[tuple[int, int], dict[str, int]] = {}
    for seat in connection.execute(select(seats).where(seats.c.tournament == tournament).order_by(seats.c.power)):
        held.setdefault((seat.round, seat.board), {})[seat.power] = seat.player
    return tuple(
        StoredBoard(
            row.round, row.board, held.get((row.round, row.board), {}), row.game, row.phase or "", row.state or ""
        )
        for row in connection.execute(query)
    )
