"""Conversions of units into others by an order (`Conversions`), in place of a move or beside builds and removals."""

from collections.abc import Iterator, Sequence
from functools import reduce

from plenipo.engine.board import Board, Code, Location, UnitKind
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.facts import Conversion
from plenipo.engine.orders import AdjustmentOrder, Convert, Ref
from plenipo.engine.outcome import Cause, Outcome, Reason, Result
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import Sentence, SentenceKind, Series, join_sentences
from plenipo.engine.space_filter import IN_WORDS, is_such

__all__ = ["anyone", "convert_unit", "list_conversions", "resolve", "why_not"]

_TURNED = SentenceKind("converted", "{unit} turned into {into}.")
_NEVER_TURNS = SentenceKind("never-turns", "{type} turns into nothing else in this game.")
_TURNS = SentenceKind("turns-into", "{type} turns into {into} {conditions}.")
_TURNS_WHERE = SentenceKind("in-such", "in {where}", note="{where} is 'home centres it owns' or the like.")
_TURNS_AMONG = SentenceKind("turns-in", "in {places}")
_TURNS_OF = SentenceKind("turns-of", "of {powers}")
_TURNS_STANDS = SentenceKind("turns-where-it-stands", "where {type} can stand, in {phase}")


def list_conversions(rules: Rules, position: Position, unit: Unit, phase: Phase) -> tuple[Ref, ...]:
    """Return the units, by type and coast, that `unit` may convert to in `phase`; empty where no rule allows any."""
    if not rules.facts.conversions:
        return ()
    board = rules.board_at(position)
    kinds = {way.into for way in rules.facts.conversions if _fits(way, position, unit, phase, board)}
    return tuple(Ref(kind, at) for kind in board.kinds if kind in kinds for at in _places(board, kind, unit.space))


def anyone(rules: Rules, position: Position) -> bool:
    """Return whether a unit of a played power may convert now."""
    return bool(rules.facts.conversions) and any(
        list_conversions(rules, position, unit, position.phase)
        for unit in position.units
        if unit.power not in rules.unplayed_powers
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
    """Return a sentence that says why a unit to which nothing is `list_conversions` cannot convert now."""
    board = rules.board_at(position)
    ways = [way for way in rules.facts.conversions if way.unit is unit.kind]
    one = board.name_with_article(unit.kind)
    if not ways:
        return _NEVER_TURNS(type=one)
    way = ways[0]
    parts: list[Sentence] = [] if way.where == "anywhere" else [_TURNS_WHERE(where=IN_WORDS[way.where])]
    parts += [_TURNS_AMONG(places=Series(way.among))] if way.among else []
    parts += [_TURNS_OF(powers=Series(way.powers))] if way.powers else []
    parts += [_TURNS_AMONG(places=Series(way.seasons))] if way.seasons else []
    into = board.name_with_article(way.into)
    parts.append(_TURNS_STANDS(type=into, phase=PhaseKind(way.phase).one))
    return _TURNS(type=one, into=into, conditions=reduce(join_sentences, parts))


def convert_unit(unit: Unit, order: Convert) -> Unit:
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
        now.append(convert_unit(unit, found) if found else unit)
        if found:
            why = _TURNED(unit=unit, into=found.into)
            outcomes.append(Outcome(power, unit, found, Result.CONVERTS, Cause(Reason.ORDERED), why))
    return tuple(outcomes), tuple(now)
