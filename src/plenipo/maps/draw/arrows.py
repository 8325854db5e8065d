"""The lines of orders: bends, routes over water, heads, bars and waves; no order is known here.

A `Bend` leaves the straight line to its own left, so two units that change places do not draw over each other.
A `Route` runs smoothly through several places. Both can be walked, from 0 at the start to 1 at the end.
"""

import itertools
import math
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Protocol

from plenipo.maps.draw.paths import thin_line
from plenipo.maps.figure.planar import Point

__all__ = [
    "Bend",
    "DrawableLine",
    "Route",
    "Spot",
    "bar",
    "barbs",
    "breach",
    "first_inside",
    "head",
    "last_inside",
    "left_of",
    "wave",
]

Spot = tuple[float, float]
"""A place in pips."""

LEFT = 0.10
"""The deviation of a bend from the straight line at its middle control point, as a share of its length."""

BARB = 20.0
"""The length of a stroke of an open head in pips."""

STEP = 16.0
"""About how long the pieces are of lines that are joined, in pips."""

LOOK = 8.0
"""The distance between the points checked for crossing a border, in pips."""

FINE = 9.0
"""The distance between the sampled points of a written curve, in pips."""

ROUND = 48.0
"""The greatest distance from a bend at which a line begins to turn, in pips; so it stays near its points."""

NEAR = 0.8
"""The greatest distance of an omitted point from the line of its neighbours, in pips."""

GENTLE = 70.0
"""Over how many pips a line leaves another to run beside it."""

WAVE = 34.0
"""The length of a wave in pips."""

DEPTH = 8.0
"""The amplitude of a wave, in pips."""

SLANT = 1.1
"""The angle between a line and the strokes that break it off, in radians."""

HEAD = 42.0
"""The length of an arrow's head in pips."""

AIM = 30.0
"""The length of the hollow head at the end of a way that was not gone, in pips."""

SHORT_HEAD = 29.0
"""The length of the head of an arrow between units that stand close together, in pips."""


class DrawableLine(Hashable, Protocol):
    """A line that can be walked and drawn."""

    def at(self, share: float) -> Spot:
        """Return the place that far along."""

    def along(self, step: float, *, least: int = 1) -> list[Spot]:
        """Return the places that divide it into pieces of about `step` pips, at `least` so many; its ends included."""

    def part(self, start: float, end: float) -> "DrawableLine":
        """Return the part between two shares."""

    @property
    def length(self) -> float:
        """The length in pips."""

    @property
    def heading(self) -> float:
        """The direction at its end, in radians, y down."""

    @property
    def text(self) -> str:
        """The path as SVG writes it."""


def _pair(spot: Spot) -> str:
    x, y = round(spot[0]), round(spot[1])
    return f"{x} {y}"


@dataclass(frozen=True)
class Bend:
    """A quadratic Bezier from `start` to `end`."""

    start: Spot
    middle: Spot
    end: Spot

    @classmethod
    def between(cls, start: Spot, end: Spot, *, left: float = LEFT) -> "Bend":
        """Return the bend from one place to another, leaning to its left by a share of its length."""
        (ax, ay), (bx, by) = start, end
        # y runs down, so left of the heading (dx, dy) is (dy, -dx)
        return cls(start, ((ax + bx) / 2 + (by - ay) * left, (ay + by) / 2 - (bx - ax) * left), end)

    def at(self, share: float) -> Spot:
        """Return the place that far along."""
        a, b, c = (1 - share) ** 2, 2 * share * (1 - share), share**2
        (x0, y0), (x1, y1), (x2, y2) = self.start, self.middle, self.end
        return a * x0 + b * x1 + c * x2, a * y0 + b * y1 + c * y2

    def along(self, step: float, *, least: int = 1) -> list[Spot]:
        """Return the places that divide it into pieces of about `step` pips, at `least` so many; its ends included."""
        count = max(least, round(self.length / step))
        return [self.at(i / count) for i in range(count + 1)]

    def part(self, start: float, end: float) -> "Bend":
        """Return the bend between two shares (the blossom of a quadratic)."""
        (x0, y0), (x1, y1), (x2, y2) = self.start, self.middle, self.end
        a, b, c = (1 - start) * (1 - end), start * (1 - end) + end * (1 - start), start * end
        return Bend(self.at(start), (a * x0 + b * x1 + c * x2, a * y0 + b * y1 + c * y2), self.at(end))

    @cached_property
    def length(self) -> float:
        """About how long it is: between its chord and its control lines."""
        return (
            math.dist(self.start, self.end) + math.dist(self.start, self.middle) + math.dist(self.middle, self.end)
        ) / 2

    @property
    def heading(self) -> float:
        """The direction at its end."""
        return math.atan2(self.end[1] - self.middle[1], self.end[0] - self.middle[0])

    @cached_property
    def text(self) -> str:
        """The path."""
        return f"M{_pair(self.start)}Q{_pair(self.middle)} {_pair(self.end)}"


