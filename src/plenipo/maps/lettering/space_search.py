"""Search one space of a map: its units, centre mark and name, weighed against each other all at once.

Costs are on one scale: 1 is a matter of taste, 10 is ugly, 100 is forbidden unless nothing else is left.
Measures called pixels are those of a map drawn at full size, see `plenipo.maps.lettering.label_grid`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray

from plenipo.engine.board import Code, Location
from plenipo.maps.figure.planar import Point
from plenipo.maps.lettering.candidates import (
    Costs,
    LabelCandidates,
    OverlapLimits,
    breaks,
    find_curved_places,
    straight,
)
from plenipo.maps.lettering.footprints import Footprint, disc, footprint_of
from plenipo.maps.lettering.label_grid import LabelGrid, Spots
from plenipo.maps.lettering.placements import LabelPlacement, PlacementHints

__all__ = ["GAP", "LARGEST_CODE", "MARGIN", "MARK", "RADIUS", "SpacePlacements", "SpaceSearch"]

RADIUS = 12.5
"""The radius of the disc round a unit, in pixels at full size."""

MARK = 4.5
"""The radius of the mark of a supply centre, in pixels."""

GAP = 2.0
"""The gap between any two things, in pixels."""

NODE = 6.0
"""The radius of the node of a corner, in pixels; units keep off it as well as they can."""

MARGIN = 90.0
"""The extent of the search beyond a face, in pixels."""

SMALLEST = 12.0
"""The smallest size of a name, in pixels."""

SMALLEST_CODE = 11.0
"""The smallest size of a code, in pixels."""

LARGEST_CODE = 28.75
"""The largest size of a code, in pixels: 7 on a map 390 pixels wide, where codes alone are shown."""

LARGEST_FOR_NAME = 14.0
"""The largest size of a code that stands for a name among names, in pixels."""

FORBIDDEN = 100.0
"""The cost of a forbidden placement."""

DEAR = 30.0
"""The cost of giving a space its code in place of its name."""

NARROW = 1.7
"""A face this many times longer than broad asks for a name along its length."""

STEEP = np.radians(62)
"""No name is set along a face that runs more steeply than this."""

KEPT = 150
"""Number of candidates of one kind that are kept, the cheapest."""

FIRM = 4
"""Number of candidates of each kind that are weighed first, to see which of the others can be left out."""

HAIR = 1e-6
"""A difference of costs that is none."""

INSIDE = OverlapLimits(land=0.04, water=0.16, land_cost=200.0, water_cost=50.0)
"""The extent of names of land beyond their face."""

AFLOAT = OverlapLimits(land=0.0, water=0.02, land_cost=200.0, water_cost=200.0)
"""The same for names of seas."""

ANYWHERE = OverlapLimits(land=0.08, water=1.0, land_cost=200.0, water_cost=16.0, beyond=True)
"""The same for codes."""

NEARBY = OverlapLimits(land=0.08, water=0.6, land_cost=200.0, water_cost=16.0, beyond=True)
"""The same for codes as large as they are on a phone: at least a third of each lies in its face."""

CRAMPED = OverlapLimits(land=0.3, water=0.65, land_cost=200.0, water_cost=16.0, beyond=True)
"""The same if no candidate is clear of everything."""

LAST_RESORT = OverlapLimits(land=1.0, water=1.0, land_cost=200.0, water_cost=16.0, beyond=True)
"""The same for a code that has room nowhere."""

TOUCH = 15.0
"""LabelPlacement may cover so many square pixels of a thing: less than one of them on a phone."""

ABROAD = 0.1
"""The share of a code that may lie on other land."""


@dataclass(frozen=True)
class NameStyle:
    """The setting of names, by the breadth of their face (the root of its area) in pixels.

    The size lies between `smallest` and `largest` and grows by `growth` with each pixel of breadth; the letter-spacing
    grows by `spread`, in sizes. `broken` is what it costs to set a name in its second way, `straight` not to curve it.
    """

    limits: OverlapLimits
    smallest: float
    largest: float
    growth: float
    spread: float
    broken: float
    straight: float

    def size(self, breadth: float) -> float:
        """Return the size a name would best have, in pixels."""
        return min(max(13.5 + (breadth - 70) * self.growth, self.smallest), self.largest)

    def spacing(self, breadth: float) -> float:
        """Return the letter-spacing it would best have, in sizes."""
        return min(max(breadth - 130, 0) * self.spread, 0.14)

    def level(self, breadth: float) -> float:
        """Return the cost of straight lettering: large waters look better with curved names."""
        return self.straight * min(max(breadth - 100, 0) / 100, 1.0)


LAND = NameStyle(INSIDE, SMALLEST, 20.0, 0.03, 0.0, 1.0, 0.0)
WATER = NameStyle(AFLOAT, SMALLEST, 27.0, 0.045, 0.0005, 0.5, 2.0)


@dataclass(frozen=True)
class SpacePlacements:
    """The placements of one space."""

    units: Mapping[Location, Point] = field(default_factory=dict)
    dislodged: Mapping[Location, Point] = field(default_factory=dict)
    centre: Point | None = None
    name: LabelPlacement | None = None
    code: LabelPlacement | None = None


class SpaceSearch:
    """The search for the placements of one space."""

    def __init__(self, ground: LabelGrid, hints: PlacementHints, code: Code) -> None:
        self.ground, self.hints, self.code, self.px = ground, hints, code, ground.px
        self.space = self.ground.board.spaces[code]
        self.water = code in self.ground.figure.seas
        self.window = self.ground.window(code, MARGIN * self.px)
        self.taken = Footprint()
        self.likely: dict[tuple[object, ...], LabelCandidates] = {}
        self.unit, self.mark, self.gap = round(RADIUS * self.px), round(MARK * self.px), GAP * self.px
        self.middle = self._heart()
        self.breadth = float(np.sqrt(self.ground.polygons[code].area))

    def _heart(self) -> NDArray[np.float64]:
        """Return the middle of the roomy part of the face: cells weigh the square of their border distance."""
        step = self.window.step
        rows, columns = np.nonzero(self.window.clearance[::step, ::step])
        if not len(rows):
            return np.array(self.ground.polygons[self.code].representative_point().coords[0])
        weights = self.window.clearance[rows * step, columns * step] ** 2
        return np.asarray(np.average(self.window.spots(rows * step, columns * step), axis=0, weights=weights))

    def best(self, taken: Footprint) -> SpacePlacements:
        """Return the cheapest combination of placements that avoids those `taken` by others."""
        self.taken = taken
        ashore = self._coast_placements()
        units, dislodged, pair_cost = self._pairs(list(ashore.values()))
        centres, centre_cost = self._centres(list(ashore.values()))
        names = self._names()
        labels = names + self._codes(SMALLEST_CODE, LARGEST_FOR_NAME, self.taken)
        fixed = Footprint.all(disc(at, self.unit) for at in ashore.values())
        likely = [o.cost + self._clear_of(o, fixed) for o in labels]
        others = float(np.min(pair_cost) + np.min(centre_cost))

        def weigh(chosen: list[NDArray[np.int_]]) -> tuple[float, tuple[int, int, int]]:
            """Return the least cost of some of each kind of lettering with all the rest, and the numbers of its parts.

            The number of the lettering is that among the chosen.
            """
            some = [o.some(numbers) for o, numbers in zip(labels, chosen, strict=True) if len(numbers)]
            costs = [one[numbers] for one, numbers in zip(likely, chosen, strict=True) if len(numbers)]
            base = np.concatenate(costs)[:, None] + pair_cost
            base += np.concatenate(
                [
                    self._apart(o, units, self.unit) + self._apart(o, dislodged, self.unit) + self._beside(o, units)
                    for o in some
                ]
            )
            best, numbers = np.inf, (0, 0, 0)
            marked = np.concatenate([self._apart(o, centres, self.mark) for o in some])
            for c, near in enumerate(beside):
                total = base + marked[:, c : c + 1] + near + centre_cost[c]
                least = int(np.argmin(total))
                if total.flat[least] < best:
                    best, numbers = float(total.flat[least]), (*divmod(least, total.shape[1]), c)
            return best, numbers

        beside = [self._near(units, centre) + self._near(dislodged, centre) for centre in centres]
        # a candidate that costs more alone than a whole combination of the likeliest cannot win
        firm, _ = weigh([np.argsort(one, kind="stable")[:FIRM] for one in likely])
        chosen = [np.nonzero(one + others <= firm + HAIR)[0] for one in likely]
        _, numbers = weigh(chosen)
        number = int(np.concatenate([c + n for c, n in zip(chosen, _offsets(likely), strict=True)])[numbers[0]])
        numbers = (number, *numbers[1:])
        lettering, kind = _pick(labels, numbers[0])
        named = kind < len(names)
        here = {} if self.space.impassable else {Location(self.code): numbers[1]}
        placed = SpacePlacements(
            {loc: _point(units[i]) for loc, i in here.items()},
            {loc: _point(dislodged[i]) for loc, i in here.items()},
            _point(centres[numbers[2]]) if self.space.centre else None,
            lettering if named else None,
            None if named else lettering,
        )
        return self._with_coasts(placed, ashore)

    def with_code(self, placed: SpacePlacements, taken: Footprint) -> SpacePlacements:
        """Return the placements with the code of the space as well, clear of them and of the places `taken`.

        It has the size that can be read on a phone wherever there is room for it beside its space, else as nearly as
        can be, and where that would harm too much it is smaller.
        """
        own = [disc(at, self.unit) for at in (*placed.units.values(), *placed.dislodged.values())]
        own += [disc(placed.centre, self.mark)] if placed.centre else []
        every = Footprint.all([taken, *own])
        for limits, judge, most in ((NEARBY, self._clear_of, FORBIDDEN), (CRAMPED, self._harm, 1.5 * FORBIDDEN)):
            options = straight(self.window, (self.code,), LARGEST_CODE * self.px, 0.0, limits, water=self.water)
            if len(options):
                best = options.cheapest(self._central(options) + judge(options, every), 1)
                if best.cost[0] < most:
                    return replace(placed, code=best.make(0))
        best = min(self._codes(SMALLEST_CODE, LARGEST_CODE, every), key=lambda some: float(some.cost[0]))
        return replace(placed, code=best.make(0))

    def _harm(self, options: LabelCandidates, taken: Footprint) -> Costs:
        """Return the cost of covering taken area or other land, measured on the exact shapes; a touch costs nothing."""
        boxes, pixel = shapely.box(*options.boxes.T), self.px**2
        things = [*shapely.box(*taken.boxes.T), *shapely.buffer(shapely.points(taken.discs[:, :2]), taken.discs[:, 2])]
        cost = np.zeros(len(options))
        for thing, (west, south, east, north) in zip(things, shapely.bounds(things), strict=True):
            x0, y0, x1, y1 = options.boxes.T
            near = (x0 < east) & (x1 > west) & (y0 < north) & (y1 > south)
            covered = shapely.area(shapely.intersection(boxes[near], thing)) / pixel
            cost[near] += np.where(covered > TOUCH, FORBIDDEN, 0.0) + covered
        # an area neither in the face nor on a sea is other land, or beyond the frame
        around = shapely.total_bounds(boxes)
        own = self.ground.polygons[self.code].intersection(shapely.box(*around))
        free = shapely.union(own, self.ground.seas_in(around))
        abroad = 1.0 - shapely.area(shapely.intersection(boxes, free)) / shapely.area(boxes)
        return np.asarray(cost + FORBIDDEN * (abroad > ABROAD))

    # ------------------------------------------------------------------ units

    @property
    def _square(self) -> NDArray[np.float64]:
        """Half the sides of a square as large as the disc round a unit."""
        return np.full(2, self.unit * np.sqrt(np.pi) / 2)

    def _spots(self, wanted: int) -> Spots:
        """About so many places in the face, spread evenly."""
        own = self.window.own
        step = max(1, int(np.sqrt(own.sum() / wanted)))
        rows, columns = np.nonzero(own[::step, ::step])
        return np.round(self.window.spots(rows * step, columns * step))

    def _off_border(self, spots: Spots) -> Costs:
        """Return the distance of each place from the border and from islands, to a cell or so; 0 outside the face."""
        return np.asarray(self.window.clearance[self.window.cells(spots)])

    def _unit_cost(self, spots: Spots, off: Costs) -> Costs:
        """Return the cost of a unit at each place, `off` units from the border."""
        over = np.maximum(self.unit - off, 0.0) / self.unit
        cost = 40.0 * over + 60.0 * np.maximum(over - 0.4, 0.0) + FORBIDDEN * (off <= 0)
        cost += 4.0 * np.maximum(self.unit + 5 * self.px - off, 0.0) / self.unit
        cost -= 1.0 * np.minimum(off / self.unit, 3.0)
        cost += self._near_nodes(spots)
        room = self.taken.distance(spots) - self.unit
        return np.asarray(cost + FORBIDDEN * (room < self.gap / 2) + 3.0 * np.maximum(1 - room / (2 * self.gap), 0.0))

    def _near_nodes(self, spots: Spots) -> Costs:
        """Return the cost of covering the node of a corner."""
        nodes, reach = self.ground.nodes, self.unit + NODE * self.px
        if len(nodes) and len(spots):
            nodes = nodes[((nodes > spots.min(axis=0) - reach) & (nodes < spots.max(axis=0) + reach)).all(axis=1)]
        if not len(nodes):
            return np.zeros(len(spots))
        away = np.hypot(*(spots[:, None, :] - nodes).transpose(2, 0, 1)).min(axis=1)
        return np.asarray(8.0 * np.maximum(self.unit + NODE * self.px - away, 0.0) / self.unit)

    def _pairs(self, ashore: Sequence[Point]) -> tuple[Spots, Spots, Costs]:
        """Return places for a unit with a companion for the dislodged, and costs; `ashore` is where fleets stand."""
        if self.space.impassable:
            return np.full((1, 2), 1e9), np.full((1, 2), 1e9), np.zeros(1)
        spots = self._spots(600)
        off = self._off_border(spots)
        cost = self._unit_cost(spots, off) + 1.5 * np.hypot(*(spots - self.middle).T) / self.breadth
        cheapest = _spread(spots, cost, self.unit * 0.6, 20)
        units, unit_cost = np.repeat(spots[cheapest], len(_AROUND), axis=0), np.repeat(cost[cheapest], len(_AROUND))
        aside = np.tile(_AROUND * self.unit, (len(cheapest), 1))
        dislodged = np.round(units + aside)
        pair_cost = self._dislodged_cost(units, dislodged, [np.array(at) for at in ashore])
        total = (unit_cost + pair_cost).reshape(len(cheapest), 4, -1)
        best = (
            np.argmin(total, axis=2) + np.arange(4) * total.shape[2] + np.arange(len(cheapest))[:, None] * len(_AROUND)
        )
        flat = best.ravel()
        return units[flat], dislodged[flat], total.ravel()[flat]

    def _dislodged_cost(self, units: Spots, dislodged: Spots, others: Sequence[NDArray[np.float64]]) -> Costs:
        """Return the cost of a dislodged unit at each place beside the other unit, clear of `others`."""
        off = self._off_border(dislodged)
        aside = (dislodged - units) / self.unit
        reach = np.hypot(*aside.T)
        cost = 9.0 * np.maximum(2.05 - reach, 0.0) + 0.6 * (1.0 - (aside[:, 0] + aside[:, 1]) / (reach * np.sqrt(2)))
        cost += 15.0 * np.maximum(self.unit - off, 0.0) / self.unit + FORBIDDEN * (off <= 0)
        cost += self._near_nodes(dislodged)
        room = self.taken.distance(dislodged) - self.unit
        cost += 0.8 * FORBIDDEN * (room < self.gap / 2)
        for other in others:
            cost += 12.0 * np.maximum(2.0 * self.unit - np.hypot(*(dislodged - other).T), 0.0) / self.unit
        return np.asarray(cost)

    def _coast_placements(self) -> dict[Location, Point]:
        """Place fleets on the coasts of a space that has several: by the shore, near its middle."""
        places: dict[Location, Point] = {}
        shores = self.ground.shores(self.code)
        for coast in self.space.coasts:
            spots = self._spots(1200)
            border = self.ground.polygons[self.code].boundary.difference(shores[coast].buffer(1))
            points = shapely.points(spots)
            inland, shore = shapely.distance(points, border), shapely.distance(points, shores[coast])
            cost = 6.0 * np.abs(shore - 0.9 * self.unit) / self.unit
            cost += 40.0 * np.maximum(self.unit + self.gap - inland, 0.0) / self.unit
            halfway = np.array(shores[coast].interpolate(0.5, normalized=True).coords[0])
            cost += 12.0 * np.hypot(*(spots - halfway).T) / self.breadth + self._near_nodes(spots)
            cost += 15.0 * (1.0 - self.window.shares("own", spots, -self._square, self._square))
            cost += FORBIDDEN * (self.taken.distance(spots) < self.unit + self.gap / 2)
            for other in places.values():
                cost += 20.0 * np.maximum(2.2 * self.unit - np.hypot(*(spots - np.array(other)).T), 0.0) / self.unit
            places[Location(self.code, coast)] = _point(spots[int(np.argmin(cost))])
        return places

    def _with_coasts(self, placed: SpacePlacements, ashore: Mapping[Location, Point]) -> SpacePlacements:
        """Return the placements with those of the coasts, each with a place for the dislodged clear of all others."""
        dislodged = dict(placed.dislodged)
        lettering = placed.name or placed.code
        own = [footprint_of(lettering, water=self.water)] if lettering else []
        own += [disc(placed.centre, self.mark)] if placed.centre else []
        for location, at in ashore.items():
            unit = np.array(at, dtype=float)
            spots = np.round(unit + _AROUND * self.unit)
            others = [np.array(p) for loc, p in {**placed.units, **ashore}.items() if loc != location]
            cost = self._dislodged_cost(np.tile(unit, (len(spots), 1)), spots, others)
            cost += FORBIDDEN * (Footprint.all(own).distance(spots) < self.unit + self.gap / 2)
            dislodged[location] = _point(spots[int(np.argmin(cost))])
        return SpacePlacements({**placed.units, **ashore}, dislodged, placed.centre, placed.name, placed.code)

    # ------------------------------------------------------------------ centre marks

    def _centres(self, ashore: Sequence[Point]) -> tuple[Spots, Costs]:
        """Return places for the mark of a supply centre, and costs; `ashore` is where fleets stand."""
        if not self.space.centre:
            return np.full((1, 2), 1e9), np.zeros(1)
        spots = self._spots(1200)
        off = self._off_border(spots)
        cost = 20.0 * np.maximum(self.mark + self.gap - off, 0.0) / self.mark
        cost += FORBIDDEN * (self.taken.distance(spots) < self.mark + self.gap / 2)
        for other in ashore:
            cost += self._near(spots, np.array(other))
        wish = self.hints.centres.get(self.code)
        if wish is not None:
            cost += np.hypot(*(spots - np.array(wish)).T) / (6 * self.px)
        else:
            cost += 4.0 * np.hypot(*(spots - self.middle).T) / self.breadth
        cheapest = _spread(spots, cost, self.mark * (1.0 if wish is not None else 4.0), 10)
        return spots[cheapest], cost[cheapest]

    # ------------------------------------------------------------------ lettering

    def _names(self) -> list[LabelCandidates]:
        """Candidates for the full name, in every way it may be set, from the largest size down."""
        candidates: list[LabelCandidates] = []
        ways = self.hints.lines.get(self.code) or breaks(self.space.name)
        style = WATER if self.water else LAND
        wished, spread = style.size(self.breadth / self.px), style.spacing(self.breadth / self.px)
        for size in _sizes(wished, SMALLEST):
            dear = 1.3 * (wished - size)
            if any(dear > options.cost[0] + 12.0 for options in candidates):
                break
            for spacing in dict.fromkeys((spread, spread / 2)):
                price = dear + 10.0 * (spread - spacing)
                for i, lines in enumerate(ways):
                    options = self._straight(lines, size, spacing, style.limits)
                    level = style.broken * i + style.level(self.breadth / self.px)
                    candidates.append(self._select_best(options, price + level, self.taken))
                if self.water:
                    candidates.append(self._select_best(self._find_curved_places(size, spacing), price, self.taken))
                candidates = [options for options in candidates if len(options)]
        return candidates

    def _straight(self, lines: Sequence[str], size: float, spacing: float, limits: OverlapLimits) -> LabelCandidates:
        """Return the likeliest places for lettering in straight lines, whatever else has been taken."""
        key = (tuple(lines), size, spacing, limits)
        if key not in self.likely:
            scaled, apart = size * self.px, round(spacing * size * self.px)
            options = straight(self.window, lines, scaled, apart, limits, water=self.water)
            self.likely[key] = options.cheapest(self._central(options) + self._against_the_run(options), 3 * KEPT)
        return self.likely[key]

    def _find_curved_places(self, size: float, spacing: float) -> LabelCandidates:
        """Return the likeliest places for the name along a curve, whatever else has been taken."""
        key = (size, spacing)
        if key not in self.likely:
            scaled, apart = size * self.px, round(spacing * size * self.px)
            long, heading = self._run
            wished = heading if long > NARROW and abs(heading) < STEEP else None
            options = find_curved_places(self.window, self.space.name, scaled, apart, wished, water=self.water)
            self.likely[key] = options.cheapest(self._central(options) + self._against_the_run(options), 3 * KEPT)
        return self.likely[key]

    def _codes(self, least: float, most: float, taken: Footprint) -> list[LabelCandidates]:
        """Candidates for the code, dear enough that any name is better."""
        candidates: list[LabelCandidates] = []
        for size in _sizes(most, least):
            dear = DEAR + 1.3 * (most - size)
            if any(dear > options.cost[0] + 12.0 for options in candidates):
                break
            options = self._select_best(self._straight((self.code,), size, 0.0, ANYWHERE), dear, taken)
            candidates += [options] if len(options) else []
        return candidates or [self._straight((self.code,), least, 0.0, LAST_RESORT)]

    def _select_best(self, options: LabelCandidates, dear: float, taken: Footprint) -> LabelCandidates:
        """Return the best of some candidates that cost `dear` as a kind, near those taken."""
        return options.cheapest(dear + self._clear_of(options, taken), KEPT)

    def _against_the_run(self, options: LabelCandidates) -> Costs:
        """Return the cost of lettering that does not run along a face that is long and narrow."""
        if not self.water:
            return np.zeros(len(options))
        long, heading = self._run
        narrow = min(4.0 * (long - NARROW), 6.0) if long > NARROW and abs(heading) < STEEP else 0.0
        steepness = 0.06 * np.degrees(np.abs(options.tilt)) * (1.0 - narrow / 8.0)
        return np.asarray(narrow * np.abs(np.sin(options.tilt - heading)) + steepness)

    @cached_property
    def _run(self) -> tuple[float, float]:
        """Return the ratio of the face's length to its breadth, and the direction of its length, rightward."""
        corners = np.array(self.ground.polygons[self.code].minimum_rotated_rectangle.exterior.coords)
        sides = np.diff(corners[:3], axis=0)
        lengths = np.hypot(*sides.T)
        x, y = sides[int(np.argmax(lengths))]
        return float(lengths.max() / lengths.min()), float(np.arctan(y / x) if x else np.pi / 2)

    def _central(self, options: LabelCandidates) -> Costs:
        """Return a little for lettering far from the middle of its face."""
        return np.asarray(2.5 * np.hypot(*(options.middles - self.middle).T) / self.breadth)

    def _clear_of(self, options: LabelCandidates, taken: Footprint) -> Costs:
        """Return the cost of coming near to taken area."""
        reach = 2 * self.gap + 1  # things farther away cost nothing
        low, high = options.bounds
        room = options.room(taken.within(low - reach, high + reach))
        return np.asarray(FORBIDDEN * (room < self.gap / 2) + 3.0 * np.clip(1 - room / (2 * self.gap), 0.0, 1.0))

    def _apart(self, options: LabelCandidates, spots: Spots, radius: float) -> Costs:
        """Return the cost for a token at each spot (columns) of coming near each lettering (rows)."""
        room = options.gaps(spots) - radius
        return np.asarray(1.5 * FORBIDDEN * (room < self.gap / 2) + 3.0 * np.clip(1 - room / (2 * self.gap), 0.0, 1.0))

    def _beside(self, options: LabelCandidates, units: Spots) -> Costs:
        """Return a little for lettering that is not close by its unit."""
        x, y = options.middles.T[:, :, None]
        dx, dy = x - units[:, 0], y - units[:, 1]
        return np.asarray(0.5 * np.minimum(np.sqrt(dx * dx + dy * dy) / (4 * self.unit), 3.0))

    def _near(self, tokens: Spots, centre: NDArray[np.float64]) -> Costs:
        """Return the cost for a centre mark of coming near each token."""
        room = np.hypot(*(tokens - centre).T) - self.unit - self.mark
        return np.asarray(FORBIDDEN * (room < self.gap / 2) + 2.0 * np.clip(1 - room / (2 * self.gap), 0.0, 1.0))


