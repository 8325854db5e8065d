"""Ratings by the Plackett-Luce model of `openskill`: one game after the other, from the same beginning for all."""

from collections.abc import Sequence

from plenipo import extras

__all__ = ["BEGINNING", "Rating", "update_ratings"]

Rating = tuple[float, float]
"""A rating and its uncertainty."""

BEGINNING: Rating = (25.0, 25.0 / 3)
"""The initial rating of every player."""


def update_ratings(before: Sequence[Rating], scores: Sequence[float]) -> list[Rating]:
    """Return the ratings after a game of the players in it, each for itself; higher scores are better.

    Raise `MissingExtra` if `openskill` is not installed.
    """
    with extras.require("match", "A rating"):
        from openskill.models import PlackettLuce  # noqa: PLC0415  # an extra of its own

    model = PlackettLuce()
    teams = [[model.rating(mu=mu, sigma=sigma)] for mu, sigma in before]
    return [(rating.mu, rating.sigma) for (rating,) in model.rate(teams, scores=list(scores))]
