"""Weighted offence: the units of some powers have less, or more, strength on the offence than in defence.

A piece counts its weight when it moves and when it supports a move, and a full unit when it holds, convoys or supports
a unit in place. Weights are whole numbers on a scale, so that 1.8 against 2 is decided exactly.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.facts import Fact, UnitWeights, Weight
from plenipo.engine.hooks import RuleModule
from plenipo.engine.position import Power
from plenipo.engine.sentences import say
from plenipo.engine.strengths import Use
from plenipo.errors import InvalidVariant

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["WeightedOffence"]


@dataclass(frozen=True)
class WeightedOffence(RuleModule):
    """The options: the `powers` concerned and the `weight` of their pieces on the offence, in tenths of a unit.

    `prevent` says what such a piece and its supporters count to keep rivals out of a space they go to: their weight
    (`offence`) or a full unit (`full`). `head_to_head` says what a moving piece counts against the unit coming the
    opposite way: a full unit (`defend_full`) or its weight (`offence`); `support_head_to_head` the same of its
    supporters there (`offence` or `full`).
    """

    name: ClassVar[str] = "weighted_offence"
    claims: ClassVar[frozenset[str]] = frozenset({"the strength of units"})

    powers: tuple[Power, ...] = ()
    weight_in_tenths: int = 9
    prevent: Literal["offence", "full"] = "offence"
    head_to_head: Literal["defend_full", "offence"] = "defend_full"
    support_head_to_head: Literal["offence", "full"] = "offence"

    def __post_init__(self) -> None:
        if self.weight_in_tenths < 1:
            raise InvalidVariant(
                say(
                    "'weight_in_tenths' is {weight_in_tenths}; it must be 1 or more.",
                    weight_in_tenths=self.weight_in_tenths,
                )
            )

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the weight of the offence, in tenths."""
        yield UnitWeights(
            10,
            tuple(
                Weight(self.weight_in_tenths, power, use, supporting)
                for power, use, supporting in product(self.powers, Use, (False, True))
                if self._offensive(use, supporting=supporting)
            ),
        )

    def _offensive(self, use: Use, *, supporting: bool) -> bool:
        if use is Use.DEFEND:
            return (self.support_head_to_head if supporting else self.head_to_head) == "offence"
        return use is Use.ATTACK or (use is Use.PREVENT and self.prevent == "offence")
