"""Manual draws: the game's dice draw every slip and card, or the game master draws and enters the results."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.facts import DrawsByHand, Fact
from plenipo.engine.hooks import RuleModule

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["ManualDraws"]


@dataclass(frozen=True)
class ManualDraws(RuleModule):
    """The option `draws`: `seeded` by the game's dice, or `gm_entered` from real draws, which the log then says."""

    name: ClassVar[str] = "manual_draws"

    draws: Literal["seeded", "gm_entered"] = "seeded"

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the rule that the game master draws, if the option says so."""
        if self.draws == "gm_entered":
            yield DrawsByHand()
