"""Movement: the success of the orders of one position, decided on sets of units.

The questions are those of `plenipo.engine.phases.movement`: does a move succeed, is a support given, is a route
unbroken.
Each is two sets of units, those decided yes and those decided no, and is narrowed from the minimum and maximum of the
strengths (DATC 3.0, chapter 5.B) until nothing changes. Circular dependencies that remain are settled by `paradoxes`.
A move whose route fails for good is taken out of `ATTACKERS`, as it has no effect at all.
"""

from typing import NamedTuple

from plenipo.batch.bits import ONE, ZERO, Array, Word, bit, compile_inlined, ctz, inner, rest, whole, word
from plenipo.batch.kinds import RoleRow, kind_of, owner_of, way_row
from plenipo.batch.packing import (
    CONVOY,
    MOVE,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    mark_of,
    other_of,
    target_of,
    verb_of,
)
from plenipo.batch.paradoxes import settle_circles
from plenipo.batch.routes import PORT, can_land, flood, is_needed
from plenipo.batch.scratch import (
    AT,
    ATTACKERS,
    BROKEN,
    BY,
    BY_SEA_OR_LAND,
    CARGO,
    CARRIERS,
    CIRCLE,
    CONVOYED,
    CONVOYING,
    CROSSERS,
    CUT,
    DEST,
    DISLODGED,
    FAILED,
    FLEETS,
    GIVEN,
    HERE,
    ILLEGAL_MOVES,
    MOVED,
    MOVERS,
    OF_KIND,
    OF_POWER,
    OPEN_ROUTES,
    OWNER,
    PARADOX,
    ROUTED,
    SAILING,
    SPACE,
    SPARED,
    SUPPORTERS,
    SUPPORTING,
    TARGET,
    WALK,
    WALKING,
    WEIGHT,
)
from plenipo.batch.tables import Arrays, OptionBit, Size

__all__ = ["Read", "coasts_reached", "resolve", "weigh"]

ATTACK, PREVENT, DEFEND, STAND = map(whole, range(4))
"""Rows of the weights: the uses of strength; a supporter's row is four further on."""

HELPING = 4

ANY_BREAKS, SPARE_1971, SPARE_1982, SPARE_2000 = (
    OptionBit.ANY_BREAKS,
    OptionBit.SPARE_1971,
    OptionBit.SPARE_1982,
    OptionBit.SPARE_2000,
)
OPPOSITE_WAY, OR_LAND, EXPLICIT = OptionBit.OPPOSITE_WAY, OptionBit.OR_LAND, OptionBit.EXPLICIT
ORIGIN_CUTS, PASSED_IS_OUT, COAST_NEEDED = OptionBit.ORIGIN_CUTS, OptionBit.PASSED_IS_OUT, OptionBit.COAST_NEEDED
SPARE_ANY = SPARE_1971 | SPARE_1982 | SPARE_2000
SPACES, SEAS, POWERS, OPTIONS = Size.SPACES, Size.SEAS, Size.POWERS, Size.OPTIONS
KINDS, CLASSES = Size.KINDS, Size.CLASSES
SAILS, IS_CARGO, CARRIES, CLASS, CARRIED_BY = (
    RoleRow.SAILS,
    RoleRow.IS_CARGO,
    RoleRow.CARRIES,
    RoleRow.CLASS,
    RoleRow.CARRIED_BY,
)


class Read(NamedTuple):
    """The tables that movement reads; only a few, since each is passed as seven words."""

    space_of: Array
    step: Array
    water: Array
    coasts: Array
    convoy_ways: Array
    crossings: Array
    weights: Array
    ways: Array
    roles: Array
    stands: Array
    size: Array

    @classmethod
    def of(cls, arrays: Arrays) -> "Read":
        """Select them from all tables."""
        return cls(
            arrays.space_of,
            arrays.step,
            arrays.water,
            arrays.coasts,
            arrays.convoy_ways,
            arrays.crossings,
            arrays.weights,
            arrays.ways,
            arrays.roles,
            arrays.stands,
            arrays.size,
        )


@compile_inlined
def weigh(units: Word, of: Array, weights: Array, use: int) -> int:
    """Return the total strength of `units`, always from the table: switching to counting bits costs more."""
    total = 0
    while units != ZERO:
        total += weights[use, of[WEIGHT, ctz(units)]]
        units = rest(units)
    return total


