"""Absences: how many days a game heeds, and what is not one."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo.server.errors import SeatRefused
from plenipo.server.hosting.absences import absence_of, limit_leave
from plenipo.server.hosting.schedule import Days

TODAY = date(2026, 11, 22)
ROWS = st.lists(
    st.tuples(st.dates(date(2026, 1, 1), date(2028, 12, 31)), st.integers(0, 40)).map(
        lambda pair: Days(pair[0], pair[0] + timedelta(days=pair[1]))
    ),
    max_size=6,
)


def every(rows: tuple[Days, ...]) -> list[date]:
    return [days.first + timedelta(days=n) for days in rows for n in range((days.last - days.first).days + 1)]


@given(ROWS, st.integers(0, 60))
def test_a_game_heeds_the_first_days_of_each_year_and_no_more(absences: list[Days], most: int) -> None:
    heeded = every(limit_leave(absences, most))
    away = sorted(set(every(tuple(absences))))
    for year in {day.year for day in away}:
        assert [day for day in heeded if day.year == year] == [day for day in away if day.year == year][:most]
    assert heeded == sorted(set(heeded))


@pytest.mark.parametrize(
    ("first", "last", "sentence"),
    [
        ("Christmas", "", "'Christmas' to '' are not days"),
        ("2026-12-24", "2026-12-23", "ends on 2026-12-23, before it begins"),
        ("2026-11-01", "2026-11-21", "2026-11-21 has passed; choose later days."),
        ("2026-12-01", "2027-03-01", "at most 60 days"),
        ("2030-01-01", "2030-01-02", "within the next two years"),
    ],
)
def test_what_is_not_an_absence_is_refused(first: str, last: str, sentence: str) -> None:
    with pytest.raises(SeatRefused, match=sentence):
        absence_of(first, last, TODAY)
    assert absence_of("2026-12-24", "", TODAY) == Days(date(2026, 12, 24), date(2026, 12, 24))
