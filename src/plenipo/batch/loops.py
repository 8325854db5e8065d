"""The entry points from Python: compiled loops over games."""

from plenipo.batch.bits import (
    FIRST,
    ONE,
    ZERO,
    Array,
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
from plenipo.batch.kernel import Read, resolve
from plenipo.batch.kinds import kind_of, owner_of, way_row
from plenipo.batch.legal import INFO, draw_below, draw_orders, list_orders
from plenipo.batch.packing import (
    BUILD,
    CONVOY,
    DISBAND,
    HOLD,
    ILLEGAL,
    MOVE,
    NONE,
    REMOVE,
    RETREAT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    WAIVE,
    mark_of,
    order_word,
    other_of,
    target_of,
    verb_of,
)
from plenipo.batch.phases import (
    ADJUSTMENTS,
    MOVEMENT,
    RETREATS,
    Work,
    adjust,
    after_movement,
    draw_adjustments,
    draw_retreats,
    list_adjustments,
    list_retreats,
    next_phase,
    retreat,
)
from plenipo.batch.results import write_results
from plenipo.batch.scratch import BROKEN, CUT, DISLODGED, FAILED, GIVEN, MOVED, PARADOX, Scratch
from plenipo.batch.state import State
from plenipo.batch.tables import NOBODY, NOWHERE, Arrays, Size

__all__ = [
    "ATTACK",
    "DRAWN",
    "GIVEN_ORDERS",
    "LOGGED",
    "PASSIVE",
    "RANDOM",
    "SETS",
    "STAYING",
    "TALLY",
    "WITH_RESULTS",
    "begin",
    "check",
    "list_all",
    "resolve_all",
    "run",
    "stand",
    "stand_in",
]

GIVEN_ORDERS, DRAWN, WITH_RESULTS, LOGGED, STAYING = 0, 1, 2, 4, 8
"""Flags of `run`.

Orders are given, or drawn; results are written; drawn orders are logged; the game does not advance to its next phase.
With results or logged, and where orders are given, one phase is adjudicated; otherwise `movements` movements.
"""

RANDOM, PASSIVE, ATTACK = range(3)
"""Policies of powers: any legal order, all equally likely; hold; move towards the nearest centre of another power."""

TALLY = ("movements", "units", "moved", "dislodged", "retreats", "adjustments")
"""The counts: movements, units in them, moves that succeeded, units dislodged, retreat phases, adjustments."""

SETS = ("moved", "failed", "given", "cut", "broken", "paradox", "dislodged")
"""The columns that `resolve_all` writes: moves that succeeded and failed, supports given and cut, moves whose route
was broken or missing, those of them in a paradox, units dislodged."""

SPACES, LOCATIONS, CENTRES, PLAYERS, KINDS = Size.SPACES, Size.LOCATIONS, Size.CENTRES, Size.PLAYERS, Size.KINDS


@compile_inlined
def _well_formed(order: int, kind: int, size: Array) -> bool:
    """Return whether a packed order names only existing things and belongs to a phase of this kind."""
    verb = verb_of(order)
    to = target_of(order)
    of = other_of(order)
    if verb in (NONE, HOLD, DISBAND, ILLEGAL):
        fine = to == 0 and of == 0
    elif verb == SUPPORT_HOLD:
        fine = to == of and of < size[SPACES]
    elif verb == SUPPORT_MOVE:
        fine = to < size[LOCATIONS] and of < size[SPACES]
    elif verb == CONVOY:
        fine = to < size[SPACES] and of < size[SPACES]
    elif verb == REMOVE:
        fine = to < size[SPACES] and of == 0
    elif verb == WAIVE:
        fine = to > 0 and of < size[PLAYERS]
    elif verb == BUILD:
        fine = to < size[LOCATIONS] and of < size[KINDS]
    else:
        fine = to < size[LOCATIONS] and of == 0 and verb in (MOVE, RETREAT)
    if mark_of(order) != 0:
        fine &= verb == MOVE and mark_of(order) == 1
    if kind == MOVEMENT:
        fine &= verb <= CONVOY or verb == ILLEGAL
    elif kind == RETREATS:
        fine &= verb in (RETREAT, DISBAND, NONE, ILLEGAL)
    elif kind == ADJUSTMENTS:
        fine &= verb > DISBAND or verb == NONE
    return fine


@compile_kernel
def check(s: State, orders: Array, a: Arrays) -> int:
    """Return the index, game * columns + column, of the first order that is not well formed; -1 if all are."""
    columns = orders.shape[1]
    for game in range(orders.shape[0]):
        kind = whole(a.steps[s.step[game]])
        used = columns if kind == ADJUSTMENTS else whole(s.units[game])
        if s.winner[game] != NOBODY:
            continue
        for u in range(used):
            if not _well_formed(whole(orders[game, u]), kind, a.size):
                return game * columns + u
    return -1


@compile_kernel
def resolve_all(first: int, last: int, s: State, orders: Array, t: Read, z: Scratch, sets: Array) -> None:
    """Write the sets of `SETS` for the movement of games `first` to `last` - 1; the games stay as they are."""
    m, of, out = z
    for game in range(first, last):
        resolve(game, game, whole(s.units[game]), s.kinds, s.places, orders, t, m, of, out)
        sets[game, 0] = out[MOVED]
        sets[game, 1] = out[FAILED]
        sets[game, 2] = out[GIVEN]
        sets[game, 3] = out[CUT]
        sets[game, 4] = out[BROKEN]
        sets[game, 5] = out[PARADOX]
        sets[game, 6] = out[DISLODGED]


@compile_kernel
def list_all(
    first: int,
    last: int,
    s: State,
    a: Arrays,
    w: Work,
    q: Array,
    land: Array,
    out: Array,
    start: Array,
) -> int:
    """List the legal orders of games `first` to `last` - 1, one after the other; return their number.

    Column `u` of `start` is the first index of unit `u` (in an adjustment phase, of power `u`). If `out` is too
    short, the rest is counted and not written.
    """
    total = 0
    columns = start.shape[1]
    for game in range(first, last):
        kind = a.steps[s.step[game]]
        row = start[game]
        rest_of = out[min(total, out.shape[0]) :]
        used = whole(s.units[game])
        listed = 0
        if s.winner[game] != NOBODY:
            used = 0
            row[0] = 0
        elif kind == MOVEMENT:
            listed = list_orders(game, used, s.kinds, s.places, a, q, land, rest_of, row)
        elif kind == RETREATS:
            listed = list_retreats(game, s, a, w, rest_of, row)
        else:
            listed = list_adjustments(game, s, a, w, rest_of, row)
            used = whole(a.size[PLAYERS])
        for i in range(used + 1):
            row[i] += total
        total += listed
        for i in range(used + 1, columns):
            row[i] = total
    return total


@inner
def _follow(game: int, policies: Array, s: State, a: Arrays, w: Work, q: Array) -> None:
    """Replace the orders drawn for units of powers that follow a policy."""
    for u in range(whole(s.units[game])):
        power = owner_of(whole(s.kinds[game, u]))
        policy = policies[power]
        if policy == PASSIVE:
            w.orders[0, u] = order_word(HOLD, 0, 0)
        elif policy == ATTACK and draw_below(q, 4) != 0:
            kind = kind_of(whole(s.kinds[game, u]))
            here = whole(s.places[game, u])
            best = _away(game, power, kind, here, s, a)
            order = order_word(HOLD, 0, 0)
            ties = 1
            for i in range(1, whole(a.near[kind, here, 0]) + 1):
                to = whole(a.near[kind, here, i])
                far = _away(game, power, kind, to, s, a)
                if far == best:
                    ties += 1
                if far < best or (far == best and draw_below(q, ties) == 0):
                    if far < best:
                        ties = 1
                    best = far
                    order = order_word(MOVE, to, 0)
            w.orders[0, u] = order


@inner
def _away(game: int, power: int, kind: int, place: int, s: State, a: Arrays) -> int:
    """Return the distance of a location from the nearest centre that a power does not own."""
    far = NOWHERE
    for c in range(a.size[CENTRES]):
        if s.owner[game, c] != power:
            far = min(far, whole(a.far[kind, c, place]))
    return far


@inner
def stand_in(game: int, row: int, orders: Array, s: State, a: Arrays, z: Scratch) -> None:
    """Give units of unplayed powers their standing orders, if the other unit is there and within reach."""
    at = z.m[0]
    nobody = ZERO
    for i in range(a.size[SPACES]):
        at[i] = ZERO
    for u in range(whole(s.units[game])):
        if owner_of(s.kinds[game, u]) >= a.size[PLAYERS]:
            at[a.space_of[s.places[game, u]]] = ONE
            nobody |= bit(u)
    while nobody != ZERO:
        u = ctz(nobody)
        nobody = rest(nobody)
        order = whole(a.standing[a.space_of[s.places[game, u]]])
        if verb_of(order) == SUPPORT_HOLD:
            to = target_of(order)
            kind = kind_of(whole(s.kinds[game, u]))
            near = (a.step[way_row(kind, 1), whole(s.places[game, u]), to >> 6] >> word(to & 63)) & ONE
            if at[to] == ZERO or near == ZERO:
                order = NONE
        orders[row, u] = order


@compile_kernel
def stand(s: State, orders: Array, a: Arrays, z: Scratch) -> None:
    """Overwrite the orders of units of unplayed powers in `orders` with their standing orders."""
    for game in range(orders.shape[0]):
        if a.steps[s.step[game]] == MOVEMENT and s.winner[game] == NOBODY:
            stand_in(game, game, orders, s, a, z)


@compile_kernel
def run(
    first: int,
    last: int,
    movements: int,
    marks: int,
    policies: Array,
    s: State,
    orders: Array,
    a: Arrays,
    t: Read,
    z: Scratch,
    w: Work,
    q: Array,
    land: Array,
    results: Array,
    reasons: Array,
    fates: Array,
    tally: Array,
) -> None:
    """Adjudicate phases of games `first` to `last` - 1 and advance each to its next phase; see the flags above."""
    draws = (marks & DRAWN) != 0
    with_results = (marks & WITH_RESULTS) != 0
    once = marks != DRAWN
    scripted = False
    for i in range(policies.shape[0]):
        scripted |= policies[i] != RANDOM
    unplayed = a.size[PLAYERS] < policies.shape[0]
    m, of, out = z
    for game in range(first, last):
        done = 0
        q[INFO, 1] = s.chance[game]
        while s.winner[game] == NOBODY and done < movements:
            kind = a.steps[s.step[game]]
            count = whole(s.units[game])
            rows = w.orders if draws else orders
            row = 0 if draws else game
            if draws:
                if kind == MOVEMENT:
                    draw_orders(game, 0, count, s.kinds, s.places, a, q, land, w.orders)
                    if scripted:
                        _follow(game, policies, s, a, w, q)
                elif kind == RETREATS:
                    draw_retreats(game, s, a, w, q)
                else:
                    draw_adjustments(game, s, a, w, q)
            if draws and unplayed and kind == MOVEMENT:
                stand_in(game, row, rows, s, a, z)
            if (marks & LOGGED) != 0:
                for u in range(orders.shape[1]):
                    orders[game, u] = rows[row, u] if kind == ADJUSTMENTS or u < count else 0
            retreating = 0
            if kind == MOVEMENT:
                resolve(game, row, count, s.kinds, s.places, rows, t, m, of, out)
                tally[0] += 1
                tally[1] += count
                tally[2] += popcount(out[MOVED])
                tally[3] += popcount(out[DISLODGED])
                if with_results:
                    write_results(game, row, count, s.places, rows, t, m, of, out, results, reasons, fates)
                retreating = after_movement(game, s, a, t, z, marks & WITH_RESULTS)
                s.played[game] += 1
                done += 1
            elif kind == RETREATS:
                retreat(game, row, s, rows, a, w, with_results, results, reasons, fates)
                tally[4] += 1
            else:
                adjust(game, row, s, rows, a, w, with_results, results, reasons, fates)
                tally[5] += 1
            if (marks & STAYING) == 0:
                next_phase(game, s, a, w, retreating)
            if once:
                break
        s.chance[game] = q[INFO, 1]


@compile_kernel
def begin(s: State, a: Arrays, w: Work) -> None:
    """Advance every game from a step without orders."""
    for game in range(s.step.shape[0]):
        next_phase(game, s, a, w, FIRST)
