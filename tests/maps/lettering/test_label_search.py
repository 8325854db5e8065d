"""The search for placements: on the regular board, on small boards, and again on a board that changed."""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import dist, hypot
from pathlib import Path

import pytest
from shapely import Point as Place
from shapely import box

from maps.figures import (
    STANDARD,
    beyond_frame,
    board_of,
    draw,
    halves,
    island,
    quarters,
    standard_figure,
    standard_texts,
)
from plenipo.cli import map_commands
from plenipo.engine.board import Board, Coast, Code, Location
from plenipo.errors import InvalidFigure
from plenipo.maps.figure.board import SpaceText, board_from
from plenipo.maps.figure.boxes import Box
from plenipo.maps.figure.figure_files import read_figure
from plenipo.maps.figure.planar import BEYOND, Figure, codes_of
from plenipo.maps.lettering.footprints import footprint_of
from plenipo.maps.lettering.label_grid import FULL_WIDTH, LabelGrid
from plenipo.maps.lettering.label_search import find_placements, placements_in, refit
from plenipo.maps.lettering.overlaps import overlaps
from plenipo.maps.lettering.placements import PlacementHints, Placements, hints_from
from plenipo.maps.lettering.small import SmallPicture, with_small

PX = (standard_figure().frame[2] - standard_figure().frame[0]) / FULL_WIDTH


@cache
def standard() -> tuple[Figure, Board, Placements]:
    """The regular board with its committed placements."""
    board = board_from(standard_figure(), standard_texts(), "standard")
    return (
        standard_figure(),
        board,
        Placements.from_json((Path(STANDARD) / "placements.json").read_text(encoding="utf-8")),
    )


def large(figure: Figure, times: int = 400) -> Figure:
    """A small figure drawn so many times larger."""

    def grown(point: tuple[int, int]) -> tuple[int, int]:
        return point[0] * times, point[1] * times

    west, south, east, north = figure.frame
    return replace(
        figure,
        frame=(west * times, south * times, east * times, north * times),
        nodes={name: grown(at) for name, at in figure.nodes.items()},
        arcs=tuple(replace(arc, bends=tuple(map(grown, arc.bends))) for arc in figure.arcs),
        marks=tuple(replace(mark, at=grown(mark.at)) for mark in figure.marks),
    )


# ---------------------------------------------------------------------- the regular board


def test_every_space_of_the_regular_board_has_all_its_seats() -> None:
    _, board, placements = standard()
    none = Coast("")
    places = {
        Location(code, coast) for code, s in board.spaces.items() if not s.impassable for coast in (none, *s.coasts)
    }
    assert set(placements.codes) == set(board.spaces)
    assert set(placements.units) == set(placements.dislodged) == places
    assert set(placements.centres) == board.centres


def test_every_name_of_the_regular_board_fits_at_twelve_pixels_or_more() -> None:
    _, board, placements = standard()
    assert set(placements.names) == set(board.spaces)
    assert min(name.size for name in placements.names.values()) >= 12 * PX - 1


def test_units_are_about_twenty_five_pixels_across() -> None:
    assert 24 <= 2 * standard()[2].unit / PX <= 26


def test_every_corner_has_the_point_of_its_node() -> None:
    figure, board, placements = standard()
    assert set(placements.corners) == {str(corner) for corner in board.corners}
    inner = {at for name, at in figure.nodes.items() if BEYOND not in codes_of(name)}
    assert set(placements.corners.values()) == inner


def test_corners_that_differ_by_their_coast_are_distinguished() -> None:
    corners = standard()[2].corners
    assert corners["[MID/POR/SPA(nc)]"][1] > corners["[MID/POR/SPA(sc)]"][1]


def test_no_unit_covers_a_corner() -> None:
    _, _, placements = standard()
    assert all(
        dist(unit, corner) > placements.unit
        for unit in placements.units.values()
        for corner in placements.corners.values()
    )


def test_a_fleet_on_a_coast_lies_nearer_to_it_than_to_the_other_coast() -> None:
    figure, board, placements = standard()
    ground = LabelGrid(figure, board)
    for code in ("BUL", "SPA", "STP"):
        shores = ground.shores(Code(code))
        for coast in shores:
            unit = Place(placements.units[Location(Code(code), coast)])
            assert min(shores, key=lambda c: unit.distance(shores[c])) == coast
            assert unit.distance(shores[coast]) < 2 * placements.unit


