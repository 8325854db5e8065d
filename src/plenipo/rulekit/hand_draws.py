"""Hand draws: the game's dice draw every slip and card, or the game master does and enters what came out."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from plenipo.engine.hooks import RuleModule

__all__ = ["HandDraws"]


@dataclass(frozen=True)
class HandDraws(RuleModule):
    """The option `draws`: `seeded` by the game's dice, or `gm_entered` from a real hat, which the log then says."""

    name: ClassVar[str] = "hand_draws"

    draws: Literal["seeded", "gm_entered"] = "seeded"

    def draws_by_hand(self) -> bool:
        """Whether the game master draws."""
        return self.draws == "gm_entered"
