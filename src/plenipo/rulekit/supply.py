"""Supply: how many units a power may have for its centres, and when it builds and removes them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.facts import Fact, Supply
from plenipo.engine.hooks import RuleModule
from plenipo.engine.position import Power
from plenipo.engine.wording import hint
from plenipo.errors import InvalidVariant

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["SupplyOfUnits"]


@dataclass(frozen=True)
class SupplyOfUnits(RuleModule):
    """The options, each as in the fact `Supply`; 0 says that there is no limit to `most` and `most_builds`."""

    name: ClassVar[str] = "supply"
    claims: ClassVar[frozenset[str]] = frozenset({"how many units a power may have"})
    fixed: ClassVar[frozenset[str]] = frozenset({"worth", "worth_to", "extra"})

    worth: Mapping[Code, int] = field(default_factory=dict)
    centres_per_unit: int = 1
    extra: Mapping[Power, int] = field(default_factory=dict)
    most: int = 0
    most_builds: int = 0
    builds_in: tuple[str, ...] = ()
    removals_in: tuple[str, ...] = ()
    credit: int = 0
    credit_in: tuple[str, ...] = ()
    worth_to: Mapping[Power, Mapping[Code, int]] = field(default_factory=dict)

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """The supply; raises `InvalidVariant` for what is not there, and for numbers below what is possible."""
        rules.require(f"'{self.name}.worth_to'", powers=self.worth_to, path=("modules", self.name, "worth_to"))
        tables = (self.worth, *self.worth_to.values())
        for code, worth in (item for table in tables for item in table.items()):
            if code not in rules.board.centres:
                raise InvalidVariant(f"'{self.name}' gives '{code}' a worth, which is not a supply centre.")
            if worth < 0:
                raise InvalidVariant(f"'{self.name}' gives {code} the worth {worth}; it must be 0 or more.")
        for key in ("centres_per_unit", "most", "most_builds", "credit"):
            number, least = getattr(self, key), 1 if key == "centres_per_unit" else 0
            if number < least:
                raise InvalidVariant(f"'{self.name}.{key}' is {number}; it must be {least} or more.")
        seasons = [step.season for step in rules.calendar.cycle if step.kind is PhaseKind.ADJUSTMENTS]
        for season in (*self.builds_in, *self.removals_in, *self.credit_in):
            if season not in seasons:
                what = f"names '{season}', a season without adjustments; {hint(season, dict.fromkeys(seasons))}"
                raise InvalidVariant(f"'{self.name}' {what}")
        if bool(self.credit) != bool(self.credit_in):
            raise InvalidVariant(f"'{self.name}' has one of 'credit' and 'credit_in'; write both, or neither.")
        if self.credit and set(self.removals_in or seasons) <= set(self.credit_in):
            raise InvalidVariant(f"'{self.name}' gives credit in every season: nobody would ever need the centres.")
        yield Supply(
            dict(self.worth),
            self.centres_per_unit,
            dict(self.extra),
            self.most or None,
            self.most_builds or None,
            self.builds_in,
            self.removals_in,
            self.credit,
            self.credit_in,
            {power: dict(table) for power, table in self.worth_to.items()},
        )
