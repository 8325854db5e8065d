"""Who has won (rulebook, object of the game)."""

from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules

__all__ = ["winner"]


def winner(rules: Rules, position: Position) -> Power | None:
    """The power that owns at least `rules.to_win` centres and more than any other; None if there is none.

    Looked at when ownership has been settled, and so never before the retreats.
    """
    counts = sorted(((len(position.centres_of(power)), power) for power in rules.names), reverse=True)
    best, *others = counts
    if best[0] < rules.to_win or (others and others[0][0] == best[0]):
        return None
    return best[1]
