"""Exact tests on lines of integer points; standard library only.

Everything here is decided with whole numbers, so that no answer depends on rounding.
"""

from collections.abc import Sequence
from functools import cmp_to_key
from itertools import pairwise
from typing import NamedTuple

__all__ = ["Point", "Touch", "area2", "by_direction", "contains", "cross", "first_touch", "on_segment"]

Point = tuple[int, int]
"""A point of the plane: east and north, in units of 0.1 km."""

CELL = 128
"""Side of a cell of the search grid, in units: somewhat more than the usual length of a segment."""


class Touch(NamedTuple):
    """Two lines that meet where they should not: their numbers, and about where."""

    first: int
    second: int
    at: Point


def cross(o: Point, a: Point, b: Point) -> int:
    """Twice the area of the triangle o, a, b: positive if it turns left (counter-clockwise)."""
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def area2(ring: Sequence[Point]) -> int:
    """Twice the signed area of a ring given without its repeated end: negative if it runs clockwise."""
    last = ring[-1]
    total = 0
    for point in ring:
        total += last[0] * point[1] - last[1] * point[0]
        last = point
    return total


def on_segment(p: Point, a: Point, b: Point) -> bool:
    """Tell whether p lies on the segment from a to b, ends included."""
    return (
        cross(a, b, p) == 0
        and min(a[0], b[0]) <= p[0] <= max(a[0], b[0])
        and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])
    )


def contains(ring: Sequence[Point], p: Point) -> bool:
    """Tell whether p lies strictly inside the ring (given without its repeated end)."""
    inside = False
    a = ring[-1]
    x, y = p
    for b in ring:
        # most sides lie wholly above, below or left of the place: they cannot bear it and no ray from it meets them
        if (a[1] > y and b[1] > y) or (a[1] < y and b[1] < y) or (a[0] < x and b[0] < x):
            a = b
            continue
        if on_segment(p, a, b):
            return False
        if (a[1] > p[1]) != (b[1] > p[1]):
            turn = cross(a, b, p)
            inside ^= (turn > 0) == (b[1] > a[1])
        a = b
    return inside


def by_direction(origin: Point, targets: Sequence[Point]) -> list[int]:
    """Return the indices of `targets` counter-clockwise by their direction from `origin`, beginning at east."""

    def lower(p: Point) -> bool:
        return p[1] < origin[1] or (p[1] == origin[1] and p[0] < origin[0])

    def compare(i: int, j: int) -> int:
        a, b = targets[i], targets[j]
        if lower(a) != lower(b):
            return 1 if lower(a) else -1
        turn = cross(origin, a, b)
        return (turn < 0) - (turn > 0)

    return sorted(range(len(targets)), key=cmp_to_key(compare))


def first_touch(lines: Sequence[Sequence[Point]], fresh: Sequence[int] | None = None) -> Touch | None:
    """Return the first two lines that meet anywhere but in a common end point, or None; a line may also meet itself.

    A closed line names its end point twice. Two neighbouring segments of a line meet in their common point only.
    With `fresh`, the numbers of some lines, all others are known not to meet each other: only what lies near those is
    looked at.
    """
    if fresh is not None:
        near = _near(lines, fresh)
        touch = first_touch([lines[n] for n in near])
        return touch and Touch(near[touch.first], near[touch.second], touch.at)
    if touch := _find_repeated_point(lines):
        return touch
    segments = [(n, a, b) for n, line in enumerate(lines) for a, b in pairwise(line)]
    grid: dict[tuple[int, int], list[int]] = {}
    for s, (n, a, b) in enumerate(segments):
        x0, x1 = (a[0], b[0]) if a[0] <= b[0] else (b[0], a[0])
        y0, y1 = (a[1], b[1]) if a[1] <= b[1] else (b[1], a[1])
        for column in range(x0 // CELL, x1 // CELL + 1):
            for row in range(y0 // CELL, y1 // CELL + 1):
                cell = grid.setdefault((column, row), [])
                for other in cell:
                    m, c, d = segments[other]
                    if (
                        (c[0] < x0 and d[0] < x0)
                        or (c[0] > x1 and d[0] > x1)
                        or (c[1] < y0 and d[1] < y0)
                        or (c[1] > y1 and d[1] > y1)
                    ):
                        continue
                    if _meet(a, b, c, d):
                        return Touch(m, n, ((max(a[0], c[0]) + min(b[0], d[0])) // 2, (a[1] + c[1]) // 2))
                cell.append(s)
    return None


def _near(lines: Sequence[Sequence[Point]], fresh: Sequence[int]) -> list[int]:
    """Return the numbers of the lines whose boxes meet that of some of them."""
    boxes = []
    for line in lines:
        xs, ys = zip(*line, strict=True)
        boxes.append((min(xs), min(ys), max(xs), max(ys)))
    wests, souths, easts, norths = zip(*(boxes[n] for n in fresh), strict=True) if fresh else ((), (), (), ())
    return [
        n
        for n, (west, south, east, north) in enumerate(boxes)
        if any(
            west <= e and w <= east and south <= t and s <= north
            for w, s, e, t in zip(wests, souths, easts, norths, strict=True)
        )
    ]


def _find_repeated_point(lines: Sequence[Sequence[Point]]) -> Touch | None:
    """Return a point that two lines, or one line twice, pass through without both ending there."""
    ends = {point for line in lines for point in (line[0], line[-1])}
    users: dict[Point, int] = {}
    for n, line in enumerate(lines):
        for point in line[1:-1]:
            if point in users:
                return Touch(users[point], n, point)
            users[point] = n
    for point in ends:
        if point in users:
            other = next(n for n, line in enumerate(lines) if point in (line[0], line[-1]))
            return Touch(users[point], other, point)
    return None


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Tell whether two segments share more than a common end point."""
    if a == c or a == d or b == c or b == d:  # noqa: PLR1714, SIM109 - twice as fast as `in`
        if a == d or b == d:  # noqa: PLR1714 - as above
            c, d = d, c
        if b == c:
            a, b = b, a
        # now a == c: they overlap if they leave the common point in one direction
        return b == d or (cross(a, b, d) == 0 and (b[0] - a[0]) * (d[0] - a[0]) + (b[1] - a[1]) * (d[1] - a[1]) > 0)
    c_side, d_side = cross(a, b, c), cross(a, b, d)
    if (c_side > 0 and d_side > 0) or (c_side < 0 and d_side < 0):
        return False
    a_side, b_side = cross(c, d, a), cross(c, d, b)
    if (a_side > 0 and b_side > 0) or (a_side < 0 and b_side < 0):
        return False
    if c_side == d_side == 0:
        return on_segment(c, a, b) or on_segment(d, a, b) or on_segment(a, c, d)
    return True
