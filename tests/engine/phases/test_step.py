"""The step from one position to the next: what is passed over, when centres change hands, when the game is won."""

import pytest

from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.phases.step import process
from plenipo.errors import GameOver, ImpossiblePosition
from table import FALL, SPRING, WINTER, board_of, judge, order_sets, owner, place, standard

FALL_RETREATS = Phase("Fall", 1901, PhaseKind.RETREATS)


def test_phases_with_nothing_to_do_are_passed_over() -> None:
    assert judge("France: A PAR - BUR").after.phase == FALL
    position = place("France: A PAR", FALL, owners={"France": "PAR"})
    assert process(standard(), position, {}).after.phase == Phase("Spring", 1902, PhaseKind.MOVEMENT)


def test_a_retreat_phase_without_possible_retreats_is_skipped() -> None:
    resolution = judge("England: F POR H\nFrance: F SPA/SC - POR, F MID S F SPA/SC - POR")
    assert resolution.after.phase == FALL
    assert resolution.after.dislodged == ()
    assert resolution.notes == ("F POR of England was disbanded: it had nowhere to retreat to.",)


def test_spring_changes_no_owner() -> None:
    position = place("Germany: A RUH", SPRING, owners={"France": "BEL"})
    after = process(standard(), position, order_sets(standard(), "Germany: A RUH - BEL")).after
    assert owner(after, "BEL") == "France"


def test_centres_change_hands_after_the_retreats_of_fall_not_before() -> None:
    position = place("France: A BUR, A PIC\nGermany: A BEL, A RUH", FALL, owners={"Germany": "BEL", "England": "HOL"})
    moved = process(standard(), position, order_sets(standard(), "France: A BUR - BEL, A PIC S A BUR - BEL"))
    assert moved.after.phase == FALL_RETREATS
    assert owner(moved.after, "BEL") == "Germany"
    retreated = process(standard(), moved.after, order_sets(standard(), "Germany: A BEL R HOL", PhaseKind.RETREATS))
    assert owner(retreated.after, "BEL") == "France"
    assert owner(retreated.after, "HOL") == "Germany"
    assert retreated.notes == ("France took Belgium from Germany.", "Germany took Holland from England.")


EIGHTEEN = "BRE PAR MAR SPA POR BEL HOL KIE MUN BER DEN LON LVP EDI NWY SWE ROM"


def test_a_solo_is_seen_only_after_the_retreats() -> None:
    position = place(
        "France: A PIE, A TUS, A GAS\nItaly: A VEN, A TYO, A NAP",
        FALL,
        owners={"France": EIGHTEEN, "Italy": "VEN NAP TUN", "Russia": "MOS"},
    )
    moved = process(standard(), position, order_sets(standard(), "France: A PIE - VEN, A TUS S A PIE - VEN"))
    assert not moved.after.winners
    won = process(standard(), moved.after, {})
    assert won.after.winners == ("France",)
    assert won.notes[-1] == "France won the game with 18 supply centres."
    with pytest.raises(GameOver, match=r"The game is over: France won\."):
        process(standard(), won.after, {})


def test_a_retreat_can_take_the_eighteenth_centre_back() -> None:
    position = place(
        "France: A PIE, A TUS, A GAS, A BUR\nItaly: A VEN, A TYO, A NAP",
        FALL,
        owners={"France": EIGHTEEN, "Italy": "VEN NAP TUN", "Russia": "MOS"},
    )
    moved = process(standard(), position, order_sets(standard(), "France: A PIE - VEN, A TUS S A PIE - VEN"))
    after = process(standard(), moved.after, order_sets(standard(), "Italy: A VEN R ROM", PhaseKind.RETREATS)).after
    assert not after.winners
    assert owner(after, "ROM") == "Italy"


def test_two_different_orders_for_one_unit_leave_it_holding() -> None:
    position = place("France: A PAR")
    resolution = process(standard(), position, order_sets(standard(), "France: A PAR - BUR, A PAR - PIC"))
    assert board_of(resolution.after) == {"France": ["A PAR"]}
    assert resolution.errors == (
        "France: A PAR has no valid order: two orders were given to it, 'A PAR - BUR' and 'A PAR - PIC'.",
    )


@pytest.mark.parametrize(("policy", "place_of"), [("first", "A BUR"), ("last", "A PIC")])
def test_a_policy_may_let_the_first_or_the_last_of_two_orders_count(policy: str, place_of: str) -> None:
    rules = standard("standard", ("4.D.3", policy))
    resolution = process(rules, place("France: A PAR"), order_sets(rules, "France: A PAR - BUR, A PAR - PIC"))
    assert board_of(resolution.after) == {"France": [place_of]}


def test_the_same_order_twice_is_one_order() -> None:
    resolution = process(standard(), place("France: A PAR"), order_sets(standard(), "France: A PAR - BUR, A PAR - BUR"))
    assert (board_of(resolution.after), resolution.errors) == ({"France": ["A BUR"]}, ())


def test_orders_for_absent_and_foreign_units_are_reported_and_the_rest_counts() -> None:
    position = place("France: A PAR\nGermany: A MUN")
    resolution = process(standard(), position, order_sets(standard(), "France: A PAR - BUR, A MUN - TYO, F MID H"))
    assert board_of(resolution.after) == {"France": ["A BUR"], "Germany": ["A MUN"]}
    assert resolution.errors == (
        "France: 'A MUN - TYO' was ignored: A MUN belongs to Germany, not to France.",
        "France: 'F MID H' was ignored: there is no unit in Mid-Atlantic Ocean.",
    )


def test_an_order_of_another_phase_is_refused() -> None:
    resolution = process(standard(), place("France: A PAR", WINTER), order_sets(standard(), "France: A PAR - BUR"))
    assert resolution.errors == (
        "France: 'A PAR - BUR' was ignored: "
        "'A PAR - BUR' belongs to a movement phase, and this is Winter 1901 adjustments.",
    )


def test_a_position_that_contradicts_the_board_is_refused() -> None:
    with pytest.raises(ImpossiblePosition, match="'A NTH' cannot stand there: an army needs land"):
        process(standard(), place("England: A NTH"), {})
