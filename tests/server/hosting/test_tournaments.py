"""The seating of rounds and the standings of a tournament."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plenipo.engine.position import Power
from plenipo.server.errors import TournamentRefused
from plenipo.server.hosting.tournaments import BoardSeats, cost_of, plan_of, rank_players, seat_round

POWERS = tuple(map(Power, "Austria England France Germany Italy Russia Turkey".split()))


def play_rounds(count: int, rounds: int, seed: int = 1) -> list[tuple[BoardSeats, ...]]:
    """The rounds of a tournament of some players."""
    players = [f"p{number}" for number in range(count)]
    draw = Random(seed).randrange
    boards: list[BoardSeats] = []
    found = []
    for _ in range(rounds):
        found.append(seat_round(players, POWERS, boards, draw))
        boards += found[-1]
    return found


@settings(max_examples=20, deadline=None)
@given(count=st.integers(2, 60), rounds=st.integers(1, 3), seed=st.integers(0, 99))
def test_each_player_has_one_seat_in_each_round_and_boards_are_even(count: int, rounds: int, seed: int) -> None:
    for boards in play_rounds(count, rounds, seed):
        seated = [person for board in boards for person in board.values()]
        assert sorted(seated) == sorted(f"p{number}" for number in range(count))
        assert len(boards) == -(-count // len(POWERS))
        sizes = [len(board) for board in boards]
        assert max(sizes) - min(sizes) <= 1
        assert all(set(board) <= set(POWERS) for board in boards)


@pytest.mark.parametrize("seed", range(5))
def test_two_rounds_on_four_boards_repeat_no_power_and_as_few_meetings_as_possible(seed: int) -> None:
    """Seven players of a board come from four boards, so at least three pairs of it have met: twelve in the round."""
    first, second = play_rounds(28, 2, seed)
    had = {(person, power) for board in first for power, person in board.items()}
    assert not had & {(person, power) for board in second for power, person in board.items()}
    met = {frozenset(pair) for board in first for pair in combinations(board.values(), 2)}
    again = sum(frozenset(pair) in met for board in second for pair in combinations(board.values(), 2))
    assert again == 12
    assert cost_of(second, POWERS, first) == 36


def test_seven_rounds_on_one_board_give_each_player_each_power() -> None:
    had = Counter((person, power) for boards in play_rounds(7, 7) for power, person in boards[0].items())
    assert sum(count - 1 for count in had.values()) <= 4  # a Latin square is not always reached


def test_the_same_chance_seats_the_same_way() -> None:
    assert play_rounds(30, 3, 4) == play_rounds(30, 3, 4)


def test_one_player_is_no_round() -> None:
    with pytest.raises(TournamentRefused, match="at least two players, and there are 1"):
        seat_round(["p"], POWERS, [], Random(1).randrange)


def test_equal_points_are_ranked_by_the_best_round_and_then_share_a_place() -> None:
    scores = [{"a": Fraction(10), "b": Fraction(30), "c": Fraction(20)}, {"a": Fraction(30), "b": Fraction(10)}]
    found = rank_players(["a", "b", "c", "d"], scores)
    assert [(one.place, one.person, int(one.points)) for one in found] == [
        (1, "a", 40), (1, "b", 40), (3, "c", 20), (4, "d", 0),
    ]  # fmt: skip
    assert found[2].rounds == (Fraction(20), None)


def test_only_the_best_rounds_count_if_the_plan_says_so() -> None:
    scores = [{"a": Fraction(5), "b": Fraction(9)}, {"a": Fraction(6), "b": Fraction(0)}]
    assert [(one.person, int(one.points)) for one in rank_players(["a", "b"], scores, 1)] == [("b", 9), ("a", 6)]


@pytest.mark.parametrize(("name", "value"), [("rounds", 0), ("rounds", "many"), ("scoring", "Luck"), ("prize", 1)])
def test_a_plan_that_cannot_be_is_refused_with_the_value(name: str, value: object) -> None:
    with pytest.raises(TournamentRefused, match=f"'{value}' is not a value of '{name}'"):
        plan_of({name: value})
