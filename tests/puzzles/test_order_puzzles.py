"""Puzzles from self-play: their solutions are proved again by brute force, and wrong answers are refuted."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from math import prod

import pytest

from plenipo.engine.orders import Hold, Move, Order
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import process
from plenipo.engine.position import Unit
from plenipo.errors import IllegalOrder, InvalidOrder
from plenipo.puzzles import GoalKind, OrderPuzzle, load_order_puzzles
from plenipo.puzzles.goals import places_of
from plenipo.puzzles.order_puzzles import (
    FIRST_NUMBER,
    BegunFile,
    InvalidPuzzles,
    read_puzzles,
    write_games,
    write_header,
    write_puzzle,
)
from proofs import share

PUZZLES = tuple(load_order_puzzles().values())

MOST = 2500
"""The most replies of a puzzle that is proved by brute force."""


def legal_orders(puzzle: OrderPuzzle) -> Mapping[Unit, tuple[Order, ...]]:
    """Every legal order of every unit, holds included."""
    legality = Legality(puzzle.rules, puzzle.position)
    return {unit: tuple(legality.orders_of(unit.power).of(unit)) for unit in puzzle.position.units}


def actors(puzzle: OrderPuzzle) -> dict[Unit, tuple[Order, ...]]:
    """The units of others that can act where the goal or the solution is, with all their legal orders."""
    ordered = puzzle.read(puzzle.solution)
    ground = set(puzzle.places) | {order.unit.location.space for order in ordered}  # type: ignore[union-attr]  # they have units
    ground |= {code for order in ordered for code in places_of(order)}
    return {
        unit: orders
        for unit, orders in legal_orders(puzzle).items()
        if unit.power != puzzle.power and (unit.space in ground or any(places_of(order) & ground for order in orders))
    }


def replies(orders: Mapping[Unit, Sequence[Order]]) -> Iterator[tuple[Order, ...]]:
    yield from product(*orders.values())


def reaches(puzzle: OrderPuzzle, given: Sequence[Order], reply: Sequence[Order]) -> bool:
    """Return whether a unit of the power is in the centre after the phase, by the step of the engine alone."""
    order_sets: dict[str, list[Order]] = {puzzle.power: list(given)}
    at = {unit.space: unit.power for unit in puzzle.position.units}
    for order in reply:
        order_sets.setdefault(at[order.unit.location.space], []).append(order)  # type: ignore[union-attr]  # it has a unit
    after = process(puzzle.rules, puzzle.position, order_sets).after  # type: ignore[arg-type]  # names of powers
    unit = after.unit_at(puzzle.goal.centre) if puzzle.goal.centre else None
    return unit is not None and unit.power == puzzle.power


SMALL = [
    puzzle
    for puzzle in PUZZLES
    if puzzle.goal.kind is not GoalKind.WIN and prod(map(len, actors(puzzle).values())) <= MOST
]


def test_there_are_puzzles_of_every_size_each_with_a_number_of_its_own() -> None:
    assert [puzzle.number for puzzle in PUZZLES] == list(range(FIRST_NUMBER, FIRST_NUMBER + len(PUZZLES)))
    assert {len(puzzle.solution) for puzzle in PUZZLES} == {1, 2, 3}
    assert {puzzle.goal.kind for puzzle in PUZZLES} >= {GoalKind.TAKE, GoalKind.SAVE}
    assert len({puzzle.identity for puzzle in PUZZLES}) == len(PUZZLES)
    assert len(SMALL) > 10


@pytest.mark.parametrize("puzzle", share(SMALL, 12), ids=lambda one: str(one.number))
def test_the_solution_withstands_all_orders_of_the_units_around(puzzle: OrderPuzzle) -> None:
    solution = puzzle.read(puzzle.solution)
    assert all(reaches(puzzle, solution, reply) for reply in replies(actors(puzzle)))


@pytest.mark.parametrize("puzzle", share(SMALL, 24), ids=lambda one: str(one.number))
def test_no_other_order_or_two_do_it(puzzle: OrderPuzzle) -> None:
    """Sets of one order all, and of two a part: each has a reply after which the goal is missed."""
    solution = {str(order) for order in puzzle.read(puzzle.solution)}
    own = {unit: orders for unit, orders in legal_orders(puzzle).items() if unit.power == puzzle.power}
    orders = [order for some in own.values() for order in some if not isinstance(order, Hold)]
    pairs = [pair for pair in combinations(orders, 2) if pair[0].unit != pair[1].unit]  # type: ignore[union-attr]  # as above
    found = list(replies(actors(puzzle)))
    found.sort(key=lambda reply: sum(isinstance(order, Hold) for order in reply))
    for given in [(), *((order,) for order in orders), *share(pairs, 40)]:
        if not solution <= {str(order) for order in given}:
            assert not all(reaches(puzzle, given, reply) for reply in found), given


@pytest.mark.parametrize("puzzle", share(PUZZLES, 25), ids=lambda one: str(one.number))
def test_the_solution_is_judged_right_and_a_part_of_it_refuted(puzzle: OrderPuzzle) -> None:
    solution = puzzle.read(puzzle.solution)
    right = puzzle.judge(solution)
    assert (right.solved, right.refuted) == (True, False)
    assert puzzle.refute(solution, 50) is None
    part = puzzle.judge(solution[1:])
    assert not part.solved
    reply = puzzle.refute(solution[1:])
    assert part.refuted == (reply is not None)
    assert reply is None or not puzzle.withstands(solution[1:], reply)


def test_holds_beside_the_solution_change_nothing() -> None:
    puzzle = PUZZLES[0]
    solution = puzzle.read(puzzle.solution)
    idle = next(unit for unit in puzzle.position.units_of(puzzle.power) if unit.ref not in {o.unit for o in solution})  # type: ignore[union-attr]  # as above
    assert puzzle.judge((*solution, Hold(idle.ref))).solved
    others = [order for order in legal_orders(puzzle)[idle] if isinstance(order, Move)]
    more = puzzle.judge((*solution, others[0]))
    assert not more.solved
    assert more.wasteful is not more.refuted, "it is refuted, or more than is needed"


@pytest.mark.parametrize("text", ["A PAR - MOO", "A XYZ H", "F LON - MOS"])
def test_an_order_that_cannot_be_given_is_refused(text: str) -> None:
    with pytest.raises((InvalidOrder, IllegalOrder)):
        PUZZLES[0].read([text])


def test_a_puzzle_is_read_as_it_was_written() -> None:
    text = write_header("standard", "1") + "".join(map(write_puzzle, PUZZLES[:3])) + write_games(2)
    assert tuple(read_puzzles(text, "mine.jsonl")) == PUZZLES[:3]


def test_a_file_is_gone_on_with_after_the_last_game_that_was_finished() -> None:
    head, (one, other) = write_header("standard", "1"), map(write_puzzle, PUZZLES[:2])
    whole = head + one + write_games(1)
    assert BegunFile.of("", "f", "standard", "1") == (head, 0)
    assert BegunFile.of(head + one, "f", "standard", "1") == (head, 0)
    assert BegunFile.of(whole + other[:40], "f", "standard", "1") == (whole, 1)


FAULTS = [
    ("", "line 1 of 'f' is no puzzle: it must be an object with the keys 'puzzles', 'variant' and 'seed'."),
    ("A PAR - BUR", "line 1 of 'f' is no puzzle: it must be an object with the keys 'puzzles', 'variant' and 'seed'."),
    (
        '{"puzzles": 9, "variant": "standard", "seed": "1"}',
        "'f' has puzzles of version 9, and this is version 1; make them again.",
    ),
    (write_header("standard", "1") + '{"number": 3}', "line 2 of 'f' is no puzzle: key 'power' is missing."),
]


@pytest.mark.parametrize(("text", "message"), FAULTS)
def test_a_fault_of_a_file_is_named_with_its_line(text: str, message: str) -> None:
    with pytest.raises(InvalidPuzzles) as caught:
        list(read_puzzles(text, "f"))
    assert str(caught.value) == message


def test_a_file_of_another_seed_is_left_alone() -> None:
    with pytest.raises(InvalidPuzzles, match="was not begun with the variant 'standard' and the seed '2'"):
        BegunFile.of(write_header("standard", "1"), "f", "standard", "2")


def test_a_position_that_cannot_be_read_is_refused() -> None:
    puzzle = replace(PUZZLES[0], line={**PUZZLES[0].line, "units": {"France": ["A MOO"]}})
    with pytest.raises(InvalidPuzzles, match="MOO"):
        puzzle.position  # noqa: B018  # it is read, which raises


def test_a_solution_of_several_orders_is_shown_against_a_reply_of_the_others() -> None:
    assert [puzzle.number for puzzle in PUZZLES if len(puzzle.solution) > 1 and not puzzle.reply] == []
