"""Command: several seats write the orders of one power, or one seat those of several.

A seat that has no power of its own is a power of the variant without units and centres.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.facts import Command, Fact
from plenipo.engine.hooks import RuleModule
from plenipo.engine.position import Power
from plenipo.engine.sentences import say
from plenipo.engine.wording import hint
from plenipo.errors import InvalidVariant

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["JointCommand"]


@dataclass(frozen=True)
class JointCommand(RuleModule):
    """The options, each as in the fact `Command`: the `seats` of each power, and how their orders are combined."""

    name: ClassVar[str] = "command"
    claims: ClassVar[frozenset[str]] = frozenset({"who writes orders"})
    fixed: ClassVar[frozenset[str]] = frozenset({"seats"})

    seats: Mapping[Power, tuple[Power, ...]] = field(default_factory=dict)
    merge: Literal["rank", "agreement", "majority", "lot"] = "rank"
    support_over_hold: bool = False

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the seats that command each power.

        Raises `InvalidVariant` for an unknown or repeated seat, a power without a seat, and a majority of two seats.
        """
        for power, seats in self.seats.items():
            if not seats:
                raise InvalidVariant(
                    say(
                        "'{name}.seats' gives {power} no seat: no player could write its orders.",
                        name=self.name,
                        power=power,
                    )
                )
            for seat in seats:
                if seat not in rules.names:
                    known = hint(seat, dict.fromkeys(rules.names))
                    raise InvalidVariant(
                        say(
                            "'{name}.seats' names '{seat}' for {power}; {known}",
                            name=self.name,
                            seat=seat,
                            power=power,
                            known=known,
                        )
                    )
                if seats.count(seat) > 1:
                    raise InvalidVariant(
                        say("'{name}.seats' names {seat} twice for {power}.", name=self.name, seat=seat, power=power)
                    )
            if self.merge == "majority" and len(seats) == 2:  # more than half of two is both
                raise InvalidVariant(
                    say(
                        "'{name}' gives {power} two seats, of which no majority is less than both; write merge = "
                        '"agreement", or name a third.',
                        name=self.name,
                        power=power,
                    )
                )
        yield Command(dict(self.seats), self.merge, self.support_over_hold)
