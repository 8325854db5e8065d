"""Swelling: a piece of a figure grows, and nothing touches what it did not touch before."""

import math
from functools import cache

import pytest

from maps.figures import board_of, facts, standard_figure
from plenipo.engine.board import Code
from plenipo.engine.changes import half_names
from plenipo.errors import InvalidFigure
from plenipo.maps.cutting.cut import borders, split
from plenipo.maps.cutting.swell import roomier, swollen
from plenipo.maps.figure.planar import BEYOND, Figure
from plenipo.maps.figure.segments import area2


def area(figure: Figure, code: str) -> float:
    return abs(area2(figure.ring(figure.faces[Code(code)][0]))) / 2


def middle(figure: Figure, code: str) -> tuple[float, float]:
    ring = figure.ring(figure.faces[Code(code)][0])
    return sum(x for x, _ in ring) / len(ring), sum(y for _, y in ring) / len(ring)


@pytest.mark.parametrize("code", ["BEL", "SWI", "HEL"])
def test_a_face_grows_and_the_board_stays_as_it_is(code: str) -> None:
    before = standard_figure()
    after = swollen(before, middle(before, code), 6000.0)
    assert area(after, code) > 1.5 * area(before, code)
    assert facts(board_of(after)) == facts(board_of(before))
    assert after.nodes.keys() == before.nodes.keys()


def test_a_swelling_ends_at_its_reach_and_short_of_the_frame() -> None:
    before = standard_figure()
    x, y = middle(before, "TUN")
    after = swollen(before, (x, y), 50_000.0)
    south = before.frame[1]
    for name, at in before.nodes.items():
        if math.dist(at, (x, y)) >= y - south:
            assert after.nodes[name] == at
    for arc, old in zip(after.arcs, before.arcs, strict=True):
        if BEYOND in arc.pair:
            assert arc.bends == old.bends


def test_every_point_moves_outward_by_the_rule() -> None:
    before = standard_figure()
    at = middle(before, "SWI")
    after = swollen(before, at, 5000.0)
    for name, old in before.nodes.items():
        far = math.dist(old, at)
        expected = math.sqrt(far * 5000) if far < 5000 else far
        assert math.dist(after.nodes[name], at) == pytest.approx(expected, abs=1)


@cache
def speck() -> tuple[Figure, Code]:
    """The regular board with a piece of Burgundy so small that a line through it has no room, and that piece."""
    figure, code = standard_figure(), Code("BUR")
    while area(figure, code) > 300:
        first, second = [border for border in borders(figure, code) if border.number == 0][:2]
        names = half_names(code, figure.faces)
        figure = split(figure, code, first, second, names)
        code = min(names, key=lambda half: area(figure, half))
    return figure, code


def test_a_face_without_room_gets_some_in_one_way_or_another() -> None:
    figure, code = speck()
    grown = list(roomier(figure, code))
    assert grown
    assert max(area(roomy, code) for roomy in grown) > 4 * area(figure, code)
    assert all(facts(board_of(roomy)) == facts(board_of(figure)) for roomy in grown)


def pressed(figure: Figure, code: Code, times: int) -> Figure:
    """The figure swollen again and again round a point, so that the face lies near the rim and is pressed together."""
    for _ in range(times):
        x, y = middle(figure, code)
        figure = swollen(figure, (x + 5800.0, y), 6000.0)
    return figure


def test_borders_that_would_touch_are_refused() -> None:
    with pytest.raises(InvalidFigure, match=r"touch|no length|meets itself|on one point"):
        pressed(*speck(), times=12)
