"""The clock of a hosted game: the one change that is due at an instant, and the next instant to look at the game.

Pure: the caller says what time it is, and commits the change against the revision the game was read at. A second
caller finds nothing to do.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.position import GAME_MASTER, Power
from plenipo.engine.sentences import SentenceKind
from plenipo.server.hosting.schedule import Days, Deadline, OnMissed, Schedule, due

__all__ = [
    "AWAY",
    "AWAY_FROM_TIME_BANK",
    "BEFORE",
    "FORMING_FOR",
    "DueChange",
    "GameState",
    "Holder",
    "OpenPhase",
    "SeatState",
    "TimeAct",
    "TimedGame",
    "begin_game",
    "charge_time_banks",
    "extend_deadline",
    "fresh",
    "open_phase",
    "pause_game",
    "ready_check_for",
    "record_submission",
    "resume_game",
    "seat_player",
    "tick",
    "waiting",
]

AWAY = timedelta(minutes=15)
"""The least time without a check for due games that counts as an outage."""

AWAY_FROM_TIME_BANK = timedelta(minutes=2)
"""The same where seats have time banks, which run on between two checks."""

NOBODY_LEFT = SentenceKind(
    "server-nobody-left", "The game has no players left; a person who gives orders for a seat takes it over."
)()
"""The reason a game waits in which every seat is vacant."""

FORMING_FOR = timedelta(days=30)
"""The time for which a game may be forming after the last player joined."""

AFTER_OUTAGE = timedelta(hours=1)
"""The most time after an outage until the deadlines that passed in it."""


class GameState(StrEnum):
    """The stage of a hosted game."""

    FORMING = "forming"
    READY_CHECK = "ready_check"
    """Every seat is taken, and the ready check is open."""
    RUNNING = "running"
    PAUSED = "paused"
    OVER = "over"
    CANCELLED = "cancelled"
    """Cancelled before it began."""
    ABANDONED = "abandoned"
    """Abandoned by vote during play."""


BEFORE = (GameState.FORMING, GameState.READY_CHECK)
"""The states in which a game has not begun."""

READY_CHECK_FOR = timedelta(hours=24)
"""The time players have to answer the ready check; in a live game it is as long as a phase."""


class Holder(StrEnum):
    """The kind of holder of a seat."""

    PERSON = "person"
    COMPUTER = "computer"
    NOBODY = "nobody"
    """The seat is vacant, and the game does not wait for it."""


@dataclass(frozen=True, slots=True)
class SeatState:
    """A seat in the open phase.

    `asked`: it has something to order; `given`: it has submitted orders; `ready`: it needs no more time; `alive`:
    it may have something to order again.
    `missed` counts the movements and choices it missed in a row, `extensions` those it has left. `forgiven` is the
    number of NMRs that a submission in this phase has cancelled.
    Its time bank had `time` when the phase was opened, of which `used` is gone, apart from what runs now;
    `since` is when it last stopped being ready, None if it has not been ready in this phase.
    """

    holder: Holder = Holder.PERSON
    asked: bool = True
    given: bool = False
    ready: bool = False
    alive: bool = True
    missed: int = 0
    forgiven: int = 0
    extensions: int = 0
    time: timedelta = timedelta(0)
    used: timedelta = timedelta(0)
    since: datetime | None = None

    @property
    def is_awaited(self) -> bool:
        """True if a player has something to order here."""
        return self.holder is Holder.PERSON and self.asked

    @property
    def rest(self) -> timedelta:
        """The rest of the time bank, apart from what runs now."""
        return self.time - self.used


@dataclass(frozen=True, slots=True)
class OpenPhase:
    """The open phase of a game and its instants.

    `grace_until` is set during the grace period, `cool_until` while all are ready and may still change their minds,
    `left`
    while the game is paused: the time that was left to the deadline. `reminded` are the reminders sent, as the time
    before the deadline.
    """

    kind: PhaseKind
    opened: datetime
    first: bool = False
    due: datetime | None = None
    grace_until: datetime | None = None
    cool_until: datetime | None = None
    left: timedelta | None = None
    reminded: frozenset[timedelta] = frozenset()
    answered: bool = False
    """True if it began with conditional orders; if all are ready with them, there is no cooling time."""
    waiting: bool = False
    """True if the deadline is over and the phase waits for late players."""
    over: bool = False
    """True if the deadline is over and counted, and the phase ends as soon as no necessary orders are missing."""
    needs: tuple[Power, ...] = ()
    """The powers whose missing orders or choices keep the phase open although its time has come."""
    year: int = 0
    """The year of the phase."""
    played: timedelta = timedelta(0)
    """The length of play, without pauses, when the phase was opened."""


@dataclass(frozen=True, slots=True)
class TimedGame:
    """The part of a hosted game that time can change."""

    schedule: Schedule
    phase: OpenPhase
    seats: Mapping[Power, SeatState]
    state: GameState = GameState.RUNNING
    absences: tuple[Days, ...] = field(default=())
    expires: datetime | None = None
    """The instant at which a forming game is cancelled, or its ready check ends."""
    here: frozenset[int] = frozenset()
    """The tenures that have answered the ready check."""
    began: datetime | None = None
    """The instant at which the game began, shifted by its pauses."""
    paused: datetime | None = None
    """The start of the current pause, None if there is none."""
    resumes: datetime | None = None
    """The instant at which a pause ends automatically, None if it lasts until it is ended."""
    ends: datetime | None = None
    """The instant at which the game ends with its current position, shifted by pauses; None if it has no end."""

    @property
    def now_kept(self) -> Schedule:
        """The schedule for the open phase."""
        return self.schedule.at(self.phase.year, self.phase.played)

    @property
    def deadline(self) -> Deadline | None:
        """The rule of the open phase's deadline."""
        return self.now_kept.of(self.phase.kind)

    @property
    def dice_draw(self) -> bool:
        """True if the dice make the draws that the game master has not made when a phase is due."""
        draws = self.now_kept.draws
        return draws is not None and draws.otherwise == "dice"

    @property
    def is_closed(self) -> bool:
        """True if the deadline and the grace period of the open phase are over, and the phase could not end."""
        return self.phase.waiting or self.phase.over

    def runs_from(self, power: Power) -> datetime | None:
        """Return from which instant the time bank of a seat runs, past or future; None if it stands still.

        It runs while the player is not ready in a phase that is due, and neither the game nor the phase waits.
        """
        seat, phase = self.seats[power], self.phase
        stands = self.state is not GameState.RUNNING or self.is_closed or phase.needs or phase.due is None
        if self.schedule.time_bank is None or stands or not seat.is_awaited or seat.ready:
            return None
        return max(seat.since or phase.opened, phase.due)  # type: ignore[type-var]  # a phase without a deadline returned above

    def time_left(self, power: Power, now: datetime) -> timedelta:
        """Return the rest of a seat's time bank at an instant."""
        seat, runs = self.seats[power], self.runs_from(power)
        running = timedelta(0) if runs is None else max(now - runs, timedelta(0))
        return max(seat.rest - running, timedelta(0))

    def used_up(self, power: Power) -> datetime | None:
        """Return when a seat's time bank will be used up if it runs on; None if it stands still."""
        runs = self.runs_from(power)
        return None if runs is None else runs + self.seats[power].rest

    def without_marks(self, own: Collection[Power] = ()) -> "TimedGame":
        """Return the game without the marks that show which seats are ready or have saved orders.

        That all are ready, and that one of them is missing, is hidden too. A vacant seat whose player has submitted
        orders again stays vacant until the phase ends, unless it is one of the viewer's `own`.
        """
        seats = {power: replace(seat, given=False, ready=False, since=None) for power, seat in self.seats.items()}
        for power in seats.keys() - {*own}:
            seats[power] = self._before_submission(seats[power])
        return replace(self, seats=seats, phase=replace(self.phase, cool_until=None, needs=()))

    def _before_submission(self, seat: SeatState) -> SeatState:
        """Return a seat with the holder and the NMRs that it had when the phase was opened."""
        missed = seat.missed + seat.forgiven
        returned = seat.holder is Holder.PERSON and missed >= self.schedule.missed.vacant_after
        return replace(seat, missed=missed, forgiven=0, holder=Holder.NOBODY if returned else seat.holder)

    @property
    def not_ready(self) -> tuple[Power, ...]:
        """The seats of players who have something to order and are not ready."""
        return tuple(sorted(power for power, seat in self.seats.items() if seat.is_awaited and not seat.ready))

    @property
    def late(self) -> tuple[Power, ...]:
        """The seats of players who have something to order and have submitted nothing."""
        return tuple(sorted(power for power, seat in self.seats.items() if seat.is_awaited and not seat.given))


