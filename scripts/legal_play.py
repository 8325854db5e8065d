"""Let a computer player play every variant, phase after phase, and check that all its orders are allowed.

`python scripts/legal_play.py 100000 --level quick` counts order sets: one power in one phase is one. It exits with 1
and names the orders if any is not legal, is given twice for a unit, or is refused when the phase is adjudicated.
"""

import argparse
import sys
from itertools import cycle
from random import Random

from plenipo import bots, library
from plenipo.engine.budgets import affordable
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.orders import Declare, Order
from plenipo.engine.phases.legality import Legality, LegalOrders

__all__ = ["faults_of", "played"]

YEARS = 12
"""The years of a game before the next variant."""


def faults_of(legal: LegalOrders, orders: list[Order], kind: PhaseKind) -> list[str]:
    """Return the faults in the orders of a power, a sentence each, whether the power can pay for them or not."""
    faults = [f"'{order}' is not legal for {legal.power}." for order in orders if order not in legal]
    ordered = sum(not isinstance(order, Declare) for order in orders)
    if kind in (PhaseKind.MOVEMENT, PhaseKind.RETREATS) and ordered != len(legal.units):
        faults.append(f"{legal.power} has {len(legal.units)} units and ordered {ordered}.")
    return faults


def played(variant: str, level: str, most: int, chance: Random) -> tuple[int, list[str]]:
    """Play a game of a variant; return the number of order sets, at most so many, and their faults."""
    game = Game.new(library.load(variant), Dice(chance.randbytes(32)))
    last = game.position.phase.year + YEARS
    count, faults = 0, list[str]()
    while count < most and not game.over and game.position.phase.year < last:
        order_sets = {}
        legality = Legality(game.rules, game.position)
        for power in view(game, None, {}).may_order:
            legal = legality.orders_of(power)
            orders = bots.BOTS[level](view(game, power, {}), legal, chance)
            order_sets[power] = affordable(game.rules, game.position, power, orders)
            found = faults_of(legal, orders, game.position.phase.kind)
            faults += [f"{variant}, {game.position.phase}: {fault}" for fault in found]
            count += 1
        game = game.process(order_sets)
        faults += [
            f"{variant}, {game.turns[-1].resolution.before.phase}: {fault}"
            for fault in game.turns[-1].resolution.errors
        ]
    return count, faults


def main() -> int:
    """Play; return 1 if any order was faulty."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("phases", type=int, help="how many times a power orders")
    parser.add_argument("--level", default="quick", choices=sorted(bots.BOTS), help="who plays")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variants", nargs="*", help="all of them, if left out")
    wanted = parser.parse_args()
    chance = Random(wanted.seed)  # noqa: S311  # games that can be repeated
    counts = dict.fromkeys(wanted.variants or (*library.names(), *library.bank()), 0)
    for variant in cycle(counts):
        left = wanted.phases - sum(counts.values())
        if left <= 0:
            break
        count, faults = played(variant, wanted.level, left, chance)
        counts[variant] += count
        if faults:
            print(*faults, sep="\n")
            return 1
    told = ", ".join(f"{variant} {count}" for variant, count in counts.items())
    print(f"{wanted.level} ordered {sum(counts.values())} times ({told}), and everything was allowed.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
