"""Faces on the whole numbers of a figure: every border is traced once, as an arc that two faces share."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import shapely
from networkx.utils import UnionFind

from plenipo.boards_in.pictures.regions import Division
from plenipo.engine.board import Code
from plenipo.maps.figure.planar import BEYOND, Arc, Decoration, Figure, Point, node_name

__all__ = ["LONGEST_SIDE", "Faces", "trace_faces"]

LONGEST_SIDE = 48_000
"""The longer side of a figure that is made of a picture, in its units."""

Edge = tuple[Point, Point]


@dataclass(frozen=True)
class Faces:
    """The connected pieces of all regions, the largest of each region first, with borders on whole numbers.

    `regions` has the number of the region of each piece, `sides` the piece on the left hand of each directed edge.
    """

    regions: tuple[int, ...]
    sizes: tuple[float, ...]
    outlines: tuple[tuple[Point, ...], ...]
    sides: Mapping[Edge, int]
    frame: tuple[int, int, int, int]
    place: Callable[[float, float], Point]

    def neighbours(self, piece: int) -> set[int]:
        """Return the pieces that touch a piece along a border; -1 for the outside of the frame."""
        return self._neighbours[piece]

    @property
    def _neighbours(self) -> Mapping[int, set[int]]:
        found = self.__dict__.get("_near")
        if found is None:
            found = defaultdict(set)
            for (a, b), piece in self.sides.items():
                found[piece].add(self.sides.get((b, a), -1))
            self.__dict__["_near"] = found
        near: Mapping[int, set[int]] = found
        return near

    def figure(self, title: str, codes: Sequence[Code], source: Mapping[str, str]) -> Figure:
        """Return the figure in which each piece is a part of the face of its code, without any declaration."""
        border: dict[Point, list[Edge]] = defaultdict(list)
        for (a, b), piece in self.sides.items():
            other = self.sides.get((b, a))
            if other is None or (a < b and codes[piece] != codes[other]):
                border[a].append((a, b))
                border[b].append((b, a))
        meeting = {point: self._meeting(edges, codes) for point, edges in border.items()}
        corners = {point for point, edges in border.items() if len(edges) != 2}
        names: dict[Point, str] = {}
        counted: dict[frozenset[Code], int] = defaultdict(int)
        arcs = []
        for line in sorted(_chains(border, corners)):
            for point in (line[0], line[-1]):
                if point not in names:
                    faces = meeting[point]
                    counted[faces] += 1
                    names[point] = node_name(faces, str(counted[faces]) if counted[faces] > 1 else "")
            left, right = self._sides(line[0], line[1], codes)
            arcs.append(Arc(names[line[0]], names[line[-1]], tuple(line[1:-1]), left, right))
        nodes = {name: point for point, name in names.items()}
        return Figure(title, self.frame, nodes, tuple(arcs), source=source)

    def _sides(self, a: Point, b: Point, codes: Sequence[Code]) -> tuple[Code, Code]:
        left, right = self.sides.get((a, b)), self.sides.get((b, a))
        return BEYOND if left is None else codes[left], BEYOND if right is None else codes[right]

    def _meeting(self, edges: Sequence[Edge], codes: Sequence[Code]) -> frozenset[Code]:
        return frozenset(code for a, b in edges for code in self._sides(a, b, codes))

    def island(self, piece: int) -> Decoration:
        """Return a piece as a drawn island without rules."""
        return Decoration("island", self.outlines[piece])


def _chains(border: Mapping[Point, list[Edge]], corners: set[Point]) -> Iterator[tuple[Point, ...]]:
    """Yield every line between corners once, then every closed line."""
    walked: set[Edge] = set()

    def walk(a: Point, b: Point) -> tuple[Point, ...]:
        line = [a, b]
        walked.update(((a, b), (b, a)))
        while line[-1] not in corners and line[-1] != a:
            here = line[-1]
            there = next(end for _, end in border[here] if end != line[-2])
            walked.update(((here, there), (there, here)))
            line.append(there)
        return tuple(line)

    starts = [*sorted(corners), *sorted(set(border) - corners)]
    for point in starts:
        for a, b in border[point]:
            if (a, b) not in walked:
                line = walk(a, b)
                yield line if line[0] < line[-1] or (line[0] == line[-1] and line[1] < line[-2]) else line[::-1]


def trace_faces(division: Division, tolerance: float) -> Faces:
    """Return the faces of a division, its borders simplified by a tolerance and rounded to whole numbers."""
    left, top, right, bottom = division.frame
    scale = LONGEST_SIDE / max(right - left, bottom - top)
    width, height = round((right - left) * scale), round((bottom - top) * scale)

    def place(x: float, y: float) -> Point:
        return round((x - left) * scale), round((bottom - y) * scale)

    def onto(points: Any) -> Any:
        return np.column_stack(((points[:, 0] - left) * scale, (bottom - points[:, 1]) * scale))

    simple = shapely.coverage_simplify(
        [region.geometry for region in division.regions], tolerance, simplify_boundary=False
    )
    moved = shapely.transform(simple, onto)
    frame = shapely.box(0, 0, width, height)
    lines = shapely.union_all([*shapely.boundary(moved), frame.boundary], grid_size=1)
    cells = shapely.get_parts(shapely.polygonize(shapely.get_parts(lines))).tolist()
    cells = [cell for cell in cells if frame.contains(cell.representative_point())]
    owners = _owners(cells, moved)
    left_of: dict[Edge, int] = {}
    for number, cell in enumerate(cells):
        solid = shapely.geometry.polygon.orient(cell, 1.0)
        for ring in (solid.exterior, *solid.interiors):
            points = [(round(x), round(y)) for x, y in ring.coords]
            left_of.update(((a, b), number) for a, b in pairwise(points))
    joined: UnionFind = UnionFind(range(len(cells)))
    for (a, b), cell in left_of.items():
        other = left_of.get((b, a))
        if other is not None and owners[other] == owners[cell]:
            joined.union(cell, other)
    groups = sorted(
        (sorted(group) for group in joined.to_sets()),
        key=lambda group: (owners[group[0]], -sum(cells[cell].area for cell in group)),
    )
    piece_of = {cell: piece for piece, group in enumerate(groups) for cell in group}
    whole = [shapely.union_all([cells[cell] for cell in group]) for group in groups]
    return Faces(
        tuple(owners[group[0]] for group in groups),
        tuple(area.area for area in whole),
        tuple(tuple((round(x), round(y)) for x, y in area.exterior.coords[:-1]) for area in whole),
        {edge: piece_of[cell] for edge, cell in left_of.items()},
        (0, 0, width, height),
        place,
    )


def _owners(cells: Sequence[Any], regions: Any) -> list[int]:
    """Return the region of each cell: the one in which its middle lies, else the nearest."""
    tree = shapely.STRtree(regions)
    points = np.array([cell.representative_point() for cell in cells])
    at, within = tree.query(points, predicate="within")
    found = dict(zip(at.tolist(), within.tolist(), strict=True))
    return [found[i] if i in found else int(tree.nearest(point)) for i, point in enumerate(points)]
