"""The effort of each level: numbers of plans and playouts, never seconds, so that a seed determines every order."""

from typing import NamedTuple

from plenipo.bots.policy import style

__all__ = [
    "COMPARING",
    "JUDGING",
    "LEVELS",
    "OTHERS",
    "OWN",
    "PERSONS",
    "RIVAL",
    "SEARCHES",
    "STYLES",
    "WEIGHING",
    "Level",
    "StyledPlayer",
]


class Level(NamedTuple):
    """The effort that a level spends on a movement phase."""

    pool: int
    """Plans drawn from the policy."""
    samples: int
    """Sampled order sets of the others, against which every plan is evaluated."""
    changes: int
    """Small changes tried."""
    depth: int
    """Movements in a playout, and then to the end of the year; 0: the current phase alone."""
    starts: int = 1
    """Plans from which the changes begin."""
    margin: int = 0
    """One of the plans that promise less than the best by up to so many parts of ten thousand of the board is drawn."""
    memory: int = 0
    """Movements looked back on to tell the others' styles."""
    rivals: int = 0
    """The number of the nearest powers that are assumed to search as well."""
    searches: int = 0
    """The number of searches for each of them."""
    rival: "Level | None" = None
    """The effort of each of these searches; `RIVAL` if None."""


RIVAL, SEARCHES = Level(12, 4, 30, 0), 2
"""The effort of a small search for a rival, and the number of them that tell whether it searches at all."""


LEVELS = {
    "quick": Level(6, 1, 0, 0),
    "middling": Level(12, 8, 60, 1, 2, 5, 4),
    "strong": Level(24, 24, 160, 1, 3, 5, 6, 3, 4),
    "strongest": Level(48, 48, 480, 1, 4, 5, 8, 6, 8, Level(12, 8, 60, 1)),
}
"""The levels from the weakest."""

WEIGHING = Level(32, 20, 240, 2, 6, 0, 5)
"""The effort of a hint: many starting plans, so that its plans differ."""

JUDGING = Level(24, 24, 120, 1, 3, 0, 5)
"""The effort of the search for the best plan of a past movement, by which its orders are rated."""

COMPARING = JUDGING._replace(pool=1, samples=64)
"""The samples in which orders of a past movement are compared with the plans of that search."""

OTHERS = {
    "plain": style(),
    "raider": style(guard=5, guard_late=8, noise=20),
    "guard": style(guard=60, guard_late=80, noise=8),
    "builder": style(free=120, free_each=40, prey_square=4),
    "levelling": style(prey=10, prey_each=4, prey_square=16),
    "friend": style(towards=30),
    "foe": style(towards=200),
    "wild": style(noise=45, pile=300),
    "greedy": style(
        free=64,
        free_each=48,
        prey=64,
        prey_each=16,
        prey_square=16,
        guard=43,
        guard_late=67,
        crowd=0,
        noise=8,
        help=5,
        carry=10_000,
        pile=400,
        **dict.fromkeys(("empty_fewer", "empty_even", "empty_one", "empty_two"), 16),
        **dict.fromkeys(("held_fewer", "held_even", "held_one", "held_two"), 16),
    ),  # goes for the greatest powers, whatever the odds
    "still": style(still=1),
}
"""The styles that others are assumed to have; the last one only where a power has ordered next to nothing."""


def _own(**changes: int) -> tuple[list[int], ...]:
    """Return the styles of a player's plans: the first is used once, the others in turn, with ever more chance."""
    return tuple(style(**changes, **noise) for noise in ({"noise": 0}, {}, {"noise": 24}, {"noise": 45}, {"noise": 90}))


OWN = _own()
"""The styles of the levels' own plans."""

STYLES = [*OTHERS.values(), *OWN]
"""All rows: the styles of the others, then those of own plans."""


class StyledPlayer(NamedTuple):
    """A computer player with a style of its own: its level, and the styles its plans are drawn from."""

    level: Level
    styles: tuple[list[int], ...]


_MODERATE = Level(16, 6, 6, 1, 3, 80, 4)
"""The effort of persons: many plans and few changes, so that their style shows."""

PERSONS = {
    "raider": StyledPlayer(_MODERATE, _own(prey=150, prey_each=30, guard=2, guard_late=4, calm=0, crowd=300)),
    "builder": StyledPlayer(_MODERATE, _own(free=220, free_each=60, prey=30, prey_each=6, prey_square=4, guard=30)),
    "guardian": StyledPlayer(_MODERATE, _own(guard=80, guard_late=120, calm=40, prey=40, prey_each=8, crowd=1600)),
}
"""The computer players with a name and style of their own."""
