"""Crossings: two ways over one strait, on which moves meet halfway.

Units moving along the one and units moving along the other oppose each other: a move passes only if its attack is
stronger than what each move along the other way brings there. A move counts in the strait whether or not it succeeds
at its destination, and a move stopped there still does at its destination what a bounced move does. An army that goes
by convoy is not in the strait.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from plenipo.engine.board import Code
from plenipo.engine.hooks import RuleModule
from plenipo.engine.strengths import Crossing

__all__ = ["Crossings"]


@dataclass(frozen=True)
class Crossings(RuleModule):
    """The options.

    `pairs` lists pairs of ways, each way two spaces: `[["SIC", "NAP"], ["TYN", "ION"]]`. With `conflict` false moves
    cross without meeting. `convoy` says when an army that may walk a way with a crossing is convoyed instead: as soon
    as a whole route is ordered for it, whoever owns the fleets (`any`), or as policy 4.A.3 says (`intent`).
    """

    name: ClassVar[str] = "crossings"
    claims: ClassVar[frozenset[str]] = frozenset({"ways that cross"})
    fixed: ClassVar[frozenset[str]] = frozenset({"pairs"})

    pairs: tuple[tuple[tuple[Code, Code], tuple[Code, Code]], ...] = ()
    conflict: bool = True
    convoy: Literal["any", "intent"] = "any"

    def crossings(self) -> tuple[Crossing, ...]:
        """The pairs of ways, if moves on them meet."""
        return tuple(Crossing(frozenset(one), frozenset(other)) for one, other in self.pairs) if self.conflict else ()

    def rides(self, start: Code, to: Code) -> bool:
        """Whether `start` and `to` are the ends of one of the ways, and any convoy is taken there."""
        return self.convoy == "any" and any({start, to} == set(way) for pair in self.pairs for way in pair)
