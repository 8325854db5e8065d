"""The drawn line of each move and support: its length, its end, and the place at which its supports meet it."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import accumulate, pairwise, product
from operator import itemgetter
from typing import NamedTuple

from plenipo.engine.board import Board, Code, Location, Terrain, UnitKind
from plenipo.engine.orders import Convoy, Move, Order, Ref, Retreat, Support
from plenipo.engine.outcome import Outcome, Reason, Result
from plenipo.engine.position import Unit
from plenipo.maps.draw.apart import RINGS, Inked, aside, stop_at_move
from plenipo.maps.draw.arrows import AIM, HEAD, SHORT_HEAD, Bend, DrawableLine, Route, Spot, wave
from plenipo.maps.draw.convoys import Convoys, Passage
from plenipo.maps.draw.paths import DISC, Shapes
from plenipo.maps.draw.routes import Routes
from plenipo.maps.draw.scene import Scene
from plenipo.maps.lettering.annotations import lane
from plenipo.maps.lettering.placements import Placements, point_of

__all__ = ["MovePath", "Ways", "is_void"]

CLEAR = DISC + 8.0
"""The distance of a line from the middle of a unit."""

VACANT = 12.0
"""The distance of a line from a vacant place."""

TIP = 0.9
"""The distance of the tip of an arrow beyond its line, in lengths of its head."""

ASIDE = 9.0
"""The offset of a move along a lane to its left."""

LEAST = 34.0
"""The least visible length of the line of a move, where bowing can achieve it."""

BOWS = (0.3, 0.5, 0.8, 1.1, 1.5)
"""The deviations of a line between close units from the straight one, the least first."""

OUT = 60.0
"""The length of a line in the first sea in which no fleet convoys the army on, in pips."""

LEDGE = 12.0
"""The distance of the sign of a broken convoy from the fleet that did not carry the army, in pips."""

LANDED = 0.8
"""The share of a move over water at which it lands, where it enters no area."""

ASHORE = (60.0, 8.0)
"""The range before and beyond the shore in which supports join the move of an army that lands there, in pips."""

LOOKED = 6
"""At how many places it is seen in which areas an army lands."""

STUB = 48.0
"""The length of the line of an order that counts for nothing, in pips."""

UNDER = 0.04
"""The bend of a support, less than that of a move."""

APART = 34.0
"""The distance between the grips of supports on one move, if it is long enough."""

GRIPPED = (0.12, 0.82)
"""Between which shares of a move its supports take hold."""

TURNS = (0.25, 0.4, 0.55, 0.7, 0.85, 1.0)
"""The points on its way over a border at which a support may turn to its grip, as shares."""

ELSEWHERE = (0.1, 0.22, 0.34, 0.46, 0.58, 0.7, 0.82, 0.9, 0.96)
"""The other points of a move that a support may grip, as shares of it."""

TRIED = 8
"""Number of routes of a support to its grip that are tried in full, the likeliest first."""

UNCARRIED = frozenset({Reason.NO_CONVOY, Reason.CONVOY_BROKEN, Reason.PARADOX})
"""The reason why an army was not convoyed all the way."""


@dataclass(frozen=True, eq=False)
class MovePath:
    """A move as it is drawn: its line, which ends in a bar if it is `barred`, and the rest it does not go.

    `sails` is whether it goes over water, `broken` whether its convoy ends where the line does. `landing` is how far
    along the line and its rest the army lands, `areas` are those it crosses. `void` is whether the order counts for
    nothing: its line is a stub. `head` is the length of its arrowhead in pips.
    """

    line: DrawableLine
    rest: DrawableLine | None = None
    barred: bool = False
    sails: bool = False
    broken: bool = False
    void: bool = False
    landing: float = 0.0
    areas: tuple[Code, ...] = ()
    head: float = HEAD

    @cached_property
    def whole(self) -> DrawableLine:
        """The line with the rest that it does not go."""
        return Route.from_lines((self.line, self.rest)) if self.rest else self.line


class Grip(NamedTuple):
    """The place at which a support meets a move: the move, the place, and the available part of its whole line."""

    way: MovePath
    spot: Spot
    low: float
    high: float

    @property
    def held_part(self) -> DrawableLine:
        """The part of the move that may be held."""
        length = max(self.way.whole.length, 1.0)
        return self.way.whole.part(self.low / length, min(self.high / length, 1.0))


class Ways:
    """The ways of one scene."""

    def __init__(self, board: Board, placements: Placements, routes: Routes, scene: Scene) -> None:
        self.board, self.placements, self.routes, self.scene = board, placements, routes, scene
        self._board_number = routes.number_of(board)

    @property
    def shapes(self) -> Shapes:
        """The areas of the map."""
        return self.routes.shapes

    # ------------------------------------------------------------------ places

    def placement(self, location: Location) -> Spot:
        """Return the place of a unit, in pips."""
        spot = self.routes.spots.get(location)
        return self.shapes.plane.at(point_of(self.placements.units, location)) if spot is None else spot

    def start(self, ref: Ref, unit: Unit | None) -> Spot:
        """Return the present place of an order's unit: beside its usual place if it is dislodged already."""
        location = unit.location if unit else ref.location
        position = self.scene.position
        standing = position.dislodged_at(location.space) if position.dislodged else None
        if standing and standing.unit == unit:
            return self.shapes.plane.at(point_of(self.placements.dislodged or self.placements.units, location))
        return self.placement(location)

    @cached_property
    def _occupied_spaces(self) -> frozenset[Code]:
        return frozenset(unit.location.space for unit in self.scene.position.units)

    def is_occupied(self, space: Code) -> bool:
        """Tell whether a unit stands in a space."""
        return space in self._occupied_spaces

    def _room(self, space: Code) -> float:
        """Return the distance that a line keeps from the place of a unit."""
        return CLEAR if self.is_occupied(space) else VACANT

    # ------------------------------------------------------------------ moves

    @cached_property
    def moves(self) -> Mapping[Code, tuple[Move, Outcome | None]]:
        """The move ordered from each space."""
        return {
            order.unit.location.space: (order, outcome)
            for _, _, order, outcome in self.scene.given_orders
            if isinstance(order, Move)
        }

    def reaches(self, order: Order) -> bool:
        """Tell whether a unit could stand at the target of the order; an order that was refused may name any space."""
        to = getattr(order, "to", None)
        return to is None or to.space in self.routes.unit_spaces

    def of(self, order: Move | Retreat, unit: Unit | None, outcome: Outcome | None) -> MovePath:
        """Return the drawn line of a move or retreat, clear of those it would run over."""
        return self._apart.get(order) or self._alone(order, unit, outcome)

    @cached_property
    def _apart(self) -> Mapping[Move | Retreat, MovePath]:
        """Every move and retreat as it is drawn."""
        given = [
            (order, self._alone(order, unit, outcome))
            for _, unit, order, outcome in self.scene.given_orders
            if isinstance(order, Move | Retreat) and self.reaches(order)
        ]

        def draw_apart() -> tuple[MovePath, ...]:
            inked, ways = Inked(), []
            for _, way in given:
                if way.sails:
                    inked.add(way.line)
            for order, way in given:
                line = way.line
                if not way.sails and inked.runs_over(line):
                    own = self._areas(order.unit.location.space, order.to.space)
                    line = aside(line, inked, partial(self._inside, own))
                if not way.sails:
                    inked.add(line)
                ways.append(way if line is way.line else replace(way, line=line))
            return tuple(ways)

        ways = self.routes.get_or_compute((self._board_number, "apart", *given), draw_apart)
        return dict(zip((order for order, _ in given), ways, strict=True))

    def _alone(self, order: Move | Retreat, unit: Unit | None, outcome: Outcome | None) -> MovePath:
        """Return the drawn line of a move or retreat, whatever else there is."""
        here, start = order.unit.location, self.start(order.unit, unit)
        passage = self._passage(order, outcome) if isinstance(order, Move) and self._sails(order) else None
        known = outcome is not None
        failed = outcome is not None and outcome.result not in (Result.MOVES, Result.RETREATS)
        void = is_void(outcome) or not (passage or self._steps(here, order.to))
        around = (self.is_occupied(here.space), self.is_occupied(order.to.space))
        stopping = passage is not None and not passage.whole and self.is_occupied(passage.seas[passage.carried])

        def draw_alone() -> MovePath:
            if void:
                return MovePath(self.stub(start, self.placement(order.to)), void=True)
            if passage:
                return self._by_convoy(order, start, passage, known=known, failed=failed)
            whole = self._single(here, order.to, start, self.placement(order.to))
            if isinstance(order, Retreat):
                whole = self._from_beside(order, start, whole)
            return self._stop_at_border(order, whole) if failed else self._arrow(order, start, whole)

        return self.routes.get_or_compute(
            (self._board_number, order, start, passage, known, failed, void, around, stopping), draw_alone
        )

    def stub(self, start: Spot, aim: Spot) -> DrawableLine:
        """Return the short line of an order that counts for nothing: where it was to lead, and no farther."""
        length = max(math.dist(start, aim), 1.0)
        return Bend.between(start, aim, left=0.0).part(CLEAR / length, (CLEAR + STUB) / length)

    def _arrow(self, order: Move | Retreat, start: Spot, whole: DrawableLine, *, sails: bool = False) -> MovePath:
        """Return the line from unit to unit with room for its head; bowed where they stand close together."""
        end, clear = self.placement(order.to), self._room(order.unit.location.space)
        room, size = self._room(order.to.space), HEAD
        line = self.routes.trimmed(whole, clear, room + TIP * size)
        if line.length < LEAST:
            size = SHORT_HEAD
            line = self.routes.trimmed(whole, clear, room + TIP * size)
        stop = room + TIP * size
        if line.length < LEAST and math.dist(start, end) < 2 * (CLEAR + TIP * size):
            bows = (self.routes.trimmed(Bend.between(start, end, left=bow), clear, stop) for bow in BOWS)
            line = next((bow for bow in bows if bow.length >= LEAST), line)
        return MovePath(line, sails=sails, head=size)

    def _stop_at_border(self, order: Move | Retreat, whole: DrawableLine, *, sails: bool = False) -> MovePath:
        """Return the line up to the last border it would have crossed, and the rest of it."""
        here, to, length = order.unit.location.space, order.to.space, max(whole.length, 1.0)
        crossing = self.routes.crossing(whole, here, to)
        if crossing is None:  # to a corner, which is on no border: just before it
            stop = max(1 - (CLEAR + 8) / length, 0.5)
        elif here in self.shapes.rings:
            stop = max(crossing, min(CLEAR / length, 0.5))  # beside the unit if it is on the border
        else:  # from a corner, which is on the border itself
            stop = min(max(crossing, (CLEAR + LEAST) / length), 0.8)
        line = whole.part(max(min(self._room(here), stop * length - LEAST), 0.0) / length, stop)
        aim = 1 - self._room(to) / length
        return MovePath(line, whole.part(stop, aim) if aim > stop else None, barred=True, sails=sails)

    def _from_beside(self, order: Retreat, start: Spot, whole: DrawableLine) -> DrawableLine:
        """Return the line of a retreat from beside its unit's place, which joins the usual way where that is plain."""
        here, at = order.unit.location, self.placement(order.unit.location)
        if start == at or self._astray(whole, own := self._areas(here.space, order.to.space)) <= 0:
            return whole
        way = self._single(here, order.to, at, self.placement(order.to))
        shares = (i / 12 for i in range(10))
        lines = [Route.from_lines((Bend.between(start, way.at(s), left=0.0), way.part(s, 1))) for s in shares]
        return min((whole, *lines), key=lambda line: self._astray(line, own))

    def _astray(self, line: DrawableLine, own: tuple[Code, ...]) -> float:
        """Return the length of a line outside some areas."""
        count = max(2, round(line.length / DISC))
        places = [line.at(i / count) for i in range(count + 1)]
        return sum(self.routes.strays(a, b, own) for a, b in pairwise(places))

    def _inside(self, own: tuple[Code, ...], spot: Spot) -> bool:
        """Tell whether a place lies in one of some areas."""
        return any(self.shapes.holds(code, spot) for code in own)

    def _areas(self, *spaces: Code) -> tuple[Code, ...]:
        return tuple(sorted(area for code in set(spaces) for area in self.routes.areas(code)))

    def _single(self, here: Location, to: Location, start: Spot, end: Spot) -> DrawableLine:
        """Return the whole line of a move that needs no convoy; a plain bend where no unit could go."""
        if beside := self._lane(here.space, to.space):
            return Route.alongside([start, *beside, end], ASIDE)
        return self.routes.between(here, to, start, end) if self._steps(here, to) else Bend.between(start, end)

    def _steps(self, here: Location, to: Location) -> bool:
        """Tell whether a unit of some kind can move from one place to another without a convoy."""
        reachable = self.board.reachable
        return any(to.space in reachable.get((kind, here), ()) for kind in self.board.kinds)

    def _lane(self, start: Code, end: Code) -> list[Spot]:
        """Return the points of the lane between a box and a linked space; none between any other two spaces."""
        figure = self.shapes.figure
        for box in figure.boxes:
            for link in box.links:
                if {start, end} == {box.code, link.space}:
                    spots: list[Spot] = [self.shapes.plane.at(p) for p in lane(figure, box, link, self.placements)]
                    return spots if start == box.code else spots[::-1]
        return []

    # ------------------------------------------------------------------ over water

    @cached_property
    def _convoys(self) -> Convoys:
        return Convoys(self.board, self.scene)

    def _sails(self, order: Move) -> bool:
        """Tell whether an army moves by convoy: because it must, its order says so, or it was convoyed."""
        here, to = order.unit.location, order.to.space
        carried = self.scene.resolution and any(self._convoys.fleets.get((here.space, to), {}).values())
        return self._ports(order.unit, to) and bool(order.via or carried or not self._walks(order.unit, to))

    def _ports(self, unit: Ref, to: Code) -> bool:
        """Tell whether a unit could be convoyed to a space at all."""
        coasts = (self.board.spaces[code].terrain is Terrain.COAST for code in (unit.location.space, to))
        return (unit.kind or UnitKind.ARMY) in self.board.carriers and all(coasts)

    def _walks(self, unit: Ref, to: Code) -> bool:
        return to in self.board.reachable.get((unit.kind or UnitKind.ARMY, unit.location), ())

    def _passage(self, order: Move, outcome: Outcome | None) -> Passage | None:
        """Return the seas of a convoyed move; its chain of fleets is broken only where the outcome says so."""
        passage = self._convoys.passage(order.unit.location.space, order.to.space)
        if passage is None or outcome is None:
            return passage
        if outcome.cause.reason not in UNCARRIED:
            return Passage(passage.seas, len(passage.seas))
        return Passage(passage.seas, 0) if passage.whole else passage

    def _voyage(
        self, here: Location, to: Location, start: Spot, seas: Sequence[Code]
    ) -> tuple[DrawableLine, list[float]]:
        """Return the line over some seas, by the place of a unit in each; and the shares at which it comes there."""
        spots = [start, *(self.placement(Location(sea)) for sea in seas), self.placement(to)]
        steps = zip(pairwise((here.space, *seas, to.space)), pairwise(spots), strict=True)
        legs = [Route.from_lines((self._leg(Location(a), Location(b), p, q),)) for (a, b), (p, q) in steps]
        reached = [*accumulate(leg.length for leg in legs)]
        return Route.from_lines(legs), [far / max(reached[-1], 1.0) for far in reached[:-1]]

    def _leg(self, here: Location, to: Location, start: Spot, end: Spot) -> DrawableLine:
        """Return the line of an army between a coast and a sea, or two seas, from the place of armies on any coast."""
        lane = self._lane(here.space, to.space)
        return Route.alongside([start, *lane, end], ASIDE) if lane else self.routes.between(here, to, start, end)

    def _by_convoy(
        self, order: Move | Retreat, start: Spot, passage: Passage, *, known: bool, failed: bool
    ) -> MovePath:
        """Return a move over water, from fleet to fleet; up to where its chain breaks, if it does."""
        here, to = order.unit.location.space, order.to.space
        whole, shares = self._voyage(order.unit.location, order.to, start, passage.seas)
        ashore = (self.routes.crossing(whole, here, to) or LANDED) * whole.length
        if passage.whole:
            way = (
                self._stop_at_border(order, whole, sails=True)
                if failed
                else self._arrow(order, start, whole, sails=True)
            )
        else:
            way = self._broken(order, whole, shares, passage, known=known)
        landing = ashore - self._room(here)
        if not passage.whole:  # counted from the end, because the route is not drawn under a fleet
            landing = way.whole.length - (whole.length - ashore - self._room(to))
        return replace(way, landing=max(landing, 0.0), areas=self._areas(here, *passage.seas, to))

    def _broken(
        self, order: Move | Retreat, whole: DrawableLine, shares: Sequence[float], passage: Passage, *, known: bool
    ) -> MovePath:
        """Return the line to the fleet that does not carry the army, or a little way into the sea without one."""
        length, at = max(whole.length, 1.0), passage.carried
        here, sea, room = order.unit.location.space, passage.seas[at], self._room(order.unit.location.space)
        before = passage.seas[at - 1] if at else here
        entered = self.routes.crossing(whole, before, sea) or (shares[at - 1] if at else 0.0)
        stop = resume = min(entered + OUT / length, shares[at])
        if self.is_occupied(sea):
            stop, resume = shares[at] - (CLEAR + LEDGE) / length, shares[at] + CLEAR / length
        stop = max(stop, (room + LEAST) / length)
        resume, aim = max(stop, resume), 1 - self._room(order.to.space) / length
        rest = whole.part(resume, aim) if aim > resume else None
        return MovePath(whole.part(room / length, stop), rest, barred=known, sails=True, broken=known)

    def wave(self, line: DrawableLine, areas: tuple[Code, ...] = ()) -> str:
        """Return the path of a line over water, in waves that leave no area it has to do with; any if none is named."""
        return wave(line, partial(self._inside, areas) if areas else None)

    def waiting(self, order: Convoy) -> DrawableLine | None:
        """Return the way from an army without a move to the fleet that is to carry it; None if it could not sail."""
        here, sea = order.other.location, order.unit.location.space
        passage = self._convoys.passage(here.space, order.to.space)
        if passage is None or sea not in passage.seas:
            return None
        whole, shares = self._voyage(here, order.to, self.placement(here), passage.seas)
        length = max(whole.length, 1.0)
        start, end = CLEAR / length, shares[passage.seas.index(sea)] - CLEAR / length
        return whole.part(start, end) if end > start else None

    # ------------------------------------------------------------------ supports

    def line_of(self, order: Support) -> DrawableLine | None:
        """Return the line of a support to its object; None if that is not on the map."""
        return self._support_lines.get(order) or self._hold(order)

    @cached_property
    def _support_lines(self) -> Mapping[Support, DrawableLine]:
        """The line of every support as it is drawn, beside moves and others it would run over."""
        given = [
            order
            for _, _, order, outcome in self.scene.given_orders
            if isinstance(order, Support) and self.reaches(order) and not is_void(outcome)
        ]
        lines = {order: line for order in given if (line := self._hold(order)) is not None}
        moves = tuple(self._apart.values())

        def draw_held() -> Mapping[Support, DrawableLine]:
            inked, held = Inked(), dict[Support, DrawableLine]()
            for way in moves:
                inked.add(way.line)
            for order, line in lines.items():
                chosen = line
                if inked.runs_over(line):
                    chosen = aside(line, inked, partial(self._inside, self._own(order)))
                if order in self._grips and inked.runs_over(chosen):
                    rings = [other.at(1) for other in held.values()]
                    grip = self._grips[order]
                    if not grip.way.sails:
                        chosen = stop_at_move(chosen, grip.way.line, rings)
                    if inked.runs_over(chosen):
                        chosen = min(
                            (chosen, *self._elsewhere(order, rings)), key=lambda held: self._worth(order, held, inked)
                        )
                inked.add(chosen)
                held[order] = chosen
            return held

        return self.routes.get_or_compute((self._board_number, "held", *moves, *lines.items()), draw_held)

    def _elsewhere(self, order: Support, rings: Sequence[Spot]) -> Iterator[DrawableLine]:
        """Lines of a support to other places of the move it holds, where its ring has room beside other rings."""
        start, grip = self.placement(order.unit.location), self._grips[order]
        line = grip.held_part if grip.way.sails else grip.way.line
        for share in ELSEWHERE:
            spot = line.at(share)
            if all(math.dist(spot, ring) > RINGS for ring in rings):
                yield self._within(order, start, spot)

    def _worth(self, order: Support, line: DrawableLine, inked: Inked) -> float:
        """Return the cost of a support's line: its length in a third area, and over another line."""
        return 4 * self._astray(line, self._own(order)) + inked.run(line)

    def _hold(self, order: Support) -> DrawableLine | None:
        """Return the line of a support, whatever else there is."""
        start = self.placement(order.unit.location)
        if order in self._grips:
            grip = self._grips[order]
            return self.routes.get_or_compute(
                (self._board_number, order, grip.way, grip.spot), lambda: self._within(order, start, grip.spot)
            )
        if not self.is_occupied(order.other.location.space):
            return None
        at = self.placement(order.other.location)
        here, to = order.unit.location, order.other.location
        whole = (
            self.routes.between(here, to, start, at) if self._steps(here, to) else Bend.between(start, at, left=UNDER)
        )
        return self.routes.trimmed(whole, CLEAR, CLEAR + 12)

    def wish_of(self, order: Support) -> DrawableLine | None:
        """Return the line of a move that is supported but was not ordered."""
        if order.to is None or order in self._grips or not self.is_occupied(order.other.location.space):
            return None
        here, ends = order.other.location, (self.placement(order.other.location), self.placement(order.to))
        whole = self._single(here, order.to, *ends)
        if not self._walks(order.other, order.to.space) and self._ports(order.other, order.to.space):
            passage = self._convoys.passage(here.space, order.to.space)
            if passage is None:
                return None
            whole, _ = self._voyage(here, order.to, ends[0], passage.seas)
        return self.routes.trimmed(whole, CLEAR, self._room(order.to.space))

    @cached_property
    def _grips(self) -> Mapping[Support, Grip]:
        """Return the place at which each support meets a drawn move, in the order in which the move passes them."""
        holders: dict[Code, list[Support]] = defaultdict(list)
        for _, _, order, support_outcome in self.scene.given_orders:
            if isinstance(order, Support) and order.to is not None and not is_void(support_outcome):
                move, outcome = self.moves.get(order.other.location.space, (None, None))
                if move is not None and move.to.space == order.to.space and not is_void(outcome):
                    holders[order.other.location.space].append(order)
        grips: dict[Support, Grip] = {}
        for space, supports in holders.items():
            whole = Grip(self._way_from(space), (0, 0), *self._held_part(space))
            line = whole.way.whole if whole.way.sails else whole.way.line
            wished = sorted((self._nearest(whole, support), i) for i, support in enumerate(supports))
            places = _spread_places([at for at, _ in wished], whole.low, whole.high)
            for at, (_, i) in zip(places, wished, strict=True):
                grips[supports[i]] = whole._replace(spot=line.at(at / max(line.length, 1.0)))
        return grips

    def _way_from(self, space: Code) -> MovePath:
        """Return the drawn line of the move that was ordered from a space."""
        move, outcome = self.moves[space]
        return self.of(move, self.scene.position.unit_at(space), outcome)

    def _held_part(self, space: Code) -> tuple[float, float]:
        """Between which places on the move from a space its supports take hold of it: at the landing of a convoy."""
        way = self._way_from(space)
        if not way.sails:
            low, high = (share * way.line.length for share in GRIPPED)
            return low, high
        before, beyond = ASHORE
        length = way.whole.length - (AIM if way.rest else 0.0)
        # between the line and its rest a fleet may stand, where nothing is drawn
        least = max(way.whole.length - way.rest.length, 0.0) if way.rest else 0.0
        low = max(min(way.landing, length) - before, least)
        return low, max(min(max(way.landing, low) + beyond, length), low)

    def _nearest(self, grip: Grip, support: Support) -> float:
        """Return the best place along a move for a support: near by, and without passing through a third area."""
        way, low, high = grip.way, grip.low, grip.high
        line = way.whole if way.sails else way.line

        def find_nearest() -> float:
            start, places = self.placement(support.unit.location), [low + (high - low) * i / 6 for i in range(7)]
            spots, own = [line.at(place / max(line.length, 1.0)) for place in places], self._own(support)
            value = [math.dist(start, spot) + 4 * self.routes.strays(start, spot, own) for spot in spots]
            return places[value.index(min(value))]

        return self.routes.get_or_compute((self._board_number, support, way), find_nearest)

    def _own(self, support: Support) -> tuple[Code, ...]:
        """Return the areas of a support: those it names, and for a move over water those where the army lands."""
        spaces = {support.unit.location.space, *([support.to.space] if support.to else ())}
        landing = self._landing(support.other.location.space) if support.to else frozenset()
        areas = self._areas(*spaces, *(() if landing else (support.other.location.space,)))
        return tuple(sorted({*areas, *landing}))

    @cached_property
    def _landing(self) -> Callable[[Code], frozenset[Code]]:
        """The areas in which the move from a space is held by its supports, if it goes over water."""
        return lru_cache(maxsize=None)(self._landing_of)

    def _landing_of(self, space: Code) -> frozenset[Code]:
        if space not in self.moves or not (way := self._way_from(space)).sails:
            return frozenset()
        held = Grip(way, (0, 0), *self._held_part(space)).held_part
        spots = [held.at(i / LOOKED) for i in range(LOOKED + 1)]
        return frozenset(code for code in self.shapes.rings if any(self.shapes.holds(code, spot) for spot in spots))

    def _within(self, order: Support, start: Spot, grip: Spot) -> DrawableLine:
        """Return the line of a support to its grip: straight, or over the border to avoid a third area.

        It turns off the way to where it supports, or to whom, and may come along the move itself from ahead.
        """
        own = self._own(order)
        best: tuple[float, DrawableLine] = (math.inf, Bend.between(start, grip, left=UNDER))
        for left in (UNDER, 0.0, -UNDER):
            bend = Bend.between(start, grip, left=left)
            best = min(best, (self._astray(bend, own), bend), key=itemgetter(0))
            if best[0] <= 0:
                return self.routes.trimmed(best[1], CLEAR, 9.0)
        joined = sorted(self._list_detours(order, start, grip, own), key=itemgetter(0))
        for _, *parts in joined[:TRIED]:
            tight = Route.from_lines(parts)
            for line in (tight.with_round_bends(), tight):
                best = min(best, (self._astray(line, own), line), key=itemgetter(0))
                if best[0] <= 0:
                    return self.routes.trimmed(best[1], CLEAR, 9.0)
        return self.routes.trimmed(best[1], CLEAR, 9.0)

    def _list_detours(
        self, order: Support, start: Spot, grip: Spot, own: tuple[Code, ...]
    ) -> Iterator[tuple[float, DrawableLine, DrawableLine, DrawableLine]]:
        """Ways of a support to its grip in three parts, with how much of the middle one lies outside its areas."""
        ahead = [Bend.between(grip, grip, left=0.0), *self._ahead(order, grip)]
        here = order.unit.location
        for aim in (order.to, order.other.location):
            if aim and self._steps(here, aim):
                known = (to for to in (aim, *self.board.spaces[aim.space].locations) if self.routes.is_known(here, to))
                to = next(known, aim)
                whole = self.routes.between(here, to, start, self.placement(to))
                for along, share in product(ahead, TURNS):
                    turn, at = whole.at(share), along.at(0)
                    astray = self.routes.strays(turn, at, own)
                    yield astray, whole.part(0, share), Bend.between(turn, at, left=0.0), along

    def _ahead(self, order: Support, grip: Spot) -> Iterator[DrawableLine]:
        """Lines back along a supported move, from places farther on its way to where it is gripped."""
        way = self._way_from(order.other.location.space)
        whole = Route.from_lines((way.whole,))
        count = max(2, round(whole.length / SHORT_HEAD))
        gripped = min(range(count + 1), key=lambda i: math.dist(whole.at(i / count), grip))
        for i in range(gripped + 2, count + 1, 2):
            back = whole.part(gripped / count, i / count)
            yield Route(back.spots[::-1], smooth=True)


def is_void(outcome: Outcome | None) -> bool:
    """Tell whether an order was void."""
    return outcome is not None and outcome.result is Result.VOID


def _spread_places(wished: Sequence[float], low: float, high: float) -> list[float]:
    """Places as near to the wished ones as they can be, in the same order, apart and between two ends."""
    apart = min(APART, (high - low) / max(len(wished) - 1, 1))
    places: list[float] = []
    for i, wish in enumerate(wished):
        least = places[-1] + apart if places else low
        most = high - apart * (len(wished) - 1 - i)
        places.append(min(max(wish, least), most))
    return places