class Given(NamedTuple):
    """The orders of a position as sets of units: those that move, ask for a convoy, could go on foot, and so on."""

    moving: Word
    asked: Word
    foot: Word
    supporting: Word
    in_place: Word
    convoying: Word
    afloat: Word
    seas: Word
    """The seas with a unit, as a set of spaces."""


class Kinds(NamedTuple):
    """The units that go by sea, those that can be convoyed, and those that convoy."""

    sailing: Word
    cargo: Word
    carrying: Word


class LegalMoves(NamedTuple):
    """The legal moves: all, those by sea, those by sea unless their route breaks, and those with a complete route."""

    movers: Word
    by_sea: Word
    either: Word
    routed: Word
    seas: Word
    """The seas of the fleets that convoy any of them."""


class Decided(NamedTuple):
    """The answers so far: moves that succeed and fail, supports given and cut, routes intact and broken."""

    yes: Word
    no: Word
    given: Word
    cut: Word
    intact: Word
    broken: Word


# The stages are functions for the reader's sake, and for Numba's, which takes longer than in proportion to length.
@compile_inlined
def resolve(
    game: int,
    row: int,
    count: int,
    kinds: Array,
    places: Array,
    orders: Array,
    t: Read,
    m: Array,
    of: Array,
    out: Array,
) -> None:
    """Adjudicate the movement of one game.

    `kinds` (see `plenipo.batch.kinds`) and `places` (locations) have a row per game and a column per unit, of which the
    first `count` are read. `orders` (packed) has the same columns, and the game has row `row`. The results are sets of
    units in `out` and numbers by unit in `of`; see `plenipo.batch.scratch`. Orders must be well formed; illegal ones
    count as none.
    """
    asked = _read_orders(game, row, count, kinds, places, orders, t, m, of)
    sorts = _sort_kinds(asked, t, m, of)
    asked, movers = _find_movers(asked, sorts.cargo, t, m, of)
    convoys, loaded, own_convoy = _match_convoys(row, orders, asked.convoying, movers & sorts.cargo, t, m, of)
    moves = _find_routes(asked, movers, sorts.cargo, loaded, own_convoy, t, m, of)
    broken = moves.by_sea & ~moves.routed
    _send(movers & ~broken, m, of)
    matched, given = _match_supports(game, row, places, orders, asked, sorts, movers, t, m, of)
    spare = (t.size[OPTIONS] & SPARE_ANY) != 0 and moves.routed != ZERO
    if spare:
        _spare_supports(matched & ~given, asked.in_place, sorts.carrying, moves, t, m, of)
    walking = movers & ~(moves.by_sea | moves.either)
    _strengthen(matched | walking, t, m, of)
    if t.crossings.shape[0] > 0:
        _cross(count, movers, t, m, of)
    d = Decided(_find_unopposed(walking, t, m, of), broken, given, ZERO, ZERO, broken)
    out[MOVERS] = movers
    out[PARADOX] = ZERO
    circles = ZERO
    while True:
        open_supports = matched & ~(d.given | d.cut)
        open_routes = moves.routed & ~(d.intact | d.broken)
        open_moves = movers & ~(d.yes | d.no)
        if (open_supports | open_routes | open_moves) == ZERO:
            break
        before = d
        d = _decide_supports(open_supports, spare, moves, d, t, m, of)
        d = _decide_routes(open_routes, moves.by_sea, d, t, m, of)
        d = _decide_moves(open_moves & ~d.no, moves, d, t, m, of)
        if _is_same(before, d):  # only circular dependencies are left
            out[OPEN_ROUTES] = open_routes
            settle_circles(open_moves, open_supports, t.crossings.shape[0], t.size[SPACES], m, of, out)
            circles |= out[CIRCLE]
            d = _break(moves.by_sea, d, m, of, out)
    out[CIRCLE] = circles
    out[SUPPORTING] = asked.supporting
    out[CONVOYING] = convoys
    out[SAILING] = sorts.sailing
    out[CARGO] = sorts.cargo
    out[ILLEGAL_MOVES] = asked.moving & ~movers
    _write_sets(moves, d, m, of, out)


