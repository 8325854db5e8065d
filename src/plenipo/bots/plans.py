"""Plans of one power: a pool without repetitions, and small changes of a plan that keep it of a piece."""

from typing import NamedTuple

import numpy as np

from plenipo.batch.bits import ONE, ZERO, Array, whole, word
from plenipo.batch.kinds import kind_of, owner_of, way_row
from plenipo.batch.legal import menu
from plenipo.batch.packing import (
    CONVOY,
    HOLD,
    MOVE,
    NONE,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    VIA,
    order_word,
    other_of,
    target_of,
    verb_of,
)
from plenipo.batch.play import ADJUSTMENTS, draw
from plenipo.batch.state import State
from plenipo.batch.tables import MOST_UNITS, Arrays, Size, Tables
from plenipo.bots.compiling import compile_inlined, compile_kernel, inner
from plenipo.bots.policy import Sketch

__all__ = ["Plans", "add_plan", "change", "lay", "list_own", "plans", "tidy", "tidy_pool"]

MOST_ORDERS = 1 << 16
PLAYERS = Size.PLAYERS


class Plans(NamedTuple):
    """The plans of the power that thinks, as rows of packed orders."""

    pool: Array
    """uint32[*, 64]: in movements and retreats by the column of the unit, else a list ended by 0."""
    draft: Array
    """uint32[1, 64]: the plan at hand."""
    joint: Array
    """uint32[1, 64]: the orders of all powers."""
    counts: Array
    """int64[2]: how many plans there are, how many units the power has."""
    own: Array
    """int64[64]: the columns of its units."""
    at: Array
    """int64[S]: the unit in a space, or -1."""
    legal: Array
    """uint32[*]: all legal orders."""
    start: Array
    """int64[72]: where those of each unit begin."""
    q: Array
    land: Array
    forced: Array
    """uint32[64]: the order that a unit must have in a movement, by its column, or 0."""
    barred: Array
    """uint8[S]: 1 for a space into which no unit of the power may move."""


def plans(tables: Tables, most: int) -> Plans:
    """Room for so many plans."""
    a = tables.arrays
    return Plans(
        np.zeros((most, MOST_UNITS), np.uint32),
        np.zeros((1, MOST_UNITS), np.uint32),
        np.zeros((1, MOST_UNITS), np.uint32),
        np.zeros(2, np.int64),
        np.zeros(MOST_UNITS, np.int64),
        np.zeros(int(a.size[Size.SPACES]), np.int64),
        np.zeros(MOST_ORDERS, np.uint32),
        np.zeros(MOST_UNITS + 8, np.int64),
        *menu(a),
        np.zeros(MOST_UNITS, np.uint32),
        np.zeros(int(a.size[Size.SPACES]), np.uint8),
    )


@compile_inlined
def list_own(power: int, s: State, e: Plans) -> None:
    """Note which units of game 0 are the power's own."""
    n = 0
    for u in range(whole(s.units[0])):
        if owner_of(s.kinds[0, u]) == power:
            e.own[n] = u
            n += 1
    e.counts[1] = n


@inner
def add_plan(most: int, s: State, a: Arrays, e: Plans) -> bool:
    """Put the draft into the pool, unless it is there or the pool has `most`; returns whether it was put."""
    count = e.counts[0]
    adjusting = a.steps[s.step[0]] == ADJUSTMENTS
    for k in range(count):
        same = True
        for i in range(MOST_UNITS if adjusting else e.counts[1]):
            u = i if adjusting else e.own[i]
            same &= e.pool[k, u] == e.draft[0, u]
            if adjusting and e.draft[0, u] == NONE:
                break
        if same:
            return False
    if count >= most:
        return False
    for u in range(MOST_UNITS):
        e.pool[count, u] = e.draft[0, u]
    e.counts[0] = count + 1
    return True


@compile_inlined
def lay(power: int, orders: Array, row: int, s: State, a: Arrays, onto: int, joint: Array) -> None:
    """Lay the orders of a power over row `onto` of those of all, or in an adjustment phase behind them."""
    if a.steps[s.step[0]] != ADJUSTMENTS:
        for u in range(whole(s.units[0])):
            if owner_of(s.kinds[0, u]) == power:
                joint[onto, u] = orders[row, u]
        return
    k = 0
    while k < MOST_UNITS and joint[onto, k] != NONE:
        k += 1
    i = 0
    while k < MOST_UNITS and i < MOST_UNITS and orders[row, i] != NONE:
        joint[onto, k] = orders[row, i]
        k += 1
        i += 1
    if k < MOST_UNITS:
        joint[onto, k] = NONE


