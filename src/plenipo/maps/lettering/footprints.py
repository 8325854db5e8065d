"""Footprints of lettering and tokens on a map, as boxes and discs: the common measure of search and check."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plenipo.maps.figure.planar import Point
from plenipo.maps.lettering.placements import LabelPlacement, along
from plenipo.maps.lettering.typeface import ASCENT, CAPITAL, DESCENT, LEADING, depth_of, width_of

__all__ = ["Footprint", "block", "centre_line", "disc", "footprint_of"]

BEADS = 24
"""Into how many pieces the run of a curved name is divided."""

HALF = (ASCENT + DESCENT) / 2
"""Half the height of a curved name, in font sizes."""


@dataclass(frozen=True)
class Footprint:
    """Boxes (west, south, east, north) and discs (x, y, radius) that are taken, one a row."""

    boxes: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 4)))
    discs: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 3)))

    @classmethod
    def all(cls, parts: Iterable["Footprint"]) -> "Footprint":
        """Everything several parts cover."""
        footprints = [cls(), *parts]
        return cls(
            np.concatenate([part.boxes for part in footprints]), np.concatenate([part.discs for part in footprints])
        )

    def distance(self, spots: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the distance of each spot (one a row) from all covered area, in units; zero or negative inside."""
        nearest = np.full(spots.shape[:-1], np.inf)
        for x, y, radius in self.discs:
            nearest = np.minimum(nearest, np.hypot(spots[..., 0] - x, spots[..., 1] - y) - radius)
        for west, south, east, north in self.boxes:
            dx = np.maximum(np.maximum(west - spots[..., 0], spots[..., 0] - east), 0.0)
            dy = np.maximum(np.maximum(south - spots[..., 1], spots[..., 1] - north), 0.0)
            nearest = np.minimum(nearest, np.hypot(dx, dy))
        return nearest

    def within(self, low: ArrayLike, high: ArrayLike) -> "Footprint":
        """Return the part that reaches into the box from `low` to `high`."""
        boxes, discs, lowest, highest = self.boxes, self.discs, np.asarray(low), np.asarray(high)
        near = ((boxes[:, :2] < highest) & (boxes[:, 2:] > lowest)).all(axis=1)
        middle, radius = discs[:, :2], discs[:, 2:]
        here = ((middle + radius > lowest) & (middle - radius < highest)).all(axis=1)
        return Footprint(boxes[near], discs[here])


def disc(at: Point, radius: float) -> Footprint:
    """Return the disc that a token covers."""
    return Footprint(discs=np.array([[*at, radius]], dtype=float))


def block(
    lines: Sequence[str], *, water: bool, spacing: float = 0.0
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the box of straight lettering at size 1, from its southwest to its northeast end, its placement at 0, 0.

    `spacing` is in font sizes. The box of several lines is as wide as the widest of them.
    """
    half = max(width_of(line, water=water, spacing=spacing) for line in lines) / 2
    first = LEADING * (len(lines) - 1) / 2 - CAPITAL / 2
    last = -LEADING * (len(lines) - 1) / 2 - CAPITAL / 2
    return (-half, last - depth_of(lines[-1])), (half, first + ASCENT)


def centre_line(lettering: LabelPlacement, *, water: bool) -> NDArray[np.float64]:
    """Return points along the middle of a curved name's letters, from its first letter to its last."""
    points = np.array(along(lettering.curve, 4 * BEADS))
    heading = np.gradient(points, axis=0)
    heading /= np.hypot(heading[:, 0], heading[:, 1])[:, None]
    raised = points + np.column_stack((-heading[:, 1], heading[:, 0])) * ((ASCENT - DESCENT) / 2 * lettering.size)
    # letters that find no room on the curve run on straight
    beyond = 100.0 * lettering.size
    raised = np.vstack((raised[0] - heading[0] * beyond, raised, raised[-1] + heading[-1] * beyond))
    run = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(raised, axis=0).T))))
    length = width_of(lettering.lines[0], water=water) * lettering.size
    length += lettering.spacing * max(len(lettering.lines[0]) - 1, 0)
    places = run[-1] / 2 + np.linspace(-length / 2, length / 2, BEADS + 1)
    return np.column_stack((np.interp(places, run, raised[:, 0]), np.interp(places, run, raised[:, 1])))


@lru_cache(maxsize=1024)
def footprint_of(lettering: LabelPlacement, *, water: bool) -> Footprint:
    """Return the footprint of a name or code: a box for each line, or discs along a line that is curved or turned."""
    if lettering.curve:
        line = centre_line(lettering, water=water)
        return Footprint(discs=np.column_stack((line, np.full(len(line), HALF * lettering.size))))
    if lettering.turn:
        half = width_of(lettering.lines[0], water=water) * lettering.size / 2
        radius = CAPITAL / 2 * lettering.size
        way = np.linspace(-1, 1, BEADS + 1)[:, None] * max(half - radius, 0.0)
        turn = np.radians(lettering.turn)
        spots = np.array(lettering.at) + way * np.array([np.cos(turn), np.sin(turn)])
        return Footprint(discs=np.column_stack((spots, np.full(len(spots), radius))))
    boxes = []
    for text, (x, y) in zip(lettering.lines, lettering.baselines, strict=True):
        half = width_of(text, water=water, spacing=lettering.spacing / lettering.size) * lettering.size / 2
        low, high = y - depth_of(text) * lettering.size, y + ASCENT * lettering.size
        boxes.append((x - half, low, x + half, high))
    return Footprint(boxes=np.array(boxes, dtype=float))