@dataclass(frozen=True, slots=True)
class DueChange:
    """A due change: the game after it, whether its phase is to be processed, and the reason as a sentence.

    `missed` are the NMR seats, `computers` those of them for which a computer orders this once, `reminded`
    the seats to be reminded. With `process` the phase of `game` is still the one that is processed.
    `unnamed` is the reason for viewers who may not know, while the phase is open, which seats are late.
    """

    game: TimedGame
    why: str
    kind: Literal[
        "ready", "deadline", "missed", "outage", "reminder", "cancelled", "ready_check_over", "resumed", "ended"
    ]
    process: bool = False
    missed: tuple[Power, ...] = ()
    computers: tuple[Power, ...] = ()
    reminded: tuple[Power, ...] = ()
    unnamed: str = ""


def tick(game: TimedGame, now: datetime, away: timedelta = timedelta(0)) -> tuple[DueChange | None, datetime | None]:
    """Return the change that is due at an instant, if any, and when to look again if there is none.

    `away` is the time since the last check for due games. A game that does not change by time alone has no
    next instant; `hosting.waits.waits_for` then says why it waits.
    """
    if game.state is GameState.FORMING and game.expires is not None:
        expires = min(game.expires, game.ends or game.expires)
        return (_cancel_expired(game, now), None) if now >= expires else (None, expires)
    if game.state is GameState.READY_CHECK and game.expires is not None:
        over = now >= game.expires
        return (DueChange(game, _READY_CHECK_OVER(), "ready_check_over"), None) if over else (None, game.expires)
    if game.state is GameState.PAUSED and game.resumes is not None:
        over = now >= game.resumes
        return (DueChange(resume_game(game, now), _RESUMED(), "resumed"), None) if over else (None, game.resumes)
    if game.state is not GameState.RUNNING:
        return None, None
    if game.ends is not None and now >= game.ends:
        return DueChange(game, _END_REACHED(), "ended"), None
    if game.phase.needs:
        return None, game.ends
    act = _outage(game, now, away) or _ready(game, now) or _deadline(game, now) or _reminder(game, now)
    return act, None if act else _next(game, now)


