"""Build sites: where units are built, by kind of place and of unit, for all or for single powers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.facts import BuildSite, BuildSites, Fact
from plenipo.engine.hooks import RuleModule
from plenipo.engine.sentences import say
from plenipo.rulekit.rule_entries import entries

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["SitesOfBuilds"]


@dataclass(frozen=True)
class SitesOfBuilds(RuleModule):
    """The option `sites` lists the kinds of place in which units are built; see `BuildSite` for the keys of each."""

    name: ClassVar[str] = "build_sites"
    claims: ClassVar[frozenset[str]] = frozenset({"where units are built"})
    fixed: ClassVar[frozenset[str]] = frozenset({"sites"})

    sites: tuple[BuildSite, ...] = ()

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the build sites; raise `InvalidVariant` for one that is nowhere."""
        for at, site in entries(rules, self.name, "sites", self.sites, lambda _: f"A site of '{self.name}'"):
            at.kinds(units=site.units)
            at.powers(powers=site.powers)
            at.in_time(site, PhaseKind.ADJUSTMENTS)
            at.spaces(among=site.among)
            centres = site.where in ("home", "owned", "unowned")
            if centres and site.among and not rules.board.centres & set(site.among):
                raise at.wrong(say("is among spaces of which none is a supply centre."), "among")
        yield BuildSites(self.sites)
