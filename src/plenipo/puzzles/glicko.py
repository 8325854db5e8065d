"""Ratings of solvers and puzzles by the Glicko system (Mark E. Glickman, "The Glicko system", 1999); pure.

A rating comes with its deviation, the uncertainty of it. Solving a puzzle is a win of the solver against the puzzle.
"""

from collections.abc import Iterable
from math import log, pi, sqrt
from typing import NamedTuple

__all__ = [
    "HIGHEST",
    "LEAST_DEVIATION",
    "MOST_DEVIATION",
    "NEW_SOLVER",
    "GlickoRating",
    "expect_score",
    "rate_puzzle",
    "update_rating",
]

_Q = log(10) / 400

LEAST_DEVIATION, MOST_DEVIATION = 60.0, 350.0
"""The bounds of a deviation: at the lower one, results still change the rating; the upper one is that of a beginner."""

HIGHEST = 4000.0
"""The highest rating; the lowest is 0."""


class GlickoRating(NamedTuple):
    """A rating and its deviation."""

    rating: float
    deviation: float

    @property
    def weight(self) -> float:
        """The weight of a result against this rating, the smaller the less sure it is: g(RD) of the paper."""
        return 1 / sqrt(1 + 3 * (_Q * self.deviation / pi) ** 2)


NEW_SOLVER = GlickoRating(1100.0, MOST_DEVIATION)
"""The rating of a solver without results, among the easier puzzles."""

_UNRATED_PUZZLE = 150.0
"""The deviation of a puzzle whose rating is the difficulty that was computed for it."""


def rate_puzzle(difficulty: int) -> GlickoRating:
    """Return the rating of a puzzle without results."""
    return GlickoRating(float(difficulty), _UNRATED_PUZZLE)


def expect_score(own: GlickoRating, other: GlickoRating) -> float:
    """Return the expected score of one rating against another, from 0 to 1."""
    return float(1 / (1 + 10 ** (-other.weight * (own.rating - other.rating) / 400)))


def update_rating(own: GlickoRating, results: Iterable[tuple[GlickoRating, float]]) -> GlickoRating:
    """Return a rating after results against others, each with its score: 1 for a win, 0 for a loss."""
    information = surprise = 0.0
    for other, score in results:
        expected = expect_score(own, other)
        information += (_Q * other.weight) ** 2 * expected * (1 - expected)
        surprise += other.weight * (score - expected)
    precision = 1 / own.deviation**2 + information
    rating = min(max(own.rating + _Q * surprise / precision, 0.0), HIGHEST)
    return GlickoRating(rating, max(sqrt(1 / precision), min(LEAST_DEVIATION, own.deviation)))
