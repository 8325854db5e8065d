"""Computer players: what they order is legal, and the sensible one beats the careless one."""

from random import Random

import pytest

from plenipo import library
from plenipo.bots import BOTS, orders_of
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.submissions import Submissions
from plenipo.engine.history.view import View, view
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.errors import UnknownName
from plenipo.library import plugins
from table import standard


def played(game: Game, players: dict[Power, str], turns: int, seed: int = 1) -> Game:
    chance = Random(seed)
    for _ in range(turns):
        if game.over:
            break
        seen = {power: view(game, power, {}) for power in game.rules.names}
        order_sets = {
            power: orders_of(BOTS[players[power]], seen[power], power, chance)
            for power in seen
            if power in seen[power].may_order
        }
        game = game.process(order_sets)
    return game


@pytest.mark.parametrize("name", ["careless", "quick", "sensible"])
@pytest.mark.parametrize("variant", library.names())
def test_orders_of_a_computer_player_can_be_submitted_in_any_variant(variant: str, name: str) -> None:
    game = Game.new(library.load(variant), Dice(bytes(32)))
    chance = Random(7)
    for _ in range(14):
        order_sets = {}
        submissions = Submissions(game.rules, game.position)
        for power in view(game, None, {}).may_order:
            order_sets[power] = orders_of(BOTS[name], view(game, power, {}), power, chance)
            submissions = submissions.submit_orders(power, tuple(order_sets[power]))
        game = game.process(order_sets)
        assert not game.turns[-1].resolution.errors


@pytest.mark.parametrize("name", sorted(BOTS))
def test_every_unit_gets_one_order(name: str) -> None:
    game = Game.new(standard())
    for power in game.rules.names:
        orders = orders_of(BOTS[name], view(game, power, {}), power, Random(3))
        legal = Legality(game.rules, game.position).orders_of(power)
        assert len(orders) == len(legal.units)
        assert all(order in legal for order in orders)


def test_the_same_chance_gives_the_same_orders() -> None:
    game = Game.new(standard())
    seen: View = view(game, Power("France"), {})
    again = [orders_of(BOTS["sensible"], seen, Power("France"), Random(5)) for _ in range(2)]
    assert again[0] == again[1]


def test_the_sensible_player_takes_more_centres_than_the_careless_ones() -> None:
    careful, owned = Power("Germany"), []
    for seed in range(3):
        game = Game.new(standard())
        players = {power: "sensible" if power == careful else "careless" for power in game.rules.names}
        end = played(game, players, 25, seed).position
        owned.append(len(end.centres_of(careful)))
    assert min(owned) > 3
    assert sum(owned) / len(owned) >= 7


def test_a_player_there_is_none_of_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"'sensibel' is not a computer player; did you mean sensible\?"):
        plugins.players()["sensibel"]
