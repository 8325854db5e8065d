"""Who has won (rulebook, object of the game)."""

from collections.abc import Mapping

from plenipo.engine.facts import CENTRE, PIECE
from plenipo.engine.hooks import RuleModule, Score, Verdict
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.engine.wording import count, listing

__all__ = ["CENTRE", "score", "verdict"]


def verdict(rules: Rules, position: Position) -> Verdict:
    """Who has won when ownership has been settled; a verdict without powers if the game goes on.

    Who has enough of what is counted (`Rules.victory`) and more than any other power, or as much where the victory may
    be shared; a power without units and centres only if there is no other. Looked at when ownership has been settled,
    and so never before the retreats.
    """
    counts = _counts(rules, position)
    noun, enough = rules.victory.noun, rules.victory.enough
    if max(counts.values(), default=0) < enough:
        return Verdict()
    alive = {power: has for power, has in counts.items() if position.survives(power)}
    best = max((alive or counts).values())
    leaders = tuple(power for power, has in (alive or counts).items() if has == best)
    if best < enough or (len(leaders) > 1 and not rules.victory.shared):
        return Verdict()
    return Verdict(leaders, f"{listing(leaders)} won the game with {count(best, _SPOKEN.get(noun, noun))}.")


_SPOKEN = {CENTRE: "supply centre"}


def score(rules: Rules, position: Position) -> Score:
    """Each power's progress towards victory, final or on the way."""
    return Score(_counts(rules, position), rules.victory.noun, rules.victory.enough)


def _counts(rules: Rules, position: Position) -> Mapping[Power, int]:
    if rules.victory.noun == CENTRE:
        return {power: len(position.centres_of(power)) for power in rules.names}
    if rules.victory.noun == PIECE:
        return {power: len(position.units_of(power)) for power in rules.names}
    counts = (module.progress(rules, position) for module in rules.overriding[RuleModule.progress])
    return next((of_module for of_module in counts if of_module is not None), dict.fromkeys(rules.names, 0))