@compile_inlined
def _read_orders(
    game: int, row: int, count: int, kinds: Array, places: Array, orders: Array, t: Read, m: Array, of: Array
) -> Given:
    """Read every unit and its order in one pass without branches: differences between orders become sets."""
    for i in range(t.size[SPACES]):
        m[AT, i] = ZERO
        m[ATTACKERS, i] = ZERO
    for i in range(t.size[POWERS]):
        m[OF_POWER, i] = ZERO
    for i in range(t.size[KINDS]):
        m[OF_KIND, i] = ZERO
    seas = t.size[SEAS]
    seas_taken = ZERO
    afloat = ZERO
    moving = ZERO
    asked = ZERO
    foot = ZERO
    supporting = ZERO
    in_place = ZERO
    convoying = ZERO
    for u in range(count):
        b = bit(u)
        here = whole(places[game, u])
        space = whole(t.space_of[here])
        unit = whole(kinds[game, u])
        kind = kind_of(unit)
        owner = owner_of(unit)
        order = whole(orders[row, u])
        verb = verb_of(order)
        target = target_of(order)
        m[AT, space] = b
        m[OF_POWER, owner] |= b
        m[SUPPORTERS, u] = ZERO
        m[CARRIERS, u] = ZERO
        of[HERE, u] = here
        of[SPACE, u] = space
        of[TARGET, u] = target
        of[DEST, u] = t.space_of[target]
        of[OWNER, u] = owner
        of[WEIGHT, u] = unit
        shift = word(u)
        at_sea_now = word(space < seas)
        seas_taken |= at_sea_now << word(space & 63)
        afloat |= at_sea_now << shift
        m[OF_KIND, kind] |= b
        goes = word(verb == MOVE)
        moving |= goes << shift
        asked |= (word(mark_of(order)) & goes) << shift
        foot |= ((t.step[way_row(kind, 0), here, target >> 6] >> word(target & 63)) & goes) << shift
        in_place |= word(verb == SUPPORT_HOLD) << shift
        supporting |= word((verb == SUPPORT_HOLD) | (verb == SUPPORT_MOVE)) << shift
        convoying |= word(verb == CONVOY) << shift
    return Given(moving, asked, foot, supporting, in_place, convoying, afloat, seas_taken)


@compile_inlined
def _sort_kinds(g: Given, t: Read, m: Array, of: Array) -> Kinds:
    """Sort the units by their roles; for each class of convoyed units, note the seas of the fleets for it."""
    roles = t.roles
    sailing = ZERO
    cargo = ZERO
    carrying = ZERO
    for k in range(t.size[KINDS]):
        of_kind = m[OF_KIND, k]
        sailing |= of_kind if roles[SAILS, k] != 0 else ZERO
        cargo |= of_kind if roles[IS_CARGO, k] != 0 else ZERO
        carrying |= of_kind if roles[CARRIES, k] != 0 else ZERO
    for i in range(t.size[CLASSES]):
        x = g.afloat
        for k in range(t.size[KINDS]):
            if (roles[CARRIES, k] >> i) & 1 != 0:
                x &= ~m[OF_KIND, k]
        fleets = g.seas
        while x != ZERO:  # units at sea that carry nothing of this class
            fleets &= ~bit(of[SPACE, ctz(x)])
            x = rest(x)
        m[FLEETS, i] = fleets
    return Kinds(sailing, cargo, carrying)


@compile_inlined
def _find_movers(g: Given, cargo: Word, t: Read, m: Array, of: Array) -> tuple[Given, Word]:
    """Return the legal moves, and the orders without illegal ones: on foot, or by sea if fleets could convoy."""
    movers = g.foot & ~g.asked
    x = g.moving & cargo & ~movers
    asked = g.asked & cargo
    while x != ZERO:
        u = ctz(x)
        b = bit(u)
        x = rest(x)
        kind = kind_of(of[WEIGHT, u])
        if of[TARGET, u] >= t.size[SPACES] or of[DEST, u] == of[SPACE, u] or not can_land(kind, of[DEST, u], t.stands):
            continue
        fleets = m[FLEETS, t.roles[CLASS, kind]]
        carried = (flood(t.water[PORT, of[SPACE, u]], fleets, t.water) & t.water[PORT, of[DEST, u]]) != ZERO
        if carried:
            movers |= b
        elif (g.foot & b) != ZERO and (t.size[OPTIONS] & (OPPOSITE_WAY | OR_LAND)) != 0:
            movers |= b
            asked &= ~b
    known = Given(g.moving, asked & movers, g.foot & movers, g.supporting, g.in_place, g.convoying, g.afloat, g.seas)
    return known, movers


