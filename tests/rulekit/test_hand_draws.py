"""Everything is drawn by the game's dice, or by the game master, whose entries the record keeps as such."""

from collections.abc import Callable

from hats import BY_HAND, drawn, given
from plenipo.engine.dice import Dice
from plenipo.engine.game import Game
from plenipo.engine.rules import Rules
from plenipo.rulekit.hand_draws import HandDraws

Tiny = Callable[..., Rules]
HOLES = "[modules.black_holes]\n"


def test_unless_set_the_dice_draw(tiny: Tiny) -> None:
    assert not HandDraws().draws_by_hand()
    rules = tiny("[modules.hand_draws]\n" + HOLES)
    game = Game.new(rules, Dice(bytes(32))).process({})
    (draw,) = game.turns[0].resolution.draws
    assert not draw.entered
    assert str(game.position.phase) == "Fall 1901 movement"


def test_the_phase_of_draws_waits_for_the_game_master(tiny: Tiny) -> None:
    rules = tiny(BY_HAND + HOLES)
    game = Game.new(rules).process({})
    assert str(game.position.phase) == "Spring 1901 draws"
    assert game.turns[0].resolution.draws == ()
    waiting = game.process(given(GM=[]))
    assert waiting.position == game.position
    done = waiting.process(given(GM=["DRAW black hole: NTH"]))
    assert str(done.position.phase) == "Fall 1901 movement"
    (draw,) = done.turns[-1].resolution.draws
    assert (draw.label, draw.result, draw.entered) == ("Spring 1901|black hole", "NTH", True)


def test_the_option_makes_the_game_one_or_the_other(tiny: Tiny) -> None:
    text = "[modules.hand_draws]\n" + HOLES
    assert tiny(text, draws="gm_entered").draws_by_hand
    assert not tiny(text, draws="seeded").draws_by_hand


def test_orders_do_not_count_while_slips_are_drawn(tiny: Tiny) -> None:
    rules = tiny(BY_HAND + HOLES)
    game = Game.new(rules).process({}).process(given(GM=["DRAW black hole: NTH"], France=["A PAR H"]))
    told = [error for error in game.turns[-1].resolution.errors if "A PAR H" in error]
    assert len(told) == 1
    assert str(game.position.phase) == "Fall 1901 movement"


def test_a_game_without_chance_in_it_never_waits(tiny: Tiny) -> None:
    rules = tiny("[modules.hand_draws]\n", draws="gm_entered")
    assert str(Game.new(rules).process({}).position.phase) == "Fall 1901 movement"
    assert drawn(tiny(BY_HAND + HOLES), rules.opening, {"black hole": "nth"}).draws[0].result == "NTH"
