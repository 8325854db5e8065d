"""The line of a cut: a smooth curve through a face, from one point of its border to another.

A line is proposed in floats and accepted by exact tests on whole numbers: it lies strictly inside the face, meets no
border but in its two ends, and does not meet itself. Curves that leave both borders at right angles come first. Where
the face bends so that none of them keeps clear of its borders, a way through its roomy parts is sought on a grid.
Nothing here knows of provinces; a face is its rings of points, in units of 0.1 km.
"""

import math
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Polygon

from plenipo.maps.figure.curves import CurvePoint, round_corners, smooth, wavering
from plenipo.maps.figure.segments import Point, area2

__all__ = ["line_through"]

CLEAR = 240.0
"""The preferred distance of a line from other borders, in units; less in a small face, and near its own ends."""

STEP = 80.0
"""About how far apart the points of a line lie, in units."""

ALONG = (100.0, 300.0, 30.0)
"""The direction of a border at the end of a line is that of this much of it on either side, in units; tried in turn."""

HANDLES = (0.35, 0.25, 0.45, 0.15, 0.6, 0.05)
"""The straight length of a curve at right angles to its borders, in distances of its ends; tried in turn."""

WAVERS = (0.08, 0.04)
"""The unsteadiness of a line that is to look drawn by hand; the next is tried where it would touch something."""

ENOUGH = 0.8
"""A line that keeps this share of the distance it best kept is good enough; the first such line is drawn."""

NEARLY = 0.7
"""The share of the best clearance that the first line drawn must keep if no line keeps `CLEAR`."""

EASED = 48
"""Number of points of a way while it is drawn tight."""

ROUNDS = 80
"""Number of rounds in which a way is drawn tight."""

CELLS = 900
"""About how many points a grid has in a face; four times as many if there is no way through."""

FINEST = 6
"""Number of ever finer searches for a way before it is held to be impossible."""

INSIDE = "1FFF0F***"
"""The relation of a line to a face (DE-9IM): all of it inside except its ends, which are on the border."""

Floats = NDArray[np.float64]


def line_through(
    rings: Sequence[Sequence[Point]], start: Point, end: Point, waver: str = ""
) -> tuple[Point, ...] | None:
    """Return a line from `start` to `end`, both included, or None if none is found.

    `rings` are the closed borders of a face in any order, first points not repeated; the first of them has both ends
    among its points. With a `waver`, any text, the line is drawn as by an unsteady hand, always the same for the same
    text. The same call always gives the same line.
    """
    return _Face(rings, start, end).line(waver)


