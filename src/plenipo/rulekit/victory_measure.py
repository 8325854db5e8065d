"""Victory measure: what is counted to see who has won."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.calendar import Phase
from plenipo.engine.hooks import RuleModule, Score, Verdict
from plenipo.engine.phases import victory
from plenipo.engine.position import Position, Power

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["VictoryMeasure"]


@dataclass(frozen=True)
class VictoryMeasure(RuleModule):
    """The option `measure`: the centres owned, or the pieces on the board when ownership has been settled.

    A power wins with the number the variant asks for and more of them than any other.
    """

    name: ClassVar[str] = "victory_measure"
    claims: ClassVar[frozenset[str]] = frozenset({"who wins"})

    measure: Literal["centres", "pieces"] = "centres"

    def victory_condition(self, to_win: int) -> str:
        """The pieces, if they are counted."""
        return f"{to_win} pieces" if self.measure == "pieces" else ""

    def score(self, rules: "Rules", position: Position) -> Score | None:
        """The pieces, if they are counted."""
        return Score(_pieces(rules, position), "piece", rules.to_win) if self.measure == "pieces" else None

    def verdict(self, rules: "Rules", position: Position, phase: Phase) -> Verdict | None:  # noqa: ARG002  # a hook
        """Who has the most pieces, and enough; the count of centres is the rulebook's own business."""
        if self.measure == "centres":
            return None
        counts = _pieces(rules, position)
        won = victory.most(counts, rules.to_win)
        return Verdict((won,), f"{won} won the game with {counts[won]} pieces.") if won else Verdict()


def _pieces(rules: "Rules", position: Position) -> dict[Power, int]:
    return {power: len(position.units_of(power)) for power in rules.names}
