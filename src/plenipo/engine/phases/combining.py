"""Combined units: units of one power that are together in one space as one unit, and separate again.

The types that combine are data (`UnitTraits.parts`): an army aboard a fleet, two armies as one of double strength.
A combined unit is one unit with one order, attacked, supported, dislodged and counted as its type says. A unit joins
another of its power that stays where it is, by a move into its space: joining is no attack, so that no stand-off
prevents it, and it fails only where the other is dislodged. One part at a time leaves by a move of its own; the rest
holds the space meanwhile, alone, and where the part cannot leave, they remain combined.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from plenipo.engine.board import Board, Code, Location, UnitKind
from plenipo.engine.orders import Convert, Move, MovementOrder
from plenipo.engine.position import Position, Unit

__all__ = ["Apart", "combine_units", "joiners", "joining", "leaving", "part_of", "rest_of", "taken_apart"]


class Apart(NamedTuple):
    """Units and their orders in which those that separate are two units: the rest in its place, the part at the end.

    `parts` are the numbers of the parts by those of the rests.
    """

    units: tuple[Unit, ...]
    orders: tuple[MovementOrder | None, ...]
    parts: Mapping[int, int]


def _stand(board: Board, kind: UnitKind, *places: Location) -> Location | None:
    return next((at for at in places if board.can_stand(kind, at)), None)


def combine_units(board: Board, unit: Unit, other: Unit, to: Location | None = None) -> Unit | None:
    """Return the combination of `unit` and `other` of its power, on the coast of `to`; None if they cannot combine."""
    if not board.wholes or unit.power != other.power or unit.space == other.space:
        return None
    whole = board.together(unit.kind, other.kind)
    if whole is None:
        return None
    walks = other.space in board.reach(unit.kind, unit.location)
    boards = unit.space in board.reach(other.kind, other.location)
    if not walks and (not boards or board.can_stand(unit.kind, Location(other.space))):
        return None
    at = _stand(board, whole, other.location, to or other.location, Location(other.space))
    return at and Unit(unit.power, whole, at)


def joining(board: Board, position: Position, unit: Unit) -> Iterator[Location]:
    """Yield the places that a unit may enter only to join one of its power there, such as a sea with a fleet."""
    if board.wholes:
        for other in position.units_of(unit.power):
            if other.space not in board.reach(unit.kind, unit.location) and combine_units(board, unit, other):
                yield Location(other.space)


def leaving(board: Board, unit: Unit) -> Iterator[tuple[UnitKind, Location]]:
    """Yield the parts of a unit, each with every destination it may leave for; none where the rest cannot be alone."""
    for part, rest in board.separable_kinds(unit.kind).items():
        if _stand(board, rest, unit.location, Location(unit.space)) is None:
            continue
        at = _stand(board, part, unit.location, Location(unit.space))
        if at is not None:
            yield from ((part, to) for to in sorted(board.steps(part, at)))
            continue
        for code in sorted(board.reach(unit.kind, unit.location)):
            places = dict.fromkeys((Location(code), *board.spaces[code].locations))
            yield from ((part, to) for to in places if board.can_stand(part, to))


def part_of(board: Board, unit: Unit, order: object) -> Unit | None:
    """Return the part of `unit` that its order is for, if it names one."""
    if (
        not isinstance(order, Move)
        or order.unit.kind is None
        or order.unit.kind not in board.separable_kinds(unit.kind)
    ):
        return None
    return Unit(unit.power, order.unit.kind, order.unit.location)


def rest_of(board: Board, unit: Unit, part: UnitKind) -> Unit:
    """Return the rest of `unit` without a part."""
    kind = board.separable_kinds(unit.kind)[part]
    at = _stand(board, kind, unit.location, Location(unit.space))
    return Unit(unit.power, kind, at or unit.location)


def taken_apart(board: Board, units: Sequence[Unit], orders: Sequence[MovementOrder | None]) -> Apart:
    """Return units and orders in which each unit with an order for a part is two units."""
    if not board.wholes:
        return Apart(tuple(units), tuple(orders), {})
    now, given, parts = list(units), list(orders), {}
    for i, (unit, order) in enumerate(zip(units, orders, strict=True)):
        part = part_of(board, unit, order)
        if part is not None:
            parts[i] = len(now)
            now[i], given[i] = rest_of(board, unit, part.kind), None
            now.append(part)
            given.append(order)
    return Apart(tuple(now), tuple(given), parts)


def joiners(board: Board, apart: Apart, at: Mapping[Code, int]) -> dict[int, int]:
    """Return the units that join another, each with the number of the unit that stays; no two join the same."""
    if not board.wholes:
        return {}
    wanted: dict[int, list[int]] = {}
    for i, order in enumerate(apart.orders):
        j = at.get(order.to.space, -1) if isinstance(order, Move) else -1
        if j < 0 or j in apart.parts or isinstance(apart.orders[j], Move | Convert):
            continue
        if combine_units(board, apart.units[i], apart.units[j]):
            wanted.setdefault(j, []).append(i)
    return {several[0]: j for j, several in wanted.items() if len(several) == 1}
