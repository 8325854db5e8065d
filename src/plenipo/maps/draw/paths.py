"""From the figure to the picture: whole coordinates, thinned lines, the text of SVG paths.

The picture counts in pips. A unit's disc has a radius of `DISC` pips whatever the map, so one style sheet serves
every map, and a small map and a large one differ only in their size in pips. x runs east and y south, and the origin
is the north-western corner of the figure's frame.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from plenipo.engine.board import Code
from plenipo.maps.figure.boxes import Box
from plenipo.maps.figure.planar import BEYOND, Figure, HalfEdge, Point

__all__ = ["DISC", "THIN", "Plane", "Shapes", "path", "thinned"]

DISC = 40
"""The radius of a unit's disc in pips."""

THIN = 1.4
"""How far, in pips, a thinned line may leave the drawn one: about half a pixel on a picture 1600 pixels wide."""

ROUGH = 9.0
"""The same for a line that nobody sees: under a coast, or the middle of wide soft strokes."""

SOFT = 4.0
"""The same for the border in the middle of strokes that are clipped to one side of it."""

BAND = 48
"""How high the bands are, in pips, by which the edges of a face are looked up."""

Bounds = tuple[int, int, int, int]
"""The box round something: west, north, east, south."""

Edge = tuple[int, int, int, int]
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
        """The plane of a figure on which a unit's disc has the radius `unit`, in the figure's own units."""
        west, south, east, north = figure.frame
        scale = DISC / unit
        return cls(west, north, scale, round((east - west) * scale), round((north - south) * scale))

    def at(self, point: Point) -> Point:
        """The pip a point of the figure falls on."""
        return round((point[0] - self.west) * self.scale), round((self.north - point[1]) * self.scale)

    def back(self, spot: tuple[float, float]) -> Point:
        """The point of the figure a pip stands for."""
        return round(self.west + spot[0] / self.scale), round(self.north - spot[1] / self.scale)

    def size(self, length: int) -> int:
        """A length of the figure in pips."""
        return round(length * self.scale)


def thinned(points: Sequence[Point], tolerance: float = THIN) -> tuple[Point, ...]:
    """The line without the points that no eye misses; its ends stay (Ramer 1972, Douglas and Peucker 1973).

    >>> thinned([(0, 0), (50, 1), (100, 0), (100, 80)])
    ((0, 0), (100, 0), (100, 80))
    """
    keep = {0, len(points) - 1}
    spans = [(0, len(points) - 1)]
    least = tolerance * tolerance
    while spans:
        first, last = spans.pop()
        if last - first < 2:
            continue
        (ax, ay), (bx, by) = points[first], points[last]
        dx, dy = bx - ax, by - ay
        length2 = dx * dx + dy * dy
        # squared distance times length2: from the line, or from its end where it has no length
        if length2:
            apart = [abs((x - ax) * dy - (y - ay) * dx) for x, y in points[first + 1 : last]]
            far = max(apart)
            worse = far * far > least * length2
        else:
            apart = [(x - ax) ** 2 + (y - ay) ** 2 for x, y in points[first + 1 : last]]
            far = max(apart)
            worse = far > least
        if worse:
            where = first + 1 + apart.index(far)
            keep.add(where)
            spans += [(first, where), (where, last)]
    return tuple(points[i] for i in sorted(keep))


def path(points: Sequence[Point], *, closed: bool = False) -> str:
    """The shortest text of a path through the points, in relative steps; a ring does not repeat its first point.

    >>> path([(10, 10), (13, 6), (13, 9)], closed=True)
    'M10 10l3-4 0 3z'
    """
    (x, y), text, steps = points[0], f"M{points[0][0]} {points[0][1]}", []
    for u, v in points[1:]:
        if (u, v) != (x, y):
            steps.append(f"{u - x}{' ' if v >= y else ''}{v - y}")
            x, y = u, v
    for i, step in enumerate(steps):
        text += ("l" if i == 0 else "" if step[0] == "-" else " ") + step
    return text + ("z" if closed else "")


def _outline(rings: Iterable[Sequence[Point]]) -> str:
    return "".join(path(ring, closed=True) for ring in rings)


