"""Soundness of figures, on small figures drawn by hand and on many random ones."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maps.figures import draw, halves, island, quarters, standard_figure
from plenipo.engine.board import Coast, Code, Location
from plenipo.errors import InvalidFigure
from plenipo.maps.figure.boxes import Box
from plenipo.maps.figure.planar import BEYOND, Arc, Decoration, Figure, Mark, Point, node_name
from plenipo.maps.figure.projection import Projection
from plenipo.maps.figure.segments import area2


@pytest.mark.parametrize("make", [halves, quarters, island, standard_figure])
def test_a_sound_figure_passes(make: Callable[[], Figure]) -> None:
    figure = make()
    assert figure.check() is figure


@pytest.mark.parametrize("make", [halves, quarters, island, standard_figure])
def test_half_edges_go_clockwise_round_one_face(make: Callable[[], Figure]) -> None:
    figure = make()
    assert sorted(half for cycle in figure.cycles for half in cycle) == sorted(figure.half_edges)
    for cycle in figure.cycles:
        assert len({figure.face(half) for half in cycle}) == 1
        for half in cycle:
            assert figure.target(half) == figure.origin(figure.following(half))
            assert figure.face(figure.twin(half)) == figure.beyond(half)
    for face, (outer, *holes) in figure.faces.items():
        assert face != BEYOND
        assert area2(figure.ring(outer)) < 0 < min([1, *(area2(figure.ring(hole)) for hole in holes)])


def test_faces_cover_the_frame_once() -> None:
    figure = island()
    assert sum(area2(figure.ring(cycle)) for cycles in figure.faces.values() for cycle in cycles) == -2 * 100 * 100


def test_faces_round_a_node_are_listed_clockwise() -> None:
    found = quarters().around("AAA/BBB/CCC/DDD")
    assert "".join(found * 2).count("AAABBBCCCDDD") == 1


def test_an_island_is_a_hole_in_its_sea_and_an_enclave_in_its_land() -> None:
    faces = island().faces
    assert {code: len(cycles) for code, cycles in faces.items()} == {"AAA": 2, "BBB": 1, "EEE": 1, "SSS": 2}


def test_the_stretches_of_border_between_two_faces_are_listed_clockwise() -> None:
    figure = standard_figure()
    stretches = figure.between(Code("SPA"), Code("MID"))
    assert [(figure.origin(half), figure.target(half)) for half in stretches] == [
        ("MID/SPA/WES", "MID/POR/SPA:s"),
        ("MID/POR/SPA:n", "GAS/MID/SPA"),
    ]
    assert figure.between(Code("SPA"), Code("WAR")) == ()


# ---------------------------------------------------------------------- unsound figures


def moved(figure: Figure, name: str, x: int, y: int) -> Figure:
    return replace(figure, nodes={**figure.nodes, name: (x, y)})


def renamed(figure: Figure, old: str, new: str) -> Figure:
    def name(end: str) -> str:
        return new if end == old else end

    return replace(
        figure,
        nodes={name(node): point for node, point in figure.nodes.items()},
        arcs=tuple(replace(arc, start=name(arc.start), end=name(arc.end)) for arc in figure.arcs),
    )


def bent(figure: Figure, number: int, *bends: tuple[int, int]) -> Figure:
    arcs = [*figure.arcs]
    arcs[number] = replace(arcs[number], bends=bends)
    return replace(figure, arcs=tuple(arcs))


def without(figure: Figure, number: int) -> Figure:
    return replace(figure, arcs=figure.arcs[:number] + figure.arcs[number + 1 :])


def sided(figure: Figure, number: int, left: str, right: str) -> Figure:
    arcs = [*figure.arcs]
    arcs[number] = replace(arcs[number], left=Code(left), right=Code(right))
    return replace(figure, arcs=tuple(arcs))


def draw_free_end() -> Figure:
    figure = halves()
    stub = Arc("#/AAA/SSS:s", "AAA/SSS", (), Code("AAA"), Code("SSS"))
    return replace(figure, nodes={**figure.nodes, "AAA/SSS": (70, 50)}, arcs=(*figure.arcs, stub))


def draw_twice() -> Figure:
    """The east of a sea is called `AAA` like the west."""
    return draw(
        {"#/AAA/SSS:a": (30, 100), "#/AAA/SSS:b": (30, 0), "#/AAA/SSS:c": (70, 100), "#/AAA/SSS:d": (70, 0)},
        """
        #/AAA/SSS:b #/AAA/SSS:a AAA SSS
        #/AAA/SSS:d #/AAA/SSS:c SSS AAA
        #/AAA/SSS:a #/AAA/SSS:b AAA #
        #/AAA/SSS:b #/AAA/SSS:d SSS #
        #/AAA/SSS:d #/AAA/SSS:c AAA #
        #/AAA/SSS:c #/AAA/SSS:a SSS #
        """,
        {
            "#/AAA/SSS:a #/AAA/SSS:b AAA #": ((0, 100), (0, 0)),
            "#/AAA/SSS:d #/AAA/SSS:c AAA #": ((100, 0), (100, 100)),
        },
        seas="SSS",
    )


def draw_hole_elsewhere() -> Figure:
    """An enclave of `AAA` that lies in `SSS`."""
    figure = halves()
    ring = Arc("AAA/EEE", "AAA/EEE", ((80, 45), (80, 55)), Code("EEE"), Code("AAA"))
    return replace(figure, nodes={**figure.nodes, "AAA/EEE": (70, 50)}, arcs=(*figure.arcs, ring))


FOUR = "AAA/BBB/CCC/DDD"

UNSOUND: dict[str, tuple[Callable[[], Figure], str]] = {
    "an empty frame": (lambda: replace(halves(), frame=(0, 0, 0, 100)), "frame"),
    "a small code": (lambda: renamed(quarters(), "#/AAA/BBB", "#/AAA/bbb"), "corner #/AAA/bbb"),
    "an unsorted name": (lambda: renamed(quarters(), "#/AAA/BBB", "#/BBB/AAA"), "corner #/BBB/AAA"),
    "a code named twice": (lambda: renamed(quarters(), "#/AAA/BBB", "#/AAA/AAA"), "corner #/AAA/AAA"),
    "an odd suffix": (lambda: renamed(quarters(), "#/AAA/BBB", "#/AAA/BBB:N!"), "corner #/AAA/BBB:N!"),
    "a node outside": (lambda: moved(quarters(), FOUR, 50, 150), f"corner {FOUR} .* outside the frame"),
    "a frame node inside": (lambda: moved(quarters(), "#/AAA/BBB", 50, 90), "corner #/AAA/BBB .* does not lie on"),
    "an inner node on the frame": (lambda: moved(quarters(), FOUR, 100, 30), f"corner {FOUR} .* lies on the frame"),
    "two nodes on a point": (lambda: moved(island(), "AAA/EEE", 50, 20), "corners AAA/BBB/SSS:s and AAA/EEE"),
    "an unknown end": (
        lambda: replace(halves(), nodes={"#/AAA/SSS:n": (50, 100)}),
        "edge AAA-SSS .* '#/AAA/SSS:s', which is not a corner",
    ),
    "one face on both sides": (lambda: sided(quarters(), 0, "AAA", "AAA"), "edge AAA-AAA .* on both sides"),
    "a free end": (draw_free_end, "corner AAA/SSS is a free end: only edge AAA-SSS"),
    "a loose node": (
        lambda: replace(halves(), nodes={**halves().nodes, "AAA/SSS": (1, 1)}),
        "corner AAA/SSS .* no edge",
    ),
    "no length": (lambda: bent(halves(), 0, (50, 0)), "edge AAA-SSS .* no length"),
    "a bend outside": (lambda: bent(halves(), 0, (150, 50)), "edge AAA-SSS .* leaves the frame"),
    "a bend on the frame": (lambda: bent(halves(), 0, (100, 50)), "edge AAA-SSS .* touches the frame"),
    "a frame that cuts its corner": (lambda: bent(halves(), 2, (90, 10)), "edge #-SSS .* leaves the frame"),
    "crossing edges": (lambda: bent(quarters(), 0, (80, 30), (80, 80)), "edges AAA-BBB .* and BBB-CCC .* cross"),
    "touching edges": (lambda: bent(quarters(), 0, (70, 50)), "edges AAA-BBB .* and BBB-CCC .* cross or touch"),
    "an edge through a node": (lambda: bent(quarters(), 4, (0, 100), (0, 50), (0, 40)), "cross or touch"),
    "an edge that crosses itself": (
        lambda: bent(halves(), 0, (60, 40), (40, 60), (40, 40), (60, 60)),
        "edge AAA-SSS .* meets itself",
    ),
    "an edge that turns back": (lambda: bent(halves(), 0, (50, 60), (50, 40)), "edge AAA-SSS .* meets itself"),
    "sides swapped": (lambda: sided(quarters(), 0, "BBB", "AAA"), "corner (#/AAA/BBB|AAA/BBB/CCC/DDD): between edges"),
    "an arc lost": (lambda: without(quarters(), 0), "corner .* is a free end|corner .*: between edges"),
    "a node misnamed": (lambda: renamed(quarters(), FOUR, "AAA/BBB/CCC"), f"corner AAA/BBB/CCC .* named {FOUR}"),
    "a face drawn twice": (draw_twice, "face AAA is drawn twice"),
    "a hole elsewhere": (draw_hole_elsewhere, "face AAA has a hole .* outside it"),
    "a sea that is no face": (lambda: quarters(seas="XXX"), "seas names XXX"),
    "a sea with two coasts": (
        lambda: halves(marks=(Mark(Code("SSS"), Coast("NC"), (50, 50)),)),
        "marks names SSS, which is a sea",
    ),
    "a coast marked twice": (
        lambda: halves(marks=(Mark(Code("AAA"), Coast("NC"), (50, 50)), Mark(Code("AAA"), Coast("NC"), (50, 51)))),
        "coast NC of AAA is marked 2 times",
    ),
    "a north coast in the south": (
        lambda: halves(marks=(Mark(Code("AAA"), Coast("NC"), (50, 10)), Mark(Code("AAA"), Coast("SC"), (50, 90)))),
        "coast NC of AAA is marked on the wrong side of SC",
    ),
    "a passage with marked coasts": (
        lambda: halves(marks=(Mark(Code("AAA"), Coast("NC"), (50, 50)),), through={Code("AAA"): "a canal"}),
        "AAA is a through face",
    ),
    "a decoration that is none": (
        lambda: halves(decorations=(Decoration("castle", ((1, 1), (2, 2), (3, 1))),)),
        "'castle'",
    ),
}


@pytest.mark.parametrize("case", UNSOUND)
def test_an_unsound_figure_is_refused_by_name(case: str) -> None:
    make, message = UNSOUND[case]
    with pytest.raises(InvalidFigure, match=message):
        make().check()


# ---------------------------------------------------------------------- figures by chance


@st.composite
def grids(drawn: st.DrawFn) -> Figure:
    """A net of up to 5 by 5 crooked fields, each called by its column and row, in a frame of 100 by 100."""
    columns, rows = drawn(st.integers(1, 5)), drawn(st.integers(1, 5))
    wide, high = 1000 // columns, 1000 // rows
    jitter = st.tuples(st.integers(-wide // 5, wide // 5), st.integers(-high // 5, high // 5))

    def face(i: int, j: int) -> Code:
        return Code(f"F{i}X{j}") if 0 <= i < columns and 0 <= j < rows else BEYOND

    place: dict[tuple[int, int], tuple[int, int]] = {}
    name: dict[tuple[int, int], str] = {}
    for i in range(columns + 1):
        for j in range(rows + 1):
            x, y = i * wide, j * high
            dx, dy = drawn(jitter)
            place[i, j] = (x if i in (0, columns) else x + dx, y if j in (0, rows) else y + dy)
            name[i, j] = node_name({face(a, b) for a in (i - 1, i) for b in (j - 1, j)}, f"{i}x{j}")
    arcs = [
        Arc(name[i, j], name[i + 1, j], (), face(i, j), face(i, j - 1)) for i in range(columns) for j in range(rows + 1)
    ]
    arcs += [
        Arc(name[i, j], name[i, j + 1], (), face(i - 1, j), face(i, j)) for i in range(columns + 1) for j in range(rows)
    ]
    seas = drawn(st.sets(st.sampled_from([face(i, j) for i in range(columns) for j in range(rows)])))
    return Figure(
        title="grid",
        frame=(0, 0, columns * wide, rows * high),
        nodes={name[at]: place[at] for at in place},
        arcs=tuple(drawn(st.permutations(arcs))),
        seas=frozenset(seas),
    )


@given(grids())
def test_a_net_of_fields_is_sound_and_covers_its_frame(figure: Figure) -> None:
    figure.check()
    assert len(figure.nodes) - len(figure.arcs) + len(figure.faces) + 1 == 2
    assert (
        sum(area2(figure.ring(outer)) for (outer,) in figure.faces.values()) == -2 * figure.frame[2] * figure.frame[3]
    )


@given(grids(), st.data())
def test_a_net_without_one_of_its_inner_borders_is_refused(figure: Figure, data: st.DataObject) -> None:
    inner = [n for n, arc in enumerate(figure.arcs) if BEYOND not in arc.pair]
    if inner:
        with pytest.raises(InvalidFigure, match="corner"):
            without(figure, data.draw(st.sampled_from(inner))).check()


@given(grids())
def test_text_and_figure_are_the_same_thing(figure: Figure) -> None:
    assert Figure.from_json(figure.to_json()) == figure


# ---------------------------------------------------------------------- the codec


@pytest.mark.parametrize(
    "figure",
    [
        halves(impassable={Code("AAA"): "neutral"}, projection=Projection(38, 62, 50, 15), source={"a": "b"}),
        halves(marks=(Mark(Code("AAA"), Coast("EC"), (50, 50), "because"),), offboard={Code("SSS"): "far away"}),
        island(decorations=(Decoration("lake", ((60, 40), (70, 40), (65, 50))),), through={Code("AAA"): "a canal"}),
        standard_figure(),
    ],
    ids=["halves", "marks", "island", "standard"],
)
def test_a_figure_comes_back_from_its_text(figure: Figure) -> None:
    text = figure.to_json()
    assert Figure.from_json(text) == figure
    assert hash(Figure.from_json(text)) == hash(figure)
    assert Figure.from_json(text).to_json() == text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "format 'other'"),
        ({"nodes": {"#/AAA/SSS:n": [50.5, 100]}}, "50.5 is not a coordinate"),
        ({"nodes": {"#/AAA/SSS:n": [True, 100]}}, "True is not a coordinate"),
        ({"nodes": {}}, "lacks '#/AAA/SSS:s'"),
        ({"arcs": [["AAA", "SSS"]]}, "cannot be read"),
        ({"arcs": [["AAA", "SSS", "#/AAA/SSS:s", "#/AAA/SSS:n", [1, 2, 3]]]}, "cannot be read"),
        ({"seas": 7}, "cannot be read"),
        ({"projection": {"lat1": 3}}, "projection"),
    ],
)
def test_text_that_is_no_figure_is_refused(change: dict[str, object], message: str) -> None:
    data = {**json.loads(halves().to_json()), **change}
    with pytest.raises(InvalidFigure, match=message):
        Figure.from_json(json.dumps(data))


@pytest.mark.parametrize("text", ["", "7", "[]", "{}", "null"])
def test_text_that_is_something_else_is_refused(text: str) -> None:
    with pytest.raises(InvalidFigure):
        Figure.from_json(text)


def test_the_stretches_of_a_face_are_its_borders_clockwise() -> None:
    figure = standard_figure()
    beyond = [figure.beyond(stretch[0]) for stretch in figure.stretches(Code("SPA"))]
    assert "".join(beyond) in "MIDGASMARGOLWESMIDPOR" * 2
    assert [half for stretch in figure.stretches(Code("SPA")) for half in stretch] in [
        [*cycle[i:], *cycle[:i]] for cycle in figure.faces[Code("SPA")] for i in range(len(cycle))
    ]


def test_the_frame_is_one_stretch_whatever_lies_beyond() -> None:
    figure = standard_figure()
    assert sum(figure.outside(stretch[0]) for stretch in figure.stretches(Code("MID"))) == 1


# boxes


def boxed(
    code: str = "XXX", at: Point = (50, -30), size: Point = (20, 10), links: tuple[str, ...] = ("SSS",)
) -> Figure:
    return halves(boxes=(Box(Code(code), at, size, tuple(map(Location.from_text, links)), "far away"),))


def test_a_box_is_water_and_no_face() -> None:
    figure = boxed().check()
    assert figure.waters == {"SSS", "XXX"}
    assert "XXX" not in figure.faces
    assert figure.boxes[0].bounds == (40, -35, 60, -25)


def test_a_figure_with_boxes_is_read_as_it_was_written() -> None:
    figure = boxed(links=("AAA/NC", "SSS"))
    assert Figure.from_json(figure.to_json()) == figure
    assert "boxes" not in halves().to_json()


@pytest.mark.parametrize(
    ("figure", "told"),
    [
        (boxed("AAA"), "no face has"),
        (boxed("ant"), "a code in capitals"),
        (boxed(size=(0, 10)), "has no room"),
        (boxed(at=(50, 0)), "across the frame"),
        (boxed(links=()), "linked with nothing"),
        (boxed(links=("SSS", "SSS")), "one place twice"),
        (boxed(links=("ZZZ",)), "not a face of the board"),
        (halves(offboard={"SSS": "far"}, boxes=boxed().boxes), "not a face of the board"),
        (halves(seas="", boxes=boxed(links=("AAA",)).boxes), "which no ship reaches"),
        (halves(boxes=(*boxed().boxes, *boxed("YYY", (55, -30)).boxes)), "lie over each other"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_box_that_cannot_be_is_refused(figure: Figure, told: str) -> None:
    with pytest.raises(InvalidFigure, match=told):
        figure.check()
