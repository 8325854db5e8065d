"""The result of each order of a movement, as numbers of the engine's words.

`RESULTS` and `REASONS` list those words; the number of a word is its index.
"""

from plenipo.batch.bits import ONE, ZERO, Array, Word, bit, compile_inlined, ctz, inner, rest, whole, word
from plenipo.batch.kernel import DEFEND, HELPING, PREVENT, STAND, Read, coasts_reached, weigh
from plenipo.batch.kinds import RoleRow, kind_of, way_row
from plenipo.batch.packing import (
    CONVOY,
    HOLD,
    NONE,
    SUPPORT_HOLD,
    other_of,
    verb_of,
)
from plenipo.batch.routes import PORT, can_land, flood, is_needed
from plenipo.batch.scratch import (
    AT,
    BROKEN,
    BY,
    CARGO,
    CARRIERS,
    CIRCLE,
    CONVOYED,
    CONVOYING,
    CROSSERS,
    DEST,
    DISLODGED,
    EVERY_ATTACKER,
    FAILED,
    FLEETS,
    GIVEN,
    MOVED,
    MOVERS,
    OWNER,
    PARADOX,
    SAILING,
    SPACE,
    SUPPORTERS,
    SUPPORTING,
    TARGET,
    WALK,
    WALKING,
    WEIGHT,
)
from plenipo.batch.tables import OptionBit, Size
from plenipo.engine.outcome import Reason, Result

__all__ = ["REASONS", "RESULTS", "mark_contested", "write_results"]

RESULTS = tuple(Result)
"""The results by their number."""

REASONS = tuple(Reason)
"""The reasons by their number."""


def _result(word: Result) -> int:
    return RESULTS.index(word)


def _reason(word: Reason) -> int:
    return REASONS.index(word)


MOVES, FAILS, HOLDS = _result(Result.MOVES), _result(Result.FAILS), _result(Result.HOLDS)
SUPPORTS, IS_CUT, CONVOYS = _result(Result.SUPPORTS), _result(Result.CUT), _result(Result.CONVOYS)
DISRUPTED, VOID = _result(Result.DISRUPTED), _result(Result.VOID)

UNOPPOSED, OVERCAME, ROTATED = _reason(Reason.UNOPPOSED), _reason(Reason.OVERCAME), _reason(Reason.ROTATED)
REPELLED, STOOD_OFF = _reason(Reason.REPELLED), _reason(Reason.STOOD_OFF)
HEAD_TO_HEAD, CROSSED, OWN_UNIT = _reason(Reason.HEAD_TO_HEAD), _reason(Reason.CROSSED), _reason(Reason.OWN_UNIT)
NO_CONVOY, CONVOY_BROKEN = _reason(Reason.NO_CONVOY), _reason(Reason.CONVOY_BROKEN)
IN_PARADOX, HELD, IS_DISLODGED = _reason(Reason.PARADOX), _reason(Reason.HELD), _reason(Reason.DISLODGED)
IS_GIVEN, ATTACKED, NO_MATCH = _reason(Reason.GIVEN), _reason(Reason.ATTACKED), _reason(Reason.NO_MATCH)
ILLEGAL, NO_ORDER = _reason(Reason.ILLEGAL), _reason(Reason.NO_ORDER)

PASSED_IS_OUT, COAST_NEEDED = OptionBit.PASSED_IS_OUT, OptionBit.COAST_NEEDED
SPACES, SEAS, OPTIONS = Size.SPACES, Size.SEAS, Size.OPTIONS
CLASS, CARRIED_BY, CARRIES = RoleRow.CLASS, RoleRow.CARRIED_BY, RoleRow.CARRIES


@compile_inlined
def _meets(u: int, v: int, at_sea: Word) -> bool:
    """Return whether two movers, each bound for the other's space, meet on the way: neither goes by convoy."""
    return ((bit(u) | bit(v)) & at_sea) == ZERO


@inner
def _prevents(k: int, m: Array, of: Array, out: Array, t: Read) -> int:
    """Return the final prevent strength of a move (DATC 5.B.11)."""
    b = bit(k)
    at_sea = out[CONVOYED]
    if (b & at_sea & out[BROKEN]) != ZERO:
        return 0
    vb = m[AT, of[DEST, k]] & out[MOVED]
    if vb != ZERO and of[DEST, ctz(vb)] == of[SPACE, k]:
        meets = _meets(k, ctz(vb), at_sea)
        if meets or ((t.size[OPTIONS] & PASSED_IS_OUT) != 0 and (b & out[MOVED]) == ZERO):
            return 0
    total = t.weights[PREVENT, of[WEIGHT, k]]
    return total + weigh(m[SUPPORTERS, k] & out[GIVEN], of, t.weights, HELPING + PREVENT)