@compile_inlined
def _match_convoys(
    row: int, orders: Array, convoying: Word, loads: Word, t: Read, m: Array, of: Array
) -> tuple[Word, Word, Word]:
    """Return the convoys that match one of the moves `loads`, those moves, and those that their own power convoys.

    The fleet must be needed on some chain of fleets on the board.
    """
    loaded = ZERO
    own_convoy = ZERO
    convoys = ZERO
    x = convoying
    while x != ZERO:
        u = ctz(x)
        b = bit(u)
        x = rest(x)
        vb = m[AT, other_of(whole(orders[row, u]))]
        space = of[SPACE, u]
        if (vb & loads) == ZERO or space >= t.size[SEAS]:
            continue
        v = ctz(vb)
        if (
            of[TARGET, v] != of[TARGET, u]
            or (t.roles[CARRIED_BY, kind_of(of[WEIGHT, v])] >> kind_of(of[WEIGHT, u])) & 1 == 0
        ):
            continue
        fleets = m[FLEETS, t.roles[CLASS, kind_of(of[WEIGHT, v])]]
        if is_needed(space, t.water[PORT, of[SPACE, v]], t.water[PORT, of[DEST, v]], fleets, t.water, m[WALK:]):
            m[CARRIERS, v] |= bit(space)
            loaded |= vb
            convoys |= b
            if of[OWNER, u] == of[OWNER, v]:
                own_convoy |= vb
    return convoys, loaded, own_convoy


@compile_inlined
def _find_carriers(u: int, t: Read, m: Array, of: Array) -> Word:
    """Return the seas of the ordered fleets that are needed to convoy a unit; none if they make no chain."""
    start = t.water[PORT, of[SPACE, u]]
    end = t.water[PORT, of[DEST, u]]
    ordered = m[CARRIERS, u]
    carriers = ZERO
    if (ordered & start & end) != ZERO or (flood(start, ordered, t.water) & end) != ZERO:
        y = ordered
        while y != ZERO:
            sea = ctz(y)
            y = rest(y)
            if is_needed(sea, start, end, ordered, t.water, m[WALK:]):
                carriers |= bit(sea)
    return carriers


@compile_inlined
def _find_routes(
    g: Given, movers: Word, cargo: Word, loaded: Word, own_convoy: Word, t: Read, m: Array, of: Array
) -> LegalMoves:
    """Decide which moves go by land and which by sea (policy 4.A.3), and which of the ordered fleets carry them."""
    option = t.size[OPTIONS]
    by_sea = ZERO
    either = ZERO
    routed = ZERO
    convoyed_seas = ZERO
    x = (movers & (g.asked | ~g.foot) & cargo) | loaded
    while x != ZERO:
        u = ctz(x)
        b = bit(u)
        x = rest(x)
        carriers = _find_carriers(u, t, m, of)
        m[CARRIERS, u] = carriers
        convoyed_seas |= carriers
        sea_only = (g.foot & b) == ZERO
        if carriers != ZERO:
            for i in range(t.convoy_ways.shape[0]):
                sea_only |= (t.convoy_ways[i, 0] == of[SPACE, u]) & (t.convoy_ways[i, 1] == of[DEST, u])
        if sea_only:
            by_sea |= b
        elif (option & OPPOSITE_WAY) != 0:
            vb = m[AT, of[DEST, u]] & movers
            if (carriers != ZERO) & (vb != ZERO) and of[DEST, ctz(vb)] == of[SPACE, u]:
                either |= b
        elif (g.asked & b) != ZERO or ((own_convoy & b) != ZERO and (option & EXPLICIT) == 0):
            if (option & OR_LAND) == 0:
                by_sea |= b
            elif carriers != ZERO:
                either |= b
        if carriers != ZERO:
            routed |= b
    return LegalMoves(movers, by_sea, either, routed & (by_sea | either), convoyed_seas)


