"""Positions of units in a small picture: beside their usual place if they would be too small there.

Tokens as on a phone are larger than in a picture of full size, and among codes, marks and other tokens they would
have to shrink below `READABLE`. Such a token moves: within its space if there is room, or else beside it, with a line
to its place in the large picture. Those with the least room choose first.
Measures called pixels are those of a map drawn at full size, see `plenipo.maps.lettering.label_grid`.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np
import shapely
from numpy.typing import NDArray

from plenipo.engine.board import Location
from plenipo.maps.figure.planar import Point
from plenipo.maps.lettering.candidates import Costs
from plenipo.maps.lettering.label_grid import LabelGrid, Spots
from plenipo.maps.lettering.placements import (
    BESIDE,
    LARGER_MARK,
    OVERHANG,
    READABLE,
    TOKEN,
    LabelPlacement,
    Placements,
)
from plenipo.maps.lettering.typeface import CAPITAL, width_of

__all__ = ["with_small_units"]

ROOMY = 0.05
"""By how much more than `READABLE` a token that is moved has, so that rounding to tenths takes nothing."""

REACH = 170.0
"""The greatest move of a token, in pixels."""

STEP = 5.0
"""The distance between the tried places, in pixels."""

LED = 14.0
"""The cost of a line to its space, in pixels of way."""

AT_SEA = 12.0
"""The cost of standing on a foreign sea, in pixels of way."""

ABROAD = 70.0
"""The cost of standing on foreign land."""

CROWDED = 25.0
"""The cost of each pixel missing between a token and other things."""

TOO_SMALL = 200.0
"""The additional cost of a token smaller than `READABLE`."""

ACROSS = 60.0
"""The cost of a line over a code or a token."""

WEIGHED = 40
"""Number of the cheapest places whose lines are checked."""


def with_small_units(ground: LabelGrid, placements: Placements, anew: Collection[str] | None = None) -> Placements:
    """Return the placements with `small_units`: for those of the spaces `anew` and the ones these crowd out.

    The others keep their places.
    """
    here = {loc: at for loc, at in placements.units.items() if loc.space in ground.polygons}
    stay = {} if anew is None else {loc: at for loc, at in placements.small_units.items() if loc in here}
    stay = {loc: at for loc, at in stay.items() if loc.space not in (anew or ())}
    search = _TokenSearch(ground, placements, {**here, **stay})
    # a token that has moved keeps its place if there is still room for it
    touched = here if anew is None else _beside(ground, search.at, anew)
    rooms = {loc: search.room(loc, search.at[loc]) for loc in touched}
    for loc in sorted((loc for loc in rooms if rooms[loc] < READABLE), key=lambda loc: (rooms[loc], str(loc))):
        if search.room(loc, search.at[loc]) < READABLE:
            search.at[loc] = search.best(loc, here[loc])
    return replace(placements, small_units={loc: at for loc, at in search.at.items() if at != here[loc]})


def _beside(ground: LabelGrid, at: Mapping[Location, Point], spaces: Collection[str]) -> list[Location]:
    """Return the locations whose tokens stand in some spaces, or so near that new things there may crowd them."""
    boxes = [ground.polygons[code].bounds for code in ground.polygons if code in spaces]
    reach = REACH * ground.px
    return [
        loc
        for loc, (x, y) in at.items()
        if any(x0 - reach < x < x1 + reach and y0 - reach < y < y1 + reach for x0, y0, x1, y1 in boxes)
    ]


class _TokenSearch:
    """The search for the places of tokens in a small picture; `at` is where they stand so far."""

    def __init__(self, ground: LabelGrid, placements: Placements, at: Mapping[Location, Point]) -> None:
        self.ground, self.placements, self.at, self.px = ground, placements, dict(at), ground.px
        self.radius = placements.unit * TOKEN
        self.labels = [*placements.small_codes.values()]
        self.near = np.array([label.at for label in self.labels], dtype=float).reshape(-1, 2)
        self.marks = np.array([*placements.small_centres.values()], dtype=float).reshape(-1, 2)
        lines = [label.leader for label in self.labels if label.leader]
        shares = np.linspace(0, 1, 9)[:, None]
        runs = [np.array(a) * (1 - shares) + np.array(b) * shares for a, b in lines]
        self.lines = np.vstack(runs) if runs else np.zeros((0, 2))
        self.sea = np.zeros(len(ground.codes) + 1, dtype=bool)
        self.sea[[ground.codes.index(code) for code in ground.figure.seas]] = True

    def room(self, loc: Location, at: Point) -> float:
        """Return how much larger than its disc a token may be at a place, its own or another."""
        spot = np.array([at], dtype=float)
        room = float(self._rooms(loc, spot)[0]) / self.radius
        if at == self.placements.units[loc]:  # one that has moved has a line, and may stand where it will
            border = self.ground.polygons[loc.space].boundary
            room = min(
                room, 2 * OVERHANG * float(shapely.distance(shapely.points(spot[0]), border)) / self.placements.unit
            )
        return room

    def _rooms(self, loc: Location, spots: Spots) -> Costs:
        """Return the largest radius of a token at each of some spots, in units; of no more than three discs."""
        reach = 3 * self.radius
        room = np.full(len(spots), reach)
        others = np.array([at for other, at in self.at.items() if other.space != loc.space], dtype=float)
        low, high = spots.min(axis=0), spots.max(axis=0)
        for places, gap, share in (
            (others, 0.0, 0.5),
            (self.marks, LARGER_MARK * self.placements.mark, 1.0),
            (self.lines, 2 * self.px, 1.0),
        ):
            far = reach / share + gap
            near = places[((places > low - far) & (places < high + far)).all(axis=1)] if len(places) else places
            if len(near):
                dx, dy = spots[:, None, 0] - near[:, 0], spots[:, None, 1] - near[:, 1]
                away = np.sqrt((dx * dx + dy * dy).min(axis=1))
                room = np.minimum(room, (away - gap) * share)
        for label in self._near(spots, reach):
            room = np.minimum(room, _away(label, spots) - BESIDE * label.size)
        return room

    def _near(self, spots: Spots, reach: float) -> list[LabelPlacement]:
        """Return the codes that may lie in the way of some spots."""
        low, high = spots.min(axis=0) - reach, spots.max(axis=0) + reach
        sizes = np.array([2 * label.size for label in self.labels]).reshape(-1, 1)
        inside = ((self.near > low - sizes) & (self.near < high + sizes)).all(axis=1)
        return [self.labels[i] for i in np.nonzero(inside)[0]]

    def best(self, loc: Location, home: Point) -> Point:
        """Return the best place for the token of a location that has no room at `home`."""
        px, anchor = self.px, np.array(home, dtype=float)
        most = (READABLE + ROOMY) * self.radius
        steps = np.arange(-REACH, REACH + STEP, STEP) * px
        spots = np.column_stack([side.ravel() for side in np.meshgrid(steps, steps)])
        spots = np.round(spots[np.hypot(*spots.T) <= REACH * px] + anchor)
        west, south, east, north = self.ground.figure.frame
        low, high = np.array([west, south]) + most + 3 * px, np.array([east, north]) - most - 3 * px
        spots = spots[((spots >= low) & (spots <= high)).all(axis=1)]
        if not len(spots):
            return home
        away = np.hypot(*(spots - anchor).T)
        room = self._rooms(loc, spots)
        missing = np.maximum(most - room, 0.0) / px
        face = self.ground.polygons[loc.space]
        inside = shapely.contains_xy(face, *spots.T)
        off = shapely.distance(shapely.points(spots[inside]), face.boundary)
        inside[inside] = off >= READABLE * self.placements.unit / (2 * OVERHANG)
        led = ~inside | (away > most)
        owner = self._owner(spots)
        cost = away / px + CROWDED * missing + TOO_SMALL * (room < READABLE * self.radius) + LED * led
        cost += np.where(inside, 0.0, np.where(self.sea[owner], AT_SEA, ABROAD))
        # a line that is hidden under its token leads nowhere
        cost += CROWDED * np.where(~inside, np.maximum(most + 6 * px - away, 0.0), 0.0) / px
        order = np.argsort(cost, kind="stable")[:WEIGHED]
        best, least = order[0], np.inf
        for i in order:
            if cost[i] >= least:  # its line can only add to that
                break
            total = cost[i] + (self._weigh_crossings(loc, spots[i], anchor, most) if led[i] else 0.0)
            if total < least:
                best, least = i, total
        x, y = spots[best]
        return round(float(x)), round(float(y))

    def _owner(self, spots: Spots) -> NDArray[np.int_]:
        west, south = self.ground.figure.frame[:2]
        columns = np.clip(((spots[:, 0] - west) // self.ground.cell).astype(int), 0, self.ground.columns - 1)
        rows = np.clip(((spots[:, 1] - south) // self.ground.cell).astype(int), 0, self.ground.rows - 1)
        owners = self.ground.owner[rows, columns].astype(int)
        return np.where(owners < 0, len(self.ground.codes), owners)

    def _weigh_crossings(self, loc: Location, spot: Spots, anchor: Spots, radius: float) -> float:
        """Return the cost of the crossings of a line from a token to its space with other things."""
        share = np.linspace(min(radius / max(float(np.hypot(*(spot - anchor))), 1.0), 1.0), 1, 12)[:, None]
        line = spot * (1 - share) + anchor * share
        others = np.array([at for other, at in self.at.items() if other.space != loc.space], dtype=float)
        over = (np.hypot(*(line[:, None, :] - others[None]).transpose(2, 0, 1)) < radius).any(axis=1)
        for label in self._near(line, self.radius):
            over |= _away(label, line) < self.px
        return ACROSS * float(over.mean())


def _away(label: LabelPlacement, spots: Spots) -> Costs:
    """Return the distance of each of some spots from a code."""
    dx, dy = (spots - np.array(label.at)).T
    c, s = np.cos(np.radians(label.turn)), np.sin(np.radians(label.turn))
    along, across = np.abs(dx * c + dy * s), np.abs(dy * c - dx * s)
    wide, high = width_of(label.lines[0]) * label.size / 2, CAPITAL * label.size / 2
    return np.asarray(np.hypot(np.maximum(along - wide, 0.0), np.maximum(across - high, 0.0)))
