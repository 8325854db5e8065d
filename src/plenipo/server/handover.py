"""The seats of running games: passing them from one player to another."""

from collections.abc import Callable
from dataclasses import replace

from plenipo.engine.sentences import SentenceKind
from plenipo.library import plugins
from plenipo.server import keys
from plenipo.server.broker import Announcement, time_event
from plenipo.server.computers import COMPUTER
from plenipo.server.errors import NoKey
from plenipo.server.games import Games
from plenipo.server.hosted_game import Credentials, HostedGame
from plenipo.server.matchmaking import Matchmaking, may_be_taken
from plenipo.server.permissions import played_power
from plenipo.server.seats import Newcomer, Seat, SeatAct
from plenipo.server.store import GameChange
from plenipo.server.store.matchmaking import MatchmakingStore
from plenipo.server.store.persons import GuestKnown
from plenipo.server.timekeeping import Timekeeper
from plenipo.server.voting import Voting

__all__ = ["Handover", "with_guest"]

_OFFER_MISSING = SentenceKind(
    "server-offer-missing", "This needs the link of an offered seat; the offer may have been taken or withdrawn."
)
_GAME_NOT_LISTED = SentenceKind(
    "server-game-not-listed", "This game is not listed; you need a link to take over a seat."
)
_OFFER_GONE = SentenceKind("server-offer-gone", "Another player has taken this seat, or the offer was withdrawn.")


class Handover:
    """The seats of the running games of one store; safe to use from several threads."""

    def __init__(self, games: Games, matchmaking: Matchmaking, time: Timekeeper, voting: Voting) -> None:
        self.games, self._matchmaking, self._time, self._voting = games, matchmaking, time, voting

    def act(
        self,
        game_id: str,
        credentials: Credentials,
        power: str,
        act: SeatAct,
        computer: str = "",
        *,
        reason: str = "",
    ) -> str | None:
        """Perform an action on the seat of a power: resign, lend it, offer it …; return the token of an offer.

        The `reason` of a removal is in the game log and in the notification of the removed player.
        Raise `NotYours`, `NotBegun`, `Over`, `SeatRefused`, and `UnknownName` for an unknown power or computer player.
        """
        token = keys.token() if act in ("lend", "offer") else ""
        if computer:
            plugins.players()[computer]  # raises for an unknown player

        def change(hosted: HostedGame) -> tuple[HostedGame, GameChange, None]:
            seat = Seat(hosted, played_power(hosted, power))
            player = computer or hosted.settings.computer or COMPUTER
            return seat.act(act, credentials, keys.digest(token), player, reason)

        self.games.change(game_id, change)
        self._announce(game_id)
        return token or None

    def accept(self, game_id: str, credentials: Credentials, name: str) -> str:
        """Take over an offered seat as `name`; return the token of the seat.

        Raise `NoKey` without an offer, `Over` and `SeatRefused`.
        """
        if not credentials.offers:
            raise NoKey(_OFFER_MISSING())
        offer = credentials.offers[0]
        self._matchmaking.require_unblocked(game_id, credentials.person)

        def may(_hosted: HostedGame) -> bool:
            return self.games.store.key(offer.digest) is not None

        return self._accept_offer(game_id, credentials, name, (offer.power, offer.for_good), may)

    def take_over(self, game_id: str, credentials: Credentials, power: str, name: str) -> str:
        """Take over an open seat of a game that the person finds, as `name`; return the token of the seat.

        Raise `NoKey` for a game that is not listed or a seat that is not open, `Over` and `SeatRefused`.
        """
        self._matchmaking.require_welcome(game_id, credentials)
        if not self._matchmaking.finds(game_id, credentials):
            raise NoKey(_GAME_NOT_LISTED())

        def may(hosted: HostedGame) -> bool:
            return hosted.rules.power(power) in may_be_taken(
                hosted, self.games.store.of(MatchmakingStore).list_offered_seats([game_id]).get(game_id, ())
            )

        return self._accept_offer(game_id, credentials, name, (power, True), may)

    def claim(self, game_id: str, credentials: Credentials, power: str, name: str) -> str:
        """Add a name to a seat that is held only by a link, and revoke the link; return the new token of the seat.

        Raise `NotYours`, `NotBegun`, `Over` and `SeatRefused`.
        """
        token = keys.token()
        newcomer = Newcomer(name, keys.digest(token), credentials.person, credentials.all_seats)

        def change(hosted: HostedGame) -> tuple[HostedGame, GameChange, None]:
            after, done, _ = Seat(hosted, played_power(hosted, power)).claim(newcomer, credentials)
            return after, with_guest(done, credentials), None

        self.games.change(game_id, change)
        self._announce(game_id)
        return token

    def _accept_offer(
        self,
        game_id: str,
        credentials: Credentials,
        name: str,
        offered: tuple[str, bool],
        may: Callable[[HostedGame], bool],
    ) -> str:
        token = keys.token()
        newcomer = Newcomer(name, keys.digest(token), credentials.person, credentials.all_seats)
        power, for_good = offered

        def change(hosted: HostedGame) -> tuple[HostedGame, GameChange, None]:
            seat = Seat(hosted, played_power(hosted, power))
            if not may(hosted):
                raise NoKey(_OFFER_GONE())
            after, done, _ = seat.accept(newcomer, for_good=for_good)
            return after, with_guest(done, credentials), None

        self.games.change(game_id, change)
        self._announce(game_id)
        return token

    def _announce(self, game_id: str) -> None:
        hosted = self.games.load(game_id)
        self.games.broker.announce(game_id, Announcement("time", time_event(hosted.phase_number)))
        if hosted.timing is not None:
            self._time.settle(game_id)
        self._voting.settle(game_id)


def with_guest(change: GameChange, credentials: Credentials) -> GameChange:
    """Return a change of seats that stores the new person to whom a seat belongs first."""
    guest = credentials.guest
    return change if guest is None else replace(change, parts=(GuestKnown(guest), *change.parts))
