"""Small changes of a plan: hardly any comes to nothing, or runs into a friend who stays."""

import numpy as np
import pytest

from plenipo.batch import Arena
from plenipo.batch.bits import FIRST
from plenipo.batch.codes import Codes
from plenipo.batch.kinds import owner_of
from plenipo.batch.packing import HOLD, MOVE
from plenipo.batch.play import chance_of, list_orders
from plenipo.batch.positions import encode, units_in
from plenipo.batch.state import State, blank
from plenipo.batch.tables import MOST_UNITS, Arrays, compile_tables
from plenipo.bots.compiling import compile_kernel
from plenipo.bots.levels import OWN
from plenipo.bots.plans import Plans, change, list_own, plans, tidy_pool
from plenipo.bots.policy import Sketch, sketch
from plenipo.engine.board import Code
from plenipo.engine.position import Power
from table import order_sets, place, standard

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


TIDIED = {
    "a support follows its unit": ("A MUN - BUR, A RUH S A MUN", "A MUN - BUR, A RUH S A MUN - BUR"),
    "a support for another move follows the unit as well": (
        "A MUN - BUR, A RUH S A MUN - BEL",
        "A MUN - BUR, A RUH S A MUN - BUR",
    ),
    "a support out of reach is given up": ("A MUN - BOH, A RUH S A MUN", "A MUN - BOH, A RUH H"),
    "the second of two with one destination helps the first": (
        "A MUN - BUR, A RUH - BUR",
        "A MUN - BUR, A RUH S A MUN - BUR",
    ),
    "a unit does not go where another stays": ("A MUN - RUH, A RUH H", "A MUN H, A RUH H"),
    "two do not pass each other": ("A MUN - RUH, A RUH - MUN", "A MUN H, A RUH H"),
    "an army without a fleet stays": ("A KIE - LON, F NTH H", "A KIE H, F NTH H"),
    "a fleet without its army holds": ("A KIE - HOL, F NTH C A KIE - LON", "A KIE - HOL, F NTH H"),
    "an army and its fleet go together": ("A KIE - NWY, F NTH C A KIE - NWY", "A KIE - NWY, F NTH C A KIE - NWY"),
    "help for others is left alone": ("A MUN S A PAR - BUR", "A MUN S A PAR - BUR"),
}


@pytest.mark.parametrize(("written", "tidied"), TIDIED.values(), ids=TIDIED)
def test_a_draft_is_made_consistent(written: str, tidied: str) -> None:
    assert tidy_up(written) == tidied


def test_a_forced_order_takes_precedence() -> None:
    assert tidy_up("A MUN - BUR, A RUH - BUR", forced="A RUH - BUR") == "A MUN S A RUH - BUR, A RUH - BUR"
    assert tidy_up("A MUN - BUR, A RUH H", forced="A RUH S A MUN - BUR") == "A MUN - BUR, A RUH S A MUN - BUR"


def test_no_unit_enters_a_barred_space() -> None:
    assert tidy_up("A MUN - BUR, A RUH S A MUN - BUR", barred=("BUR",)) == "A MUN H, A RUH S A MUN"


def tidy_up(written: str, forced: str = "", barred: tuple[str, ...] = ()) -> str:
    """The orders of Germany, tidied by the kernel."""
    rules, germany = standard(), Power("Germany")
    orders = order_sets(rules, f"Germany: {written}")[germany]
    units = ", ".join(dict.fromkeys(str(order.unit) for order in orders))  # type: ignore[union-attr]
    tables = compile_tables(rules)
    state = blank(tables, 1, MOST_UNITS)
    encode(tables, state, 0, place(f"Germany: {units}\nFrance: A PAR"))
    codes, mine = Codes(tables), plans(tables, 1)
    power, standing = tables.power_number[germany], units_in(tables, state, 0)
    column = {unit.space: i for i, unit in enumerate(standing)}
    note_own(power, state, mine)
    mine.at[:] = -1
    mine.at[tables.arrays.space_of[state.places[0, : len(standing)]]] = np.arange(len(standing))
    mine.counts[0] = 1
    for order in orders:
        mine.pool[0, column[order.unit.location.space]] = codes.pack(order)  # type: ignore[union-attr]
    for order in order_sets(rules, f"Germany: {forced}")[germany] if forced else ():
        mine.forced[column[order.unit.location.space]] = codes.pack(order)  # type: ignore[union-attr]
    mine.barred[[tables.space_number[Code(space)] for space in barred]] = 1
    tidy_pool(power, state, tables.arrays, mine)
    at = {unit.space: unit.ref for unit in standing}
    tidied = {
        unit.space: codes.order(int(mine.pool[0, i]), unit.ref, at)
        for i, unit in enumerate(standing)
        if unit.power == germany
    }
    return ", ".join(str(tidied[order.unit.location.space]) for order in orders)  # type: ignore[union-attr]
