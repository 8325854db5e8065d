"""The shores of a piece of land that has several: told apart, and named by the quarter of the compass of each."""

import math
from collections.abc import Callable, Sequence
from itertools import count, groupby, pairwise, product
from typing import TypeVar

from plenipo.engine.board import Coast
from plenipo.maps.figure.planar import BEARINGS, Point

__all__ = ["away2", "halfway", "name_by_compass", "nearest", "runs"]

T = TypeVar("T")

STRETCH = 12
"""The number of consecutive points that are checked together in the search for the nearest of two lines."""


def runs(cycle: Sequence[T], wet: Callable[[T], bool]) -> list[tuple[T, ...]]:
    """Return the unbroken runs of `wet` items in a closed walk, each in its order; a walk that is all wet is one."""
    turn = next((i for i, step in enumerate(cycle) if not wet(step)), 0)
    return [tuple(run) for is_wet, run in groupby((*cycle[turn:], *cycle[:turn]), wet) if is_wet]


def name_by_compass(places: Sequence[Point], named: dict[int, Coast]) -> None:
    """Name the shores at some places that have no name yet in `named`, by the numbers of their places.

    A shore may be NC only if no other place lies further north, and so on. What lies most clearly that way is named
    first.
    """
    x, y = (sum(at[i] for at in places) / len(places) for i in (0, 1))
    while len(named) < len(places):
        best: tuple[float, str, int] | None = None
        for coast, (dx, dy) in BEARINGS.items():
            reach = [at[0] * dx + at[1] * dy for at in places]
            for i, far in enumerate(reach):
                if i not in named and coast not in named.values() and far == max(reach):
                    away = math.dist(places[i], (x, y)) or 1.0
                    share = (far - x * dx - y * dy) / away
                    if best is None or share > best[0]:
                        best = (share, coast, i)
        if best is None:
            break
        named[best[2]] = Coast(best[1])
    numbers = (Coast(f"C{n}") for n in count(5))
    for i in range(len(places)):
        if i not in named:
            named[i] = next(name for name in numbers if name not in named.values())


def halfway(points: Sequence[Point]) -> Point:
    """Return the point of a line nearest to its middle."""
    left = sum(math.dist(a, b) for a, b in pairwise(points)) / 2
    for a, b in pairwise(points):
        length = math.dist(a, b)
        if left <= length:
            return a if left < length / 2 and a != points[0] else b
        left -= length
    return points[-1]


def nearest(one: Sequence[Point], other: Sequence[Point]) -> tuple[Point, Point]:
    """Return the two points of two lines that lie nearest to each other; the first such pair, if there are several."""
    pairs = []
    for (i, (west, south, east, north)), (j, (w, s, e, n)) in product(_stretches(one), _stretches(other)):
        pairs.append((max(west - e, w - east, 0) ** 2 + max(south - n, s - north, 0) ** 2, i, j))
    pairs.sort()
    best = (math.inf, 0, 0)
    for bound, i, j in pairs:
        if bound > best[0]:
            break
        for a in range(i, min(i + STRETCH, len(one))):
            x, y = one[a]
            for b in range(j, min(j + STRETCH, len(other))):
                far = (x - other[b][0]) ** 2 + (y - other[b][1]) ** 2
                if far <= best[0]:
                    best = min(best, (far, a, b))
    return one[best[1]], other[best[2]]


def _stretches(line: Sequence[Point]) -> list[tuple[int, tuple[int, int, int, int]]]:
    """Return the stretches of a line: where each begins, and the box round it."""
    stretches = []
    for i in range(0, len(line), STRETCH):
        xs, ys = zip(*line[i : i + STRETCH], strict=True)
        stretches.append((i, (min(xs), min(ys), max(xs), max(ys))))
    return stretches


def away2(p: Point, line: Sequence[Point]) -> float:
    """Return the square of the distance of a point from a line."""
    least = math.inf
    for a, b in pairwise(line):
        dx, dy = b[0] - a[0], b[1] - a[1]
        share = max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)))
        least = min(least, (p[0] - a[0] - share * dx) ** 2 + (p[1] - a[1] - share * dy) ** 2)
    return least
