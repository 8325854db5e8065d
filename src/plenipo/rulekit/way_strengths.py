"""Way strengths: what units count that move, or support, along single ways: over rivers, passes and bridges."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from plenipo.engine.board import Code
from plenipo.engine.facts import Fact, WayStrength
from plenipo.engine.hooks import RuleModule
from plenipo.engine.wording import hint
from plenipo.errors import InvalidVariant

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["StrongWay", "WayStrengths"]


@dataclass(frozen=True)
class StrongWay:
    """A way `between` two spaces, and what units count along it: those that `move`, and as a `support` over it."""

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    between: tuple[Code, Code]
    move: int | None = None
    support: int | None = None


@dataclass(frozen=True)
class WayStrengths(RuleModule):
    """The option `ways` lists the ways; numbers are on the scale of the kinds of unit, ordinarily 1."""

    name: ClassVar[str] = "way_strengths"
    claims: ClassVar[frozenset[str]] = frozenset({"what units count on single ways"})
    fixed: ClassVar[frozenset[str]] = frozenset({"ways"})

    ways: tuple[StrongWay, ...] = ()

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """The ways; raises `InvalidVariant` for one that no unit goes, twice the same, or a number that cannot be."""
        board, known = rules.board, set[frozenset[Code]]()
        for way in self.ways:
            one, other = way.between
            path = ("modules", self.name, "ways", one, other)
            for code in way.between:
                if code not in board.spaces:
                    raise InvalidVariant(f"'{self.name}' names '{code}'; {hint(code, tuple(board.spaces))}", path)
            named = f"the way between {one} and {other}"
            if other not in board.near[one]:
                raise InvalidVariant(f"'{self.name}' has {named}, where no unit passes.", path)
            if frozenset(way.between) in known:
                raise InvalidVariant(f"'{self.name}' has {named} twice.", path)
            known.add(frozenset(way.between))
            if way.move is None and way.support is None:
                raise InvalidVariant(f"'{self.name}' says of {named} neither 'move' nor 'support'.", path)
            for key, number, least in (("move", way.move, 1), ("support", way.support, 0)):
                if number is not None and number < least:
                    raise InvalidVariant(
                        f"'{self.name}' has {number} as '{key}' of {named}; it must be {least} or more.", path
                    )
            yield WayStrength(frozenset(way.between), way.move, way.support)
