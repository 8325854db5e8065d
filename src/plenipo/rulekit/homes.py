"""Homes: the home centres of each power at the start, and how they are won, lost and fixed later."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.board import Code
from plenipo.engine.calendar import Year
from plenipo.engine.facts import EarnedHomes, Fact, HomesFixed
from plenipo.engine.phases import ownership_history
from plenipo.engine.position import Position, Power
from plenipo.engine.sentences import say
from plenipo.errors import InvalidVariant
from plenipo.rulekit.captures import WatchesCentres
from plenipo.rulekit.rule_entries import RuleEntry

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["HomeRules"]


_BESIDE_EARNED = {"beside": ("after", "lost", "conquered")}
"""Metadata of options that matter only where homes are won and lost."""


@dataclass(frozen=True)
class HomeRules(WatchesCentres):
    """The options.

    At the start every centre of a power is its home (`homes` is `starting_centres`), or only those of its country
    (`regular_country`), which `countries` lists; a power without an entry keeps its homes. A centre owned at `after`
    ownership updates running becomes a home of its owner alone; with 0 none does. With `lost` a home that another owns
    is none any more. With `conquered` a power that owns every home of another has them for homes. What a power owns at
    the last ownership update of the year `fixed_in` are its homes for good; a centre without an owner then is no home.
    """

    name: ClassVar[str] = ownership_history.HOMES
    claims: ClassVar[frozenset[str]] = frozenset({"home centres"})
    fixed: ClassVar[frozenset[str]] = frozenset({"countries"})

    homes: Literal["starting_centres", "regular_country"] = field(
        default="starting_centres", metadata={"beside": ("countries",)}
    )
    countries: Mapping[Power, tuple[Code, ...]] = field(default_factory=dict)
    after: int = field(default=0, metadata=_BESIDE_EARNED)
    lost: bool = field(default=False, metadata=_BESIDE_EARNED)
    conquered: bool = field(default=False, metadata=_BESIDE_EARNED)
    fixed_in: Year | None = field(default=None, metadata={"beside": ("fixed_in",)})

    def opening(self, rules: "Rules", position: Position) -> Position:
        """Return the position with the homes chosen; raise `InvalidVariant` for a home that is no centre."""
        for power, codes in self.countries.items():
            for code in codes:
                if code not in rules.board.centres:
                    raise InvalidVariant(
                        say(
                            "'{name}' gives {power} '{code}', which is not a supply centre.",
                            name=self.name,
                            power=power,
                            code=code,
                        )
                    )
        if self.homes == "starting_centres":
            return position
        homes = {power: frozenset(self.countries.get(power, codes)) for power, codes in position.homes.items()}
        return replace(position, homes=homes)

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the rules by which homes are won, lost and fixed; raise `InvalidVariant` for a negative `after`."""
        RuleEntry(rules, f"'{self.name}'", ("modules", self.name)).least(0, after=self.after)
        if self.after or self.lost or self.conquered:
            yield EarnedHomes(self.after, self.lost, self.conquered)
        if self.fixed_in is not None:
            yield HomesFixed(self.fixed_in)
