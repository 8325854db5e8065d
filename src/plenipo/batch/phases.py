"""Whole games: the end of a movement, retreats, ownership, adjustments, and the calendar.

Orders of a retreat phase stand in the column of their unit. Those of an adjustment phase are a list in the order
given, ended by 0; each contains its power.
"""

from typing import NamedTuple

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
    highest,
    inlined_too,
    inner,
    popcount,
    rest,
    whole,
    word,
)
from plenipo.batch.kernel import Read
from plenipo.batch.kinds import MOST_KINDS, kind_of, owner_of, unit_word, way_row
from plenipo.batch.legal import draw_below
from plenipo.batch.packing import (
    BUILD,
    DISBAND,
    NONE,
    REMOVE,
    RETREAT,
    WAIVE,
    order_word,
    other_of,
    target_of,
    verb_of,
)
from plenipo.batch.results import REASONS, RESULTS, gather, mark_contested
from plenipo.batch.scratch import ATTACKERS, CONVOYED, DISLODGED, FAILED, HERE, MOVED, SPACE, TARGET, Scratch
from plenipo.batch.state import AFLOAT, NOT_KNOWN, State
from plenipo.batch.tables import NOBODY, NOWHERE, STEPS, Arrays, OptionBit, Size
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.outcome import Reason, Result

__all__ = [
    "BY_DISORDER",
    "BY_ORDER",
    "BY_RULE",
    "Work",
    "adjust",
    "after_movement",
    "draw_adjustments",
    "draw_retreats",
    "list_adjustments",
    "list_retreats",
    "next_phase",
    "occupy",
    "retreat",
    "retreat_options",
    "take_stock",
    "work",
]

MOVEMENT, RETREATS = STEPS.index(PhaseKind.MOVEMENT), STEPS.index(PhaseKind.RETREATS)
OWNERSHIP, ADJUSTMENTS = STEPS.index(PhaseKind.OWNERSHIP), STEPS.index(PhaseKind.ADJUSTMENTS)

GONE, WENT = RESULTS.index(Result.DISBANDED), RESULTS.index(Result.RETREATS)
BUILT, REMOVED = RESULTS.index(Result.BUILDS), RESULTS.index(Result.REMOVED)
WAIVED, VOID = RESULTS.index(Result.WAIVED), RESULTS.index(Result.VOID)
COLLIDED, ORDERED = REASONS.index(Reason.COLLIDED), REASONS.index(Reason.ORDERED)
NO_ORDER, ILLEGAL = REASONS.index(Reason.NO_ORDER), REASONS.index(Reason.ILLEGAL)

BY_ORDER, BY_DISORDER, BY_RULE = 254, 253, 252
"""In the column of a unit, beside 255 for one that stays: removed by order, or in civil disorder; built unordered."""

ORIGIN_CLOSED, DELAYED, DISORDER_BY_HOME = OptionBit.ORIGIN_CLOSED, OptionBit.DELAYED, OptionBit.DISORDER_BY_HOME
OCCUPIED, STARVING, PIECES, ANYWHERE = OptionBit.OCCUPIED, OptionBit.STARVING, OptionBit.PIECES, OptionBit.ANYWHERE
SPACES, CENTRES, POWERS, PLAYERS = Size.SPACES, Size.CENTRES, Size.POWERS, Size.PLAYERS
LEAD, OPTIONS, OPENING, FIRST_YEAR = Size.LEAD, Size.OPTIONS, Size.OPENING, Size.FIRST_YEAR

COUNTS, OWNED, DUE, USED, SITES = range(5)
"""Rows of `Work.powers`: units, centres owned, adjustments due, adjustments done, free sites; by power.

The last column is for no power and is never read: counting without a branch is faster.
"""


class Work(NamedTuple):
    """Working memory for the phases other than movement."""

    orders: Array
    """uint32[1, 64]: orders drawn for the game at hand."""
    powers: Array
    """int64[5, 256]."""
    held: Array
    """uint8[256]: the owner of a centre; the last is no centre."""
    claims: Array
    """int64[S]: the number of retreats to a space; or the unit in a space."""
    open: Array
    """uint16[64]: candidate places."""


