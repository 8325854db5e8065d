"""Accuracy: orders are judged by what could be known before them, and losses have grades."""

from collections.abc import Sequence
from functools import cache

import pytest

from plenipo.bots import WeighedOrders
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import View
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import LegalOrders
from plenipo.engine.position import Power
from plenipo.matches.accuracy import JudgedOrders, count_accuracy, judge_orders, list_movements
from plenipo.matches.review import by_standing, review
from plenipo.matches.review_page import accuracy_rows, html, mistakes
from table import order_sets, standard

FRANCE = Power("France")


@cache
def game() -> Game:
    played = Game.new(standard())
    for texts in (["A PAR - BUR", "A MAR - SPA"], ["A BUR - PIC", "A SPA - MAR"]):
        played = played.process({FRANCE: texts})
    return played


def knowing(view: View, legal: LegalOrders, orders: Sequence[Order]) -> WeighedOrders:
    """A weigher that sees no turn that is to come, and has a plan for France."""
    assert view.position.phase.season == ("Spring", "Fall")[len(view.turns)]
    plan = order_sets(view.rules, "France: A PAR - BUR")[FRANCE] if legal.power == FRANCE else ()
    loss = 0.03 if legal.power == FRANCE and len(view.turns) else 0.0
    return WeighedOrders(0.2 - loss, 0.2, tuple(plan) or tuple(orders))


def test_orders_are_judged_by_what_was_known_before_them() -> None:
    assert list_movements(game()) == [0, 1]
    for turn in (0, 1):
        judged = {one.power: one for one in judge_orders(game(), turn, knowing)}
        assert len(judged) == 7
        assert judged["Italy"].grade == ""
        assert judged["Italy"].loss == 0
    france = {one.power: one for one in judge_orders(game(), 1, knowing)}["France"]
    assert (france.grade, france.loss) == ("mistake", pytest.approx(0.03))
    assert france.given == ("A BUR - PIC", "A SPA - MAR", "F BRE H")
    assert france.better == ("A PAR - BUR",)


def test_an_accuracy_is_the_mean_over_the_movements_with_its_grades() -> None:
    judged = [
        JudgedOrders(turn, "", power, loss, grade, (), ())
        for turn, power, loss, grade in [
            (0, "France", 0.0, ""),
            (1, "France", 0.05, "blunder"),
            (0, "Italy", 0.0, ""),
            (1, "Italy", 0.0, ""),
        ]
    ]
    italy, france = count_accuracy(judged)
    assert (italy.power, italy.accuracy, italy.movements) == ("Italy", 100, 2)
    assert france.accuracy == pytest.approx(50 * (1 + 0.2865), abs=0.01)
    assert france.grades == {"inaccuracy": 0, "mistake": 0, "blunder": 1}


def test_a_review_has_the_accuracy_where_orders_are_weighed() -> None:
    assert review(game(), by_standing).accuracy == ()
    found = review(game(), by_standing, weigh=knowing)
    assert {one.power for one in found.accuracy} == set(map(str, game().rules.names))
    assert [one.grade for one in found.judged] == ["mistake"]
    assert accuracy_rows(found)[-1] == ("France", "74 %", "0", "1", "0")
    (told,) = mistakes(found)
    assert told == (
        "Fall 1901 movement (turn 2): France lost 0.03 (mistake) with A BUR - PIC, A SPA - MAR and F BRE H "
        "instead of A PAR - BUR."
    )
    assert told in html(found)


def test_the_search_finds_a_good_opening_better_than_standing_still() -> None:
    opening = Game.new(standard())
    still = opening.process({})
    bold = opening.process({FRANCE: ["A PAR - BUR", "A MAR - SPA", "F BRE - MID"]})
    losses = [{one.power: one.loss for one in judge_orders(played, 0)}["France"] for played in (still, bold, still)]
    assert losses[0] > losses[1]
    assert losses[0] == losses[2]
