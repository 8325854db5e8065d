"""Crossings: two ways over one strait, on which moves meet halfway.

Units moving along the one and units moving along the other oppose each other: a move passes only if its attack is
stronger than what each move along the other way brings there. A move counts in the strait whether or not it succeeds
at its destination, and a move stopped there still does at its destination what a bounced move does. An army that goes
by convoy is not in the strait.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.board import Code
from plenipo.engine.facts import Crossing, Fact, PrefersConvoy
from plenipo.engine.hooks import RuleModule

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["Crossings"]


@dataclass(frozen=True)
class Crossings(RuleModule):
    """The options.

    `pairs` lists pairs of ways, each way two spaces: `[["SIC", "NAP"], ["TYN", "ION"]]`. With `conflict` false moves
    cross without meeting. `convoy` says when an army that may walk a way with a crossing is convoyed instead: as policy
    4.A.3 says (`intent`), or as soon as a whole route is ordered for it, by fleets of any power (`any`).
    """

    name: ClassVar[str] = "crossings"
    signs: ClassVar[Mapping[str, str]] = {
        "crossed": "two ways that cross: units that go there at once oppose each other",
    }
    claims: ClassVar[frozenset[str]] = frozenset({"ways that cross"})
    fixed: ClassVar[frozenset[str]] = frozenset({"pairs"})

    pairs: tuple[tuple[tuple[Code, Code], tuple[Code, Code]], ...] = ()
    conflict: bool = True
    convoy: Literal["intent", "any"] = "intent"

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the pairs of ways, if moves on them meet; and each way as one on which any convoy is used."""
        for one, other in self.pairs:
            if self.conflict:
                yield Crossing(frozenset(one), frozenset(other))
            if self.convoy == "any":
                yield from (PrefersConvoy(frozenset(one)), PrefersConvoy(frozenset(other)))