def work(spaces: int) -> Work:
    """Allocate working memory for boards of so many spaces."""
    return Work(
        np.zeros((1, 64), np.uint32),
        np.zeros((5, NOBODY + 1), np.int64),
        np.zeros(NOBODY + 1, np.uint8),
        np.zeros(spaces, np.int64),
        np.zeros(64, np.uint16),
    )


# After a movement


@compile_inlined
def after_movement(game: int, s: State, a: Arrays, t: Read, z: Scratch, always: int) -> int:
    """Make the moves and mark the dislodged; return the number of units that must retreat.

    `always` records stand-offs in any case.
    """
    m, of, out = z
    moved = out[MOVED]
    dislodged = out[DISLODGED]
    at_sea = out[CONVOYED]
    if (dislodged != ZERO and out[FAILED] != ZERO) or always != 0:
        gather(a.size[SPACES], m, of, out)
        mark_contested(m, of, out, t, s.contested, game)
    elif dislodged != ZERO:
        for w in range(s.contested.shape[1]):
            s.contested[game, w] = ZERO
    x = moved
    while x != ZERO:
        u = ctz(x)
        x = rest(x)
        s.places[game, u] = of[TARGET, u]
    x = dislodged
    doomed = ZERO
    while x != ZERO:
        u = ctz(x)
        x = rest(x)
        by = ctz(m[ATTACKERS, of[SPACE, u]] & moved)
        by_sea = AFLOAT if (bit(by) & at_sea) != ZERO else 0
        s.came[game, u] = (1 + of[HERE, by]) | by_sea
        if a.lost[s.kinds[game, u], s.places[game, u]] != 0:
            doomed |= bit(u)
    left = popcount(dislodged & ~doomed)
    if doomed != ZERO:
        _strike(game, doomed, s)
    return left


@compile_inlined
def _strike(game: int, units: Word, s: State) -> None:
    """Remove units from the board, the one in the last column first."""
    while units != ZERO:
        u = highest(units)
        units &= ~bit(u)
        last = whole(s.units[game]) - 1
        s.kinds[game, u] = s.kinds[game, last]
        s.places[game, u] = s.places[game, last]
        s.came[game, u] = s.came[game, last]
        s.came[game, last] = 0
        s.units[game] = last


# Retreats


@compile_inlined
def _is_contested(game: int, space: int, s: State) -> bool:
    return ((s.contested[game, space >> 6] >> word(space & 63)) & ONE) != ZERO


@inlined_too
def occupy(game: int, s: State, a: Arrays, w: Work) -> None:
    """Set `claims` to 1 for the spaces with a unit that is not dislodged."""
    w.claims[:] = 0
    for u in range(whole(s.units[game])):
        if s.came[game, u] == 0:
            w.claims[a.space_of[s.places[game, u]]] = 1


@compile_inlined
def _may_retreat(game: int, u: int, to: int, s: State, a: Arrays, w: Work) -> bool:
    """Return whether a dislodged unit may go to a location; `claims` marks the occupied spaces."""
    kind = kind_of(whole(s.kinds[game, u]))
    here = whole(s.places[game, u])
    if ((a.step[way_row(kind, 0), here, to >> 6] >> word(to & 63)) & ONE) == ZERO:
        return False
    space = whole(a.space_of[to])
    if (w.claims[space] & 1) != 0 or _is_contested(game, space, s):
        return False
    came = whole(s.came[game, u])
    origin = (came & NOT_KNOWN) - 1
    if origin == NOT_KNOWN - 1 or ((came & AFLOAT) != 0 and (a.size[OPTIONS] & ORIGIN_CLOSED) == 0):
        return True
    return whole(a.space_of[origin]) != space


@inlined_too
def retreat_options(game: int, u: int, s: State, a: Arrays, w: Work) -> int:
    """List the retreats of a dislodged unit in `open` and return their number; `claims` marks occupied ones."""
    kind = kind_of(whole(s.kinds[game, u]))
    here = whole(s.places[game, u])
    count = 0
    for i in range(1, whole(a.near[kind, here, 0]) + 1):
        to = whole(a.near[kind, here, i])
        if _may_retreat(game, u, to, s, a, w):
            w.open[count] = to
            count += 1
    return count


