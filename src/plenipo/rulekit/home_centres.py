"""Home centres: which centres are home, if not those a power starts on."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.board import Code
from plenipo.engine.hooks import RuleModule
from plenipo.engine.position import Position, Power
from plenipo.engine.sentences import say
from plenipo.errors import InvalidVariant

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["HomeCentres"]


@dataclass(frozen=True)
class HomeCentres(RuleModule):
    """The options.

    With `homes` at `starting_centres` every centre a power starts on is its home; with `regular_country` only those of
    its country, which the field `countries` lists for each power. A power without an entry keeps its homes.
    """

    name: ClassVar[str] = "home_centres"
    claims: ClassVar[frozenset[str]] = frozenset({"home centres"})
    fixed: ClassVar[frozenset[str]] = frozenset({"countries"})

    homes: Literal["starting_centres", "regular_country"] = "starting_centres"
    countries: Mapping[Power, tuple[Code, ...]] = field(default_factory=dict)

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