def _cancel_expired(game: TimedGame, now: datetime) -> DueChange:
    """Cancel a game that did not begin in time."""
    after = replace(game, state=GameState.CANCELLED, expires=None)
    late = game.ends is not None and now >= game.ends
    why = _NOT_BEGUN_BEFORE_END() if late else _NOT_BEGUN(number=FORMING_FOR.days)
    return DueChange(after, why, "cancelled")


_READY_CHECK_OVER = SentenceKind(
    "server-ready-check-over", "Not all players were ready; their seats are offered again."
)
_END_REACHED = SentenceKind("server-end-reached", "The game has reached its set end and ends as it stands.")
_NOT_BEGUN_BEFORE_END = SentenceKind(
    "server-not-begun-before-end",
    "The game did not begin before the hour at which it was to end; it is cancelled.",
)
_NOT_BEGUN = SentenceKind(
    "server-not-begun",
    "The game did not begin within {number} day; it is cancelled.",
    "The game did not begin within {number} days; it is cancelled.",
)


def ready_check_for(schedule: Schedule) -> timedelta:
    """Return how long players have to answer the ready check."""
    phase = schedule.movement.within if schedule.movement else None
    return READY_CHECK_FOR if phase is None else min(phase, READY_CHECK_FOR)


IN_GRACE = SentenceKind("server-in-grace", "The deadline has passed; {powers} may still submit orders.")
SOMEBODY_LATE = SentenceKind("server-late-unnamed", "The deadline has passed; missing orders may still be submitted.")()
SOMEBODY_MISSED = SentenceKind(
    "server-missed-unnamed", "The deadline has passed; the game waits for orders that are missing."
)()
SOMEBODY_EXTENDED = SentenceKind(
    "server-extended-unnamed", "The deadline is over and orders are missing; it is extended."
)()
"""The notice of an extension for late players where they are not named."""


