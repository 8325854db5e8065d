"""The host: who sits where, takes orders, processes phases, keeps games; the one way to a game for pages and programs.

Nothing here knows the web. A game is changed only by `Host`, each change on the newest revision and in one transaction
of the store: whoever comes second tries again on what the first has made, so no accepted order is lost and no phase is
processed twice.
"""

import logging
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from random import SystemRandom
from threading import Lock
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from cachetools import LRUCache

from plenipo import bots
from plenipo.bots import Bot, orders_of
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history import record
from plenipo.engine.history.dice import SEED_BYTES, Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import Chain
from plenipo.engine.history.turns import Turns
from plenipo.engine.history.view import View, view
from plenipo.engine.orders import Order, Promise
from plenipo.engine.position import GAME_MASTER, Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.errors import IllegalOrder, InvalidOrder, PhaseNotOver, PlenipoError, UnknownName
from plenipo.library import plugins
from plenipo.server import ahead, keys, seats, sharing
from plenipo.server.broker import Announcement, Broker
from plenipo.server.clock import Clock, clock_of
from plenipo.server.errors import (
    Busy,
    NoDeadline,
    NoKey,
    NotBegun,
    NotYours,
    OrderRefused,
    Over,
    Stale,
    UnknownGame,
)
from plenipo.server.hosted import (
    HOTSEAT,
    LINKS,
    Credentials,
    GameView,
    HostedGame,
    Offer,
    Sheet,
    State,
    Status,
    encode_timing,
    from_stored,
    legal_orders,
)
from plenipo.server.hosting.schedule import Schedule
from plenipo.server.hosting.settings import USUAL, Settings
from plenipo.server.hosting.tick import Act, GameState, TimeAct, begun, heard, opened, seated, tick, waiting
from plenipo.server.seats import FOR_A_WHILE, FOR_GOOD, INVITED, TENURE, Newcomer, Seat, SeatAct
from plenipo.server.store import (
    HERE,
    Change,
    JournalEntry,
    Notice,
    Seating,
    Stand,
    Store,
    StoredEntry,
    StoredKey,
    StoredTenure,
)
from plenipo.server.warming import UNTIL_THEN, Warming

__all__ = ["ALL_SEATS", "COMPUTER", "OBSERVER", "Edit", "GameKeys", "Host", "NewGame", "SheetChange"]

Json = dict[str, Any]
T = TypeVar("T")
GoneOn = tuple[HostedGame, Change, tuple[int, int]]

ALL_SEATS, OBSERVER = "all", "observer"
"""The eyes one may ask for besides those of a power: all seats at once, and a stranger's."""

ALL_SEATS_NAMES = frozenset({ALL_SEATS, "table"})
"""How the first of them may be written; `table` is its former name."""

ATTEMPTS = 50
"""How often a change is tried again when others came first."""

HELD = 256
"""How many games are held in memory."""

MOST_ALONE = 30
"""The most phases processed in a row because no person has anything to order in them."""

COMPUTER = "middling"
"""The computer player that sits down where none is named."""


@dataclass(frozen=True)
class NewGame:
    """What a new game is to be.

    `computers` are the powers that computers play, perhaps with the name of the player of each, `others` for all but
    `power`, or `none`; `player` is who plays those without a name. `power` is the seat of the person who opens it.
    `position` is a shared position to begin from.
    With a `schedule` its phases have deadlines; with a `lobby` people sit down by name before it begins.
    `keeper` is the person who opens it, if somebody is signed in, and what he is called.
    """

    variant: str
    options: Mapping[str, str]
    computers: str | Sequence[str] | Mapping[str, str] = "none"
    player: str = COMPUTER
    power: str | None = None
    seating: Seating = HOTSEAT
    name: str = ""
    position: str | None = None
    schedule: Schedule | None = None
    lobby: bool = False
    settings: Settings = USUAL
    keeper: tuple[str, str] | None = None


@dataclass(frozen=True)
class GameKeys:
    """The id of a new game, the token of all its seats, and those of single seats if each has its own.

    `invitation` is the token by which people sit down, where they do so before the game begins.
    """

    id: str
    all_seats: str
    seats: Mapping[Power, str]
    invitation: str = ""


@dataclass(frozen=True)
class Edit:
    """A change of a sheet: what is taken back, then what is given.

    `whole` begins with an empty sheet, `afresh` with one without promises.
    `ready` None leaves that as it is, except that a change of orders is not ready. `base` is the version of the sheet
    that the writer saw, if he says. `client` names his window, so that it knows its own changes again.
    """

    give: tuple[str, ...] = ()
    clear: tuple[str, ...] = ()
    whole: bool = False
    afresh: bool = False
    ready: bool | None = None
    base: int | None = None
    client: str = ""


@dataclass(frozen=True)
class SheetChange:
    """The sheet as it now stands on disk, what the writer should know, and the turns processed because of it.

    `status` is that of the seat, which everybody may know; `changed` says whether it was another before.
    """

    power: Power
    sheet: Sheet
    messages: tuple[str, ...]
    status: Status
    changed: bool = False
    processed: tuple[int, ...] = ()


