"""The orders of computer players, each from its own view."""

import logging
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from random import Random, SystemRandom

from plenipo.bots import BOTS, LEVELS, Bot, orders_of, thinks
from plenipo.bots.deals.agreements import keep_promises
from plenipo.bots.deals.dealers import DEAL_STYLES, Dealer
from plenipo.engine.budgets import affordable
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.view import View, view
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.library import plugins
from plenipo.server.deal_ledger import find_shown_orders, talks_of_seat
from plenipo.server.hosted_game import HostedGame

__all__ = ["COMPUTER", "collect_computer_orders", "find_dealer", "order_with_deals"]

COMPUTER = "middling"
"""The default computer player."""

STYLE = DEAL_STYLES["deals"]
"""The way in which computer players deal with people."""


def collect_computer_orders(
    hosted: HostedGame, computers: Mapping[Power, str], player: Callable[[str], Bot]
) -> dict[Power, tuple[Order, ...]]:
    """Return the orders of computer players, each from its own view."""
    chance = SystemRandom()
    asked = {power: player(name) for power, name in computers.items() if name and power in hosted.may_order}

    def of(power: Power) -> tuple[Order, ...]:
        # a player program that fails gives no orders, and the game goes on
        return tuple(_orders_of(hosted, asked[power], view(hosted.game, power, {}), power, chance))

    # compiled code has no lock, so players that search run in parallel; players of packages run one at a time
    ahead = [power for power, bot in asked.items() if thinks(bot)]
    with ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="thinking") as pool:
        thought = dict(zip(ahead, pool.map(of, ahead), strict=True))
    return {power: thought[power] if power in thought else of(power) for power in asked}


def find_dealer(player: Bot) -> Dealer | None:
    """Return how a computer player makes deals; None if it makes none."""
    return next((Dealer(name, STYLE) for name in LEVELS if BOTS[name] is player), None)


def order_with_deals(
    hosted: HostedGame, player: Bot, own_view: View, power: Power, chance: Random
) -> list[Order] | None:
    """Return the orders of a movement of a computer player that has made deals; None if no clause binds anybody."""
    talks = talks_of_seat(hosted.rules, hosted.ledger, hosted.deals, hosted.turn, power)
    if own_view.position.phase.kind is not PhaseKind.MOVEMENT or not any(one.open_clauses for one in talks.agreements):
        return None
    if shown := find_shown_orders(hosted.rules, hosted.deals, hosted.turn, power):
        return list(shown)
    dealer = find_dealer(player)
    if dealer is None:
        # it plays in place of the one that promised
        orders = keep_promises(orders_of(player, own_view, power, chance), talks.promises_of(power))
    else:
        orders = dealer.orders(own_view, Legality(own_view.rules, own_view.position).orders_of(power), chance, talks)
    return affordable(own_view.rules, own_view.position, power, orders)


def _orders_of(hosted: HostedGame, player: Bot, own_view: View, power: Power, chance: SystemRandom) -> list[Order]:
    try:
        promised = order_with_deals(hosted, player, own_view, power, chance) if hosted.deals else None
        return orders_of(player, own_view, power, chance) if promised is None else promised
    except Exception as fault:
        blamed = plugins.blame(fault)
        if not blamed:
            raise
        logging.getLogger(__name__).warning("%s %s orders nothing.", blamed, power)
        return []
