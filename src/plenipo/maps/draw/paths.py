"""From the figure to the picture: whole coordinates, thinned lines, the text of SVG paths.

The picture counts in pips. A unit's disc has a radius of `DISC` pips whatever the map, so one stylesheet serves
every map, and a small map and a large one differ only in their size in pips. x runs east and y south, and the origin
is the north-western corner of the figure's frame.
"""

import math
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from zlib import crc32

from plenipo.engine.board import Code
from plenipo.maps.figure.boxes import Box
from plenipo.maps.figure.planar import BEYOND, Decoration, Figure, HalfEdge, Point
from plenipo.maps.lettering.placements import Placements

__all__ = ["DISC", "THIN", "Plane", "Shapes", "bent", "curve", "format_curve", "path", "thin_line", "with_detail"]

DISC = 40
"""The radius of a unit's disc in pips."""

THIN = 1.4
"""The greatest deviation of a thinned line, in pips: about half a pixel on a picture 1600 pixels wide."""

ROUGH = 9.0
"""The same for an invisible line: under a coast, or the middle of wide soft strokes."""

SOFT = 4.0
"""The same for the border in the middle of strokes that are clipped to one side of it."""

GENTLE = 0.06
"""The squared cosine of the sharpest bend that is drawn as a curve: some 75 degrees."""

FAR = 32.0**2
"""The greatest squared difference, in pips, of two steps at such a bend; a curve passes it at an eighth of that."""

LEVELS = (THIN, 2 * THIN, SOFT, ROUGH)
"""The tolerances at which lines of a figure are drawn, rising: that of most, of rivers and banks, and the two above."""

BAND = 48
"""The height of the bands by which the edges of a face are looked up, in pips."""

Bounds = tuple[int, int, int, int]
"""The box round something: west, north, east, south."""

BorderEdge = tuple[int, int, int, int]
"""A piece of a border: x and y of both ends."""


@dataclass(frozen=True, slots=True)
class Plane:
    """The way from a figure's coordinates to pips: `scale` pips a unit of the figure, from its north-western corner."""

    west: int
    north: int
    scale: float
    width: int
    height: int

    @classmethod
    def of(cls, figure: Figure, unit: int) -> "Plane":
        """Return the plane of a figure on which a unit's disc has the radius `unit`, in the figure's own units."""
        west, south, east, north = figure.frame
        scale = DISC / unit
        return cls(west, north, scale, round((east - west) * scale), round((north - south) * scale))

    def at(self, point: Point) -> Point:
        """Return the pip a point of the figure falls on."""
        return round((point[0] - self.west) * self.scale), round((self.north - point[1]) * self.scale)

    def back(self, spot: tuple[float, float]) -> Point:
        """Return the point of the figure a pip stands for."""
        return round(self.west + spot[0] / self.scale), round(self.north - spot[1] / self.scale)

    def size(self, length: int) -> int:
        """Return a length of the figure in pips."""
        return round(length * self.scale)


def thin_line(points: Sequence[Point], tolerance: float = THIN) -> tuple[Point, ...]:
    """Return the line without the points that no eye misses; its ends stay (Ramer 1972, Douglas and Peucker 1973).

    >>> thin_line([(0, 0), (50, 1), (100, 0), (100, 80)])
    ((0, 0), (100, 0), (100, 80))
    """
    return tuple(point for point, rank in zip(points, _ranks(points, (tolerance,)), strict=True) if rank)


def _ranks(points: Sequence[Point], tolerances: Sequence[float]) -> list[int]:
    """Return for each point of a line the number of rising tolerances that keep it; all of them keep the ends.

    A line is cut at its farthest point whatever the tolerance, so one with a larger tolerance has no other points.
    """
    ranks = [0] * len(points)
    ranks[0] = ranks[-1] = len(tolerances)
    spans = [(0, len(points) - 1, len(tolerances))]
    squares = [tolerance * tolerance for tolerance in tolerances]
    while spans:
        first, last, most = spans.pop()
        if last - first < 2:
            continue
        (ax, ay), (bx, by) = points[first], points[last]
        dx, dy = bx - ax, by - ay
        length2 = dx * dx + dy * dy
        # squared distance times length2: from the line, or from its end where it has no length
        if length2:
            apart = [(x - ax) * dy - (y - ay) * dx for x, y in points[first + 1 : last]]
            high, low = max(apart), min(apart)
            far = max(high, -low)
            square, unit = far * far, length2
        else:
            apart = [(x - ax) ** 2 + (y - ay) ** 2 for x, y in points[first + 1 : last]]
            far = square = high = max(apart)
            low, unit = 0, 1
        rank = sum(1 for least in squares[:most] if square > least * unit)
        if rank:
            where = first + 1 + min(apart.index(side) for side in {high, low} if side in (far, -far))
            ranks[where] = rank
            spans += [(first, where, rank), (where, last, rank)]
    return ranks


