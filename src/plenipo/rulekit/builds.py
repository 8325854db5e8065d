"""Builds: where units are built, how many a power may have for its centres, and when it builds and removes them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.facts import BuildSite, BuildSites, Fact, Supply
from plenipo.engine.hooks import RuleModule
from plenipo.engine.position import Power
from plenipo.engine.sentences import say
from plenipo.errors import InvalidVariant
from plenipo.rulekit.rule_entries import RuleEntry

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["BuildRules"]


_BESIDE_SUPPLY = {
    "beside": (
        *("values", "values_for", "centres_per_unit", "extra", "most", "most_builds"),
        *("builds_in", "removals_in", "credit", "credit_in"),
    )
}
"""Metadata of options that matter only where a variant says how many units a power may have."""


@dataclass(frozen=True)
class BuildRules(RuleModule):
    """The options.

    `sites` lists the kinds of place in which units are built; see `BuildSite` for the keys of each. The others are as
    in the fact `Supply`; 0 says that there is no limit to `most` and `most_builds`.
    """

    name: ClassVar[str] = "builds"
    claims: ClassVar[frozenset[str]] = frozenset({"where units are built", "how many units a power may have"})
    fixed: ClassVar[frozenset[str]] = frozenset({"sites", "values", "values_for", "extra"})

    sites: tuple[BuildSite, ...] = ()
    values: Mapping[Code, int] = field(default_factory=dict)
    centres_per_unit: int = field(default=1, metadata=_BESIDE_SUPPLY)
    extra: Mapping[Power, int] = field(default_factory=dict)
    most: int = field(default=0, metadata=_BESIDE_SUPPLY)
    most_builds: int = field(default=0, metadata=_BESIDE_SUPPLY)
    builds_in: tuple[str, ...] = field(default=(), metadata=_BESIDE_SUPPLY)
    removals_in: tuple[str, ...] = field(default=(), metadata=_BESIDE_SUPPLY)
    credit: int = field(default=0, metadata=_BESIDE_SUPPLY)
    credit_in: tuple[str, ...] = field(default=(), metadata=_BESIDE_SUPPLY)
    values_for: Mapping[Power, Mapping[Code, int]] = field(default_factory=dict)

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the build sites and the supply; raise `InvalidVariant` for unknown names and impossible numbers."""
        for number, site in enumerate(self.sites):
            at = RuleEntry(rules, f"A site of '{self.name}'", ("modules", self.name, "sites", number))
            at.kinds(units=site.units)
            at.powers(powers=site.powers)
            at.in_time(site, PhaseKind.ADJUSTMENTS)
            at.spaces(among=site.among)
            centres = site.where in ("home", "owned", "unowned")
            if centres and site.among and not rules.board.centres & set(site.among):
                raise at.wrong(say("is among spaces of which none is a supply centre."), "among")
        if self.sites:
            yield BuildSites(self.sites)
        self._check_supply(rules)
        supply = Supply(
            dict(self.values),
            self.centres_per_unit,
            dict(self.extra),
            self.most or None,
            self.most_builds or None,
            self.builds_in,
            self.removals_in,
            self.credit,
            self.credit_in,
            {power: dict(table) for power, table in self.values_for.items()},
        )
        if supply != Supply():
            yield supply

    def _check_supply(self, rules: "Rules") -> None:
        at = RuleEntry(rules, f"'{self.name}'", ("modules", self.name))
        at.powers(values_for=self.values_for)
        at.centres(values=self.values)
        for code, value in self.values.items():
            at.table("values").least(0, **{code: value})
        for power, table in self.values_for.items():
            at.table("values_for").centres(**{power: table})
            for code, value in table.items():
                at.table("values_for").table(power).least(0, **{code: value})
        at.least(1, centres_per_unit=self.centres_per_unit)
        at.least(0, most=self.most, most_builds=self.most_builds, credit=self.credit)
        seasons = rules.calendar.seasons(PhaseKind.ADJUSTMENTS)
        at.seasons(
            PhaseKind.ADJUSTMENTS, builds_in=self.builds_in, removals_in=self.removals_in, credit_in=self.credit_in
        )
        if bool(self.credit) != bool(self.credit_in):
            raise InvalidVariant(
                say("'{name}' has one of 'credit' and 'credit_in'; write both, or neither.", name=self.name)
            )
        if self.credit and set(self.removals_in or seasons) <= set(self.credit_in):
            raise InvalidVariant(
                say("'{name}' gives credit in every season: no power would ever need the centres.", name=self.name)
            )
