"""Making room in a figure: the plane is swollen round a point, so that a part too small for a cut grows.

Coordinates are whole numbers, so a face that was cut again and again ends up with no point left inside it. A swelling
moves every point within some distance of its middle outward, and bends the borders with it; all contacts stay
unchanged. It is for play: the reader sees the piece a little larger than it was.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from shapely import LineString
from shapely import Point as Dot

from plenipo.engine.board import Code
from plenipo.errors import InvalidFigure
from plenipo.maps.figure.planar import Figure, Point
from plenipo.maps.figure.shores import away2

__all__ = ["roomier", "swollen"]

NARROW = 8.0
"""A neck of a face narrower than this many units hinders a line."""

WIDE = 100.0
"""The reach of a swelling round a neck, in units."""

REACHES = (100.0, 400.0, 1600.0, 6400.0)
"""The reaches of a swelling round a face, in units; tried in turn."""

TRUE = 0.4
"""A border is bent with the plane to within this many units."""

FINE = 8.0
"""The distance between individually moved points of a border, in units."""

FigurePoint = tuple[float, float]


def roomier(figure: Figure, code: Code) -> Iterator[Figure]:
    """Yield the figure with more room in a face, in ways to try in turn: its necks widened, then the face grown."""
    widened = figure
    for neck in _necks(figure.ring(figure.faces[code][0])):
        widened = _sound(widened, neck, WIDE) or widened
    if widened is not figure:
        yield widened
    xs, ys = zip(*widened.ring(widened.faces[code][0]), strict=True)
    for reach in REACHES:
        grown = _sound(widened, (sum(xs) / len(xs), sum(ys) / len(ys)), reach)
        if grown:
            yield grown


def swollen(figure: Figure, middle: FigurePoint, reach: float) -> Figure:
    """Return the figure swollen round a point: distance d within `reach` becomes the root of d times `reach`.

    The swelling ends short of the frame. Raise InvalidFigure if two borders would touch when their points are rounded.
    """
    west, south, east, north = figure.frame
    x0, y0 = middle
    reach = min(reach, x0 - west - 1, east - x0 - 1, y0 - south - 1, north - y0 - 1)

    def move(spot: FigurePoint) -> FigurePoint:
        x, y = spot[0] - x0, spot[1] - y0
        far = math.hypot(x, y)
        if far >= reach or not far:
            return spot
        times = math.sqrt(reach / far)
        return x0 + x * times, y0 + y * times

    def point(spot: FigurePoint) -> Point:
        return _round_spot(move(spot))

    arcs = []
    for arc, line in zip(figure.arcs, figure.lines, strict=True):
        drawn = LineString(line)
        if drawn.distance(Dot(middle)) >= reach:
            arcs.append(arc)
            continue
        bent = LineString([move((x, y)) for x, y in drawn.segmentize(FINE).coords]).simplify(TRUE)
        points = [p for p, _ in groupby(_round_spot(spot) for spot in bent.coords)]
        arcs.append(replace(arc, bends=tuple(points[1:-1])))
    return replace(
        figure,
        nodes={name: point(at) for name, at in figure.nodes.items()},
        arcs=tuple(arcs),
        marks=tuple(replace(mark, at=point(mark.at)) for mark in figure.marks),
        decorations=tuple(replace(shape, ring=tuple(map(point, shape.ring))) for shape in figure.decorations),
    ).check()


def _sound(figure: Figure, middle: FigurePoint, reach: float) -> Figure | None:
    try:
        return swollen(figure, middle, reach)
    except InvalidFigure:
        return None


def _round_spot(spot: Sequence[float]) -> Point:
    return round(spot[0]), round(spot[1])


def _necks(ring: Sequence[Point]) -> list[FigurePoint]:
    """Return the points of a ring to which another part of it comes near, the nearest first; one for each neck."""
    walked = [0.0]
    for a, b in pairwise([*ring, ring[0]]):
        walked.append(walked[-1] + math.dist(a, b))
    narrow: list[tuple[float, Point]] = []
    for i, p in enumerate(ring):
        for j, (a, b) in enumerate(pairwise([*ring, ring[0]])):
            if (
                max(min(a[0], b[0]) - p[0], p[0] - max(a[0], b[0]), min(a[1], b[1]) - p[1], p[1] - max(a[1], b[1]))
                > NARROW
            ):
                continue
            apart = min(abs(walked[k] - walked[i]) for k in (j, j + 1))
            away = math.sqrt(away2(p, (a, b)))
            if away < NARROW and min(apart, walked[-1] - apart) > 3 * NARROW:
                narrow.append((away, p))
    necks: list[FigurePoint] = []
    for _, p in sorted(narrow):
        if all(math.dist(p, other) > WIDE / 2 for other in necks):
            necks.append(p)
    return necks
