"""Small changes of a plan: hardly any comes to nothing, or runs into a friend who stays."""

import numpy as np

from plenipo.batch import Arena
from plenipo.batch.bits import FIRST
from plenipo.batch.kinds import owner_of
from plenipo.batch.packing import HOLD, MOVE
from plenipo.batch.play import chance_of, list_orders
from plenipo.batch.state import State
from plenipo.batch.tables import MOST_UNITS, Arrays
from plenipo.bots.compiling import compile_kernel
from plenipo.bots.levels import OWN
from plenipo.bots.plans import Plans, change, list_own, plans
from plenipo.bots.policy import Sketch, sketch
from plenipo.engine.position import Power
from table import standard

TRIED = 400


@compile_kernel
def note_own(power: int, state: State, mine: Plans) -> None:
    list_own(power, state, mine)


@compile_kernel
def change_one(power: int, state: State, arrays: Arrays, mine: Plans, mind: Sketch) -> None:
    change(power, state, arrays, mine, mind)


def test_changes_of_a_plan_in_which_all_hold_do_something_and_friends_make_way() -> None:
    arena = Arena(standard(), 1, seed=bytes(32), room=MOST_UNITS)
    power = arena.tables.power_number[Power("Russia")]
    state, arrays = arena.state, arena.tables.arrays
    mine, mind = plans(arena.tables, 1), sketch(arena.tables, list(OWN))
    units = int(state.units[0])
    note_own(power, state, mine)
    list_orders(FIRST, units, state.kinds, state.places, arrays, mine.q, mine.land, mine.legal, mine.start)
    mine.at[:] = -1
    mine.at[arrays.space_of[state.places[0, :units]]] = np.arange(units)
    own = np.flatnonzero(owner_of(state.kinds[0, :units]) == power)
    idle = blocked = 0
    for seed in range(TRIED):
        mine.draft[0, own] = HOLD << 20
        mind.chance[:] = chance_of(seed)
        change_one(power, state, arrays, mine, mind)
        orders = mine.draft[0, own].tolist()
        moving = [(order >> 20) & 15 == MOVE for order in orders]
        stay = {int(arrays.space_of[state.places[0, u]]) for u, goes in zip(own, moving, strict=True) if not goes}
        idle += all(order == HOLD << 20 for order in orders)
        blocked += any(
            goes and int(arrays.space_of[order & 1023]) in stay for order, goes in zip(orders, moving, strict=True)
        )
    assert idle < TRIED // 20
    assert blocked < TRIED // 20
