"""Build anywhere: new units are built in any vacant centre that a power owns, not only at home."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from plenipo.engine.facts import OWNED, BuildSites, Fact
from plenipo.engine.hooks import RuleModule

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["BuildsAnywhere"]


@dataclass(frozen=True)
class BuildsAnywhere(RuleModule):
    """It has no options."""

    name: ClassVar[str] = "build_anywhere"
    claims: ClassVar[frozenset[str]] = frozenset({"where units are built"})

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the build sites: any centre that the power owns."""
        yield BuildSites(OWNED)
