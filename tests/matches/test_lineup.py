"""Seating in matches: every player in every seat equally often, and the same seats for the same seed."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo.engine.position import Power
from plenipo.errors import UnknownName
from plenipo.matches.lineup import Match, lineup, seats, seed_of

POWERS = tuple(Power(f"P{i}") for i in range(7))


@pytest.mark.parametrize(
    ("texts", "places", "players"),
    [
        (["a"], 3, "aaa"),
        (["a", "b"], 4, "abbb"),
        (["2 a", "b"], 4, "aabb"),
        (["a", "3 b"], 4, "abbb"),
        (["a", "b", "a"], 3, "aba"),
    ],
)
def test_the_last_player_takes_the_seats_that_are_left(texts: list[str], places: int, players: str) -> None:
    assert lineup(texts, places) == tuple(players)


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["a", "5 b"], "makes 6 players, and this variant has 7 seats"),
        (["8 a"], "makes 8 players"),
        (["a"] * 8, "makes 8 players"),
        (["0 a"], "'0 a' is not a player"),
        ([""], "'' is not a player"),
        (["3"], "'3' is not a player"),
    ],
)
def test_a_lineup_that_does_not_fill_the_seats_is_refused(texts: list[str], told: str) -> None:
    with pytest.raises(UnknownName, match=told):
        lineup(texts, 7)


@given(players=st.lists(st.sampled_from("abc"), min_size=7, max_size=7), seed=st.binary(min_size=32, max_size=32))
def test_in_a_round_each_player_sits_in_every_seat_as_often_as_it_has_seats(players: list[str], seed: bytes) -> None:
    match = Match("any", tuple(players), seed)
    for first in (0, 7):
        sat = Counter(
            (power, name) for game in range(first, first + 7) for power, name in seats(match, POWERS, game).items()
        )
        assert sat == {(power, name): players.count(name) for power in POWERS for name in set(players)}


def test_seats_and_chance_depend_on_the_seed_and_not_on_the_names() -> None:
    one, other = (Match("any", tuple(name + "bbbbbb"), bytes(32)) for name in "ac")
    assert [list(seats(one, POWERS, game).values()).index("a") for game in range(14)] == [
        list(seats(other, POWERS, game).values()).index("c") for game in range(14)
    ]
    assert seed_of(one, 3) == seed_of(other, 3) != seed_of(one, 4)
