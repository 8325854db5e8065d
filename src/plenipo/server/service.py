"""The game service: the one way to a game for pages and programs, from seats and orders to processing.

Nothing here depends on the web. The rules are pure functions in other modules: `new_games`, `permissions`, `seats`,
`submissions`, `processing`, `deadlines`. `games` holds the games and changes them, one at a time.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from threading import Lock

from cachetools import LRUCache, cachedmethod

from plenipo import bots
from plenipo.bots import Bot
from plenipo.engine.dice import SEED_BYTES, Dice
from plenipo.engine.history import record
from plenipo.engine.history.record import Chain
from plenipo.engine.history.turns import Turns
from plenipo.engine.position import GAME_MASTER, Power
from plenipo.engine.sentences import SentenceKind
from plenipo.errors import PhaseNotOver
from plenipo.library import plugins
from plenipo.server import conditional_orders, keys, ready_check, seats, uploads
from plenipo.server.broker import MARKS, Announcement, Broker, time_event
from plenipo.server.clock import Clock, clock_of
from plenipo.server.computers import COMPUTER
from plenipo.server.deadlines import CANNOT_END, NothingDue, change_timing, due, processed_by_hand, wake_of
from plenipo.server.errors import NoDeadline, NoKey, NotYours, SeatRefused, UnknownGame
from plenipo.server.games import Games
from plenipo.server.hosted_game import HOTSEAT, LINKS, Credentials, GameView, HostedGame, Offer, ViewFingerprint
from plenipo.server.hosting.changes import Changes
from plenipo.server.hosting.matchmaking import OpenSeat
from plenipo.server.hosting.schedule import length_of
from plenipo.server.hosting.spectators import phases_of
from plenipo.server.hosting.tick import BEFORE, DueChange, GameState, TimeAct
from plenipo.server.matchmaking import may_be_taken, open_seats
from plenipo.server.new_games import GameKeys, NewGameRequest, hosted_of
from plenipo.server.notifications import later
from plenipo.server.opened_files import GameFile, read_file
from plenipo.server.permissions import (
    eyes,
    own_seat,
    played_power,
    require_all_seats,
    require_may_process,
    require_phase,
)
from plenipo.server.press import Correspondence
from plenipo.server.processing import GoneOn, end_in_draw, explain_missing, goes_on_alone, process_phase, undo_turns
from plenipo.server.quota import require_room
from plenipo.server.reliability import require_welcome
from plenipo.server.seats import FOR_A_WHILE, FOR_GOOD, INVITED, TENURE, Newcomer, Seat, SeatAct
from plenipo.server.settings_changes import NeedsVoteError, by_host
from plenipo.server.store import GameChange, JournalEntry, Store, StoredKey, StoredTenure
from plenipo.server.store.conditional_orders import ConditionalOrdersGiven
from plenipo.server.store.persons import GuestKnown
from plenipo.server.store.reliability import Reliability
from plenipo.server.store.values import SEATLESS, Json, NewPerson
from plenipo.server.submissions import Edit, OrderSetChange, submit_order_set
from plenipo.server.voting import Voting
from plenipo.server.warm_up import UNTIL_THEN, Warming

__all__ = ["GameService"]

_FORK_TURN_UNKNOWN = SentenceKind(
    "server-fork-turn-unknown", "The game has {turn} turns: it cannot be forked after {count}."
)
_SETTINGS_CHANGED = SentenceKind("server-settings-changed", "The host changed the settings.")
_DISCARD_GAME = SentenceKind("server-discard-game", "Only a what-if can be deleted; this is a game.")
_KEY_WRONG = SentenceKind("server-key-wrong", "This key does not open this game; use the link you were given.")
_SPECTATORS_NONE = SentenceKind("server-spectators-none", "This game allows no spectators.")
_SPECTATORS_AFTER_GAME = SentenceKind(
    "server-spectators-after-game", "Only players can see this game until it is over."
)
_INVITATION_MISSING = SentenceKind(
    "server-invitation-missing",
    "You need an invitation to join; ask the host for the link.",
)
_PLAYER_BLOCKED = SentenceKind("server-player-blocked", "The host of this game has blocked you; choose another game.")
_WISH_OF_OTHERS = SentenceKind("server-preference-of-others", "Only the player of a seat can choose preferred powers.")
_HOST_REMOVES_PLAYERS = SentenceKind(
    "server-host-removes-players", "Only the host of a game can remove another player."
)
_READY_OF_OTHERS = SentenceKind("server-ready-of-others", "Only players of the game can confirm that they are ready.")
_OFFER_MISSING = SentenceKind(
    "server-offer-missing", "This needs the link of an offered seat; the offer may have been taken or withdrawn."
)
_GAME_NOT_LISTED = SentenceKind(
    "server-game-not-listed", "This game is not listed; you need a link to take over a seat."
)
_OFFER_GONE = SentenceKind("server-offer-gone", "Another player has taken this seat, or the offer was withdrawn.")
_GAME_SECRETS = SentenceKind(
    "server-game-secrets", "This game has hidden information; all of it becomes public when the game is over."
)
_CONDITIONAL_ORDERS_HOTSEAT = SentenceKind(
    "server-conditional-orders-hotseat", "A hotseat game has no conditional orders."
)


YEAR = timedelta(days=365)
"""The period over which reliability is measured."""

HELD_LATE = 50
"""The number of delayed views of games held in memory."""

MOST_ALONE = 30
"""The most phases processed in a row because no person has anything to order in them."""


class GameService:
    """The games of one store; safe to use from several threads.

    With a `warming`, computer players that search play simply until the code they need is compiled; without it, they
    search at once.
    """

    def __init__(
        self, store: Store, broker: Broker | None = None, clock: Clock | None = None, warming: Warming | None = None
    ) -> None:
        self.store = store
        store.later = later
        self.clock = clock or clock_of(store)
        self.broker = broker or Broker()
        self._warming = warming
        if warming is not None:
            warming.told = self._announce_warming
        self.games = Games(store, self.broker, self.clock)
        self.press = Correspondence(self.games)
        self.voting = Voting(self.games, self.settle)
        self._late: LRUCache[tuple[str, int, int], HostedGame] = LRUCache(HELD_LATE)
        self._late_guard = Lock()

    # Opening

    def open(self, new: NewGameRequest) -> GameKeys:
        """Open a game; raise `UnknownName`, `InvalidVariant`, `InvalidRecord` and `QuotaReached`."""
        hosted = hosted_of(new, _dice(), self.clock.now())
        game_keys = self._open(hosted, new.guest)
        if hosted.timing is not None:
            self.settle(hosted.id)
        elif goes_on_alone(hosted):
            self._processed_by_itself(hosted.id, hosted.phase_number)
        return game_keys

    def upload(self, value: object) -> GameKeys:
        """Open a record as a hotseat game with the computer players it names; raise the errors of `uploads.game_of`."""
        game = uploads.game_of(value)
        computers = uploads.computers_of(value, game.rules)
        return self._open(HostedGame(id=keys.game_id(), name=game.rules.title, game=game, computers=computers))

    def open_file(self, text: str, number: int = 1) -> tuple[GameKeys, GameFile]:
        """Open a game of a file in any format as a hotseat game; raise the errors of `read_file` and `upload`."""
        opened = read_file(text, number)
        return self.upload(record.encode_game(opened.game)), opened

    def fork(self, game_id: str, turns: int | None = None) -> GameKeys:
        """Open a what-if: a separate game that begins like this one, without secrets of the open phase.

        It has its own dice, so that players cannot find out by trying what the game's dice will show.
        """
        hosted = self.games.load(game_id)
        count = hosted.turn if turns is None else turns
        if not 0 <= count <= hosted.turn:
            raise UnknownGame(_FORK_TURN_UNKNOWN(turn=hosted.turn, count=count))
        self._shown_whole(hosted)
        past = hosted.game.fork(count)
        game = replace(past, turns=Turns(tuple(past.turns)), dice=_dice())  # it may outlive the game it comes from
        computers = dict.fromkeys(hosted.rules.names, "")
        return self._open(
            HostedGame(
                id=keys.game_id(), name=hosted.name, game=game, computers=computers, parent=game_id, parent_turn=count
            )
        )

    def _open(self, hosted: HostedGame, guest: NewPerson | None = None) -> GameKeys:
        require_room(self.store)
        new_keys = GameKeys(
            hosted.id,
            keys.token(),
            {power: keys.token() for power in hosted.persons} if hosted.seating == LINKS and not hosted.forming else {},
            keys.token() if hosted.forming else "",
        )
        tokens = {"": new_keys.all_seats} | {str(power): token for power, token in new_keys.seats.items()}
        if hosted.forming:
            tokens[INVITED] = new_keys.invitation
        stored_keys = [StoredKey(keys.digest(token), power) for power, token in tokens.items()]
        now = self.clock.now()
        stored = hosted.to_stored()
        told = self.games.seat_notifications(None, hosted, GameChange())
        self.store.create(stored, stored_keys, now, wake_of(hosted, now), told, guest)
        self.games.remember(replace(hosted, chain=Chain.of(stored.record)))
        if self._warming is not None:
            self._warming.start_if_needed(hosted.computers.values())
        return new_keys

    def throw_away(self, game_id: str, credentials: Credentials) -> None:
        """Delete a what-if; raise `NotYours` for any other game."""
        hosted = self.games.load(game_id)
        require_all_seats(credentials)
        if hosted.parent is None:
            raise NotYours(_DISCARD_GAME())
        self.store.delete(game_id)
        self.games.forget(game_id)
        self.broker.announce(game_id, Announcement("gone", {}))

    # Seats

    def credentials(
        self, game_id: str, tokens: Iterable[str], person: str | None = None, *, kept: Iterable[str] = ()
    ) -> Credentials:
        """Return the credentials of these tokens and the signed-in person at this game.

        Raise `NoKey` for a token that opens nothing. Invalid ones that a browser has `kept` are ignored: an invitation
        expires when the game begins, perhaps between two visits.
        """
        powers: list[Power] = []
        offers: list[Offer] = []
        numbers: set[int] = set()
        all_seats = invited = False
        shown = tuple(tokens)
        for token in (*shown, *kept):
            game, power = self.store.key(keys.digest(token)) or ("", "")
            if game != game_id:
                if token not in shown:
                    continue
                raise NoKey(_KEY_WRONG())
            if power.startswith(TENURE):
                numbers.add(int(power.removeprefix(TENURE)))
            elif power.startswith((FOR_GOOD, FOR_A_WHILE)):
                offers.append(Offer(Power(power[1:]), power.startswith(FOR_GOOD), keys.digest(token)))
            elif power and power != INVITED:
                powers.append(Power(power))
            all_seats, invited = all_seats or not power, invited or power == INVITED
        mine: list[StoredTenure] = []
        forming = False
        if numbers or person is not None:
            hosted = self.games.load(game_id)
            forming, tenures = (
                hosted.forming or hosted.is_cancelled,
                [tenure for tenure in hosted.tenures if tenure.until is None],
            )
            mine = [t for t in tenures if t.number in numbers or (person is not None and t.person == person)]
        sitting = [tenure for tenure in mine if tenure.kind not in SEATLESS]
        powers += [Power(tenure.power) for tenure in sitting if tenure.power and not forming]
        return Credentials(
            powers=tuple(dict.fromkeys(powers)),
            all_seats=all_seats or any(tenure.kind == "host" for tenure in mine),
            invited=invited,
            player=sitting[0].number if sitting else None,
            offers=tuple(offers),
            person=person,
            tenures=tuple(tenure.number for tenure in mine),
        )

    def eyes(
        self, game_id: str, credentials: Credentials, seat: str | None
    ) -> tuple[Power | None, ViewFingerprint, int]:
        """Return the viewpoint for `seat`: a power, `all`, `observer`, or nothing.

        Also return the state of the view (the same state, the same answers), and the revision of the game.
        Raise `UnknownName` for a seat that does not exist, `NotYours` for one the keys do not open.
        """
        hosted = self._find_visible_game(game_id, credentials)
        who = eyes(hosted, credentials, seat)
        return who, hosted.state(who, credentials), hosted.revision

    def _find_visible_game(self, game_id: str, credentials: Credentials) -> HostedGame:
        """Return the game as the viewer may see it, delayed for spectators; raise `NotYours` if they may not see it."""
        hosted = self.games.load(game_id)
        if hosted.looked_on or credentials.at_table:
            return hosted
        settings = hosted.settings
        if settings.spectators == "nobody" and not credentials.offers:
            raise NotYours(_SPECTATORS_NONE())
        phases = phases_of(settings.delay)
        if phases is not None:
            turns = max(hosted.turn - phases, 0)
        elif settings.delay:
            before = self.clock.now() - length_of(settings.delay)
            turns = sum(at <= before for at in self.store.times(game_id)[1])
        else:
            turns = 0
        return self._after(hosted, min(turns, hosted.turn))

    @cachedmethod(
        lambda self: self._late,
        key=lambda _, hosted, turns: (hosted.id, hosted.revision, turns),
        lock=lambda self: self._late_guard,
    )
    def _after(self, hosted: HostedGame, turns: int) -> HostedGame:
        return hosted.after(turns)

    def looked_on(self, game_id: str) -> bool:
        """Return whether spectators see a game as it is now; raise `UnknownGame`."""
        return self.games.load(game_id).looked_on

    def require_table(self, game_id: str, credentials: Credentials) -> None:
        """Raise `NotYours` for a delayed spectator."""
        if self._find_visible_game(game_id, credentials).late:
            raise NotYours(_SPECTATORS_AFTER_GAME())

    # Joining

    def join(self, game_id: str, credentials: Credentials, name: str, *preferences: str) -> str:
        """Join a game that has not begun, as `name`, with preferred powers or any; return the token of the seat.

        The game begins automatically when every seat is taken. Raise `NoKey` without an invitation to a game that is
        not listed, `Over` if the game has begun, and `SeatRefused`.
        """
        if not (credentials.invited or credentials.all_seats or self.finds(game_id, credentials)):
            raise NoKey(_INVITATION_MISSING())
        self._require_welcome(game_id, credentials)
        token = keys.token()
        newcomer = Newcomer(name, keys.digest(token), credentials.person, credentials.all_seats)

        def change(hosted: HostedGame) -> tuple[HostedGame, GameChange, bool]:
            after, done, full = seats.join_game(hosted, newcomer, preferences, self.clock.now())
            return after, _with_guest(done, credentials), full

        full = self.games.change(game_id, change)
        self._tell_lobby(game_id)
        if full:
            self._begin(game_id)
        return token

    def reliability(self, person: str | None) -> Reliability:
        """Return a person's reliability in the last 12 months; empty if it is not known."""
        since = self.clock.now() - YEAR
        return Reliability() if person is None else self.store.standings.reliability(person, since)

    def _require_welcome(self, game_id: str, credentials: Credentials) -> None:
        """Raise `SeatRefused` for a player who does not meet the requirements of a game; its host always may join."""
        person, settings = credentials.person, self.games.load(game_id).settings
        if not credentials.all_seats:
            self._require_unblocked(game_id, person)
            require_welcome(settings, self.reliability(person), member=self.store.persons.is_member(person))

    def _require_unblocked(self, game_id: str, person: str | None) -> None:
        """Raise `SeatRefused` for a person whom the host has blocked."""
        tenures = self.games.load(game_id).tenures
        hosts = [one.person for one in tenures if one.kind == "host" and one.until is None and one.person]
        if person is not None and hosts and self.store.moderation.is_blocked(person, hosts):
            raise SeatRefused(_PLAYER_BLOCKED())

    def finds(self, game_id: str, credentials: Credentials) -> bool:
        """Return whether a person finds a game without its link."""
        hosted, person = self.games.load(game_id), credentials.person
        if any(reserve.number in credentials.tenures for reserve in hosted.reserves):
            return True
        listed = hosted.settings.listed
        return listed == "listed" or (listed == "members" and self.store.persons.is_member(person))

    def open_seats(self, person: str | None) -> tuple[OpenSeat, ...]:
        """Return the open seats of the games that a person finds."""
        known = self.store.finding
        ids = known.list_games(
            (*BEFORE, GameState.RUNNING, GameState.PAUSED), members=self.store.persons.is_member(person)
        )
        offered = known.list_offered_seats(ids)
        games = ((game, self.games.load(game)) for game in ids)
        return tuple(
            seat
            for game, hosted in games
            for seat in open_seats(hosted, offered.get(game, ()), self._shown_in_lists(hosted))
        )

    def _shown_in_lists(self, hosted: HostedGame) -> HostedGame | None:
        """Return a game as lists show it; None if they show nothing of it."""
        hidden = hosted.settings.spectators == "nobody" and not hosted.looked_on
        return None if hidden else self._find_visible_game(hosted.id, Credentials())

    def list_watchable_games(self, person: str | None) -> tuple[GameView, ...]:
        """Return the running listed games that are open to all spectators, as a spectator sees them."""
        goes_on = (GameState.RUNNING, GameState.PAUSED)
        ids = self.store.finding.list_games(goes_on, members=self.store.persons.is_member(person))
        public = (game for game in ids if self.games.load(game).settings.spectators == "public")
        return tuple(self.view(game, Credentials(), None) for game in public)

    def preference(self, game_id: str, credentials: Credentials, number: int, preferences: Sequence[str]) -> None:
        """Change the preferred powers before a game begins; raise `NotYours`, `Over` and `SeatRefused`."""
        keeps = credentials.all_seats and self.games.load(game_id).settings.deal == "host"
        if credentials.player != number and not keeps:
            raise NotYours(_WISH_OF_OTHERS())
        self.games.change(game_id, lambda hosted: seats.set_preferences(hosted, number, preferences))
        if self.games.load(game_id).settings.deal != "preferences":  # preferences are secret
            self._tell_lobby(game_id)

    def leave(self, game_id: str, credentials: Credentials, number: int) -> None:
        """Leave a game that has not begun, or remove a player as its host; raise `NotYours` and `Over`."""
        if not credentials.all_seats and number not in credentials.tenures:
            raise NotYours(_HOST_REMOVES_PLAYERS())
        self.games.change(game_id, lambda hosted: seats.leave_game(hosted, number, self.clock.now()))
        self._tell_lobby(game_id)

    def admit(self, game_id: str, credentials: Credentials, number: int) -> None:
        """Give a seat to a player on the waiting list; raise `NotYours`, `Over` and `SeatRefused`."""
        require_all_seats(credentials)
        if self.games.change(game_id, lambda hosted: seats.admit_player(hosted, number, self.clock.now())):
            self._begin(game_id)
        self._tell_lobby(game_id)

    def confirm_presence(self, game_id: str, credentials: Credentials) -> None:
        """Answer the ready check; the game begins when all players have. Raise `NotYours` and `Over`."""
        number = credentials.player
        if number is None:
            raise NotYours(_READY_OF_OTHERS())
        if self.games.change(game_id, lambda hosted: ready_check.here(hosted, number)):
            self._begin(game_id)
        self._tell_lobby(game_id)

    def start(self, game_id: str, credentials: Credentials) -> None:
        """Start a game, with computer players on the free seats; raise `NotYours`, `Over` and `SeatRefused`."""
        require_all_seats(credentials)
        self._begin(game_id)

    def cancel(self, game_id: str, credentials: Credentials) -> None:
        """Cancel a game that has not begun; raise `NotYours` and `Over`."""
        require_all_seats(credentials)
        self.games.change(game_id, seats.cancel_game)
        self._tell_lobby(game_id)

    def _begin(self, game_id: str) -> None:
        now = self.clock.now()

        def begin(hosted: HostedGame) -> tuple[HostedGame, GameChange, None]:
            if ready_check.is_needed(hosted):
                return ready_check.start_ready_check(hosted, now)
            computer = hosted.settings.computer or COMPUTER
            return seats.start_game(hosted, now, _dice, computer)

        self.games.change(game_id, begin)
        self._tell_lobby(game_id)
        self.settle(game_id)

    def _tell_lobby(self, game_id: str) -> None:
        self.broker.announce(game_id, Announcement("lobby", {}))

    # Changes of seats

    def act_on_seat(
        self, game_id: str, credentials: Credentials, power: str, act: SeatAct, computer: str = ""
    ) -> str | None:
        """Perform an action on the seat of a power: resign, lend it, offer it …; return the token of an offer.

        Raise `NotYours`, `NotBegun`, `Over`, `SeatRefused`, and `UnknownName` for an unknown power or computer player.
        """
        token = keys.token() if act in ("lend", "offer") else ""
        if computer:
            plugins.players()[computer]  # raises for an unknown player

        def change(hosted: HostedGame) -> tuple[HostedGame, GameChange, None]:
            seat = Seat(hosted, played_power(hosted, power))
            return seat.act(act, credentials, keys.digest(token), computer or hosted.settings.computer or COMPUTER)

        self.games.change(game_id, change)
        self._tell_seats(game_id)
        return token or None

    def get_up(self, person: str) -> None:
        """Leave every seat of a person, so that no game waits for it."""
        for game in self.store.persons.games(person):
            credentials = self.credentials(game.id, [], person)
            hosted = self.games.load(game.id)
            if hosted.forming and credentials.player is not None:
                self.leave(game.id, credentials, credentials.player)
            mine = next((tenure for tenure in hosted.players if tenure.number == credentials.player), None)
            if mine is not None and not (
                hosted.forming or hosted.is_cancelled or hosted.is_abandoned or hosted.game.over
            ):
                act: SeatAct = "take back" if mine.kind == "sitter" else "resign"
                self.act_on_seat(game.id, credentials, mine.power, act)

    def accept(self, game_id: str, credentials: Credentials, name: str) -> str:
        """Take over an offered seat as `name`; return the token of the seat.

        Raise `NoKey` without an offer, `Over` and `SeatRefused`.
        """
        if not credentials.offers:
            raise NoKey(_OFFER_MISSING())
        offer = credentials.offers[0]
        self._require_unblocked(game_id, credentials.person)

        def may(_hosted: HostedGame) -> bool:
            return self.store.key(offer.digest) is not None

        return self._accept_offer(game_id, credentials, name, (offer.power, offer.for_good), may)

    def take_over(self, game_id: str, credentials: Credentials, power: str, name: str) -> str:
        """Take over an open seat of a game that the person finds, as `name`; return the token of the seat.

        Raise `NoKey` for a game that is not listed or a seat that is not open, `Over` and `SeatRefused`.
        """
        self._require_welcome(game_id, credentials)
        if not self.finds(game_id, credentials):
            raise NoKey(_GAME_NOT_LISTED())

        def may(hosted: HostedGame) -> bool:
            return hosted.rules.power(power) in may_be_taken(
                hosted, self.store.finding.list_offered_seats([game_id]).get(game_id, ())
            )

        return self._accept_offer(game_id, credentials, name, (power, True), may)

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
            return after, _with_guest(done, credentials), None

        self.games.change(game_id, change)
        self._tell_seats(game_id)
        return token

    def claim(self, game_id: str, credentials: Credentials, power: str, name: str) -> str:
        """Add a name to a seat that is held only by a link, and revoke the link; return the new token of the seat.

        Raise `NotYours`, `NotBegun`, `Over` and `SeatRefused`.
        """
        token = keys.token()
        newcomer = Newcomer(name, keys.digest(token), credentials.person, credentials.all_seats)

        def change(hosted: HostedGame) -> tuple[HostedGame, GameChange, None]:
            after, done, _ = Seat(hosted, played_power(hosted, power)).claim(newcomer, credentials)
            return after, _with_guest(done, credentials), None

        self.games.change(game_id, change)
        self._tell_seats(game_id)
        return token

    def _tell_seats(self, game_id: str) -> None:
        hosted = self.games.load(game_id)
        self.broker.announce(game_id, Announcement("time", time_event(hosted.phase_number)))
        if hosted.timing is not None:
            self.settle(game_id)
        self.voting.settle(game_id)

    def journal(self, game_id: str) -> tuple[JournalEntry, ...]:
        """Return the game log; raise `UnknownGame`."""
        self.games.revision(game_id)
        return self.store.journal(game_id)

    # Views

    def view(self, game_id: str, credentials: Credentials, who: Power | None) -> GameView:
        """Return the view of the game from the viewpoint `who`, as `eyes` returns it; raise `UnknownGame`."""
        return self._find_visible_game(game_id, credentials).view(who, credentials)

    def revision(self, game_id: str) -> int:
        """Return the revision of a game, which grows with every change; raise `UnknownGame`."""
        return self.games.revision(game_id)

    def record(self, game_id: str, credentials: Credentials) -> Json:
        """Return the record of a game; of a running game, the dice's seed is included only in a hotseat game."""
        hosted = self.games.load(game_id)
        if not (credentials.all_seats and hosted.seating == HOTSEAT):
            self._shown_whole(hosted)
        whole = record.encode_game(hosted.game, public=not (credentials.all_seats and hosted.seating == HOTSEAT))
        reasons = self.store.reasons(game_id) if hosted.game.rulings else ()
        told = {one.digest: [one.salt, one.text] for one in reasons if hosted.game.over or not one.withheld}
        if told:
            whole["reasons"] = told
        return {**whole, "computers": {power: computer for power, computer in hosted.computers.items() if computer}}

    @staticmethod
    def _shown_whole(hosted: HostedGame) -> None:
        """Raise `NotYours` if a game has past events that are not public."""
        if not hosted.public:
            raise NotYours(_GAME_SECRETS())

    def public(self, game_id: str) -> bool:
        """Return whether all past events of a game are public; raise `UnknownGame`."""
        return self.games.load(game_id).public

    def forming(self, game_id: str) -> bool:
        """Return whether a game has not begun, or was cancelled before it did; raise `UnknownGame`."""
        hosted = self.games.load(game_id)
        return hosted.forming or hosted.is_cancelled

    def opens(self, game_id: str, token: str) -> bool:
        """Return whether a token is a key to a game."""
        return (self.store.key(keys.digest(token)) or ("", ""))[0] == game_id

    # Orders

    def submit_orders(
        self, game_id: str, credentials: Credentials, seat: str, phase_number: int, edit: Edit
    ) -> OrderSetChange:
        """Apply an edit to an order set, all of it or nothing; when this returns it is on disk.

        Raise `Stale` if the phase is over, `NotYours`, `Over`, and `OrderRefused` for the first refused order.
        """
        hosted, done = self.games.change_game(
            game_id, lambda before: submit_order_set(before, credentials, seat, phase_number, edit)
        )
        done = replace(done, hosted=hosted)
        public = {"power": done.power, "status": done.status, "phase_number": phase_number}
        private = {**public, "version": done.order_set.version, "client": edit.client}
        self.broker.announce(game_id, Announcement("order_set", public if done.public else None, private, done.power))
        if hosted.names_hidden and done.changed:
            self.broker.announce(game_id, Announcement("order_set", None, public, MARKS))
            self._announce_draws(game_id, hosted)
        if hosted.timing is not None:
            return replace(done, processed=self.settle(game_id))
        if hosted.seating == LINKS and done.order_set.ready and hosted.ready and hosted.phase_number == phase_number:
            turns = self._processed_by_itself(game_id, phase_number)
            return replace(done, processed=turns)
        return done

    def _announce_draws(self, game_id: str, hosted: HostedGame) -> None:
        """Announce to the game master that draws are due, in a game in which others do not see that all are ready."""
        if hosted.drawing.due:
            what = {"power": None, "status": None, "phase_number": hosted.phase_number}
            self.broker.announce(game_id, Announcement("order_set", None, what, GAME_MASTER))

    def order_ahead(
        self,
        game_id: str,
        credentials: Credentials,
        seat: str,
        phase_number: int,
        texts: Sequence[str],
        client: str = "",
    ) -> tuple[str, ...]:
        """Store ranked conditional orders for the retreats and adjustments before the next moves, and return them.

        `client` is an id of the player's browser window, as in an `Edit`.

        Raise `Stale`, `NotYours`, `Over`, `NoDeadline` for a hotseat game, and `OrderRefused`.
        """

        def change(hosted: HostedGame) -> tuple[HostedGame, GameChange, tuple[str, ...]]:
            power = own_seat(hosted, credentials, seat, phase_number)
            if hosted.seating != LINKS or power not in hosted.rules.names:
                raise NoDeadline(_CONDITIONAL_ORDERS_HOTSEAT())
            kept = conditional_orders.check_orders(hosted.rules, hosted.seen_by(power), texts)
            everything = {**hosted.ahead, power: kept}
            left = {power: orders for power, orders in everything.items() if orders}
            stored = {str(power): orders for power, orders in left.items()}
            return hosted.with_ahead(left), GameChange(parts=(ConditionalOrdersGiven(stored),), untold=True), kept

        kept = self.games.change(game_id, change)
        private = {"power": seat, "phase_number": phase_number, "client": client}
        self.broker.announce(game_id, Announcement("order_set", None, private, seat))
        return kept

    # Time

    def settle(self, game_id: str, away: timedelta = timedelta(0)) -> tuple[int, ...]:
        """Do what is due in a game, `away` being the time since the last check; return the turns this played."""
        turns: list[int] = []
        for _ in range(MOST_ALONE):
            try:
                act, number, phase_number = self.games.change(game_id, partial(self._due, away))
            except NothingDue:
                break
            if act.process:
                what = {"phase_number": phase_number, "turn": number, "what": "processed"}
                self.broker.announce(game_id, Announcement("phase", what))
                turns.append(number - 1)
            elif act.kind == "ended":
                what = {"phase_number": phase_number, "turn": number, "what": "drawn"}
                self.broker.announce(game_id, Announcement("phase", what))
            elif act.kind in ("ready_check_over", "cancelled"):
                self._tell_lobby(game_id)
            else:
                what = time_event(phase_number, act.why)
                hidden = act.kind == "ready" and self.games.load(game_id).names_hidden
                told = Announcement("time", None, what, MARKS) if hidden else Announcement("time", what)
                self.broker.announce(game_id, told)
            away = timedelta(0)
        if turns:
            self.voting.settle(game_id)
        return tuple(turns)

    def _due(self, away: timedelta, hosted: HostedGame) -> tuple[HostedGame, GameChange, tuple[DueChange, int, int]]:
        return due(hosted, self.clock.now(), away, self._player)

    def go_on(self, game_id: str, away: timedelta = timedelta(0)) -> tuple[int, ...]:
        """Do what is due in a game that is due by the store; return the turns played because of it."""
        before = self.games.revision(game_id)
        turns = self.settle(game_id, away)
        if self.games.revision(game_id) == before:
            # nothing was due after all: set its next instant, so that it is not checked again and again
            hosted = self.games.load(game_id)
            self.store.wake(game_id, hosted.revision, wake_of(hosted, self.clock.now()))
        return turns

    def keep_time(self, game_id: str, credentials: Credentials, phase_number: int, act: TimeAct) -> None:
        """Pause or resume a game, or move its deadline; raise `Stale`, `NotYours`, `Over` or `NoDeadline`."""
        require_all_seats(credentials)
        now = self.clock.now()
        hosted = self.games.change(game_id, lambda hosted: change_timing(hosted, phase_number, act, now))
        self.broker.announce(game_id, Announcement("time", time_event(hosted.phase_number, act.why)))
        self.settle(game_id)

    def change_settings(self, game_id: str, credentials: Credentials, changes: Changes) -> bool:
        """Change the settings of a running game; return whether that needs a vote of all seats, which is then opened.

        The host may give more time without a vote. Raise `NoKey`, `NotYours`, `NotBegun`, `Over`, `ChangeRefused`,
        `InvalidSchedule` and `MotionRefused`.
        """
        require_all_seats(credentials)
        now = self.clock.now()
        try:
            hosted = self.games.change(game_id, lambda hosted: by_host(hosted, credentials, changes, now))
        except NeedsVoteError:
            self.voting.move(game_id, credentials, "settings", changes=changes)
            return True
        self.broker.announce(game_id, Announcement("time", time_event(hosted.phase_number, _SETTINGS_CHANGED())))
        self.settle(game_id)
        return False

    # Processing

    def process(self, game_id: str, credentials: Credentials, phase_number: int, reason: str = "") -> tuple[int, ...]:
        """Process the open phase, and the next ones in which no person has anything to order; return the turns played.

        The game log of a game with deadlines has an entry about it, with the `reason`. Raise `Stale` if the phase has
        been processed already, `Over` when the game is over, `NotYours` for a host who plays before the phase is due,
        and `PhaseNotOver` if the phase cannot end yet because a choice or draw is missing.
        """
        require_all_seats(credentials)

        def by_hand(hosted: HostedGame, now: datetime) -> GoneOn:
            require_phase(hosted, phase_number)
            require_may_process(hosted, credentials, now)
            try:
                after, change, numbers = process_phase(hosted, phase_number, now, self._player)
            except PhaseNotOver as fault:
                named = hosted.sees_names(credentials)
                raise (explain_missing(hosted, fault) if named else PhaseNotOver(CANNOT_END)) from fault
            return after, replace(change, entries=(*change.entries, *processed_by_hand(hosted, now, reason))), numbers

        number = self._go_on(game_id, "processed", by_hand)[1] - 1
        return (number, *self._processed_alone(game_id, phase_number))

    def _processed_by_itself(self, game_id: str, phase_number: int) -> tuple[int, ...]:
        number = self._process_one(game_id, phase_number)
        return (number, *self._processed_alone(game_id, phase_number))

    def _processed_alone(self, game_id: str, phase_number: int) -> tuple[int, ...]:
        """Process the phases after a phase in which no person has anything to order."""
        turns = list[int]()
        for further in range(1, MOST_ALONE):
            hosted = self.games.load(game_id)
            if hosted.phase_number != phase_number + further or not goes_on_alone(hosted):
                break
            turns.append(self._process_one(game_id, hosted.phase_number))
        return tuple(turns)

    def _process_one(self, game_id: str, phase_number: int) -> int:
        def make(hosted: HostedGame, now: datetime) -> GoneOn:
            return process_phase(hosted, phase_number, now, self._player)

        return self._go_on(game_id, "processed", make)[1] - 1

    # Computers

    def warmth(self, computers: Mapping[Power, str]) -> str:
        """Return a notice about how these computers play at present, empty if there is none."""
        return self._warming.words(computers.values()) if self._warming is not None else ""

    def why_simple(self) -> str:
        """Return the reason computer players cannot search now, empty if they can, and start the preparation."""
        if self._warming is None or self._warming.ready or bots.is_compiled():
            return bots.why_simple()
        self._warming.start_if_needed(bots.LEVELS)
        return self._warming.words(bots.LEVELS) or UNTIL_THEN

    def _player(self, name: str) -> Bot:
        """Return the current substitute of a computer player, or itself."""
        players = plugins.players().values
        if self._warming is not None:
            name = self._warming.player(name)
        return players.get(name, players[COMPUTER])  # a player that is no longer installed is replaced

    def _announce_warming(self) -> None:
        """Announce the progress of the preparation to listeners, for the computer players of their game."""
        for game_id in self.broker.games():
            if self.store.revision(game_id) is not None:
                words = self.warmth(self.games.load(game_id).computers)
                self.broker.announce(game_id, Announcement("computers", {"words": words}))

    def _go_on(self, game_id: str, what: str, make: Callable[[HostedGame, datetime], GoneOn]) -> tuple[int, int]:
        """Change a game by `make`, announce it, and return the numbers of the phase and turn that are now open."""
        at = self.clock.now()
        now, turn = self.games.change(game_id, lambda hosted: make(hosted, at))
        self.broker.announce(game_id, Announcement("phase", {"phase_number": now, "turn": turn, "what": what}))
        return now, turn

    def undo(self, game_id: str, credentials: Credentials, phase_number: int) -> int:
        """Undo turns of a hotseat game, back to a phase in which a person had orders, and restore its order sets.

        Return the number of the phase that is now open. Raise `Stale`, and `Over` if there is nothing to undo.
        """
        require_all_seats(credentials)
        return self._go_on(game_id, "undone", lambda hosted, now: undo_turns(hosted, phase_number, now))[0]

    def draw(
        self, game_id: str, credentials: Credentials, phase_number: int, powers: Sequence[str] | None = None
    ) -> int:
        """End the game in a draw between `powers`, or all survivors; return the new phase number."""
        require_all_seats(credentials)
        return self._go_on(game_id, "drawn", lambda hosted, now: end_in_draw(hosted, phase_number, powers, now))[0]


def _with_guest(change: GameChange, credentials: Credentials) -> GameChange:
    """Return a change of seats that stores the new person to whom a seat belongs first."""
    guest = credentials.guest
    return change if guest is None else replace(change, parts=(GuestKnown(guest), *change.parts))


def _dice() -> Dice:
    return Dice(secrets.token_bytes(SEED_BYTES))
