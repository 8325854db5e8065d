"""The host: who sits where, takes orders, processes phases, keeps games; the one way to a game for pages and programs.

Nothing here knows the web. A game is changed only by `Host`, each change on the newest revision and in one transaction
of the store: whoever comes second tries again on what the first has made, so no accepted order is lost and no phase is
processed twice.
"""

import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import SystemRandom
from threading import Lock
from typing import Any, TypeVar

from plenipo.bots import BOTS, orders_of
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history import record
from plenipo.engine.history.dice import SEED_BYTES, Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.orders import Order, Promise
from plenipo.engine.position import GAME_MASTER, Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.errors import IllegalOrder, InvalidOrder, PlenipoError, UnknownName
from plenipo.server import keys, sharing
from plenipo.server.broker import Broker, Event
from plenipo.server.errors import Busy, NoKey, NotYours, OrderRefused, Over, Stale, UnknownGame
from plenipo.server.store import Change, KeptKey, Store
from plenipo.server.table import (
    HOTSEAT,
    LINKS,
    Holder,
    Seen,
    Sheet,
    State,
    Table,
    kept_record,
    legal_again,
    restored,
    seen,
)

__all__ = ["OBSERVER", "TABLE", "Edit", "HandedIn", "Host", "NewGame", "Opened", "Processed"]

Json = dict[str, Any]
Made = TypeVar("Made")

