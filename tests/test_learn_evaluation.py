"""The training example: it sees what the engine sees, finds weights that are there, and orders what is legal."""

from random import Random

import numpy as np
import pytest

pytest.importorskip("numba", reason="Numba is not installed")
pytest.importorskip("pyarrow", reason="PyArrow is not installed")

from agree import warm
from learn_evaluation import FEATURES, Eyes, Player, fit, softmax
from plenipo.bots import BOTS
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.phases.legality import Legality
from table import standard


@pytest.fixture(scope="module", autouse=True)
def compiled_kernel() -> None:
    warm()


def later() -> Game:
    """A game two years on."""
    game, chance = Game.new(standard()), Random(4)
    while game.position.phase.year < 1903:
        legality = Legality(game.rules, game.position)
        asked = view(game, None, {}).may_order
        orders = {p: BOTS["sensible"](view(game, p, {}), legality.orders_of(p), chance) for p in asked}
        game = game.process(orders)
    return game


def test_what_is_seen_is_what_stands_on_the_board() -> None:
    game, eyes = later(), Eyes(standard(), 1)
    board, position = game.rules.board, game.position
    eyes.arena.put(0, position)
    seen = eyes.features()[0]
    for i, power in enumerate(game.rules.names):
        held = {code for code, owner in position.owners.items() if owner == power}
        standing = {unit.space: unit.power for unit in position.units if unit.space in board.centres}
        held = {code for code in held if standing.get(code, power) == power}
        held |= {code for code, owner in standing.items() if owner == power}
        assert seen[i, FEATURES.index("centres")] == len(held)
        assert seen[i, FEATURES.index("units")] == len(position.units_of(power))
        taking = {code for code in held if position.owners.get(code) != power}
        assert seen[i, FEATURES.index("about to be taken")] == len(taking)

        def near(code: str, who: str) -> int:
            return sum(
                unit.space == code or code in board.reach(unit.kind, unit.location)
                for unit in position.units
                if unit.power == who
            )

        others = {code: max(near(code, p) for p in game.rules.names if p != power) for code in board.centres}
        danger = sum(0 < others[code] >= near(code, power) for code in held)
        assert seen[i, FEATURES.index("in danger")] == danger
        winnable = sum(near(code, power) > others[code] for code in board.centres - held)
        assert seen[i, FEATURES.index("can be won")] == winnable


def test_weights_that_are_there_are_found() -> None:
    chance = np.random.default_rng(3)
    seen, steps = chance.normal(size=(1500, 7, 3)), chance.integers(2, size=1500)
    real = np.array([[1.0, -0.5, 0.0], [0.2, 0.3, 0.8]])
    target = softmax((seen * real[steps][:, None, :]).sum(-1))
    weights, losses = fit(seen, steps, target, 2)
    assert weights == pytest.approx(real, abs=0.02)
    assert losses[-1] < losses[0]


def test_its_orders_are_legal_and_the_same_for_the_same_chance() -> None:
    game = later()
    player = Player(game.rules, None)
    power = game.rules.names[2]
    seen, legal = view(game, power, {}), Legality(game.rules, game.position).orders_of(power)
    orders = player.orders(seen, legal, Random(1))
    assert len(orders) == len(legal.units)
    assert all(order in legal for order in orders)
    assert player.orders(seen, legal, Random(1)) == orders