def test_the_dislodged_stand_close_by_and_clear_of_every_unit_of_their_space() -> None:
    _, _, placements = standard()
    for location, at in placements.dislodged.items():
        assert dist(at, placements.units[location]) < 2.2 * placements.unit
        assert all(
            dist(at, unit) > placements.unit for loc, unit in placements.units.items() if loc.space == location.space
        )


def test_centre_marks_stand_near_their_towns_where_hints_place_them() -> None:
    figure, _, placements = standard()
    hints = hints_from({"centres": {"MOS": [37.6, 55.7], "PAR": [2.3, 48.8], "BER": [13.4, 52.5]}}, figure)
    for code, place in hints.centres.items():
        assert dist(placements.centres[code], place) < 12 * PX


def test_long_waters_have_their_names_along_them_and_land_has_level_names() -> None:
    figure, _, placements = standard()
    curves = {code: name.curve for code, name in placements.names.items() if name.curve}
    assert set(curves) <= figure.seas
    (x0, y0), _, (x1, y1) = curves[Code("ADR")]
    assert -1.5 < (y1 - y0) / (x1 - x0) < -0.4
    assert all(a[0] < b[0] for curve in curves.values() for a, b in pairwise(curve))


def test_large_waters_have_larger_and_wider_names() -> None:
    names = standard()[2].names
    assert names[Code("NAT")].size > 1.5 * names[Code("SKA")].size
    assert names[Code("NAT")].spacing > 0 == names[Code("SKA")].spacing


def test_the_committed_seats_are_those_of_the_committed_figure() -> None:
    # rounding may differ a little from machine to machine, so this compares places, not texts
    figure, board, placements = standard()
    found = find_placements(figure, board, _hints())
    assert set(found.names) == set(placements.names)
    moved = [loc for loc, at in found.units.items() if dist(at, placements.units[loc]) > 2 * PX]
    assert len(moved) <= 2, f"run plenipo map place again: {moved} stand elsewhere"


def _hints() -> PlacementHints:
    return hints_from(
        tomllib.loads((Path(STANDARD) / "placements.toml").read_text(encoding="utf-8")), standard_figure()
    )


@pytest.mark.parametrize("name", ["standard", "irish", "cline", "napoleonic"])
def test_every_code_can_be_read_on_a_phone_and_begins_in_its_own_space(name: str) -> None:
    folder = Path(STANDARD).parent / name
    figure = read_figure(folder / "figure.json")
    placements = Placements.from_json((folder / "placements.json").read_text(encoding="utf-8"))
    faces = LabelGrid(figure, board_of(figure)).polygons
    pixel = (figure.frame[2] - figure.frame[0]) / FULL_WIDTH
    for code in placements.codes.keys() & faces.keys():
        (at,) = footprint_of(placements.codes[code], water=code in figure.waters).boxes
        assert placements.codes[code].size / pixel * 390 / FULL_WIDTH > 6.95, code
        assert box(*at).intersection(faces[code]).area > 0.33 * box(*at).area, code


# ---------------------------------------------------------------------- a board that changed


@pytest.mark.parametrize("changed", [{"MOS"}, {"NTH", "EDI"}, {"CLY", "EDI", "LVP", "YOR"}])
def test_a_local_redo_leaves_all_others_alone_and_collides_with_none(changed: set[str]) -> None:
    figure, board, placements = standard()
    found = refit(figure, board, placements, {Code(code) for code in changed}, _hints())
    for table in ("names", "codes", "centres"):
        before, after = getattr(placements, table), getattr(found, table)
        assert {c: v for c, v in before.items() if c not in changed} == {
            c: v for c, v in after.items() if c not in changed
        }
    assert {loc: at for loc, at in placements.units.items() if loc.space not in changed}.items() <= found.units.items()
    assert overlaps(figure, board, found) == []


