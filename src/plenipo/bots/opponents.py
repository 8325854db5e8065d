"""A model of the other powers: how well each style foretold what a power ordered.

For each phase that is over the policy orders a few times with each style. The more often it gave a unit the order it
had, the likelier the style; one that never did is not ruled out. The last style orders nothing: whether it is that of
a power is decided first, and with certainty after two movements; the likelihoods of the others come after.
"""

import numpy as np

from plenipo.batch.bits import FIRST, Array, whole
from plenipo.batch.kinds import owner_of
from plenipo.batch.packing import HOLD, NONE, order_word
from plenipo.batch.play import Work
from plenipo.batch.state import State
from plenipo.batch.tables import Arrays, Size
from plenipo.bots.compiling import compile_kernel
from plenipo.bots.policy import Sketch, order
from plenipo.bots.proximity import ProximityTables

__all__ = ["LIKELY_ONE", "WEIGHT_ALL", "foretell", "stillness", "weights_of"]

LIKELY_ONE = 256
"""The value of a factor of 2 in a logarithm."""

WEIGHT_ALL = 1024
"""All samples together."""

STILL_BEFORE, STILL_FELT, STILL_LEAST, STILL_MOST = -6, 2, -9, 6
"""In powers of 2: how likely it is before anything is known that a power orders nothing, against all other styles; for
how many units a phase counts in that; how unlikely and how likely it ever gets. A phase without orders counts 8."""

MOST_DRAWS = 32
PLAYERS = Size.PLAYERS

LOGARITHMS = np.array(
    [0, *((int(x**16).bit_length() - 1) * LIKELY_ONE // 16 for x in range(1, 2 * MOST_DRAWS + 3))], np.int64
)
"""Logarithms to base 2 of small whole numbers, in parts of `LIKELY_ONE`, by whole numbers alone."""


@compile_kernel
def foretell(
    game: int,
    s: State,
    seen: Array,
    row: int,
    styles: int,
    draws: int,
    a: Arrays,
    g: ProximityTables,
    p: Sketch,
    w: Work,
    which: Array,
    drafts: Array,
    likely: Array,
) -> None:
    """Write how likely `seen[row]`, the orders of a movement, were for each power by each of the first `styles`.

    `likely` (int64[P, styles]) are logarithms, in parts of `LIKELY_ONE` of a factor of 2, a mean over the units and
    so not above 0. `drafts` is uint32[draws, 64], at most `MOST_DRAWS` of them; `which` is
    int64[P]; both are scratch.
    """
    players = a.size[PLAYERS]
    for style in range(styles):
        which[:] = style
        for k in range(draws):
            order(game, FIRST, players, which, k, s, drafts, a, g, p, w)
        for power in range(players):
            total = 0
            units = 0
            for u in range(whole(s.units[game])):
                if owner_of(s.kinds[game, u]) == power:
                    same = 0
                    # a unit without an order holds
                    found = order_word(HOLD, 0, 0) if seen[row, u] == NONE else whole(seen[row, u])
                    for k in range(draws):
                        same += whole(whole(drafts[k, u]) == found)
                    total += LOGARITHMS[2 * same + 1] - LOGARITHMS[2 * draws + 2]
                    units += 1
            likely[power, style] = total // max(1, units)


def stillness(likely: Array) -> Array:
    """In how many of `WEIGHT_ALL` samples each power orders nothing: int64[P], never all of them and never none.

    `likely` (int64[P, styles]) is the sum over the phases seen, or zeros.
    """
    edge = STILL_BEFORE + (likely[:, -1] - likely[:, :-1].max(axis=1)) * STILL_FELT // LIKELY_ONE
    edge = np.clip(edge, STILL_LEAST, STILL_MOST)
    still: Array = np.where(edge < 0, WEIGHT_ALL >> (1 - edge).clip(0), WEIGHT_ALL - (WEIGHT_ALL >> (edge + 1).clip(0)))
    return still


def weights_of(likely: Array, units_felt: int = 6) -> Array:
    """Return the share of the samples that each style has: int64[P, T].

    Each row adds up to about the square of `WEIGHT_ALL`. `likely` is as in `stillness`. The units of a power do not
    choose independently, so a phase counts as much as `units_felt` of them would. Every style keeps a small share.
    """
    still = stillness(likely)[:, None]
    acting = likely[:, :-1]
    behind = np.minimum((acting.max(axis=1, keepdims=True) - acting) * units_felt // LIKELY_ONE, 9)
    shares = (1 << (10 - behind)) + 48
    shares = shares * WEIGHT_ALL // shares.sum(axis=1, keepdims=True)
    weights: Array = np.column_stack([shares * (WEIGHT_ALL - still), WEIGHT_ALL * still])
    return weights.astype(np.int64)
