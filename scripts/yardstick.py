"""The baseline of `tests/baseline.py` on the kernel, for matches of many games: movements after the same description.

Centres, proximity and choice are those of the description, in whole numbers. Retreats, builds and removals are the
policy's with the same values of centres, which comes to nearly the same.
"""

from collections.abc import Sequence

import numba
import numpy as np

from plenipo.batch.bits import FIRST, Array, whole
from plenipo.batch.kinds import kind_of, owner_of
from plenipo.batch.packing import HOLD, MOVE, NONE, SUPPORT_HOLD, SUPPORT_MOVE
from plenipo.batch.play import MOVEMENT, chance_of, draw
from plenipo.batch.state import State
from plenipo.batch.tables import MOST_UNITS, Arrays, Size, Tables
from plenipo.bots.levels import OTHERS, Level
from plenipo.bots.policy import AT, OWNED, QUEUE, RANKED, TARGETED, WHAT, Sketch, look_round, order, sketch
from plenipo.bots.policy import _place_in as place_in
from plenipo.bots.policy import _rival as rival_of
from plenipo.bots.policy import _value as value_of
from plenipo.bots.proximity import EARLY, LAST, SETTLED, ProximityTables, measure_proximity
from plenipo.bots.search_tables import UNBOUND, Bound, SampledPromise, Thinker, Thought

__all__ = ["Baseline"]

STEPS_FELT = {
    EARLY: (100, 1000, 30, 10, 6, 5, 4, 3, 2, 1),
    LAST: (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1),
    SETTLED: (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1),
}
CENTRES, POWERS = Size.CENTRES, Size.POWERS

ATTACK, DEFENCE, AROUND = (7, 6, 6), (3, 4, 4), 10
"""The values by kind of phase, in hundreds as the size of a power is a whole number: another power's centre, the
power's own centre, and a unit more than the most of any other power around."""

ALTERNATIVE, DIFFERENCE = 50, 5
"""The chance that a unit passes to the next best place, in parts of a hundred, and how fast that falls."""


@numba.njit(nogil=True)
def _size(centres: int) -> int:
    return centres * centres + 4 * centres + 16


@numba.njit(nogil=True)
def _set_values(game: int, power: int, season: int, s: State, a: Arrays, p: Sketch) -> None:
    attack, defence = ATTACK[season], DEFENCE[season]
    for c in range(a.size[CENTRES]):
        owner = whole(s.owner[game, c])
        if owner != power:
            p.value[c] = attack * _size(p.powers[OWNED, owner])
            continue
        most = 0
        for q in range(a.size[POWERS]):
            if q != power and p.force[q, a.centre[c]] > 0:
                most = max(most, _size(p.powers[OWNED, q]))
        p.value[c] = defence * most


