"""What computer players order, each from its own view."""

import logging
from collections.abc import Callable, Mapping
from random import SystemRandom

from plenipo.bots import Bot, orders_of
from plenipo.engine.history.view import View, view
from plenipo.engine.orders import Order
from plenipo.engine.position import Power
from plenipo.library import plugins
from plenipo.server.hosted import HostedGame

__all__ = ["COMPUTER", "ordered"]

COMPUTER = "middling"
"""The computer player that sits down where none is named."""


def ordered(
    hosted: HostedGame, computers: Mapping[Power, str], player: Callable[[str], Bot]
) -> dict[Power, tuple[Order, ...]]:
    """The orders of computer players, each from its own view."""
    chance = SystemRandom()
    orders: dict[Power, tuple[Order, ...]] = {}
    for power, name in computers.items():
        if name and power in hosted.may_order:
            # who fails orders nothing: the game goes on
            orders[power] = tuple(_orders_of(player(name), view(hosted.game, power, {}), power, chance))
    return orders


def _orders_of(player: Bot, own_view: View, power: Power, chance: SystemRandom) -> list[Order]:
    try:
        return orders_of(player, own_view, power, chance)
    except Exception as fault:
        blamed = plugins.blame(fault)
        if not blamed:
            raise
        logging.getLogger(__name__).warning("%s %s orders nothing.", blamed, power)
        return []
