"""The drawn map of Irish Diplomacy equals the lists written down independently from its rules."""

import math
import tomllib
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
from shapely import Polygon, maximum_inscribed_circle

from clockwise import COASTS, DATA, SEAS, STANDARD, bare, read, standard_board
from looks import close_borders, short_borders
from maps.figures import board_of, facts
from plenipo.engine.board import Board, Code, Location, UnitKind
from plenipo.maps.authoring.atlas import compile_map
from plenipo.maps.authoring.authored import map_digest
from plenipo.maps.figure.board import SpaceText, board_from
from plenipo.maps.figure.figure_files import read_figure
from plenipo.maps.figure.planar import BEYOND, UNIT, Figure
from plenipo.maps.lettering.label_grid import FULL_WIDTH
from plenipo.maps.lettering.overlaps import overlaps
from plenipo.maps.lettering.placements import Placements
from plenipo.rulekit.corners import add_corners

FOLDER = STANDARD.parent / "irish"
LISTS = read(DATA / "standard_clockwise.txt") | read(DATA / "irish_clockwise.txt")
NEW_CENTRES = {"ALB", "ICE", "NAF", "SWI"}


def table() -> Mapping[str, Mapping[str, Any]]:
    """Names, centres and aliases of the spaces: those of the regular board, and what the variant adds."""
    spaces = dict(tomllib.loads((STANDARD / "variant.toml").read_text(encoding="utf-8"))["spaces"])
    for code, info in tomllib.loads((FOLDER / "variant.toml").read_text(encoding="utf-8"))["spaces"].items():
        spaces[code] = spaces.get(code, {}) | info
    return spaces


@pytest.fixture(scope="module")
def figure() -> Figure:
    return read_figure(FOLDER / "figure.json").check()


@pytest.fixture(scope="module")
def board(figure: Figure) -> Board:
    texts = {Code(code): SpaceText(info["name"], info.get("centre", False)) for code, info in table().items()}
    return board_from(figure, texts, "irish")


def test_the_committed_figure_is_what_the_committed_map_compiles_to(figure: Figure) -> None:
    path = FOLDER / "map.toml"
    assert figure.source["map"] == map_digest(path)
    compiled = compile_map(path)
    if compiled.source == figure.source:
        assert compiled.to_json() == figure.to_json()
    # another release of GEOS may round a shore otherwise, but never to another board
    assert facts(board_of(compiled)) == facts(board_of(figure))


@pytest.mark.parametrize(("area", "contacts"), LISTS.items())
def test_every_area_touches_the_same_things_in_the_same_order(area: str, contacts: list[str], board: Board) -> None:
    drawn = [there or "*" for there in board.borders[Code(area)]]
    listed = [bare(contact) for contact in contacts]
    assert listed in [drawn[i:] + drawn[:i] for i in range(len(drawn))]


def test_army_contacts_are_those_of_the_regular_board_and_of_switzerland(board: Board) -> None:
    assert board.armies[Code("SWI")] == {"BUR", "MUN", "TYO", "PIE", "MAR"}
    assert board.armies[Code("ICE")] == set()
    for code, tos in standard_board().armies.items():
        if code != "SWI":
            assert board.armies[code] == tos | ({Code("SWI")} if code in board.armies[Code("SWI")] else set())


def test_fleet_contacts_are_those_of_the_regular_board_and_of_iceland(board: Board) -> None:
    iceland = Location(Code("ICE"))
    assert {str(to) for to in board.fleets[iceland]} == {"NAT", "NRG"}
    assert not board.reach(UnitKind.FLEET, Location(Code("SWI")))
    for location, tos in standard_board().fleets.items():
        assert board.fleets[location] == tos | ({iceland} if location.space in ("NAT", "NRG") else set())


def test_the_two_seas_round_iceland_touch_each_other_north_and_south_of_it(figure: Figure, board: Board) -> None:
    assert Location(Code("NRG")) in board.fleets[Location(Code("NAT"))]
    north, south = (figure.nodes[f"ICE/NAT/NRG:{end}"] for end in "ns")
    assert north[1] > south[1]
    assert len(figure.between(Code("NAT"), Code("NRG"))) == 2


