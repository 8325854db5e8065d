"""Candidates for lettering: every place, size and curve a name might have in a face, each with its cost.

Costs are on the scale of `plenipo.maps.lettering.label_search`: 1 is a matter of taste, 10 is ugly, 100 is forbidden.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from plenipo.maps.lettering.footprints import HALF, Footprint, block
from plenipo.maps.lettering.label_grid import Spots, Window
from plenipo.maps.lettering.placements import LabelPlacement
from plenipo.maps.lettering.typeface import ASCENT, CAPITAL, DESCENT, width_of

__all__ = ["LabelCandidates", "OverlapLimits", "breaks", "find_curved_places", "straight"]

Costs = NDArray[np.float64]

TRIED = 1600
"""About how many places are tried for one kind."""

FRAME_GAP = 2.0
"""The gap between lettering and the frame, in pixels at full size."""

BEADS = 15
"""The number of discs by which a curve is evaluated during the search."""

TILTS = np.radians([-12, -6, 0, 6, 12])
"""The tilt of the chord of a curved name whose face asks for no direction."""

ASKEW = np.radians([-16, -8, 0, 8, 16])
"""By how much a name may turn from the direction its face asks for."""

GENTLE = 0.07
"""The bow that looks best."""

BOWS = np.array([-0.16, -0.1, -0.05, 0.0, 0.05, 0.1, 0.16])
"""The bow of a curved name: the height of the curve over its chord, as a share of the chord."""


@dataclass(frozen=True)
class OverlapLimits:
    """Limits for the part of a box outside its face, on other land and on water, and the cost of each by share."""

    land: float
    water: float
    land_cost: float
    water_cost: float
    beyond: bool = False
    """True if the middle of the box may lie outside the face."""


@dataclass(frozen=True)
class LabelCandidates:
    """Candidates of one kind: their costs, the boxes or beads they cover, and how to make a lettering of one.

    `boxes` has a row west, south, east, north for each; or else `beads` has a row of points for each, the middles of
    discs of radius `half`. `tilt` is the direction each runs in, 0 being level.
    """

    cost: Costs
    boxes: NDArray[np.float64]
    beads: NDArray[np.float64]
    half: float
    tilt: NDArray[np.float64]
    make: Callable[[int], LabelPlacement]

    def __len__(self) -> int:
        return len(self.cost)

    @property
    def middles(self) -> Spots:
        """The middle of each candidate."""
        if len(self.boxes):
            return np.asarray((self.boxes[:, :2] + self.boxes[:, 2:]) / 2)
        return np.asarray(self.beads[:, BEADS // 2])

    @property
    def bounds(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The southwest and northeast end of all area that the candidates cover."""
        if not len(self):
            return np.zeros(2), np.zeros(2)
        if len(self.boxes):
            return self.boxes[:, :2].min(axis=0), self.boxes[:, 2:].max(axis=0)
        return self.beads.min(axis=(0, 1)) - self.half, self.beads.max(axis=(0, 1)) + self.half

    def gaps(self, spots: Spots) -> NDArray[np.float64]:
        """Return the distance of each spot (columns) from the area that each candidate (rows) covers."""
        x, y = spots.T
        if len(self.boxes):
            west, south, east, north = self.boxes.T[:, :, None]
            dx = np.maximum(np.maximum(west - x, x - east), 0.0)
            dy = np.maximum(np.maximum(south - y, y - north), 0.0)
            return np.asarray(np.sqrt(dx * dx + dy * dy))
        nearest = np.full((len(self), len(spots)), np.inf)
        for i in range(self.beads.shape[1]):
            dx, dy = self.beads[:, i, 0, None] - x, self.beads[:, i, 1, None] - y
            np.minimum(nearest, dx * dx + dy * dy, out=nearest)
        return np.asarray(np.sqrt(nearest) - self.half)

    def room(self, taken: Footprint) -> NDArray[np.float64]:
        """Return the distance of each candidate from the area that is taken already."""
        room = np.full(len(self), np.inf)
        if len(taken.discs):
            room = np.minimum(room, (self.gaps(taken.discs[:, :2]) - taken.discs[:, 2]).min(axis=1))
        if len(taken.boxes) and len(self.boxes):
            low, high = taken.boxes[:, :2], taken.boxes[:, 2:]
            away = np.maximum(np.maximum(low - self.boxes[:, None, 2:], self.boxes[:, None, :2] - high), 0.0)
            room = np.minimum(room, np.hypot(away[..., 0], away[..., 1]).min(axis=1))
        elif len(taken.boxes):
            room = np.minimum(room, Footprint(boxes=taken.boxes).distance(self.beads).min(axis=1) - self.half)
        return room

    def cheapest(self, extra: Costs, most: int) -> "LabelCandidates":
        """Return the best so many candidates, when `extra` is added to their costs."""
        cost = self.cost + extra
        order = np.argsort(cost, kind="stable")[:most]
        return replace(self, cost=cost).some(order)

    def some(self, order: NDArray[np.int_]) -> "LabelCandidates":
        """Return the candidates of some numbers, in that order."""
        return LabelCandidates(
            self.cost[order],
            self.boxes[order] if len(self.boxes) else self.boxes,
            self.beads[order] if len(self.beads) else self.beads,
            self.half,
            self.tilt[order],
            lambda i: self.make(int(order[i])),
        )


def breaks(name: str) -> tuple[tuple[str, ...], ...]:
    """Return the ways to set a name: in one line, and in two where a space divides it most evenly.

    >>> breaks("North Atlantic Ocean")
    (('North Atlantic Ocean',), ('North Atlantic', 'Ocean'))
    """
    words = name.split()
    if len(words) < 2:
        return ((name,),)
    splits = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return (name,), min(splits, key=lambda two: (max(map(len, two)), -len(two[0])))


