"""Which choices of one power stand when it goes on choosing: a later one takes the place of what it rules out."""

from collections.abc import Sequence

from plenipo.engine.history.dice import SEED_BYTES, Dice, DrawSource
from plenipo.engine.hooks import RuleModule
from plenipo.engine.legality import Legality
from plenipo.engine.orders import Choose
from plenipo.engine.position import Power

__all__ = ["kept"]


def kept(legality: Legality, power: Power, choices: Sequence[Choose]) -> tuple[Choose, ...]:
    """Those of `choices` (legal, in the order given) that stand: the later one counts where two do not go together.

    Rule modules say what goes together (`why_not_together`) and what a later choice replaces (`after_choices`).
    """
    standing: list[Choose] = []
    for choice in dict.fromkeys(reversed(choices)):
        if not legality.why_not_together(power, [choice, *standing]):
            standing.insert(0, choice)
    replaced = _replaced(legality, power, standing)
    return tuple(choice for choice in standing if choice not in replaced)


def _replaced(legality: Legality, power: Power, choices: Sequence[Choose]) -> set[Choose]:
    # what the others choose does not matter, and nothing drawn here is ever used
    hat = DrawSource(str(legality.position.phase), Dice(bytes(SEED_BYTES)))
    return {
        choice
        for module in legality.rules.overriding(RuleModule.after_choices)
        for _, choice in module.after_choices(legality.rules, legality.position, {power: choices}, hat).replaced
    }
