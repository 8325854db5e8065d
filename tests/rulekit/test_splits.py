"""Provinces are cut in two along a line that cards decide, and everything on them follows."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hats import BY_HAND, drawn, notes, turn
from plenipo.engine.board import Board, Code, Location
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.changes import Closed, Split, half_names
from plenipo.engine.dice import Dice, DrawSource, card_value
from plenipo.engine.double_corners import areas_of
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, decode_position, encode_game, encode_position
from plenipo.engine.orders import Move
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Dislodged, Position, Power
from plenipo.engine.reading.ambiguity import read_order_sets
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rules import Rules
from plenipo.errors import PhaseNotOver, PlenipoError
from plenipo.library import load
from plenipo.maps.cutting.changed_figures import ChangedFigures
from plenipo.maps.cutting.cut import borders
from plenipo.rulekit.corner_matching import same_point
from plenipo.rulekit.corners import Corners
from plenipo.rulekit.splits import Splits
from table import board_of, outcome, owner, place, reader, results, units_of

Tiny = Callable[..., Rules]
MODULE = "[modules.splits]\n"
HAND = BY_HAND + MODULE
GERMANY, ITALY = Power("Germany"), Power("Italy")

NORTH_SEA = {"split": "NTH", "cards of NTH": "NWY KS, BEL QH"}
KIEL = {"split": "KIE", "cards of KIE": "DEN AS, MUN KD"}
INLAND = {"split": "KIE", "cards of KIE": "RUH KS, BER QS"}
"""Kiel from Ruhr to Berlin: the second half has no coast."""
NAPLES = {"split": "NAP", "cards of NAP": "ION KS, TYN QS"}
"""Naples from sea to sea: the second half has two coasts."""


def codes(position: Position) -> list[str]:
    """The halves of the last split."""
    change = position.changes[-1]
    assert isinstance(change, Split)
    return [str(code) for code in change.halves]


def test_the_line_runs_between_the_two_highest_cards_and_the_halves_lie_clockwise(tiny: Tiny) -> None:
    rules = tiny(HAND)
    after = drawn(rules, rules.opening, NORTH_SEA)
    assert after.notes == (
        "North Sea was split into North Sea 1 and North Sea 2, from its border with Norway to the one with Belgium.",
    )
    around = rules.board_at(after.after).borders
    assert set(around[Code("NTH 1")]) == {"NWY", "SKA", "DEN", "HEL", "HOL", "BEL", "NTH 2"}
    assert set(around[Code("NTH 2")]) == {"BEL", "ENG", "LON", "YOR", "EDI", "NRG", "NWY", "NTH 1"}


def test_every_province_beside_it_gets_a_card_from_one_deck(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    game = Game.new(rules, Dice(bytes(32))).process({})
    slip, cards = game.turns[0].resolution.draws[:2]
    assert (slip.label, cards.label) == ("Spring 1901|split", f"Spring 1901|cards of {slip.result}")
    near = {code for code in rules.board.borders[Code(slip.result)] if code is not None}
    assert set(cards.dealt) == near
    assert len(set(cards.cards.values())) == len(near)
    split = game.position.changes[-1]
    assert isinstance(split, Split)
    highest = sorted(near, key=lambda code: card_value(cards.cards[code]))[-2:]
    assert [split.end.neighbour, split.start.neighbour] == highest


def test_provinces_that_no_unit_enters_get_cards_too(tiny: Tiny) -> None:
    rules = tiny(HAND)
    after = drawn(rules, rules.opening, {"split": "TYO", "cards of TYO": "SWI AS, VIE KS"}).after
    assert codes(after) == ["TYO 1", "TYO 2"]
    assert all("SWI" in rules.board_at(after).borders[Code(half)] for half in codes(after))


def test_a_province_may_be_split_again_and_parts_are_numbered_on(tiny: Tiny) -> None:
    rules = tiny(HAND)
    first = drawn(rules, rules.opening, NORTH_SEA).after
    again = {"split": "NTH 2", "cards of NTH 2": "NTH 1 AS, LON KS"}
    second = drawn(rules, first, again, Phase("Fall", 1901, PhaseKind.DRAWS)).after
    assert codes(second) == ["NTH 2", "NTH 3"]
    board = rules.board_at(second)
    assert [board.spaces[Code(c)].name for c in ("NTH 1", "NTH 2", "NTH 3")] == [f"North Sea {n}" for n in (1, 2, 3)]
    third = drawn(rules, second, {"split": "NTH 1", "cards of NTH 1": "NWY AS, DEN KS"}).after
    assert codes(third) == ["NTH 1", "NTH 4"]


def test_a_further_card_picks_one_of_several_borders(tiny: Tiny) -> None:
    rules = tiny(HAND)
    cards = {"split": "SPA", "cards of SPA": "MID KS, GOL QS"}
    with pytest.raises(PhaseNotOver, match="'border of SPA with MID' has not been drawn yet"):
        drawn(rules, rules.opening, cards)
    found = set()
    for number in ("1 2C, 2 AS", "1 AS, 2 2C"):
        after = drawn(rules, rules.opening, {**cards, "border of SPA with MID": number}).after
        found.add(rules.board_at(after).borders[Code("SPA 1")])
    assert len(found) == 2


def test_a_unit_stays_in_the_first_half_and_has_a_double_in_the_other(tiny: Tiny) -> None:
    rules = tiny(HAND)
    resolution = drawn(rules, place("Germany: F KIE, A MUN", rules=rules), KIEL)
    assert board_of(resolution.after)["Germany"] == ["F KIE 1", "F KIE 2", "A MUN"]
    assert resolution.notes[1] == "F KIE 2 of Germany is the double of F KIE 1."


def test_a_centre_becomes_two_of_one_owner_and_a_home_two_homes(tiny: Tiny) -> None:
    rules = tiny(HAND)
    after = drawn(rules, place("", rules=rules, owners={"Russia": "KIE"}), KIEL).after
    assert owner(after, "KIE") is None
    assert owner(after, "KIE 1") == owner(after, "KIE 2") == "Russia"
    assert after.homes_of(GERMANY) == {"BER", "KIE 1", "KIE 2", "MUN"}
    assert {"KIE 1", "KIE 2"} <= rules.board_at(after).centres


def test_a_canal_is_cut_when_the_line_parts_its_seas(tiny: Tiny) -> None:
    rules = tiny(HAND)
    board = rules.board_at(drawn(rules, rules.opening, KIEL).after)
    assert {str(to) for to in board.fleets[Location(Code("KIE 1"))]} == {"BAL", "BER", "DEN"}
    assert {str(to) for to in board.fleets[Location(Code("KIE 2"))]} == {"DEN", "HEL", "HOL"}


def test_an_army_is_convoyed_through_both_halves_of_a_sea(tiny: Tiny) -> None:
    rules = tiny(HAND)
    split = drawn(rules, place("England: F NTH, A YOR", rules=rules), NORTH_SEA).after
    orders = "England: A YOR - DEN, F NTH 2 C A YOR - DEN, F NTH 1 C A YOR - DEN"
    assert results(turn(rules, split, orders))["A YOR"] == "moves"


# Fleets and coasts


def test_a_fleet_in_a_part_without_a_coast_is_stranded(tiny: Tiny) -> None:
    rules = tiny(HAND)
    resolution = drawn(rules, place("Germany: F KIE", rules=rules), INLAND)
    assert board_of(resolution.after)["Germany"] == ["F KIE 1", "F KIE 2"]
    assert notes(resolution, "stranded") == ["F KIE 2 is stranded: Kiel 2 has no coast."]
    board = rules.board_at(resolution.after)
    stuck = resolution.after.unit_at(Code("KIE 2"))
    assert stuck
    assert resolution.after.is_stranded(board, stuck)
    orders = Legality(rules, resolution.after).orders_of(GERMANY)
    assert [str(order) for order in orders.of(stuck)] == ["F KIE 2 H"]
    assert not list(resolution.after.faults(board))


def test_a_stranded_fleet_is_supported_attacked_and_destroyed(tiny: Tiny) -> None:
    rules = tiny(HAND)
    after = drawn(rules, place("Germany: F KIE", rules=rules), INLAND).after
    units = (*after.units, *units_of(rules, "France", "A MUN, A RUH"), *units_of(rules, "Germany", "A BER"))
    fall = replace(after, units=units)
    held = turn(rules, fall, "France: A MUN - KIE 2, A RUH S A MUN - KIE 2\nGermany: A BER S F KIE 2")
    assert results(held)["A MUN"] == "fails"
    beaten = turn(rules, fall, "France: A MUN - KIE 2, A RUH S A MUN - KIE 2")
    assert results(beaten)["F KIE 2"] == "holds dislodged"
    assert outcome(beaten, "F KIE 2").retreats == ()


def test_the_double_of_a_fleet_is_not_placed_without_a_coast_if_the_option_says_so(tiny: Tiny) -> None:
    rules = tiny(HAND, stranded_second_fleet="not_placed")
    assert board_of(drawn(rules, place("Germany: F KIE", rules=rules), INLAND).after) == {"Germany": ["F KIE 1"]}
    army = drawn(rules, place("Germany: A KIE", rules=rules), INLAND).after
    assert board_of(army) == {"Germany": ["A KIE 1", "A KIE 2"]}
    afloat = drawn(rules, place("Germany: F KIE", rules=rules), KIEL).after
    assert board_of(afloat) == {"Germany": ["F KIE 1", "F KIE 2"]}


def test_a_fleet_keeps_its_coast_where_its_half_has_it(tiny: Tiny) -> None:
    rules = tiny(HAND)
    draws = {"split": "SPA", "cards of SPA": "MAR KS, GAS QS"}
    for coast in ("NC", "SC"):
        after = drawn(rules, place(f"France: F SPA/{coast}", rules=rules), draws).after
        assert board_of(after)["France"] == [f"F SPA 1/{coast}", "F SPA 2"]


def test_a_fleet_that_finds_several_other_coasts_may_name_one_with_its_next_order(tiny: Tiny) -> None:
    rules = tiny(HAND)
    resolution = drawn(rules, place("Italy: F NAP", rules=rules), NAPLES)
    assert board_of(resolution.after)["Italy"] == ["F NAP 1", "F NAP 2/EC"]
    assert notes(resolution, "several coasts") == [
        "NAP 2 has several coasts: the fleet there may name EC or WC in its next order."
    ]
    assert decode_position(encode_position(resolution.after), rules) == resolution.after
    for order, stands in (
        ("F NAP 2/WC - ROM", "F ROM"),
        ("F NAP 2/EC - APU", "F APU"),
        ("F NAP 2/WC H", "F NAP 2/WC"),
        ("F NAP 2 H", "F NAP 2/EC"),
    ):
        after = turn(rules, resolution.after, f"Italy: {order}")
        assert stands in board_of(after.after)["Italy"]


def test_the_coast_is_named_at_once_or_not_at_all(tiny: Tiny) -> None:
    rules = tiny(HAND)
    after = drawn(rules, place("Italy: F NAP", rules=rules), NAPLES).after
    for first, stands in (("F NAP 2/WC H", "WC"), ("F NAP 2 H", "EC")):
        later = turn(rules, after, f"Italy: {first}").after
        spring = replace(later, phase=Phase("Spring", 1902, PhaseKind.MOVEMENT))
        for order in ("F NAP 2/EC H", "F NAP 2/WC H"):
            assert f"F NAP 2/{stands}" in board_of(turn(rules, spring, f"Italy: {order}").after)["Italy"]


@pytest.mark.parametrize("value", [None, ["NAP 2"], {"NAP 2": 3}])
def test_what_cannot_have_been_remembered_is_refused(value: object) -> None:
    with pytest.raises((PlenipoError, KeyError)):
        Splits().decode_slot(value, reader())


# Slips that are put aside


def test_a_black_hole_is_put_aside_and_another_slip_drawn(tiny: Tiny) -> None:
    rules = tiny(BY_HAND + "[modules.black_holes]\n" + MODULE)
    draws = {"black hole": "NTH", "split": "NTH", "split 2": "KIE", "cards of KIE": "DEN AS, MUN KD"}
    resolution = drawn(rules, rules.opening, draws)
    assert codes(resolution.after) == ["KIE 1", "KIE 2"]
    assert notes(resolution, "put aside") == ["North Sea was drawn to be split and put aside: it is a black hole."]
    assert [draw.label for draw in resolution.draws] == [
        f"Spring 1901|{label}" for label in ("black hole", "split", "split 2", "cards of KIE")
    ]
    assert "NTH" not in resolution.draws[2].slips


def test_a_province_with_one_neighbour_is_put_aside() -> None:
    rules = load("standard")
    lonely = replace(rules.board, borders={**rules.board.borders, Code("POR"): (Code("SPA"),)})
    hat = DrawSource("test", None, {"split": "POR"})
    found = next(Splits().draw_slips(replace(rules, board=lonely), rules.opening, hat))
    assert found == ("POR", "a line needs two provinces beside it")


def test_the_halves_of_a_closed_province_are_closed(tiny: Tiny) -> None:
    rules = tiny(HAND)
    closed = replace(rules.opening, changes=(Closed(Code("KIE")),), units=(), owners={})
    board = rules.board_at(drawn(rules, closed, KIEL).after)
    assert board.spaces[Code("KIE 1")].impassable
    assert board.spaces[Code("KIE 2")].impassable


@pytest.mark.parametrize(
    ("unit", "goal"),
    [
        ("F YOR", "NTH 2"),
        ("F DEN", "NTH 1"),
        ("F BEL", "England: 'NTH' may be NTH 1 (North Sea 1) or NTH 2 (North Sea 2); write one of them."),
    ],
)
def test_a_name_without_a_number_is_completed_only_where_one_half_can_be_meant(
    tiny: Tiny, unit: str, goal: str
) -> None:
    rules = tiny(HAND)
    split = drawn(rules, rules.opening, NORTH_SEA).after
    position = replace(split, units=tuple(units_of(rules, "England", unit)))
    england = Power("England")
    read, errors = read_order_sets(rules, notation_of(rules, position), position, {england: [f"{unit} - NTH"]})
    assert [*map(str, errors), *(str(order.to) for order in read[england] if isinstance(order, Move))] == [goal]


# Before the retreats


@pytest.mark.parametrize(
    ("unit", "draws", "stands"),
    [
        ("F SPA/NC", {"split": "SPA", "cards of SPA": "MAR KS, GAS QS"}, "F SPA 1/NC"),
        ("F NAP", {"split": "NAP", "cards of NAP": "TYN KS, ION QS"}, "F NAP 1/EC"),
        ("A KIE", {"split": "KIE", "cards of KIE": "BER KS, RUH QS"}, "A KIE 1"),
    ],
)
def test_a_dislodged_unit_goes_on_from_the_first_half(
    tiny: Tiny, unit: str, draws: dict[str, str], stands: str
) -> None:
    rules = tiny(HAND, draws_before_retreats="true")
    (beaten,) = units_of(rules, "Turkey", unit)
    winner = units_of(rules, "Russia", f"A {beaten.space}")
    position = replace(rules.opening, units=tuple(winner), dislodged=(Dislodged(beaten, None, (Code("MUN"),)),))
    after = drawn(rules, position, draws).after
    assert str(after.phase) == "Spring 1901 retreats"
    assert [str(d.unit) for d in after.dislodged] == [stands]
    assert len(after.units) == 2
    assert not list(after.faults(rules.board_at(after)))


def test_what_was_barred_to_a_retreat_stays_barred(tiny: Tiny) -> None:
    rules = tiny(HAND, draws_before_retreats="true")
    (beaten,) = units_of(rules, "Germany", "F DEN")
    barred = Dislodged(beaten, units_of(rules, "Russia", "F KIE")[0], (Code("KIE"),))
    position = replace(rules.opening, units=(), dislodged=(barred,), contested=frozenset({Code("KIE")}))
    after = drawn(rules, position, KIEL).after
    assert after.dislodged[0].barred == ("KIE 1", "KIE 2")
    assert after.contested == {"KIE 1", "KIE 2"}


# Corners


def test_new_corners_appear_where_the_line_ends(tiny: Tiny) -> None:
    rules = tiny(HAND, parent="corner")
    before = {str(corner) for corner in rules.board.corners}
    now = {str(corner) for corner in rules.board_at(drawn(rules, rules.opening, KIEL).after).corners}
    assert now - before == {
        "[BAL/BER/KIE 1]",
        "[BAL/DEN/KIE 1]",
        "[BER/KIE 1/MUN]",
        "[DEN/HEL/KIE 2]",
        "[DEN/KIE 1/KIE 2]",
        "[HEL/HOL/KIE 2]",
        "[HOL/KIE 2/RUH]",
        "[KIE 1/KIE 2/MUN]",
        "[KIE 2/MUN/RUH]",
    }
    assert before - now == {code for code in before if "KIE" in code}
    assert len(now) == len(before) + 2


TWO_ALIKE = "France: F [MID/POR/SPA(nc)]\nItaly: F [MID/POR/SPA(sc)]"


@pytest.mark.parametrize(
    ("split", "cards", "stand"),
    [
        ("SPA", "POR KS, GAS QS", "[MID/POR/SPA 1] | [MID/POR/SPA 2]"),
        ("SPA", "GAS KS, POR QS", "[MID/POR/SPA 2] | [MID/POR/SPA 1]"),
        ("SPA", "MAR KS, GAS QS", "[MID/POR/SPA 1(nc)] | [MID/POR/SPA 1(sc)]"),
        ("MID", "POR KS, NAT QS", "[MID 2/POR/SPA(nc)] | [MID 1/POR/SPA(sc)]"),
        ("POR", "SPA KS, MID QS", "[MID/POR 2/SPA(nc)] | [MID/POR 1/SPA(sc)]"),
    ],
)
def test_a_unit_in_a_corner_stands_in_the_same_point_under_its_new_name(
    tiny: Tiny, split: str, cards: str, stand: str
) -> None:
    rules = tiny(HAND, parent="corner")
    after = drawn(rules, place(TWO_ALIKE, rules=rules), {"split": split, f"cards of {split}": cards}).after
    assert [board_of(after)[power] for power in ("France", "Italy")] == [[f"F {code}"] for code in stand.split(" | ")]


def test_the_dislodged_and_the_stand_offs_in_corners_are_renamed_too(tiny: Tiny) -> None:
    rules = tiny(HAND, parent="corner", draws_before_retreats="true")
    (beaten,) = units_of(rules, "Germany", "A [KIE/MUN/RUH]")
    corner = Code("[BER/KIE/MUN]")
    position = replace(
        rules.opening, units=(), dislodged=(Dislodged(beaten, None, (corner,)),), contested=frozenset({corner})
    )
    after = drawn(rules, position, KIEL).after
    assert [str(d.unit) for d in after.dislodged] == ["A [KIE 2/MUN/RUH]"]
    assert after.dislodged[0].barred == ("[BER/KIE 1/MUN]",)
    assert after.contested == {"[BER/KIE 1/MUN]"}


@dataclass(frozen=True)
class WholeCorners(Corners):
    """Corners on a board that is whole, and none once a province is split."""

    def board(self, board: Board) -> Board:
        return board if any(" " in code for code in board.spaces) else super().board(board)


def test_a_unit_in_a_corner_that_is_no_more_is_disbanded(tiny: Tiny) -> None:
    rules = tiny(HAND, parent="corner")
    modules = tuple(WholeCorners() if isinstance(module, Corners) else module for module in rules.modules)
    fleeting = replace(rules, modules=modules)
    resolution = drawn(fleeting, place("England: F [EDI/NTH/YOR], F NTH", rules=rules), KIEL)
    assert board_of(resolution.after) == {"England": ["F NTH"]}
    assert notes(resolution, "disbanded") == [
        "F [EDI/NTH/YOR] of England was disbanded: the split left no such place for it."
    ]


CORNERED = [load("corner"), load("irish+corner")]


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_every_corner_is_a_point_of_its_own_on_the_board_after_a_split(data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from(CORNERED))
    figures, before = rules.changed_boards, rules.board
    assert isinstance(figures, ChangedFigures)
    area = data.draw(st.sampled_from(sorted(code for code in before.spaces if not areas_of(code))))
    ends = [
        (one, other)
        for one, other in permutations(borders(figures.figure(()), area), 2)
        if one.neighbour != other.neighbour
    ]
    split = Split(area, *data.draw(st.sampled_from(ends)), half_names(area, before.spaces))
    after = Corners().board(figures.board((split,)))
    names = [same_point(before, after, Code(str(corner)), split) for corner in before.corners]
    assert None not in names
    assert len(set(names)) == len(names)
    assert len(after.corners) == len(names) + 2


# Whole games


def test_games_with_holes_and_splits_go_on_and_are_kept(tiny: Tiny) -> None:
    rules = tiny(MODULE + "[modules.black_holes]\n")
    game = Game.new(rules, Dice(bytes(32)))
    for _ in range(8):
        game = game.process({})
        assert not list(game.position.faults(rules.board_at(game.position)))
    assert sum(isinstance(change, Split) for change in game.position.changes) > 4
    assert decode_game(encode_game(game), rules) == game
