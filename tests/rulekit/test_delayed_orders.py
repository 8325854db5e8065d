"""Orders of a movement are carried out in the next one, and other powers do not see them before."""

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
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.reading.order_entry import OrderEntry, unit_of
from plenipo.engine.rules import Rules
from plenipo.errors import IllegalOrder, PlenipoError
from plenipo.library.trial_orders import random_orders

Tiny = Callable[..., Rules]
FRANCE, ITALY = Power("France"), Power("Italy")
LATE = "[modules.delayed_orders]\n"


def test_an_order_counts_in_the_next_movement(tiny: Tiny) -> None:
    rules = tiny(LATE)
    game = Game.new(rules).process({FRANCE: ["A PAR - BUR"]})
    assert game.position.unit_at(Code("PAR"))
    game = game.process({FRANCE: ["A BUR - MUN"]})
    assert game.position.unit_at(Code("BUR"))
    assert decode_game(encode_game(game), rules) == game
    while game.position.phase.season != "Spring":
        game = game.process({})
    game = game.process({})
    assert game.position.unit_at(Code("BUR"))  # Munich held


def test_orders_are_for_where_units_will_stand_or_for_where_they_do(tiny: Tiny) -> None:
    rules = tiny(LATE)
    game = Game.new(rules).process({FRANCE: ["A PAR - BUR", "A MAR - PIE"]})
    legal = Legality(rules, game.position).orders_of(FRANCE)
    assert [str(unit) for unit in legal.units] == ["F BRE", "A BUR", "A PIE"]
    entry = OrderEntry(rules, game.position, FRANCE)
    assert [str(entry.give((), text).orders[0]) for text in ("A BUR - MUN", "A PAR - PIC")] == [
        "A BUR - MUN",
        "A PAR - PIC",
    ]
    with pytest.raises(IllegalOrder, match="no unit in Gascony"):
        entry.give((), "A GAS - SPA")


def test_no_other_power_sees_orders_on_their_way(tiny: Tiny) -> None:
    rules = tiny(LATE)
    game = Game.new(rules).process({FRANCE: ["A PAR - BUR"], ITALY: ["A VEN - TYO"]})
    seen = view(game, ITALY, {})
    assert "BUR" not in str(seen.position.slots) + str(seen.turns[0].orders) + str(seen.turns[0].resolution)
    assert seen.position.slots[rules.modules[0].name].to_json() == {"Italy": ["A VEN - TYO"]}
    assert view(game, None, {}).turns[0].orders == {FRANCE: (), ITALY: ()}


def test_it_may_be_so_in_one_season_only(tiny: Tiny) -> None:
    rules = tiny(LATE + 'seasons = ["Spring"]\n')
    game = Game.new(rules).process({FRANCE: ["A PAR - BUR"]})
    assert game.position.unit_at(Code("PAR"))
    game = game.process({FRANCE: ["A MAR - SPA"]})
    assert game.position.unit_at(Code("BUR"))
    assert game.position.unit_at(Code("SPA"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (LATE + 'seasons = ["Winter"]', "'delayed_orders.seasons' has 'Winter', in which no unit moves"),
        (LATE + '[modules.default_orders]\ndo = "last"', "both decide what units without orders do"),
    ],
)
def test_what_cannot_be_is_refused(tiny: Tiny, text: str, why: str) -> None:
    with pytest.raises(PlenipoError, match=why):
        tiny(text)


@settings(max_examples=15)
@given(st.integers(0, 10_000))
def test_what_is_carried_out_was_written_a_movement_before(seed: int) -> None:
    rules, chance = library.load("slow-couriers"), Random(seed)
    game = Game.new(rules, Dice(bytes(32)))
    before: set[tuple[str, object]] = set()

    def about(order: Order) -> tuple[str, object]:
        return type(order).__name__, unit_of(order)[2:5]  # its letter is completed

    for _ in range(4):
        order_sets = random_orders(rules, game.position, chance)
        moved = game.position.phase.kind is PhaseKind.MOVEMENT
        game = game.process({power: list(orders) for power, orders in order_sets.items()})
        if moved:
            resolution = game.turns[-1].resolution
            assert not resolution.errors
            assert {about(o.order) for o in resolution.outcomes if o.order is not None} <= before
            before = {about(order) for orders in order_sets.values() for order in orders}