def straight(
    window: Window, lines: Sequence[str], size: float, spacing: float, limits: OverlapLimits, *, water: bool
) -> LabelCandidates:
    """Return the places for lettering in straight lines; `size` and `spacing` in units."""
    low, high = (np.array(end) * size for end in block(lines, water=water, spacing=spacing / size))
    edge = 0.3 * size
    rows, columns = _sample_cells(window.own | ~window.land if limits.beyond else window.own)
    spots = _in_frame(window, np.round(window.spots(rows, columns) - (low + high) / 2), low, high)
    boxes = window.boxes(spots, low, high)
    own, land = boxes.shares("own"), boxes.shares("land")
    water_share = np.maximum(1.0 - own - land, 0.0)
    fits = (land <= limits.land) & (water_share <= limits.water)
    spots, land, water_share, boxes = spots[fits], land[fits], water_share[fits], boxes.only(fits)
    cost = limits.land_cost * land + limits.water_cost * water_share
    cost += 8.0 * (1.0 - window.shares("own", spots, low - edge, high + edge))
    cost += 40.0 * boxes.shares("island") + 15.0 * boxes.shares("strait")

    def make(i: int) -> LabelPlacement:
        x, y = spots[i]
        return LabelPlacement(tuple(lines), (int(x), int(y)), round(size), (), round(spacing))

    return LabelCandidates(
        cost, np.column_stack((spots + low, spots + high)), np.empty((0, BEADS, 2)), 0.0, np.zeros(len(spots)), make
    )


def find_curved_places(
    window: Window, text: str, size: float, spacing: float, heading: float | None, *, water: bool
) -> LabelCandidates:
    """Return the places for a single line along a curve, wholly inside its face; level straight lines are left out.

    The line runs nearly level, or nearly in the direction `heading`.
    """
    half, px = HALF * size, window.ground.px
    length = width_of(text, water=water) * size + spacing * max(len(text) - 1, 0)
    rows, columns = _sample_cells(window.clearance > half + 3 * px, TRIED // 10)
    tilts = TILTS if heading is None else np.concatenate((TILTS, heading + ASKEW))
    tilt, bow = (grid.ravel() for grid in np.meshgrid(tilts, BOWS, indexing="ij"))
    bent = (np.abs(tilt) > 0.01) | (np.abs(bow) > 0.01)
    tilt, bow = tilt[bent], bow[bent]
    forward = np.column_stack((np.cos(tilt), np.sin(tilt)))
    upward = np.column_stack((-forward[:, 1], forward[:, 0]))
    share = np.linspace(-1.0, 1.0, BEADS)
    chord = length * (1.0 - 2.0 * bow**2)  # the chord is somewhat shorter than the run of the letters
    lift = (chord * bow)[:, None] * (0.5 - share**2)
    offsets = forward[:, None, :] * (chord[:, None] / 2 * share)[..., None] + upward[:, None, :] * lift[..., None]
    spots = window.spots(rows, columns)
    spot, kind = (grid.ravel() for grid in np.meshgrid(np.arange(len(spots)), np.arange(len(tilt)), indexing="ij"))
    # most lines leave the face with an end: those are dropped before the places between are checked
    for chosen in ((0,), (BEADS - 1,), (BEADS // 4, -BEADS // 4), range(BEADS)):
        beads = spots[spot][:, None, :] + offsets[:, list(chosen)][kind]
        free = window.clearance[window.cells(beads)].min(axis=1) - half
        fits = free > 2.5 * px
        spot, kind, beads, free = spot[fits], kind[fits], beads[fits], free[fits]
    tilt, bow, chord, forward, upward = tilt[kind], bow[kind], chord[kind], forward[kind], upward[kind]
    cost = 5.0 * np.maximum(1.0 - free / (8 * px), 0.0) + 25.0 * np.abs(np.abs(bow) - GENTLE) + 0.3 * (bow < 0)

    def make(i: int) -> LabelPlacement:
        first, last, middle = beads[i, 0], beads[i, -1], beads[i, BEADS // 2]
        top = 2 * middle - (first + last) / 2
        reach = (forward[i] * 0.06 * chord[i], upward[i] * ((ASCENT - DESCENT) / 2 * size))
        curve = (first - reach[0] - reach[1], top - reach[1], last + reach[0] - reach[1])
        points = tuple((round(float(x)), round(float(y))) for x, y in curve)
        at = (round(float(middle[0])), round(float(middle[1] - (ASCENT - CAPITAL - DESCENT) / 2 * size)))
        return LabelPlacement((text,), at, round(size), points, round(spacing))

    return LabelCandidates(cost, np.empty((0, 4)), beads, half, tilt, make)


def _in_frame(window: Window, spots: Spots, low: Spots, high: Spots) -> Spots:
    """Return the spots, moved where need be so that a box from spot + `low` to spot + `high` lies inside the frame."""
    frame, gap = np.array(window.ground.figure.frame, dtype=float), FRAME_GAP * window.ground.px
    return np.clip(spots, np.ceil(frame[:2] + gap - low), np.floor(frame[2:] - gap - high))


def _sample_cells(cells: NDArray[np.bool_], wanted: int = TRIED) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """About so many of the cells, spread evenly."""
    step = max(1, int(np.ceil(np.sqrt(cells.sum() / wanted))))
    rows, columns = np.nonzero(cells[step // 2 :: step, step // 2 :: step])
    return rows * step + step // 2, columns * step + step // 2