def _sizes(largest: float, smallest: float) -> list[float]:
    """Sizes to try, from the largest down, in steps that grow."""
    sizes = [size for size in largest - np.array([0.0, 1.0, 2.0, 3.5, 5.0, 7.0, 9.0, 11.0, 14.0]) if size > smallest]
    return [*map(float, sizes), smallest]


_ANGLES = np.arange(16) * (np.pi / 8) + np.pi / 16
_AROUND: Spots = np.concatenate(
    [
        np.column_stack((np.cos(_ANGLES[i : i + 4]), np.sin(_ANGLES[i : i + 4]))) * reach
        for i in range(0, 16, 4)
        for reach in (2.05, 1.8, 1.5)
    ]
)
"""The places of a dislodged unit round its attacker, in radii: quarter by quarter of the compass, near and far."""


def _spread(spots: Spots, cost: Costs, apart: float, most: int) -> list[int]:
    """Return the numbers of the cheapest spots, none of them nearer than `apart` to a cheaper one."""
    numbers: list[int] = []
    left = cost.astype(float)
    while len(numbers) < most:
        best = int(np.argmin(left))
        if not np.isfinite(left[best]):
            break
        numbers.append(best)
        left = np.where(np.hypot(*(spots - spots[best]).T) < apart, np.inf, left)
    return numbers


def _offsets(kinds: Sequence[Costs]) -> list[int]:
    """Return the number of the first of each kind, counted through all kinds."""
    return [sum(map(len, kinds[:i])) for i in range(len(kinds))]


def _pick(options: Sequence[LabelCandidates], number: int) -> tuple[LabelPlacement, int]:
    """Return the lettering of a number counted through several kinds of candidates, and the number of its kind."""
    for kind, some in enumerate(options):
        if number < len(some):
            return some.make(number), kind
        number -= len(some)
    raise IndexError(number)


def _point(spot: NDArray[np.float64]) -> Point:
    return round(float(spot[0])), round(float(spot[1]))
