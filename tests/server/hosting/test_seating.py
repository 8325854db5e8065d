"""Who plays what: names, and the deal that meets everybody's wishes as well as it can."""

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo.engine.position import Power
from plenipo.server.errors import SeatRefused
from plenipo.server.hosting.seating import dealt, sum_of_squares
from plenipo.server.hosting.settings import settings_of

POWERS = [Power(name) for name in ("Austria", "England", "France", "Germany", "Italy")]


def in_order(_label: str, names: Sequence[str]) -> Sequence[str]:
    return sorted(names)


def backwards(_label: str, names: Sequence[str]) -> Sequence[str]:
    return sorted(names, reverse=True)


wish_lists = st.dictionaries(
    st.integers(1, 9), st.lists(st.sampled_from(POWERS), unique=True), min_size=1, max_size=len(POWERS)
)


@given(wish_lists)
def test_no_other_deal_has_a_smaller_sum_of_squared_ranks(wishes: dict[int, list[Power]]) -> None:
    seats = dealt(wishes, POWERS, in_order)
    assert seats.keys() == wishes.keys()
    assert len(set(seats.values())) == len(seats)
    others = (dict(zip(wishes, powers, strict=False)) for powers in permutations(POWERS, len(wishes)))
    assert sum_of_squares(wishes, seats) == min(sum_of_squares(wishes, other) for other in others)


@given(wish_lists)
def test_ties_fall_by_the_dice_and_by_nothing_else(wishes: dict[int, list[Power]]) -> None:
    assert dealt(wishes, POWERS, backwards) == dealt(dict(sorted(wishes.items(), reverse=True)), POWERS, backwards)
    both = [dealt(wishes, POWERS, dice) for dice in (in_order, backwards)]
    assert sum_of_squares(wishes, both[0]) == sum_of_squares(wishes, both[1])


def test_who_wishes_for_nothing_gets_what_the_dice_leave() -> None:
    assert dealt({1: []}, POWERS, in_order) == {1: "Austria"}
    assert dealt({1: []}, POWERS, backwards) == {1: "Italy"}


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"deal": "auction"}, "'auction' is not a value of 'deal'"),
        ({"keeper": "king"}, "'king' is not a value of 'keeper'"),
    ],
)
def test_settings_that_do_not_exist_are_refused(values: dict[str, str], sentence: str) -> None:
    with pytest.raises(SeatRefused, match=sentence):
        settings_of(values)
