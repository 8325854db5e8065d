"""Schedules: deadlines as hours of the week or lengths of time, through every change of clocks."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, pairwise
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from whenever import PlainDateTime

from plenipo.engine.calendar import PhaseKind
from plenipo.server.errors import InvalidSchedule
from plenipo.server.hosting.schedule import PRESETS, Schedule, deadlines, due, instant_of, schedule_of
from plenipo.server.hosting.schedule_words import in_words, instant_in_words, missed_in_words

MOVEMENT = PhaseKind.MOVEMENT
ZONES = sorted(available_timezones())


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def schedule(zone: object = "Europe/London", **parts: object) -> Schedule:
    return Schedule.model_validate({"zone": zone, **parts})


TWICE_A_WEEK = schedule(movement={"at": ["Mon 20:00", "Thu 20:00"], "least": "36h"}, retreats={"within": "24h"})


@pytest.mark.parametrize(
    ("opened", "expected"),
    [
        ("2026-11-22 12:00", "2026-11-26 20:00"),  # a Sunday: Monday is nearer than 36 hours
        ("2026-11-22 08:00", "2026-11-23 20:00"),  # exactly 36 hours
        ("2026-11-23 20:00", "2026-11-26 20:00"),
        ("2026-03-27 20:00", "2026-03-30 19:00"),  # the clocks go forward on the 29th
        ("2026-10-23 20:00", "2026-10-26 20:00"),  # and back on the 25th
    ],
)
def test_a_movement_is_due_at_the_next_hour_of_the_week_that_leaves_time_enough(opened: str, expected: str) -> None:
    assert due(TWICE_A_WEEK, MOVEMENT, utc(opened)) == utc(expected)


def test_a_retreat_is_due_so_much_time_after_it_began() -> None:
    assert due(TWICE_A_WEEK, PhaseKind.RETREATS, utc("2026-11-23 20:03")) == utc("2026-11-24 20:03")


def test_a_kind_of_phase_without_a_deadline_is_never_due() -> None:
    assert due(TWICE_A_WEEK, PhaseKind.ADJUSTMENTS, utc("2026-11-23 20:03")) is None


def test_a_choice_is_due_as_a_movement_is_unless_it_has_a_deadline_of_its_own() -> None:
    opened = utc("2026-11-22 12:00")
    assert due(TWICE_A_WEEK, PhaseKind.CHOICE, opened) == due(TWICE_A_WEEK, MOVEMENT, opened)
    own = schedule(movement={"at": ["Mon 20:00"]}, choice={"within": "1h"})
    assert due(own, PhaseKind.CHOICE, opened) == utc("2026-11-22 13:00")


def test_nothing_is_due_on_quiet_days_or_during_a_leave() -> None:
    quiet = TWICE_A_WEEK.model_copy(update={"quiet": schedule(quiet=["2026-12-23/2027-01-02"]).quiet})
    assert due(quiet, MOVEMENT, utc("2026-12-22 12:00")) == utc("2027-01-04 20:00")
    assert due(quiet, PhaseKind.RETREATS, utc("2026-12-22 21:30")) == utc("2027-01-03 21:30")
    away = schedule(quiet=["2027-01-03/2027-01-05"]).quiet
    assert due(quiet, MOVEMENT, utc("2026-12-22 12:00"), away) == utc("2027-01-07 20:00")


def test_an_hour_that_is_skipped_is_the_first_instant_after_and_one_that_comes_twice_is_the_first() -> None:
    london, lord_howe = ZoneInfo("Europe/London"), ZoneInfo("Australia/Lord_Howe")
    assert instant_of(date(2026, 3, 29), time(1, 30), london) == utc("2026-03-29 01:00")
    assert instant_of(date(2026, 10, 25), time(1, 30), london) == utc("2026-10-25 00:30")
    assert instant_of(date(2026, 10, 4), time(2, 15), lord_howe) == utc("2026-10-03 15:30")  # half an hour is skipped
    assert instant_of(date(2011, 12, 30), time(12), ZoneInfo("Pacific/Apia")) == utc("2011-12-30 10:00")  # a whole day


def oracle(day: date, at: time, zone: str) -> datetime:
    """The same by another library: an hour that is skipped is looked for minute by minute."""
    wall = PlainDateTime.parse_iso(f"{day}T{at:%H:%M}:00")
    instant = wall.assume_tz(zone, disambiguation="earlier")
    later = wall.assume_tz(zone, disambiguation="later")
    if instant.to_plain() == wall:
        return datetime.fromtimestamp(instant.timestamp(), UTC)
    low, high = int(min(instant.timestamp(), later.timestamp())), int(max(instant.timestamp(), later.timestamp()))
    offset = datetime.fromtimestamp(low, ZoneInfo(zone)).utcoffset()
    second = next(s for s in range(low, high + 1) if datetime.fromtimestamp(s, ZoneInfo(zone)).utcoffset() != offset)
    return datetime.fromtimestamp(second, UTC)


@given(st.sampled_from(ZONES), st.dates(date(2015, 1, 1), date(2034, 12, 31)), st.times())
def test_a_wall_time_is_the_same_instant_by_another_library(zone: str, day: date, at: time) -> None:
    at = at.replace(second=0, microsecond=0, fold=0)
    assert instant_of(day, at, ZoneInfo(zone)) == oracle(day, at, zone)


def changes_of_clocks(zone: str, first: int, last: int) -> list[datetime]:
    """The days of a zone on which its clocks change."""
    info, days = ZoneInfo(zone), []
    day = datetime(first, 1, 1, tzinfo=UTC)
    while day.year <= last:
        if day.astimezone(info).utcoffset() != (day + timedelta(days=1)).astimezone(info).utcoffset():
            days.append(day)
        day += timedelta(days=1)
    return days


@pytest.mark.parametrize("zone", ["Europe/London", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca"])
def test_the_hour_shown_is_the_hour_set_through_every_change_of_clocks(zone: str) -> None:
    for change in changes_of_clocks(zone, 2015, 2034):
        for hours in range(0, 48, 3):
            day = (change + timedelta(hours=hours)).date()
            for at in (time(0, 30), time(1, 30), time(2, 30), time(3, 30)):
                assert instant_of(day, at, ZoneInfo(zone)) == oracle(day, at, zone)


WEEK = st.lists(
    st.builds("{} {:02}:{:02}".format, st.sampled_from("Mon Tue Sun".split()), st.integers(0, 23), st.integers(0, 59)),
    min_size=1,
    max_size=5,
)


@given(st.sampled_from(ZONES), WEEK, st.datetimes(datetime(2015, 1, 1), datetime(2034, 12, 31)), st.integers(0, 72))  # noqa: DTZ001 - in UTC by the next line
def test_deadlines_come_one_after_the_other_and_leave_the_least_time(
    zone: str, hours: list[str], opened: datetime, least: int
) -> None:
    opened = opened.replace(tzinfo=UTC)
    plan = schedule(zone, movement={"at": hours, "least": f"{least}h"})
    instants = [opened, *islice(deadlines(plan, MOVEMENT, opened), 8)]
    assert all(later > earlier and later - earlier >= timedelta(hours=least) for earlier, later in pairwise(instants))


def test_what_is_written_is_read_back() -> None:
    for name, preset in PRESETS.items():
        plan = schedule(**preset)
        assert Schedule.model_validate_json(plan.model_dump_json(by_alias=True)) == plan, name


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"zone": "Europe/Lodnon"}, "'Europe/Lodnon' is not a time zone; write one like"),
        ({"movement": {}}, "A deadline needs either 'at' with hours of the week or 'within' with a length of time."),
        ({"movement": {"at": []}}, "A deadline needs either 'at' with hours of the week"),
        ({"movement": {"at": ["Mon 20:00"], "within": "1d"}}, "A deadline needs either 'at'"),
        ({"movement": {"at": ["Mon 25:00"]}}, "'Mon 25:00' is not an hour of the week; write it like 'Mon 20:00'."),
        ({"movement": {"at": [7]}}, "7 is not an hour of the week"),
        ({"movement": {"within": "0m"}}, "A phase that is due at once leaves no time to order"),
        ({"movement": {"within": "2 moons"}}, "'2 moons' is not a length of time; write it like 10m, 36h, 2d or 1w."),
        ({"movement": {"within": "99w"}}, "'99w' is too long; the longest is 60d."),
        ({"quiet": ["2026-12-23/2026-12-01"]}, "'2026-12-23/2026-12-01' ends before it begins."),
        ({"quiet": ["2026-12-23/2028-12-01"]}, "'2026-12-23/2028-12-01' is longer than a year."),
        ({"quiet": ["Christmas"]}, "'Christmas' is not a row of days; write it like '2026-12-23/2027-01-02'."),
    ],
)
def test_a_schedule_that_cannot_be_kept_is_refused_with_a_sentence(parts: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValidationError) as refused:
        schedule(**{"zone": "UTC", **parts})
    assert sentence in str(refused.value)


def test_a_schedule_says_what_it_is_in_words() -> None:
    plan = schedule(
        movement={"at": ["Thu 20:00", "Mon 20:00"], "least": "36h", "grace": "12h"},
        retreats={"within": "24h"},
        quiet=["2026-12-23/2027-01-02"],
    )
    assert in_words(plan) == [
        "Moves are due Mondays and Thursdays at 20:00, London time, at least 36 hours after the phase began, "
        "with 12 hours of grace.",
        "Retreats are due within 1 day.",
        "A phase is processed early, 10 minutes after all players are ready.",
        "Nothing is due on 2026-12-23 to 2027-01-02.",
    ]
    assert in_words(schedule(**PRESETS["Weekdays"]))[0].startswith("Moves are due Mondays to Fridays at 20:00")
    assert in_words(schedule()) == ["There are no deadlines; a phase is processed when all players are ready."]


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({}, "There are no deadlines to miss."),
        (
            {"movement": {"within": "1d"}},
            "If you miss a deadline, your units hold. In the first phase, the game waits for your orders. "
            "After 2 missed deadlines in a row, your seat is vacant.",
        ),
        (
            {"movement": {"within": "10m"}, "time_bank": "15m", "missed": {"first": "hold", "vacant_after": 1}},
            "If you miss a deadline and your time bank is used up, your units hold. "
            "After 1 missed deadline, your seat is vacant.",
        ),
        (
            {"movement": {"within": "1d"}, "missed": {"first": "replace", "then": "replace"}},
            "If you miss a deadline, you lose your seat, and the game waits for a replacement.",
        ),
        (
            {"movement": {"within": "1d"}, "missed": {"first": "extend", "then": "extend", "extensions": 3}},
            "If you miss a deadline, the deadline is extended, at most 3 times. "
            "After 2 missed deadlines in a row, your seat is vacant.",
        ),
    ],
)
def test_missed_deadlines_are_described_in_sentences(parts: dict[str, Any], words: str) -> None:
    assert missed_in_words(schedule(**parts)) == words


@pytest.mark.parametrize(
    ("day", "words"),
    [(24, "Saturday 24 October, 20:00 (Europe/London)"), (25, "Sunday 25 October, 19:00 (Europe/London)")],
)
def test_a_time_is_written_in_its_time_zone(day: int, words: str) -> None:
    assert instant_in_words(datetime(2026, 10, day, 19, tzinfo=UTC), "Europe/London") == words


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"time_bank": "0m"}, "A time bank has at least '1m'; leave 'time_bank' out for none."),
        (
            {"time_bank": "-5m"},
            "In the schedule, time_bank: '-5m' is not a length of time; write it like 10m, 36h, 2d or 1w.",
        ),
        ({"time_bank": "1000000000m"}, "In the schedule, time_bank: '1000000000m' is too long; the longest is 60d."),
        (
            {"time_bank": "2.5m"},
            "In the schedule, time_bank: '2.5m' is not a length of time; write it like 10m, 36h, 2d or 1w.",
        ),
        (
            {"time_bank": 20},
            "In the schedule, time_bank: 20 is not a length of time; write it like 10m, 36h, 2d or 1w.",
        ),
        (
            {"time_bank": "5m", "movement": {"within": "5m", "grace": "1m"}},
            "A time bank replaces the grace period; leave 'grace' or 'time_bank' out.",
        ),
        (
            {"time_bank": "5m", "movement": None},
            "A time bank is used after a deadline, and there is none; give 'movement' one.",
        ),
        ({"end": {}}, "In the schedule, end: An end needs a 'year' or 'at' with an instant."),
        (
            {"later": [{"movement": {"within": "5m"}}]},
            "In the schedule, later.0: Later deadlines need either 'after' with a length of time or 'year'.",
        ),
        (
            {"later": [{"year": 1903}]},
            "In the schedule, later.0: Later deadlines need at least one, such as 'movement'.",
        ),
    ],
)
def test_what_is_wrong_with_a_live_schedule_is_said_in_one_sentence(parts: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidSchedule) as caught:
        schedule_of({"movement": {"within": "5m"}, **parts})
    assert str(caught.value) == sentence
