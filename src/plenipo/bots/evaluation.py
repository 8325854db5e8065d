"""The evaluation of a position: each power's share of the squares of the centres expected two years later.

The expected number of centres of a power is a sum: the centres it owns, a part of one for each that it could step into,
less a part for each of its own that others could step into. The size of the parts depends on how many more units it has
around a centre than the strongest of the others; they are the same on all boards. All numbers are whole.
"""

from plenipo.batch.bits import Array, whole
from plenipo.batch.kinds import owner_of
from plenipo.batch.state import State
from plenipo.batch.tables import NOBODY, Arrays, OptionBit, Size
from plenipo.bots.compiling import compile_inlined, compile_kernel
from plenipo.bots.policy import AT, OWNED, SECOND, TOP, WHO, Sketch, look_round
from plenipo.bots.proximity import WEIGHT_ONE, ProximityTables

__all__ = ["SHARE_ONE", "count_up", "evaluate"]

SHARE_ONE = 1 << 20
"""The whole of the board; the shares of all powers add up to it, but for rounding."""

CENTRE, STOOD_IN, ALIVE, SPARE, REACHED, STILL_REACHED, HELD, TAKEN, STILL_TAKEN = 0, 1, 2, 3, 4, 6, 9, 12, 13
"""Places in `plenipo.bots.values.COUNTED`; of those by margin, the place of a margin of 0."""

OPTIONS, PIECES = Size.OPTIONS, OptionBit.PIECES
CENTRES, PLAYERS = Size.CENTRES, Size.PLAYERS


@compile_inlined
def _count_up(game: int, s: State, was: Array, a: Arrays, g: ProximityTables, p: Sketch) -> None:
    """As `count_up`."""
    players = a.size[PLAYERS]
    look_round(game, s, a, g, p)
    counts = p.counts
    counts[:] = 0
    pieces = (a.size[OPTIONS] & PIECES) != 0
    for q in range(players):
        counts[q, SPARE] = -p.powers[OWNED, q]
    for u in range(whole(s.units[game])):
        q = owner_of(whole(s.kinds[game, u]))
        if q < players:
            counts[q, SPARE] += 1
    for q in range(players):
        owned = p.powers[OWNED, q]
        counts[q, CENTRE] = counts[q, SPARE] + owned if pieces else owned
        counts[q, ALIVE] = whole(owned > 0 or counts[q, SPARE] > 0)
    for c in range(a.size[CENTRES]):
        space = whole(a.centre[c])
        owner = whole(s.owner[game, c])
        before = whole(was[0, c])
        if before != owner and before < players:
            if p.acts[before] > 0:
                counts[before, TAKEN] -= 1
            if owner < players:
                counts[owner, TAKEN if p.acts[before] > 0 else STILL_TAKEN] += 1
        reached = STILL_REACHED if owner < players and p.acts[owner] == 0 else REACHED
        u = p.spaces[AT, space]
        if u >= 0 and not pieces:
            q = owner_of(whole(s.kinds[game, u]))
            if q != owner and q < players:
                counts[q, STOOD_IN] += 1
                if owner < players:
                    counts[owner, STOOD_IN] -= 1
        one, who, two = p.spaces[TOP, space], p.spaces[WHO, space], p.spaces[SECOND, space]
        if one > 0:
            for q in range(players):
                force = p.force[q, space]
                rival = two if who == q else one
                more = (force - rival) // WEIGHT_ONE
                if q == owner:
                    if rival > 0:
                        counts[q, HELD + min(2, max(-1, more))] += 1
                elif force > 0 and more >= 0:
                    counts[q, reached + min(1, more)] += 1


@compile_kernel
def count_up(game: int, s: State, was: Array, a: Arrays, g: ProximityTables, p: Sketch) -> None:
    """Count for each power what `plenipo.bots.values` lists, into `p.counts`; `look_round` is done on the way.

    `was` (uint8[*, C]) has in its first row the owners of the centres before the playouts.
    """
    _count_up(game, s, was, a, g, p)


@compile_inlined
def evaluate(game: int, s: State, was: Array, a: Arrays, g: ProximityTables, p: Sketch, shares: Array) -> None:
    """Write the share of the board each power may hope for into `shares` (int64[P]); `was` is as in `count_up`."""
    players = a.size[PLAYERS]
    if s.winner[game] != NOBODY:
        for q in range(players):
            shares[q] = SHARE_ONE if q == s.winner[game] else 0
        return
    _count_up(game, s, was, a, g, p)
    total = 1
    for q in range(players):
        n = 0
        for i in range(p.values.shape[0]):
            n += p.counts[q, i] * p.values[i]
        n = max(n, 0)
        shares[q] = n * n
        total += shares[q]
    for q in range(players):
        shares[q] = shares[q] * SHARE_ONE // total