class Host:
    """The games of one store; safe to use from several threads.

    With a `warming`, computers that think ahead play simply until what they need is compiled; without, they think at
    once.
    """

    def __init__(
        self, store: Store, broker: Broker | None = None, clock: Clock | None = None, warming: Warming | None = None
    ) -> None:
        self.store = store
        self.clock = clock or clock_of(store)
        self.broker = broker or Broker()
        self._warming = warming
        if warming is not None:
            warming.told = self._announce_warming
        self._games: LRUCache[str, HostedGame] = LRUCache(HELD)
        self._announced: dict[str, Stand] = {}
        self._guard = Lock()
        self._locks: dict[str, Lock] = {}

    # Opening

    def open(self, new: NewGame) -> GameKeys:
        """Open a game; raises `UnknownName`, `InvalidVariant` or `InvalidRecord` for what there is not."""
        rules = sharing.rules_of(new.variant, new.options)
        game = Game.new(rules, _dice())
        if new.position is not None:
            game = replace(game, start=sharing.unpacked(new.position, rules))
        person = rules.power(new.power) if new.power else rules.names[0]
        if person not in rules.names:
            raise UnknownName(f"'{person}' is played by nobody; the powers are {', '.join(rules.names)}.")
        computers = _computers(rules.names, rules.power, new, person)
        name = new.name.strip() or rules.title
        hosted = HostedGame(id=keys.game_id(), name=name, game=game, computers=computers, seating=new.seating)
        if new.lobby:
            hosted = replace(hosted, seating=LINKS, computers=dict.fromkeys(rules.names, ""))
        if new.schedule is not None or new.lobby:
            kind = game.position.phase.kind
            timing = begun(new.schedule or Schedule(), hosted.persons, kind, self.clock.now())
            state = GameState.FORMING if new.lobby else timing.state
            hosted = replace(hosted.with_timing(replace(timing, state=state)), settings=new.settings)
        if new.keeper is not None:
            keeper, called = new.keeper
            hosted = hosted.with_tenures(StoredTenure(1, called, "keeper", person=keeper))
        game_keys = self._open(hosted)
        if hosted.timing is not None:
            self.settle(hosted.id)
        elif _goes_on_alone(hosted):
            self._processed_by_itself(hosted.id, hosted.phase_number)
        return game_keys

    def upload(self, value: object) -> GameKeys:
        """Open the game of a record as a hot seat, with the computer players it names; raises as `sharing` does."""
        game = sharing.game_of(value)
        computers = sharing.computers_of(value, game.rules)
        return self._open(HostedGame(id=keys.game_id(), name=game.rules.title, game=game, computers=computers))

    def fork(self, game_id: str, turns: int | None = None) -> GameKeys:
        """A game apart that begins like this one and goes its own way; of the open phase it knows nothing secret.

        Its dice are others, so that nobody finds out by trying what the game's own will show.
        """
        hosted = self._hosted(game_id)
        count = hosted.turn if turns is None else turns
        if not 0 <= count <= hosted.turn:
            raise UnknownGame(f"The game has {hosted.turn} turns: it cannot be forked after {count}.")
        past = hosted.game.fork(count)
        game = replace(past, turns=Turns(tuple(past.turns)), dice=_dice())  # it may outlive the game it comes from
        computers = dict.fromkeys(hosted.rules.names, "")
        return self._open(
            HostedGame(
                id=keys.game_id(), name=hosted.name, game=game, computers=computers, parent=game_id, parent_turn=count
            )
        )

    def _open(self, hosted: HostedGame) -> GameKeys:
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
        self.store.create(stored, stored_keys, now, _wake(hosted, now))
        self._remember(replace(hosted, chain=Chain.of(stored.record)))
        if self._warming is not None:
            self._warming.needed(hosted.computers.values())
        return new_keys

    def throw_away(self, game_id: str, credentials: Credentials) -> None:
        """Throw a what-if away; raises `NotYours` for a game that is none."""
        hosted = self._hosted(game_id)
        _require_all_seats(credentials)
        if hosted.parent is None:
            raise NotYours("Only a what-if can be thrown away; this is a game.")
        self.store.delete(game_id)
        with self._guard:
            self._games.pop(game_id, None)
        self.broker.announce(game_id, Announcement("gone", {}))

    # Seats

    def credentials(self, game_id: str, tokens: Iterable[str], person: str | None = None) -> Credentials:
        """What these tokens, and who is signed in, open at this game; raises `NoKey` for a token that opens nothing."""
        powers: list[Power] = []
        offers: list[Offer] = []
        numbers: set[int] = set()
        all_seats = invited = False
        for token in tokens:
            game, power = self.store.key(keys.digest(token)) or ("", "")
            if game != game_id:
                raise NoKey("The key that was shown does not open this game; use the link you were given.")
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
            hosted = self._hosted(game_id)
            forming, tenures = hosted.forming, [tenure for tenure in hosted.tenures if tenure.until is None]
            mine = [t for t in tenures if t.number in numbers or (person is not None and t.person == person)]
        sitting = [tenure for tenure in mine if tenure.kind != "keeper"]
        powers += [Power(tenure.power) for tenure in sitting if tenure.power and not forming]
        return Credentials(
            powers=tuple(dict.fromkeys(powers)),
            all_seats=all_seats or len(sitting) < len(mine),
            invited=invited,
            player=sitting[0].number if sitting else None,
            offers=tuple(offers),
            person=person,
        )

    def eyes(self, game_id: str, credentials: Credentials, seat: str | None) -> tuple[Power | None, State, int]:
        """Whose eyes somebody looks through who asks for `seat`: a power, `all`, `observer`, or nothing.

        Also the state in which they find the game (the same state, the same answers), and its revision.
        Raises `UnknownName` for a seat that does not exist, `NotYours` for one the keys do not open.
        """
        hosted = self._hosted(game_id)
        who = _eyes(hosted, credentials, seat)
        return who, hosted.state(who, credentials), hosted.revision

    # Sitting down

    def join(self, game_id: str, credentials: Credentials, name: str, *wishes: str) -> str:
        """Sit down at a game that has not begun, as `name`, with powers wished for or any; the token of the seat.

        It begins by itself when nobody is missing. Raises `NoKey` without an invitation, `Over` if the game has begun,
        and `SeatRefused`.
        """
        if not (credentials.invited or credentials.all_seats):
            raise NoKey("This needs an invitation, and none was shown; ask whoever opened the game for its link.")
        token = keys.token()
        newcomer = Newcomer(name, keys.digest(token), credentials.person)
        full = self._change(game_id, lambda hosted: seats.joined(hosted, newcomer, wishes))
        self._tell_lobby(game_id)
        if full:
            self._begin(game_id)
        return token

    def wish(self, game_id: str, credentials: Credentials, number: int, wishes: Sequence[str]) -> None:
        """Wish for other powers before a game begins; raises `NotYours`, `Over` and `SeatRefused`."""
        keeps = credentials.all_seats and self._hosted(game_id).settings.deal == "keeper"
        if credentials.player != number and not keeps:
            raise NotYours("Only who sits there can say what he wants to play.")
        self._change(game_id, lambda hosted: seats.wished(hosted, number, wishes))
        if self._hosted(game_id).settings.deal != "wishes":  # what somebody wishes for, and when, stays with him
            self._tell_lobby(game_id)

    def leave(self, game_id: str, credentials: Credentials, number: int) -> None:
        """Get up from a game that has not begun; the keeper may ask others to. Raises `NotYours` and `Over`."""
        if not credentials.all_seats and credentials.player != number:
            raise NotYours("Only the keeper of a game may take the seat of somebody else back.")
        self._change(game_id, lambda hosted: seats.left(hosted, number))
        self._tell_lobby(game_id)

    def start(self, game_id: str, credentials: Credentials) -> None:
        """Begin a game, with computers on the seats nobody took. Raises `NotYours`, `Over`, `SeatRefused`."""
        _require_all_seats(credentials)
        self._begin(game_id)

    def _begin(self, game_id: str) -> None:
        now = self.clock.now()

        def begin(hosted: HostedGame) -> tuple[HostedGame, Change, None]:
            computer = hosted.settings.computer or COMPUTER
            return seats.started(hosted, now, _dice, computer)

        self._change(game_id, begin)
        self._tell_lobby(game_id)
        self.settle(game_id)

    def _tell_lobby(self, game_id: str) -> None:
        self.broker.announce(game_id, Announcement("lobby", {}))

    # Seats that go from one to another

    def act_on_seat(
        self, game_id: str, credentials: Credentials, power: str, act: SeatAct, computer: str = ""
    ) -> str | None:
        """Do something with the seat of a power: resign, lend it, look for a substitute …; the token of an offer.

        Raises `NotYours`, `NotBegun`, `Over`, `SeatRefused`, and `UnknownName` for a power or computer there is not.
        """
        token = keys.token() if act in ("lend", "offer") else ""
        if computer:
            plugins.players()[computer]  # raises for a player there is none of

        def change(hosted: HostedGame) -> tuple[HostedGame, Change, None]:
            seat = Seat(hosted, _played_power(hosted, power))
            return seat.act(act, credentials, keys.digest(token), computer)

        self._change(game_id, change)
        self._tell_seats(game_id)
        return token or None

    def get_up(self, person: str) -> None:
        """Leave every seat that a person has: nobody waits for it any more."""
        for game in self.store.persons.games(person):
            credentials = self.credentials(game.id, [], person)
            hosted = self._hosted(game.id)
            if hosted.forming and credentials.player is not None:
                self.leave(game.id, credentials, credentials.player)
            mine = next((tenure for tenure in hosted.players if tenure.number == credentials.player), None)
            if mine is not None and not hosted.forming and not hosted.game.over:
                act: SeatAct = "take back" if mine.kind == "sitter" else "resign"
                self.act_on_seat(game.id, credentials, mine.power, act)

    def accept(self, game_id: str, credentials: Credentials, name: str) -> str:
        """Take over a seat that is offered, as `name`; the token of the seat. Raises `NoKey` without an offer.

        Also `Over` and `SeatRefused`.
        """
        if not credentials.offers:
            raise NoKey("This needs the offer of a seat, and none was shown; it may have been taken or withdrawn.")
        offer = credentials.offers[0]
        token = keys.token()
        newcomer = Newcomer(name, keys.digest(token), credentials.person)

        def change(hosted: HostedGame) -> tuple[HostedGame, Change, None]:
            seat = Seat(hosted, _played_power(hosted, offer.power))
            if self.store.key(offer.digest) is None:
                raise NoKey("Somebody else has taken this seat, or it is no longer offered.")
            return seat.accepted(newcomer, for_good=offer.for_good)

        self._change(game_id, change)
        self._tell_seats(game_id)
        return token

    def _tell_seats(self, game_id: str) -> None:
        hosted = self._hosted(game_id)
        why = {"phase_number": hosted.phase_number, "why": ""}
        self.broker.announce(game_id, Announcement("time", why))
        if hosted.timing is not None:
            self.settle(game_id)

    def journal(self, game_id: str) -> tuple[JournalEntry, ...]:
        """What happened in a game beside the moves; raises `UnknownGame`."""
        self.revision(game_id)
        return self.store.journal(game_id)

    # Looking

    def view(self, game_id: str, credentials: Credentials, who: Power | None) -> GameView:
        """The game as `who` sees it, who comes from `eyes`; raises `UnknownGame`."""
        return self._hosted(game_id).view(who, credentials)

    def revision(self, game_id: str) -> int:
        """The revision of a game, which grows with every change; raises `UnknownGame`."""
        revision = self.store.revision(game_id)
        if revision is None:
            raise UnknownGame(f"There is no game '{game_id[:60]}'.")
        return revision

    def record(self, game_id: str, credentials: Credentials) -> Json:
        """The record of a game; while it goes on, the seed of the dice is in it only for a hot seat."""
        hosted = self._hosted(game_id)
        whole = record.encode_game(hosted.game, public=not (credentials.all_seats and hosted.seating == HOTSEAT))
        return {**whole, "computers": {power: computer for power, computer in hosted.computers.items() if computer}}

    def forming(self, game_id: str) -> bool:
        """Whether a game has not begun; raises `UnknownGame`."""
        return self._hosted(game_id).forming

    def opens(self, game_id: str, token: str) -> bool:
        """Whether a token opens anything at a game."""
        return (self.store.key(keys.digest(token)) or ("", ""))[0] == game_id

    def _hosted(self, game_id: str) -> HostedGame:
        """The game at its newest revision; raises `UnknownGame`."""
        revision = self.revision(game_id)
        with self._guard:
            known = self._games.get(game_id)
        if known is not None and known.revision == revision:
            self._note(game_id, _stand(known))
            return known
        stored = self.store.read(game_id, whole=False)
        if stored is None:
            raise UnknownGame(f"There is no game '{game_id[:60]}'.")
        hosted = from_stored(stored, partial(self._turns, game_id))
        self._announce_change(game_id, _stand(hosted))
        self._remember(hosted)
        return hosted

    def _turns(self, game_id: str, first: int, last: int) -> Sequence[Json]:
        """The records of some turns of a game; raises `UnknownGame` if there are not so many any more."""
        turns = self.store.turns(game_id, first, last)
        if len(turns) != last - first:
            raise UnknownGame("That turn was taken back meanwhile.")
        return turns

    def catch_up(self) -> None:
        """See by one query which of the games somebody listens to other servers have changed, and tell those people."""
        games = self.broker.games()
        stands = self.store.stands(games)
        for game_id in games:
            if game_id in stands:
                self._announce_change(game_id, stands[game_id])
            elif self._announced.pop(game_id, None) is not None:
                self.broker.announce(game_id, Announcement("gone", {}))
        with self._guard:
            for game_id in self._announced.keys() - set(games):
                del self._announced[game_id]

    def _announce_change(self, game_id: str, now: Stand) -> None:
        """Announce what another server has changed of a game since those who listen were last told of it."""
        before = self._note(game_id, now)
        if before is None or now.revision <= before.revision:
            return
        if now.phase_number != before.phase_number:
            what = {"phase_number": now.phase_number, "turn": now.turn, "what": "elsewhere"}
            self.broker.announce(game_id, Announcement("phase", what))
        else:
            what = {"power": None, "status": None, "phase_number": now.phase_number}
            self.broker.announce(game_id, Announcement("sheet", what))

    def _note(self, game_id: str, now: Stand) -> Stand | None:
        """Note how far those who listen to a game know it; what was noted before, None if nobody listened."""
        if not self.broker.listened(game_id):
            return None
        with self._guard:
            before = self._announced.get(game_id)
            if before is None or before.revision < now.revision:
                self._announced[game_id] = now
            return before

    def _remember(self, hosted: HostedGame) -> None:
        self._note(hosted.id, _stand(hosted))
        with self._guard:
            newest = self._games.get(hosted.id)
            if newest is None or newest.revision < hosted.revision:
                self._games[hosted.id] = hosted

    def _lock(self, game_id: str) -> Lock:
        """The lock of a game in this process; other processes are kept apart by the store."""
        with self._guard:
            if len(self._locks) > HELD:
                self._locks = {name: lock for name, lock in self._locks.items() if lock.locked()}
            return self._locks.setdefault(game_id, Lock())

    def _change(self, game_id: str, make: Callable[[HostedGame], tuple[HostedGame, Change, T]]) -> T:
        """Change a game by `make`, which says what becomes of it and of its rows, and what to answer."""
        with self._lock(game_id):
            for _ in range(ATTEMPTS):
                hosted = self._hosted(game_id)
                after, change, answer = make(hosted)
                now = self.clock.now()
                if after.timing is not None:
                    change = replace(change, timing=encode_timing(after.timing), wake=_wake(after, now))
                change = replace(change, **after.found_by)
                if self.store.change(game_id, hosted.revision, change, now):
                    self._remember(after.with_revision(hosted.revision + 1))
                    return answer
        raise Busy("Too many changes came at once; try again.")

    # Orders

    def hand_in(self, game_id: str, credentials: Credentials, seat: str, phase_number: int, edit: Edit) -> SheetChange:
        """Change a sheet; it is on disk when this returns. All of the edit counts, or nothing.

        Raises `Stale` if that phase is over, `NotYours`, `Over`, and `OrderRefused` for the first that is refused.
        """
        done = self._change(game_id, lambda hosted: self._edit_sheet(hosted, credentials, seat, phase_number, edit))
        public = {"power": done.power, "status": done.status, "phase_number": phase_number}
        private = {**public, "version": done.sheet.version, "client": edit.client}
        self.broker.announce(game_id, Announcement("sheet", public if done.changed else None, private, done.power))
        hosted = self._hosted(game_id)
        if hosted.timing is not None:
            return replace(done, processed=self.settle(game_id))
        if hosted.seating == LINKS and done.sheet.ready and hosted.ready and hosted.phase_number == phase_number:
            turns = self._processed_by_itself(game_id, phase_number)
            return replace(done, processed=turns)
        return done

    def _edit_sheet(
        self, hosted: HostedGame, credentials: Credentials, seat: str, phase_number: int, edit: Edit
    ) -> tuple[HostedGame, Change, SheetChange]:
        power = _own_seat(hosted, credentials, seat, phase_number)
        before = hosted.sheets.get(power, Sheet())
        orders, messages = _edited(hosted, power, before, edit)
        ready = edit.ready if edit.ready is not None else before.ready and orders == before.orders
        sheet = Sheet(orders, ready, before.version + 1)
        after = hosted.with_sheet(power, sheet)
        if hosted.timing is not None:
            known_seat = power in hosted.timing.seats
            after = after.with_timing(seated(hosted.timing, power) if known_seat else heard(hosted.timing))
        known = power in hosted.rules.names
        changed = known and hosted.status(power) != after.status(power)
        status = after.status(power) if known else "given"
        return after, Change({power: sheet.to_stored()}), SheetChange(power, sheet, messages, status, changed=changed)

    def order_ahead(
        self,
        game_id: str,
        credentials: Credentials,
        seat: str,
        phase_number: int,
        texts: Sequence[str],
        client: str = "",
    ) -> tuple[str, ...]:
        """Leave ranked orders for the retreats and adjustments before the next moves; those that were kept.

        `client` names the window of the writer, as in an `Edit`.

        Raises `Stale`, `NotYours`, `Over`, `NoDeadline` for a game at one screen, and `OrderRefused`.
        """

        def change(hosted: HostedGame) -> tuple[HostedGame, Change, tuple[str, ...]]:
            power = _own_seat(hosted, credentials, seat, phase_number)
            if hosted.seating != LINKS or power not in hosted.rules.names:
                raise NoDeadline("Where all sit at one screen nobody needs to order ahead.")
            kept = ahead.checked(hosted.rules, hosted.game.position, texts)
            everything = {**hosted.ahead, power: kept}
            left = {power: orders for power, orders in everything.items() if orders}
            stored = {str(power): orders for power, orders in left.items()}
            return hosted.with_ahead(left), Change(ahead=stored), kept

        kept = self._change(game_id, change)
        private = {"power": seat, "phase_number": phase_number, "client": client}
        self.broker.announce(game_id, Announcement("sheet", None, private, seat))
        return kept

    # Time

    def settle(self, game_id: str, away: timedelta = timedelta(0)) -> tuple[int, ...]:
        """Do what is due in a game, after nobody had looked for so long; the turns played because of it."""
        turns: list[int] = []
        for _ in range(MOST_ALONE):
            try:
                act, number, phase_number = self._change(game_id, partial(self._due, away))
            except _NothingDue:
                break
            if act.process:
                what = {"phase_number": phase_number, "turn": number, "what": "processed"}
                self.broker.announce(game_id, Announcement("phase", what))
                turns.append(number - 1)
            else:
                self.broker.announce(game_id, Announcement("time", {"phase_number": phase_number, "why": act.why}))
            away = timedelta(0)
        return tuple(turns)

    def go_on(self, game_id: str, away: timedelta = timedelta(0)) -> tuple[int, ...]:
        """Do what is due in a game that the store says is due; the turns played because of it."""
        before = self.revision(game_id)
        turns = self.settle(game_id, away)
        if self.revision(game_id) == before:
            # nothing was due after all: it must not be looked at again and again
            hosted = self._hosted(game_id)
            self.store.wake(game_id, hosted.revision, _wake(hosted, self.clock.now()))
        return turns

    def _due(self, away: timedelta, hosted: HostedGame) -> tuple[HostedGame, Change, tuple[Act, int, int]]:
        """What is due in a game now; raises `_NothingDue`."""
        now = self.clock.now()
        act = None if hosted.timed is None else tick(hosted.timed, now, away)[0]
        if act is None:
            raise _NothingDue
        if act.process:
            try:
                after, change, (phase_number, turn) = _processed(hosted, hosted.phase_number, now, self._player, act)
            except PhaseNotOver as fault:
                # a choice or a draw is missing that nothing can stand for
                needs = map(Power, fault.powers or hosted.waited_for or hosted.persons)
                act = replace(act, process=False, game=waiting(act.game, needs), why=str(fault))
            else:
                return after, replace(change, entries=_entries(act)), (act, turn, phase_number)
        change = Change(entries=_entries(act), notices=self._reminders(hosted, act))
        return hosted.with_timing(act.game), change, (act, hosted.turn, hosted.phase_number)

    @staticmethod
    def _reminders(hosted: HostedGame, act: Act) -> tuple[Notice, ...]:
        """What the persons are told whom an act reminds."""
        if not act.reminded or act.game.phase.due is None:
            return ()
        zone = act.game.schedule.zone
        due = f"{act.game.phase.due.astimezone(ZoneInfo(zone)):%A %-d %B, %H:%M} ({zone})"
        kind = f"reminder {min(act.game.phase.reminded)}"
        return tuple(
            Notice(
                person,
                kind,
                f"{hosted.name}: your orders for {hosted.game.position.phase}",
                f"{hosted.game.position.phase} of {hosted.name} is due on {due}.\n"
                f"You play {power}, and have not said that you are ready. Orders that you have saved count anyway.\n\n"
                f"{HERE}/games/{hosted.id}\n",
            )
            for power in act.reminded
            if (person := hosted.actor(power)) is not None
        )

    def keep_time(self, game_id: str, credentials: Credentials, phase_number: int, act: TimeAct) -> None:
        """Pause a game, go on with it, or move its deadline; raises `Stale`, `NotYours`, `Over` or `NoDeadline`."""
        _require_all_seats(credentials)
        now = self.clock.now()
        hosted = self._change(game_id, lambda hosted: _retimed(hosted, phase_number, act, now))
        self.broker.announce(game_id, Announcement("time", {"phase_number": hosted.phase_number, "why": act.why}))
        self.settle(game_id)

    # Processing

    def process(self, game_id: str, credentials: Credentials, phase_number: int) -> tuple[int, ...]:
        """Process the open phase, and those after it in which no person has anything to order; the turns just played.

        Raises `Stale` if it has been processed already, `Over` when the game is over, and `PhaseNotOver`
        if the phase cannot end yet, for somebody's choice or draw is missing.
        """
        _require_all_seats(credentials)
        return self._processed_by_itself(game_id, phase_number)

    def _processed_by_itself(self, game_id: str, phase_number: int) -> tuple[int, ...]:
        turns = [self._process_one(game_id, phase_number)]
        for further in range(1, MOST_ALONE):
            hosted = self._hosted(game_id)
            if hosted.phase_number != phase_number + further or not _goes_on_alone(hosted):
                break
            turns.append(self._process_one(game_id, hosted.phase_number))
        return tuple(turns)

    def _process_one(self, game_id: str, phase_number: int) -> int:
        def make(hosted: HostedGame, now: datetime) -> GoneOn:
            return _processed(hosted, phase_number, now, self._player)

        return self._go_on(game_id, "processed", make)[1] - 1

    # Computers

    def warmth(self, computers: Mapping[Power, str]) -> str:
        """What people who play against these computers should know of how they play now, a sentence or nothing."""
        return self._warming.words(computers.values()) if self._warming is not None else ""

    def why_simple(self) -> str:
        """Why computers cannot think ahead now, a sentence; empty if they can. What they need is begun."""
        if self._warming is None or self._warming.ready or bots.compiled():
            return bots.why_simple()
        self._warming.needed(bots.LEVELS)
        return self._warming.words(bots.LEVELS) or UNTIL_THEN

    def _player(self, name: str) -> Bot:
        """Who plays now for a computer player."""
        players = plugins.players().values
        if self._warming is not None:
            name = self._warming.player(name)
        return players.get(name, players[COMPUTER])  # who is no longer installed is replaced

    def _announce_warming(self) -> None:
        """Tell those who listen how far the computers are, each about those of their game."""
        for game_id in self.broker.games():
            if self.store.revision(game_id) is not None:
                words = self.warmth(self._hosted(game_id).computers)
                self.broker.announce(game_id, Announcement("computers", {"words": words}))

    def _go_on(self, game_id: str, what: str, make: Callable[[HostedGame, datetime], GoneOn]) -> tuple[int, int]:
        """Change a game by `make` and tell those who listen; the numbers of the phase and turn that are now open."""
        at = self.clock.now()
        now, turn = self._change(game_id, lambda hosted: make(hosted, at))
        self.broker.announce(game_id, Announcement("phase", {"phase_number": now, "turn": turn, "what": what}))
        return now, turn

    def undo(self, game_id: str, credentials: Credentials, phase_number: int) -> int:
        """Take back the last turn of a hot-seat game, back to a phase that asked a person; its sheets come back too.

        Returns the number of the phase that is now open. Raises `Stale`, and `Over` if there is nothing to take back.
        """
        _require_all_seats(credentials)
        return self._go_on(game_id, "undone", lambda hosted, now: _undone(hosted, phase_number, now))[0]

    def draw(
        self, game_id: str, credentials: Credentials, phase_number: int, powers: Sequence[str] | None = None
    ) -> int:
        """End the game in a draw between `powers`, or all who are left; returns the new phase number."""
        _require_all_seats(credentials)
        return self._go_on(game_id, "drawn", lambda hosted, now: _drawn(hosted, phase_number, powers, now))[0]


