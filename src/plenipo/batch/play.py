"""One game, one phase at a time, from compiled code: for players that look ahead and for loops of your own.

Nothing here records reasons. A game is a row of a `State`; several states may share the same tables, so a player copies
the game into a row of its own, plays on there as often as it likes, and leaves the game itself unchanged. `advance` is
a compiled function that contains the whole kernel: call it from one place, as every function that calls it, directly
or not, takes some seconds longer to compile.

`take_stock`, `occupy` and `retreat_options` give the adjustments due and the possible retreats; `list_orders`,
`list_retreats` and `list_adjustments` list all legal orders.
"""

from typing import Any

import numpy as np

from plenipo.batch.bits import FIRST, Array, compile_kernel, inlined_too, whole, word
from plenipo.batch.kernel import Read, resolve
from plenipo.batch.legal import list_orders, menu
from plenipo.batch.loops import stand_in
from plenipo.batch.phases import (
    ADJUSTMENTS,
    COUNTS,
    DUE,
    MOVEMENT,
    OWNED,
    RETREATS,
    Work,
    adjust,
    after_movement,
    list_adjustments,
    list_retreats,
    next_phase,
    occupy,
    retreat,
    retreat_options,
    take_stock,
    work,
)
from plenipo.batch.scratch import Scratch, scratch
from plenipo.batch.state import State, blank
from plenipo.batch.tables import Arrays, Size, Tables

__all__ = [
    "ADJUSTMENTS",
    "COUNTS",
    "DUE",
    "MOVEMENT",
    "OWNED",
    "RETREATS",
    "Work",
    "advance",
    "blank",
    "chance_of",
    "copy_game",
    "draw",
    "list_adjustments",
    "list_orders",
    "list_retreats",
    "memory",
    "menu",
    "occupy",
    "retreat_options",
    "take_stock",
]

PLAYERS, POWERS = Size.PLAYERS, Size.POWERS

SILENT: Any = np.bool_(False)  # noqa: FBT003  # a plain False has a type of its own and would compile everything again
"""Without results."""


def memory(tables: Tables) -> tuple[Scratch, Work]:
    """Allocate the working memory of `advance`, one for each thread."""
    return scratch(len(tables.spaces)), work(len(tables.spaces))


def chance_of(seed: int) -> Array:
    """Return a source of chance for `draw`, uint64[1], from a whole number of up to 64 bits, the seed."""
    mixed = (seed + 0x9E3779B97F4A7C15) & (2**64 - 1)
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & (2**64 - 1)
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & (2**64 - 1)
    return np.array([mixed ^ (mixed >> 31) or 1], np.uint64)


@inlined_too
def draw(chance: Array, below: int) -> int:
    """Draw a whole number from 0 to `below` - 1, all but equally likely; advance `chance` (uint64[1], never 0)."""
    x = chance[0]
    x ^= x >> word(12)
    x ^= x << word(25)
    x ^= x >> word(27)
    chance[0] = x
    high = (x * word(0x2545F4914F6CDD1D)) >> word(32)
    return whole((high * word(below)) >> word(32))


@inlined_too
def copy_game(source: State, game: int, target: State, row: int) -> None:
    """Copy a game of one state into a row of another with the same tables and at least as much room for units."""
    count = whole(source.units[game])
    for u in range(count):
        target.kinds[row, u] = source.kinds[game, u]
        target.places[row, u] = source.places[game, u]
        target.came[row, u] = source.came[game, u]
    for u in range(count, whole(target.units[row])):
        target.came[row, u] = 0
    target.units[row] = count
    for i in range(source.contested.shape[1]):
        target.contested[row, i] = source.contested[game, i]
    for c in range(source.owner.shape[1]):
        target.owner[row, c] = source.owner[game, c]
        target.home[row, c] = source.home[game, c]
    target.ripe[row] = source.ripe[game]
    target.step[row] = source.step[game]
    target.year[row] = source.year[game]
    target.played[row] = source.played[game]
    target.winner[row] = source.winner[game]
    target.chance[row] = source.chance[game]


@compile_kernel
def advance(game: int, s: State, row: int, orders: Array, a: Arrays, z: Scratch, w: Work) -> None:
    """Adjudicate the phase of one game by `orders[row]` and advance to the next phase in which a power has to order.

    `orders` is uint32, as wide as the state has room for units: in a movement or retreat phase the packed order of the
    unit in each column, in an adjustment phase a list ended by 0. They must be well formed (`plenipo.batch.packing`);
    illegal ones count as in the engine. Units of unplayed powers get their standing orders, which are written into the
    row. The game must not be won already.
    """
    t = Read(
        a.space_of, a.step, a.water, a.coasts, a.convoy_ways, a.crossings, a.weights, a.ways, a.roles, a.stands, a.size
    )
    m, of, out = z
    kind = a.steps[s.step[game]]
    retreating = 0
    if kind == MOVEMENT:
        if a.size[PLAYERS] < a.size[POWERS]:
            stand_in(game, row, orders, s, a, z)
        resolve(game, row, whole(s.units[game]), s.kinds, s.places, orders, t, m, of, out)
        retreating = after_movement(game, s, a, t, z, FIRST)
        s.played[game] += 1
    elif kind == RETREATS:
        # without results the last three are never written
        retreat(game, row, s, orders, a, w, SILENT, s.owner, s.owner, s.owner)
    else:
        adjust(game, row, s, orders, a, w, SILENT, s.owner, s.owner, s.owner)
    next_phase(game, s, a, w, retreating)
