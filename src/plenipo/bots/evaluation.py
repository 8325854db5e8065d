"""What a position promises each power: its share of the squares of centres, as it may stand a little later.

A power counts the square of its centres; one that it stands in and does not own yet counts in part. That is changed
by a few parts of a hundred for what it will take, what it may lose and what it can reach. All numbers are whole.
"""

import numpy as np

from plenipo.batch.bits import Array, inlined, whole
from plenipo.batch.state import State
from plenipo.batch.tables import NOBODY, Arrays, Option, Size
from plenipo.bots.nearness import Nearness
from plenipo.bots.policy import AT, OWNED, SECOND, TOP, WHO, Sketch, look_round

__all__ = ["SHARE_ONE", "evaluate"]

SHARE_ONE = 1 << 20
"""The whole of the board; the shares of all powers add up to it, but for rounding."""

CENTRE, STOOD_IN, ANY = 20, 12, 5
"""What counts before squaring: a centre; one stood in beyond that; something in any case."""

TAKING, LOSING, TOUCHING, SPARE_UNIT = 13, -24, 3, 4
"""In parts of 256 of a natural logarithm: a centre around which one outnumbers all others; one's own around which one
is outnumbered; any other within reach; a unit more than centres."""

MOST = 511


def _growth() -> Array:
    """exp(i / 256) from -MOST to MOST, `GROWTH_ONE` for 1, by whole numbers alone."""
    one, up = 1 << 60, []
    for _ in range(MOST + 1):
        up.append(one)
        one += one // 256 + one // (2 * 256 * 256) + one // (6 * 256**3)
    scale = 1 << 12
    down = [scale * (1 << 60) // x for x in reversed(up[1:])]
    return np.array([*down, *(x * scale >> 60 for x in up)], np.int64)


GROWTH = _growth()
OPTIONS, PIECES = Size.OPTIONS, Option.PIECES
CENTRES, PLAYERS = Size.CENTRES, Size.PLAYERS
COUNT, REST = range(2)


@inlined
def evaluate(game: int, s: State, a: Arrays, g: Nearness, p: Sketch, shares: Array) -> None:
    """The share of the board each power may hope for, into `shares` (int64[2, P], the first row)."""
    players = a.size[PLAYERS]
    if s.winner[game] != NOBODY:
        for q in range(players):
            shares[0, q] = SHARE_ONE if q == s.winner[game] else 0
        return
    look_round(game, s, a, g, p)
    count, rest = shares[0], shares[1]
    pieces = (a.size[OPTIONS] & PIECES) != 0
    for q in range(players):
        count[q] = 0 if pieces else p.powers[OWNED, q] * CENTRE
        rest[q] = -p.powers[OWNED, q] * SPARE_UNIT
    for u in range(whole(s.units[game])):
        q = whole(s.kinds[game, u]) >> 1
        if q < players:
            count[q] += CENTRE * whole(pieces)
            rest[q] += SPARE_UNIT
    for c in range(a.size[CENTRES]):
        space = whole(a.centre[c])
        owner = whole(s.owner[game, c])
        u = p.spaces[AT, space]
        if u >= 0 and not pieces:
            q = whole(s.kinds[game, u]) >> 1
            if q != owner and q < players:
                count[q] += STOOD_IN
                if owner < players:
                    count[owner] -= STOOD_IN
        one, who, two = p.spaces[TOP, space], p.spaces[WHO, space], p.spaces[SECOND, space]
        if one > 0:
            if one > two and who != owner and who < players:
                rest[who] += TAKING
            if owner < players:
                rest[owner] += LOSING * whole((two if who == owner else one) > p.force[owner, space])
            for q in range(players):
                rest[q] += TOUCHING * whole(q != owner and p.force[q, space] > 0)
    total = 1
    for q in range(players):
        if count[q] > 0 or rest[q] > 0:
            n = max(count[q], 0) + ANY
            count[q] = n * n * GROWTH[MOST + min(MOST, max(-MOST, rest[q]))]
            total += count[q]
        else:
            count[q] = 0
    for q in range(players):
        count[q] = count[q] * SHARE_ONE // total
