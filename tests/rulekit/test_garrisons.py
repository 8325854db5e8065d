"""Neutral units take the place of an unplayed power."""

from collections.abc import Callable

import pytest

from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.history.submissions import Submissions
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.adjustments import due
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import advance, process
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant
from plenipo.library import load
from table import board_of, order_sets, outcome, owner, place, results

Tiny = Callable[..., Rules]
NEUTRAL = Power("Neutral")
MODULE = """
[modules.garrisons]
power = "Turkey"
units = ["A CON", "F SMY", "F ANK"]
orders = ["CON S SMY", "F SMY S A CON", "ANK H"]
"""


@pytest.fixture
def six(tiny: Tiny) -> Rules:
    """The regular game without Turkey."""
    return tiny(MODULE, played="false")


def test_a_power_that_is_played_leaves_the_game_as_it_was(tiny: Tiny) -> None:
    rules, regular = tiny(MODULE), load("standard")
    assert rules.names == regular.names
    assert rules.opening.units == regular.opening.units
    assert rules.opening.owners == regular.opening.owners
    assert not rules.opening.units_of(NEUTRAL)


def test_in_its_place_stand_unplayed_units_in_unowned_centres(six: Rules) -> None:
    assert "Turkey" not in [info.name for info in six.powers]
    assert NEUTRAL not in six.names
    assert board_of(six.opening)["Neutral"] == ["F ANK", "A CON", "F SMY"]
    assert [owner(six.opening, code) for code in ("ANK", "CON", "SMY")] == [None] * 3
    assert six.opening.homes_of(Power("Turkey")) == frozenset()


def test_no_power_is_asked_for_their_orders(six: Rules) -> None:
    assert Submissions(six, six.opening).waiting_for == six.names


def test_they_follow_their_standing_orders(six: Rules) -> None:
    resolution = process(six, six.opening, {})
    assert outcome(resolution, "A CON").why == "A CON supported F SMY in place."
    assert outcome(resolution, "F SMY").why == "F SMY supported A CON in place."
    assert results(resolution)["F ANK"] == "holds"
    assert resolution.errors == ()


def attack(rules: Rules, orders: str, units: str) -> Resolution:
    position = place(units, rules.opening.phase, rules)
    garrisons = {unit.power: unit for unit in position.units}.keys()
    assert NEUTRAL in garrisons
    return process(rules, position, order_sets(rules, orders))


GARRISON = "Neutral: F ANK, A CON, F SMY"


def test_their_support_holds_and_can_be_cut(six: Rules) -> None:
    two = "Russia: F BLA - CON, A BUL S F BLA - CON"
    russians = f"{GARRISON}\nRussia: F BLA, A BUL, A SYR"
    held = attack(six, two, russians)
    assert results(held)["F BLA"] == "fails"
    cut = attack(six, f"{two}, A SYR - SMY", russians)
    assert results(cut)["F SMY"] == "cut"
    assert results(cut)["F BLA"] == "moves"


def test_one_whose_partner_is_gone_holds(six: Rules) -> None:
    position = place("Neutral: F ANK, A CON", six.opening.phase, six)
    assert results(process(six, position, {})) == {"F ANK": "holds", "A CON": "holds"}


def test_one_whose_partner_is_another_power_holds(six: Rules) -> None:
    position = place("Neutral: F ANK, A CON\nRussia: F SMY", six.opening.phase, six)
    assert results(process(six, position, {}))["A CON"] == "holds"


def test_one_that_is_dislodged_never_retreats(six: Rules) -> None:
    resolution = attack(
        six,
        "Russia: F BLA - ANK, A ARM S F BLA - ANK",
        f"{GARRISON}\nRussia: F BLA, A ARM",
    )
    assert resolution.after.dislodged == ()
    assert "F ANK" not in board_of(resolution.after)["Neutral"]
    assert outcome(resolution, "F ANK").why.endswith("F ANK was destroyed: a garrison never retreats.")


def test_their_centres_have_no_owner_until_they_are_taken(six: Rules) -> None:
    fall = Phase("Fall", 1901, PhaseKind.RETREATS)
    before = place("Neutral: A CON, F SMY\nRussia: F ANK", fall, six)
    after = advance(six, before).position
    assert [owner(after, code) for code in ("ANK", "CON", "SMY")] == ["Russia", None, None]


def test_they_need_no_centre_and_are_not_raised_again(six: Rules) -> None:
    winter = Phase("Winter", 1901, PhaseKind.ADJUSTMENTS)
    for units in (GARRISON, "Neutral: F ANK", "Russia: A MOS"):
        assert due(six, place(units, winter, six), NEUTRAL) == 0
    resolution = process(six, place(f"{GARRISON}\nRussia: A MOS", winter, six), {})
    assert board_of(resolution.after)["Neutral"] == ["F ANK", "A CON", "F SMY"]


def test_other_powers_build_and_remove_as_ever(six: Rules) -> None:
    winter = Phase("Winter", 1901, PhaseKind.ADJUSTMENTS)
    position = place(f"{GARRISON}\nRussia: A MOS", winter, six, owners={"Russia": "MOS SEV WAR"})
    assert due(six, position, Power("Russia")) == 2


def test_no_power_may_order_them(six: Rules) -> None:
    order = order_sets(six, "Russia: A CON - BUL")[Power("Russia")][0]
    assert Legality(six, six.opening).check(Power("Russia"), order).reason == "A CON belongs to Neutral, not to Russia."


def test_a_game_may_choose_other_pieces(tiny: Tiny) -> None:
    rules = tiny(MODULE, played="false", units="F CON, A SMY")
    assert board_of(rules.opening)["Neutral"] == ["F CON", "A SMY"]
    told = outcome(process(rules, rules.opening, {}), "A SMY").why
    assert told == "A SMY supported F CON in place."


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"Turkey"', '"Persia"', "'Persia' is not a power of this variant; there are Austria"),
        ('"A CON"', '"CON"', "'garrisons' has the unit 'CON'; write its letter, A or F"),
        ('"A CON"', '"A XYZ"', "'garrisons' has the unit 'A XYZ': 'XYZ' is not a space of this board"),
        ('"A CON"', '"A BLA"', "'garrisons' cannot place its units: 'A BLA' cannot stand there"),
        ('"A CON"', '"A SMY"', "'garrisons' cannot place its units: .* stand in the same space"),
        ('"A CON"', '"A MOS"', "'garrisons' has the unit 'A MOS'; Russia starts with that centre"),
        ('"ANK H"', '"ANK - BLA"', "'garrisons' has the order 'ANK - BLA'; garrisons hold or support one another"),
        ('"ANK H"', '"ANK what"', "'garrisons' has the order 'ANK what': "),
    ],
)
def test_what_cannot_be_a_garrison_is_refused(tiny: Tiny, old: str, new: str, sentence: str) -> None:
    with pytest.raises(InvalidVariant, match=sentence):
        tiny(MODULE.replace(old, new, 1), played="false")


def test_a_standing_order_that_is_not_legal_is_a_hold(tiny: Tiny) -> None:
    rules = tiny(MODULE.replace("F SMY S A CON", "F SMY S F ANK"), played="false")
    assert results(process(rules, rules.opening, {})) | {"F SMY": "holds"} == results(process(rules, rules.opening, {}))
    assert results(process(rules, rules.opening, {}))["A CON"] == "supports"
