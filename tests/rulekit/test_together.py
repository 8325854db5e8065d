"""Variants of rule modules played together: they play, or are refused with a reason.

How many corners the larger boards have is counted in `tests/maps`, with Euler's formula and without.
"""

from random import Random

import pytest

from plenipo.engine.dice import SEED_BYTES, Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.orders import Choose, Order
from plenipo.engine.phases.adjustments import entitlement
from plenipo.engine.phases.choosing import standing
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.errors import InvalidVariant
from plenipo.library import load

PHASES = 24


def random_order_set(legality: Legality, power: Power, chance: Random) -> list[Order]:
    """One legal order for each unit, or as many choices and adjustments as come."""
    orders = list(legality.orders_of(power))
    chance.shuffle(orders)
    chosen = [order for order in orders if isinstance(order, Choose)]
    if chosen:
        return list(standing(legality, power, chosen[:3]))
    one_each = {str(getattr(order, "unit", order)): order for order in orders}
    return list(one_each.values())


@pytest.mark.parametrize(
    ("name", "corners", "options"),
    [
        ("napoleonic+corner", 149, {}),
        ("napoleonic+corner", 149, {"nine_players": "false", "hold_meaning": "occupy", "homes": "regular_country"}),
        ("cline+corner", 177, {}),
        ("cline+corner", 177, {"extra_contacts": "both"}),
    ],
)
def test_they_play_random_games(name: str, corners: int, options: dict[str, str]) -> None:
    rules = load(name, options)
    assert sum(code.startswith("[") for code in rules.board.spaces) == corners
    chance = Random(f"{name}{options}")  # the same game every time, and nothing secret
    game = Game.new(rules, Dice(bytes(range(SEED_BYTES))))
    visited = set()
    for _ in range(PHASES):
        if game.over:
            break
        legality = Legality(rules, game.position)
        game = game.process({power: random_order_set(legality, power, chance) for power in rules.names})
        assert list(game.position.faults(rules.board)) == []
        # too many builds or removals were ordered on purpose
        assert game.turns[-1].resolution.errors == () or "adjustments" in str(game.turns[-1].resolution.before.phase)
        visited |= {unit.space for unit in game.position.units if unit.space.startswith("[")}
        for power in rules.names:
            assert 0 <= entitlement(rules, game.position, power).builds <= len(game.position.centres_of(power))
    assert len(visited) > 10
    assert decode_game(encode_game(game), rules) == game


@pytest.mark.parametrize("other", ["1897+napoleonic", "napoleonic+1897"])
def test_the_years_of_1897_are_not_those_of_the_napoleonic_game(other: str) -> None:
    told = "'calendar' is given differently by 1897 and Eckert's Napoleonic: they cannot be played together"
    with pytest.raises(InvalidVariant, match=told):
        load(other)


@pytest.mark.parametrize("other", ["1897+cline", "cline+1897"])
def test_the_homes_to_choose_from_in_1897_are_those_of_the_regular_game(other: str) -> None:
    told = "'powers.Turkey.units' is given differently by 1897 and Cline Nine-Person: they cannot be played together"
    with pytest.raises(InvalidVariant, match=told):
        load(other)


def test_two_boards_are_not_played_together() -> None:
    with pytest.raises(InvalidVariant, match="'figure' is given differently"):
        load("napoleonic+cline")