@inner
def mark_contested(m: Array, of: Array, out: Array, t: Read, row: Array, game: int) -> None:
    """Set in `row[game]` the spaces that a stand-off left vacant."""
    for w in range(row.shape[1]):
        row[game, w] = ZERO
    x = out[FAILED]
    while x != ZERO:
        u = ctz(x)
        x = rest(x)
        goal = of[DEST, u]
        if _prevents(u, m, of, out, t) > 0:
            row[game, goal >> 6] |= bit(goal & 63)
    # a space in which a unit stays or has come is not vacant
    for w in range(row.shape[1]):
        y = row[game, w]
        while y != ZERO:
            space = w * 64 + ctz(y)
            y = rest(y)
            stays = m[AT, space] & ~(out[MOVED] | out[DISLODGED])
            comes = m[EVERY_ATTACKER, space] & out[MOVED]
            if (stays | comes) != ZERO:
                row[game, w] &= ~bit(space & 63)


@inner
def gather(spaces: int, m: Array, of: Array, out: Array) -> None:
    """Collect the units ordered to every space, including those without a route."""
    for i in range(spaces):
        m[EVERY_ATTACKER, i] = ZERO
    x = out[MOVERS]
    while x != ZERO:
        u = ctz(x)
        x = rest(x)
        m[EVERY_ATTACKER, of[DEST, u]] |= bit(u)


@inner
def _move(u: int, m: Array, of: Array, out: Array, t: Read) -> int:
    """Return the reason for the result of a move."""
    b = bit(u)
    at_sea = out[CONVOYED]
    moved = out[MOVED]
    goal = of[DEST, u]
    if (b & out[BROKEN] & at_sea) != ZERO:
        if m[CARRIERS, u] == ZERO:
            return NO_CONVOY
        return IN_PARADOX if (b & out[PARADOX]) != ZERO else CONVOY_BROKEN
    vb = m[AT, goal]
    v = ctz(vb)
    best = 0
    reason = UNOPPOSED
    if vb != ZERO:
        meets = (vb & out[MOVERS]) != ZERO and of[DEST, v] == of[SPACE, u] and _meets(u, v, at_sea)
        stays = meets or (vb & moved) == ZERO
        if meets:
            helpers = m[SUPPORTERS, v] & out[GIVEN]
            best = t.weights[DEFEND, of[WEIGHT, v]] + weigh(helpers, of, t.weights, HELPING + DEFEND)
            reason = HEAD_TO_HEAD
        elif stays:
            best = t.weights[STAND, of[WEIGHT, v]]
            if (vb & out[MOVERS]) == ZERO:
                best += weigh(m[SUPPORTERS, v] & out[GIVEN], of, t.weights, HELPING + STAND)
            reason = REPELLED
        if stays and of[OWNER, v] == of[OWNER, u]:
            if (vb & out[DISLODGED]) != ZERO:
                return STOOD_OFF
            return HEAD_TO_HEAD if meets else OWN_UNIT
    x = m[EVERY_ATTACKER, goal] & ~b
    while x != ZERO:
        strength = _prevents(ctz(x), m, of, out, t)
        x = rest(x)
        if strength > best:
            best = strength
            reason = STOOD_OFF
    if t.crossings.shape[0] > 0 and (b & at_sea) == ZERO:
        x = m[CROSSERS, u] & ~at_sea
        while x != ZERO:
            k = ctz(x)
            x = rest(x)
            helpers = m[SUPPORTERS, k] & out[GIVEN]
            strength = t.weights[PREVENT, of[WEIGHT, k]] + weigh(helpers, of, t.weights, HELPING + PREVENT)
            if strength > best:
                best = strength
                reason = CROSSED
    if (b & moved) != ZERO:
        if (b & out[CIRCLE]) != ZERO:
            return ROTATED
        return OVERCAME if reason != UNOPPOSED else UNOPPOSED
    return reason


@inner
def _convoy(u: int, v: int, m: Array, of: Array, out: Array, t: Read) -> int:
    """Return the reason for the result of the convoy of fleet u, which stands, for army v, which did not go by land."""
    here = bit(of[SPACE, u])
    carriers = m[CARRIERS, v]
    if (carriers & here) == ZERO:
        return NO_CONVOY
    if (bit(v) & out[BROKEN]) != ZERO:
        return IN_PARADOX if (bit(v) & out[PARADOX]) != ZERO else CONVOY_BROKEN
    safe = carriers
    x = carriers
    while x != ZERO:
        sea = ctz(x)
        x = rest(x)
        if (m[AT, sea] & out[DISLODGED]) != ZERO:
            safe &= ~bit(sea)
    start, end = t.water[PORT, of[SPACE, v]], t.water[PORT, of[DEST, v]]
    return IS_GIVEN if is_needed(of[SPACE, u], start, end, safe, t.water, m[WALK:]) else CONVOY_BROKEN