def columns() -> Figure:
    """`AAA` in the west, `BBB` in the east."""
    return large(
        draw(
            {"#/AAA/BBB:n": (40, 100), "#/AAA/BBB:s": (40, 0)},
            """
            #/AAA/BBB:s #/AAA/BBB:n AAA BBB
            #/AAA/BBB:n #/AAA/BBB:s AAA #
            #/AAA/BBB:s #/AAA/BBB:n BBB #
            """,
            {
                "#/AAA/BBB:n #/AAA/BBB:s AAA #": ((0, 100), (0, 0)),
                "#/AAA/BBB:s #/AAA/BBB:n BBB #": ((100, 0), (100, 100)),
            },
        )
    )


def cut_columns() -> Figure:
    """The same after the south of `BBB` became `CCC`; the cut runs where the unit of `BBB` stood or north of it."""
    return large(
        draw(
            {"#/AAA/BBB": (40, 100), "#/AAA/CCC": (40, 0), "#/BBB/CCC": (100, 70), "AAA/BBB/CCC": (40, 70)},
            """
            AAA/BBB/CCC #/AAA/BBB AAA BBB
            #/AAA/CCC AAA/BBB/CCC AAA CCC
            AAA/BBB/CCC #/BBB/CCC BBB CCC
            #/AAA/BBB #/AAA/CCC AAA #
            #/BBB/CCC #/AAA/BBB BBB #
            #/AAA/CCC #/BBB/CCC CCC #
            """,
            {
                "#/AAA/BBB #/AAA/CCC AAA #": ((0, 100), (0, 0)),
                "#/BBB/CCC #/AAA/BBB BBB #": ((100, 100),),
                "#/AAA/CCC #/BBB/CCC CCC #": ((100, 0),),
            },
        )
    )


def test_a_cut_space_and_a_new_one_are_settled_and_the_rest_stays() -> None:
    before, after = columns(), cut_columns()
    placements = find_placements(before, board_of(before))
    found = refit(after, board_of(after), placements, ())
    assert set(found.codes) == {"AAA", "BBB", "CCC"}
    assert found.names[Code("AAA")] == placements.names[Code("AAA")]
    assert found.units[Location(Code("AAA"))] == placements.units[Location(Code("AAA"))]
    assert found.units[Location(Code("BBB"))] != placements.units[Location(Code("BBB"))]
    assert set(found.corners) == {"[AAA/BBB/CCC]"}
    assert overlaps(after, board_of(after), found) == []


def test_a_space_that_is_gone_loses_its_seats() -> None:
    before, after = cut_columns(), columns()
    found = refit(after, board_of(after), find_placements(before, board_of(before)), {Code("BBB")})
    assert set(found.codes) == {"AAA", "BBB"}
    assert not found.corners
    assert overlaps(after, board_of(after), found) == []


# ---------------------------------------------------------------------- small boards

SMALL = {"halves": halves(), "quarters": quarters(), "island": island()}


@pytest.mark.parametrize("figure", SMALL.values(), ids=SMALL)
def test_a_small_board_is_settled_without_a_fault_and_always_alike(figure: Figure) -> None:
    drawn = large(figure)
    board = board_of(drawn)
    placements = find_placements(drawn, board)
    assert overlaps(drawn, board, placements) == []
    assert find_placements(drawn, board).to_json() == placements.to_json()


def test_a_name_too_long_for_its_space_gives_way_to_the_code() -> None:
    figure = large(island())
    board = board_of(figure)
    spaces = {
        code: replace(space, name="Grand Principality of " + "Everywhere" * 4) if code == "EEE" else space
        for code, space in board.spaces.items()
    }
    placements = find_placements(figure, replace(board, spaces=spaces))
    assert Code("EEE") not in placements.names
    assert placements.codes[Code("EEE")].lines == ("EEE",)
    assert overlaps(figure, board, placements) == []


