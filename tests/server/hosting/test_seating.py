"""Seating: names, and the assignment that meets the preferences of all players as well as possible."""

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo.engine.position import Power
from plenipo.server.errors import SeatRefused
from plenipo.server.hosting.seating import assign_powers, sum_of_squares
from plenipo.server.hosting.settings import settings_of

POWERS = [Power(name) for name in ("Austria", "England", "France", "Germany", "Italy")]


def in_order(_label: str, names: Sequence[str]) -> Sequence[str]:
    return sorted(names)


def backwards(_label: str, names: Sequence[str]) -> Sequence[str]:
    return sorted(names, reverse=True)


preference_lists = st.dictionaries(
    st.integers(1, 9), st.lists(st.sampled_from(POWERS), unique=True), min_size=1, max_size=len(POWERS)
)


@given(preference_lists)
def test_no_other_deal_has_a_smaller_sum_of_squared_ranks(preferences: dict[int, list[Power]]) -> None:
    seats = assign_powers(preferences, POWERS, in_order)
    assert seats.keys() == preferences.keys()
    assert len(set(seats.values())) == len(seats)
    others = (dict(zip(preferences, powers, strict=False)) for powers in permutations(POWERS, len(preferences)))
    assert sum_of_squares(preferences, seats) == min(sum_of_squares(preferences, other) for other in others)


@given(preference_lists)
def test_ties_fall_by_the_dice_and_by_nothing_else(preferences: dict[int, list[Power]]) -> None:
    assert assign_powers(preferences, POWERS, backwards) == assign_powers(
        dict(sorted(preferences.items(), reverse=True)), POWERS, backwards
    )
    both = [assign_powers(preferences, POWERS, dice) for dice in (in_order, backwards)]
    assert sum_of_squares(preferences, both[0]) == sum_of_squares(preferences, both[1])


def test_a_player_without_preferences_gets_a_power_that_the_dice_leave() -> None:
    assert assign_powers({1: []}, POWERS, in_order) == {1: "Austria"}
    assert assign_powers({1: []}, POWERS, backwards) == {1: "Italy"}


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"deal": "auction"}, "'auction' is not a value of 'deal'"),
        ({"host": "king"}, "'king' is not a value of 'host'"),
    ],
)
def test_settings_that_do_not_exist_are_refused(values: dict[str, str], sentence: str) -> None:
    with pytest.raises(SeatRefused, match=sentence):
        settings_of(values)
