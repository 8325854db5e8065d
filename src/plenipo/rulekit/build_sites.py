"""Build sites: where units are built, by kind of place and of unit, for all or for single powers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.facts import BuildSite, BuildSites, Fact
from plenipo.engine.hooks import RuleModule
from plenipo.engine.wording import hint, listing
from plenipo.errors import InvalidVariant

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["SitesOfBuilds"]


@dataclass(frozen=True)
class SitesOfBuilds(RuleModule):
    """The option `sites` lists the kinds of place in which units are built; see `BuildSite` for what each may say."""

    name: ClassVar[str] = "build_sites"
    claims: ClassVar[frozenset[str]] = frozenset({"where units are built"})
    fixed: ClassVar[frozenset[str]] = frozenset({"sites"})

    sites: tuple[BuildSite, ...] = ()

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """The sites; raises `InvalidVariant` for one that is nowhere."""
        if not self.sites:
            raise InvalidVariant(f"'{self.name}' lists no sites; it must have one or more.")
        known = [info.name for info in rules.powers]
        seasons = rules.calendar.seasons(PhaseKind.ADJUSTMENTS)
        for number, site in enumerate(self.sites):
            for kind in site.units:
                if kind not in rules.board.kinds:
                    letters = listing(rules.board.kinds, "or")
                    what = f"names the unit '{kind}', which is not a kind of this variant; it must be {letters}."
                    raise InvalidVariant(
                        f"'{self.name}' has a site that {what}", ("modules", self.name, "sites", number, "units")
                    )
            for power in site.powers:
                if power not in known:
                    what = f"names '{power}', which is not a power of this variant; {hint(power, known)}"
                    raise InvalidVariant(f"'{self.name}' has a site that {what}")
            for season in site.seasons:
                if season not in seasons:
                    what = f"names '{season}', a season without adjustments; {hint(season, seasons)}"
                    raise InvalidVariant(f"'{self.name}' has a site that {what}")
            for code in site.among:
                if code not in rules.board.spaces:
                    what = f"names '{code}', which is not a space of the board; {hint(code, rules.board.spaces)}"
                    raise InvalidVariant(f"'{self.name}' has a site that {what}")
            centres = site.where in ("home", "owned", "unowned")
            if centres and site.among and not rules.board.centres & set(site.among):
                raise InvalidVariant(f"'{self.name}' has a site among spaces of which none is a supply centre.")
        yield BuildSites(self.sites)
