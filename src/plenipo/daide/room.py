"""A game as DAIDE programs see it: who plays, what they have said, and what they are answered; without a network.

A room takes messages of its guests and returns the messages to send. It decides nothing about the game: when all
orders are in, its owner processes the phase and passes the new view on with `advance`. Time is passed in as seconds.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from plenipo.daide.grammar import ABILITIES, check_from_client, mark_error
from plenipo.daide.orders import OrderDraft, OrderReceiver
from plenipo.daide.reports import (
    ConvoyRoutes,
    SeatSummary,
    describe_centres,
    describe_position,
    describe_turn,
    owners_changed,
    summarise,
)
from plenipo.daide.tokens import (
    Nested,
    Token,
    Tokens,
    balance,
    build,
    integer,
    nest,
    number_of,
    parts_of,
    quote,
    string_of,
    token_of,
    wrap,
)
from plenipo.daide.vocabulary import TokenVocabulary, describe_map, turn_of
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.view import View
from plenipo.engine.orders import Order
from plenipo.engine.phases.commands import survives
from plenipo.engine.position import Power

__all__ = ["Guest", "Outbox", "Room", "Terms"]

Outbox = list[tuple[int, Tokens]]
"""Messages to send, each with the number of its receiver."""

_MOST_WRONG = 100
"""The number of wrong passcodes in a game after which no power can be taken over any more."""

_MOST_ORDERS = 5_000
"""The number of orders that a client may send in a phase; one that sends more has lost its way, and is sent off."""

_MOST_SENT = 500
"""The number of messages to others that a client may send in a phase; more are refused."""

_MOST_OBSERVERS = 100
"""The number of clients that may observe a game."""

_LONGEST_NAME = 40
"""The length of a client's name that is kept."""


@dataclass(frozen=True)
class Terms:
    """The terms of a game: the level of press, and the seconds for each kind of phase, None without a limit."""

    level: int = 0
    movement: int | None = None
    retreats: int | None = None
    builds: int | None = None

    def limit(self, kind: PhaseKind) -> int | None:
        """Return the seconds that a phase may take."""
        limits = {PhaseKind.RETREATS: self.retreats, PhaseKind.ADJUSTMENTS: self.builds}
        return limits.get(kind, self.movement)

    @property
    def options(self) -> list[Nested]:
        """The options as `HLO` lists them."""
        limits = ((Token.MTL, self.movement), (Token.RTL, self.retreats), (Token.BTL, self.builds))
        timed: list[Nested] = [[word.value, integer(seconds)] for word, seconds in limits if seconds is not None]
        return [[Token.LVL.value, integer(self.level)], *timed]


@dataclass
class Guest:
    """A client: what it plays or that it observes, and what it has said about itself."""

    power: Power | None = None
    observes: bool = False
    named: bool = False
    """True from its `NME` on: it waits for a power."""
    ready: bool = False
    """True when it has accepted the map."""
    name: str = ""
    version: str = ""
    orders: int = 0
    """The number of orders that it has sent in this phase."""
    sent: int = 0
    """The number of messages to others that it has sent in this phase."""
    times: set[int] = field(default_factory=set)
    """The seconds before a deadline at which it wants to be reminded."""

    @property
    def present(self) -> bool:
        """True if the game is shown to it."""
        return self.observes or self.power is not None