class _Face:
    """A face to be cut, and the two points on its border between which it is cut."""

    def __init__(self, rings: Sequence[Sequence[Point]], start: Point, end: Point) -> None:
        self.start, self.end = start, end
        shell, *holes = sorted(rings, key=lambda ring: -abs(area2(ring)))
        face = Polygon(shell, holes)
        self.face = face if face.is_valid else shapely.make_valid(face)
        self.border = self.face.boundary
        shapely.prepare([self.face, self.border])
        self.lines = [LineString([*ring, ring[0]]) for ring in rings]
        self.ring = self.lines[0]
        self.clear = min(CLEAR, 0.12 * math.sqrt(abs(area2(shell)) / 2))

    def line(self, waver: str) -> tuple[Point, ...] | None:
        """See `line_through`."""
        fitting: list[tuple[float, list[Point]]] = []
        for proposals in (self._curves(), self._routes()):
            for drawn in proposals:
                line = self._accept_line(drawn)
                if line:
                    fitting.append((self._room(line), line))
                    if fitting[-1][0] >= ENOUGH:
                        break
            most = max((room for room, _ in fitting), default=0.0)
            if most >= ENOUGH:
                break
        if not fitting:
            return None
        room, best = next(fit for fit in fitting if fit[0] >= NEARLY * min(most, ENOUGH))
        return tuple(self._unsteady(best, waver, room) if waver else best)

    def _curves(self) -> Iterator[Sequence[CurvePoint]]:
        """Plain curves to try, the best first."""
        for along in ALONG:
            out, into = (self._inward(end, along) for end in (self.start, self.end))
            for handle in HANDLES:
                yield self._cubic(out, into, handle)
        yield [self.start, self.end]

    def _inward(self, at: Point, along: float) -> CurvePoint:
        """Return the direction into the face that stands square on its border at a point, measured on so much of it."""
        here, along = self.ring.project(shapely.Point(at)), min(along, self.ring.length / 3)
        (ax, ay), (bx, by) = (
            self.ring.interpolate((here + step) % self.ring.length).coords[0] for step in (-along, along)
        )
        length = math.hypot(bx - ax, by - ay) or 1.0
        # the face lies on the right hand of its rings
        return (by - ay) / length, -(bx - ax) / length

    def _cubic(self, out: CurvePoint, into: CurvePoint, handle: float) -> list[CurvePoint]:
        """Return a cubic Bezier that leaves along `out` and comes in against `into`."""
        reach = math.dist(self.start, self.end)
        start, end = np.array(self.start), np.array(self.end)
        one, other = start + np.array(out) * handle * reach, end + np.array(into) * handle * reach
        t = np.linspace(0.0, 1.0, max(10, round(reach / STEP)) + 1)[:, None]
        u = 1 - t
        return _spots(u**3 * start + 3 * u * u * t * one + 3 * u * t * t * other + t**3 * end)

    def _unsteady(self, line: list[Point], waver: str, room: float) -> list[Point]:
        """Return the line drawn by an unsteady hand, if there is room for that."""
        coarse = [line[0], *line[5:-3:5], line[-1]]
        for amplitude in WAVERS:
            drawn = smooth(wavering(coarse, waver, amplitude, most=70.0, finest=160.0), STEP)
            unsteady = self._accept_line(drawn)
            if unsteady and self._room(unsteady) >= 0.6 * min(room, 1.0):
                return unsteady
        return line

    def _accept_line(self, drawn: Sequence[CurvePoint]) -> list[Point] | None:
        """Return the line in whole numbers, or None if it may not be drawn."""
        line = [self.start]
        for point in (*((round(x), round(y)) for x, y in drawn[1:-1]), self.end):
            if point != line[-1]:
                line.append(point)
        if len(line) < 2:
            return None
        whole = LineString(line)
        return line if whole.is_simple and whole.relate_pattern(self.face, INSIDE) else None

    def _room(self, line: Sequence[Point]) -> float:
        """Return how well a line clears the borders: the least share of its wanted distance, 1 if it keeps it all."""
        points = shapely.get_coordinates(shapely.segmentize(LineString(line), STEP))
        walked = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
        wanted = np.minimum(np.minimum(walked, walked[-1] - walked) * 0.45, self.clear)[1:-1]
        return float(np.min(self._off_border(points[1:-1]) / np.maximum(wanted, 1.0))) if len(wanted) else 1.0

    def _off_border(self, points: Floats) -> Floats:
        """Return the distance of each point from the border."""
        return np.asarray(shapely.distance(self.border, shapely.points(points)))

    # ------------------------------------------------------------------ ways round corners

    def _routes(self) -> Iterator[Sequence[CurvePoint]]:
        """Lines along the roomy parts of the face, from the smoothest to the one that follows the grid."""
        for level in range(FINEST):
            # only the middles of necks are sought ever more closely: their number grows slowly, that of a grid fast
            side = max(math.sqrt(self.face.area / CELLS) / 2 ** min(level, 1), 2.0)
            way = self._way(side, max(side / 2**level, 1.0))
            if way:
                yield round_corners(self._tighten(way), times=2, closed=False)
                for slack in (1.2, 0.6, 0.3, 0.1):
                    yield round_corners(_thin_line(way, slack * side), times=3, closed=False)
                yield way
                return

    def _tighten(self, way: Sequence[CurvePoint]) -> list[CurvePoint]:
        """Return the way drawn tight, as far as possible while keeping the preferred distance from borders."""
        along = np.linspace(0.0, 1.0, EASED + 1)
        points = shapely.get_coordinates(shapely.line_interpolate_point(LineString(way), along, normalized=True))
        least = np.minimum(self._off_border(points), self.clear)
        for _ in range(ROUNDS):
            moved = points.copy()
            moved[1:-1] = (points[:-2] + points[2:]) / 2
            room = self._off_border(moved)
            free = room >= least
            points[free] = moved[free]
            least = np.maximum(least, np.minimum(room, self.clear) * free)
        return _spots(points)

    def _way(self, side: float, apart: float) -> list[CurvePoint]:
        """Return the cheapest way over spots in the face; empty if there is none.

        The spots are a grid with cells of this side, and the middles of the face between opposite borders, at least
        one for every `apart` of border, which lead through necks that fall between the spots of a grid. Two spots are
        joined if the discs round them that are free of borders overlap: then the piece between them lies inside the
        face for certain.
        """
        west, south, east, north = self.face.bounds
        x, y = np.meshgrid(np.arange(west + 0.4 * side, east, side), np.arange(south + 0.4 * side, north, side))
        spots = np.concatenate([np.column_stack((x.ravel(), y.ravel())), self._necks(apart)])
        spots = np.unique(np.round(spots), axis=0)
        spots = spots[shapely.contains_xy(self.face, spots)]
        room = self._off_border(spots)
        first, last = (self._links(spots, room, end, side) for end in (self.start, self.end))
        return self._cheapest(spots, room, side, first, last) if first and last else []

    def _necks(self, apart: float) -> Floats:
        """For points along the border the middle between it and the border straight across the face."""
        middles = []
        starts, ways = _pieces([line.segmentize(apart) for line in self.lines])
        corners, way = _pieces(self.lines)
        corners -= way / 2
        for i in range(0, len(starts), 512):
            at, into = starts[i : i + 512], np.column_stack((ways[i : i + 512, 1], -ways[i : i + 512, 0]))[:, None]
            off = corners - at[:, None]
            slant = into[..., 0] * way[:, 1] - into[..., 1] * way[:, 0]
            level = slant == 0
            slant[level] = 1.0
            far = (off[..., 0] * way[:, 1] - off[..., 1] * way[:, 0]) / slant
            share = (off[..., 0] * into[..., 1] - off[..., 1] * into[..., 0]) / slant
            far[level | (share < 0) | (share > 1) | (far < 1e-6)] = np.inf
            across = far.min(axis=1)
            across_face = np.isfinite(across)
            middles.append(at[across_face] + into[across_face, 0] * across[across_face, None] / 2)
        return np.concatenate(middles)

    def _links(self, spots: Floats, room: Floats, end: Point, side: float) -> dict[int, float]:
        """Return the points of the grid visible from an end nearby, with the cost of beginning there."""
        away = spots - end
        reach = np.sqrt((away**2).sum(axis=1))
        near = np.flatnonzero((reach > 0) & (reach < 6 * side))
        if not len(near):
            return {}
        sights = shapely.linestrings(np.stack([np.broadcast_to(end, (len(near), 2)), spots[near]], axis=1))
        visible = near[shapely.covers(self.face, sights)]
        inward = self._inward(end, ALONG[0])
        askew = 1.0 - (away[visible] * inward).sum(axis=1) / reach[visible]
        cost = (
            reach[visible]
            + 6 * side * askew
            + (self._dear(room[visible]) + 12 * self._grazing(spots[visible], end)) * side
        )
        return dict(zip(map(int, visible), map(float, cost), strict=True))

    def _grazing(self, spots: Floats, end: Point) -> Floats:
        """Return the closeness to borders of straight lines from an end to spots: the missing clearance."""
        shares = np.linspace(0.1, 0.9, 9)
        away = spots - end
        points = (np.array(end, dtype=float) + away[:, None] * shares[:, None]).reshape(-1, 2)
        wanted = np.minimum(0.45 * np.sqrt((away**2).sum(axis=1))[:, None] * shares, self.clear)
        return np.asarray(np.maximum(1.0 - self._off_border(points).reshape(wanted.shape) / wanted, 0.0).max(axis=1))

    def _dear(self, room: Floats) -> Floats:
        """Return the extra cost of a way near borders."""
        return np.asarray(4.0 * (np.maximum(1.5 * self.clear - room, 0.0) / (1.5 * self.clear)) ** 2)

    def _cheapest(
        self, spots: Floats, room: Floats, side: float, first: dict[int, float], last: dict[int, float]
    ) -> list[CurvePoint]:
        """Return the cheapest way from one end over the spots, sorted by x, to the other (Dijkstra 1959)."""
        dear = (1.0 + self._dear(room)).tolist()
        queue = sorted((cost, i, -1) for i, cost in first.items())
        before: dict[int, int] = {}
        goal, least = -1, math.inf
        while queue:
            cost, i, origin = heappop(queue)
            if cost >= least:
                break
            if i in before:
                continue
            before[i] = origin
            if i in last and cost + last[i] < least:
                goal, least = i, cost + last[i]
            west, east = np.searchsorted(spots[:, 0], (spots[i, 0] - 1.5 * side, spots[i, 0] + 1.5 * side))
            away = np.sqrt(((spots[west:east] - spots[i]) ** 2).sum(axis=1))
            for k in np.flatnonzero((away < room[west:east] + room[i]) & (away < 1.5 * side)).tolist():
                if k + west not in before:
                    price = float(away[k]) * (dear[i] + dear[k + west]) / 2
                    heappush(queue, (cost + price, int(k + west), i))
        way: list[CurvePoint] = []
        while goal >= 0:
            way.append((float(spots[goal][0]), float(spots[goal][1])))
            goal = before[goal]
        return [self.start, *way[::-1], self.end] if way else []


def _pieces(lines: Sequence[LineString]) -> tuple[Floats, Floats]:
    """Return the middle of every straight piece of some lines, and the way from its beginning to its end."""
    points = [shapely.get_coordinates(line) for line in lines]
    ways = np.concatenate([np.diff(line, axis=0) for line in points])
    return np.concatenate([line[:-1] for line in points]) + ways / 2, ways


def _spots(points: Floats) -> list[CurvePoint]:
    return [(float(x), float(y)) for x, y in points]


def _thin_line(line: Sequence[CurvePoint], tolerance: float) -> list[CurvePoint]:
    """Return the line without the points that lie nearer than `tolerance` to the line without them."""
    return _spots(shapely.get_coordinates(LineString(line).simplify(tolerance, preserve_topology=False)))