def begin_game(schedule: Schedule, powers: Iterable[Power], kind: PhaseKind, now: datetime, year: int = 0) -> TimedGame:
    """Return a game that begins with a phase of a kind and a year at an instant; `powers` are the seats of players."""
    seats = dict.fromkeys(powers, fresh(schedule))
    ends = None if schedule.end is None else schedule.end.at
    game = TimedGame(schedule, OpenPhase(kind, now), seats, began=now, ends=ends)
    return open_phase(game, kind, now, year, first=True)


def fresh(schedule: Schedule) -> SeatState:
    """Return a seat with its full extensions and time bank."""
    return SeatState(extensions=schedule.missed.extensions, time=schedule.time_bank or timedelta(0))


def open_phase(game: TimedGame, kind: PhaseKind, now: datetime, year: int = 0, *, first: bool = False) -> TimedGame:
    """Return the game with a phase of a kind and a year opened at an instant; seats keep their holders and NMRs."""
    phase = OpenPhase(kind, now, first, year=year, played=max(now - (game.began or now), timedelta(0)))
    seats = {power: replace(seat, forgiven=0) for power, seat in game.seats.items()}
    after = replace(game, phase=phase, seats=seats)
    return replace(after, phase=replace(phase, due=due(after.now_kept, kind, now, game.absences)))


def pause_game(game: TimedGame, now: datetime, until: datetime | None = None) -> TimedGame:
    """Return the game paused, perhaps `until` an instant; the time left to the deadline is kept to the second."""
    phase = game.phase
    over = phase.grace_until or phase.due
    left = None if over is None else max(over - now, timedelta(0))
    kept = replace(phase, left=left, cool_until=None)
    return replace(game, state=GameState.PAUSED, phase=kept, paused=now, resumes=until)


def resume_game(game: TimedGame, now: datetime) -> TimedGame:
    """Return a paused game resumed with the time that was left; its end is moved by the length of the pause."""
    phase, left = game.phase, game.phase.left
    if left is not None and phase.grace_until is not None:
        phase = replace(phase, grace_until=now + left)
    elif left is not None:
        phase = replace(phase, due=now + left)
    pause = now - (game.paused or now)
    return replace(
        game,
        state=GameState.RUNNING,
        phase=replace(phase, left=None),
        paused=None,
        resumes=None,
        began=game.began and game.began + pause,
        ends=game.ends and game.ends + pause,
    )


def charge_time_banks(before: TimedGame, after: TimedGame, now: datetime) -> TimedGame:
    """Return the game `after` a change at an instant, with the elapsed time charged to its time banks.

    Call it for every change: of readiness, pauses, deadlines and the holders of seats.
    """
    if after.schedule.time_bank is None:
        return after
    same = before.phase.opened == after.phase.opened
    seats = {power: _charge_seat(before, after, power, now, same=same) for power in after.seats}
    return replace(after, seats=seats)


def _charge_seat(before: TimedGame, after: TimedGame, power: Power, now: datetime, *, same: bool) -> SeatState:
    seat, was, runs = after.seats[power], before.seats.get(power), after.runs_from(power)
    ran = None if was is None else before.runs_from(power)
    if was is not None and (seat.used, seat.since) != (was.used, was.since):
        return seat  # the change itself has handled it, as an outage does
    if same and was is not None and runs == ran:
        return seat  # it keeps running, or keeps not running
    spent = timedelta(0) if ran is None else max(now - ran, timedelta(0))
    used = min(seat.used + spent, seat.time)
    if same:
        return replace(seat, used=used, since=now)
    return replace(seat, time=seat.time - used, used=timedelta(0), since=None)


