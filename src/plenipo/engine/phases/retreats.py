"""The retreat phase: the possible retreats of a dislodged unit, and the results of the orders (rulebook; DATC 6.H)."""

from collections.abc import Sequence

from plenipo.engine.board import Code, Location
from plenipo.engine.hooks import RuleModule
from plenipo.engine.orders import Disband, Retreat, RetreatOrder
from plenipo.engine.outcome import Cause, Outcome, Reason, Result
from plenipo.engine.position import Dislodged, Position, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import SentenceKind

__all__ = ["options", "resolve", "why_none"]

_UNIT_OF = SentenceKind("unit-of", "{unit} of {power}")
_COLLIDED = SentenceKind("retreat-collided", "{unit} was disbanded: {others} retreated to {place} as well.")
_RETREATED = SentenceKind("retreated", "{unit} retreated to {place}.")
_DISBANDED = SentenceKind("disbanded", "{unit} was disbanded.")
_NOT_ORDERED = SentenceKind("disbanded-no-order", "{unit} was disbanded: it had no valid order.")


def why_none(rules: Rules, before: Position, dislodged: Dislodged) -> str:
    """Return a sentence that says why a unit just dislodged in `before` is destroyed and may not retreat.

    Empty if it may.
    """
    board, unit = rules.board_at(before), dislodged.unit
    for fact in rules.facts.no_retreat:
        if fact.about(unit, in_centre=unit.space in board.centres):
            return fact.why(unit=unit, place=board.spaces[unit.space].name, type=board.name_with_article(unit.kind))
    reasons = (
        module.why_no_retreat(rules, before, dislodged) for module in rules.overriding[RuleModule.why_no_retreat]
    )
    return next(filter(None, reasons), "")


def options(rules: Rules, position: Position, dislodged: Dislodged) -> tuple[Location, ...]:
    """Return the locations that `dislodged` may retreat to in `position`, sorted.

    They are within reach without convoy, vacant, not left vacant by a stand-off, and not the origin of its attacker.
    """
    unit = dislodged.unit
    limiting = rules.overriding[RuleModule.why_not_ordered]
    return tuple(
        sorted(
            to
            for to in rules.board_at(position).steps(unit.kind, unit.location)
            if to.space != unit.space
            and to.space not in dislodged.barred
            and to.space not in position.contested
            and position.unit_at(to.space) is None
            and not any(module.why_not_ordered(rules, position, unit, Retreat(unit.ref, to)) for module in limiting)
        )
    )


def resolve(
    position: Position, orders: Sequence[tuple[Dislodged, RetreatOrder | None]]
) -> tuple[tuple[Outcome, ...], tuple[Unit, ...]]:
    """Adjudicate a legal order, or None, for each dislodged unit; returns the outcomes and the units then on the board.

    Units that retreat to the same space are all disbanded; a unit without an order is disbanded.
    """
    claims: dict[Code, list[Unit]] = {}
    for dislodged, order in orders:
        if isinstance(order, Retreat):
            claims.setdefault(order.to.space, []).append(dislodged.unit)
    outcomes: list[Outcome] = []
    units = list(position.units)
    for dislodged, order in orders:
        unit = dislodged.unit
        if isinstance(order, Retreat):
            rivals = tuple(other for other in claims[order.to.space] if other != unit)
            if rivals:
                cause = Cause(Reason.COLLIDED, by=rivals, place=order.to.space)
                others = tuple(_UNIT_OF(unit=other, power=other.power) for other in rivals)
                why = _COLLIDED(unit=unit, others=others, place=order.to.space)
                outcomes.append(Outcome(unit.power, unit, order, Result.DISBANDED, cause, why))
            else:
                units.append(unit._replace(location=order.to))
                cause = Cause(Reason.ORDERED, place=order.to.space)
                why = _RETREATED(unit=unit, place=order.to)
                outcomes.append(Outcome(unit.power, unit, order, Result.RETREATS, cause, why))
        else:
            ordered = isinstance(order, Disband)
            cause = Cause(Reason.ORDERED if ordered else Reason.NO_ORDER)
            why = (_DISBANDED if ordered else _NOT_ORDERED)(unit=unit)
            outcomes.append(Outcome(unit.power, unit, order, Result.DISBANDED, cause, why))
    return tuple(outcomes), tuple(units)
