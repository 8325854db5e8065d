"""Whose a unit is and of which kind, as one number; and how many kinds and powers there may be.

The kinds of a board are numbered as the board lists them, ordinarily armies before fleets. A unit of a kind and a
power is `unit_word(power, kind)`, nine bits. Everything that is listed by kind and power has a column for each such
word; of the kinds that a board has not, the columns are empty.
The functions are for whole numbers, for arrays of them, and for compiled code.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from numba.extending import register_jitable

__all__ = ["KIND_BITS", "MOST_KINDS", "MOST_POWERS", "Role", "kind_of", "owner_of", "unit_word", "way_row"]

KIND_BITS = 3
"""How many bits of a word are the kind; those above it are the power."""

MOST_KINDS = 1 << KIND_BITS
MOST_POWERS = 64

KIND_MASK = MOST_KINDS - 1


class Role:
    """Rows of `Arrays.roles`: what units of a kind do, each a whole number by kind.

    Kinds that the same kinds convoy are of one class, so that the seas through which they are carried are one set.
    """

    SAILS, IS_CARGO, CARRIES, CLASS, CARRIED_BY = range(5)
    """1 for kinds that go by sea, and so stand on coasts; 1 for those that are convoyed; the classes that a kind
    convoys, as bits; the class of a kind that is convoyed; the kinds that convoy it, as bits."""


_Function = TypeVar("_Function", bound=Callable[..., Any])


def _anywhere(function: _Function) -> _Function:
    """`function`, which compiled code may call as well."""
    also_compiled: _Function = register_jitable(function)
    return also_compiled


@_anywhere
def kind_of(word: Any) -> Any:
    """The number of the kind of a unit."""
    return word & KIND_MASK


@_anywhere
def owner_of(word: Any) -> Any:
    """The number of the power of a unit."""
    return word >> KIND_BITS


@_anywhere
def unit_word(power: Any, kind: Any) -> Any:
    """The word of a unit of a power and a kind.

    >>> owner_of(unit_word(5, 1)), kind_of(unit_word(5, 1))
    (5, 1)
    """
    return power << KIND_BITS | kind


@_anywhere
def way_row(kind: Any, spaces: Any) -> Any:
    """The row of `Arrays.step` with the locations where a unit of a kind may step to, or with `spaces` 1 the spaces."""
    return 2 * kind + spaces