@compile_inlined
def _send(moves: Word, m: Array, of: Array) -> None:
    """Note the moves by their destinations."""
    x = moves
    while x != ZERO:
        u = ctz(x)
        m[ATTACKERS, of[DEST, u]] |= bit(u)
        x = rest(x)


@compile_inlined
def _match_supports(
    game: int,
    row: int,
    places: Array,
    orders: Array,
    g: Given,
    k: Kinds,
    movers: Word,
    t: Read,
    m: Array,
    of: Array,
) -> tuple[Word, Word]:
    """Return the supports that match an order, and those of them that no move could cut."""
    spaces = t.size[SPACES]
    option = t.size[OPTIONS]
    matched = ZERO
    given = ZERO
    x = g.supporting
    while x != ZERO:
        u = ctz(x)
        b = bit(u)
        x = rest(x)
        vb = m[AT, other_of(whole(orders[row, u]))]
        v = ctz(vb)  # 64 if the location is vacant
        goal = of[DEST, u]
        target = of[TARGET, u]
        can = (t.step[way_row(kind_of(of[WEIGHT, u]), 1), whole(places[game, u]), goal >> 6] >> word(goal & 63)) & ONE
        coast = (target < spaces) | (of[TARGET, v] == target) | ((vb & ~k.sailing) != ZERO)
        same = ((vb & movers) != ZERO) & (of[DEST, v] == goal) & coast
        stands = (vb & movers) == ZERO
        fits = (can != ZERO) & (vb != ZERO) & (vb != b) & (stands if (g.in_place & b) != ZERO else same)
        if fits and (b & g.in_place) == ZERO:
            if (vb & k.cargo & ~g.foot) != ZERO and (b & k.carrying) != ZERO and of[SPACE, u] < t.size[SEAS]:
                # a fleet cannot support a move that needs its own convoy (DATC 6.D.31)
                alone = m[FLEETS, t.roles[CLASS, kind_of(of[WEIGHT, v])]] & ~bit(of[SPACE, u])
                fits = (flood(t.water[PORT, of[SPACE, v]], alone, t.water) & t.water[PORT, goal]) != ZERO
            elif (option & COAST_NEEDED) != 0 and (vb & k.sailing) != ZERO and target < spaces:
                fits = coasts_reached(kind_of(of[WEIGHT, v]), whole(places[game, v]), goal, t) < 2
        mark = word(fits) << word(u)
        matched |= mark
        m[SUPPORTERS, v] |= mark
        free = (m[ATTACKERS, of[SPACE, u]] & ~m[OF_POWER, of[OWNER, u]]) == ZERO
        given |= word(fits & free) << word(u)
    return matched, given


@compile_inlined
def _spare_supports(
    supports: Word, in_place: Word, carrying: Word, moves: LegalMoves, t: Read, m: Array, of: Array
) -> None:
    """Note the convoyed attackers that do not cut a support, since it is for or against a fleet that convoys them."""
    seas = t.size[SEAS]
    option = t.size[OPTIONS]
    x = supports
    while x != ZERO:
        u = ctz(x)
        x = rest(x)
        m[SPARED, u] = ZERO
        y = m[ATTACKERS, of[SPACE, u]] & moves.routed
        aim = of[DEST, u]
        while y != ZERO:
            a = ctz(y)
            y = rest(y)
            spared = False
            if (option & SPARE_1982) != 0:
                spared = aim < seas and (moves.seas & bit(aim & 63)) != ZERO
            elif aim < seas and (m[CARRIERS, a] & bit(aim & 63)) != ZERO:
                spared = (in_place & bit(u)) == ZERO and (carrying & bit(u)) != ZERO
                if spared and (option & SPARE_2000) != 0:
                    others = m[CARRIERS, a] & ~bit(aim)
                    start, end = t.water[PORT, of[SPACE, a]], t.water[PORT, of[DEST, a]]
                    spared = (flood(start, others, t.water) & end) == ZERO
            if spared:
                m[SPARED, u] |= bit(a)


@compile_inlined
def _strengthen(units: Word, t: Read, m: Array, of: Array) -> None:
    """Give the units that act over a way with a strength of its own the column of that strength."""
    for i in range(t.ways.shape[0]):
        b = m[AT, t.ways[i, 0]] & units
        if b != ZERO and of[DEST, ctz(b)] == t.ways[i, 1]:
            of[WEIGHT, ctz(b)] += t.ways[i, 2]


