"""Conditions: the centres, homes, units or points a power needs for a rule to apply to it.

A condition compares the count with a number or with the counts of other powers.
"""

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from plenipo.engine.amounts import count_things
from plenipo.engine.board import Code
from plenipo.engine.position import Position, Power
from plenipo.engine.sentences import NOTHING, Sentence, SentenceKind, say
from plenipo.rulekit.rule_entries import RuleEntry
from plenipo.rulekit.treasury import Treasury

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["Condition", "check_conditions", "find_lacking"]

CountedQuantity = Literal["centres", "units", "homes", "points"]
"""The centres a power owns, its units, the home centres of its own that it owns, or the balance of its treasury."""

_AT_LEAST = SentenceKind("condition-at-least", "{amount}{among} or more")
_AT_MOST = SentenceKind("condition-at-most", "{amount}{among} or fewer")
_AMONG = SentenceKind("condition-among", " of {places}", note="After a number: '2 centres of PAR, BRE'.")
_BOTH = SentenceKind("condition-both", "{one} and {other}")
_MOST = {
    noun: SentenceKind(f"condition-most-{noun}", f"the most {noun}{{among}}")
    for noun in ("centres", "units", "homes", "points")
}
_FEWEST = {
    noun: SentenceKind(f"condition-fewest-{noun}", f"the fewest {noun}{{among}}")
    for noun in ("centres", "units", "homes", "points")
}


@dataclass(frozen=True)
class Condition:
    """An amount of the thing in `count`: `at_least` or `at_most` a number, the `most` of all powers, or the `fewest`.

    If `among` names spaces, only centres, units and homes in these spaces count. The most and the fewest are taken
    among the surviving powers; in a tie no power has them.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    count: CountedQuantity = "centres"
    at_least: int | None = None
    at_most: int | None = None
    most: bool = False
    fewest: bool = False
    among: tuple[Code, ...] = ()

    def has(self, rules: "Rules", position: Position, power: Power) -> int:
        """Return the number of centres, homes, units or points that a power has, as the condition counts them."""
        if self.count == "points":
            treasury = rules.module(Treasury)
            return treasury.balances(position).get(power, 0) if treasury else 0
        if self.count == "units":
            codes = [unit.space for unit in position.units_of(power)]
        else:
            codes = list(position.centres_of(power))
        if self.count == "homes":
            codes = [code for code in codes if code in position.homes_of(power)]
        among = frozenset(map(rules.board_at(position).became, self.among))
        return sum(not among or code in among for code in codes)

    def is_met(self, rules: "Rules", position: Position, power: Power) -> bool:
        """Return True if a power meets the condition."""
        has = self.has(rules, position, power)
        if (self.at_least is not None and has < self.at_least) or (self.at_most is not None and has > self.at_most):
            return False
        if not self.most and not self.fewest:
            return True
        others = [
            self.has(rules, position, other) for other in rules.names if other != power and position.survives(other)
        ]
        return all(has > other if self.most else has < other for other in others)

    def __str__(self) -> str:
        return str(self.as_sentence())

    def as_sentence(self) -> Sentence:
        """Return the condition as a part of a sentence; empty if it asks for nothing."""
        noun, among = self.count.removesuffix("s"), _AMONG(places=", ".join(self.among)) if self.among else NOTHING
        parts: list[Sentence] = []
        if self.at_least is not None:
            parts.append(_AT_LEAST(amount=count_things(self.at_least, noun), among=among))
        if self.at_most is not None:
            parts.append(_AT_MOST(amount=count_things(self.at_most, noun), among=among))
        parts += [_MOST[self.count](among=among)] if self.most else []
        parts += [_FEWEST[self.count](among=among)] if self.fewest else []
        return reduce(lambda one, other: _BOTH(one=one, other=other), parts) if parts else NOTHING


def check_conditions(at: RuleEntry, several: tuple[Condition, ...]) -> None:
    """Raise `InvalidVariant` for a condition that no power could ever meet, in the `conditions` of an entry."""
    for number, having in enumerate(several):
        one = at.part("conditions", number)
        one.spaces(among=having.among)
        one.least(0, at_least=having.at_least, at_most=having.at_most)
        if having.count == "points" and at.rules.module(Treasury) is None:
            raise one.wrong(say("counts 'points', and no power has a treasury; it needs 'money' or 'points'."), "count")
        if having.count == "points" and having.among:
            raise one.wrong(say("counts 'points', which lie in no space; leave 'among' out."), "among")
        if not str(having):
            raise one.wrong(say("does not say how much it takes: write 'at_least', 'at_most', 'most' or 'fewest'."))
        if having.most and having.fewest:
            raise one.wrong(say("asks for the most and the fewest, which no power can have."), "fewest")
        few, many = having.at_least or 0, having.at_most
        if many is not None and few > many:
            raise one.wrong(
                say("asks for {few} or more and for {many} or fewer, which no power can have.", few=few, many=many),
                "at_most",
            )
        there = len(having.among) if having.among else len(at.rules.board.centres)
        if few > there and having.count in ("centres", "homes"):
            raise one.wrong(
                say("asks for {few} {count}, and there are {there}.", few=few, count=having.count, there=there),
                "at_least",
            )


def find_lacking(rules: "Rules", position: Position, power: Power, several: tuple[Condition, ...]) -> Sentence:
    """Return the first condition that a power does not meet, in words; empty if it meets all of them."""
    lacking = (having for having in several if not having.is_met(rules, position, power))
    return next((having.as_sentence() for having in lacking), NOTHING)
