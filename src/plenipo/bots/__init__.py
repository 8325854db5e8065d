"""Computer players: a view and the legal orders in, orders out.

A player is a function of what its power may see, what it may order, and a source of chance; it keeps nothing between
phases. It works for any variant, since all it knows comes from the view and the legal orders.
"""

from collections.abc import Callable, Mapping
from random import Random

from plenipo.bots.careless import careless
from plenipo.bots.sensible import sensible
from plenipo.engine.history.view import View
from plenipo.engine.legality import Legality, LegalOrders
from plenipo.engine.orders import Order
from plenipo.engine.position import Power

__all__ = ["BOTS", "Bot", "orders_of"]

Bot = Callable[[View, LegalOrders, Random], list[Order]]
"""What a computer player is: what its power sees, what it may order, chance -> its orders for the phase."""

BOTS: Mapping[str, Bot] = {"sensible": sensible, "careless": careless}
"""The computer players by name: one that plays by rules of thumb, and one that orders anything legal."""


def orders_of(player: Bot, view: View, power: Power, chance: Random) -> list[Order]:
    """The orders of a computer player for `power`."""
    return player(view, Legality(view.rules, view.position).orders_of(power), chance)