def test_a_face_smaller_than_a_cell_of_the_grid_still_has_its_seats() -> None:
    figure = large(island())
    tiny = [
        replace(arc, bends=tuple((12_000 + (x - 12_000) // 1000, 20_000 + (y - 20_000) // 1000) for x, y in arc.bends))
        if "EEE" in arc.pair
        else arc
        for arc in figure.arcs
    ]
    figure = replace(figure, arcs=tuple(tiny))
    placements = find_placements(figure, board_of(figure))
    assert (
        LabelGrid(figure, board_of(figure))
        .polygons[Code("EEE")]
        .distance(Place(placements.units[Location(Code("EEE"))]))
        < 50
    )
    assert Code("EEE") in placements.codes


def sliver(east: int) -> Figure:
    """Land `AAA`, a strip `east` units broad along the western frame, and `BBB` in the rest."""
    return large(
        draw(
            {"#/AAA/BBB:n": (east, 100), "#/AAA/BBB:s": (east, 0)},
            """
            #/AAA/BBB:s #/AAA/BBB:n AAA BBB
            #/AAA/BBB:n #/AAA/BBB:s AAA #
            #/AAA/BBB:s #/AAA/BBB:n BBB #
            """,
            {
                "#/AAA/BBB:n #/AAA/BBB:s AAA #": ((0, 100), (0, 0)),
                "#/AAA/BBB:s #/AAA/BBB:n BBB #": ((100, 0), (100, 100)),
            },
        )
    )


@pytest.mark.parametrize("east", [1, 2, 3, 4, 5])
def test_the_label_of_a_strip_along_the_frame_lies_inside_it(east: int) -> None:
    figure = sliver(east)
    board = board_of(figure)
    placements = find_placements(figure, board)
    assert not beyond_frame(figure, placements)
    assert not [fault for fault in overlaps(figure, board, placements) if "frame" in fault]


def test_an_impassable_space_has_a_name_and_no_unit() -> None:
    figure = large(quarters(impassable={Code("AAA"): "closed"}))
    placements = find_placements(figure, board_of(figure))
    assert Code("AAA") in placements.names
    assert all(loc.space != "AAA" for loc in (*placements.units, *placements.dislodged))


def test_a_space_that_is_a_corner_has_its_unit_on_the_corner() -> None:
    figure = cut_columns()
    board = board_of(figure)
    code = Code(str(board.corners[0]))
    spaces = {**board.spaces, code: replace(board.spaces[Code("AAA")], code=code)}
    placements = find_placements(figure, replace(board, spaces=spaces))
    assert placements.units[Location(code)] == figure.nodes["AAA/BBB/CCC"]
    assert overlaps(figure, board, replace(placements, units={}, dislodged={}))[0].endswith("has no placement")


# ---------------------------------------------------------------------- hints and the command


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"center": {}}, "'center'"),
        ({"centres": {"ZZZ": [1, 2]}}, "ZZZ"),
        ({"lines": {"ZZZ": [["Z"]]}}, "ZZZ"),
    ],
)
def test_hints_about_nothing_are_refused(table: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidFigure, match=said):
        hints_from(table, standard_figure())


def test_a_place_on_a_figure_without_projection_is_refused() -> None:
    with pytest.raises(InvalidFigure, match="no projection"):
        hints_from({"centres": {"AAA": [1, 2]}}, quarters())


def test_the_wished_lines_are_used() -> None:
    figure = large(quarters())
    board = board_of(figure)
    placements = find_placements(figure, board, PlacementHints(lines={Code("AAA"): (("A", "aa"),)}))
    assert placements.names[Code("AAA")].lines == ("A", "aa")


def test_the_seats_of_a_folder_come_from_its_figure_its_hints_and_the_texts_given(tmp_path: Path) -> None:
    figure = large(halves())
    (tmp_path / "figure.json").write_text(figure.to_json(), encoding="utf-8")
    texts = {Code("AAA"): SpaceText("Land"), Code("SSS"): SpaceText("Sea")}
    assert placements_in(tmp_path, texts).names[Code("AAA")].lines == ("Land",)
    (tmp_path / "placements.toml").write_text('[lines]\nAAA = [["La", "nd"]]\n', "utf-8")
    assert placements_in(tmp_path, texts).names[Code("AAA")].lines == ("La", "nd")
    with pytest.raises(InvalidFigure, match="face SSS"):
        placements_in(tmp_path, {Code("AAA"): SpaceText("Land")})


def test_the_command_takes_names_from_the_parents_of_a_variant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Mapping[Code, SpaceText]] = []

    def instead(folder: Path, spaces: Mapping[Code, SpaceText]) -> Placements:
        assert folder == tmp_path
        asked.append(spaces)
        return Placements({}, {}, {}, {}, {})

    monkeypatch.setattr("plenipo.maps.lettering.label_search.placements_in", instead)
    monkeypatch.setattr("plenipo.maps.draw.routes.with_routes", lambda *given: given[-1])
    (tmp_path / "figure.json").write_text(standard_figure().to_json(), encoding="utf-8")
    (tmp_path / "variant.toml").write_text(
        'title = "Another"\nparent = "standard"\nfigure = "figure.json"\n[spaces]\nPAR = { name = "Lutetia" }\n',
        "utf-8",
    )
    assert "placements.json: 0 names" in map_commands.place(str(tmp_path))
    assert (tmp_path / "placements.json").exists()
    assert (asked[0][Code("PAR")].name, asked[0][Code("LON")].name) == ("Lutetia", "London")


