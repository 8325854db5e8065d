"""Tournaments: people register, the director begins round after round, and the games of the boards score them."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from plenipo.engine.position import Power
from plenipo.engine.sentences import SentenceKind
from plenipo.server import keys, uploads
from plenipo.server.errors import NotYours, TournamentRefused, UnknownTournament
from plenipo.server.games import Games
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.names import name_of, require_title
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.settings import settings_of
from plenipo.server.hosting.tournaments import (
    MOST_PLAYERS,
    PlayerStanding,
    plan_of,
    rank_players,
    seat_round,
)
from plenipo.server.lobby import Lobby
from plenipo.server.new_games import GameKeys, NewGameRequest
from plenipo.server.store.persons import StoredPerson
from plenipo.server.store.tournaments import StoredBoard, StoredTournament, TournamentStore
from plenipo.server.store.values import Json

__all__ = ["LONGEST_DESCRIPTION", "NewTournament", "Tournaments"]

_TOURNAMENT_UNKNOWN = SentenceKind("server-tournament-unknown", "There is no such tournament; the list shows them all.")
_NAME_MISSING = SentenceKind("server-tournament-name-missing", "Give the tournament a name.")
_TOO_MANY = SentenceKind(
    "server-tournament-too-many", "You already run {count} tournaments; end or cancel one of them first."
)
_DIRECTOR_ONLY = SentenceKind("server-tournament-director-only", "Only the director of the tournament can do this.")
_REGISTRATION_OVER = SentenceKind("server-tournament-registration-over", "This tournament takes no more players.")
_PLAYER_ALREADY = SentenceKind("server-tournament-player-already", "You already take part in this tournament.")
_PLAYER_UNKNOWN = SentenceKind(
    "server-tournament-player-unknown", "There is no such player in this tournament; the list shows them all."
)
_FULL = SentenceKind("server-tournament-full", "This tournament has {most} players, which is as many as it takes.")
_ROUND_RUNNING = SentenceKind(
    "server-tournament-round-running",
    "Round {number} is not over; the next step follows when all its games have ended.",
)
_ROUNDS_PLAYED = SentenceKind("server-tournament-rounds-played", "All {count} rounds of this tournament have begun.")
_BEGUN = SentenceKind("server-tournament-begun", "Round {number} has just begun; load the page again.")
_NOT_OPEN = SentenceKind("server-tournament-not-open", "This tournament is over or was cancelled.")
_STARTED = SentenceKind("server-tournament-started", "This tournament has begun, so it can only be ended.")

MOST_OPEN = 5
"""The most tournaments that a person may run at once."""

LONGEST_DESCRIPTION = 2_000
"""The most characters of the description."""


@dataclass(frozen=True)
class NewTournament:
    """A request for a new tournament.

    `plan` and `settings` are values as forms send them, of a `TournamentPlan` and of the settings of its games;
    `schedule` is the name of a preset, with a time zone.
    """

    name: str
    variant: str = "standard"
    description: str = ""
    plan: Mapping[str, object] | None = None
    schedule: str = "Weekdays"
    zone: str | None = None
    settings: Mapping[str, object] | None = None


class Tournaments:
    """The tournaments of one store; safe to use from several threads. `open_game` opens a game."""

    def __init__(self, games: Games, lobby: Lobby, open_game: Callable[[NewGameRequest], GameKeys]) -> None:
        self.games, self._lobby, self._open_game = games, lobby, open_game
        self._store = games.store.of(TournamentStore)

    def create(self, director: StoredPerson, new: NewTournament) -> str:
        """Open a tournament for registration and return its id.

        Raise `TournamentRefused`, and the errors of a schedule, settings, a variant or a name that cannot be.
        """
        name = require_title(new.name)[:100]
        if not name:
            raise TournamentRefused(_NAME_MISSING())
        count = self._store.count_open(director.id)
        if count >= MOST_OPEN:
            raise TournamentRefused(_TOO_MANY(count=count))
        uploads.rules_of(new.variant)
        plan = plan_of(new.plan or {})
        schedule: Json = {"preset": new.schedule, "zone": new.zone}
        schedule_of(new.schedule, new.zone)
        settings = {**(new.settings or {}), "scoring": plan.scoring, "deal": "taken", "ready_check": False}
        settings_of(settings)
        tournament = StoredTournament(
            keys.game_id(),
            name,
            new.description.strip()[:LONGEST_DESCRIPTION],
            new.variant,
            plan.model_dump(mode="json"),
            schedule,
            settings,
            director.id,
            "registration",
            0,
            self.games.clock.now(),
        )
        self._store.create(tournament)
        return tournament.id

    def find(self, tournament: str) -> StoredTournament:
        """Return a tournament; raise `UnknownTournament`."""
        found = self._store.find(tournament)
        if found is None:
            raise UnknownTournament(_TOURNAMENT_UNKNOWN())
        return found

    def list_newest(self) -> tuple[tuple[StoredTournament, int], ...]:
        """Return the tournaments that were not cancelled, the newest first, each with the number of its players."""
        return self._store.list_newest()

    # Players

    def join(self, tournament: str, person: StoredPerson, name: str = "") -> None:
        """Register a person, or take them back if they had left; raise `TournamentRefused` and `SeatRefused`."""
        here = self.find(tournament)
        _require_open(here)
        known = here.player_of(person.id)
        if known is not None:
            if known.active:
                raise TournamentRefused(_PLAYER_ALREADY())
            self._store.set_active(tournament, known.number, active=True)
            return
        if here.round >= plan_of(here.plan).rounds:
            raise TournamentRefused(_REGISTRATION_OVER())
        if len(here.players) >= MOST_PLAYERS:
            raise TournamentRefused(_FULL(most=MOST_PLAYERS))
        powers = uploads.rules_of(here.variant).names
        called = name_of(name or person.name, powers, [player.name for player in here.players])
        while not self._store.add_player(tournament, person.id, called):
            if self.find(tournament).player_of(person.id) is not None:
                return

    def leave(self, tournament: str, person: StoredPerson) -> None:
        """Take no part in further rounds; before the first, the registration is deleted. Raise `TournamentRefused`."""
        here = self.find(tournament)
        known = here.player_of(person.id)
        if known is None:
            raise TournamentRefused(_PLAYER_UNKNOWN())
        self._take_out(here, known.number)

    def remove(self, tournament: str, director: StoredPerson, number: int) -> None:
        """Take a player out of further rounds, as the director; raise `NotYours` and `TournamentRefused`."""
        here = self.find(tournament)
        _require_director(here, director)
        if all(player.number != number for player in here.players):
            raise TournamentRefused(_PLAYER_UNKNOWN())
        self._take_out(here, number)

    def _take_out(self, here: StoredTournament, number: int) -> None:
        if any(number in board.seats.values() for board in here.boards):
            self._store.set_active(here.id, number, active=False)
        else:
            self._store.remove_player(here.id, number)

    # Rounds

    def start_round(self, tournament: str, director: StoredPerson) -> None:
        """Seat the players of the next round and open its games; open those of a round that was cut short first.

        Raise `NotYours`, and `TournamentRefused` while games of the round before go on or when all rounds have begun.
        """
        here = self.find(tournament)
        _require_director(here, director)
        _require_open(here)
        if all(board.has_begun for board in here.boards):
            self._seat_next_round(here)
            here = self.find(tournament)
        for board in here.boards:
            if not board.has_begun:
                self._begin_board(here, board, director)

    def _seat_next_round(self, here: StoredTournament) -> None:
        plan = plan_of(here.plan)
        _require_round_over(here)
        if here.round >= plan.rounds:
            raise TournamentRefused(_ROUNDS_PLAYED(count=plan.rounds))
        powers = uploads.rules_of(here.variant).names
        earlier = [{Power(power): str(number) for power, number in board.seats.items()} for board in here.boards]
        players = [str(player.number) for player in here.active_players]
        boards = seat_round(players, powers, earlier, secrets.randbelow)
        seats = [{str(power): int(person) for power, person in board.items()} for board in boards]
        if not self._store.begin_round(here.id, here.round + 1, seats):
            raise TournamentRefused(_BEGUN(number=here.round + 1))

    def _begin_board(self, here: StoredTournament, board: StoredBoard, director: StoredPerson) -> None:
        """Open the game of a board, unless that is done, and seat its players; computers play the other powers."""
        game = board.game or self._open_board(here, board, director)
        if game is None:
            return  # another request was faster
        hosted = self.games.load(game)
        held = {tenure.person for tenure in hosted.players}
        known = {player.number: player for player in here.players}
        seated = [(power, known[number]) for power, number in board.seats.items() if known[number].person is not None]
        for power, player in seated:
            if player.person not in held:
                self._lobby.join(game, Credentials(all_seats=True, person=player.person), player.name, power)
        if len(seated) < len(hosted.rules.names):
            self._lobby.start(game, Credentials(all_seats=True))

    def _open_board(self, here: StoredTournament, board: StoredBoard, director: StoredPerson) -> str | None:
        """Open the game of a board and return its id; None if another request has opened it."""
        settings = settings_of({**here.settings, "computer": plan_of(here.plan).computer})
        new = NewGameRequest(
            here.variant,
            {},
            name=f"{here.name} {board.round}.{board.board}"[:100],
            schedule=schedule_of(here.schedule["preset"], here.schedule["zone"]),
            lobby=True,
            settings=settings,
            host=(director.id, director.name),
        )
        game = self._open_game(new).id
        if self._store.set_game(here.id, board, game):
            return game
        self.games.store.delete(game)
        self.games.forget(game)
        return None

    def end(self, tournament: str, director: StoredPerson) -> None:
        """End a tournament, so that its standings are final; raise `NotYours` and `TournamentRefused`."""
        here = self.find(tournament)
        _require_director(here, director)
        _require_round_over(here)
        if here.state != "running" or not self._store.set_state(tournament, "running", "over"):
            raise TournamentRefused(_NOT_OPEN())

    def cancel(self, tournament: str, director: StoredPerson) -> None:
        """Cancel a tournament before its first round; raise `NotYours` and `TournamentRefused`."""
        here = self.find(tournament)
        _require_director(here, director)
        if not self._store.set_state(tournament, "registration", "cancelled"):
            raise TournamentRefused(_STARTED() if here.state == "running" else _NOT_OPEN())

    def rank(self, here: StoredTournament) -> tuple[PlayerStanding, ...]:
        """Return the standings; the results of games that go on are not counted."""
        scores: list[dict[str, Fraction]] = [{} for _ in range(here.round)]
        for one in self._store.list_results(here.id):
            scores[one.round - 1][str(one.player)] = Fraction(one.score).limit_denominator(10_000)
        for board in here.boards:
            if board.is_over:
                for number in board.seats.values():
                    scores[board.round - 1].setdefault(str(number), Fraction(0))  # a player who left scores nothing
        return rank_players([str(player.number) for player in here.players], scores, plan_of(here.plan).counted)


def _require_director(here: StoredTournament, person: StoredPerson) -> None:
    if here.director != person.id:
        raise NotYours(_DIRECTOR_ONLY())


def _require_open(here: StoredTournament) -> None:
    if here.state not in ("registration", "running"):
        raise TournamentRefused(_NOT_OPEN())


def _require_round_over(here: StoredTournament) -> None:
    if not all(board.is_over for board in here.boards):
        raise TournamentRefused(_ROUND_RUNNING(number=here.round))
