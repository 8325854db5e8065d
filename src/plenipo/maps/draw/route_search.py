"""The search for the routes of moves: from unit to unit through the areas they are in and nothing else.

A plain bend is taken where it stays in the areas. Otherwise a way is found on a grid, drawn taut like a band that keeps
clear of the borders, and handed out as a few places through which a smooth line runs.
All measures are pips. Needs numpy and shapely, so `draw.routes` asks for it only where no route is known.
"""

import math
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from heapq import heappop, heappush

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from plenipo.engine.board import Code
from plenipo.maps.draw.arrows import Bend, DrawableLine, Route, Spot
from plenipo.maps.draw.paths import DISC, Shapes

__all__ = ["ASIDE", "RouteSearch"]

ASIDE = 9.0
"""The offset of a route to its left where it has room, so that opposite routes do not overlap."""

STRAY = 2.0
"""The share of a line that may lie elsewhere, without its parts under the units at its ends."""

CELLS = 5000
"""About how many cells the grid has on which a way is looked for."""

FINEST = 6.0
"""The smallest side of a cell."""

ROOMY = 40.0
"""A way on the grid keeps so far from the borders if that costs little."""

TAUT = 24.0
"""A band is drawn taut until it comes so near to a border."""

SMOOTH = 13.0
"""The distance within which remaining bends are smoothed."""

COARSE = (6, 12, 24)
"""Into how many pieces a way is cut before it is drawn taut, if these stay in the region."""

FINE = 24.0
"""The greatest length of a piece of a taut band."""

CORRIDOR = 26.0
"""Half the width of the passage between two areas that share no border."""

OBSTACLE = 3600.0
"""An island of at least so many square pips is gone round where there is a way round it."""

PLACES = (1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 30, 45, 70)
"""Through how many places a line may run, the fewest first."""

ASIDES = (ASIDE, 6.0, 3.0, 0.0)

RoutePoints = NDArray[np.float64]


class RouteSearch:
    """The search on one figure."""

    def __init__(self, shapes: Shapes) -> None:
        self.shapes = shapes
        self._domain = lru_cache(maxsize=64)(self._domain_of)
        self._polygon = lru_cache(maxsize=1024)(self._polygon_of)

    def route(self, areas: frozenset[Code], others: frozenset[Code], start: Spot, end: Spot) -> tuple[float, ...]:
        """Return the route from `start` in some areas to `end` in others.

        Empty if a plain bend does. Otherwise how far the line is to keep to its left, and then x and y of each place
        through which it runs, the two ends left out.
        """
        domain = shapely.union(self._domain(areas, others), self._straight(areas | others, start, end))
        best = (math.inf, tuple[float, ...]())
        for region in (domain.difference(self._islands), domain):
            for strays, route in _routes(region, start, end):
                if strays <= STRAY:
                    return route
                best = min(best, (strays, route))
        return best[1]

    def _domain_of(self, areas: frozenset[Code], others: frozenset[Code]) -> BaseGeometry:
        """Return the region of the line: the areas at both ends, with a passage between them if they do not meet."""
        one, other = (shapely.union_all([self._polygon(code) for code in sorted(codes)]) for codes in (areas, others))
        domain = shapely.union(one, other)
        if one.is_empty or other.is_empty or (one.distance(other) == 0 and _is_connected(one, other)):
            return domain
        return shapely.union(domain, shapely.shortest_line(one, other).buffer(CORRIDOR))

    def _straight(self, areas: frozenset[Code], start: Spot, end: Spot) -> BaseGeometry:
        """Return the straight passage from start to end where it leads over areas outside the board, and no space."""
        figure = self.shapes.figure
        line = LineString([start, end])
        gap = line.difference(shapely.union_all([self._polygon(code) for code in sorted(areas)]))
        passage = gap.buffer(CORRIDOR, cap_style="flat")
        spaces = (code for code in self.shapes.rings if code not in figure.offboard and code not in areas)
        if gap.is_empty or not figure.schematic or any(passage.intersects(self._polygon(code)) for code in spaces):
            return LineString()
        return gap.buffer(CORRIDOR)

    def _polygon_of(self, code: Code) -> BaseGeometry:
        outer, *holes = self.shapes.rings[code]
        return Polygon(outer, holes).buffer(0)

    @cached_property
    def _islands(self) -> BaseGeometry:
        rings = (Polygon(ring) for ring in self.shapes.decorations("island"))
        return shapely.union_all([ring.buffer(0) for ring in rings if ring.area > OBSTACLE])


