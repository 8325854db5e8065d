"""The ground on which placements are sought: the faces of a figure as polygons and as a grid of cells.

The grid makes the questions of lettering cheap: how much of a box lies in its own face, how far a cell is from the
border. It is only ever a search aid; what is found is checked on the exact shapes by `plenipo.maps.lettering.overlaps`.
Arrays of cells are indexed row first, rows from south to north.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple
from weakref import ReferenceType, ref

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, MultiLineString, Polygon
from shapely.geometry.base import BaseGeometry

from plenipo.engine.board import NO_COAST, Board, Coast, Code, Corner, Location
from plenipo.maps.figure.planar import BEYOND, Figure, Point, codes_of

__all__ = ["FULL_WIDTH", "Cells", "LabelGrid", "Spots", "Window"]

FULL_WIDTH = 1600
"""The width of the frame at full size; every measure of lettering is given in these pixels."""

CELL = 2.0
"""The side of a cell of the grid, in pixels at full size."""

SPREAD = 4000
"""About how many cells of a face are measured against its border; larger faces are measured more coarsely."""

SPECK = 40.0
"""Islands of less than this many square pixels do not hinder lettering."""

Spots = NDArray[np.float64]
"""Points in units of the figure, one a row."""

Cells = NDArray[np.bool_]
"""A quality of each cell of a window."""

Rings = tuple[tuple[Point, ...], ...]
"""Closed lines, first points not repeated."""


class Lattice(NamedTuple):
    """The cells of a grid: its southwest end, the side of a cell, and how many there are each way."""

    west: int
    south: int
    cell: float
    columns: int
    rows: int


class LabelGrid:
    """A figure and its board, with everything about them that the search asks more than once."""

    def __init__(self, figure: Figure, board: Board) -> None:
        self.figure, self.board = figure, board
        west, south, east, north = figure.frame
        self.px = (east - west) / FULL_WIDTH
        self.cell = CELL * self.px
        columns, rows = (int(np.ceil(side / self.cell)) for side in (east - west, north - south))
        self.columns, self.rows, self.lattice = columns, rows, Lattice(west, south, self.cell, columns, rows)
        self._windows: dict[tuple[Code, float], Window] = {}

    def window(self, code: Code, margin: float) -> "Window":
        """Return the window on a face with a margin, made once; it lives no longer than the grid."""
        if (code, margin) not in self._windows:
            self._windows[code, margin] = Window.of(self, code, margin)
        return self._windows[code, margin]

    @cached_property
    def polygons(self) -> dict[Code, Polygon]:
        """The exact shape of every face."""
        return {code: _polygon(rings) for code, rings in self._rings.items()}

    @cached_property
    def _rings(self) -> dict[Code, Rings]:
        """The outline of every face and its holes."""
        figure = self.figure
        return {code: tuple(map(figure.ring, cycles)) for code, cycles in figure.faces.items()}

    @cached_property
    def codes(self) -> tuple[Code, ...]:
        """The faces in the order in which the grid numbers them."""
        return tuple(self.figure.faces)

    @cached_property
    def seas(self) -> BaseGeometry:
        """All seas together."""
        return shapely.union_all([self.polygons[code] for code in self.figure.seas])

    def seas_in(self, bounds: Sequence[float]) -> BaseGeometry:
        """Return the part of all seas in a box: west, south, east, north."""
        west, south, east, north = bounds
        window, seas = shapely.box(west, south, east, north), (self.polygons[code] for code in self.figure.seas)
        return shapely.union_all([sea.intersection(window) for sea in seas if window.intersects(sea)])

    @property
    def islands(self) -> BaseGeometry:
        """The islands drawn above the seas that are large enough to hinder lettering."""
        return _islands(self._decorations("island"), SPECK * self.px**2)

    def _decorations(self, *kinds: str) -> Rings:
        return tuple(d.ring for d in self.figure.decorations if d.kind in kinds)

    @cached_property
    def nodes(self) -> Spots:
        """The corners of the figure inside the frame."""
        spots = [at for name, at in self.figure.nodes.items() if BEYOND not in codes_of(name)]
        return np.array(spots, dtype=float).reshape(-1, 2)

    @cached_property
    def owner(self) -> NDArray[np.int16]:
        """The number of the face the middle of each cell lies in; -1 beyond all."""
        grid = np.full((self.rows, self.columns), -1, np.int16)
        for number, code in enumerate(self.codes):
            row, column, cells = _fill_cells(self._rings[code], self.lattice)
            part = grid[row : row + cells.shape[0], column : column + cells.shape[1]]
            part[cells] = number
        return grid

    @property
    def island_cells(self) -> Cells:
        """The cells whose middle lies on an island."""
        return _island_cells(self._decorations("island"), SPECK * self.px**2, self.lattice)

    @property
    def strait_cells(self) -> Cells:
        """The cells whose middle lies in the water of a filled strait or in a lake."""
        return _spread_out(_fill_cells(self._decorations("lake", "strait"), self.lattice), self.lattice)

    def middles(self, rows: NDArray[np.int_], columns: NDArray[np.int_]) -> Spots:
        """Return the middles of cells."""
        west, south = self.figure.frame[:2]
        return np.column_stack((west + (columns + 0.5) * self.cell, south + (rows + 0.5) * self.cell))

    # ------------------------------------------------------------------ shores and corners

    def _towards(self, location: Location) -> LineString:
        """Return the longest border of a space with those a fleet at `location` can reach, or else its outline."""
        reached = {to.space for to in self.board.fleets.get(location, ())}
        borders = [line for code in sorted(reached) for line in self._border(location.space, code)]
        return max(borders, key=lambda line: line.length, default=LineString(self.polygons[location.space].exterior))

    def _border(self, code: Code, other: Code) -> list[LineString]:
        return [LineString(self.figure.line(half)) for half in self.figure.between(code, other)]

    def shores(self, code: Code) -> dict[Coast, LineString]:
        """Return the shores of a land face with several coasts, by the coast whose mark lies nearest to each.

        On a schematic figure: its longest border with a space that a fleet on that coast can reach.
        """
        if self.figure.schematic:
            return {coast: self._towards(Location(code, coast)) for coast in self.board.spaces[code].coasts}
        marks = [mark for mark in self.figure.marks if mark.space == code]
        if not marks:
            return {}
        wet = [
            LineString(np.array(self.figure.line(half), dtype=float))
            for cycle in self.figure.faces[code]
            for half in cycle
            if self.figure.beyond(half) in self.figure.seas
        ]
        runs = shapely.get_parts(shapely.line_merge(MultiLineString(wet)))
        return {mark.coast: min(runs, key=shapely.Point(mark.at).distance) for mark in marks}

    def corners(self) -> dict[str, Point]:
        """Return the point of every corner of the board, by `str(corner)`."""
        named: dict[frozenset[Code], list[Corner]] = {}
        for corner in self.board.corners:
            named.setdefault(frozenset(loc.space for loc in corner.touches), []).append(corner)
        shores = {code: self.shores(code) for code, space in self.board.spaces.items() if space.coasts}
        corners: dict[str, Point] = {}
        for name, at in sorted(self.figure.nodes.items()):
            for corner in named.get(frozenset(codes_of(name)), ()):
                if all(self._reaches(shores, location, at) for location in corner.touches):
                    corners.setdefault(str(corner), at)
        return corners

    @staticmethod
    def _reaches(shores: dict[Code, dict[Coast, LineString]], location: Location, at: Point) -> bool:
        return location.coast == NO_COAST or bool(
            shores[location.space][location.coast].distance(shapely.Point(at)) < 1
        )


@dataclass
class Window:
    """The cells of one face and of some margin round it.

    `own`, `land`, `island` and `strait` say of each cell whether it lies in the face, on other land or beyond the
    frame, on an island, in the water of a strait or lake.
    `row` and `column` are the cell of the grid at the southwest end. The grid is `held` weakly: it holds its
    windows, and what holds each other stays in memory long after the search.
    """

    held: ReferenceType[LabelGrid]
    code: Code
    row: int
    column: int
    own: Cells
    land: Cells
    island: Cells
    strait: Cells

    @classmethod
    def of(cls, ground: LabelGrid, code: Code, margin: float) -> "Window":
        """Return the window on a face with `margin` units on every side; cells beyond the frame count as other land."""
        pad = int(np.ceil(margin / ground.cell))
        west, south = ground.figure.frame[:2]
        x0, y0, x1, y1 = ground.polygons[code].bounds
        row, column = int((y0 - south) // ground.cell) - pad, int((x0 - west) // ground.cell) - pad
        height, width = (int((side) // ground.cell) + 2 * pad + 2 for side in (y1 - y0, x1 - x0))
        owner = _cut(ground.owner, row, column, height, width, -1)
        number = ground.codes.index(code)
        seas = [ground.codes.index(sea) for sea in ground.figure.seas]
        own = owner == number
        land = ~own & ~np.isin(owner, seas)
        island, strait = (
            _cut(grid, row, column, height, width, 0).astype(bool)
            for grid in (ground.island_cells, ground.strait_cells)
        )
        window = cls(ref(ground), code, row, column, own, land, island, strait)
        if not own.any():  # a face so small that no cell has its middle inside
            own[window.cells(np.array(ground.polygons[code].representative_point().coords))] = True
        return window

    @property
    def ground(self) -> LabelGrid:
        """The grid it is a part of."""
        ground = self.held()
        assert ground is not None  # noqa: S101  # a window is used only while its grid is held
        return ground

    @cached_property
    def step(self) -> int:
        """Every how many cells the distance from the border is measured."""
        return max(1, int(np.sqrt(self.own.sum() / SPREAD)))

    @cached_property
    def clearance(self) -> NDArray[np.float64]:
        """The distance of each cell of the face from its border and from islands, in units; 0 outside the face."""
        step = self.step
        coarse = np.zeros((-(-self.own.shape[0] // step), -(-self.own.shape[1] // step)))
        rows, columns = np.nonzero(self.own[step // 2 :: step, step // 2 :: step])
        spots = self.spots(rows * step + step // 2, columns * step + step // 2)
        border = [self.ground.polygons[self.code].boundary]
        if not self.ground.islands.is_empty and (self.island & self.own).any():
            near = self.ground.islands.intersection(self.ground.polygons[self.code].envelope)
            border.append(near.boundary)
        dry = self.island[rows * step + step // 2, columns * step + step // 2]
        coarse[rows, columns] = np.where(dry, 0.0, _distances(spots, border, 8 * step * self.ground.cell))
        full = np.repeat(np.repeat(coarse, step, axis=0), step, axis=1)
        return np.asarray(np.where(self.own, full[: self.own.shape[0], : self.own.shape[1]], 0.0))

    def spots(self, rows: NDArray[np.int_], columns: NDArray[np.int_]) -> Spots:
        """Return the middles of cells of the window."""
        return self.ground.middles(rows + self.row, columns + self.column)

    def cells(self, spots: Spots) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
        """Return the cells spots lie in, the nearest of the window if they lie outside it."""
        west, south = self.ground.figure.frame[:2]
        columns = np.floor((spots[..., 0] - west) / self.ground.cell).astype(int) - self.column
        rows = np.floor((spots[..., 1] - south) / self.ground.cell).astype(int) - self.row
        # faster than np.clip
        for cells, most in ((rows, self.own.shape[0] - 1), (columns, self.own.shape[1] - 1)):
            np.minimum(np.maximum(cells, 0, out=cells), most, out=cells)
        return rows, columns

    def shares(self, quality: str, spots: Spots, low: Spots, high: Spots) -> NDArray[np.float64]:
        """Return the share of a box at each spot that is `own`, other `land`, or an `island` or `strait` of the face.

        The box reaches from spot + `low` to spot + `high`.
        """
        return self.boxes(spots, low, high).shares(quality)

    def boxes(self, spots: Spots, low: Spots, high: Spots) -> "Boxes":
        """Return the boxes from each spot + `low` to spot + `high`."""
        return Boxes(self, *self.cells(spots + low), *self.cells(spots + high))

    @cached_property
    def totals(self) -> dict[str, NDArray[np.int32]]:
        """For each quality the number of such cells southwest of each cell."""
        totals = {}
        islands, straits = self.island & self.own, self.strait & self.own
        for quality, cells in (("own", self.own), ("land", self.land), ("island", islands), ("strait", straits)):
            totals[quality] = np.zeros((self.own.shape[0] + 1, self.own.shape[1] + 1), np.int32)
            np.cumsum(np.cumsum(cells, axis=0), axis=1, out=totals[quality][1:, 1:])
        return totals


class Boxes(NamedTuple):
    """Boxes of cells in a window, by the rows and columns of their southwest and northeast cells."""

    window: Window
    south: NDArray[np.int_]
    west: NDArray[np.int_]
    north: NDArray[np.int_]
    east: NDArray[np.int_]

    def only(self, some: Cells) -> "Boxes":
        """Return some of the boxes."""
        return Boxes(self.window, self.south[some], self.west[some], self.north[some], self.east[some])

    def shares(self, quality: str) -> NDArray[np.float64]:
        """Return the share of each box that has a quality, as `Window.shares` does."""
        _, south, west, north, east = self
        total = self.window.totals[quality]
        inside = total[north + 1, east + 1] - total[south, east + 1]
        inside += total[south, west] - total[north + 1, west]
        return np.asarray(inside / ((north - south + 1) * (east - west + 1)))


def _distances(spots: Spots, lines: Sequence[BaseGeometry], side: float) -> NDArray[np.float64]:
    """Return the distance of each spot from the nearest line.

    Spots are checked together in squares of some `side`, each with only the pieces of line that may be the nearest.
    """
    ends, line = shapely.get_coordinates(shapely.get_parts(lines), return_index=True)
    inner = line[:-1] == line[1:]
    first, way = ends[:-1][inner], (ends[1:] - ends[:-1])[inner]
    long2 = np.maximum((way * way).sum(axis=1), 1e-12)
    found = np.zeros(len(spots))
    _, square = np.unique(np.floor(spots / side), axis=0, return_inverse=True)
    order = np.argsort(square, kind="stable")
    for group in np.split(order, np.nonzero(np.diff(square[order]))[0] + 1) if len(order) else ():
        some = spots[group]
        middle = (some.min(axis=0) + some.max(axis=0)) / 2
        radius = float(np.hypot(*(some.max(axis=0) - middle)))
        away = _away(middle[None], first, way, long2)[0]
        near = np.sqrt(away) <= np.sqrt(away.min()) + 2 * radius + 1
        found[group] = np.sqrt(_away(some, first[near], way[near], long2[near]).min(axis=1))
    return found


def _away(spots: Spots, first: Spots, way: Spots, long2: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the square of the distance of each spot (rows) from each piece of line (columns)."""
    x, y = spots[:, 0, None] - first[:, 0], spots[:, 1, None] - first[:, 1]
    share = np.minimum(np.maximum((x * way[:, 0] + y * way[:, 1]) / long2, 0.0), 1.0)
    x -= share * way[:, 0]
    y -= share * way[:, 1]
    return np.asarray(x * x + y * y)