@dataclass(frozen=True)
class Route:
    """A line through many close places, drawn as straight pieces, or as a curve where it is `smooth`."""

    spots: tuple[Spot, ...]
    smooth: bool = False

    @classmethod
    def through(cls, places: Sequence[Spot]) -> "Route":
        """Return a smooth line through the places, in order (Catmull-Rom, twelve steps a piece)."""
        padded = [places[0], *places, places[-1]]
        spots = [places[0]]
        for i in range(len(places) - 1):
            p0, p1, p2, p3 = padded[i : i + 4]
            for k in range(1, 13):
                t = k / 12
                weights = (
                    (-(t**3) + 2 * t**2 - t) / 2,
                    (3 * t**3 - 5 * t**2 + 2) / 2,
                    (-3 * t**3 + 4 * t**2 + t) / 2,
                    (t**3 - t**2) / 2,
                )
                spots.append(
                    (
                        sum(w * p[0] for w, p in zip(weights, (p0, p1, p2, p3), strict=True)),
                        sum(w * p[1] for w, p in zip(weights, (p0, p1, p2, p3), strict=True)),
                    )
                )
        return cls(tuple(spots), smooth=True)

    @classmethod
    def from_lines(cls, lines: Iterable[DrawableLine]) -> "Route":
        """Several lines, each of which begins where the one before it ends, as one."""
        spots: list[Spot] = []
        for line in lines:
            count = max(6, round(line.length / STEP))
            spots += [line.at(i / count) for i in range(1 if spots else 0, count + 1)]
        return cls(tuple(spots), smooth=True)

    @classmethod
    def alongside(cls, places: Sequence[Spot], left: float) -> "Route":
        """Return a line of straight pieces that runs `left` pips to the left of the places, but for its ends."""
        spots = [places[0]]
        for before, at, then in zip(places, places[1:], places[2:], strict=False):
            (ax, ay), (bx, by) = left_of(before, at), left_of(at, then)
            # the point where the two shifted pieces meet; at most twice the shift away, for a line that turns back
            share = left / max(1 + ax * bx + ay * by, 0.5)
            spots.append((at[0] + (ax + bx) * share, at[1] + (ay + by) * share))
        return cls((*spots, places[-1]))

    def beside(self, left: float) -> "Route":
        """Return the line that leaves this one gently and runs `left` pips to its left until the end."""
        reach = max(min(GENTLE, self.length / 2), 1.0)
        spots = [self.spots[0]]
        for i in range(1, len(self.spots) - 1):
            dx, dy = left_of(self.spots[i - 1], self.spots[i + 1])
            off = left * min(self._distances[i], self.length - self._distances[i], reach) / reach
            spots.append((self.spots[i][0] + dx * off, self.spots[i][1] + dy * off))
        return Route((*spots, self.spots[-1]), self.smooth)

    @cached_property
    def _distances(self) -> tuple[float, ...]:
        reached = [0.0]
        for a, b in pairwise(self.spots):
            reached.append(reached[-1] + math.dist(a, b))
        return tuple(reached)

    @property
    def length(self) -> float:
        """The length."""
        return self._distances[-1]

    def at(self, share: float) -> Spot:
        """Return the place that far along."""
        goal = min(max(share, 0.0), 1.0) * self.length
        i = bisect_left(self._distances, goal, 1)
        if i < len(self.spots) and self._distances[i] > self._distances[i - 1]:
            a, b, start, end = self.spots[i - 1], self.spots[i], self._distances[i - 1], self._distances[i]
            t = (goal - start) / (end - start)
            return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t
        return self.spots[-1]

    def along(self, step: float, *, least: int = 1) -> list[Spot]:
        """Return the places that divide it into pieces of about `step` pips, at `least` so many; its ends included."""
        count = max(least, round(self.length / step))
        return [self.at(i / count) for i in range(count + 1)]

    def _evenly(self, count: int) -> list[Point]:
        """Return the places that divide the line into so many equal pieces, in whole pips: walked along once."""
        points, reached, step, i = [], self._distances, self.length / count, 1
        last = len(reached) - 1
        for k in range(count + 1):
            goal = step * k
            while i < last and reached[i] < goal:
                i += 1
            (ax, ay), (bx, by), start, end = self.spots[i - 1], self.spots[i], reached[i - 1], reached[i]
            t = min((goal - start) / (end - start), 1.0) if end > start else 1.0
            points.append((round(ax + (bx - ax) * t), round(ay + (by - ay) * t)))
        return points

    def part(self, start: float, end: float) -> "Route":
        """Return the route between two shares."""
        low, high = start * self.length, end * self.length
        if low > high:
            return Route(self.part(end, start).spots[::-1], self.smooth)
        between = (spot for spot, reached in zip(self.spots, self._distances, strict=True) if low < reached < high)
        return Route((self.at(start), *between, self.at(end)), self.smooth)

    @property
    def heading(self) -> float:
        """The direction at its end."""
        back = self.at(1 - min(1.0, 20 / max(self.length, 1)))
        return math.atan2(self.spots[-1][1] - back[1], self.spots[-1][0] - back[0])

    @cached_property
    def text(self) -> str:
        """The path."""
        if not self.smooth:
            return "M" + "L".join(_pair(spot) for spot in self.spots)
        count = max(4, round(self.length / FINE))
        spots = thin_line(self._evenly(count), NEAR)
        if len(spots) == 2:  # a straight line
            return f"M{_pair(spots[0])}L{_pair(spots[1])}"
        # each place but the ends pulls a quadratic curve, from middle to middle where these are near
        text, command = f"M{_pair(spots[0])}", ""
        here: Spot = spots[0]
        for a, b, c in zip(spots, spots[1:], spots[2:], strict=False):
            enter, leave = _towards(b, a, whole=a == spots[0]), _towards(b, c, whole=c == spots[-1])
            if enter != here:
                text, command = f"{text}L{_pair(enter)}", "L"
            text += f"{' ' if command == 'Q' else 'Q'}{_pair(b)} {_pair(leave)}"
            command, here = "Q", leave
        return text if here == spots[-1] else f"{text}L{_pair(spots[-1])}"

    def with_round_bends(self) -> "Route":
        """Return the line with every bend as wide as there is room for between the bends next to it."""
        spots = thin_line(self._evenly(max(4, round(self.length / FINE))), NEAR)
        middles = [*itertools.starmap(_between, pairwise(spots))]
        round_bends = [Bend(a, b, c) for a, b, c in zip(middles, spots[1:-1], middles[1:], strict=False)]
        curve = [bend.at(k / 8) for bend in round_bends for k in range(9)]
        return Route((spots[0], *curve, spots[-1]), smooth=True)


