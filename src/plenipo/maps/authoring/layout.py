"""A figure for a board without one: each contact a road between two places, and round each place an area.

The points nearest to a place and its half of the roads are its area, so that two areas border where units pass between
them. Points far from every road are no part of the board: round it is water, and its borders waver as a hand draws
them. Contacts that find no road, and areas that touch and are not in contact, have annotations, as on every map.

The same board always gives the same figure, and every board has one: places that cannot have roads are areas by
themselves, with the contacts as lines between them.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, pairwise

import shapely
from shapely import GEOSException, LineString, MultiPoint, Polygon, STRtree
from shapely import Point as Place
from shapely.geometry.polygon import orient

from plenipo.engine.board import Board, Code, Terrain
from plenipo.errors import InvalidFigure
from plenipo.maps.authoring.places import SCALE, STEP, Places, list_pairs, place_spaces, separate
from plenipo.maps.authoring.roads import Road, dots_along, draw_roads, length_of
from plenipo.maps.figure.curves import by_hand, smooth
from plenipo.maps.figure.planar import BEYOND, Arc, Figure, Point, node_name

__all__ = ["laid_out"]

REACH = 0.62
"""The extent of an area on a side without a neighbour, in contacts."""

WIDE = 0.45
"""The distance from every road at which a point is no longer part of the board."""

SWAY = 0.05
"""The sway of borders of land, as a share of each wave's length."""

WAVE = 0.7
"""The longest of those waves, in contacts."""

Piece = tuple[Point, Point]
"""A straight piece of a border, from one point to another."""

BorderSides = dict[Piece, tuple[int, int]]
"""Each piece of a border, both ways, with the numbers of the areas on its left and on its right hand."""


def laid_out(board: Board, seats: Mapping[Code, tuple[float, float]] | None = None) -> Figure:
    """Return the figure of a board, every space a face, unless it is impassable and touches nothing.

    `seats` are where places are to stand, x east and y north, for all of them, some or none.
    """
    codes = sorted(code for code in board.spaces if board.borders.get(code) or not board.spaces[code].impassable)
    pairs = list_pairs(board, codes)
    places = place_spaces(board, codes, pairs, seats or {})
    roads = draw_roads(places, pairs)
    for fewer in (roads, [road for road in roads if length_of(road[1]) < 2 * SCALE], []):
        try:
            return _figure(board, codes, _areas(places, fewer))
        except (InvalidFigure, GEOSException):  # lines that nearly meet where a point is rounded
            continue
    return _figure(board, codes, _areas(separate(places, 1.0), []))


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
    along = [dot for road in roads for dot in dots_along(road)]
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
