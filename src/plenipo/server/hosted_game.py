"""Hosted games: a game with its seats as the server has it in memory, an immutable value, and its views."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from hashlib import sha256
from typing import Any, Final, Literal

from pydantic import TypeAdapter

from plenipo import library
from plenipo.bots.deals.negotiation import Ledger
from plenipo.engine.history import record
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import Chain
from plenipo.engine.history.turns import Turn
from plenipo.engine.history.view import View, view
from plenipo.engine.hooks import RuleModule
from plenipo.engine.orders import Order, Promise
from plenipo.engine.phases.commands import survives
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import DrawProgress, drawn_by_hand
from plenipo.engine.position import GAME_MASTER, Position, Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import SentenceKind
from plenipo.errors import InvalidOrder, InvalidVariant, PlenipoError
from plenipo.library.mistakes import FaultyFile
from plenipo.server.deal_ledger import ledger_of_phase
from plenipo.server.errors import UnknownGame
from plenipo.server.hosting import press
from plenipo.server.hosting.absences import limit_leave
from plenipo.server.hosting.schedule import Days, due
from plenipo.server.hosting.settings import USUAL, Settings
from plenipo.server.hosting.tick import BEFORE, GameState, Holder, OpenPhase, SeatState, TimedGame
from plenipo.server.hosting.waits import waits_for
from plenipo.server.store.values import (
    SEATLESS,
    GameHead,
    Json,
    NewPerson,
    StoredDeal,
    StoredGame,
    StoredOrderSet,
    StoredReading,
    StoredTenure,
)

__all__ = [
    "HOTSEAT",
    "LINKS",
    "SOMEBODY",
    "Credentials",
    "GameView",
    "HostedGame",
    "Offer",
    "PlayerOnLeave",
    "SeatOrderSet",
    "TimeBank",
    "ViewFingerprint",
    "from_stored",
    "legal_orders",
    "open_by_kept_rules",
]

_TURN_MISSING = SentenceKind("server-turn-missing", "The game has {turn} turns: there is no turn {turn2}.")
_VARIANT_CHANGED = SentenceKind(
    "server-variant-changed",
    "This game cannot go on until the folder of its variant '{variant}' fits it again: {why}",
)
_FILE_UNREADABLE = SentenceKind("server-variant-unreadable", "a file of it cannot be read.")
_TURN_NOT_PLAYED = SentenceKind(
    "server-turn-not-played", "The game has {turn} turns: turn {turn2} has not been played."
)

ViewFingerprint = tuple[int, tuple[str, ...], tuple[tuple[Power, int], ...], str]
"""A fingerprint of the view of a game from a viewpoint."""

HOTSEAT: Final = "hotseat"
LINKS: Final = "links"
"""The ways of opening seats: one key for all, or a key for each."""

SOMEBODY = "a player"
"""The name shown for players of an anonymous game."""

Status = Literal["waiting", "given", "ready", "asked", "nothing", "out"]
"""The status of a seat; `asked` stands for the first three if it is hidden which of them applies."""


@dataclass(frozen=True)
class SeatOrderSet:
    """The order set of one seat for the open phase, completed; `version` counts those of the phase from 1.

    `tenure` is the number of the tenure whose player wrote it, None for a writer without a tenure.
    """

    orders: tuple[Order, ...] = ()
    ready: bool = False
    version: int = 0
    tenure: int | None = field(default=None, compare=False)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The texts of the orders."""
        return tuple(map(str, self.orders))

    def to_stored(self) -> StoredOrderSet:
        """Return the order set in its stored form."""
        return StoredOrderSet(self.texts, self.ready, self.version, self.tenure)


@dataclass(frozen=True)
class Offer:
    """A seat that a player may take over, for good or for a while, by the key with this digest."""

    power: Power
    for_good: bool
    digest: str


