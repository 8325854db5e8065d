"""Whatever fails at whatever moment: what was acknowledged is there, and no phase is played twice."""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from sqlalchemy import event

from plenipo import library
from plenipo.engine.history.record import encode_game
from plenipo.engine.history.verify import format_record, verify
from plenipo.engine.position import Power
from plenipo.server.broker import Broker
from plenipo.server.errors import GameServiceError, Over, SeatRefused, Stale
from plenipo.server.hosted_game import LINKS, Credentials, GameView
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.tick import TimeAct
from plenipo.server.new_games import NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store, StoreError
from plenipo.server.submissions import Edit
from plenipo.server.worker import Worker
from server.clocks import ManualClock, store_by_hand
from waiting import LIMIT

START = datetime(2026, 11, 22, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
FRANCE = Power("France")


store = pytest.fixture(store_by_hand)


class OutOfOrderError(Exception):
    """The disk is full, the network gone."""


@dataclass
class Failing:
    """Lets the n-th thing that is asked of a database fail, and all that comes after it."""

    store: Store
    at: int = 0
    asked: int = 0
    after: bool = False
    failed: bool = False

    def __post_init__(self) -> None:
        event.listen(self.store.engine, "before_cursor_execute", self._execute)
        event.listen(self.store.engine, "commit", self._commit)

    def _step(self) -> None:
        self.asked += 1
        if self.at and self.asked >= self.at:
            self.failed = True
            raise OutOfOrderError

    def _execute(self, *_: object) -> None:
        self._step()

    def _commit(self, _connection: object) -> None:
        self._step()

    def end(self) -> None:
        """Let everything succeed from now on."""
        event.remove(self.store.engine, "before_cursor_execute", self._execute)
        event.remove(self.store.engine, "commit", self._commit)


def opened(service: GameService) -> tuple[str, dict[str, Credentials]]:
    """A game of seven persons, due after four hours; the credentials of its seats and of its host."""
    within = {kind: {"within": "4h"} for kind in ("movement", "retreats", "adjustments")}
    schedule = schedule_of({**within, "cool": "0m", "missed": {"first": "hold", "then": "hold", "vacant_after": 9}})
    keys = service.open(NewGameRequest("standard", {}, seating=LINKS, schedule=schedule))
    seats = {str(power): Credentials((power,)) for power in keys.seats}
    return keys.id, {**seats, "host": Credentials((), all_seats=True)}


def order(service: GameService, game: str, who: Credentials, number: int, *texts: str) -> None:
    service.orders.submit(game, who, "France", number, Edit(texts, whole=True))


@dataclass
class Evening:
    """A little of a game, and the ledger of what was acknowledged in it."""

    store: Store
    clock: ManualClock = field(default_factory=lambda: ManualClock(START))
    order_sets: dict[int, str] = field(default_factory=dict)
    ended: set[int] = field(default_factory=set)

    def play(self) -> None:
        """Order twice, process, order again, and let time process; each acknowledged step is noted."""
        service = GameService(self.store, Broker(), self.clock)
        self.game, seats = opened(service)
        order(service, self.game, seats["France"], 1, "A PAR - BUR")
        self.order_sets[1] = "A PAR - BUR"
        order(service, self.game, seats["France"], 1, "A PAR - GAS")
        self.order_sets[1] = "A PAR - GAS"
        service.phases.process(self.game, seats["host"], 1)
        self.ended.add(1)
        order(service, self.game, seats["France"], 2, "A GAS - SPA")
        self.order_sets[2] = "A GAS - SPA"
        self.clock.time = START + 4 * HOUR
        Worker(service).look()

    def check(self) -> None:
        """Another server finds everything, and goes on."""
        service = GameService(self.store, Broker(), self.clock)
        stored = self.store.read(self.game)
        assert stored is not None
        view = service.view(self.game, Credentials((FRANCE,)), FRANCE)
        assert view.turn == view.phase_number - 1 == len(stored.record["entries"])
        assert all(number < view.phase_number for number in self.ended)
        for number, given in self.order_sets.items():
            if number == view.phase_number:
                assert given in view.order_sets[FRANCE].texts or view.order_sets[FRANCE].version > number
            else:
                played = view.find_turn(number - 1).orders[FRANCE]
                assert given in played or "A PAR - GAS" in played, (
                    "a later order set that nobody acknowledged may count"
                )
        verify(format_record(encode_game(service.games.load(self.game).game)), library.load)
        before = view.phase_number
        self.clock.time += 5 * HOUR
        worker = Worker(service)
        worker._looked = self.clock.time  # another reader looked meanwhile
        worker.look()
        assert service.view(self.game, Credentials(), None).phase_number > before


def test_a_store_that_fails_at_any_moment_loses_nothing_that_was_acknowledged(store: Store) -> None:
    for at in count(1):
        evening, failing = Evening(store), Failing(store, at)
        with suppress(OutOfOrderError, StoreError):
            evening.play()
        failing.end()
        if hasattr(evening, "game"):
            evening.check()
            store.delete(evening.game)  # or the workers of later evenings would look at it as well
        if not failing.failed:
            break
    assert at > 30, "hardly anything was asked of the database"


# Two at once


class Turnstile:
    """Lets two threads through one step at a time, in an order that is told beforehand."""

    def __init__(self, order: list[int]) -> None:
        self.order, self.taken = list(order), list[int]()
        self._state = threading.Condition()
        self._waiting: set[int] = set()
        self._done: set[int] = set()
        self._inside: int | None = None

    def step(self, who: int) -> None:
        """Wait for one's turn; one's step lasts until one comes again or is done."""
        with self._state:
            if self._inside == who:
                self._inside = None
            self._waiting.add(who)
            self._choose()
            while self._inside != who:
                assert self._state.wait(LIMIT), "the other one hangs"

    def done(self, who: int) -> None:
        """Say that one will not come again."""
        with self._state:
            if self._inside == who:
                self._inside = None
            self._done.add(who)
            self._choose()

    def _choose(self) -> None:
        if self._inside is not None or len(self._waiting | self._done) < 2 or not self._waiting:
            return
        place = len(self.taken)
        wanted = self.order[place] if place < len(self.order) else min(self._waiting)
        chosen = wanted if wanted in self._waiting else min(self._waiting)
        self.taken.append(chosen)
        self._waiting.discard(chosen)
        self._inside = chosen
        self._state.notify_all()


class SteppedStore:
    """A store that asks at a turnstile before each reading and each change of a game."""

    STEPS = frozenset({"read", "change"})

    def __init__(self, store: Store, turnstile: Turnstile, who: int) -> None:
        self._store, self._turnstile, self._who = store, turnstile, who

    def __getattr__(self, name: str) -> Any:
        if name in self.STEPS:
            self._turnstile.step(self._who)
        return getattr(self._store, name)


Actor = Callable[[GameService], object]


def interleaved(
    store: Store, clock: ManualClock, order: list[int], actors: tuple[Actor, Actor]
) -> tuple[Any, list[int]]:
    """Return the answers or refusals of two servers, and the order in which they took their steps."""
    turnstile, answers = Turnstile(order), list[Any]([None, None])

    def act(who: int) -> None:
        service = GameService(SteppedStore(store, turnstile, who), Broker(), clock)  # type: ignore[arg-type]
        try:
            answers[who] = actors[who](service)
        except GameServiceError as refusal:
            answers[who] = refusal
        finally:
            turnstile.done(who)

    threads = [threading.Thread(target=act, args=(who,)) for who in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    return answers, turnstile.taken


def every_order(run: Callable[[list[int]], list[int]]) -> int:
    """Try all orders of the steps of two actors, each once; how many there are.

    Where the first actor went last although the second could have, the second goes next time.
    """
    order: list[int] = []
    for number in count(1):  # noqa: B007  # it is the answer
        taken = run(order)
        place = next((i for i in range(len(taken) - 1, -1, -1) if taken[i] == 0 and 1 in taken[i:]), None)
        if place is None:
            break
        order = [*taken[:place], 1]
    return number


Seats = dict[str, Credentials]
Act = Callable[[GameService, str, Seats], object]


def process_what_is_due(service: GameService, game: str, _seats: Seats) -> object:
    return service.time.go_on(game)


def as_the_deadline_passes(
    store: Store, first: Act, second: Act, check: Callable[[list[Any], GameView, Seats], None]
) -> None:
    """Two act on a game at its first deadline, in every order of their steps; `check` looks at what each answers."""

    def run(order: list[int]) -> list[int]:
        clock = ManualClock(START)
        game, seats = opened(GameService(store, Broker(), clock))
        clock.time = START + 4 * HOUR
        actors = (lambda other: first(other, game, seats), lambda other: second(other, game, seats))
        answers, taken = interleaved(store, clock, order, actors)
        check(answers, GameService(store, Broker(), clock).view(game, Credentials(), None), seats)
        store.delete(game)
        return taken

    assert every_order(run) >= 6


def test_a_deadline_moved_while_it_passes_counts_or_is_refused_and_never_both(store: Store) -> None:
    seen = set()

    def check(answers: list[Any], view: GameView, _: Seats) -> None:
        assert view.timed is not None
        if isinstance(answers[0], Stale):
            assert view.phase_number == 2
            assert view.timed.phase.due == START + 8 * HOUR
            seen.add("processed")
        else:
            assert answers[0] is None
            assert view.phase_number == 1
            assert view.timed.phase.due == START + 5 * HOUR
            seen.add("moved")

    def move(service: GameService, game: str, seats: Seats) -> object:
        return service.time.keep_time(game, seats["host"], 1, TimeAct("extend", HOUR))  # type: ignore[func-returns-value]

    as_the_deadline_passes(store, move, process_what_is_due, check)
    assert seen == {"processed", "moved"}


def test_an_order_set_submitted_as_the_deadline_passes_counts_or_is_refused(store: Store) -> None:
    seen = set()

    def check(answers: list[Any], view: GameView, _: Seats) -> None:
        assert view.phase_number == 2
        counted = view.find_turn(0).orders.get(FRANCE, ())
        assert counted == (() if isinstance(answers[0], Stale) else ("A PAR - BUR",)), answers
        seen.add(counted)

    def submit_orders(service: GameService, game: str, seats: Seats) -> object:
        return service.orders.submit(game, seats["France"], "France", 1, Edit(("A PAR - BUR",)))

    as_the_deadline_passes(store, submit_orders, process_what_is_due, check)
    assert seen == {(), ("A PAR - BUR",)}


def test_two_that_process_at_once_process_one_phase(store: Store) -> None:
    def check(answers: list[Any], view: GameView, _: Seats) -> None:
        assert (view.phase_number, view.turn) == (2, 1)
        assert (answers[0] == (0,)) + (answers[1] == (0,)) == 1, answers

    def process(service: GameService, game: str, seats: Seats) -> object:
        return service.phases.process(game, seats["host"], 1)

    as_the_deadline_passes(store, process_what_is_due, process, check)


def test_a_draw_and_a_deadline_at_once(store: Store) -> None:
    def check(answers: list[Any], view: GameView, _: Seats) -> None:
        if isinstance(answers[1], Stale):
            assert (view.turn, view.view.over) == (1, False)
        else:
            assert (view.turn, view.view.over) == (0, True)
            assert not isinstance(answers[0], Over)

    def draw(service: GameService, game: str, seats: Seats) -> object:
        return service.phases.draw(game, seats["host"], 1)

    as_the_deadline_passes(store, process_what_is_due, draw, check)


def test_two_simultaneous_players_get_a_seat_each_or_one_is_refused(store: Store) -> None:
    seen = set()

    def run(order: list[int]) -> list[int]:
        clock = ManualClock(START)
        service = GameService(store, Broker(), clock)
        keys = service.open(NewGameRequest("standard", {}, seating=LINKS, lobby=True))
        invited = service.credentials(keys.id, [keys.invitation])
        answers, taken = interleaved(
            store,
            clock,
            order,
            (
                lambda other: other.lobby.join(keys.id, invited, "Ada", "France"),
                lambda other: other.lobby.join(keys.id, invited, "Ben", "France"),
            ),
        )
        players = GameService(store, Broker(), clock).view(keys.id, Credentials(), None).players
        assert [player.power for player in players] == ["France"]
        assert [isinstance(answer, SeatRefused) for answer in answers].count(True) == 1
        seen.add(players[0].name)
        store.delete(keys.id)
        return taken

    assert every_order(run) >= 6
    assert seen == {"Ada", "Ben"}


def test_a_game_one_server_works_on_is_left_to_it_until_it_is_done_or_gone(store: Store) -> None:
    game, _ = opened(GameService(store, Broker(), ManualClock(START)))
    due = START + 4 * HOUR
    with store.claim(game, START) as early:
        assert not early, "it is not due"
    with store.claim(game, due) as mine, store.claim(game, due) as theirs:
        assert mine
        assert theirs is (store.url.get_backend_name() == "sqlite"), "there the change alone decides"
    with store.claim(game, due) as again:
        assert again
    assert GameService(store, Broker(), ManualClock(due)).time.go_on(game) == (0,)
    with store.claim(game, due) as done:
        assert not done, "somebody has done it"
