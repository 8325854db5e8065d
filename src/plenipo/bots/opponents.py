"""Who the others are: how well each temper foretold what a power ordered.

For each phase that is over the policy orders a few times with each temper. The more often it gave a unit the order it
had, the likelier the temper; one that never did is not ruled out.
"""

import numpy as np

from plenipo.batch.bits import FIRST, Array, whole
from plenipo.batch.play import Work
from plenipo.batch.state import State
from plenipo.batch.tables import Arrays, Size
from plenipo.bots.compiling import compiled
from plenipo.bots.nearness import Nearness
from plenipo.bots.policy import Sketch, order

__all__ = ["LIKELY_ONE", "foretell", "weights_of"]

LIKELY_ONE = 256
"""What a factor of 2 counts."""

MOST_DRAWS = 32
PLAYERS = Size.PLAYERS

LOGARITHMS = np.array(
    [0, *((int(x**16).bit_length() - 1) * LIKELY_ONE // 16 for x in range(1, 2 * MOST_DRAWS + 3))], np.int64
)
"""Logarithms to base 2 of small whole numbers, in parts of `LIKELY_ONE`, by whole numbers alone."""


@compiled
def foretell(
    game: int,
    s: State,
    seen: Array,
    row: int,
    tempers: int,
    draws: int,
    a: Arrays,
    g: Nearness,
    p: Sketch,
    w: Work,
    which: Array,
    drafts: Array,
    likely: Array,
) -> None:
    """Write how likely `seen[row]`, the orders of a movement, were for each power by each of the first `tempers`.

    `likely` (int64[P, tempers]) are logarithms, in parts of `LIKELY_ONE` of a factor of 2, a mean over the units and
    so not above 0. `drafts` is uint32[draws, 64], at most `MOST_DRAWS` of them; `which` is
    int64[P]; both are scratch.
    """
    players = a.size[PLAYERS]
    for temper in range(tempers):
        which[:] = temper
        for k in range(draws):
            order(game, FIRST, players, which, k, s, drafts, a, g, p, w)
        for power in range(players):
            total = 0
            units = 0
            for u in range(whole(s.units[game])):
                if s.kinds[game, u] >> 1 == power:
                    same = 0
                    for k in range(draws):
                        same += whole(drafts[k, u] == seen[row, u])
                    total += LOGARITHMS[2 * same + 1] - LOGARITHMS[2 * draws + 2]
                    units += 1
            likely[power, temper] = total // max(1, units)


def weights_of(likely: Array, units_felt: int = 6) -> Array:
    """What share of the samples each temper has: int64[P, T], each row adds up to about 1024.

    `likely` is the sum over the phases seen. The units of a power do not choose for themselves, so a phase counts as
    much as `units_felt` of them would. Every temper keeps a small share.
    """
    best = likely.max(axis=1, keepdims=True)
    behind = np.minimum((best - likely) * units_felt // LIKELY_ONE, 9)
    shares = (1 << (10 - behind)) + 48
    weights: Array = shares * 1024 // shares.sum(axis=1, keepdims=True)
    return weights.astype(np.int64)
