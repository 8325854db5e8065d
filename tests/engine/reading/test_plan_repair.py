"""Plans without doubts: each way to resolve one, and no doubt left about any plan."""

from random import Random

import pytest
from hypothesis import given, settings

from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Dislodged, Power
from plenipo.engine.reading.plan_check import doubts
from plenipo.engine.reading.plan_repair import repair_plan
from proofs import so_many
from strategies import chances, movement_orders, scattered_position
from table import order_sets, place, standard, units_of

ENGLAND = Power("England")

BOARD = """
    England: F NTH, A YOR, A EDI, F LON
    France: A PAR, A MAR, F IRI
    Germany: F KIE
"""

REPAIRED = {
    "a sound plan stays as it is": ("A EDI - YOR, A YOR - WAL", ["A EDI - YOR, A YOR - WAL"]),
    "a support follows its unit, the unit follows it, or it is given up": (
        "F LON S A YOR, A YOR - WAL",
        ["F LON S A YOR - WAL, A YOR - WAL", "F LON H, A YOR - WAL", "F LON H, A YOR H"],
    ),
    "an army sails, or its fleet holds": (
        "F NTH C A YOR - NWY",
        ["F NTH C A YOR - NWY, A YOR - NWY", "F NTH H"],
    ),
    "a fleet carries, or its army holds": ("A YOR - NWY", ["A YOR - NWY, F NTH C A YOR - NWY", "A YOR H"]),
    "a unit in the way is left alone": ("A YOR - EDI", ["A YOR H"]),
    "one of two with one destination supports the other, or holds": (
        "A YOR - LVP, A EDI - LVP",
        [
            "A YOR - LVP, A EDI S A YOR - LVP",
            "A YOR S A EDI - LVP, A EDI - LVP",
            "A YOR H, A EDI - LVP",
            "A YOR - LVP, A EDI H",
        ],
    ),
    "two that would change places hold": ("A YOR - EDI, A EDI - YOR", ["A YOR H, A EDI H"]),
}


@pytest.mark.parametrize(("written", "plans"), REPAIRED.values(), ids=REPAIRED)
def test_a_doubt_is_resolved_in_each_way(written: str, plans: list[str]) -> None:
    rules = standard()
    orders = order_sets(rules, f"England: {written}")[ENGLAND]
    found = repair_plan(rules, place(BOARD), ENGLAND, orders)
    assert [", ".join(map(str, plan)) for plan in found] == plans


@settings(max_examples=so_many(100, 4))
@given(chance=chances())
def test_no_repaired_plan_is_doubted_and_every_order_is_legal(chance: Random) -> None:
    rules = standard()
    position = scattered_position(chance, rules.board)
    legality = Legality(rules, position)
    for power in rules.names:
        checked = (legality.check(power, order).order for order in movement_orders(chance, rules.board, position))
        orders = [order for order in checked if order is not None]  # with a wrong coast put right
        plans = repair_plan(rules, position, power, orders)
        assert len(set(plans)) == len(plans) > 0
        for plan in plans:
            assert not doubts(rules, position, power, plan)
            assert all(legality.check(power, order).order == order for order in plan)
            assert {order.unit for order in orders} <= {order.unit for order in plan}  # type: ignore[union-attr]


def test_a_plan_too_tangled_to_search_is_given_up_order_by_order() -> None:
    rules = standard()
    text = ", ".join(f"A {space} S A MUN - BER" for space in ("SIL", "KIE", "PRU")) + ", A MUN H"
    position = place("Germany: A SIL, A KIE, A PRU, A MUN")
    orders = order_sets(rules, f"Germany: {text}")[Power("Germany")]
    (plan,) = repair_plan(rules, position, Power("Germany"), orders, most=0)
    assert [str(order) for order in plan] == ["A SIL H", "A KIE H", "A PRU H", "A MUN H"]


def test_two_units_that_retreat_to_one_place_do_so_one_by_one() -> None:
    rules = standard()
    units = units_of(rules, "England", "A YOR, A EDI")
    position = place("France: A PAR", phase=Phase("Spring", 1901, PhaseKind.RETREATS))
    position = type(position)(position.phase, position.units, tuple(Dislodged(unit) for unit in units))
    orders = order_sets(rules, "England: A YOR R LVP, A EDI R LVP", PhaseKind.RETREATS)[ENGLAND]
    found = repair_plan(rules, position, ENGLAND, orders)
    assert [", ".join(map(str, plan)) for plan in found] == ["A YOR D, A EDI R LVP", "A YOR R LVP, A EDI D"]