def test_38_provinces_are_centres_and_none_is_impassable(board: Board) -> None:
    assert board.centres - standard_board().centres == NEW_CENTRES
    assert len(board.centres) == 38
    assert not [code for code, space in board.spaces.items() if space.impassable]


def test_the_coasts_are_those_of_the_regular_board(board: Board) -> None:
    for code, space in board.spaces.items():
        assert set(space.coasts) == {name for (area, _), name in COASTS.items() if area == code}


def test_the_corners_are_those_of_the_lists_and_eulers_formula_holds(figure: Figure, board: Board) -> None:
    sides = [
        tuple(sorted((area, bare(a), bare(b))))
        for area, around in LISTS.items()
        for a, b in pairwise([*around, around[0]])
        if "*" not in (a, b)
    ]
    listed = {areas: times // 3 for areas, times in Counter(sides).items()}
    assert Counter(tuple(sorted(at.space for at in corner.touches)) for corner in board.corners) == listed
    assert len(board.corners) == 137 + 2
    assert len(figure.nodes) - len(figure.arcs) + len(figure.faces) + 1 == 2


def test_the_two_corners_at_the_ends_of_iceland_are_distinguished(board: Board) -> None:
    cornered = add_corners(board)
    assert {code for code in cornered.spaces if ">" in code} == {"[ICE>NAT>NRG]", "[ICE>NRG>NAT]"}
    assert len(cornered.spaces) == len(board.spaces) + len(board.corners)


def test_iceland_lies_where_it_lies_and_is_as_large_as_it_is(figure: Figure) -> None:
    assert figure.projection is not None
    ring = figure.ring(figure.faces[Code("ICE")][0])
    shape = Polygon(ring)
    lon, lat = figure.projection.inverse(shape.centroid.x / UNIT, shape.centroid.y / UNIT)
    assert math.dist((lon, lat), (-18.6, 65.0)) < 1
    west, east = (figure.projection.inverse(x / UNIT, y / UNIT)[0] for x, y in (min(ring), max(ring)))
    assert (round(west), round(east)) == (-23, -14)
    # inlets are filled and the picture swells towards the middle of Europe, so it is only about so large
    assert 80_000 < shape.area / UNIT**2 < 130_000
    assert len(ring) > 80


def test_no_other_border_has_moved(figure: Figure) -> None:
    regular = Figure.from_json((STANDARD / "figure.json").read_text(encoding="utf-8"))
    borders = {line for way in figure.lines for line in (way, way[::-1])}
    for arc, line in zip(regular.arcs, regular.lines, strict=True):
        if arc.pair != ("NAT", "NRG") and BEYOND not in arc.pair:
            assert line in borders, arc


# ---------------------------------------------------------------------- lint: is the drawing good to look at


@pytest.mark.parametrize("width", [1600, 390])
def test_nothing_collides_at_full_size_or_on_a_phone(figure: Figure, board: Board, width: int) -> None:
    placements = Placements.from_json((FOLDER / "placements.json").read_text(encoding="utf-8"))
    assert overlaps(figure, board, placements, width) == []
    assert set(placements.names) == set(placements.codes) == set(board.spaces)
    assert set(placements.centres) == board.centres


def test_no_stretch_of_border_is_shorter_than_on_the_regular_map(figure: Figure) -> None:
    regular = Figure.from_json((STANDARD / "figure.json").read_text(encoding="utf-8"))
    assert short_borders(figure, 70) == short_borders(regular, 70)


def test_areas_that_do_not_touch_keep_apart(figure: Figure) -> None:
    assert not close_borders(figure, 20)


def test_every_area_has_room_for_a_unit(figure: Figure) -> None:
    pixel = (figure.frame[2] - figure.frame[0]) / FULL_WIDTH
    for code, cycles in figure.faces.items():
        room = maximum_inscribed_circle(Polygon(figure.ring(cycles[0])), tolerance=pixel).length / pixel
        assert room > 12.5, f"{code} has room for a disc of {room:.1f} pixels only"


def test_every_province_without_a_centre_follows_one_but_the_seas() -> None:
    follows = tomllib.loads((FOLDER / "look.toml").read_text(encoding="utf-8"))["follows"]
    plain = {code for code, info in table().items() if not info.get("centre") and code not in SEAS}
    assert set(follows) == plain