@compile_kernel
def list_retreats(game: int, s: State, a: Arrays, w: Work, out: Array, start: Array) -> int:
    """List all legal retreat orders, packed, as `legal.list_orders` lists those of movement."""
    occupy(game, s, a, w)
    k = 0
    for u in range(whole(s.units[game])):
        start[u] = k
        if s.came[game, u] == 0:
            continue
        count = retreat_options(game, u, s, a, w)
        for i in range(count + 1):
            if k < out.shape[0]:
                out[k] = order_word(DISBAND, 0, 0) if i == count else order_word(RETREAT, whole(w.open[i]), 0)
            k += 1
    start[whole(s.units[game])] = k
    return k


@compile_inlined
def draw_retreats(game: int, s: State, a: Arrays, w: Work, q: Array) -> None:
    """Draw an order for each dislodged unit, its retreats and disbanding equally likely."""
    occupy(game, s, a, w)
    for u in range(whole(s.units[game])):
        if s.came[game, u] != 0:
            count = retreat_options(game, u, s, a, w)
            r = draw_below(q, count + 1)
            w.orders[0, u] = order_word(DISBAND, 0, 0) if r == count else order_word(RETREAT, whole(w.open[r]), 0)


@compile_inlined
def retreat(
    game: int,
    row: int,
    s: State,
    orders: Array,
    a: Arrays,
    w: Work,
    with_results: bool,  # noqa: FBT001  # compiled code knows no arguments by keyword alone
    results: Array,
    reasons: Array,
    fates: Array,
) -> None:
    """Adjudicate the retreats of one game; units without a legal order are disbanded, and so are those that collide."""
    occupy(game, s, a, w)
    count = whole(s.units[game])
    for u in range(count):
        if s.came[game, u] != 0:
            order = whole(orders[row, u])
            if verb_of(order) == RETREAT and _may_retreat(game, u, target_of(order), s, a, w):
                w.claims[a.space_of[target_of(order)]] += 2
    gone = ZERO
    for u in range(count):
        if with_results:
            fates[game, u] = 255
        if s.came[game, u] == 0:
            continue
        order = whole(orders[row, u])
        verb = verb_of(order)
        to = target_of(order)
        result = GONE
        reason = ORDERED if verb == DISBAND else NO_ORDER
        # two retreats to one space both fail; an occupied or closed space has no claim of 2
        if verb == RETREAT and w.claims[a.space_of[to]] >= 2 and _may_retreat(game, u, to, s, a, w):
            if w.claims[a.space_of[to]] == 2:
                result = WENT
                reason = ORDERED
                s.places[game, u] = to
                s.came[game, u] = 0
            else:
                reason = COLLIDED
        if result == GONE:
            gone |= bit(u)
        if with_results:
            results[game, u] = result
            reasons[game, u] = reason
            fates[game, u] = BY_ORDER if result == GONE else 255
    _strike(game, gone, s)


# Adjustments


@compile_inlined
def _is_site(game: int, c: int, power: int, s: State, a: Arrays) -> bool:
    """Return whether `power` may build in a centre that it owns, if that is vacant."""
    return s.home[game, c] == power or (a.size[OPTIONS] & ANYWHERE) != 0


@inlined_too
def take_stock(game: int, s: State, a: Arrays, w: Work) -> bool:
    """Compute the adjustments due to each power, into `powers`; return whether any power has orders to give."""
    occupy(game, s, a, w)
    p = w.powers
    players = a.size[PLAYERS]
    for i in range(players):
        p[COUNTS, i] = 0
        p[OWNED, i] = 0
        p[USED, i] = 0
        p[SITES, i] = 0
    for u in range(whole(s.units[game])):
        p[COUNTS, owner_of(s.kinds[game, u])] += 1
    ripe = s.ripe[game] if (a.size[OPTIONS] & DELAYED) != 0 else ~ZERO
    for c in range(a.size[CENTRES]):
        owner = whole(s.owner[game, c])
        p[OWNED, owner] += 1
        p[USED, owner] += whole((ripe >> word(c & 63)) & ONE)
        p[SITES, owner] += whole(_is_site(game, c, owner, s, a)) & whole(w.claims[a.centre[c]] == 0)
    busy = False
    keeps = USED if (a.size[OPTIONS] & STARVING) != 0 else OWNED
    for i in range(players):
        spare = p[keeps, i] - p[COUNTS, i]
        builds = min(max(0, p[USED, i] - p[COUNTS, i]), p[SITES, i])
        p[DUE, i] = spare if spare < 0 else builds
        p[USED, i] = 0
        busy |= p[DUE, i] != 0
    return busy


