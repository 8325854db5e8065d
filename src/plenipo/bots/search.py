"""The search: plans of the power against samples of the others' orders, each pair in a playout.

A pool of plans is drawn from the policy. The others' orders are drawn too, each power by a style that is likelier the
better it foretold what that power ordered before. Every plan is judged in the same samples with the same chance, and
the worse half drops out as the samples go on. Then small changes of the best plans are tried; one is kept if it is
better over all samples. In the end one of those within a margin of the best is drawn, so that no opponent can learn to
predict the player.
"""

from typing import NamedTuple

import numpy as np

from plenipo.batch.bits import FIRST, Array, whole
from plenipo.batch.packing import NONE
from plenipo.batch.play import MOVEMENT, Work, advance, draw, list_orders
from plenipo.batch.scratch import Scratch
from plenipo.batch.state import State
from plenipo.batch.tables import MOST_UNITS, Arrays, Size, Tables
from plenipo.bots.compiling import compile_inlined, compile_kernel
from plenipo.bots.evaluation import SHARE_ONE, evaluate
from plenipo.bots.levels import OTHERS
from plenipo.bots.plans import Plans, add_plan, change, lay, list_own, tidy
from plenipo.bots.policy import ALWAYS, AT, STILL, Sketch, look_round, order
from plenipo.bots.proximity import ProximityTables
from plenipo.bots.rollout import begin, play_out

__all__ = [
    "FINAL",
    "JUDGED",
    "KEPT",
    "MARGIN",
    "MOST_PLANS",
    "PLAYED",
    "VALUE",
    "Trial",
    "glance",
    "prepare",
    "think",
    "trial",
]

PLAYERS, SPACES = Size.PLAYERS, Size.SPACES

POOL, SAMPLES, CHANGES, DEPTH, STARTS, MARGIN, OWN_FIRST, OWN_MORE = range(8)
"""Places in the parameters of `think`: the first fields of a `Level`; the first of the player's own styles, and the
number of
others."""

PLAYED, KEPT, VALUE, FINAL, JUDGED = range(5)
"""Places in `Trial.report`: playouts, changes kept, the value of the chosen plan, the number of plans it was chosen
from, and the number of plans evaluated in all samples."""

MOST_SAMPLES, MOST_PLANS, MOST_STARTS = 256, 192, 8


class Trial(NamedTuple):
    """The samples, and how the plans do in them."""

    samples: Array
    """uint32[B, 64]: the orders of all others."""
    which: Array
    """int64[B, P]: their styles, and the power's own style in playouts."""
    seeds: Array
    """uint64[B]: the chance of each."""
    values: Array
    """int64[starts, B]: the value of the best plan so far of each start, by sample."""
    sums: Array
    """int64[*]: sums of values by plan."""
    shares: Array
    """int64[P]: the shares at the end of the last playout."""
    drafted: Array
    """int64[B]: the values of the draft."""
    weights: Array
    """int64[P, T]: how likely each style is for each power."""
    stop: Array
    """uint8[1]: not 0 when the thinking is to end."""
    report: Array
    """int64[5]."""


def trial(tables: Tables) -> Trial:
    """Room for the samples."""
    powers = int(tables.arrays.size[Size.POWERS])
    return Trial(
        np.zeros((MOST_SAMPLES, MOST_UNITS), np.uint32),
        np.zeros((MOST_SAMPLES, powers), np.int64),
        np.zeros(MOST_SAMPLES, np.uint64),
        np.zeros((MOST_STARTS, MOST_SAMPLES), np.int64),
        np.zeros(MOST_PLANS, np.int64),
        np.zeros(powers, np.int64),
        np.zeros(MOST_SAMPLES, np.int64),
        np.ones((powers, len(OTHERS)), np.int64),
        np.zeros(1, np.uint8),
        np.zeros(5, np.int64),
    )


@compile_inlined
def _draw_index(weights: Array, p: Sketch) -> int:
    """Return a place in a row of weights."""
    total = 0
    for t in range(weights.shape[0]):
        total += weights[t]
    left = draw(p.chance, max(total, 1))
    for t in range(weights.shape[0]):
        left -= weights[t]
        if left < 0:
            return t
    return 0


