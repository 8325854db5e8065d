"""The policy: the orders of one power, or of all, in about a microsecond a power, for any kind of phase.

Each centre has a value for the power: what may be taken, what must be held. Each place then has a value by the
centres near it (`plenipo.bots.proximity`), and by how far its own units outnumber those of any other power around it.
Units choose one after the other; one that wants to go where a friend goes, and finds that the friend needs it, supports
it, and otherwise chooses again, so that friends do not stand each other off. In the end units with little to gain
help those that have more, and idle fleets carry armies.

A style is a row of constants. The same function plays a builder, a raider or a guard.
"""

from typing import NamedTuple

import numpy as np

from plenipo.batch.bits import FIRST, ONE, ZERO, Array, ctz, rest, whole, word
from plenipo.batch.kinds import RoleRow, kind_of, owner_of, way_row
from plenipo.batch.packing import (
    BUILD,
    CONVOY,
    DISBAND,
    HOLD,
    MOVE,
    NONE,
    REMOVE,
    RETREAT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    VIA,
    order_word,
    target_of,
    verb_of,
)
from plenipo.batch.play import DUE, MOVEMENT, RETREATS, Work, draw, occupy, retreat_options, take_stock
from plenipo.batch.routes import PORT, can_land
from plenipo.batch.state import State
from plenipo.batch.tables import NOBODY, NOWHERE, Arrays, OptionBit, Size, Tables
from plenipo.bots.compiling import compile_inlined, compile_kernel, inner
from plenipo.bots.proximity import LAST, SETTLED, WEIGHT_ONE, ProximityTables
from plenipo.bots.values import COUNTED

__all__ = [
    "ALWAYS",
    "COLUMNS",
    "STILL",
    "Sketch",
    "acting",
    "look_round",
    "order",
    "sketch",
    "style",
]

SPACES, CENTRES, POWERS, PLAYERS, SEAS = Size.SPACES, Size.CENTRES, Size.POWERS, Size.PLAYERS, Size.SEAS
OPTIONS = Size.OPTIONS
CARRIES, CARRIED_BY = RoleRow.CARRIES, RoleRow.CARRIED_BY

COLUMNS = {
    "free": 90,  # an unowned centre,
    "free_each": 28,  # and for each such centre there is
    "prey": 60,  # a centre of another power,
    "prey_each": 14,  # and for each centre that power has,
    "prey_square": 8,  # and a quarter of so much for each pair of them
    "guard": 14,  # an own centre: percentage of the value of the greatest power that could enter it
    "guard_late": 28,  # the same in the last movement before centres change hands
    "calm": 5,  # and so much in any case
    "crowd": 800,  # to outnumber a rival around a place by one unit, or to be outnumbered
    "noise": 12,  # values are changed by chance by up to so many parts of a hundred
    "help": 70,  # a unit gives up a gain below this percentage of the gain it helps another unit to make
    "towards": 100,  # centres of the power that is thinking count so many parts of a hundred
    "carry": 110,  # an army goes by sea for this percentage of its value on foot
    "empty_fewer": 10,  # a gain counts so many sixteenths: in an empty space, outnumbered by a rival,
    "empty_even": 14,  # with as many units,
    "empty_one": 14,  # with one more,
    "empty_two": 16,  # or two more
    "held_fewer": 8,  # the same for a space that a foreign unit occupies
    "held_even": 12,
    "held_one": 18,
    "held_two": 20,
    "pile": 140,  # friends help until they exceed this percentage of the strength a rival could bring
    "still": 0,  # 1: orders nothing in any phase
    "easy": 300,  # centres of a power that orders nothing count so many parts of a hundred
}
"""The constants of a style, with those of the plain one."""

(
    FREE,
    FREE_EACH,
    PREY,
    PREY_EACH,
    PREY_SQUARE,
    GUARD,
    GUARD_LATE,
    CALM,
    CROWD,
    NOISE,
    HELP,
    TOWARDS,
    CARRY,
    EMPTY_FEWER,
    _EMPTY_EVEN,
    _EMPTY_ONE,
    _EMPTY_TWO,
    HELD_FEWER,
    _HELD_EVEN,
    _HELD_ONE,
    _HELD_TWO,
    PILE,
    STILL,
    EASY,
) = range(len(COLUMNS))

