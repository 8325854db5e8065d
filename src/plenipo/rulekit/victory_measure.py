"""Victory measure: the count that decides who wins, of centres or of pieces."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.facts import CENTRE, PIECE, Fact, Victory
from plenipo.engine.hooks import RuleModule

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

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the victory by centres or pieces, with the number that the rules require."""
        yield Victory(PIECE if self.measure == "pieces" else CENTRE, rules.to_win)