@compile_inlined
def _can_step(u: int, to: int, s: State, a: Arrays, spaces: int) -> bool:
    """Return True if a unit may step to a location, or with `spaces` 1 reach a space."""
    return (
        (a.step[way_row(kind_of(whole(s.kinds[0, u])), spaces), s.places[0, u], to >> 6] >> word(to & 63)) & ONE
    ) != ZERO


@compile_inlined
def _space(u: int, s: State, a: Arrays) -> int:
    return whole(a.space_of[s.places[0, u]])


@compile_inlined
def _stays(v: int, power: int, s: State, e: Plans) -> bool:
    """Return True if `v` is a unit (not -1) of the power that stays where it is in the draft."""
    return v >= 0 and owner_of(s.kinds[0, v]) == power and verb_of(whole(e.draft[0, v])) != MOVE


@compile_inlined
def _makes_way(u: int, space: int, power: int, s: State, a: Arrays, e: Plans, p: Sketch) -> bool:
    """Return True if no friend is in the way where `u` goes.

    A friend that is goes on to a place next to it, if there is room.
    """
    v = e.at[space]
    if v == u or not _stays(v, power, s, e):
        return True
    kind, here = kind_of(whole(s.kinds[0, v])), whole(s.places[0, v])
    ways = whole(a.near[kind, here, 0])
    if ways == 0:
        return False
    on = whole(a.near[kind, here, 1 + draw(p.chance, ways)])
    beyond = whole(a.space_of[on])
    if beyond == _space(u, s, a) or _stays(e.at[beyond], power, s, e):
        return False
    e.draft[0, v] = order_word(MOVE, on, 0)
    return True


@compile_inlined
def _gather_support(u: int, to: int, space: int, s: State, a: Arrays, e: Plans, p: Sketch) -> None:
    """Let friends support the move of unit `u` to `to`, by chance; those that move there too support it or hold."""
    draft = e.draft[0]
    support = order_word(SUPPORT_MOVE, to, _space(u, s, a))
    gather = draw(p.chance, 3)
    for i in range(e.counts[1]):
        v = e.own[i]
        if v == u:
            continue
        other = whole(draft[v])
        rival = verb_of(other) == MOVE and whole(a.space_of[target_of(other)]) == space
        reaches = _can_step(v, space, s, a, 1)
        if reaches and _space(v, s, a) != space and (rival or gather == 0) and draw(p.chance, 2) == 0:
            draft[v] = support
        elif rival:
            draft[v] = order_word(HOLD, 0, 0)


@inner
def change(power: int, s: State, a: Arrays, e: Plans, p: Sketch) -> None:
    """Change one or two orders of the draft, and those of friends along with them.

    A unit that moves to the destination of a friend takes that friend as a supporter or sends it elsewhere; a friend
    that stands there moves on; a unit that supports or convoys a friend fixes the order of that friend. `list_own` and
    the lists of legal orders are filled.
    """
    n = e.counts[1]
    draft = e.draft[0]
    left = 1 + whole(draw(p.chance, 3) == 0)
    for _ in range(40):
        if left == 0:
            return
        u = e.own[draw(p.chance, n)]
        first = e.start[u]
        count = e.start[u + 1] - first
        # a hold and the steps stand first, and are tried more often than there are of them
        steps = 1 + whole(a.near[kind_of(s.kinds[0, u]), s.places[0, u], 0])
        among = count if draw(p.chance, 3) == 0 else min(count, steps)
        order = whole(e.legal[first + draw(p.chance, among)])
        if draw(p.chance, 3) == 0:
            order = whole(e.legal[first + draw(p.chance, count)])
        if order == whole(draft[u]):
            continue
        verb = verb_of(order)
        to = target_of(order)
        v = e.at[other_of(order)]
        if verb == MOVE:
            if order >= VIA or not _can_step(u, to, s, a, 0):
                continue
            space = whole(a.space_of[to])
            if not _makes_way(u, space, power, s, a, e, p):
                continue
            _gather_support(u, to, space, s, a, e, p)
        elif verb in (SUPPORT_HOLD, SUPPORT_MOVE, CONVOY):
            if v < 0 or v == u:
                continue
            if owner_of(s.kinds[0, v]) != power:
                if draw(p.chance, 8) != 0:
                    continue
            elif verb == SUPPORT_HOLD:
                if verb_of(whole(draft[v])) == MOVE:
                    draft[v] = order_word(HOLD, 0, 0)
            elif verb == SUPPORT_MOVE:
                if not _can_step(v, to, s, a, 0):
                    continue
                draft[v] = order_word(MOVE, to, 0)
            else:
                draft[v] = order_word(MOVE, to, 0) | (VIA if _can_step(v, to, s, a, 0) else 0)
        draft[u] = order
        left -= 1


