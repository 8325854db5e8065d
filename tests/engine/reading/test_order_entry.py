"""An order set in the making, order by order."""

import pytest

from plenipo.engine.history.game import Game
from plenipo.engine.orders import Order, Promise
from plenipo.engine.position import Power
from plenipo.engine.reading.order_entry import ALL, OrderEntry, unit_of
from plenipo.errors import IllegalOrder, InvalidOrder
from table import by_power, standard

FRANCE = Power("France")


def desk(power: Power = FRANCE, moves: str = "", turns: int = 0) -> OrderEntry:
    game = Game.new(standard())
    for number in range(turns):
        order_sets = by_power(moves) if not number else {}
        game = game.process({Power(name): order_set for name, order_set in order_sets.items()})
    return OrderEntry(game.rules, game.position, power)


def texts(orders: tuple[Order, ...]) -> list[str]:
    return [str(order) for order in orders]


def given(where: OrderEntry, *lines: str) -> tuple[Order, ...]:
    order_set: tuple[Order, ...] = ()
    for line in lines:
        order_set = where.give(order_set, line).order_set
    return order_set


@pytest.mark.parametrize(
    ("lines", "order_set"),
    [
        (["a par-bur"], ["A PAR - BUR"]),
        (["A PAR - BUR", "A PAR H"], ["A PAR H"]),
        (["A PAR - BUR", "A MAR H", "par - pic"], ["A PAR - PIC", "A MAR H"]),
        (["A PAR - BUR, A MAR S A PAR - BUR"], ["A PAR - BUR", "A MAR S A PAR - BUR"]),
        (["A PAR H", "A PAR H"], ["A PAR H"]),
        (["France: A PAR H"], ["A PAR H"]),
    ],
)
def test_a_later_order_for_a_unit_takes_the_place_of_the_earlier(lines: list[str], order_set: list[str]) -> None:
    assert texts(given(desk(), *lines)) == order_set


def test_replaced_orders_are_reported() -> None:
    where = desk()
    done = where.give(given(where, "A PAR - BUR", "A MAR H"), "A PAR H")
    assert (texts(done.orders), texts(done.replaced)) == (["A PAR H"], ["A PAR - BUR"])


@pytest.mark.parametrize(
    ("text", "kind", "told"),
    [
        ("A LON H", IllegalOrder, "belongs to England"),
        ("England: F LON H", IllegalOrder, "written for England"),
        ("A PAR - MOS", IllegalOrder, "does not reach"),
        ("A PAR - BRU", InvalidOrder, "BRU"),
        ("PROMISE If England enters PIC, give him 2 points.", IllegalOrder, "no promises"),
    ],
)
def test_what_may_not_be_given_is_refused(text: str, kind: type[Exception], told: str) -> None:
    with pytest.raises(kind, match=told):
        given(desk(), text)


@pytest.mark.parametrize(
    ("clear", "left"),
    [
        ("A PAR", ["A MAR H"]),
        ("par", ["A MAR H"]),
        ("a mar h", ["A PAR - BUR"]),
        (ALL, []),
        ("A LON", ["A PAR - BUR", "A MAR H"]),
        ("nonsense", ["A PAR - BUR", "A MAR H"]),
    ],
)
def test_orders_are_taken_back_by_unit_by_text_or_all(clear: str, left: list[str]) -> None:
    where = desk()
    assert texts(where.clear(given(where, "A PAR - BUR", "A MAR H"), clear)) == left


def test_missing_orders_are_described_in_a_sentence() -> None:
    where = desk()
    assert where.describe_missing(given(where, "A PAR H, A MAR H, F BRE H")) == ""
    assert where.describe_missing(given(where, "A PAR H, A MAR H")) == "F BRE has no order and will hold."
    assert where.describe_missing(()) == "F BRE, A MAR and A PAR have no order and will hold."
    assert [str(unit) for unit in where.missing(given(where, "A PAR H"))] == ["F BRE", "A MAR"]


def test_builds_have_room_for_what_is_due() -> None:
    where = desk(FRANCE, "France: A MAR - SPA, F BRE - MID", 2)
    assert (where.kind, where.due) == ("adjustments", 1)
    assert where.describe_missing(()) == "1 build will be waived."
    order_set = given(where, "A MAR B", "F MAR B")
    assert texts(order_set) == ["F MAR B"]
    with pytest.raises(IllegalOrder, match="is too much: France has 1"):
        where.give(order_set, "F BRE B")
    assert texts(given(where, "WAIVE")) == ["WAIVE"]


def test_an_order_knows_its_unit_and_a_promise_has_none() -> None:
    assert unit_of(given(desk(), "A PAR H")[0]) == "A PAR"
    assert unit_of(Promise("If")) == ""
