"""Orders and their results as parts of a picture, in the usual reading of the field.

An arrow is a move, dashes are support and end in a ring on what they support, waves are a convoy, an octagon is a
hold, dots are a retreat, a diamond is a choice.
A red bar ends what failed; a red cross in a ring stands where a stand-off kept all out or where a convoy went under.
"""

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from plenipo.engine.board import Board, Code, Location, Terrain, UnitKind
from plenipo.engine.orders import (
    Build,
    Choose,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Ref,
    Remove,
    Retreat,
    Support,
    Waive,
)
from plenipo.engine.outcome import Outcome, Reason, Result
from plenipo.engine.position import Power, Unit
from plenipo.maps.draw.arrows import Bend, Line, Route, Spot, bar, first_inside, head, wave
from plenipo.maps.draw.paths import DISC, Shapes
from plenipo.maps.draw.scene import Scene
from plenipo.maps.draw.theme import slug
from plenipo.maps.figure.planar import Point
from plenipo.maps.figure.segments import contains
from plenipo.maps.lettering.annotations import lane
from plenipo.maps.lettering.placements import Placements

__all__ = ["OrderDrawing", "point_of"]

CLEAR = DISC + 8.0
"""How far a line keeps from the middle of a unit."""

TIP = 26.0
"""How far the line of an arrow ends before its tip."""

UNDER = 0.04
"""The bend of a support, less than that of a move."""

ASIDE = 9.0
"""How far a move along a lane keeps to its left, so that two that meet do not draw over each other."""

GRIPS = (0.55, 0.45, 0.65, 0.35, 0.75, 0.25)
"""Where along a move its supports may take hold, the best place first."""

REACH = 90.0
"""How long the line of a support is at least, in pips."""

FAILED = frozenset({Result.FAILS, Result.VOID})


def point_of(table: Mapping[Location, Point], location: Location) -> Point:
    """The placement of a location, or of its space where it has none of its own, or of any coast of it."""
    for key in (location, Location(location.space)):
        if key in table:
            return table[key]
    return next(point for key, point in table.items() if key.space == location.space)


