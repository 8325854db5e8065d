"""Annotations without a border: links, closed borders, canals, crossings and lanes, from board and figure."""

import math
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from shapely import LineString, Point, Polygon

from maps.figures import board_of, halves, island, quarters
from plenipo.charts import Chart, chart
from plenipo.engine.board import Board, Code, Location
from plenipo.engine.facts import Crossing
from plenipo.maps.draw.annotations import marks
from plenipo.maps.draw.base import Base
from plenipo.maps.figure.boxes import Box
from plenipo.maps.figure.planar import Arc, Figure
from plenipo.maps.lettering.annotations import KINDS, MARK, Annotation, annotations_of, lane
from plenipo.maps.lettering.placements import Placements

PLAYED = ("standard", "napoleonic", "cline")


@cache
def annotations(variant: str) -> tuple[Annotation, ...]:
    on = chart(variant)
    return annotations_of(on.figure, on.board, on.placements, on.crossings)


def of_kind(variant: str, kind: str) -> dict[frozenset[str], Annotation]:
    return {frozenset(note.spaces): note for note in annotations(variant) if note.kind == kind}


def pairs(*texts: str) -> set[frozenset[str]]:
    return {frozenset(text.split("-")) for text in texts}


def placements_of(figure: Figure) -> Placements:
    codes = [*figure.faces, *(box.code for box in figure.boxes)]
    return Placements({}, {}, {Location(code): (50, 50) for code in codes}, {}, {}, unit=2)


def joined(board: Board, a: str, b: str) -> Board:
    armies = dict(board.armies)
    armies[Code(a)] |= {Code(b)}
    armies[Code(b)] |= {Code(a)}
    return replace(board, armies=armies)


def parted(board: Board, a: str, b: str) -> Board:
    apart = {Code(a), Code(b)}
    return replace(
        board,
        armies={code: to - apart if code in apart else to for code, to in board.armies.items()},
        fleets={
            at: frozenset(to for to in tos if not (at.space in apart and to.space in apart))
            for at, tos in board.fleets.items()
        },
    )


# the maps of the package


@pytest.mark.parametrize(
    ("variant", "kind", "found"),
    [
        ("standard", "link", pairs()),
        ("standard", "closed", pairs()),
        ("standard", "canal", pairs()),
        ("standard", "passage", pairs("CON", "DEN", "KIE", "SWE")),
        ("napoleonic", "link", pairs("NWY-STP")),
        ("napoleonic", "closed", pairs("MUR-NWY")),
        ("napoleonic", "passage", pairs("CON", "DEN", "KIE", "SWE")),
        ("cline", "link", pairs("CLY-IRE", "NAP-SIC")),
        ("cline", "closed", pairs()),
        ("cline", "canal", pairs("MOS-SEV", "GEO-SEV")),
        ("cline", "passage", pairs("CON", "DEN", "EGY", "KIE", "SWE")),
        ("cline", "crossing", pairs("SIC-NAP-TYN-ION", "IRE-CLY-NAT-LVP")),
        ("cline", "lane", pairs("ANT-IND", "ANT-WAT")),
    ],
)
def test_the_maps_show_what_their_boards_have_beyond_the_borders(
    variant: str, kind: str, found: set[frozenset[str]]
) -> None:
    assert of_kind(variant, kind).keys() == found


@pytest.mark.parametrize("variant", PLAYED)
def test_every_contact_of_the_board_is_a_border_or_a_way(variant: str) -> None:
    on = chart(variant)
    shown = {arc.pair for arc in on.figure.arcs} | {tuple(sorted(note.spaces)) for note in annotations(variant)}
    steps = [(code, to) for code, tos in on.board.armies.items() for to in tos]
    steps += [(at.space, to.space) for at, tos in on.board.fleets.items() for to in tos]
    assert {tuple(sorted(step)) for step in steps} <= shown


@pytest.mark.parametrize("reading", ["geographic", "literal", "neither"])
def test_the_picture_follows_the_reading_that_is_played(reading: str) -> None:
    on = chart("napoleonic", {"murmansk_norway": reading})
    found = {note.kind for note in annotations_of(on.figure, on.board, on.placements)} - {"passage"}
    assert found == {"geographic": set(), "literal": {"link", "closed"}, "neither": {"closed"}}[reading]


def test_a_link_joins_two_areas_inside_both() -> None:
    for variant in PLAYED:
        figure = chart(variant).figure
        for note in (note for note in annotations(variant) if note.kind == "link"):
            ends = dict(zip(note.spaces, note.line, strict=True))
            for code, at in ends.items():
                assert Polygon(figure.ring(figure.faces[code][0])).contains(Point(at))


