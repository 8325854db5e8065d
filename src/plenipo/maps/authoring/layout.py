"""A figure for a board without one: its contacts laid out as a tidy graph, each place of the graph made an area.

Unless seats are given, the graph is drawn in the plane without crossings as far as possible, and then its places are
moved so that their distances agree with the steps between them (stress majorisation); a graph that is mostly not
planar is put on a ring. Seats of some places turn, mirror and move that drawing; if half of all places have one, these
stand there and the others between them. Each contact is a road between two places: straight where no other road or
place is in the way, else round them where there is room. The points nearest to a place and its half of the roads are
its area, so that two areas border where units pass between them. Points far from every road are no part of the board:
round it is water, and its borders waver as a hand draws them. Contacts that find no road, and areas that touch and are
not in contact, have annotations, as on every map.

The same board always gives the same figure, and every board has one: places that are too near are moved apart, and
places that cannot have roads are areas by themselves, with the contacts as lines between them.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import chain, count, pairwise, product

import networkx as nx
import numpy as np
import shapely
from networkx.algorithms.planar_drawing import triangulate_embedding
from numpy.typing import NDArray
from shapely import GEOSException, LineString, MultiPoint, Polygon, STRtree
from shapely import Point as Place
from shapely.geometry.polygon import orient

from plenipo.engine.board import Board, Code, Terrain
from plenipo.errors import InvalidFigure
from plenipo.maps.figure.curves import by_hand, smooth
from plenipo.maps.figure.planar import BEYOND, Arc, Figure, Point, node_name

__all__ = ["SCALE", "laid_out"]

SCALE = 3000
"""The distance between two places in contact, in units of the figure."""

REACH = 0.62
"""The extent of an area on a side without a neighbour, in contacts."""

STEP = 0.12
"""The distance between the points of a road, in contacts."""

WIDE = 0.45
"""The distance from every road at which a point is no longer part of the board."""

ROUNDS = 400
"""Number of rounds of the layout."""

APART = 0.3
"""The least distance between any two places, in contacts."""

TIMES = 300
"""Number of rounds of separation; from then on the other places make room as well."""

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

SWAY = 0.05
"""The sway of borders of land, as a share of each wave's length."""

WAVE = 0.7
"""The longest of those waves, in contacts."""

CROWD = 2
"""Seats that more spaces than this share say nothing."""

FLAT = 0.12
"""The least area of the triangle between three places, in squares of a contact."""

BEARINGS = {"NC": (0, 1), "SC": (0, -1), "EC": (1, 0), "WC": (-1, 0)}
"""Which way a coast of that name should lie from its place."""

Places = NDArray[np.float64]
Pair = tuple[int, int]
Road = tuple[Pair, Places]
"""Two places and the points of the way from the first to the second."""

Piece = tuple[Point, Point]
"""A straight piece of a border, from one point to another."""

BorderSides = dict[Piece, tuple[int, int]]
"""Each piece of a border, both ways, with the numbers of the areas on its left and on its right hand."""


def laid_out(board: Board, seats: Mapping[Code, tuple[float, float]] | None = None) -> Figure:
    """Return the figure of a board, every space a face, unless it is impassable and touches nothing.

    `seats` are where places are to stand, x east and y north, for all of them, some or none.
    """
    codes = sorted(code for code in board.spaces if board.borders.get(code) or not board.spaces[code].impassable)
    pairs = _pairs(board, codes)
    places = _place_spaces(board, codes, pairs, _told_apart(codes, seats or {}))
    roads = _draw_roads(places, pairs)
    for fewer in (roads, [road for road in roads if _length(road[1]) < 2 * SCALE], []):
        try:
            return _figure(board, codes, _areas(places, fewer))
        except (InvalidFigure, GEOSException):  # lines that nearly meet where a point is rounded
            continue
    return _figure(board, codes, _areas(_apart(places, 1.0), []))


def _told_apart(codes: Sequence[Code], seats: Mapping[Code, tuple[float, float]]) -> dict[int, tuple[float, float]]:
    """Return the seats by the numbers of the places, without those that a crowd of them shares."""
    often = Counter(seats.values())
    return {i: seats[code] for i, code in enumerate(codes) if code in seats and often[seats[code]] <= CROWD}


