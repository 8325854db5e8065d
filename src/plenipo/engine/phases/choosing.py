"""The choices of one power that stand: a later choice replaces those that it excludes."""

from collections.abc import Sequence

from plenipo.engine.hooks import RuleModule
from plenipo.engine.orders import Choose
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power

__all__ = ["list_replaced_choices", "standing"]


def standing(legality: Legality, power: Power, choices: Sequence[Choose]) -> tuple[Choose, ...]:
    """Return those of `choices` (legal, in the order given) that stand: the later of two incompatible ones counts.

    Rule modules decide which are compatible (`why_not_together`) and which a later one replaces (`replaced_choices`).
    """
    together: list[Choose] = []
    for choice in dict.fromkeys(reversed(choices)):
        if not legality.why_not_together(power, [choice, *together]):
            together.insert(0, choice)
    gone = list_replaced_choices(legality, power, together)
    return tuple(choice for choice in together if choice not in gone)


def list_replaced_choices(legality: Legality, power: Power, choices: Sequence[Choose]) -> tuple[Choose, ...]:
    """Return those of `choices`, which are compatible, that a later one replaces."""
    modules = legality.rules.overriding[RuleModule.replaced_choices]
    return tuple(choice for module in modules for choice in module.replaced_choices(power, choices))