def _between(a: Spot, b: Spot) -> Spot:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _towards(bend: Spot, place: Spot, *, whole: bool) -> Spot:
    """Return the point where the curve about a bend begins or ends; at most halfway, if not `whole`."""
    far = math.dist(bend, place)
    reach = far if whole else far / 2
    if reach <= ROUND:
        return place if whole else _between(*sorted((bend, place)))
    share = ROUND / far
    return bend[0] + (place[0] - bend[0]) * share, bend[1] + (place[1] - bend[1]) * share


def left_of(start: Spot, end: Spot) -> Spot:
    """Return the direction to the left of a walk, of length 1; y runs down."""
    far = math.dist(start, end) or 1.0
    return (end[1] - start[1]) / far, (start[0] - end[0]) / far


def head(line: DrawableLine, size: float = HEAD) -> str:
    """Return the path of an arrow's head of some size, whose tip is a little beyond the end of the line."""
    (x, y), angle = line.at(1), line.heading
    turns = ((size * 0.9, 0.0), (size, 2.5), (size * 0.45, math.pi), (size, -2.5))
    corners = ((x + reach * math.cos(angle + turn), y + reach * math.sin(angle + turn)) for reach, turn in turns)
    return "M" + "L".join(_pair(corner) for corner in corners) + "Z"


