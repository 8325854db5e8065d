"""Legal orders of movement: all of them as a list, or one drawn so that each is equally likely.

First the possible arrivals are computed: on foot or by sea, the latter from groups of connected fleets.
An order by sea without a land way is listed once, unmarked; one beside a land way is listed with the mark VIA.
"""

import numpy as np

from plenipo.batch.bits import (
    ONE,
    ZERO,
    Array,
    Word,
    bit,
    compile_inlined,
    compile_kernel,
    ctz,
    inner,
    popcount,
    rest,
    whole,
    word,
)
from plenipo.batch.kinds import RoleRow, kind_of, way_row
from plenipo.batch.packing import (
    CONVOY,
    HOLD,
    MOVE,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    VIA,
    order_word,
)
from plenipo.batch.routes import PORT, can_land, flood, is_needed
from plenipo.batch.tables import Arrays, OptionBit, Size

__all__ = ["draw_below", "draw_orders", "list_orders", "menu", "moment", "survey"]

AT, WALKERS, RIDERS, GROUP, ARMIES, PORTS, GROUP_OF, INFO, HELPED, FLEETS, WALK, _W2, _W3 = range(13)
"""Rows of `q`.

By space: the unit there, the units that could step there, the armies (all convoyed units) that could be carried
there. By group of fleets: its seas, the armies at its ports, the number of its ports. By class of convoyed units, 64
columns each, and sea: its group. In the second column of the next row the state of chance. By space again: the number
of possible supports into it. By class: all seas with a fleet for it. Three rows are for walks along chains.
"""

MOST_GROUPS = 64
"""The most groups of one class."""

UNLAWFUL = -1
"""A number in place of a drawn order that is not legal; no order is packed as this number."""

COAST_NEEDED, CHOOSY = OptionBit.COAST_NEEDED, OptionBit.CHOOSY
SPACES, SEAS, OPTIONS = Size.SPACES, Size.SEAS, Size.OPTIONS
KINDS, CLASSES = Size.KINDS, Size.CLASSES
SAILS, IS_CARGO, CARRIES, CLASS = RoleRow.SAILS, RoleRow.IS_CARGO, RoleRow.CARRIES, RoleRow.CLASS


def menu(a: Arrays) -> tuple[Array, Array]:
    """Allocate working memory: `q`, and the places where a unit (row 0) or a group (row 1) of fleets could land."""
    classes = max(1, int(a.size[CLASSES]))
    columns = max(int(a.size[SPACES]), 136, MOST_GROUPS * classes)
    return np.zeros((13, columns), np.uint64), np.zeros((2, MOST_GROUPS * classes, a.ports.shape[1]), np.uint64)


@compile_inlined
def has(step: Array, row: int, place: int, to: int) -> bool:
    """Return whether bit `to` is set in a row of words."""
    return ((step[row, place, to >> 6] >> word(to & 63)) & ONE) != ZERO


@compile_inlined
def cargo_kinds(t: Arrays) -> int:
    """Return the kinds that can be convoyed, as bits."""
    kinds = 0
    for k in range(t.size[KINDS]):
        kinds |= t.roles[IS_CARGO, k] << k
    return kinds


@compile_inlined
def survey(game: int, count: int, kinds: Array, places: Array, t: Arrays, q: Array, land: Array) -> None:
    """Compute the units that could reach each space."""
    for i in range(t.size[SPACES]):
        q[AT, i] = ZERO
        q[WALKERS, i] = ZERO
        q[RIDERS, i] = ZERO
    for c in range(t.size[CLASSES]):
        q[FLEETS, c] = ZERO
    at_port = _survey_units(game, count, kinds, places, t, q, land)
    group = 0
    for c in range(t.size[CLASSES]):
        left = q[FLEETS, c]
        while left != ZERO:
            seas = flood(left & (~left + ONE), q[FLEETS, c], t.water)
            left &= ~seas
            _survey_group(game, c, group, seas, at_port, kinds, places, t, q, land)
            group += 1
    if (t.size[OPTIONS] & CHOOSY) != 0:
        _drop_barred_landings(game, kinds, t, q, land)
    x = at_port
    while x != ZERO:
        u = ctz(x)
        x = rest(x)
        space = whole(t.space_of[places[game, u]])
        land[0, u, space >> 6] &= ~bit(space & 63)


