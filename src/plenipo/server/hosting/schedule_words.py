"""Schedules in words: when phases are due, what missed deadlines mean, and when a game ends."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from plenipo.engine.calendar import PhaseKind, as_year
from plenipo.engine.sentences import Quoted, Sentence, SentenceKind
from plenipo.languages import mark
from plenipo.server.hosting.joining import join_clauses, join_sentences
from plenipo.server.hosting.schedule import (
    DAYS,
    Days,
    Deadline,
    Early,
    End,
    LaterDeadlines,
    OnMissed,
    Schedule,
    largest_unit,
    schedule_of,
)

__all__ = [
    "describe_end",
    "describe_preset",
    "hours_in_words",
    "in_words",
    "instant_in_words",
    "missed_in_words",
    "span_words",
    "why_end_over",
    "why_no_end",
    "year_part",
]

_DAY_NAMES = (
    mark("Mondays"),
    mark("Tuesdays"),
    mark("Wednesdays"),
    mark("Thursdays"),
    mark("Fridays"),
    mark("Saturdays"),
    mark("Sundays"),
)

_SPANS = {
    "d": SentenceKind("server-span-days", "{number} day", "{number} days"),
    "h": SentenceKind("server-span-hours", "{number} hour", "{number} hours"),
    "m": SentenceKind("server-span-minutes", "{number} minute", "{number} minutes"),
}


def span_words(length: timedelta) -> Sentence:
    """Return a length of time in words: `36 hours`."""
    number, unit = largest_unit(length)
    return _SPANS[unit](number=number)


def year_part(year: int) -> str:
    """Return a year as a part of a sentence, not as a number that is grouped in thousands."""
    return text if isinstance(text := as_year(year), Sentence) else str(year)


_NO_DEADLINES = SentenceKind(
    "server-deadlines-absent", "There are no deadlines; a phase is processed when all players are ready."
)
_DUE = {
    PhaseKind.MOVEMENT: SentenceKind("server-due-movement", "Moves are due {when}."),
    PhaseKind.RETREATS: SentenceKind("server-due-retreats", "Retreats are due {when}."),
    PhaseKind.ADJUSTMENTS: SentenceKind("server-due-adjustments", "Adjustments are due {when}."),
    PhaseKind.CHOICE: SentenceKind("server-due-choice", "Choices are due {when}."),
    PhaseKind.DRAWS: SentenceKind("server-due-draws", "Draws are due {when}."),
}
_DUE_LATER = {
    PhaseKind.MOVEMENT: SentenceKind("server-due-later-movement", "moves are due {when}"),
    PhaseKind.RETREATS: SentenceKind("server-due-later-retreats", "retreats are due {when}"),
    PhaseKind.ADJUSTMENTS: SentenceKind("server-due-later-adjustments", "adjustments are due {when}"),
    PhaseKind.CHOICE: SentenceKind("server-due-later-choice", "choices are due {when}"),
    PhaseKind.DRAWS: SentenceKind("server-due-later-draws", "draws are due {when}"),
}
_OR_DICE = SentenceKind("server-when-or-dice", "{when}, or the dice of the game draw")
_FROM_YEAR = SentenceKind("server-deadlines-from-year", "From {year} on {deadlines}.")
_AFTER_PLAY = SentenceKind("server-deadlines-after-play", "After {span} of play {deadlines}.")
_TIME_BANK = SentenceKind(
    "server-time-bank",
    "Each player has a time bank of {span} for the whole game: a player who is not ready at a deadline uses it, and "
    "the phase stays open meanwhile.",
)
_NEVER_EARLY = SentenceKind("server-early-never", "A phase always lasts until its deadline.")
_EARLY = SentenceKind("server-early", "A phase is processed early, when all players are ready.")
_EARLY_AFTER = SentenceKind("server-early-after", "A phase is processed early, {span} after all players are ready.")
_SHORT_EARLY = SentenceKind(
    "server-early-short", "Phases other than movements are processed early, when all players are ready."
)
_SHORT_EARLY_AFTER = SentenceKind(
    "server-early-short-after",
    "Phases other than movements are processed early, {span} after all players are ready.",
)
_QUIET = SentenceKind("server-quiet-days", "Nothing is due on {days}.")
_DAYS = SentenceKind("server-days", "{first} to {last}", note="Days: '2026-12-23 to 2027-01-02'.")
_SCORED_AFTER = SentenceKind("server-scored-after", "The game ends after {year} as it stands then, and is scored.")
_SCORED_ON = SentenceKind("server-scored-on", "The game ends on {instant} as it stands then, and is scored.")
_SCORED_AFTER_OR_ON = SentenceKind(
    "server-scored-after-or-on", "The game ends after {year} or on {instant} as it stands then, and is scored."
)
_END_BEFORE_START = SentenceKind(
    "server-end-before-start",
    "The game begins in {first}, so it cannot end after {last}; write {first} or a later year.",
)
_END_OVER = SentenceKind("server-end-over", "{instant} has passed; choose a later end.")


def in_words(schedule: Schedule) -> list[Sentence]:
    """Return a schedule as sentences, one for each part that players want to know before they join."""
    own = {kind: deadline for kind in _DUE if (deadline := getattr(schedule, kind.value)) is not None}
    sentences = [_DUE[kind](when=_describe_deadline(deadline, schedule.zone)) for kind, deadline in own.items()]
    sentences += [_describe_later(later, schedule.zone) for later in schedule.later]
    if not sentences:
        return [_NO_DEADLINES(), *_describe_scored_end(schedule)]
    if schedule.time_bank is not None:
        sentences.append(_TIME_BANK(span=span_words(schedule.time_bank)))
    sentences.append(_describe_early(schedule))
    if schedule.quiet:
        sentences.append(_QUIET(days=tuple(_describe_days(days) for days in schedule.quiet)))
    return [*sentences, *_describe_scored_end(schedule)]


def describe_preset(name: str) -> Sentence:
    """Return when moves are due by a preset, without the zone, which is the reader's own."""
    schedule = schedule_of(name)
    if schedule.movement is None:
        return _NO_DEADLINES()
    return _DUE[PhaseKind.MOVEMENT](when=_describe_deadline(schedule.movement, None))


