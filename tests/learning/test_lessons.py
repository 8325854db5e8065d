"""Lessons: every solution reaches its goal, no smaller set of orders does, and a fault of the file is named."""

from collections.abc import Iterator, Sequence
from itertools import product

import pytest

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.choices import Choice
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import Legality
from plenipo.errors import IllegalOrder, InvalidCase, InvalidOrder
from plenipo.learning import Exercise, load_lessons
from plenipo.learning.lessons import FILE, read_lessons

EXERCISES = [one for lesson in load_lessons().values() for one in lesson.exercises]
TITLES = (
    "move stand-off support-move support-hold cut dislodge retreat build remove fleets coasts convoy disrupt".split()
)
MORE = "self-standoff garrison own-units rotation swap deals first-year".split()

MOST_TRIED = 400
"""The most sets of orders that are tried for an exercise whenever the tests run."""


def leaves(node: Choice) -> Iterator[Order]:
    """Every order at the ends of a tree of choices."""
    if node.order is not None:
        yield node.order
    for then in node.then:
        yield from leaves(then)


def smaller_sets(exercise: Exercise) -> Iterator[tuple[str, ...]]:
    """Every set of legal orders with fewer orders than the solution."""
    choices = Legality(exercise.rules, exercise.position).orders_of(exercise.power).choices()
    units = [(None, *map(str, leaves(node))) for node in choices if node.role == "unit"]
    for orders in product(*units):
        given = tuple(filter(None, orders))
        if len(given) < len(exercise.solution):
            yield given


def test_there_are_twenty_lessons_in_their_order() -> None:
    lessons = load_lessons()
    assert list(lessons) == TITLES + MORE
    assert all(lesson.exercises or lesson.play for lesson in lessons.values())


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.id)
def test_the_solution_reaches_the_goal_with_three_stars(exercise: Exercise) -> None:
    answer = exercise.adjudicate(exercise.solution)
    assert answer.solved
    assert answer.stars == 3
    assert len(answer.orders) == len(exercise.solution)


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.id)
def test_no_smaller_set_of_orders_reaches_the_goal(exercise: Exercise) -> None:
    sets = list(smaller_sets(exercise))
    step = len(sets) // MOST_TRIED + 1
    assert sets
    assert [orders for orders in sets[::step] if exercise.adjudicate(orders).solved] == []


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.id)
def test_the_position_of_an_exercise_is_one_that_a_game_can_reach(exercise: Exercise) -> None:
    position = exercise.position
    for one in position.dislodged:
        assert position.unit_at(one.unit.space)
        assert not any(position.unit_at(space) for space in one.barred)
    if position.phase.kind is PhaseKind.ADJUSTMENTS:
        standing = {unit.space: unit.power for unit in position.units if unit.space in position.owners}
        assert standing.items() <= position.owners.items()


def test_burgundy_may_be_taken_from_either_side_without_the_ally() -> None:
    without_italy = load_lessons()["deals"].exercises[1]
    assert without_italy.adjudicate(["A RUH - BUR", "A MUN S A RUH - BUR"]).stars == 3


def test_the_fleet_is_removed_without_an_order_as_its_lesson_says() -> None:
    (exercise,) = load_lessons()["remove"].exercises
    assert "the fleet would have been removed" in exercise.learned
    (removed,) = [one.unit for one in exercise.adjudicate([]).resolution.outcomes if one.unit and not one.succeeded]
    assert str(removed) == "F BLA"


def test_an_order_that_is_not_needed_costs_a_star() -> None:
    (first, second) = load_lessons()["move"].exercises
    assert first.adjudicate(["A PAR - BUR"]).stars == 3
    assert second.adjudicate(["A BER - SIL", "A MUN H"]).stars == 2
    assert second.adjudicate(["A BER - KIE"]).stars == 0


def test_a_later_order_for_a_unit_replaces_an_earlier_one() -> None:
    exercise = load_lessons()["move"].exercises[0]
    assert [str(order) for order in exercise.read(["a par to picardy", "A PAR - BUR"])] == ["A PAR - BUR"]


@pytest.mark.parametrize("text", ["A PAR - MOO", "A MUN - BUR", "A PAR - LON"])
def test_an_order_that_cannot_be_given_is_refused(text: str) -> None:
    with pytest.raises((InvalidOrder, IllegalOrder)):
        load_lessons()["move"].exercises[0].adjudicate([text])


FAULTS: Sequence[tuple[str, str]] = [
    ("- id: a\n  title: A", "line 1: key 'text' is missing."),
    ("- id: a\n  title: A\n  text: []\n  colour: red", "line 1: key 'colour' is not known"),
    ("- id: a\n  title: A\n  text: []\n  exercises: [{task: T}]", "line 1: key 'expect' is missing."),
    ("- just a word", "line 1: 'just a word' must be a mapping."),
]


@pytest.mark.parametrize(("content", "message"), FAULTS)
def test_a_fault_of_the_file_is_named_with_its_line(content: str, message: str) -> None:
    with pytest.raises(InvalidCase) as caught:
        read_lessons(content)
    assert message in str(caught.value)


def test_every_exercise_uses_a_hint_and_an_explanation_of_its_own() -> None:
    assert "placeholder" not in FILE.read_text(encoding="utf-8")
    for exercise in EXERCISES:
        assert len({exercise.task, exercise.hint, exercise.learned}) == 3
