"""How hard a player thinks: numbers of plans and playings-out, never seconds, so that a seed says it all."""

from typing import NamedTuple

from plenipo.bots.policy import temper

__all__ = ["LEVELS", "OTHERS", "OWN", "TEMPERS", "WEIGHING", "Level"]


class Level(NamedTuple):
    """What a level spends on a movement phase."""

    pool: int
    """Plans drawn from the policy."""
    samples: int
    """What the others may do, against which every plan is judged."""
    changes: int
    """Small changes tried."""
    depth: int
    """Movements played out, and then to the end of the year; 0: the phase at hand alone."""
    starts: int = 1
    """Plans from which the changes begin."""
    margin: int = 0
    """One of the plans that promise less than the best by up to so many parts of ten thousand of the board is drawn."""
    memory: int = 0
    """Movements looked back on to tell the others' tempers."""


LEVELS = {
    "quick": Level(6, 1, 0, 0),
    "middling": Level(12, 8, 60, 1, 2, 5, 4),
    "strong": Level(32, 20, 160, 2, 3, 5, 6),
    "strongest": Level(48, 40, 500, 3, 4, 10, 8),
}
"""The levels from the weakest."""

WEIGHING = Level(32, 20, 240, 2, 6, 0, 5)
"""What a hint spends: many beginnings, so that its plans differ."""

OTHERS = {
    "plain": temper(),
    "raider": temper(guard=5, guard_late=8, noise=20),
    "guard": temper(guard=60, guard_late=80, noise=8),
    "builder": temper(free=120, free_each=40, prey_square=4),
    "levelling": temper(prey=10, prey_each=4, prey_square=16),
    "friend": temper(towards=30),
    "foe": temper(towards=200),
    "wild": temper(noise=45, pile=300),
    "greedy": temper(
        free=64,
        free_each=48,
        prey=64,
        prey_each=16,
        prey_square=16,
        guard=43,
        guard_late=67,
        crowd=0,
        noise=15,
        help=100,
        carry=10_000,
        pile=400,
        **dict.fromkeys(("empty_fewer", "empty_even", "empty_one", "empty_two"), 16),
        **dict.fromkeys(("held_fewer", "held_even", "held_one", "held_two"), 16),
    ),  # goes for the greatest powers, whatever the odds
}
"""The tempers others are taken to have."""

OWN = (temper(noise=0), temper(), temper(noise=24), temper(noise=45), temper(noise=90))
"""The tempers one's own plans are drawn from: the first one once, the others in turn."""

TEMPERS = [*OTHERS.values(), *OWN]
"""All rows: those of the others, then one's own."""