@dataclass(frozen=True)
class Credentials:
    """The credentials of a request, from its keys and the signed-in person: the seats they open, perhaps all.

    `invited` allows joining before the game begins, `player` is the number of the own tenure, and
    `offers` are the seats that may be taken over.
    """

    powers: tuple[Power, ...] = ()
    all_seats: bool = False
    invited: bool = False
    player: int | None = None
    offers: tuple[Offer, ...] = ()
    person: str | None = field(default=None, compare=False)
    """The signed-in person, where that matters: for joining."""
    guest: NewPerson | None = field(default=None, compare=False)
    """The new person, to be stored with the first seat."""
    tenures: tuple[int, ...] = field(default=(), compare=False)
    """All own tenures, where that matters: for press."""
    former: int | None = None
    """The number of the newest tenure that ended, for a person who does not play now."""

    @property
    def at_table(self) -> bool:
        """True if the viewer plays or hosts the game, and is no spectator."""
        return bool(self.powers) or self.all_seats or self.player is not None


@dataclass(frozen=True)
class TimeBank:
    """The visible time bank of a seat: the rest when it last began to run, and from when it runs.

    It may run from a later instant: when the phase is due.
    """

    left: timedelta
    runs_from: datetime | None


@dataclass(frozen=True)
class PlayerOnLeave:
    """A player whose leave moves a deadline: the power, the name, and the days."""

    power: str
    name: str
    days: Days


