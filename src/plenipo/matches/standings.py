"""Standings of a match: shares, victories and survivals with intervals, and ratings; pure."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist, fmean, stdev
from typing import Any

from plenipo.engine.sentences import say
from plenipo.matches.rating import BEGINNING, Rating, update_ratings
from plenipo.matches.referee import Played

__all__ = ["MOST_FAULTS", "Estimate", "Standing", "estimate", "fraction", "ratings", "standings"]

Z = NormalDist().inv_cdf(0.975)
"""Number of standard errors to each side in an interval of 95 %."""


STUDENT = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
"""The same if the error itself is estimated from few values (Student's t), by their number less 2."""


@dataclass(frozen=True)
class Estimate:
    """A mean, and the interval of 95 % around it; the whole range if there are too few values."""

    mean: float
    low: float
    high: float


def estimate(values: Sequence[float]) -> Estimate:
    """Return the mean of values from 0 to 1, with Student's interval; one value per game, as games are independent."""
    mean = fmean(values)
    if len(values) < 2:
        return Estimate(mean, 0.0, 1.0)
    errors = STUDENT[len(values) - 2] if len(values) - 2 < len(STUDENT) else Z
    half = errors * stdev(values) / math.sqrt(len(values))
    return Estimate(mean, max(0.0, mean - half), min(1.0, mean + half))


def fraction(values: Sequence[float]) -> Estimate:
    """Estimate as `estimate` does, with Wilson's interval, which does not shrink to nothing if all values are equal.

    Where a value is itself a fraction, such as two of three survivors, the interval is wider than it need be.
    """
    n, mean = len(values), fmean(values)
    middle = (mean + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * math.sqrt(mean * (1 - mean) / n + Z * Z / (4 * n * n))
    return Estimate(mean, max(0.0, min(mean, middle - half)), min(1.0, max(mean, middle + half)))


FIGURES = ("share", "solos", "survived", "score", "by_power", "rating")
"""The figures of a standing about a player's results."""

MOST_FAULTS = 0.1
"""The greatest fraction of phases left to the substitute with which a player gets a score."""


@dataclass(frozen=True)
class Standing:
    """The standing of a player in a match, each figure the mean of one of its seats.

    `share` is that of the squares of the scores, 1 for a game won alone; `solos` are the games its seats
    won alone, `survived` its seats that had anything left at the end, `score` what the variant counts for victory.
    `by_power` is its share in each seat. `rating` comes from `ratings`, if requested. `faults` are those of
    the phases `asked` in which the substitute ordered.
    """

    player: str
    seats: int
    games: int
    share: Estimate
    solos: Estimate
    survived: Estimate
    score: float
    by_power: Mapping[str, Estimate]
    rating: tuple[float, float] | None = None
    faults: int = 0
    asked: int = 0

    @property
    def why_unscored(self) -> str:
        """The reason why the player has no score, a sentence; empty if it has one."""
        if self.faults <= MOST_FAULTS * self.asked:
            return ""
        return say(
            "'{player}' has no score: the substitute ordered for it in {faults} of {asked} phases, "
            "and it was the substitute that the others played against.",
            player=self.player,
            faults=self.faults,
            asked=self.asked,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the standing as JSON; without a score the figures are null, and `unscored` gives the reason."""
        counted = {name: getattr(self, name) for name in ("player", "seats", "games", "asked", "faults")}
        if self.why_unscored:
            return {**counted, **dict.fromkeys(FIGURES), "unscored": self.why_unscored}
        figures = {name: value for name, value in asdict(self).items() if name in FIGURES}
        return {**counted, **figures, "unscored": None}


def standings(games: Sequence[Played], rated: Mapping[str, tuple[float, float]] | None = None) -> tuple[Standing, ...]:
    """Return the standings: the best share first, players without a score last. Raise `ValueError` without games."""
    if not games:
        raise ValueError("There are no games to sum up.")
    names = dict.fromkeys(name for game in games for name in game.seats.values())
    table = [_standing(name, games, (rated or {}).get(name)) for name in names]
    return tuple(sorted(table, key=lambda standing: (bool(standing.why_unscored), -standing.share.mean)))


def _standing(name: str, games: Sequence[Played], rating: tuple[float, float] | None) -> Standing:
    mine = [(game, [power for power, player in game.seats.items() if player == name]) for game in games]
    mine = [(game, powers) for game, powers in mine if powers]
    by_power: dict[str, list[float]] = {}
    for game, powers in mine:
        for power in powers:
            by_power.setdefault(power, []).append(game.shares[power])
    return Standing(
        name,
        max(len(powers) for _, powers in mine),
        len(mine),
        estimate([fmean(game.shares[power] for power in powers) for game, powers in mine]),
        fraction([float(len(game.winners) == 1 and game.winners[0] in powers) for game, powers in mine]),
        fraction([fmean(power in game.alive for power in powers) for game, powers in mine]),
        fmean(game.scores.get(power, 0) for game, powers in mine for power in powers),
        {power: estimate(by_power[power]) for power in sorted(by_power)},
        rating,
        sum(fault.player == name for game, _ in mine for fault in game.faults),
        sum(game.asked.get(name, 0) for game, _ in mine),
    )


def ratings(games: Iterable[Played]) -> dict[str, tuple[float, float]]:
    """Return the rating of each player and its uncertainty, by the Plackett-Luce model of `openskill`, game after game.

    In a game each seat plays for itself; a player with several seats gets the mean of their results. All begin at
    25 with an uncertainty of 8.3. Raise `MissingExtra` if `openskill` is not installed.
    """
    known: dict[str, Rating] = {}
    for game in games:
        powers = sorted(game.seats)
        before = [known.get(game.seats[power], BEGINNING) for power in powers]
        after = update_ratings(before, [game.shares[power] for power in powers])
        gained: dict[str, list[Rating]] = {}
        for power, rating in zip(powers, after, strict=True):
            gained.setdefault(game.seats[power], []).append(rating)
        for name, values in gained.items():
            known[name] = (fmean(mu for mu, _ in values), fmean(sigma for _, sigma in values))
    return known