def test_the_words_on_a_border_say_which_units_pass() -> None:
    assert "Armies alone pass between Norway and St Petersburg" in of_kind("napoleonic", "link").popitem()[1].words
    assert all("Armies and fleets pass" in note.words for note in of_kind("cline", "link").values())
    assert all(note.words.startswith("Ships pass between") for note in of_kind("cline", "canal").values())
    assert "the Suez Canal" in of_kind("cline", "passage")[frozenset({"EGY"})].words


def test_a_canal_missing_from_the_figure_is_drawn_and_no_canal_is_drawn_twice() -> None:
    for variant in PLAYED:
        drawn = {code for note in annotations(variant) if note.kind == "passage" and note.line for code in note.spaces}
        assert drawn == {"KIE"}


@pytest.mark.parametrize("variant", PLAYED)
def test_marks_stand_clear_of_names_units_centres_and_each_other(variant: str) -> None:
    on = chart(variant)
    radius = MARK * on.placements.unit
    marked = [note.at for note in annotations(variant) if note.kind == "passage"]
    tokens = [(at, on.placements.unit) for at in on.placements.units.values()]
    tokens += [(at, on.placements.mark) for at in on.placements.centres.values()]
    for at in marked:
        assert all(math.dist(at, token) >= radius + size for token, size in tokens)
        assert all(math.dist(at, other) >= 2 * radius for other in marked if other != at)


@pytest.mark.parametrize("variant", PLAYED)
def test_the_mark_of_a_passage_stands_in_its_spaces_or_at_sea(variant: str) -> None:
    on = chart(variant)
    figure, radius = on.figure, MARK * on.placements.unit
    for note in (note for note in annotations(variant) if note.kind in ("passage", "canal")):
        for code in figure.faces.keys() - figure.seas - {*note.spaces}:
            foreign = Polygon(figure.ring(figure.faces[code][0]))
            assert Point(note.at).buffer(radius).intersection(foreign).area < 0.05 * math.pi * radius**2, (note, code)


def test_a_crossing_lies_on_the_link_it_is_about() -> None:
    links = of_kind("cline", "link")
    for note in of_kind("cline", "crossing").values():
        link = next(link for pair, link in links.items() if pair < set(note.spaces))
        assert LineString(link.line).distance(Point(note.at)) < 2


def test_without_the_rule_no_crossing_is_shown() -> None:
    on = chart("cline", {"moses_criss_cross": "false"})
    assert {note.kind for note in annotations_of(on.figure, on.board, on.placements, on.crossings)} == set(KINDS) - {
        "crossing",
        "closed",
        "one_way",
        "rule",
    }


def test_a_lane_runs_outside_the_frame_and_ends_in_its_sea() -> None:
    on: Chart = chart("cline")
    (box,) = on.figure.boxes
    west, south, east, north = on.figure.frame
    frame = Polygon([(west, south), (east, south), (east, north), (west, north)])
    for note in of_kind("cline", "lane").values():
        sea = Polygon(on.figure.ring(on.figure.faces[note.spaces[1]][0]))
        assert sea.contains(Point(note.line[-1]))
        assert all(not frame.intersects(LineString(leg)) for leg in list(pairwise(note.line))[:-1])
        assert not Polygon(_corners(box)).contains(Point(note.line[0]))


def _corners(box: Box) -> list[tuple[int, int]]:
    west, south, east, north = box.bounds
    return [(west, south), (east, south), (east, north), (west, north)]


# small figures


def test_the_board_of_a_figure_alone_needs_no_ways() -> None:
    for figure in (halves(), quarters(), island()):
        assert annotations_of(figure, board_of(figure), placements_of(figure)) == ()


def test_a_contact_that_is_no_border_is_a_link_and_a_border_that_is_no_contact_is_closed() -> None:
    figure = quarters()
    placements = placements_of(figure)
    (link,) = annotations_of(figure, joined(board_of(figure), "AAA", "CCC"), placements)
    assert (link.kind, link.spaces) == ("link", ("AAA", "CCC"))
    (closed,) = annotations_of(figure, parted(board_of(figure), "AAA", "BBB"), placements)
    assert (closed.kind, closed.spaces, closed.at) == ("closed", ("AAA", "BBB"), (50, 75))


def test_an_unreachable_space_has_no_closed_borders() -> None:
    figure = quarters()
    board = board_of(figure)
    for other in ("BBB", "DDD"):
        board = parted(board, "AAA", other)
    assert annotations_of(figure, board, placements_of(figure)) == ()