def _place_spaces(
    board: Board, codes: Sequence[Code], pairs: Sequence[Pair], seats: Mapping[int, tuple[float, float]]
) -> Places:
    """Place the spaces so that contacts are about `SCALE` long and no two places coincide."""
    if len(seats) == len(codes):
        places = np.array([seats[i] for i in range(len(codes))], dtype=float)
    else:
        places = _orient_places(board, codes, _lay_out(len(codes), pairs), seats)
        if 2 * len(seats) >= len(codes):
            places = _between(places, pairs, seats)
    roads = _list_uncrossed_pairs(places * (SCALE / _usual(places, pairs)), pairs)
    return _apart(places * (SCALE / _usual(places, roads or pairs)), APART)


def _usual(places: Places, pairs: Sequence[Pair]) -> float:
    """Return the usual length of a road; not 0."""
    lengths = [length for a, b in pairs if (length := math.dist(places[a], places[b]))]
    return float(np.median(lengths or [1.0]))


def _apart(places: Places, least: float) -> Places:
    """Return the places, those moved that come nearer to another than `least` contacts; as they are if none does."""
    if len(places) < 2:
        return places
    places, least = places.copy(), least * SCALE
    for turn in count():
        # a hair more than is asked for, so that rounding leaves it
        spots = shapely.points(places)
        near = STRtree(spots).query(spots, predicate="dwithin", distance=least * 0.999)
        close = sorted((int(i), int(j)) for i, j in near.T if i < j)
        if not close:
            return places
        if turn >= TIMES:
            places *= 1.05
        for i, j in close:
            along = places[j] - places[i]
            far = float(np.hypot(*along))
            # two pairs on one place are separated
            along = along / far if far > 1e-6 * SCALE else np.array([math.cos(2.4 * (i + j)), math.sin(2.4 * (i + j))])
            if far < least:
                places[j] += along * (least - far) / 2
                places[i] -= along * (least - far) / 2
    return places


def _pairs(board: Board, codes: Sequence[Code]) -> list[Pair]:
    """Return the spaces in contact for any unit, by their numbers."""
    number = {code: i for i, code in enumerate(codes)}
    near = {(number[a], number[b]) for a, tos in board.armies.items() for b in tos}
    near |= {(number[a.space], number[b.space]) for a, tos in board.fleets.items() for b in tos}
    return sorted({(min(pair), max(pair)) for pair in near})


# ---------------------------------------------------------------------- where places stand


def _between(places: Places, pairs: Sequence[Pair], seats: Mapping[int, tuple[float, float]]) -> Places:
    """Return the places, those with a seat on it, and the others in the middle of their contacts.

    One that no contacts join to any seat stays where it is.
    """
    near: dict[int, list[int]] = defaultdict(list)
    for a, b in pairs:
        near[a].append(b)
        near[b].append(a)
    held = set(seats) | {i for i in range(len(places)) if not near[i]}
    edge = sorted(held)
    joined = set(edge)
    while edge:
        edge = sorted({other for i in edge for other in near[i]} - joined)
        joined |= set(edge)
    held |= set(range(len(places))) - joined
    matrix, goal = np.eye(len(places)), places.copy()
    for i, seat in seats.items():
        goal[i] = seat
    for i in joined - held:
        matrix[i, near[i]] = -1.0 / len(near[i])
        goal[i] = 0.0
    return np.asarray(np.linalg.solve(matrix, goal), dtype=np.float64)


def _lay_out(count: int, pairs: Sequence[Pair]) -> Places:
    """Return places whose distances come as near as possible to the steps between them without crossing roads."""
    if count < 3:
        return np.array([[i, 0.0] for i in range(count)])
    if len(pairs) > max(3 * count - 6, count * (count - 1) / 4):
        return _ring(count)  # more than half of all pairs, and more than any drawing in the plane has room for
    steps = _steps(count, pairs)
    drawn = _relax_places(*_spread(count, pairs), steps)
    if _nearest(drawn) > APART:
        return drawn
    scaled = _relax_places(*_apply_classical_scaling(steps), steps)
    return max((drawn, scaled), key=lambda places: len(_list_uncrossed_pairs(_apart(places * SCALE, APART), pairs)))


def _ring(count: int) -> Places:
    """Return places on a circle, neighbours a contact apart, the first in the north and the others clockwise."""
    turns = math.tau * np.arange(count) / count
    return np.stack([np.sin(turns), np.cos(turns)], axis=1) / (2 * math.sin(math.pi / count))


def _nearest(places: Places) -> float:
    """Return the distance between the two nearest places."""
    apart = np.linalg.norm(places[:, None] - places[None, :], axis=2) + np.diag(np.full(len(places), np.inf))
    return float(apart.min(initial=math.inf))


