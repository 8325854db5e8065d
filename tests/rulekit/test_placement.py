"""Some powers choose in secret which units they start with."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import SEED_BYTES, Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.history.submissions import Submissions
from plenipo.engine.orders import Choose, Order
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import process
from plenipo.engine.position import Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rules import Rules
from plenipo.errors import IllegalOrder, InvalidVariant, MissingDice, PhaseNotOver
from plenipo.library import load
from plenipo.rulekit.placement import Placement
from table import board_of

Tiny = Callable[..., Rules]
ENGLAND, FRANCE = Power("England"), Power("France")
DICE = Dice(bytes(range(SEED_BYTES)))
MODULE = """
[modules.placement.groups]
England = [[["F EDI", "F LON", "A LVP"], ["F EDI", "A LON", "F LVP"], ["A EDI", "F LON", "F LVP"]]]
France = [[["A MAR"], ["F MAR"]], [["F BRE"], ["A BRE"]]]
"""


def named(rules: Rules, *units: str) -> tuple[Order, ...]:
    return tuple(notation_of(rules).read(unit, PhaseKind.CHOICE) for unit in units)


def reveal(rules: Rules, dice: Dice | None = DICE, **units: str) -> Resolution:
    """Process these choices, given as `England="A LON, F LVP"`."""
    order_sets = {Power(power): named(rules, *texts.split(", ")) for power, texts in units.items()}
    return process(rules, rules.opening, order_sets, dice)


def test_the_game_begins_with_the_choice_and_without_the_units_to_be_chosen(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    assert str(rules.opening.phase) == "Spring 1901 choice"
    assert "England" not in board_of(rules.opening)
    assert board_of(rules.opening)["France"] == ["A PAR"]
    assert board_of(rules.opening)["Italy"] == ["F NAP", "A ROM", "A VEN"]
    assert rules.opening.centres_of(ENGLAND) == ("EDI", "LON", "LVP")


def test_what_was_chosen_stands_when_the_first_movement_begins(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    after = reveal(rules, England="F EDI, A LON, F LVP", France="F MAR, A BRE").after
    assert str(after.phase) == "Spring 1901 movement"
    assert board_of(after)["England"] == ["F EDI", "A LON", "F LVP"]
    assert board_of(after)["France"] == ["A BRE", "F MAR", "A PAR"]


def test_what_is_left_open_is_the_first_that_fits(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    assert board_of(reveal(rules).after) == board_of(load("standard").opening)
    after = reveal(rules, England="F LVP", France="F MAR")
    assert board_of(after.after)["England"] == ["F EDI", "A LON", "F LVP"]
    assert board_of(after.after)["France"] == ["F BRE", "F MAR", "A PAR"]
    assert any(note.startswith("England starts with F EDI, A LON, F LVP, as it left open") for note in after.notes)


def test_what_is_left_open_may_be_drawn_so_that_it_can_be_checked(tiny: Tiny) -> None:
    rules = tiny(MODULE, placement_default="draw")
    after = reveal(rules, England="F LVP", France="F MAR")
    assert [draw.slips for draw in after.draws] == [("A EDI, F LON, F LVP", "F EDI, A LON, F LVP"), ("A BRE", "F BRE")]
    DICE.check(after.draws)
    assert ", ".join(board_of(after.after)["England"]) == after.draws[0].result
    assert reveal(rules, England="A EDI", France="F MAR, F BRE").draws == ()


def test_a_draw_needs_dice(tiny: Tiny) -> None:
    rules = tiny(MODULE, placement_default="draw")
    with pytest.raises(MissingDice):
        reveal(rules, dice=None)


def test_the_phase_may_stay_open_until_all_is_chosen(tiny: Tiny) -> None:
    rules = tiny(MODULE, placement_default="wait")
    with pytest.raises(PhaseNotOver, match=r"The choices of England are still missing\."):
        reveal(rules, England="F EDI", France="F MAR, F BRE")
    assert str(reveal(rules, England="A EDI", France="F MAR, F BRE").after.phase) == "Spring 1901 movement"


@pytest.mark.parametrize(
    ("power", "units", "reason"),
    [
        ("England", "A EDI, A LON", "England cannot start with A EDI, A LON together"),
        ("England", "F EDI, F LON, F LVP", "England cannot start with F EDI, F LON, F LVP together"),
        ("France", "A MAR, F MAR", "France cannot start with A MAR, F MAR together, only with A MAR, or F MAR"),
        ("France", "A PAR", "is not allowed"),
        ("England", "A MAR", "is not allowed"),
        ("Italy", "A ROM", "is not allowed"),
    ],
)
def test_an_impossible_placement_is_refused_on_submission(tiny: Tiny, power: str, units: str, reason: str) -> None:
    rules = tiny(MODULE)
    with pytest.raises(IllegalOrder, match=reason):
        Submissions(rules, rules.opening).submit_orders(Power(power), named(rules, *units.split(", ")))


def test_a_phase_adjudicated_without_a_check_takes_the_first_compatible_placements(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    resolution = reveal(rules, England="A EDI, A LON, F LVP")
    assert board_of(resolution.after)["England"] == ["A EDI", "F LON", "F LVP"]
    assert len(resolution.errors) == 1
    assert "England cannot start with A EDI, A LON together" in resolution.errors[0]


def test_no_other_power_sees_a_choice_before_the_reveal(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    submissions = Submissions(rules, rules.opening)
    assert submissions.waiting_for == (ENGLAND, FRANCE)
    submissions = submissions.submit_orders(ENGLAND, named(rules, "A LON"))
    assert submissions.seen_by(FRANCE) == submissions.seen_by(None) == {}
    assert set(submissions.seen_by(ENGLAND)) == {ENGLAND}


def test_a_unit_of_another_power_is_not_taken_away(tiny: Tiny) -> None:
    rules = tiny("[modules.placement]\ngroups = { England = [[['F EDI'], ['A EDI']]] }")
    module = Placement(groups={FRANCE: ((("A LON",), ("F LON",)),)})
    assert module.opening(rules, rules.opening).units == rules.opening.units


def test_a_unit_that_cannot_stand_there_is_refused(tiny: Tiny) -> None:
    for unit, sentence in {
        "F PAR": "'placement' gives France 'F PAR', which cannot stand there",
        "A XYZ": "'placement' gives France 'A XYZ', which cannot stand there",
        "PAR": "'PAR' is not a unit; write one like 'A PAR' or 'F STP/SC'",
    }.items():
        with pytest.raises(InvalidVariant, match=sentence):
            tiny(f"[modules.placement]\ngroups = {{ France = [[['{unit}']]] }}")


def test_a_power_there_is_not_is_refused(tiny: Tiny) -> None:
    with pytest.raises(InvalidVariant, match=r"'Engeland' is not a power of this variant; did you mean England\?"):
        tiny(MODULE.replace("England =", "Engeland ="))


def test_two_modules_that_open_the_game_are_not_played_together(tiny: Tiny) -> None:
    with pytest.raises(InvalidVariant, match="'chosen_homes' and 'placement' both decide the opening"):
        tiny(MODULE, parent="1897")


def test_a_game_with_placement_comes_back_from_its_record(tiny: Tiny) -> None:
    rules = tiny(MODULE, placement_default="draw")
    game = Game.new(rules, DICE).process({ENGLAND: ["CHOOSE A LON"], FRANCE: ["nonsense"]})
    assert decode_game(encode_game(game), rules) == game


EVERY = ["A EDI", "F EDI", "A LON", "F LON", "A LVP", "F LVP"]


@given(st.lists(st.sampled_from(EVERY), unique=True), st.sampled_from(["listed", "draw"]))
def test_whatever_is_named_an_arrangement_of_the_list_is_placed(units: list[str], default: str) -> None:
    groups = {ENGLAND: ((("F EDI", "F LON", "A LVP"), ("F EDI", "A LON", "F LVP"), ("A EDI", "F LON", "F LVP")),)}
    regular = load("standard")
    module = Placement(groups=groups, placement_default=default)  # type: ignore[arg-type]  # drawn from the two words
    blank = replace(regular, modules=(module,), calendar=module.calendar(regular.calendar))
    opening = replace(regular.opening, phase=blank.calendar.first)
    rules = replace(blank, opening=module.opening(blank, opening))
    choices = named(rules, *units)
    legal = [choice for choice in choices if isinstance(choice, Choose)]
    fits = not Legality(rules, rules.opening).why_not_together(ENGLAND, legal)
    placed = board_of(process(rules, rules.opening, {ENGLAND: choices}, DICE).after)["England"]
    assert placed in [sorted(arrangement, key=lambda unit: unit[2:]) for arrangement in groups[ENGLAND][0]]
    assert fits == (set(units) <= set(placed))


@pytest.mark.parametrize(
    ("groups", "why"),
    [
        (
            'France = [[["A MAR"], ["F MAR"]], [["A MAR", "F BRE"], ["A BRE"]]]',
            "group 1 of France and group 2 of France",
        ),
        ('France = [[["A MAR"]]]\nEngland = [[["A MAR"], ["A LVP"]]]', "group 1 of France and group 1 of England"),
        ('France = [[["A MAR", "F MAR"]]]', "places two units in MAR, in group 1 of France"),
        ("France = [[[]]]", "has nothing to place in an arrangement of group 1 of France"),
    ],
)
def test_groups_that_overlap_are_refused(groups: str, why: str, tiny: Tiny) -> None:
    with pytest.raises(InvalidVariant) as refused:
        tiny(f"[modules.placement.groups]\n{groups}\n")
    assert why in str(refused.value)
