"""Conversions of units into others by an order (`Conversions`), in place of a move or beside builds and removals."""

from collections.abc import Iterator, Sequence

from plenipo.engine.board import Board, Code, Location, UnitKind
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.facts import Conversion
from plenipo.engine.orders import AdjustmentOrder, Convert, Ref
from plenipo.engine.outcome import Cause, Outcome, Reason, Result
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.space_filter import IN_WORDS, is_such

__all__ = ["anyone", "converted", "offered", "resolve", "why_not"]


def offered(rules: Rules, position: Position, unit: Unit, phase: Phase) -> tuple[Ref, ...]:
    """Return the units, by type and coast, that `unit` may convert to in `phase`; empty where no rule allows any."""
    if not rules.facts.conversions:
        return ()
    board = rules.board_at(position)
    kinds = {way.into for way in rules.facts.conversions if _fits(way, position, unit, phase, board)}
    return tuple(Ref(kind, at) for kind in board.kinds if kind in kinds for at in _places(board, kind, unit.space))


def anyone(rules: Rules, position: Position) -> bool:
    """Return whether a unit of a played power may convert now."""
    return bool(rules.facts.conversions) and any(
        offered(rules, position, unit, position.phase) for unit in position.units if unit.power not in rules.unplayed
    )


def _fits(way: Conversion, position: Position, unit: Unit, phase: Phase, board: Board) -> bool:
    code, power = unit.space, unit.power
    if way.unit is not unit.kind or phase.kind is not PhaseKind(way.phase):
        return False
    for value, listed in ((code, way.among), (power, way.powers), (phase.season, way.seasons)):
        if listed and value not in listed:
            return False
    return is_such(way.where, board, position, power, code)


def _places(board: Board, kind: UnitKind, code: Code) -> Iterator[Location]:
    for at in dict.fromkeys((Location(code), *board.spaces[code].locations)):
        if board.can_stand(kind, at):
            yield at


def why_not(rules: Rules, position: Position, unit: Unit) -> str:
    """Return a sentence that says why a unit to which nothing is `offered` cannot convert now."""
    board = rules.board_at(position)
    ways = [way for way in rules.facts.conversions if way.unit is unit.kind]
    one = board.called(unit.kind)
    if not ways:
        return f"{one} turns into nothing else in this game."
    way = ways[0]
    parts = [f"in {IN_WORDS[way.where]}"] if way.where != "anywhere" else []
    parts += [f"in {', '.join(way.among)}"] if way.among else []
    parts += [f"of {', '.join(way.powers)}"] if way.powers else []
    parts += [f"in {', '.join(way.seasons)}"] if way.seasons else []
    into = board.called(way.into)
    return f"{one} turns into {into} {' '.join([*parts, f'where {into} can stand, in a {way.phase} phase'])}."


def converted(unit: Unit, order: Convert) -> Unit:
    """Return the unit after its conversion."""
    return Unit(unit.power, order.into.kind or unit.kind, order.into.location)


def resolve(
    power: Power, units: Sequence[Unit], orders: Sequence[AdjustmentOrder]
) -> tuple[tuple[Outcome, ...], tuple[Unit, ...]]:
    """Return the outcomes of the conversions among the legal orders of an adjustment phase, and the units after it.

    `units` are those of the power that were not removed; the first order for a unit counts.
    """
    chosen: dict[Code, Convert] = {}
    for order in orders:
        if isinstance(order, Convert):
            chosen.setdefault(order.unit.location.space, order)
    outcomes: list[Outcome] = []
    now: list[Unit] = []
    for unit in units:
        found = chosen.get(unit.space)
        now.append(converted(unit, found) if found else unit)
        if found:
            why = f"{unit} turned into {found.into}."
            outcomes.append(Outcome(power, unit, found, Result.CONVERTS, Cause(Reason.ORDERED), why))
    return tuple(outcomes), tuple(now)