@compile_inlined
def _cross(count: int, movers: Word, t: Read, m: Array, of: Array) -> None:
    """Note the moves that cross the way of each other."""
    for u in range(count):
        m[CROSSERS, u] = ZERO
    for i in range(t.crossings.shape[0]):
        one = _along(t.crossings[i, 0], t.crossings[i, 1], movers, m, of)
        other = _along(t.crossings[i, 2], t.crossings[i, 3], movers, m, of)
        y = one
        while y != ZERO:
            m[CROSSERS, ctz(y)] |= other
            y = rest(y)
        y = other
        while y != ZERO:
            m[CROSSERS, ctz(y)] |= one
            y = rest(y)


@compile_inlined
def _find_unopposed(walking: Word, t: Read, m: Array, of: Array) -> Word:
    """Return the moves by land that go alone into an empty space."""
    crossing = t.crossings.shape[0] > 0
    alone = ZERO
    x = walking
    while x != ZERO:
        u = ctz(x)
        x = rest(x)
        goal = of[DEST, u]
        free = (m[AT, goal] == ZERO) & (m[ATTACKERS, goal] == bit(u))
        if crossing:
            free &= m[CROSSERS, u] == ZERO
        alone |= word(free) << word(u)
    return alone


@compile_inlined
def _is_same(before: Decided, d: Decided) -> bool:
    """Return True if nothing was decided in between."""
    return (
        ((d.given | d.cut) == (before.given | before.cut))
        & ((d.intact | d.broken) == (before.intact | before.broken))
        & ((d.yes | d.no) == (before.yes | before.no))
    )


@compile_inlined
def _decide_supports(
    supports: Word,
    spare: bool,  # noqa: FBT001  # compiled code knows no arguments by keyword alone
    moves: LegalMoves,
    d: Decided,
    t: Read,
    m: Array,
    of: Array,
) -> Decided:
    """Decide the supports that are cut for certain, or can no longer be."""
    given = d.given
    cut = d.cut
    x = supports
    while x != ZERO:
        u = ctz(x)
        b = bit(u)
        x = rest(x)
        foes = m[ATTACKERS, of[SPACE, u]] & ~m[OF_POWER, of[OWNER, u]]
        waits = False
        if spare:
            spared = m[SPARED, u] & ~(moves.either & d.broken)
            waits = (spared & moves.either & ~d.intact) != ZERO
            foes &= ~spared
        from_aim = foes & m[AT, of[DEST, u]]
        others = foes & ~from_aim
        cuts = (others & ~(moves.by_sea & ~d.intact)) | (from_aim & d.yes)
        if (t.size[OPTIONS] & ORIGIN_CUTS) != 0:
            cuts |= from_aim & d.intact
            waits |= (from_aim & moves.routed & ~(d.intact | d.broken)) != ZERO
        if cuts != ZERO:
            cut |= b
        elif not (waits or others != ZERO or (from_aim & ~d.no) != ZERO):
            given |= b
    return Decided(d.yes, d.no, given, cut, d.intact, d.broken)


@compile_inlined
def _decide_routes(routes: Word, by_sea: Word, d: Decided, t: Read, m: Array, of: Array) -> Decided:
    """Decide the routes that are intact or broken for certain; a move whose route breaks attacks nothing any more."""
    no = d.no
    intact = d.intact
    broken = d.broken
    x = routes
    while x != ZERO:
        u = ctz(x)
        b = bit(u)
        x = rest(x)
        safe = ZERO
        left = ZERO
        y = m[CARRIERS, u]
        while y != ZERO:
            sea = ctz(y)
            y = rest(y)
            foes = m[ATTACKERS, sea]
            if (foes & d.yes) == ZERO:
                left |= bit(sea)
                if (foes & ~(no | m[OF_POWER, of[OWNER, ctz(m[AT, sea])]])) == ZERO:
                    safe |= bit(sea)
        if (t.size[OPTIONS] & ANY_BREAKS) != 0:
            open_now = safe == m[CARRIERS, u]
            gone = left != m[CARRIERS, u]
        else:
            start = t.water[PORT, of[SPACE, u]]
            end = t.water[PORT, of[DEST, u]]
            open_now = (flood(start, safe, t.water) & end) != ZERO
            gone = not open_now and (flood(start, left, t.water) & end) == ZERO
        if open_now:
            intact |= b
        elif gone:
            broken |= b
            if (b & by_sea) != ZERO:
                no |= b
                m[ATTACKERS, of[DEST, u]] &= ~b
    return Decided(d.yes, no, d.given, d.cut, intact, broken)


