"""Games that have not begun: players join and leave, and the host starts or cancels the game."""

from collections.abc import Sequence

from plenipo.engine.sentences import SentenceKind
from plenipo.library import plugins
from plenipo.server import keys, ready_check, seats
from plenipo.server.broker import Announcement
from plenipo.server.computers import COMPUTER
from plenipo.server.errors import NoKey, NotYours
from plenipo.server.games import Games
from plenipo.server.handover import with_guest
from plenipo.server.hosted_game import Credentials, HostedGame
from plenipo.server.matchmaking import Matchmaking
from plenipo.server.new_games import roll_seed
from plenipo.server.permissions import require_all_seats
from plenipo.server.seats import Newcomer
from plenipo.server.store import GameChange
from plenipo.server.timekeeping import Timekeeper

__all__ = ["Lobby"]

_INVITATION_MISSING = SentenceKind(
    "server-invitation-missing",
    "You need an invitation to join; ask the host for the link.",
)
_WISH_OF_OTHERS = SentenceKind("server-preference-of-others", "Only the player of a seat can choose preferred powers.")
_HOST_REMOVES_PLAYERS = SentenceKind(
    "server-host-removes-players", "Only the host of a game can remove another player."
)
_READY_OF_OTHERS = SentenceKind("server-ready-of-others", "Only players of the game can confirm that they are ready.")


class Lobby:
    """The lobbies of the games of one store; safe to use from several threads."""

    def __init__(self, games: Games, matchmaking: Matchmaking, time: Timekeeper) -> None:
        self.games, self._matchmaking, self._time = games, matchmaking, time

    def join(self, game_id: str, credentials: Credentials, name: str, *preferences: str) -> str:
        """Join a game that has not begun, as `name`, with preferred powers or any; return the token of the seat.

        The game begins automatically when every seat is taken. Raise `NoKey` without an invitation to a game that is
        not listed, `Over` if the game has begun, and `SeatRefused`.
        """
        if not (credentials.invited or credentials.all_seats or self._matchmaking.finds(game_id, credentials)):
            seats.require_invitations(self.games.load(game_id))
            raise NoKey(_INVITATION_MISSING())
        self._matchmaking.require_welcome(game_id, credentials)
        token = keys.token()
        newcomer = Newcomer(name, keys.digest(token), credentials.person, credentials.all_seats)

        def change(hosted: HostedGame) -> tuple[HostedGame, GameChange, bool]:
            after, done, full = seats.join_game(hosted, newcomer, preferences, self.games.clock.now())
            return after, with_guest(done, credentials), full

        full = self.games.change(game_id, change)
        self._announce(game_id)
        if full:
            self._begin(game_id)
        return token

    def preference(self, game_id: str, credentials: Credentials, number: int, preferences: Sequence[str]) -> None:
        """Change the preferred powers before a game begins; raise `NotYours`, `Over` and `SeatRefused`."""
        keeps = credentials.all_seats and self.games.load(game_id).settings.deal == "host"
        if credentials.player != number and not keeps:
            raise NotYours(_WISH_OF_OTHERS())
        self.games.change(game_id, lambda hosted: seats.set_preferences(hosted, number, preferences))
        if self.games.load(game_id).settings.deal != "preferences":  # preferences are secret
            self._announce(game_id)

    def leave(self, game_id: str, credentials: Credentials, number: int) -> None:
        """Leave a game that has not begun, or remove a player as its host; raise `NotYours` and `Over`."""
        if not credentials.all_seats and number not in credentials.tenures:
            raise NotYours(_HOST_REMOVES_PLAYERS())
        self.games.change(game_id, lambda hosted: seats.leave_game(hosted, number, self.games.clock.now()))
        self._announce(game_id)

    def admit(self, game_id: str, credentials: Credentials, number: int) -> None:
        """Give a seat to a player on the waiting list; raise `NotYours`, `Over` and `SeatRefused`."""
        require_all_seats(credentials)
        if self.games.change(game_id, lambda hosted: seats.admit_player(hosted, number, self.games.clock.now())):
            self._begin(game_id)
        self._announce(game_id)

    def confirm_presence(self, game_id: str, credentials: Credentials) -> None:
        """Answer the ready check; the game begins when all players have. Raise `NotYours` and `Over`."""
        number = credentials.player
        if number is None:
            raise NotYours(_READY_OF_OTHERS())
        if self.games.change(game_id, lambda hosted: ready_check.here(hosted, number)):
            self._begin(game_id)
        self._announce(game_id)

    def start(self, game_id: str, credentials: Credentials, computer: str = "") -> None:
        """Start a game, with computer players on the free seats: `computer`, or that of its settings if empty.

        Raise `NotYours`, `Over`, `SeatRefused`, and `UnknownName` for an unknown computer player.
        """
        require_all_seats(credentials)
        if computer:
            plugins.players()[computer]  # raises for an unknown player
            self.games.change(game_id, lambda hosted: seats.choose_computer(hosted, computer))
        self._begin(game_id)

    def cancel(self, game_id: str, credentials: Credentials) -> None:
        """Cancel a game that has not begun; raise `NotYours` and `Over`."""
        require_all_seats(credentials)
        self.games.change(game_id, seats.cancel_game)
        self._announce(game_id)

    def _begin(self, game_id: str) -> None:
        now = self.games.clock.now()

        def begin(hosted: HostedGame) -> tuple[HostedGame, GameChange, None]:
            if ready_check.is_needed(hosted):
                return ready_check.start_ready_check(hosted, now)
            computer = hosted.settings.computer or COMPUTER
            return seats.start_game(hosted, now, roll_seed, computer)

        self.games.change(game_id, begin)
        self._announce(game_id)
        self._time.settle(game_id)

    def _announce(self, game_id: str) -> None:
        self.games.broker.announce(game_id, Announcement("lobby", {}))
