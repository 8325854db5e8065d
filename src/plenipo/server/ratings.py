"""Ratings of people, computed from the results of their games on every request; pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from plenipo.matches.rating import BEGINNING, update_ratings
from plenipo.server.store.reliability import RatedSeat

__all__ = ["SHOWN_FROM", "PersonRating", "rank_people", "ratings"]

SHOWN_FROM = 10
"""The number of games from which on a rating is shown."""

LAST = -1.0
"""The score of a player who left: below all others."""


@dataclass(frozen=True)
class PersonRating:
    """The rating of a person, its uncertainty, and the number of rated games."""

    mean: float = BEGINNING[0]
    spread: float = BEGINNING[1]
    games: int = 0


def ratings(games: Iterable[Sequence[RatedSeat]]) -> dict[str, PersonRating]:
    """Return the ratings of people after games among people, in the order in which the games ended.

    A player who left comes last. The rating of a replacement player changes only if it rises. A player who is no longer
    known counts as a new person in each game, so that the ratings of the others stay.
    """
    known: dict[str, PersonRating] = {}
    for seats in games:
        names = [seat.person or f"{seat.game}#{seat.tenure}" for seat in seats]
        if len(set(names)) < 2:
            continue
        before = [known.get(name, PersonRating()) for name in names]
        scores = [LAST if seat.came == "left" else seat.score for seat in seats]
        after = update_ratings([(one.mean, one.spread) for one in before], scores)
        for name, seat, old, (mean, spread) in zip(names, seats, before, after, strict=True):
            if seat.person is not None:
                helps = seat.came != "substitute" or mean > old.mean
                new = PersonRating(mean, spread, old.games + 1)
                known[name] = new if helps else PersonRating(old.mean, old.spread, old.games + 1)
    return known


def rank_people(known: Mapping[str, PersonRating], fewest: int = SHOWN_FROM) -> tuple[tuple[str, PersonRating], ...]:
    """Return the people with at least `fewest` rated games, by the lower bound: two spreads below the rating."""
    shown = [(person, one) for person, one in known.items() if one.games >= fewest]
    return tuple(sorted(shown, key=lambda line: (2 * line[1].spread - line[1].mean, line[0])))