@dataclass(eq=False)
class OrderDrawing:
    """The orders of one scene on one map; `lines` go under the names, `signs` over the units."""

    board: Board
    placements: Placements
    shapes: Shapes
    scene: Scene
    lines: list[str] = field(default_factory=list)
    signs: list[str] = field(default_factory=list)
    grips: list[Spot] = field(default_factory=list)

    def drawn(self) -> "OrderDrawing":
        """Draw everything: supports and convoys first, so that moves lie over them."""
        entries = self.scene.given
        for kinds in ((Convoy,), (Support,), (Move, Retreat), (Hold, Disband, Remove, Build, Choose)):
            for power, unit, order, outcome in entries:
                if isinstance(order, kinds):
                    self._draw(power, unit, order, outcome)
        self._waives()
        self._stand_offs()
        return self

    # ------------------------------------------------------------------ places

    def placement(self, location: Location) -> Spot:
        """Where a unit stands, in pips."""
        return self.shapes.plane.at(point_of(self.placements.units, location))

    def aside(self, location: Location) -> Spot:
        """Where a dislodged unit stands, in pips."""
        table = self.placements.dislodged or self.placements.units
        return self.shapes.plane.at(point_of(table, location))

    def _start(self, ref: Ref, unit: Unit | None) -> Spot:
        """Where the unit of an order stands now: beside its place if it is dislodged already."""
        location = unit.location if unit else ref.location
        standing = self.scene.position.dislodged_at(location.space)
        return self.aside(location) if standing and standing.unit == unit else self.placement(location)

    def _occupied(self, space: Code) -> bool:
        return self.scene.position.unit_at(space) is not None

    @cached_property
    def _moves(self) -> Mapping[Code, tuple[Move, Outcome | None]]:
        """The move ordered from each space."""
        return {
            order.unit.location.space: (order, outcome)
            for _, _, order, outcome in self.scene.given
            if isinstance(order, Move)
        }

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
        first = sorted(seas & self.board.waters.get(start, frozenset()))
        goal = self.board.waters.get(end, frozenset())
        chains: list[tuple[Code, ...]] = [(sea,) for sea in first]
        reached = set(first)
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
        army = order.unit.kind is not UnitKind.FLEET
        return army and ports and (order.via or to not in self.board.reach(UnitKind.ARMY, Location(start)))

    def _lane(self, start: Code, end: Code) -> list[Spot]:
        """The places on the lane between a box and what it is linked with; none between any other two spaces."""
        figure = self.shapes.figure
        for box in figure.boxes:
            for link in box.links:
                if {start, end} == {box.code, link.space}:
                    spots: list[Spot] = [self.shapes.plane.at(p) for p in lane(figure, box, link, self.placements)]
                    return spots if start == box.code else spots[::-1]
        return []

    def _way(self, order: Move) -> Line:
        """The whole line of a move, short of the units at both ends."""
        start, end = self.placement(order.unit.location), self.placement(order.to)
        chain = self._chain(order.unit.location.space, order.to.space) if self._sails(order) else ()
        whole: Line
        if beside := self._lane(order.unit.location.space, order.to.space):
            whole = Route.beside([start, *beside, end], ASIDE)
        elif chain:
            whole = Route.through([start, *(self.placement(Location(sea)) for sea in chain), end])
        else:
            whole = Bend.between(start, end)
        stop = (CLEAR if self._occupied(order.to.space) else 6.0) + TIP
        return _short(whole, CLEAR if self._occupied(order.unit.location.space) else 12.0, stop)

    # ------------------------------------------------------------------ kinds

    def _reaches(self, order: Order) -> bool:
        """Whether a unit could stand wherever the order points to; an order that was refused may name any space."""
        to = getattr(order, "to", None)
        return to is None or any(location.space == to.space for location in self.placements.units)

    def _draw(self, power: Power | None, unit: Unit | None, order: Order, outcome: Outcome | None) -> None:
        if not self._reaches(order):
            if unit is not None:
                self._void(power, self._start(unit.ref, unit))
            return
        if isinstance(order, Move):
            self._move(power, order, outcome)
        elif isinstance(order, Support):
            self._support(power, order, outcome)
        elif isinstance(order, Convoy):
            self._convoy(power, order, outcome)
        elif isinstance(order, Retreat):
            self._retreat(power, unit, order, outcome)
        elif isinstance(order, Hold) and not (outcome and outcome.dislodged_by):
            kind = "order hold-order void" if _is(outcome, Result.VOID) else "order hold-order"
            self._sign(kind, "hold", power, self._start(order.unit, unit), self.lines)
            if _is(outcome, Result.VOID):
                self._void(power, self._start(order.unit, unit))
        elif isinstance(order, Build):
            at = self.placement(order.unit.location)
            done = outcome is None or outcome.result is Result.BUILDS
            self._sign("build" if done else "failure", "plus" if done else "failure", power, _corner(at))
        elif isinstance(order, Choose):
            self._sign("order choice", "choice", power, self._start(order.unit, unit), self.lines, order)
        elif isinstance(order, Remove | Disband):
            self._sign("strike", "strike", power, self._start(order.unit, unit))

    def _move(self, power: Power | None, order: Move, outcome: Outcome | None) -> None:
        way, sails = self._way(order), self._sails(order)
        kind = "move convoyed" if sails else "move"
        if _failed(outcome):
            if _is(outcome, Result.VOID):
                kind += " void"
            self._broken(f"{kind} failed", power, order, way, sails=sails)
            if _is(outcome, Result.VOID):
                self._void(power, self.placement(order.unit.location))
            return
        self._arrow(kind, power, order, way, sails=sails)

    def _arrow(self, kind: str, power: Power | None, order: Order, way: Line, *, sails: bool = False) -> None:
        text, tip = wave(way) if sails else way.text, head(way)
        content = f'<path class="case" d="{text}"/><path class="line" d="{text}"/><path class="head" d="{tip}"/>'
        self.lines.append(_group(f"order {kind}", power, order, content))

    def _broken(self, kind: str, power: Power | None, order: Move, way: Line, *, sails: bool) -> None:
        """A line that ends in a bar where it would have crossed the last border."""
        rings = self.shapes.rings.get(order.to.space, ())
        crossing = first_inside(way, lambda spot: bool(rings) and contains(rings[0], _whole(spot)))
        least = min(0.9, 34 / max(way.length, 1))
        stop = min(max(crossing if crossing is not None else 0.7, least), 1.0)
        line = way.part(0, stop)
        text, across = wave(line) if sails else line.text, bar(line)
        content = (
            f'<path class="case" d="{text}"/><path class="bar-case" d="{across}"/>'
            f'<path class="line" d="{text}"/><path class="bar" d="{across}"/>'
        )
        self.lines.append(_group(f"order {kind}", power, order, content))

    def _support(self, power: Power | None, order: Support, outcome: Outcome | None) -> None:
        start = self.placement(order.unit.location)
        if order.to is None:
            whole = Bend.between(start, self.placement(order.other.location), left=UNDER)
            way = _short(whole, CLEAR, CLEAR + 12)
        else:
            move, result = self._moves.get(order.other.location.space, (None, None))
            if move is None or move.to.space != order.to.space:
                move, result = Move(order.other, order.to), None
            grip = self._grip(start, self._way(move), 0.8 if _failed(result) else 1.0)
            way = _short(Bend.between(start, grip, left=UNDER), CLEAR, 9)
        kind = "support"
        if outcome and outcome.result is not Result.SUPPORTS:
            kind += " void" if outcome.result is Result.VOID else " cut"
        x, y = way.at(1)
        content = f'<path class="case" d="{way.text}"/><path class="line" d="{way.text}"/>'
        content += f'<circle class="grip" cx="{x:.0f}" cy="{y:.0f}" r="9"/>'
        if kind == "support cut":
            across = bar(way.part(0, min(0.42, max(0.2, 40 / max(way.length, 1)))), 17)
            content += f'<path class="bar-case" d="{across}"/><path class="bar" d="{across}"/>'
        self.lines.append(_group(f"order {kind}", power, order, content))
        if kind == "support void":
            self._void(power, start)

    def _grip(self, start: Spot, way: Line, share: float) -> Spot:
        """Where a support from `start` takes hold of the first `share` of a move: near by, and apart from others."""
        places = [way.at(place * share) for place in GRIPS]
        apart = [p for p in places if all(math.dist(p, other) > 25 for other in self.grips)] or places
        far = [p for p in apart if math.dist(start, p) > REACH] or apart
        grip = min(far, key=lambda p: math.dist(start, p))
        self.grips.append(grip)
        return grip

    def _convoy(self, power: Power | None, order: Convoy, outcome: Outcome | None) -> None:
        at = self.placement(order.unit.location)
        void, broken = _is(outcome, Result.VOID), _is(outcome, Result.DISRUPTED)
        kind = "convoy void" if void else "convoy disrupted" if broken else "convoy"
        self._sign(f"order {kind}", "carry", power, at, self.lines, order)
        move, _ = self._moves.get(order.other.location.space, (None, None))
        if move is None or move.to.space != order.to.space:
            # nobody sails: show whom the fleet waits for
            way = _short(Bend.between(at, self.placement(order.other.location), left=UNDER), CLEAR + 10, CLEAR)
            self.lines.append(_group(f"order {kind}", power, order, f'<path class="line" d="{wave(way)}"/>'))
        if void:
            self._void(power, at)
        elif broken:
            self._sign("failure", "failure", power, _corner(at))

    def _retreat(self, power: Power | None, unit: Unit | None, order: Retreat, outcome: Outcome | None) -> None:
        stop = (CLEAR if self._occupied(order.to.space) else 6.0) + TIP
        way = _short(Bend.between(self._start(order.unit, unit), self.placement(order.to)), CLEAR, stop)
        if outcome is None or outcome.result is Result.RETREATS:
            self._arrow("retreat", power, order, way)
            return
        move = Move(order.unit, order.to)
        self._broken("retreat failed", power, move, way, sails=False)
        self._sign("strike", "strike", power, self._start(order.unit, unit))

    # ------------------------------------------------------------------ signs

    def _sign(
        self,
        kind: str,
        symbol: str,
        power: Power | None,
        at: Spot,
        to: list[str] | None = None,
        order: Order | None = None,
    ) -> None:
        use = f'<use href="#{self.scene.prefix}{symbol}" transform="translate({at[0]:.0f} {at[1]:.0f})"/>'
        (self.signs if to is None else to).append(_group(kind, power, order, use))

    def _void(self, power: Power | None, at: Spot) -> None:
        self._sign("failure", "void", power, _corner(at))

    def _waives(self) -> None:
        """A dashed ring on a vacant home centre of a power for each build it leaves unused."""
        used = {order.unit.location.space for _, _, order, _ in self.scene.given if isinstance(order, Build)}
        position = self.scene.position
        for power, _, order, _ in self.scene.given:
            if not isinstance(order, Waive) or power is None:
                continue
            homes = sorted(position.homes_of(power) & set(position.centres_of(power)))
            free = [code for code in homes if not position.unit_at(code) and code not in used]
            for code in free[: order.count]:
                used.add(code)
                self._sign("waive", "waive", power, self.placement(Location(code)), None, order)

    def _stand_offs(self) -> None:
        """A cross in every vacant place that was fought for in vain: nobody entered it."""
        places = {
            outcome.cause.place
            for outcome in self.scene.outcomes
            if outcome.cause.reason in (Reason.STOOD_OFF, Reason.COLLIDED) and outcome.cause.place
        }
        entered = {move.to.space for move, outcome in self._moves.values() if _is(outcome, Result.MOVES)}
        for place in sorted(places - entered):
            if not self._occupied(place):
                at = self.placement(Location(place))
                self._sign("failure stand-off", "failure", None, at)


def _short(line: Line, start: float, end: float) -> Line:
    """The line without its first and last pips, but never less than a fifth of it."""
    whole = max(line.length, 1.0)
    low, high = start / whole, 1 - end / whole
    if high - low < 0.2:
        middle = min(max((low + high) / 2, 0.15), 0.85)
        low, high = middle - 0.1, middle + 0.1
    return line.part(low, high)


def _corner(at: Spot) -> Spot:
    """Where a badge sits on a unit."""
    return at[0] + 0.72 * DISC, at[1] - 0.72 * DISC


def _whole(spot: Spot) -> Point:
    return round(spot[0]), round(spot[1])


def _failed(outcome: Outcome | None) -> bool:
    return outcome is not None and outcome.result in FAILED


def _is(outcome: Outcome | None, result: Result) -> bool:
    return outcome is not None and outcome.result is result


def _group(kind: str, power: Power | None, order: Order | None, content: str) -> str:
    whose = f"p-{slug(power)}" if power else "p-none"
    title = f"<title>{order}</title>" if order else ""
    return f'<g class="{kind} {whose}">{title}{content}</g>'
