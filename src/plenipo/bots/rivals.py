"""Rivals who search too: which powers are near, and how likely each of them is to look for its orders as we do."""

import numpy as np

from plenipo.batch.bits import Array
from plenipo.batch.kinds import kind_of, owner_of
from plenipo.batch.state import State
from plenipo.batch.tables import Arrays, Size
from plenipo.bots.opponents import LIKELY_ONE, LOGARITHMS

__all__ = ["DRAWS", "SHARE_OF_ONE", "found_by", "nearest", "share_of"]

DRAWS = 8
"""The number of trials of a style on a movement that has passed; searches are counted as if there were as many."""

HANDICAP = 80
"""The advantage of a search for each phase, in parts of `LIKELY_ONE`: it is one model against the best of many styles.

At 30 positions it was 0.2 before the best style where `middling` had ordered, 0.2 behind where `quick` had, and
0.9 and 1.0 behind where the baseline of the literature and the policy had: this stands between them.
"""

SHARE_OF_ONE = 1024

EDGE_FIRST, EDGE_MOST, UNITS_FELT = 1, 4, 6
"""In powers of 2: how much likelier a search is than the best style before anything is known, and how far that goes;
how many units a phase counts for."""


def nearest(state: State, game: int, power: int, a: Arrays, most: int) -> list[int]:
    """Return the players that could meet a power in the most spaces, the nearest first, at most a number of them."""
    players, spaces = int(a.size[Size.PLAYERS]), int(a.size[Size.SPACES])
    force = np.zeros((max(players, power + 1), spaces + 1), np.int64)
    count = int(state.units[game])
    for unit, here in zip(state.kinds[game, :count].tolist(), state.places[game, :count].tolist(), strict=True):
        owner = owner_of(unit)
        if owner < players:
            row = a.reach[kind_of(unit), here]
            force[owner, row[1 : 1 + int(row[0])]] += 1
            force[owner, a.space_of[here]] += 1
    meeting = np.minimum(force, force[power]).sum(axis=1)
    meeting[power] = 0
    ranked = sorted(range(players), key=lambda q: (-int(meeting[q]), q))
    return [q for q in ranked[:most] if meeting[q] > 0]


def found_by(plans: Array, seen: Array) -> int:
    """Return how likely the searches that gave `plans` (uint32[*, units]) made orders, counted as in `opponents`."""
    same = (plans == seen).sum(axis=0) * DRAWS // len(plans)
    likely = LOGARITHMS[2 * same + 1] - LOGARITHMS[2 * DRAWS + 2]
    return int(likely.sum()) // max(1, len(likely)) + HANDICAP


def share_of(likely: Array | None) -> int:
    """Return the number of samples, of `SHARE_OF_ONE`, that have what a power's searches found.

    `likely` is the row of the power in what `Thinker.foretold` gave, summed; the last column is that of the searches.
    """
    edge = EDGE_FIRST
    if likely is not None:
        edge += int(likely[-1] - likely[:-1].max()) * UNITS_FELT // LIKELY_ONE
    edge = min(EDGE_MOST, max(-EDGE_MOST, edge))
    return SHARE_OF_ONE - (SHARE_OF_ONE >> edge + 1) if edge >= 0 else SHARE_OF_ONE >> 1 - edge
