"""The points where three areas meet are spaces, and change nothing between the areas."""

import re
from dataclasses import replace
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clockwise import COASTS, DATA, bare, read
from maps.figures import board_of, island, quarters
from plenipo.engine.board import Board, Code, Location, Terrain, UnitKind
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.phases.adjustments import disorder_order
from plenipo.engine.phases.convoys import landings
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import process
from plenipo.engine.position import Position, Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rulebook import Rulebook
from plenipo.errors import AmbiguousOrder, InvalidOrder
from plenipo.library import load
from plenipo.rulekit.corners import Corners, add_corners
from table import WINTER, by_power, order_sets, results, units_of

ENGLAND = Power("England")
STANDARD = load("standard").board
BOARD = add_corners(STANDARD)
CORNERS = [code for code in BOARD.spaces if code not in STANDARD.spaces]


def listed(kind: str) -> set[str]:
    lines = (DATA / "standard_corners.txt").read_text().splitlines()
    return next(set(line.split(": ")[1].split()) for line in lines if line.startswith(f"{kind}:"))


def standing(board: Board, kind: UnitKind) -> set[str]:
    return {code for code in CORNERS if board.can_stand(kind, Location(code))}


def test_the_137_corners_admit_the_units_of_the_written_lists() -> None:
    armies, fleets = standing(BOARD, UnitKind.ARMY), standing(BOARD, UnitKind.FLEET)
    assert armies - fleets == listed("army")
    assert fleets - armies == listed("fleet")
    assert armies & fleets == listed("either")


def from_the_lists() -> set[str]:
    """The corners that the clockwise lists give: three areas each of which touches the two others side by side."""
    views: dict[frozenset[str], dict[str, list[str]]] = {}
    lists = read(DATA / "standard_clockwise.txt")
    for area, contacts in lists.items():
        for here, then in pairwise([*contacts, contacts[0]]):
            if "*" not in (here, then) and len({bare(here), bare(then)}) == 2:
                coast = next((COASTS[area, contact] for contact in (here, then) if (area, contact) in COASTS), "")
                name = f"{area}({coast.lower()})" if coast else area
                views.setdefault(frozenset((area, bare(here), bare(then))), {}).setdefault(area, []).append(name)
    found: set[str] = set()
    for seen in views.values():
        points = max(map(len, seen.values()))
        assert len(seen) == 3
        assert {len(names) for names in seen.values()} == {points}
        for i in range(points):
            found.add(f"[{'/'.join(seen[area][i] for area in sorted(seen))}]")
    return found


def test_the_clockwise_lists_give_the_same_corners() -> None:
    assert from_the_lists() == set(CORNERS)
    assert len(CORNERS) == 137


def test_contacts_between_areas_stay_as_they_are() -> None:
    for code, tos in STANDARD.armies.items():
        assert BOARD.armies[code] - set(CORNERS) == tos
    for location, locations in STANDARD.fleets.items():
        assert {to for to in BOARD.fleets[location] if to.space not in CORNERS} == locations


def test_a_corner_has_at_most_three_ways_out_and_none_to_another_corner() -> None:
    for code in CORNERS:
        for kind in (UnitKind.ARMY, UnitKind.FLEET):
            reach = BOARD.reach(kind, Location(code))
            assert len(reach) <= 3
            assert not reach & set(CORNERS)


def ways(board: Board, kind: UnitKind, start: Location) -> dict[Location, int]:
    found, edge, steps = {start: 0}, {start}, 0
    while edge:
        steps += 1
        edge = {to for here in edge for to in board.steps(kind, here)} - set(found)
        found |= dict.fromkeys(edge, steps)
    return found


@pytest.mark.parametrize("kind", [UnitKind.ARMY, UnitKind.FLEET])
def test_corners_never_shorten_a_way_between_areas(kind: UnitKind) -> None:
    for space in STANDARD.spaces.values():
        for start in space.locations:
            if STANDARD.can_stand(kind, start):
                plain, cornered = ways(STANDARD, kind, start), ways(BOARD, kind, start)
                for goal, steps in plain.items():
                    assert cornered[goal] == steps
                assert {goal for goal in cornered if goal.space not in CORNERS} == set(plain)


