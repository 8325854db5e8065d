"""Circular dependencies: convoy paradoxes and circular movements.

Open questions that depend on no open question outside their own circle are settled as in
`plenipo.engine.phases.movement`: in a circle with routes these are broken (Szykman); in one without, the units that
follow each other in a circle move.
"""

from plenipo.batch.bits import ZERO, Array, Word, bit, ctz, inner, rest, whole
from plenipo.batch.scratch import (
    AT,
    BROKEN,
    CARRIERS,
    CIRCLE,
    CROSSERS,
    DEST,
    EVERY_ATTACKER,
    FAILED,
    MOVERS,
    OPEN_ROUTES,
    READS,
    READS_ROUTES,
    SPACE,
    SUPPORTERS,
)

__all__ = ["settle_circles"]


@inner
def settle_circles(moves: Word, supports: Word, crossings: int, spaces: int, m: Array, of: Array, out: Array) -> None:
    """Settle every circle that depends only on itself.

    `moves` and `supports` are the open ones, `out` has the open routes and all moves. The dependencies of a question
    are two words, moves and supports together (a unit has one of them) and routes; question `u` has column u, the route
    of unit u column 64 + u. The answers, in `out`, are routes to break, moves that succeed and moves that fail.
    """
    routes = out[OPEN_ROUTES]
    movers = out[MOVERS]
    units = moves | supports
    for i in range(spaces):
        m[EVERY_ATTACKER, i] = ZERO
    x = movers
    while x != ZERO:
        u = ctz(x)
        x = rest(x)
        m[EVERY_ATTACKER, of[DEST, u]] |= bit(u)
    x = moves
    while x != ZERO:
        u = ctz(x)
        x = rest(x)
        rivals = m[EVERY_ATTACKER, of[DEST, u]] | m[AT, of[DEST, u]]
        reads = rivals
        reads_routes = rivals
        if crossings > 0 and m[CROSSERS, u] != ZERO:
            rivals |= m[CROSSERS, u]
            reads_routes |= m[CROSSERS, u] | bit(u)
        while rivals != ZERO:
            reads |= m[SUPPORTERS, ctz(rivals)]
            rivals = rest(rivals)
        m[READS, u] = reads & units & ~bit(u)
        m[READS_ROUTES, u] = reads_routes & routes
    x = supports
    while x != ZERO:
        u = ctz(x)
        x = rest(x)
        m[READS, u] = m[EVERY_ATTACKER, of[SPACE, u]] & units
        m[READS_ROUTES, u] = m[EVERY_ATTACKER, of[SPACE, u]] & routes
    x = routes
    while x != ZERO:
        u = ctz(x)
        x = rest(x)
        foes = ZERO
        y = m[CARRIERS, u]
        while y != ZERO:
            foes |= m[EVERY_ATTACKER, ctz(y)]
            y = rest(y)
        m[READS, 64 + u] = foes & units
        m[READS_ROUTES, 64 + u] = foes & routes & ~bit(u)
    _close(units, routes, m)
    broken = ZERO
    turning = ZERO
    failed = ZERO
    seen = ZERO
    seen_routes = ZERO
    for half in range(2):
        x = units if half == 0 else routes
        while x != ZERO:
            u = ctz(x)
            b = bit(u)
            x = rest(x)
            if (b & (seen if half == 0 else seen_routes)) != ZERO or not _is_closed(u, half, m):
                continue
            circle = m[READS, 64 * half + u]
            circle_routes = m[READS_ROUTES, 64 * half + u]
            if half == 0:
                circle |= b
            else:
                circle_routes |= b
            seen |= circle
            seen_routes |= circle_routes
            if circle_routes != ZERO:
                broken |= circle_routes
                continue
            inside = circle & moves
            round_and_round = _turning(inside, m, of)
            turning |= round_and_round
            if round_and_round == ZERO:
                failed |= inside
    out[BROKEN] = broken
    out[CIRCLE] = turning
    out[FAILED] = failed


@inner
def _close(units: Word, routes: Word, m: Array) -> None:
    """Compute the transitive closure of the dependencies (Warshall)."""
    for half in range(2):
        y = units if half == 0 else routes
        while y != ZERO:
            k = ctz(y)
            y = rest(y)
            through = 64 * half + k
            for other_half in range(2):
                z = units if other_half == 0 else routes
                while z != ZERO:
                    i = 64 * other_half + ctz(z)
                    z = rest(z)
                    if (m[READS + half, i] & bit(k)) != ZERO:
                        m[READS, i] |= m[READS, through]
                        m[READS_ROUTES, i] |= m[READS_ROUTES, through]


@inner
def _is_closed(unit: int, half: int, m: Array) -> bool:
    """Return whether every dependency of this question depends on it in turn."""
    for other_half in range(2):
        z = m[READS + other_half, 64 * half + unit]
        while z != ZERO:
            i = 64 * other_half + ctz(z)
            z = rest(z)
            if i != 64 * half + unit and (m[READS + half, i] & bit(unit)) == ZERO:
                return False
    return True


@inner
def _turning(inside: Word, m: Array, of: Array) -> Word:
    """Return the moves from which following destinations inside the circle leads back to the start."""
    turning = ZERO
    x = inside
    while x != ZERO:
        u = ctz(x)
        x = rest(x)
        k = u
        for _ in range(64):
            next_unit = m[AT, of[DEST, k]] & inside
            if next_unit == ZERO:
                break
            k = whole(ctz(next_unit))
            if k == u:
                turning |= bit(u)
                break
    return turning
