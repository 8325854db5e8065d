"""The shores of a piece of land that has several: told apart, and named by the quarter of the compass of each."""

import math
from collections.abc import Callable, Sequence
from itertools import count, groupby, pairwise
from typing import TypeVar

from plenipo.engine.board import Coast
from plenipo.maps.figure.planar import BEARINGS, Point

__all__ = ["away2", "halfway", "name_by_compass", "runs"]

T = TypeVar("T")


def runs(cycle: Sequence[T], wet: Callable[[T], bool]) -> list[tuple[T, ...]]:
    """The unbroken runs of what is `wet` in a closed walk, each in its order; a walk that is wet all round is one."""
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
    """The point of a line nearest to its middle."""
    left = sum(math.dist(a, b) for a, b in pairwise(points)) / 2
    for a, b in pairwise(points):
        length = math.dist(a, b)
        if left <= length:
            return a if left < length / 2 and a != points[0] else b
        left -= length
    return points[-1]


def away2(p: Point, line: Sequence[Point]) -> float:
    """The square of the distance of a point from a line."""
    least = math.inf
    for a, b in pairwise(line):
        dx, dy = b[0] - a[0], b[1] - a[1]
        share = max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)))
        least = min(least, (p[0] - a[0] - share * dx) ** 2 + (p[1] - a[1] - share * dy) ** 2)
    return least
