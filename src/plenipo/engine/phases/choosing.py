"""Which choices of one power stand when it goes on choosing: a later one takes the place of what it rules out."""

from collections.abc import Sequence

from plenipo.engine.hooks import RuleModule
from plenipo.engine.orders import Choose
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power

__all__ = ["replaced", "standing"]


def standing(legality: Legality, power: Power, choices: Sequence[Choose]) -> tuple[Choose, ...]:
    """Those of `choices` (legal, in the order given) that stand: the later one counts where two do not go together.

    Rule modules say what goes together (`why_not_together`) and what a later choice replaces (`replaced_choices`).
    """
    together: list[Choose] = []
    for choice in dict.fromkeys(reversed(choices)):
        if not legality.why_not_together(power, [choice, *together]):
            together.insert(0, choice)
    gone = replaced(legality, power, together)
    return tuple(choice for choice in together if choice not in gone)


def replaced(legality: Legality, power: Power, choices: Sequence[Choose]) -> tuple[Choose, ...]:
    """Those of `choices`, which go together, that a later one takes the place of."""
    modules = legality.rules.overriding[RuleModule.replaced_choices]
    return tuple(choice for module in modules for choice in module.replaced_choices(power, choices))