def _is_connected(one: BaseGeometry, other: BaseGeometry) -> bool:
    """Tell whether two areas share more than a point."""
    return bool(one.intersection(other).length > 0 or one.intersection(other).area > 0)


def _routes(region: BaseGeometry, start: Spot, end: Spot) -> Iterator[tuple[float, tuple[float, ...]]]:
    """Routes in a region, the plainest first, each with how much of it or of the way back lies elsewhere."""
    yield max(_strays(Bend.between(*ends), region) for ends in ((start, end), (end, start))), ()
    way = _way(region, start, end)
    if way is None:
        return
    band = LineString(_taut(region, way))
    for count in PLACES:
        cut = shapely.line_interpolate_point(band, np.linspace(0, 1, count + 2), normalized=True)
        places = [(float(x), float(y)) for x, y in np.round(shapely.get_coordinates(cut))]
        lines = [Route.through(there) for there in (places, places[::-1])]
        if _strays(lines[0], region) > STRAY and count < PLACES[-1]:
            continue
        numbers = tuple(number for place in places[1:-1] for number in place)
        for aside in ASIDES:
            yield max(_strays(line.beside(aside), region) for line in lines), (aside, *numbers)


def _strays(line: DrawableLine, region: BaseGeometry) -> float:
    """Return the length of a line outside a region, except for the part under the units at its ends."""
    whole = max(line.length, 1.0)
    share = min(DISC / 2 / whole, 0.3)
    count = max(12, round(whole / 10))
    spots = [line.at(share + (1 - 2 * share) * i / count) for i in range(count + 1)]
    return float(LineString(spots).difference(region).length)


def _way(region: BaseGeometry, start: Spot, end: Spot) -> list[Spot] | None:
    """Return a way through a region on a grid, which rather keeps clear of its border; None if there is none.

    A finer grid is tried where a way on a coarse one steps over a narrow inlet.
    """
    west, north, east, south = region.bounds
    side = max(FINEST, math.sqrt((east - west) * (south - north) / CELLS))
    best: tuple[float, list[Spot] | None] = (math.inf, None)
    for cell in (side, side / 2, side / 4):
        if cell >= FINEST / 2 and (way := _on_grid(region, start, end, cell)):
            strays = _strays(Route(tuple(way)), region)
            if strays <= STRAY:
                return way
            best = min(best, (strays, way))
    return best[1]