@compile_inlined
def _survey_units(game: int, count: int, kinds: Array, places: Array, t: Arrays, q: Array, land: Array) -> Word:
    """Enter each unit where it is and where it could step, and each fleet by class; return the units at ports."""
    roles, reach = t.roles, t.reach
    cargo = cargo_kinds(t)
    at_port = ZERO
    for u in range(count):
        b = bit(u)
        here = whole(places[game, u])
        space = whole(t.space_of[here])
        kind = kind_of(whole(kinds[game, u]))
        q[AT, space] = b
        if space < t.size[SEAS]:
            for c in range(t.size[CLASSES]):
                q[FLEETS, c] |= word((roles[CARRIES, kind] >> c) & 1) << word(space)
        elif (cargo >> kind) & 1 != 0 and t.water[PORT, space] != ZERO:
            at_port |= b
            for w in range(t.ports.shape[1]):
                land[0, u, w] = ZERO
        for k in range(1, whole(reach[kind, here, 0]) + 1):
            q[WALKERS, reach[kind, here, k]] |= b
    return at_port


@compile_inlined
def _survey_group(
    game: int,
    c: int,
    group: int,
    seas: Word,
    at_port: Word,
    kinds: Array,
    places: Array,
    t: Arrays,
    q: Array,
    land: Array,
) -> None:
    """Enter a group of connected fleets of class `c`: its seas, the units it could carry, and where to."""
    water, roles = t.water, t.roles
    classes = t.size[CLASSES]
    armies = ZERO
    x = at_port
    while x != ZERO:
        u = ctz(x)
        x = rest(x)
        of_class = classes == 1 or roles[CLASS, kind_of(whole(kinds[game, u]))] == c
        if of_class and (water[PORT, t.space_of[places[game, u]]] & seas) != ZERO:
            armies |= bit(u)
    x = seas
    while x != ZERO:
        q[GROUP_OF, c * MOST_GROUPS + ctz(x)] = word(group)
        x = rest(x)
    q[GROUP, group] = seas
    q[ARMIES, group] = armies
    if armies == ZERO:
        return
    total = 0
    for w in range(t.ports.shape[1]):
        reached = ZERO
        x = seas
        while x != ZERO:
            reached |= t.ports[ctz(x), w]
            x = rest(x)
        land[1, group, w] = reached
        total += popcount(reached)
        x = armies
        while x != ZERO:
            land[0, ctz(x), w] |= reached
            x = rest(x)
        while reached != ZERO:
            space = w * 64 + ctz(reached)
            reached = rest(reached)
            q[RIDERS, space] |= armies & ~q[AT, space]
    q[PORTS, group] = word(total)


@compile_inlined
def _drop_barred_landings(game: int, kinds: Array, t: Arrays, q: Array, land: Array) -> None:
    """Drop convoyed units where they could be landed and may not stand."""
    for i in range(t.size[SPACES]):
        x = q[RIDERS, i]
        while x != ZERO:
            u = ctz(x)
            x = rest(x)
            if not can_land(kind_of(whole(kinds[game, u])), i, t.stands):
                q[RIDERS, i] &= ~bit(u)
                land[0, u, i >> 6] &= ~bit(i & 63)


@inner
def _rides_without(start: int, to: int, fleets: Word, sea: int, water: Array) -> bool:
    """Return whether an army could be carried to `to` by `fleets` without that in `sea` (DATC 6.D.31)."""
    return (flood(water[PORT, start], fleets & ~bit(sea), water) & water[PORT, to]) != ZERO


@compile_inlined
def _put(order: int, out: Array, k: int) -> int:
    """Write an order as number `k` unless that is beyond the end of `out`; return the next number."""
    if k < out.shape[0]:
        out[k] = order
    return k + 1


