"""Plans without doubts: alternatives to a plan of one power that `plan_check` doubts, with few orders changed."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from plenipo.engine.board import Code
from plenipo.engine.orders import NOTICES, Convoy, Disband, Hold, Move, Order, Ref, Retreat, Support, Waive
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position, Power
from plenipo.engine.reading.plan_check import Doubt, DoubtKind, doubts
from plenipo.engine.rules import Rules

__all__ = ["repair_plan"]

MOST_TRIED = 40
"""The largest number of plans that are checked before the doubted orders are given up."""

_Plan = tuple[Order, ...]


def repair_plan(
    rules: Rules, position: Position, power: Power, orders: Sequence[Order], most: int = 6
) -> tuple[_Plan, ...]:
    """Return up to `most` plans without doubts, those with the fewest changes first, and at least one.

    A plan without doubts is returned alone. Otherwise the first doubt is resolved in each possible way, and then the
    next: a support follows the order of its unit, or the unit the support; one of two units with the same destination
    supports the other; a missing convoy is ordered; or the unit in doubt holds. Changed orders are legal.
    """
    first = tuple(orders)
    legality = Legality(rules, position)
    found: list[_Plan] = []
    seen, waiting = {first}, deque([first])
    for _ in range(MOST_TRIED):
        if not waiting or len(found) == most:
            break
        plan = waiting.popleft()
        doubted = doubts(rules, position, power, plan)
        if not doubted:
            found.append(plan)
            continue
        for other in _resolve_doubt(legality, power, plan, doubted[0]):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return tuple(found) or (_give_up_doubted(legality, power, first),)


def _give_up_doubted(legality: Legality, power: Power, plan: _Plan) -> _Plan:
    """Return the plan with holds in place of doubted orders; with each round fewer orders are left to doubt."""
    while doubted := doubts(legality.rules, legality.position, power, plan):
        order = doubted[0].orders[-1]
        held = _with_orders(legality, power, plan, (_give_up(order),))
        plan = held or tuple(other for other in plan if other != order)
    return plan


def _resolve_doubt(legality: Legality, power: Power, plan: _Plan, doubt: Doubt) -> Iterator[_Plan]:
    """Yield the legal plans in which a doubt is resolved by other orders of the units concerned."""
    by_space = {unit.location.space: order for order in plan if (unit := _unit_of(order)) is not None}
    for changes in _list_changes(legality.foreseen(power), by_space, doubt):
        changed = _with_orders(legality, power, plan, changes)
        if changed is not None:
            yield changed


def _list_changes(legality: Legality, by_space: Mapping[Code, Order], doubt: Doubt) -> Iterator[tuple[Order, ...]]:
    """Yield sets of orders of single units that may resolve a doubt, the most useful first."""
    match doubt.kind, doubt.orders:
        case DoubtKind.OTHER_SUPPORT, (Support() as support,):
            does = by_space.get(support.other.location.space)
            yield (Support(support.unit, support.other, does.to if isinstance(does, Move) else None),)
            yield (Move(support.other, support.to) if support.to else Hold(support.other),)
        case DoubtKind.IDLE_CONVOY, (Convoy() as convoy,):
            yield (Move(convoy.other, convoy.to),)
        case DoubtKind.NO_CONVOY, (Move() as move,):
            unit = legality.position.unit_at(move.unit.location.space)
            useful = legality.landings(unit).get(move.to.space, frozenset()) if unit else frozenset()
            own = legality.position.units_of(unit.power) if unit else ()
            yield tuple(Convoy(fleet.ref, move.unit, move.to) for fleet in own if fleet.space in useful)
        case DoubtKind.OCCUPIED, (Move() as move,):
            met = legality.position.unit_at(move.to.space)
            if met:
                yield (Support(move.unit, met.ref),)
        case DoubtKind.SWAP, (Move() as one, Move() as other):
            yield Hold(one.unit), Support(other.unit, one.unit)
            yield Support(one.unit, other.unit), Hold(other.unit)
            yield Hold(one.unit), Hold(other.unit)
        case DoubtKind.SAME_PLACE, (Move() as one, Move() as other):
            yield (Support(other.unit, one.unit, one.to),)
            yield (Support(one.unit, other.unit, other.to),)
    for order in doubt.orders:
        yield (_give_up(order),)


def _give_up(order: Order) -> Order:
    """Return the order by which the unit of a doubted order does nothing."""
    match order:
        case Retreat(unit=unit):
            return Disband(unit)
        case Move(unit=unit) | Support(unit=unit) | Convoy(unit=unit):
            return Hold(unit)
    return order


def _with_orders(legality: Legality, power: Power, plan: _Plan, changes: Sequence[Order]) -> _Plan | None:
    """Return the plan with other orders for some of its units; None if one is illegal or nothing changes."""
    allowed: dict[Ref | None, Order] = {}
    for change in changes:
        order = legality.check(power, change).order
        if order is None:
            return None
        allowed[_unit_of(order)] = order
    # in the order of the plan, with orders for units that had none at the end
    places = {_unit_of(order): place for place, order in enumerate(plan)}
    changed = [order for order in plan if _unit_of(order) not in allowed] + list(allowed.values())
    ranked = tuple(sorted(changed, key=lambda order: places.get(_unit_of(order), len(plan))))
    return ranked if ranked != plan else None


def _unit_of(order: Order) -> Ref | None:
    """Return the unit that an order is for; None for a declaration or a waived build."""
    return None if isinstance(order, (*NOTICES, Waive)) else order.unit