@dataclass(frozen=True, kw_only=True)
class HostedGame(GameHead):
    """A game with its seats and the order sets of its open phase, at one revision.

    `computers` maps each seat to its computer player, `''` for a person. `timing` has the deadlines and other instants
    of the game, None for a game without a schedule. `tenures` are all tenures by name, also the ended ones. `chain` is
    the hash chain of the stored record, None before it is stored. `ahead` are the conditional orders of the seats.
    `journal` is the number and the hash of the newest entry of the game log. `absences` are the days of the players'
    leave, by person. `readings` are the corrections of orders of the open phase. `deals` are those that seats offered
    each other. The game is `late` as delayed spectators see it.
    """

    game: Game
    computers: Mapping[Power, str]
    order_sets: Mapping[Power, SeatOrderSet] = field(default_factory=dict)
    timing: TimedGame | None = None
    settings: Settings = USUAL
    tenures: tuple[StoredTenure, ...] = ()
    chain: Chain | None = None
    ahead: Mapping[Power, tuple[str, ...]] = field(default_factory=dict)
    journal: tuple[int, str] = (0, "")
    absences: Mapping[str, tuple[Days, ...]] = field(default_factory=dict)
    readings: tuple[StoredReading, ...] = ()
    deals: tuple[StoredDeal, ...] = ()
    late: bool = False

    @property
    def looked_on(self) -> bool:
        """True if spectators see it as it is now: before it begins, when it is over, or if there is no delay."""
        goes_on = self.timing is not None and self.timing.state in (GameState.RUNNING, GameState.PAUSED)
        return not goes_on or self.game.over or not (self.settings.delay or self.settings.spectators == "nobody")

    def after(self, turns: int) -> "HostedGame":
        """Return the game as delayed spectators see it: after so many turns, without the actions of people."""
        assert self.timing is not None  # noqa: S101  # only games of people have a delay
        game = self.game.fork(turns)
        timing = TimedGame(
            self.timing.schedule, OpenPhase(game.position.phase.kind, datetime.min.replace(tzinfo=UTC)), {}
        )
        return HostedGame(
            **{**self.head, "revision": -1, "phase_number": turns + 1},
            game=game,
            computers=dict.fromkeys(self.rules.names, ""),
            timing=timing,
            settings=self.settings,
            late=True,
        )

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.game.rules

    @property
    def players(self) -> tuple[StoredTenure, ...]:
        """The current players by name, sitters included."""
        return tuple(tenure for tenure in self.tenures if tenure.until is None and tenure.kind not in SEATLESS)

    @property
    def reserves(self) -> tuple[StoredTenure, ...]:
        """The players on the waiting list, in their order."""
        return tuple(tenure for tenure in self.tenures if tenure.until is None and tenure.kind == "reserve")

    @property
    def granted_leave(self) -> tuple[Days, ...]:
        """The days of players' leave on which nothing is due, as far as the game allows."""
        most = self.settings.absence
        playing = {player.person for player in self.players if player.person is not None}
        persons = sorted(playing & self.absences.keys()) if most else []
        return tuple(days for person in persons for days in limit_leave(self.absences[person], most))

    @property
    def moved_from(self) -> datetime | None:
        """The instant at which the open phase would have been due without leave; None if leave has not moved it."""
        timing = self.timing
        if timing is None or not timing.absences:
            return None
        usual = due(timing.now_kept, timing.phase.kind, timing.phase.opened)
        heeded = due(timing.now_kept, timing.phase.kind, timing.phase.opened, timing.absences)
        return None if usual == heeded else usual

    def away(self, credentials: Credentials) -> tuple[PlayerOnLeave, ...]:
        """Return the players whose leave moves the deadline, for a host who sees who plays each power."""
        usual, timing = self.moved_from, self.timing
        if usual is None or timing is None or not (credentials.all_seats and self.sees_names(credentials)):
            return ()
        heeded = due(timing.now_kept, timing.phase.kind, timing.phase.opened, timing.absences) or usual
        zone = timing.schedule.own_zone
        first, last = usual.astimezone(zone).date(), heeded.astimezone(zone).date()
        return tuple(
            PlayerOnLeave(player.power, player.name, days)
            for player in self.players
            for days in limit_leave(self.absences.get(player.person or "", ()), self.settings.absence)
            if days.first <= last and first <= days.last
        )

    def sitter(self, power: Power) -> StoredTenure | None:
        """Return the sitter of a power that is lent, None if there is none."""
        return next((player for player in self.players if player.kind == "sitter" and player.power == power), None)

    def actor(self, power: Power) -> str | None:
        """Return the signed-in person who orders for a power, None if there is none."""
        mine = [player for player in self.players if player.power == power]
        acting = self.sitter(power) or next(iter(mine), None)
        return None if acting is None else acting.person

    @property
    def names_hidden(self) -> bool:
        """True if the players' powers are hidden: in an anonymous game that is not over."""
        return self.settings.anonymous and not (self.game.over or self.is_abandoned)

    def sees_names(self, credentials: Credentials) -> bool:
        """Return whether a viewer may know who plays each power, and which seats are ready or have saved orders.

        Every viewer may; in an anonymous game that is not over, only a game master without a seat.
        """
        if not self.names_hidden:
            return True
        plays = any(power in self.rules.names for power in credentials.powers)
        return credentials.all_seats and self.settings.host == "game master" and not plays

    def known_to(self, credentials: Credentials, *own: int) -> tuple[StoredTenure, ...]:
        """Return the tenures as a viewer may know them; every page and answer about people is made from these.

        If names are hidden, all tenures are anonymous but the viewer's and those with the numbers `own`; a host also
        sees the names on the waiting list of a lobby. Once powers are assigned, the order is that of the powers, so
        that it does not reveal who joined first.
        """
        if self.sees_names(credentials):
            return self.tenures
        mine = {credentials.player, *own}
        open_ = {"reserve"} if self.forming and credentials.all_seats else set[str]()
        known = [
            one if one.number in mine or one.kind in open_ else replace(one, name=SOMEBODY, person=None, preferences=())
            for one in self.tenures
        ]
        places = {str(power): place for place, power in enumerate(self.rules.names)}
        return tuple(known if self.forming else sorted(known, key=lambda one: (places.get(one.power, -1), one.since)))

    def public_name(self, tenure: StoredTenure) -> str:
        """Return the name of a player in a sentence for others."""
        return SOMEBODY if self.names_hidden else tenure.name

    @property
    def press_table(self) -> press.PressFacts:
        """The facts on which press depends now; a hotseat game has no press."""
        held: dict[str, tuple[int, ...]] = {}
        for tenure in self.tenures:
            if tenure.until is None and tenure.kind != "reserve":
                seat = press.OFFICE if tenure.kind == "host" else press.LOBBY if self.forming else tenure.power
                held[seat] = (*held.get(seat, ()), tenure.number)
        phase = None if self.timing is None else self.timing.phase
        return press.PressFacts(
            policy=self.settings.press if self.seating == LINKS else press.NO_PRESS,
            seats=tuple(self.rules.names),
            tenures=held,
            kind=self.game.position.phase.kind,
            due=None if phase is None else phase.due,
            in_grace=phase is not None and phase.grace_until is not None,
            over=self.game.over,
            forming=self.forming,
            anonymous=self.settings.anonymous,
            dead=frozenset(power for power in self.rules.names if self.status(power) == "out"),
            computers=frozenset(power for power, computer in self.computers.items() if computer),
        )

    def with_tenures(self, *changed: StoredTenure) -> "HostedGame":
        """Return the game with these tenures, which replace those with the same numbers."""
        tenures = {tenure.number: tenure for tenure in (*self.tenures, *changed)}
        after = replace(self, tenures=tuple(tenures[number] for number in sorted(tenures)))
        return self._knowing(after, "may_order", "game_master", "drawing")

    @property
    def turn(self) -> int:
        """The number of turns that have been played, and so the number of the open phase, from 0."""
        return len(self.game.turns)

    @property
    def forming(self) -> bool:
        """True if players may still join, and orders are not accepted yet."""
        return self.timing is not None and self.timing.state in BEFORE

    @property
    def is_cancelled(self) -> bool:
        """True if the game was cancelled before it began."""
        return self.timing is not None and self.timing.state is GameState.CANCELLED

    @property
    def is_abandoned(self) -> bool:
        """True if the players abandoned the game."""
        return self.timing is not None and self.timing.state is GameState.ABANDONED

    @property
    def timed_game(self) -> TimedGame | None:
        """The part of the game that time can change, with the current state of its seats; None without a schedule."""
        if self.timing is None:
            return None
        seats = {power: self._seat_state(power, self.timing.seats[power]) for power in self.timing.seats}
        master = self._order_set(GAME_MASTER)
        awaited = bool(self.drawing.due) or (bool(self.drawing.made) and not master.ready)
        if awaited:
            seats[GAME_MASTER] = SeatState(given=not self.drawing.due)
        return replace(self.timing, seats=seats)

    def _seat_state(self, power: Power, seat: SeatState) -> SeatState:
        order_set = self.order_sets.get(power)
        ready = order_set is not None and order_set.ready
        alive = self.status(power) != "out"
        return replace(seat, asked=power in self.may_order, given=order_set is not None, ready=ready, alive=alive)

    def with_timing(self, timing: TimedGame | None) -> "HostedGame":
        """Return the game with other instants; values that do not depend on them are not computed again."""
        if timing is not None and GAME_MASTER in timing.seats:
            seats = {power: seat for power, seat in timing.seats.items() if power != GAME_MASTER}
            timing = replace(timing, seats=seats)
        after = self._knowing(replace(self, timing=timing), "may_order", "game_master")
        return self._knowing(after, "drawing") if after.draws_open == self.draws_open else after

    @property
    def persons(self) -> tuple[Power, ...]:
        """The seats of human players."""
        return tuple(power for power in self.rules.names if not self.computers.get(power))

    @cached_property
    def may_order(self) -> tuple[Power, ...]:
        """The seats that may order something now."""
        return view(self.game, None, {}).may_order

    @property
    def public(self) -> bool:
        """True if all viewers see everything but orders: if rules and settings hide no more, or the game is over."""
        return self.game.over or not (self.rules.has_secrets or (not self.looked_on and not self.late))

    def seen_by(self, power: Power) -> Position:
        """Return the position as a seat sees it."""
        open_ = self.game.over or not self.rules.has_secrets
        return self.game.position if open_ else view(self.game, power, {}).position

    @property
    def waited_for(self) -> tuple[Power, ...]:
        """The human players with something to order who are not ready."""
        return tuple(power for power in self.persons if power in self.may_order and not self._order_set(power).ready)

    def is_vacant(self, power: Power) -> bool:
        """Return whether a seat has no player at present, so that the game does not wait for it."""
        seat = None if self.timing is None else self.timing.seats.get(power)
        return seat is not None and seat.holder is Holder.NOBODY

    @property
    def ready(self) -> bool:
        """True if the game waits for no player, and for no game master with something to draw or confirm."""
        return (
            not self.waited_for
            and not self.drawing.due
            and (not self.drawing.made or self._order_set(GAME_MASTER).ready)
        )

    def _order_set(self, power: Power) -> SeatOrderSet:
        return self.order_sets.get(power, SeatOrderSet())

    @property
    def draws_open(self) -> bool:
        """True if the game master may see the draws to make, which may depend on secret choices of the players.

        If every seat has its own key, that is when all players are ready, vacant seats aside, or when the deadline and
        the grace period are over.
        """
        timing = self.timing
        if self.seating != LINKS or (timing is not None and timing.is_closed):
            return True
        nobody = (
            ()
            if timing is None
            else [power for power, seat in timing.seats.items() if seat.holder is not Holder.PERSON]
        )
        return set(self.waited_for).issubset(nobody)

    @cached_property
    def drawing(self) -> DrawProgress:
        """The game master's draws for the open phase, and the next one."""
        if not self.draws_open:
            return DrawProgress()
        return drawn_by_hand(self.rules, self.game.position, self.orders())

    def seats(self, credentials: Credentials) -> tuple[Power, ...]:
        """Return the seats for which a request may order.

        The key to all seats opens those of all people in a hotseat game, and the game master's in every game.
        """
        hot = credentials.all_seats and self.seating == HOTSEAT
        seats = self.persons if hot else tuple(power for power in self.persons if power in credentials.powers)
        return (*seats, *((GAME_MASTER,) if credentials.all_seats and self.game_master else ()))

    @cached_property
    def game_master(self) -> bool:
        """True if the game master has orders to write: draws by hand, or promises to settle."""
        rules, position = self.rules, self.game.position
        notice = Promise("a word")
        modules = rules.overriding[RuleModule.why_no_notice]
        answers = (module.why_no_notice(rules, position, GAME_MASTER, notice) for module in modules)
        return rules.draws_by_hand or any(answer is not None for answer in answers)

    def with_order_set(self, power: Power, order_set: SeatOrderSet) -> "HostedGame":
        """Return the game with this order set of `power`; values that do not depend on it are not computed again."""
        return self._knowing(
            replace(self, order_sets={**self.order_sets, power: order_set}),
            "may_order",
            "game_master",
            "settings_fingerprint",
        )

    def with_ahead(self, ahead: Mapping[Power, tuple[str, ...]]) -> "HostedGame":
        """Return the game with these conditional orders."""
        return self._knowing(replace(self, ahead=ahead), "may_order", "game_master", "drawing", "settings_fingerprint")

    @cached_property
    def ledger(self) -> Ledger:
        """The deals that seats have made, and what was kept and broken."""
        return ledger_of_phase(self.id, self.phase_number, self.rules, self.game, self.deals)

    def with_deals(self, *changed: StoredDeal) -> "HostedGame":
        """Return the game with these deals, which replace those with the same numbers."""
        deals = {deal.number: deal for deal in (*self.deals, *changed)}
        after = replace(self, deals=tuple(deals.values()))
        return self._knowing(after, "may_order", "game_master", "drawing", "settings_fingerprint")

    def with_revision(self, revision: int, untold: int) -> "HostedGame":
        """Return the same game at another revision and `untold` count; nothing is computed again."""
        return self._knowing(
            replace(self, revision=revision, untold=untold),
            "may_order",
            "game_master",
            "drawing",
            "settings_fingerprint",
        )

    def own_times(self, who: Power | None, credentials: Credentials) -> Mapping[Power, TimeBank]:
        """Return the time bank of each seat; others' may be shown as they were when the phase was opened."""
        timed = self.timed_game
        if timed is None or timed.schedule.time_bank is None:
            return {}
        mine = {who, *self.seats(credentials)}
        return {
            power: TimeBank(seat.rest, timed.runs_from(power))
            if power in mine or self.settings.time_bank_runs
            else TimeBank(seat.time, None)
            for power, seat in timed.seats.items()
            if power != GAME_MASTER and seat.holder is not Holder.COMPUTER
        }

    def _knowing(self, other: "HostedGame", *names: str) -> "HostedGame":
        """Copy the values with these names, if computed, to another game, and return it."""
        other.__dict__.update((name, self.__dict__[name]) for name in names if name in self.__dict__)
        return other

    def state(self, who: Power | None, credentials: Credentials) -> ViewFingerprint:
        """Return a fingerprint of all facts shown to `who`: the same state, the same answers.

        The game master's draws may depend on any order set.
        """
        statuses = tuple(self.statuses(credentials).values())
        every = who == GAME_MASTER or GAME_MASTER in self.seats(credentials)
        versions = tuple(
            (power, order_set.version) for power, order_set in self.order_sets.items() if every or who == power
        )
        own = None if who is None else self.ahead.get(who)
        beside = (
            self.timing and (self.timing.state, self.timing.phase, self.timing.resumes, self.timing.ends),
            self.tenures,
            tuple(self.computers.values()),
            own,
            self.own_times(who, credentials),
            self.settings_fingerprint,
            self.away(credentials),
        )
        instants = repr(beside)
        return (self.phase_number, statuses, versions, instants)

    @cached_property
    def settings_fingerprint(self) -> str:
        """The fingerprint of the settings of the game."""
        schedule = "" if self.timing is None else self.timing.schedule.model_dump_json()
        return sha256(f"{schedule}{self.settings.model_dump_json()}".encode()).hexdigest()

    def orders(self) -> dict[Power, tuple[Order, ...]]:
        """Return the orders of the order sets, by power."""
        return {power: order_set.orders for power, order_set in self.order_sets.items()}

    def status(self, power: Power) -> Status:
        """Return the status of a seat."""
        if power in self.may_order:
            order_set = self.order_sets.get(power)
            if self.computers.get(power):
                return "ready"
            return "waiting" if order_set is None else "ready" if order_set.ready else "given"
        return "nothing" if survives(self.rules, self.game.position, power) or not self.turn else "out"

    def statuses(self, credentials: Credentials) -> Mapping[Power, Status]:
        """Return the status of each seat; a seat whose readiness the viewer may not know is `asked`."""
        known = {power: self.status(power) for power in self.rules.names}
        if self.sees_names(credentials):
            return known
        own = self.seats(credentials)
        return {
            power: "asked" if power in self.may_order and power not in own else status
            for power, status in known.items()
        }

    def waits_for(self, credentials: Credentials) -> str:
        """Return the reason the game waits, as a sentence; without names for viewers who may not know who is ready."""
        timed = self.timed_game
        return "" if timed is None else waits_for(timed, named=self.sees_names(credentials))

    def view(self, who: Power | None, credentials: Credentials) -> "GameView":
        """Return the view of the game from the viewpoint `who`."""
        timed, named = self.timed_game, self.sees_names(credentials)
        game_view = view(self.game, who, self.orders())
        seats = self.seats(credentials)
        # in a hotseat game one screen changes between viewpoints; a host of other players has one viewpoint
        master = (GAME_MASTER,) if GAME_MASTER in seats and (who == GAME_MASTER or self.seating == LINKS) else ()
        return GameView(
            **self.head,
            seats=seats,
            all_seats=credentials.all_seats,
            view=game_view,
            computers=self.computers,
            statuses=self.statuses(credentials),
            order_sets={
                power: self.order_sets[power] for power in (*game_view.order_sets, *master) if power in self.order_sets
            },
            state=self.state(who, credentials),
            drawing=self.drawing if master else None,
            timed=timed if timed is None or named else timed.without_marks(seats),
            waits_for=self.waits_for(credentials),
            own_times=self.own_times(who, credentials),
            late=self.late,
            moved=self.moved_from is not None,
            away=self.away(credentials),
            settings=self.settings,
            tenures=self.known_to(credentials),
            masked=not named,
            player=credentials.player,
            ahead={
                power: texts for power, texts in self.ahead.items() if power in game_view.order_sets or power == who
            },
        )

    def to_stored(self, whole: Mapping[str, Any] | None = None) -> StoredGame:
        """Return the game in its stored form, with all its turns; `whole` is its record if that is at hand."""
        return StoredGame(
            **self.head,
            variant=self.rules.variant,
            record=record.encode_game(self.game) if whole is None else dict(whole),
            computers={str(power): computer for power, computer in self.computers.items()},
            phase=str(self.game.position.phase),
            over=self.game.over,
            order_sets={str(power): order_set.to_stored() for power, order_set in self.order_sets.items()},
            timing=None if self.timing is None else encode_timing(self.timing),
            settings=self.settings.model_dump(),
            tenures=self.tenures,
            **self.columns,
        )

    @property
    def columns(self) -> Json:
        """The columns of the game for lists: its state, its deadline, and the reason it waits."""
        state = GameState.OVER if self.game.over else GameState.RUNNING if self.timing is None else self.timing.state
        phase = None if self.timing is None else self.timing.phase
        due = None if phase is None or state is not GameState.RUNNING else phase.grace_until or phase.due
        waits = (
            ()
            if self.game.over or self.forming or self.is_cancelled or self.is_abandoned
            else tuple(str(power) for power in self.waited_for if not self.is_vacant(power))
        )
        return {"state": state.value, "due": due, "waits": waits}