class Shapes:
    """The arcs, faces and decorations of a figure in pips, thinned arc by arc so that neighbours still meet."""

    def __init__(self, figure: Figure, plane: Plane) -> None:
        self.figure, self.plane = figure, plane
        self.lines = tuple(thinned([plane.at(point) for point in line]) for line in figure.lines)
        self._bands = lru_cache(maxsize=1024)(self._bands_of)

    @cached_property
    def arcs(self) -> tuple[str, ...]:
        """The path of every arc, by its number."""
        return tuple(path(line) for line in self.lines)

    @cached_property
    def soft_arcs(self) -> tuple[str, ...]:
        """The text of each arc for wide strokes that fade."""
        return tuple(map(path, self.rough))

    @cached_property
    def rough(self) -> tuple[tuple[Point, ...], ...]:
        """Every arc for where it is not seen itself: shores and borders with fewer points, the others as they are."""
        least = dict.fromkeys(self.shore, ROUGH) | dict.fromkeys(self.inner, SOFT)
        return tuple(thinned(line, least[i]) if i in least else line for i, line in enumerate(self.lines))

    @cached_property
    def faces(self) -> Mapping[Code, str]:
        """The path of every face, its holes included, and of every box.

        Those of seas are rough along the shores, which land covers.
        """
        rough = {
            code: tuple(self._ring(cycle, self.rough) for cycle in self.figure.faces[code]) for code in self.figure.seas
        }
        return {code: _outline(rings) for code, rings in {**self.rings, **rough}.items()}

    def outline(self, code: Code) -> str:
        """The path of a face as it is seen."""
        return _outline(self.rings[code])

    @cached_property
    def rings(self) -> Mapping[Code, tuple[tuple[Point, ...], ...]]:
        """The rings of every face and every box in pips, first points not repeated."""
        faces = {code: tuple(self._ring(cycle) for cycle in cycles) for code, cycles in self.figure.faces.items()}
        return faces | {box.code: (self._frame(box),) for box in self.figure.boxes}

    def holds(self, code: Code, spot: tuple[float, float]) -> bool:
        """Whether a place lies in a face or box, its holes left out (even-odd rule); on a border either may be said."""
        (west, north, east, south), bands = self._bands(code)
        x, y = spot
        inside = False
        if west <= x <= east and north <= y <= south:
            for ax, ay, bx, by in bands[int(y - north) // BAND]:
                if (ay > y) != (by > y) and x < ax + (bx - ax) * (y - ay) / (by - ay):
                    inside = not inside
        return inside

    def _bands_of(self, code: Code) -> tuple[Bounds, tuple[tuple[Edge, ...], ...]]:
        """The box round a face, and for each band of it from north to south the edges that run through it."""
        rings = self.rings[code]
        xs, ys = zip(*rings[0], strict=True)
        north, south = min(ys), max(ys)
        bands: list[list[Edge]] = [[] for _ in range((south - north) // BAND + 1)]
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
        """The rings of all decorations of a kind, `island`, `lake` or `strait`."""
        rings = (
            thinned([*map(self.plane.at, decoration.ring), self.plane.at(decoration.ring[0])])[:-1]
            for decoration in self.figure.decorations
            if decoration.kind == kind
        )
        return tuple(ring for ring in rings if len(ring) > 2)

    def lines_of(self, kind: str) -> tuple[tuple[Point, ...], ...]:
        """The lines of all decorations of a kind, `bank` or `river`."""
        drawn = (
            thinned([self.plane.at(point) for point in decoration.ring], 2 * THIN)
            for decoration in self.figure.decorations
            if decoration.kind == kind
        )
        return tuple(line for line in drawn if len(set(line)) > 1)

    def hills(self) -> tuple[Point, ...]:
        """Where the hills of all ridges stand."""
        return tuple(
            self.plane.at(at) for ridge in self.figure.decorations if ridge.kind == "ridge" for at in ridge.ring
        )

    def rings_of(self, kind: str) -> str:
        """One path of all decorations of a kind; empty if there are none."""
        return "".join(path(ring, closed=True) for ring in self.decorations(kind))
