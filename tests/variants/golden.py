"""Golden games of the bank: for each variant what comes of one fixed year, as a hash."""

from hashlib import sha256
from pathlib import Path
from random import Random

from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.turns import Turn
from plenipo.engine.rules import Rules
from plenipo.library.trial_orders import random_orders

GOLDEN = Path(__file__).with_name("golden.json")
"""The hashes, by the names of the variants."""

MOST_PHASES = 8


def golden_game(rules: Rules) -> str:
    """The hash of a year of orders that are always the same; raises `AssertionError` for a position with a fault."""
    chance = Random(rules.variant)  # only to play
    game = Game.new(rules, Dice(bytes(32)))
    year = game.position.phase.year
    for _ in range(MOST_PHASES):
        position = game.position
        if position.winners or position.phase.year > year:
            break
        order_sets = random_orders(rules, position, chance)
        game = game.process({power: list(orders) for power, orders in order_sets.items()})
        assert list(game.position.faults(rules.board_at(game.position))) == []
    return sha256("\n".join(map(told, game.turns)).encode()).hexdigest()[:16]


def told(turn: Turn) -> str:
    """Return the results of a turn, without versions of the package and sentences."""
    after = turn.resolution.after
    came = [f"{outcome.power} {outcome.unit} {outcome.order} {outcome.result}" for outcome in turn.resolution.outcomes]
    stand = [f"{unit.power} {unit}" for unit in after.units]
    return f"{after.phase} {came} {stand} {sorted(after.owners.items())} {after.changes} {after.winners}"