@compile_inlined
def _site(game: int, kind: int, to: int, s: State, a: Arrays, w: Work) -> int:
    """Return the power that may build a unit of a kind at a location, or -1; `claims` marks the occupied spaces."""
    space = whole(a.space_of[to])
    c = whole(a.centre_of[space])
    if c == NOBODY or w.claims[space] != 0:
        return -1
    owner = whole(s.owner[game, c])
    if owner == NOBODY or not _is_site(game, c, owner, s, a) or w.powers[DUE, owner] <= 0:
        return -1
    for i in range(a.sites.shape[1]):
        if a.sites[c, i, 0] == kind and a.sites[c, i, 1] == to:
            return owner
    return -1


@compile_inlined
def _raise(game: int, unit: int, to: int, s: State, a: Arrays, w: Work) -> None:
    """Add a unit at a vacant location."""
    new = whole(s.units[game])
    s.kinds[game, new] = unit
    s.places[game, new] = to
    s.came[game, new] = 0
    s.units[game] = new + 1
    w.claims[a.space_of[to]] = 1


@compile_kernel
def list_adjustments(game: int, s: State, a: Arrays, w: Work, out: Array, start: Array) -> int:
    """List all legal adjustment orders, packed: power `p` has `out[start[p]:start[p + 1]]`."""
    take_stock(game, s, a, w)
    k = 0
    room = out.shape[0]
    for p in range(a.size[PLAYERS]):
        start[p] = k
        due = w.powers[DUE, p]
        if due < 0:
            for u in range(whole(s.units[game])):
                if owner_of(s.kinds[game, u]) == p:
                    if k < room:
                        out[k] = order_word(REMOVE, whole(a.space_of[s.places[game, u]]), 0)
                    k += 1
        elif due > 0:
            for c in range(a.size[CENTRES]):
                for i in range(a.sites.shape[1]):
                    to = whole(a.sites[c, i, 1])
                    if to != NOWHERE and _site(game, whole(a.sites[c, i, 0]), to, s, a, w) == p:
                        if k < room:
                            out[k] = order_word(BUILD, to, whole(a.sites[c, i, 0]))
                        k += 1
            for i in range(1, due + 1):
                if k < room:
                    out[k] = order_word(WAIVE, i, p)
                k += 1
    start[a.size[PLAYERS]] = k
    return k


@compile_inlined
def draw_adjustments(game: int, s: State, a: Arrays, w: Work, q: Array) -> None:
    """Draw random orders: every possible build, at a random site and of a random kind; random removals."""
    take_stock(game, s, a, w)
    k = 0
    for p in range(a.size[PLAYERS]):
        due = w.powers[DUE, p]
        left = w.powers[COUNTS, p] if due < 0 else w.powers[SITES, p]
        while due < 0:
            nth = draw_below(q, left)
            left -= 1
            u = -1
            while nth >= 0:
                u += 1
                mine = owner_of(s.kinds[game, u]) == p and w.claims[a.space_of[s.places[game, u]]] == 1
                nth -= whole(mine)
            space = whole(a.space_of[s.places[game, u]])
            w.claims[space] = 2
            w.orders[0, k] = order_word(REMOVE, space, 0)
            k += 1
            due += 1
        while due > 0:
            nth = draw_below(q, left)
            left -= 1
            c = -1
            while nth >= 0:
                c += 1
                free = _is_site(game, c, p, s, a) and s.owner[game, c] == p and w.claims[a.centre[c]] == 0
                nth -= whole(free)
            ways = 0
            while ways < a.sites.shape[1] and a.sites[c, ways, 0] != NOWHERE:
                ways += 1
            if ways > 0:
                i = draw_below(q, ways)
                w.orders[0, k] = order_word(BUILD, whole(a.sites[c, i, 1]), whole(a.sites[c, i, 0]))
                k += 1
            w.claims[a.centre[c]] = 2
            due -= 1
    if k < w.orders.shape[1]:
        w.orders[0, k] = NONE


