"""Measure how well the expected shares of an analysis foretell the final shares of games.

    python scripts/calibration.py GAMES/*.json

Each file is a saved game in any format, or one that `plenipo match --games-to` writes. Before each movement, the
expected share of each surviving power is compared with its final share, and so are the shares of centres and of their
squares. Each is fitted to every second game by one factor, by which its distance from par is multiplied: the shares
still add up to 1. The table has the part of the variance of the final shares that is explained in the other games, for
each third of a game.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import typer

from plenipo.cli import saved
from plenipo.engine.history.game import Game
from plenipo.engine.phases import victory
from plenipo.engine.position import Power
from plenipo.matches.accuracy import list_movements
from plenipo.matches.review import Expect, by_policy, by_standing

__all__ = ["METHODS", "Forecast", "compare_forecasts", "explain_variance", "fit_factor", "main", "measure_calibration"]

THIRDS = ("first", "second", "last")

METHODS = ("expected share", "centres", "squares of centres")


class Forecast(NamedTuple):
    """The shares of a power before a movement by each of `METHODS`, and its final share; all less par."""

    third: int
    """The part of the game in which the movement was, from 0."""
    foretold: tuple[float, ...]
    final: float


def compare_forecasts(game: Game, expect: Expect) -> Iterator[Forecast]:
    """Yield the forecasts for each power before each movement of a finished game."""
    final, names, par = by_standing(game), game.rules.names, 1 / len(game.rules.names)
    moves = list_movements(game)
    for number, turn in enumerate(moves):
        before = game.fork(turn)
        counts = victory.score(game.rules, before.position).counts
        centres, squares = ({power: counts.get(power, 0) ** degree for power in names} for degree in (1, 2))
        methods = (expect(before), divide(centres), divide(squares))
        for power in names:
            if before.position.survives(power):
                foretold = tuple(shares[power] - par for shares in methods)
                yield Forecast(number * len(THIRDS) // len(moves), foretold, final[power] - par)


def divide(parts: Mapping[Power, int]) -> dict[Power, float]:
    """Return the part of each power in the sum."""
    total = sum(parts.values())
    return {power: part / total if total else 1 / len(parts) for power, part in parts.items()}


def fit_factor(forecasts: Sequence[Forecast], method: int) -> float:
    """Return the factor by which the distance of a method's shares from par fits the final shares best."""
    foretold = np.array([one.foretold[method] for one in forecasts])
    final = np.array([one.final for one in forecasts])
    return float(foretold @ final / (foretold @ foretold)) if foretold.any() else 1.0


def explain_variance(forecasts: Sequence[Forecast], method: int, factor: float) -> float:
    """Return the part of the variance of the final shares that a method explains with a factor."""
    final = np.array([one.final for one in forecasts])
    left = final - factor * np.array([one.foretold[method] for one in forecasts])
    return float(1 - (left**2).mean() / final.var()) if final.var() else 0.0


def measure_calibration(games: Sequence[Game], expect: Expect) -> Iterator[tuple[int, int, list[float], list[float]]]:
    """Yield for each third its number, the number of forecasts tested, the factors, and the explained variances."""
    found = [list(compare_forecasts(game, expect)) for game in games]
    for third in range(len(THIRDS)):
        fitted, tested = ([one for game in found[first::2] for one in game if one.third == third] for first in range(2))
        if fitted and tested:
            factors = [fit_factor(fitted, method) for method in range(len(METHODS))]
            explained = [explain_variance(tested, method, factor) for method, factor in enumerate(factors)]
            yield third, len(tested), factors, explained


def read_games(files: Sequence[Path]) -> Iterator[Game]:
    """Yield the games in files, all of those in a file of a match."""
    for file in files:
        lines = file.read_text(encoding="utf-8").splitlines()
        if saved.is_match(lines[0]):
            yield from (saved.load(file, number=number) for number in range(len(lines)))
        else:
            yield saved.load(file)


def main(
    files: Annotated[list[Path], typer.Argument()],
    movements: Annotated[int, typer.Option(help="How many movements each position is played on.")] = 3,
    times: Annotated[int, typer.Option(help="How many times.")] = 40,
) -> None:
    """Read the games, and print the table."""
    games = list(read_games(files))
    print(f"{len(games)} games, every second one fitted, the others tested\n")
    print("| third | forecasts |", " | ".join(f"{method}: factor | R²" for method in METHODS), "|")
    print("|---" * (2 + 2 * len(METHODS)) + "|")
    for third, tested, factors, explained in measure_calibration(games, by_policy(movements=movements, times=times)):
        cells = (f"{factor:.2f} | {part:.2f}" for factor, part in zip(factors, explained, strict=True))
        print(f"| {THIRDS[third]} | {tested:,} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    typer.run(main)