def _sum(points: Iterable[Point]) -> str:
    """Return the checksum of a line, by which it is known wherever its points are the same."""
    return f"{crc32(array('q', chain.from_iterable(points)).tobytes()):x}"


def with_detail(figure: Figure, placements: Placements) -> Placements:
    """Return the placements, with how finely each line of the figure is drawn on a map of their size."""
    plane = Plane.of(figure, placements.unit)
    drawn = [*figure.lines, *(_as_line(one) for one in figure.decorations if one.kind != "ridge")]
    detail = {_sum(line): _detail(plane, line) for line in drawn}
    return replace(placements, detail=dict(sorted(detail.items())))


def _as_line(decoration: Decoration) -> tuple[Point, ...]:
    """Return the points of a decoration from its first to its last; those of a ring end where they began."""
    return decoration.ring if decoration.kind in ("bank", "river") else (*decoration.ring, decoration.ring[0])


@lru_cache(maxsize=2048)
def _detail(plane: Plane, line: tuple[Point, ...]) -> str:
    """Return how many of `LEVELS` keep each point of a line of the figure, a digit each."""
    return "".join(map(str, _ranks([plane.at(point) for point in line], LEVELS)))


def path(points: Sequence[Point], *, closed: bool = False) -> str:
    """Return the shortest text of a path through the points, in relative steps; a ring does not repeat its first point.

    >>> path([(10, 10), (13, 6), (13, 9)], closed=True)
    'M10 10l3-4 0 3z'
    """
    x, y = points[0]
    text, space = [f"M{x} {y}"], "l"
    for u, v in points[1:]:
        dx, dy = u - x, v - y
        if dx or dy:
            # a minus parts two numbers as well as a space does
            text.append(f"{space if dx >= 0 or len(text) == 1 else ''}{dx}{' ' if dy >= 0 else ''}{dy}")
            x, y, space = u, v, " "
    return "".join(text) + ("z" if closed else "")


def _second(number: int) -> str:
    """Return a number that follows another; a minus parts two as well as a space does."""
    return f"{number}" if number < 0 else f" {number}"


Bends = tuple[tuple[Point, bool], ...]
"""The points of a line that is drawn as a curve, each with whether the curve goes through it; see `bent`."""


def bent(line: Sequence[Point]) -> Bends:
    """Draw a line without facets: through its ends and its sharp corners, and past its gentle bends.

    The points it passes by are even, so that all places halfway between two of them are whole.
    """
    (ax, ay), *rest = line
    apart = [math.inf]
    for (x, y), (bx, by) in pairwise(rest):
        ux, uy, vx, vy = x - ax, y - ay, bx - x, by - y
        along, differ = ux * vx + uy * vy, (ux - vx) ** 2 + (uy - vy) ** 2
        gentle = along > 0 and along * along > GENTLE * (ux * ux + uy * uy) * (vx * vx + vy * vy)
        apart.append(differ if gentle and differ < FAR else math.inf)
        ax, ay = x, y
    apart.append(math.inf)
    # a bend between two corners is passed twice as far off as one among others
    return tuple(
        ((x, y), True)
        if far == math.inf or (far > FAR / 4 and before == after == math.inf)
        else ((x + (x & 1), y + (y & 1)), False)
        for (x, y), before, far, after in zip(line, [math.inf, *apart], apart, [*apart[1:], math.inf], strict=False)
    )


