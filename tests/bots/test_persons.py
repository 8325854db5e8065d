"""Persons think as the levels do, order nothing illegal, and show their ways."""

from collections.abc import Callable, Iterable
from functools import cache
from random import Random

import pytest

from plenipo import bots
from plenipo.bots import BOTS, orders_of
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.orders import Move, Order
from plenipo.engine.phases.legality import Legality
from table import standard


@cache
def later() -> Game:
    """A game four years on."""
    game, chance = Game.new(standard()), Random(4)
    while game.position.phase.year < 1905:
        asked = view(game, None, {}).may_order
        game = game.process({power: orders_of(BOTS["quick"], view(game, power, {}), power, chance) for power in asked})
    return game


@cache
def ordered(name: str) -> tuple[Order, ...]:
    """Return the orders of the computer player `name` for all seats, three times."""
    game = later()
    legality = Legality(game.rules, game.position)
    orders: list[Order] = []
    for power in game.survivors:
        seen, legal = view(game, power, {}), legality.orders_of(power)
        for seed in range(3):
            found = bots.think(seen, legal, seed, name)
            assert len(found) == len(legal.units)
            assert all(order in legal for order in found)
            orders += found
    return tuple(orders)


def count(orders: Iterable[Order], wanted: Callable[[Order], bool]) -> int:
    return sum(map(wanted, orders))


def attacks(order: Order) -> bool:
    position = later().position
    mine = position.unit_at(order.unit.location.space) if isinstance(order, Move) else None
    if not isinstance(order, Move) or mine is None:
        return False
    stands = position.unit_at(order.to.space)
    owner = position.owners.get(order.to.space)
    return bool((stands and stands.power != mine.power) or (owner and owner != mine.power))


@pytest.mark.parametrize("name", bots.PERSONS)
def test_a_person_orders_what_is_legal_and_the_same_for_the_same_seed(name: str) -> None:
    first = ordered(name)
    ordered.cache_clear()
    assert ordered(name) == first
    assert BOTS[name].__doc__ == bots.PERSONS[name]
    assert bots.thinks(BOTS[name])


def test_a_raider_attacks_more_than_a_guardian() -> None:
    assert count(ordered("raider"), attacks) > 1.2 * count(ordered("guardian"), attacks)
