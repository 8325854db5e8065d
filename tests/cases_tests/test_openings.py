"""Cases of the kind `setup`: every key is compared, and can fail."""

import pytest

from plenipo.cases.run import CaseResult, Verdict, run_text


def opened(expect: str, variant: str = "standard", given: str = "") -> CaseResult:
    """A case that says this of the opening of a variant."""
    (result,) = run_text(f"- {{id: a, variant: '{variant}', kind: setup, {given} expect: {{{expect}}}}}", "f.yaml")
    return result


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ("victory: 19", "victory: expected 19, came 18."),
        ("centres_total: 35", "centres_total: expected 35, came 34."),
        ("pieces: 21", "pieces: expected 21, came 22."),
        ("pieces: {France: [A BRE]}", "pieces of France: expected A BRE, came A MAR, A PAR, F BRE."),
        ("pieces_by_power: {Russia: 3}", "pieces of Russia: expected 3, came 4."),
        ("powers: 8", "powers: expected 8, came 7."),
        ("powers: [France]", "powers: expected France, came Austria, England"),
        ("powers_max: 8", "powers_max: expected 8, came 7."),
        ("majors: [France]", "majors: expected France, came Austria, England"),
        ("minors: [BEL]", "minors: expected BEL, came none."),
        ("minors_with_regular_centre: [BEL]", "minors_with_regular_centre: expected BEL, came none."),
        ("minors_receiving_a_centre: [ALB]", "minors_receiving_a_centre: expected ALB, came none."),
        ("neutral_centres: [BEL]", "centres nobody owns: expected BEL, came BEL, BUL"),
        ("unowned_at_start: []", "centres nobody owns: expected none, came BEL, BUL"),
        ("not_centres: [UKR, PAR]", "not_centres: expected none, came PAR."),
        ("closed: []", "closed: expected none, came SWI."),
        ("units_at_start_absent: [F KIE]", "units_at_start_absent, F KIE: expected to be absent, came present."),
        ("units_at_start_absent: [Germany]", "units_at_start_absent, Germany: expected to be absent, came present."),
        ("units_at_start_absent: {Germany: [F KIE]}", "F KIE of Germany: expected to be absent, came present."),
        ("no_fleet_path: [STP/NC, STP/SC]", "no_fleet_path, STP/NC to STP/SC: expected no path, came one."),
        ("no_fleet_path: [[MOS, BAR], [BLA, AEG]]", "no_fleet_path, BLA to AEG: expected no path, came one."),
        ("multi_coast_provinces: [STP]", "multi_coast_provinces: expected STP, came BUL, SPA, STP."),
        ("fleet_moves_to: {STP/NC: [BAR]}", "fleet_moves_to, STP/NC: expected BAR, came BAR, NWY."),
        ("army_moves_to: {POR: [SPA, GAS]}", "army_moves_to, POR: expected GAS, SPA, came SPA."),
        ("legal_builds: {Russia: [A STP, F STP/NC]}", "legal builds of Russia: expected A STP, F STP/NC, came A STP"),
        ("legal_builds: {Russia: []}", "legal builds of Russia: expected none, came A MOS"),
        ("homes: {France: [PAR]}", "homes of France: expected PAR, came BRE, MAR, PAR."),
        ("centres: {France: [PAR]}", "centres of France: expected PAR, came BRE, MAR, PAR."),
    ],
)
def test_a_wrong_expectation_is_reported(expect: str, message: str) -> None:
    result = opened(expect)
    assert result.outcome is Verdict.FAILED
    assert result.message.startswith(message)


