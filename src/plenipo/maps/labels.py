"""Finding seats: where names, codes, units and centre marks stand on a drawn map.

Each space is settled by itself, with what is already settled near it fixed: candidates for the unit with its
dislodged companion, for the centre mark and for the name are weighed against each other all at once, and the
cheapest combination is taken. Small spaces come first, as they have the least choice.
So a board that changed in play is mended by settling a few spaces anew, see `refit`.

`python -m plenipo.maps.labels FOLDER` writes the `seats.json` of a variant; the same figure always gives the same
file. An optional `seats.toml` beside it holds hints.
Costs are on one scale: 1 is a matter of taste, 10 is ugly, 100 is forbidden unless nothing else is left.
"""

import sys
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from plenipo.engine.board import Board, Code, Location
from plenipo.errors import InvalidFigure
from plenipo.maps.board import SpaceText, board_from
from plenipo.maps.candidates import Limits, Options, breaks, curved, straight
from plenipo.maps.footprints import Covered, covered_by, disc
from plenipo.maps.ground import Ground, Spots, Window
from plenipo.maps.planar import UNIT, Figure, Point
from plenipo.maps.seats import Lettering, Seats

__all__ = ["Hints", "find_seats", "hints_from", "refit"]

RADIUS = 12.5
"""The radius of the disc round a unit, in pixels at full size."""

MARK = 4.5
"""The radius of the mark of a supply centre, in pixels."""

GAP = 2.0
"""What is left free between any two things, in pixels."""

NODE = 6.0
"""The radius of the node of a corner, in pixels; units keep off it as well as they can."""

MARGIN = 90.0
"""How far beyond a face the search looks, in pixels."""

SMALLEST = 12.0
"""The smallest size of a name, in pixels."""

SMALLEST_CODE = 11.0
"""The smallest size of a code, in pixels."""

LARGEST_CODE = 24.0
"""The largest size of a code, in pixels."""

FORBIDDEN = 100.0

INSIDE = Limits(land=0.04, water=0.16, land_cost=200.0, water_cost=50.0)
"""How names of land may reach beyond their face."""

AFLOAT = Limits(land=0.0, water=0.02, land_cost=200.0, water_cost=200.0)
"""The same for names of seas."""

ANYWHERE = Limits(land=0.08, water=1.0, land_cost=200.0, water_cost=6.0, beyond=True)
"""The same for codes."""

Costs = NDArray[np.float64]


