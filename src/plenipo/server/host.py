"""The host: who sits where, takes orders, processes phases, keeps games; the one way to a game for pages and programs.

Nothing here knows the web. A game is changed only by `Host`, each change on the newest revision and in one transaction
of the store: whoever comes second tries again on what the first has made, so no accepted order is lost and no phase is
processed twice.
"""

import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import SystemRandom
from threading import Lock
from typing import Any, TypeVar

from plenipo.bots import BOTS, Bot, orders_of
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history import record
from plenipo.engine.history.dice import SEED_BYTES, Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import View, view
from plenipo.engine.orders import Order, Promise
from plenipo.engine.position import GAME_MASTER, Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.errors import IllegalOrder, InvalidOrder, PlenipoError, UnknownName
from plenipo.library import plugins
from plenipo.server import keys, sharing
from plenipo.server.broker import Announcement, Broker
from plenipo.server.clock import Clock, SystemClock
from plenipo.server.errors import Busy, NoKey, NotYours, OrderRefused, Over, Stale, UnknownGame
from plenipo.server.hosted import (
    HOTSEAT,
    LINKS,
    Credentials,
    GameView,
    HostedGame,
    Seating,
    Sheet,
    State,
    Status,
    from_stored,
    legal_orders,
    record_parts,
)
from plenipo.server.store import Change, Store, StoredKey

__all__ = ["ALL_SEATS", "OBSERVER", "Edit", "GameKeys", "Host", "NewGame", "Processing", "SheetChange"]

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

SENSIBLE = next(iter(BOTS))
"""The computer player that sits down where none is named."""


@dataclass(frozen=True)
class NewGame:
    """What a new game is to be.

    `computers` are the powers that computers play, perhaps with the name of the player of each, `others` for all but
    `power`, or `none`. `power` is the seat of the person who opens it. `position` is a shared position to begin from.
    """

    variant: str
    options: Mapping[str, str]
    computers: str | Sequence[str] | Mapping[str, str] = "none"
    power: str | None = None
    seating: Seating = HOTSEAT
    name: str = ""
    position: str | None = None


@dataclass(frozen=True)
class GameKeys:
    """The id of a new game, the token of all its seats, and those of single seats if each has its own."""

    id: str
    all_seats: str
    seats: Mapping[Power, str]


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


@dataclass(frozen=True)
class Processing:
    """The numbers of the turns just played, and the number of the phase that is now open."""

    turns: tuple[int, ...]
    phase_number: int


