"""A new centre must be held for a turn before a unit is got for it."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo.batch import UnsupportedRules, compile_tables
from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_position, encode_position
from plenipo.engine.hooks import Effects
from plenipo.engine.phases.adjustments import due, entitlement
from plenipo.engine.phases.delays import CentreDelays
from plenipo.engine.phases.step import advance
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant, PlenipoError
from plenipo.library import load
from plenipo.rulekit.delayed_centres import DelayedCentres
from table import owner, place, reader, said

Tiny = Callable[..., Rules]
MODULE = "[modules.delayed_centres]"
FRANCE, ITALY = Power("France"), Power("Italy")


def settle(rules: Rules, position: Position, units: str) -> Effects:
    """The next settling, in the year after that of `position`, with these units on the board."""
    fall = Phase("Fall", position.phase.year + 1, PhaseKind.RETREATS)
    return advance(rules, replace(position, phase=fall, units=place(units, fall, rules).units))


def years(rules: Rules, *units: str) -> Position:
    """The position after as many settlings as there are lines of units."""
    position = rules.opening
    for line in units:
        position = settle(rules, position, line).position
    return position


def allowed(rules: Rules, position: Position, power: Power = FRANCE) -> tuple[int, int, int]:
    """Up to how many units a power builds, how many it keeps, and what is due to it now."""
    builds, keeps = entitlement(rules, position, power)
    return builds, keeps, due(rules, position, power)


THREE = "France: F BRE, A PAR, A BUR"
WITH_SPAIN = "France: F BRE, A PAR, A SPA"


def test_a_new_centre_is_owned_at_once_and_built_for_a_turn_later(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    first = years(rules, WITH_SPAIN)
    assert owner(first, "SPA") == "France"
    assert allowed(rules, first) == (3, 4, 0)
    assert allowed(rules, years(rules, WITH_SPAIN, THREE)) == (4, 4, 1)


def test_without_the_module_it_is_built_for_at_once(tiny: Tiny) -> None:
    rules = tiny("")
    assert allowed(rules, years(rules, WITH_SPAIN)) == (4, 4, 1)


def test_waiting_captures_are_announced(tiny: Tiny) -> None:
    told = "To build for SPA, France must own it when the next turn is settled."
    rules = tiny(MODULE)
    first = settle(rules, rules.opening, WITH_SPAIN)
    assert told in said(first)
    assert told not in said(settle(rules, first.position, THREE))
    occupied = tiny(MODULE, hold_meaning="occupy")
    notes = said(settle(occupied, occupied.opening, "France: A SPA, F POR"))
    assert "To build for POR, SPA, France must stand in them when the next turn is settled." in notes


def test_the_loser_loses_a_centre_at_once_and_must_remove(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    after = years(rules, "France: F BRE, A PAR, A BUR\nItaly: A MAR")
    assert allowed(rules, after) == (2, 2, -1)


def test_a_new_centre_keeps_a_unit_in_place_of_one_lost(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    after = years(rules, "France: F BRE, A PAR, A SPA\nItaly: A MAR")
    assert allowed(rules, after) == (2, 3, 0)


def test_a_new_centre_that_does_not_sustain_keeps_none(tiny: Tiny) -> None:
    rules = tiny(MODULE, new_centre_sustains="false")
    after = years(rules, "France: F BRE, A PAR, A SPA\nItaly: A MAR")
    assert allowed(rules, after) == (2, 2, -1)


def test_a_home_centre_that_is_retaken_is_new(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    after = years(rules, "France: F BRE, A PAR\nItaly: A MAR", "France: F BRE, A MAR")
    assert allowed(rules, after) == (2, 3, 0)
    assert allowed(rules, years(rules, "Italy: A MAR", "France: A MAR", "France: F BRE, A PAR")) == (3, 3, 1)


def test_a_centre_that_changes_hands_twice_is_new_to_each(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    after = years(rules, "France: A SPA", "Italy: A SPA", "France: A SPA")
    assert allowed(rules, after)[0] == 3
    assert allowed(rules, after, ITALY)[0] == 3


@pytest.mark.parametrize(("second", "builds"), [(WITH_SPAIN, 4), (THREE, 3), ("France: F BRE\nItaly: A PIE", 3)])
def test_occupied_a_new_centre_counts_only_if_a_unit_still_stands_there(tiny: Tiny, second: str, builds: int) -> None:
    rules = tiny(MODULE, hold_meaning="occupy")
    assert allowed(rules, years(rules, WITH_SPAIN, second))[0] == builds


def test_a_centre_left_too_early_counts_once_a_unit_stands_there_again(tiny: Tiny) -> None:
    rules = tiny(MODULE, hold_meaning="occupy")
    assert allowed(rules, years(rules, WITH_SPAIN, THREE, WITH_SPAIN))[0] == 4
    assert allowed(rules, years(rules, WITH_SPAIN, WITH_SPAIN, THREE))[0] == 4


def test_ownership_itself_may_wait_for_a_turn(tiny: Tiny) -> None:
    rules = tiny(MODULE, ownership_delay="one_turn")
    assert owner(years(rules, WITH_SPAIN), "SPA") is None
    assert owner(years(rules, WITH_SPAIN, WITH_SPAIN), "SPA") == "France"
    assert owner(years(rules, WITH_SPAIN, THREE, WITH_SPAIN), "SPA") is None
    assert owner(years(rules, WITH_SPAIN, "Italy: A SPA"), "SPA") is None


def test_another_unit_of_the_same_power_may_relieve_the_first(tiny: Tiny) -> None:
    rules = tiny(MODULE, ownership_delay="one_turn")
    assert owner(years(rules, "France: A SPA", "France: F SPA/SC"), "SPA") == "France"


def test_what_is_owned_at_the_start_is_built_for_at_once(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    assert allowed(rules, replace(rules.opening, units=())) == (3, 3, 3)


def test_a_home_that_was_chosen_counts_as_owned_at_the_start(tiny: Tiny) -> None:
    rules = tiny(MODULE, parent="1897", home_default="first_listed")
    game = Game.new(rules).process({FRANCE: ["PAR"]})
    assert str(game.position.phase) == "Winter 1897 adjustments"
    assert allowed(rules, game.position) == (1, 1, 1)
    game = game.process({FRANCE: ["A PAR B"]})
    assert len(game.position.units_of(FRANCE)) == 1


def test_a_record_keeps_what_is_remembered(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    after = years(rules, WITH_SPAIN)
    held = after.slots["delayed_centres"]
    assert isinstance(held, CentreDelays)
    assert "SPA" not in held.ripe
    assert held.owners[Code("SPA")] == held.standing[Code("SPA")] == "France"
    assert decode_position(encode_position(after), rules) == after
    assert allowed(rules, decode_position(encode_position(after), rules)) == (3, 4, 0)


@pytest.mark.parametrize(
    "value", [None, [], {}, {"owners": {}, "ripe": []}, {"owners": [], "ripe": [], "standing": {}}]
)
def test_what_cannot_have_been_remembered_is_refused(value: object) -> None:
    with pytest.raises((PlenipoError, KeyError)):
        DelayedCentres().decode_slot(value, reader())


CENTRES = sorted(load("standard").board.centres)
STANDING = st.lists(st.dictionaries(st.sampled_from(CENTRES), st.sampled_from(["France", "Italy"])), max_size=4)


@given(STANDING)
def test_builds_count_what_was_owned_at_both_of_the_last_two_settlings(turns: list[dict[Code, str]]) -> None:
    rules = replace(load("standard"), modules=(DelayedCentres(),))
    position = before = replace(rules.opening, slots={})
    position = DelayedCentres().opening(rules, position)
    for turn in turns:
        before = position
        units = "\n".join(f"{power}: A {code}" for code, power in turn.items())
        position = settle(rules, position, _by_power(units)).position
    for power in (FRANCE, ITALY):
        held = set(position.centres_of(power)) & set(before.centres_of(power))
        assert allowed(rules, position, power)[:2] == (len(held), len(position.centres_of(power)))


def _by_power(text: str) -> str:
    """Lines of one unit each as one line a power."""
    lines = [line.partition(": ") for line in text.splitlines()]
    return "\n".join(
        f"{power}: {', '.join(unit for name, _, unit in lines if name == power)}"
        for power in {name for name, _, _ in lines}
    )


def test_with_spaces_only_these_centres_are_waited_for(tiny: Tiny) -> None:
    rules = tiny(MODULE + '\nspaces = ["SPA"]')
    units = "France: F BRE, A PAR, A SPA, F POR"
    first = settle(rules, rules.opening, units)
    assert allowed(rules, first.position) == (4, 5, 0)
    assert "To build for SPA, France must own it when the next turn is settled." in said(first)
    assert allowed(rules, years(rules, units, units)) == (5, 5, 1)


def test_with_spaces_the_others_change_hands_at_once(tiny: Tiny) -> None:
    rules = tiny(MODULE + '\nspaces = ["SPA"]', ownership_delay="one_turn")
    units = "France: F BRE, A PAR, A SPA, F POR"
    first = years(rules, units)
    assert [owner(first, code) for code in ("SPA", "POR")] == [None, "France"]
    assert owner(years(rules, units, units), "SPA") == "France"


@given(
    st.lists(st.sampled_from(("SPA", "POR", "BEL", "MAR")), min_size=4, max_size=4), st.sampled_from(("own", "occupy"))
)
def test_to_name_every_centre_is_to_name_none(stays: list[str], hold: Literal["own", "occupy"]) -> None:
    plain, rules = (
        replace(load("standard"), modules=(DelayedCentres(hold, spaces=spaces),))
        for spaces in ((), tuple(load("standard").board.centres))
    )
    lines = [f"France: A {code}\nItaly: A {other}" for code, other in pairwise(stays) if code != other]
    one, other = years(plain, *lines), years(rules, *lines)
    assert one == other
    assert [allowed(plain, one, power) for power in plain.names] == [
        allowed(rules, other, power) for power in rules.names
    ]


def test_the_kernel_refuses_single_centres_by_name(tiny: Tiny) -> None:
    with pytest.raises(UnsupportedRules, match="'delayed_centres': a centre is waited for and others are not"):
        compile_tables(tiny(MODULE + '\nspaces = ["SPA"]'))


def test_a_space_that_is_not_a_centre_is_refused(tiny: Tiny) -> None:
    with pytest.raises(
        InvalidVariant, match="'delayed_centres' names 'BUR', which is not a supply centre; did you mean"
    ):
        tiny(MODULE + '\nspaces = ["BUR"]')