def _cut(grid: NDArray[np.generic], row: int, column: int, height: int, width: int, outside: int) -> NDArray[np.int_]:
    """Return a piece of the grid, filled with `outside` where it reaches beyond."""
    piece = np.full((height, width), outside, np.int64)
    r0, c0 = max(row, 0), max(column, 0)
    r1, c1 = min(row + height, grid.shape[0]), min(column + width, grid.shape[1])
    piece[r0 - row : r1 - row, c0 - column : c1 - column] = grid[r0:r1, c0:c1]
    return piece


# ---------------------------------------------------------------------- kept for the next board
# A split changes two faces and the borders of a few more: all others are looked up by their outlines.


@lru_cache(maxsize=512)
def _polygon(rings: Rings) -> Polygon:
    """Return the shape of a face, quickly made of arrays."""
    outer, *holes = (np.array(ring, dtype=float) for ring in rings)
    return Polygon(outer, holes)


@lru_cache(maxsize=8)
def _islands(rings: Rings, least: float) -> BaseGeometry:
    """Return the islands of at least some area together."""
    return shapely.union_all([shape for shape in map(Polygon, rings) if shape.area > least])


@lru_cache(maxsize=8)
def _island_cells(rings: Rings, least: float, lattice: Lattice) -> Cells:
    """Return the cells whose middle lies on one of these islands."""
    parts = shapely.get_parts(_islands(rings, least))
    return _spread_out(_fill_cells(tuple(tuple(part.exterior.coords)[:-1] for part in parts), lattice), lattice)