@dataclass(frozen=True, kw_only=True)
class GameView(GameHead):
    """A hosted game from one viewpoint: the view of the game, and the visible facts about its seats.

    `who` is a power, the game master for everything, or None for a spectator. `order_sets` are the order sets that
    `who`
    may see; credentials of the game master's seat also have that seat's order set and `drawing`, its draws by hand.
    """

    seats: tuple[Power, ...]
    all_seats: bool
    view: View
    computers: Mapping[Power, str]
    statuses: Mapping[Power, Status]
    order_sets: Mapping[Power, SeatOrderSet]
    state: ViewFingerprint
    drawing: DrawProgress | None = None
    timed: TimedGame | None = None
    waits_for: str = ""
    """The reason it waits, as a sentence."""
    settings: Settings = USUAL
    tenures: tuple[StoredTenure, ...] = ()
    player: int | None = None
    ahead: Mapping[Power, tuple[str, ...]] = field(default_factory=dict)
    own_times: Mapping[Power, TimeBank] = field(default_factory=dict)
    late: bool = False
    """True if it is the view of a delayed spectator."""
    moved: bool = False
    """True if leave moves the deadline of the open phase."""
    away: tuple[PlayerOnLeave, ...] = ()
    """The players on leave, for the host."""
    masked: bool = False
    """True if the powers and readiness of players are hidden from the viewer."""
    former: tuple[Power, str] | None = None
    """The power that the viewer played last, and the sentence on the end of that; None for others."""

    @property
    def players(self) -> tuple[StoredTenure, ...]:
        """The current players by name, sitters included."""
        return tuple(tenure for tenure in self.tenures if tenure.until is None and tenure.kind not in SEATLESS)

    @property
    def reserves(self) -> tuple[StoredTenure, ...]:
        """The players on the waiting list, in their order."""
        return tuple(tenure for tenure in self.tenures if tenure.until is None and tenure.kind == "reserve")

    def players_of(self, power: Power) -> tuple[StoredTenure, ...]:
        """Return the current players of a power."""
        return tuple(player for player in self.players if player.power == power)

    @property
    def who(self) -> Power | None:
        """The viewpoint."""
        return self.view.who

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.view.rules

    @property
    def turn(self) -> int:
        """The number of turns that have been played."""
        return len(self.view.turns)

    @property
    def position(self) -> Position:
        """The current position."""
        return self.view.position

    def at(self, turn: int | None) -> View:
        """Return the view after so many turns, or now; raise `UnknownGame` for a turn that does not exist."""
        if turn is not None and not 0 <= turn <= self.turn:
            raise UnknownGame(_TURN_MISSING(turn=self.turn, turn2=turn))
        return self.view if turn is None else self.view.at(turn)

    def find_turn(self, turn: int) -> Turn:
        """Return the turn with this number; raise `UnknownGame` if it has not been played."""
        if not 0 <= turn < self.turn:
            raise UnknownGame(_TURN_NOT_PLAYED(turn=self.turn, turn2=turn))
        return self.view.turns[turn]


