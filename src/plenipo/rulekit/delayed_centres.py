"""Delayed centres: a newly captured centre must be held for a turn before it gives a new unit.

Ownership passes when the turn ends, and the previous owner loses the centre at once. It counts for builds from the
next ownership update on, if it has not changed owner in between; a recaptured home centre is new too. Every owned
centre supports a unit that is already on the board.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.board import Code
from plenipo.engine.changes import Split
from plenipo.engine.facts import CentreDelay, Fact
from plenipo.engine.hooks import Effects, RuleModule, SplitUnit
from plenipo.engine.module_memory import ModuleMemory
from plenipo.engine.phases import delays
from plenipo.engine.position import Position
from plenipo.rulekit.rule_entries import RuleEntry

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["DelayedCentres"]


@dataclass(frozen=True)
class DelayedCentres(RuleModule):
    """The options.

    `hold_meaning` says what holding a new centre for a turn is: to own it (`own`), or to stand in it when the next turn
    is settled (`occupy`). With `new_centre_sustains` false a new centre does not keep a unit either.
    `ownership_delay` at `one_turn` lets a centre change hands only when the same power stands in it twice running.
    `spaces` are the only centres meant; all of them without any.
    """

    name: ClassVar[str] = delays.SLOT
    memory: ClassVar[type[ModuleMemory]] = delays.CentreDelays
    claims: ClassVar[frozenset[str]] = frozenset({"when a centre counts"})
    fixed: ClassVar[frozenset[str]] = frozenset({"spaces"})

    hold_meaning: Literal["own", "occupy"] = "own"
    new_centre_sustains: bool = True
    ownership_delay: Literal["none", "one_turn"] = "none"
    spaces: tuple[Code, ...] = ()

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the delay; raise `InvalidVariant` for a space that is no centre."""
        RuleEntry(rules, f"'{self.name}'", ("modules", self.name)).centres(spaces=self.spaces)
        late = self.ownership_delay == "one_turn"
        yield CentreDelay(self.hold_meaning == "occupy", self.new_centre_sustains, late, frozenset(self.spaces))

    def opening(self, rules: "Rules", position: Position) -> Position:
        """Return the position in which every centre owned at the start has been held long enough."""
        return delays.begin(position)

    def without_slot(self, rules: "Rules", position: Position) -> delays.CentreDelays:
        """Return a slot in which every owned centre has been held long enough."""
        return delays.start(position)

    def space_lost(self, rules: "Rules", position: Position, space: Code) -> Effects:
        """Remove a lost centre from the slot, as if it was never held."""
        return Effects(delays.with_parts(position, space, ()))

    def space_split(self, rules: "Rules", position: Position, split: Split, units: Sequence[SplitUnit]) -> Effects:
        """Record both halves of a centre as held as long as the whole."""
        return Effects(delays.with_parts(position, split.space, split.halves))