@compile_kernel
def list_orders(
    game: int, count: int, kinds: Array, places: Array, t: Arrays, q: Array, land: Array, out: Array, start: Array
) -> int:
    """List all legal orders: unit `u` has `out[start[u]:start[u + 1]]`, packed. Return their number, written or not.

    Nothing is written beyond the end of `out`.
    """
    near, cargo = t.near, cargo_kinds(t)
    survey(game, count, kinds, places, t, q, land)
    k = 0
    for u in range(count):
        start[u] = k
        here = whole(places[game, u])
        kind = kind_of(whole(kinds[game, u]))
        space = whole(t.space_of[here])
        k = _put(order_word(HOLD, 0, 0), out, k)
        for i in range(1, whole(near[kind, here, 0]) + 1):
            k = _put(order_word(MOVE, whole(near[kind, here, i]), 0), out, k)
        if (cargo >> kind) & 1 != 0 and t.water[PORT, space] != ZERO:
            k = _list_moves_by_sea(u, kind, here, t, land, out, k)
        carries = t.roles[CARRIES, kind] if space < t.size[SEAS] else 0
        for i in range(1, whole(t.reach[kind, here, 0]) + 1):
            k = _list_supports(game, u, space, whole(t.reach[kind, here, i]), carries, kinds, places, t, q, out, k)
        for c in range(t.size[CLASSES] if carries != 0 else 0):
            if (carries >> c) & 1 != 0:
                k = _list_convoys(game, c, space, kinds, places, t, q, land, out, k)
    start[count] = k
    return k


@compile_inlined
def _list_moves_by_sea(u: int, kind: int, here: int, t: Arrays, land: Array, out: Array, k: int) -> int:
    """List the landings of a unit that can be convoyed; return the next number."""
    for w in range(t.ports.shape[1]):
        x = land[0, u, w]
        while x != ZERO:
            to = w * 64 + ctz(x)
            x = rest(x)
            k = _put(order_word(MOVE, to, 0) | (VIA if has(t.step, way_row(kind, 0), here, to) else 0), out, k)
    return k


@compile_inlined
def _list_supports(
    game: int,
    u: int,
    space: int,
    to: int,
    carries: int,
    kinds: Array,
    places: Array,
    t: Arrays,
    q: Array,
    out: Array,
    k: int,
) -> int:
    """List the supports of a unit in `space` into space `to`; return the next number."""
    coasts, roles = t.coasts, t.roles
    b = bit(u)
    if q[AT, to] != ZERO:
        k = _put(order_word(SUPPORT_HOLD, to, to), out, k)
    walkers = q[WALKERS, to] & ~b
    split = coasts[to, 0] > 0
    x = walkers
    while x != ZERO:
        v = ctz(x)
        x = rest(x)
        there = whole(places[game, v])
        there_space = whole(t.space_of[there])
        walker = kind_of(whole(kinds[game, v])) if split else 0
        if split and roles[SAILS, walker] != 0:
            ways = 0
            for c in range(1, whole(coasts[to, 0]) + 1):
                coast = whole(coasts[to, c])
                if has(t.step, way_row(walker, 0), there, coast):
                    ways += 1
                    k = _put(order_word(SUPPORT_MOVE, coast, there_space), out, k)
            if ways < 2 or (t.size[OPTIONS] & COAST_NEEDED) != 0:
                continue
        k = _put(order_word(SUPPORT_MOVE, to, there_space), out, k)
    x = q[RIDERS, to] & ~walkers & ~b
    while x != ZERO:
        v = ctz(x)
        x = rest(x)
        from_space = whole(t.space_of[places[game, v]])
        if carries != 0:
            fleets = q[FLEETS, roles[CLASS, kind_of(whole(kinds[game, v]))]]
            if not _rides_without(from_space, to, fleets, space, t.water):
                continue
        k = _put(order_word(SUPPORT_MOVE, to, from_space), out, k)
    return k


