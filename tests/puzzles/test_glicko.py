"""Glicko ratings: the example of the paper, and what holds for any results."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo.puzzles.glicko import (
    HIGHEST,
    LEAST_DEVIATION,
    MOST_DEVIATION,
    NEW_SOLVER,
    GlickoRating,
    expect_score,
    rate_puzzle,
    update_rating,
)

RATINGS = st.builds(
    GlickoRating,
    st.floats(0, HIGHEST),
    st.floats(LEAST_DEVIATION, MOST_DEVIATION),
)
SCORES = st.sampled_from([0.0, 1.0])


def test_the_example_of_the_paper_comes_out() -> None:
    """Glickman's example: 1500 with a deviation of 200 wins against 1400 and loses against 1550 and 1700."""
    others = [GlickoRating(1400, 30), GlickoRating(1550, 100), GlickoRating(1700, 300)]
    own = GlickoRating(1500, 200)
    assert [round(one.weight, 4) for one in others] == [0.9955, 0.9531, 0.7242]
    assert [round(expect_score(own, one), 3) for one in others] == [0.639, 0.432, 0.303]
    after = update_rating(own, zip(others, [1.0, 0.0, 0.0], strict=True))
    assert round(after.rating) == 1464
    assert round(after.deviation, 1) == 151.4


@given(RATINGS, RATINGS)
def test_a_solved_puzzle_raises_a_rating_and_a_missed_one_lowers_it(own: GlickoRating, other: GlickoRating) -> None:
    lower, higher = (update_rating(own, [(other, score)]).rating for score in (0.0, 1.0))
    assert lower <= own.rating <= higher
    assert 0 <= lower <= higher <= HIGHEST


@given(RATINGS, st.lists(st.tuples(RATINGS, SCORES), max_size=8))
def test_results_make_a_rating_surer(own: GlickoRating, results: list[tuple[GlickoRating, float]]) -> None:
    after = update_rating(own, results)
    assert LEAST_DEVIATION <= after.deviation <= own.deviation * (1 + 1e-9)


@given(RATINGS)
def test_without_results_a_rating_stays(own: GlickoRating) -> None:
    assert update_rating(own, []) == pytest.approx(own)


def test_a_solver_approaches_the_level_of_the_puzzles_that_are_solved_half_the_time() -> None:
    solver = NEW_SOLVER
    for number in range(60):
        solver = update_rating(solver, [(rate_puzzle(1500), float(number % 2))])
    assert abs(solver.rating - 1500) < 60
    assert solver.deviation == LEAST_DEVIATION
