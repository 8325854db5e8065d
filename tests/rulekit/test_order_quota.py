"""A power gives only so many orders in a phase or a year."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.position import Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.rules import Rules
from plenipo.errors import IllegalOrder, PlenipoError
from plenipo.library import load
from plenipo.rulekit.order_quota import OrderQuota, Used

Tiny = Callable[..., Rules]
FRANCE = Power("France")
ORDERS = ["A PAR - BUR", "A MAR H", "F BRE - MID"]


def test_what_goes_beyond_the_ration_holds_and_a_hold_is_free(tiny: Tiny) -> None:
    rules = tiny("[modules.order_quota]\nmost = 1\n")
    game = Game.new(rules).process({FRANCE: ORDERS})
    assert {unit.space for unit in game.position.units_of(FRANCE)} == {"BUR", "MAR", "BRE"}
    (refusal,) = game.turns[0].resolution.refusals
    assert (str(refusal.code), refusal.text) == ("no_room", "F BRE - MID")
    entry = OrderEntry(rules, rules.opening, FRANCE)
    order_set = entry.give((), "A PAR - BUR").order_set
    with pytest.raises(IllegalOrder, match="'F BRE - MID' takes 1 order, and France has no order left"):
        entry.give(order_set, "F BRE - MID")


def test_a_ration_of_a_year_is_remembered_until_the_next(tiny: Tiny) -> None:
    rules = tiny('[modules.order_quota]\nmost = 2\nof = { Italy = 1 }\nper = "year"\n')
    game = Game.new(rules).process({FRANCE: ["A PAR - BUR"]})
    assert OrderQuota().used_orders(game.position) == {FRANCE: 1}
    assert decode_game(encode_game(game), rules) == game
    game = game.process({FRANCE: ["A BUR - BEL", "A MAR - SPA"]})
    assert {unit.space for unit in game.position.units_of(FRANCE)} == {"BEL", "MAR", "BRE"}
    while game.position.phase.year == 1901:
        game = game.process({})
    assert OrderQuota().used_orders(game.position) == {}


def test_only_the_orders_named_count(tiny: Tiny) -> None:
    rules = tiny('[modules.order_quota]\nmost = 1\ncounted = ["move"]\n')
    game = Game.new(rules).process({FRANCE: ["A PAR - BUR", "A MAR S A PAR - BUR"]})
    assert not game.turns[0].resolution.refusals


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("most = 0", "'order_quota.most' is 0; it must be 1 or more"),
        ('counted = ["moves"]', "'moves'; did you mean move"),
        ("counted = []", "no order would ever count"),
    ],
)
def test_a_ration_that_is_none_is_refused(tiny: Tiny, text: str, why: str) -> None:
    with pytest.raises(PlenipoError, match=why):
        tiny(f"[modules.order_quota]\n{text}\n")


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 4), st.permutations(["A PAR - BUR", "A MAR - SPA", "F BRE - MID"]))
def test_never_more_units_move_than_the_ration_says_and_the_first_orders_count(most: int, orders: list[str]) -> None:
    rules = load("short-orders", {"most": str(most)})
    game = Game.new(rules).process({FRANCE: orders})
    moved = [str(o.order) for o in game.turns[0].resolution.outcomes if o.power == FRANCE and str(o.result) == "moves"]
    assert sorted(moved) == sorted(orders[:most])
    assert Used().orders == {}