@numba.njit(nogil=True)
def _picked(first: int, n: int, p: Sketch) -> int:
    """Return the index of the choice in a list in the order of values: the first, or the next if that is as good."""
    ranked = p.units[RANKED]
    i = first
    while i + 1 < n:
        best = ranked[i]
        staying = 100 if best <= 0 else min(100, 100 * DIFFERENCE * (best - ranked[i + 1]) // best)
        if draw(p.chance, 100) >= ALTERNATIVE or draw(p.chance, 100) < staying:
            break
        i += 1
    return i


@numba.njit(nogil=True)
def _going(game: int, v: int, row: int, s: State, orders: Array, a: Arrays) -> int:
    """Return the order to support the move of a friend."""
    order: int = SUPPORT_MOVE << 20 | whole(a.space_of[s.places[game, v]]) << 10 | whole(orders[row, v]) & 1023
    return order


@numba.njit(nogil=True)
def _value(power: int, kind: int, to: int, season: int, a: Arrays, g: ProximityTables, p: Sketch) -> int:
    space = whole(a.space_of[to])
    # units are counted by number, whatever their strength
    more = (p.force[power, space] - rival_of(power, space, p)) // 16
    value: int = value_of(kind * a.space_of.shape[0] + to, season, g, p) + AROUND * more
    return value


@numba.njit(nogil=True)
def order_all(
    game: int, power: int, row: int, s: State, orders: Array, a: Arrays, g: ProximityTables, p: Sketch
) -> None:
    """Write orders for a power's units in a movement into their columns."""
    look_round(game, s, a, g, p)
    season = whole(g.season[s.step[game]])
    _set_values(game, power, season, s, a, p)
    queue, targeted, what, ranked = p.units[QUEUE], p.spaces[TARGETED], p.units[WHAT], p.units[RANKED]
    targeted[:] = -1
    n = FIRST
    for u in range(whole(s.units[game])):
        if owner_of(s.kinds[game, u]) == power:
            j = draw(p.chance, n + 1)
            queue[n] = queue[j]
            queue[j] = u
            orders[row, u] = NONE
            n += 1
    head = 0
    patience = 2 * n
    while head < n:
        u = queue[head]
        here = whole(s.places[game, u])
        kind = kind_of(whole(s.kinds[game, u]))
        ways = FIRST
        for i in range(whole(a.near[kind, here, 0]) + 1):
            to = here if i == 0 else whole(a.near[kind, here, i])
            place_in(ways, _value(power, kind, to, season, a, g, p), to, p)
            ways += 1
        waits = False
        while ways > 0 and orders[row, u] == NONE:
            i = _picked(FIRST, ways, p)
            to = what[i]
            space = whole(a.space_of[to])
            if to == here:
                break
            ways -= 1
            for j in range(i, ways):
                what[j] = what[j + 1]
                ranked[j] = ranked[j + 1]
            rival = rival_of(power, space, p)
            v = p.spaces[AT, space]
            if v >= 0 and owner_of(s.kinds[game, v]) == power:
                if orders[row, v] == NONE:
                    if patience > 0:
                        waits = True
                        break
                    continue
                if (whole(orders[row, v]) >> 20) & 15 != MOVE:
                    if rival > 16:
                        orders[row, u] = SUPPORT_HOLD << 20 | space << 10 | space
                    continue
            v = targeted[space]
            if v >= 0:
                if rival > 0:
                    orders[row, u] = _going(game, v, row, s, orders, a)
                continue
            orders[row, u] = MOVE << 20 | to
            targeted[space] = u
        patience -= 1
        if waits:
            for j in range(head, n - 1):
                queue[j] = queue[j + 1]
            queue[n - 1] = u
            continue
        if orders[row, u] == NONE:
            orders[row, u] = HOLD << 20
        head += 1
    for x in range(n):
        u = queue[x]
        if (whole(orders[row, u]) >> 20) & 15 != HOLD:
            continue
        here = whole(s.places[game, u])
        kind = kind_of(whole(s.kinds[game, u]))
        most = -1
        for i in range(1, whole(a.near[kind, here, 0]) + 1):
            to = whole(a.near[kind, here, i])
            space = whole(a.space_of[to])
            rival = rival_of(power, space, p)
            v, w = targeted[space], p.spaces[AT, space]
            help_of = NONE
            if v >= 0 and rival > 0:
                help_of = _going(game, v, row, s, orders, a)
            elif (
                w >= 0
                and rival > 16
                and owner_of(s.kinds[game, w]) == power
                and (whole(orders[row, w]) >> 20) & 15 != MOVE
            ):
                help_of = SUPPORT_HOLD << 20 | space << 10 | space
            value = _value(power, kind, to, season, a, g, p)
            if help_of != NONE and value > most:
                most = value
                orders[row, u] = help_of


class Baseline(Thinker):
    """The baseline in the place of a player that thinks."""

    def __post_init__(self) -> None:
        super().__post_init__()
        tables: Tables = self.tables
        self.far = measure_proximity(tables.arrays, STEPS_FELT)
        self.mind = sketch(tables, [OTHERS["greedy"]])
        self.which = np.zeros(len(tables.powers), np.int64)

    def think(
        self,
        state: State,
        game: int,
        power: int,
        seed: int,
        _level: Level,
        *,
        likely: Array | None = None,  # noqa: ARG002  # as of a player that thinks
        budget: float | None = None,  # noqa: ARG002  # it takes no time
        bound: Bound = UNBOUND,  # noqa: ARG002  # it makes no deals
        promises: Sequence[SampledPromise] = (),  # noqa: ARG002  # the same
    ) -> Thought:
        """Return the orders of a power in a game of `state`."""
        arrays = self.tables.arrays
        self.mind.chance[:] = chance_of(seed)
        orders = np.zeros((1, MOST_UNITS), np.uint32)
        if arrays.steps[state.step[game]] == MOVEMENT:
            order_all(game, power, 0, state, orders, arrays, self.far, self.mind)
        else:
            order(
                game, power, power + 1, self.which, 0, state, orders, arrays, self.far, self.mind, self._work
            )  # fmt: skip
        return Thought(orders[0], 0.0, 0, 0)
