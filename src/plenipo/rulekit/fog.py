"""Fog: the part of the board that a power sees while the game goes on."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.facts import Fact, Sight
from plenipo.engine.hooks import RuleModule
from plenipo.engine.sentences import say
from plenipo.errors import InvalidVariant

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["Fog"]

FARTHEST = 20
"""More steps than any board is wide."""


@dataclass(frozen=True)
class Fog(RuleModule):
    """The options.

    A power sees so many steps round its `units`, its `centres` and its `homes`: 0 is the space itself, and -1 not even
    that. Of centres it does not see it knows the owner as it was `remembered` from when it last saw it, `seen` now or
    not at all, or `all` owners are public.
    """

    name: ClassVar[str] = "fog"
    hides: ClassVar[bool] = True

    units: int = 1
    centres: int = 1
    homes: int = -1
    owners: Literal["all", "remembered", "seen"] = "remembered"

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield how far powers see; raise `InvalidVariant` for a number of steps that is not from -1 to 20."""
        for name in ("units", "centres", "homes"):
            steps = getattr(self, name)
            if not -1 <= steps <= FARTHEST:
                raise InvalidVariant(
                    say(
                        "'fog.{name}' is {steps}; it must be a number of steps from -1 to {farthest}.",
                        name=name,
                        steps=steps,
                        farthest=FARTHEST,
                    )
                )
        yield Sight(self.units, self.centres, self.homes, self.owners)
