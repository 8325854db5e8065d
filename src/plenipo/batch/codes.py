"""Orders as numbers, in three forms: an engine order, its packed form, and its place in a dense numbering.

The packed form (`plenipo.batch.packing`) is the input of the kernel; it is stable as long as the spaces of a variant
are. The dense numbering, for learning and for masks, counts every order that could be legal in some position, one
number for one meaning, sorted by unit and packed form; number 0 is no order. `text` describes each in words.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from plenipo.batch import packing
from plenipo.batch.bits import Array
from plenipo.batch.kinds import kind_of, owner_of, unit_word
from plenipo.batch.packing import (
    BUILD,
    CONVOY,
    DISBAND,
    HOLD,
    MOVE,
    NONE,
    REMOVE,
    RETREAT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    VIA,
    WAIVE,
    WIDTH,
    pack,
    unpack,
    verb_of,
)
from plenipo.batch.refusals import InvalidArray
from plenipo.batch.tables import NOWHERE, Tables
from plenipo.engine.board import Code, Location, UnitKind
from plenipo.engine.orders import Build, Convoy, Disband, Hold, Move, Order, Ref, Remove, Retreat, Support, Waive
from plenipo.engine.position import Power
from plenipo.errors import IllegalOrder

__all__ = ["Codes", "Numbering"]


@dataclass(frozen=True)
class Codes:
    """A converter of engine orders to packed form and back, for one variant."""

    tables: Tables

    def pack(self, order: Order, power: Power | None = None) -> int:
        """Return the packed form of an order as `Legality.check` completes it; `power` is needed for a waived build.

        A convoyed move that could only go by sea is one order, with or without VIA. Raise `IllegalOrder` for an order
        that names a place outside the board, and for a choice.
        """
        try:
            return self._pack_order(order, power)
        except KeyError as fault:
            raise IllegalOrder(f"'{order}' has no number: {fault.args[0]} is not a place on this board.") from fault

    def _pack_order(self, order: Order, power: Power | None) -> int:
        spaces, locations = self.tables.space_number, self.tables.location_number
        match order:
            case Hold():
                return pack(HOLD)
            case Move(unit=unit, to=to, via=via):
                walks = to in self.tables.board.steps(unit.kind or UnitKind.ARMY, unit.location)
                return pack(MOVE, locations[to], via=via and walks)
            case Support(other=other, to=None):
                space = spaces[other.location.space]
                return pack(SUPPORT_HOLD, space, space)
            case Support(other=other, to=to):
                return pack(SUPPORT_MOVE, locations[to] if to else 0, spaces[other.location.space])
            case Convoy(other=other, to=to):
                return pack(CONVOY, spaces[to.space], spaces[other.location.space])
            case Retreat(to=to):
                return pack(RETREAT, locations[to])
            case Disband():
                return pack(DISBAND)
            case Build(unit=unit):
                return pack(BUILD, locations[unit.location], self.tables.kind_number[unit.kind or UnitKind.ARMY])
            case Remove(unit=unit):
                return pack(REMOVE, spaces[unit.location.space])
            case Waive(count=count) if power is not None:
                return pack(WAIVE, min(count, 1023), self.tables.power_number[power])
        raise IllegalOrder(f"'{order}' has no number: it is a choice, or says not whose it is.")

    def order(self, packed: int, unit: Ref | None = None, others: dict[Code, Ref] | None = None) -> Order | None:
        """Return the engine order of a packed form, None for no order.

        `unit` is the ordered unit, needed for all but adjustments; `others` are the units on the board by their space,
        which give the other unit its letter and coast.
        """
        verb, to, of = unpack(packed)
        locations, spaces = self.tables.locations, self.tables.spaces
        if verb == BUILD:
            return Build(Ref(self.tables.kinds[of], locations[to]))
        if verb == WAIVE:
            return Waive(max(to, 1))
        if verb == REMOVE:
            return Remove((others or {}).get(spaces[to], Ref(None, Location(spaces[to]))))
        if verb == NONE:
            return None
        if unit is None:
            raise IllegalOrder(f"The order numbered {packed} is for a unit, and none is named.")
        match verb:
            case packing.HOLD:
                return Hold(unit)
            case packing.MOVE:
                return Move(unit, locations[to], via=bool(packed & VIA))
            case packing.RETREAT:
                return Retreat(unit, locations[to])
            case packing.DISBAND:
                return Disband(unit)
        if of >= len(spaces) or verb > CONVOY:
            raise IllegalOrder(f"{packed} is not the number of an order.")
        other = (others or {}).get(spaces[of], Ref(None, Location(spaces[of])))
        match verb:
            case packing.SUPPORT_HOLD:
                return Support(unit, other)
            case packing.SUPPORT_MOVE:
                return Support(unit, other, locations[to])
            case _:
                return Convoy(unit, other, locations[to])


class Numbering:
    """The dense numbering of the orders of a variant.

    The key of an order is its packed form below the kind and location of its unit; `keys` is sorted, so a number is
    found by bisection and stays the same for the same board.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.codes = Codes(tables)
        self.keys: Array = np.unique(np.fromiter(self._all(), np.uint64))

    def __len__(self) -> int:
        return len(self.keys)

    def numbers(self, kinds: Array, places: Array, packed: Array) -> Array:
        """Return the numbers, int64, of packed orders of units of these kinds, by their numbers, at these locations.

        The three arrays have one shape. Adjustment orders have no unit: their kind and location are not looked at.
        Raise `InvalidArray` for the first that is no order.
        """
        orders = packed.astype(np.uint64)
        verbs = verb_of(orders)
        unit = unit_word(places.astype(np.uint64), kinds.astype(np.uint64)) + np.uint64(1)
        keys = np.where((verbs >= BUILD) | (verbs == NONE), np.uint64(0), unit << np.uint64(WIDTH)) | orders
        numbers = np.searchsorted(self.keys, keys)
        wrong = self.keys[np.minimum(numbers, len(self.keys) - 1)] != keys
        if wrong.any():
            place = tuple(int(i) for i in np.argwhere(wrong)[0])
            raise InvalidArray(f"The order {int(orders[place])} at {place} is not an order of that unit.")
        return numbers

    def packed_order(self, number: int) -> int:
        """Return the packed form of a number; raise `InvalidArray` if there is none."""
        if not 0 <= number < len(self.keys):
            raise InvalidArray(f"{number} is not the number of an order; they go from 0 to {len(self.keys) - 1}.")
        return int(self.keys[number]) & (1 << WIDTH) - 1

    def unit(self, number: int) -> Ref | None:
        """Return the unit a number is for, None for no order and in adjustments."""
        packed = self.packed_order(number)
        unit = (int(self.keys[number]) >> WIDTH) - 1
        if unit < 0 or packed == NONE:
            return None
        return Ref(self.tables.kinds[kind_of(unit)], self.tables.locations[owner_of(unit)])

    def text(self, number: int) -> str:
        """Describe the order in words: `A PAR - BUR`; the letter of another unit is left out, as it may be either."""
        packed = self.packed_order(number)
        if packed == NONE:
            return "no order"
        verb, _, of = unpack(packed)
        if verb == WAIVE:
            return f"{self.tables.powers[of]}: {self.codes.order(packed)}"
        return str(self.codes.order(packed, self.unit(number)))

    # Possibly legal orders

    def _all(self) -> Iterator[int]:
        yield NONE
        board, tables = self.tables.board, self.tables
        routes = self._routes()
        arrivals = self._arrivals(routes)
        for i, location in enumerate(tables.locations):
            for k, kind in enumerate(tables.kinds):
                if board.can_stand(kind, location):
                    base = (unit_word(i, k) + 1) << WIDTH
                    for order in self._of(kind, location, routes, arrivals):
                        yield base | order
        for c in range(len(tables.centres)):
            for kind_number, to in tables.arrays.sites[c].tolist():
                if kind_number != NOWHERE:
                    yield pack(BUILD, to, kind_number)
        for space in range(len(tables.spaces)):
            yield pack(REMOVE, space)
        for power in range(tables.players):
            for count in range(1, len(tables.centres) + 1):
                yield pack(WAIVE, count, power)

    def _routes(self) -> dict[Code, frozenset[Code]]:
        """Return the spaces to which a unit could be convoyed from each port if fleets stood in every sea."""
        board = self.tables.board
        landings: dict[Code, frozenset[Code]] = {}
        for code in self.tables.spaces:
            edge = list(board.waters.get(code, ())) if code in board.armies else []
            seen = set(edge)
            for sea in edge:
                new = {other for other in board.waters[sea] if board.spaces[other].carries} - seen
                seen |= new
                edge.extend(new)
            ports = {port for sea in seen for port in board.ports[sea] if port in self.tables.space_number}
            landings[code] = frozenset(ports - {code})
        return landings

    def _arrivals(self, routes: dict[Code, frozenset[Code]]) -> dict[Code, set[tuple[int, int]]]:
        """Return the moves into each space: the starting space and the location, bare ones included."""
        tables = self.tables
        moves: dict[Code, set[tuple[int, int]]] = {code: set() for code in tables.spaces}
        for location, i in tables.location_number.items():
            start = int(tables.arrays.space_of[i])
            for kind in range(len(tables.kinds)):
                row = tables.arrays.near[kind, i]
                tos = row[1 : row[0] + 1].tolist()
                spaces = [int(tables.arrays.space_of[to]) for to in tos]
                for to, space in zip(tos, spaces, strict=True):
                    moves[tables.spaces[space]].add((start, to))
                    if spaces.count(space) > 1:
                        moves[tables.spaces[space]].add((start, space))
            for code in () if location.coast else routes[location.space]:
                if any(self._lands(kind, location, code) for kind in tables.board.carriers):
                    moves[code].add((start, tables.space_number[code]))
        return moves

    def _of(
        self,
        kind: UnitKind,
        location: Location,
        routes: dict[Code, frozenset[Code]],
        arrivals: dict[Code, set[tuple[int, int]]],
    ) -> Iterator[int]:
        """Yield the orders of a unit."""
        tables, board = self.tables, self.tables.board
        number = tables.location_number
        here = tables.space_number[location.space]
        yield from (pack(HOLD), pack(DISBAND))
        steps = {to for to in board.steps(kind, location) if to.space in tables.space_number}
        for to in steps:
            yield from (pack(MOVE, number[to]), pack(RETREAT, number[to]))
        for code in sorted(routes[location.space]) if kind in board.carriers else ():
            if self._lands(kind, location, code):
                yield pack(MOVE, number[Location(code)], via=Location(code) in steps)
        for code in {to.space for to in steps}:
            space = tables.space_number[code]
            yield pack(SUPPORT_HOLD, space, space)
            for start, end in arrivals[code]:
                if start != here:
                    yield pack(SUPPORT_MOVE, end, start)
        if kind in board.convoying and board.spaces[location.space].carries:
            seas = {location.space}
            edge = [location.space]
            for sea in edge:
                new = {other for other in board.waters[sea] if board.spaces[other].carries} - seas
                seas |= new
                edge.extend(new)
            ports = sorted({p for sea in seas for p in board.ports[sea] if p in tables.space_number})
            ways = {
                (tables.space_number[end], tables.space_number[port])
                for cargo in board.traits[kind].carries
                for port in ports
                for end in ports
                if port != end and self._lands(cargo, Location(port), end)
            }
            for end_number, port_number in sorted(ways):
                yield pack(CONVOY, end_number, port_number)

    def _lands(self, kind: UnitKind, start: Location, end: Code) -> bool:
        """Return whether a unit of a kind may stand at both ends of a convoy."""
        return self.tables.board.can_stand(kind, start) and self.tables.board.can_stand(kind, Location(end))