@compile_kernel
def prepare(
    power: int, s: State, par: Array, a: Arrays, g: ProximityTables, p: Sketch, w: Work, e: Plans, b: Trial
) -> None:
    """Fill the pool with plans of `power`, all different, and draw samples of the others' orders.

    The first plan is that of the policy without noise. Chance is that of `p`.
    """
    p.about[0] = power
    # powers that may order nothing count less where they could go
    for q in range(a.size[PLAYERS]):
        total = 1
        still = 0
        for t in range(b.weights.shape[1]):
            total += b.weights[q, t]
            still += b.weights[q, t] * p.styles[t, STILL]
        p.acts[q] = ALWAYS - ALWAYS * still // total
    look_round(FIRST, s, a, g, p)
    list_own(power, s, e)
    for i in range(a.size[SPACES]):
        e.at[i] = p.spaces[AT, i]
    e.counts[0] = 0
    moving = a.steps[s.step[0]] == MOVEMENT
    tries = 2 * par[POOL]
    players = a.size[PLAYERS]
    # plans are drawn first, then the orders of one power after the other for one sample after the other
    i = 0
    sample = q = FIRST
    while sample < par[SAMPLES]:
        planning = i < tries
        whose = power if planning else q
        if planning:
            b.which[0, power] = par[OWN_FIRST] if i == 0 else par[OWN_FIRST] + 1 + i % par[OWN_MORE]
        elif whose == power:
            b.which[sample, power] = par[OWN_FIRST] + 1
        else:
            b.which[sample, whose] = _draw_index(b.weights[whose], p)
        e.draft[0, 0] = NONE
        if planning or whose != power:
            order(FIRST, whose, whose + 1, b.which[sample], FIRST, s, e.draft, a, g, p, w)
        if planning:
            if moving:
                tidy(power, s, a, e)
            add_plan(par[POOL], s, a, e)
            i = tries if e.counts[0] >= par[POOL] else i + 1
            continue
        if whose == 0:
            for u in range(MOST_UNITS):
                b.samples[sample, u] = NONE
        if whose != power:
            lay(whose, e.draft, FIRST, s, a, sample, b.samples)
        q += 1
        if q == players:
            draw(p.chance, 2)
            b.seeds[sample] = p.chance[0]
            q = 0
            sample += 1


@compile_inlined
def _swap(i: int, j: int, e: Plans, b: Trial) -> None:
    total = b.sums[i]
    b.sums[i] = b.sums[j]
    b.sums[j] = total
    for u in range(MOST_UNITS):
        order = e.pool[i, u]
        e.pool[i, u] = e.pool[j, u]
        e.pool[j, u] = order


@compile_inlined
def _rank(alive: int, e: Plans, b: Trial) -> None:
    """Put the first `alive` plans in order, the best first."""
    for i in range(1, alive):
        j = i
        while j > 0 and b.sums[j - 1] < b.sums[j]:
            _swap(j - 1, j, e, b)
            j -= 1


