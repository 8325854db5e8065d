"""The lines of orders as geometry."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString

from plenipo.mapfaults.reading import rings_of
from plenipo.maps.draw.arrows import Bend, DrawableLine, Route, Spot, bar, breach, first_inside, head, last_inside, wave

spots = st.tuples(st.integers(0, 4000), st.integers(0, 4000))
pairs = st.tuples(spots, spots).filter(lambda pair: math.dist(*pair) > 50)


def lines_of(start: Spot, end: Spot) -> tuple[DrawableLine, DrawableLine]:
    between = ((start[0] + end[0]) / 2 + 40, (start[1] + end[1]) / 2 - 40)
    return Bend.between(start, end), Route.through([start, between, end])


@given(pairs)
def test_a_line_begins_and_ends_where_it_should(pair: tuple[Spot, Spot]) -> None:
    for line in lines_of(*pair):
        assert line.at(0) == pytest.approx(pair[0])
        assert line.at(1) == pytest.approx(pair[1])


@given(pairs, st.floats(0, 0.4), st.floats(0.6, 1))
def test_a_part_runs_between_its_shares(pair: tuple[Spot, Spot], low: float, high: float) -> None:
    for line in lines_of(*pair):
        part = line.part(low, high)
        assert math.dist(part.at(0), line.at(low)) < 1
        assert math.dist(part.at(1), line.at(high)) < 1
        assert part.length <= line.length + 1e-6


@given(pairs)
def test_a_bend_leaves_to_its_own_left_so_the_way_back_does_not_meet_it(pair: tuple[Spot, Spot]) -> None:
    there, back = Bend.between(*pair), Bend.between(pair[1], pair[0])
    (ax, ay), (bx, by), (mx, my) = *pair, there.at(0.5)
    # y runs down: a point on the left of the way has a negative cross product
    assert (bx - ax) * (my - ay) - (by - ay) * (mx - ax) < 0
    assert math.dist(there.at(0.5), back.at(0.5)) == pytest.approx(0.1 * math.dist(*pair), rel=0.01)


@given(pairs)
def test_the_head_points_onward(pair: tuple[Spot, Spot]) -> None:
    for line in lines_of(*pair):
        tip = tuple(map(int, re.findall(r"-?\d+", head(line))[:2]))
        x, y = line.at(1)
        assert (tip[0] - x) * math.cos(line.heading) + (tip[1] - y) * math.sin(line.heading) > 10


@given(pairs)
def test_a_bar_lies_across_the_end(pair: tuple[Spot, Spot]) -> None:
    line = Bend.between(*pair)
    ax, ay, bx, by = map(int, re.findall(r"-?\d+", bar(line)))
    assert math.dist(((ax + bx) / 2, (ay + by) / 2), line.at(1)) <= 1.5
    assert abs((bx - ax) * math.cos(line.heading) + (by - ay) * math.sin(line.heading)) <= 2


@given(pairs)
def test_a_wave_ends_on_its_line(pair: tuple[Spot, Spot]) -> None:
    line = Bend.between(*pair)
    (drawn,) = rings_of(wave(line))
    assert math.dist(drawn[0], line.at(0)) <= 1
    assert math.dist(drawn[-1], line.at(1)) <= 1


@given(pairs)
def test_a_wave_is_straight_where_it_would_leave_its_region(pair: tuple[Spot, Spot]) -> None:
    line = Bend.between(*pair, left=0)
    (drawn,) = rings_of(wave(line, lambda _: False))
    (waving,) = rings_of(wave(line, lambda _: True))
    (ax, ay), (bx, by) = pair
    off = [abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / math.dist(*pair) for x, y in drawn]
    assert max(off) <= 1.5
    assert LineString(waving).length > LineString(drawn).length


@given(pairs)
def test_a_breach_is_two_strokes_across_the_end_and_before_it(pair: tuple[Spot, Spot]) -> None:
    line = Bend.between(*pair)
    first, second = rings_of(breach(line))
    assert math.dist(LineString(first).centroid.coords[0], line.at(1)) <= 1.5
    assert math.dist(LineString(second).centroid.coords[0], line.at(1)) > 5


@given(st.floats(100, 900))
def test_the_crossing_of_a_border_is_found(border: float) -> None:
    line = Bend.between((0, 0), (1000, 0), left=0)
    share = first_inside(line, lambda spot: spot[0] >= border)
    assert share is not None
    assert line.at(share)[0] == pytest.approx(border, abs=2)


def test_where_a_line_is_inside_for_the_first_and_the_last_time() -> None:
    line = Bend.between((0, 0), (1000, 0), left=0)
    assert first_inside(line, lambda spot: 300 <= spot[0] < 500, 0.6) is None
    assert first_inside(line, lambda _: True) == 0.0
    assert last_inside(line, lambda spot: 300 <= spot[0] < 500) == pytest.approx(0.5, abs=0.002)
    assert last_inside(line, lambda _: False) is None


@given(pairs)
def test_a_line_turned_round_runs_through_the_same_places(pair: tuple[Spot, Spot]) -> None:
    for line in (Bend.between(*pair), Route.through([pair[0], (50, 60), pair[1]])):
        assert math.dist(line.part(1, 0).at(0.25), line.at(0.75)) < 1e-6


def test_a_line_beside_another_leaves_it_and_comes_back() -> None:
    whole = Route.through([(0, 0), (200, 0), (400, 0)])
    line = whole.beside(9.0)
    assert line.at(0) == (0, 0)
    assert line.at(1) == (400, 0)
    assert line.at(0.5)[1] == pytest.approx(-9.0)


def test_a_line_with_a_bend_is_drawn_close_to_it_unless_it_is_rounded() -> None:
    line = Route.from_lines([Bend.between((0, 0), (1000, 0), left=0), Bend.between((1000, 0), (1000, 1000), left=0)])
    (tight,), (wide,) = rings_of(line.text), rings_of(line.with_round_bends().text)
    assert min(math.dist(spot, (1000, 0)) for spot in tight) == pytest.approx(17, abs=2)
    assert min(math.dist(spot, (1000, 0)) for spot in wide) > 150
    assert [(drawn[0], drawn[-1]) for drawn in (tight, wide)] == 2 * [((0, 0), (1000, 1000))]
