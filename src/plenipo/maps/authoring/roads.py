"""Roads between the places of a board without a figure: a contact is a road, and no road crosses another.

A road is straight where no other road or place is in the way, else it goes round them where there is room; a contact
without room has none.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush

import numpy as np
import shapely
from shapely import LineString, MultiPoint, STRtree

from plenipo.maps.authoring.places import SCALE, STEP, Pair, Places, list_uncrossed_pairs

__all__ = ["Road", "dots_along", "draw_roads", "length_of"]

CROSSED = 3
"""A road that so many others would run across is no border: there is a gap, and all of them run over it."""

DETOUR = 2.5
"""The greatest length of a road that goes round others, in lengths of the straight one."""

SHORTEST = 1.2
"""A road may be as long as this in any case, in contacts."""

LONGEST = 5.0
"""The length of the longest road that goes round others, in contacts."""

ROOM = 0.16
"""The least distance between two roads that a third one passes, in contacts."""

Road = tuple[Pair, Places]
"""Two places and the points of the way from the first to the second."""


def draw_roads(places: Places, pairs: Sequence[Pair]) -> list[Road]:
    """Return the roads between places, none across another.

    A road that is not straight goes round others. Roads that many contacts without a road would run across are left
    out, so that there is a gap for these.
    """
    straight = list_uncrossed_pairs(places, pairs)
    roads: list[Road] = [(pair, places[list(pair)]) for pair in straight]
    known = set(straight)
    left = sorted((math.dist(*places[list(pair)]), pair) for pair in pairs if pair not in known)
    dots = _Dots(places, roads)
    for _, pair in left:
        way = dots.find_way(pair)
        if way is not None:
            roads.append((pair, way))
            dots.add((pair, way))
    known = {pair for pair, _ in roads}
    return _without_crossed(roads, [LineString(places[list(pair)]) for pair in pairs if pair not in known])


def _without_crossed(roads: Sequence[Road], others: Sequence[LineString]) -> list[Road]:
    """Return the roads without those that `CROSSED` of the others run across; such a road is one of the others then."""
    lines = [LineString(way) for _, way in roads]
    straight = [LineString([way[0], way[-1]]) for _, way in roads]
    out: set[int] = set()
    across = [0] * len(roads)

    def cross(other: LineString) -> None:
        for i in tree.query(other, predicate="crosses"):
            across[int(i)] += 1

    tree = STRtree(lines)
    for other in others:
        cross(other)
    while True:
        worst = max((i for i in range(len(roads)) if i not in out), key=lambda i: (across[i], i), default=None)
        if worst is None or across[worst] < CROSSED:
            return [road for i, road in enumerate(roads) if i not in out]
        out.add(worst)
        cross(straight[worst])


def length_of(way: Places) -> float:
    """Return the length of a way."""
    return float(np.hypot(*np.diff(way, axis=0).T).sum())


class _Dots:
    """The places and points along all roads so far, in which ways for further roads are sought."""

    def __init__(self, places: Places, roads: Iterable[Road]) -> None:
        self.places, self.count = places, len(places)
        self.dots: list[tuple[float, float]] = [(float(x), float(y)) for x, y in places]
        self.owner = list(range(len(places)))
        self.joined: set[Pair] = set()
        """The numbers of dots that follow each other on a road."""
        self.lines: list[LineString] = []
        for road in roads:
            self.add(road)

    def add(self, road: Road) -> None:
        """Add the points of a road."""
        (start, end), way = road
        before = start
        for at, owner in dots_along(road):
            number = len(self.dots)
            self.dots.append(at)
            self.owner.append(owner)
            self.joined.add((min(before, number), max(before, number)))
            before = number
        self.joined.add((min(before, end), max(before, end)))
        self.lines.append(LineString(way))

    def find_way(self, pair: Pair) -> Places | None:
        """Return a way between two places that crosses no road and passes no place; None if there is no room."""
        start, end = self.places[pair[0]], self.places[pair[1]]
        far = math.dist(start, end)
        if far > LONGEST * SCALE:
            return None
        most = min(max(DETOUR * far, SHORTEST * SCALE), LONGEST * SCALE)
        spots = np.array(self.dots)
        # all points from which both ends are within the longest way, and some more around them
        near = np.hypot(*(spots - start).T) + np.hypot(*(spots - end).T) < most + SCALE / 2
        numbers = np.nonzero(near)[0]
        free = self._free_spots(spots[numbers])
        known = {self.dots[int(number)]: int(number) for number in numbers}
        known |= {(x, y): -1 - i for i, (x, y) in enumerate(free.tolist())}
        both = MultiPoint(np.concatenate([spots[numbers], free]))
        corners = shapely.get_coordinates(shapely.delaunay_triangles(both)).reshape(-1, 4, 2)
        triangles = [[known[x, y] for x, y in four[:3].tolist()] for four in corners]
        at = {number: spot for spot, number in known.items()}
        way = self._cross_gates(pair, triangles, at, most)
        if way is None:
            return None
        line = LineString(way)
        ends = MultiPoint([start, end]).buffer(1)
        rest = line.difference(ends)
        return None if not line.is_simple or any(rest.intersects(other) for other in self.lines) else way

    @staticmethod
    def _free_spots(spots: Places) -> Places:
        """Return points of a lattice round and between some that are far from all of them."""
        step = SCALE / 2
        (west, south), (east, north) = spots.min(axis=0), spots.max(axis=0)
        xs, ys = (np.arange(low - 2 * step, high + 2.5 * step, step) for low, high in ((west, east), (south, north)))
        lattice = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        away = np.hypot(*(lattice[:, None] - spots[None]).transpose(2, 0, 1)).min(axis=1)
        return np.asarray(lattice[away > step])

    def _cross_gates(
        self, pair: Pair, triangles: Sequence[Sequence[int]], at: Mapping[int, tuple[float, float]], most: float
    ) -> Places | None:
        """Return the shortest way through the middles of the sides of triangles that are no road and wide enough.

        `at` are the corners of the triangles; those with negative numbers belong to no road.
        """
        sides_of = [
            [(min(a, b), max(a, b)) for a, b in ((three[0], three[1]), (three[1], three[2]), (three[2], three[0]))]
            for three in triangles
        ]
        beside: dict[Pair, list[int]] = defaultdict(list)
        for i, sides in enumerate(sides_of):
            for side in sides:
                beside[side].append(i)

        def gate(side: Pair) -> tuple[float, float, float] | None:
            """Return the middle of a side and how costly a step to it is."""
            if side in self.joined or set(side) & set(pair):
                return None
            (ax, ay), (bx, by) = at[side[0]], at[side[1]]
            wide = math.hypot(bx - ax, by - ay) / SCALE
            # two points of one of the places leave all room between them to it
            owners = {self.owner[number] if number >= 0 else -1 for number in side}
            own = len(owners) == 1 and owners <= set(pair)
            if wide < ROOM and not own:
                return None
            return (ax + bx) / 2, (ay + by) / 2, 1 + (0 if own else 0.3 / wide)

        gates = {side: gate(side) for side in beside}
        best: dict[Pair, float] = {}
        came: dict[Pair, Pair | None] = {}
        queue: list[tuple[float, Pair, int]] = []

        def offer(side: Pair, cost: float, triangle: int, before: Pair | None) -> None:
            if cost < best.get(side, math.inf):
                best[side], came[side] = cost, before
                heappush(queue, (cost, side, triangle))

        start, end = pair
        for i, three in enumerate(triangles):
            if start in three:
                for side in sides_of[i]:
                    if (spot := gates[side]) is not None:
                        offer(side, math.dist(self.dots[start], spot[:2]) * spot[2], i, None)
        goal: Pair | None = None
        done: set[Pair] = set()
        while queue:
            cost, side, triangle = heappop(queue)
            if side in done:
                continue
            done.add(side)
            here = gates[side]
            across = next((i for i in beside[side] if i != triangle), None)
            if across is None or here is None:
                continue
            if end in triangles[across]:
                goal = side
                break
            for other in sides_of[across]:
                if other != side and (spot := gates[other]) is not None:
                    offer(other, cost + math.dist(here[:2], spot[:2]) * spot[2], across, side)
        if goal is None:
            return None
        spots = [self.dots[end]]
        step: Pair | None = goal
        while step is not None:
            spot = gates[step]
            if spot is not None:
                spots.append(spot[:2])
            step = came[step]
        way = np.array([*spots, self.dots[start]])[::-1]
        return way if length_of(way) <= most else None


def dots_along(road: Road) -> list[tuple[tuple[float, float], int]]:
    """Return the points along a road between its two places, each with the place whose half it lies in."""
    (start, end), way = road
    line = LineString(way)
    finer = 1 if len(way) == 2 else 2  # a bent road leads through narrow places
    half = max(2, math.ceil(finer * line.length / SCALE / STEP / 2))
    dots = []
    for k in range(1, 2 * half):
        # the middle lies halfway between two points
        at = line.interpolate((k - 0.5) / (2 * half - 1), normalized=True)
        dots.append(((float(at.x), float(at.y)), start if k <= half - 0.5 else end))
    return dots