class Host:
    """The games of one store; safe to use from several threads."""

    def __init__(self, store: Store, broker: Broker | None = None, clock: Clock | None = None) -> None:
        self.store = store
        self.clock = clock or SystemClock()
        self.broker = broker or Broker()
        self._games: OrderedDict[str, HostedGame] = OrderedDict()
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
        computers = _computers(rules.names, rules.power, new.computers, person)
        hosted = HostedGame(keys.game_id(), new.name.strip() or rules.title, game, computers, {}, new.seating)
        game_keys = self._open(hosted)
        if _goes_on_alone(hosted):
            self._processed_by_itself(hosted.id, hosted.phase_number)
        return game_keys

    def upload(self, value: object) -> GameKeys:
        """Open the game of a record as a hot seat, with the computer players it names; raises as `sharing` does."""
        game = sharing.game_of(value)
        computers = sharing.computers_of(value, game.rules)
        return self._open(HostedGame(keys.game_id(), game.rules.title, game, computers))

    def fork(self, game_id: str, turns: int | None = None) -> GameKeys:
        """A game apart that begins like this one and goes its own way; of the open phase it knows nothing secret.

        Its dice are others, so that nobody finds out by trying what the game's own will show.
        """
        hosted = self._hosted(game_id)
        count = hosted.turn if turns is None else turns
        if not 0 <= count <= hosted.turn:
            raise UnknownGame(f"The game has {hosted.turn} turns: it cannot be forked after {count}.")
        game = replace(hosted.game.fork(count), dice=_dice())
        computers = dict.fromkeys(hosted.rules.names, "")
        return self._open(HostedGame(keys.game_id(), hosted.name, game, computers, parent=game_id, parent_turn=count))

    def _open(self, hosted: HostedGame) -> GameKeys:
        new_keys = GameKeys(
            hosted.id,
            keys.token(),
            {power: keys.token() for power in hosted.persons} if hosted.seating == LINKS else {},
        )
        tokens = {"": new_keys.all_seats} | {str(power): token for power, token in new_keys.seats.items()}
        stored_keys = [StoredKey(keys.digest(token), power) for power, token in tokens.items()]
        self.store.create(hosted.to_stored(), stored_keys, self.clock.now())
        self._remember(hosted)
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

    def credentials(self, game_id: str, tokens: Iterable[str]) -> Credentials:
        """What these tokens open at this game; raises `NoKey` for one that opens nothing here."""
        powers: list[Power] = []
        all_seats = False
        for token in tokens:
            game, power = self.store.key(keys.digest(token)) or ("", "")
            if game != game_id:
                raise NoKey("The key that was shown does not open this game; use the link you were given.")
            all_seats = all_seats or not power
            powers.extend([Power(power)] if power else [])
        return Credentials(tuple(powers), all_seats)

    def eyes(self, game_id: str, credentials: Credentials, seat: str | None) -> tuple[Power | None, State, int]:
        """Whose eyes somebody looks through who asks for `seat`: a power, `all`, `observer`, or nothing.

        Also the state in which they find the game (the same state, the same answers), and its revision.
        Raises `UnknownName` for a seat that does not exist, `NotYours` for one the keys do not open.
        """
        hosted = self._hosted(game_id)
        who = _eyes(hosted, credentials, seat)
        return who, hosted.state(who, credentials), hosted.revision

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

    def _hosted(self, game_id: str) -> HostedGame:
        """The game at its newest revision; raises `UnknownGame`."""
        revision = self.revision(game_id)
        with self._guard:
            known = self._games.get(game_id)
            if known is not None:
                self._games.move_to_end(game_id)
        if known is not None and known.revision == revision:
            return known
        stored = self.store.read(game_id)
        if stored is None:
            raise UnknownGame(f"There is no game '{game_id[:60]}'.")
        hosted = from_stored(stored)
        self._remember(hosted)
        if known is not None:
            self._announce_change(known, hosted)
        return hosted

    def catch_up(self, game_id: str) -> None:
        """See whether another server has changed a game, and tell those who listen; raises `UnknownGame`."""
        self._hosted(game_id)

    def _announce_change(self, before: HostedGame, hosted: HostedGame) -> None:
        """Announce that another server has changed the game as this one knew it."""
        if hosted.phase_number != before.phase_number:
            what = {"phase_number": hosted.phase_number, "turn": hosted.turn, "what": "elsewhere"}
            self.broker.announce(hosted.id, Announcement("phase", what))
        elif hosted.revision > before.revision:
            what = {"power": None, "status": None, "phase_number": hosted.phase_number}
            self.broker.announce(hosted.id, Announcement("sheet", what))

    def _remember(self, hosted: HostedGame) -> None:
        with self._guard:
            newest = self._games.get(hosted.id)
            if newest is None or newest.revision < hosted.revision:
                self._games[hosted.id] = hosted
            self._games.move_to_end(hosted.id)
            while len(self._games) > HELD:
                self._games.popitem(last=False)

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
                if self.store.change(game_id, hosted.revision, change, self.clock.now()):
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
        if hosted.seating == LINKS and done.sheet.ready and hosted.ready and hosted.phase_number == phase_number:
            turns = self._processed_by_itself(game_id, phase_number)
            return replace(done, processed=turns)
        return done

    def _edit_sheet(
        self, hosted: HostedGame, credentials: Credentials, seat: str, phase_number: int, edit: Edit
    ) -> tuple[HostedGame, Change, SheetChange]:
        power = _seat(hosted, seat)
        if power not in hosted.seats(credentials):
            raise _not_opened(credentials, power)
        _require_phase(hosted, phase_number)
        before = hosted.sheets.get(power, Sheet())
        orders, messages = _edited(hosted, power, before, edit)
        ready = edit.ready if edit.ready is not None else before.ready and orders == before.orders
        sheet = Sheet(orders, ready, before.version + 1)
        after = hosted.with_sheet(power, sheet)
        known = power in hosted.rules.names
        changed = known and hosted.status(power) != after.status(power)
        status = after.status(power) if known else "given"
        return after, Change({power: sheet.to_stored()}), SheetChange(power, sheet, messages, status, changed=changed)

    # Processing

    def process(self, game_id: str, credentials: Credentials, phase_number: int) -> Processing:
        """Process the open phase, and those after it in which no person has anything to order.

        Raises `Stale` if it has been processed already, `Over` when the game is over, and `PhaseNotOver`
        if the phase cannot end yet, for somebody's choice or draw is missing.
        """
        _require_all_seats(credentials)
        turns = self._processed_by_itself(game_id, phase_number)
        return Processing(turns, self._hosted(game_id).phase_number)

    def _processed_by_itself(self, game_id: str, phase_number: int) -> tuple[int, ...]:
        turns = [self._process_one(game_id, phase_number)]
        for ahead in range(1, MOST_ALONE):
            hosted = self._hosted(game_id)
            if hosted.phase_number != phase_number + ahead or not _goes_on_alone(hosted):
                break
            turns.append(self._process_one(game_id, hosted.phase_number))
        return tuple(turns)

    def _process_one(self, game_id: str, phase_number: int) -> int:
        now, turn = self._change(game_id, lambda hosted: _processed(hosted, phase_number))
        self.broker.announce(game_id, Announcement("phase", {"phase_number": now, "turn": turn, "what": "processed"}))
        return turn - 1

    def undo(self, game_id: str, credentials: Credentials, phase_number: int) -> int:
        """Take back the last turn of a hot-seat game, back to a phase that asked a person; its sheets come back too.

        Returns the number of the phase that is now open. Raises `Stale`, and `Over` if there is nothing to take back.
        """
        _require_all_seats(credentials)
        now, turn = self._change(game_id, lambda hosted: _undone(hosted, phase_number))
        self.broker.announce(game_id, Announcement("phase", {"phase_number": now, "turn": turn, "what": "undone"}))
        return now

    def draw(
        self, game_id: str, credentials: Credentials, phase_number: int, powers: Sequence[str] | None = None
    ) -> int:
        """End the game in a draw between `powers`, or all who are left; returns the new phase number."""
        _require_all_seats(credentials)
        now, turn = self._change(game_id, lambda hosted: _drawn(hosted, phase_number, powers))
        self.broker.announce(game_id, Announcement("phase", {"phase_number": now, "turn": turn, "what": "drawn"}))
        return now


