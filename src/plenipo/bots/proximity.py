"""The proximity of every place to every centre, as whole numbers, calculated once for a board.

The value of a place to a power is linear in the values of the centres to it: one product of a row of `near` with the
values. So everything that takes long is done here, once.

ProximityTables spreads from a centre step by step: each step a place has a share of the values that it and the
places next to
it had.
Many ways to a centre count more than one. The weight of each step differs with the season: while there is time until
centres change hands, places one step away count most; in the last movement before, the place of the unit itself. Ways
by sea are left out: armies that count on convoys are built where no fleet carries them.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from plenipo.batch.bits import Array
from plenipo.batch.tables import NOBODY, STEPS, Arrays, Size
from plenipo.engine.calendar import PhaseKind

__all__ = ["EARLY", "LAST", "NEAR_ONE", "SETTLED", "WEIGHT_ONE", "ProximityTables", "measure_proximity"]

EARLY, LAST, SETTLED = range(3)
"""Kinds of phase: more movements follow before centres change hands; they do after this movement; adjustments."""

NEAR_ONE = 1024
"""The proximity of a centre to itself in the last movement."""

WEIGHT_ONE = 16
"""The weight of a usual unit in `ProximityTables.weights`."""

STEPS_FELT = {
    EARLY: (220, 1024, 60, 22, 12, 8, 6, 4, 3, 2),
    LAST: (1024, 240, 60, 22, 12, 8, 6, 4, 3, 2),
    SETTLED: (2000, 160, 80, 30, 16, 10, 8, 6, 4, 3),
}
"""The weight of a centre at each number of steps, where every step has a share of one part in `SHARES`."""

SHARES = 5

FINE = 1 << 20


class ProximityTables(NamedTuple):
    """Letters as in `plenipo.batch.tables.Arrays`."""

    near: Array
    """int32[3, Q L, C]: how near a unit at a location (kind * L + location) is to a centre, by kind of phase."""
    season: Array
    """int64[K]: the kind of phase of each step of the calendar."""
    weights: Array
    """int64[U]: what a unit counts in an attack, `WEIGHT_ONE` being usual."""


def measure_proximity(arrays: Arrays, felt: Mapping[int, Sequence[int]] = STEPS_FELT) -> ProximityTables:
    """Return the tables of proximity of a board; `felt` is what each number of steps counts, by kind of phase."""
    return ProximityTables(_near(arrays, felt), _seasons(arrays), _weights(arrays))


def _contacts(a: Arrays) -> Array:
    """Return the contacts of places: int64[Q L, Q L] in parts of `FINE`; the coasts of one space share one contact."""
    kinds, count = len(a.near), len(a.space_of)
    contacts = np.zeros((kinds * count, kinds * count), np.int64)
    for kind in range(kinds):
        for here in range(count):
            tos = [int(to) for to in a.near[kind, here, 1 : 1 + int(a.near[kind, here, 0])]]
            spaces = [int(a.space_of[to]) for to in tos]
            for to, space in zip(tos, spaces, strict=True):
                contacts[kind * count + here, kind * count + to] += FINE // spaces.count(space)
    return contacts


def _near(a: Arrays, felt: Mapping[int, Sequence[int]]) -> Array:
    contacts = _contacts(a)
    places = len(contacts)
    share = np.zeros((places, len(a.centre)), np.int64)
    for place in range(places):
        centre = int(a.centre_of[a.space_of[place % len(a.space_of)]])
        if centre != NOBODY:
            share[place, centre] = FINE
    near = np.zeros((3, places, len(a.centre)), np.int64)
    # whole numbers throughout: the same on every machine
    for step in range(len(felt[EARLY])):
        for kind, counts in felt.items():
            near[kind] += counts[step] * share
        share = (share + _product(contacts, share)) // SHARES
    nearest: Array = (near // FINE).astype(np.int32)
    return nearest


def _product(contacts: Array, share: Array) -> Array:
    """Return for each place the sum of the values of the places next to it."""
    total = np.zeros_like(share)
    for place in range(len(contacts)):
        for other in np.flatnonzero(contacts[place]):
            total[place] += contacts[place, other] * share[other] // FINE
    return total


def _seasons(a: Arrays) -> Array:
    kinds: Sequence[PhaseKind | None] = [STEPS[k] if k < len(STEPS) else None for k in a.steps.tolist()]
    opening = int(a.size[Size.OPENING])
    season = np.full(len(kinds), EARLY, np.int64)
    for i, kind in enumerate(kinds):
        if kind is PhaseKind.ADJUSTMENTS:
            season[i] = SETTLED
            continue
        later = [*kinds[i + 1 :], *kinds[opening:]]
        next_one = next((k for k in later if k in (PhaseKind.OWNERSHIP, PhaseKind.MOVEMENT)), None)
        if next_one is PhaseKind.OWNERSHIP:
            season[i] = LAST
    return season


def _weights(a: Arrays) -> Array:
    attack = a.weights[0]
    counted = np.sort(attack[attack > 0])  # the other columns are of no unit
    usual = int(counted[len(counted) // 2]) if len(counted) else 1
    weights: Array = (attack * WEIGHT_ONE // usual).astype(np.int64)
    return weights