@dataclass
class Room:
    """A game with its guests. `seats` are the powers for clients, each with its passcode, in the order of arrival."""

    view: View
    words: TokenVocabulary
    seats: Mapping[Power, int]
    map_name: str
    terms: Terms = field(default_factory=Terms)
    others: Mapping[Power, SeatSummary] = field(default_factory=dict)
    """The players of powers that no client plays."""
    guests: dict[int, Guest] = field(default_factory=dict)
    started: bool = False
    deadline: float | None = None
    draws: set[Power] = field(default_factory=set)
    """The powers that have asked for a draw in this phase."""
    drafts: dict[Power, OrderDraft] = field(default_factory=dict)
    _reader: OrderReceiver = field(init=False, repr=False)
    _known: frozenset[int] = field(init=False, repr=False)
    _map: Tokens = field(init=False, repr=False)
    _wrong: int = 0
    _told: list[tuple[Tokens, ...]] = field(default_factory=list, repr=False)
    """The results of each phase, as they were sent."""
    _out: dict[Power, int] = field(default_factory=dict)
    _played: dict[Power, SeatSummary] = field(default_factory=dict)
    _reminded: set[int] = field(default_factory=set)
    _now_time: float = 0.0
    began: float = 0.0
    """The time at which the phase began."""

    def __post_init__(self) -> None:
        self._reader = OrderReceiver(self.view.rules, self.words, self.view.position)
        self._known = frozenset((*self.words.powers.values(), *self.words.provinces.values()))
        self._map = describe_map(self.view.rules, self.words)

    # Clients come and go

    def join(self, number: int) -> None:
        """Admit a client; it is no player yet."""
        self.guests[number] = Guest()

    def leave(self, number: int) -> Outbox:
        """Let a client go, and tell the others that its power is in civil disorder."""
        guest = self.guests.pop(number, None)
        if guest is None or guest.power is None or not self.started or self.view.over:
            return []
        return self._to_all(build(Token.CCD, [self.words.powers[guest.power]]))

    def player_of(self, power: Power) -> int | None:
        """Return the number of the client that plays a power."""
        return next((number for number, guest in self.guests.items() if guest.power == power), None)

    def is_complete(self) -> bool:
        """Return whether every seat has a client that has accepted the map, so that the game can start."""
        return sum(guest.named and guest.ready for guest in self.guests.values()) >= len(self.seats)

    def start(self, now: float) -> Outbox:
        """Give the clients their powers, and show them the opening."""
        waiting = [guest for guest in self.guests.values() if guest.named and guest.ready]
        for power, guest in zip(self.seats, waiting, strict=False):
            guest.power = power
            self._played[power] = SeatSummary(guest.name, guest.version)
        self.started = True
        self._begin_phase(now)
        told: Outbox = []
        for number, guest in self.guests.items():
            if guest.present:
                told += self._introduce(number, guest)
        return told

    def _introduce(self, number: int, guest: Guest) -> Outbox:
        messages = [self._hello(guest), self._centres(), self._now()]
        return [(number, message) for message in messages] + self._time_left(number)

    # The course of the game

    @property
    def waiting_for(self) -> tuple[Power, ...]:
        """The powers with a client here whose orders the phase waits for."""
        if not self.started or self.view.over:
            return ()
        playing = {guest.power for guest in self.guests.values()}
        return tuple(power for power in self.seats if power in playing and not self._is_done(power))

    def _is_done(self, power: Power) -> bool:
        draft = self.drafts.get(power, OrderDraft())
        return not draft.held and not self._reader.missing(power, draft)

    def is_abandoned(self) -> bool:
        """Return whether the game has started and no client plays in it any more."""
        return self.started and bool(self.seats) and all(guest.power is None for guest in self.guests.values())

    def is_due(self, now: float) -> bool:
        """Return whether the phase can be processed: all orders are in, or the deadline has passed."""
        if not self.started or self.view.over:
            return False
        late = self.deadline is not None and now >= self.deadline
        return late or not (self.waiting_for or self.is_abandoned())

    def orders(self) -> Mapping[Power, list[Order]]:
        """Return the orders of the powers with clients."""
        return {
            power: self._reader.orders(power, self.drafts.get(power, OrderDraft()))
            for power in self.view.may_order
            if power in self.seats
        }

    def is_draw_wanted(self) -> bool:
        """Return whether all clients whose powers survive have asked for a draw."""
        if not self.started or self.view.over:
            return False
        alive = [power for power in self.seats if self._survives(power) and self.player_of(power) is not None]
        return bool(alive) and self.draws.issuperset(alive)

    def advance(self, view: View, now: float) -> Outbox:
        """Continue with the view after one or more phases, or after the end; tell the clients the results."""
        told: Outbox = []
        if self.started and len(view.turns) > len(self.view.turns):
            for power in self.waiting_for:
                late = build(Token.CCD, [self.words.powers[power]], turn_of(self.words, self.view.position.phase))
                told += self._to_all(late)
        routes = {space: route for draft in self.drafts.values() for space, route in draft.routes.items()}
        before, self.view = self.view, view
        for number in range(len(before.turns), len(view.turns)):
            told += self._tell_turn(number, routes if number == len(before.turns) else {})
        if view.over:
            told += self._tell_end()
        self._reader = OrderReceiver(view.rules, self.words, view.position)
        self._begin_phase(now)
        told += self._to_all(self._now())
        if view.over:
            return told + self._to_all(self._summary())
        for number, guest in self.guests.items():
            if guest.present:
                told += self._time_left(number)
        return told

    def _begin_phase(self, now: float) -> None:
        self.drafts.clear()
        self.draws.clear()
        self._reminded.clear()
        for guest in self.guests.values():
            guest.orders = guest.sent = 0
        limit = self.terms.limit(self.view.position.phase.kind)
        self.deadline = None if limit is None or self.view.over else now + limit
        self.began = self._now_time = now

    def _tell_turn(self, number: int, routes: ConvoyRoutes) -> Outbox:
        view, words = self.view, self.words
        turn = view.turns[number]
        messages = tuple(describe_turn(view.rules, words, turn, routes))
        self._told.append(messages)
        after = turn.resolution.after
        for power in view.rules.names:
            if power not in self._out and not survives(view.rules, after, power):
                self._out[power] = turn.resolution.before.phase.year
        if owners_changed(view.rules, turn.resolution):
            messages = (*messages, describe_centres(view.rules, words, after))
        told = [sent for message in messages for sent in self._to_all(message)]
        if number < len(view.turns) - 1:
            told += self._to_all(describe_position(view.rules, words, after))
        return told

    def _tell_end(self) -> Outbox:
        winners = self.view.position.winners
        if len(winners) == 1:
            return self._to_all(build(Token.SLO, [self.words.powers[winners[0]]]))
        return self._to_all((Token.DRW.value,))

    def remind(self, now: float) -> Outbox:
        """Tell the clients the time that they have asked to be reminded of."""
        if self.deadline is None or not self.started:
            return []
        self._now_time = now
        left = int(self.deadline - now) + 1
        told: Outbox = []
        for number, guest in self.guests.items():
            for seconds in guest.times:
                if left <= seconds and seconds not in self._reminded:
                    told.append((number, build(Token.TME, [integer(seconds)])))
        self._reminded |= {seconds for guest in self.guests.values() for seconds in guest.times if left <= seconds}
        return told

    def close(self, reason: str = "") -> Outbox:
        """Tell all clients to leave, and why."""
        return [told for number in self.guests for told in self.send_off(number, reason)]

    @staticmethod
    def send_off(number: int, reason: str = "") -> Outbox:
        """Tell a client to leave, and why; its connection is closed after `OFF`."""
        why = [(number, build(Token.ADM, quote("server"), quote(reason)))] if reason else []
        return [*why, (number, (Token.OFF.value,))]

    # Messages

    def receive(self, number: int, message: Tokens, now: float) -> Outbox:
        """Return the answers to a message of a client."""
        self._now_time = now
        first = message[0]
        if not balance(message):
            return [] if first in (Token.PRN, Token.HUH) else [(number, wrap(Token.PRN, message))]
        place = check_from_client(message, self.terms.level, self._known)
        if place is not None:
            return [] if first in (Token.PRN, Token.HUH) else [(number, mark_error(message, place))]
        guest = self.guests[number]
        parts = nest(message)
        answers = self._answers[first](self, number, guest, message, parts)
        return answers if isinstance(answers, list) else [(number, answers)]

    def _to_all(self, message: Tokens) -> Outbox:
        return [(number, message) for number, guest in self.guests.items() if guest.present]

    def _survives(self, power: Power) -> bool:
        return survives(self.view.rules, self.view.position, power)

    def _hello(self, guest: Guest) -> Tokens:
        if guest.power is None:
            return build(Token.HLO, [Token.UNO.value], [integer(0)], self.terms.options)
        code = self.seats[guest.power]
        return build(Token.HLO, [self.words.powers[guest.power]], [integer(code)], self.terms.options)

    def _centres(self) -> Tokens:
        return describe_centres(self.view.rules, self.words, self.view.position)

    def _now(self) -> Tokens:
        return describe_position(self.view.rules, self.words, self.view.position)

    @property
    def players(self) -> Mapping[Power, SeatSummary]:
        """The players of all powers, and the years of their elimination."""
        seats = {**self.others, **self._played}
        return {power: replace(seat, out=self._out.get(power)) for power, seat in seats.items()}

    def _summary(self) -> Tokens:
        return summarise(self.view.rules, self.words, self.view.position, self.players)

    def _time_left(self, number: int) -> Outbox:
        if self.deadline is None:
            return []
        return [(number, build(Token.TME, [integer(max(0, int(self.deadline - self._now_time)))]))]

    # One function for each message that the grammar accepts

    def _on_name(self, _number: int, guest: Guest, message: Tokens, parts: list[Nested]) -> Outbox | Tokens:
        taken = sum(other.named for other in self.guests.values())
        if self.started or guest.named or guest.observes or taken >= len(self.seats):
            return wrap(Token.REJ, message)
        guest.named, (guest.name, guest.version) = True, map(_read_name, parts[1:3])
        return [(_number, wrap(Token.YES, message)), (_number, self._map_message())]

    def _on_observe(self, number: int, guest: Guest, message: Tokens, parts: list[Nested]) -> Outbox | Tokens:
        observers = sum(other.observes for other in self.guests.values())
        if guest.named or guest.present or observers >= _MOST_OBSERVERS:
            return wrap(Token.REJ, message)
        guest.observes = True
        if len(parts) > 2:
            guest.name, guest.version = map(_read_name, parts[1:3])
        return [(number, wrap(Token.YES, message)), (number, self._map_message())]

    def _on_return(self, number: int, guest: Guest, message: Tokens, parts: list[Nested]) -> Outbox | Tokens:
        power, code = (token_of(parts_of(part)[0]) for part in parts[1:3])
        wanted = self.words.power_of[power]
        if not self.started or self.view.over or guest.present or self._wrong >= _MOST_WRONG:
            return wrap(Token.REJ, message)
        if self.seats.get(wanted) != number_of(code):
            self._wrong += 1
            return wrap(Token.REJ, message)
        if self.player_of(wanted) is not None:
            return wrap(Token.REJ, message)
        guest.power, guest.ready = wanted, True
        back = build(Token.NOT, list(nest(build(Token.CCD, [power]))))
        return [(number, wrap(Token.YES, message)), *self._to_all(back)]

    def _map_message(self) -> Tokens:
        return build(Token.MAP, quote(self.map_name))

    def _on_map(self, _number: int, _guest: Guest, _message: Tokens, _parts: list[Nested]) -> Tokens:
        return self._map_message()

    def _on_definition(self, _number: int, _guest: Guest, _message: Tokens, _parts: list[Nested]) -> Tokens:
        return self._map

    def _on_yes(self, number: int, guest: Guest, _message: Tokens, _parts: list[Nested]) -> Outbox:
        first = not guest.ready and (guest.named or guest.observes)
        guest.ready = guest.ready or first
        return self._introduce(number, guest) if first and self.started and guest.present else []

    def _on_rejection(self, _number: int, guest: Guest, _message: Tokens, _parts: list[Nested]) -> Outbox:
        if guest.power is None:
            guest.named = guest.observes = guest.ready = False
        return []

    def _on_hello(self, _number: int, guest: Guest, message: Tokens, _parts: list[Nested]) -> Tokens:
        return self._hello(guest) if self.started else wrap(Token.REJ, message)

    def _on_centres(self, _number: int, _guest: Guest, _message: Tokens, _parts: list[Nested]) -> Tokens:
        return self._centres()

    def _on_position(self, _number: int, _guest: Guest, _message: Tokens, _parts: list[Nested]) -> Tokens:
        return self._now()

    def _on_results(self, number: int, _guest: Guest, message: Tokens, _parts: list[Nested]) -> Outbox | Tokens:
        """Answer with the results of the last movement and of the phases after it."""
        turns = self.view.turns
        if not turns:
            return wrap(Token.REJ, message)
        kinds = [turn.resolution.before.phase.kind for turn in turns]
        last = max((place for place, kind in enumerate(kinds) if kind is PhaseKind.MOVEMENT), default=0)
        return [(number, told) for place in range(last, len(turns)) for told in self._told[place]]

    def _on_history(self, number: int, _guest: Guest, message: Tokens, parts: list[Nested]) -> Outbox | Tokens:
        rules, words = self.view.rules, self.words
        for place, turn in enumerate(self.view.turns):
            if turn_of(words, turn.resolution.before.phase) == parts[1]:
                after = turn.resolution.after
                told = [*self._told[place], describe_centres(rules, words, after)]
                return [(number, one) for one in (*told, describe_position(rules, words, after))]
        return wrap(Token.REJ, message)

    def _may_order(self, guest: Guest) -> bool:
        return self.started and not self.view.over and guest.power is not None

    def _on_orders(self, number: int, guest: Guest, message: Tokens, parts: list[Nested]) -> Outbox | Tokens:
        if guest.power is None or not self._may_order(guest):
            return wrap(Token.REJ, message)
        told: Outbox = []
        guest.orders += len(parts) - 1
        if guest.orders > _MOST_ORDERS:
            return self.send_off(number, f"more than {_MOST_ORDERS} orders in a phase")
        draft = self.drafts.get(guest.power, OrderDraft())
        for written in map(parts_of, parts[1:]):
            draft, note = self._reader.submit(guest.power, draft, written)
            told.append((number, build(Token.THX, written, [note.value])))
        self.drafts[guest.power] = draft
        missing = self._reader.missing(guest.power, draft)
        return [*told, (number, build(Token.MIS, *missing))] if missing else told

    def _on_missing(self, _number: int, guest: Guest, message: Tokens, _parts: list[Nested]) -> Tokens:
        if guest.power is None or not self._may_order(guest):
            return wrap(Token.REJ, message)
        return build(Token.MIS, *self._reader.missing(guest.power, self.drafts.get(guest.power, OrderDraft())))

    def _on_go(self, number: int, guest: Guest, message: Tokens, _parts: list[Nested]) -> Outbox | Tokens:
        if guest.power is None or not self._may_order(guest):
            return wrap(Token.REJ, message)
        draft = replace(self.drafts.get(guest.power, OrderDraft()), held=False)
        self.drafts[guest.power] = draft
        told = [(number, wrap(Token.YES, message))]
        missing = self._reader.missing(guest.power, draft)
        return [*told, (number, build(Token.MIS, *missing))] if missing else told

    def _on_draw(self, _number: int, guest: Guest, message: Tokens, _parts: list[Nested]) -> Tokens:
        if guest.power is None or not self._may_order(guest) or not self._survives(guest.power):
            return wrap(Token.REJ, message)
        self.draws.add(guest.power)
        return wrap(Token.YES, message)

    def _on_summary(self, number: int, _guest: Guest, message: Tokens, _parts: list[Nested]) -> Outbox | Tokens:
        if not self.view.over:
            return wrap(Token.REJ, message)
        winners = self.view.position.winners
        solo = build(Token.SLO, [self.words.powers[winners[0]]])
        return [(number, solo if len(winners) == 1 else (Token.DRW.value,)), (number, self._summary())]

    def _on_time(self, number: int, guest: Guest, message: Tokens, parts: list[Nested]) -> Outbox | Tokens:
        if len(parts) == 1:
            return self._time_left(number) or wrap(Token.REJ, message)
        seconds = _read_number(parts[1])
        limits = (self.terms.movement, self.terms.retreats, self.terms.builds)
        longest = max((limit for limit in limits if limit is not None), default=-1)
        if not 0 <= seconds <= longest:
            return wrap(Token.REJ, message)
        guest.times.add(seconds)
        return wrap(Token.YES, message)

    def _on_not(self, _number: int, guest: Guest, message: Tokens, parts: list[Nested]) -> Tokens:
        return wrap(Token.YES if self._cancel(guest, parts_of(parts[1])) else Token.REJ, message)

    def _cancel(self, guest: Guest, cancelled: Sequence[Nested]) -> bool:
        """Take back orders, readiness, a draw or a reminder; return whether there was anything to take back."""
        if cancelled[0] == Token.TME:
            wanted = guest.times if len(cancelled) == 1 else {_read_number(cancelled[1])}
            found = bool(wanted & guest.times)
            guest.times -= set(wanted)
            return found
        if guest.power is None or not self._may_order(guest):
            return False
        draft = self.drafts.get(guest.power, OrderDraft())
        if cancelled[0] == Token.DRW:
            self.draws.discard(guest.power)
        elif cancelled[0] == Token.GOF:
            if not self._survives(guest.power):
                return False
            self.drafts[guest.power] = replace(draft, held=True)
        elif len(cancelled) == 1:
            self.drafts[guest.power] = OrderDraft(held=draft.held)
        else:
            left = self._reader.withdraw(draft, parts_of(cancelled[1]))
            if left is None:
                return False
            self.drafts[guest.power] = left
        return True

    def _on_press(self, number: int, guest: Guest, message: Tokens, parts: list[Nested]) -> Outbox | Tokens:
        powers, press = [*map(token_of, parts_of(parts[1]))], parts_of(parts[2])
        if guest.power is None or not self._may_order(guest) or not self._survives(guest.power):
            return wrap(Token.REJ, message)
        guest.sent += 1
        if guest.sent > _MOST_SENT:
            return wrap(Token.REJ, message)
        receivers: list[int] = []
        for token in powers:
            power = self.words.power_of[token]
            player = self.player_of(power)
            if power == guest.power:
                return wrap(Token.REJ, message)
            if not self._survives(power):
                return build(Token.OUT, [token], list(nest(message)))
            if player is None and power not in self.others:
                return build(Token.CCD, [token], list(nest(message)))
            if player is not None and player not in receivers:
                receivers.append(player)
        if press[0] == Token.TRY:
            press = [Token.TRY.value, self._limit_abilities(press[1])]
        sender = self.words.powers[guest.power]
        told = [(number, wrap(Token.YES, message))]
        told += [(player, build(Token.FRM, [sender], [*powers], press)) for player in receivers]
        if press[0] in (Token.TRY, Token.HUH):
            return told
        for token in powers:
            if self.words.power_of[token] in self.others:  # a computer player does not read press
                unread: list[Nested] = [Token.HUH.value, [Token.ERR.value, *press]]
                told.append((number, build(Token.FRM, [token], [sender], unread)))
                told.append((number, build(Token.FRM, [token], [sender], [Token.TRY.value, []])))
        return told

    def _limit_abilities(self, tokens: Nested) -> list[Nested]:
        """Return the tokens of a `TRY` that may be used at the level of the game."""
        known = {word for level, words in ABILITIES.items() if level <= self.terms.level for word in words}
        return [token for token in parts_of(tokens) if token in known]

    def _on_admin(self, number: int, guest: Guest, message: Tokens, _parts: list[Nested]) -> Outbox | Tokens:
        guest.sent += 1
        if not guest.present or guest.sent > _MOST_SENT:
            return wrap(Token.REJ, message)
        return [(number, wrap(Token.YES, message)), *self._to_all(message)]

    def _on_complaint(self, _number: int, _guest: Guest, _message: Tokens, _parts: list[Nested]) -> Outbox:
        return []  # there must be no answer

    _answers: ClassVar[Mapping[int, Callable[..., Outbox | Tokens]]] = {
        Token.NME: _on_name,
        Token.OBS: _on_observe,
        Token.IAM: _on_return,
        Token.MAP: _on_map,
        Token.MDF: _on_definition,
        Token.YES: _on_yes,
        Token.REJ: _on_rejection,
        Token.HLO: _on_hello,
        Token.SCO: _on_centres,
        Token.NOW: _on_position,
        Token.ORD: _on_results,
        Token.HST: _on_history,
        Token.SUB: _on_orders,
        Token.MIS: _on_missing,
        Token.GOF: _on_go,
        Token.DRW: _on_draw,
        Token.SMR: _on_summary,
        Token.TME: _on_time,
        Token.NOT: _on_not,
        Token.SND: _on_press,
        Token.ADM: _on_admin,
        Token.HUH: _on_complaint,
        Token.PRN: _on_complaint,
    }


def _read_name(part: Nested) -> str:
    return string_of(parts_of(part))[:_LONGEST_NAME]


def _read_number(part: Nested) -> int:
    return number_of(token_of(parts_of(part)[0])) or 0