class _NothingDue(Exception):  # noqa: N818  # it says that nothing is wrong
    """Time changes nothing of a game now."""


# Pure parts


def _stand(hosted: HostedGame) -> Stand:
    return Stand(hosted.revision, hosted.phase_number, hosted.turn)


def _dice() -> Dice:
    return Dice(secrets.token_bytes(SEED_BYTES))


def _computers(
    names: Sequence[Power],
    read: Callable[[str], Power],
    new: NewGame,
    person: Power,
) -> dict[Power, str]:
    wanted = new.computers
    if isinstance(wanted, str):
        if wanted not in {"none", "others"}:
            raise UnknownName(
                f"'{wanted}' does not say who computers play; write 'others', 'none' or a list of powers."
            )
        seats = {power for power in names if power != person} if wanted == "others" else set()
        players = dict.fromkeys(seats, new.player)
    elif isinstance(wanted, Mapping):
        players = {read(name): player for name, player in wanted.items()}
    else:
        players = {read(name): new.player for name in wanted}
    for player in players.values():
        plugins.players()[player]  # raises for a player there is none of
    return {power: players.get(power, "") for power in names}


def _eyes(hosted: HostedGame, credentials: Credentials, seat: str | None) -> Power | None:
    seats = hosted.seats(credentials)
    hot = credentials.all_seats and hosted.seating == HOTSEAT
    if not seat:
        return GAME_MASTER if hot else next((power for power in seats if power != GAME_MASTER), None)
    if seat == OBSERVER:
        return None
    if seat in ALL_SEATS_NAMES:
        if not credentials.all_seats:
            raise NotYours("Only the key to all seats shows them all at once.")
        return GAME_MASTER if hot else None
    power = _seat(hosted, seat)
    if power == GAME_MASTER and power in seats and not hot:
        return None  # who keeps the game of others writes for the game master, and sees no secrets
    if power in seats or (power in hosted.rules.names and hot):
        return power
    raise _not_opened(credentials, power)


