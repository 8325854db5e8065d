"""Orders whose drawing says something else than what was ordered, counted in the picture of a phase."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import dist
from xml.etree import ElementTree as ET

from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from plenipo.charts import Chart
from plenipo.engine.board import Code, Terrain
from plenipo.engine.orders import Convoy, Move, Support
from plenipo.engine.outcome import Outcome, Resolution, Result
from plenipo.engine.sentences import say
from plenipo.mapfaults.reading import NONE, STRAY, DrawnPoint, FaultCount, ReadPicture, classes, parts_of

__all__ = ["OrderFaults", "order_faults"]

MISSED = 3.0
"""The bar of a failed move stands no farther than this from the end of its line, in pips."""

LONG = 130.0
"""The stub of an order that counts for nothing is no longer than this, in pips: about three radii of a unit."""

LANDING = 70.0
"""A support of a convoyed move ends no farther than this from the space in which the army lands, in pips."""


@dataclass(frozen=True)
class OrderFaults:
    """Counts of orders drawn otherwise than they are, each of all orders of its kind."""

    overland: FaultCount = NONE
    """Convoyed moves drawn over land that takes no part in them."""
    unbarred: FaultCount = NONE
    """Failed moves without a bar."""
    long: FaultCount = NONE
    """Orders that count for nothing and are drawn longer than a stub."""
    astray: FaultCount = NONE
    """Supports of convoyed moves that end elsewhere than at the landing."""

    def __add__(self, other: "OrderFaults") -> "OrderFaults":
        return OrderFaults(
            self.overland + other.overland,
            self.unbarred + other.unbarred,
            self.long + other.long,
            self.astray + other.astray,
        )


def order_faults(on: Chart, drawn: ReadPicture, resolution: Resolution) -> OrderFaults:
    """Count the misleading orders in the picture `drawn` of a phase; `on` is the chart of the board before it."""
    return _Phase(on, drawn, resolution).count_faults()


class _Phase:
    def __init__(self, on: Chart, drawn: ReadPicture, resolution: Resolution) -> None:
        self.on, self.drawn, self.resolution = on, drawn, resolution
        self.groups: Mapping[str | None, ET.Element] = {
            group.findtext("{*}title"): group for group in drawn.root.iter() if "order" in classes(group)
        }

    def count_faults(self) -> OrderFaults:
        return sum((self._faults(outcome) for outcome in self.resolution.outcomes), OrderFaults())

    def _faults(self, outcome: Outcome) -> OrderFaults:
        order, group = outcome.order, self.groups.get(str(outcome.order))
        if outcome.result is Result.VOID:
            faulty = group is not None and _reach(group) > LONG
            said = say(
                "the illegal order {order} is drawn longer than a stub",
                order=str(outcome.unit if order is None else order),
            )
            return OrderFaults(long=FaultCount.judge(said, faulty=faulty))
        if group is None:
            return OrderFaults()
        if isinstance(order, Move):
            overland = say("the convoyed move {order} is drawn over land that takes no part in it", order=str(order))
            unbarred = say("the failed move {order} has no bar", order=str(order))
            sails, fails = "convoyed" in classes(group), outcome.result is Result.FAILS
            return OrderFaults(
                overland=FaultCount.judge(overland, faulty=self._overland(order, group)) if sails else NONE,
                unbarred=FaultCount.judge(unbarred, faulty=not self._has_bar(group)) if fails else NONE,
            )
        if isinstance(order, Support) and self._sails(order):
            said = say("the support {order} does not end at the landing of the army", order=str(order))
            return OrderFaults(astray=FaultCount.judge(said, faulty=not self._lands(order, group)))
        return OrderFaults()

    def _overland(self, order: Move, group: ET.Element) -> bool:
        """Return True if a convoyed move is drawn over land other than its ends and the spaces of its fleets."""
        own = {area for code in (order.unit.location.space, order.to.space) for area in self._areas(code)}
        own |= self._fleets(order)
        lines = [LineString(line) for kind in ("line", "rest") for line in parts_of(group, kind) if len(line) > 1]
        return sum(float(length) for line in lines for length in self._pieces(line, own)) > STRAY

    def _areas(self, code: Code) -> tuple[Code, ...]:
        """Return the area of a space; those round a corner."""
        corner = self.on.board.spaces[code].corner
        return tuple(corner.areas) if corner else (code,)

    def _pieces(self, line: LineString, own: Collection[Code]) -> list[float]:
        crossed = (line.intersection(area).length for code, area in self._land.items() if code not in own)
        return [length for length in crossed if length > STRAY / 2]

    @cached_property
    def _land(self) -> Mapping[Code, BaseGeometry]:
        spaces = self.on.board.spaces
        return {
            code: area
            for code, area in self.drawn.areas.items()
            if code not in self.on.figure.seas and (code not in spaces or spaces[code].terrain is not Terrain.SEA)
        }

    def _fleets(self, order: Move) -> set[Code]:
        """Return the spaces of the fleets that were ordered to convoy a move."""
        orders = (outcome.order for outcome in self.resolution.outcomes)
        return {
            one.unit.location.space
            for one in orders
            if isinstance(one, Convoy)
            and (one.other.location.space, one.to.space) == (order.unit.location.space, order.to.space)
        }

    def _has_bar(self, group: ET.Element) -> bool:
        """Return True if there is a bar at the end of the line, drawn with it."""
        ends = [line[-1] for line in parts_of(group, "line")]
        return bool(ends) and any(LineString(bar).distance(Point(ends[0])) <= MISSED for bar in parts_of(group, "bar"))

    def _sails(self, order: Support) -> bool:
        """Return True if the supported move was ordered and is drawn as a convoyed one."""
        moves = [o for o in self.resolution.outcomes if isinstance(o.order, Move) and o.result is not Result.VOID]
        same = (o.order for o in moves if o.order is not None and str(o.order) in self.groups)
        return any(
            isinstance(move, Move)
            and order.to is not None
            and (move.unit.location.space, move.to.space) == (order.other.location.space, order.to.space)
            and "convoyed" in classes(self.groups[str(move)])
            for move in same
        )

    def _lands(self, order: Support, group: ET.Element) -> bool:
        """Return True if the ring of a support lies at the shore of the space where the army is to land."""
        rings = [circle for circle in group if "grip" in classes(circle)]
        area = self.drawn.areas.get(order.to.space) if order.to else None
        if not rings or area is None:
            return False
        at: DrawnPoint = (float(rings[0].get("cx", "nan")), float(rings[0].get("cy", "nan")))
        return bool(area.distance(Point(at)) <= LANDING)


def _reach(group: ET.Element) -> float:
    """Return the distance that the lines of an order reach from their beginning, in pips."""
    lines = [line for kind in ("line", "rest") for line in parts_of(group, kind)]
    return max((dist(lines[0][0], spot) for line in lines for spot in line), default=0.0)
