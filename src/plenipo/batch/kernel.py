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
from plenipo.batch.packing import CONVOY, MOVE, SUPPORT_HOLD, SUPPORT_MOVE
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

ATTACK, PREVENT, DEFEND, STAND = range(4)
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
    space_of, step, water, weights, roles, size = t.space_of, t.step, t.water, t.weights, t.roles, t.size
    spaces = size[SPACES]
    seas = size[SEAS]
    option = size[OPTIONS]
    for i in range(spaces):
        m[AT, i] = ZERO
        m[ATTACKERS, i] = ZERO
    for i in range(size[POWERS]):
        m[OF_POWER, i] = ZERO
    for i in range(size[KINDS]):
        m[OF_KIND, i] = ZERO
    # every unit and its order in one pass without branches: differences between orders become sets
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
        space = whole(space_of[here])
        unit = whole(kinds[game, u])
        kind = kind_of(unit)
        owner = owner_of(unit)
        order = whole(orders[row, u])
        verb = (order >> 20) & 15
        target = order & 1023
        m[AT, space] = b
        m[OF_POWER, owner] |= b
        m[SUPPORTERS, u] = ZERO
        m[CARRIERS, u] = ZERO
        of[HERE, u] = here
        of[SPACE, u] = space
        of[TARGET, u] = target
        of[DEST, u] = space_of[target]
        of[OWNER, u] = owner
        of[WEIGHT, u] = unit
        shift = word(u)
        at_sea_now = word(space < seas)
        seas_taken |= at_sea_now << word(space & 63)
        afloat |= at_sea_now << shift
        m[OF_KIND, kind] |= b
        goes = word(verb == MOVE)
        moving |= goes << shift
        asked |= (word(order >> 24) & goes) << shift
        foot |= ((step[way_row(kind, 0), here, target >> 6] >> word(target & 63)) & goes) << shift
        in_place |= word(verb == SUPPORT_HOLD) << shift
        supporting |= word((verb == SUPPORT_HOLD) | (verb == SUPPORT_MOVE)) << shift
        convoying |= word(verb == CONVOY) << shift
    sailing = ZERO
    cargo = ZERO
    carrying = ZERO
    for k in range(size[KINDS]):
        of_kind = m[OF_KIND, k]
        sailing |= of_kind if roles[SAILS, k] != 0 else ZERO
        cargo |= of_kind if roles[IS_CARGO, k] != 0 else ZERO
        carrying |= of_kind if roles[CARRIES, k] != 0 else ZERO
    for i in range(size[CLASSES]):
        x = afloat
        for k in range(size[KINDS]):
            if (roles[CARRIES, k] >> i) & 1 != 0:
                x &= ~m[OF_KIND, k]
        fleets = seas_taken
        while x != ZERO:  # units at sea that carry nothing of this class
            fleets &= ~bit(of[SPACE, ctz(x)])
            x = rest(x)
        m[FLEETS, i] = fleets

    # moves: on foot, or by sea if the fleets on the board could carry them
    movers = foot & ~asked
    x = moving & cargo & ~movers
    asked &= cargo
    while x != ZERO:
        u = ctz(x)
        b = bit(u)
        x = rest(x)
        if (
            of[TARGET, u] >= spaces
            or of[DEST, u] == of[SPACE, u]
            or not can_land(kind_of(of[WEIGHT, u]), of[DEST, u], t.stands)
        ):
            continue
        fleets = m[FLEETS, roles[CLASS, kind_of(of[WEIGHT, u])]]
        carried = (flood(water[PORT, of[SPACE, u]], fleets, water) & water[PORT, of[DEST, u]]) != ZERO
        if carried:
            movers |= b
        elif (foot & b) != ZERO and (option & (OPPOSITE_WAY | OR_LAND)) != 0:
            movers |= b
            asked &= ~b
    foot &= movers
    asked &= movers

    # convoys that match a move: the fleet must be needed on some chain of fleets on the board
    loaded = ZERO
    own_convoy = ZERO
    x = convoying
    convoys = ZERO
    while x != ZERO:
        u = ctz(x)
        b = bit(u)
        x = rest(x)
        vb = m[AT, (whole(orders[row, u]) >> 10) & 1023]
        space = of[SPACE, u]
        if (vb & movers & cargo) == ZERO or space >= seas:
            continue
        v = ctz(vb)
        if (
            of[TARGET, v] != of[TARGET, u]
            or (roles[CARRIED_BY, kind_of(of[WEIGHT, v])] >> kind_of(of[WEIGHT, u])) & 1 == 0
        ):
            continue
        fleets = m[FLEETS, roles[CLASS, kind_of(of[WEIGHT, v])]]
        if is_needed(space, water[PORT, of[SPACE, v]], water[PORT, of[DEST, v]], fleets, water, m[WALK:]):
            m[CARRIERS, v] |= bit(space)
            loaded |= vb
            convoys |= b
            if of[OWNER, u] == of[OWNER, v]:
                own_convoy |= vb

    # by land or by sea (policy 4.A.3), and which fleets of the ordered ones carry
    by_sea = ZERO
    either = ZERO
    routed = ZERO
    convoyed_seas = ZERO
    x = (movers & (asked | ~foot) & cargo) | loaded
    while x != ZERO:
        u = ctz(x)
        b = bit(u)
        x = rest(x)
        start = water[PORT, of[SPACE, u]]
        end = water[PORT, of[DEST, u]]
        ordered = m[CARRIERS, u]
        carriers = ZERO
        if (ordered & start & end) != ZERO or (flood(start, ordered, water) & end) != ZERO:
            y = ordered
            while y != ZERO:
                sea = ctz(y)
                y = rest(y)
                if is_needed(sea, start, end, ordered, water, m[WALK:]):
                    carriers |= bit(sea)
        m[CARRIERS, u] = carriers
        convoyed_seas |= carriers
        sea_only = (foot & b) == ZERO
        if carriers != ZERO:
            for i in range(t.convoy_ways.shape[0]):
                sea_only |= (t.convoy_ways[i, 0] == of[SPACE, u]) & (t.convoy_ways[i, 1] == of[DEST, u])
        if sea_only:
            by_sea |= b
        elif (option & OPPOSITE_WAY) != 0:
            vb = m[AT, of[DEST, u]] & movers
            if (carriers != ZERO) & (vb != ZERO) and of[DEST, ctz(vb)] == of[SPACE, u]:
                either |= b
        elif (asked & b) != ZERO or ((own_convoy & b) != ZERO and (option & EXPLICIT) == 0):
            if (option & OR_LAND) == 0:
                by_sea |= b
            elif carriers != ZERO:
                either |= b
        if carriers != ZERO:
            routed |= b
    routed &= by_sea | either
    broken = by_sea & ~routed
    lost = broken
    x = movers & ~lost
    while x != ZERO:
        u = ctz(x)
        m[ATTACKERS, of[DEST, u]] |= bit(u)
        x = rest(x)

    # supports that match
    matched = ZERO
    given = ZERO
    x = supporting
    while x != ZERO:
        u = ctz(x)
        b = bit(u)
        x = rest(x)
        order = whole(orders[row, u])
        vb = m[AT, (order >> 10) & 1023]
        v = ctz(vb)  # 64 if the location is vacant
        goal = of[DEST, u]
        target = of[TARGET, u]
        can = (step[way_row(kind_of(of[WEIGHT, u]), 1), whole(places[game, u]), goal >> 6] >> word(goal & 63)) & ONE
        coast = (target < spaces) | (of[TARGET, v] == target) | ((vb & ~sailing) != ZERO)
        same = ((vb & movers) != ZERO) & (of[DEST, v] == goal) & coast
        stands = (vb & movers) == ZERO
        fits = (can != ZERO) & (vb != ZERO) & (vb != b) & (stands if (in_place & b) != ZERO else same)
        if fits and (b & in_place) == ZERO:
            if (vb & cargo & ~foot) != ZERO and (b & carrying) != ZERO and of[SPACE, u] < seas:
                # a fleet cannot support a move that needs its own convoy (DATC 6.D.31)
                alone = m[FLEETS, roles[CLASS, kind_of(of[WEIGHT, v])]] & ~bit(of[SPACE, u])
                fits = (flood(water[PORT, of[SPACE, v]], alone, water) & water[PORT, goal]) != ZERO
            elif (option & COAST_NEEDED) != 0 and (vb & sailing) != ZERO and target < spaces:
                fits = coasts_reached(kind_of(of[WEIGHT, v]), whole(places[game, v]), goal, t) < 2
        mark = word(fits) << word(u)
        matched |= mark
        m[SUPPORTERS, v] |= mark
        free = (m[ATTACKERS, of[SPACE, u]] & ~m[OF_POWER, of[OWNER, u]]) == ZERO
        given |= word(fits & free) << word(u)

    spare = (option & SPARE_ANY) != 0 and routed != ZERO
    if spare:
        x = matched & ~given
        while x != ZERO:
            u = ctz(x)
            x = rest(x)
            m[SPARED, u] = ZERO
            y = m[ATTACKERS, of[SPACE, u]] & routed
            aim = of[DEST, u]
            while y != ZERO:
                a = ctz(y)
                y = rest(y)
                spared = False
                if (option & SPARE_1982) != 0:
                    spared = aim < seas and (convoyed_seas & bit(aim & 63)) != ZERO
                elif aim < seas and (m[CARRIERS, a] & bit(aim & 63)) != ZERO:
                    spared = (in_place & bit(u)) == ZERO and (carrying & bit(u)) != ZERO
                    if spared and (option & SPARE_2000) != 0:
                        others = m[CARRIERS, a] & ~bit(aim)
                        spared = (flood(water[PORT, of[SPACE, a]], others, water) & water[PORT, of[DEST, a]]) == ZERO
                if spared:
                    m[SPARED, u] |= bit(a)

    for i in range(t.ways.shape[0]):
        b = m[AT, t.ways[i, 0]] & (matched | (movers & ~(by_sea | either)))
        if b != ZERO and of[DEST, ctz(b)] == t.ways[i, 1]:
            of[WEIGHT, ctz(b)] += t.ways[i, 2]

    crossing = t.crossings.shape[0] > 0
    if crossing:
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

    # deciding
    yes = ZERO
    no = lost
    cut = ZERO
    intact = ZERO
    paradox = ZERO
    circle = ZERO
    x = movers & ~(by_sea | either)
    while x != ZERO:  # alone into an empty space
        u = ctz(x)
        x = rest(x)
        goal = of[DEST, u]
        free = (m[AT, goal] == ZERO) & (m[ATTACKERS, goal] == bit(u))
        if crossing:
            free &= m[CROSSERS, u] == ZERO
        yes |= word(free) << word(u)
    while True:
        open_supports = matched & ~(given | cut)
        open_routes = routed & ~(intact | broken)
        open_moves = movers & ~(yes | no)
        if (open_supports | open_routes | open_moves) == ZERO:
            break
        changed = False
        x = open_supports
        while x != ZERO:
            u = ctz(x)
            b = bit(u)
            x = rest(x)
            foes = m[ATTACKERS, of[SPACE, u]] & ~m[OF_POWER, of[OWNER, u]]
            waits = False
            if spare:
                spared = m[SPARED, u] & ~(either & broken)
                waits = (spared & either & ~intact) != ZERO
                foes &= ~spared
            from_aim = foes & m[AT, of[DEST, u]]
            others = foes & ~from_aim
            cuts = (others & ~(by_sea & ~intact)) | (from_aim & yes)
            if (option & ORIGIN_CUTS) != 0:
                cuts |= from_aim & intact
                waits |= (from_aim & routed & ~(intact | broken)) != ZERO
            if cuts != ZERO:
                cut |= b
            elif waits or others != ZERO or (from_aim & ~no) != ZERO:
                continue
            else:
                given |= b
            changed = True
        x = open_routes
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
                if (foes & yes) == ZERO:
                    left |= bit(sea)
                    if (foes & ~(no | m[OF_POWER, of[OWNER, ctz(m[AT, sea])]])) == ZERO:
                        safe |= bit(sea)
            if (option & ANY_BREAKS) != 0:
                open_now = safe == m[CARRIERS, u]
                gone = left != m[CARRIERS, u]
            else:
                start = water[PORT, of[SPACE, u]]
                end = water[PORT, of[DEST, u]]
                open_now = (flood(start, safe, water) & end) != ZERO
                gone = not open_now and (flood(start, left, water) & end) == ZERO
            if open_now:
                intact |= b
            elif gone:
                broken |= b
                if (b & by_sea) != ZERO:
                    no |= b
                    m[ATTACKERS, of[DEST, u]] &= ~b
            else:
                continue
            changed = True
        x = open_moves & ~no
        while x != ZERO:
            u = ctz(x)
            b = bit(u)
            x = rest(x)
            goal = of[DEST, u]
            space = of[SPACE, u]
            vb = m[AT, goal]
            foes = m[ATTACKERS, goal]
            mine = m[SUPPORTERS, u]
            own = weights[ATTACK, of[WEIGHT, u]]
            at_sea = by_sea | (either & intact)
            on_land = ~(by_sea | (either & ~broken))
            against_low = 0
            against_high = 0
            if vb == ZERO:
                low = own + weigh(mine & given, of, weights, HELPING + ATTACK)
                high = own + weigh(mine & ~cut, of, weights, HELPING + ATTACK)
            else:
                v = ctz(vb)
                opposite = (vb & m[ATTACKERS, space]) != ZERO
                meets = opposite and ((vb | b) & ~on_land) == ZERO
                may_meet = opposite and ((vb | b) & at_sea) == ZERO
                goes = (vb & movers) != ZERO
                stays = meets or not goes or (vb & no) != ZERO
                leaves = (vb & yes) != ZERO and not may_meet
                low = 0
                high = 0
                if not leaves and of[OWNER, u] != of[OWNER, v]:
                    foreign = mine & ~m[OF_POWER, of[OWNER, v]]
                    low = own + weigh(foreign & given, of, weights, HELPING + ATTACK)
                    high = own + weigh(foreign & ~cut, of, weights, HELPING + ATTACK)
                if not stays:
                    high = own + weigh(mine & ~cut, of, weights, HELPING + ATTACK)
                    if leaves:
                        low = own + weigh(mine & given, of, weights, HELPING + ATTACK)
                if not goes:
                    alone = weights[STAND, of[WEIGHT, v]]
                    against_low = alone + weigh(m[SUPPORTERS, v] & given, of, weights, HELPING + STAND)
                    against_high = alone + weigh(m[SUPPORTERS, v] & ~cut, of, weights, HELPING + STAND)
                else:
                    alone = weights[STAND, of[WEIGHT, v]]
                    against_low = alone if (vb & no) != ZERO else 0
                    against_high = 0 if (vb & yes) != ZERO else alone
                    if may_meet:
                        alone = weights[DEFEND, of[WEIGHT, v]]
                        defend_low = alone + weigh(m[SUPPORTERS, v] & given, of, weights, HELPING + DEFEND)
                        defend_high = alone + weigh(m[SUPPORTERS, v] & ~cut, of, weights, HELPING + DEFEND)
                        if meets:
                            against_low = defend_low
                            against_high = defend_high
                        else:
                            against_low = min(against_low, defend_low)
                            against_high = max(against_high, defend_high)
            if (b & by_sea & ~intact) != ZERO:
                low = 0
            x_foes = foes & ~b
            while x_foes != ZERO:
                k = ctz(x_foes)
                kb = bit(k)
                x_foes = rest(x_foes)
                alone = weights[PREVENT, of[WEIGHT, k]]
                rival_low = alone + weigh(m[SUPPORTERS, k] & given, of, weights, HELPING + PREVENT)
                rival_high = alone + weigh(m[SUPPORTERS, k] & ~cut, of, weights, HELPING + PREVENT)
                if (vb & m[ATTACKERS, of[SPACE, k]] & ~no) != ZERO:  # the unit in the goal comes its way
                    pair = vb | kb
                    meet = (pair & ~on_land) == ZERO
                    if (option & PASSED_IS_OUT) != 0 and not meet and (kb & yes) == ZERO:
                        rival_low = 0
                        if (vb & yes) != ZERO and (kb & no) != ZERO:
                            rival_high = 0
                    elif (pair & at_sea) == ZERO:
                        rival_low = 0
                        if meet and (vb & yes) != ZERO:
                            rival_high = 0
                if (kb & by_sea & ~intact) != ZERO:
                    rival_low = 0
                against_low = max(against_low, rival_low)
                against_high = max(against_high, rival_high)
            if crossing and (b & at_sea) == ZERO:
                y = m[CROSSERS, u] & ~at_sea
                while y != ZERO:
                    k = ctz(y)
                    y = rest(y)
                    alone = weights[PREVENT, of[WEIGHT, k]]
                    if ((b | bit(k)) & ~on_land) == ZERO:
                        rival_low = alone + weigh(m[SUPPORTERS, k] & given, of, weights, HELPING + PREVENT)
                        against_low = max(against_low, rival_low)
                    rival_high = alone + weigh(m[SUPPORTERS, k] & ~cut, of, weights, HELPING + PREVENT)
                    against_high = max(against_high, rival_high)
            if low > against_high:
                yes |= b
            elif high <= against_low:
                no |= b
            else:
                continue
            changed = True
        if changed:
            continue
        # only circular dependencies are left
        out[OPEN_ROUTES] = open_routes
        out[MOVERS] = movers
        settle_circles(open_moves, open_supports, t.crossings.shape[0], spaces, m, of, out)
        fallen = out[BROKEN]
        broken |= fallen
        paradox |= fallen
        fallen &= by_sea
        no |= fallen | out[FAILED]
        while fallen != ZERO:
            u = ctz(fallen)
            m[ATTACKERS, of[DEST, u]] &= ~bit(u)
            fallen = rest(fallen)
        circle |= out[CIRCLE]
        yes |= out[CIRCLE]

    dislodged = ZERO
    x = yes
    while x != ZERO:
        dislodged |= m[AT, of[DEST, ctz(x)]]
        x = rest(x)
    dislodged &= ~yes
    x = dislodged
    while x != ZERO:
        u = ctz(x)
        x = rest(x)
        of[BY, u] = ctz(m[ATTACKERS, of[SPACE, u]] & yes)
    out[MOVED] = yes
    out[FAILED] = movers & no
    out[MOVERS] = movers
    out[GIVEN] = given
    out[CUT] = cut
    out[SUPPORTING] = supporting
    out[CONVOYING] = convoys
    out[CONVOYED] = by_sea | (either & intact)
    out[BY_SEA_OR_LAND] = either
    out[WALKING] = movers & ~(by_sea | either)
    out[ROUTED] = routed
    out[BROKEN] = broken
    out[PARADOX] = paradox
    out[CIRCLE] = circle
    out[DISLODGED] = dislodged
    out[SAILING] = sailing
    out[CARGO] = cargo
    out[ILLEGAL_MOVES] = moving & ~movers


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
