"""Compile what the computer players need, once: `python -m plenipo.warm`; below the I/O line.

It takes about a minute of processor time the first time, and nothing after that: the result is kept in the user's
cache, and only another version of Plenipo, Python or Numba, or another processor, has it compiled again.
"""

import os
import sys
from contextlib import suppress

from plenipo import bots, library
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.phases.legality import Legality

__all__ = ["thought", "warm"]

NICER = 10
"""How much this yields to everything else the machine does."""

LEVEL = "middling"
"""A level that looks back on what others ordered; every level runs the same code."""

OPENINGS = (("standard", 2), ("1897", 1))
"""Variants and how many of their phases are thought about: two movements, and a choice before the first move."""


def warm() -> None:
    """Think about a few phases, so that everything is compiled, or loaded if it was; nothing where it cannot be had."""
    if bots.why_simple():
        return
    for variant, phases in OPENINGS:
        game = Game.new(library.load(variant), Dice(bytes(32)))
        for _ in range(phases):
            thought(game)
            game = game.process({})
    bots.mark_compiled()


def thought(game: Game) -> None:
    """Think about the open phase of a game for the first power that is asked."""
    for power in view(game, None, {}).may_order[:1]:
        bots.think(view(game, power, {}), Legality(game.rules, game.position).orders_of(power), 1, LEVEL)


if __name__ == "__main__":
    with suppress(OSError, AttributeError):
        os.nice(NICER)
    warm()
    sys.exit(0 if bots.compiled() else 1)
