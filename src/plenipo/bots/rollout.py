"""Playouts: given orders for the phase at hand, orders of the policy for all powers after it, and the result."""

from plenipo.batch.bits import FIRST, Array, whole
from plenipo.batch.play import MOVEMENT, Work, advance, copy_game
from plenipo.batch.scratch import Scratch
from plenipo.batch.state import State
from plenipo.batch.tables import NOBODY, Arrays, Size
from plenipo.bots.compiling import compile_inlined, compile_kernel
from plenipo.bots.evaluation import evaluate
from plenipo.bots.policy import ALWAYS, STILL, Sketch, order
from plenipo.bots.proximity import ProximityTables

__all__ = ["begin", "play_out"]

MOST_PHASES = 40
PLAYERS = Size.PLAYERS


@compile_inlined
def begin(s: State, x: State, which: Array, a: Arrays, p: Sketch) -> None:
    """Copy game 0 of `s` to `x`, and note which powers order anything."""
    copy_game(s, FIRST, x, FIRST)
    for q in range(a.size[PLAYERS]):
        p.acts[q] = ALWAYS * whole(p.styles[which[q], STILL] == 0)


@compile_kernel
def play_out(
    s: State,
    x: State,
    orders: Array,
    which: Array,
    depth: int,
    a: Arrays,
    g: ProximityTables,
    p: Sketch,
    z: Scratch,
    w: Work,
    shares: Array,
) -> None:
    """Copy game 0 of `s` to `x`, play it on by `orders[0]` and then by the policy, and write the shares of all powers.

    `which` (int64[P]) are the styles of the powers. The game is played on for `depth` movements, the one at hand among
    them, and to the end of the year; with 0 it ends after the phase. Chance is that of `p`; `orders[0]` is overwritten.
    """
    begin(s, x, which, a, p)
    year = x.year[0]
    movements = whole(a.steps[x.step[0]] == MOVEMENT)
    for _ in range(MOST_PHASES):
        advance(FIRST, x, FIRST, orders, a, z, w)
        if x.winner[0] != NOBODY or depth == 0:
            break
        if a.steps[x.step[0]] == MOVEMENT:
            if movements >= depth and x.year[0] > year:
                break
            movements += 1
        order(FIRST, FIRST, a.size[PLAYERS], which, FIRST, x, orders, a, g, p, w)
    evaluate(FIRST, x, s.owner, a, g, p, shares)
