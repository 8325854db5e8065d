"""The calendar is a table, and phases are read in the field's spellings."""

from itertools import islice

import pytest

from plenipo.engine.calendar import Calendar, Phase, PhaseKind, Step
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