def test_two_ways_may_cross_where_two_borders_do() -> None:
    figure = quarters()
    crossing = Crossing(frozenset({Code("AAA"), Code("BBB")}), frozenset({Code("CCC"), Code("DDD")}))
    (note,) = annotations_of(figure, board_of(figure), placements_of(figure), [crossing])
    assert note.kind == "crossing"
    assert note.at == (50, 75)


@pytest.mark.parametrize(
    ("at", "first"),
    {
        "below": ((50, -30), (60, -25)),
        "above": ((50, 130), (60, 125)),
        "right": ((140, 50), (130, 50)),
        "left, round the frame": ((-30, 50), (-30, 55)),
    }.values(),
)
def test_a_lane_goes_the_short_way_round(at: tuple[int, int], first: tuple[int, int]) -> None:
    figure = halves(boxes=(Box(Code("XXX"), at, (20, 10), (Location(Code("SSS")),)),)).check()
    line = lane(figure, figure.boxes[0], figure.boxes[0].links[0], placements_of(figure))
    assert line[0] == first
    assert 50 < line[-1][0] < 100
    assert 0 < line[-1][1] < 100


def test_a_box_inside_the_frame_has_a_straight_lane() -> None:
    figure = halves(boxes=(Box(Code("XXX"), (20, 50), (20, 10), (Location(Code("SSS")),)),)).check()
    line = lane(figure, figure.boxes[0], figure.boxes[0].links[0], placements_of(figure))
    assert len(line) == 2
    assert line[0][0] == 30


def strips() -> Figure:
    """Three lands side by side, from the west of the frame to the east."""
    nodes = {"#/AAA:s": (0, 0), "#/AAA:n": (0, 100), "#/AAA/BBB:s": (100, 0), "#/AAA/BBB:n": (100, 100)}
    nodes |= {"#/BBB/CCC:s": (200, 0), "#/BBB/CCC:n": (200, 100), "#/CCC:s": (300, 0), "#/CCC:n": (300, 100)}
    a, b, c, beyond = (Code(code) for code in ("AAA", "BBB", "CCC", "#"))
    arcs = [
        Arc("#/AAA:s", "#/AAA:n", (), beyond, a),
        Arc("#/AAA:n", "#/AAA/BBB:n", (), beyond, a),
        Arc("#/AAA/BBB:n", "#/BBB/CCC:n", (), beyond, b),
        Arc("#/BBB/CCC:n", "#/CCC:n", (), beyond, c),
        Arc("#/CCC:n", "#/CCC:s", (), beyond, c),
        Arc("#/CCC:s", "#/BBB/CCC:s", (), beyond, c),
        Arc("#/BBB/CCC:s", "#/AAA/BBB:s", (), beyond, b),
        Arc("#/AAA/BBB:s", "#/AAA:s", (), beyond, a),
        Arc("#/AAA/BBB:s", "#/AAA/BBB:n", (), a, b),
        Arc("#/BBB/CCC:s", "#/BBB/CCC:n", (), b, c),
    ]
    return Figure("strips", (0, 0, 300, 100), nodes, tuple(arcs)).check()


@pytest.mark.parametrize("kind", ["link", "one_way"])
def test_a_way_round_the_edge_of_the_map_is_an_arrow_at_either_edge(kind: str) -> None:
    figure = strips()
    units = {Location(Code(code)): (50 + 100 * i, 50) for i, code in enumerate(("AAA", "BBB", "CCC"))}
    board = board_of(figure)
    around = joined(board, "AAA", "CCC")
    if kind == "one_way":
        around = replace(around, armies={**around.armies, Code("CCC"): board.armies[Code("CCC")]})
    (note,) = annotations_of(figure, around, replace(placements_of(figure), units=units, unit=10))
    assert (note.kind, note.spaces, note.line) == (kind, ("AAA", "CCC"), ())
    (tail, tip), second = note.stubs
    assert 0 <= tip[0] < tail[0] < 50
    # units come in where the way leads there alone
    from_tail, from_tip = second[::-1] if kind == "one_way" else second
    assert 250 < from_tail[0] < from_tip[0] <= 300


def test_a_picture_shows_the_code_of_the_space_round_the_edge() -> None:
    figure = strips()
    units = {Location(Code(code)): (50 + 100 * i, 50) for i, code in enumerate(("AAA", "BBB", "CCC"))}
    placements = replace(placements_of(figure), units=units, unit=10)
    notes = annotations_of(figure, joined(board_of(figure), "AAA", "CCC"), placements)
    drawn = marks(notes, Base(figure, placements), "")
    assert ">CCC</text>" in drawn
    assert ">AAA</text>" in drawn