def _seat(hosted: HostedGame, name: str) -> Power:
    return GAME_MASTER if name == GAME_MASTER else hosted.rules.power(name[:200])


def _require_all_seats(credentials: Credentials) -> None:
    if not credentials.all_seats:
        if not credentials.powers:
            raise NoKey("This needs the key to all seats of the game, and none was shown.")
        raise NotYours("This needs the key to all seats of the game.")


def _not_opened(credentials: Credentials, power: Power) -> PlenipoError:
    if not credentials.powers and not credentials.all_seats:
        return NoKey(f"The seat of {power} needs its key, and none was shown.")
    return NotYours(f"Your key does not open the seat of {power}.")


def _now(hosted: HostedGame) -> str:
    return f"the game is at {hosted.game.position.phase}, phase number {hosted.phase_number}"


def _own_seat(hosted: HostedGame, credentials: Credentials, seat: str, phase_number: int) -> Power:
    """The seat somebody orders for; raises `NotBegun`, `NoKey`, `NotYours`, `Over` and `Stale`."""
    _require_begun(hosted)
    power = _seat(hosted, seat)
    if power not in hosted.seats(credentials):
        raise _not_opened(credentials, power)
    _require_phase(hosted, phase_number)
    sitter = hosted.sitter(power)
    if sitter is not None and sitter.number != credentials.player:
        raise NotYours(f"The seat of {power} is lent to {sitter.name}; take it back to order for it yourself.")
    return power


