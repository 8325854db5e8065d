"""The tree a person clicks through to an order: unit, kind of order, other unit, place."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from plenipo.engine.board import Location
from plenipo.engine.orders import (
    Build,
    Choose,
    Convert,
    Convoy,
    Declare,
    Disband,
    Enter,
    Hold,
    Move,
    Order,
    Promise,
    Ref,
    Remove,
    Retreat,
    Support,
    Waive,
)

__all__ = ["Choice", "Role", "tree"]


class Role(StrEnum):
    """What a choice is about."""

    UNIT = "unit"
    PLACE = "place"
    KIND = "kind"
    """A kind of order, or a word in the place of a location."""
    ORDER = "order"
    """An order that is about no unit, whole."""


class Choice(NamedTuple):
    """A step of the way to an order: what to choose, and what to choose from next; a leaf carries the order.

    `location` is that of the unit or place it is about.
    """

    label: str
    role: Role
    location: Location | None = None
    order: Order | None = None
    then: tuple["Choice", ...] = ()


_Step = tuple[str, Role, Location | None]
"""The label of a choice, what it is about, and where that is."""


def _word(word: str) -> _Step:
    return word, Role.KIND, None


def _place(location: Location) -> _Step:
    return str(location), Role.PLACE, location


def _unit(ref: Ref) -> _Step:
    return str(ref), Role.UNIT if ref.kind else Role.PLACE, ref.location


def _path(order: Order) -> tuple[_Step, ...]:
    """What one chooses in turn to reach `order`."""
    match order:
        case Waive() | Enter() | Promise() | Declare():
            return ((str(order), Role.ORDER, None),)
        case Build(unit=ref):
            return (_word("build"), _unit(ref))
        case Choose(unit=ref):
            return (_word("choose"), _unit(ref))
        case Move(unit=ref, to=to, via=via):
            return (_unit(ref), _word("convoyed move" if via else "move"), _place(to))
        case Support(unit=ref, other=other, to=to):
            return (_unit(ref), _word("support"), _unit(other), _place(to) if to else _word("hold"))
        case Convoy(unit=ref, other=other, to=to):
            return (_unit(ref), _word("convoy"), _unit(other), _place(to))
        case Convert(unit=ref, into=into):
            return (_unit(ref), _word("convert"), _unit(into))
        case Retreat(unit=ref, to=to):
            return (_unit(ref), _word("retreat"), _place(to))
        case Hold(unit=ref) | Disband(unit=ref) | Remove(unit=ref):
            return (_unit(ref), _word(type(order).__name__.lower()))
    raise AssertionError(order)


def tree(orders: Iterable[Order]) -> tuple[Choice, ...]:
    """What to choose from in turn to reach each of `orders`."""
    return _branches([(_path(order), order) for order in orders])


def _branches(paths: list[tuple[tuple[_Step, ...], Order]]) -> tuple[Choice, ...]:
    branches: dict[_Step, list[tuple[tuple[_Step, ...], Order]]] = {}
    for (head, *rest), order in paths:
        branches.setdefault(head, []).append((tuple(rest), order))
    return tuple(
        Choice(*step, below[0][1]) if below[0][0] == () else Choice(*step, None, _branches(below))
        for step, below in branches.items()
    )
