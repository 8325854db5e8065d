"""What is drawn of each move and support: how far its line runs, where it ends, and what its supports take hold of."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import pairwise, product
from operator import itemgetter

from plenipo.engine.board import Board, Code, Location, Terrain, UnitKind
from plenipo.engine.orders import Convoy, Move, Order, Ref, Retreat, Support
from plenipo.engine.outcome import Outcome, Result
from plenipo.engine.position import Unit
from plenipo.maps.draw.apart import RINGS, Inked, aside, met
from plenipo.maps.draw.arrows import HEAD, Bend, Line, Route, Spot
from plenipo.maps.draw.paths import DISC, Shapes
from plenipo.maps.draw.routes import Routes
from plenipo.maps.draw.scene import Scene
from plenipo.maps.lettering.annotations import lane
from plenipo.maps.lettering.placements import Placements, point_of

__all__ = ["Way", "Ways"]

CLEAR = DISC + 8.0
"""How far a line keeps from the middle of a unit."""

VACANT = 12.0
"""How far it keeps from a place where no unit stands."""

TIP = HEAD * 0.9
"""How far the tip of an arrow lies beyond its line."""

ASIDE = 9.0
"""How far a move along a lane keeps to its left."""

LEAST = 34.0
"""How long the visible line of a move is at least, if bowing it can bring that about."""

BOWS = (0.3, 0.5, 0.8, 1.1, 1.5)
"""How far a line between units that stand close together may leave the straight one, the least first."""

STRANDED = 110.0
"""How long the wave of an army is that nobody carries."""

UNDER = 0.04
"""The bend of a support, less than that of a move."""

APART = 34.0
"""How far from each other the supports of one move take hold of it, if it is long enough."""

GRIPPED = (0.12, 0.82)
"""Between which shares of a move its supports take hold."""

TURNS = (0.25, 0.4, 0.55, 0.7, 0.85, 1.0)
"""Where on its way over a border a support may turn to its grip, as shares."""

ELSEWHERE = (0.1, 0.22, 0.34, 0.46, 0.58, 0.7, 0.82, 0.9, 0.96)
"""Where a support may take hold of a move instead, as shares of it."""

TRIED = 8
"""How many ways of a support to its grip are tried in full, the likeliest first."""

FAILED = frozenset({Result.FAILS, Result.VOID})


@dataclass(frozen=True, eq=False)
class Way:
    """A move as it is drawn: its line, which ends in a bar if it is `barred`, and the rest it does not go.

    `sails` is whether it goes over water; `covered`, whether its bar lies where a unit stands.
    """

    line: Line
    rest: Line | None = None
    barred: bool = False
    sails: bool = False
    covered: bool = False


class Ways:
    """The ways of one scene."""

    def __init__(self, board: Board, placements: Placements, routes: Routes, scene: Scene) -> None:
        self.board, self.placements, self.routes, self.scene = board, placements, routes, scene

    @property
    def shapes(self) -> Shapes:
        """The areas of the map."""
        return self.routes.shapes

    # ------------------------------------------------------------------ places

    def placement(self, location: Location) -> Spot:
        """Where a unit stands, in pips."""
        return self.shapes.plane.at(point_of(self.placements.units, location))

    def start(self, ref: Ref, unit: Unit | None) -> Spot:
        """Where the unit of an order stands now: beside its place if it is dislodged already."""
        location = unit.location if unit else ref.location
        standing = self.scene.position.dislodged_at(location.space)
        if standing and standing.unit == unit:
            return self.shapes.plane.at(point_of(self.placements.dislodged or self.placements.units, location))
        return self.placement(location)

    def occupied(self, space: Code) -> bool:
        """Whether a unit stands in a space."""
        return self.scene.position.unit_at(space) is not None

    def _room(self, space: Code) -> float:
        """How far a line keeps from the place of a unit."""
        return CLEAR if self.occupied(space) else VACANT

    # ------------------------------------------------------------------ moves

    @cached_property
    def moves(self) -> Mapping[Code, tuple[Move, Outcome | None]]:
        """The move ordered from each space."""
        return {
            order.unit.location.space: (order, outcome)
            for _, _, order, outcome in self.scene.given
            if isinstance(order, Move)
        }

    def reaches(self, order: Order) -> bool:
        """Whether a unit could stand wherever the order points to; an order that was refused may name any space."""
        to = getattr(order, "to", None)
        return to is None or any(location.space == to.space for location in self.placements.units)

    def of(self, order: Move | Retreat, unit: Unit | None, outcome: Outcome | None) -> Way:
        """How a move or retreat is drawn, beside those it would run over."""
        return self._apart.get(order) or self._alone(order, unit, outcome)

    @cached_property
    def _apart(self) -> Mapping[Move | Retreat, Way]:
        """Every move and retreat as it is drawn."""
        given = [
            (order, self._alone(order, unit, outcome))
            for _, unit, order, outcome in self.scene.given
            if isinstance(order, Move | Retreat) and self.reaches(order)
        ]

        def made() -> tuple[Way, ...]:
            inked, ways = Inked(), []
            for _, way in given:
                if way.sails:
                    inked.add(way.line)
            for order, way in given:
                own = self._areas(order.unit.location.space, order.to.space)
                line = way.line if way.sails else aside(way.line, inked, partial(self._inside, own))
                if not way.sails:
                    inked.add(line)
                ways.append(way if line is way.line else replace(way, line=line))
            return tuple(ways)

        ways = self.routes.remembered((self.board, "apart", *given), made)
        return dict(zip((order for order, _ in given), ways, strict=True))

    def _alone(self, order: Move | Retreat, unit: Unit | None, outcome: Outcome | None) -> Way:
        """How a move or retreat is drawn, whatever else there is."""
        here, start = order.unit.location, self.start(order.unit, unit)
        sails = isinstance(order, Move) and self._sails(order)
        chain = self._chain(here.space, order.to.space) if sails else ()
        known = outcome is not None
        failed = outcome is not None and outcome.result not in (Result.MOVES, Result.RETREATS)
        around = (self.occupied(here.space), self.occupied(order.to.space))

        def made() -> Way:
            if isinstance(order, Retreat):
                whole = self._from_beside(order, start, self._single(here, order.to, start, self.placement(order.to)))
            elif not sails:
                whole = self._single(here, order.to, start, self.placement(order.to))
            elif chain:
                whole = self._voyage(order, chain)
            else:
                return self._stranded(order, failed=known)
            return self._barred(order, whole, sails=sails) if failed else self._arrow(order, start, whole, sails=sails)

        return self.routes.remembered((self.board, order, start, sails, chain, known, failed, around), made)

    def _arrow(self, order: Move | Retreat, start: Spot, whole: Line, *, sails: bool) -> Way:
        """The line from unit to unit with room for its head; bowed where they stand close together."""
        end, clear = self.placement(order.to), self._room(order.unit.location.space)
        stop = self._room(order.to.space) + TIP
        line = self.routes.trimmed(whole, clear, stop)
        if line.length < LEAST and math.dist(start, end) < 2 * (CLEAR + TIP):
            bows = (self.routes.trimmed(Bend.between(start, end, left=bow), clear, stop) for bow in BOWS)
            line = next((bow for bow in bows if bow.length >= LEAST), line)
        return Way(line, sails=sails)

    def _barred(self, order: Move | Retreat, whole: Line, *, sails: bool) -> Way:
        """The line up to the last border it would have crossed, and the rest of it."""
        here, to, length = order.unit.location.space, order.to.space, max(whole.length, 1.0)
        crossing = self.routes.crossing(whole, here, to)
        if crossing is None:  # to a corner, which is on no border: just before it
            stop = max(1 - (CLEAR + 8) / length, 0.5)
        elif here in self.shapes.rings:
            stop = crossing
        else:  # from a corner, which is on the border itself
            stop = min(max(crossing, (CLEAR + LEAST) / length), 0.8)
        line = whole.part(max(min(self._room(here), stop * length - LEAST), 0.0) / length, stop)
        aim = 1 - self._room(to) / length
        return Way(
            line, whole.part(stop, aim) if aim > stop else None, barred=True, sails=sails, covered=stop * length < CLEAR
        )

    def _from_beside(self, order: Retreat, start: Spot, whole: Line) -> Line:
        """The line of a retreat from beside the place of its unit: it joins the way from there where that is plain."""
        here, at = order.unit.location, self.placement(order.unit.location)
        if start == at or self._astray(whole, own := self._areas(here.space, order.to.space)) <= 0:
            return whole
        way = self._single(here, order.to, at, self.placement(order.to))
        shares = (i / 12 for i in range(10))
        lines = [Route.joined((Bend.between(start, way.at(s), left=0.0), way.part(s, 1))) for s in shares]
        return min((whole, *lines), key=lambda line: self._astray(line, own))

    def _astray(self, line: Line, own: tuple[Code, ...]) -> float:
        """How much of a line lies outside some areas."""
        count = max(2, round(line.length / DISC))
        places = [line.at(i / count) for i in range(count + 1)]
        return sum(self.routes.strays(a, b, own) for a, b in pairwise(places))

    def _inside(self, own: tuple[Code, ...], spot: Spot) -> bool:
        """Whether a place lies in one of some areas."""
        return any(self.shapes.holds(code, spot) for code in own)

    def _areas(self, *spaces: Code) -> tuple[Code, ...]:
        return tuple(sorted(area for code in set(spaces) for area in self.routes.areas(code)))

    def _stranded(self, order: Move, *, failed: bool) -> Way:
        """A short wave towards the aim of an army that nobody carries, and the rest."""
        whole = Bend.between(self.placement(order.unit.location), self.placement(order.to))
        way = self.routes.trimmed(whole, self._room(order.unit.location.space), self._room(order.to.space))
        share = min(STRANDED / max(way.length, 1.0), 0.5)
        return Way(way.part(0, share), way.part(share, 1), barred=failed, sails=True)

    def _single(self, here: Location, to: Location, start: Spot, end: Spot) -> Line:
        """The whole line of a move that needs no convoy; a plain bend where no unit could go."""
        if beside := self._lane(here.space, to.space):
            return Route.shifted([start, *beside, end], ASIDE)
        steps = (to.space in self.board.reach(kind, here) for kind in self.board.kinds)
        return self.routes.between(here, to, start, end) if any(steps) else Bend.between(start, end)

    def _lane(self, start: Code, end: Code) -> list[Spot]:
        """The places on the lane between a box and what it is linked with; none between any other two spaces."""
        figure = self.shapes.figure
        for box in figure.boxes:
            for link in box.links:
                if {start, end} == {box.code, link.space}:
                    spots: list[Spot] = [self.shapes.plane.at(p) for p in lane(figure, box, link, self.placements)]
                    return spots if start == box.code else spots[::-1]
        return []

    # ------------------------------------------------------------------ over water

    @cached_property
    def _carriers(self) -> Mapping[tuple[Code, Code], tuple[Code, ...]]:
        """The seas whose fleets are to convoy from one space to another."""
        carriers: dict[tuple[Code, Code], list[Code]] = defaultdict(list)
        for _, _, order, _ in self.scene.given:
            if isinstance(order, Convoy):
                carriers[order.other.location.space, order.to.space].append(order.unit.location.space)
        return {key: tuple(seas) for key, seas in carriers.items()}

    def _chain(self, start: Code, end: Code) -> tuple[Code, ...]:
        """The shortest chain of convoying seas from one space to another; empty if they make none."""
        seas = set(self._carriers.get((start, end), ()))
        goal = self.board.waters.get(end, frozenset())
        chains: list[tuple[Code, ...]] = [(sea,) for sea in sorted(seas & self.board.waters.get(start, frozenset()))]
        reached = {chain[-1] for chain in chains}
        while chains:
            longer: list[tuple[Code, ...]] = []
            for chain in chains:
                if chain[-1] in goal:
                    return chain
                for sea in sorted((seas & self.board.waters.get(chain[-1], frozenset())) - reached):
                    reached.add(sea)
                    longer.append((*chain, sea))
            chains = longer
        return ()

    def _sails(self, order: Move) -> bool:
        """Whether an army goes over water."""
        start, to = order.unit.location.space, order.to.space
        ports = all(self.board.spaces[code].terrain is Terrain.COAST for code in (start, to))
        kind = order.unit.kind or UnitKind.ARMY
        cargo = kind in self.board.carriers
        return cargo and ports and (order.via or to not in self.board.reach(kind, order.unit.location))

    def _voyage(self, order: Move, chain: Sequence[Code]) -> Line:
        """The line of a convoyed move, from fleet to fleet."""
        stops = [order.unit.location, *map(Location, chain), order.to]
        ends = [(stop, self.placement(stop)) for stop in stops]
        return Route.joined(self.routes.between(a, b, p, q) for (a, p), (b, q) in pairwise(ends))

    # ------------------------------------------------------------------ supports

    def line_of(self, order: Support) -> Line | None:
        """The line of a support to what it takes hold of; None if that is not on the map."""
        return self._held.get(order) or self._hold(order)

    @cached_property
    def _held(self) -> Mapping[Support, Line]:
        """The line of every support as it is drawn, beside moves and others it would run over."""
        given = [order for _, _, order, _ in self.scene.given if isinstance(order, Support) and self.reaches(order)]
        lines = {order: line for order in given if (line := self._hold(order)) is not None}
        moves = tuple(self._apart.values())

        def made() -> Mapping[Support, Line]:
            inked, held = Inked(), dict[Support, Line]()
            for way in moves:
                inked.add(way.line)
            for order, line in lines.items():
                chosen = aside(line, inked, partial(self._inside, self._own(order)))
                if order in self._grips and inked.runs_over(chosen):
                    rings = [other.at(1) for other in held.values()]
                    chosen = met(chosen, self._grips[order][1].line, rings)
                    if inked.runs_over(chosen):
                        chosen = min(
                            (chosen, *self._elsewhere(order, rings)), key=lambda held: self._worth(order, held, inked)
                        )
                inked.add(chosen)
                held[order] = chosen
            return held

        return self.routes.remembered((self.board, "held", *moves, *lines.items()), made)

    def _elsewhere(self, order: Support, rings: Sequence[Spot]) -> Iterator[Line]:
        """Lines of a support to other places of the move it holds, where its ring has room beside other rings."""
        start, line = self.placement(order.unit.location), self._grips[order][1].line
        for share in ELSEWHERE:
            grip = line.at(share)
            if all(math.dist(grip, ring) > RINGS for ring in rings):
                yield self._within(order, start, grip)

    def _worth(self, order: Support, line: Line, inked: Inked) -> float:
        """How bad the line of a support is: how far it lies in a third area, and runs over another line."""
        return 4 * self._astray(line, self._own(order)) + inked.run(line)

    def _hold(self, order: Support) -> Line | None:
        """The line of a support, whatever else there is."""
        start = self.placement(order.unit.location)
        if order in self._grips:
            grip, way = self._grips[order]
            return self.routes.remembered((self.board, order, way, grip), lambda: self._within(order, start, grip))
        if not self.occupied(order.other.location.space):
            return None
        at = self.placement(order.other.location)
        here, to = order.unit.location, order.other.location
        steps = any(to.space in self.board.reach(kind, here) for kind in self.board.kinds)
        whole = self.routes.between(here, to, start, at) if steps else Bend.between(start, at, left=UNDER)
        return self.routes.trimmed(whole, CLEAR, CLEAR + 12)

    def wish_of(self, order: Support) -> Line | None:
        """The line of a move that is supported but was not ordered."""
        if order.to is None or order in self._grips or not self.occupied(order.other.location.space):
            return None
        ends = self.placement(order.other.location), self.placement(order.to)
        whole = self._single(order.other.location, order.to, *ends)
        return self.routes.trimmed(whole, CLEAR, self._room(order.to.space))

    @cached_property
    def _grips(self) -> Mapping[Support, tuple[Spot, Way]]:
        """Where each support of a drawn move takes hold of it, and the move: in the order in which they come to it."""
        holders: dict[Code, list[Support]] = defaultdict(list)
        for _, _, order, _ in self.scene.given:
            if isinstance(order, Support) and order.to is not None:
                move, _ = self.moves.get(order.other.location.space, (None, None))
                if move is not None and move.to.space == order.to.space:
                    holders[order.other.location.space].append(order)
        grips: dict[Support, tuple[Spot, Way]] = {}
        for space, supports in holders.items():
            move, outcome = self.moves[space]
            way = self.of(move, self.scene.position.unit_at(space), outcome)
            line = way.line
            low, high = (share * line.length for share in GRIPPED)
            wished = sorted((self._nearest(way, support, low, high), i) for i, support in enumerate(supports))
            for at, (_, i) in zip(_spaced([at for at, _ in wished], low, high), wished, strict=True):
                grips[supports[i]] = line.at(at / max(line.length, 1.0)), way
        return grips

    def _nearest(self, way: Way, support: Support, low: float, high: float) -> float:
        """Where along a move a support had best take hold: near by, and without passing through a third area."""

        def made() -> float:
            start, places = self.placement(support.unit.location), [low + (high - low) * i / 6 for i in range(7)]
            spots, own = [way.line.at(place / max(way.line.length, 1.0)) for place in places], self._own(support)
            worth = [math.dist(start, spot) + 4 * self.routes.strays(start, spot, own) for spot in spots]
            return places[worth.index(min(worth))]

        return self.routes.remembered((self.board, support, way), made)

    def _own(self, support: Support) -> tuple[Code, ...]:
        """The areas a support has to do with: those it names, and where it is for a move over water all on its way."""
        named = (support.unit.location.space, support.other.location.space)
        areas = self._areas(*named, *([support.to.space] if support.to else ()))
        return tuple(sorted({*areas, *self._passed(support.other.location.space)}))

    @cached_property
    def _passed(self) -> Callable[[Code], frozenset[Code]]:
        """The areas through which the move from a space is drawn, if it goes over water."""
        return lru_cache(maxsize=None)(self._passed_from)

    def _passed_from(self, space: Code) -> frozenset[Code]:
        whole = self._whole(space)
        if whole is None:
            return frozenset()
        count = max(2, round(whole.length / DISC))
        spots = [whole.at(i / count) for i in range(count + 1)]
        return frozenset(code for code in self.shapes.rings if any(self.shapes.holds(code, spot) for spot in spots))

    def _whole(self, space: Code) -> Line | None:
        """The line of the move from a space with the rest it does not go, if it goes over water."""
        move, outcome = self.moves.get(space, (None, None))
        if move is None or not self._sails(move):
            return None
        way = self.of(move, self.scene.position.unit_at(space), outcome)
        return Route.joined((way.line, way.rest) if way.rest else (way.line,))

    def _within(self, order: Support, start: Spot, grip: Spot) -> Line:
        """The line of a support to its grip: straight, or over the border where that passes through a third area.

        It turns off the way to where it supports, or to whom, and may come along the move itself from ahead.
        """
        own = self._own(order)
        best: tuple[float, Line] = (math.inf, Bend.between(start, grip, left=UNDER))
        for left in (UNDER, 0.0, -UNDER):
            bend = Bend.between(start, grip, left=left)
            best = min(best, (self._astray(bend, own), bend), key=itemgetter(0))
            if best[0] <= 0:
                return self.routes.trimmed(best[1], CLEAR, 9.0)
        joined = sorted(self._turned(order, start, grip, own), key=itemgetter(0))
        for _, *parts in joined[:TRIED]:
            tight = Route.joined(parts)
            for line in (tight.rounded(), tight):
                best = min(best, (self._astray(line, own), line), key=itemgetter(0))
                if best[0] <= 0:
                    return self.routes.trimmed(best[1], CLEAR, 9.0)
        return self.routes.trimmed(best[1], CLEAR, 9.0)

    def _turned(
        self, order: Support, start: Spot, grip: Spot, own: tuple[Code, ...]
    ) -> Iterator[tuple[float, Line, Line, Line]]:
        """Ways of a support to its grip in three parts, with how much of the middle one lies outside its areas."""
        ahead = [Bend.between(grip, grip, left=0.0), *self._ahead(order, grip)]
        here = order.unit.location
        for aim in (order.to, order.other.location):
            if aim and any(aim.space in self.board.reach(kind, here) for kind in self.board.kinds):
                known = (to for to in (aim, *self.board.spaces[aim.space].locations) if self.routes.known(here, to))
                to = next(known, aim)
                whole = self.routes.between(here, to, start, self.placement(to))
                for along, share in product(ahead, TURNS):
                    turn, at = whole.at(share), along.at(0)
                    astray = self.routes.strays(turn, at, own)
                    yield astray, whole.part(0, share), Bend.between(turn, at, left=0.0), along

    def _ahead(self, order: Support, grip: Spot) -> Iterator[Line]:
        """Lines back along a supported move, from places farther on its way to where it is gripped."""
        space = order.other.location.space
        move, outcome = self.moves[space]
        way = self.of(move, self.scene.position.unit_at(space), outcome)
        whole = Route.joined((way.line, way.rest) if way.rest else (way.line,))
        count = max(2, round(whole.length / HEAD))
        gripped = min(range(count + 1), key=lambda i: math.dist(whole.at(i / count), grip))
        for i in range(gripped + 2, count + 1, 2):
            back = whole.part(gripped / count, i / count)
            yield Route(back.spots[::-1], smooth=True)


def _spaced(wished: Sequence[float], low: float, high: float) -> list[float]:
    """Places as near to the wished ones as they can be, in the same order, apart and between two ends."""
    apart = min(APART, (high - low) / max(len(wished) - 1, 1))
    places: list[float] = []
    for i, wish in enumerate(wished):
        least = places[-1] + apart if places else low
        most = high - apart * (len(wished) - 1 - i)
        places.append(min(max(wish, least), most))
    return places
