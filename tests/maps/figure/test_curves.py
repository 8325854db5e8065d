"""The look of lines: smooth, wavering, rounded, and always the same."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo.maps.figure.curves import CurvePoint, by_hand, round_corners, smooth, wavering

SPOTS = st.tuples(st.floats(-500, 500), st.floats(-500, 500))
LINES = st.lists(SPOTS, min_size=2, max_size=6)


@given(LINES)
def test_a_smooth_line_passes_through_all_its_bends(line: list[CurvePoint]) -> None:
    curve = smooth(line, 8)
    places = [next(i for i, spot in enumerate(curve) if spot == bend) for bend in line]
    assert (places[0], curve[-1]) == (0, line[-1])


def test_a_smooth_line_has_small_steps() -> None:
    curve = smooth([(0, 0), (100, 50), (200, 0)], 8)
    assert max(math.dist(a, b) for a, b in pairwise(curve)) < 16


def test_a_smooth_ring_closes_without_a_corner() -> None:
    curve = smooth([(0, 0), (100, 0), (100, 100), (0, 100), (0, 0)], 8, closed=True)
    assert curve[0] == curve[-1]
    (ax, ay), (bx, by) = curve[1], curve[-2]
    assert abs(math.atan2(ay, ax) - math.atan2(-by, -bx)) < 0.5


@given(LINES)
def test_a_wavering_line_keeps_its_bends_and_strays_no_further_than_allowed(line: list[CurvePoint]) -> None:
    drawn = wavering(line, "seed", 0.1, most=7)
    assert drawn == wavering(line, "seed", 0.1, most=7)
    assert set(line) <= set(drawn)
    assert (drawn[0], drawn[-1]) == (line[0], line[-1])


def test_another_seed_makes_another_line() -> None:
    line = [(0.0, 0.0), (200.0, 0.0)]
    assert wavering(line, "a", 0.1) != wavering(line, "b", 0.1)
    assert max(abs(y) for _, y in wavering(line, "a", 0.1)) < 25


@given(LINES)
def test_a_line_by_hand_keeps_its_ends_and_is_always_the_same(line: list[CurvePoint]) -> None:
    drawn = by_hand(smooth(line, 8), "seed", 0.05)
    assert drawn == by_hand(smooth(line, 8), "seed", 0.05)
    assert (drawn[0], drawn[-1]) == (line[0], line[-1])


def test_a_line_by_hand_sways_without_a_zigzag() -> None:
    straight = smooth([(0.0, 0.0), (150.0, 0.0), (300.0, 0.0)], 8)
    drawn = by_hand(straight, "a", 0.05)
    assert by_hand(straight, "b", 0.05) != drawn
    assert 3 < max(abs(y) for _, y in drawn) < 0.05 * 2 * 110
    turns = [
        abs(math.remainder(math.atan2(c[1] - b[1], c[0] - b[0]) - math.atan2(b[1] - a[1], b[0] - a[0]), math.tau))
        for a, b, c in zip(drawn, drawn[1:], drawn[2:], strict=False)
    ]
    assert max(turns) < math.radians(40)


@pytest.mark.parametrize("closed", [True, False])
def test_a_rounded_line_cuts_corners_and_keeps_its_ends(closed: bool) -> None:  # noqa: FBT001 - the case
    line = [(0.0, 0.0), (8.0, 0.0), (8.0, 8.0), (0.0, 0.0)]
    found = round_corners(line, times=2, closed=closed)
    assert (8.0, 0.0) not in found
    assert found[0] == found[-1]
    assert (found[0] == (0.0, 0.0)) == (not closed)