TABLE, OBSERVER = "table", "observer"
"""The eyes one may ask for besides those of a power: all one's seats at once, and a stranger's."""

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

    `computers` are the seats of computer players: their names, `others` for all but `power`, `none`. `power` is the
    seat of the person who opens it. `position` is a shared position to begin from.
    """

    variant: str
    options: Mapping[str, str]
    computers: str | Sequence[str] = "none"
    power: str | None = None
    seating: str = HOTSEAT
    name: str = ""
    position: str | None = None


@dataclass(frozen=True)
class Opened:
    """A game just opened: its id, the token of the whole table, and those of single seats if each has its own."""

    id: str
    table: str
    seats: Mapping[Power, str]


@dataclass(frozen=True)
class Edit:
    """A change of a sheet: what is taken back, then what is given.

    `whole` begins with an empty sheet, `afresh` with one without promises.
    `ready` None leaves that as it is, except that a change of orders is not ready. `base` is the version of the sheet
    that the writer saw, if he says. `client` names his window, so that it knows its own changes when it is told.
    """

    give: tuple[str, ...] = ()
    clear: tuple[str, ...] = ()
    whole: bool = False
    afresh: bool = False
    ready: bool | None = None
    base: int | None = None
    client: str = ""


@dataclass(frozen=True)
class HandedIn:
    """The sheet as it now stands on disk, what the writer should know, and the turns processed because of it.

    `status` is that of the seat, which everybody may know; `changed` says whether it was another before.
    """

    power: Power
    sheet: Sheet
    told: tuple[str, ...]
    status: str
    changed: bool = False
    processed: tuple[int, ...] = ()


@dataclass(frozen=True)
class Processed:
    """The numbers of the turns just played, and the stage that is now open."""

    turns: tuple[int, ...]
    stage: int


class Host:
    """The games of one store; safe to use from several threads."""

    def __init__(self, store: Store, broker: Broker | None = None) -> None:
        self.store = store
        self.broker = broker or Broker()
        self._held: OrderedDict[str, Table] = OrderedDict()
        self._guard = Lock()
        self._locks: dict[str, Lock] = {}

    # Opening

    def open(self, new: NewGame) -> Opened:
        """Open a game; raises `UnknownName`, `InvalidVariant` or `InvalidRecord` for what there is not."""
        rules = sharing.rules_of(new.variant, new.options)
        game = Game.new(rules, _dice())
        if new.position is not None:
            game = replace(game, start=sharing.unpacked(new.position, rules))
        person = rules.power(new.power) if new.power else rules.names[0]
        if person not in rules.names:
            raise UnknownName(f"'{person}' is played by nobody; the powers are {', '.join(rules.names)}.")
        computers = _computers(rules.names, rules.power, new.computers, person)
        if new.seating not in {HOTSEAT, LINKS}:
            raise UnknownName(f"'{new.seating}' is no way to sit; there are {HOTSEAT}, {LINKS}.")
        return self._open(Table(keys.game_id(), new.name.strip() or rules.title, game, computers, {}, new.seating))

    def upload(self, value: object) -> Opened:
        """Open the game of a record, all its seats at one table; raises as `sharing.game_of` does."""
        game = sharing.game_of(value)
        computers = dict.fromkeys(game.rules.names, "")
        return self._open(Table(keys.game_id(), game.rules.title, game, computers))

    def fork(self, game_id: str, turns: int | None = None) -> Opened:
        """A game apart that begins like this one and goes its own way; of the open phase it knows nothing secret.

        Its dice are others, so that nobody finds out by trying what the game's own will show.
        """
        table = self._table(game_id)
        count = table.turn if turns is None else turns
        if not 0 <= count <= table.turn:
            raise UnknownGame(f"The game has {table.turn} turns: it cannot be forked after {count}.")
        game = replace(table.game.fork(count), dice=_dice())
        computers = dict.fromkeys(table.rules.names, "")
        return self._open(Table(keys.game_id(), table.name, game, computers, parent=game_id, parent_turn=count))

    def _open(self, table: Table) -> Opened:
        opened = Opened(
            table.id,
            keys.token(),
            {power: keys.token() for power in table.persons} if table.seating == LINKS else {},
        )
        tokens = {"": opened.table} | {str(power): token for power, token in opened.seats.items()}
        kept_keys = [KeptKey(keys.digest(token), power) for power, token in tokens.items()]
        self.store.create(table.kept(), kept_keys)
        self._hold(table)
        return opened

    def throw_away(self, game_id: str, holder: Holder) -> None:
        """Throw a what-if away; raises `NotYours` for a game that is none."""
        table = self._table(game_id)
        self._needs_table(holder)
        if table.parent is None:
            raise NotYours("Only a what-if can be thrown away; this is a game.")
        self.store.delete(game_id)
        with self._guard:
            self._held.pop(game_id, None)
        self.broker.tell(game_id, Event("gone", {}))

    # Seats

    def holder(self, game_id: str, tokens: Iterable[str]) -> Holder:
        """Who shows these tokens at this game; raises `NoKey` for a token that opens nothing here."""
        powers: list[Power] = []
        whole = False
        for token in tokens:
            found = self.store.key(keys.digest(token))
            if found is None or found[0] != game_id:
                raise NoKey("The key that was shown does not open this game; use the link you were given.")
            whole = whole or not found[1]
            powers.extend([Power(found[1])] if found[1] else [])
        return Holder(tuple(powers), whole)

    def game_of_token(self, token: str) -> str:
        """The game that a token is for; raises `NoKey`."""
        found = self.store.key(keys.digest(token))
        if found is None:
            raise NoKey("This link opens no game; perhaps it was copied only in part.")
        return found[0]

    def eyes(self, game_id: str, holder: Holder, asked: str | None) -> Power | None:
        """Whose eyes the holder looks through when he asks for `asked`: a power, `table`, `observer`, or nothing.

        Raises `UnknownName` for a seat there is none of, `NotYours` for one his keys do not open.
        """
        return self._eyes(self._table(game_id), holder, asked)

    def eyes_and_state(self, game_id: str, holder: Holder, asked: str | None) -> tuple[Power | None, State, int]:
        """As `eyes`, and the state in which they find the game (the same state, the same answers), and its revision."""
        table = self._table(game_id)
        who = self._eyes(table, holder, asked)
        return who, table.state(who, holder), table.revision

    def _eyes(self, table: Table, holder: Holder, asked: str | None) -> Power | None:
        held = table.holds(holder)
        hot = holder.table and table.seating == HOTSEAT
        if asked in (None, ""):
            return GAME_MASTER if hot else next((power for power in held if power != GAME_MASTER), None)
        if asked == OBSERVER:
            return None
        if asked == TABLE:
            if not holder.table:
                raise NotYours("Only the key of the table shows the whole table.")
            return GAME_MASTER if hot else None
        power = self._seat(table, str(asked))
        if power == GAME_MASTER and power in held and not hot:
            return None  # who keeps the table of others writes for the game master, and sees no secrets
        if power in held or (power in table.rules.names and hot):
            return power
        raise _not_opened(holder, power)

    def _seat(self, table: Table, name: str) -> Power:
        return GAME_MASTER if name == GAME_MASTER else table.rules.power(name[:200])

    def _needs_table(self, holder: Holder) -> None:
        if not holder.table:
            if not holder.powers:
                raise NoKey("This needs the key of the table, and none was shown.")
            raise NotYours("This needs the key of the table.")

    # Looking

    def look(self, game_id: str, holder: Holder, who: Power | None) -> Seen:
        """The game as `who` sees it, who comes from `eyes`; raises `UnknownGame`."""
        return seen(self._table(game_id), holder, who)

    def revision(self, game_id: str) -> int:
        """The revision of a game, which grows with every change; raises `UnknownGame`."""
        found = self.store.revision(game_id)
        if found is None:
            raise UnknownGame(f"There is no game '{game_id[:60]}'.")
        return found

    def record(self, game_id: str, holder: Holder) -> Json:
        """The record of a game; while it goes on, the seed of the dice is in it only for who holds the whole table."""
        table = self._table(game_id)
        return record.encode_game(table.game, public=not (holder.table and table.seating == HOTSEAT))

    def _table(self, game_id: str) -> Table:
        """The table at its newest revision; raises `UnknownGame`."""
        revision = self.revision(game_id)
        with self._guard:
            held = self._held.get(game_id)
            if held is not None:
                self._held.move_to_end(game_id)
        if held is not None and held.revision == revision:
            return held
        kept = self.store.read(game_id)
        if kept is None:
            raise UnknownGame(f"There is no game '{game_id[:60]}'.")
        table = restored(kept)
        self._hold(table)
        if held is not None:
            self._tell_of(held, table)
        return table

    def catch_up(self, game_id: str) -> None:
        """See whether another server has changed a game, and tell those who listen; raises `UnknownGame`."""
        self._table(game_id)

    def _tell_of(self, held: Table, table: Table) -> None:
        """Tell that another server has changed the table this one held."""
        if table.stage != held.stage:
            what = {"stage": table.stage, "turn": table.turn, "what": "elsewhere"}
            self.broker.tell(table.id, Event("stage", what))
        elif table.revision > held.revision:
            self.broker.tell(table.id, Event("sheet", {"power": None, "status": None, "stage": table.stage}))

    def _hold(self, table: Table) -> None:
        with self._guard:
            held = self._held.get(table.id)
            if held is None or held.revision < table.revision:
                self._held[table.id] = table
            self._held.move_to_end(table.id)
            while len(self._held) > HELD:
                self._held.popitem(last=False)

    def _lock(self, game_id: str) -> Lock:
        """The lock of a game in this process; other processes are kept apart by the store."""
        with self._guard:
            if len(self._locks) > HELD:
                self._locks = {name: lock for name, lock in self._locks.items() if lock.locked()}
            return self._locks.setdefault(game_id, Lock())

    def _changed(self, game_id: str, make: Callable[[Table], tuple[Table, Change, Made]]) -> Made:
        """Change a game by `make`, which says what becomes of the table and of its rows, and what to answer."""
        with self._lock(game_id):
            for _ in range(ATTEMPTS):
                table = self._table(game_id)
                after, change, answer = make(table)
                if self.store.change(game_id, table.revision, change):
                    self._hold(replace(after, revision=table.revision + 1))
                    return answer
        raise Busy("Too many changes came at once; try again.")

    # Orders

    def hand_in(self, game_id: str, holder: Holder, seat: str, stage: int, edit: Edit) -> HandedIn:
        """Change a sheet; it is on disk when this returns. All of the edit counts, or nothing.

        Raises `Stale` if `stage` is over, `NotYours`, `Over`, and `OrderRefused` for the first order that is refused.
        """
        done = self._changed(game_id, lambda table: self._handed_in(table, holder, seat, stage, edit))
        public = {"power": done.power, "status": done.status, "stage": stage}
        private = {**public, "version": done.sheet.version, "client": edit.client}
        self.broker.tell(game_id, Event("sheet", public if done.changed else None, private, done.power))
        table = self._table(game_id)
        if table.seating == LINKS and done.sheet.ready and table.ready and table.stage == stage:
            turns = self._processed_by_itself(game_id, stage)
            return replace(done, processed=turns)
        return done

    def _handed_in(
        self, table: Table, holder: Holder, seat: str, stage: int, edit: Edit
    ) -> tuple[Table, Change, HandedIn]:
        power = self._seat(table, seat)
        if power not in table.holds(holder):
            raise _not_opened(holder, power)
        _at_stage(table, stage)
        before = table.sheets.get(power, Sheet())
        orders, told = _edited(table, power, before, edit)
        ready = edit.ready if edit.ready is not None else before.ready and orders == before.orders
        sheet = Sheet(orders, ready, before.version + 1)
        after = table.with_sheet(power, sheet)
        known = power in table.rules.names
        changed = known and table.status(power) != after.status(power)
        status = after.status(power) if known else "given"
        return after, Change({power: sheet.kept()}), HandedIn(power, sheet, told, status, changed=changed)

    # Processing

    def process(self, game_id: str, holder: Holder, stage: int) -> Processed:
        """Process the open phase, and those after it in which no person has anything to order.

        Raises `Stale` if `stage` is over: the phase has been processed already. Raises `Over` when the game is, and
        `IllegalOrder` if the phase cannot end yet, for somebody's choice or draw is missing.
        """
        self._needs_table(holder)
        turns = self._processed_by_itself(game_id, stage)
        return Processed(turns, self._table(game_id).stage)

    def _processed_by_itself(self, game_id: str, stage: int) -> tuple[int, ...]:
        turns = [self._process_one(game_id, stage)]
        for ahead in range(1, MOST_ALONE):
            table = self._table(game_id)
            if table.stage != stage + ahead or not _goes_on_alone(table):
                break
            turns.append(self._process_one(game_id, table.stage))
        return tuple(turns)

    def _process_one(self, game_id: str, stage: int) -> int:
        now, turn = self._changed(game_id, lambda table: _processed(table, stage))
        self.broker.tell(game_id, Event("stage", {"stage": now, "turn": turn, "what": "processed"}))
        return turn - 1

    def undo(self, game_id: str, holder: Holder, stage: int) -> int:
        """Take back the last turn of a hot-seat game, back to a phase that asked a person; its sheets come back too.

        Returns the stage that is now open. Raises `Stale`, and `Over` if there is nothing to take back.
        """
        self._needs_table(holder)
        now, turn = self._changed(game_id, lambda table: _undone(table, stage))
        self.broker.tell(game_id, Event("stage", {"stage": now, "turn": turn, "what": "undone"}))
        return now

    def draw(self, game_id: str, holder: Holder, stage: int, powers: Sequence[str] | None = None) -> int:
        """End the game in a draw between `powers`, or all who are left; returns the stage. Raises `Stale`, `Over`."""
        self._needs_table(holder)
        now, turn = self._changed(game_id, lambda table: _drawn(table, stage, powers))
        self.broker.tell(game_id, Event("stage", {"stage": now, "turn": turn, "what": "drawn"}))
        return now


# Pure parts


def _dice() -> Dice:
    return Dice(secrets.token_bytes(SEED_BYTES))


def _computers(
    names: Sequence[Power], read: Callable[[str], Power], wanted: str | Sequence[str], person: Power
) -> dict[Power, str]:
    if isinstance(wanted, str):
        if wanted not in {"none", "others"}:
            raise UnknownName(
                f"'{wanted}' does not say who computers play; write 'others', 'none' or a list of powers."
            )
        seats = {power for power in names if power != person} if wanted == "others" else set()
    else:
        seats = {read(name) for name in wanted}
    return {power: SENSIBLE if power in seats else "" for power in names}


def _not_opened(holder: Holder, power: Power) -> PlenipoError:
    if not holder.powers and not holder.table:
        return NoKey(f"The seat of {power} needs its key, and none was shown.")
    return NotYours(f"Your key does not open the seat of {power}.")


def _at_stage(table: Table, stage: int) -> None:
    if table.game.over:
        raise Over("The game is over.")
    if stage != table.stage:
        raise Stale(
            f"This is for a phase that is over; the game is at {table.game.position.phase}, stage {table.stage}."
        )


def _edited(table: Table, power: Power, before: Sheet, edit: Edit) -> tuple[tuple[Order, ...], tuple[str, ...]]:
    """The orders after an edit, and what its writer should know; raises `OrderRefused`."""
    desk = OrderEntry(table.rules, table.game.position, power)
    told: list[str] = []
    orders: tuple[Order, ...] = () if edit.whole else before.orders
    if edit.afresh:
        orders = tuple(order for order in orders if not isinstance(order, Promise))
    for text in edit.clear:
        orders = desk.clear(orders, text)
    for index, text in enumerate(edit.give):
        try:
            given = desk.give(orders, text)
        except InvalidOrder as fault:
            raise OrderRefused(
                str(fault), index, illegal=False, piece=fault.piece, suggestions=fault.suggestions
            ) from fault
        except IllegalOrder as fault:
            raise OrderRefused(str(fault), index, illegal=True) from fault
        told += [f"'{order}' was replaced." for order in given.replaced]
        orders = given.sheet
    if edit.base is not None and edit.base != before.version:
        lost = [f"'{order}'" for order in before.orders if order not in orders]
        if lost:
            told.append(f"The sheet had changed in another window; {', '.join(lost)} no longer stands.")
        else:
            told.append("The sheet had changed in another window.")
    return orders, tuple(told)


def _goes_on_alone(table: Table) -> bool:
    """Whether the open phase asks no person, not even for a draw by hand, in a game in which persons still play."""
    position = table.game.position
    if table.game.over or position.phase.kind is PhaseKind.DRAWS or table.drawing.due:
        return False
    alive = any(position.units_of(power) or position.centres_of(power) for power in table.persons)
    return alive and not any(power in table.asked for power in table.persons)


def _after(table: Table, game: Game, sheets: Mapping[Power, Sheet]) -> tuple[Table, Change, tuple[int, int]]:
    """The table when its game has become `game`, at the next stage; answers with the stage and the turn now open."""
    head, turns = kept_record(game)
    after = replace(table, game=game, sheets=sheets, stage=table.stage + 1)
    grown = len(turns) > table.turn
    change = Change(
        sheets={str(power): sheet.kept() for power, sheet in sheets.items()},
        next_stage=True,
        record=head,
        phase=str(game.position.phase),
        over=game.over,
        keep=len(turns) - grown,
        turn=turns[-1] if grown else None,
    )
    return after, change, (after.stage, after.turn)


def _processed(table: Table, stage: int) -> tuple[Table, Change, tuple[int, int]]:
    _at_stage(table, stage)
    sheets = {**table.orders(), **_computed(table)}
    game = table.game.process({power: [str(order) for order in sheet] for power, sheet in sheets.items()})
    resolution = game.turns[-1].resolution
    if resolution.after == resolution.before and resolution.errors:
        raise IllegalOrder(resolution.errors[-1])
    return _after(table, game, {})


def _computed(table: Table) -> dict[Power, tuple[Order, ...]]:
    """The orders of the computer players, each from its own view."""
    chance = SystemRandom()
    return {
        power: tuple(orders_of(computer, view(table.game, power, {}), power, chance))
        for power, computer in table.computers.items()
        if computer and power in table.asked
    }


def _undone(table: Table, stage: int) -> tuple[Table, Change, tuple[int, int]]:
    if stage != table.stage:
        raise Stale(f"The game has gone on; it is at {table.game.position.phase}, stage {table.stage}.")
    if table.seating != HOTSEAT:
        raise NotYours("A phase can be taken back only where all sit at one table.")
    if table.game.drawn:
        return _after(table, replace(table.game, drawn=()), {})
    if not table.turn:
        raise Over("This is the first phase; there is none to take back.")
    before = table
    while True:
        last = before.game.turns[-1]
        before = replace(before, game=before.game.undo(), sheets={})
        if not before.turn or last.orders.get(GAME_MASTER) or any(power in before.asked for power in before.persons):
            break
    persons = (*table.persons, GAME_MASTER)
    position = before.game.position
    sheets = {
        power: Sheet(legal_again(table.rules, position, power, texts), version=1)
        for power, texts in last.orders.items()
        if power in persons
    }
    return _after(table, before.game, sheets)


def _drawn(table: Table, stage: int, powers: Sequence[str] | None) -> tuple[Table, Change, tuple[int, int]]:
    _at_stage(table, stage)
    position = table.game.position
    left = [power for power in table.rules.names if position.units_of(power) or position.centres_of(power)]
    shared = list(dict.fromkeys(table.rules.power(name) for name in powers)) if powers else left or list(table.persons)
    return _after(table, table.game.draw(shared), {})
