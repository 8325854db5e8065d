"""Provinces drawn from a hat swallow what is in them and close; later one is freed for each that is made."""

from collections.abc import Callable
from dataclasses import replace
from itertools import islice

import pytest

from hats import BY_HAND, drawn, notes
from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.changes import closed_by
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, decode_position, encode_game, encode_position
from plenipo.engine.phases.adjustments import due
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import GAME_MASTER, Dislodged, Position, Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rules import Rules
from plenipo.errors import MissingDice, PhaseNotOver, PlenipoError
from plenipo.rulekit.black_holes import BlackHoles, Holes, holes_in
from table import board_of, owner, place, reader, units_of

Tiny = Callable[..., Rules]
MODULE = "[modules.black_holes]\n"
HAND = BY_HAND + MODULE
ENGLAND, FRANCE = Power("England"), Power("France")


def holes(position: Position) -> list[str]:
    return [str(code) for code in holes_in(position)]


def test_slips_are_drawn_after_the_retreats_of_every_turn(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    phases = [str(phase) for phase in islice(rules.calendar.after(rules.calendar.first), 7)]
    assert phases == [
        "Spring 1901 retreats",
        "Spring 1901 draws",
        "Fall 1901 movement",
        "Fall 1901 retreats",
        "Fall 1901 draws",
        "Winter 1901 ownership",
        "Winter 1901 adjustments",
    ]


def test_units_in_a_black_hole_are_lost_and_no_unit_enters_it_again(tiny: Tiny) -> None:
    rules = tiny(HAND)
    position = place("England: F NTH, F ENG, A YOR", rules=rules)
    after = drawn(rules, position, {"black hole": "NTH"}).after
    assert board_of(after) == {"England": ["F ENG", "A YOR"]}
    assert holes(after) == ["NTH"]
    assert rules.board_at(after).spaces[Code("NTH")].impassable
    legality = Legality(rules, after)
    assert "F ENG - NTH" not in {str(order) for order in legality.orders_of(ENGLAND)}


def test_an_order_into_a_hole_is_refused_because_it_is_one(tiny: Tiny) -> None:
    rules = tiny(HAND)
    after = drawn(rules, place("England: F ENG", rules=rules), {"black hole": "NTH"}).after
    checked = Legality(rules, after).check(ENGLAND, notation_of(rules).read("F ENG - NTH", PhaseKind.MOVEMENT))
    assert checked.reason == "North Sea is a black hole: nothing may enter."


def test_it_says_what_is_lost(tiny: Tiny) -> None:
    rules = tiny(HAND)
    position = place("England: A BEL", rules=rules, owners={"France": "BEL PAR"})
    resolution = drawn(rules, position, {"black hole": "bel"})
    assert resolution.notes == (
        "Belgium became a black hole.",
        "A BEL of England was annihilated.",
        "France lost the supply centre.",
    )
    assert owner(resolution.after, "BEL") is None
    assert "BEL" not in rules.board_at(resolution.after).centres


def test_a_centre_in_a_hole_is_not_captured_and_not_built_for(tiny: Tiny) -> None:
    rules = tiny(HAND)
    fall = Phase("Fall", 1901, PhaseKind.DRAWS)
    position = place("France: A BEL, A PAR, F BRE", rules=rules, owners={"France": "PAR BRE MAR"})
    after = drawn(rules, position, {"black hole": "BEL"}, fall).after
    assert after.centres_of(FRANCE) == ("BRE", "MAR", "PAR")
    assert due(rules, after, FRANCE) == 1


def test_a_hole_keeps_its_place_on_the_map(tiny: Tiny) -> None:
    rules = tiny(HAND)
    after = drawn(rules, rules.opening, {"black hole": "BUR"}).after
    assert rules.board_at(after).borders == rules.board.borders


def played(rules: Rules, turns: int, seed: int = 1) -> Game:
    """Return a game without orders, after some turns with draws."""
    game = Game.new(rules, Dice(seed.to_bytes(32, "big")))
    while len(labels(game, "black hole")) < turns:
        game = game.process({})
    return game


def labels(game: Game, label: str) -> list[str]:
    return [d.label for turn in game.turns for d in turn.resolution.draws if d.label.endswith(f"|{label}")]


def test_one_hole_is_freed_for_each_that_is_made_once_enough_turns_have_gone_by(tiny: Tiny) -> None:
    rules = tiny(MODULE + "free_after_turns = 3\n")
    for turns in range(1, 7):
        game = played(rules, turns)
        assert len(holes(game.position)) == min(turns, 3)
    assert labels(game, "un-hole") == [f"{season}|un-hole" for season in ("Fall 1902", "Spring 1903", "Fall 1903")]
    assert decode_game(encode_game(game), rules) == game


def test_a_freed_province_is_open_and_its_centre_has_no_owner(tiny: Tiny) -> None:
    rules = tiny(HAND, free_after_turns="1")
    first = drawn(rules, rules.opening, {"black hole": "PAR"}).after
    assert owner(first, "PAR") is None
    fall = Phase("Fall", 1901, PhaseKind.DRAWS)
    second = drawn(rules, first, {"un-hole": "PAR", "black hole": "NTH"}, fall)
    assert notes(second, "no more") == ["Paris is a black hole no more."]
    assert holes(second.after) == ["NTH"]
    assert "PAR" in rules.board_at(second.after).centres
    assert owner(second.after, "PAR") is None
    assert closed_by(second.after.changes) == {"NTH"}


@pytest.mark.parametrize(("status", "at_home"), [("kept", True), ("lost", False)])
def test_a_home_that_is_freed_is_a_home_again_as_the_option_says(tiny: Tiny, status: str, *, at_home: bool) -> None:
    rules = tiny(HAND, free_after_turns="1", freed_home_status=status)
    first = drawn(rules, rules.opening, {"black hole": "PAR"}).after
    assert "PAR" in first.homes_of(FRANCE)
    fall = Phase("Fall", 1901, PhaseKind.DRAWS)
    after = drawn(rules, first, {"un-hole": "PAR", "black hole": "NTH"}, fall).after
    assert ("PAR" in after.homes_of(FRANCE)) is at_home
    assert {"BRE", "MAR"} <= after.homes_of(FRANCE)


@pytest.mark.parametrize("again", [True, False])
def test_the_slip_of_the_freed_province_is_in_the_hat_as_the_option_says(tiny: Tiny, *, again: bool) -> None:
    rules = tiny(MODULE, free_after_turns="1", freed_can_be_redrawn_at_once=str(again).lower())
    position = BlackHoles().swallow(rules, rules.opening, Code("PAR")).position
    resolution = Game(rules, replace(position, phase=Phase("Fall", 1901, PhaseKind.MOVEMENT)), dice=Dice(bytes(32)))
    freed, hole = resolution.process({}).turns[0].resolution.draws
    assert (freed.slips, freed.result) == (("PAR",), "PAR")
    assert ("PAR" in hole.slips) is again
    assert len(hole.slips) == 75 - (not again)


def test_every_province_but_the_holes_is_in_the_hat_and_what_was_never_open_is_not(tiny: Tiny) -> None:
    game = played(tiny(MODULE), 2)
    first, second = (draw for turn in game.turns for draw in turn.resolution.draws)
    assert len(first.slips) == 75
    assert "SWI" not in first.slips
    assert set(first.slips) - set(second.slips) == {first.result}


def test_corners_are_not_drawn(tiny: Tiny) -> None:
    game = played(tiny(MODULE, parent="corner"), 1)
    assert len(game.turns[0].resolution.draws[0].slips) == 75


def test_the_dislodged_in_a_hole_do_not_retreat(tiny: Tiny) -> None:
    rules = tiny(HAND, draws_before_retreats="true")
    english, french = units_of(rules, "England", "A PIC")[0], units_of(rules, "France", "A BEL")[0]
    position = replace(
        place("England: A PIC", rules=rules), dislodged=(Dislodged(french._replace(location=english.location)),)
    )
    after = drawn(rules, position, {"black hole": "PIC"}).after
    assert (after.units, after.dislodged) == ((), ())


def test_a_unit_in_a_corner_stays_while_there_is_something_else_to_stand_beside(tiny: Tiny) -> None:
    rules = tiny(HAND, parent="corner")
    position = place("England: A [EDI/LVP/YOR], A [EDI/NRG/NTH], F [EDI/NTH/YOR]", rules=rules)
    resolution = drawn(rules, position, {"black hole": "EDI"})
    assert board_of(resolution.after)["England"] == ["A [EDI/LVP/YOR]", "F [EDI/NTH/YOR]"]
    assert notes(resolution, "disbanded") == [
        "A [EDI/NRG/NTH] of England was disbanded: the hole left it nowhere to stand."
    ]
    assert not list(resolution.after.faults(rules.board_at(resolution.after)))


def test_no_unit_ever_stands_in_a_hole_and_records_keep_the_holes(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    game = Game.new(rules, Dice(bytes(32)))
    for _ in range(8):
        orders = {power: [f"{unit} H" for unit in game.position.units_of(power)] for power in rules.names}
        game = game.process(orders)
        position = game.position
        assert not {unit.space for unit in position.units} & set(holes_in(position))
        assert decode_position(encode_position(position), rules) == position
    assert len(holes(position)) >= 4


@pytest.mark.parametrize("value", [None, ["XYZ"], [1], {"PAR": 1}])
def test_what_cannot_have_been_remembered_is_refused(value: object) -> None:
    with pytest.raises((PlenipoError, KeyError)):
        BlackHoles().decode_slot(value, reader())
    assert BlackHoles().decode_slot(["PAR"], reader()) == Holes((Code("PAR"),))


def test_without_dice_the_game_says_that_it_needs_them(tiny: Tiny) -> None:
    with pytest.raises(MissingDice, match="'black hole' must be drawn in Spring 1901, and this game has no dice"):
        Game.new(tiny(MODULE)).process({})


def test_a_draw_that_is_missing_or_wrong_keeps_the_phase_open(tiny: Tiny) -> None:
    rules = tiny(HAND)
    position = place("England: F NTH", Phase("Spring", 1901, PhaseKind.DRAWS), rules)
    for draws, told in (
        ({}, "'black hole' has not been drawn yet; write 'DRAW black hole: …' with the result."),
        ({"black hole": "SWI"}, "'SWI' cannot be drawn for 'black hole'; the draw pile has ADR, AEG, ALB, "),
    ):
        with pytest.raises(PhaseNotOver) as waiting:
            drawn(rules, position, draws)
        assert str(waiting.value).startswith(f"The game master must draw: {told}")
        assert waiting.value.powers == (GAME_MASTER,)


def test_a_fleet_in_a_corner_outlives_a_hole_in_its_sea_while_a_coast_is_left(tiny: Tiny) -> None:
    rules = tiny(HAND, parent="corner")
    position = replace(rules.opening, units=tuple(units_of(rules, "England", "F [EDI/NTH/YOR]")))
    for hole, left in (("NTH", 1), ("EDI", 1), ("YOR", 0)):
        position = drawn(rules, position, {"black hole": hole}).after
        assert len(position.units) == left
