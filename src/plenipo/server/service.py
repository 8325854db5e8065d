"""The game service: the one way to a game for pages and programs, from seats and orders to processing.

Nothing here depends on the web. The rules are pure functions in other modules: `new_games`, `permissions`, `seats`,
`submissions`, `processing`, `deadlines`. `games` holds the games and changes them, one at a time.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import Any

from cachetools import LRUCache, cachedmethod

from plenipo.engine.history import record
from plenipo.engine.history.record import Chain
from plenipo.engine.history.turns import Turns
from plenipo.engine.position import Power
from plenipo.engine.sentences import SentenceKind
from plenipo.server import keys, uploads
from plenipo.server.broker import Announcement, Broker
from plenipo.server.clock import Clock, clock_of
from plenipo.server.computer_players import ComputerPlayers
from plenipo.server.deadlines import wake_of
from plenipo.server.deals import Bargains
from plenipo.server.errors import NoKey, NotYours, UnknownGame
from plenipo.server.games import Games
from plenipo.server.handover import Handover
from plenipo.server.hosted_game import HOTSEAT, LINKS, Credentials, GameView, HostedGame, Offer, ViewFingerprint
from plenipo.server.hosting.schedule import length_of
from plenipo.server.hosting.spectators import phases_of
from plenipo.server.invitations import Invitations
from plenipo.server.lobby import Lobby
from plenipo.server.matchmaking import Matchmaking, notify_seekers
from plenipo.server.new_games import GameKeys, NewGameRequest, hosted_of, roll_seed
from plenipo.server.notifications import add_notices, later
from plenipo.server.ordering import Ordering
from plenipo.server.permissions import (
    eyes,
    require_all_seats,
)
from plenipo.server.phases import Phases
from plenipo.server.press import Correspondence
from plenipo.server.processing import goes_on_alone
from plenipo.server.quota import require_room
from plenipo.server.reliability import add_results
from plenipo.server.seats import FOR_A_WHILE, FOR_GOOD, INVITED, TENURE, SeatAct, find_end, with_names
from plenipo.server.store import GameChange, JournalEntry, Store, StoredKey, StoredTenure
from plenipo.server.store.matchmaking import MatchmakingStore
from plenipo.server.store.persons import Persons
from plenipo.server.store.values import SEATLESS, Json, NewPerson
from plenipo.server.timekeeping import Timekeeper
from plenipo.server.tournaments import Tournaments
from plenipo.server.uploads import CheckedRecord
from plenipo.server.voting import Voting
from plenipo.server.warm_up import Warming

__all__ = ["GameService"]

_FORK_TURN_UNKNOWN = SentenceKind(
    "server-fork-turn-unknown", "The game has {turn} turns: it cannot be forked after {count}."
)
_DISCARD_GAME = SentenceKind("server-discard-game", "Only a what-if can be deleted; this is a game.")
_KEY_WRONG = SentenceKind("server-key-wrong", "This key does not open this game; use the link you were given.")
_SPECTATORS_NONE = SentenceKind("server-spectators-none", "This game allows no spectators.")
_SPECTATORS_AFTER_GAME = SentenceKind(
    "server-spectators-after-game", "Only players can see this game until it is over."
)
_GAME_SECRETS = SentenceKind(
    "server-game-secrets", "This game has hidden information; all of it becomes public when the game is over."
)


HELD_LATE = 50
"""The number of delayed views of games held in memory."""


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
        about_seats = partial(notify_seekers, store.of(MatchmakingStore), self.clock)
        self.games = Games(store, self.broker, self.clock, (add_notices, about_seats, add_results))
        self.computers = ComputerPlayers(self.games, warming)
        self.press = Correspondence(self.games)
        self.deals = Bargains(self.games, self.computers)
        self.voting = Voting(self.games, self._settle)
        self.phases = Phases(self.games, self.computers)
        self.time = Timekeeper(self.games, self.computers, self.voting)
        self.orders = Ordering(self.games, self.time, self.phases)
        self.matchmaking = Matchmaking(self.games, self.find_visible_game)
        self.lobby = Lobby(self.games, self.matchmaking, self.time)
        self.invitations = Invitations(self.games)
        self.handover = Handover(self.games, self.matchmaking, self.time, self.voting)
        self.tournaments = Tournaments(self.games, self.lobby, self.open)
        self._late: LRUCache[tuple[str, int, int], HostedGame] = LRUCache(HELD_LATE)
        self._late_guard = Lock()

    def _settle(self, game_id: str) -> None:
        self.time.settle(game_id)

    # Opening

    def open(self, new: NewGameRequest) -> GameKeys:
        """Open a game; raise `UnknownName`, `InvalidVariant`, `InvalidRecord` and `QuotaReached`."""
        hosted = hosted_of(new, roll_seed(), self.clock.now())
        game_keys = self._open(hosted, new.guest)
        if hosted.timing is not None:
            self.time.settle(hosted.id)
        elif goes_on_alone(hosted):
            self.phases.process_alone(hosted.id, hosted.phase_number)
        return game_keys

    def upload(self, checked: CheckedRecord) -> GameKeys:
        """Open a checked record as a hotseat game with the computer players it names; raise `QuotaReached`.

        Of its turns only the newest is decoded: all of them take seconds, in which other threads would hardly run.
        """
        whole = checked.record
        rules = uploads.rules_of(whole["variant"], whole["options"])
        entries = record.entries_of(whole)
        rulings = {number: entry for number, entry in enumerate(entries) if "ruling" in entry}
        hashes = [entry["hash"] for entry in entries]
        game = record.open_game(whole, rules, hashes, lambda first, last: entries[first:last], rulings)
        computers = {power: checked.computers.get(power, "") for power in rules.names}
        return self._open(HostedGame(id=keys.game_id(), name=rules.title, game=game, computers=computers), whole=whole)

    def fork(self, game_id: str, turns: int | None = None) -> GameKeys:
        """Open a what-if: a separate game that begins like this one, without secrets of the open phase.

        It has its own dice, so that players cannot find out by trying what the game's dice will show.
        """
        hosted = self.games.load(game_id)
        count = hosted.turn if turns is None else turns
        if not 0 <= count <= hosted.turn:
            raise UnknownGame(_FORK_TURN_UNKNOWN(turn=hosted.turn, count=count))
        _require_public(hosted)
        past = hosted.game.fork(count)
        game = replace(past, turns=Turns(tuple(past.turns)), dice=roll_seed())  # it may outlive the game it comes from
        computers = dict.fromkeys(hosted.rules.names, "")
        return self._open(
            HostedGame(
                id=keys.game_id(), name=hosted.name, game=game, computers=computers, parent=game_id, parent_turn=count
            )
        )

    def _open(
        self, hosted: HostedGame, guest: NewPerson | None = None, *, whole: Mapping[str, Any] | None = None
    ) -> GameKeys:
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
        stored = hosted.to_stored(whole)
        told = notify_seekers(self.store.of(MatchmakingStore), self.clock, None, hosted, GameChange()).notices
        self.store.create(stored, stored_keys, now, wake_of(hosted, now), told, guest)
        if whole is None:
            self.games.remember(replace(hosted, chain=Chain.of(stored.record)))
        else:
            self.games.load(hosted.id)  # its turns are read from the store, and not held with the whole record
        self.computers.prepare(hosted.computers.values())
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
        former: list[int] = []
        forming = False
        if numbers or person is not None:
            hosted = self.games.load(game_id)
            forming, tenures = (
                hosted.forming or hosted.is_cancelled,
                [tenure for tenure in hosted.tenures if tenure.until is None],
            )
            mine = [t for t in tenures if t.number in numbers or (person is not None and t.person == person)]
            former = [t.number for t in _played_by(hosted, person) if t.until is not None]
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
            former=max(former, default=None) if not sitting else None,
        )

    def eyes(
        self, game_id: str, credentials: Credentials, seat: str | None
    ) -> tuple[Power | None, ViewFingerprint, int]:
        """Return the viewpoint for `seat`: a power, `all`, `observer`, or nothing.

        Also return the state of the view (the same state, the same answers), and the revision of the game.
        Raise `UnknownName` for a seat that does not exist, `NotYours` for one the keys do not open.
        """
        hosted = self.find_visible_game(game_id, credentials)
        who = eyes(hosted, credentials, seat)
        return who, hosted.state(who, credentials), hosted.revision

    def find_visible_game(self, game_id: str, credentials: Credentials) -> HostedGame:
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
        if self.find_visible_game(game_id, credentials).late:
            raise NotYours(_SPECTATORS_AFTER_GAME())

    def leave_every_seat(self, person: str) -> None:
        """Leave every seat of a person, so that no game waits for it; games that cannot be opened keep theirs."""
        games = [game.id for game in self.store.of(Persons).games(person)]
        self.games.open_each(games, lambda hosted: self._leave_seat(hosted, person))

    def _leave_seat(self, hosted: HostedGame, person: str) -> None:
        credentials = self.credentials(hosted.id, [], person)
        if hosted.forming and credentials.player is not None:
            self.lobby.leave(hosted.id, credentials, credentials.player)
        mine = next((tenure for tenure in hosted.players if tenure.number == credentials.player), None)
        if mine is not None and not (hosted.forming or hosted.is_cancelled or hosted.is_abandoned or hosted.game.over):
            act: SeatAct = "take back" if mine.kind == "sitter" else "resign"
            self.handover.act(hosted.id, credentials, mine.power, act)

    def journal(self, game_id: str) -> tuple[JournalEntry, ...]:
        """Return the game log; raise `UnknownGame`."""
        self.games.revision(game_id)
        return self.store.journal(game_id)

    # Views

    def view(self, game_id: str, credentials: Credentials, who: Power | None) -> GameView:
        """Return the view of the game from the viewpoint `who`, as `eyes` returns it; raise `UnknownGame`."""
        view = self.find_visible_game(game_id, credentials).view(who, credentials)
        former = self._describe_end(game_id, credentials)
        return view if former is None else replace(view, former=former)

    def _describe_end(self, game_id: str, credentials: Credentials) -> tuple[Power, str] | None:
        """Return the power that a former player played, and the sentence on the end of that; None for others."""
        if credentials.former is None:
            return None
        hosted = self.games.load(game_id)
        tenure = next((one for one in hosted.tenures if one.number == credentials.former), None)
        entry = None if tenure is None else find_end(tenure, hosted.tenures, self.store.journal(game_id))
        if tenure is None or entry is None:
            return None
        return Power(tenure.power), with_names(entry.statement, hosted.known_to(credentials, tenure.number))

    def record(self, game_id: str, credentials: Credentials) -> Json:
        """Return the record of a game; of a running game, the dice's seed is included only in a hotseat game."""
        hosted = self.games.load(game_id)
        if not (credentials.all_seats and hosted.seating == HOTSEAT):
            _require_public(hosted)
        whole = record.encode_game(hosted.game, public=not (credentials.all_seats and hosted.seating == HOTSEAT))
        reasons = self.store.reasons(game_id) if hosted.game.rulings else ()
        told = {one.digest: [one.salt, one.text] for one in reasons if hosted.game.over or not one.withheld}
        if told:
            whole["reasons"] = told
        return {**whole, "computers": {power: computer for power, computer in hosted.computers.items() if computer}}

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


def _played_by(hosted: HostedGame, person: str | None) -> Iterator[StoredTenure]:
    """Yield the tenures of a person on seats of a game, also the ended ones."""
    for tenure in hosted.tenures if person is not None else ():
        if tenure.person == person and tenure.power and tenure.kind not in SEATLESS:
            yield tenure


def _require_public(hosted: HostedGame) -> None:
    """Raise `NotYours` if a game has past events that are not public."""
    if not hosted.public:
        raise NotYours(_GAME_SECRETS())
