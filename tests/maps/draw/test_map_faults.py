"""What `scripts/map_faults.py` counts, on small pictures and on the standard board."""

import pytest
from shapely import Point

from map_faults import Count, Drawn, Moves, area_of, rings_of
from plenipo.charts import chart

SVG = '<svg xmlns="http://www.w3.org/2000/svg">{}</svg>'
UNIT = '<g class="unit army" transform="translate({} {})"/>'
MOVE = '<g class="order move p-x"><path class="line" d="M0 0L200 0"/><path class="head" d="M200 0L230 10L230-10Z"/></g>'
SUPPORT = '<g class="order support p-x"><circle class="grip" cx="{}" cy="{}" r="9"/></g>'


def drawn(*parts: str) -> Drawn:
    return Drawn(SVG.format("".join(parts)))


def test_a_path_is_read_as_svg_means_it() -> None:
    assert rings_of("M10 10l3-4 0 3z") == [[(10, 10), (13, 6), (13, 9)]]
    assert rings_of("M0 0Q10 10 20 0")[0][8] == (10, 5)
    assert area_of("M0 0l10 0 0 10-10 0zM2 2l2 0 0 2-2 0z").area == pytest.approx(96)


@pytest.mark.parametrize(("at", "nothing"), [((100, 5), 0), ((100, 60), 1), ((300, 60), 0), ((300, 120), 1)])
def test_a_ring_grips_a_move_or_a_unit_or_nothing(at: tuple[int, int], nothing: int) -> None:
    assert drawn(MOVE, SUPPORT.format(*at), UNIT.format(300, 0)).grips() == Count(nothing, 1)


@pytest.mark.parametrize(("at", "covered"), [((400, 0), 0), ((230, 0), 1), ((272, 0), 0)])
def test_a_unit_covers_an_arrowhead(at: tuple[int, int], covered: int) -> None:
    assert drawn(MOVE, UNIT.format(*at)).heads() == Count(covered, 1)


def test_the_areas_of_a_picture_are_those_of_its_board() -> None:
    on = chart("standard")
    picture = Drawn(on.draw(on.scene()))
    assert set(picture.areas) >= set(on.board.spaces)
    assert all(sum(area.contains(Point(unit)) for area in picture.areas.values()) == 1 for unit in picture.units)


@pytest.mark.parametrize(("variant", "moves"), [("standard", 504), ("napoleonic", 544)])
def test_moves_run_over_the_border_they_cross(variant: str, moves: int) -> None:
    strays, bars = Moves(chart(variant)).counted()
    assert strays.of == moves
    assert strays.faults < 0.01 * strays.of
    assert bars.faults < 0.025 * bars.of
