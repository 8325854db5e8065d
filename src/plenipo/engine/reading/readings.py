"""The possible readings of a text whose names may be several places, and those that the board allows.

The unit type decides between spaces that share an abbreviation: `F TYR - ION` is the fleet in the Tyrrhenian Sea
and `A TYR - VEN` the army in Tyrolia. It also decides for destinations and for supported or convoyed units. The first
meaning of a name counts wherever a unit of that type could be; remaining ambiguities are reported.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple

from plenipo.engine.board import Board, Code, Location, Terrain, UnitKind
from plenipo.engine.orders import (
    NOTICES,
    Build,
    Convert,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Ref,
    Retreat,
    Support,
    Waive,
)
from plenipo.engine.reading.lexicon import Lexicon
from plenipo.engine.reading.names import OpenName
from plenipo.errors import InvalidOrder

__all__ = ["Footing", "ReadOnce", "Reading", "all_readings", "choose_reading"]

_MOST_READINGS = 64
"""The greatest number of readings of a text that are tried; a text with more is ambiguous."""

Picks = Mapping[int, Location]

ReadOnce = Callable[[Picks], tuple[Order, Mapping[int, OpenName]]]
"""A function that reads a text with names picked, and returns the order and the names still open.

Raises `InvalidOrder`.
"""


class Reading(NamedTuple):
    """One reading of a text: the order, the meaning of each name, and the number of names that are only beginnings."""

    order: Order
    picks: Picks
    begun: int = 0


class Footing:
    """The possible locations and moves of each unit type, by the board alone."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.stand: dict[UnitKind, set[Code]] = {kind: set() for kind in board.kinds}
        """The spaces in which each unit type may be, on any coast."""
        for kind, location in board.standing.values():
            self.stand[kind].add(location.space)

    def can_stand(self, kind: UnitKind, *places: Location) -> bool:
        """Return whether a unit of `kind` may be in each of the places, on any coast."""
        spaces = self.stand.get(kind, set())
        return all(place.space in spaces for place in places)

    def _kinds(self, ref: Ref) -> tuple[UnitKind, ...]:
        return (ref.kind,) if ref.kind else self.board.kinds

    def fits(self, order: Order) -> bool:
        """Return whether units of the types named could be at every location of the order."""
        if isinstance(order, (*NOTICES, Waive)):
            return True
        own, kinds = order.unit.location, self._kinds(order.unit)
        if isinstance(order, Move | Retreat):
            return any(self.can_stand(kind, own, order.to) for kind in kinds)
        if isinstance(order, Convert):
            return any(self.can_stand(kind, own) for kind in kinds)
        if isinstance(order, Support | Convoy):
            places = (order.other.location, *((order.to,) if order.to else ()))
            others = [kind for kind in self._kinds(order.other) if self.can_stand(kind, *places)]
            if isinstance(order, Convoy):
                traits = [self.board.traits[kind] for kind in kinds if self.can_stand(kind, own)]
                carries = any(not one.carries.isdisjoint(others) for one in traits)
                return carries and self.board.spaces[own.space].carries
            return bool(others) and any(self.can_stand(kind, own) for kind in kinds)
        return any(self.can_stand(kind, own) for kind in kinds)

    def reaches(self, order: Order) -> bool:
        """Return whether the way is open, by a step or perhaps by convoy; true for orders without a destination."""
        if isinstance(order, Move | Retreat):
            return self._goes(order.unit, order.to, by_sea=isinstance(order, Move))
        if isinstance(order, Support):
            to = order.to or order.other.location
            own = order.unit.location.space != to.space and self._goes(order.unit, to)
            return own and (order.to is None or self._goes(order.other, order.to, by_sea=True))
        return True

    def _goes(self, ref: Ref, to: Location, *, by_sea: bool = False) -> bool:
        space = self.board.spaces[ref.location.space]
        starts = (Location(space.code), *space.locations)
        return any(to.space in self.board.reach(kind, start) for kind in self._kinds(ref) for start in starts) or (
            by_sea and self._sails(ref, to)
        )

    def _sails(self, ref: Ref, to: Location) -> bool:
        """Return whether a convoy could begin and end there."""
        ends = (ref.location.space, to.space)
        return (
            ends[0] != ends[1]
            and any(kind in self.board.carriers for kind in self._kinds(ref))
            and all(self.board.spaces[end].terrain is Terrain.COAST and self.board.waters.get(end) for end in ends)
        )


def all_readings(read: ReadOnce, footing: Footing) -> list[Reading]:
    """Return every reading of a text, first meanings of names before beginnings; none if there are too many.

    Raises `InvalidOrder` if the text cannot be read with the first meanings of its names.
    """
    order, names = read({})
    return _readings(read, footing, order, names)


def _readings(read: ReadOnce, footing: Footing, order: Order, names: Mapping[int, OpenName]) -> list[Reading]:
    if not names:
        return [Reading(order, {})]
    kinds = _kinds_named(order)
    edge: list[tuple[Picks, int]] = [({}, 0)]
    for at, name in names.items():
        ways = [(place, 0) for place in name.first] + [(place, 1) for place in name.others]
        if kinds:
            ways = [
                (place, begun) for place, begun in ways if any(footing.can_stand(kind, place) for kind in kinds)
            ] or ways
        if len(edge) * len(ways) > _MOST_READINGS:
            return []
        edge = [({**picks, at: place}, begun + more) for picks, begun in edge for place, more in ways]
    found = []
    for picks, begun in sorted(edge, key=lambda way: way[1]):
        with suppress(InvalidOrder):
            found.append(Reading(read(picks)[0], picks, begun))
    return found


def choose_reading(lexicon: Lexicon, footing: Footing, read: ReadOnce) -> Order:
    """Return the only order that a text means on this board; raises `InvalidOrder`, or `AmbiguousOrder` for several."""
    order, names = read({})
    if not names:
        return order
    readings = _readings(read, footing, order, names)
    if not readings:
        for name in names.values():
            lexicon.one(name.first, name.piece)
        return order
    first = [reading for reading in readings if not reading.begun]
    fitting = [reading for reading in readings if footing.fits(reading.order)]
    sure = [reading for reading in first if reading in fitting]
    if not _kinds_named(order):  # any kind may be meant, and so the way decides
        reached = [reading for reading in fitting if footing.reaches(reading.order)]
        sure = [reading for reading in sure if reading in reached] or reached or sure
        if isinstance(order, Hold | Disband | Build):
            sure = fitting  # nothing but where the units stand says which of them 'Tyr H' is for
    left = sure or fitting or first
    if len(left) > 1:
        left = [reading for reading in left if footing.reaches(reading.order)] or left
    orders = list(dict.fromkeys(reading.order for reading in left))
    return orders[0] if len(orders) == 1 else _raise_ambiguity(lexicon, names, left)


def _kinds_named(order: Order) -> frozenset[UnitKind]:
    """Return the types of the units of an order; empty if one is named without its type."""
    refs = [ref for ref in (getattr(order, name, None) for name in ("unit", "other")) if isinstance(ref, Ref)]
    return frozenset(ref.kind for ref in refs if ref.kind) if all(ref.kind for ref in refs) else frozenset()


def _raise_ambiguity(lexicon: Lexicon, names: Mapping[int, OpenName], left: list[Reading]) -> Order:
    """Raise `AmbiguousOrder` for the first name that has different meanings in the readings `left`."""
    for at, name in names.items():
        places = {reading.picks[at] for reading in left}
        lexicon.one(tuple(sorted(places)), name.piece)
    return left[0].order