def waiting(game: TimedGame, needs: Iterable[Power]) -> TimedGame:
    """Return the game with its phase kept open until one of the powers it needs submits something."""
    return replace(game, phase=replace(game.phase, needs=tuple(needs), grace_until=None, cool_until=None))


def seat_player(game: TimedGame, power: Power) -> TimedGame:
    """Return the game with a player on a seat who has just submitted something."""
    before = game.seats[power]
    seat = replace(before, holder=Holder.PERSON, missed=0, forgiven=before.forgiven + before.missed)
    return record_submission(replace(game, seats={**game.seats, power: seat}))


def record_submission(game: TimedGame) -> TimedGame:
    """Return the game after a submission: a phase that could not end may end now."""
    return replace(game, phase=replace(game.phase, needs=())) if game.phase.needs else game


def extend_deadline(game: TimedGame, until: datetime) -> TimedGame:
    """Return the game with its deadline moved to an instant; the next phase keeps to the schedule."""
    kept = frozenset(before for before in game.phase.reminded if until - before <= (game.phase.due or until) - before)
    return replace(game, phase=replace(_open_again(game.phase), due=until, reminded=kept))


def _open_again(phase: OpenPhase) -> OpenPhase:
    """Return a phase whose deadline has not passed, even if it had passed before it was moved."""
    return replace(phase, grace_until=None, waiting=False, over=False, needs=())


_RESUMED = SentenceKind("server-resumed", "The game goes on.")
_MOVED = SentenceKind("server-deadline-moved", "The deadline was moved.")
_TIME_ACTS = {
    "pause": SentenceKind("server-was-paused", "The game was paused."),
    "resume": _RESUMED,
    "extend": _MOVED,
    "set": _MOVED,
}


@dataclass(frozen=True, slots=True)
class TimeAct:
    """A host's change to the time of a game: `pause`, `resume`, `extend` by a length of time, or `set` its deadline.

    An extension counts from the current deadline, or from now if that is over or there is none.
    A pause may last `until` an instant; a deadline is set to it.
    """

    kind: Literal["pause", "resume", "extend", "set"]
    by: timedelta = timedelta(0)
    until: datetime | None = None

    @property
    def why(self) -> str:
        """The notice to all players, as a sentence."""
        return _TIME_ACTS[self.kind]()

    def apply(self, game: TimedGame, now: datetime) -> TimedGame:
        """Return the game after it; a paused game stays paused, and an extension adds to its remaining time."""
        if self.kind == "pause":
            return pause_game(game, now, self.until) if game.state is GameState.RUNNING else game
        if self.kind == "resume":
            return resume_game(game, now) if game.state is GameState.PAUSED else game
        if self.kind == "set":
            return game if self.until is None else extend_deadline(game, self.until)
        if game.state is GameState.PAUSED:
            left = (game.phase.left or timedelta(0)) + self.by
            return replace(game, phase=replace(_open_again(game.phase), left=left))
        return extend_deadline(game, max(now, game.phase.due or now) + self.by)


def _outage(game: TimedGame, now: datetime, away: timedelta) -> DueChange | None:
    """Move a deadline that passed in an outage, at most by the length of the phase; time banks have not run."""
    until, gone = game.phase.grace_until or game.phase.due, now - away
    if away <= (AWAY if game.schedule.time_bank is None else AWAY_FROM_TIME_BANK) or until is None or game.is_closed:
        return None
    still = _stood_still(game, gone, now)
    if not gone < until <= now:
        return None if still is game else DueChange(still, _OUTAGE_TIME_BANK(), "outage")
    game = still
    length = max(until - game.phase.opened, timedelta(minutes=1))
    moved = now + min(AFTER_OUTAGE, length)
    in_grace = game.phase.grace_until is not None
    phase = replace(game.phase, grace_until=moved) if in_grace else replace(game.phase, due=moved)
    return DueChange(replace(game, phase=phase), _OUTAGE_MOVED(), "outage")


