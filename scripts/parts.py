"""Measure where the time of a random game goes: each part of a movement is added to a loop, and the loop timed anew.

Positions are those of random games after some years. The loop copies a position, and then does the first of these, the
first two, and so on: list the units that could reach each space, draw orders, adjudicate them, make the moves, go on to
the next one. Adjustments are timed in the same way, on positions in an adjustment phase.

    python scripts/parts.py [--variant standard] [--games 3000] [--movements 9]
"""

import argparse
import time
from typing import Any

import numba
import numpy as np

from plenipo.batch import Arena
from plenipo.batch.bits import Array, whole
from plenipo.batch.kernel import Read, resolve
from plenipo.batch.legal import INFO, draw_orders, survey
from plenipo.batch.phases import ADJUSTMENTS, MOVEMENT, Work, adjust, after_movement, draw_adjustments, next_phase
from plenipo.batch.scratch import Scratch
from plenipo.batch.state import State
from plenipo.batch.tables import STEPS, Arrays
from plenipo.engine.calendar import PhaseKind
from plenipo.library import load

MOVEMENT_PARTS = (
    "copy a position",
    "note who could come where",
    "draw orders",
    "adjudicate",
    "make the moves",
    "go on",
)
ADJUSTMENT_PARTS = ("copy a position", "draw orders", "adjudicate")


@numba.njit(nogil=True)
def _copy(game: int, s: State, c: State) -> None:
    c.units[game] = s.units[game]
    for u in range(s.units[game]):
        c.kinds[game, u] = s.kinds[game, u]
        c.places[game, u] = s.places[game, u]
        c.came[game, u] = s.came[game, u]
    for i in range(s.owner.shape[1]):
        c.owner[game, i] = s.owner[game, i]
    c.step[game] = s.step[game]
    c.year[game] = s.year[game]
    c.winner[game] = s.winner[game]


@numba.njit(nogil=True)
def movements(parts: int, s: State, c: State, a: Arrays, t: Read, w: Work, q: Array, land: Array, z: Scratch) -> None:
    """Run the first `parts` of a movement in every game of `s`, on a copy of it."""
    m, of, out = z
    for game in range(s.units.shape[0]):
        _copy(game, s, c)
        count = whole(c.units[game])
        q[INFO, 1] = s.chance[game]
        if parts == 1:
            survey(game, count, c.kinds, c.places, a, q, land)
        elif parts > 1:
            draw_orders(game, 0, count, c.kinds, c.places, a, q, land, w.orders)
        left = 0
        if parts > 2:
            resolve(game, 0, count, c.kinds, c.places, w.orders, t, m, of, out)
        if parts > 3:
            left = after_movement(game, c, a, t, z, 0)
        if parts > 4:
            next_phase(game, c, a, w, left)
        s.chance[game] = q[INFO, 1]


@numba.njit(nogil=True)
def adjustments(parts: int, s: State, c: State, a: Arrays, w: Work, q: Array, none: Array) -> None:
    """Run the first `parts` of an adjustment phase in every game of `s`, on a copy of it."""
    for game in range(s.units.shape[0]):
        _copy(game, s, c)
        q[INFO, 1] = s.chance[game]
        if parts > 0:
            draw_adjustments(game, c, a, w, q)
        if parts > 1:
            adjust(game, 0, c, w.orders, a, w, False, none, none, none)  # noqa: FBT003  # compiled code takes no names
        s.chance[game] = q[INFO, 1]


def timed_parts(names: tuple[str, ...], run: Any, games: int) -> None:
    """Print the time that each part adds, in microseconds."""
    before = 0.0
    for part, name in enumerate(names):
        run(part)
        best = min(_timed(run, part) for _ in range(9)) / games * 1e6
        print(f"  {name:28} {best - before:6.2f}")
        before = best
    print(f"  {'in all':28} {before:6.2f}")


def _timed(run: Any, part: int) -> float:
    start = time.process_time()
    for _ in range(10):
        run(part)
    return (time.process_time() - start) / 10


def main() -> None:
    """Time the parts and print them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="standard")
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--movements", type=int, default=9, help="movements before the one that is timed")
    arguments = parser.parse_args()
    for movements_before, kind in ((arguments.movements, MOVEMENT), (arguments.movements + 1, ADJUSTMENTS)):
        arena = Arena(load(arguments.variant), arguments.games, seed=bytes(32))
        arena.play(movements_before)
        mine, a = arena._memory[0], arena.tables.arrays  # noqa: SLF001  # the working memory is the kernel's own
        chosen = np.flatnonzero(arena.phases == kind)
        if not len(chosen):
            print(f"No game is in an {STEPS[kind]} phase after {movements_before} movements.")
            continue
        s = State(*(np.ascontiguousarray(array[chosen]) for array in arena.state))
        c = State(*(array.copy() for array in s))
        print(f"{STEPS[kind]}: {len(chosen)} positions of {s.units.mean():.1f} units, microseconds each")
        if STEPS[kind] is PhaseKind.MOVEMENT:
            read, z = arena._read, mine.scratch  # noqa: SLF001  # as above
            timed_parts(
                MOVEMENT_PARTS,
                lambda part: movements(part, s, c, a, read, mine.work, mine.q, mine.land, z),  # noqa: B023  # called at once
                len(chosen),
            )
        else:
            none = np.zeros((1, 1), np.uint8)
            timed_parts(
                ADJUSTMENT_PARTS,
                lambda part: adjustments(part, s, c, a, mine.work, mine.q, none),  # noqa: B023  # called at once
                len(chosen),
            )


if __name__ == "__main__":
    main()