def _apply_classical_scaling(steps: Places) -> tuple[Places, NDArray[np.int_]]:
    """Return places from all distances at once (classical scaling), ignoring crossings, and no triangles to be kept."""
    count = len(steps)
    centring = np.eye(count) - 1.0 / count
    values, vectors = np.linalg.eigh(centring @ steps**2 @ centring / -2)
    places = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 1e-9))
    # no two may begin on one place
    turn = np.arange(count) * 2.4
    return places / steps.max() * 2 + 0.02 * np.stack([np.cos(turn), np.sin(turn)], axis=1), np.zeros((0, 3), dtype=int)


def _relax_places(places: Places, triangles: NDArray[np.int_], steps: Places) -> Places:
    """Return the places moved towards the distances they should have, no triangle turned over."""
    count = len(places)
    weights = 1.0 / (steps + np.eye(count)) ** 2
    np.fill_diagonal(weights, 0.0)
    solved = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
    places = places * steps.max() / 2
    for _ in range(ROUNDS):
        apart = np.linalg.norm(places[:, None] - places[None, :], axis=2)
        ratio = np.divide(weights * steps, apart, out=np.zeros_like(apart), where=apart > 1e-9)
        wished = solved @ (ratio.sum(axis=1)[:, None] * places - ratio @ places)
        moved = (places + wished + places.mean(axis=0) - wished.mean(axis=0)) / 2
        # a place stays where it is if a triangle at it would turn over, or grow too flat
        least = np.minimum(FLAT, _areas_of(places, triangles))
        fixed = np.zeros(count, dtype=bool)
        while (flat := (_areas_of(moved, triangles) < least) & ~fixed[triangles].all(axis=1)).any():
            fixed[triangles[flat].ravel()] = True
            moved[fixed] = places[fixed]
        places = moved
    return places


def _spread(count: int, pairs: Sequence[Pair]) -> tuple[Places, NDArray[np.int_]]:
    """Return places from which no road crosses another, and the triangles between them, counter-clockwise.

    Roads that do not fit into a drawing in the plane are left aside. The longest ring of the drawing is put on a
    circle, and every other place in the middle of its neighbours (Tutte 1963).
    """
    graph = nx.empty_graph(count)
    graph.add_edges_from(pairs)
    planar, drawing = nx.check_planarity(graph)
    if not planar:
        graph = nx.empty_graph(count)
        # contacts of a map have neighbours in common; those that have none come last, as what spoils a drawing
        near: dict[int, set[int]] = defaultdict(set)
        for a, b in pairs:
            near[a].add(b)
            near[b].add(a)
        likely = sorted(pairs, key=lambda pair: (-len(near[pair[0]] & near[pair[1]]), pair))
        drawing = _with_what_fits(graph, likely) or nx.check_planarity(graph)[1]
    drawing, ring = triangulate_embedding(drawing, fully_triangulate=False)
    matrix, goal = np.eye(count), np.zeros((count, 2))
    for place in range(count):
        if place in ring:
            turn = math.tau * ring.index(place) / len(ring)
            goal[place] = math.cos(turn), math.sin(turn)
        else:
            others = list(drawing.neighbors(place))
            matrix[place, others] = -1.0 / len(others)
    places: Places = np.asarray(np.linalg.solve(matrix, goal), dtype=np.float64)
    walked: set[Pair] = set()
    faces = [drawing.traverse_face(a, b, walked) for a, b in drawing.edges() if (a, b) not in walked]
    triangles = np.array([face for face in faces if len(face) == 3 and set(face) != set(ring)] or [ring], dtype=int)
    if np.median(_areas_of(places, triangles)) < 0:
        triangles = triangles[:, ::-1]
    return places, triangles


def _with_what_fits(graph: nx.Graph, pairs: Sequence[Pair]) -> nx.PlanarEmbedding | None:
    """Add to a planar graph, in their order, those pairs with which it stays one; the last drawing, if any."""
    graph.add_edges_from(pairs)
    fits, drawing = nx.check_planarity(graph)
    if fits:
        return drawing
    graph.remove_edges_from(pairs)
    if len(pairs) == 1:
        return None
    half = len(pairs) // 2
    first, second = (_with_what_fits(graph, part) for part in (pairs[:half], pairs[half:]))
    return second or first


def _areas_of(places: Places, triangles: NDArray[np.int_]) -> Places:
    """Return the areas of triangles, negative where they run clockwise."""
    a, b, c = (places[triangles[:, i]] for i in range(3))
    return np.asarray(((b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])) / 2)


