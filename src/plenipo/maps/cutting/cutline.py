"""The line of a cut: a smooth curve through a face, from one point of its border to another.

A line is proposed in floats and accepted by exact tests on whole numbers: it lies strictly inside the face, meets no
border but in its two ends, and does not meet itself. Curves that leave both borders at right angles come first. Where
the face bends so that none of them keeps clear of its borders, a way through its roomy parts is sought on a grid.
Nothing here knows of provinces; a face is its rings of points, in units of 0.1 km.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from heapq import heappop, heappush
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from plenipo.maps.figure.curves import Spot, rounded, smooth, wavering
from plenipo.maps.figure.segments import Point, area2, contains, cross, first_touch

__all__ = ["line_through"]

CLEAR = 240.0
"""How far a line best keeps from other borders, in units; less in a small face, and near its own ends."""

STEP = 80.0
"""About how far apart the points of a line lie, in units."""

ALONG = (100.0, 300.0, 30.0)
"""The direction of a border at the end of a line is that of this much of it on either side, in units; tried in turn."""

HANDLES = (0.35, 0.25, 0.45, 0.15, 0.6, 0.05)
"""How far a curve leaves its borders at right angles, in distances of its ends; tried in turn."""

WAVERS = (0.08, 0.04)
"""How unsteadily a line is drawn that is to look drawn by hand; the next is tried where it would touch something."""

ENOUGH = 0.8
"""A line that keeps this share of the distance it best kept is good enough; the first such line is drawn."""

NEARLY = 0.7
"""If none is, the first line is drawn that keeps this share of what the best of them keeps."""

EASED = 48
"""Of how many points a way is made up while it is drawn tight."""

ROUNDS = 80
"""How many times the points of a way are moved to draw it tight."""

CELLS = 900
"""About how many points a grid has in a face; four times as many if there is no way through."""

FINEST = 6
"""How often a way is sought, ever more closely, before it is held to be impossible."""

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


def line_through(
    rings: Sequence[Sequence[Point]], start: Point, end: Point, bends: Sequence[Point] = (), waver: str = ""
) -> tuple[Point, ...] | None:
    """A line from `start` to `end`, both included, or None if none is found.

    `rings` are the closed borders of a face in any order, first points not repeated; the first of them has both ends
    among its points. With `bends` the line goes through these; without, it finds its way. With a `waver`, any text,
    it is drawn as by an unsteady hand, always the same for the same text. The same call always gives the same line.
    """
    return _Face(rings, start, end).line(bends, waver)


class _Face:
    """A face to be cut, and the two points on its border between which it is cut."""

    def __init__(self, rings: Sequence[Sequence[Point]], start: Point, end: Point) -> None:
        self.rings, self.start, self.end = rings, start, end
        pieces = [(a, b) for ring in rings for a, b in pairwise([*ring, ring[0]])]
        self.a = np.array([a for a, _ in pieces], dtype=np.int64)
        self.b = np.array([b for _, b in pieces], dtype=np.int64)
        self.clear = min(CLEAR, 0.12 * math.sqrt(abs(area2(max(rings, key=lambda ring: abs(area2(ring)))) / 2)))

    def line(self, bends: Sequence[Point], waver: str) -> tuple[Point, ...] | None:
        """See `line_through`."""
        fitting: list[tuple[float, list[Point]]] = []
        for proposals in (self._curves(bends), self._routes() if not bends else ()):
            for drawn in proposals:
                line = self._accepted(drawn)
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

    def _curves(self, bends: Sequence[Point]) -> Iterator[Sequence[Spot]]:
        """Plain curves to try, the best first."""
        ways = [(self._inward(self.start, along), self._inward(self.end, along)) for along in ALONG]
        if bends:
            for out, into in ways:
                for share in (0.12, 0.04):
                    yield self._through(bends, out, into, share)
            yield smooth([self.start, *bends, self.end], STEP)
            return
        for out, into in ways:
            for handle in HANDLES:
                yield self._cubic(out, into, handle)
        yield [self.start, self.end]

    def _inward(self, at: Point, along: float) -> Spot:
        """The direction into the face that stands square on its border at a point."""
        ring = self.rings[0]
        i = ring.index(at)
        (ax, ay), (bx, by) = (self._walked(ring, i, step, along) for step in (-1, 1))
        length = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2) or 1.0
        # the face lies on the right hand of its rings
        return (by - ay) / length, -(bx - ax) / length

    @staticmethod
    def _walked(ring: Sequence[Point], i: int, step: int, along: float) -> Spot:
        """The spot some way along a ring from its point number i, at most a third of the way round."""
        for _ in range(len(ring) // 3 + 1):
            here, then = ring[i % len(ring)], ring[(i + step) % len(ring)]
            length = math.dist(here, then)
            if length >= along:
                share = along / length
                return here[0] + (then[0] - here[0]) * share, here[1] + (then[1] - here[1]) * share
            along -= length
            i += step
        return ring[i % len(ring)]

    def _cubic(self, out: Spot, into: Spot, handle: float) -> list[Spot]:
        """A cubic Bezier that leaves along `out` and comes in against `into`."""
        (px, py), (qx, qy) = self.start, self.end
        reach = math.dist(self.start, self.end)
        ax, ay = px + out[0] * handle * reach, py + out[1] * handle * reach
        bx, by = qx + into[0] * handle * reach, qy + into[1] * handle * reach
        count = max(10, round(reach / STEP))
        spots = []
        for k in range(count + 1):
            t = k / count
            u = 1 - t
            w, x, y, z = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
            spots.append((w * px + x * ax + y * bx + z * qx, w * py + x * ay + y * by + z * qy))
        return spots

    def _through(self, bends: Sequence[Point], out: Spot, into: Spot, share: float) -> list[Spot]:
        """A smooth line through bends that begins and ends square to the borders."""
        first, last = (math.dist(self.start, bends[0]) * share, math.dist(self.end, bends[-1]) * share)
        after = (self.start[0] + out[0] * first, self.start[1] + out[1] * first)
        before = (self.end[0] + into[0] * last, self.end[1] + into[1] * last)
        return smooth([self.start, after, *bends, before, self.end], STEP)

    def _unsteady(self, line: list[Point], waver: str, room: float) -> list[Point]:
        """The line drawn by an unsteady hand, if there is room for that."""
        coarse = [line[0], *line[5:-3:5], line[-1]]
        for amplitude in WAVERS:
            drawn = smooth(wavering(coarse, waver, amplitude, most=70.0, finest=160.0), STEP)
            unsteady = self._accepted(drawn)
            if unsteady and self._room(unsteady) >= 0.6 * min(room, 1.0):
                return unsteady
        return line

    # ------------------------------------------------------------------ exact tests

    def _accepted(self, drawn: Iterable[Spot]) -> list[Point] | None:
        """The line in whole numbers, or None if it may not be drawn."""
        middle = [(round(x), round(y)) for x, y in drawn][1:-1]
        line = [self.start]
        for point in (*middle, self.end):
            if point != line[-1]:
                line.append(point)
        if len(line) < 2 or len(set(line)) < len(line) or not self._leaves(line):
            return None
        points = np.array(line, dtype=np.int64)
        if self._meets(points[:-1], points[1:]).any() or first_touch([line]):
            return None
        return line

    def _meets(self, a: Numbers, b: Numbers) -> NDArray[np.bool_]:
        """Whether each piece from a to b meets the border anywhere but in the two ends of the line.

        A piece that begins or ends in an end of the line may lie along the border there, see `_leaves`.
        """
        low, high, far, near = np.minimum(a, b), np.maximum(a, b), *self._spans
        beside = low[:, 0, None] <= near[:, 0]
        beside &= high[:, 0, None] >= far[:, 0]
        beside &= low[:, 1, None] <= near[:, 1]
        beside &= high[:, 1, None] >= far[:, 1]
        mine, theirs = np.nonzero(beside)
        a, b, c, d = a[mine], b[mine], self.a[theirs], self.b[theirs]
        met = (_turns(a, b, c) * _turns(a, b, d) <= 0) & (_turns(c, d, a) * _turns(c, d, b) <= 0)
        for end in (self.start, self.end):
            here = np.array(end)
            met &= ~(((a == here).all(axis=1) | (b == here).all(axis=1)) & self._ending[end][theirs])
        meets = np.zeros(len(low), dtype=bool)
        meets[mine[met]] = True
        return meets

    @cached_property
    def _spans(self) -> tuple[Numbers, Numbers]:
        """The southwestern and northeastern ends of the boxes round the pieces of the border."""
        return np.minimum(self.a, self.b), np.maximum(self.a, self.b)

    @cached_property
    def _ending(self) -> dict[Point, NDArray[np.bool_]]:
        """For each end of the line the pieces of the border that end there."""
        return {end: (self.a == end).all(axis=1) | (self.b == end).all(axis=1) for end in (self.start, self.end)}

    def _leaves(self, line: Sequence[Point]) -> bool:
        """Whether a line begins inside the face, and neither begins nor ends along its border."""
        ring = self.rings[0]
        for end, then in ((line[0], line[1]), (line[-1], line[-2])):
            i = ring.index(end)
            for near in (ring[i - 1], ring[(i + 1) % len(ring)]):
                forward = (near[0] - end[0]) * (then[0] - end[0]) + (near[1] - end[1]) * (then[1] - end[1])
                if cross(end, near, then) == 0 and forward > 0:
                    return False
        # in doubled coordinates, so that the middle of a piece is a whole number
        inside = (line[0][0] + line[1][0], line[0][1] + line[1][1])
        doubled = ([(2 * x, 2 * y) for x, y in ring] for ring in self.rings)
        return sum(contains(ring, inside) for ring in doubled) % 2 == 1

    def _room(self, line: Sequence[Point]) -> float:
        """How well a line keeps clear of the borders: the least share of what it should keep, 1 if it keeps it all."""
        points = _sampled(line)
        steps = np.sqrt(((points[1:] - points[:-1]) ** 2).sum(axis=1))
        walked = np.concatenate([[0.0], np.cumsum(steps)])
        wanted = np.minimum(np.minimum(walked, walked[-1] - walked) * 0.45, self.clear)[1:-1]
        if not len(wanted):
            return 1.0
        return float(np.min(self._off_border(points[1:-1]) / np.maximum(wanted, 1.0)))

    def _off_border(self, points: Floats) -> Floats:
        """How far each point lies from the border."""
        distance = np.empty(len(points))
        (ax, ay), (wx, wy) = self.a.T.astype(float), (self.b - self.a).T.astype(float)
        length2 = wx * wx + wy * wy
        for i in range(0, len(points), 256):
            x, y = points[i : i + 256, 0, None] - ax, points[i : i + 256, 1, None] - ay
            share = np.clip((x * wx + y * wy) / length2, 0.0, 1.0)
            x -= share * wx
            y -= share * wy
            distance[i : i + 256] = np.sqrt((x * x + y * y).min(axis=1))
        return distance

    # ------------------------------------------------------------------ ways round corners

    def _routes(self) -> Iterator[Sequence[Spot]]:
        """Lines along the roomy parts of the face, from the smoothest to the one that follows the grid."""
        for level in range(FINEST):
            # only the middles of necks are sought ever more closely: their number grows slowly, that of a grid fast
            side = max(self._breadth / math.sqrt(CELLS) / 2 ** min(level, 1), 2.0)
            way = self._way(side, max(side / 2**level, 1.0))
            if way:
                yield rounded(self._eased(way), times=2, closed=False)
                for slack in (1.2, 0.6, 0.3, 0.1):
                    yield rounded(_thinned(way, slack * side), times=3, closed=False)
                yield way
                return

    def _eased(self, way: Sequence[Spot]) -> list[Spot]:
        """The way drawn tight, as far as it may without coming nearer to borders than it best keeps from them."""
        points = np.array(_evenly(way, EASED), dtype=float)
        least = np.minimum(self._off_border(points), self.clear)
        for _ in range(ROUNDS):
            moved = points.copy()
            moved[1:-1] = (points[:-2] + points[2:]) / 2
            room = self._off_border(moved)
            free = room >= np.minimum(least, self.clear)
            points[free] = moved[free]
            least = np.maximum(least, np.minimum(room, self.clear) * free)
        return [(float(x), float(y)) for x, y in points]

    @cached_property
    def _breadth(self) -> float:
        return math.sqrt(abs(sum(area2(ring) for ring in self.rings)) / 2)

    def _way(self, side: float, apart: float) -> list[Spot]:
        """The cheapest way over spots in the face; empty if there is none.

        The spots are a grid with cells of this side, and the middles of the face between opposite borders, at least
        one for every `apart` of border, which lead through necks that fall between the spots of a grid. Two spots are
        joined if the discs round them that are free of borders overlap: then the piece between them lies inside the
        face for certain.
        """
        low, high = self.a.min(axis=0), self.a.max(axis=0)
        x, y = np.meshgrid(*(np.arange(low[i] + 0.4 * side, high[i], side) for i in (0, 1)))
        spots = np.unique(
            np.round(np.concatenate([np.column_stack((x.ravel(), y.ravel())), self._necks(apart)])), axis=0
        )
        spots = spots[self._inside(spots)]
        room = self._off_border(spots)
        spots, room = spots[room > 0], room[room > 0]
        first, last = (self._links(spots, room, end, side) for end in (self.start, self.end))
        return self._cheapest(spots, room, side, first, last) if first and last else []

    def _necks(self, apart: float) -> Floats:
        """For points along the border the middle between it and the border straight across the face."""
        middles = []
        a, along = self.a.astype(float), (self.b - self.a).astype(float)
        counts = np.ceil(np.sqrt((along**2).sum(axis=1)) / apart).astype(int)
        piece = np.repeat(np.arange(len(a)), counts)
        share = (np.arange(len(piece)) - np.repeat(np.cumsum(counts) - counts, counts) + 0.5) / counts[piece]
        starts, ways = a[piece] + along[piece] * share[:, None], along[piece]
        for i in range(0, len(starts), 512):
            at, into = starts[i : i + 512], np.column_stack((ways[i : i + 512, 1], -ways[i : i + 512, 0]))[:, None]
            way, off = (self.b - self.a).astype(float), self.a - at[:, None]
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

    def _inside(self, spots: Floats) -> NDArray[np.bool_]:
        """Whether each spot lies in the face (even-odd rule)."""
        inside = np.zeros(len(spots), dtype=bool)
        a, b = self.a.astype(float), self.b.astype(float)
        rise = np.where(a[:, 1] == b[:, 1], 1.0, b[:, 1] - a[:, 1])
        for i in range(0, len(spots), 1024):
            x, y = spots[i : i + 1024, 0, None], spots[i : i + 1024, 1, None]
            spans = (a[:, 1] > y) != (b[:, 1] > y)
            inside[i : i + 1024] = (spans & (x < a[:, 0] + (y - a[:, 1]) / rise * (b[:, 0] - a[:, 0]))).sum(axis=1) % 2
        return inside

    def _links(self, spots: Floats, room: Floats, end: Point, side: float) -> dict[int, float]:
        """The points of the grid that an end sees near by, with what it costs to begin there."""
        away = spots - end
        reach = np.sqrt((away**2).sum(axis=1))
        near = np.flatnonzero((room > 0) & (reach > 0) & (reach < 6 * side))
        if not len(near):
            return {}
        ends = np.repeat(np.array([end], dtype=np.int64), len(near), axis=0)
        visible = near[~self._meets(ends, spots[near].astype(np.int64))]
        inward = self._inward(end, ALONG[0])
        askew = 1.0 - (away[visible] * inward).sum(axis=1) / reach[visible]
        cost = (
            reach[visible]
            + 6 * side * askew
            + (self._dear(room[visible]) + 12 * self._grazing(spots[visible], end)) * side
        )
        return dict(zip(map(int, visible), map(float, cost), strict=True))

    def _grazing(self, spots: Floats, end: Point) -> Floats:
        """How near straight lines from an end to some spots come to borders: the share they lack of what they want."""
        shares = np.linspace(0.1, 0.9, 9)
        away = spots - end
        points = (np.array(end, dtype=float) + away[:, None] * shares[:, None]).reshape(-1, 2)
        wanted = np.minimum(0.45 * np.sqrt((away**2).sum(axis=1))[:, None] * shares, self.clear)
        return np.asarray(np.maximum(1.0 - self._off_border(points).reshape(wanted.shape) / wanted, 0.0).max(axis=1))

    def _dear(self, room: Floats) -> Floats:
        """How much dearer a way is near borders."""
        return np.asarray(4.0 * (np.maximum(1.5 * self.clear - room, 0.0) / (1.5 * self.clear)) ** 2)

    def _cheapest(
        self, spots: Floats, room: Floats, side: float, first: dict[int, float], last: dict[int, float]
    ) -> list[Spot]:
        """The cheapest way from the one end over the spots, which are sorted by x, to the other (Dijkstra 1959)."""
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
        way: list[Spot] = []
        while goal >= 0:
            way.append((float(spots[goal][0]), float(spots[goal][1])))
            goal = before[goal]
        return [self.start, *way[::-1], self.end] if way else []


def _turns(a: Numbers, b: Numbers, p: Numbers) -> Numbers:
    """The side of the line from a to b on which p lies: 1 left, -1 right, 0 on it."""
    turned = (b[..., 0] - a[..., 0]) * (p[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (p[..., 0] - a[..., 0])
    return np.asarray(np.sign(turned))


def _sampled(line: Sequence[Point]) -> Floats:
    """The points of a line, with more between them where they lie far apart: a border may come near in between."""
    points = np.array(line, dtype=float)
    along = points[1:] - points[:-1]
    counts = np.ceil(np.sqrt((along**2).sum(axis=1)) / STEP).astype(int)
    piece = np.repeat(np.arange(len(along)), counts)
    share = (np.arange(len(piece)) - np.repeat(np.cumsum(counts) - counts, counts)) / counts[piece]
    return np.concatenate([points[piece] + along[piece] * share[:, None], points[-1:]])


def _evenly(line: Sequence[Spot], pieces: int) -> list[Spot]:
    """Points along a line at even steps, both ends included."""
    lengths = [math.dist(a, b) for a, b in pairwise(line)]
    step, walked, i = sum(lengths) / pieces, 0.0, 0
    spots = [line[0]]
    for n in range(1, pieces):
        while i < len(lengths) - 1 and walked + lengths[i] < n * step:
            walked += lengths[i]
            i += 1
        share = (n * step - walked) / lengths[i] if lengths[i] else 0.0
        (ax, ay), (bx, by) = line[i], line[i + 1]
        spots.append((ax + (bx - ax) * share, ay + (by - ay) * share))
    return [*spots, line[-1]]


def _thinned(line: Sequence[Spot], tolerance: float) -> list[Spot]:
    """The line without the points that lie nearer than `tolerance` to the line without them."""
    (ax, ay), (bx, by) = line[0], line[-1]
    length = math.dist(line[0], line[-1]) or 1.0
    off = [abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length for x, y in line[1:-1]]
    if not off or max(off) <= tolerance:
        return [line[0], line[-1]]
    i = 1 + off.index(max(off))
    return [*_thinned(line[: i + 1], tolerance)[:-1], *_thinned(line[i:], tolerance)]