@compile_inlined
def _is_own(v: int, power: int, s: State) -> bool:
    """Return True if `v` is a unit (not -1) of the power."""
    return v >= 0 and owner_of(s.kinds[0, v]) == power


@compile_inlined
def _find_rival(i: int, u: int, space: int, a: Arrays, e: Plans) -> int:
    """Return a unit of the power whose move to a space takes precedence over that of `u`, the `i`-th, or -1."""
    for j in range(e.counts[1]):
        w = e.own[j]
        other = whole(e.draft[0, w])
        goes_there = (other >> 20) & 15 == MOVE and whole(a.space_of[other & 1023]) == space
        if w != u and goes_there and (j < i or e.forced[w] != NONE):
            return whole(w)
    return -1


@compile_inlined
def _is_carried(start: int, space: int, e: Plans) -> bool:
    """Return True if a unit of the power convoys an army from a space to another in the draft."""
    for j in range(e.counts[1]):
        order = whole(e.draft[0, e.own[j]])
        if (order >> 20) & 15 == CONVOY and (order >> 10) & 1023 == start and order & 1023 == space:
            return True
    return False


@compile_inlined
def _mend(i: int, power: int, s: State, a: Arrays, e: Plans) -> int:
    """Return the order of the `i`-th unit of the power, changed where others of the draft contradict it."""
    u = e.own[i]
    order = whole(e.draft[0, u])
    verb = (order >> 20) & 15
    here = _space(u, s, a)
    if verb == MOVE:
        to = order & 1023
        space = whole(a.space_of[to])
        by_sea = order >= VIA or not _can_step(u, to, s, a, 0)
        if by_sea and not _is_carried(here, space, e):
            return HOLD << 20
        v = e.at[space]
        if v != u and _is_own(v, power, s):
            other = whole(e.draft[0, v])
            if (other >> 20) & 15 != MOVE:
                return HOLD << 20
            passing = whole(a.space_of[other & 1023]) == here and not by_sea
            if passing and other < VIA and _can_step(v, other & 1023, s, a, 0):
                return HOLD << 20
        w = _find_rival(i, u, space, a, e)
        if w >= 0:
            if _can_step(u, space, s, a, 1):
                return SUPPORT_MOVE << 20 | _space(w, s, a) << 10 | whole(e.draft[0, w]) & 1023
            return HOLD << 20
        return order
    v = e.at[(order >> 10) & 1023]
    if verb not in (SUPPORT_HOLD, SUPPORT_MOVE, CONVOY) or v == u or not _is_own(v, power, s):
        return order
    does = whole(e.draft[0, v])
    goes = (does >> 20) & 15 == MOVE
    space = whole(a.space_of[does & 1023]) if goes else _space(v, s, a)
    if verb == CONVOY:
        return order if goes and order & 1023 == space else HOLD << 20
    if goes and verb == SUPPORT_MOVE and whole(a.space_of[order & 1023]) == space:
        return order
    if not goes and verb == SUPPORT_HOLD:
        return order
    if space == here or not _can_step(u, space, s, a, 1):
        return HOLD << 20
    if goes:
        return SUPPORT_MOVE << 20 | _space(v, s, a) << 10 | does & 1023
    return SUPPORT_HOLD << 20 | space << 10 | space


@inner
def tidy(power: int, s: State, a: Arrays, e: Plans) -> None:
    """Give the draft of a movement the forced orders, and change orders of the power that contradict each other.

    A support follows the order of its unit; of two units with one destination, the second supports the first; a unit
    holds that would go where another stays, or without a convoy. `list_own` and `e.at` are filled.
    """
    n = e.counts[1]
    for i in range(n):
        u = e.own[i]
        if e.forced[u] != NONE:
            e.draft[0, u] = e.forced[u]
        order = whole(e.draft[0, u])
        if (order >> 20) & 15 == MOVE and e.barred[a.space_of[order & 1023]] != 0:
            e.draft[0, u] = HOLD << 20
    # no unit begins to move, so that after some rounds nothing changes
    mending = True
    while mending:
        mending = False
        for i in range(n):
            u = e.own[i]
            if e.forced[u] == NONE:
                order = _mend(i, power, s, a, e)
                if order != whole(e.draft[0, u]):
                    e.draft[0, u] = order
                    mending = True


@compile_kernel
def tidy_pool(power: int, s: State, a: Arrays, e: Plans) -> None:
    """Do as `tidy` with every plan of the pool; `e.at` is filled."""
    list_own(power, s, e)
    for k in range(e.counts[0]):
        for u in range(MOST_UNITS):
            e.draft[0, u] = e.pool[k, u]
        tidy(power, s, a, e)
        for u in range(MOST_UNITS):
            e.pool[k, u] = e.draft[0, u]
