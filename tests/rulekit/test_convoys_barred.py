"""No fleet convoys in the spaces listed."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from plenipo.engine.board import Code
from plenipo.engine.orders import Convoy
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant
from plenipo.library import load
from plenipo.rulekit.convoys import ConvoySpaces
from table import judge, order_sets, outcome, place, results

Tiny = Callable[..., Rules]
ENGLAND = Power("England")
ORDERS = "England: A LON - NWY, F NTH C A LON - NWY"


def test_an_army_is_not_convoyed_through_such_a_sea(tiny: Tiny) -> None:
    assert results(judge(ORDERS, rules=tiny(""))) == {"A LON": "moves", "F NTH": "convoys"}
    rules = tiny('[modules.convoys]\nbarred = ["NTH"]')
    resolution = judge(ORDERS, rules=rules)
    assert results(resolution) == {"A LON": "void", "F NTH": "void"}
    assert "no fleet may convoy in North Sea" in outcome(resolution, "F NTH").why


def test_no_convoy_is_offered_there_and_others_are(tiny: Tiny) -> None:
    rules = tiny('[modules.convoys]\nbarred = ["NTH"]')
    position = place("England: A LON, F NTH, F ENG", rules.opening.phase, rules)
    convoys = [order for order in Legality(rules, position).orders_of(ENGLAND) if isinstance(order, Convoy)]
    assert {order.unit.location.space for order in convoys} == {"ENG"}


def test_an_army_is_convoyed_to_such_a_province_if_it_is_land(tiny: Tiny) -> None:
    rules = tiny('[modules.convoys]\nbarred = ["KIE"]')
    orders = "England: A LON - KIE, F NTH C A LON - KIE, F HEL C A LON - KIE"
    assert results(judge(orders, rules=rules))["A LON"] == "moves"


def test_the_refusal_of_a_convoy_in_such_a_province_has_a_reason(tiny: Tiny) -> None:
    rules = tiny('[modules.convoys]\nbarred = ["KIE"]')
    order = order_sets(rules, "England: F KIE C A LON - BER")[ENGLAND][0]
    position = place("England: F KIE, A LON", rules.opening.phase, rules)
    assert "no fleet may convoy in Kiel" in Legality(rules, position).check(ENGLAND, order).reason


def test_nothing_else_on_the_board_changes() -> None:
    board = load("standard").board
    after = ConvoySpaces(barred=(Code("NTH"),)).board(board)
    assert (after.armies, after.fleets, after.borders) == (board.armies, board.fleets, board.borders)
    assert [code for code in board.spaces if after.spaces[code] != board.spaces[code]] == ["NTH"]


def test_the_parts_of_a_space_that_was_split_convoy_no_more_than_the_whole() -> None:
    board = load("standard").board
    spaces = {code: space for code, space in board.spaces.items() if code != "NTH"}
    north = board.spaces[Code("NTH")]
    spaces |= {Code(half): replace(north, code=Code(half), whole=Code("NTH")) for half in ("NTH 1", "NTH 2")}
    after = ConvoySpaces(barred=(Code("NTH"),)).board(replace(board, spaces=spaces))
    assert [code for code, space in after.spaces.items() if not space.convoys] == ["NTH 1", "NTH 2"]


def test_a_space_there_is_not_is_refused(tiny: Tiny) -> None:
    with pytest.raises(InvalidVariant, match="'convoys' names 'XYZ'"):
        tiny('[modules.convoys]\nbarred = ["XYZ"]')