# ---------------------------------------------------------------------- boxes


def boxed(at: tuple[int, int] = (50_000, -9_000), size: tuple[int, int] = (40_000, 9_000)) -> Figure:
    """The large halves, and a box beside them."""
    figure = large(halves())
    return replace(figure, boxes=(Box(Code("BBB"), at, size, (Location(Code("SSS")),)),)).check()


def test_the_name_and_the_units_of_a_box_lie_in_it_and_apart() -> None:
    figure = boxed()
    board = board_of(figure)
    placements = find_placements(figure, board)
    assert placements.names[Code("BBB")].lines == ("Bbb",)
    assert {Location(Code("BBB"))} < placements.units.keys() == placements.dislodged.keys()
    assert overlaps(figure, board, placements) == []


def test_a_box_that_is_too_small_is_refused() -> None:
    figure = boxed(size=(4_000, 900))
    with pytest.raises(InvalidFigure, match="box BBB is too small"):
        find_placements(figure, board_of(figure))


def test_nothing_is_set_where_a_box_lies_and_the_lint_would_tell() -> None:
    clear = find_placements(boxed(), board_of(boxed()))
    x, y = clear.names[Code("AAA")].at
    figure = boxed((x, y), (20_000, 9_000))
    board = board_of(figure)
    assert overlaps(figure, board, find_placements(figure, board)) == []
    moved = replace(find_placements(figure, board), names={**clear.names})
    told = overlaps(figure, board, moved)
    assert "the name of AAA lies under the box BBB" in told
    assert "the name of BBB does not fit into its box" in told


def test_a_box_keeps_its_seats_when_the_board_changes() -> None:
    figure = boxed()
    board = board_of(figure)
    placements = find_placements(figure, board)
    assert refit(figure, board, placements, [Code("AAA")]).names[Code("BBB")] == placements.names[Code("BBB")]


def test_the_units_of_a_wide_map_keep_their_size_on_the_page() -> None:
    figure = large(halves(), 800)
    assert find_placements(figure, board_of(figure)).unit == round(12.5 * hypot(80_000, 0) / FULL_WIDTH)


def test_coasts_without_marks_need_none() -> None:
    figure = large(halves())
    assert LabelGrid(figure, board_of(figure)).shores(Code("AAA")) == {}
    assert Coast("NC") not in board_of(figure).spaces[Code("AAA")].coasts


def test_a_code_of_a_small_picture_that_covers_a_unit_now_is_set_anew_and_no_other() -> None:
    figure, board, placements = standard()
    over = replace(placements.small_codes[Code("MOS")], at=placements.units[Location(Code("UKR"))], leader=())
    spoiled = replace(placements, small_codes={**placements.small_codes, Code("MOS"): over})
    mended = with_small(LabelGrid(figure, board), spoiled, anew=())
    assert dist(mended.small_codes[Code("MOS")].at, over.at) > placements.unit
    assert {c: p for c, p in mended.small_codes.items() if c != "MOS"} == {
        c: p for c, p in placements.small_codes.items() if c != "MOS"
    }


def test_a_code_of_a_small_picture_is_led_from_elsewhere_rather_than_written_over_another() -> None:
    figure, board, placements = standard()
    picture = SmallPicture(LabelGrid(figure, board), placements)
    alone = picture.code(Code("BEL"))
    blocked = SmallPicture(LabelGrid(figure, board), placements)
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            x, y = alone.at[0] + 2 * dx * alone.size, alone.at[1] + dy * alone.size
            blocked.paint_label(replace(alone, lines=("XXX",), at=(x, y), leader=()))
    other = blocked.code(Code("BEL"))
    assert other.leader
    assert abs(other.at[0] - alone.at[0]) > 3 * alone.size or abs(other.at[1] - alone.at[1]) > 1.5 * alone.size
