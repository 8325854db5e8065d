"""The points where three areas meet are spaces, and change nothing between the areas."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clockwise import DATA
from plenipo.engine.board import Board, Code, Location, Terrain, UnitKind
from plenipo.engine.convoys import landings
from plenipo.engine.position import Position
from plenipo.engine.rulebook import Rulebook
from plenipo.engine.step import process
from plenipo.library import load
from plenipo.rulekit.corners import Corners, add_corners
from table import by_power, results, sheets, units_of

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


def test_contacts_between_areas_stay_as_they_are() -> None:
    for code, tos in STANDARD.armies.items():
        assert BOARD.armies[code] - set(CORNERS) == tos
    for location, locations in STANDARD.fleets.items():
        assert {to for to in BOARD.fleets[location] if to.space not in CORNERS} == locations


def test_a_corner_has_at_most_three_ways_out_and_none_to_another_corner() -> None:
    for code in CORNERS:
        for kind in UnitKind:
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


@pytest.mark.parametrize("kind", UnitKind)
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
    distances = BOARD.distances([Code("LON")])
    (unit,) = units_of(rules, "England", "F [BEL/ENG/NTH]")
    assert distances[unit.space] == 2
    assert Corners().distance(rules, distances, unit) is None
    assert Corners(corner_distance="as_nearest_area").distance(rules, distances, unit) == 1


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
    resolution = process(rules, Position(rules.opening.phase, units), sheets(rules, text))
    assert results(resolution) == {
        "A MUN": "moves",
        "A [BUR/MUN/RUH]": "supports",
        "A BUR": "holds dislodged",
        "A PAR": "fails",
        "A PIC": "fails",
    }
