"""Reading order sets in a position, which can resolve ambiguities that a text alone leaves open.

A place that may be one of several (a corner without its coast, for instance) is the one that makes the order legal; if
several do, the one to which the supported or convoyed unit was ordered (DATC 4.B.4: a support need not name the coast).
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from plenipo.engine.board import Code, Location
from plenipo.engine.events import Refusal, RefusalCode
from plenipo.engine.orders import Convoy, Move, Order, Support
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position, Power
from plenipo.engine.reading.notation import MAX_ORDER, Notation, OrderSetLine
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import SentenceKind
from plenipo.errors import AmbiguousOrder, InvalidOrder

__all__ = ["read_order_sets", "resolve_ambiguity", "unread"]

UNREAD = SentenceKind("of-power", "{power}: {reason}")


def read_order_sets(
    rules: Rules, notation: Notation, position: Position, order_sets: Mapping[Power, Sequence[str | Order]]
) -> tuple[dict[Power, list[Order]], list[Refusal]]:
    """Return the orders of each power, and a refusal for each text that cannot be read.

    An order that could be read only with the help of others comes after the rest of its order set.
    """
    read: dict[Power, list[Order]] = {}
    refusals: list[Refusal] = []
    unclear: list[tuple[Power, str, AmbiguousOrder]] = []
    for power, order_set in order_sets.items():
        read[power] = []
        for given in order_set:
            if not isinstance(given, str):
                read[power].append(given)
                continue
            try:
                read[power].append(notation.read(given, position.phase.kind))
            except AmbiguousOrder as several:
                unclear.append((power, given, several))
            except InvalidOrder as fault:
                for line in _each(notation, given, position, fault):
                    if line.order is not None:
                        read[power].append(line.order)
                    elif isinstance(line.fault, AmbiguousOrder):
                        unclear.append((power, line.text, line.fault))
                    else:
                        refusals.append(unread(power, line.text, line.fault or fault))
    for power, text, unsettled in unclear:
        order = resolve_ambiguity(rules, notation, position, power, text, unsettled, read)
        if order is None:
            refusals.append(unread(power, text, unsettled))
        else:
            read[power].append(order)
    return read, refusals


def _each(notation: Notation, text: str, position: Position, fault: InvalidOrder) -> tuple[OrderSetLine, ...]:
    """Return the orders of a text with several, or the text with its fault."""
    lines = notation.order_set(text, position.phase.kind).lines if len(text) <= MAX_ORDER else ()
    several = len(lines) > 1 or (lines and lines[0].order)
    return lines if several else (OrderSetLine(1, text, fault=fault),)


def unread(power: Power, text: str, fault: InvalidOrder) -> Refusal:
    """Return the refusal of a text that cannot be read, with the place of the fault in it."""
    code = RefusalCode.AMBIGUOUS if isinstance(fault, AmbiguousOrder) else RefusalCode.UNREADABLE
    start = text.find(fault.piece) if fault.piece else -1
    place = (start, start + len(fault.piece)) if start >= 0 else None
    return Refusal(code, UNREAD(power=power, reason=fault.sentence), power, text, place)


def resolve_ambiguity(
    rules: Rules,
    notation: Notation,
    position: Position,
    power: Power,
    text: str,
    fault: AmbiguousOrder,
    others: Mapping[Power, Sequence[Order]],
) -> Order | None:
    """Return the only order that `text`, refused with `fault`, can mean here beside the orders of `others`."""
    legality = Legality(rules, position)
    ways = notation.readings(text, position.phase.kind) or tuple(_read_suggestions(notation, position, text, fault))
    readings = [order for order in ways if legality.check(power, order).order is not None]
    if len(readings) > 1:
        goals = _goals(others)
        readings = [
            order
            for order in readings
            if isinstance(order, Support | Convoy) and goals.get(order.other.location.space) == order.to
        ]
    return readings[0] if len(readings) == 1 else None


def _read_suggestions(notation: Notation, position: Position, text: str, fault: AmbiguousOrder) -> Iterator[Order]:
    """Yield the orders that result from each suggestion in the place of the ambiguous piece of a text."""
    for name in fault.suggestions if fault.piece else ():
        with suppress(InvalidOrder):
            yield notation.read(text.replace(fault.piece, name, 1), position.phase.kind)


def _goals(order_sets: Mapping[Power, Sequence[Order]]) -> dict[Code, Location]:
    """Return the destination of each unit that was ordered to move, by its space."""
    return {
        order.unit.location.space: order.to
        for order_set in order_sets.values()
        for order in order_set
        if isinstance(order, Move)
    }
