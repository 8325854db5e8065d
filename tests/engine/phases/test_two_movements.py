"""Two movements before the retreats: a unit dislodged in the first waits for them and never vanishes."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from plenipo import library
from plenipo.batch import UnsupportedRules, compile_tables
from plenipo.engine.calendar import Calendar, Phase, PhaseKind, Step
from plenipo.engine.phases.step import process
from plenipo.engine.position import Position
from plenipo.engine.rules import Rules
from plenipo.library.trial_orders import random_orders
from table import order_sets, place

CYCLE = (
    Step("Spring", PhaseKind.MOVEMENT),
    Step("Summer", PhaseKind.MOVEMENT),
    Step("Summer", PhaseKind.RETREATS),
    Step("Winter", PhaseKind.OWNERSHIP),
    Step("Winter", PhaseKind.ADJUSTMENTS),
)
SPRING = Phase("Spring", 1901, PhaseKind.MOVEMENT)
ATTACK = "Germany: A MUN - BUR, A RUH S A MUN - BUR"


def twice() -> Rules:
    rules = library.load("standard")
    calendar = Calendar(CYCLE, 1901)
    return replace(rules, calendar=calendar, opening=replace(rules.opening, phase=calendar.first))


def dislodged_in_spring(rules: Rules) -> Position:
    before = place("Germany: A MUN, A RUH\nFrance: A BUR, A MAR", SPRING, rules)
    return process(rules, before, order_sets(rules, ATTACK, PhaseKind.MOVEMENT)).after


def test_a_dislodged_unit_waits_through_the_second_movement_and_retreats() -> None:
    rules = twice()
    spring = dislodged_in_spring(rules)
    assert str(spring.phase) == "Summer 1901 movement"
    assert [str(gone.unit) for gone in spring.dislodged] == ["A BUR"]
    summer = process(rules, spring, order_sets(rules, "France: A MAR - GAS", PhaseKind.MOVEMENT)).after
    assert str(summer.phase) == "Summer 1901 retreats"
    came = process(rules, summer, order_sets(rules, "France: A BUR R PAR", PhaseKind.RETREATS)).after
    assert [str(unit) for unit in came.units_of(rules.power("France"))] == ["A GAS", "A PAR"]


def test_a_second_one_from_the_same_space_leaves_the_first_nowhere_to_go() -> None:
    rules = twice()
    spring = dislodged_in_spring(rules)
    spring = replace(spring, units=(*spring.units, *place("France: A PAR, A GAS").units))
    again = process(rules, spring, order_sets(rules, "France: A PAR - BUR, A GAS S A PAR - BUR", PhaseKind.MOVEMENT))
    assert [str(gone.unit) for gone in again.after.dislodged] == ["A BUR"]
    assert again.after.dislodged[0].unit.power == "Germany"
    assert "A BUR of France was disbanded: it had nowhere to retreat to." in again.notes


def counted(rules: Rules, seed: int) -> Iterator[tuple[int, int]]:
    """Yield the number of units before and after each movement of a random game, the reported losses included."""
    chance, position = Random(seed), rules.opening
    for _ in range(24):
        resolution = process(rules, position, random_orders(rules, position, chance))
        after = resolution.after
        if position.phase.kind is PhaseKind.MOVEMENT:
            gone = sum(event.kind == "unit_disbanded" for event in resolution.events)
            yield len(position.units) + len(position.dislodged), len(after.units) + len(after.dislodged) + gone
        position = after


def test_no_movement_ever_loses_a_unit_without_a_word() -> None:
    rules, waited = twice(), 0
    for seed in range(4):
        for before, after in counted(rules, seed):
            assert before == after
            waited += 1
    assert waited > 20


def test_the_kernel_refuses_such_a_calendar() -> None:
    with pytest.raises(UnsupportedRules, match="no retreats come between the movements of Spring and Summer"):
        compile_tables(twice())