def format_curve(bends: Bends) -> str:
    """Return the text of a path along a line, in relative steps from its first point, which is left out.

    >>> format_curve(bent([(0, 0), (20, 2), (40, 12), (20, 40), (20, 50)]))
    'q20 2 40 12l-20 28 0 10'
    """
    (x, y), _ = bends[0]
    text, passed, straight = list[str](), list[Point](), False
    for spot, through in bends[1:]:
        u, v = spot
        if not through:
            passed.append(spot)
        elif passed:
            # between two bends the curve goes through the place halfway
            halfway = [((ax + bx) // 2, (ay + by) // 2) for (ax, ay), (bx, by) in pairwise(passed)]
            text.append(f"q{passed[0][0] - x}{_second(passed[0][1] - y)}")
            for i, (to_x, to_y) in enumerate((*halfway, spot)):
                dx = to_x - x
                text.append(f"{'t' if i == 1 else '' if dx < 0 else ' '}{dx}{_second(to_y - y)}")
                x, y = to_x, to_y
            straight = False
            passed.clear()
        elif u != x or v != y:
            dx = u - x
            text.append(f"{'l' if not straight else '' if dx < 0 else ' '}{dx}{_second(v - y)}")
            x, y, straight = u, v, True
    return "".join(text)


def _start(point: Point) -> str:
    return f"M{point[0]} {point[1]}"


def curve(line: Sequence[Point]) -> str:
    """Return the text of a path along a line that is drawn without facets."""
    return _start(line[0]) + format_curve(bent(line))


class Shapes:
    """The arcs, faces and decorations of a figure in pips, thinned arc by arc so that neighbours still meet."""

    def __init__(self, figure: Figure, plane: Plane, detail: Mapping[str, str] | None = None) -> None:
        """`detail` is that of placements on this figure or one it came of; a line it does not know is thinned here."""
        self.figure, self.plane = figure, plane
        self._known = detail or {}
        self._details = [self._detail_of(line) for line in figure.lines]
        self.lines = tuple(map(self._at, figure.lines, self._details))
        self._bands = lru_cache(maxsize=1024)(self._bands_of)
        self.arc = lru_cache(maxsize=None)(lambda i: _start(self.lines[i][0]) + self._side(HalfEdge(2 * i)))
        bends = lru_cache(maxsize=None)(lambda i: bent(self.lines[i]))
        self._side = lru_cache(maxsize=None)(lambda half: format_curve(bends(half >> 1)[:: -1 if half & 1 else 1]))
        self.soft_arc = lru_cache(maxsize=None)(lambda i: path(self.rough[i]))

    def _detail_of(self, line: tuple[Point, ...]) -> str:
        detail = self._known.get(_sum(line), "") if self._known else ""
        return detail if len(detail) == len(line) else _detail(self.plane, line)

    def _at(self, line: Sequence[Point], detail: str, tolerance: float = THIN) -> tuple[Point, ...]:
        """Return a line of the figure in pips, thinned to one of `LEVELS`."""
        least = str(LEVELS.index(tolerance) + 1)
        return tuple(self.plane.at(point) for point, digit in zip(line, detail, strict=True) if digit >= least)

    @cached_property
    def rough(self) -> tuple[tuple[Point, ...], ...]:
        """Every arc for where it is not seen itself: shores and borders with fewer points, the others as they are."""
        least = dict.fromkeys(self.shore, ROUGH) | dict.fromkeys(self.inner, SOFT)
        drawn = zip(self.figure.lines, self._details, strict=True)
        return tuple(
            self._at(line, detail, least[i]) if i in least else self.lines[i] for i, (line, detail) in enumerate(drawn)
        )

    @cached_property
    def faces(self) -> Mapping[Code, str]:
        """The path of every face, its holes included, and of every box.

        Those of seas are rough along the shores, which land covers.
        """
        seas = self.figure.seas
        rough = {code: [self._ring(cycle, self.rough) for cycle in self.figure.faces[code]] for code in seas}
        return {
            code: "".join(path(ring, closed=True) for ring in rough[code]) if code in seas else self.outline(code)
            for code in self.rings
        }

    def outline(self, code: Code) -> str:
        """Return the path of a face, or of a box, as it is seen."""
        if code not in self.figure.faces:
            return "".join(path(ring, closed=True) for ring in self.rings[code])
        rings = zip(self.rings[code], self.figure.faces[code], strict=True)
        return "".join(_start(ring[0]) + "".join(map(self._side, cycle)) + "z" for ring, cycle in rings)

    @cached_property
    def rings(self) -> Mapping[Code, tuple[tuple[Point, ...], ...]]:
        """The rings of every face and every box in pips, first points not repeated."""
        faces = {code: tuple(self._ring(cycle) for cycle in cycles) for code, cycles in self.figure.faces.items()}
        return faces | {box.code: (self._frame(box),) for box in self.figure.boxes}

    def holds(self, code: Code, spot: tuple[float, float]) -> bool:
        """Tell whether a place lies in a face or box without its holes (even-odd rule); undefined on a border."""
        (west, north, east, south), bands = self._bands(code)
        x, y = spot
        inside = False
        if west <= x <= east and north <= y <= south:
            for ax, ay, bx, by in bands[int(y - north) // BAND]:
                if (ay > y) != (by > y) and x < ax + (bx - ax) * (y - ay) / (by - ay):
                    inside = not inside
        return inside

    def _bands_of(self, code: Code) -> tuple[Bounds, tuple[tuple[BorderEdge, ...], ...]]:
        """Return the box round a face, and for each band of it from north to south the edges that run through it."""
        rings = self.rings[code]
        xs, ys = zip(*rings[0], strict=True)
        north, south = min(ys), max(ys)
        bands: list[list[BorderEdge]] = [[] for _ in range((south - north) // BAND + 1)]
        for ring in rings:
            for a, b in pairwise([*ring, ring[0]]):
                low, high = sorted((a[1], b[1]))
                for band in bands[(low - north) // BAND : (high - north) // BAND + 1]:
                    band.append((*a, *b))
        return (min(xs), north, max(xs), south), tuple(map(tuple, bands))

    def _frame(self, box: Box) -> tuple[Point, ...]:
        west, south, east, north = box.bounds
        return tuple(map(self.plane.at, ((west, north), (east, north), (east, south), (west, south))))

    def _ring(self, cycle: Iterable[HalfEdge], lines: Sequence[tuple[Point, ...]] | None = None) -> tuple[Point, ...]:
        ring: list[Point] = []
        for half in cycle:
            line = (lines or self.lines)[half >> 1]
            ring += (line[::-1] if half & 1 else line)[:-1]
        return tuple(ring)

    @cached_property
    def shore(self) -> tuple[int, ...]:
        """The numbers of the arcs between land and sea."""
        return tuple(i for i, sides in self._sides.items() if len(sides & self.figure.seas) == 1)

    @cached_property
    def inner(self) -> Mapping[int, tuple[Code, Code]]:
        """The arcs between two land faces, each with its faces."""
        return {
            i: self.figure.arcs[i].pair for i, sides in self._sides.items() if not sides & self.figure.seas
        }  # fmt: skip

    @cached_property
    def waters(self) -> tuple[int, ...]:
        """The numbers of the arcs between two seas."""
        return tuple(i for i, sides in self._sides.items() if sides <= self.figure.seas)

    @cached_property
    def _sides(self) -> Mapping[int, frozenset[Code]]:
        return {i: frozenset(arc.pair) for i, arc in enumerate(self.figure.arcs) if BEYOND not in arc.pair}

    def decorations(self, kind: str) -> tuple[tuple[Point, ...], ...]:
        """Return the rings of all decorations of a kind, `island`, `lake` or `strait`."""
        rings = (ring[:-1] for ring in self._trace_decorations(kind, THIN))
        return tuple(ring for ring in rings if len(ring) > 2)

    def lines_of(self, kind: str) -> tuple[tuple[Point, ...], ...]:
        """Return the lines of all decorations of a kind, `bank` or `river`."""
        return tuple(line for line in self._trace_decorations(kind, 2 * THIN) if len(set(line)) > 1)

    def _trace_decorations(self, kind: str, tolerance: float) -> Iterator[tuple[Point, ...]]:
        lines = (_as_line(decoration) for decoration in self.figure.decorations if decoration.kind == kind)
        return (self._at(line, self._detail_of(line), tolerance) for line in lines)

    def hills(self) -> tuple[Point, ...]:
        """Return the places of the hills of all ridges."""
        return tuple(
            self.plane.at(at) for ridge in self.figure.decorations if ridge.kind == "ridge" for at in ridge.ring
        )

    def rings_of(self, kind: str) -> str:
        """Return one path of all decorations of a kind; empty if there are none."""
        return "".join(f"{curve((*ring, ring[0]))}z" for ring in self.decorations(kind))