@compile_kernel
def glance(
    power: int,
    s: State,
    x: State,
    par: Array,
    a: Arrays,
    g: ProximityTables,
    p: Sketch,
    z: Scratch,
    w: Work,
    e: Plans,
    b: Trial,
) -> None:
    """As `think` for levels that change nothing and look at the phase at hand alone, with the same result.

    It needs less to be compiled, since nothing is played on and no order is listed.
    """
    b.report[:] = 0
    plan_count = e.counts[0]
    if plan_count < 2:
        for u in range(MOST_UNITS):
            e.draft[0, u] = e.pool[0, u]
        return
    own_chance = p.chance[0]
    for k in range(plan_count):
        b.sums[k] = 0
    count = par[SAMPLES]
    alive = plan_count
    plan = sample = FIRST
    until = max(1, count // 4)
    since = 0
    while b.stop[0] == 0:
        for u in range(MOST_UNITS):
            e.joint[0, u] = b.samples[sample, u]
        lay(power, e.pool, plan, s, a, FIRST, e.joint)
        p.chance[0] = b.seeds[sample]
        # the same as `play_out` with a depth of 0; as a function it would compile the whole kernel once more
        begin(s, x, b.which[sample], a, p)
        advance(FIRST, x, FIRST, e.joint, a, z, w)
        evaluate(FIRST, x, s.owner, a, g, p, b.shares)
        b.report[PLAYED] += 1
        b.sums[plan] += b.shares[power]
        sample += 1
        if sample < until:
            continue
        sample = since
        plan += 1
        if plan < alive:
            continue
        _rank(alive, e, b)
        plan = 0
        if until >= count:
            break
        alive = max(1, (alive + 1) // 2)
        since = until
        sample = since
        until = min(count, until + max(1, count // 4))
    _choose(alive, count, par, own_chance, p, e, b)


@compile_kernel
def think(
    power: int,
    s: State,
    x: State,
    par: Array,
    a: Arrays,
    g: ProximityTables,
    p: Sketch,
    z: Scratch,
    w: Work,
    e: Plans,
    b: Trial,
) -> None:
    """Write the orders of `power` in game 0 of `s` into `e.draft[0]`; `x` is a state to play out in.

    `prepare` has been called. Chance is that of `p`; its final state has no meaning.
    """
    kind = a.steps[s.step[0]]
    count = par[SAMPLES]
    b.report[:] = 0
    plan_count = e.counts[0]
    moving = kind == MOVEMENT and par[CHANGES] > 0 and e.counts[1] > 0
    if plan_count < 2 and not moving:
        for u in range(MOST_UNITS):
            e.draft[0, u] = e.pool[0, u]
        return
    own_chance = p.chance[0]
    for k in range(plan_count):
        b.sums[k] = 0
    starts = min(par[STARTS], plan_count)
    if moving:
        list_orders(FIRST, whole(s.units[0]), s.kinds, s.places, a, e.q, e.land, e.legal, e.start)
    # one loop for all playouts, so that the kernel is compiled into this function only once
    alive = plan_count
    plan = sample = FIRST
    until = max(1, count // 4)
    since = 0
    changing = False
    changes = 0
    start = 0
    total = 0
    behind = 0
    while b.stop[0] == 0:
        for u in range(MOST_UNITS):
            e.joint[0, u] = b.samples[sample, u]
        if changing:
            lay(power, e.draft, FIRST, s, a, FIRST, e.joint)
        else:
            lay(power, e.pool, plan, s, a, FIRST, e.joint)
        p.chance[0] = b.seeds[sample]
        play_out(s, x, e.joint, b.which[sample], par[DEPTH], a, g, p, z, w, b.shares)
        b.report[PLAYED] += 1
        value = b.shares[power]
        if not changing:
            b.sums[plan] += value
            sample += 1
            if sample < until:
                continue
            sample = since
            plan += 1
            if plan < alive:
                continue
            # a round is over: the better half goes on
            _rank(alive, e, b)
            plan = 0
            if until < count:
                alive = max(starts, (alive + 1) // 2)
                since = until
                sample = since
                until = min(count, until + max(1, count // 4))
                continue
            if not moving:
                break
            changing = True
            behind = 1  # the values of the starts by sample are not known yet
            start = 0
            sample = 0
            total = 0
            for u in range(MOST_UNITS):
                e.draft[0, u] = e.pool[0, u]
            continue
        b.drafted[sample] = value
        sample += 1
        if behind == 1:
            total += value
            if sample < count:
                continue
            b.sums[start] = total
            for i in range(count):
                b.values[start, i] = b.drafted[i]
            start += 1
            if start < starts:
                for u in range(MOST_UNITS):
                    e.draft[0, u] = e.pool[start, u]
                sample = 0
                total = 0
                continue
            behind = 0
            start = 0
        else:
            total += value - b.values[start, sample - 1]
            # dropped is what is behind after each four samples, and what changes nothing in half of them
            if sample < count and (sample % 4 != 0 or total > 0 or (total == 0 and 2 * sample < count)):
                continue
            if sample == count and total > 0:
                b.report[KEPT] += 1
                b.sums[start] += total
                for i in range(count):
                    b.values[start, i] = b.drafted[i]
                for u in range(MOST_UNITS):
                    e.pool[start, u] = e.draft[0, u]
        if changes >= par[CHANGES]:
            break
        # the next change: half of them shared by all starts, the rest for the best of them
        p.chance[0] = own_chance
        if changes < par[CHANGES] // 2:
            start = changes % starts
        else:
            start = 0
            for i in range(1, starts):
                if b.sums[i] > b.sums[start]:
                    start = i
        changes += 1
        for u in range(MOST_UNITS):
            e.draft[0, u] = e.pool[start, u]
        change(power, s, a, e, p)
        tidy(power, s, a, e)
        own_chance = p.chance[0]
        sample = 0
        total = 0
    _choose(starts if changing else alive, count, par, own_chance, p, e, b)


@compile_inlined
def _choose(final: int, count: int, par: Array, chance: Array, p: Sketch, e: Plans, b: Trial) -> None:
    """One of the plans that promise nearly as much as the best, into the draft."""
    p.chance[0] = chance
    most = b.sums[0]
    for k in range(final):
        most = max(most, b.sums[k])
    least = most - par[MARGIN] * count * SHARE_ONE // 10000
    equal = 0
    best = 0
    for k in range(final):
        if b.sums[k] >= least:
            equal += 1
            if draw(p.chance, equal) == 0:
                best = k
    b.report[FINAL] = equal
    b.report[JUDGED] = final
    b.report[VALUE] = b.sums[best] // count
    for u in range(MOST_UNITS):
        e.draft[0, u] = e.pool[best, u]