_OUTAGE_TIME_BANK = SentenceKind("server-outage-time-bank", "The server was down; no time bank was charged.")
_OUTAGE_MOVED = SentenceKind("server-outage-moved", "The server was away when the deadline passed; it is moved.")


def _stood_still(game: TimedGame, gone: datetime, now: datetime) -> TimedGame:
    """Return the game without charge to time banks between two instants; the same game if there is none."""
    ran = {power: runs for power in game.seats if (runs := game.runs_from(power)) is not None and runs < now}
    still = {power: runs for power, runs in ran.items() if game.time_left(power, gone)}
    if not still:
        return game
    seats = {
        power: replace(game.seats[power], used=game.seats[power].time - game.time_left(power, gone), since=now)
        for power in still
    }
    return replace(game, seats={**game.seats, **seats})


_NOTHING_TO_ORDER = SentenceKind("server-nothing-to-order", "No player has anything to order.")
_READY_WITHDRAWN = SentenceKind("server-ready-withdrawn", "A player withdrew Ready.")
_EVERYONE_READY = SentenceKind("server-everyone-ready", "All players are ready.")


def _ready(game: TimedGame, now: datetime) -> DueChange | None:
    """Return the change that follows from readiness: the start of cooling, its end, or a player no longer ready."""
    phase, everybody = game.phase, not game.not_ready
    if not any(seat.is_awaited for seat in game.seats.values()) and _has_players(game):
        return DueChange(game, _NOTHING_TO_ORDER(), "ready", process=True)
    early = not game.schedule.waits_for_deadline(phase.kind) or phase.due is None
    over_due = game.is_closed or phase.grace_until is not None
    if phase.cool_until is not None and not (everybody and early and _has_players(game)):
        why = _READY_WITHDRAWN() if _has_players(game) else NOBODY_LEFT
        return DueChange(replace(game, phase=replace(phase, cool_until=None)), why, "ready")
    if not everybody or not (early or over_due) or not _has_players(game):
        return None
    if phase.cool_until is None and game.schedule.cool and not over_due and not phase.answered:
        return DueChange(
            replace(game, phase=replace(phase, cool_until=now + game.schedule.cool)), _EVERYONE_READY(), "ready"
        )
    if phase.cool_until is None or now >= phase.cool_until:
        return DueChange(game, _EVERYONE_READY(), "ready", process=True)
    return None


def _has_players(game: TimedGame) -> bool:
    """Return whether a player is left."""
    return any(seat.holder is Holder.PERSON and seat.alive for seat in game.seats.values())


_DICE_DRAW = SentenceKind("server-dice-draw", "The deadline has passed; the dice of the game draw.")
_NOTHING_MISSING = SentenceKind("server-nothing-missing", "Everything is there that was missing.")
_DEADLINE_OVER = SentenceKind("server-deadline-over", "The deadline is over.")
_EXTENDED = SentenceKind("server-deadline-extended", "{powers} missed the deadline; it is extended.")
_MISSED_WAITS = SentenceKind("server-deadline-missed-waits", "{powers} missed the deadline; the game waits for them.")
_MISSED = SentenceKind("server-deadline-missed", "The deadline has passed; {powers} left no orders.")
_NEAR = SentenceKind("server-deadline-near", "The deadline is near.")