def _steps(count: int, pairs: Sequence[Pair]) -> Places:
    """Count the steps between any two places; between unconnected parts of the board a few more than in either."""
    steps = np.full((count, count), np.inf)
    np.fill_diagonal(steps, 0.0)
    for a, b in pairs:
        steps[a, b] = steps[b, a] = 1.0
    for middle in range(count):
        steps = np.minimum(steps, steps[:, middle, None] + steps[None, middle, :])
    joined = steps[np.isfinite(steps)]
    return np.where(np.isfinite(steps), steps, joined.max(initial=1.0) / 2 + 2)


def _orient_places(
    board: Board, codes: Sequence[Code], places: Places, seats: Mapping[int, tuple[float, float]]
) -> Places:
    """Return the places turned, mirrored and moved so that they lie as their seats do, as nearly as they can.

    With fewer than two seats, with the long side from west to east, and mirrored so that named coasts lie the way they
    are named.
    """
    number = {code: i for i, code in enumerate(codes)}

    def fit(turned: Places) -> float:
        return sum(
            float(np.dot(turned[number[to.space]] - turned[number[at.space]], BEARINGS[at.coast]))
            for at, tos in board.fleets.items()
            if at.coast in BEARINGS
            for to in tos
        )

    if len(seats) > 1:
        # those that fit the seats equally well, as if these lie on a line, are distinguished by the coasts
        found = [_fit_to_seats(places * np.array([sign, 1.0]), seats) for sign in (1.0, -1.0)]
        least = min(error for error, _ in found)
        return max((turned for error, turned in found if error <= least + 1e-6 * (1 + least)), key=fit)
    places = places - places.mean(axis=0)
    _, vectors = np.linalg.eigh(places.T @ places)
    places = places @ vectors[:, ::-1]
    return max((places * np.array(signs) for signs in product((1.0, -1.0), repeat=2)), key=fit)


def _fit_to_seats(places: Places, seats: Mapping[int, tuple[float, float]]) -> tuple[float, Places]:
    """Return the places turned, scaled and moved so that those with a seat come nearest to it, and the distance.

    In the complex plane this is one factor and one sum.
    """
    own = places[:, 0] + 1j * places[:, 1]
    numbers = list(seats)
    goal = np.array([complex(*seats[i]) for i in numbers])
    here, there = own[numbers] - own[numbers].mean(), goal - goal.mean()
    factor = np.vdot(here, there) / (np.vdot(here, here).real or 1.0)
    factor = factor if abs(factor) > 1e-9 else 1.0
    turned = (own - own[numbers].mean()) * factor + goal.mean()
    error = float(np.sum(np.abs(turned[numbers] - goal) ** 2))
    return error, np.stack([turned.real, turned.imag], axis=1)


