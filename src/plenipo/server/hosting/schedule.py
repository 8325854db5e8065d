"""Schedules: when the phases of a hosted game are due, as data.

A deadline is either the next of some hours of the week in a zone (`at`) or a length of time after the phase was opened
(`within`). An hour of the week is a wall time: where a change of clocks skips it, it is the first instant after the
change, and where it comes twice, the first of the two.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Annotated, Any, Literal, NamedTuple, Self, cast
from zoneinfo import ZoneInfo, available_timezones

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
    model_validator,
)

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.sentences import SentenceKind
from plenipo.engine.wording import hint, listing
from plenipo.languages import mark
from plenipo.server.errors import InvalidSchedule
from plenipo.validation import clause, without_alternatives

__all__ = [
    "PRESETS",
    "Days",
    "Deadline",
    "Early",
    "End",
    "Hour",
    "LaterDeadlines",
    "NmrPolicy",
    "OnMissed",
    "Schedule",
    "Span",
    "deadlines",
    "due",
    "instant_of",
    "is_live",
    "largest_unit",
    "length_of",
    "pace_of",
    "schedule_of",
]

_SCHEDULE_UNKNOWN = SentenceKind("server-schedule-unknown", "'{value}' is not a schedule; {hint}")

DAYS = (mark("Mon"), mark("Tue"), mark("Wed"), mark("Thu"), mark("Fri"), mark("Sat"), mark("Sun"))
"""The days of the week as schedules write them, Monday first."""

_UNITS = {"w": timedelta(weeks=1), "d": timedelta(days=1), "h": timedelta(hours=1), "m": timedelta(minutes=1)}
_SPAN = re.compile(r"\s*(\d{1,12})\s*([wdhm])\s*")

LONGEST = timedelta(days=60)
"""The longest time that a schedule may name."""

MOST_QUIET = 366
"""The most quiet days in one row."""

_ZONES = frozenset(available_timezones())


def _span(value: object) -> object:
    """Parse a length of time such as `36h`; raise `ValueError` for any other text."""
    if isinstance(value, timedelta):
        return value
    match = _SPAN.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ValueError(f"{value!r} is not a length of time; write it like 10m, 36h, 2d or 1w.")
    number, unit = int(match[1]), _UNITS[match[2]]
    if number > LONGEST / unit:
        raise ValueError(f"'{value}' is too long; the longest is {span_text(LONGEST)}.")
    return number * unit


def length_of(text: str) -> timedelta:
    """Parse a length of time as schedules write it, `36h`; raise `InvalidSchedule`."""
    try:
        length = _span(text)
    except ValueError as fault:
        raise InvalidSchedule(str(fault)) from fault
    return cast("timedelta", length)


def span_text(length: timedelta) -> str:
    """Return a length of time as schedules write it, in the largest unit that divides it: `36h`, `2d`."""
    number, unit = largest_unit(length)
    return f"{number}{unit}"


def largest_unit(length: timedelta) -> tuple[int, str]:
    """Return a length of time as a number of the largest unit that divides it: `d`, `h` or `m`."""
    unit = next((unit for unit in "dhm" if length and not length % _UNITS[unit]), "m")
    return int(length / _UNITS[unit]), unit


Span = Annotated[timedelta, BeforeValidator(_span), PlainSerializer(span_text)]
"""A length of time, written `10m`, `36h`, `2d` or `1w`; minutes are the finest."""


class Hour(NamedTuple):
    """An hour of the week, as wall time: a day from 0, Monday, to 6, and a time of that day."""

    day: int
    at: time

    def __str__(self) -> str:
        return f"{DAYS[self.day]} {self.at:%H:%M}"


def _hour(value: object) -> object:
    if isinstance(value, Hour):
        return value
    day, _, at = value.strip().partition(" ") if isinstance(value, str) else ("", "", "")
    match = re.fullmatch(r"(\d{1,2}):(\d\d)", at.strip())
    if day.title() not in DAYS or match is None or int(match[1]) > 23 or int(match[2]) > 59:
        raise ValueError(f"{value!r} is not an hour of the week; write it like 'Mon 20:00'.")
    return Hour(DAYS.index(day.title()), time(int(match[1]), int(match[2])))


class Days(NamedTuple):
    """An interval of days, both ends included."""

    first: date
    last: date

    def __str__(self) -> str:
        return f"{self.first}/{self.last}"

    def __contains__(self, day: object) -> bool:
        return isinstance(day, date) and self.first <= day <= self.last


def _days(value: object) -> object:
    if isinstance(value, Days):
        return value
    try:
        first, _, last = value.partition("/") if isinstance(value, str) else ("", "", "")
        days = Days(date.fromisoformat(first), date.fromisoformat(last or first))
    except ValueError:
        raise ValueError(f"{value!r} is not a row of days; write it like '2026-12-23/2027-01-02'.") from None
    if days.last < days.first:
        raise ValueError(f"'{value}' ends before it begins.")
    if (days.last - days.first).days >= MOST_QUIET:
        raise ValueError(f"'{value}' is longer than a year.")
    return days


def _zone(value: object) -> object:
    if not isinstance(value, str) or value not in _ZONES:
        near = [zone for zone in _ZONES if isinstance(value, str) and value.casefold() in zone.casefold()]
        known = sorted(near)[:3] or ["Europe/London", "America/New_York", "UTC"]
        raise ValueError(f"{value!r} is not a time zone; write one like {listing(known, 'or')}.")
    return value


class Early(StrEnum):
    """The rule for processing a phase before it is due."""

    READY = "ready"
    """As soon as all players with something to order are ready."""
    SHORT = "short"
    """The same, but movements wait for their deadline."""
    NEVER = "never"


_KINDS = (PhaseKind.MOVEMENT, PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS, PhaseKind.CHOICE, PhaseKind.DRAWS)


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Deadline(_Settings):
    """The deadline of phases of one kind: `at` hours of the week, or `within` a length of time; exactly one of the two.

    With `at`, a phase lasts at least `least`. After the deadline late players have a `grace` period. `remind` are the
    times before the deadline at which players who have something to order and are not ready are reminded.
    """

    at: tuple[Annotated[Hour, BeforeValidator(_hour), PlainSerializer(str)], ...] = Field((), max_length=28)
    within: Span | None = None
    least: Span = timedelta(0)
    grace: Span = timedelta(0)
    remind: Annotated[tuple[Span, ...], Field(max_length=5)] = ()
    otherwise: Annotated[Literal["dice", "wait"], Field(alias="else")] = "wait"

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if bool(self.at) == (self.within is not None):
            raise ValueError("A deadline needs either 'at' with hours of the week or 'within' with a length of time.")
        if self.within is not None and self.within < timedelta(minutes=1):
            raise ValueError("A phase that is due at once leaves no time to order; give at least '1m'.")
        return self


class OnMissed(StrEnum):
    """The NMR policy: what happens if a seat with something to order submitted nothing at all."""

    HOLD = "hold"
    """The phase is processed; units without orders hold, or follow the rules' default orders."""
    WAIT = "wait"
    """The phase waits for the missing players, who are named."""
    EXTEND = "extend"
    """The phase is extended by its own length while the seat has extensions left; then it is processed."""
    COMPUTER = "computer"
    """A computer player gives the missing orders."""
    REPLACE = "replace"
    """The phase waits until a replacement has taken the seat."""