def _describe_later(later: LaterDeadlines, zone: str) -> Sentence:
    parts = {PhaseKind(kind): deadline for kind, deadline in later.deadlines.items()}
    deadlines = join_clauses(_DUE_LATER[kind](when=_describe_deadline(one, zone)) for kind, one in parts.items())
    if later.year is not None:
        return _FROM_YEAR(year=year_part(later.year), deadlines=deadlines)
    return _AFTER_PLAY(span=span_words(later.after or timedelta()), deadlines=deadlines)


def _describe_early(schedule: Schedule) -> Sentence:
    if schedule.early is Early.NEVER:
        return _NEVER_EARLY()
    ready = schedule.early is Early.READY
    if not schedule.cool:
        return _EARLY() if ready else _SHORT_EARLY()
    return (_EARLY_AFTER if ready else _SHORT_EARLY_AFTER)(span=span_words(schedule.cool))


def _describe_scored_end(schedule: Schedule) -> list[Sentence]:
    kinds = (_SCORED_AFTER, _SCORED_ON, _SCORED_AFTER_OR_ON)
    return [] if schedule.end is None else [describe_end(schedule.end, schedule.zone, *kinds)]


def describe_end(end: End, zone: str, after: SentenceKind, on: SentenceKind, both: SentenceKind) -> Sentence:
    """Return when a game ends, as a sentence of one of three kinds: after a `year`, on an `instant`, or either."""
    instant = None if end.at is None else instant_in_words(end.at, zone)
    if end.year is None:
        return on(instant=instant)
    return after(year=year_part(end.year)) if instant is None else both(year=year_part(end.year), instant=instant)


def why_no_end(schedule: Schedule, year: int, now: datetime) -> str:
    """Return why a game that begins now, in a given year, cannot end as scheduled; empty if it can."""
    end = schedule.end
    if end is not None and end.year is not None and end.year < year:
        return _END_BEFORE_START(first=year_part(year), last=year_part(end.year))
    return "" if end is None else why_end_over(end, schedule.zone, now)


def why_end_over(end: End, zone: str, now: datetime) -> str:
    """Return why a game cannot end at an instant that is over; empty if it is to come, or there is none."""
    over = end.at is not None and end.at <= now
    return _END_OVER(instant=instant_in_words(end.at, zone)) if over and end.at is not None else ""


_WHEN_READY = SentenceKind("server-when-ready", "when all players are ready")


def hours_in_words(schedule: Schedule) -> Sentence:
    """Return when moves are due, in a few words: `Mondays and Thursdays at 20:00, London time`."""
    if schedule.movement is None:
        return _WHEN_READY()
    return _describe_hours(schedule.movement, schedule.zone)


_NO_DEADLINE_MISSED = SentenceKind("server-missed-without-deadlines", "There are no deadlines to miss.")
_MISSED = SentenceKind("server-missed", "If you miss a deadline, {then}.")
_MISSED_WITH_TIME_BANK = SentenceKind(
    "server-missed-with-time-bank", "If you miss a deadline and your time bank is used up, {then}."
)
_MISSED_FIRST = SentenceKind("server-missed-first", "In the first phase, {first}.")
_MISSED_IN_A_ROW = SentenceKind(
    "server-missed-in-a-row",
    "After {number} missed deadline, your seat is vacant.",
    "After {number} missed deadlines in a row, your seat is vacant.",
)
_EXTENDED = SentenceKind(
    "server-missed-extended",
    "the deadline is extended, at most {number} time",
    "the deadline is extended, at most {number} times",
)
_ON_MISSED = {
    OnMissed.HOLD: SentenceKind("server-missed-hold", "your units hold"),
    OnMissed.WAIT: SentenceKind("server-missed-wait", "the game waits for your orders"),
    OnMissed.EXTEND: SentenceKind("server-missed-extend", "the deadline is extended"),
    OnMissed.COMPUTER: SentenceKind("server-missed-computer", "a computer orders your units for that phase"),
    OnMissed.REPLACE: SentenceKind("server-missed-replace", "you lose your seat, and the game waits for a replacement"),
}