@inner
def _may_support(u: int, order: int, game: int, places: Array, m: Array, of: Array, out: Array, t: Read) -> bool:
    """Return whether a support that matches nothing is legal nevertheless."""
    vb = m[AT, other_of(order)]
    goal = of[DEST, u]
    target = of[TARGET, u]
    step = t.step
    if vb == ZERO or vb == bit(u):
        return False
    if ((step[way_row(kind_of(of[WEIGHT, u]), 1), whole(places[game, u]), goal >> 6] >> word(goal & 63)) & ONE) == ZERO:
        return False
    if verb_of(order) == SUPPORT_HOLD:
        return True
    v = ctz(vb)
    there = whole(places[game, v])
    if goal == of[SPACE, v]:
        return False
    kind = kind_of(of[WEIGHT, v])
    if (vb & out[SAILING]) == ZERO:
        if ((step[way_row(kind, 1), there, goal >> 6] >> word(goal & 63)) & ONE) != ZERO:
            return True
        if (vb & out[CARGO]) == ZERO or not can_land(kind, goal, t.stands):
            return False
        fleets = m[FLEETS, t.roles[CLASS, kind]]
        if t.roles[CARRIES, kind_of(of[WEIGHT, u])] != 0 and of[SPACE, u] < t.size[SEAS]:
            fleets &= ~bit(of[SPACE, u])
        return (flood(t.water[PORT, of[SPACE, v]], fleets, t.water) & t.water[PORT, goal]) != ZERO
    if target >= t.size[SPACES]:
        return ((step[way_row(kind, 0), there, target >> 6] >> word(target & 63)) & ONE) != ZERO
    ways = ((step[way_row(kind, 1), there, goal >> 6] >> word(goal & 63)) & ONE) != ZERO
    if ways and (t.size[OPTIONS] & COAST_NEEDED) != 0:
        return coasts_reached(kind, there, goal, t) < 2
    return ways


@inner
def _may_convoy(u: int, order: int, m: Array, of: Array, out: Array, t: Read) -> bool:
    """Return whether a convoy that matches nothing is legal nevertheless."""
    vb = m[AT, other_of(order)]
    if of[SPACE, u] >= t.size[SEAS] or (vb & out[CARGO]) == ZERO:
        return False
    v = ctz(vb)
    kind = kind_of(of[WEIGHT, v])
    if (t.roles[CARRIED_BY, kind] >> kind_of(of[WEIGHT, u])) & 1 == 0:
        return False
    if of[TARGET, u] >= t.size[SPACES] or of[DEST, u] == of[SPACE, v] or not can_land(kind, of[DEST, u], t.stands):
        return False
    start = t.water[PORT, of[SPACE, v]]
    return is_needed(
        of[SPACE, u], start, t.water[PORT, of[DEST, u]], m[FLEETS, t.roles[CLASS, kind]], t.water, m[WALK:]
    )


@inner
def write_results(
    game: int,
    row: int,
    count: int,
    places: Array,
    orders: Array,
    t: Read,
    m: Array,
    of: Array,
    out: Array,
    results: Array,
    reasons: Array,
    dislodgers: Array,
) -> None:
    """Write for each unit the numbers of result and reason, and the slot of the unit that dislodged it or 255."""
    gather(t.size[SPACES], m, of, out)
    for u in range(count):
        b = bit(u)
        order = whole(orders[row, u])
        verb = verb_of(order)
        gone = (out[DISLODGED] & b) != ZERO
        dislodgers[game, u] = of[BY, u] if gone else 255
        result = VOID
        reason = ILLEGAL
        if verb in (NONE, HOLD):
            result = HOLDS
            reason = IS_DISLODGED if gone else (HELD if verb == HOLD else NO_ORDER)
        elif (out[MOVERS] & b) != ZERO:
            result = MOVES if (out[MOVED] & b) != ZERO else FAILS
            reason = _move(u, m, of, out, t)
        elif (out[SUPPORTING] & b) != ZERO:
            vb = m[AT, other_of(order)]
            if vb != ZERO and (m[SUPPORTERS, ctz(vb)] & b) != ZERO:
                if (out[GIVEN] & b) != ZERO:
                    result = SUPPORTS
                    reason = IS_GIVEN
                else:
                    result = IS_CUT
                    fell = gone and of[SPACE, of[BY, u]] == of[DEST, u]
                    reason = IS_DISLODGED if fell else ATTACKED
            elif _may_support(u, order, game, places, m, of, out, t):
                reason = NO_MATCH
        elif verb == CONVOY:
            if (out[CONVOYING] & b) != ZERO:
                walks = (m[AT, other_of(order)] & out[WALKING]) != ZERO
                if gone:
                    result = DISRUPTED
                    reason = IS_DISLODGED
                elif walks:
                    reason = NO_MATCH
                else:
                    result = CONVOYS
                    reason = _convoy(u, ctz(m[AT, other_of(order)]), m, of, out, t)
            elif _may_convoy(u, order, m, of, out, t):
                reason = NO_MATCH
        results[game, u] = result
        reasons[game, u] = reason
