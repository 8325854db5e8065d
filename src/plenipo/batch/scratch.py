"""The working memory of one position: few arrays, grouped by type, their rows named here.

`m` are words by space, sea, power or unit; `of` are numbers by unit, with a slot 64, which takes the writes
meant for no unit; `out` are sets of units.
"""

from typing import NamedTuple

import numpy as np

from plenipo.batch.bits import Array

__all__ = ["Scratch", "scratch"]

(
    AT,
    ATTACKERS,
    OF_POWER,
    SUPPORTERS,
    CARRIERS,
    CROSSERS,
    SPARED,
    READS,
    READS_ROUTES,
    EVERY_ATTACKER,
    FLEETS,
    OF_KIND,
    WALK,
    _WALK_2,
    _WALK_3,
) = range(15)
"""Rows of `m`.

By space: the unit there, and the units moving there; by power: its units; by unit: its supporters, the seas of the
fleets that carry it, the moves that cross its way, the attackers that cannot cut it, and for circles what it reads;
by space: all units ordered there; by class of convoyed army: the seas of the fleets that convoy it; by kind: its
units; then three rows for walks along chains.
"""

SPACE, DEST, TARGET, OWNER, WEIGHT, BY, HERE = range(7)
"""Rows of `of`: space, space and location of the order, power, column of the weights (of which `kind_of`
is the kind), slot of the dislodger, location."""

(
    MOVED,
    FAILED,
    MOVERS,
    GIVEN,
    CUT,
    SUPPORTING,
    CONVOYING,
    CONVOYED,
    BY_SEA_OR_LAND,
    WALKING,
    ROUTED,
    BROKEN,
    PARADOX,
    CIRCLE,
    DISLODGED,
    SAILING,
    CARGO,
    ILLEGAL_MOVES,
    OPEN_ROUTES,
) = range(19)
"""Places in `out`.

Moves that succeeded and failed, all legal moves, supports given and cut, units ordered to support, fleets whose convoy
matches, moves that went by sea (or were to, without a way by land), moves that go by land if the convoy fails, moves
that were by land from the start, moves with a complete convoy ordered, those whose convoy was broken, those broken as a
paradox, those of a circular movement, units dislodged, units that go by sea, those that are convoyed, moves that were
illegal.
"""


class Scratch(NamedTuple):
    """The arrays of the working memory; see the module."""

    m: Array
    of: Array
    out: Array


def scratch(spaces: int) -> Scratch:
    """Allocate working memory for boards of so many spaces."""
    return Scratch(np.zeros((15, max(spaces, 136)), np.uint64), np.zeros((7, 72), np.int64), np.zeros(19, np.uint64))
