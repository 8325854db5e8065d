"""The drawn map of Eckert's Napoleonic game equals the lists written down independently from its rules."""

import tomllib
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
from pydantic import TypeAdapter
from shapely import Point, Polygon

from clockwise import DATA, SEAS, STANDARD, bare, board_of_lists, read, standard_board
from looks import close_borders, close_nodes, short_borders
from maps.figures import board_of, facts
from plenipo.engine.board import Board, Code, Location, UnitKind
from plenipo.engine.hooks import RuleModule
from plenipo.maps.authoring.atlas import compile_map
from plenipo.maps.authoring.authored import map_digest
from plenipo.maps.figure.board import SpaceText, board_from
from plenipo.maps.figure.figure_files import read_figure
from plenipo.maps.figure.planar import BEYOND, Figure, codes_of
from plenipo.maps.lettering.label_grid import FULL_WIDTH
from plenipo.maps.lettering.overlaps import overlaps
from plenipo.maps.lettering.placements import Placements
from plenipo.rulekit import MODULES

FOLDER = STANDARD.parent / "napoleonic"
TEXT = tomllib.loads((FOLDER / "variant.toml").read_text(encoding="utf-8"))
LISTS = read(DATA / "standard_clockwise.txt") | read(DATA / "napoleonic_clockwise.txt")
NEW = ("EGY", "IBE", "LIB", "MAC", "MUR", "SIB")


def table() -> Mapping[str, Mapping[str, Any]]:
    """Names, centres and aliases of the spaces: those of the regular board, and what the variant adds."""
    spaces = dict(tomllib.loads((STANDARD / "variant.toml").read_text(encoding="utf-8"))["spaces"])
    for code, info in TEXT["spaces"].items():
        spaces[code] = spaces.get(code, {}) | info
    return spaces


def as_drawn() -> Board:
    """The board that follows from the lists."""
    return board_of_lists("napoleonic", LISTS, table(), coasts={})


@pytest.fixture(scope="module")
def figure() -> Figure:
    return read_figure(FOLDER / "figure.json").check()


@pytest.fixture(scope="module")
def board(figure: Figure) -> Board:
    texts = {
        Code(code): SpaceText(info["name"], info.get("centre", False), tuple(info.get("aliases", ())))
        for code, info in table().items()
    }
    return board_from(figure, texts, "napoleonic")


def test_the_committed_figure_is_what_the_committed_map_compiles_to(figure: Figure) -> None:
    path = FOLDER / "map.toml"
    assert figure.source["map"] == map_digest(path)
    compiled = compile_map(path)
    if compiled.source == figure.source:
        assert compiled.to_json() == figure.to_json()
    # another release of GEOS may round a shore otherwise, but never to another board
    assert facts(board_of(compiled)) == facts(board_of(figure))


# ---------------------------------------------------------------------- the drawn board


def test_army_contacts_are_those_of_the_lists(board: Board) -> None:
    assert dict(board.armies) == dict(as_drawn().armies)


def test_fleet_contacts_are_those_of_the_lists(board: Board) -> None:
    assert dict(board.fleets) == dict(as_drawn().fleets)


def test_spaces_are_those_of_the_lists_and_none_has_two_coasts(board: Board) -> None:
    assert dict(board.spaces) == dict(as_drawn().spaces)
    assert not [code for code, space in board.spaces.items() if space.coasts]


@pytest.mark.parametrize(("area", "contacts"), LISTS.items())
def test_every_area_touches_the_same_things_in_the_same_order(area: str, contacts: list[str], board: Board) -> None:
    drawn = [there or "*" for there in board.borders[Code(area)]]
    listed = [bare(contact) for contact in contacts]
    assert listed in [drawn[i:] + drawn[:i] for i in range(len(drawn))]


def test_there_are_36_centres_with_egypt_and_the_ruhr(board: Board) -> None:
    assert board.centres - standard_board().centres == {"EGY", "RUH"}
    assert len(board.centres) == 36


def test_the_corners_are_those_of_the_lists_and_eulers_formula_holds(figure: Figure, board: Board) -> None:
    sides = [(a, b) for around in LISTS.values() for a, b in pairwise([*around, around[0]]) if "*" not in (a, b)]
    assert len(board.corners) == len({str(corner) for corner in board.corners}) == len(sides) / 3 == 149
    inner = [name for name in figure.nodes if BEYOND not in codes_of(name)]
    # one more, where Egypt and Syria part at the Red Sea, is not a corner of the board
    assert set(inner) - {"EGY/RED/SYR"} == {"/".join(at.space for at in corner.touches) for corner in board.corners}
    assert (len(figure.faces), len(inner), len(figure.nodes) - len(inner)) == (83, 150, 14)
    assert len(figure.nodes) - len(figure.arcs) + len(figure.faces) + 1 == 2


def test_what_the_rules_do_not_change_is_as_on_the_regular_board(board: Board) -> None:
    regular = standard_board()
    changed = set(read(DATA / "napoleonic_contacts.txt")) | set(read(DATA / "napoleonic_clockwise.txt"))
    for code in regular.spaces.keys() - changed:
        assert board.armies.get(code) == regular.armies.get(code)
        fleets = {to.space for location, tos in regular.fleets.items() if location.space == code for to in tos}
        assert board.reach(UnitKind.FLEET, Location(code)) == fleets