def _spread_out(filled: tuple[int, int, Cells], lattice: Lattice) -> Cells:
    """Return a part of a grid on the whole grid."""
    row, column, cells = filled
    grid = np.zeros((lattice.rows, lattice.columns), dtype=bool)
    grid[row : row + cells.shape[0], column : column + cells.shape[1]] = cells
    return grid


@lru_cache(maxsize=512)
def _fill_cells(rings: tuple[tuple[tuple[float, float], ...], ...], lattice: Lattice) -> tuple[int, int, Cells]:
    """Return the cells whose middle lies inside the rings, a ring inside another being a hole (even-odd rule).

    Only the box round the rings is searched: the row and column of its southwest end, and its cells.
    """
    lines = [(np.array(ring, dtype=float) - (lattice.west, lattice.south)) / lattice.cell - 0.5 for ring in rings]
    if not lines:
        return 0, 0, np.zeros((0, 0), dtype=bool)
    size = (lattice.columns, lattice.rows)
    lows, highs = (np.array([end(line, axis=0) for line in lines]) for end in (np.min, np.max))
    west, south = np.clip(np.ceil(lows.min(axis=0)), 0, size).astype(int)
    east, north = np.clip(np.ceil(highs.max(axis=0)), (west, south), size).astype(int)
    flips = np.zeros((north - south, east - west + 1), np.int32)
    for a in lines:
        b = np.roll(a, -1, axis=0)
        low, high = np.minimum(a[:, 1], b[:, 1]), np.maximum(a[:, 1], b[:, 1])
        first = np.ceil(low).astype(int)
        count = np.maximum(np.ceil(high).astype(int) - first, 0)
        edge = np.repeat(np.arange(len(a)), count)
        row = first[edge] + np.arange(len(edge)) - np.repeat(np.cumsum(count) - count, count)
        share = (row - a[edge, 1]) / (b[edge, 1] - a[edge, 1])
        column = np.ceil(a[edge, 0] + share * (b[edge, 0] - a[edge, 0])).astype(int)
        inside = (row >= south) & (row < north)
        np.add.at(flips, (row[inside] - south, np.clip(column[inside] - west, 0, east - west)), 1)
    return int(south), int(west), (np.cumsum(flips, axis=1)[:, :-1] & 1).astype(bool)