@given(st.sets(st.sampled_from(sorted(c for c, s in STANDARD.spaces.items() if s.terrain is Terrain.SEA))))
def test_no_two_areas_need_a_corner_to_be_linked_by_convoy(seas: set[Code]) -> None:
    fleets = frozenset(seas)
    for start in ("LON", "BRE", "TUN", "STP"):
        plain = landings(STANDARD, fleets, Code(start))
        cornered = landings(BOARD, fleets, Code(start))
        assert {goal: chain for goal, chain in cornered.items() if goal not in CORNERS} == plain


def test_no_fleet_convoys_from_a_corner() -> None:
    assert not any(BOARD.spaces[code].carries for code in CORNERS)
    assert set(BOARD.ports) == set(STANDARD.ports)
    assert BOARD.waters[Code("[BEL/ENG/NTH]")] == {"ENG", "NTH"}


def test_a_corner_beyond_the_nearest_area_counts_one_step_unless_the_option_says_otherwise() -> None:
    rules = replace(load("standard"), board=BOARD, rulebook=Rulebook.edition())
    units = tuple(units_of(rules, "England", "F [BEL/ENG/NTH]"))
    position = replace(rules.opening, units=units, owners={Code("LON"): ENGLAND})
    for module, steps in ((Corners(), "2 steps"), (Corners(corner_distance="as_nearest_area"), "1 step")):
        ((_, why),) = disorder_order(replace(rules, modules=(module,)), position, ENGLAND)
        assert f"stood {steps} from the nearest owned centre" in why


def test_units_move_support_and_cut_through_corners() -> None:
    rules = replace(load("standard"), board=BOARD)
    text = (
        "Germany: A MUN - BUR, A [BUR/MUN/RUH] S A MUN - BUR\n"
        "France: A BUR H, A PAR - [BUR/PAR/PIC]\nEngland: A PIC - [BUR/PAR/PIC]"
    )
    units = tuple(
        unit
        for power, orders in by_power(text).items()
        for order in orders
        for unit in units_of(rules, power, " ".join(order.split()[:2]))
    )
    resolution = process(rules, Position(rules.opening.phase, units), order_sets(rules, text))
    assert results(resolution) == {
        "A MUN": "moves",
        "A [BUR/MUN/RUH]": "supports",
        "A BUR": "holds dislodged",
        "A PAR": "fails",
        "A PIC": "fails",
    }


def test_an_option_of_the_game_says_how_far_a_corner_is_from_home() -> None:
    for option, gone in (("count", "F [ENG/LON/NTH]"), ("as_nearest_area", "A YOR")):
        rules = load("corner", {"corner_distance": option})
        units = tuple(units_of(rules, "England", "F [ENG/LON/NTH], A YOR"))
        winter = Position(WINTER, units, owners={Code("LON"): units[0].power})
        (outcome,) = (found for found in process(rules, winter, {}).outcomes if found.result == "removed")
        assert str(outcome.unit) == gone


# Other figures


def test_a_meeting_of_four_areas_is_one_corner_of_any_figure() -> None:
    board = add_corners(board_of(quarters(seas="CCC")))
    code = Code("[AAA/BBB/CCC/DDD]")
    assert board.reach(UnitKind.ARMY, Location(code)) == {"AAA", "BBB", "DDD"}
    assert board.reach(UnitKind.FLEET, Location(code)) == {"BBB", "CCC", "DDD"}
    assert board.spaces[code].terrain is Terrain.COAST
    assert board.ports[Code("CCC")] == {"BBB", "DDD", code}


def test_a_corner_between_seas_takes_no_army_and_one_between_lands_no_fleet() -> None:
    code = Code("[AAA/BBB/CCC/DDD]")
    seas = add_corners(board_of(quarters(seas="AAA BBB CCC DDD")))
    assert not seas.can_stand(UnitKind.ARMY, Location(code))
    assert seas.reach(UnitKind.FLEET, Location(code)) == {"AAA", "BBB", "CCC", "DDD"}
    assert not seas.spaces[code].carries
    lands = add_corners(board_of(quarters()))
    assert not lands.can_stand(UnitKind.FLEET, Location(code))
    assert lands.spaces[code].terrain is Terrain.INLAND


def test_no_unit_moves_from_a_corner_into_an_impassable_area() -> None:
    board = add_corners(board_of(quarters(impassable={Code("BBB"): "neutral"})))
    code = Code("[AAA/BBB/CCC/DDD]")
    assert board.reach(UnitKind.ARMY, Location(code)) == {"AAA", "CCC", "DDD"}
    assert code not in board.armies[Code("BBB")]