AT, TARGETED, STRENGTH, TOP, WHO, SECOND = range(6)
"""Rows of `Sketch.spaces`: the unit there or -1; the unit of the power at hand that is to be there or -1, and with what
strength; the most that one power could bring there, which power, and the most of any other."""

QUEUE, VALUE, STAY, CHOSEN, RANKED, WHAT, KNOWN = range(7)
"""Rows of `Sketch.units`: the units of the current power; by unit the value of its choice, of staying, and its
destination; lists in the order of values, and their entries; whether the preferences of a unit are known."""

OWNED, VALUE = range(2)
"""Rows of `Sketch.powers`: the number of centres each owns, and the value of each; the last column has no owner."""

ANYWHERE = OptionBit.ANYWHERE
DROPPED = -(1 << 60)

ALWAYS = 16
"""The value in `Sketch.acts` of a power that orders in every movement."""


class Sketch(NamedTuple):
    """The working memory of the policy; one for each thread."""

    spaces: Array
    """int64[6, S]."""
    force: Array
    """int64[P, S]: what the units of a power that could be in a space count together."""
    powers: Array
    """int64[2, 256]."""
    value: Array
    """int32[C]: the value of each centre to the power."""
    units: Array
    """int64[7, 160]."""
    wishes: Array
    """int64[64, D]: the value of every place next to a unit, its own first, for units of the power at hand."""
    chance: Array
    """uint64[1]."""
    styles: Array
    """int64[*, columns]."""
    about: Array
    """int64[1]: the power that is thinking, for `towards`."""
    counts: Array
    """int64[P, columns]: what `plenipo.bots.evaluation` counts for each power."""
    values: Array
    """int64[columns]: how much of it counts."""
    acts: Array
    """int64[P]: in how many of `ALWAYS` movements each power is taken to order anything."""


def style(**changes: int) -> list[int]:
    """Return a row of constants, the plain style with some changes; raise `KeyError` for an unknown constant."""
    unknown = set(changes) - set(COLUMNS)
    if unknown:
        raise KeyError(f"'{min(unknown)}' is not a constant of a style; there are {', '.join(COLUMNS)}.")
    return [changes.get(name, plain) for name, plain in COLUMNS.items()]


def sketch(tables: Tables, styles: list[list[int]]) -> Sketch:
    """Working memory for a board."""
    a = tables.arrays
    spaces, powers = int(a.size[SPACES]), int(a.size[POWERS])
    return Sketch(
        np.zeros((6, spaces), np.int64),
        np.zeros((powers, spaces), np.int64),
        np.zeros((2, NOBODY + 1), np.int64),
        np.zeros(len(a.centre), np.int32),
        np.zeros((7, 256), np.int64),
        np.zeros((64, a.near.shape[2]), np.int64),
        np.ones(1, np.uint64),
        np.array(styles, np.int64),
        np.full(1, -1, np.int64),
        np.zeros((powers, len(COUNTED)), np.int64),
        np.array(list(COUNTED.values()), np.int64),
        acting(tables),
    )


def acting(tables: Tables) -> Array:
    """Return the initial `Sketch.acts`, for when nothing is known of the powers yet.

    Players always order; units without a player never move.
    """
    acts = np.zeros(int(tables.arrays.size[POWERS]), np.int64)
    acts[: tables.players] = ALWAYS
    return acts


# Looking round


