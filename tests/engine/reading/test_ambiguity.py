"""Ambiguous text is resolved by the position, and for supports by the order of the other unit."""

from dataclasses import replace

import pytest

from plenipo.engine.position import Power
from plenipo.engine.reading.ambiguity import read_order_sets
from plenipo.engine.reading.notation import notation_of
from plenipo.library import load
from table import SPRING, by_power, place

RULES = replace(load("corner"))
UNITS = "France: F POR, F MID, A SPA, F GAS\nItaly: F WES"


def read(order_sets: str, units: str = UNITS) -> tuple[list[str], list[str]]:
    position = place(units, SPRING, RULES)
    given = {Power(power): orders for power, orders in by_power(order_sets).items()}
    orders, refusals = read_order_sets(RULES, notation_of(RULES), position, given)
    return [str(order) for order_set in orders.values() for order in order_set], [str(refusal) for refusal in refusals]


@pytest.mark.parametrize(
    ("order_sets", "expected"),
    [
        # the supported move names the corner
        (
            "France: F POR S F MID - [MID/POR/SPA], F MID - [MID/POR/SPA(nc)]",
            ["F MID - [MID/POR/SPA(nc)]", "F POR S F MID - [MID/POR/SPA(nc)]"],
        ),
        # a support in place is for the corner in which a unit stands
        ("France: F POR S F [MID/POR/SPA]", ["F POR S F [MID/POR/SPA(sc)]"]),
    ],
)
def test_a_support_need_not_name_the_coast_of_a_corner(order_sets: str, expected: list[str]) -> None:
    units = UNITS if "S F MID" in order_sets else "France: F POR, F [MID/POR/SPA(sc)]"
    assert read(order_sets, units) == (expected, [])


def test_a_move_that_could_go_to_either_stays_unreadable_and_the_rest_counts() -> None:
    orders, errors = read("France: F POR - [MID/POR/SPA], F GAS H")
    assert orders == ["F GAS H"]
    assert len(errors) == 1
    assert errors[0].startswith("France: '[MID/POR/SPA]' may be ")


def test_several_orders_in_one_text_are_all_read() -> None:
    assert read("France: F POR H and F MID - WES; F GAS H # and wait") == (["F POR H", "F MID - WES", "F GAS H"], [])


def test_what_is_wrong_in_one_of_several_orders_leaves_the_rest() -> None:
    position = place(UNITS, SPRING, RULES)
    given = {Power("France"): ["F POR H; F MID - XYZ; F GAS H"]}
    orders, refusals = read_order_sets(RULES, notation_of(RULES), position, given)
    assert [str(order) for order in orders[Power("France")]] == ["F POR H", "F GAS H"]
    assert [(refusal.text, str(refusal).startswith("France: 'XYZ' is not a space")) for refusal in refusals] == [
        ("F MID - XYZ", True)
    ]


def test_two_names_that_may_be_several_places_are_settled_together() -> None:
    assert read("England: F NOR - LIV", "England: F NTH, F NAT") == (["F NAT - LVP"], [])