@compile_inlined
def _list_convoys(
    game: int, c: int, space: int, kinds: Array, places: Array, t: Arrays, q: Array, land: Array, out: Array, k: int
) -> int:
    """List the convoys by a fleet in the sea `space` of units of class `c`; return the next number."""
    water = t.water
    choosy = (t.size[OPTIONS] & CHOOSY) != 0
    group = whole(q[GROUP_OF, c * MOST_GROUPS + space])
    alone = q[GROUP, group] == bit(space)
    y = q[ARMIES, group]
    while y != ZERO:
        v = ctz(y)
        y = rest(y)
        from_space = whole(t.space_of[places[game, v]])
        seas_there = water[PORT, from_space]
        for w in range(t.ports.shape[1]):
            x = land[1, group, w]
            if choosy:
                x &= t.stands[kind_of(whole(kinds[game, v])), w]
            if w == from_space >> 6:
                x &= ~bit(from_space & 63)
            while x != ZERO:
                to = w * 64 + ctz(x)
                x = rest(x)
                if alone or is_needed(space, seas_there, water[PORT, to], q[GROUP, group], water, q[WALK:]):
                    k = _put(order_word(CONVOY, to, from_space), out, k)
    return k


@compile_inlined
def draw_below(q: Array, below: int) -> int:
    """Draw an integer from 0 to `below` - 1, all but equally likely: 32 bits of xorshift64*, multiplied."""
    x = q[INFO, 1]
    x ^= x >> word(12)
    x ^= x << word(25)
    x ^= x >> word(27)
    q[INFO, 1] = x
    high = (x * word(0x2545F4914F6CDD1D)) >> word(32)
    return whole((high * word(below)) >> word(32))


@compile_inlined
def moment(bits: Word, index: int) -> int:
    """Return the position of set bit number `index`, from 0, of a word."""
    while index > 0:
        bits = rest(bits)
        index -= 1
    return ctz(bits)


@compile_inlined
def _landing(land: Array, row: int, of: int, index: int) -> int:
    """Return place number `index`, from 0, of those where a unit (row 0) or a group of fleets (row 1) could land."""
    to = -1
    for w in range(land.shape[2]):
        here = popcount(land[row, of, w])
        if to < 0 and index < here:
            to = w * 64 + moment(land[row, of, w], index)
        index -= here
    return to


@compile_inlined
def draw_orders(
    game: int, row: int, count: int, kinds: Array, places: Array, t: Arrays, q: Array, land: Array, orders: Array
) -> None:
    """Draw one legal order for each unit into `orders[row]`, all of its legal orders equally likely.

    It is drawn from a slightly larger set that is easy to count, and drawn again if it is not legal.
    """
    near, reach, cargo = t.near, t.reach, cargo_kinds(t)
    survey(game, count, kinds, places, t, q, land)
    for i in range(t.size[SPACES]):
        # one less than may come here: the unit that reads this can come here itself, and does not support itself
        others = popcount(q[WALKERS, i] | q[RIDERS, i]) - 1
        q[HELPED, i] = others * (1 + whole(t.coasts[i, 0])) + whole(q[AT, i] != ZERO)
    for u in range(count):
        here = whole(places[game, u])
        kind = kind_of(whole(kinds[game, u]))
        space = whole(t.space_of[here])
        steps = whole(near[kind, here, 0])
        carries = t.roles[CARRIES, kind] if space < t.size[SEAS] else 0
        by_sea = 0
        if (cargo >> kind) & 1 != 0 and t.water[PORT, space] != ZERO:
            for w in range(t.ports.shape[1]):
                by_sea += popcount(land[0, u, w])
        supports = 0
        for i in range(1, whole(reach[kind, here, 0]) + 1):
            supports += whole(q[HELPED, reach[kind, here, i]])
        total = 1 + steps + by_sea + supports + _count_convoys(carries, space, t, q)
        order = UNLAWFUL
        while order == UNLAWFUL:
            r = draw_below(q, total)
            if r <= steps:
                order = order_word(HOLD, 0, 0) if r == 0 else order_word(MOVE, whole(near[kind, here, r]), 0)
                continue
            r -= 1 + steps
            if r < supports:
                order = _pick_support(game, u, kind, space, carries, r, kinds, places, t, q)
                continue
            r -= supports
            if r < by_sea:
                to = _landing(land, 0, u, r)
                order = order_word(MOVE, to, 0) | (VIA if has(t.step, way_row(kind, 0), here, to) else 0)
            else:
                order = _pick_convoy(game, space, carries, r - by_sea, kinds, places, t, q, land)
        orders[row, u] = order


