"""A computer player that plays by rules of thumb: take centres, guard its own, go where the centres are, help.

Every space has a value for the power: the gain there at once, and a share of the value of the places
that can be reached from it. Units choose in the order of how much they would gain; then those that would gain little
help others.
"""

from collections.abc import Iterable, Mapping
from random import Random

from plenipo.bots.common import by_unit, list_repairs, pick_adjustments, pick_choices
from plenipo.engine.board import Board, Code, Location, UnitKind
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.view import View
from plenipo.engine.orders import (
    AdjustmentOrder,
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Remove,
    Retreat,
    Support,
)
from plenipo.engine.phases.legality import LegalOrders
from plenipo.engine.position import Power, Unit

__all__ = ["rank_later_orders", "sensible"]

FREE, FOREIGN, OWN_IN_DANGER, OWN = 10.0, 8.0, 5.0, 0.5
"""The value of a centre: without an owner, of another power, of the power and within an enemy's reach, of the power."""

FAR = 0.6
"""The part of a value that is left one step farther away."""

STEPS = 5
"""The largest distance at which a value is still felt, in steps."""

CHANCE = 0.8
"""The most by which chance changes a value, so that no two games are alike."""

HELP = 1.5
"""A unit that would gain less than this times what it helps to gain helps."""


def sensible(view: View, legal: LegalOrders, chance: Random) -> list[Order]:
    """Rules of thumb."""
    value = _Values(view, legal.power, chance)
    match view.position.phase.kind:
        case PhaseKind.CHOICE:
            return pick_choices(view, legal, chance)
        case PhaseKind.ADJUSTMENTS:
            return pick_adjustments(view, legal, sorted(_adjustments(legal), key=value.of_adjustment, reverse=True))
        case PhaseKind.RETREATS:
            return list_repairs(view, legal, _retreats(by_unit(view, legal), value), 1)[0]
        case PhaseKind.MOVEMENT:
            return list_repairs(view, legal, _movement(view, legal, value), 1)[0]
    return []


def rank_later_orders(view: View, power: Power, orders: Iterable[Order], chance: Random) -> list[Order]:
    """Return retreats, builds and removals that are ordered before their phase, the most desirable first."""
    value = _Values(view, power, chance)

    def desire(order: Order) -> float:
        if isinstance(order, Retreat):
            return value.of(order.unit.kind, order.to)
        return value.of_adjustment(order) if isinstance(order, Build | Remove) else 0.0

    return sorted(orders, key=desire, reverse=True)


class _Values:
    """The value of every location to the units of a power."""

    def __init__(self, view: View, power: Power, chance: Random) -> None:
        self.view, self.power, self.chance = view, power, chance
        self.board: Board = view.rules.board_at(view.position)
        self.danger = {
            to
            for unit in view.position.units
            if unit.power != power
            for to in self.board.reach(unit.kind, unit.location)
        }
        at_once = {code: self._at_once(code) for code in sorted(self.board.spaces)}
        self.fields = {kind: self._field(kind, at_once) for kind in self.board.kinds}

    def _at_once(self, code: Code) -> float:
        value = self.chance.random() * CHANCE
        if not self.board.spaces[code].centre:
            return value
        owner = self.view.position.owners.get(code)
        if owner is None:
            return value + FREE
        if owner != self.power:
            return value + FOREIGN
        return value + (OWN_IN_DANGER if code in self.danger else OWN)

    def _field(self, kind: UnitKind, at_once: Mapping[Code, float]) -> dict[Location, float]:
        """Return the value of every location for units of `kind`, with a share of the value of the places beyond."""
        places = [loc for code in self.board.spaces for loc in self._locations(code) if self.board.can_stand(kind, loc)]
        field = {loc: at_once[loc.space] for loc in places}
        for _ in range(STEPS):
            field = {
                loc: at_once[loc.space]
                + FAR * max((field[to] for to in self.board.steps(kind, loc) if to in field), default=0.0)
                for loc in places
            }
        return field

    def _locations(self, code: Code) -> Iterable[Location]:
        return {Location(code), *self.board.spaces[code].locations}

    def of(self, kind: UnitKind | None, location: Location) -> float:
        """Return the value of a location to a unit."""
        return self.fields[kind or UnitKind.ARMY].get(location, 0.0)

    def of_adjustment(self, order: AdjustmentOrder) -> float:
        """Return how desirable a build or removal is."""
        match order:
            case Build(unit=ref):
                return self.of(ref.kind, ref.location)
            case Remove(unit=ref):
                return -self.of(ref.kind, ref.location)
        return -1.0