@compile_inlined
def look_round(game: int, s: State, a: Arrays, g: ProximityTables, p: Sketch) -> None:
    """Note who stands where, who could step where, and who owns how much.

    The less often a power orders anything, the less its units count but where they stand.
    """
    at, top, who, second = p.spaces[AT], p.spaces[TOP], p.spaces[WHO], p.spaces[SECOND]
    spaces, powers = a.size[SPACES], a.size[POWERS]
    at[:] = -1
    p.force[:] = 0
    for u in range(whole(s.units[game])):
        here = whole(s.places[game, u])
        unit = whole(s.kinds[game, u])
        kind, owner = kind_of(unit), owner_of(unit)
        space = whole(a.space_of[here])
        counts = g.weights[unit]
        if s.came[game, u] == 0:
            at[space] = u
        force = p.force[owner]
        going = counts * p.acts[owner] // ALWAYS
        for i in range(1, whole(a.reach[kind, here, 0]) + 1):
            force[a.reach[kind, here, i]] += going
        force[space] += counts
    for i in range(spaces):
        top[i] = 0
        who[i] = -1
        second[i] = 0
    for q in range(powers):
        force = p.force[q]
        for i in range(spaces):
            n = force[i]
            if n > top[i]:
                second[i] = top[i]
                top[i] = n
                who[i] = q
            elif n > second[i]:
                second[i] = n
    owned = p.powers[OWNED]
    for q in range(powers):
        owned[q] = 0
    owned[NOBODY] = 0
    for c in range(a.size[CENTRES]):
        owned[s.owner[game, c]] += 1


@compile_inlined
def _rival(power: int, space: int, p: Sketch) -> int:
    """Return the most that any one other power could bring to a space."""
    return p.spaces[SECOND, space] if p.spaces[WHO, space] == power else p.spaces[TOP, space]


