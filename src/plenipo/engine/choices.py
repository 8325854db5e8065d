"""The tree of choices from which a person builds an order: unit, kind of order, other unit, place."""

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
    """The subject of a choice."""

    UNIT = "unit"
    PLACE = "place"
    KIND = "kind"
    """A kind of order, or a word in the place of a location."""
    ORDER = "order"
    """A whole order that is about no unit."""


class Choice(NamedTuple):
    """A step on the way to an order: its label, and the next choices; a leaf has the order.

    `location` is that of the unit or place it is about.
    """

    label: str
    role: Role
    location: Location | None = None
    order: Order | None = None
    then: tuple["Choice", ...] = ()


_Step = tuple[str, Role, Location | None]
"""The label of a choice, its role, and its location."""


def _word(word: str) -> _Step:
    return word, Role.KIND, None


def _place(location: Location) -> _Step:
    return str(location), Role.PLACE, location


def _unit(ref: Ref) -> _Step:
    return str(ref), Role.UNIT if ref.kind else Role.PLACE, ref.location


def _path(order: Order) -> tuple[_Step, ...]:
    """Return the choices that lead to `order`, in turn."""
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
    """Return the tree of choices that leads to each of `orders`."""
    return _branches([(_path(order), order) for order in orders])


def _branches(paths: list[tuple[tuple[_Step, ...], Order]]) -> tuple[Choice, ...]:
    branches: dict[_Step, list[tuple[tuple[_Step, ...], Order]]] = {}
    for (head, *rest), order in paths:
        branches.setdefault(head, []).append((tuple(rest), order))
    return tuple(
        Choice(*step, below[0][1]) if below[0][0] == () else Choice(*step, None, _branches(below))
        for step, below in branches.items()
    )