def _played_power(hosted: HostedGame, name: str) -> Power:
    """The power of a seat of a game that goes on; raises `NotBegun`, `Over` and `UnknownName`."""
    _require_begun(hosted)
    if hosted.game.over:
        raise Over("The game is over.")
    power = hosted.rules.power(name[:200])
    if power not in hosted.rules.names:
        raise UnknownName(f"'{name[:200]}' is played by nobody; the powers are {', '.join(hosted.rules.names)}.")
    return power


def _require_begun(hosted: HostedGame) -> None:
    if hosted.forming:
        raise NotBegun("The game has not begun; its seats are still being taken.")


def _require_phase(hosted: HostedGame, phase_number: int) -> None:
    _require_begun(hosted)
    if hosted.game.over:
        raise Over("The game is over.")
    if phase_number != hosted.phase_number:
        raise Stale(f"This is for a phase that is over; {_now(hosted)}.")


def _edited(hosted: HostedGame, power: Power, before: Sheet, edit: Edit) -> tuple[tuple[Order, ...], tuple[str, ...]]:
    """The orders after an edit, and what its writer should know; raises `OrderRefused`."""
    entry = OrderEntry(hosted.rules, hosted.game.position, power)
    messages: list[str] = []
    orders: tuple[Order, ...] = () if edit.whole else before.orders
    if edit.afresh:
        orders = tuple(order for order in orders if not isinstance(order, Promise))
    for text in edit.clear:
        orders = entry.clear(orders, text)
    for index, text in enumerate(edit.give):
        try:
            change = entry.give(orders, text)
        except InvalidOrder as fault:
            raise OrderRefused(
                str(fault), index, illegal=False, piece=fault.piece, suggestions=fault.suggestions
            ) from fault
        except IllegalOrder as fault:
            raise OrderRefused(str(fault), index, illegal=True) from fault
        messages += [f"'{order}' was replaced." for order in change.replaced]
        orders = change.sheet
    if edit.base is not None and edit.base != before.version:
        lost = [f"'{order}'" for order in before.orders if order not in orders]
        if lost:
            messages.append(f"The sheet had changed in another window; {', '.join(lost)} no longer stands.")
        else:
            messages.append("The sheet had changed in another window.")
    return orders, tuple(messages)


