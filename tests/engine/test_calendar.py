"""The calendar is a table, and phases are read in the field's spellings."""

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo.engine.calendar import Calendar, Phase, PhaseKind, Step, year_read, year_text
from plenipo.errors import InvalidPhase
from table import YEAR


def test_a_year_has_its_phases_in_order_and_then_begins_again() -> None:
    assert [str(phase) for phase in islice(YEAR.after(YEAR.first), 6)] == [
        "Spring 1901 retreats",
        "Fall 1901 movement",
        "Fall 1901 retreats",
        "Winter 1901 ownership",
        "Winter 1901 adjustments",
        "Spring 1902 movement",
    ]


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        ("S1901M", Phase("Spring", 1901, PhaseKind.MOVEMENT)),
        ("f1903r", Phase("Fall", 1903, PhaseKind.RETREATS)),
        ("W1901A", Phase("Winter", 1901, PhaseKind.ADJUSTMENTS)),
        ("Spring 1901", Phase("Spring", 1901, PhaseKind.MOVEMENT)),
        ("fall  1902 retreat", Phase("Fall", 1902, PhaseKind.RETREATS)),
        ("winter 1905", Phase("Winter", 1905, PhaseKind.ADJUSTMENTS)),
        ("S 1901", Phase("Spring", 1901, PhaseKind.MOVEMENT)),
        ("F1902", Phase("Fall", 1902, PhaseKind.MOVEMENT)),
        ("Spr. 1901", Phase("Spring", 1901, PhaseKind.MOVEMENT)),
        ("Autumn 1903.", Phase("Fall", 1903, PhaseKind.MOVEMENT)),
        ("movement", Phase("Spring", 1901, PhaseKind.MOVEMENT)),
        ("adjustment", Phase("Winter", 1901, PhaseKind.ADJUSTMENTS)),
    ],
)
def test_a_phase_is_read(text: str, phase: Phase) -> None:
    assert YEAR.read(text) == phase
    assert YEAR.read(str(phase)) == YEAR.read(phase.code) == phase


@pytest.mark.parametrize(
    "text", ["", "Summer 1901", "S1901X", "W1901M", "1901", "Sprung 1901", "ownership", "x" * 1000]
)
def test_what_is_no_phase_is_refused_with_examples(text: str) -> None:
    with pytest.raises(InvalidPhase, match="is not a phase of this calendar; write one like S1901M, S1901R"):
        YEAR.read(text)


def test_a_phase_that_is_no_line_of_text_is_refused_in_one() -> None:
    with pytest.raises(InvalidPhase, match="'Spring\N{REPLACEMENT CHARACTER}1901' is not a phase"):
        YEAR.read("Spring\0001901")
    with pytest.raises(InvalidPhase, match="'\N{REPLACEMENT CHARACTER}' is not a phase"):
        YEAR.read("\n")


def test_a_phase_of_another_calendar_has_no_successor() -> None:
    with pytest.raises(InvalidPhase, match="'Summer movement' is not in this calendar"):
        next(YEAR.after(Phase("Summer", 1801, PhaseKind.MOVEMENT)))


OPENED = Calendar(
    YEAR.cycle, 1897, (Step("Autumn", PhaseKind.CHOICE), Step("Winter", PhaseKind.ADJUSTMENTS)), first_year=1898
)
"""A calendar with two steps before its first cycle."""


def test_an_opening_comes_once_before_the_first_cycle() -> None:
    assert str(OPENED.first) == "Autumn 1897 choice"
    assert [str(phase) for phase in islice(OPENED.after(OPENED.first), 3)] == [
        "Winter 1897 adjustments",
        "Spring 1898 movement",
        "Spring 1898 retreats",
    ]


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        ("Winter 1897", "Winter 1897 adjustments"),
        ("Winter 1899", "Winter 1899 adjustments"),
        ("autumn 1897", "Autumn 1897 choice"),
        ("movement", "Spring 1898 movement"),
        ("choice", "Autumn 1897 choice"),
    ],
)
def test_steps_of_an_opening_belong_to_the_first_year_alone(text: str, phase: str) -> None:
    assert str(OPENED.read(text)) == phase


@pytest.mark.parametrize("text", ["Autumn 1899", "Spring 1897", "S1897M"])
def test_a_phase_before_or_after_its_time_is_refused(text: str) -> None:
    with pytest.raises(InvalidPhase, match="is not a phase of this calendar"):
        OPENED.read(text)


def test_a_season_alone_means_its_movement_even_after_a_choice() -> None:
    steps = (Step("Summer", PhaseKind.MOVEMENT), Step("Summer", PhaseKind.ADJUSTMENTS))
    calendar = Calendar(steps, 1801, opening=(Step("Summer", PhaseKind.CHOICE),))
    assert calendar.read("Summer 1801") == Phase("Summer", 1801, PhaseKind.MOVEMENT)
    assert calendar.read("Summer 1801 choice").kind is PhaseKind.CHOICE


