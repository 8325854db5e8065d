"""The owner and kind of a unit as one number, and the maximum number of kinds and powers.

The kinds of a board are numbered in the board's order, ordinarily armies before fleets. A unit of a kind and a
power is `unit_word(power, kind)`, nine bits. Every table by kind and power has a column for each such word; those of
missing kinds are empty.
The functions accept whole numbers and arrays of them, and work in compiled code.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from numba.extending import register_jitable

__all__ = [
    "KIND_BITS",
    "MOST_KINDS",
    "MOST_POWERS",
    "RoleRow",
    "compile_too",
    "kind_of",
    "owner_of",
    "unit_word",
    "way_row",
]

KIND_BITS = 3
"""Number of bits of a word for the kind; those above it are the power."""

MOST_KINDS = 1 << KIND_BITS
MOST_POWERS = 64

KIND_MASK = MOST_KINDS - 1


class RoleRow:
    """Rows of `Arrays.roles`: properties of unit types, each a whole number by type.

    Kinds that the same kinds convoy are of one class, so that the seas through which they are carried are one set.
    """

    SAILS, IS_CARGO, CARRIES, CLASS, CARRIED_BY = range(5)
    """1 for kinds that go by sea, and so stand on coasts; 1 for those that are convoyed; the classes that a kind
    convoys, as bits; the class of a kind that is convoyed; the kinds that convoy it, as bits."""


_Function = TypeVar("_Function", bound=Callable[..., Any])


def compile_too(function: _Function) -> _Function:
    """Make `function` callable from compiled code as well."""
    also_compiled: _Function = register_jitable(function)
    return also_compiled


@compile_too
def kind_of(word: Any) -> Any:
    """Return the number of the kind of a unit."""
    return word & KIND_MASK


@compile_too
def owner_of(word: Any) -> Any:
    """Return the number of the power of a unit."""
    return word >> KIND_BITS


@compile_too
def unit_word(power: Any, kind: Any) -> Any:
    """Return the word of a unit of a power and a kind.

    >>> owner_of(unit_word(5, 1)), kind_of(unit_word(5, 1))
    (5, 1)
    """
    return power << KIND_BITS | kind


@compile_too
def way_row(kind: Any, spaces: Any) -> Any:
    """Return the row of `Arrays.step` with the locations a unit of a kind may step to; the spaces if `spaces` is 1."""
    return 2 * kind + spaces