class NmrPolicy(_Settings):
    """The NMR policy of a game: in the `first` phase of the game, and `then`.

    Each seat has a number of `extensions`, and is vacant after `vacant_after` movements or choices missed in a row.
    """

    first: OnMissed = OnMissed.WAIT
    then: OnMissed = OnMissed.HOLD
    extensions: Annotated[int, Field(ge=0, le=20)] = 2
    vacant_after: Annotated[int, Field(ge=1, le=20)] = 2


class LaterDeadlines(_Settings):
    """A later change of deadlines: in the phases opened `after` a length of play, or those of a `year`.

    Exactly one of the two. Kinds of phases that are left out keep their deadlines.
    """

    after: Span | None = None
    year: Annotated[int | None, Field(ge=-(10**6), le=10**6)] = None
    movement: Deadline | None = None
    retreats: Deadline | None = None
    adjustments: Deadline | None = None
    choice: Deadline | None = None
    draws: Deadline | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.after is None) == (self.year is None):
            raise ValueError("Later deadlines need either 'after' with a length of time or 'year'.")
        if not self.deadlines:
            raise ValueError("Later deadlines need at least one, such as 'movement'.")
        return self

    @property
    def deadlines(self) -> dict[str, Deadline]:
        """The changed deadlines, by the kind of phase."""
        return {kind.value: own for kind in _KINDS if (own := getattr(self, kind.value)) is not None}


class End(_Settings):
    """The scheduled end of a game, at which its current position is scored: after a `year`, or `at` an instant.

    If both are given, the earlier one counts.
    """

    year: Annotated[int | None, Field(ge=-(10**6), le=10**6)] = None
    at: AwareDatetime | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if self.year is None and self.at is None:
            raise ValueError("An end needs a 'year' or 'at' with an instant.")
        return self


