"""Destroyed in centres: a unit dislodged in a province with a supply centre, anybody's, is removed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from plenipo.engine.hooks import RuleModule
from plenipo.engine.position import Dislodged, Position

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["DestroyedInCentres"]


@dataclass(frozen=True)
class DestroyedInCentres(RuleModule):
    """It has no options."""

    name: ClassVar[str] = "destroyed_in_centres"

    def why_no_retreat(self, rules: "Rules", position: Position, dislodged: Dislodged) -> str:
        """The sentence that tells the loss, if the unit stood in a centre."""
        board, unit = rules.board_at(position), dislodged.unit
        if unit.space not in board.centres:
            return ""
        return f"{unit} was destroyed: {board.spaces[unit.space].name} has a supply centre, from which nobody retreats."
