"""The effects of time on a hosted game: never early, never stopped without a reason, no time lost by pauses."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.position import Power
from plenipo.server.hosting.schedule import OnMissed, Schedule
from plenipo.server.hosting.tick import (
    NOBODY_LEFT,
    DueChange,
    GameState,
    Holder,
    OpenPhase,
    SeatState,
    TimeAct,
    TimedGame,
    charge_time_banks,
    extend_deadline,
    open_phase,
    pause_game,
    resume_game,
    seat_player,
    tick,
    waiting,
)
from plenipo.server.hosting.waits import waits_for

START = datetime(2026, 11, 22, 12, tzinfo=UTC)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
FRANCE, ITALY = Power("France"), Power("Italy")


def game(*, seats: dict[Power, SeatState] | None = None, first: bool = False, **parts: Any) -> TimedGame:
    schedule = Schedule.model_validate({"movement": {"within": "4h", "grace": "1h", "remind": ["30m"]}, **parts})
    seats = {FRANCE: SeatState(), ITALY: SeatState()} if seats is None else seats
    return open_phase(
        TimedGame(schedule, OpenPhase(PhaseKind.MOVEMENT, START), seats), PhaseKind.MOVEMENT, START, first=first
    )


def with_seat(on: TimedGame, power: Power, **parts: Any) -> TimedGame:
    return replace(on, seats={**on.seats, power: replace(on.seats[power], **parts)})


def done(on: TimedGame, now: datetime, away: timedelta = timedelta(0)) -> DueChange:
    act, _ = tick(on, now, away)
    assert act is not None
    return act


def test_nothing_happens_before_the_reminder_and_the_deadline() -> None:
    assert tick(game(), START) == (None, START + 3.5 * HOUR)


def test_players_who_are_not_ready_are_reminded_once() -> None:
    reminded = done(with_seat(game(), ITALY, ready=True), START + 3.5 * HOUR)
    assert reminded.reminded == (FRANCE,)
    assert tick(reminded.game, START + 3.6 * HOUR) == (None, START + 4 * HOUR)


def test_when_all_are_ready_a_short_wait_allows_changes_before_processing() -> None:
    ready = with_seat(with_seat(game(), ITALY, ready=True, given=True), FRANCE, ready=True, given=True)
    cooling = done(ready, START)
    assert not cooling.process
    assert waits_for(cooling.game) == "All players are ready. To change your orders, withdraw Ready now."
    assert tick(cooling.game, START + 9 * MINUTE) == (None, START + 10 * MINUTE)
    assert done(cooling.game, START + 10 * MINUTE).process
    back = done(with_seat(cooling.game, FRANCE, ready=False), START + 10 * MINUTE)
    assert not back.process
    assert back.game.phase.cool_until is None


def test_cooling_ends_when_the_last_player_leaves() -> None:
    """A game of computers alone waits for its deadline; it does not ask to be checked at an instant that is past."""
    ready = with_seat(with_seat(game(), ITALY, ready=True, given=True), FRANCE, ready=True, given=True)
    cooling = done(ready, START).game
    left = with_seat(with_seat(cooling, ITALY, holder=Holder.COMPUTER), FRANCE, holder=Holder.COMPUTER)
    over = done(left, START + 10 * MINUTE)
    assert not over.process
    assert over.game.phase.cool_until is None
    assert tick(over.game, START + 10 * MINUTE)[1] != START + 10 * MINUTE


def test_a_schedule_that_is_never_early_waits_for_its_deadline() -> None:
    ready = with_seat(with_seat(game(early="never"), ITALY, ready=True, given=True), FRANCE, ready=True, given=True)
    assert tick(ready, START)[0] is None
    assert done(ready, START + 4 * HOUR).process


def test_saved_orders_count_at_the_deadline_without_being_ready() -> None:
    saved = with_seat(with_seat(game(), ITALY, given=True), FRANCE, given=True)
    assert done(saved, START + 4 * HOUR).process


def test_a_late_player_has_a_grace_period_that_ends_when_orders_arrive() -> None:
    late = done(with_seat(game(), FRANCE, given=True), START + 4 * HOUR)
    assert late.why == "The deadline has passed; Italy may still submit orders."
    assert tick(late.game, START + 4.5 * HOUR) == (None, START + 5 * HOUR)
    assert done(with_seat(late.game, ITALY, given=True), START + 4.5 * HOUR).process


def missed(then: str, **parts: Any) -> DueChange:
    late = game(missed={"then": then, "first": "wait", "vacant_after": 2}, movement={"within": "4h"}, **parts)
    return done(with_seat(late, FRANCE, given=True, ready=True), START + 4 * HOUR)


def test_a_missed_phase_is_processed_and_the_seat_is_vacant_after_two() -> None:
    once = missed("hold")
    assert (once.process, once.missed, once.computers) == (True, (ITALY,), ())
    assert once.game.seats[ITALY].missed == 1
    twice = missed("hold", seats={FRANCE: SeatState(), ITALY: SeatState(missed=1)})
    assert twice.game.seats[ITALY].holder is Holder.NOBODY


def test_a_computer_may_play_for_a_player_with_an_nmr() -> None:
    assert missed("computer").computers == (ITALY,)


def test_a_game_may_wait_by_name_and_goes_on_when_the_orders_come() -> None:
    waiting = missed("wait")
    assert not waiting.process
    assert waits_for(waiting.game) == "Waiting for Italy, who missed the deadline."
    assert tick(waiting.game, START + 400 * HOUR) == (None, None)
    assert done(with_seat(waiting.game, ITALY, given=True), START + 400 * HOUR).process


def test_a_deadline_is_extended_as_long_as_there_are_extensions() -> None:
    rich = {FRANCE: SeatState(), ITALY: SeatState(extensions=1)}
    act = missed("extend", seats=rich)
    assert (act.process, act.game.phase.due, act.game.seats[ITALY].extensions) == (False, START + 8 * HOUR, 0)
    assert done(act.game, START + 8 * HOUR).process


def test_the_first_phase_has_a_rule_of_its_own() -> None:
    first = game(movement={"within": "4h"}, missed={"first": "replace", "then": "hold"}, first=True)
    act = done(first, START + 4 * HOUR)
    assert (act.process, act.game.phase.waiting) == (False, True)


def test_the_game_waits_neither_for_vacant_seats_nor_for_powers_without_orders() -> None:
    seats = {FRANCE: SeatState(holder=Holder.NOBODY), ITALY: SeatState(asked=False)}
    assert done(game(seats=seats), START).process


def test_the_game_no_longer_waits_for_a_player_who_could_withdraw_and_left() -> None:
    ready = game(seats={FRANCE: SeatState(given=True, ready=True), ITALY: SeatState(asked=False)}, cool="10m")
    cooling = done(ready, START).game
    assert tick(cooling, START + MINUTE)[0] is None
    assert done(with_seat(cooling, FRANCE, holder=Holder.COMPUTER), START + MINUTE).process


def test_a_deadline_that_passed_while_the_server_was_away_is_moved() -> None:
    act = done(game(), START + 10 * HOUR, away=8 * HOUR)
    assert act.game.phase.due == START + 11 * HOUR
    assert not act.process
    short = game(movement={"within": "10m"})
    assert done(short, START + 10 * HOUR, away=10 * HOUR).game.phase.due == START + 10 * HOUR + 10 * MINUTE
    assert tick(game(), START + HOUR, away=HOUR)[0] is None  # nothing passed


def test_a_pause_keeps_the_time_that_is_left_to_the_second() -> None:
    halted = pause_game(game(), START + HOUR + timedelta(seconds=17))
    assert tick(halted, START + 900 * HOUR) == (None, None)
    assert resume_game(halted, START + 900 * HOUR).phase.due == START + 903 * HOUR - timedelta(seconds=17)


def test_an_extension_during_a_pause_opens_a_phase_again_that_waited_for_missing_orders() -> None:
    """Found by `Hosting`: the phase ended at once when the game was resumed and all were ready."""
    begun = game(first=True, early="never", movement={"within": "4h"}, missed={"first": "wait", "then": "hold"})
    now = START + 4 * HOUR
    waiting = done(begun, now).game
    assert waiting.phase.waiting
    longer = TimeAct("extend", HOUR).apply(pause_game(waiting, now), now)
    assert not longer.is_closed
    ready = with_seat(with_seat(longer, FRANCE, given=True, ready=True), ITALY, given=True, ready=True)
    resumed = resume_game(ready, now)
    assert resumed.phase.due == now + HOUR
    assert tick(resumed, now)[0] is None


def test_an_extended_deadline_is_announced_again() -> None:
    reminded = done(game(), START + 3.5 * HOUR).game
    longer = extend_deadline(reminded, START + 8 * HOUR)
    assert done(longer, START + 7.5 * HOUR).reminded == (FRANCE, ITALY)


def test_no_time_bank_runs_in_a_phase_that_waits_for_missing_orders() -> None:
    """Found by `Hosting`: Italy was ready at the deadline, and is not ready any more when France's orders arrive."""
    full = timedelta(minutes=5)
    seats = {FRANCE: SeatState(time=full), ITALY: SeatState(time=full, given=True, ready=True)}
    parts = {"movement": {"within": "4h"}, "time_bank": "5m", "missed": {"first": "wait", "then": "hold"}}
    begin = game(seats=seats, first=True, **parts)
    assert tick(begin, START + 4 * HOUR) == (None, START + 4 * HOUR + full)
    closed_at, now = START + 4 * HOUR + full, START + 304 * MINUTE
    closed = charge_time_banks(begin, done(begin, closed_at).game, closed_at)
    assert waits_for(closed) == "Waiting for France, who missed the deadline."
    back = charge_time_banks(closed, with_seat(closed, ITALY, ready=False), now)
    assert tick(back, now) == (None, None)
    assert (back.runs_from(ITALY), back.time_left(ITALY, now + HOUR)) == (None, full)
    arrived = charge_time_banks(back, with_seat(back, FRANCE, given=True), now)
    assert done(arrived, now).process
    assert arrived.time_left(ITALY, now) == full
    assert arrived.time_left(FRANCE, now) == timedelta(0)


