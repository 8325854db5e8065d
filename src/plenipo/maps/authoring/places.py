"""Places for the spaces of a board without a figure: its contacts laid out as a tidy graph.

Unless seats are given, the graph is drawn in the plane without crossings as far as possible, and then its places are
moved so that their distances agree with the steps between them (stress majorisation); a graph that is mostly not
planar is put on a ring. Seats of some places turn, mirror and move that drawing; if half of all places have one, these
stand there and the others between them. Places that are too near are moved apart.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import count, product

import networkx as nx
import numpy as np
import shapely
from networkx.algorithms.planar_drawing import triangulate_embedding
from numpy.typing import NDArray
from shapely import LineString, STRtree
from shapely import Point as Place

from plenipo.engine.board import Board, Code

__all__ = ["SCALE", "STEP", "Pair", "Places", "list_pairs", "list_uncrossed_pairs", "place_spaces", "separate"]

SCALE = 3000
"""The distance between two places in contact, in units of the figure."""

STEP = 0.12
"""The distance between the points of a road, in contacts."""

ROUNDS = 400
"""Number of rounds of the layout."""

APART = 0.3
"""The least distance between any two places, in contacts."""

TIMES = 300
"""Number of rounds of separation; from then on the other places make room as well."""

CROWD = 2
"""Seats that more spaces than this share say nothing."""

FLAT = 0.12
"""The least area of the triangle between three places, in squares of a contact."""

BEARINGS = {"NC": (0, 1), "SC": (0, -1), "EC": (1, 0), "WC": (-1, 0)}
"""Which way a coast of that name should lie from its place."""

Places = NDArray[np.float64]
"""Points of the plane, each x east and y north, in units of the figure unless stated."""

Pair = tuple[int, int]
"""The numbers of two places, the smaller first."""


def _tell_apart(codes: Sequence[Code], seats: Mapping[Code, tuple[float, float]]) -> dict[int, tuple[float, float]]:
    """Return the seats by the numbers of the places, without those that a crowd of them shares."""
    often = Counter(seats.values())
    return {i: seats[code] for i, code in enumerate(codes) if code in seats and often[seats[code]] <= CROWD}


def place_spaces(
    board: Board, codes: Sequence[Code], pairs: Sequence[Pair], seats: Mapping[Code, tuple[float, float]]
) -> Places:
    """Place the spaces so that contacts are about `SCALE` long and no two places coincide."""
    own = _tell_apart(codes, seats)
    if len(own) == len(codes):
        places = np.array([own[i] for i in range(len(codes))], dtype=float)
    else:
        places = _orient_places(board, codes, _lay_out(len(codes), pairs), own)
        if 2 * len(own) >= len(codes):
            places = _place_between(places, pairs, own)
    roads = list_uncrossed_pairs(places * (SCALE / _usual_length(places, pairs)), pairs)
    return separate(places * (SCALE / _usual_length(places, roads or pairs)), APART)


def _usual_length(places: Places, pairs: Sequence[Pair]) -> float:
    """Return the usual length of a road; not 0."""
    lengths = [length for a, b in pairs if (length := math.dist(places[a], places[b]))]
    return float(np.median(lengths or [1.0]))


def separate(places: Places, least: float) -> Places:
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


def list_pairs(board: Board, codes: Sequence[Code]) -> list[Pair]:
    """Return the spaces in contact for any unit, by their numbers."""
    number = {code: i for i, code in enumerate(codes)}
    near = {(number[a], number[b]) for a, tos in board.armies.items() for b in tos}
    near |= {(number[a.space], number[b.space]) for a, tos in board.fleets.items() for b in tos}
    return sorted({(min(pair), max(pair)) for pair in near})


def _place_between(places: Places, pairs: Sequence[Pair], seats: Mapping[int, tuple[float, float]]) -> Places:
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
    return max((drawn, scaled), key=lambda places: len(list_uncrossed_pairs(separate(places * SCALE, APART), pairs)))


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


def list_uncrossed_pairs(places: Places, pairs: Sequence[Pair]) -> list[Pair]:
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