@compile_inlined
def _decide_moves(x: Word, moves: LegalMoves, d: Decided, t: Read, m: Array, of: Array) -> Decided:
    """Decide the moves whose least strength exceeds what is against them at most, and those of which that is hopeless.

    Each answer counts for the next.
    """
    at_sea = moves.by_sea | (moves.either & d.intact)
    on_land = ~(moves.by_sea | (moves.either & ~d.broken))
    while x != ZERO:
        u = ctz(x)
        b = bit(u)
        x = rest(x)
        against_low = 0
        against_high = 0
        if m[AT, of[DEST, u]] == ZERO:
            low, high = _bound_use(u, m[SUPPORTERS, u], ATTACK, d, t, of)
        else:
            low, high, against_low, against_high = _bound_attack(u, at_sea, on_land, moves.movers, d, t, m, of)
        if (b & moves.by_sea & ~d.intact) != ZERO:
            low = 0
        y = m[ATTACKERS, of[DEST, u]] & ~b
        while y != ZERO:
            k = ctz(y)
            y = rest(y)
            rival_low, rival_high = _bound_rival(k, m[AT, of[DEST, u]], at_sea, on_land, moves.by_sea, d, t, m, of)
            against_low = max(against_low, rival_low)
            against_high = max(against_high, rival_high)
        if t.crossings.shape[0] > 0 and (b & at_sea) == ZERO:
            y = m[CROSSERS, u] & ~at_sea
            while y != ZERO:
                k = ctz(y)
                y = rest(y)
                rival_low, rival_high = _bound_use(k, m[SUPPORTERS, k], PREVENT, d, t, of)
                if ((b | bit(k)) & ~on_land) == ZERO:
                    against_low = max(against_low, rival_low)
                against_high = max(against_high, rival_high)
        if low > against_high:
            d = Decided(d.yes | b, d.no, d.given, d.cut, d.intact, d.broken)
        elif high <= against_low:
            d = Decided(d.yes, d.no | b, d.given, d.cut, d.intact, d.broken)
    return d


@compile_inlined
def _bound_use(k: int, helpers: Word, use: int, d: Decided, t: Read, of: Array) -> tuple[int, int]:
    """Return the minimum and maximum of the strength of a unit with these supporters in one use."""
    alone = t.weights[use, of[WEIGHT, k]]
    low = alone + weigh(helpers & d.given, of, t.weights, HELPING + use)
    high = alone + weigh(helpers & ~d.cut, of, t.weights, HELPING + use)
    return low, high


@compile_inlined
def _bound_attack(
    u: int,
    at_sea: Word,
    on_land: Word,
    movers: Word,
    d: Decided,
    t: Read,
    m: Array,
    of: Array,
) -> tuple[int, int, int, int]:
    """Return the bounds of the attack of a move on a unit, and of the defence of that unit."""
    vb = m[AT, of[DEST, u]]
    v = ctz(vb)
    pair = vb | bit(u)
    opposite = (vb & m[ATTACKERS, of[SPACE, u]]) != ZERO
    meets = opposite and (pair & ~on_land) == ZERO
    may_meet = opposite and (pair & at_sea) == ZERO
    goes = (vb & movers) != ZERO
    stays = meets or not goes or (vb & d.no) != ZERO
    leaves = (vb & d.yes) != ZERO and not may_meet
    low = 0
    high = 0
    own = t.weights[ATTACK, of[WEIGHT, u]]
    if not leaves and of[OWNER, u] != of[OWNER, v]:
        low, high = _bound_use(u, m[SUPPORTERS, u] & ~m[OF_POWER, of[OWNER, v]], ATTACK, d, t, of)
    if not stays:  # the supports of the power of that unit count as well if it leaves
        high = own + weigh(m[SUPPORTERS, u] & ~d.cut, of, t.weights, HELPING + ATTACK)
        if leaves:
            low = own + weigh(m[SUPPORTERS, u] & d.given, of, t.weights, HELPING + ATTACK)
    against_low, against_high = _bound_use(v, ZERO if goes else m[SUPPORTERS, v], STAND, d, t, of)
    if goes:
        if (vb & d.no) == ZERO:
            against_low = 0
        if (vb & d.yes) != ZERO:
            against_high = 0
        if may_meet:
            defend_low, defend_high = _bound_use(v, m[SUPPORTERS, v], DEFEND, d, t, of)
            against_low = defend_low if meets else min(against_low, defend_low)
            against_high = defend_high if meets else max(against_high, defend_high)
    return low, high, against_low, against_high


