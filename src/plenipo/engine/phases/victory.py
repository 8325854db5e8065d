"""Who has won (rulebook, object of the game)."""

from collections.abc import Mapping

from plenipo.engine.calendar import Phase
from plenipo.engine.hooks import RuleModule, Score, Verdict
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules

__all__ = ["CENTRE", "most", "score", "verdict"]

CENTRE = "centre"
"""What is counted where no rule module counts something else."""


def verdict(rules: Rules, position: Position, phase: Phase) -> Verdict:
    """Who has won when ownership has been settled in `phase`; a verdict without powers if the game goes on.

    Ordinarily the power that owns at least `rules.to_win` centres and more than any other; a rule module may decide it
    otherwise. Looked at when ownership has been settled, and so never before the retreats.
    """
    for module in rules.overriding(RuleModule.verdict):
        found = module.verdict(rules, position, phase)
        if found is not None:
            return found
    counts = _centres(rules, position)
    won = most(counts, rules.to_win)
    return Verdict((won,), f"{won} won the game with {counts[won]} supply centres.") if won else Verdict()


def score(rules: Rules, position: Position) -> Score:
    """What each power has of what wins, final or on the way: what a rule module counts, or else the centres owned."""
    found = next(filter(None, (module.score(rules, position) for module in rules.overriding(RuleModule.score))), None)
    return found or Score(_centres(rules, position), CENTRE, rules.to_win)


def _centres(rules: Rules, position: Position) -> dict[Power, int]:
    return {power: len(position.centres_of(power)) for power in rules.names}


def most(counts: Mapping[Power, int], enough: int) -> Power | None:
    """The power that has at least `enough` and more than any other; None if there is none."""
    (count, best), *others = sorted(((count, power) for power, count in counts.items()), reverse=True)
    return None if count < enough or (others and others[0][0] == count) else best
