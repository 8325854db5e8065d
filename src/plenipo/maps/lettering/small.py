"""The small picture: codes that can still be read, the marks of centres and the tokens on a map as on a phone.

A small picture is not a large one scaled down. Each space gets its code in letters as large as can be read there: in
the space, turned along it where it is narrow, or else beside it with a line that leads to it. Everything is weighed on
a grid of cells on which what is taken is painted; small spaces choose first.
Measures called pixels are those of a map drawn at full size, see `plenipo.maps.lettering.label_grid`.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import atan2, cos, degrees, dist, radians, sin
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from plenipo.engine.board import Code, Location
from plenipo.maps.figure.boxes import Box
from plenipo.maps.figure.planar import Point
from plenipo.maps.lettering.candidates import Costs
from plenipo.maps.lettering.footprints import footprint_of
from plenipo.maps.lettering.label_grid import FULL_WIDTH, Cells, LabelGrid, Lattice, Spots, Window
from plenipo.maps.lettering.placements import (
    BESIDE,
    LARGER_MARK,
    LARGEST,
    LEAST_ROOM,
    READABLE,
    TOKEN,
    LabelPlacement,
    Placements,
)
from plenipo.maps.lettering.small_units import with_small_units
from plenipo.maps.lettering.space_search import MARGIN, MARK
from plenipo.maps.lettering.typeface import CAPITAL, width_of

__all__ = ["FULL", "SMALL", "Design", "SmallPicture", "with_leaders", "with_small"]

Ints = NDArray[np.int_]


@dataclass(frozen=True)
class Design:
    """Sizes of things in a picture of some width: the `code` in letters and the `mark` of a centre, in pixels.

    `growth` is how much larger the codes of the largest spaces are; a token has `token` times its size at
    least, and `wished` times if it can.
    """

    code: float
    mark: float
    growth: float
    token: float
    wished: float


SMALL = Design(9.2 * FULL_WIDTH / 390, LARGER_MARK * MARK, 1.25, READABLE + 0.05, LARGEST)
"""For pictures of 390 to 640 pixels."""

FULL = Design(12.5, MARK, 1.0, 1.0, 1.0)
"""For pictures of full size, where names have no room."""

MOST_ABROAD = 0.12
"""The share of a code that may lie on other land without a line to its space."""

LEAST_AT_HOME = 0.55
"""The share of a code that must lie in its space without one."""

LED = 22.0
"""The cost of a line from a code to its space, in degrees of ugliness: 10 is ugly."""

OVER_LETTERS = 150.0
"""The cost of writing over another code: more than any line that leads elsewhere."""

REACH = 150.0
"""The greatest distance of a code from its space, in pixels."""

GRAIN = 5.0
"""The distance between the points at which a code is checked for overlaps, in pixels."""

INSET = 0.25
"""The extent of a line into its space, in sizes of the code."""

SHORTEST = 0.42
"""A line is at least so long, in sizes of the code."""

CLOSE = 2.0
"""The gap round everything, in pixels."""


TAKEN, WISHED, CORE, LETTERS = map(np.uint8, (1, 2, 4, 8))
"""What a cell of the grid is painted as: taken; where a token would grow; under a token of any size; under a code."""


class SmallPicture:
    """The search for the codes and marks of a picture of some design; occupied cells are painted on a grid."""

    def __init__(self, ground: LabelGrid, placements: Placements, design: Design = SMALL) -> None:
        self.ground, self.placements, self.design, self.px = ground, placements, design, ground.px
        self.painted = np.zeros(ground.owner.size, dtype=np.uint8)
        self.owner = np.where(ground.owner < 0, len(ground.codes), ground.owner).ravel()
        self.sea = np.zeros(len(ground.codes) + 1, dtype=bool)  # the last one is for the area beyond the frame
        self.sea[[ground.codes.index(code) for code in ground.figure.seas]] = True
        for location, at in placements.units.items():
            if location.space in ground.polygons:
                self.paint_disc(at, placements.unit * design.token)
                self.paint_disc(at, placements.unit * design.wished, WISHED)
                self.paint_disc(at, placements.unit * TOKEN * LEAST_ROOM, CORE)

    # ------------------------------------------------------------------ painting

    def cells(self, spots: Spots) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
        """Return the row and column of each spot; they may lie outside the grid."""
        return _cells(spots, self.ground.lattice)

    def paint(self, spots: Spots) -> None:
        """Take the cells of some spots."""
        self.painted[_inside(spots, self.ground.lattice)] |= TAKEN

    def paint_disc(self, at: Point, radius: float, paint: np.uint8 = TAKEN) -> None:
        """Take a disc; or paint it as something else."""
        self.painted[_cells_of_disc(at, radius + CLOSE * self.px, self.ground.lattice)] |= paint

    def paint_label(self, label: LabelPlacement) -> None:
        """Occupy the cells of a code and its line."""
        lattice = self.ground.lattice
        self.painted[_cells_under(label, CLOSE * self.px, lattice)] |= TAKEN
        self.painted[_cells_under(label, 0.0, lattice)] |= LETTERS
        if label.leader:
            (ax, ay), (bx, by) = label.leader
            share = np.linspace(0, 1, max(2, int(dist(*label.leader) / self.ground.cell)))[:, None]
            self.paint(np.array([ax, ay]) * (1 - share) + np.array([bx, by]) * share)

    def covers_units(self, label: LabelPlacement) -> bool:
        """Tell whether a code covers a unit, however small its token is."""
        return bool((self.painted[_cells_under(label, 0.0, self.ground.lattice)] & CORE).any())

    # ------------------------------------------------------------------ marks of centres

    def mark(self, code: Code) -> Point:
        """Return the place of the mark of a centre: near that of the large picture, clear of tokens; and takes it."""
        window, wish = self.ground.window(code, MARGIN * self.px), np.array(self.placements.centres[code], dtype=float)
        radius = self.design.mark * self.px
        rows, columns = np.nonzero(window.own)
        step = max(1, len(rows) // 1500)
        spots = np.vstack((window.spots(rows[::step], columns[::step]), wish))
        off = np.maximum(radius + CLOSE * self.px - window.clearance[window.cells(spots)], 0.0) / radius
        around = _block((radius, radius), 0.0, radius / 2.01)
        covered = self._taken_at(spots[:, None, :] + around).mean(axis=1)
        cost = np.hypot(*(spots - wish).T) / (8 * self.px) + 6.0 * off + 40.0 * covered
        x, y = spots[int(np.argmin(cost))]
        at = (round(float(x)), round(float(y)))
        self.paint_disc(at, radius)
        return at

    def _taken_at(self, spots: Spots) -> Cells:
        return np.asarray(self.painted[self._nearest(*self.cells(spots))] & TAKEN > 0)

    def _nearest(self, rows: Ints, columns: Ints) -> Ints:
        """Return the numbers of the cells of the grid that are nearest to some cells."""
        rows = np.minimum(np.maximum(rows, 0), self.ground.rows - 1)
        return rows * self.ground.columns + np.minimum(np.maximum(columns, 0), self.ground.columns - 1)

    def _owner_at(self, spots: Spots) -> Ints:
        return self._owners(*self.cells(spots))

    def _owners(self, rows: Ints, columns: Ints) -> Ints:
        """Return the number of the face that each cell lies in, the last one beyond all."""
        owners = self.owner[self._nearest(rows, columns)]
        if rows.size and (rows.min() < 0 or rows.max() >= self.ground.rows):
            owners[(rows < 0) | (rows >= self.ground.rows)] = len(self.ground.codes)
        if columns.size and (columns.min() < 0 or columns.max() >= self.ground.columns):
            owners[(columns < 0) | (columns >= self.ground.columns)] = len(self.ground.codes)
        return np.asarray(owners)

    # ------------------------------------------------------------------ codes

    def code(self, code: Code) -> LabelPlacement:
        """Return the code of a space, in it or beside it with a line; and takes its place."""
        label = self._find_label(code)
        self.paint_label(label)
        return label

    def _find_label(self, code: Code) -> LabelPlacement:
        ground, px = self.ground, self.px
        number, water = ground.codes.index(code), code in ground.figure.seas
        window = ground.window(code, MARGIN * px)
        heart = self._heart(window)
        breadth = float(np.sqrt(ground.polygons[code].area)) / px
        size = self.design.code * px * min(max((breadth / 160) ** 0.5, 1.0), self.design.growth)
        rows, columns = np.nonzero(window.own)
        step = max(1, len(rows) // 500)
        rows, columns = rows[::step], columns[::step]
        well = window.clearance[rows, columns] >= min(CLOSE * px, 0.5 * float(window.clearance.max()))
        home = np.vstack((window.spots(rows[well], columns[well]), heart[None]))
        best: tuple[float, LabelPlacement] | None = None
        far = np.hypot(*(home - heart).T) / (25 * px)
        order = np.argsort(far, kind="stable")
        home, far = home[order], far[order]
        for scale in dict.fromkeys((size, self.design.code * px)):
            for turn, price in self._turns(window, water=water):
                half = (width_of(code, water=water) * scale / 2, CAPITAL * scale / 2)
                least = far + price + 6.0 * (size - scale) / size  # whatever else is there
                for some in _some_at_a_time(len(home)):
                    if best is not None and least[some][0] >= best[0]:
                        break
                    cost = least[some] + self._cost(home[some], half, turn, number, water=water, home=True)
                    i = int(np.argmin(cost))
                    if best is None or cost[i] < best[0]:
                        best = float(cost[i]), _label(code, home[some][i], scale, turn)
        led = self._find_led_label(code, number, window, heart, water=water) if best is None or best[0] > LED else None
        if led is not None and (best is None or led[0] < best[0]):
            best = led
        assert best is not None  # noqa: S101  # a face has a heart
        return best[1]

    @staticmethod
    def _heart(window: Window) -> Spots:
        """Return the middle of the roomiest part of a face."""
        clearance = window.clearance
        if not clearance.any():
            return np.asarray(window.ground.polygons[window.code].representative_point().coords[0])
        row, column = np.unravel_index(int(np.argmax(clearance)), clearance.shape)
        return np.asarray(window.spots(np.array([row]), np.array([column]))[0])

    def _turns(self, window: Window, *, water: bool) -> list[tuple[float, float]]:
        """Return the directions a code may run in, in degrees, and their costs; level ones cost nothing."""
        turns = [(0.0, 0.0)]
        corners = np.array(self.ground.polygons[window.code].minimum_rotated_rectangle.exterior.coords)
        sides = np.diff(corners[:3], axis=0)
        lengths = np.hypot(*sides.T)
        if lengths.max() > 1.35 * lengths.min():
            x, y = sides[int(np.argmax(lengths))]
            turn = degrees(atan2(y, x))
            turn = turn - 180 if turn > 90 else turn + 180 if turn <= -90 else turn
            turns += [(round(turn), 3.0 + abs(turn) / 25)]
        if not water:
            turns += [(90.0, 8.0)]
        return turns

    def _cost(
        self, spots: Spots, half: tuple[float, float], turn: float, number: int, *, water: bool, home: bool
    ) -> Costs:
        """Return the cost of a code at each spot: over taken area, on other land, out of its space."""
        around = _block(half, turn, GRAIN * self.px)[None] + spots[:, None, :]
        rows, columns = self.cells(around)
        owner = self._owners(rows, columns)
        own = owner == number
        abroad = _share(~(own | self.sea[owner]))
        beyond = self._beyond(spots, half, turn)
        painted = self.painted[self._nearest(rows, columns)]
        covered = _share(painted & TAKEN)
        cost: Costs = 160.0 * abroad + 900.0 * beyond + 260.0 * covered + 55.0 * (covered > 0.02)
        cost += OVER_LETTERS * (_share(painted & LETTERS) > 0.01)
        cost += 9.0 * _share(painted & WISHED)
        core = _share(painted & CORE)
        cost += 400.0 * core + 60.0 * (core > 0)
        if home:
            out = 1.0 - _share(own)
            cost += (160.0 if water else 35.0) * out
            cost += 200.0 * ((out > 1.0 - LEAST_AT_HOME) | (abroad > MOST_ABROAD))
        return np.asarray(cost)

    def _beyond(self, spots: Spots, half: tuple[float, float], turn: float) -> Cells:
        """Tell for each spot whether a code there would run over the frame, or come too near to it."""
        c, s = abs(cos(radians(turn))), abs(sin(radians(turn)))
        gap = 2 * CLOSE * self.px + 0.12 * half[1]
        reach = np.array([half[0] * c + half[1] * s + gap, half[0] * s + half[1] * c + gap])
        frame = np.array(self.ground.figure.frame, dtype=float)
        return np.asarray(((spots - reach < frame[:2]) | (spots + reach > frame[2:])).any(axis=1))

    def _find_led_label(
        self, code: Code, number: int, window: Window, heart: Spots, *, water: bool
    ) -> tuple[float, LabelPlacement] | None:
        """Return the best code beside its space with a line that leads to it, and its cost."""
        px, size = self.px, self.design.code * self.px
        half = (width_of(code, water=water) * size / 2, CAPITAL * size / 2)
        x0, y0, x1, y1 = self.ground.polygons[code].bounds
        reach = min(REACH, max(60.0, 3.2 * self.design.code)) * px
        step = 9.0 * px if self.design.code > 20 else 6.0 * px
        xs, ys = np.arange(x0 - reach, x1 + reach, step), np.arange(y0 - reach, y1 + reach, step)
        spots = np.column_stack([side.ravel() for side in np.meshgrid(xs, ys)])
        spots = spots[self._owner_at(spots) < len(self.ground.codes)]
        # the places of the face nearest to each spot, a little inside
        rows, columns = np.nonzero(window.clearance >= min(INSET * size, 0.8 * float(window.clearance.max())))
        inner = window.spots(rows, columns) if len(rows) else heart[None]
        inner = inner[:: max(1, len(inner) // 200)]
        dx, dy = spots[:, None, 0] - inner[:, 0], spots[:, None, 1] - inner[:, 1]
        nearest = inner[np.argmin(dx * dx + dy * dy, axis=1)]
        gap = np.hypot(*(spots - nearest).T)
        near = (gap < reach + half[0]) & (gap > half[1] + SHORTEST * size)
        spots, nearest, gap = spots[near], nearest[near], gap[near]
        if not len(spots):
            return None
        order = np.argsort(gap, kind="stable")
        spots, nearest, least = spots[order], nearest[order], LED + 0.18 * gap[order] / px
        best: tuple[float, LabelPlacement] | None = None
        for some in _some_at_a_time(len(spots)):
            if best is not None and least[some][0] >= best[0]:
                break
            costs = least[some] + self._cost(spots[some], half, 0.0, number, water=water, home=False)
            for i in np.argsort(costs, kind="stable"):
                if best is not None and costs[i] >= best[0]:
                    break
                spot, end = spots[some][i], nearest[some][i]
                start = _edge(spot, half, end, CLOSE * px)
                long = float(np.hypot(*(end - start)))
                if long < SHORTEST * size:
                    continue
                share = np.linspace(0, 1, max(3, int(long / (3 * px))))[:, None]
                line = start * (1 - share) + end * share
                owner = self._owner_at(line)
                astray = ((owner != number) & ~self.sea[owner]).mean()
                total = costs[i] + 45.0 * astray + 90.0 * self._taken_at(line).mean()
                if best is None or total < best[0]:
                    best = float(total), replace(_label(code, spot, size, 0.0), leader=(_point(start), _point(end)))
        return best


def _share(cells: NDArray[Any]) -> Costs:
    """Return the share of each row that is not zero."""
    return np.asarray(np.count_nonzero(cells, axis=1) / cells.shape[1])


def _some_at_a_time(count: int) -> Iterator[slice]:
    """Return pieces of a row of places, so that the search can stop once no later one can be better."""
    return (slice(start, start + 80) for start in range(0, count, 80))


def _cells(spots: Spots, lattice: Lattice) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """Return the row and column of each spot; they may lie outside the grid."""
    return (
        np.floor((spots[..., 1] - lattice.south) / lattice.cell).astype(int),
        np.floor((spots[..., 0] - lattice.west) / lattice.cell).astype(int),
    )


def _inside(spots: Spots, lattice: Lattice) -> Ints:
    """Return the numbers of the cells of those spots that lie on the grid."""
    rows, columns = _cells(spots, lattice)
    inside = (rows >= 0) & (columns >= 0) & (rows < lattice.rows) & (columns < lattice.columns)
    return np.asarray(rows[inside] * lattice.columns + columns[inside])


def _block(half: tuple[float, float], turn: float, step: float) -> Spots:
    """Return places in a box about the origin, turned."""
    x, y = (side.ravel() for side in np.meshgrid(*(np.linspace(-h, h, max(2, int(2 * h / step) + 1)) for h in half)))
    c, s = cos(radians(turn)), sin(radians(turn))
    return np.column_stack((x * c - y * s, x * s + y * c))


# most of a board stays the same when it changes, so the covered cells are cached


@lru_cache(maxsize=4096)
def _cells_under(label: LabelPlacement, gap: float, lattice: Lattice) -> Ints:
    """Return the cells under a code and a gap round it."""
    half = (width_of(label.lines[0]) * label.size / 2 + gap, CAPITAL * label.size / 2 + gap)
    return _inside(_block(half, label.turn, lattice.cell * 0.7) + np.array(label.at), lattice)


@lru_cache(maxsize=4096)
def _cells_of_disc(at: Point, radius: float, lattice: Lattice) -> Ints:
    """Return the cells of a disc."""
    return _inside(_disc(radius, lattice.cell) + np.array(at), lattice)


@lru_cache(maxsize=16)
def _disc(radius: float, cell: float) -> Spots:
    """Places in a disc about the origin, less than a cell apart."""
    steps = np.arange(-radius, radius + cell, cell * 0.9)
    x, y = (side.ravel() for side in np.meshgrid(steps, steps))
    near = np.hypot(x, y) <= radius
    return np.column_stack((x[near], y[near]))


def _label(code: Code, at: Spots, size: float, turn: float) -> LabelPlacement:
    return LabelPlacement((code,), _point(at), round(size), turn=round(turn))


def _point(spot: Spots) -> Point:
    return round(float(spot[0])), round(float(spot[1]))


def _edge(at: Spots, half: tuple[float, float], to: Spots, gap: float) -> Spots:
    """Return where the way from the middle of a box to a place leaves the box and a gap about it."""
    way = to - at
    shares = [(h + gap) / abs(float(w)) for h, w in zip(half, way, strict=True) if w]
    return np.asarray(at + way * min([*shares, 1.0]))


def with_small(ground: LabelGrid, placements: Placements, anew: Collection[Code] | None = None) -> Placements:
    """Return the placements with those of the small picture; for the spaces `anew` only.

    The others keep theirs, but for a code that covers a unit now.
    """
    faces = sorted(ground.board.spaces.keys() & ground.polygons.keys(), key=lambda code: ground.polygons[code].area)
    stay = {} if anew is None else {c: p for c, p in placements.small_codes.items() if c in faces and c not in anew}
    marks = {} if anew is None else {c: p for c, p in placements.small_centres.items() if c in faces and c not in anew}
    picture = SmallPicture(ground, placements)
    stay = {code: label for code, label in stay.items() if not picture.covers_units(label)}
    for at in marks.values():
        picture.paint_disc(at, picture.design.mark * ground.px)
    for label in stay.values():
        picture.paint_label(label)
    labels = stay | {code: picture.code(code) for code in faces if code not in stay}
    marks |= {code: picture.mark(code) for code in faces if code in placements.centres and code not in marks}
    boxed: dict[Location, Point] = {}
    for box in ground.figure.boxes:
        if box.code in placements.codes:
            size = max(placements.codes[box.code].size, round(SMALL.code * ground.px))
            labels[box.code] = replace(placements.codes[box.code], size=size)
            _put_side_by_side(box, placements, labels, boxed)
        if box.code in placements.centres:
            marks[box.code] = placements.centres[box.code]
    found = with_small_units(ground, replace(placements, small_codes=labels, small_centres=marks), anew)
    return replace(found, small_units={**found.small_units, **boxed})


def _put_side_by_side(
    box: Box, placements: Placements, labels: dict[Code, LabelPlacement], units: dict[Location, Point]
) -> None:
    """Set the code of a box without a centre on the left of its unit, if the box is wide enough for both."""
    label, (west, south, east, north) = labels[box.code], box.bounds
    wide, radius = width_of(box.code, water=True) * label.size, (READABLE + 0.05) * TOKEN * placements.unit
    gap = BESIDE * label.size * 2
    if box.code in placements.centres or wide + 2 * radius + 3 * gap > east - west or 2 * radius > north - south:
        return
    left, y = (west + east - wide - 2 * radius - gap) / 2, round((south + north) / 2)
    labels[box.code] = replace(label, at=(round(left + wide / 2), y))
    units[Location(box.code)] = (round(left + wide + gap + radius), y)


def with_leaders(ground: LabelGrid, codes: Collection[Code], placements: Placements) -> Placements:
    """Return the placements with `codes` that replace names without room set again outside their spaces.

    Such a code is turned, or led to its space by a line.
    """
    wrong = sorted(
        (code for code in codes if code in placements.codes and code in ground.polygons),
        key=lambda code: ground.polygons[code].area,
    )
    wrong = [code for code in wrong if not _stands(ground, code, placements.codes[code])]
    if not wrong:
        return placements
    picture = SmallPicture(ground, placements, FULL)
    for at in placements.dislodged.values():
        picture.paint_disc(at, placements.unit)
    for at in placements.centres.values():
        picture.paint_disc(at, placements.mark)
    for code, label in {**placements.codes, **placements.names}.items():
        if code not in wrong:
            taken = footprint_of(label, water=code in ground.figure.waters)
            for x0, y0, x1, y1 in taken.boxes:
                half = ((x1 - x0) / 2, (y1 - y0) / 2)
                block = _block(half, 0.0, ground.cell * 0.7)
                picture.paint(block + np.array([(x0 + x1) / 2, (y0 + y1) / 2]))
            for x, y, radius in taken.discs:
                picture.paint_disc((round(x), round(y)), radius)
    return replace(placements, codes={**placements.codes, **{code: picture.code(code) for code in wrong}})


def _stands(ground: LabelGrid, code: Code, label: LabelPlacement) -> bool:
    """Tell whether a code stands in its space: its middle there, and little of it on other land."""
    box = shapely.box(*footprint_of(label, water=code in ground.figure.waters).boxes[0])
    face = ground.polygons[code]
    abroad = box.difference(face).difference(ground.seas_in(box.bounds)).area / box.area
    inside = box.intersection(face).area / box.area
    return bool(face.contains(box.centroid) and abroad <= MOST_ABROAD and inside >= LEAST_AT_HOME)
