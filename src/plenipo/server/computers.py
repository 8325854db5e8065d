"""The orders of computer players, each from its own view."""

import logging
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from random import SystemRandom

from plenipo.bots import Bot, orders_of, thinks
from plenipo.engine.history.view import View, view
from plenipo.engine.orders import Order
from plenipo.engine.position import Power
from plenipo.library import plugins
from plenipo.server.hosted_game import HostedGame

__all__ = ["COMPUTER", "collect_computer_orders"]

COMPUTER = "middling"
"""The default computer player."""


def collect_computer_orders(
    hosted: HostedGame, computers: Mapping[Power, str], player: Callable[[str], Bot]
) -> dict[Power, tuple[Order, ...]]:
    """Return the orders of computer players, each from its own view."""
    chance = SystemRandom()
    asked = {power: player(name) for power, name in computers.items() if name and power in hosted.may_order}

    def of(power: Power) -> tuple[Order, ...]:
        # a player program that fails gives no orders, and the game goes on
        return tuple(_orders_of(asked[power], view(hosted.game, power, {}), power, chance))

    # compiled code has no lock, so players that search run in parallel; players of packages run one at a time
    ahead = [power for power, bot in asked.items() if thinks(bot)]
    with ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="thinking") as pool:
        thought = dict(zip(ahead, pool.map(of, ahead), strict=True))
    return {power: thought[power] if power in thought else of(power) for power in asked}


def _orders_of(player: Bot, own_view: View, power: Power, chance: SystemRandom) -> list[Order]:
    try:
        return orders_of(player, own_view, power, chance)
    except Exception as fault:
        blamed = plugins.blame(fault)
        if not blamed:
            raise
        logging.getLogger(__name__).warning("%s %s orders nothing.", blamed, power)
        return []
