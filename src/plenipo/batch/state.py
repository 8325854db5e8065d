"""Games as arrays: a row per game, the same columns in all of them.

A unit keeps its column while it lives; the last one moves into the gap of one that is removed.
"""

from typing import NamedTuple

import numpy as np

from plenipo.batch.bits import Array
from plenipo.batch.tables import NOBODY, Size, Tables

__all__ = ["AFLOAT", "NOT_KNOWN", "State", "blank", "bytes_a_game"]

AFLOAT = 1 << 15
"""Mark in `State.came`: the attacker came by sea, so its start is open to retreats if the rules say so."""

NOT_KNOWN = 0x7FFF
"""Mark in `State.came`: the origin of the attacker is unknown, and no retreat is barred."""


class State(NamedTuple):
    """N games of at most U units on a board with C centres and W words of spaces."""

    units: Array
    """uint8[N]: number of units, the dislodged included."""
    kinds: Array
    """uint16[N, U]: the power and kind of a unit, see `plenipo.batch.kinds`."""
    places: Array
    """uint16[N, U]: location; of a dislodged unit, the one it was dislodged from."""
    came: Array
    """uint16[N, U]: 0 for a unit on the board; else dislodged, by a unit from location `came` - 1."""
    contested: Array
    """uint64[N, W]: spaces closed to retreats by a stand-off, while there are dislodged units."""
    owner: Array
    """uint8[N, C]: the power that owns a centre, or 255."""
    home: Array
    """uint8[N, C]: the power whose home a centre is, or 255."""
    ripe: Array
    """uint64[N]: centres that have been held long enough to count for builds, where that takes time."""
    step: Array
    """uint8[N]: step of the calendar."""
    year: Array
    """int16[N]: the year."""
    played: Array
    """uint16[N]: movements adjudicated so far."""
    winner: Array
    """uint8[N]: the power that won, or 255."""
    chance: Array
    """uint64[N]: the state of chance, never 0."""


def blank(tables: Tables, games: int, room: int) -> State:
    """Games without anything on the board, at step 0."""
    centres = int(tables.arrays.size[Size.CENTRES])
    return State(
        units=np.zeros(games, np.uint8),
        kinds=np.zeros((games, room), np.uint16),
        places=np.zeros((games, room), np.uint16),
        came=np.zeros((games, room), np.uint16),
        contested=np.zeros((games, tables.arrays.ports.shape[1]), np.uint64),
        owner=np.full((games, centres), NOBODY, np.uint8),
        home=np.full((games, centres), NOBODY, np.uint8),
        ripe=np.zeros(games, np.uint64),
        step=np.zeros(games, np.uint8),
        year=np.zeros(games, np.int16),
        played=np.zeros(games, np.uint16),
        winner=np.full(games, NOBODY, np.uint8),
        chance=np.ones(games, np.uint64),
    )


def bytes_a_game(state: State) -> float:
    """Return the memory of one game, in bytes."""
    games = len(state.units)
    total: int = sum(array.nbytes for array in state)
    return total / games if games else 0.0