@compile_inlined
def _bound_rival(
    k: int, vb: Word, at_sea: Word, on_land: Word, by_sea: Word, d: Decided, t: Read, m: Array, of: Array
) -> tuple[int, int]:
    """Return the bounds of the prevent strength of a move; `vb` is the unit in its destination."""
    kb = bit(k)
    low, high = _bound_use(k, m[SUPPORTERS, k], PREVENT, d, t, of)
    if (vb & m[ATTACKERS, of[SPACE, k]] & ~d.no) != ZERO:  # the unit in the goal comes its way
        pair = vb | kb
        meet = (pair & ~on_land) == ZERO
        if (t.size[OPTIONS] & PASSED_IS_OUT) != 0 and not meet and (kb & d.yes) == ZERO:
            low = 0
            if (vb & d.yes) != ZERO and (kb & d.no) != ZERO:
                high = 0
        elif (pair & at_sea) == ZERO:
            low = 0
            if meet and (vb & d.yes) != ZERO:
                high = 0
    if (kb & by_sea & ~d.intact) != ZERO:
        low = 0
    return low, high


@compile_inlined
def _break(by_sea: Word, d: Decided, m: Array, of: Array, out: Array) -> Decided:
    """Return the answers after the settling of circles: routes broken, moves that succeed and fail."""
    fallen = out[BROKEN]
    broken = d.broken | fallen
    out[PARADOX] |= fallen
    fallen &= by_sea
    no = d.no | fallen | out[FAILED]
    while fallen != ZERO:
        u = ctz(fallen)
        m[ATTACKERS, of[DEST, u]] &= ~bit(u)
        fallen = rest(fallen)
    return Decided(d.yes | out[CIRCLE], no, d.given, d.cut, d.intact, broken)


@compile_inlined
def _write_sets(moves: LegalMoves, d: Decided, m: Array, of: Array, out: Array) -> None:
    """Write the results, and for each dislodged unit by which one."""
    dislodged = ZERO
    x = d.yes
    while x != ZERO:
        dislodged |= m[AT, of[DEST, ctz(x)]]
        x = rest(x)
    dislodged &= ~d.yes
    x = dislodged
    while x != ZERO:
        u = ctz(x)
        x = rest(x)
        of[BY, u] = ctz(m[ATTACKERS, of[SPACE, u]] & d.yes)
    out[MOVED] = d.yes
    out[FAILED] = moves.movers & d.no
    out[GIVEN] = d.given
    out[CUT] = d.cut
    out[CONVOYED] = moves.by_sea | (moves.either & d.intact)
    out[BY_SEA_OR_LAND] = moves.either
    out[WALKING] = moves.movers & ~(moves.by_sea | moves.either)
    out[ROUTED] = moves.routed
    out[BROKEN] = d.broken
    out[DISLODGED] = dislodged


@compile_inlined
def _along(a: int, b: int, movers: Word, m: Array, of: Array) -> Word:
    """Return the units that move between two adjacent spaces, in either direction."""
    along = ZERO
    at_a = m[AT, a] & movers
    at_b = m[AT, b] & movers
    if at_a != ZERO and of[DEST, ctz(at_a)] == b:
        along |= at_a
    if at_b != ZERO and of[DEST, ctz(at_b)] == a:
        along |= at_b
    return along


@inner
def coasts_reached(kind: int, there: int, goal: int, t: Read) -> int:
    """Return the number of coasts of `goal` that a unit that goes by sea could reach from the location `there`."""
    count = 0
    for i in range(1, t.coasts[goal, 0] + 1):
        coast = whole(t.coasts[goal, i])
        count += whole((t.step[way_row(kind, 0), there, coast >> 6] >> word(coast & 63)) & ONE)
    return count