@compile_inlined
def _count_convoys(carries: int, space: int, t: Arrays, q: Array) -> int:
    """Return the number of convoys in which a fleet in `space` could take part, and of some that are not legal."""
    convoys = 0
    for c in range(t.size[CLASSES] if carries != 0 else 0):
        if (carries >> c) & 1 != 0:
            group = whole(q[GROUP_OF, c * MOST_GROUPS + space])
            if q[ARMIES, group] != ZERO:
                convoys += popcount(q[ARMIES, group]) * whole(q[PORTS, group])
    return convoys


@compile_inlined
def _pick_support(
    game: int,
    u: int,
    kind: int,
    space: int,
    carries: int,
    r: int,
    kinds: Array,
    places: Array,
    t: Arrays,
    q: Array,
) -> int:
    """Return support number `r`, from 0, of a unit in `space`, or `UNLAWFUL` if it is not legal."""
    reach, coasts = t.reach, t.coasts
    here = whole(places[game, u])
    to = 0
    for i in range(1, whole(reach[kind, here, 0]) + 1):
        to = whole(reach[kind, here, i])
        helped = whole(q[HELPED, to])
        if r < helped:
            break
        r -= helped
    x = (q[WALKERS, to] | q[RIDERS, to]) & ~bit(u)
    forms = 1 + whole(coasts[to, 0])
    if r == popcount(x) * forms:
        return order_word(SUPPORT_HOLD, to, to)
    form = 0
    if forms > 1:  # a division costs more than all the rest of a draw
        form = r % forms
        r //= forms
    v = moment(x, r)
    there = whole(places[game, v])
    target = to
    if forms > 1:
        walker = kind_of(whole(kinds[game, v]))
        fleet = t.roles[SAILS, walker] != 0
        if form > 0:
            target = whole(coasts[to, form])
            if not fleet or not has(t.step, way_row(walker, 0), there, target):
                return UNLAWFUL
        elif fleet:
            ways = 0
            for c in range(1, forms):
                ways += whole(has(t.step, way_row(walker, 0), there, whole(coasts[to, c])))
            if ways < 2 or (t.size[OPTIONS] & COAST_NEEDED) != 0:
                return UNLAWFUL
    from_space = whole(t.space_of[there])
    if carries != 0 and (bit(v) & q[WALKERS, to]) == ZERO:
        fleets = q[FLEETS, t.roles[CLASS, kind_of(whole(kinds[game, v]))]]
        if not _rides_without(from_space, to, fleets, space, t.water):
            return UNLAWFUL
    return order_word(SUPPORT_MOVE, target, from_space)


@compile_inlined
def _pick_convoy(
    game: int, space: int, carries: int, r: int, kinds: Array, places: Array, t: Arrays, q: Array, land: Array
) -> int:
    """Return convoy number `r`, from 0, by a fleet in `space`, or `UNLAWFUL` if it is not legal."""
    water = t.water
    group = 0
    for c in range(t.size[CLASSES]):
        if (carries >> c) & 1 != 0:
            group = whole(q[GROUP_OF, c * MOST_GROUPS + space])
            if q[ARMIES, group] != ZERO:
                among = popcount(q[ARMIES, group]) * whole(q[PORTS, group])
                if r < among:
                    break
                r -= among
    width = whole(q[PORTS, group])
    v = moment(q[ARMIES, group], r // width)
    from_space = whole(t.space_of[places[game, v]])
    to = _landing(land, 1, group, r % width)
    if to == from_space:
        return UNLAWFUL
    if (t.size[OPTIONS] & CHOOSY) != 0 and not can_land(kind_of(whole(kinds[game, v])), to, t.stands):
        return UNLAWFUL
    if q[GROUP, group] != bit(space) and not is_needed(
        space, water[PORT, from_space], water[PORT, to], q[GROUP, group], water, q[WALK:]
    ):
        return UNLAWFUL
    return order_word(CONVOY, to, from_space)
