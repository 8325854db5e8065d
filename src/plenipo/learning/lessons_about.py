"""The rules that decided the results of orders, and the lessons that teach them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from plenipo.engine.orders import Convoy, Move, Support
from plenipo.engine.outcome import Outcome, Reason
from plenipo.learning.lessons import Lesson, load_lessons
from plenipo.learning.rules_screens import load_rules_screens

__all__ = ["RuleName", "find_lessons_about", "find_rules_about"]

MOST_RULES = 2

RULE_ABOUT = {
    Reason.PARADOX: "disrupt",
    Reason.CONVOY_BROKEN: "disrupt",
    Reason.ILLEGAL: "illegal",
    Reason.NO_CONVOY: "convoy",
    Reason.ROTATED: "rotation",
    Reason.OWN_UNIT: "own-units",
    Reason.NO_MATCH: "unmatched",
    Reason.ATTACKED: "cut",
    Reason.HEAD_TO_HEAD: "dislodge",
    Reason.STOOD_OFF: "stand-off",
    Reason.REPELLED: "support-hold",
    Reason.OVERCAME: "support-move",
    Reason.DISLODGED: "dislodge",
}
"""The rule about each reason, the rarest reasons first: a lesson, or a note on the screens of the rules."""

SAFE_CONVOY = "disrupt"
"""The rule about a fleet that was attacked and convoyed all the same; it comes first."""

PLAIN = ("convoy", "support-move", "support-hold", "move")
"""The rules of orders that nothing opposed; they come last."""


class RuleName(NamedTuple):
    """A rule on the screens: the id of its lesson or note, its title, and the screen whose texts have the title."""

    id: str
    title: str
    screen: str


def find_rules_about(outcomes: Iterable[Outcome]) -> tuple[RuleName, ...]:
    """Return at most two rules that decided some outcomes, those of the rarest reasons first.

    Empty where only rules of a variant decided.
    """
    names = tuple(dict.fromkeys(_list_rules(tuple(outcomes))))[:MOST_RULES]
    known = {
        name: RuleName(name, title, screen.id)
        for screen in load_rules_screens()
        for name, title in screen.titles.items()
    }
    return tuple(known[name] for name in names)


def find_lessons_about(outcomes: Iterable[Outcome]) -> tuple[Lesson, ...]:
    """Return at most two lessons about what decided some outcomes, those about the rarest reasons first."""
    lessons = load_lessons()
    return tuple(lessons[rule.id] for rule in find_rules_about(outcomes) if rule.id in lessons)


def _list_rules(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield the rules that decided some outcomes, the rarest first, some of them repeatedly."""
    attacked = {one.order.to.space for one in outcomes if isinstance(one.order, Move)}
    for one in outcomes:
        convoys = isinstance(one.order, Convoy) and one.succeeded
        if convoys and one.unit is not None and one.unit.space in attacked:
            yield SAFE_CONVOY
    reasons = {one.cause.reason for one in outcomes}
    yield from (name for reason, name in RULE_ABOUT.items() if reason in reasons)
    plain = {_plain_rule(one) for one in outcomes}
    yield from (name for name in PLAIN if name in plain)


def _plain_rule(outcome: Outcome) -> str:
    """Return the rule of an order that nothing opposed; empty for one that is not of the standard game."""
    order, reason = outcome.order, outcome.cause.reason
    if reason is Reason.GIVEN and isinstance(order, Support):
        return "support-move" if order.to else "support-hold"
    if (reason is Reason.GIVEN and isinstance(order, Convoy)) or (isinstance(order, Move) and outcome.cause.fleets):
        return "convoy"
    return "move" if reason in (Reason.UNOPPOSED, Reason.HELD) else ""
