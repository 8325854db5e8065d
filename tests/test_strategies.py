"""The random positions are sound, their orders legal, and they hold enough of what they are made for."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings

from clockwise import standard_board
from later_phases import (
    adjustment_orders,
    adjustment_position,
    adjustments,
    retreat_orders,
    retreat_position,
    retreats,
)
from oracle import solve
from plenipo.engine.board import Board
from plenipo.engine.orders import Build, Convoy, Disband, Move, MovementOrder, Order, Remove, Retreat, Support
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position, Power
from strategies import (
    POWERS,
    SHAPES,
    battles,
    by_power,
    dense_position,
    knotted_battle,
    movement_orders,
    scattered_position,
    small_position,
    tight_board,
)
from table import standard

BOARD = standard_board()
TIGHT = tight_board()

Shape = Callable[[Random, Board], Position]


def check(position: Position, order_sets: dict[Power, list[Order]], board: Board = BOARD) -> None:
    """The position is sound and every order legal."""
    assert not list(position.faults(board))
    legality = Legality(standard() if board is BOARD else replace(standard(), board=board), position)
    for power, orders in order_sets.items():
        for order in orders:
            assert legality.check(power, order).order is not None, (position.units, str(order))


@pytest.mark.parametrize("board", [BOARD, TIGHT], ids=["standard", "tight"])
@pytest.mark.parametrize("shape", SHAPES)
def test_positions_are_sound_and_their_orders_legal_and_complete(shape: Shape, board: Board) -> None:
    for seed in range(300):
        chance = Random(seed)
        position = shape(chance, board)
        orders = movement_orders(chance, board, position)
        check(position, by_power(position, orders), board)
        refs = [order.unit for order in orders]
        assert len(set(refs)) == len(refs)
        assert set(refs) <= {unit.ref for unit in position.units}


def test_knotted_battles_are_sound_and_their_orders_legal() -> None:
    for seed in range(300):
        position, orders = knotted_battle(Random(seed), BOARD)
        check(position, by_power(position, orders))


@pytest.mark.parametrize(("shape", "least", "most"), [(small_position, 2, 8), (scattered_position, 10, 34)])
def test_positions_have_the_size_they_promise(shape: Shape, least: int, most: int) -> None:
    sizes = {len(shape(Random(seed), BOARD).units) for seed in range(500)}
    assert (min(sizes), max(sizes)) == (least, most)


def test_all_powers_and_all_land_and_sea_are_met() -> None:
    positions = [shape(Random(seed), BOARD) for seed in range(150) for shape in SHAPES]
    assert {unit.power for position in positions for unit in position.units} == set(POWERS)
    standing = {unit.location for position in positions for unit in position.units}
    assert standing == {loc for _, loc in BOARD.destinations}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_seed_is_a_battle(shape: Shape) -> None:
    def make(seed: int) -> tuple[Position, tuple[MovementOrder, ...]]:
        chance = Random(seed)
        position = shape(chance, BOARD)
        return position, movement_orders(chance, BOARD, position)

    assert make(7) == make(7)
    assert make(7) != make(8)


def events(position: Position, orders: tuple[MovementOrder, ...], board: Board) -> set[str]:
    """The noteworthy things in a battle."""
    verdict = solve(board, position.units, orders)
    fates = verdict.fates
    target = {order.unit.location.space: order.to.space for order in orders if isinstance(order, Move)}
    carried = {
        order.other.location.space
        for order in orders
        if isinstance(order, Convoy) and target.get(order.other.location.space) == order.to.space
    }
    swaps = [(space, to) for space, to in target.items() if target.get(to) == space]
    found = {
        "via": any(isinstance(order, Move) and order.via for order in orders),
        "convoy": any(fates[space].moved for space in carried),
        "swap": any(fates[a].moved and fates[b].moved for a, b in swaps),
        "head to head": any(not {a, b} & carried for a, b in swaps),
        "support that matches nothing": any(
            isinstance(order, Support) and fates[order.unit.location.space].given is None for order in orders
        ),
        "support given": any(fate.given for fate in fates.values()),
        "support cut": any(fate.given is False for fate in fates.values()),
        "dislodged": any(fate.dislodged_by for fate in fates.values()),
        "stand-off": bool(verdict.contested),
        "paradox": bool(verdict.broken),
        "double paradox": len(verdict.broken) > 1,
        "circle": len(verdict.rotated) > 2,
        "coast": any(isinstance(order, Move) and order.to.coast for order in orders),
    }
    return {event for event, happened in found.items() if happened}


USUAL = (
    "via, convoy, head to head, support that matches nothing, support given, support cut, dislodged, stand-off, coast"
)


@pytest.mark.parametrize(
    ("board", "shape", "needed"),
    [
        pytest.param(BOARD, scattered_position, USUAL, id="scattered"),
        pytest.param(BOARD, small_position, USUAL, id="small"),
        pytest.param(BOARD, dense_position, f"{USUAL}, swap, paradox, circle", id="dense"),
        pytest.param(TIGHT, dense_position, f"{USUAL}, swap, paradox, circle", id="tight"),
    ],
)
def test_what_the_rules_turn_on_happens_often(board: Board, shape: Shape, needed: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(1000):
        chance = Random(seed)
        position = shape(chance, board)
        seen.update(events(position, movement_orders(chance, board, position), board))
    rare = {event: seen[event] for event in needed.split(", ") if seen[event] < 5}
    assert not rare


def test_knots_are_paradoxes_often_and_at_times_of_several_convoys() -> None:
    seen: Counter[str] = Counter()
    for seed in range(2000):
        seen.update(events(*knotted_battle(Random(seed), BOARD), BOARD))
    assert seen["paradox"] > 80
    assert seen["double paradox"] > 5


def test_retreat_positions_are_sound_and_their_orders_legal() -> None:
    given_orders: Counter[type[Order]] = Counter()
    for seed in range(300):
        chance = Random(seed)
        position = retreat_position(chance, BOARD)
        order_sets = retreat_orders(chance, BOARD, position)
        check(position, order_sets)
        given_orders.update(type(order) for orders in order_sets.values() for order in orders)
        taken = {unit.space for unit in position.units}
        for unit, by, barred in position.dislodged:
            assert by is not None
            assert by.power != unit.power
            assert unit.space in taken
            assert not {by.space, *barred} & taken
        assert not position.contested & taken
    assert given_orders[Retreat] > 300
    assert given_orders[Disband] > 30


def test_units_retreat_to_the_same_space_at_times() -> None:
    clashes = 0
    for seed in range(300):
        chance = Random(seed)
        order_sets = retreat_orders(chance, BOARD, retreat_position(chance, BOARD))
        goals = [order.to.space for orders in order_sets.values() for order in orders if isinstance(order, Retreat)]
        clashes += len(goals) > len(set(goals))
    assert clashes > 10


def test_adjustment_positions_are_sound_and_have_builds_and_removals_due() -> None:
    kinds: Counter[type[Order]] = Counter()
    for seed in range(300):
        chance = Random(seed)
        position = adjustment_position(chance, BOARD)
        order_sets = adjustment_orders(chance, BOARD, position)
        check(position, order_sets)
        kinds.update(type(order) for orders in order_sets.values() for order in orders)
    assert kinds[Build] > 100
    assert kinds[Remove] > 100


@settings(max_examples=50, deadline=None)
@given(battles(BOARD))
def test_drawn_battles_are_sound(drawn: tuple[Position, tuple[MovementOrder, ...]]) -> None:
    position, orders = drawn
    check(position, by_power(position, orders))


@settings(max_examples=50, deadline=None)
@given(retreats(BOARD))
def test_drawn_retreats_are_sound(drawn: tuple[Position, dict[Power, list[Order]]]) -> None:
    check(*drawn)


@settings(max_examples=50, deadline=None)
@given(adjustments(BOARD))
def test_drawn_adjustments_are_sound(drawn: tuple[Position, dict[Power, list[Order]]]) -> None:
    check(*drawn)
