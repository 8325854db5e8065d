"""The points at which two lines are nearest to each other."""

import math
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from plenipo.maps.figure.shores import nearest

POINTS = st.tuples(st.integers(-300, 300), st.integers(-300, 300))
LINES = st.lists(POINTS, min_size=1, max_size=60)


@given(LINES, LINES)
def test_the_nearest_points_of_two_lines_are_those_of_looking_at_every_pair(
    one: list[tuple[int, int]], other: list[tuple[int, int]]
) -> None:
    assert nearest(one, other) == min(product(one, other), key=lambda pair: math.dist(*pair) ** 2)
