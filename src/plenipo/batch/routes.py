"""Chains of fleets, as sets of seas in one word."""

from plenipo.batch.bits import ONE, ZERO, Array, Word, bit, compile_inlined, ctz, inner, rest, word

__all__ = ["PORT", "SEA", "can_land", "flood", "is_needed"]

PORT, SEA = 0, 1
"""Rows of `Arrays.water`: the seas a port touches, the seas a sea touches."""


@compile_inlined
def can_land(kind: int, space: int, stands: Array) -> bool:
    """Return whether a unit of a kind may stand in a space, on no coast; `stands` is that of `Arrays`."""
    return ((stands[kind, space >> 6] >> word(space & 63)) & ONE) != ZERO


@inner
def flood(start: Word, fleets: Word, water: Array) -> Word:
    """Return the seas of `fleets` that are connected to those of `start`."""
    linked = start & fleets
    edge = linked
    while edge != ZERO:
        sea = ctz(edge)
        edge = rest(edge)
        new = water[SEA, sea] & fleets & ~linked
        linked |= new
        edge |= new
    return linked


@inner
def is_needed(sea: int, start: Word, end: Word, fleets: Word, water: Array, walk: Array) -> bool:
    """Return whether `sea` lies on a chain through `fleets` from `start` to `end` from which no fleet can be left out.

    `start` and `end` are the seas of the two ports (DATC 6.G.6, 6.G.7, 6.G.19). `walk` is scratch, three rows of words.
    A walk goes on only to seas that touch neither the start nor an earlier sea of the walk but the last.
    """
    here = bit(sea)
    if (fleets & start & end & here) != ZERO:
        return True
    walk[0, 0] = start & fleets
    walk[1, 0] = ZERO
    walk[2, 0] = start
    depth = 0
    while depth >= 0:
        if walk[0, depth] == ZERO:
            depth -= 1
            continue
        at = ctz(walk[0, depth])
        walk[0, depth] = rest(walk[0, depth])
        used = walk[1, depth] | bit(at)
        if (bit(at) & end) != ZERO:
            if (used & here) != ZERO:
                return True
            continue
        near = water[SEA, at]
        closed = walk[2, depth]
        depth += 1
        walk[0, depth] = near & fleets & ~(closed | used)
        walk[1, depth] = used
        walk[2, depth] = closed | near
    return False