def _goes_on_alone(hosted: HostedGame) -> bool:
    """Whether the open phase asks no person, not even for a draw by hand, in a game in which persons still play."""
    position = hosted.game.position
    if hosted.game.over or position.phase.kind is PhaseKind.DRAWS or hosted.drawing.due:
        return False
    return any(map(position.survives, hosted.persons)) and set(hosted.persons).isdisjoint(hosted.may_order)


def _after(hosted: HostedGame, game: Game, sheets: Mapping[Power, Sheet], now: datetime) -> GoneOn:
    """What becomes of a hosted game when its history is `game`, and the numbers of the phase and turn now open."""
    timing = hosted.timing
    sheets = {**ahead.prepared(game, hosted.ahead), **sheets}
    left = {} if game.over or game.position.phase.kind is PhaseKind.MOVEMENT else hosted.ahead
    if timing is not None:
        state = GameState.OVER if game.over else timing.state
        timing = replace(opened(timing, game.position.phase.kind, now), state=state)
        timing = replace(timing, phase=replace(timing.phase, answered=bool(sheets)))
    keep = min(hosted.turn, len(game.turns))
    chain, turns = (hosted.chain or Chain.of(record.encode_game(hosted.game))).extended(game, keep)
    number = hosted.phase_number + 1
    after = replace(hosted, game=game, sheets=sheets, phase_number=number, timing=timing, chain=chain, ahead=left)
    change = Change(
        sheets={str(power): sheet.to_stored() for power, sheet in sheets.items()},
        record={**chain.head, **chain.end(game), "turns": turns},
        phase=str(game.position.phase),
        over=game.over,
        keep=keep,
        ahead=None if left == hosted.ahead else {},
    )
    return after, change, (after.phase_number, after.turn)


