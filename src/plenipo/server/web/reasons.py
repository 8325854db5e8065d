"""The reason for a unit's result, and the orders that would have changed it, in sentences."""

from collections.abc import Sequence

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.what_if import what_would_change
from plenipo.engine.orders import Convoy, Move, Support
from plenipo.engine.outcome import Outcome, Resolution, Result
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import SentenceKind
from plenipo.errors import UnknownName
from plenipo.server.web.models import Model, Text

__all__ = ["UnitReason"]

_UNIT_IDLE = SentenceKind("server-unit-idle", "No unit in {space} had orders in {phase}.")

MOST_CHANGES = 2
"""The most combined changes in the search; more take long to find and to read."""

MOST_WAYS = 3
"""The most alternatives that are named."""


class UnitReason(Model):
    """The reason for a unit's result, and the orders that would have changed it."""

    unit: str
    why: str
    sentence: str
    changes: tuple[tuple[Text, ...], ...]

    @classmethod
    def of(cls, rules: Rules, resolution: Resolution, text: str) -> "UnitReason":
        """Explain the result of the unit `text`; raise `InvalidOrder`, or `UnknownName` if there was no such unit."""
        space = notation_of(rules, resolution.before).unit(text).location.space
        outcome = next((one for one in resolution.outcomes if one.unit and one.unit.space == space), None)
        if outcome is None or outcome.unit is None:
            raise UnknownName(_UNIT_IDLE(space=space, phase=resolution.before.phase))
        changes: tuple[tuple[str, ...], ...] = ()
        if resolution.before.phase.kind is PhaseKind.MOVEMENT and not rules.has_secrets:
            ways = what_would_change(rules, resolution, outcome.unit, MOST_CHANGES)
            changes = tuple(tuple(map(str, together)) for together in ways)
        sentence = f"{_otherwise(outcome)} if {_ways(changes)}." if changes else ""
        return cls(unit=str(outcome.unit), why=outcome.why, sentence=sentence, changes=changes)


def _ways(changes: Sequence[Sequence[str]]) -> str:
    ways = [" and ".join(together) for together in changes[:MOST_WAYS]]
    more = f", or in {len(changes) - MOST_WAYS} other ways" if len(changes) > MOST_WAYS else ""
    return ", or if ".join(ways) + more


def _otherwise(outcome: Outcome) -> str:
    """Return the opposite result in words."""
    order, result = outcome.order, outcome.result
    if isinstance(order, Move) and result in (Result.MOVES, Result.FAILS):
        return f"It would {'not ' if result is Result.MOVES else ''}have entered {order.to}"
    if isinstance(order, Support) and result in (Result.SUPPORTS, Result.CUT):
        return f"Its support would {'have been cut' if result is Result.SUPPORTS else 'not have been cut'}"
    if isinstance(order, Convoy) and result is Result.DISRUPTED:
        return "It would not have been dislodged"
    return f"It would {'not ' if outcome.dislodged_by else ''}have been dislodged"
