"""Routes of moves: through the areas they leave and enter and over the border between them.

A figure's placements bring the routes that were found with them; others, on a board that has changed, are searched for
when they are drawn, and remembered.
"""

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, TypeVar, cast

from plenipo.engine.board import Board, Code, Location
from plenipo.maps.draw.arrows import Bend, DrawableLine, Route, Spot, first_inside, last_inside
from plenipo.maps.draw.paths import Plane, Shapes
from plenipo.maps.figure.planar import Figure, codes_of
from plenipo.maps.lettering.placements import Placements, RoutePlacement, point_of

if TYPE_CHECKING:
    from plenipo.maps.draw.route_search import RouteSearch

__all__ = ["Routes", "pairs_on", "with_routes"]


T = TypeVar("T")

KEPT = 4096
"""Number of orders whose drawings are cached: those of some games at once."""

BOARDS = 256
"""Number of boards that are known by a number."""

SAMPLE = 8.0
"""The distance between the points at which a support is checked for straying, in pips."""


def pairs_on(board: Board) -> tuple[tuple[Location, Location], ...]:
    """Return the pairs of locations between which some unit may move, each in order."""
    armies = ((Location(a), Location(b)) for a, others in board.armies.items() for b in others)
    fleets = ((a, b) for a, others in board.fleets.items() for b in others)
    return tuple(sorted({(min(pair), max(pair)) for pair in (*armies, *fleets)}))


def with_routes(figure: Figure, boards: Iterable[Board], placements: Placements) -> Placements:
    """Add the route of every single move on some boards of a figure to the placements; takes seconds per board."""
    plain = replace(placements, routes={})
    lines: dict[tuple[Location, Location], RoutePlacement] = {}
    for board in boards:
        corners = any(space.corner for space in board.spaces.values())
        there = plain.with_corners() if corners else plain
        routes = Routes(Shapes(figure, Plane.of(figure, there.unit)), there)
        lines |= {ends: routes.searched(*ends) for ends in pairs_on(board) if ends not in lines}
    return replace(placements, routes=lines)


class Routes:
    """The lines of single moves on one figure; the same move always has the same line."""

    def __init__(self, shapes: Shapes, placements: Placements) -> None:
        self.shapes, self.placements = shapes, placements
        self.between = lru_cache(maxsize=4096)(self._between)
        self.searched = lru_cache(maxsize=4096)(self._search_route)
        self.trimmed = lru_cache(maxsize=8192)(_trim_line)
        self.crossing = lru_cache(maxsize=8192)(self._crossing)
        self.areas = lru_cache(maxsize=1024)(self._areas)
        self.strays = lru_cache(maxsize=32768)(self._strays)
        self.spots: dict[Location, Spot] = {
            location: shapes.plane.at(point) for location, point in placements.units.items()
        }
        """The place of a unit in each location that has a placement of its own, in pips."""
        self.unit_spaces = frozenset(location.space for location in placements.units)
        """The spaces in which a unit could stand."""
        self._numbers = count()
        self.number_of = lru_cache(maxsize=BOARDS)(lambda _: next(self._numbers))
        """Return a number that stands for a board in the keys of drawings, so that no drawing hashes the board."""
        self._remembered: OrderedDict[Hashable, object] = OrderedDict()
        self._lock = Lock()

    def get_or_compute(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the result of `make`, cached under a key that identifies all of its inputs."""
        with self._lock:
            if key in self._remembered:
                self._remembered.move_to_end(key)
                return cast("T", self._remembered[key])
        value = make()
        with self._lock:
            self._remembered[key] = value
            if len(self._remembered) > KEPT:
                self._remembered.popitem(last=False)
        return value

    def _between(self, a: Location, b: Location, start: Spot, end: Spot) -> DrawableLine:
        """Return the line of a move from `start` to `end`, where the unit in `a` stands and one in `b` would."""
        first, last = sorted((a, b))
        route = self.placements.routes.get((first, last)) or self.searched(first, last)
        if not route.places:
            return Bend.between(start, end)
        places = [self.shapes.plane.at(place) for place in (route.places if a == first else route.places[::-1])]
        return Route.through([start, *places, end]).beside(self.shapes.plane.size(route.aside))

    def is_known(self, a: Location, b: Location) -> bool:
        """Tell whether the route between two locations is known without a search."""
        return (min(a, b), max(a, b)) in self.placements.routes

    def _search_route(self, a: Location, b: Location) -> RoutePlacement:
        """Return the route between two locations, searched for."""
        areas, others = self.areas(a.space), self.areas(b.space)
        if not areas or not others:
            return RoutePlacement()
        plane, units = self.shapes.plane, self.placements.units
        start, end = (plane.at(point_of(units, location)) for location in (a, b))
        aside, *numbers = self._search.route(areas, others, start, end) or (0.0,)
        places = zip(numbers[::2], numbers[1::2], strict=True)
        return RoutePlacement(tuple(plane.back(place) for place in places), round(aside / plane.scale))

    @cached_property
    def _search(self) -> "RouteSearch":
        from plenipo.maps.draw.route_search import RouteSearch  # noqa: PLC0415  # brings numpy and shapely

        return RouteSearch(self.shapes)

    def _areas(self, code: Code) -> frozenset[Code]:
        """Return the areas a unit in a space is in: one, or those round a corner."""
        if code in self.shapes.rings:
            return frozenset({code})
        point = self.placements.corners.get(code)
        nodes = (name for name, at in self.shapes.figure.nodes.items() if at == point)
        return frozenset(area for name in nodes for area in codes_of(name) if area in self.shapes.rings)

    def _crossing(self, line: DrawableLine, here: Code, to: Code) -> float | None:
        """Return the share of a line at which it enters the area `to` after it was in `here` for the last time.

        None if it does not enter it; one of them may be a corner, which has no area.
        """
        if to not in self.shapes.rings:
            return None
        left = last_inside(line, lambda spot: self.shapes.holds(here, spot)) if here in self.shapes.rings else 0.0
        return first_inside(line, lambda spot: self.shapes.holds(to, spot), left or 0.0)

    def _strays(self, start: Spot, end: Spot, areas: tuple[Code, ...]) -> float:
        """Return the length of the straight line between two places outside some areas."""
        pieces = max(2, round(math.dist(start, end) / SAMPLE))
        spots = [_between(start, end, i / pieces) for i in range(1, pieces)]
        outside = sum(not any(self.shapes.holds(code, spot) for code in areas) for spot in spots)
        return outside * SAMPLE


def _between(start: Spot, end: Spot, share: float) -> Spot:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _trim_line(line: DrawableLine, start: float, end: float) -> DrawableLine:
    """Return the line without the parts too near to its two ends, but never less than a tenth of it."""
    spots = line.along(6, least=24)
    pieces = len(spots) - 1
    low = next((i for i, spot in enumerate(spots) if math.dist(spot, spots[0]) >= start), pieces) / pieces
    high = next((i for i in range(pieces, -1, -1) if math.dist(spots[i], spots[-1]) >= end), 0) / pieces
    if high - low < 0.1:
        middle = min(max((low + high) / 2, 0.1), 0.9)
        low, high = middle - 0.05, middle + 0.05
    return line.part(low, high)
