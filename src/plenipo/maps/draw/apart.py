"""Lines of orders kept apart where they would run over each other."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from operator import itemgetter

from plenipo.maps.draw.arrows import DrawableLine, Route, Spot, left_of

__all__ = ["RINGS", "Inked", "aside", "stop_at_move"]

STEP = 8.0
"""The distance between the points at which lines are compared, in pips."""

NEAR = 12.0
"""Lines nearer to each other than this, in pips, run over each other: about the width of one with its edge."""

SHARED = 36.0
"""The length for which two lines may overlap, in pips, as those do that cross at a sharp angle."""

ASIDES = (17.0, -17.0, 23.0, -23.0, 30.0, -30.0)
"""The offsets of a line to its left, in pips, the least first."""

ROOM = 5.0
"""The distance of an offset line from obstacles, in pips."""

SLOPE = 0.5
"""The slope at the ends of an offset."""

TOUCH = 5.0
"""A line meets another where it comes so near, in pips."""

RINGS = 26.0
"""The distance between the rings at the ends of supports, in pips."""

MET = (0.08, 0.9)
"""Between which shares of a move a support may meet it."""


class Inked:
    """The lines that are drawn, each to be asked how far another would run over it."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[tuple[int, Spot]]] = defaultdict(list)
        self._count = 0

    def add(self, line: DrawableLine) -> None:
        """Draw a line."""
        for spot in line.along(STEP):
            self._cells[int(spot[0] // NEAR), int(spot[1] // NEAR)].append((self._count, spot))
        self._count += 1

    def run(self, line: DrawableLine) -> float:
        """Return the length over which a line runs over the one that it covers farthest, in pips."""
        near: dict[int, int] = defaultdict(int)
        for spot in line.along(STEP):
            for number in {number for number, other in self._about(spot) if math.dist(spot, other) < NEAR}:
                near[number] += 1
        return STEP * max(near.values(), default=0)

    def runs_over(self, line: DrawableLine) -> bool:
        """Tell whether a line runs over another so far that a reader cannot distinguish the two."""
        return self.run(line) > SHARED

    def _about(self, spot: Spot) -> Iterator[tuple[int, Spot]]:
        column, row = int(spot[0] // NEAR), int(spot[1] // NEAR)
        for x in (column - 1, column, column + 1):
            for y in (row - 1, row, row + 1):
                yield from self._cells.get((x, y), ())


def aside(line: DrawableLine, inked: Inked, inside: Callable[[Spot], bool]) -> DrawableLine:
    """Return a line that runs over another one beside itself, where it is `inside` there too, or else as it is.

    A line of straight pieces is that of a lane, on which each way has its side.
    """
    if isinstance(line, Route) and not line.smooth:
        return line
    best, most = (inked.run(line), line), _outside(line, inside)
    for left in ASIDES:
        other = _beside(line, left, inside)
        if _outside(other, inside) <= most:
            run = inked.run(other)
            best = min(best, (run, other), key=itemgetter(0))
            if run <= SHARED:
                break
    return best[1]


def _outside(line: DrawableLine, inside: Callable[[Spot], bool]) -> int:
    return sum(not inside(spot) for spot in line.along(STEP))


def _beside(line: DrawableLine, left: float, inside: Callable[[Spot], bool]) -> DrawableLine:
    """Return the line moved so far to its left wherever that is inside, leaving and joining itself gently."""
    spots = Route.from_lines((line,)).spots
    sides = [(0.0, 0.0), *map(left_of, spots, spots[2:]), (0.0, 0.0)]
    room = left + math.copysign(ROOM, left)
    far = [abs(left) * inside(_shift_spot(spot, side, room)) for spot, side in zip(spots, sides, strict=True)]
    far[0] = far[-1] = 0.0
    far = _gentle(_gentle(far, spots)[::-1], spots[::-1])[::-1]
    return Route(
        tuple(
            _shift_spot(spot, side, math.copysign(off, left)) for spot, side, off in zip(spots, sides, far, strict=True)
        ),
        smooth=True,
    )


def _gentle(far: Sequence[float], spots: Sequence[Spot]) -> list[float]:
    """Return how far to move each place so that it is moved little farther than the one before it."""
    moved = [far[0]]
    for wish, (a, b) in zip(far[1:], pairwise(spots), strict=True):
        moved.append(min(wish, moved[-1] + SLOPE * math.dist(a, b)))
    return moved


def _shift_spot(spot: Spot, side: Spot, far: float) -> Spot:
    return spot[0] + side[0] * far, spot[1] + side[1] * far


def stop_at_move(support: DrawableLine, move: DrawableLine, rings: Iterable[Spot]) -> DrawableLine:
    """Return a support only as far as it first meets the move, if its ring has room there beside other rings."""
    count, shares = max(1, round(move.length / TOUCH)), max(1, round(support.length / TOUCH))
    spots = [move.at(i / count) for i in range(round(MET[0] * count), round(MET[1] * count) + 1)]
    free = [spot for spot in spots if all(math.dist(spot, ring) > RINGS for ring in rings)]
    for i in range(1, shares):
        place = support.at(i / shares)
        if any(math.dist(place, spot) < TOUCH for spot in free):
            return support.part(0, i / shares)
    return support
