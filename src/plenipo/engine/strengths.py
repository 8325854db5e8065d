"""Strengths: the weight of a unit in each use.

In the ordinary rules every unit counts one in every use. Where a rule module gives other weights, they are whole
numbers on a scale of its own (tenths, say), so that all comparisons stay exact.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

__all__ = ["Strengths", "Use", "format_strength"]


class Use(IntEnum):
    """The uses of a strength (DATC 3.0, chapter 5.B)."""

    ATTACK = 0
    """To enter a space."""
    PREVENT = 1
    """To keep rivals out of the destination."""
    DEFEND = 2
    """Against a unit coming the opposite way."""
    HOLD = 3
    """To stay in its space."""


class Strengths(NamedTuple):
    """The weights of each unit by `Use`, for itself and as a supporter; `scale` is the weight of an ordinary unit."""

    scale: int
    own: tuple[Sequence[int], ...]
    helping: tuple[Sequence[int], ...]


def format_strength(strength: int, scale: int) -> str:
    """Return a strength as people read it.

    >>> format_strength(18, 10), format_strength(20, 10), format_strength(3, 1)
    ('1.8', '2', '3')
    """
    return str(strength) if scale == 1 else f"{strength / scale:g}"