def _on_grid(region: BaseGeometry, start: Spot, end: Spot, cell: float) -> list[Spot] | None:
    west, north, east, south = region.bounds
    columns, rows = int((east - west) / cell) + 1, int((south - north) / cell) + 1
    xs, ys = np.meshgrid(west + (np.arange(columns) + 0.5) * cell, north + (np.arange(rows) + 0.5) * cell)
    shapely.prepare(region)
    inside = shapely.contains_xy(region, xs.ravel(), ys.ravel())
    numbers = np.flatnonzero(inside)
    if not len(numbers):
        return None
    spots = np.column_stack((xs.ravel()[numbers], ys.ravel()[numbers]))
    border = region.boundary
    shapely.prepare(border)
    room = shapely.distance(shapely.points(spots), border)
    price = np.zeros(columns * rows)
    price[numbers] = 1.0 + 2.0 * np.clip(1.0 - room / ROOMY, 0.0, 1.0) ** 2
    first, last = (int(numbers[np.argmin(np.hypot(*(spots - np.array(at)).T))]) for at in (start, end))
    goal = divmod(last, columns)
    steps = [(y, x, math.hypot(y, x)) for y in (-1, 0, 1) for x in (-1, 0, 1) if y or x]
    steps += [(y * v, x * w, math.sqrt(5)) for y, x in ((1, 2), (2, 1)) for v in (-1, 1) for w in (-1, 1)]
    costs: list[float] = price.tolist()
    queue, came, best = [(0.0, 0.0, first)], {first: first}, {first: 0.0}
    done: set[int] = set()
    while queue:
        _, cost, here = heappop(queue)
        if here in done:
            continue
        if here == last:
            break
        done.add(here)
        row, column = divmod(here, columns)
        for dy, dx, far in steps:
            y, x = row + dy, column + dx
            if not (0 <= y < rows and 0 <= x < columns):
                continue
            there = y * columns + x
            # a knight's step may not jump over what lies between
            between = (row + dy // 2) * columns + column + (dx + 1) // 2 if far > 2 else there
            if not costs[there] or not costs[between]:
                continue
            reached = cost + far * (costs[here] + costs[there]) / 2
            if reached < best.get(there, math.inf):
                best[there], came[there] = reached, here
                heappush(queue, (reached + math.hypot(y - goal[0], x - goal[1]), reached, there))
    else:
        return None
    way = [end]
    here = last
    while here != first:
        here = came[here]
        way.append((float(xs.flat[here]), float(ys.flat[here])))
    return [start, *way[::-1][1:]] if len(way) > 1 else [start, end]


def _taut(region: BaseGeometry, way: Sequence[Spot]) -> RoutePoints:
    """Return the way as a band drawn taut, and then smoothed, as far as the border lets it."""
    border = region.boundary
    # the area under the units at both ends is free, wherever they stand
    region = shapely.union_all([region, *(shapely.Point(way[i]).buffer(DISC / 2) for i in (0, -1))])
    shapely.prepare(region)
    shapely.prepare(border)
    line = LineString(way)
    for count in COARSE:
        band = shapely.get_coordinates(line.interpolate(np.linspace(0, 1, count + 1), normalized=True))
        if _pieces_inside(region, band):
            break
    else:
        band = shapely.get_coordinates(shapely.segmentize(line, FINE))
    _relax(region, border, band, TAUT, 30)
    while (pieces := np.hypot(*np.diff(band, axis=0).T)).max() > FINE:
        long = np.flatnonzero(pieces > FINE)
        band = np.insert(band, long + 1, (band[long] + band[long + 1]) / 2, axis=0)
        _relax(region, border, band, TAUT, 30)
    _relax(region, border, band, SMOOTH, 12)
    return np.asarray(band)


def _pieces_inside(region: BaseGeometry, band: RoutePoints) -> bool:
    pieces = shapely.linestrings(np.stack((band[:-1], band[1:]), axis=1))
    return bool(shapely.covers(region, pieces).all())


def _relax(region: BaseGeometry, border: BaseGeometry, band: RoutePoints, least: float, times: int) -> None:
    """Draw each place of a band towards the middle of its neighbours, unless that brings it too near to the border."""
    for turn in range(2 * times):
        inner = np.arange(1 + turn % 2, len(band) - 1, 2)
        if not len(inner):
            continue
        before, after = band[inner - 1], band[inner + 1]
        moved = (before + after) / 2
        room = shapely.distance(shapely.points(band[inner]), border)
        better = shapely.distance(shapely.points(moved), border)
        free = shapely.covers(region, shapely.linestrings(np.stack((before, moved, after), axis=1)))
        good = free & shapely.contains_xy(region, moved) & ((better >= least) | (better >= room))
        band[inner[good]] = moved[good]
