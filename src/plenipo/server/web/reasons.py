"""The reason for a unit's result, and the orders that would have changed it, in sentences."""

from collections.abc import Sequence
from functools import reduce

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.what_if import SupportChange, what_would_change
from plenipo.engine.orders import Convoy, Move, Support
from plenipo.engine.outcome import Outcome, Resolution, Result
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import Sentence, SentenceKind
from plenipo.errors import UnknownName
from plenipo.server.web.models import Model, OptionalSentence, SentenceField

__all__ = ["UnitReason"]

_UNIT_IDLE = SentenceKind("server-unit-idle", "No unit in {space} had orders in {phase}.")
_OTHERWISE_IF = SentenceKind("server-otherwise-if", "{otherwise} if {ways}.")
_ALL = SentenceKind("server-otherwise-all", "{changes}", note="Changes that are needed together.")
_OR_IF = SentenceKind("server-otherwise-or-if", "{one}, or if {other}", note="Two ways to change a result.")
_OTHER_WAYS = SentenceKind(
    "server-otherwise-other-ways", "{ways}, or in {number} other way", "{ways}, or in {number} other ways"
)
_ENTERED = SentenceKind("server-otherwise-entered", "It would have entered {place}", note="'It' is a unit.")
_NOT_ENTERED = SentenceKind("server-otherwise-not-entered", "It would not have entered {place}", note="'It' is a unit.")
_CUT = SentenceKind("server-otherwise-cut", "Its support would have been cut", note="The support of a unit.")
_NOT_CUT = SentenceKind(
    "server-otherwise-not-cut", "Its support would not have been cut", note="The support of a unit."
)
_DISLODGED = SentenceKind("server-otherwise-dislodged", "It would have been dislodged", note="'It' is a unit.")
_NOT_DISLODGED = SentenceKind(
    "server-otherwise-not-dislodged", "It would not have been dislodged", note="'It' is a unit."
)

MOST_CHANGES = 2
"""The most combined changes in the search; more take long to find and to read."""

MOST_WAYS = 3
"""The most alternatives that are named."""


class UnitReason(Model):
    """The reason for a unit's result, and the orders that would have changed it."""

    unit: str
    why: SentenceField
    sentence: OptionalSentence
    changes: tuple[tuple[SentenceField, ...], ...]

    @classmethod
    def of(cls, rules: Rules, resolution: Resolution, text: str) -> "UnitReason":
        """Explain the result of the unit `text`; raise `InvalidOrder`, or `UnknownName` if there was no such unit."""
        space = notation_of(rules, resolution.before).unit(text).location.space
        outcome = next((one for one in resolution.outcomes if one.unit and one.unit.space == space), None)
        if outcome is None or outcome.unit is None:
            raise UnknownName(_UNIT_IDLE(space=space, phase=resolution.before.phase))
        changes: tuple[tuple[SupportChange, ...], ...] = ()
        if resolution.before.phase.kind is PhaseKind.MOVEMENT and not rules.has_secrets:
            changes = what_would_change(rules, resolution, outcome.unit, MOST_CHANGES)
        sentence = _OTHERWISE_IF(otherwise=_otherwise(outcome), ways=_ways(changes)) if changes else None
        return cls.model_validate(
            {
                "unit": str(outcome.unit),
                "why": outcome.why,
                "sentence": sentence,
                "changes": tuple(tuple(change.as_sentence() for change in together) for together in changes),
            }
        )


def _ways(changes: Sequence[Sequence[SupportChange]]) -> Sentence:
    """Return the first of the ways to change a result, and the number of the others, as a part of a sentence."""
    named = [_ALL(changes=tuple(change.as_sentence() for change in together)) for together in changes[:MOST_WAYS]]
    ways = reduce(lambda one, other: _OR_IF(one=one, other=other), named)
    more = len(changes) - MOST_WAYS
    return _OTHER_WAYS(ways=ways, number=more) if more > 0 else ways


def _otherwise(outcome: Outcome) -> Sentence:
    """Return the opposite result as a part of a sentence."""
    order, result = outcome.order, outcome.result
    if isinstance(order, Move) and result in (Result.MOVES, Result.FAILS):
        return (_NOT_ENTERED if result is Result.MOVES else _ENTERED)(place=order.to)
    if isinstance(order, Support) and result in (Result.SUPPORTS, Result.CUT):
        return (_CUT if result is Result.SUPPORTS else _NOT_CUT)()
    if isinstance(order, Convoy) and result is Result.DISRUPTED:
        return _NOT_DISLODGED()
    return (_NOT_DISLODGED if outcome.dislodged_by else _DISLODGED)()
