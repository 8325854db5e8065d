"""Strengths: what a unit counts in each use, and which moves cross each other's way.

In the ordinary rules every unit counts one in every use. A rule module may give other weights, as whole numbers on a
scale of its own (tenths, say), so that all comparisons stay exact.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from plenipo.engine.board import Code
from plenipo.engine.position import Unit

if TYPE_CHECKING:
    from plenipo.engine.hooks import RuleModule

__all__ = ["Crossing", "Strengths", "Use", "shown", "strengths_of"]


class Use(IntEnum):
    """What a strength is counted for (DATC 3.0, chapter 5.B)."""

    ATTACK = 0
    """To enter a space."""
    PREVENT = 1
    """To keep rivals out of the space one goes to."""
    DEFEND = 2
    """Against a unit coming the opposite way."""
    HOLD = 3
    """To stay where one is."""


class Crossing(NamedTuple):
    """Two ways that cross: direct moves along the one and along the other, in whatever direction, oppose each other."""

    one: frozenset[Code]
    other: frozenset[Code]


class Strengths(NamedTuple):
    """For each `Use`, what each unit counts itself and as a supporter; `scale` is what an ordinary unit counts."""

    scale: int
    own: tuple[Sequence[int], ...]
    helping: tuple[Sequence[int], ...]


def strengths_of(units: Sequence[Unit], modules: Sequence["RuleModule"]) -> Strengths:
    """The strengths of `units` under rule modules; at most one module sets a scale, which its claims see to."""
    weighing = [module for module in modules if module.scale != 1]
    if not weighing:
        plain = (1,) * len(units)
        return Strengths(1, (plain,) * len(Use), (plain,) * len(Use))
    (module,) = weighing
    return Strengths(
        module.scale,
        tuple([module.weight(unit, use, supporting=False) for unit in units] for use in Use),
        tuple([module.weight(unit, use, supporting=True) for unit in units] for use in Use),
    )


def shown(strength: int, scale: int) -> str:
    """A strength as people read it.

    >>> shown(18, 10), shown(20, 10), shown(3, 1)
    ('1.8', '2', '3')
    """
    return str(strength) if scale == 1 else f"{strength / scale:g}"