@compile_inlined
def _set_values(game: int, power: int, season: int, mind: Array, s: State, a: Arrays, p: Sketch) -> None:
    """Set the value of each centre to a power."""
    value = p.powers[VALUE]
    for q in range(a.size[POWERS]):
        n = p.powers[OWNED, q]
        often = 100 * p.acts[q] + mind[EASY] * (ALWAYS - p.acts[q])
        value[q] = (mind[PREY] + n * mind[PREY_EACH] + n * n * mind[PREY_SQUARE] // 4) * often // (100 * ALWAYS)
    about = p.about[0]
    if about >= 0 and about != power:
        value[about] = value[about] * mind[TOWARDS] // 100
    value[NOBODY] = mind[FREE] + p.powers[OWNED, NOBODY] * mind[FREE_EACH]
    guard = mind[GUARD_LATE] if season == LAST else mind[GUARD]
    for c in range(a.size[CENTRES]):
        owner = whole(s.owner[game, c])
        if owner != power:
            p.value[c] = value[owner]
        else:
            space = whole(a.centre[c])
            threat = 0
            for q in range(a.size[POWERS]):
                if q != power and p.force[q, space] > 0:
                    threat = max(threat, value[q])
            p.value[c] = mind[CALM] + threat * guard // 100


@compile_inlined
def _value(place: int, season: int, g: ProximityTables, p: Sketch) -> int:
    """Return the value of a place (kind * L + location) by the centres near it."""
    near = g.near[season, place]
    total = np.int32(0)
    for c in range(near.shape[0]):
        total = np.int32(total + np.int32(near[c] * p.value[c]))
    return whole(total)


@compile_inlined
def _with_noise(value: int, noise: int, p: Sketch) -> int:
    if noise == 0:
        return value
    return value + (value >> 7) * ((draw(p.chance, 256) - 128) * noise // 100)


@compile_inlined
def _place_in(n: int, value: int, what: int, p: Sketch) -> None:
    """Put an entry into a list of `n`, the greatest value first."""
    ranked, whats = p.units[RANKED], p.units[WHAT]
    i = n
    while i > 0 and ranked[i - 1] < value:
        ranked[i] = ranked[i - 1]
        whats[i] = whats[i - 1]
        i -= 1
    ranked[i] = value
    whats[i] = what


# Movement


@compile_inlined
def _wish(
    game: int, u: int, power: int, season: int, mind: Array, s: State, a: Arrays, g: ProximityTables, p: Sketch
) -> None:
    """Compute the value of every place a unit could be in, its own first."""
    here = whole(s.places[game, u])
    kind = kind_of(whole(s.kinds[game, u]))
    count = a.space_of.shape[0]
    stay = 0
    for i in range(whole(a.near[kind, here, 0]) + 1):
        to = here if i == 0 else whole(a.near[kind, here, i])
        space = whole(a.space_of[to])
        rival = _rival(power, space, p)
        more = p.force[power, space] - rival
        value = _with_noise(_value(kind * count + to, season, g, p) + (more * mind[CROWD] >> 4), mind[NOISE], p)
        if i > 0 and value > stay:
            # the expected gain, for a move that fails leaves the unit where it is
            v = p.spaces[AT, space]
            held = v >= 0 and owner_of(s.kinds[game, v]) != power
            if held or rival > 0:
                odds = (HELD_FEWER if held else EMPTY_FEWER) + min(3, max(0, (more + WEIGHT_ONE) // WEIGHT_ONE))
                value = stay + ((value - stay) * mind[odds] >> 4)
        p.wishes[u, i] = value
        if i == 0:
            stay = value
    p.units[STAY, u] = stay
    p.units[KNOWN, u] = 1


@compile_inlined
def _support(game: int, v: int, row: int, s: State, orders: Array, a: Arrays) -> int:
    """Return the order by which a unit supports what `v` is ordered."""
    space = whole(a.space_of[s.places[game, v]])
    order = whole(orders[row, v])
    if verb_of(order) == MOVE:
        return order_word(SUPPORT_MOVE, target_of(order), space)
    return order_word(SUPPORT_HOLD, space, space)


@inner
def order_movement(
    game: int, power: int, which: int, row: int, s: State, orders: Array, a: Arrays, g: ProximityTables, p: Sketch
) -> None:
    """Orders of a power's units in a movement, into their columns; `look_round` has been done."""
    mind = p.styles[which]
    if mind[STILL] != 0:
        for u in range(whole(s.units[game])):
            if owner_of(s.kinds[game, u]) == power:
                orders[row, u] = order_word(HOLD, 0, 0)
        return
    season = g.season[s.step[game]]
    _set_values(game, power, season, mind, s, a, p)
    queue, chosen, value = p.units[QUEUE], p.units[CHOSEN], p.units[VALUE]
    at, targeted, strength = p.spaces[AT], p.spaces[TARGETED], p.spaces[STRENGTH]
    n = FIRST
    for u in range(whole(s.units[game])):
        if owner_of(s.kinds[game, u]) == power:
            queue[n] = u
            orders[row, u] = NONE
            p.units[KNOWN, u] = 0
            n += 1
    for i in range(n - 1, 0, -1):
        j = draw(p.chance, i + 1)
        u = queue[i]
        queue[i] = queue[j]
        queue[j] = u
    targeted[:] = -1
    head = 0
    waits = 0
    while head < n:
        u = queue[head]
        here = whole(s.places[game, u])
        kinds = whole(s.kinds[game, u])
        kind = kind_of(kinds)
        mine = whole(a.space_of[here])
        if p.units[KNOWN, u] == 0:
            _wish(game, u, power, season, mind, s, a, g, p)
        ways = whole(a.near[kind, here, 0]) + 1
        waiting = False
        while True:
            best = 0
            for i in range(1, ways):
                if p.wishes[u, i] > p.wishes[u, best]:
                    best = i
            to = here if best == 0 else whole(a.near[kind, here, best])
            space = whole(a.space_of[to])
            value[u] = p.wishes[u, best]
            if best == 0 or value[u] == DROPPED:
                orders[row, u] = order_word(HOLD, 0, 0)
                chosen[u] = mine
                targeted[mine] = u
                strength[mine] = g.weights[kinds]
                break
            v = at[space]
            if v >= 0 and owner_of(s.kinds[game, v]) == power:
                order = whole(orders[row, v])
                if order == NONE:
                    waits += 1
                    if waits <= 3 * n:
                        # the unit in that space chooses first
                        i = head + 1
                        while queue[i] != v:
                            i += 1
                        for j in range(i, head, -1):
                            queue[j] = queue[j - 1]
                        queue[head] = v
                        waiting = True
                        break
                    p.wishes[u, best] = DROPPED
                    continue
                if chosen[v] == mine and verb_of(order) == MOVE:
                    p.wishes[u, best] = DROPPED
                    continue
            v = targeted[space]
            if v >= 0:
                # a friend is to be there: help if it needs help
                if strength[space] * 100 <= _rival(power, space, p) * mind[PILE]:
                    strength[space] += g.weights[kinds]
                    orders[row, u] = _support(game, v, row, s, orders, a)
                    chosen[u] = mine
                    targeted[mine] = u
                    strength[mine] = g.weights[kinds]
                    break
                p.wishes[u, best] = DROPPED
                continue
            orders[row, u] = order_word(MOVE, to, 0)
            chosen[u] = space
            targeted[space] = u
            strength[space] = g.weights[kinds]
            break
        if not waiting:
            head += 1
    _help(game, power, n, row, mind, s, orders, a, g, p)
    _carry(game, power, n, row, season, mind, s, orders, a, g, p)


@compile_inlined
def _help(
    game: int,
    power: int,
    n: int,
    row: int,
    mind: Array,
    s: State,
    orders: Array,
    a: Arrays,
    g: ProximityTables,
    p: Sketch,
) -> None:
    """Make units that gain little by their orders support units that gain more and need it."""
    queue, value, stay = p.units[QUEUE], p.units[VALUE], p.units[STAY]
    targeted, strength = p.spaces[TARGETED], p.spaces[STRENGTH]
    for x in range(n):
        u = queue[x]
        verb = verb_of(whole(orders[row, u]))
        here = whole(s.places[game, u])
        kinds = whole(s.kinds[game, u])
        mine = whole(a.space_of[here])
        if verb == HOLD:
            if strength[mine] > g.weights[kinds]:
                continue  # it is being supported
            least = 0
        elif verb == MOVE:
            space = p.units[CHOSEN, u]
            if targeted[mine] >= 0 or strength[space] > g.weights[kinds]:
                continue  # another comes here, or it is being supported
            least = value[u] - stay[u]
        else:
            continue
        helped = whole(-1)
        most = 0
        for i in range(1, whole(a.reach[kind_of(kinds), here, 0]) + 1):
            space = whole(a.reach[kind_of(kinds), here, i])
            v = targeted[space]
            if v < 0 or v == u or strength[space] * 100 > _rival(power, space, p) * mind[PILE]:
                continue
            gain = stay[v] if verb_of(whole(orders[row, v])) != MOVE else value[v] - stay[v]
            if gain * mind[HELP] > least * 100 and gain > most:
                most = gain
                helped = v
        if helped >= 0:
            if verb == MOVE:
                targeted[p.units[CHOSEN, u]] = -1
            space = p.units[CHOSEN, helped]
            strength[space] += g.weights[kinds]
            orders[row, u] = _support(game, helped, row, s, orders, a)
            p.units[CHOSEN, u] = mine
            targeted[mine] = u
            strength[mine] = g.weights[kinds]


@compile_inlined
def _carry(
    game: int,
    power: int,
    n: int,
    row: int,
    season: int,
    mind: Array,
    s: State,
    orders: Array,
    a: Arrays,
    g: ProximityTables,
    p: Sketch,
) -> None:
    """Make fleets that hold at sea carry an army to a port of a higher value to it than its own destination."""
    count = a.space_of.shape[0]
    queue, value = p.units[QUEUE], p.units[VALUE]
    at, targeted, strength = p.spaces[AT], p.spaces[TARGETED], p.spaces[STRENGTH]
    for x in range(n):
        fleet = queue[x]
        carrier = kind_of(whole(s.kinds[game, fleet]))
        if a.roles[CARRIES, carrier] == 0:
            continue
        sea = whole(a.space_of[s.places[game, fleet]])
        verb = verb_of(whole(orders[row, fleet]))
        if (
            sea >= a.size[SEAS]
            or verb not in (HOLD, MOVE)
            or strength[p.units[CHOSEN, fleet]] > g.weights[s.kinds[game, fleet]]
        ):
            continue
        if verb == MOVE and targeted[sea] >= 0:
            continue
        lost = value[fleet] - p.units[STAY, fleet] if verb == MOVE else 0
        rider = -1
        landing = 0
        most = 0
        for y in range(n):
            army = queue[y]
            start = whole(a.space_of[s.places[game, army]])
            kind = kind_of(whole(s.kinds[game, army]))
            carried = (a.roles[CARRIED_BY, kind] >> carrier) & 1 != 0
            if not carried or (a.water[PORT, start] >> word(sea)) & ONE == ZERO:
                continue
            does = verb_of(whole(orders[row, army]))
            if does not in (HOLD, MOVE) or strength[p.units[CHOSEN, army]] > g.weights[s.kinds[game, army]]:
                continue
            before = max(value[army], p.units[STAY, army])
            for w in range(a.ports.shape[1]):
                x2 = a.ports[sea, w]
                while x2 != ZERO:
                    to = w * 64 + ctz(x2)
                    x2 = rest(x2)
                    if to == start or targeted[to] >= 0 or not can_land(kind, to, a.stands):
                        continue
                    v = at[to]
                    if v >= 0 and owner_of(s.kinds[game, v]) == power:
                        continue
                    more = p.force[power, to] + g.weights[s.kinds[game, army]] - _rival(power, to, p)
                    there = _value(kind * count + to, season, g, p) + (more * mind[CROWD] >> 4)
                    gain = there - before * mind[CARRY] // 100 - lost
                    if gain > most:
                        most = gain
                        rider = army
                        landing = to
        if rider < 0:
            continue
        for u in (rider, fleet):
            if targeted[p.units[CHOSEN, u]] == u:
                targeted[p.units[CHOSEN, u]] = -1
        here = whole(s.places[game, rider])
        start = whole(a.space_of[here])
        walks = (
            a.step[way_row(kind_of(whole(s.kinds[game, rider])), 0), here, landing >> 6] >> word(landing & 63)
        ) & ONE
        orders[row, rider] = order_word(MOVE, landing, 0) | (VIA if walks != ZERO else 0)
        orders[row, fleet] = order_word(CONVOY, landing, start)
        p.units[CHOSEN, rider] = landing
        p.units[CHOSEN, fleet] = sea
        targeted[landing] = rider
        strength[landing] = g.weights[s.kinds[game, rider]]
        targeted[sea] = fleet
        strength[sea] = g.weights[s.kinds[game, fleet]]


# Retreats and adjustments


@inner
def order_retreats(
    game: int,
    power: int,
    which: int,
    row: int,
    s: State,
    orders: Array,
    a: Arrays,
    g: ProximityTables,
    p: Sketch,
    w: Work,
) -> None:
    """Orders of a power's dislodged units, into their columns; `look_round` and `occupy` have been done."""
    mind = p.styles[which]
    season = g.season[s.step[game]]
    count = a.space_of.shape[0]
    targeted = p.spaces[TARGETED]
    known = False
    for u in range(whole(s.units[game])):
        if s.came[game, u] == 0 or owner_of(s.kinds[game, u]) != power:
            continue
        if mind[STILL] != 0:
            orders[row, u] = order_word(DISBAND, 0, 0)
            continue
        if not known:
            _set_values(game, power, season, mind, s, a, p)
            targeted[:] = -1
            known = True
        kind = kind_of(whole(s.kinds[game, u]))
        best = DROPPED
        order = order_word(DISBAND, 0, 0)
        for i in range(retreat_options(game, u, s, a, w)):
            to = whole(w.open[i])
            space = whole(a.space_of[to])
            if targeted[space] >= 0:
                continue
            more = p.force[power, space] - _rival(power, space, p)
            value = _value(kind * count + to, season, g, p) + (more * mind[CROWD] >> 4)
            value = _with_noise(value, mind[NOISE], p)
            if value > best:
                best = value
                order = order_word(RETREAT, to, 0)
        orders[row, u] = order
        if order != order_word(DISBAND, 0, 0):
            targeted[a.space_of[target_of(order)]] = u


@inner
def order_adjustments(
    game: int,
    power: int,
    which: int,
    row: int,
    first: int,
    s: State,
    orders: Array,
    a: Arrays,
    g: ProximityTables,
    p: Sketch,
    w: Work,
) -> int:
    """Append the builds or removals of a power from column `first`; returns the next column.

    `look_round` and `take_stock` have been done.
    """
    mind = p.styles[which]
    due = w.powers[DUE, power]
    k = first
    if due == 0 or mind[STILL] != 0:
        return k  # the remaining removals are then made by civil disorder
    count = a.space_of.shape[0]
    room = orders.shape[1]
    what = p.units[WHAT]
    season = whole(SETTLED)
    _set_values(game, power, season, mind, s, a, p)
    if due < 0:
        n = _rank_removals(game, power, season, mind, s, a, g, p)
        for i in range(min(n, -due)):
            if k < room:
                orders[row, k] = order_word(REMOVE, what[i], 0)
                k += 1
        return k
    n = FIRST
    for c in range(a.size[CENTRES]):
        if s.owner[game, c] != power or not _is_open(game, c, power, s, a, w):
            continue
        for i in range(a.sites.shape[1]):
            kind = whole(a.sites[c, i, 0])
            if kind == NOWHERE or n >= what.shape[0] - 1:
                break
            to = whole(a.sites[c, i, 1])
            value = _with_noise(_value(kind * count + to, season, g, p), mind[NOISE], p)
            _place_in(n, value, order_word(BUILD, to, kind), p)
            n += 1
    targeted = p.spaces[TARGETED]
    targeted[:] = -1
    for i in range(n):
        to = target_of(what[i])
        space = whole(a.space_of[to])
        if due > 0 and targeted[space] < 0 and k < room:
            targeted[space] = 0
            orders[row, k] = what[i]
            k += 1
            due -= 1
    return k


@compile_inlined
def _rank_removals(
    game: int, power: int, season: int, mind: Array, s: State, a: Arrays, g: ProximityTables, p: Sketch
) -> int:
    """Rank the spaces of a power's units, the least valuable unit first; return their number."""
    count = a.space_of.shape[0]
    n = FIRST
    for u in range(whole(s.units[game])):
        if owner_of(s.kinds[game, u]) == power:
            here = whole(s.places[game, u])
            kind = kind_of(whole(s.kinds[game, u]))
            value = _with_noise(_value(kind * count + here, season, g, p), mind[NOISE], p)
            _place_in(n, -value, whole(a.space_of[here]), p)
            n += 1
    return n


@compile_inlined
def _is_open(game: int, c: int, power: int, s: State, a: Arrays, w: Work) -> bool:
    """Return True if a power may build in a centre that it owns."""
    anywhere = (a.size[OPTIONS] & ANYWHERE) != 0
    return (s.home[game, c] == power or anywhere) and w.claims[a.centre[c]] == 0


# Any phase


@compile_kernel
def order(
    game: int,
    first: int,
    last: int,
    which: Array,
    row: int,
    s: State,
    orders: Array,
    a: Arrays,
    g: ProximityTables,
    p: Sketch,
    w: Work,
) -> None:
    """Write the orders of powers `first` to `last` - 1, each with its style in `which` (int64[P]), to `orders[row]`.

    In movements and retreats they stand in the columns of the units; adjustments are a list from column 0, ended by 0.
    """
    kind = a.steps[s.step[game]]
    look_round(game, s, a, g, p)
    k = FIRST
    if kind == RETREATS:
        occupy(game, s, a, w)
    elif kind != MOVEMENT:
        take_stock(game, s, a, w)
    for power in range(first, last):
        if kind == MOVEMENT:
            order_movement(game, power, which[power], row, s, orders, a, g, p)
        elif kind == RETREATS:
            order_retreats(game, power, which[power], row, s, orders, a, g, p, w)
        else:
            k = order_adjustments(game, power, which[power], row, k, s, orders, a, g, p, w)
    if kind != MOVEMENT and kind != RETREATS and k < orders.shape[1]:  # noqa: PLR1714  # compares numbers, no tuples
        orders[row, k] = NONE