def missed_in_words(schedule: Schedule) -> str:
    """Return the NMR policy in one or two sentences.

    >>> missed_in_words(Schedule(movement={"within": "1d"}, missed={"first": "hold"}))
    'If you miss a deadline, your units hold. After 2 missed deadlines in a row, your seat is vacant.'
    """
    if schedule.movement is None:
        return _NO_DEADLINE_MISSED()
    rule = schedule.missed
    then = _EXTENDED(number=rule.extensions) if rule.then is OnMissed.EXTEND else _ON_MISSED[rule.then]()
    words = [(_MISSED if schedule.time_bank is None else _MISSED_WITH_TIME_BANK)(then=then)]
    if rule.first is not rule.then:
        words.append(_MISSED_FIRST(first=_ON_MISSED[rule.first]()))
    if rule.then not in (OnMissed.WAIT, OnMissed.REPLACE):
        words.append(_MISSED_IN_A_ROW(number=rule.vacant_after))
    return join_sentences(words)


_WEEKDAYS = (
    mark("Monday"),
    mark("Tuesday"),
    mark("Wednesday"),
    mark("Thursday"),
    mark("Friday"),
    mark("Saturday"),
    mark("Sunday"),
)
_INSTANT = SentenceKind(
    "server-instant", "{weekday} {day} {month}, {time} ({zone})", note="An instant: 'Monday 2 March, 20:00 (UTC)'."
)


def instant_in_words(at: datetime, zone: str) -> Sentence:
    """Return an instant in words, with the zone of its hour.

    >>> from datetime import UTC
    >>> instant_in_words(datetime(2026, 3, 2, 19, tzinfo=UTC), "Europe/Paris")
    'Monday 2 March, 20:00 (Europe/Paris)'
    """
    local = at.astimezone(ZoneInfo(zone))
    return _INSTANT(
        weekday=_WEEKDAYS[local.weekday()], day=local.day, month=f"{local:%B}", time=f"{local:%H:%M}", zone=zone
    )


_WITHIN = SentenceKind("server-within", "within {span}")
_HOURS = SentenceKind("server-hours", "{hours}, {zone} time", note="'Mondays at 20:00, London time'.")
_DAYS_AT = SentenceKind("server-days-at", "{days} at {time}", note="'Mondays and Thursdays at 20:00'.")
_EVERY_DAY = SentenceKind("server-every-day", "every day")
_WORKING_DAYS = SentenceKind("server-working-days", "Mondays to Fridays")
_AT_LEAST = SentenceKind("server-at-least", "{when}, at least {span} after the phase began")
_WITH_GRACE = SentenceKind("server-with-grace", "{when}, with {span} of grace")


def _describe_hours(deadline: Deadline, zone: str | None) -> Sentence:
    """Return the hours of a deadline, with their zone unless it is None."""
    if deadline.within is not None:
        return _WITHIN(span=span_words(deadline.within))
    times = dict.fromkeys(hour.at for hour in sorted(deadline.at))
    groups = []
    for at in times:
        days = [hour.day for hour in sorted(deadline.at) if hour.at == at]
        groups.append(_DAYS_AT(days=_describe_weekdays(days), time=f"{at:%H:%M}"))
    hours = groups[0] if len(groups) == 1 else tuple(groups)
    if zone is None and isinstance(hours, Sentence):
        return hours
    return _HOURS(hours=hours, zone=Quoted((zone or "UTC").rpartition("/")[2].replace("_", " ")))


def _describe_deadline(deadline: Deadline, zone: str | None) -> Sentence:
    when = _describe_hours(deadline, zone)
    if deadline.within is None and deadline.least:
        when = _AT_LEAST(when=when, span=span_words(deadline.least))
    if deadline.grace:
        when = _WITH_GRACE(when=when, span=span_words(deadline.grace))
    return _OR_DICE(when=when) if deadline.otherwise == "dice" else when


def _describe_weekdays(days: Sequence[int]) -> Sentence | tuple[str, ...]:
    if len(days) == len(DAYS):
        return _EVERY_DAY()
    return _WORKING_DAYS() if tuple(days) == (0, 1, 2, 3, 4) else tuple(_DAY_NAMES[day] for day in days)


def _describe_days(days: Days) -> str:
    return f"{days.first}" if days.first == days.last else _DAYS(first=f"{days.first}", last=f"{days.last}")