# ---------------------------------------------------------------------- the board played


def declared(reading: str) -> RuleModule:
    """The declared contacts of the variant under one reading."""
    options = TEXT["modules"]["contacts"] | {"reading": reading}
    module: RuleModule = TypeAdapter(MODULES["contacts"]).validate_python(options)
    return module


def reached(board: Board) -> dict[str, tuple[set[str], set[str]]]:
    """Area -> where armies and where fleets go from it."""
    here = {code: Location(code) for code in board.spaces}
    return {
        code: (set(board.reach(UnitKind.ARMY, at)), set(board.reach(UnitKind.FLEET, at))) for code, at in here.items()
    }


def test_word_for_word_the_board_is_the_table_of_contacts(board: Board) -> None:
    assert TEXT["modules"]["contacts"]["reading"] == "literal"
    expected = reached(as_drawn())
    for code, contacts in read(DATA / "napoleonic_contacts.txt").items():
        bar = contacts.index("|")
        expected[code] = set(contacts[:bar]) - {"-"}, set(contacts[bar + 1 :]) - {"-"}
    assert reached(declared("literal").board(board)) == expected


def test_the_three_readings_differ_between_murmansk_norway_and_st_petersburg_alone(board: Board) -> None:
    found = {reading: reached(declared(reading).board(board)) for reading in ("literal", "geographic", "neither")}
    assert found["geographic"] == reached(board)
    for reading, by_land in (("literal", {"FIN", "STP", "SWE"}), ("neither", {"FIN", "SWE"})):
        assert found[reading]["NWY"] == (by_land, {"BAR", "NRG", "NTH", "SKA", "SWE"})
        assert found[reading]["MUR"] == ({"FIN", "SIB", "STP"}, {"BAR"})
        differ = {code for code, steps in found[reading].items() if steps != found["geographic"][code]}
        assert differ - {"STP"} == {"MUR", "NWY"}
        assert ("NWY" in found[reading]["STP"][0]) == (reading == "literal")


# ---------------------------------------------------------------------- lint: is the drawing good to look at


def test_only_gibraltar_is_a_short_stretch_of_border(figure: Figure) -> None:
    assert short_borders(figure, 50) == {("MID", "WES")}


def test_areas_that_do_not_touch_keep_apart(figure: Figure) -> None:
    assert not close_borders(figure, 15)


def test_four_areas_meet_nowhere_and_corners_lie_apart(figure: Figure) -> None:
    assert {len(halves) for halves in figure.rotation.values()} == {3}
    assert not close_nodes(figure, 30)


@pytest.mark.parametrize("width", [FULL_WIDTH, 390])
def test_nothing_collides_on_the_map(width: int, figure: Figure, board: Board) -> None:
    placements = Placements.from_json((FOLDER / "placements.json").read_text(encoding="utf-8"))
    assert overlaps(figure, board, placements, width) == []


def test_every_space_has_its_name_at_twelve_pixels_or_more(figure: Figure, board: Board) -> None:
    placements = Placements.from_json((FOLDER / "placements.json").read_text(encoding="utf-8"))
    pixel = (figure.frame[2] - figure.frame[0]) / FULL_WIDTH
    assert set(placements.names) == set(board.spaces)
    assert min(name.size for name in placements.names.values()) >= 12 * pixel - 1


def test_the_seas_are_those_of_the_regular_board_and_the_red_sea_is_off_it(figure: Figure, board: Board) -> None:
    assert figure.seas - {"RED"} == SEAS
    assert "RED" in figure.offboard
    assert "RED" not in board.spaces


def test_every_power_starts_with_a_unit_on_each_of_its_centres_and_they_are_all_of_them(board: Board) -> None:
    units = [unit.split() for power in TEXT["powers"].values() for unit in power["units"]]
    assert sorted(place for _, place in units) == sorted(board.centres)
    assert all(board.can_stand(UnitKind(kind), Location(Code(place))) for kind, place in units)


def test_the_map_says_why_in_each_place_where_it_leaves_the_plane_or_the_board(figure: Figure) -> None:
    contacts = TEXT["modules"]["contacts"]
    reasons = [*figure.offboard.values(), *(found["reason"] for key in ("add", "drop") for found in contacts[key])]
    assert len(reasons) == 3
    assert all(len(reason.split()) > 5 for reason in reasons)
    assert not figure.marks


@pytest.mark.parametrize("code", NEW)
def test_a_new_province_has_room_for_its_name_and_two_units(code: Code, figure: Figure) -> None:
    placements = Placements.from_json((FOLDER / "placements.json").read_text(encoding="utf-8"))
    assert placements.names[code].lines == (table()[code]["name"],)
    (ring,) = figure.faces[code]
    face = Polygon(figure.ring(ring))
    for at in (placements.units[Location(code)], placements.dislodged[Location(code)]):
        assert face.contains(Point(at).buffer(placements.unit))