def _deadline(game: TimedGame, now: datetime) -> DueChange | None:
    """Return the change that follows from a deadline that is over, if any."""
    phase, late = game.phase, game.late
    if phase.due is None or now < phase.due or any(game.time_left(p, now) for p in game.seats if game.runs_from(p)):
        return None
    closed = replace(game, phase=replace(phase, over=True))
    if late == (GAME_MASTER,) and game.dice_draw:
        return DueChange(closed, _DICE_DRAW(), "deadline", process=True)
    if phase.over:
        return DueChange(game, _NOTHING_MISSING(), "ready", process=True, computers=_stand_ins(game))
    if not _has_players(game):
        stopped = replace(game, phase=replace(phase, waiting=True, grace_until=None, cool_until=None))
        return None if phase.waiting else DueChange(stopped, NOBODY_LEFT, "missed")
    if not late:
        return DueChange(closed, _DEADLINE_OVER(), "deadline", process=True)
    grace = game.deadline.grace if game.deadline else timedelta(0)
    if grace and phase.grace_until is None and not phase.waiting:
        changed = replace(phase, grace_until=phase.due + grace, cool_until=None)
        why = IN_GRACE(powers=late)
        return DueChange(replace(game, phase=changed), why, "deadline", unnamed=SOMEBODY_LATE)
    if phase.waiting or (phase.grace_until is not None and now < phase.grace_until):
        return None
    return _apply_nmr_policy(game, now)


def _apply_nmr_policy(game: TimedGame, now: datetime) -> DueChange:
    """Apply the NMR policy: the deadline and the grace period are over, and orders are missing."""
    phase, late, rule = game.phase, game.late, game.schedule.missed
    then = rule.first if phase.first else rule.then
    rich = tuple(power for power in late if game.seats[power].extensions)
    if then is OnMissed.EXTEND and rich and phase.due is not None:
        seats = {
            **game.seats,
            **{power: replace(game.seats[power], extensions=game.seats[power].extensions - 1) for power in rich},
        }
        length = max(phase.due - phase.opened, timedelta(minutes=1))
        changed = extend_deadline(replace(game, seats=seats), now + length)
        why = _EXTENDED(powers=rich)
        return DueChange(changed, why, "missed", missed=late, unnamed=SOMEBODY_EXTENDED)
    if then in (OnMissed.WAIT, OnMissed.REPLACE):
        changed = replace(game, phase=replace(phase, waiting=True, grace_until=None))
        why = _MISSED_WAITS(powers=late)
        return DueChange(changed, why, "missed", missed=late, unnamed=SOMEBODY_MISSED)
    counts = phase.kind in (PhaseKind.MOVEMENT, PhaseKind.CHOICE)
    seats = dict(game.seats)
    for power in late if counts else ():
        missed = seats[power].missed + 1
        vacant = missed >= rule.vacant_after
        seats[power] = replace(seats[power], missed=missed, holder=Holder.NOBODY if vacant else Holder.PERSON)
    why = _MISSED(powers=late)
    after = replace(game, seats=seats, phase=replace(phase, over=True))
    return DueChange(after, why, "missed", process=True, missed=late, computers=_stand_ins(game))


def _stand_ins(game: TimedGame) -> tuple[Power, ...]:
    """Return the NMR seats for which a computer orders this once."""
    rule = game.schedule.missed
    then = rule.first if game.phase.first else rule.then
    return tuple(power for power in game.late if power != GAME_MASTER) if then is OnMissed.COMPUTER else ()


def _reminder(game: TimedGame, now: datetime) -> DueChange | None:
    """Return the due reminders as one change; without recipients if all are ready."""
    phase = game.phase
    if phase.due is None or game.deadline is None or phase.waiting:
        return None
    come = frozenset(before for before in game.deadline.remind if phase.due - before <= now) - phase.reminded
    if not come or now >= phase.due:
        return None
    changed = replace(game, phase=replace(phase, reminded=phase.reminded | come))
    return DueChange(changed, _NEAR(), "reminder", reminded=game.not_ready)


def _next(game: TimedGame, now: datetime) -> datetime | None:
    """Return the next instant at which time alone changes a game for which nothing is due."""
    phase = game.phase
    if phase.waiting:
        return game.ends
    over = max(filter(None, (phase.due, *map(game.used_up, game.seats))), default=None)
    instants = [phase.cool_until, phase.grace_until or over, game.ends]
    if phase.due is not None and phase.grace_until is None and game.deadline is not None:
        coming = (phase.due - before for before in game.deadline.remind if before not in phase.reminded)
        instants += [at for at in coming if at > now]
    return min((instant for instant in instants if instant is not None), default=None)