def barbs(line: DrawableLine) -> str:
    """Return the path of the two strokes of an open head at the end of a line."""
    (x, y), angle = line.at(1), line.heading
    (ax, ay), (bx, by) = (
        (x + BARB * math.cos(angle + turn), y + BARB * math.sin(angle + turn)) for turn in (2.6, -2.6)
    )
    return f"M{_pair((ax, ay))}L{_pair((x, y))}L{_pair((bx, by))}"


def bar(line: DrawableLine, half: float = 22.0) -> str:
    """Return the path of a stroke across the end of the line."""
    (x, y), angle = line.at(1), line.heading + math.pi / 2
    dx, dy = half * math.cos(angle), half * math.sin(angle)
    return f"M{_pair((x - dx, y - dy))}L{_pair((x + dx, y + dy))}"


def breach(line: DrawableLine, half: float = 19.0) -> str:
    """Return the path of two slanting strokes across the end of the line, which is broken off there."""
    (x, y), angle = line.at(1), line.heading
    dx, dy = half * math.cos(angle + SLANT), half * math.sin(angle + SLANT)
    ahead = (0.55 * half * math.cos(angle), 0.55 * half * math.sin(angle))
    strokes = ((x - ux, y - uy) for ux, uy in ((0.0, 0.0), ahead))
    return "".join(f"M{_pair((px - dx, py - dy))}L{_pair((px + dx, py + dy))}" for px, py in strokes)


def wave(line: DrawableLine, keeps: Callable[[Spot], bool] | None = None) -> str:
    """Return the path of the line drawn in waves of about `WAVE` pips; it ends on the line.

    A wave that would leave the region of which `keeps` tells is left out: the line is straight there.
    """
    count = max(2, 2 * round(line.length / WAVE))
    places = [line.at(i / count) for i in range(count + 1)]
    here, numbers = (round(places[0][0]), round(places[0][1])), list[int]()
    text = f"M{here[0]} {here[1]}q"
    for i, (a, b) in enumerate(pairwise(places)):
        run = math.dist(a, b) or 1.0
        side, (x, y) = (DEPTH if i % 2 else -DEPTH) / run, _between(a, b)
        dx, dy = -(b[1] - a[1]) * side, (b[0] - a[0]) * side
        if keeps and not keeps((x + dx, y + dy)):
            dx = dy = 0.0
        # the control point of a quadratic curve lies twice as far off as the curve comes
        then = (round(b[0]), round(b[1]))
        numbers += (round(x + 2 * dx) - here[0], round(y + 2 * dy) - here[1], then[0] - here[0], then[1] - here[1])
        here = then
    # a minus parts two numbers as well as a space does
    return text + "".join(str(number) if number < 0 else f" {number}" for number in numbers)


def first_inside(line: DrawableLine, inside: Callable[[Spot], bool], start: float = 0.0) -> float | None:
    """Return the first share of a line from `start` on at which it is inside a region; None if it never is."""
    count = max(2, round(line.length * (1 - start) / LOOK))
    shares = [start + (1 - start) * i / count for i in range(count + 1)]
    high = next((i for i, share in enumerate(shares) if inside(line.at(share))), None)
    if not high:
        return None if high is None else start
    out, within = shares[high - 1], shares[high]
    for _ in range(5):
        middle = (out + within) / 2
        out, within = (out, middle) if inside(line.at(middle)) else (middle, within)
    return within


def last_inside(line: DrawableLine, inside: Callable[[Spot], bool]) -> float | None:
    """Return the last share of a line at which it is inside a region; None if it never is."""
    share = first_inside(line.part(1, 0), inside)
    return None if share is None else 1 - share