@pytest.mark.parametrize(
    "expect",
    [
        "units_at_start_absent: [A KIE, F MUN]",
        "no_fleet_path: [MOS, BAR]",
        "legal_builds: {Russia: [A STP, Build F STP/NC, F STP/SC B]}",
        "minors: [], minors_with_regular_centre: []",
    ],
)
def test_a_true_one_passes(expect: str) -> None:
    assert opened(expect).outcome is Verdict.PASSED


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ("pieces_at_noon: 3", "key 'pieces_at_noon': 'at_noon' is not understood; a key may end in '_nine_players'"),
        ("pieces_nine_players: 3", "key 'pieces_nine_players': no option of this variant lets 9 powers play."),
        ("piece: 3", "key 'piece' is not known in the 'expect' of kind 'setup'"),
        ("no_fleet_path: [BAR]", "key 'no_fleet_path': ['BAR'] must be two places."),
        ("fleet_moves_to: {STP: [BAR]}", "key 'fleet_moves_to': no such unit can stand in 'STP'; the place has STP/NC"),
        ("major_pieces: nowhere", "'nowhere' is neither a variant nor a folder with one"),
    ],
)
def test_what_is_not_understood_is_refused(expect: str, message: str) -> None:
    assert opened(expect).message.startswith(message)


def test_a_variant_that_needs_a_power_says_so() -> None:
    result = opened("powers: 6", given="unplayed: [Turkey],")
    assert result.message == "key 'unplayed': this variant cannot be played without Turkey."


def test_a_power_may_be_left_unplayed_by_an_option_that_is_on_or_off() -> None:
    moors = "unplayed: [Moors],"
    assert opened("powers: 8, unowned_at_start: [POR, SPA, TUN]", "napoleonic", moors).outcome is Verdict.PASSED
    assert opened("units_at_start_absent: [Moors]", "napoleonic", moors).outcome is Verdict.PASSED
    assert opened("unowned_at_start: [POR, SPA, TUN]", "napoleonic").outcome is Verdict.FAILED


def test_a_condition_at_the_end_of_a_key_names_the_game_it_is_about() -> None:
    assert opened("unowned_at_start_eight_players: [POR, SPA, TUN]", "napoleonic").outcome is Verdict.PASSED
    assert opened("unowned_at_start_nine_players: []", "napoleonic").outcome is Verdict.PASSED
    assert opened("powers_all_played: 9, powers_8_players: 8", "napoleonic").outcome is Verdict.PASSED
    wrong = opened("unowned_at_start_eight_players: [POR]", "napoleonic").message
    assert wrong.startswith("unowned_at_start_eight_players, centres nobody owns: expected POR, came POR, SPA, TUN")


CHOICE = "orders: {England: [F HOL, A LON], France: [A BRE]},"


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ("accepted: [England, France]", "accepted: expected England, France, came England."),
        ("accepted: [England], refused: {England: no}", "refused orders of England: expected to be refused"),
        ("pieces: {England: [A HOL, F EDI, A LON, F LVP]}", "pieces of England: expected A HOL, A LON, F EDI, F LVP"),
    ],
)
def test_a_wrong_word_about_what_was_chosen_is_reported(expect: str, message: str) -> None:
    assert opened(expect, "napoleonic", CHOICE).message.startswith(message)


def test_a_sheet_counts_as_a_whole() -> None:
    expect = "accepted: [England], refused: {France: no such choice}, pieces: {England: [F HOL, F EDI, A LON, F LVP]}"
    assert opened(expect, "napoleonic", CHOICE).outcome is Verdict.PASSED
    both = "orders: {England: [A EDI, A LON]},"
    assert opened("accepted: [], refused: {England: [A EDI, A LON]}", "napoleonic", both).outcome is Verdict.PASSED


def test_an_example_that_is_not_refused_is_reported() -> None:
    example = "refused_examples: [{England: [A EDI, A LON], why: one army}, {France: [F MAR], why: nonsense}],"
    result = opened("accepted: []", "napoleonic", example)
    assert result.message == "refused_examples: expected 'France: F MAR' to be refused, came accepted."
    assert "an example has a power" in opened("powers: 9", "napoleonic", "refused_examples: [{why: none}],").message


def test_nothing_can_be_chosen_where_nothing_is_to_be_chosen() -> None:
    message = opened("accepted: [France]", given="orders: {France: [A PAR]},").message
    assert message == "key 'orders': nothing is chosen before the first move of this variant."