def _processed(
    hosted: HostedGame, phase_number: int, now: datetime, player: Callable[[str], Bot], act: Act | None = None
) -> GoneOn:
    """The game after its open phase; with an `act` of time, computers order for those it names."""
    _require_phase(hosted, phase_number)
    if act is not None:
        hosted = hosted.with_timing(act.game)
        stand_ins = dict.fromkeys(act.computers, COMPUTER)
    else:
        stand_ins = {}
    sheets = {**hosted.orders(), **_computed(hosted, {**hosted.computers, **stand_ins}, player)}
    game = hosted.game.process({power: [str(order) for order in sheet] for power, sheet in sheets.items()})
    return _after(hosted, game, {}, now)


def _retimed(
    hosted: HostedGame, phase_number: int, act: TimeAct, now: datetime
) -> tuple[HostedGame, Change, HostedGame]:
    _require_phase(hosted, phase_number)
    if hosted.timing is None:
        raise NoDeadline("This game has no deadlines.")
    after = hosted.with_timing(act.done(hosted.timing, now))
    until = after.timing.phase.due if after.timing is not None else None
    moved = f" It is now {until.astimezone(UTC):%Y-%m-%d %H:%M} UTC." if act.kind == "extend" and until else ""
    return after, Change(entries=(StoredEntry(act.kind, f"{act.why}{moved}"),)), after


