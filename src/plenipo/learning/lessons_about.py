"""The lessons that teach what decided the results of orders."""

from collections.abc import Iterable

from plenipo.engine.outcome import Outcome, Reason
from plenipo.learning.lessons import Lesson, load_lessons

__all__ = ["find_lessons_about"]

MOST_LESSONS = 2

LESSON_ABOUT = {
    Reason.PARADOX: "disrupt",
    Reason.CONVOY_BROKEN: "disrupt",
    Reason.NO_CONVOY: "convoy",
    Reason.ROTATED: "rotation",
    Reason.OWN_UNIT: "own-units",
    Reason.ATTACKED: "cut",
    Reason.HEAD_TO_HEAD: "dislodge",
    Reason.STOOD_OFF: "stand-off",
    Reason.REPELLED: "support-hold",
    Reason.OVERCAME: "support-move",
}
"""The lesson about each reason, the rarest reasons first."""


def find_lessons_about(outcomes: Iterable[Outcome]) -> tuple[Lesson, ...]:
    """Return at most two lessons about what decided some outcomes, those about the rarest reasons first."""
    reasons = {outcome.cause.reason for outcome in outcomes}
    names = dict.fromkeys(name for reason, name in LESSON_ABOUT.items() if reason in reasons)
    return tuple(load_lessons()[name] for name in list(names)[:MOST_LESSONS])
