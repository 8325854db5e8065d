"""Goals: whether a movement reaches one, the replies that can matter, and the rules that allow proofs."""

import pytest

from plenipo import library
from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.movement import resolve
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.reading.positions import read_position
from plenipo.puzzles.goals import Goal, NoPuzzles, Reached, check_rules, list_replies, reaches, settles_ownership

STANDARD = library.load("standard")
FRANCE = Power("France")


def position(units: dict[str, list[str]], phase: str = "Fall 1901 movement", **more: object) -> Position:
    return read_position(STANDARD, {"phase": phase, "units": units, **more})[0]


def reached(before: Position, goal: str, *orders: str) -> Reached:
    notation = notation_of(STANDARD, before)
    by_space: dict[Code, Order] = {}
    for text in orders:
        order = notation.read(text, PhaseKind.MOVEMENT)
        by_space[order.unit.location.space] = order  # type: ignore[union-attr]  # orders of a movement have units
    board = STANDARD.board_at(before)
    given = [by_space.get(unit.space) for unit in before.units]
    solver = resolve(board, STANDARD.rulebook, before.units, given, STANDARD.facts.movement)  # type: ignore[arg-type]  # as above
    return reaches(STANDARD, before, FRANCE, Goal.from_text(goal), solver)


def test_a_centre_is_taken_by_a_unit_that_is_in_it_after_the_movement() -> None:
    before = position({"France": ["A PAR", "A MAR"], "Germany": ["A BEL"]})
    assert reached(before, "take BEL", "A PAR - PIC") == (False, False)
    before = position({"France": ["A PIC", "F ENG"], "Germany": ["A BEL"]})
    assert reached(before, "take BEL", "A PIC - BEL") == (False, False)
    assert reached(before, "take BEL", "A PIC - BEL", "F ENG S A PIC - BEL") == (True, True)


def test_a_centre_is_saved_for_sure_only_by_a_unit_in_it() -> None:
    before = position({"France": ["A BUR"], "Germany": ["A RUH"]}, centres={"France": ["PAR", "BEL"]})
    assert reached(before, "save BEL", "A RUH - BEL") == (False, False)
    assert reached(before, "save BEL", "A RUH - BEL", "A BUR - BEL") == (False, True), "a retreat might still come"
    assert reached(before, "save BEL", "A BUR - BEL") == (True, True)


def test_a_dislodged_unit_may_still_retreat_into_a_vacant_centre() -> None:
    before = position({"France": ["A BUR"], "Germany": ["A MUN", "A RUH"]})
    attack = ("A MUN - BUR", "A RUH S A MUN - BUR")
    assert reached(before, "take BEL", *attack) == (False, True)


def test_a_victory_counts_centres_that_nobody_can_enter_and_those_with_units() -> None:
    own = "PAR MAR BRE SPA POR BEL HOL LON LVP EDI MUN KIE BER DEN NWY SWE VEN".split()
    before = position({"France": ["A PIE"], "Turkey": ["A CON"]}, centres={"France": own})
    assert reached(before, "win") == (False, False)
    before = position({"France": ["A APU"], "Turkey": ["A CON"]}, centres={"France": own})
    assert reached(before, "win", "A APU - NAP") == (True, True)
    before = position({"France": ["A APU"], "Turkey": ["A TYO"]}, centres={"France": own})
    assert reached(before, "win", "A APU - NAP") == (False, True), "Turkey is beside Venice and Munich"


@pytest.mark.parametrize(
    ("phase", "settles"),
    [("Spring 1901 movement", False), ("Fall 1901 movement", True), ("Winter 1901 adjustments", False)],
)
def test_only_the_last_movement_of_a_year_settles_who_owns_a_centre(phase: str, *, settles: bool) -> None:
    assert settles_ownership(STANDARD, position({"France": ["A PAR"]}, phase)) is settles


def test_replies_are_the_orders_with_an_effect_where_it_matters() -> None:
    before = position({"France": ["A PIC"], "Germany": ["A RUH", "A PRU"], "England": ["F NTH"]})
    legality = Legality(STANDARD, before)
    legal = {unit: tuple(legality.orders_of(unit.power).of(unit)) for unit in before.units}
    attack = notation_of(STANDARD, before).read("A PIC - BEL", PhaseKind.MOVEMENT)
    unit = Unit("France", "A", "PIC")
    replies = list_replies(legal, FRANCE, frozenset({Code("BEL")}), {unit: attack})
    assert {str(unit) for unit in replies} == {"A RUH", "F NTH"}
    texts = {str(order) for orders in replies.values() for order in orders}
    assert {"A RUH - BEL", "F NTH - BEL", "F NTH S A RUH - BEL"} <= texts
    assert not {"A RUH - KIE", "F NTH - EDI"} & texts


@pytest.mark.parametrize(
    ("variant", "reason"),
    [("fog-of-war", "its players do not see everything"), ("rivers", "moves meet outside the spaces")],
)
def test_rules_that_allow_no_proof_are_refused_with_the_reason(variant: str, reason: str) -> None:
    with pytest.raises(NoPuzzles) as caught:
        check_rules(library.load(variant))
    assert str(caught.value) == f"'{variant}' has no puzzles of this kind: {reason}."