class Schedule(_Settings):
    """The deadlines of the phases of a game.

    A kind of phase without a deadline waits until all players are ready. `cool` is how long a phase is kept open after
    the last player became ready, so that players may change their minds. No deadline falls on `quiet` days.

    `time_bank` is the time bank of each seat: a player who is not ready when a phase is due uses it, and the phase
    stays
    open while a time bank runs. `later` are deadlines that change in the course of the game.
    """

    zone: Annotated[str, BeforeValidator(_zone)] = "UTC"
    quiet: Annotated[
        tuple[Annotated[Days, BeforeValidator(_days), PlainSerializer(str)], ...], Field(max_length=50)
    ] = ()
    early: Early = Early.READY
    cool: Span = timedelta(minutes=10)
    movement: Deadline | None = None
    retreats: Deadline | None = None
    adjustments: Deadline | None = None
    choice: Deadline | None = None
    draws: Deadline | None = None
    missed: NmrPolicy = NmrPolicy()
    time_bank: Span | None = None
    later: Annotated[tuple[LaterDeadlines, ...], Field(max_length=10)] = ()
    end: End | None = None

    @model_validator(mode="after")
    def _time_bank(self) -> Self:
        if self.time_bank is None:
            return self
        if not self.time_bank:
            raise ValueError("A time bank has at least '1m'; leave 'time_bank' out for none.")
        deadlines = [self.of(kind) for kind in _KINDS] + [d for later in self.later for d in later.deadlines.values()]
        if not any(deadlines):
            raise ValueError("A time bank is used after a deadline, and there is none; give 'movement' one.")
        if any(deadline.grace for deadline in deadlines if deadline):
            raise ValueError("A time bank replaces the grace period; leave 'grace' or 'time_bank' out.")
        return self

    def at(self, year: int, played: timedelta) -> "Schedule":
        """Return the schedule for phases of a year that are opened after a length of play."""
        now = [
            later
            for later in self.later
            if (later.year is not None and year >= later.year) or (later.after is not None and played >= later.after)
        ]
        other = {kind: deadline for later in now for kind, deadline in later.deadlines.items()}
        return self.model_copy(update=other) if other else self

    @property
    def own_zone(self) -> ZoneInfo:
        """The zone of its hours and days."""
        return ZoneInfo(self.zone)

    def of(self, kind: PhaseKind) -> Deadline | None:
        """Return the deadline of phases of a kind; choices without one of their own are due as movements are."""
        own: Deadline | None = getattr(self, kind.value, None)
        return self.movement if own is None and kind is PhaseKind.CHOICE else own

    def waits_for_deadline(self, kind: PhaseKind) -> bool:
        """Return whether phases of a kind wait for their deadline even when all players are ready."""
        return self.early is Early.NEVER or (self.early is Early.SHORT and kind is PhaseKind.MOVEMENT)

    def hours(self, kind: PhaseKind, opened: datetime) -> Iterator[datetime]:
        """Yield the hours of the week at which phases of a kind are due after an instant, in order.

        None if it has none.
        """
        deadline = self.of(kind)
        at = deadline.at if deadline else ()
        return _hours(at, opened, opened, ZoneInfo(self.zone), self.quiet) if at else iter(())


PRESETS: dict[str, dict[str, Any]] = {
    "Weekdays": {
        "movement": {"at": [f"{day} 20:00" for day in DAYS[:5]], "least": "20h", "grace": "2h", "remind": ["6h", "1h"]},
        "retreats": {"within": "12h", "remind": ["2h"]},
        "adjustments": {"within": "12h", "remind": ["2h"]},
    },
    "Every day": {
        "movement": {"at": [f"{day} 20:00" for day in DAYS], "least": "20h", "grace": "2h", "remind": ["6h", "1h"]},
        "retreats": {"within": "12h", "remind": ["2h"]},
        "adjustments": {"within": "12h", "remind": ["2h"]},
    },
    "Weekly": {
        "movement": {"at": ["Sun 20:00"], "least": "3d", "grace": "12h", "remind": ["2d", "6h"]},
        "retreats": {"within": "2d", "remind": ["6h"]},
        "adjustments": {"within": "2d", "remind": ["6h"]},
    },
    "Live": {
        "cool": "0m",
        "movement": {"within": "10m", "remind": ["2m"]},
        "retreats": {"within": "3m"},
        "adjustments": {"within": "3m"},
        "missed": {"first": "hold", "then": "hold"},
        "time_bank": "15m",
    },
    "Own pace": {"cool": "0m"},
}
"""The presets for schedules; the zone is the reader's own."""