@inner
def _farthest(game: int, power: int, gone: Word, s: State, a: Arrays) -> int:
    """Return the unit a power loses in civil disorder (4.D.8), of those not in `gone`: the farthest, fleets first."""
    best = -1
    best_key = -1
    by_home = (a.size[OPTIONS] & DISORDER_BY_HOME) != 0
    spaces = a.size[SPACES]
    for u in range(whole(s.units[game])):
        if owner_of(s.kinds[game, u]) != power or (gone & bit(u)) != ZERO:
            continue
        kind = kind_of(whole(s.kinds[game, u]))
        here = whole(s.places[game, u])
        far = NOWHERE
        for c in range(a.size[CENTRES]):
            if (s.home[game, c] if by_home else s.owner[game, c]) == power:
                far = min(far, whole(a.far[kind, c, here]))
        key = ((far * MOST_KINDS + kind) * spaces) + spaces - 1 - whole(a.rank[a.space_of[here]])
        if key > best_key:
            best_key = key
            best = u
    return best


@compile_inlined
def adjust(
    game: int,
    row: int,
    s: State,
    orders: Array,
    a: Arrays,
    w: Work,
    with_results: bool,  # noqa: FBT001  # compiled code knows no arguments by keyword alone
    results: Array,
    reasons: Array,
    fates: Array,
) -> None:
    """Adjudicate adjustments of one game: the first legal orders count; civil disorder applies to the rest."""
    take_stock(game, s, a, w)
    p = w.powers
    count = whole(s.units[game])
    if with_results:
        for u in range(fates.shape[1]):
            fates[game, u] = 255
    gone = ZERO
    for i in range(orders.shape[1]):
        order = whole(orders[row, i])
        if verb_of(order) == NONE:
            break
        result, reason, removed = _follow_order(game, order, count, gone, s, a, w)
        if removed >= 0:
            gone |= bit(removed)
        if with_results:
            results[game, i] = result
            reasons[game, i] = reason
            if removed >= 0:
                fates[game, removed] = BY_ORDER
    built = whole(a.required[s.step[game]])
    if built != NOBODY:
        _build_by_rule(game, built, s, a, w, with_results, fates)
    for power in range(a.size[PLAYERS]):
        while p[USED, power] > p[DUE, power]:
            u = _farthest(game, power, gone, s, a)
            gone |= bit(u)
            p[USED, power] -= 1
            if with_results:
                fates[game, u] = BY_DISORDER
    _strike(game, gone, s)


@compile_inlined
def _follow_order(game: int, order: int, count: int, gone: Word, s: State, a: Arrays, w: Work) -> tuple[int, int, int]:
    """Carry out an adjustment order if it is legal; return its result and reason, and the unit removed by it or -1."""
    p = w.powers
    verb, to = verb_of(order), target_of(order)
    if verb == BUILD:
        kind = other_of(order)
        power = _site(game, kind, to, s, a, w)
        if power >= 0 and p[USED, power] < p[DUE, power] and whole(s.units[game]) < s.kinds.shape[1]:
            p[USED, power] += 1
            _raise(game, unit_word(power, kind), to, s, a, w)
            return BUILT, ORDERED, -1
    elif verb == WAIVE:
        power = other_of(order)
        if power < a.size[PLAYERS] and p[USED, power] < p[DUE, power]:
            p[USED, power] = min(p[DUE, power], p[USED, power] + to)
            return WAIVED, ORDERED, -1
    elif verb == REMOVE:
        for u in range(count):
            power = owner_of(whole(s.kinds[game, u]))
            here = whole(a.space_of[s.places[game, u]])
            if here == to and (gone & bit(u)) == ZERO and p[USED, power] > p[DUE, power]:
                p[USED, power] -= 1
                return REMOVED, ORDERED, u
    return VOID, ILLEGAL, -1


