"""Exact geometry, compared with shapely and with plain reasoning."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, Polygon
from shapely import Point as Dot

from plenipo.maps.figure.segments import Point, area2, by_direction, contains, cross, first_touch

POINTS = st.tuples(st.integers(-6, 6), st.integers(-6, 6))
FAR = st.tuples(st.integers(-2000, 2000), st.integers(-2000, 2000))
SEGMENTS = st.tuples(POINTS, POINTS).filter(lambda s: s[0] != s[1]) | st.tuples(FAR, FAR).filter(lambda s: s[0] != s[1])


@given(SEGMENTS, SEGMENTS)
def test_two_segments_meet_where_shapely_says_so(first: tuple[Point, Point], second: tuple[Point, Point]) -> None:
    shared = set(first) & set(second)
    meeting = LineString(first).intersection(LineString(second))
    harmless = meeting.is_empty or (len(shared) == 1 and isinstance(meeting, Dot))
    assert (first_touch([first, second]) is None) == harmless


@pytest.mark.parametrize(
    ("lines", "touch"),
    [
        ([[(0, 0), (5, 5)], [(5, 5), (9, 0)]], None),
        ([[(0, 0), (5, 5), (9, 0)], [(5, 5), (5, 9)]], (0, 1)),
        ([[(0, 0), (5, 5), (9, 0)], [(0, 9), (5, 5), (9, 9)]], (0, 1)),
        ([[(0, 0), (9, 0), (9, 9), (0, 0)]], None),
        ([[(0, 0), (9, 0), (9, 9), (5, -1)]], (0, 0)),
        ([[(0, 0), (9, 0), (4, 0)]], (0, 0)),
        ([[(0, 0), (900, 0)], [(1, 5), (2, 5)], [(700, -3), (701, 4000)]], (0, 2)),
    ],
)
def test_lines_may_share_their_ends_and_nothing_else(lines: list[list[Point]], touch: tuple[int, int] | None) -> None:
    found = first_touch(lines)
    assert (found and tuple(sorted(found[:2]))) == touch
    for fresh in range(len(lines)):  # lines that are known not to meet each other are not compared again
        found = first_touch(lines, [fresh])
        assert found is None or tuple(sorted(found[:2])) == touch
        assert found is not None or touch is None or fresh not in touch


@given(st.lists(POINTS, min_size=3, max_size=8, unique=True), POINTS)
def test_a_point_is_inside_where_shapely_says_so(ring: list[Point], point: Point) -> None:
    polygon = Polygon(ring)
    if polygon.is_valid and polygon.area:
        assert contains(ring, point) == polygon.contains(Dot(point))
        assert abs(area2(ring)) == 2 * polygon.area
        assert (area2(ring) > 0) == polygon.exterior.is_ccw


@given(st.lists(POINTS.filter(lambda p: p != (0, 0)), min_size=1, max_size=9))
def test_directions_are_sorted_counter_clockwise_from_east(targets: list[Point]) -> None:
    ordered = [targets[i] for i in by_direction((0, 0), targets)]
    assert sorted(ordered) == sorted(targets)
    halves = [y < 0 or (y == 0 and x < 0) for x, y in ordered]
    assert halves == sorted(halves)
    for a, b, low, high in zip(ordered, ordered[1:], halves, halves[1:], strict=False):
        assert low != high or cross((0, 0), a, b) >= 0
