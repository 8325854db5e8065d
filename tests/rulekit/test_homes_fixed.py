"""In one year the owned centres become the homes, for good."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo.engine.board import Code
from plenipo.engine.calendar import Calendar, Phase, PhaseKind, Step
from plenipo.engine.hooks import Effects
from plenipo.engine.phases.adjustments import build_sites
from plenipo.engine.phases.ownership import list_scheduled_effects, settle
from plenipo.engine.phases.step import advance
from plenipo.engine.position import Position, Power
from plenipo.library import load
from plenipo.rulekit.homes import HomeRules
from table import place, said, units_of

RULES = load("standard")
MODULE = HomeRules(fixed_in=1899)
FROZEN = replace(RULES, modules=(MODULE,))
SETTLING = Phase("Winter", 1899, PhaseKind.OWNERSHIP)


def homes(position: Position, power: str) -> str:
    return " ".join(sorted(position.homes_of(Power(power))))


def owning(phase: Phase, **centres: str) -> Position:
    return place("", phase, RULES, owners=centres, homes={"Turkey": "CON", "Russia": "SEV", "Austria": "BUD"})


def test_what_is_owned_in_that_year_are_the_homes() -> None:
    before = owning(SETTLING, Turkey="CON BUL SEV", Russia="MOS RUM", Austria="BUD")
    effects = settle(FROZEN, before, SETTLING)
    after, notes = effects.position, said(effects)
    assert homes(after, "Turkey") == "BUL CON SEV"
    assert homes(after, "Russia") == "MOS RUM"
    assert homes(after, "Austria") == "BUD"
    assert homes(after, "Italy") == ""
    assert "The home centres of Turkey are now BUL, CON, SEV." in notes
    assert not any("Italy" in note for note in notes)


def test_nothing_but_the_homes_changes() -> None:
    before = owning(SETTLING, Turkey="CON BUL")
    after = settle(FROZEN, before, SETTLING).position
    assert replace(after, homes=before.homes) == before


@pytest.mark.parametrize("year", [1898, 1900, 1910])
def test_no_other_year_changes_a_home(year: int) -> None:
    phase = Phase("Winter", year, PhaseKind.OWNERSHIP)
    before = owning(phase, Turkey="CON BUL SEV")
    assert settle(FROZEN, before, phase) == Effects(before)


def test_the_calendar_tells_the_event_in_that_settling_only() -> None:
    assert list_scheduled_effects(FROZEN, SETTLING) == ("homes fixed",)
    assert list_scheduled_effects(FROZEN, Phase("Winter", 1899, PhaseKind.ADJUSTMENTS)) == ()
    assert list_scheduled_effects(FROZEN, Phase("Winter", 1900, PhaseKind.OWNERSHIP)) == ()


@given(st.dictionaries(st.sampled_from(sorted(RULES.board.centres)), st.sampled_from(RULES.names)))
def test_every_owned_centre_is_a_home_of_its_owner_and_no_other_centre_is_a_home(owners: dict[Code, Power]) -> None:
    after = settle(FROZEN, Position(SETTLING, owners=owners), SETTLING).position
    assert {code: power for power, codes in after.homes.items() for code in codes} == owners
    assert sum(map(len, after.homes.values())) == len(owners)


def test_the_capture_of_that_fall_counts_and_the_builds_of_that_winter_use_the_new_homes() -> None:
    fall = place(
        "England: F NWY, A EDI",
        Phase("Fall", 1899, PhaseKind.RETREATS),
        RULES,
        owners={"England": "LON LVP"},
        homes={"England": "LON"},
    )
    effects = advance(FROZEN, fall)
    after, notes = effects.position, said(effects)
    assert str(after.phase) == "Winter 1899 adjustments"
    assert homes(after, "England") == "EDI LON LVP NWY"
    assert build_sites(FROZEN, after, Power("England")) == ("LON", "LVP")
    assert "The home centres of England are now EDI, LON, LVP, NWY." in notes


def test_later_captures_are_no_homes_and_a_lost_home_serves_no_power_until_it_is_retaken() -> None:
    fall = Phase("Fall", 1901, PhaseKind.RETREATS)
    frozen = place(
        "Turkey: A GRE", fall, RULES, owners={"Austria": "SER GRE"}, homes={"Austria": "SER GRE", "Turkey": "CON"}
    )
    lost, _, _ = advance(FROZEN, frozen)
    assert lost.owners[Code("GRE")] == "Turkey"
    assert (homes(lost, "Austria"), homes(lost, "Turkey")) == ("GRE SER", "CON")
    assert build_sites(FROZEN, lost, Power("Turkey")) == ()
    assert build_sites(FROZEN, lost, Power("Austria")) == ("SER",)
    back = replace(lost, phase=fall._replace(year=1902), units=tuple(units_of(RULES, "Austria", "A GRE")))
    retaken, _, _ = advance(FROZEN, back)
    assert retaken.owners[Code("GRE")] == "Austria"
    assert build_sites(FROZEN, replace(retaken, units=()), Power("Austria")) == ("GRE", "SER")


def test_where_a_year_has_several_settlings_the_last_one_fixes_the_homes() -> None:
    twice = Calendar(
        tuple(
            Step(season, kind) for season in ("Summer", "Fall") for kind in (PhaseKind.MOVEMENT, PhaseKind.OWNERSHIP)
        ),
        1899,
    )
    rules = replace(FROZEN, calendar=twice)
    summer = place("Turkey: A BUL", Phase("Summer", 1899, PhaseKind.MOVEMENT), rules, owners={"Turkey": "CON"})
    fall, _, _ = advance(rules, summer)
    assert homes(fall, "Turkey") == "BUL CON"
    onward, _, _ = advance(rules, replace(fall, units=tuple(units_of(rules, "Turkey", "A GRE"))))
    assert homes(onward, "Turkey") == "BUL CON GRE"
    later, _, _ = advance(rules, replace(onward, units=tuple(units_of(rules, "Turkey", "A SER"))))
    assert homes(later, "Turkey") == "BUL CON GRE"
