"""The kernel as an adjudicator of movements for the engine, one position at a time, with shorter reasons.

The engine reads and completes the orders, moves the units and advances the calendar. `why` is the bare reason, and
causes carry neither numbers nor helpers. Only the engine adjudicates retreats and adjustments.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from plenipo.batch.arena import Arena
from plenipo.batch.codes import Codes
from plenipo.batch.packing import ILLEGAL, pack
from plenipo.batch.rule_facts import Scope
from plenipo.batch.scratch import CONVOYED, MOVED
from plenipo.batch.tables import MOST_UNITS, compile_tables
from plenipo.engine.board import Board
from plenipo.engine.dice import SEED_BYTES
from plenipo.engine.orders import MovementOrder
from plenipo.engine.outcome import Cause, MovementResult, Outcome, Reason, Result
from plenipo.engine.phases import step
from plenipo.engine.phases.step import Written
from plenipo.engine.position import Position, Unit
from plenipo.engine.rules import Rules
from plenipo.errors import UnsupportedPosition

__all__ = ["adjudicate", "movement", "process"]


def movement(
    rules: Rules, position: Position, orders: Sequence[MovementOrder | None], written: Sequence[Written]
) -> MovementResult:
    """Adjudicate as `plenipo.engine.phases.step.explained` does.

    Raise `UnsupportedRules` for rules whose movements the kernel cannot take, and `UnsupportedPosition` for a position
    with too many units.
    """
    if len(position.units) > MOST_UNITS:
        raise UnsupportedPosition(f"The kernel takes {MOST_UNITS} units, and this position has {len(position.units)}.")
    arena, codes = _arena(rules, rules.board_at(position))
    arena.put(0, replace(position, owners={}, homes={}, dislodged=()))
    packed = arena.blank_orders()
    for i, (order, given) in enumerate(zip(orders, written, strict=True)):
        # a unit that takes no orders has a refusal without a refused order
        packed[0, i] = pack(ILLEGAL) if given.refusal and given.order else codes.pack(order) if order else 0
    results = arena.order_results(arena.adjudicate(packed), 0, position.units)
    outcomes = tuple(
        _outcome(unit, orders[i], written[i], results[i].result, results[i].reason, results[i].by)
        for i, unit in enumerate(position.units)
    )
    moved, afloat = (
        frozenset(i for i in range(len(position.units)) if int(arena.scratch.out[row]) >> i & 1)
        for row in (MOVED, CONVOYED)
    )
    return MovementResult(outcomes, moved, afloat, arena.contested_spaces(0))


process = partial(step.process, adjudicator=movement)
"""`plenipo.engine.phases.step.process` with this adjudicator; raises what `movement` raises as well."""

adjudicate = partial(step.adjudicate, adjudicator=movement)
"""`plenipo.engine.phases.step.adjudicate` with this adjudicator; raises what `movement` raises as well."""


def _arena(rules: Rules, board: Board) -> tuple[Arena, Codes]:
    """Return an arena of one game on a board; it is cached for the board."""
    known = board.answers.setdefault("kernel", {})
    if rules not in known:
        tables = compile_tables(rules, board, Scope.MOVEMENTS)
        known[rules] = Arena(tables, 1, seed=bytes(SEED_BYTES), room=MOST_UNITS), Codes(tables)
    arena: tuple[Arena, Codes] = known[rules]
    return arena


def _outcome(
    unit: Unit, order: MovementOrder | None, given: Written, result: Result, reason: Reason, by: Unit | None
) -> Outcome:
    """Return one outcome, with the refusal of its order if there was one."""
    written, refusal, put_off = given
    if refusal and written is None and not by:
        reason = Reason.SILENCED
    if put_off and reason is Reason.ILLEGAL:
        reason = Reason.PUT_OFF
    reason_given = refusal.rstrip(".") or reason
    why = f"{unit}: {reason_given}; dislodged by {by} of {by.power}." if by else f"{unit}: {reason_given}."
    cause = Cause(reason, (by,) if by else (), place=unit.space, detail=refusal)
    return Outcome(unit.power, unit, written if refusal else order, result, cause, why, by)
