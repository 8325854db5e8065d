"""An order as one number of 32 bits: its kind, a location, a space and a mark.

Bits 0 to 9 are a location (the destination), bits 10 to 19 a space or number (the other unit), bits 20 to 23 the kind,
bit 24 asks for a convoy. Each kind documents the bits it uses.
"""

from typing import NamedTuple

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
    "Packed",
    "pack",
    "unpack",
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

VIA = 1 << 24


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
    return Packed(packed >> 20 & 15, packed & 1023, packed >> 10 & 1023)


def pack(kind: int, to: int = 0, of: int = 0, *, via: bool = False) -> int:
    """Return the number of an order.

    >>> pack(MOVE, 5, via=True) == (2 << 20) + 5 + VIA
    True
    """
    return kind << 20 | of << 10 | to | (VIA if via else 0)
