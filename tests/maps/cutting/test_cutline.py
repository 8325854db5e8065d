"""Lines through faces of odd shapes."""

from itertools import pairwise

from shapely import LineString, Polygon

from plenipo.maps.cutting.cutline import line_through

HANGING = [
    (0, 0),
    (0, 3000),
    (0, 10000),
    (5000, 10000),
    (4000, 6000),
    (6000, 6000),
    (5000, 10000),
    (10000, 10000),
    (10000, 0),
]
"""A square with a triangle cut out that hangs from its upper side by a point: the border passes there twice."""


def test_a_face_whose_border_touches_itself_is_parted_by_a_line_inside_it() -> None:
    line = line_through([HANGING], (0, 3000), (6000, 6000))
    assert line is not None
    drawn = LineString(line)
    assert Polygon(HANGING).buffer(0).covers(drawn)
    assert drawn.is_simple
    assert all(a != b for a, b in pairwise(line))