# Orders


@pytest.mark.parametrize("code", CORNERS)
def test_every_corner_is_read_in_any_order_of_its_areas_and_without_a_coast_where_one_fits(code: Code) -> None:
    notation = notation_of(load("corner"))
    bare_name = re.sub(r"\(..\)", "", code)
    for areas in permutations(bare_name[1:-1].split("/")):
        if bare_name == "[MID/POR/SPA]":
            with pytest.raises(AmbiguousOrder):
                notation.location(f"[{'/'.join(areas)}]")
        else:
            assert notation.location(f"[{'/'.join(areas).lower()}]") == Location(code)
    assert notation.location(code) == Location(code)


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("A MUN - SWI", "Switzerland is impassable."),
        ("F EAS - [ADR/ALB/ION]", "F EAS does not reach the corner of Adriatic Sea, Albania, Ionian Sea."),
        ("F [AEG/EAS/ION] - [AEG/EAS/SMY]", "F [AEG/EAS/ION] does not reach the corner of "),
        (
            "F BUL/EC - [AEG/BUL/CON]",
            "F BUL/EC does not reach the corner of Aegean Sea, Bulgaria, Constantinople: only a fleet on BUL/SC does.",
        ),
    ],
)
def test_a_corner_that_cannot_be_reached_is_refused_in_a_sentence(order: str, reason: str) -> None:
    rules = load("corner")
    units = units_of(rules, "Turkey", "F EAS, F [AEG/EAS/ION], A MUN, F BUL/EC")
    legality = Legality(rules, Position(rules.opening.phase, tuple(units)))
    judged = legality.check(units[0].power, notation_of(rules).read(order, PhaseKind.MOVEMENT))
    assert judged.order is None
    assert judged.reason.startswith(reason)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[BEL/BUR/PAR]", "'[BEL/BUR/PAR]' is not a space of this board; the nearest are "),
        ("[AEG/BUL(ec)/GRE]", "'[AEG/BUL(ec)/GRE]' is not a space of this board; the nearest is [AEG/BUL(sc)/GRE]."),
    ],
)
def test_a_corner_there_is_none_of_and_a_wrong_coast_are_refused_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InvalidOrder) as fault:
        notation_of(load("corner")).location(text)
    assert str(fault.value).startswith(sentence)


# Two corners of the same areas


def test_the_two_ends_of_an_island_on_a_border_differ_by_the_way_round() -> None:
    board = add_corners(board_of(island()))
    assert {code for code in board.spaces if ">" in code} == {"[AAA>BBB>SSS]", "[AAA>SSS>BBB]"}
    for code in (Code("[AAA>BBB>SSS]"), Code("[AAA>SSS>BBB]")):
        assert board.reach(UnitKind.FLEET, Location(code)) == {"AAA", "BBB", "SSS"}
        assert code in board.armies[Code("AAA")]
        assert board.spaces[code].name.endswith(", clockwise")
    assert [str(corner) for corner in board.corners] == ["[AAA>BBB>SSS]", "[AAA>SSS>BBB]"]


def test_an_order_to_one_of_two_such_corners_must_say_which() -> None:
    rules = replace(load("standard"), board=add_corners(board_of(island())))
    notation = notation_of(rules)
    with pytest.raises(AmbiguousOrder) as caught:
        notation.read("F SSS - [AAA/BBB/SSS]", PhaseKind.MOVEMENT)
    assert caught.value.suggestions == ("[AAA>BBB>SSS]", "[AAA>SSS>BBB]")
    assert str(notation.read("F SSS - [BBB>AAA>SSS]", PhaseKind.MOVEMENT)) == "F SSS - [AAA>SSS>BBB]"


def test_the_nearest_area_of_a_unit_is_read_off_the_name_of_its_corner() -> None:
    module = Corners(corner_distance="as_nearest_area")
    rules = replace(load("standard"), board=add_corners(board_of(island())), modules=(module,))
    turkey = Power("Turkey")
    units = tuple(units_of(rules, turkey, "F [AAA>SSS>BBB]"))
    ((_, why),) = disorder_order(rules, replace(rules.opening, units=units, owners={Code("AAA"): turkey}), turkey)
    assert "stood 0 steps from the nearest owned centre" in why