# Pure parts


def _dice() -> Dice:
    return Dice(secrets.token_bytes(SEED_BYTES))


def _computers(
    names: Sequence[Power],
    read: Callable[[str], Power],
    wanted: str | Sequence[str] | Mapping[str, str],
    person: Power,
) -> dict[Power, str]:
    if isinstance(wanted, str):
        if wanted not in {"none", "others"}:
            raise UnknownName(
                f"'{wanted}' does not say who computers play; write 'others', 'none' or a list of powers."
            )
        seats = {power for power in names if power != person} if wanted == "others" else set()
        players = dict.fromkeys(seats, SENSIBLE)
    elif isinstance(wanted, Mapping):
        players = {read(name): player for name, player in wanted.items()}
    else:
        players = {read(name): SENSIBLE for name in wanted}
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


def _require_phase(hosted: HostedGame, phase_number: int) -> None:
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
    alive = any(position.units_of(power) or position.centres_of(power) for power in hosted.persons)
    return alive and not any(power in hosted.may_order for power in hosted.persons)


def _after(hosted: HostedGame, game: Game, sheets: Mapping[Power, Sheet]) -> GoneOn:
    """What becomes of a hosted game when its history is `game`, and the numbers of the phase and turn now open."""
    head, turns = record_parts(game)
    after = replace(hosted, game=game, sheets=sheets, phase_number=hosted.phase_number + 1)
    grown = len(turns) > hosted.turn
    change = Change(
        sheets={str(power): sheet.to_stored() for power, sheet in sheets.items()},
        next_phase=True,
        record=head,
        phase=str(game.position.phase),
        over=game.over,
        keep=len(turns) - grown,
        turn=turns[-1] if grown else None,
    )
    return after, change, (after.phase_number, after.turn)


def _processed(hosted: HostedGame, phase_number: int) -> GoneOn:
    _require_phase(hosted, phase_number)
    sheets = {**hosted.orders(), **_computed(hosted)}
    game = hosted.game.process({power: [str(order) for order in sheet] for power, sheet in sheets.items()})
    return _after(hosted, game, {})


def _computed(hosted: HostedGame) -> dict[Power, tuple[Order, ...]]:
    """The orders of the computer players, each from its own view."""
    chance, players = SystemRandom(), plugins.players().values
    orders: dict[Power, tuple[Order, ...]] = {}
    for power, name in hosted.computers.items():
        if name and power in hosted.may_order:
            # who is no longer installed is replaced, and who fails orders nothing: the game goes on
            player = players.get(name, BOTS[SENSIBLE])
            orders[power] = tuple(_orders_of(player, view(hosted.game, power, {}), power, chance))
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


def _undone(hosted: HostedGame, phase_number: int) -> GoneOn:
    if phase_number != hosted.phase_number:
        raise Stale(f"The game has gone on; {_now(hosted)}.")
    if hosted.seating != HOTSEAT:
        raise NotYours("A phase can be taken back only where all sit at one screen.")
    if hosted.game.drawn:
        return _after(hosted, replace(hosted.game, drawn=()), {})
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
    return _after(hosted, before.game, sheets)


def _drawn(hosted: HostedGame, phase_number: int, powers: Sequence[str] | None) -> GoneOn:
    _require_phase(hosted, phase_number)
    position = hosted.game.position
    left = [power for power in hosted.rules.names if position.units_of(power) or position.centres_of(power)]
    shared = (
        list(dict.fromkeys(hosted.rules.power(name) for name in powers)) if powers else left or list(hosted.persons)
    )
    return _after(hosted, hosted.game.draw(shared), {})
