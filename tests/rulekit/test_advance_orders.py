"""Retreats, builds and removals written with the moves, before the results are known."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plenipo import library
from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.history.view import view
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.rules import Rules
from plenipo.errors import IllegalOrder, PlenipoError
from plenipo.library.trial_orders import random_orders

Tiny = Callable[..., Rules]
FRANCE, GERMANY, ITALY = Power("France"), Power("Germany"), Power("Italy")
AHEAD = "[modules.advance_orders]\n"


def attacked(rules: Rules, *then: str) -> Game:
    """France in Burgundy, where Germany dislodges it in the second movement; what France writes with it."""
    game = Game.new(rules)
    game = game.process({FRANCE: ["A PAR - BUR"], GERMANY: ["A BER - KIE", "F KIE - DEN", "A MUN - RUH"], ITALY: []})
    game = game.process({GERMANY: ["A KIE - MUN"]})
    while game.position.phase.season != "Spring":
        game = game.process({})
    return game.process({GERMANY: ["A MUN - BUR", "A RUH S A MUN - BUR"], FRANCE: ["A BUR H", *then]})


def test_the_first_retreat_that_is_allowed_counts(tiny: Tiny) -> None:
    rules = tiny(AHEAD)
    game = attacked(rules, "THEN A BUR - MUN", "THEN A BUR R GAS", "THEN A BUR - PAR")
    assert game.position.phase.kind is PhaseKind.RETREATS
    assert decode_game(encode_game(game), rules) == game
    legal = Legality(rules, game.position).orders_of(FRANCE)
    assert (list(legal), legal.units) == ([], ())
    assert view(game, FRANCE, {}).may_order == ()
    with pytest.raises(IllegalOrder, match="was written with the moves"):
        OrderEntry(rules, game.position, FRANCE).give((), "A BUR R PAR")
    game = game.process({FRANCE: ["A BUR R PAR"]})
    assert game.position.unit_at(Code("GAS"))


def test_units_without_conditional_orders_are_disbanded(tiny: Tiny) -> None:
    assert not attacked(tiny(AHEAD)).process({}).position.units_of(FRANCE)[2:]


def test_builds_are_written_with_the_moves_too(tiny: Tiny) -> None:
    rules = tiny(AHEAD)
    game = Game.new(rules).process({FRANCE: ["A MAR - SPA", "A PAR - PIC"]})
    game = game.process(
        {FRANCE: ["A PIC - BEL", "THEN build A PIC", "THEN F BRE B", "THEN A MAR B", "THEN build A PAR"]}
    )
    while game.position.phase.season != "Spring":
        game = game.process({})
    units = {str(unit) for unit in game.position.units_of(FRANCE)}
    assert units == {"A BEL", "A MAR", "A PAR", "A SPA", "F BRE"}  # Brest was not vacant, Picardy is no home


def test_otherwise_an_order_of_the_phase_itself_goes_before(tiny: Tiny) -> None:
    game = attacked(tiny(AHEAD + "only = false\n"), "THEN A BUR R GAS")
    assert game.process({FRANCE: ["A BUR R PAR"]}).position.unit_at(Code("PAR"))
    assert game.process({}).position.unit_at(Code("GAS"))


def test_no_other_power_sees_conditional_orders(tiny: Tiny) -> None:
    game = attacked(tiny(AHEAD), "THEN A BUR R GAS")
    seen = view(game, GERMANY, {})
    assert "GAS" not in str(seen.turns[-1].orders) + str(seen.position.slots)
    assert "THEN A BUR R GAS" in view(game, FRANCE, {}).turns[-1].orders[FRANCE]


@pytest.mark.parametrize(
    ("text", "why"),
    [("THEN A PAR - XYZ", "'XYZ'"), ("THEN F BRE S A PAR", "nothing one may order in retreats or in adjustments")],
)
def test_what_is_no_retreat_and_no_build_is_answered_in_a_sentence(tiny: Tiny, text: str, why: str) -> None:
    rules = tiny(AHEAD)
    with pytest.raises(IllegalOrder, match=why):
        OrderEntry(rules, rules.opening, FRANCE).give((), text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (AHEAD + "phases = []", "'advance_orders.phases' is empty"),
        (
            AHEAD + '[calendar]\nstart = 1\ncycle = [["A", "movement"], ["A", "ownership"]]\n',
            "names 'retreats', of which the calendar has none",
        ),
    ],
)
def test_what_cannot_be_is_refused(tiny: Tiny, text: str, why: str) -> None:
    with pytest.raises(PlenipoError, match=why):
        tiny(text)


@settings(max_examples=15)
@given(st.integers(0, 10_000))
def test_every_retreat_and_build_was_written_with_the_moves(seed: int) -> None:
    rules, chance = library.load("sealed-orders"), Random(seed)
    game = Game.new(rules, Dice(bytes(32)))
    written: set[str] = set()
    for _ in range(5):
        order_sets = random_orders(rules, game.position, chance)
        moving = game.position.phase.kind is PhaseKind.MOVEMENT
        game = game.process({power: list(orders) for power, orders in order_sets.items()})
        if moving:
            written = {str(order).removeprefix("THEN ") for orders in order_sets.values() for order in orders}
        else:
            said = [o for o in game.turns[-1].resolution.outcomes if o.cause.reason == "ordered" and o.order]
            assert all(str(o.order) in written for o in said)
