"""Garrisons: the units of a power without a player stay on the board as neutral pieces.

They follow standing orders, never move and never retreat, need no centre, capture none and are not rebuilt. The centres
in which they stand have no owner until they are captured.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.facts import Fact, Garrison
from plenipo.engine.hooks import RuleModule
from plenipo.engine.orders import Hold, Support
from plenipo.engine.position import Position, Power, PowerInfo, Unit
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.sentences import say
from plenipo.errors import InvalidOrder, InvalidVariant

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["NEUTRAL", "Garrisons"]

NEUTRAL = Power("Neutral")
"""The owner of units without a player."""


@dataclass(frozen=True)
class Garrisons(RuleModule):
    """The options.

    `power` is the power that need not be played; if it is `played`, no garrison stands at the start. Without one the
    garrisons stand beside all powers.
    `units` are the neutral pieces in its place, `orders` their standing orders, holds and supports of one another; a
    piece whose partner is gone holds, and so does one without an order.
    """

    name: ClassVar[str] = "garrisons"
    claims: ClassVar[frozenset[str]] = frozenset({"neutral pieces"})
    fixed: ClassVar[frozenset[str]] = frozenset({"power", "orders"})

    power: Power | None = None
    played: bool = True
    units: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()

    def game_powers(self, powers: tuple[PowerInfo, ...]) -> tuple[PowerInfo, ...]:
        """Return the powers, with one for the neutral pieces and without the one that these may replace."""
        if self.power is None:
            return (*powers, PowerInfo(NEUTRAL, "neutral", (), played=False))
        others = tuple(info for info in powers if info.name != self.power)
        if len(others) == len(powers):
            raise InvalidVariant(
                say("'{name}' names '{power}', which is not a power of this variant.", name=self.name, power=self.power)
            )
        return (*(powers if self.played else others), PowerInfo(NEUTRAL, "neutral", (), played=False))

    def opening(self, rules: "Rules", position: Position) -> Position:
        """Return the position with the garrisons.

        Raises `InvalidVariant` for a unit or an order that cannot be read, and for a unit that cannot stand there or
        that stands where another does or in the centre of a power.
        """
        if self.power is not None and self.played:
            return position
        notation = notation_of(rules)
        units: list[Unit] = []
        for text in self.units:
            try:
                ref = notation.unit(text)
            except InvalidOrder as fault:
                raise InvalidVariant(
                    say("'{name}' has the unit '{text}': {fault}", name=self.name, text=text, fault=fault)
                ) from fault
            if ref.kind is None:
                raise InvalidVariant(
                    say("'{name}' has the unit '{text}'; write its letter, A or F.", name=self.name, text=text)
                )  # english: ok
            owner = position.owners.get(ref.location.space)
            if owner:
                raise InvalidVariant(
                    say(
                        "'{name}' has the unit '{text}'; {owner} starts with that centre.",
                        name=self.name,
                        text=text,
                        owner=owner,
                    )
                )
            units.append(Unit(NEUTRAL, ref.kind, ref.location))
        garrisoned = replace(position, units=(*position.units, *units))
        wrong = next(garrisoned.faults(rules.board), None)
        if wrong:
            raise InvalidVariant(say("'{name}' cannot place its units: {wrong}", name=self.name, wrong=wrong))
        return garrisoned

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the garrisons with their orders.

        Raises `InvalidVariant` for an order that cannot be read or that no garrison may have.
        """
        orders: dict[Code, Hold | Support] = {}
        for text in self.orders:
            try:
                order = notation_of(rules).read(text, PhaseKind.MOVEMENT)
            except InvalidOrder as fault:
                raise InvalidVariant(
                    say("'{name}' has the order '{text}': {fault}", name=self.name, text=text, fault=fault)
                ) from fault
            if not isinstance(order, Hold | Support) or (isinstance(order, Support) and order.to):
                raise InvalidVariant(
                    say(
                        "'{name}' has the order '{text}'; garrisons hold or support one another.",
                        name=self.name,
                        text=text,
                    )
                )
            orders[order.unit.location.space] = order
        yield Garrison(NEUTRAL, orders)
