"""An order as one number of 32 bits: its kind, a location, a space and a mark.

Bits 0 to 9 are a location (the destination), bits 10 to 19 a space or number (the other unit), bits 20 to 23 the kind,
bit 24 asks for a convoy. Each kind documents the bits it uses.
"""

from typing import Any, NamedTuple

from plenipo.batch.kinds import compile_too

__all__ = [
    "BUILD",
    "CONVOY",
    "DISBAND",
    "HOLD",
    "ILLEGAL",
    "LAST_KIND",
    "MOVE",
    "NONE",
    "REMOVE",
    "RETREAT",
    "SUPPORT_HOLD",
    "SUPPORT_MOVE",
    "VIA",
    "WAIVE",
    "WIDTH",
    "Packed",
    "mark_of",
    "order_word",
    "other_of",
    "pack",
    "target_of",
    "unpack",
    "verb_of",
]

NONE = 0
"""No order."""
HOLD = 1
MOVE = 2
"""To a location; `VIA` if a convoy is asked for though there is a land way."""
SUPPORT_HOLD = 3
"""A support of the unit in a space to hold; the location is the bare location of that space."""
SUPPORT_MOVE = 4
"""A support of the unit in a space to a location, which is bare if the coast is left out."""
CONVOY = 5
"""A convoy of the army in a space to a bare location."""
RETREAT = 6
"""To a location."""
DISBAND = 7
BUILD = 8
"""At a location, a unit of the kind whose number the space bits are."""
REMOVE = 10
"""The unit in the space of a bare location."""
WAIVE = 11
"""The waiving of as many builds as the location bits say, by the power in the space bits."""
LAST_KIND = WAIVE
ILLEGAL = 15
"""An order that was given and is illegal in every position."""

_OTHER, _VERB, _MARK = 10, 20, 24
"""The lowest bits of the space, the kind and the mark."""

WIDTH = _MARK + 1
"""Number of bits of a packed order; what is packed with one stands above them."""

_PLACES = (1 << _OTHER) - 1
_VERBS = (1 << _MARK - _VERB) - 1

VIA = 1 << _MARK


@compile_too
def verb_of(order: Any) -> Any:
    """Return the kind of a packed order, a number or an array of them."""
    return (order >> _VERB) & _VERBS


@compile_too
def target_of(order: Any) -> Any:
    """Return the location of a packed order, a number or an array of them."""
    return order & _PLACES


@compile_too
def other_of(order: Any) -> Any:
    """Return the space of a packed order, a number or an array of them."""
    return (order >> _OTHER) & _PLACES


@compile_too
def mark_of(order: Any) -> Any:
    """Return 1 for a packed order that asks for a convoy, else 0; a number or an array of them."""
    return order >> _MARK


@compile_too
def order_word(verb: Any, target: Any, other: Any) -> Any:
    """Return a packed order without a mark.

    >>> order_word(CONVOY, 5, 7) == pack(CONVOY, 5, 7)
    True
    """
    return verb << _VERB | other << _OTHER | target


class Packed(NamedTuple):
    """The parts of the number of an order: its kind, its location and its space, as numbers."""

    verb: int
    to: int
    of: int


def unpack(packed: int) -> Packed:
    """Return the parts of an order.

    >>> unpack(pack(CONVOY, 5, 7))
    Packed(verb=5, to=5, of=7)
    """
    return Packed(verb_of(packed), target_of(packed), other_of(packed))


def pack(kind: int, to: int = 0, of: int = 0, *, via: bool = False) -> int:
    """Return the number of an order.

    >>> pack(MOVE, 5, via=True) == (2 << 20) + 5 + VIA
    True
    """
    return int(order_word(kind, to, of)) | (VIA if via else 0)
