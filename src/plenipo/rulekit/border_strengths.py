"""Way strengths: what units count that move, or support, along single ways: over rivers, passes and bridges."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from plenipo.engine.board import Code
from plenipo.engine.facts import Fact, WayStrength
from plenipo.engine.hooks import RuleModule
from plenipo.engine.sentences import say
from plenipo.rulekit.rule_entries import entries

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["BorderStrengths", "StrongWay"]


@dataclass(frozen=True)
class StrongWay:
    """A way `between` two spaces, and what units count along it: those that `move`, and as a `support` over it."""

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    between: tuple[Code, Code]
    move: int | None = None
    support: int | None = None


@dataclass(frozen=True)
class BorderStrengths(RuleModule):
    """The option `ways` lists the ways; numbers are on the scale of the kinds of unit, ordinarily 1."""

    name: ClassVar[str] = "border_strengths"
    claims: ClassVar[frozenset[str]] = frozenset({"what units count on single ways"})
    fixed: ClassVar[frozenset[str]] = frozenset({"ways"})

    ways: tuple[StrongWay, ...] = ()

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the ways; raise `InvalidVariant` for one that no unit uses, a repeated one, or an impossible number."""
        known = set[frozenset[Code]]()
        called = f"The way between {{}} and {{}} of '{self.name}'"
        for at, way in entries(rules, self.name, "ways", self.ways, lambda way: called.format(*way.between)):
            at._replace(where=f"'{self.name}'").ways(between=(way.between,))
            if frozenset(way.between) in known:
                raise at.wrong(say("is there twice."), "between")
            known.add(frozenset(way.between))
            if way.move is None and way.support is None:
                raise at.wrong(say("says neither 'move' nor 'support'."))
            at.least(1, move=way.move)
            at.least(0, support=way.support)
            yield WayStrength(frozenset(way.between), way.move, way.support)
