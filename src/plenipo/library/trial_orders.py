"""Orders drawn at random of all that is legal: what every trial game of a variant is played with."""

from collections.abc import Sequence
from random import Random

from plenipo.engine.board import Board
from plenipo.engine.budgets import affordable
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.orders import Build, Choose, Move, Order, Remove, Support
from plenipo.engine.phases import adjustments
from plenipo.engine.phases.choosing import standing
from plenipo.engine.phases.legality import Legality, LegalOrders
from plenipo.engine.phases.step import OrderSets
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules

__all__ = ["random_orders"]


def random_orders(rules: Rules, position: Position, chance: Random) -> OrderSets:
    """Draw legal orders for every power, at times none for a unit or a whole power, and half the time declarations."""
    legality, board = Legality(rules, position), rules.board_at(position)
    order_sets: dict[Power, list[Order]] = {}
    moves = _moves(board, position, chance) if position.phase.kind is PhaseKind.MOVEMENT else []
    for power in rules.names:
        orders = legality.orders_of(power)
        if chance.random() < 0.02:
            continue
        if position.phase.kind is PhaseKind.MOVEMENT:
            order_sets[power] = [move for move in moves if position.unit_at(move.unit.location.space) in orders.units]
            ordered = {move.unit for move in moves}
            idle = [unit for unit in orders.units if unit.ref not in ordered]
            order_sets[power] += [_help(board, moves, orders, unit, chance) for unit in idle]
        elif position.phase.kind is PhaseKind.RETREATS:
            order_sets[power] = [
                chance.choice(list(orders.of(unit))) for unit in orders.units if chance.random() < 0.95
            ]
        elif position.phase.kind is PhaseKind.CHOICE:
            order_sets[power] = _choices(legality, power, list(orders), chance)
        else:
            order_sets[power] = _adjustments(board, orders, abs(adjustments.possible(rules, position, power)), chance)
        if legality.limits:  # the moves and supports above know the board alone
            order_sets[power] = [order for order in order_sets[power] if order in orders]
        declarations = orders.declarations
        if declarations and chance.random() < 0.5:
            order_sets[power] = [*order_sets[power], *chance.sample(declarations, min(2, len(declarations)))]
        order_sets[power] = affordable(rules, position, power, order_sets[power])
    return order_sets


def _choices(legality: Legality, power: Power, offered: Sequence[Order], chance: Random) -> list[Order]:
    """Draw choices that go together, often fewer than could be made."""
    listed = [order for order in offered if isinstance(order, Choose)]
    chance.shuffle(listed)
    return list(standing(legality, power, listed[: chance.randint(1, len(listed) or 1)]))


def _moves(board: Board, position: Position, chance: Random) -> list[Move]:
    """Draw moves without a convoy for about half of all units that can make one; an army on a small island cannot."""
    going = [unit for unit in position.units if chance.random() < 0.55 and board.steps(unit.kind, unit.location)]
    return [Move(unit.ref, chance.choice(sorted(board.steps(unit.kind, unit.location)))) for unit in going]


def _help(board: Board, moves: Sequence[Move], orders: LegalOrders, unit: Unit, chance: Random) -> Order:
    """Draw a support of one of `moves` if the unit can give one, sometimes anything else that it may be ordered."""
    near = board.reach(unit.kind, unit.location)
    helped = [move for move in moves if move.to.space in near]
    if not helped or chance.random() < 0.2:
        return chance.choice(list(orders.of(unit)))
    move = chance.choice(helped)
    return Support(unit.ref, move.unit, move.to)


def _adjustments(board: Board, orders: LegalOrders, due: int, chance: Random) -> list[Order]:
    """Draw builds in different places, or removals of different units, at most as many as are due."""
    listed = [order for order in orders if isinstance(order, Build | Remove)]
    chance.shuffle(listed)
    taken: dict[str, Build | Remove] = {}
    for order in listed:
        taken.setdefault(order.unit.location.space, order)
    # some units count double
    left, chosen = max(0, due - (chance.random() < 0.1)), list[Order]()
    for one in taken.values():
        if left > 0:
            chosen.append(one)
            kind = one.unit.kind
            left -= board.traits[kind].upkeep if kind else 1
    return chosen
