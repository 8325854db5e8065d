"""Fit the evaluation of the computer players: how many centres a power has two years later.

    python scripts/expectation.py --games 40

Games among `quick` on several boards, on the kernel alone, give positions at the beginning of a year. The features that
`plenipo.bots.evaluation` counts there for each power are fitted to the centres it owns two years later, by least
squares. A row for each board, and one for all of them together, shows the parts of a centre that each feature predicts,
and how much of the variance they explain beyond the centres owned alone. The last line has the form of `COUNTED`:
parts, 4096 to a centre owned, all divided by the coefficient of a centre owned. `plenipo.bots.values` says why its
values are not the last fit.
"""

import argparse
from collections.abc import Sequence

import numpy as np

from plenipo.batch.bits import Array
from plenipo.bots.values import COUNTED
from strength import PLAYERS, Lab

__all__ = ["Fit", "fitted", "positions"]

BOARDS = ("standard", "1897", "corner", "cline", "napoleonic")
AHEAD, YEARS = 2, 14
OWNED = list(COUNTED).index("centres")
UNFITTED = [i for i, name in enumerate(COUNTED) if name in ("stood in", "taken") or name.startswith("still")]


class _Watched(Lab):
    """Games of which the first movement of each year is noted."""

    def __init__(self, variant: str) -> None:
        super().__init__(variant, PLAYERS["quick"], "quick")
        self.counts: dict[int, Array] = {}

    def _remember(self, past: Sequence[list[Array]], joint: Array, seat: int) -> None:
        state = self.arena.state
        if int(state.year[0]) not in self.counts:
            self.counts[int(state.year[0])] = self.one.count_features(state, 0)
        super()._remember(past, joint, seat)


class Fit:
    """The coefficient of each feature, in centres two years later."""

    def __init__(self, counts: Array, later: Array) -> None:
        # at the beginning of a year no unit stands in another's centre, no playout has begun, and all powers order
        columns = [i for i in range(len(COUNTED)) if i not in UNFITTED]
        found, *_ = np.linalg.lstsq(counts[:, columns], later, rcond=None)
        self.parts = np.zeros(len(COUNTED))
        self.parts[columns] = found
        self.explained = 1 - float((later - counts @ self.parts).var() / later.var())
        alone = np.column_stack([counts[:, OWNED], np.ones(len(counts))])
        line, *_ = np.linalg.lstsq(alone, later, rcond=None)
        self.explained_by_centres = 1 - float((later - alone @ line).var() / later.var())


def positions(variant: str, games: int, years: int = YEARS) -> tuple[Array, Array]:
    """Return the features of powers with a centre, a row each, and the centres each had two years later."""
    lab = _Watched(variant)
    counts, later = [], []
    for number in range(games):
        lab.counts = {}
        lab.play(number, years)
        for year, found in lab.counts.items():
            if year + AHEAD in lab.counts:
                alive = found[:, OWNED] > 0
                counts.append(found[alive])
                later.append(lab.counts[year + AHEAD][alive, OWNED])
    return np.concatenate(counts).astype(float), np.concatenate(later).astype(float)


def fitted(counts: Array, later: Array) -> Fit:
    """Return the coefficients that explain best the number of later centres."""
    return Fit(counts, later)


def main() -> None:
    """Play, fit and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("variants", nargs="*", default=BOARDS)
    parser.add_argument("--games", type=int, default=40, help="of each board")
    given = parser.parse_args()
    found = {variant: positions(variant, given.games) for variant in given.variants}
    everything = tuple(np.concatenate(parts) for parts in zip(*found.values(), strict=True))
    print("| board | positions | " + " | ".join(COUNTED) + " | explained | by centres alone |")
    print("|---" * (len(COUNTED) + 4) + "|")
    for variant, (counts, later) in {**found, "all": everything}.items():
        fit = fitted(counts, later)
        row = " | ".join(f"{part:+.2f}" for part in fit.parts)
        print(
            f"| {variant} | {len(later):,} | {row} | {fit.explained:.2f} | {fit.explained_by_centres:.2f} |", flush=True
        )
    parts = fitted(*everything).parts
    print({name: round(COUNTED["centres"] * part / parts[OWNED]) for name, part in zip(COUNTED, parts, strict=True)})


if __name__ == "__main__":
    main()
