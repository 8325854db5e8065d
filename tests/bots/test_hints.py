"""Hints: plans that are legal and differ, and what is said of them comes of adjudicating them."""

from random import Random

import pytest

from plenipo import bots, library
from plenipo.bots.hints import hints
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import Legality, LegalOrders
from plenipo.engine.position import Power
from plenipo.engine.reading.plan_check import doubts
from table import standard

FRANCE, GERMANY = Power("France"), Power("Germany")
BEFORE = {FRANCE: ["A PAR - BUR", "A MAR - SPA"], GERMANY: ["A MUN - RUH"]}


def orders(legal: LegalOrders, *texts: str) -> tuple[Order, ...]:
    found = [order for order in legal if str(order) in texts]
    assert len(found) == len(texts)
    return tuple(found)


def first() -> tuple[Game, LegalOrders]:
    game = Game.new(standard(), Dice(bytes(32)))
    game = game.process(BEFORE)
    return game, Legality(game.rules, game.position).orders_of(FRANCE)


def test_three_plans_are_legal_and_differ_and_the_best_comes_first() -> None:
    game, legal = first()
    found = bots.hints(view(game, FRANCE, {}), legal, 5)
    assert len(found) == 3
    assert len({plan.orders for plan in found}) == 3
    assert all(order in legal for plan in found for order in plan.orders)
    assert all(len(plan.orders) == len(legal.units) for plan in found)
    shares = [plan.share for plan in found]
    assert shares == sorted(shares, reverse=True)
    assert 0 < shares[-1] <= shares[0] < 1


def test_the_same_seed_gives_the_same_hints() -> None:
    game, legal = first()
    seen = view(game, FRANCE, {})
    assert bots.hints(seen, legal, 5) == bots.hints(seen, legal, 5)


def test_what_a_plan_expects_and_fears_is_what_comes_of_it() -> None:
    """Burgundy takes Munich unless an army returns; in one of four samples it does, and in another Spain is entered."""
    game, legal = first()
    plan = orders(legal, "A BUR - MUN", "A SPA H", "F BRE H")
    theirs = Legality(game.rules, game.position).orders_of(GERMANY)
    home = {GERMANY: orders(theirs, "A RUH - MUN", "A BER - KIE")}
    away = {GERMANY: orders(theirs, "A RUH - HOL")}
    told = hints(view(game, FRANCE, {}), legal, [(plan, 0.2)], [away, away, home, away], 3)
    assert len(told) == 1
    assert told[0].expects == ("A SPA stays in Spain (4 of 4).", "A BUR reaches Munich (3 of 4).")
    assert told[0].fears == ("A BUR - MUN fails, stopped by A RUH of Germany (1 of 4).",)


def test_plans_that_differ_in_one_order_alone_come_after_those_that_differ_in_more() -> None:
    game, legal = first()
    near = [orders(legal, "A BUR - MUN", "A SPA H", text) for text in ("F BRE H", "F BRE - ENG", "F BRE - PIC")]
    far = orders(legal, "A BUR - BEL", "A SPA - POR", "F BRE H")
    plans = [(plan, 0.5 - i / 10) for i, plan in enumerate((*near, far))]
    told = hints(view(game, FRANCE, {}), legal, plans, [], 2)
    assert [plan.orders for plan in told] == [near[0], far]


def test_where_nothing_is_searched_there_is_one_simple_plan() -> None:
    game = Game.new(library.load("1897"), Dice(bytes(32)))
    power = view(game, None, {}).may_order[0]
    legal = Legality(game.rules, game.position).orders_of(power)
    (plan,) = bots.hints(view(game, power, {}), legal, 5)
    assert all(order in legal for order in plan.orders)
    assert (plan.share, plan.expects, plan.fears) == (0.0, (), ())


@pytest.mark.parametrize("variant", library.names())
def test_every_variant_has_hints_whatever_becomes_of_its_board(variant: str) -> None:
    game = Game.new(library.load(variant), Dice(bytes(32)))
    chance = Random(3)
    for _ in range(4):
        order_sets = {}
        for power in view(game, None, {}).may_order:
            legal = Legality(game.rules, game.position).orders_of(power)
            order_sets[power] = bots.BOTS["sensible"](view(game, power, {}), legal, chance)
            if len(order_sets) <= 3:
                found = bots.hints(view(game, power, {}), legal, 5)
                assert all(order in legal for plan in found for order in plan.orders)
        game = game.process(order_sets)


def test_expectations_of_all_powers_make_one_and_follow_the_centres() -> None:
    game, _ = first()
    found = bots.estimate_shares(game.rules, game.position, 1, 2, 8)
    assert found is not None
    assert abs(sum(found.values()) - 1) < 1e-9
    assert found == bots.estimate_shares(game.rules, game.position, 1, 2, 8)


@pytest.mark.parametrize("variant", ["standard", "corner", "cline"])
def test_no_hint_and_no_order_of_a_level_fails_the_check_of_a_plan(variant: str) -> None:
    game = Game.new(library.load(variant), Dice(bytes(32)))
    for turn in range(6):
        order_sets = {}
        for number, power in enumerate(view(game, None, {}).may_order):
            seen = view(game, power, {})
            legal = Legality(game.rules, game.position).orders_of(power)
            order_sets[power] = bots.think(seen, legal, 40 * turn + number, "quick")
            plans = [hint.orders for hint in bots.hints(seen, legal, 7)] if number < 2 else []
            for plan in (*plans, order_sets[power], bots.BOTS["sensible"](seen, legal, Random(turn))):
                assert not doubts(game.rules, game.position, power, plan)
        game = game.process(order_sets)
