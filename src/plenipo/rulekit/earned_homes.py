"""Earned homes: home centres are won by owning them long enough, and lost when another takes them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from plenipo.engine.board import Code
from plenipo.engine.changes import Split
from plenipo.engine.facts import EarnedHomes, Fact
from plenipo.engine.hooks import Effects, RuleModule, SplitUnit
from plenipo.engine.phases import holdings
from plenipo.engine.position import Position
from plenipo.errors import InvalidVariant
from plenipo.rulekit.captures import decode_seen

if TYPE_CHECKING:
    from plenipo.engine.reading.positions import BoardReader
    from plenipo.engine.rules import Rules

__all__ = ["HomesEarned"]


@dataclass(frozen=True)
class HomesEarned(RuleModule):
    """The options.

    A centre owned at `after` settlings running becomes a home of its owner alone; with 0 none does. With `lost` a home
    that another owns is none any more. With `conquered` who owns every home of another has them for homes.
    """

    name: ClassVar[str] = holdings.EARNED
    claims: ClassVar[frozenset[str]] = frozenset({"which homes are won and lost"})

    after: int = 0
    lost: bool = False
    conquered: bool = False

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """How homes are won and lost."""
        if self.after < 0:
            raise InvalidVariant(f"'{self.name}.after' is {self.after}; it must be 0 or more.")
        yield EarnedHomes(self.after, self.lost, self.conquered)

    def decode_slot(self, value: Any, reader: "BoardReader") -> holdings.Seen:
        """What was seen, from JSON."""
        return decode_seen(value, reader)

    def space_lost(self, rules: "Rules", position: Position, space: Code) -> Effects:
        """A centre that is lost was never owned."""
        return Effects(holdings.with_parts(position, self.name, space, ()))

    def space_split(self, rules: "Rules", position: Position, split: Split, units: Sequence[SplitUnit]) -> Effects:
        """Both halves of a centre have been owned as long as the whole."""
        return Effects(holdings.with_parts(position, self.name, split.space, split.halves))