TIMING: TypeAdapter[TimedGame] = TypeAdapter(TimedGame)
"""The adapter that writes and reads the instants of a game."""


def encode_timing(timing: TimedGame) -> Json:
    """Return the instants of a game as JSON."""
    value: Json = TIMING.dump_python(timing, mode="json", by_alias=True)
    return value


FindRules = Callable[[str, Mapping[str, str]], Iterable[Rules]]
"""A function that returns the rules of a variant with some options, as they were before its folder was edited."""


def from_stored(
    stored: StoredGame, turns: Callable[[int, int], Sequence[Json]], kept: FindRules = lambda _variant, _options: ()
) -> HostedGame:
    """Return the hosted game for a stored one; `turns` reads the records of turns, only when they are needed.

    Where the folder of an added variant has been edited and the game fits it no longer, the game goes on by a version
    that `kept` yields and that it fits. Raise `InvalidRecord` if a record was changed outside the program, and
    `InvalidVariant` if no version of the folder will do.
    """
    game = _open_game(stored, turns, kept)
    rules = game.rules
    return HostedGame(
        **stored.head,
        game=game,
        computers={Power(power): computer for power, computer in stored.computers.items()},
        order_sets={
            Power(power): _order_set(rules, game.position, order_set) for power, order_set in stored.order_sets.items()
        },
        timing=None if stored.timing is None else TIMING.validate_python(stored.timing),
        settings=USUAL if stored.settings is None else Settings.model_validate(stored.settings),
        tenures=stored.tenures,
        ahead={Power(power): texts for power, texts in stored.ahead.items()},
        chain=Chain.from_hashes(stored.record, stored.hashes),
        journal=stored.journal,
        absences={person: tuple(Days(first, last) for first, last in days) for person, days in stored.absences.items()},
        readings=stored.readings,
        deals=stored.deals,
    )


