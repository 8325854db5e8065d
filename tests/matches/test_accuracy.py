"""Accuracy: orders are rated by what could be known before them, and losses have grades."""

from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plenipo.bots import WeighedOrders, weigh_orders
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import View, view
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import Legality, LegalOrders
from plenipo.engine.position import Power
from plenipo.library import load
from plenipo.matches.accuracy import (
    LEAST_LOSSES,
    Grade,
    RatedOrders,
    average_accuracies,
    find_difference,
    grade_loss,
    list_movements,
    rate_loss,
    rate_order_set,
    rate_orders,
)
from plenipo.matches.review import by_standing, review
from plenipo.matches.review_page import accuracy_rows, html, mistakes
from table import standard

FRANCE = Power("France")
PLAN = ("A PAR - BUR", "A MAR - SPA", "F BRE - MID")
VARIANTS = ("standard", "fleet-rome", "hundred")
"""Boards with seven powers, with other openings, and with three."""

losses = st.floats(0, 1)
pars = st.integers(2, 34).map(lambda powers: 1 / powers)


@cache
def game() -> Game:
    played = Game.new(standard())
    for texts in (["A PAR - BUR", "A MAR - SPA"], ["A BUR - PIC", "A SPA - MAR"]):
        played = played.process({FRANCE: texts})
    return played


def weigh_knowing(view: View, legal: LegalOrders, orders: Sequence[Order]) -> WeighedOrders | None:
    """Weigh orders by a plan of one order for France, without a look at turns that are to come."""
    assert view.position.phase.season == ("Spring", "Fall")[len(view.turns)]
    if legal.power != FRANCE:
        return WeighedOrders(0.2, 0.2, tuple(orders))
    plan = next(iter(legal.of(legal.units[0])))
    return WeighedOrders(0.2 - 0.03 * len(view.turns), 0.2, (plan,))


@given(losses, losses, pars)
def test_the_accuracy_falls_as_the_loss_grows(one: float, other: float, par: float) -> None:
    less, more = sorted((one, other))
    assert 100 >= rate_loss(less, par) >= rate_loss(more, par) >= 0
    assert rate_loss(0, par) == 100
    assert list(Grade).index(grade_loss(less, par)) <= list(Grade).index(grade_loss(more, par))
    if more - less > 1e-9 and rate_loss(less, par) > 1e-9:
        assert rate_loss(less, par) > rate_loss(more, par)


def test_a_grade_begins_at_its_least_loss_and_has_the_accuracy_of_lichess_there() -> None:
    for grade, least in LEAST_LOSSES.items():
        assert grade_loss(least / 7 + 1e-9, 1 / 7) is grade
        assert grade_loss(least / 7 - 1e-9, 1 / 7) is not grade
    assert [round(rate_loss(part / 7, 1 / 7)) for part in LEAST_LOSSES.values()] == [50, 63, 79]


def test_orders_are_judged_by_what_was_known_before_them() -> None:
    assert list_movements(game()) == [0, 1]
    for turn in (0, 1):
        rated = {one.power: one for one in rate_orders(game(), turn, weigh_knowing)}
        assert len(rated) == 7
        assert (rated["Italy"].grade, rated["Italy"].loss, rated["Italy"].accuracy) == (Grade.GOOD, 0, 100)
    france = rated["France"]
    assert france.grade is Grade.MISTAKE
    assert france.loss == pytest.approx(0.03)
    assert set(france.given) >= {"A BUR - PIC", "A SPA - MAR"}
    given_only, plan_only = find_difference(france)
    assert not set(given_only) & set(france.plan)
    assert not set(plan_only) & set(france.given)


def test_the_accuracy_of_a_power_is_the_mean_over_its_movements_with_its_grades() -> None:
    rated = [
        RatedOrders(turn, "", power, (), (), loss, accuracy, grade)
        for turn, power, loss, accuracy, grade in [
            (0, "France", 0.0, 100.0, Grade.GOOD),
            (1, "France", 0.05, 40.0, Grade.BLUNDER),
            (0, "Italy", 0.0, 100.0, Grade.GOOD),
            (1, "Italy", 0.0, 100.0, Grade.GOOD),
        ]
    ]
    italy, france = average_accuracies(rated)
    assert (italy.power, italy.accuracy, italy.movements) == ("Italy", 100, 2)
    assert (france.accuracy, france.movements) == (70, 2)
    assert (france.grades[Grade.BLUNDER], france.grades[Grade.MISTAKE]) == (1, 0)


def test_a_review_has_accuracies_where_orders_are_weighed() -> None:
    assert review(game(), by_standing).accuracies == ()
    found = review(game(), by_standing, weigh=weigh_knowing)
    assert {one.power for one in found.accuracies} == set(map(str, game().rules.names))
    assert len(found.rated) == 14
    assert accuracy_rows(found)[-1] == ("France", "81", "0", "1", "0")
    (told,) = mistakes(found, 5)
    assert told.startswith("Fall 1901 movement (turn 2): France lost 0.03 (mistake) with ")
    assert told in html(found)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_best_plan_has_no_loss_and_nothing_has_less(variant: str) -> None:
    played = Game.new(load(variant))
    while played.position.phase.kind.value != "movement":
        played = played.process({})
    seen = {power: view(played, power, {}) for power in played.rules.names}
    for power in list(seen)[:2]:
        legal = Legality(played.rules, seen[power].position).orders_of(power)
        still = weigh_orders(seen[power], legal, [], 1)
        assert still is not None
        assert still.best >= still.given > 0
        best = weigh_orders(seen[power], legal, still.plan, 1)
        assert best == WeighedOrders(still.best, still.best, still.plan)


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_a_loss_is_never_negative_and_always_the_same(data: st.DataObject) -> None:
    opening = game().fork(0)
    legal = Legality(opening.rules, opening.position).orders_of(FRANCE)
    orders = [data.draw(st.sampled_from(list(legal.of(unit)))) for unit in legal.units]
    rated = rate_order_set(game(), 0, FRANCE, orders)
    assert rated is not None
    assert rated.loss >= 0
    assert rated == rate_order_set(game(), 0, FRANCE, orders)


def test_a_good_opening_loses_less_than_standing_still() -> None:
    still, bold = (rate_orders(Game.new(standard()).process({FRANCE: orders}), 0) for orders in ((), PLAN))
    losses = [next(one.loss for one in rated if one.power == "France") for rated in (still, bold)]
    assert losses[0] > losses[1]