def _adjustments(legal: LegalOrders) -> list[AdjustmentOrder]:
    return [order for order in legal if isinstance(order, Build | Remove)]


def _retreats(offers: Iterable[tuple[Order, ...]], value: _Values) -> list[Order]:
    taken: set[Code] = set()
    orders: list[Order] = []
    for offered in offers:
        ways = [order for order in offered if isinstance(order, Retreat) and order.to.space not in taken]
        best = max(ways, key=lambda way: value.of(way.unit.kind, way.to), default=None)
        if best is not None:
            taken.add(best.to.space)
        orders.append(best or next(order for order in offered if isinstance(order, Disband)))
    return orders


def _movement(view: View, legal: LegalOrders, value: _Values) -> list[Order]:
    offers = {unit: tuple(legal.of(unit)) for unit in legal.units}
    plan = _plan(offers, value)
    goals = {_goal(unit, order): unit for unit, order in plan.items()}
    needed = {code for code in goals if view.position.unit_at(code) or code in value.danger}
    for unit in sorted(plan, key=lambda unit: _gain(unit, plan[unit], value)):
        helps = [
            order
            for order in offers[unit]
            if isinstance(order, Support) and _helps(order, goals, plan, needed - {_goal(unit, plan[unit])})
        ]
        best = max(helps, key=lambda order: value.of(order.other.kind, _aim(order)), default=None)
        if best is None or _gain(unit, plan[unit], value) > HELP * value.of(best.other.kind, _aim(best)):
            continue
        plan[unit] = best
        needed.discard(_aim(best).space)
        goals = {_goal(other, order): other for other, order in plan.items()}
    return _with_convoys(plan, offers)


def _plan(offers: Mapping[Unit, tuple[Order, ...]], value: _Values) -> dict[Unit, Order]:
    """Return a move or hold for each unit, the greatest gains first, no two to the same space."""
    wishes = sorted(
        (
            (-_gain(unit, order, value), str(order), unit, order)
            for unit, offered in offers.items()
            for order in offered
            if isinstance(order, Hold) or (isinstance(order, Move) and not order.via)
        ),
        key=lambda wish: wish[:2],
    )
    plan: dict[Unit, Order] = {}
    taken: set[Code] = set()
    for _, _, unit, order in wishes:
        if unit not in plan and _goal(unit, order) not in taken:
            plan[unit] = order
            taken.add(_goal(unit, order))
    for unit, offered in offers.items():
        if unit not in plan:
            plan[unit] = next(order for order in offered if isinstance(order, Hold))
    return plan


def _gain(unit: Unit, order: Order, value: _Values) -> float:
    """Return the value of a move or hold, whether it succeeds or not."""
    return value.of(unit.kind, order.to if isinstance(order, Move) else unit.location)


def _goal(unit: Unit, order: Order) -> Code:
    return order.to.space if isinstance(order, Move) else unit.space


def _aim(order: Support) -> Location:
    return order.to or order.other.location


def _helps(order: Support, goals: Mapping[Code, Unit], plan: Mapping[Unit, Order], needed: set[Code]) -> bool:
    """Return True if a support goes to a unit of the same power that is to be there, and is needed."""
    aim = _aim(order).space
    unit = goals.get(aim)
    if unit is None or aim not in needed or unit.space != order.other.location.space:
        return False
    intended = plan[unit]
    return order.to == intended.to if isinstance(intended, Move) else order.to is None


def _with_convoys(plan: dict[Unit, Order], offers: Mapping[Unit, tuple[Order, ...]]) -> list[Order]:
    """Return the plan with convoys by fleets that have nothing to do, for armies that cannot walk where they go."""
    wanted = {
        (unit.space, order.to.space)
        for unit, order in plan.items()
        if isinstance(order, Move) and unit.kind is UnitKind.ARMY
    }
    for unit, order in plan.items():
        if isinstance(order, Hold):
            convoys = (
                offered
                for offered in offers[unit]
                if isinstance(offered, Convoy) and (offered.other.location.space, offered.to.space) in wanted
            )
            plan[unit] = next(convoys, order)
    return list(plan.values())
