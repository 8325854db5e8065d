"""Destroyed in centres: a unit dislodged in a province with a supply centre, of any owner, is removed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from plenipo.engine.facts import Fact, NoRetreat
from plenipo.engine.hooks import RuleModule
from plenipo.engine.sentences import SentenceKind

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["DestroyedInCentres"]

_IN_CENTRE = SentenceKind(
    "destroyed-in-centre", "{unit} was destroyed: {place} has a supply centre, from which no unit retreats."
)


@dataclass(frozen=True)
class DestroyedInCentres(RuleModule):
    """It has no options."""

    name: ClassVar[str] = "destroyed_in_centres"

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the loss of every unit dislodged in a centre."""
        yield NoRetreat(_IN_CENTRE, in_centres=True)