def _entries(act: Act) -> tuple[StoredEntry, ...]:
    """What the journal says of an act of time; who is ready and who is not is nobody's business."""
    return () if act.kind == "ready" else (StoredEntry(act.kind, act.why),)


def _wake(hosted: HostedGame, now: datetime) -> datetime | None:
    """The next instant at which time changes a game; at once if something is due."""
    if hosted.timed is None:
        return None
    act, wake = tick(hosted.timed, now)
    return now if act else wake


def _computed(
    hosted: HostedGame, computers: Mapping[Power, str], player: Callable[[str], Bot]
) -> dict[Power, tuple[Order, ...]]:
    """The orders of computer players, each from its own view."""
    chance = SystemRandom()
    orders: dict[Power, tuple[Order, ...]] = {}
    for power, name in computers.items():
        if name and power in hosted.may_order:
            # who fails orders nothing: the game goes on
            orders[power] = tuple(_orders_of(player(name), view(hosted.game, power, {}), power, chance))
    return orders


def _orders_of(player: Bot, own_view: View, power: Power, chance: SystemRandom) -> list[Order]:
    try:
        return orders_of(player, own_view, power, chance)
    except Exception as fault:
        blamed = plugins.blame(fault)
        if not blamed:
            raise
        logging.getLogger(__name__).warning("%s %s orders nothing.", blamed, power)
        return []


def _undone(hosted: HostedGame, phase_number: int, now: datetime) -> GoneOn:
    if phase_number != hosted.phase_number:
        raise Stale(f"The game has gone on; {_now(hosted)}.")
    if hosted.seating != HOTSEAT:
        raise NotYours("A phase can be taken back only where all sit at one screen.")
    if hosted.game.drawn:
        return _after(hosted, replace(hosted.game, drawn=()), {}, now)
    if not hosted.turn:
        raise Over("This is the first phase; there is none to take back.")
    before = hosted
    while True:
        last = before.game.turns[-1]
        before = replace(before, game=before.game.undo(), sheets={})
        ordering = any(power in before.may_order for power in before.persons)
        if not before.turn or last.orders.get(GAME_MASTER) or ordering:
            break
    persons = (*hosted.persons, GAME_MASTER)
    position = before.game.position
    sheets = {
        power: Sheet(legal_orders(hosted.rules, position, power, texts), version=1)
        for power, texts in last.orders.items()
        if power in persons
    }
    return _after(hosted, before.game, sheets, now)


def _drawn(hosted: HostedGame, phase_number: int, powers: Sequence[str] | None, now: datetime) -> GoneOn:
    _require_phase(hosted, phase_number)
    named = tuple(dict.fromkeys(hosted.rules.power(name) for name in powers or ()))
    return _after(hosted, hosted.game.draw(named or hosted.game.survivors or hosted.persons), {}, now)
