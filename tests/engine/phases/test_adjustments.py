"""The adjustment phase: what is due, where units are built, who goes in civil disorder."""

import pytest

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases import adjustments
from plenipo.engine.phases.step import process
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from table import FALL, WINTER, board_of, order_sets, place, standard


def adjust(position: Position, orders: str, rules: Rules | None = None) -> Resolution:
    rules = rules or standard()
    return process(rules, position, order_sets(rules, orders, PhaseKind.ADJUSTMENTS))


def test_what_is_due_is_owned_centres_less_units_and_what_is_possible_no_more_than_the_open_sites() -> None:
    position = place("France: A PAR, A BUR", WINTER, owners={"France": "PAR MAR BRE BEL SPA POR"})
    assert adjustments.due(standard(), position, Power("France")) == 4
    assert adjustments.possible(standard(), position, Power("France")) == 2
    assert adjustments.build_sites(standard(), position, Power("France")) == ("BRE", "MAR")


def test_a_winter_without_builds_or_removals_is_skipped() -> None:
    position = place("France: A PAR, A MAR, F BRE", FALL, owners={"France": "PAR MAR BRE BEL SPA"})
    assert str(process(standard(), position, {}).after.phase) == "Spring 1902 movement"


def test_the_first_legal_builds_count() -> None:
    position = place("Germany: A RUH, A SIL", WINTER, owners={"Germany": "BER KIE MUN"})
    resolution = adjust(position, "Germany: A WAR B, A KIE B, A MUN B")
    assert board_of(resolution.after)["Germany"] == ["A KIE", "A RUH", "A SIL"]
    assert resolution.errors == (
        "Germany: 'A WAR B' was ignored: Warsaw is not a home centre of Germany.",
        "Germany: 'A MUN B' was ignored: Germany has 1 build, and they are used.",
    )


REFUSED = {
    "F MOS B": "no fleet can be built in Moscow, which has no coast.",
    "F STP B": "a fleet in St Petersburg is built in STP/NC or STP/SC: the order must name it so.",
    "STP B": "the order must say whether to build an army or a fleet in St Petersburg.",
    "A SEV B": "Sevastopol is occupied by A SEV.",
    "A WAR B": "Warsaw is owned by Turkey, not by Russia.",
    "A BUD B": "Budapest is not a home centre of Russia.",
    "A SEV D": "Russia has no unit to remove.",
}


@pytest.mark.parametrize(("order", "reason"), REFUSED.items(), ids=REFUSED)
def test_a_build_is_refused(order: str, reason: str) -> None:
    position = place("Russia: A SEV", WINTER, owners={"Russia": "MOS STP SEV BUD", "Turkey": "WAR"})
    resolution = adjust(position, f"Russia: {order}")
    assert resolution.errors == (f"Russia: '{order}' was ignored: {reason}",)
    assert board_of(resolution.after) == {"Russia": ["A SEV"]}


def test_a_build_without_a_letter_is_an_army_where_no_fleet_can_be() -> None:
    position = place("Russia: A SEV", WINTER, owners={"Russia": "MOS SEV"})
    assert board_of(adjust(position, "Russia: MOS B").after)["Russia"] == ["A MOS", "A SEV"]


def test_builds_may_be_waived_and_what_is_not_ordered_is_waived() -> None:
    position = place("France: A GAS", WINTER, owners={"France": "PAR MAR BRE"})
    resolution = adjust(position, "France: WAIVE, A PAR B")
    assert board_of(resolution.after)["France"] == ["A GAS", "A PAR"]
    assert [str(found.result) for found in resolution.outcomes] == ["waived", "builds"]


def test_removals_are_taken_in_order_until_there_are_enough() -> None:
    position = place("France: A PIC, A PAR", WINTER, owners={"France": "PAR"})
    assert board_of(adjust(position, "France: F GOL D, A PIC D, A PAR D").after)["France"] == ["A PAR"]


def test_the_removal_of_a_fleet_need_not_name_its_coast() -> None:
    position = place("Russia: F STP/NC, A MOS", WINTER, owners={"Russia": "MOS"})
    assert board_of(adjust(position, "Russia: F STP D").after)["Russia"] == ["A MOS"]


DISORDER = {
    "the farthest army goes": ("A LVN, A SWE", "STP", "A SWE"),
    "the alphabet of the full names decides between equals": ("A LVN, A UKR", "MOS", "A LVN"),
    "a fleet goes before an army at equal distance": ("A BOH, F SKA, F NTH", "STP WAR", "F NTH"),
    "an army counts steps over the sea": ("A GRE, A PIE", "NAP", "A PIE"),
    "owned centres count, not home centres": ("A WAR, A TUS", "WAR", "A TUS"),
}


@pytest.mark.parametrize(("units", "owned", "gone"), DISORDER.values(), ids=DISORDER)
def test_in_civil_disorder(units: str, owned: str, gone: str) -> None:
    position = place(f"Russia: {units}", WINTER, owners={"Russia": owned})
    (unit, why), *_ = adjustments.disorder_order(standard(), position, Power("Russia"))
    assert str(unit) == gone
    assert "was removed in civil disorder" in why


def test_before_2023_the_distance_was_to_the_home_centres() -> None:
    position = place("Italy: A WAR, A TUS", WINTER, owners={"Italy": "WAR"})
    assert board_of(adjust(position, "", standard("2000")).after)["Italy"] == ["A TUS"]


def test_a_power_that_owns_nothing_loses_every_unit_whatever_the_way_home() -> None:
    position = place("Turkey: F MID, A SPA", WINTER, owners={"France": "CON"})
    assert board_of(adjust(position, "").after) == {}


def test_a_unit_with_no_way_to_any_home_is_removed_first_and_nothing_fails() -> None:
    # under the older rules a fleet counts steps by water only, and an inland home has none
    position = place(
        "Austria: F TRI, A GAL", WINTER, owners={"Austria": "VIE"}, homes={"Austria": "VIE"}, rules=standard("1971")
    )
    resolution = adjust(position, "", standard("1971"))
    assert board_of(resolution.after)["Austria"] == ["A GAL"]
    assert resolution.outcomes[0].why.endswith("it has no way to any home centre.")


def test_one_power_removes_while_another_can_only_build() -> None:
    position = place("France: A GAS\nGermany: A BER, A KIE", WINTER, owners={"France": "PAR MAR", "Germany": "BER"})
    after = adjust(position, "France: A PAR B").after
    assert board_of(after) == {"France": ["A GAS", "A PAR"], "Germany": ["A BER"]}