def _open_game(stored: StoredGame, turns: Callable[[int, int], Sequence[Json]], kept: FindRules) -> Game:
    def open_by(rules: Rules) -> Game:
        return record.open_game(stored.record, rules, stored.hashes, turns, stored.rulings)

    return open_by_kept_rules(stored, kept, open_by)


def open_by_kept_rules(stored: StoredGame, kept: FindRules, open_by: Callable[[Rules], Game]) -> Game:
    """Return what `open_by` makes of the rules of a stored game: those of the library, or `kept` ones that it fits.

    Raise what `open_by` raises, or `InvalidVariant` for an added variant.
    """
    options = stored.record["options"]
    try:
        return open_by(library.load(stored.variant, options))
    except (PlenipoError, OSError) as fault:
        if library.is_shipped(stored.variant):
            raise
        for rules in kept(stored.variant, options):
            with suppress(PlenipoError):
                return open_by(rules)
        raise InvalidVariant(_VARIANT_CHANGED(variant=stored.variant, why=_say_without_path(fault))) from fault


def _say_without_path(fault: PlenipoError | OSError) -> str:
    """Return why a variant cannot be played, for readers on other machines."""
    if isinstance(fault, OSError):
        return _FILE_UNREADABLE()
    return fault.mistake.without_path if isinstance(fault, FaultyFile) else fault.sentence


def _order_set(rules: Rules, position: Position, stored: StoredOrderSet) -> SeatOrderSet:
    return SeatOrderSet(tuple(_read(rules, position, stored.orders)), stored.ready, stored.version, stored.tenure)


def _read(rules: Rules, position: Position, texts: Iterable[str]) -> Iterable[Order]:
    """Yield the orders in texts written by this program for this position; leave out invalid orders."""
    notation = notation_of(rules, position)
    for text in texts:
        try:
            yield notation.read(text, position.phase.kind)
        except InvalidOrder:
            continue


def legal_orders(rules: Rules, position: Position, power: Power, texts: Iterable[str]) -> tuple[Order, ...]:
    """Return the orders that are legal in this position, completed."""
    legality = Legality(rules, position)
    completed = (legality.check(power, order).order for order in _read(rules, position, texts))
    return tuple(order for order in completed if order is not None)