def _list_uncrossed_pairs(places: Places, pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs whose straight roads cross no other, those that cross most left out first."""
    if not pairs:
        return []
    lines = [LineString([places[a], places[b]]) for a, b in pairs]
    crossing: dict[int, set[int]] = defaultdict(set)
    for i, j in STRtree(lines).query(lines, predicate="crosses").T:
        crossing[int(i)].add(int(j))
        crossing[int(j)].add(int(i))
    # a road through a third place is no road either
    dots = STRtree([Place(*place) for place in places])
    through = {
        i
        for i, line in enumerate(lines)
        if any(int(k) not in pairs[i] for k in dots.query(line, predicate="dwithin", distance=SCALE * STEP))
    }
    out = set(through)
    while True:
        left = {i: crossing[i] - out for i in crossing if i not in out}
        worst = max(left, key=lambda i: (len(left[i]), lines[i].length, i), default=None)
        if worst is None or not left[worst]:
            break
        out.add(worst)
    return [pair for i, pair in enumerate(pairs) if i not in out]


# ---------------------------------------------------------------------- roads


def _draw_roads(places: Places, pairs: Sequence[Pair]) -> list[Road]:
    """Return the roads between places, none across another.

    A road that is not straight goes round others. Roads that many contacts without a road would run across are left
    out, so that there is a gap for these.
    """
    straight = _list_uncrossed_pairs(places, pairs)
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


def _length(way: Places) -> float:
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
        for at, owner in _dots_along(road):
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
        return way if _length(way) <= most else None


def _dots_along(road: Road) -> list[tuple[tuple[float, float], int]]:
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


# ---------------------------------------------------------------------- areas


def _areas(places: Places, roads: Sequence[Road]) -> BorderSides:
    """Return the borders between areas, numbered like the places; parts of the plane outside areas have -1 and less.

    The part round them all is -1.
    """
    lines = [LineString(way) for _, way in roads]
    rings = list(shapely.get_parts(shapely.polygonize(shapely.get_parts(shapely.union_all(lines))))) if lines else []
    whole = shapely.union_all([*lines, *rings, *(Place(*place) for place in places)])
    land = whole.buffer((REACH + 1) * SCALE).buffer(-SCALE).difference(_gaps(places, lines, rings))
    land = shapely.set_precision(land.simplify(STEP * SCALE / 4), 1)
    dots, whose = _dots(places, roads)
    walls = shapely.voronoi_polygons(MultiPoint(dots), extend_to=land.buffer(SCALE), only_edges=True)
    drawn = shapely.union_all([walls.intersection(land), land.boundary], grid_size=1)
    faces = [orient(face) for face in shapely.get_parts(shapely.polygonize(shapely.get_parts(drawn)))]
    nearest = STRtree([Place(*dot) for dot in dots])
    empty = count(-2, -1)
    inner = (face.representative_point() for face in faces)
    owners = [whose[int(nearest.nearest(at))] if land.contains(at) else next(empty) for at in inner]
    left = {
        piece: i
        for i, face in enumerate(faces)
        for ring in (face.exterior, *face.interiors)
        for piece in pairwise((round(x), round(y)) for x, y in ring.coords)
    }
    seats = STRtree(faces).query([Place(*place) for place in places], predicate="intersects").T
    owners = _in_one_piece(owners, left, {int(i): int(face) for i, face in seats})
    sides = {(q, p): -1 for p, q in left} | {piece: owners[i] for piece, i in left.items()}
    return {(p, q): (side, sides[q, p]) for (p, q), side in sides.items() if side != sides[q, p]}


def _gaps(places: Places, roads: Sequence[LineString], rings: Sequence[Polygon]) -> Polygon:
    """Return the parts inside rings of more than three places that are far from every road."""
    spots = {(float(x), float(y)) for x, y in places}
    lines = [*roads, *(Place(*place) for place in places)]
    tree, holes = STRtree(lines), []
    for ring in rings:
        if len(spots.intersection(ring.exterior.coords)) > 3:
            near = tree.query(ring, predicate="intersects")
            hole = ring.difference(shapely.union_all([lines[int(i)].buffer(WIDE * SCALE) for i in near]))
            if hole.area > (WIDE * SCALE) ** 2:
                holes.append(hole.buffer(WIDE * SCALE / 3))
    return shapely.union_all(holes)


def _dots(places: Places, roads: Sequence[Road]) -> tuple[list[tuple[float, float]], list[int]]:
    """Return points at every place and along its half of each road, and the number of the place of each."""
    along = [dot for road in roads for dot in _dots_along(road)]
    here = [(float(x), float(y)) for x, y in places]
    return [*here, *(at for at, _ in along)], [*range(len(places)), *(owner for _, owner in along)]


def _in_one_piece(owners: Sequence[int], left: Mapping[Piece, int], seats: Mapping[int, int]) -> list[int]:
    """Return the owner of every face: its place and the faces joined to it; others go to their most frequent neighbour.

    `seats` has the face at each place.
    """
    owners = list(owners)
    beside: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for (p, q), face in left.items():
        if (other := left.get((q, p))) is not None:
            beside[face][other] += math.dist(p, q)
    joined: set[int] = set()
    for number, face in seats.items():
        owners[face] = number
    edge = sorted(seats.values())
    while edge:
        joined.update(edge)
        edge = sorted({o for f in edge for o in beside[f] if o not in joined and owners[o] == owners[f]})
    for face, owner in enumerate(owners):
        if owner >= 0 and face not in joined:
            lengths: dict[int, float] = defaultdict(float)
            for other, length in beside[face].items():
                if other in joined:
                    lengths[owners[other]] += length
            owners[face] = max(lengths, key=lambda o: lengths[o], default=owner)
    return owners


# ---------------------------------------------------------------------- the figure


def _figure(board: Board, codes: Sequence[Code], borders: BorderSides) -> Figure:
    empty = sorted({side for sides in borders.values() for side in sides if side < 0}, reverse=True)
    name_of = dict(enumerate(codes)) | {side: Code(f"{_free_name(codes)} {-side}") for side in {-1, *empty}}
    around: dict[Point, list[Point]] = defaultdict(list)
    for p, q in borders:
        around[p].append(q)
    meeting: dict[Point, set[Code]] = defaultdict(set)
    for (p, q), sides in borders.items():
        for at in (p, q):
            meeting[at].update(name_of[side] for side in sides)
    lines = [*_chains(around)]
    seas = {code for code in codes if board.spaces[code].terrain is Terrain.SEA}
    shores = [not seas.issuperset(name_of[side] for side in borders[line[0], line[1]]) for line in lines]
    between = [borders[line[0], line[1]] for line in lines]
    lines = _soften(lines, shores)
    xs, ys = ([point[i] for point in meeting] for i in (0, 1))
    pad = SCALE // 4
    west, south, east, north = min(xs) - pad, min(ys) - pad, max(xs) + pad, max(ys) + pad
    corners = [(west, south), (west, north), (east, north), (east, south)]
    outside = name_of[-1]
    names: dict[Point, str] = {}
    times: Counter[str] = Counter()
    for point in (*corners, *sorted({end for line in lines for end in (line[0], line[-1])})):
        bare = node_name(meeting[point] or {BEYOND, outside})
        times[bare] += 1
        names[point] = f"{bare}:{times[bare]}"
    arcs = [
        Arc(names[line[0]], names[line[-1]], line[1:-1], *(name_of[side] for side in sides))
        for line, sides in zip(lines, between, strict=True)
    ]
    # clockwise round the frame, so that the board lies on the right
    arcs += [Arc(names[a], names[b], (), BEYOND, outside) for a, b in pairwise((*corners, corners[0]))]
    return Figure(
        title=board.name,
        frame=(west, south, east, north),
        nodes={name: point for point, name in names.items()},
        arcs=tuple(arcs),
        seas=frozenset(seas | {outside}),
        impassable={code: "nobody passes" for code in codes if board.spaces[code].impassable},
        offboard={name_of[side]: "no part of the board" for side in {-1, *empty}},
        schematic=True,
    ).check()


def _soften(lines: Sequence[tuple[Point, ...]], shores: Sequence[bool]) -> list[tuple[Point, ...]]:
    """Return the borders as a hand draws them, those of land wavering; one that would meet another stays as it is."""
    softened = []
    for number, (line, shore) in enumerate(zip(lines, shores, strict=True)):
        closed = line[0] == line[-1]
        bends = [(x, y) for x, y in LineString(line).simplify(STEP * SCALE / 2).coords]
        curve = smooth(bends, STEP * SCALE / 2, closed=closed)
        if shore:
            curve = by_hand(curve, str(number), SWAY, longest=WAVE * SCALE, step=STEP * SCALE / 2)
        points = [line[0], *((round(x), round(y)) for x, y in curve[1:-1]), line[-1]]
        softened.append(tuple(point for point, before in zip(points, [None, *points], strict=False) if point != before))
    own = set(range(len(lines)))
    while True:
        drawn = [LineString(softened[i] if i in own else lines[i]) for i in range(len(lines))]
        ends = [MultiPoint([line[0], line[-1]]) for line in lines]
        faulty = {i for i in own if not drawn[i].is_simple}
        for i, j in STRtree(drawn).query(drawn, predicate="intersects").T:
            if i < j and not ends[i].intersection(ends[j]).covers(drawn[i].intersection(drawn[j])):
                faulty |= {int(i), int(j)} & own
        if not faulty:
            return [softened[i] if i in own else lines[i] for i in range(len(lines))]
        own -= faulty


def _free_name(codes: Iterable[Code]) -> str:
    """Return a code for faces outside the board that is no prefix of a code of the board."""
    stems = {code.partition(" ")[0] for code in codes}
    return next(word for word in map("OFF{}".format, chain([""], count(1))) if word not in stems)


def _chains(around: Mapping[Point, Sequence[Point]]) -> Iterator[tuple[Point, ...]]:
    """Yield the borders from node to node, each once; a node is where not two pieces meet; a ring has one."""
    nodes = {point for point, ends in around.items() if len(ends) != 2}
    walked: set[Piece] = set()
    for start in (*sorted(nodes), *sorted(around.keys() - nodes)):
        for first in around[start]:
            if (start, first) not in walked:
                line = [start, first]
                while line[-1] not in nodes and line[-1] != start:
                    line.append(next(to for to in around[line[-1]] if to != line[-2]))
                walked.update(pairwise(line))
                walked.update(pairwise(line[::-1]))
                yield tuple(line)