NAMED = Calendar(
    (
        Step("Round 12", PhaseKind.MOVEMENT),
        Step("Round 12", PhaseKind.RETREATS),
        Step("High Summer", PhaseKind.MOVEMENT),
        Step("Year's end", PhaseKind.OWNERSHIP),
        Step("Year's end", PhaseKind.ADJUSTMENTS),
    ),
    476,
)
"""Seasons with a number, a blank and a sign in their names."""


def test_seasons_may_be_named_freely() -> None:
    for phase, _ in zip(NAMED.after(NAMED.first), range(12), strict=False):
        assert NAMED.read(str(phase)) == phase
    for text, phase in (
        ("Round 12 movement", Phase("Round 12", 476, PhaseKind.MOVEMENT)),
        ("high summer 480", Phase("High Summer", 480, PhaseKind.MOVEMENT)),
        ("Year's end 501", Phase("Year's end", 501, PhaseKind.ADJUSTMENTS)),
    ):
        assert NAMED.read(text) == phase


@pytest.mark.parametrize(
    ("seasons", "first", "last", "within"),
    [
        ((), None, None, True),
        (("Fall",), None, None, False),
        (("Fall", "Spring"), 1903, 1903, True),
        ((), 1904, None, False),
        ((), None, 1902, False),
        (("Spring",), 1901, None, True),
    ],
)
def test_a_phase_is_within_the_seasons_and_years_that_are_named(
    seasons: tuple[str, ...], first: int | None, last: int | None, *, within: bool
) -> None:
    assert Phase("Spring", 1903, PhaseKind.MOVEMENT).within(seasons, first, last) is within


def _from(year: int) -> Calendar:
    """The usual cycle from another year on."""
    return Calendar(YEAR.cycle, year)


def test_years_before_christ_count_down_towards_0_and_0_is_a_year() -> None:
    calendar = _from(-2)
    codes = [phase.code for phase in islice(calendar.after(calendar.first), 20)]
    assert [code for code in codes if code[-1] == "A"] == ["W2BCA", "W1BCA", "W0A"]
    years = [phase.year for phase in islice(calendar.after(calendar.first), 20)]
    assert years == sorted(years)


@pytest.mark.parametrize(
    ("text", "year", "phase"),
    [
        ("Spring 48 BC", -48, "Spring 48 BC movement"),
        ("spring 48 b.c. retreats", -48, "Spring 48 BC retreats"),
        ("Fall 48 BCE", -48, "Fall 48 BC movement"),
        ("F48BC", -48, "Fall 48 BC movement"),
        ("f48bcm", -48, "Fall 48 BC movement"),
        ("Autumn 7 BC.", -48, "Fall 7 BC movement"),
        ("Fall -48", -48, "Fall 48 BC movement"),
        ("S-48M", -48, "Spring 48 BC movement"),
        ("S0M", -1, "Spring 0 movement"),
        ("Winter 0", -1, "Winter 0 adjustments"),
        ("Fall 1", -1, "Fall 1 movement"),
        ("F12", -1, "Fall 12 movement"),
    ],
)
def test_a_phase_of_an_early_year_is_read(text: str, year: int, phase: str) -> None:
    assert str(_from(year).read(text)) == phase


@pytest.mark.parametrize("text", ["F01", "Spring-1901", "S 02", "Spring 1901-03", "Fall 123456 BC"])
def test_what_may_mean_another_year_than_an_early_one_is_refused(text: str) -> None:
    with pytest.raises(InvalidPhase):
        YEAR.read(text)


YEARS = st.integers(-99_999, 99_999)


@given(start=YEARS, later=st.integers(0, 300), step=st.sampled_from(YEAR.cycle))
def test_every_phase_of_every_year_is_read_as_it_is_written(start: int, later: int, step: Step) -> None:
    phase = Phase(step.season, min(start + later, 99_999), step.kind)
    calendar = _from(start)
    assert calendar.read(str(phase)) == phase
    assert calendar.read(str(phase).casefold()) == phase
    if step.kind.asks_orders:
        assert calendar.read(phase.code) == phase


@given(YEARS)
def test_every_year_is_read_as_it_is_written(year: int) -> None:
    assert year_read(year_text(year)) == year_read(str(year)) == year


@given(one=YEARS, other=YEARS)
def test_codes_and_texts_of_different_years_differ(one: int, other: int) -> None:
    phases = [Phase("Spring", year, PhaseKind.MOVEMENT) for year in (one, other)]
    assert (phases[0].code == phases[1].code) is (str(phases[0]) == str(phases[1])) is (one == other)


@pytest.mark.parametrize("text", ["", "soon", "48 AD BC", "BC", "1234567", "4.8", "--48"])
def test_what_is_no_year_is_none(text: str) -> None:
    assert year_read(text) is None
