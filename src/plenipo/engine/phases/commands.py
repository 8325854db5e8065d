"""Command: the authors of the orders of a unit, where those are not only the power it belongs to.

Order sets are submitted by their authors and adjudicated by the powers whose units they are for. Where several authors
write for one power, the fact `Command` decides which of their orders for a unit counts.
"""

from collections.abc import Mapping, Sequence

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import DrawSource
from plenipo.engine.events import Event, EventKind
from plenipo.engine.facts import Command
from plenipo.engine.hooks import RuleModule
from plenipo.engine.orders import NOTICES, Choose, Hold, Order, Support, Waive
from plenipo.engine.phases import adjustments
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import SentenceKind

__all__ = ["commanders", "list_served_powers", "merge_order_sets", "owner", "survives"]

_ORDER_OF = SentenceKind("order-of", "'{order}' of {power}")
_ONE_COUNTS = {
    merge: SentenceKind(f"one-counts-{merge}", f"{{power}}: of {{orders}} '{{order}}' counts, by {merge}.")
    for merge in ("rank", "majority", "agreement", "lot")
}
_NONE_COUNTS = {
    merge: SentenceKind(f"none-counts-{merge}", f"{{power}}: of {{orders}} none counts, by {merge}.")
    for merge in ("rank", "majority", "agreement", "lot")
}
"""The sentences about the order that counts, and about none that does, by the rule that decides."""

ORDERS_DIFFERED = EventKind("orders_differed")
"""The authors of a power's orders wrote different orders for a unit; the orders are the names."""


def commanders(rules: Rules, position: Position, unit: Unit) -> tuple[Power, ...]:
    """Return the powers that write orders for `unit`, highest rank first."""
    for module in rules.overriding[RuleModule.commanders]:
        found = module.commanders(rules, position, unit)
        if found is not None:
            return found
    return _of_power(rules, position, unit.power)


def _of_power(rules: Rules, position: Position, power: Power) -> tuple[Power, ...]:
    for module in rules.overriding[RuleModule.rulers]:
        found = module.rulers(rules, position, power)
        if found is not None:
            return found
    command = rules.facts.command
    return command.by.get(power, (power,)) if command else (power,)


def list_served_powers(rules: Rules, position: Position, author: Power) -> tuple[Power, ...]:
    """Return the powers for which `author` writes builds, removals and the orders of all units."""
    powers = (info.name for info in rules.powers)
    return tuple(power for power in powers if author in _of_power(rules, position, power))


def survives(rules: Rules, position: Position, author: Power) -> bool:
    """Return whether `author` has a unit or a centre left, or commands a power that has."""
    return any(position.survives(power) for power in {author, *list_served_powers(rules, position, author)})


def owner(rules: Rules, position: Position, author: Power, order: Order) -> Power | None:
    """Return the power that an order of `author` is for, by its unit; None for builds and orders without a unit."""
    if isinstance(order, (*NOTICES, Choose)):
        return author
    if isinstance(order, Waive):
        return None
    space = order.unit.location.space
    dislodged = position.dislodged_at(space) if position.phase.kind is PhaseKind.RETREATS else None
    unit = dislodged.unit if dislodged else position.unit_at(space)
    if unit is None:
        return None
    return unit.power if author in commanders(rules, position, unit) else author


def merge_order_sets(
    rules: Rules, position: Position, power: Power, order_sets: Mapping[Power, Sequence[Order]], source: DrawSource
) -> tuple[list[Order], list[Event]]:
    """Return the orders of several authors that count for the units of `power`, and events where they differ.

    Where their orders for a unit differ, that of the first in `rank` counts, the one most of them gave (`majority`),
    none (`agreement`, which also needs an order of each of them), or that of an author drawn by lot (`lot`).
    """
    command = rules.facts.command
    rank = [author for author in _of_power(rules, position, power) if author in order_sets]
    rank += [author for author in order_sets if author not in rank]
    if command is None or len(_of_power(rules, position, power)) == 1:
        return [order for author in rank for order in order_sets[author]], []
    by_unit: dict[str, dict[Power, Order]] = {}
    for author in rank:
        for order in order_sets[author]:
            about = "waive" if isinstance(order, Waive) else order.unit.location.space  # type: ignore[union-attr]
            by_unit.setdefault(about, {})[author] = order
    kept: list[Order] = []
    events: list[Event] = []
    for about, given in by_unit.items():
        counts = _one_of(command, power, f"{position.phase.kind} order of {power} in {about}", given, source)
        if counts is not None:
            kept.append(counts)
        if set(map(str, given.values())) - {str(counts)}:
            each = tuple(_ORDER_OF(order=one, power=author) for author, one in given.items())
            which = {} if counts is None else {"order": counts}
            why = (_NONE_COUNTS if counts is None else _ONE_COUNTS)[command.merge](power=power, orders=each, **which)
            names = tuple(str(one) for one in given.values())
            events.append(Event(ORDERS_DIFFERED, why, (power,), names=names))
    if position.phase.kind is PhaseKind.ADJUSTMENTS:
        kept = kept[: abs(adjustments.possible(rules, position, power))]
    return kept, events


def _one_of(
    command: Command, power: Power, label: str, given: Mapping[Power, Order], source: DrawSource
) -> Order | None:
    whole = len(given) == len(command.by[power])
    if command.support_over_hold and any(isinstance(order, Support) for order in given.values()):
        given = {author: order for author, order in given.items() if not isinstance(order, Hold)}
    orders = list(given.values())
    texts = sorted({str(order) for order in orders})
    if command.merge == "rank":
        return orders[0]
    if command.merge == "agreement":
        return orders[0] if len(texts) == 1 and whole else None
    if command.merge == "majority":
        half = len(command.by[power]) / 2
        return next((order for order in orders if sum(order == other for other in orders) > half), None)
    if len(texts) == 1:
        return orders[0]
    return given[Power(source.draw(label, given))]
