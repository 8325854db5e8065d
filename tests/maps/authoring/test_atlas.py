"""The map compiler, on the regular map, on an extension of it, and on small maps of Iceland."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import shapely

from maps.figures import STANDARD, board_of, facts, standard_figure, standard_table
from plenipo.engine.board import Code, Terrain
from plenipo.errors import InvalidFigure
from plenipo.maps.authoring.atlas import CrossingLines, compile_figure, compile_map, main
from plenipo.maps.authoring.authored import map_digest, read_table
from plenipo.maps.figure.planar import Figure
from plenipo.maps.figure.segments import area2, contains
from plenipo.maps.figure.shores import away2

Table = dict[str, Any]


@cache
def standard_compiled() -> Figure:
    """The figure that the committed map of the regular board compiles to."""
    return compile_map(STANDARD / "map.toml")


def test_the_committed_figure_is_what_the_committed_map_compiles_to() -> None:
    committed, compiled = standard_figure(), standard_compiled()
    assert committed.source["map"] == map_digest(STANDARD / "map.toml")
    if compiled.source == committed.source:
        assert compiled.to_json() == (STANDARD / "figure.json").read_text()
    # another release of GEOS may round a shore otherwise, but never to another board
    assert facts(board_of(compiled)) == facts(board_of(committed))
    assert shapely.geos_version_string == compiled.source["geos"]


def test_the_command_writes_the_figure_beside_the_map(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "map.toml"
    path.write_text(f'extends = "{(STANDARD / "map.toml").as_posix()}"\ntitle = "Copy"\n')
    assert main([str(path)]) == 0
    assert "76 faces, 150 corners, 225 edges" in capsys.readouterr().out
    assert Figure.from_json((tmp_path / "figure.json").read_text()).title == "Copy"
    path.write_text("title = 3")
    assert main([str(path)]) == 1
    assert "no 'seas'" in capsys.readouterr().err
    assert main([]) == 2


SOUTH = """
seas = ["RED"]
lands = ["EGY", "LIB"]
[remove]
corners = ["#/EAS/ION", "#/ION/TUN", "#/EAS/SYR"]
[frame]
west = -2360
south = -2320
east = 2420
north = 2600
[through]
EGY = "the Suez Canal"
[coasts]
SYR = { WC = [35.6, 34.0], SC = [36.2, 26.9], reason = "Egypt lies between" }
[corners]
"#/NAF/TUN" = [9.0, 28.0]
"#/LIB/TUN" = [10.5, 24.0]
"ION/LIB/TUN" = [11.5, 33.18]
"EAS/ION/LIB" = [23.1, 32.3]
"EAS/EGY/LIB" = [25.1, 31.6]
"#/EGY/LIB" = [25.0, 22.0]
"EAS/EGY/SYR" = [34.3, 31.3]
"EGY/RED/SYR" = [34.6, 28.4]
"#/EGY/RED" = [33.7, 26.0]
"#/RED/SYR" = [36.3, 25.5]
[edges]
"LIB-TUN" = { via = [[10.2, 30.2]] }
"NAF-TUN" = { via = [[8.4, 35.5], [7.8, 33.2], [9.1, 32.0], [9.5, 30.2]] }
"EGY-LIB" = {}
"EGY-SYR" = {}
"""


def test_a_map_is_extended_to_the_south_and_keeps_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "map.toml"
    path.write_text(f'extends = "{(STANDARD / "map.toml").as_posix()}"\n{SOUTH}')
    board, base = board_of(compile_map(path)), board_of(standard_figure())
    assert board.armies[Code("EGY")] == {"LIB", "SYR"}
    assert {loc.space for loc in board.fleets[board.spaces[Code("EGY")].locations[0]]} == {"EAS", "LIB", "RED", "SYR"}
    assert board.spaces[Code("SYR")].coasts == ("SC", "WC")
    for code, steps in base.armies.items():
        assert steps == board.armies[code] - {"EGY", "LIB"}
    assert {str(c) for c in board.corners} - {str(c) for c in base.corners} == {
        "[EAS/EGY/LIB]",
        "[EAS/EGY/SYR(wc)]",
        "[EAS/ION/LIB]",
        "[EAS/SMY/SYR(wc)]",
        "[EGY/RED/SYR(sc)]",
        "[ION/LIB/TUN]",
    }


# ---------------------------------------------------------------------- Iceland


def iceland(lands: str, corners: Table, edges: Table) -> Table:
    """A map of the sea `NAT` round Iceland, which is divided into `lands`."""
    return {
        "title": "Iceland",
        "seas": ["NAT"],
        "lands": lands.split(),
        "projection": {"lat1": 60, "lat2": 70, "lat0": 65, "lon0": -19},
        "frame": {"west": -450, "south": -350, "east": 450, "north": 350},
        "land": {"close": 5, "open": 5, "thin": 3, "island": 3000, "lake": 45000},
        "corners": {"#/NAT": [-19, 75], **corners},
        "edges": edges,
    }


ALONE = iceland("ICE", {"ICE/NAT": [-22.5, 64]}, {})
ENCLAVE = iceland(
    "ICE HOF", {"ICE/NAT": [-22.5, 64], "HOF/ICE": [-18.5, 64.7]}, {"HOF-ICE": {"via": [[-17, 64.6], [-17.5, 65.2]]}}
)
QUARTERS = iceland(
    "NEE NWW SEE SWW",
    {
        "NEE/NWW/SEE/SWW": [-18.5, 65],
        "NAT/NEE/NWW": [-18.5, 66],
        "NAT/NEE/SEE": [-14, 65],
        "NAT/SEE/SWW": [-18.5, 63.5],
        "NAT/NWW/SWW": [-22, 65],
    },
    {"NEE-NWW": {}, "NEE-SEE": {}, "SEE-SWW": {}, "NWW-SWW": {}},
)
BELT = iceland(
    "MID REST",
    {
        "MID/NAT/REST:n": [-19.5, 66],
        "MID/NAT/REST:s": [-19.5, 63.5],
        "MID/NAT/REST:a": [-17, 66],
        "MID/NAT/REST:b": [-17, 63.8],
    },
    {
        "MID-REST:w": {"ends": ["MID/NAT/REST:n", "MID/NAT/REST:s"]},
        "MID-REST:e": {"ends": ["MID/NAT/REST:a", "MID/NAT/REST:b"]},
    },
)


def compiled(table: Table) -> Figure:
    return compile_figure(read_table(table))


@cache
def alone() -> Figure:
    """Iceland undivided."""
    return compiled(ALONE)


def test_an_island_in_one_sea_needs_one_corner_on_its_shore() -> None:
    board = board_of(alone())
    assert board.spaces[Code("ICE")].terrain is Terrain.COAST
    assert board.borders == {"ICE": ("NAT",), "NAT": (None, "ICE")}
    assert not board.corners


def test_an_enclave_is_a_ring() -> None:
    board = board_of(compiled(ENCLAVE))
    assert board.armies[Code("HOF")] == {"ICE"}
    assert board.spaces[Code("HOF")].terrain is Terrain.INLAND


def test_four_areas_may_meet_in_a_point() -> None:
    board = board_of(compiled(QUARTERS))
    assert board.armies[Code("NEE")] == {"NWW", "SEE"}
    assert "[NEE/NWW/SEE/SWW]" in {str(corner) for corner in board.corners}


def test_two_lines_that_cross_are_shown_in_red_where_they_do() -> None:
    with pytest.raises(CrossingLines) as fault:
        compiled(changed(QUARTERS, "edges", "NEE-NWW", {"via": [[-15, 64.7], [-15, 65.5]]}))
    lines = fault.value.cutout.split("<polyline")[1:]
    red = {line.partition("<title>")[2].partition("</title>")[0] for line in lines if "#d02020" in line}
    assert red == {"edge NEE-NWW", "edge NEE-SEE"}
    assert len(lines) > 2
    assert "NAT/NEE/SEE" in fault.value.cutout


def test_an_island_at_the_frame_alone_is_a_face() -> None:
    table = {**ALONE, "corners": {"#/ICE/NAT:n": [-19.6, 66.0], "#/ICE/NAT:s": [-19.6, 63.4]}}
    table["frame"] = {"west": 0, "south": -350, "east": 450, "north": 350}
    assert set(compiled(table).faces) == {"ICE", "NAT"}


def test_a_point_inside_an_island_settles_the_island_and_not_the_sea_round_it() -> None:
    assert compiled({**ALONE, "inside": {"ICE": [-19, 65]}}).faces.keys() == {"ICE", "NAT"}


def test_a_face_that_may_have_two_names_needs_a_point_inside_and_one_in_two_pieces_is_refused() -> None:
    with pytest.raises(InvalidFigure, match="may be MID or REST; name a point in it under 'inside'"):
        compiled(BELT)
    with pytest.raises(InvalidFigure, match="face REST is drawn twice"):
        compiled({**BELT, "inside": {"MID": [-18.3, 65]}})


def changed(table: Table, key: str, name: str, value: object) -> Table:
    return {**table, key: {**table[key], name: value}}


def land_area(figure: Figure) -> int:
    """Twice the area of Iceland on the figure."""
    return abs(area2(figure.ring(figure.faces[Code("ICE")][0])))


@pytest.mark.parametrize(("by", "times"), [(1.2, 1.44), ([1.1, 1.3], 1.43), (0.8, 0.64)])
def test_land_is_drawn_larger_or_smaller_than_it_is(by: float | list[float], times: float) -> None:
    scaled = {"iceland": {"at": [-18.5, 65], "by": by, "from": [-18.5, 65]}}
    changed_size = land_area(compiled(changed(ALONE, "land", "scale", scaled))) / land_area(alone())
    assert changed_size == pytest.approx(times, abs=0.05)


def test_land_grows_away_from_the_place_it_is_seen_from() -> None:
    def west(figure: Figure) -> int:
        return min(x for x, _ in figure.ring(figure.faces[Code("ICE")][0]))

    scaled = {"iceland": {"at": [-18.5, 65], "by": 1.2, "from": [-24.5, 65.5]}}
    assert west(compiled(changed(ALONE, "land", "scale", scaled))) == pytest.approx(west(alone()), abs=200)


def test_a_canal_is_water_drawn_on_land_and_changes_no_contact() -> None:
    line = {"kjolur": [[-19, 67], [-18.5, 65], [-19, 63]]}
    before, after = alone(), compiled(changed(ALONE, "land", "canal", line))
    assert facts(board_of(before)) == facts(board_of(after))
    added = {shape.kind: shape for shape in set(after.decorations) - set(before.decorations)}
    assert added.keys() == {"strait", "bank"}
    canal = added["strait"]
    # its banks are lines on land, and its two mouths are open
    banks = [shape.ring for shape in after.decorations if shape.kind == "bank"]
    assert len(banks) == 2
    assert sum(len(bank) for bank in banks) < len(canal.ring) + 6
    heights = [y for _, y in canal.ring]
    assert max(heights) - min(heights) > 2000  # from shore to shore and not beyond: Iceland is 300 km high
    assert abs(area2(canal.ring)) < 0.05 * land_area(after)


@pytest.mark.parametrize(
    ("key", "kind", "places"),
    [
        ("river", "river", [[-18.5, 65.0], [-18.0, 64.5], [-17.0, 63.0]]),
        ("ridge", "ridge", [[-19.5, 64.8], [-17.5, 64.9]]),
        ("lakes", "lake", [[-18.5, 64.6], [-18.0, 64.6], [-18.2, 65.0]]),
    ],
)
def test_what_is_drawn_on_the_land_for_the_eye_lies_on_it_and_changes_no_contact(
    key: str, kind: str, places: list[list[float]]
) -> None:
    before, after = alone(), compiled(changed(ALONE, "land", key, {"there": places}))
    assert facts(board_of(before)) == facts(board_of(after))
    (shape,) = set(after.decorations) - set(before.decorations)
    assert shape.kind == kind
    (cycle,) = after.faces[Code("ICE")]
    shore = after.ring(cycle)
    assert all(contains(shore, at) or away2(at, [*shore, shore[0]]) < 9 for at in shape.ring)


WRONG: dict[str, tuple[Callable[[], Table], str]] = {
    "a shore corner far inland": (
        lambda: changed(ALONE, "corners", "ICE/NAT", [-18.5, 64.9]),
        "corner ICE/NAT .* shore",
    ),
    "a land corner in the water": (
        lambda: changed(ENCLAVE, "corners", "HOF/ICE", [-24, 66.6]),
        "corner HOF/ICE .* water",
    ),
    "a land corner outside": (lambda: changed(ENCLAVE, "corners", "HOF/ICE", [0, 60]), "corner HOF/ICE .* outside"),
    "a frame corner inside": (lambda: changed(ALONE, "corners", "#/NAT", [-19, 67]), "corner #/NAT lies inside"),
    "a ring of one bend": (
        lambda: changed(ENCLAVE, "edges", "HOF-ICE", {"via": [[-17, 64.6]]}),
        "edge HOF-ICE is a ring",
    ),
    "a border nobody knows": (
        lambda: changed(QUARTERS, "edges", "NEE-SEE", {"ref": "Iceland|Spain"}),
        "no border 'Iceland|Spain'",
    ),
    "a border far away": (
        lambda: changed(QUARTERS, "edges", "NEE-SEE", {"ref": "Spain|France"}),
        "edge NEE-SEE: .* far from the border 'Spain|France'",
    ),
    "edges that cross": (
        lambda: changed(QUARTERS, "edges", "NEE-NWW", {"via": [[-15, 64.7], [-15, 65.5]]}),
        "edge NEE-NWW and edge NEE-SEE cross",
    ),
    "an edge that leaves the land": (
        lambda: changed(ENCLAVE, "edges", "HOF-ICE", {"via": [[-17, 64.6], [-17.5, 68]]}),
        "edge HOF-ICE and the shore .* cross",
    ),
    "a point elsewhere": (lambda: {**ENCLAVE, "inside": {"HOF": [-15, 65]}}, "inside HOF"),
    "an empty frame": (lambda: changed(ALONE, "frame", "west", 450), "frame"),
    "an island to keep where none is": (
        lambda: changed(ALONE, "land", "keep", {"atlantis": [-30, 60]}),
        "land.keep atlantis",
    ),
    "land to scale where none is": (
        lambda: changed(ALONE, "land", "scale", {"atlantis": {"at": [-30, 60], "by": 2, "from": [-30, 60]}}),
        "land.scale atlantis: no land",
    ),
    "a scale of nothing": (
        lambda: changed(ALONE, "land", "scale", {"iceland": {"at": [-18, 65], "by": 0, "from": [-18, 65]}}),
        "land.scale iceland: by is a number above 0 or two",
    ),
    "a scale of three": (
        lambda: changed(ALONE, "land", "scale", {"iceland": {"at": [-18, 65], "by": [1, 2, 3], "from": [-18, 65]}}),
        "land.scale iceland: by is a number above 0 or two",
    ),
    "a scale seen from nowhere": (
        lambda: changed(ALONE, "land", "scale", {"iceland": {"at": [-18, 65], "by": 2}}),
        "land.scale iceland: .* 'from' is missing",
    ),
    "no corner on the frame": (
        lambda: {**ALONE, "corners": {"ICE/NAT": [-22.5, 64]}},
        "no corner lies on the frame",
    ),
    "a coast marked at sea": (
        lambda: {**ALONE, "coasts": {"ICE": {"NC": [-19, 68]}}},
        "coast ICE/NC is marked .* km from the nearest shore",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_map_that_cannot_be_drawn_is_refused_by_name(case: str) -> None:
    make, message = WRONG[case]
    with pytest.raises(InvalidFigure, match=message):
        compiled(make())


def test_a_shore_that_leaves_the_frame_needs_no_corner_there() -> None:
    figure = compiled(changed(ALONE, "frame", "east", 150))
    assert set(figure.faces) == {"ICE", "NAT"}
    assert {"#/ICE/NAT", "#/ICE/NAT:1"} <= figure.nodes.keys()
    named = changed(changed(ALONE, "frame", "east", 150), "corners", "#/ICE/NAT:s", [-15.0, 62.0])
    assert {"#/ICE/NAT", "#/ICE/NAT:s"} <= compiled(named).nodes.keys()


def test_the_same_map_gives_the_same_bytes() -> None:
    again, first = compiled(standard_table()), standard_compiled()
    assert again.to_json() == replace(first, source=again.source).to_json()


def test_a_great_lake_without_corners_is_drawn_and_is_no_sea() -> None:
    table = {
        **iceland("AAA BBB", {}, {"AAA-BBB": {"via": [[57, 43.5], [57, 45]]}}),
        "seas": [],
        "projection": {"lat1": 30, "lat2": 50, "lat0": 42, "lon0": 51},
        "frame": {"west": -550, "south": -750, "east": 550, "north": 700},
        "corners": {"#/AAA": [80, 42], "AAA/BBB": [56, 44]},
    }
    figure = compiled(table)
    assert set(figure.faces) == {"AAA", "BBB"}
    largest = max(figure.decorations, key=lambda d: abs(area2(d.ring)))
    assert largest.kind == "lake"


# ---------------------------------------------------------------------- land that is nowhere on the earth

INVENTED: Table = {
    "title": "Invented",
    "seas": ["SEA"],
    "lands": ["ONE", "TWO", "FAR"],
    "projection": {"plane": True},
    "frame": {"west": 0, "south": 0, "east": 1200, "north": 800},
    "land": {
        "close": 2,
        "open": 2,
        "thin": 1,
        "island": 500,
        "lake": 500,
        "ground": {
            "the long island": [[200, 200], [700, 180], [720, 600], [220, 620]],
            "the far island": [[900, 300], [1100, 320], [1080, 520], [910, 500]],
        },
    },
    "corners": {
        "#/SEA": [-50, 400],
        "ONE/SEA/TWO:n": [460, 610],
        "ONE/SEA/TWO:s": [450, 190],
        "FAR/SEA": [1000, 310],
    },
    "edges": {"ONE-TWO": {"via": [[430, 400]]}},
    "inside": {"ONE": [300, 400], "TWO": [600, 400]},
}


def test_a_map_in_plain_coordinates_has_the_land_that_is_written_and_no_other() -> None:
    figure = compiled(INVENTED)
    board = board_of(figure)
    assert {code: str(space.terrain) for code, space in board.spaces.items()} == {
        "FAR": "coast",
        "ONE": "coast",
        "SEA": "sea",
        "TWO": "coast",
    }
    assert board.armies == {"FAR": set(), "ONE": {"TWO"}, "TWO": {"ONE"}}
    far = shapely.Polygon(figure.ring(figure.faces[Code("FAR")][0]))
    assert far.contains(shapely.Point(10000, 4000))
    assert far.area == pytest.approx(180 * 190 * 100, rel=0.15)
    assert Figure.from_json(figure.to_json()) == figure


def test_land_of_no_known_coast_stands_on_a_map_of_the_earth() -> None:
    table = {**ALONE, "lands": ["ICE", "FRI"], "corners": {**ALONE["corners"], "FRI/NAT": [-26.6, 64]}}
    table["land"] = {**ALONE["land"], "ground": {"Frisland": [[-27, 63], [-25, 63], [-25, 64], [-27, 64]]}}
    assert "FRI" not in compiled(ALONE).faces
    assert board_of(compiled(table)).spaces[Code("FRI")].terrain is Terrain.COAST


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"corners": {**INVENTED["corners"], "FAR/SEA": [1000]}}, r"corner FAR/SEA: .* is \[x, y\] in km"),
        ({"edges": {"ONE-TWO": {"ref": "France|Spain"}}}, "no border 'France|Spain'"),
        ({"projection": {"plane": True, "lat1": 3}}, "no entry 'lat1'"),
        ({"projection": {"plane": 1}}, "or plane = true"),
    ],
)
def test_a_mistake_in_a_map_in_plain_coordinates_is_named(change: Table, told: str) -> None:
    with pytest.raises(InvalidFigure, match=told):
        compiled({**INVENTED, **change})