def schedule_of(value: str | Mapping[str, Any], zone: str | None = None) -> Schedule:
    """Return a schedule from the name of a preset, or its parts; in a zone unless it names one itself.

    Raise `InvalidSchedule` with the first fault.
    """
    if isinstance(value, str) and value not in PRESETS:
        raise InvalidSchedule(_SCHEDULE_UNKNOWN(value=value[:60], hint=hint(value, PRESETS)))
    parts = PRESETS[value] if isinstance(value, str) else value
    try:
        return Schedule.model_validate({**({"zone": zone} if zone else {}), **parts})
    except ValidationError as fault:
        place, errors = without_alternatives(fault.errors(include_url=False))
        where, sentence = ".".join(map(str, place)), f"{clause(errors)}."
        raise InvalidSchedule(f"In the schedule, {where}: {sentence}" if where else sentence) from fault


def due(schedule: Schedule, kind: PhaseKind, opened: datetime, absences: Sequence[Days] = ()) -> datetime | None:
    """Return the deadline, in UTC, of a phase of a kind opened at an instant; None if it has none.

    `absences` are days, in the zone of the game, on which no deadline falls, in addition to the quiet days.
    """
    return next(deadlines(schedule, kind, opened, absences), None)


def deadlines(
    schedule: Schedule, kind: PhaseKind, opened: datetime, absences: Sequence[Days] = ()
) -> Iterator[datetime]:
    """Yield the deadline of a phase opened at an instant, and those of the next phases if each lasts to its deadline.

    Instants are in UTC, each later than the one before; none where the schedule has no deadline for the kind.
    """
    deadline, zone = schedule.of(kind), ZoneInfo(schedule.zone)
    closed = (*schedule.quiet, *absences)
    while deadline is not None:
        if deadline.within is not None:
            opened = _move_to_open_day(opened + deadline.within, zone, closed)
        else:
            opened = next(_hours(deadline.at, opened, opened + deadline.least, zone, closed))
        yield opened


def _hours(
    hours: Sequence[Hour], opened: datetime, earliest: datetime, zone: ZoneInfo, closed: Sequence[Days]
) -> Iterator[datetime]:
    """Yield the hours of the week after `opened` and not before `earliest`, in order, without those on closed days."""
    day = earliest.astimezone(zone).date() - timedelta(days=1)  # an hour that is skipped may fall on the next day
    while True:
        instants = {instant_of(day, hour.at, zone) for hour in hours if hour.day == day.weekday()}
        if not any(day in days for days in closed):
            yield from sorted(instant for instant in instants if instant > opened and instant >= earliest)
        day += timedelta(days=1)


def _move_to_open_day(instant: datetime, zone: ZoneInfo, closed: Sequence[Days]) -> datetime:
    """Return an instant, or if it falls on a closed day, the same wall time of the next open day."""
    local = instant.astimezone(zone)
    day = local.date()
    while any(day in days for days in closed):
        day += timedelta(days=1)
    return instant.astimezone(UTC) if day == local.date() else instant_of(day, local.time(), zone)


def instant_of(day: date, at: time, zone: ZoneInfo) -> datetime:
    """Return the instant, in UTC, of a wall time: the first of two, and for a skipped one the first instant after."""
    first, second = (datetime.combine(day, at.replace(fold=fold), zone).astimezone(UTC) for fold in (0, 1))
    if first <= second:
        return first
    # skipped: the clocks change between the two readings
    low, high = second, first
    while high - low > timedelta(seconds=1):
        middle = low + timedelta(seconds=(high - low) // timedelta(seconds=2))
        if middle.astimezone(zone).utcoffset() == second.astimezone(zone).utcoffset():
            low = middle
        else:
            high = middle
    return high


LIVE = timedelta(hours=1)
"""The longest movement phase of a live game."""


def is_live(schedule: Schedule) -> bool:
    """Return whether movement phases last minutes: an hour at most."""
    within = None if schedule.movement is None else schedule.movement.within
    return within is not None and within <= LIVE


def pace_of(schedule: Schedule) -> float | None:
    """Return the moves of a game in two weeks if each takes all its time; None without deadlines."""
    movement = schedule.movement
    if movement is None:
        return None
    fortnight = timedelta(weeks=2)
    return 2 * len(movement.at) if movement.within is None else fortnight / movement.within
