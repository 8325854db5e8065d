"""Default orders for the units of a power that submitted no orders at all."""

from collections.abc import Callable

from plenipo.engine.board import Code
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules

Tiny = Callable[..., Rules]
FRANCE = Power("France")


def test_last_orders_are_given_again_where_they_can_be(tiny: Tiny) -> None:
    rules = tiny("[modules.default_orders]\n")
    game = Game.new(rules).process({FRANCE: ["A MAR S A PAR - BUR", "A PAR - BUR", "F BRE H"]})
    assert decode_game(encode_game(game), rules) == game
    game = game.process({})
    of_france = {str(o.unit): str(o.cause.reason) for o in game.turns[1].resolution.outcomes if o.power == FRANCE}
    assert of_france == {"F BRE": "held", "A MAR": "no order", "A BUR": "no order"}
    assert not game.turns[1].resolution.refusals


def test_a_support_in_place_goes_on(tiny: Tiny) -> None:
    rules = tiny("[modules.default_orders]\n")
    game = Game.new(rules).process({FRANCE: ["A MAR - BUR", "F BRE H", "A PAR S A MAR - BUR"]})
    game = game.process({FRANCE: ["A PAR S A BUR"]})
    while game.position.phase.year == 1901:
        game = game.process({})
    game = game.process({})
    (again,) = [o for o in game.turns[-1].resolution.outcomes if str(o.unit) == "A PAR"]
    assert (str(again.order), str(again.result)) == ("A PAR S A BUR", "supports")
    assert game.position.unit_at(Code("BUR"))


def test_or_its_units_hold(tiny: Tiny) -> None:
    rules = tiny('[modules.default_orders]\ndo = "hold"\n')
    game = Game.new(rules).process({FRANCE: ["A MAR - SPA", "A PAR S A BRE"]}).process({})
    assert all(str(outcome.result) == "holds" for outcome in game.turns[1].resolution.outcomes)
    assert game.position.slots == {}