@dataclass(frozen=True)
class Hints:
    """What a variant's author wishes: `centres` are places for centre marks, `lines` the lines a name is set in."""

    centres: Mapping[Code, Point] = field(default_factory=dict)
    lines: Mapping[Code, tuple[tuple[str, ...], ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class _Placed:
    """The seats of one space."""

    units: Mapping[Location, Point] = field(default_factory=dict)
    dislodged: Mapping[Location, Point] = field(default_factory=dict)
    centre: Point | None = None
    name: Lettering | None = None
    code: Lettering | None = None


def find_seats(figure: Figure, board: Board, hints: Hints | None = None) -> Seats:
    """Seats for everything on a board, found from nothing; takes some seconds on a large board."""
    search = _Search(Ground(figure, board), hints or Hints())
    search.settle(board.spaces)
    search.settle(board.spaces)  # once more, now that each knows what the others took
    search.add_codes(board.spaces)
    return search.seats()


def refit(figure: Figure, board: Board, seats: Seats, changed: Iterable[Code], hints: Hints | None = None) -> Seats:
    """The seats of a changed board: only the `changed` spaces are settled anew, all others stay as they are.

    Spaces the board no longer has are dropped; spaces without a seat are settled whether named or not.
    """
    search = _Search(Ground(figure, board), hints or Hints())
    search.keep(seats, board.spaces.keys() - set(changed))
    anew = board.spaces.keys() - search.placed.keys()
    search.settle(anew)
    search.add_codes(anew)
    return search.seats()


class _Search:
    """One search: what has been settled so far, and the ground."""

    def __init__(self, ground: Ground, hints: Hints) -> None:
        self.ground, self.hints, self.px = ground, hints, ground.px
        self.unit, self.mark = round(RADIUS * self.px), round(MARK * self.px)
        self.placed: dict[Code, _Placed] = {}

    def settle(self, codes: Collection[Code]) -> None:
        """Find the unit seats, centre mark and name of each, or its code where the name has no room."""
        for code in self._by_size(codes):
            self.placed.pop(code, None)
            self.placed[code] = _Settling(self, code).best()

    def add_codes(self, codes: Collection[Code]) -> None:
        """Give each space that has a name its code as well, for small maps; these stand clear of other codes only."""
        for code in self._by_size(codes):
            if (placed := self.placed[code]).name is not None:
                found = _Settling(self, code).code_of(placed)
                self.placed[code] = _Placed(placed.units, placed.dislodged, placed.centre, placed.name, found)

    def keep(self, seats: Seats, codes: Collection[Code]) -> None:
        """Take over the seats of some spaces, as far as they have any."""
        board = self.ground.board
        for code in sorted(codes):
            spots = [loc for loc in _locations(board, code) if loc in seats.units and loc in seats.dislodged]
            if len(spots) == len(_locations(board, code)) and code in seats.codes:
                self.placed[code] = _Placed(
                    {loc: seats.units[loc] for loc in spots},
                    {loc: seats.dislodged[loc] for loc in spots},
                    seats.centres.get(code),
                    seats.names.get(code),
                    seats.codes[code],
                )

    def seats(self) -> Seats:
        """What has been settled."""
        placed = sorted(self.placed.items())
        return Seats(
            names={code: p.name for code, p in placed if p.name},
            codes={code: p.code for code, p in placed if p.code},
            units={loc: at for _, p in placed for loc, at in p.units.items()},
            dislodged={loc: at for _, p in placed for loc, at in p.dislodged.items()},
            centres={code: p.centre for code, p in placed if p.centre},
            corners=self.ground.corners(),
            unit=self.unit,
            mark=self.mark,
        )

    def taken(self, window: Window, *, codes: bool) -> Covered:
        """What other spaces have taken near a window: tokens and marks, and names or else codes."""
        low, high = (
            window.spots(np.array([end[0]]), np.array([end[1]]))[0] for end in ((0, 0), window.own.shape)
        )
        parts = []
        for code, placed in self.placed.items():
            if code == window.code:
                continue
            parts += [disc(at, self.unit) for at in (*placed.units.values(), *placed.dislodged.values())]
            if placed.centre:
                parts.append(disc(placed.centre, self.mark))
            lettering = placed.code if codes else placed.name or placed.code
            if lettering:
                parts.append(covered_by(lettering, water=code in self.ground.figure.seas))
        return Covered.all(parts).within(low, high)

    def _by_size(self, codes: Collection[Code]) -> list[Code]:
        """The smallest face first."""
        return sorted(codes, key=lambda code: (self.ground.polygons[code].area, code))


class _Settling:
    """The search for the seats of one space."""

    def __init__(self, search: _Search, code: Code) -> None:
        self.search, self.code, self.px = search, code, search.px
        self.ground = search.ground
        self.space = self.ground.board.spaces[code]
        self.water = code in self.ground.figure.seas
        self.window = Window.of(self.ground, code, MARGIN * self.px)
        self.taken = search.taken(self.window, codes=False)
        self.unit, self.mark, self.gap = search.unit, search.mark, GAP * self.px
        self.middle = np.array(self.ground.polygons[code].centroid.coords[0])
        self.breadth = float(np.sqrt(self.ground.polygons[code].area))

    def best(self) -> _Placed:
        """The cheapest combination of seats."""
        ashore = self._coast_seats()
        units, dislodged, pair_cost = self._pairs(list(ashore.values()))
        centres, centre_cost = self._centres()
        names = self._names()
        labels = names + self._codes(SMALLEST_CODE, 14.0, self.taken)
        fixed = Covered.all(disc(at, self.unit) for at in ashore.values())
        base = np.concatenate([o.cost + self._clear_of(o, fixed) for o in labels])[:, None] + pair_cost
        base += np.concatenate(
            [
                self._apart(o, units, self.unit) + self._apart(o, dislodged, self.unit) + self._beside(o, units)
                for o in labels
            ]
        )
        best, chosen = np.inf, (0, 0, 0)
        for c, centre in enumerate(centres):
            beside = np.concatenate([self._apart(o, centres[c : c + 1], self.mark) for o in labels])
            near = self._near(units, centre) + self._near(dislodged, centre)
            total = base + beside + near + centre_cost[c]
            least = int(np.argmin(total))
            if total.flat[least] < best:
                best, chosen = float(total.flat[least]), (*divmod(least, total.shape[1]), c)
        lettering, kind = _pick(labels, chosen[0])
        named = kind < len(names)
        here = {} if self.space.impassable else {Location(self.code): chosen[1]}
        found = _Placed(
            {loc: _point(units[i]) for loc, i in here.items()},
            {loc: _point(dislodged[i]) for loc, i in here.items()},
            _point(centres[chosen[2]]) if self.space.centre else None,
            lettering if named else None,
            None if named else lettering,
        )
        return self._with_coasts(found, ashore)

    def code_of(self, placed: _Placed) -> Lettering:
        """The code of a space whose other seats are settled, as large as it may be."""
        taken = self.search.taken(self.window, codes=True)
        own = [disc(at, self.unit) for at in placed.units.values()]
        own += [disc(placed.centre, self.mark)] if placed.centre else []
        options = self._codes(SMALLEST_CODE, LARGEST_CODE, Covered.all([taken, *own]))
        best = min(options, key=lambda o: float(o.cost.min()) if len(o) else np.inf)
        return best.make(int(np.argmin(best.cost)))

    # ------------------------------------------------------------------ units

    def _spots(self, wanted: int) -> Spots:
        """About so many places in the face, spread evenly."""
        own = self.window.own
        step = max(1, int(np.sqrt(own.sum() / wanted)))
        rows, columns = np.nonzero(own[::step, ::step])
        return np.round(self.window.spots(rows * step, columns * step))

    def _off_border(self, spots: Spots) -> Costs:
        """How far each place lies from the border of its face; less than nothing outside it."""
        border = self.ground.polygons[self.code]
        points = shapely.points(spots)
        away = shapely.distance(points, border.boundary)
        return np.asarray(np.where(shapely.contains(border, points), away, -away))

    def _unit_cost(self, spots: Spots, off: Costs) -> Costs:
        """What it costs for a unit to stand at each place, `off` units from the border."""
        over = np.maximum(self.unit - off, 0.0) / self.unit
        cost = 40.0 * over + 60.0 * np.maximum(over - 0.4, 0.0) + FORBIDDEN * (off <= 0)
        cost += 4.0 * np.maximum(self.unit + 5 * self.px - off, 0.0) / self.unit
        cost -= 1.0 * np.minimum(off / self.unit, 3.0)
        cost += self._near_nodes(spots)
        cost += np.where(self.window.island[self.window.cells(spots)], 8.0, 0.0)
        room = self.taken.distance(spots) - self.unit
        return np.asarray(cost + FORBIDDEN * (room < self.gap / 2) + 3.0 * np.maximum(1 - room / (2 * self.gap), 0.0))

    def _near_nodes(self, spots: Spots) -> Costs:
        """What it costs to cover the node of a corner."""
        if not len(self.ground.nodes):
            return np.zeros(len(spots))
        away = np.hypot(*(spots[:, None, :] - self.ground.nodes).transpose(2, 0, 1)).min(axis=1)
        return np.asarray(8.0 * np.maximum(self.unit + NODE * self.px - away, 0.0) / self.unit)

    def _pairs(self, ashore: Sequence[Point]) -> tuple[Spots, Spots, Costs]:
        """Places for a unit with a companion for the dislodged, and their costs; `ashore` is where fleets stand."""
        if self.space.impassable:
            return np.full((1, 2), 1e9), np.full((1, 2), 1e9), np.zeros(1)
        spots = self._spots(700)
        off = self._off_border(spots)
        cost = self._unit_cost(spots, off) + 1.5 * np.hypot(*(spots - self.middle).T) / self.breadth
        chosen = _spread(spots, cost, self.unit * 0.6, 26)
        units, unit_cost = np.repeat(spots[chosen], len(_AROUND), axis=0), np.repeat(cost[chosen], len(_AROUND))
        aside = np.tile(_AROUND * self.unit, (len(chosen), 1))
        dislodged = np.round(units + aside)
        pair_cost = self._dislodged_cost(units, dislodged, [np.array(at) for at in ashore])
        total = (unit_cost + pair_cost).reshape(len(chosen), 4, -1)
        best = np.argmin(total, axis=2) + np.arange(4) * total.shape[2] + np.arange(len(chosen))[:, None] * len(_AROUND)
        flat = best.ravel()
        return units[flat], dislodged[flat], total.ravel()[flat]

    def _dislodged_cost(self, units: Spots, dislodged: Spots, others: Sequence[NDArray[np.float64]]) -> Costs:
        """What it costs for the dislodged to stand at each place beside its unit, clear of `others`."""
        off = self._off_border(dislodged)
        aside = (dislodged - units) / self.unit
        reach = np.hypot(*aside.T)
        cost = 9.0 * np.maximum(2.05 - reach, 0.0) + 0.6 * (1.0 - (aside[:, 0] + aside[:, 1]) / (reach * np.sqrt(2)))
        cost += 14.0 * np.maximum(self.unit - off, 0.0) / self.unit + FORBIDDEN * (off <= 0)
        cost += self._near_nodes(dislodged) / 2
        room = self.taken.distance(dislodged) - self.unit
        cost += 0.8 * FORBIDDEN * (room < self.gap / 2)
        for other in others:
            cost += 12.0 * np.maximum(2.0 * self.unit - np.hypot(*(dislodged - other).T), 0.0) / self.unit
        return np.asarray(cost)

    def _coast_seats(self) -> dict[Location, Point]:
        """Where fleets stand on the coasts of a space that has several: by the shore, near the mark of the coast."""
        found: dict[Location, Point] = {}
        shores = self.ground.shores(self.code)
        marks = {mark.coast: np.array(mark.at) for mark in self.ground.figure.marks if mark.space == self.code}
        for coast in self.space.coasts:
            spots = self._spots(1500)
            border = self.ground.polygons[self.code].boundary.difference(shores[coast].buffer(1))
            points = shapely.points(spots)
            inland, shore = shapely.distance(points, border), shapely.distance(points, shores[coast])
            cost = 6.0 * np.abs(shore - 0.9 * self.unit) / self.unit
            cost += 40.0 * np.maximum(self.unit + self.gap - inland, 0.0) / self.unit
            cost += 12.0 * np.hypot(*(spots - marks[coast]).T) / self.breadth + self._near_nodes(spots)
            cost += FORBIDDEN * (self.taken.distance(spots) < self.unit + self.gap / 2)
            for other in found.values():
                cost += 20.0 * np.maximum(2.2 * self.unit - np.hypot(*(spots - np.array(other)).T), 0.0) / self.unit
            found[Location(self.code, coast)] = _point(spots[int(np.argmin(cost))])
        return found

    def _with_coasts(self, placed: _Placed, ashore: Mapping[Location, Point]) -> _Placed:
        """The seats with those of the coasts, each with a place for the dislodged clear of all other seats."""
        dislodged = dict(placed.dislodged)
        lettering = placed.name or placed.code
        own = [covered_by(lettering, water=self.water)] if lettering else []
        own += [disc(placed.centre, self.mark)] if placed.centre else []
        for location, at in ashore.items():
            unit = np.array(at, dtype=float)
            spots = np.round(unit + _AROUND * self.unit)
            others = [np.array(p) for loc, p in (placed.units | ashore).items() if loc != location]
            cost = self._dislodged_cost(np.tile(unit, (len(spots), 1)), spots, others)
            cost += FORBIDDEN * (Covered.all(own).distance(spots) < self.unit + self.gap / 2)
            dislodged[location] = _point(spots[int(np.argmin(cost))])
        return _Placed({**placed.units, **ashore}, dislodged, placed.centre, placed.name, placed.code)

    # ------------------------------------------------------------------ centre marks

    def _centres(self) -> tuple[Spots, Costs]:
        """Places for the mark of a supply centre, and their costs."""
        if not self.space.centre:
            return np.full((1, 2), 1e9), np.zeros(1)
        spots = self._spots(1500)
        off = self._off_border(spots)
        cost = 12.0 * np.maximum(self.mark + self.gap - off, 0.0) / self.mark
        cost += FORBIDDEN * (self.taken.distance(spots) < self.mark + self.gap / 2)
        wish = self.hints.get(self.code)
        if wish is not None:
            cost += np.hypot(*(spots - np.array(wish)).T) / (6 * self.px)
        return _best_of(spots, cost, self.mark * (1.0 if wish is not None else 4.0), 12)

    @property
    def hints(self) -> Mapping[Code, Point]:
        """The places wished for."""
        return self.search.hints.centres

    # ------------------------------------------------------------------ lettering

    def _names(self) -> list[Options]:
        """Candidates for the full name, in every way it may be set."""
        found = []
        ways = self.search.hints.lines.get(self.code) or breaks(self.space.name)
        breadth = self.breadth / self.px
        if self.water:
            wished, spread = min(12.5 + max(breadth - 60, 0) * 0.04, 24.0), min(max(breadth - 130, 0) / 2500, 0.12)
        else:
            wished, spread = min(12.5 + max(breadth - 50, 0) * 0.035, 19.0), 0.0
        sizes = [s for s in (wished, wished - 1, wished - 2.5, wished - 4, wished - 6, wished - 9) if s >= SMALLEST]
        for size in dict.fromkeys([*sizes, SMALLEST]):
            for spacing in dict.fromkeys((spread, 0.0)):
                dear = 1.6 * (wished - size) + 10.0 * (spread - spacing)
                for i, lines in enumerate(ways):
                    scaled, apart = size * self.px, round(spacing * size * self.px)
                    limits = AFLOAT if self.water else INSIDE
                    options = straight(self.window, lines, scaled, apart, limits, water=self.water)
                    found.append(self._judged(options, dear + i))
                if self.water:
                    options = curved(self.window, self.space.name, scaled, apart, water=True)
                    found.append(self._judged(options, dear))
        return [options for options in found if len(options)]

    def _codes(self, least: float, most: float, taken: Covered) -> list[Options]:
        """Candidates for the code, dear enough that any name is better."""
        found = []
        for size in np.arange(most, least - 0.5, -1.0):
            options = straight(self.window, (self.code,), float(size) * self.px, 0.0, ANYWHERE, water=self.water)
            cost = 30.0 + 1.2 * (most - size) + self._clear_of(options, taken) + self._central(options)
            found.append(options.cheapest(cost))
        return [options for options in found if len(options)]

    def _judged(self, options: Options, dear: float) -> Options:
        return options.cheapest(dear + self._clear_of(options, self.taken) + self._central(options))

    def _central(self, options: Options) -> Costs:
        """A little for lettering far from the middle of its face."""
        return np.asarray(2.5 * np.hypot(*(options.middles - self.middle).T) / self.breadth)

    def _clear_of(self, options: Options, taken: Covered) -> Costs:
        """What it costs to come near to what is taken."""
        room = options.room(taken)
        return np.asarray(FORBIDDEN * (room < self.gap / 2) + 3.0 * np.clip(1 - room / (2 * self.gap), 0.0, 1.0))

    def _apart(self, options: Options, spots: Spots, radius: float) -> Costs:
        """What it costs for a token at each spot (columns) to come near each lettering (rows)."""
        room = options.gaps(spots) - radius
        return np.asarray(1.5 * FORBIDDEN * (room < self.gap / 2) + 3.0 * np.clip(1 - room / (2 * self.gap), 0.0, 1.0))

    def _beside(self, options: Options, units: Spots) -> Costs:
        """A little for lettering that is not close by its unit."""
        away = np.hypot(*(options.middles[:, None, :] - units).transpose(2, 0, 1))
        return np.asarray(0.5 * np.minimum(away / (4 * self.unit), 3.0))

    def _near(self, tokens: Spots, centre: NDArray[np.float64]) -> Costs:
        """What it costs for a centre mark to come near each token."""
        room = np.hypot(*(tokens - centre).T) - self.unit - self.mark
        return np.asarray(FORBIDDEN * (room < self.gap / 2) + 2.0 * np.clip(1 - room / (2 * self.gap), 0.0, 1.0))


_ANGLES = np.arange(16) * (np.pi / 8) + np.pi / 16
_AROUND: Spots = np.concatenate(
    [
        np.column_stack((np.cos(_ANGLES[i : i + 4]), np.sin(_ANGLES[i : i + 4]))) * reach
        for i in range(0, 16, 4)
        for reach in (2.05, 1.8, 1.5)
    ]
)
"""Where the dislodged may stand round its unit, in radii: quarter by quarter of the compass, near and far."""


def _spread(spots: Spots, cost: Costs, apart: float, most: int) -> list[int]:
    """The numbers of the cheapest spots, none of them nearer than `apart` to a cheaper one."""
    found: list[int] = []
    left = cost.astype(float)
    while len(found) < most:
        best = int(np.argmin(left))
        if not np.isfinite(left[best]):
            break
        found.append(best)
        left = np.where(np.hypot(*(spots - spots[best]).T) < apart, np.inf, left)
    return found


def _best_of(spots: Spots, cost: Costs, apart: float, most: int) -> tuple[Spots, Costs]:
    chosen = _spread(spots, cost, apart, most)
    return spots[chosen], cost[chosen]


def _pick(options: Sequence[Options], number: int) -> tuple[Lettering, int]:
    """The lettering of a number counted through several kinds of candidates, and the number of its kind."""
    for kind, some in enumerate(options):
        if number < len(some):
            return some.make(number), kind
        number -= len(some)
    raise IndexError(number)


def _point(spot: NDArray[np.float64]) -> Point:
    return round(float(spot[0])), round(float(spot[1]))


def _locations(board: Board, code: Code) -> tuple[Location, ...]:
    space = board.spaces[code]
    bare = Location(code)
    return () if space.impassable else tuple(dict.fromkeys((bare, *space.locations)))


# ---------------------------------------------------------------------- a command


def hints_from(table: Mapping[str, Any], figure: Figure) -> Hints:
    """The hints of a `seats.toml`: tables `centres` (longitude and latitude) and `lines` (ways to set a name).

    Raises InvalidFigure for an unknown table or face, or a place on a figure without a projection.
    """
    for title in table:
        if title not in ("centres", "lines"):
            raise InvalidFigure(f"the hints have no table {title!r}; they are centres and lines")
        for code in table[title]:
            if code not in figure.faces:
                raise InvalidFigure(f"the hints name {code}, but the figure has no such face")
    centres = table.get("centres", {})
    if centres and figure.projection is None:
        raise InvalidFigure("the hints place centres by longitude and latitude, but the figure has no projection")
    places = {}
    for code, (lon, lat) in centres.items():
        x, y = figure.projection(float(lon), float(lat)) if figure.projection else (0.0, 0.0)
        places[Code(code)] = (round(x * UNIT), round(y * UNIT))
    lines = {Code(code): tuple(tuple(way) for way in ways) for code, ways in table.get("lines", {}).items()}
    return Hints(places, lines)


def main(arguments: Sequence[str]) -> int:
    """Find the seats of the variants in the folders named; print what is wrong and return 1, or return 0."""
    if not arguments:
        print("usage: python -m plenipo.maps.labels FOLDER ...", file=sys.stderr)  # noqa: T201 - a command
        return 2
    for name in arguments:
        folder = Path(name)
        try:
            figure = Figure.from_json((folder / "figure.json").read_text(encoding="utf-8"))
            spaces = tomllib.loads((folder / "variant.toml").read_text(encoding="utf-8"))["spaces"]
            texts = {Code(code): SpaceText(info["name"], info.get("centre", False)) for code, info in spaces.items()}
            hints = folder / "seats.toml"
            table = tomllib.loads(hints.read_text(encoding="utf-8")) if hints.is_file() else {}
            seats = find_seats(figure, board_from(figure, texts, folder.name), hints_from(table, figure))
        except (InvalidFigure, OSError, tomllib.TOMLDecodeError) as error:
            print(f"{folder}: {error}", file=sys.stderr)  # noqa: T201 - a command
            return 1
        (folder / "seats.json").write_text(seats.to_json(), encoding="utf-8")
        print(f"{folder / 'seats.json'}: {len(seats.names)} names, {len(seats.codes)} codes")  # noqa: T201 - a command
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
