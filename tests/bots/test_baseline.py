"""The baseline of the literature: legal for any variant, the same for the same chance, better than any legal orders."""

from random import Random

import pytest

from baseline import EARLY, LATE, baseline, ground
from plenipo import library
from plenipo.bots import BOTS, Bot
from plenipo.engine.board import Code, Location, UnitKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from table import standard


def phase(game: Game, players: dict[Power, Bot], chance: Random) -> Game:
    legality = Legality(game.rules, game.position)
    asked = view(game, None, {}).may_order
    return game.process({p: players[p](view(game, p, {}), legality.orders_of(p), chance) for p in asked})


@pytest.mark.parametrize("variant", library.names())
def test_its_orders_are_legal_in_every_variant(variant: str) -> None:
    game = Game.new(library.load(variant), Dice(bytes(32)))
    chance = Random(7)
    for _ in range(7):
        game = phase(game, dict.fromkeys(game.rules.names, baseline), chance)
        assert not game.turns[-1].resolution.errors


def test_the_same_chance_gives_the_same_orders() -> None:
    game = Game.new(standard())
    legal = Legality(game.rules, game.position).orders_of(Power("Russia"))
    seen = view(game, Power("Russia"), {})
    assert baseline(seen, legal, Random(5)) == baseline(seen, legal, Random(5))


def test_it_wins_against_careless_players() -> None:
    chance, own = Random(3), Power("Italy")
    game = Game.new(standard())
    players = {power: baseline if power == own else BOTS["careless"] for power in game.rules.names}
    for _ in range(60):
        if not game.over:
            game = phase(game, players, chance)
    assert game.position.winners == (own,)


def test_proximity_is_that_of_sums_over_the_map() -> None:
    """The matrix against the description followed step by step, for one centre and one power's value of it."""
    board = standard().board
    numbers = ground(board)
    centre = numbers.centres.index(Code("MUN"))
    spread = {(kind, location): float(location.space == "MUN") for kind, location in numbers.rows}
    sums = dict.fromkeys(spread, 0.0)
    for weight in EARLY.nearness:
        for place, value in spread.items():
            sums[place] += weight * value
        spread = {
            (kind, location): (
                value
                + sum(
                    sum(spread[kind, to] for to in coasts) / len(coasts)
                    for coasts in _by_space(board.steps(kind, location))
                )
            )
            / 5
            for (kind, location), value in spread.items()
        }
    for place, row in numbers.rows.items():
        assert numbers.near[EARLY][row, centre] == pytest.approx(sums[place])
    at = numbers.rows[UnitKind.ARMY, Location(Code("MUN"))]
    assert numbers.near[LATE][at, centre] > numbers.near[EARLY][at, centre]


def _by_space(places: frozenset[Location]) -> list[list[Location]]:
    return [[place for place in places if place.space == space] for space in sorted({place.space for place in places})]
