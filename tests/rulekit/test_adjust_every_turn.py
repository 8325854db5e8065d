"""Ownership is settled, and units are built and removed, after every movement."""

from collections.abc import Callable
from itertools import islice

import pytest

from plenipo.engine.calendar import Calendar, PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant
from plenipo.library import load
from plenipo.rulekit.adjust_every_turn import AdjustEveryTurn
from table import owner

Tiny = Callable[..., Rules]
FRANCE = Power("France")
REGULAR = load("standard").calendar


def movements(calendar: Calendar, count: int) -> list[str]:
    """The first movement phases of a calendar, without their kind."""
    after = calendar.after(calendar.first)
    phases = [calendar.first, *islice(after, 40)]
    return [f"{phase.season} {phase.year}" for phase in phases if phase.kind is PhaseKind.MOVEMENT][:count]


def test_a_turn_is_movement_retreats_ownership_adjustments_in_every_season() -> None:
    calendar = AdjustEveryTurn(("Spring", "Summer", "Autumn")).calendar(REGULAR)
    kinds = [PhaseKind.MOVEMENT, PhaseKind.RETREATS, PhaseKind.OWNERSHIP, PhaseKind.ADJUSTMENTS]
    assert [step.kind for step in calendar.cycle] == kinds * 3
    assert [step.season for step in calendar.cycle][::4] == ["Spring", "Summer", "Autumn"]
    assert movements(calendar, 4) == ["Spring 1901", "Summer 1901", "Autumn 1901", "Spring 1902"]


def test_a_centre_taken_in_spring_is_owned_and_built_for_in_spring(tiny: Tiny) -> None:
    game = Game.new(tiny("[modules.adjust_every_turn]")).process({FRANCE: ["A MAR - SPA"]})
    assert str(game.position.phase) == "Spring 1901 adjustments"
    assert owner(game.position, "SPA") == "France"
    game = game.process({FRANCE: ["A MAR B"]})
    assert str(game.position.phase) == "Fall 1901 movement"
    assert len(game.position.units_of(FRANCE)) == 4


def test_a_turn_without_builds_goes_on_to_the_next_movement(tiny: Tiny) -> None:
    game = Game.new(tiny("[modules.adjust_every_turn]")).process({})
    assert str(game.position.phase) == "Fall 1901 movement"


@pytest.mark.parametrize(
    ("cycle", "first", "expected"),
    [
        ("Summer, Winter", "", ["Summer 1901", "Winter 1901", "Summer 1902"]),
        ("Summer, Winter", "Winter", ["Winter 1901", "Summer 1902", "Winter 1902"]),
        ("Spring, Summer, Fall", "Summer", ["Summer 1901", "Fall 1901", "Spring 1902", "Summer 1902"]),
        ("Spring, Fall", "Summer", ["Spring 1901", "Fall 1901", "Spring 1902"]),
        ("Turn", "Turn", ["Turn 1901", "Turn 1902"]),
    ],
)
def test_seasons_are_labels_and_the_game_may_begin_with_any(
    tiny: Tiny, cycle: str, first: str, expected: list[str]
) -> None:
    rules = tiny("[modules.adjust_every_turn]", season_cycle=cycle, first_season=first)
    assert movements(rules.calendar, len(expected)) == expected


def test_a_game_goes_through_the_seasons_from_the_first_one_on(tiny: Tiny) -> None:
    game = Game.new(tiny("[modules.adjust_every_turn]", season_cycle="Spring, Fall", first_season="Fall"))
    phases = [str(game.position.phase)]
    for _ in range(3):
        game = game.process({})
        phases.append(str(game.position.phase))
    assert phases == [f"{turn} movement" for turn in ("Fall 1901", "Spring 1902", "Fall 1902", "Spring 1903")]


def test_steps_that_are_taken_once_stay_before_the_first_turn() -> None:
    calendar = AdjustEveryTurn().calendar(load("1897").calendar)
    phases = [calendar.first, *islice(calendar.after(calendar.first), 2)]
    assert [str(phase) for phase in phases] == [
        "Autumn 1897 choice",
        "Winter 1897 adjustments",
        "Spring 1898 movement",
    ]


@pytest.mark.parametrize("cycle", [(), ("Spring", "Spring")])
def test_no_season_or_the_same_one_twice_is_refused(cycle: tuple[str, ...]) -> None:
    with pytest.raises(InvalidVariant, match=r"'season_cycle' is '.*'; it must list one or more different seasons"):
        AdjustEveryTurn(cycle).calendar(REGULAR)


def test_a_game_cannot_begin_within_a_year_if_the_opening_has_a_year_of_its_own() -> None:
    with pytest.raises(
        InvalidVariant, match="the opening takes the year 1897 alone; the first season must be 'Spring'"
    ):
        AdjustEveryTurn(("Spring", "Fall"), "Fall").calendar(load("1897").calendar)