class Hosting(RuleBasedStateMachine):
    """Any acts of people and any passing of time, with a ledger of what must hold."""

    @initialize(
        early=st.sampled_from(["ready", "short", "never"]),
        then=st.sampled_from([*OnMissed]),
        first=st.sampled_from([*OnMissed]),
        grace=st.sampled_from(["0m", "1h"]),
        deadline=st.booleans(),
        time_bank=st.sampled_from([None, "5m", "90m"]),
    )
    def begin(
        self,
        early: str,
        then: OnMissed,
        first: OnMissed,
        grace: str,
        deadline: bool,  # noqa: FBT001
        time_bank: str | None,
    ) -> None:
        self.now = START
        time_bank, grace = time_bank if deadline else None, "0m" if time_bank else grace
        movement = {"within": "4h", "grace": grace, "remind": ["30m", "2h"]} if deadline else None
        schedule: dict[str, Any] = {
            "early": early,
            "movement": movement,
            "missed": {"then": then.value, "first": first.value},
            "time_bank": time_bank,
        }
        self.game = replace(game(first=True, **schedule), schedule=Schedule.model_validate(schedule))
        full = self.game.schedule.time_bank or timedelta(0)
        seats = {power: replace(seat, time=full) for power, seat in self.game.seats.items()}
        self.game = replace(self.game, seats=seats)
        self.game = open_phase(self.game, PhaseKind.MOVEMENT, START, first=True)
        self.own = dict.fromkeys(seats, full)
        self.reminders: set[tuple[datetime, datetime]] = set()

    def become(self, after: TimedGame) -> None:
        """Replace the game after a change made now."""
        self.game = charge_time_banks(self.game, after, self.now)

    def until(self, now: datetime, *, away: bool = False) -> None:
        """Let time pass, and record what that takes from each seat's time bank; `away` means that no server looks."""
        game = self.game
        stands = away or game.state is not GameState.RUNNING or game.phase.waiting or game.phase.needs
        for power, seat in game.seats.items():
            if not stands and game.phase.due is not None and seat.is_awaited and not seat.ready:
                spent = max(now - max(self.now, game.phase.due), timedelta(0))
                self.own[power] = max(self.own[power] - spent, timedelta(0))
        self.now = now

    def settle(self, away: timedelta = timedelta(0)) -> None:
        """Do all that is due now, each change once."""
        for _ in range(10):
            act, self.wake = tick(self.game, self.now, away)
            if act is None:
                return
            assert self.wake is None
            if act.game.is_closed and not self.game.is_closed:
                assert not any(self.own[power] for power in self.game.not_ready), "a time bank still runs"
            if act.process:
                self.processed(act)
            else:
                assert act.game != self.game
                self.become(act.game)
            away = timedelta(0)
        raise AssertionError("time alone changes the game for ever")

    def processed(self, act: DueChange) -> None:
        phase = self.game.phase
        everybody = not self.game.not_ready
        assert self.game.state is GameState.RUNNING
        if not everybody:
            assert phase.due is not None
            assert self.now >= phase.due
            assert set(act.missed) == set(self.game.late)
            # a phase that waited for missing orders was over for the others: taking back "ready" starts no time bank
            assert self.game.is_closed or not any(self.own[power] for power in self.game.not_ready)
        elif phase.due is not None and self.game.schedule.waits_for_deadline(phase.kind):
            assert self.now >= phase.due
        seats = {power: replace(seat, given=False, ready=False) for power, seat in act.game.seats.items()}
        self.become(open_phase(replace(act.game, seats=seats), PhaseKind.MOVEMENT, self.now))

    @rule(power=st.sampled_from([FRANCE, ITALY]), ready=st.booleans())
    def submit_orders(self, power: Power, ready: bool) -> None:  # noqa: FBT001
        self.become(with_seat(seat_player(self.game, power), power, given=True, ready=ready))
        assert self.game.seats[power].holder is Holder.PERSON, "who orders for a vacant seat takes it"
        self.settle()

    @rule(minutes=st.integers(1, 600))
    def time_passes(self, minutes: int) -> None:
        until = self.now + minutes * MINUTE
        while self.wake is not None and self.wake <= until:
            self.until(max(self.now, self.wake))
            self.settle()
        self.until(until)
        self.settle()

    @rule(power=st.sampled_from([FRANCE, ITALY]), holder=st.sampled_from([*Holder]))
    def goes_to_another(self, power: Power, holder: Holder) -> None:
        """Assign a seat to another holder: its time bank stays with the seat."""
        self.become(with_seat(self.game, power, holder=holder, missed=0))
        self.settle()

    @rule(hours=st.integers(1, 100))
    def outage(self, hours: int) -> None:
        before, until = self.now, self.game.phase.grace_until or self.game.phase.due
        self.until(before + hours * HOUR, away=True)
        phase = self.game.phase
        passed = until is not None and before < until <= self.now and not phase.waiting
        self.settle(away=hours * HOUR)
        if passed and self.game.state is GameState.RUNNING:
            assert (
                self.game.phase.opened == phase.opened or not self.game.not_ready or self.game.phase.opened == self.now
            )
            assert (
                (self.game.phase.grace_until or self.game.phase.due) is None
                or self.wake is None
                or self.wake > self.now
            )

    @precondition(lambda self: self.game.state is GameState.RUNNING)
    @rule()
    def pause(self) -> None:
        self.become(pause_game(self.game, self.now))
        self.settle()

    @precondition(lambda self: self.game.state is GameState.PAUSED)
    @rule()
    def resume(self) -> None:
        left = self.game.phase.left
        self.become(resume_game(self.game, self.now))
        until = self.game.phase.grace_until or self.game.phase.due
        assert left is None or until == self.now + left
        self.settle()

    @rule(hours=st.integers(1, 48))
    def extend(self, hours: int) -> None:
        """A deadline that is moved gives so much more time, also while the game is paused; it never takes any away."""
        before = self.game.phase
        self.become(TimeAct("extend", hours * HOUR).apply(self.game, self.now))
        after = self.game.phase
        if self.game.state is GameState.PAUSED:
            assert after.left == (before.left or timedelta(0)) + hours * HOUR
            assert after.due == before.due
        else:
            assert after.due == max(self.now, before.due or self.now) + hours * HOUR
            assert (after.waiting, after.grace_until, after.needs) == (False, None, ())
        self.settle()

    @rule(power=st.sampled_from([FRANCE, ITALY]))
    def something_is_missing(self, power: Power) -> None:
        """Require orders of a power before the phase can end: the phase names it until they are submitted."""
        if self.game.state is GameState.RUNNING:
            self.become(waiting(self.game, [power]))
            self.settle()
            assert self.wake is None
            assert str(power) in waits_for(self.game)

    @invariant()
    def no_game_stands_still_unnamed(self) -> None:
        if self.game.state is GameState.RUNNING:
            named = self.game.late if self.game.phase.waiting else self.game.not_ready
            assert self.wake is not None or named or self.game.phase.needs or waits_for(self.game) == NOBODY_LEFT
            assert self.wake is None or self.wake > self.now
        assert waits_for(self.game)

    @invariant()
    def time_bank_is_what_it_was_less_the_time_somebody_was_not_ready(self) -> None:
        for power in self.game.seats:
            assert self.game.time_left(power, self.now) == self.own[power] >= timedelta(0)

    wake: datetime | None = None


def test_the_account_of_hosting_knows_a_phase_that_waits_for_missing_orders() -> None:
    """The steps that Hypothesis found, as the account of `Hosting` judges them."""
    hosting = Hosting()
    parts = {"early": "ready", "grace": "0m", "deadline": True, "time_bank": "5m"}
    hosting.begin(then=OnMissed.HOLD, first=OnMissed.WAIT, **parts)
    hosting.submit_orders(power=ITALY, ready=True)
    hosting.outage(hours=1)
    hosting.outage(hours=1)
    hosting.time_passes(minutes=184)
    hosting.submit_orders(power=ITALY, ready=False)
    hosting.submit_orders(power=FRANCE, ready=False)
    hosting.time_bank_is_what_it_was_less_the_time_somebody_was_not_ready()
    assert hosting.game.phase.opened == hosting.now


Hosting.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestHosting = pytest.mark.filterwarnings("default")(Hosting.TestCase)
