"""Earned homes: home centres are won by owning them long enough, and lost when another takes them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from plenipo.engine.facts import EarnedHomes, Fact
from plenipo.engine.phases import ownership_history
from plenipo.engine.sentences import say
from plenipo.errors import InvalidVariant
from plenipo.rulekit.captures import WatchesCentres

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["HomesEarned"]


@dataclass(frozen=True)
class HomesEarned(WatchesCentres):
    """The options.

    A centre owned at `after` settlings running becomes a home of its owner alone; with 0 none does. With `lost` a home
    that another owns is none any more. With `conquered` who owns every home of another has them for homes.
    """

    name: ClassVar[str] = ownership_history.EARNED
    claims: ClassVar[frozenset[str]] = frozenset({"which homes are won and lost"})

    after: int = 0
    lost: bool = False
    conquered: bool = False

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the rule by which homes are won and lost; raise `InvalidVariant` for a negative `after`."""
        if self.after < 0:
            raise InvalidVariant(
                say("'{name}.after' is {after}; it must be 0 or more.", name=self.name, after=self.after)
            )
        yield EarnedHomes(self.after, self.lost, self.conquered)
