"""The drawn Cline board equals the lists and the table written down independently from its rules."""

import tomllib
from collections import Counter
from functools import cache

import pytest
from shapely import Polygon, maximum_inscribed_circle

import clockwise_cline as cline
from clockwise import bare
from looks import close_borders, short_borders
from maps.figures import STANDARD, board_of, facts
from plenipo import library
from plenipo.engine.board import Board, Coast, Code, Location, Terrain
from plenipo.maps.authoring.atlas import compile_map
from plenipo.maps.authoring.authored import map_digest
from plenipo.maps.figure.board import SpaceText, board_from
from plenipo.maps.figure.planar import BEYOND, Figure, codes_of
from plenipo.maps.lettering.overlaps import overlaps
from plenipo.maps.lettering.placements import Placements

CLINE = STANDARD.parent / "cline"


@pytest.fixture(scope="module")
def figure() -> Figure:
    return Figure.from_json((CLINE / "figure.json").read_text(encoding="utf-8")).check()


@pytest.fixture(scope="module")
def board(figure: Figure) -> Board:
    return board_of(figure)


def army_pairs(board: Board) -> set[frozenset[str]]:
    return {frozenset((here, there)) for here, to in board.armies.items() for there in to}


def fleet_pairs(board: Board) -> set[frozenset[Location]]:
    return {frozenset((here, there)) for here, to in board.fleets.items() for there in to}


def test_the_committed_figure_is_what_the_committed_map_compiles_to(figure: Figure) -> None:
    assert figure.source["map"] == map_digest(CLINE / "map.toml")
    compiled = compile_map(CLINE / "map.toml")
    if compiled.source == figure.source:
        assert compiled.to_json() == (CLINE / "figure.json").read_text(encoding="utf-8")
    assert facts(board_of(compiled)) == facts(board_of(figure))


def test_army_contacts_are_those_of_the_lists(board: Board) -> None:
    assert army_pairs(board) == cline.army_pairs()
    assert len(army_pairs(board)) == 133


def round_africa() -> set[frozenset[Location]]:
    """The contacts of the box, which no border shows."""
    pairs = {pair for pair in cline.FLEETS_BEYOND if "ANT" in pair}
    return {frozenset(Location(Code(code)) for code in pair) for pair in pairs}


def test_fleet_contacts_with_their_coasts_are_those_of_the_lists_and_the_way_round_africa(board: Board) -> None:
    assert fleet_pairs(board) == cline.fleet_pairs() | round_africa()
    assert len(fleet_pairs(board)) == 190 + 2


def test_the_antarctic_sea_is_a_box_that_fleets_alone_reach(figure: Figure, board: Board) -> None:
    ant = Code("ANT")
    assert board.spaces[ant].terrain is Terrain.SEA
    assert board.fleets[Location(ant)] == {Location(Code("IND")), Location(Code("WAT"))}
    assert board.borders[ant] == ("IND", "WAT")
    assert not [code for code, border in board.borders.items() if ant in border]
    assert [box.code for box in figure.boxes] == [ant]
    assert not [corner for corner in board.corners if ant in {at.space for at in corner.touches}]


def test_the_board_played_is_the_whole_table() -> None:
    played = library.load("cline").board
    for here, (armies, fleets) in cline.table().items():
        assert set(played.armies.get(here.space, ())) == armies
        assert set(played.fleets.get(here, ())) == fleets


@pytest.mark.parametrize("here", cline.table(), ids=str)
def test_the_map_and_what_is_declared_beyond_it_are_the_whole_table(here: Location, board: Board) -> None:
    both, fleets_only = cline.BOTH_BEYOND, cline.FLEETS_BEYOND
    armies = army_pairs(board) | {frozenset(pair) for pair in both}
    fleets = fleet_pairs(board) | {frozenset(Location(Code(code)) for code in pair) for pair in both | fleets_only}
    assert cline.table()[here] == (
        {there for pair in armies for there in pair - {here.space} if here.space in pair},
        {there for pair in fleets for there in pair - {here} if here in pair},
    )


@pytest.mark.parametrize(("area", "contacts"), cline.lists().items())
def test_every_area_touches_the_same_things_in_the_same_order(area: str, contacts: list[str], board: Board) -> None:
    drawn = [there or "*" for there in board.borders[Code(area)]]
    listed = [bare(contact) for contact in contacts]
    assert listed in [drawn[i:] + drawn[:i] for i in range(len(drawn))]