@compile_inlined
def _build_by_rule(
    game: int,
    built: int,
    s: State,
    a: Arrays,
    w: Work,
    with_results: bool,  # noqa: FBT001  # compiled code knows no arguments by keyword alone
    fates: Array,
) -> None:
    """Build units of type `built` in the free home centres of powers that have builds left, where a rule says so."""
    p = w.powers
    for i in range(a.size[CENTRES]):
        c = whole(a.listed[i])
        power = _site(game, built, whole(a.centre[c]), s, a, w)
        new = whole(s.units[game])
        if power >= 0 and s.home[game, c] == power and p[USED, power] < p[DUE, power] and new < s.kinds.shape[1]:
            p[USED, power] += 1
            _raise(game, unit_word(power, built), whole(a.centre[c]), s, a, w)
            if with_results:
                fates[game, new] = BY_RULE


# The calendar


@compile_inlined
def _settle(game: int, s: State, a: Arrays, w: Work) -> None:
    """Transfer centres, fix homes where the date has come, and check for victory."""
    held = w.held
    players = a.size[PLAYERS]
    # the score that decides victory
    counts = w.powers[COUNTS]
    for i in range(players):
        counts[i] = 0
    pieces = (a.size[OPTIONS] & PIECES) != 0
    standing = ZERO
    for c in range(a.size[CENTRES]):
        held[c] = s.owner[game, c]
    for u in range(whole(s.units[game])):
        power = owner_of(whole(s.kinds[game, u]))
        c = whole(a.centre_of[a.space_of[s.places[game, u]]])
        counts[power] += whole(pieces)
        c = c if power < players else NOBODY
        held[c] = power
        standing |= word(c != NOBODY) << word(c & 63)
    ripe = ZERO
    old = s.ripe[game] | standing if (a.size[OPTIONS] & OCCUPIED) != 0 else ~ZERO
    for c in range(a.size[CENTRES]):
        before, now = s.owner[game, c], held[c]
        s.owner[game, c] = now
        counts[now] += whole(not pieces)
        ripe |= word(before == now and now != NOBODY) << word(c & 63)
    s.ripe[game] = ripe & old
    for i in range(a.homes_fixed.shape[0]):
        if a.homes_fixed[i, 0] == s.step[game] and a.homes_fixed[i, 1] == s.year[game]:
            for c in range(a.size[CENTRES]):
                s.home[game, c] = held[c]
    for power in range(players):
        if counts[power] >= a.enough[power]:
            first = True
            for other in range(players):
                first &= other == power or counts[other] + a.size[LEAD] <= counts[power]
            if first:
                s.winner[game] = power


@compile_inlined
def _can_retreat(game: int, s: State, a: Arrays, w: Work) -> bool:
    """Return whether any dislodged unit can retreat; if none can, remove them from the board."""
    occupy(game, s, a, w)
    beaten = ZERO
    for u in range(whole(s.units[game])):
        if s.came[game, u] != 0:
            if retreat_options(game, u, s, a, w) > 0:
                return True
            beaten |= bit(u)
    _strike(game, beaten, s)
    return False


@compile_inlined
def next_phase(game: int, s: State, a: Arrays, w: Work, retreating: int) -> None:
    """Advance to the next step in which a power has orders to give, or to the end of the game."""
    steps = a.steps.shape[0]
    for _ in range(4 * steps):
        step = whole(s.step[game]) + 1
        if step == a.size[OPENING]:
            s.year[game] = a.size[FIRST_YEAR]
        elif step == steps:
            step = a.size[OPENING]
            s.year[game] += 1
        s.step[game] = step
        kind = a.steps[step]
        if kind == MOVEMENT or (kind == RETREATS and retreating > 0 and _can_retreat(game, s, a, w)):
            return
        if kind == OWNERSHIP:
            _settle(game, s, a, w)
            if s.winner[game] != NOBODY:
                return
        elif kind == ADJUSTMENTS and take_stock(game, s, a, w):
            return
