"""Homes frozen at a date: what a power owns when ownership is settled in that year are its homes for good."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from plenipo.engine.calendar import Year
from plenipo.engine.facts import Fact, HomesFixed
from plenipo.engine.hooks import RuleModule

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["HomesFrozenAt"]


@dataclass(frozen=True)
class HomesFrozenAt(RuleModule):
    """The option `year` is the one in which the homes are fixed; in that year's last settling if there are several.

    A centre nobody owns then is nobody's home for the rest of the game.
    """

    name: ClassVar[str] = "homes_frozen_at"
    claims: ClassVar[frozenset[str]] = frozenset({"later home centres"})

    year: Year = 0

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the year at which homes are frozen."""
        yield HomesFixed(self.year)
