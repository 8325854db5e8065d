"""The slips of a turn are drawn after its retreats, or before them with one option, with any kind of draw."""

from collections.abc import Callable
from itertools import permutations

import pytest

from hats import BY_HAND
from plenipo.engine.calendar import Calendar, PhaseKind
from plenipo.engine.rules import Rules
from plenipo.library import load, options_of

Tiny = Callable[..., Rules]
HOLES, SPLITS, TIME = "[modules.black_holes]\n", "[modules.splits]\n", "[modules.draws]\n"
TURNS = "[modules.adjust_every_turn]\n"
MOVEMENT, RETREATS, DRAWS = PhaseKind.MOVEMENT, PhaseKind.RETREATS, PhaseKind.DRAWS


def turns(calendar: Calendar) -> list[list[PhaseKind]]:
    """Return the phases of each turn of a year, from the movement to the retreats and draws."""
    kinds = [[step.kind for step in calendar.cycle if step.season == season] for season in ("Spring", "Fall")]
    return [[kind for kind in turn if kind in {MOVEMENT, RETREATS, DRAWS}] for turn in kinds]


MODULES = [
    "".join(order)
    for some in ([HOLES], [SPLITS], [HOLES, SPLITS])
    for time in (TIME, BY_HAND)
    for order in ({time + "".join(some), "".join(some) + time, some[0] + time + "".join(some[1:])})
]


@pytest.mark.parametrize("text", sorted(MODULES))
@pytest.mark.parametrize(
    ("option", "turn"), [("false", [MOVEMENT, RETREATS, DRAWS]), ("true", [MOVEMENT, DRAWS, RETREATS])]
)
def test_one_option_decides_for_all_that_is_drawn_wherever_the_module_stands(
    tiny: Tiny, text: str, option: str, turn: list[PhaseKind]
) -> None:
    assert turns(tiny(text, draws_before_retreats=option).calendar) == [turn, turn]


@pytest.mark.parametrize("text", [HOLES, SPLITS, SPLITS + HOLES, BY_HAND + HOLES])
def test_without_the_module_slips_are_drawn_after_the_retreats(tiny: Tiny, text: str) -> None:
    assert turns(tiny(text).calendar) == [[MOVEMENT, RETREATS, DRAWS]] * 2


@pytest.mark.parametrize("text", [TIME, BY_HAND, "[modules.walkers]\n" + TIME])
def test_nothing_is_drawn_because_of_it(tiny: Tiny, text: str) -> None:
    assert turns(tiny(text, draws_before_retreats="true").calendar) == [[MOVEMENT, RETREATS]] * 2


def test_draws_that_the_calendar_of_a_variant_has_are_moved() -> None:
    assert turns(load("irish").calendar) == [[MOVEMENT, RETREATS, DRAWS]] * 2
    assert turns(load("irish", {"draws_before_retreats": "true"}).calendar) == [[MOVEMENT, DRAWS, RETREATS]] * 2


def test_it_is_one_option_of_irish_diplomacy() -> None:
    assert [option.name for option in options_of("irish") if "retreats" in option.name] == ["draws_before_retreats"]


@pytest.mark.parametrize("order", list(permutations([SPLITS, TIME, TURNS])))
def test_turns_with_adjustments_keep_their_draws(tiny: Tiny, order: tuple[str, ...]) -> None:
    rules = tiny("".join(order), draws_before_retreats="true")
    assert turns(rules.calendar) == [[MOVEMENT, DRAWS, RETREATS]] * 2
    assert turns(tiny("".join(order), first_season="Fall").calendar) == [[MOVEMENT, RETREATS, DRAWS]] * 2
    late = tiny("".join(order), first_season="Fall", draws_before_retreats="true").calendar
    assert [step.kind for step in late.opening][:3] == [MOVEMENT, DRAWS, RETREATS]
