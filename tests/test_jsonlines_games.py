"""A game played by putting each answer in again is the game that `Game` plays, for every variant."""

import json
from random import Random

import pytest

from plenipo import jsonlines, library
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power

SEED = "5a" * 32
YEARS = 12


def order_sets(game: Game, chance: Random) -> dict[Power, list[str]]:
    """A legal order for most units, as it is typed; and where promises are made, two of them now and then."""
    legality = Legality(game.rules, game.position)
    written: dict[Power, list[str]] = {}
    promising = "promises" in {module.name for module in game.rules.modules}
    for power in game.rules.names:
        by_unit: dict[object, list[str]] = {}
        for order in legality.orders_of(power):
            by_unit.setdefault(getattr(order, "unit", None), []).append(str(order))
        written[power] = [chance.choice(texts) for texts in by_unit.values() if chance.random() < 0.9]
        if promising and game.position.phase.kind is PhaseKind.MOVEMENT and chance.random() < 0.2:
            other = chance.choice([name for name in game.rules.names if name != power])
            written[power] += [f"PROMISE If {other} enters {place}, give them 2 points." for place in ("BUR", "NTH")]
    return written


@pytest.mark.parametrize("name", library.names())
def test_an_answer_put_in_again_plays_on_as_the_game_does(name: str) -> None:
    chance = Random(name)
    rules = library.load(name)
    game = Game.new(rules, Dice.from_hex(SEED))
    line = jsonlines.encode_position(rules, game.position) | {"seed": SEED}
    for number in range(1, 200):
        orders = order_sets(game, chance)
        game = game.process(orders)
        resolution = game.turns[-1].resolution
        line = json.loads(json.dumps(jsonlines.answer(json.dumps({**line, "orders": orders}), number, library.load)))
        assert line["errors"] == list(resolution.errors)
        again = jsonlines.read(json.dumps(line), library.load)
        assert again.errors == ()
        assert again.position == game.position
        assert len(line["results"]) + len(line.get("further", ())) == len(resolution.outcomes)
        if game.over or game.position.phase.year > rules.calendar.start + YEARS:
            break
    assert game.position.phase.year > rules.calendar.start + 2
