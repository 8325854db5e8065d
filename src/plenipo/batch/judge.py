"""The kernel in the place of the engine's `process`, a position at a time: the same outcomes, in fewer words.

Movements are judged by the kernel; orders are read and completed, and the calendar gone on with, by the engine. `why`
is the bare reason, and causes carry neither numbers nor units. Retreats and adjustments are the engine's alone.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from plenipo.batch.arena import Arena, Verdict
from plenipo.batch.codes import Codes
from plenipo.batch.packing import ILLEGAL, pack
from plenipo.batch.scratch import CONVOYED, MOVED
from plenipo.batch.tables import MOST_UNITS, compile_tables
from plenipo.engine import retreats
from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import SEED_BYTES
from plenipo.engine.legality import Judgement, Legality
from plenipo.engine.orders import Move, Order
from plenipo.engine.outcome import Cause, Outcome, Resolution
from plenipo.engine.position import Dislodged, Position, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.step import Sheets, advance
from plenipo.engine.step import process as explained
from plenipo.errors import InvalidPosition

__all__ = ["process"]


@lru_cache(maxsize=16)
def _arena(rules: Rules) -> Arena:
    """One game of these rules, to judge in; raises `UnsupportedRules` if the kernel cannot take them."""
    return Arena(compile_tables(rules), 1, seed=bytes(SEED_BYTES), room=MOST_UNITS)


def process(rules: Rules, position: Position, sheets: Sheets) -> Resolution:
    """As `plenipo.engine.step.process`; raises `UnsupportedRules` for rules the kernel cannot take."""
    arena = _arena(rules)
    if position.phase.kind is not PhaseKind.MOVEMENT or position.winners:
        return explained(rules, position, sheets)
    if len(position.units) > MOST_UNITS:
        raise InvalidPosition(f"The kernel takes {MOST_UNITS} units, and this position has {len(position.units)}.")
    arena.put(0, replace(position, owners={}, homes={}, dislodged=()))
    given, errors = _sorted_out(rules, position, sheets)
    codes, units = Codes(arena.tables), arena.units(0)
    packed = arena.blank_orders()
    for i, unit in enumerate(units):
        order, refusal = given.get(unit.space, (None, ""))
        packed[0, i] = pack(ILLEGAL) if refusal else codes.pack(order) if order else 0
    verdicts = arena.verdicts(arena.step(packed), 0, units)
    standing = {
        code: order for module in rules.modules for code, order in module.standing_orders(rules, position).items()
    }
    outcomes = []
    for unit, verdict in zip(units, verdicts, strict=True):
        order, refusal = given.get(unit.space, (standing.get(unit.space), ""))
        cause = Cause(verdict.reason, (verdict.by,) if verdict.by else (), place=unit.space, detail=refusal)
        why = f"{unit}: {refusal or verdict.reason}" + (f"; dislodged by {verdict.by}." if verdict.by else ".")
        outcomes.append(Outcome(unit.power, unit, order, verdict.result, cause, why.replace("..", "."), verdict.by))
    moved = _moved(rules, position, arena, units, verdicts, given)
    told = tuple(
        outcome._replace(retreats=retreats.options(rules, moved, lost)) if lost else outcome
        for outcome in outcomes
        for lost in (moved.dislodged_at(outcome.unit.space) if outcome.unit and outcome.dislodged_by else None,)
    )
    after = advance(rules, moved)
    return Resolution(position, told, after.position, after.notes, tuple(errors))


Given = Mapping[Code, tuple[Order | None, str]]
"""The order of a unit by its space, completed, or as it was given with why it is illegal."""


def _sorted_out(rules: Rules, position: Position, sheets: Sheets) -> tuple[Given, list[str]]:
    """At most one order a unit (policy 4.D.3), and sentences about those that do not count."""
    legality, policy = Legality(rules, position), rules.rulebook["4.D.3"]
    found: dict[Code, tuple[Order | None, str]] = {}
    errors: list[str] = []
    for power, orders in sheets.items():
        several: dict[Code, list[tuple[Order, Judgement]]] = {}
        for order in orders:
            judged = legality.judge(power, order)
            if judged.unit is None:
                errors.append(f"{power}: '{order}' did not count: {judged.reason}")
            else:
                several.setdefault(judged.unit.space, []).append((order, judged))
        for space, pairs in several.items():
            order, judged = pairs[0] if policy == "first" else pairs[-1]
            if policy == "hold" and len({given for given, _ in pairs}) > 1:
                listed = " and ".join(f"'{other}'" for other in dict.fromkeys(given for given, _ in pairs))
                reason = f"two orders were given to it, {listed}."
                errors.append(f"{power}: {judged.unit} has no valid order: {reason}")
                found[space] = (order, reason)
            elif judged.order is None:
                errors.append(f"{power}: '{order}' is illegal: {judged.reason}")
                found[space] = (order, judged.reason)
            else:
                found[space] = (judged.order, "")
    return found, errors


def _moved(
    rules: Rules,
    position: Position,
    arena: Arena,
    units: tuple[Unit, ...],
    verdicts: tuple[Verdict, ...],
    given: Given,
) -> Position:
    """The position when the moves are made and nothing else has happened."""
    out = arena.scratch.out
    moved, by_sea = int(out[MOVED]), int(out[CONVOYED])
    after: list[Unit] = []
    lost: list[Dislodged] = []
    for i, (unit, verdict) in enumerate(zip(units, verdicts, strict=True)):
        order = given.get(unit.space, (None, ""))[0]
        if verdict.by is not None:
            sea = by_sea >> units.index(verdict.by) & 1 and rules.rulebook["4.A.5"] == "allowed"
            gone = Dislodged(unit, verdict.by, () if sea else (verdict.by.space,))
            if not any(module.fate(rules, position, gone) for module in rules.modules):
                lost.append(gone)
        else:
            after.append(unit._replace(location=order.to) if moved >> i & 1 and isinstance(order, Move) else unit)
    return replace(position, units=tuple(after), dislodged=tuple(lost), contested=arena.contested(0))
