"""Ratings of people: computed from the results of their games, whenever they are asked for; pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plenipo.matches.rating import BEGINNING, rated
from plenipo.server.store.reliability import RatedSeat

__all__ = ["SHOWN_FROM", "PersonRating", "ratings"]

SHOWN_FROM = 10
"""From which game on a rating is shown."""

LAST = -1.0
"""The score of whoever left: below all others."""


@dataclass(frozen=True)
class PersonRating:
    """The rating of somebody, its uncertainty, and after how many games."""

    mean: float = BEGINNING[0]
    spread: float = BEGINNING[1]
    games: int = 0


def ratings(games: Iterable[Sequence[RatedSeat]]) -> dict[str, PersonRating]:
    """The ratings of people after games among people, in the order in which they ended.

    Who left comes last. A substitute is rated only if it helps him. Whoever is not known any more counts as somebody
    new in each game, so that the others keep what they have.
    """
    known: dict[str, PersonRating] = {}
    for seats in games:
        names = [seat.person or f"{seat.game}#{seat.tenure}" for seat in seats]
        if len(set(names)) < 2:
            continue
        before = [known.get(name, PersonRating()) for name in names]
        scores = [LAST if seat.came == "left" else seat.score for seat in seats]
        after = rated([(one.mean, one.spread) for one in before], scores)
        for name, seat, old, (mean, spread) in zip(names, seats, before, after, strict=True):
            if seat.person is not None:
                helps = seat.came != "substitute" or mean > old.mean
                new = PersonRating(mean, spread, old.games + 1)
                known[name] = new if helps else PersonRating(old.mean, old.spread, old.games + 1)
    return known