def test_five_provinces_have_two_coasts_each_and_the_canal_provinces_one(board: Board) -> None:
    assert {code: space.coasts for code, space in board.spaces.items() if space.coasts} == {
        "BUL": ("EC", "SC"),
        "IRA": ("NC", "SC"),
        "JOR": ("SC", "WC"),
        "SPA": ("NC", "SC"),
        "STP": ("NC", "SC"),
    }
    for code in ("CON", "EGY", "GEO", "KIE", "MOS", "SEV"):
        assert board.spaces[Code(code)].coasts == ()


def test_a_fleet_in_egypt_reaches_the_seas_on_both_sides_of_the_canal(board: Board) -> None:
    to = board.fleets[Location(Code("EGY"))]
    assert {Location(Code("JOR"), Coast("WC")), Location(Code("JOR"), Coast("SC"))} < to
    assert {"EAS", "IND", "SME"} < {location.space for location in to}


@pytest.mark.parametrize(
    ("area", "seas"), {"CAN": "MID SAT WAT", "COR": "GOL TYN WES", "CRE": "AEG EAS ION", "IRE": "IRI NAT"}.items()
)
def test_an_island_touches_its_seas_and_no_more(area: str, seas: str, board: Board) -> None:
    assert not board.armies[Code(area)]
    assert {str(location) for location in board.fleets[Location(Code(area))]} == set(seas.split())


def test_the_corners_are_the_177_of_the_lists(board: Board) -> None:
    drawn = Counter(tuple(sorted(location.space for location in corner.touches)) for corner in board.corners)
    assert drawn == cline.corners()
    assert len(board.corners) == 177
    assert {areas for areas, times in drawn.items() if times > 1} == {
        ("IRE", "IRI", "NAT"),
        ("ION", "SIC", "TYN"),
        ("MID", "POR", "SPA"),
    }


def test_no_four_areas_meet_in_a_point(figure: Figure) -> None:
    assert {len(halves) for halves in figure.rotation.values()} == {3}


def test_eulers_formula_counts_the_same_corners_without_the_map() -> None:
    # three borders end at every corner and wherever a border meets the board edge, so there are 3/2 borders to each
    # such point, and points - borders + areas = 2, the one area beyond the edge counted too
    points = sum(cline.corners().values()) + cline.edges_of_the_board()
    assert (points, cline.edges_of_the_board(), len(cline.lists())) == (190, 13, 96)
    assert points - 3 * points // 2 + len(cline.lists()) + 1 == 2


def test_eulers_formula_holds_for_the_map_with_the_land_beyond_the_caspian(figure: Figure) -> None:
    frame = [name for name in figure.nodes if BEYOND in codes_of(name)]
    beyond = [name for name in figure.nodes if "ASI" in codes_of(name) and name not in frame]
    assert sorted(beyond) == ["ASI/CAS/IRA", "ASI/CAS/MOS"]
    assert (len(figure.faces), len(figure.nodes), len(frame)) == (97, 177 + 13 + 2, 13)
    assert len(figure.nodes) - len(figure.arcs) + len(figure.faces) + 1 == 2


# ---------------------------------------------------------------------- lint: is the drawing good to look at


@cache
def texts() -> dict[Code, SpaceText]:
    """Names and centres: those of the regular board, changed as the variant says."""
    spaces = tomllib.loads((STANDARD / "variant.toml").read_text(encoding="utf-8"))["spaces"]
    for file in CLINE.glob("variant*.toml"):
        for code, said in tomllib.loads(file.read_text(encoding="utf-8"))["spaces"].items():
            spaces[code] = {**spaces.get(code, {}), **said}
    return {Code(code): SpaceText(said["name"], said.get("centre", False)) for code, said in spaces.items()}


def test_nothing_collides_in_a_large_picture(figure: Figure) -> None:  # a small one has codes of its own
    here = figure.faces.keys() | {box.code for box in figure.boxes}
    drawn = {code: text for code, text in texts().items() if code in here}
    placements = Placements.from_json((CLINE / "placements.json").read_text(encoding="utf-8"))
    named = board_from(figure, drawn, "cline")
    assert len(named.centres) == 45
    assert overlaps(figure, named, placements, 1600) == []
    assert set(placements.names) == set(placements.codes) == set(named.spaces)


def test_only_two_straits_are_short_stretches_of_border(figure: Figure) -> None:
    assert short_borders(figure, 70) == {("MID", "WES"), ("ION", "TYN")}


def test_areas_that_do_not_touch_keep_apart(figure: Figure) -> None:
    assert not close_borders(figure, 20)


def test_every_area_has_room_for_a_unit(figure: Figure) -> None:
    pixel = (figure.frame[2] - figure.frame[0]) / 1600
    for code, cycles in figure.faces.items():
        room = maximum_inscribed_circle(Polygon(figure.ring(cycles[0])), tolerance=pixel).length / pixel
        assert room > 12.5, f"{code} has room for a disc of {room:.1f} pixels only"
