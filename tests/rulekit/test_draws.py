"""Everything is drawn by the game's dice, or by the game master, whose entries the record keeps as such."""

from collections.abc import Callable

import pytest

from hats import BY_HAND, drawn, given
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.orders import Enter, Order
from plenipo.engine.phases.step import DrawProgress, drawn_by_hand
from plenipo.engine.position import GAME_MASTER
from plenipo.engine.rules import Rules
from plenipo.errors import PhaseNotOver

Tiny = Callable[..., Rules]
HOLES = "[modules.black_holes]\n"


def test_unless_set_the_dice_draw(tiny: Tiny) -> None:
    rules = tiny("[modules.draws]\n" + HOLES)
    assert not rules.draws_by_hand
    game = Game.new(rules, Dice(bytes(32))).process({})
    (draw,) = game.turns[0].resolution.draws
    assert not draw.entered
    assert str(game.position.phase) == "Fall 1901 movement"


def test_the_phase_of_draws_waits_for_the_game_master(tiny: Tiny) -> None:
    rules = tiny(BY_HAND + HOLES)
    game = Game.new(rules).process({})
    assert str(game.position.phase) == "Spring 1901 draws"
    assert game.turns[0].resolution.draws == ()
    with pytest.raises(PhaseNotOver, match="The game master must draw: 'black hole' has not been drawn yet"):
        game.process(given(GM=[]))
    done = game.process(given(GM=["DRAW black hole: NTH"]))
    assert str(done.position.phase) == "Fall 1901 movement"
    (draw,) = done.turns[-1].resolution.draws
    assert (draw.label, draw.result, draw.entered) == ("Spring 1901|black hole", "NTH", True)


def test_the_option_makes_the_game_one_or_the_other(tiny: Tiny) -> None:
    text = "[modules.draws]\n" + HOLES
    assert tiny(text, draws="gm_entered").draws_by_hand
    assert not tiny(text, draws="seeded").draws_by_hand


def test_orders_do_not_count_while_slips_are_drawn(tiny: Tiny) -> None:
    rules = tiny(BY_HAND + HOLES)
    game = Game.new(rules).process({}).process(given(GM=["DRAW black hole: NTH"], France=["A PAR H"]))
    told = [error for error in game.turns[-1].resolution.errors if "A PAR H" in error]
    assert len(told) == 1
    assert str(game.position.phase) == "Fall 1901 movement"


def after(game: Game, **draws: str) -> DrawProgress:
    """Return the progress of the game master after these draws, with `_` in a label for a blank."""
    entered: list[Order] = [Enter(label.replace("_", " "), result) for label, result in draws.items()]
    return drawn_by_hand(game.rules, game.position, {GAME_MASTER: entered})


def test_the_next_draw_is_named_with_what_is_in_the_hat(tiny: Tiny) -> None:
    game = Game.new(tiny(BY_HAND + HOLES + "[modules.splits]\n")).process({})
    first = after(game).due
    assert first
    assert (first.label, first.cards) == ("black hole", 0)
    assert {"KIE", "NTH"} <= set(first.slips)
    second = after(game, black_hole="nth")
    assert second.made == {"black hole": "NTH"}
    assert second.due
    assert second.due.label == "split"
    cards = after(game, black_hole="NTH", split="KIE").due
    assert cards
    assert (cards.label, cards.cards) == ("cards of KIE", 2)
    assert "HOL" in cards.slips
    assert "KIE" not in cards.slips
    done = after(game, black_hole="NTH", split="KIE", cards_of_KIE="HOL, BER")
    assert (list(done.made), done.due) == (["black hole", "split", "cards of KIE"], None)


def test_what_cannot_have_been_drawn_is_still_to_be_drawn(tiny: Tiny) -> None:
    game = Game.new(tiny(BY_HAND + HOLES)).process({})
    wrong = after(game, black_hole="Narnia")
    assert wrong.made == {}
    assert wrong.due
    assert (wrong.due.label, str(wrong.due)[:16]) == ("black hole", "'Narnia' cannot ")
    waiting = game.adjudicate(given(GM=["DRAW black hole: Narnia"]))
    assert str(waiting) == f"The game master must draw: {wrong.due}"


def test_nothing_is_drawn_by_hand_where_dice_draw_or_the_game_is_over(tiny: Tiny) -> None:
    seeded = Game.new(tiny("[modules.draws]\n" + HOLES), Dice(bytes(32)))
    assert after(seeded) == DrawProgress()
    over = Game.new(tiny(BY_HAND + HOLES)).process({})
    assert after(over).due
    assert after(over.draw(over.rules.names[:2])) == DrawProgress()


def test_a_game_without_chance_in_it_never_waits(tiny: Tiny) -> None:
    rules = tiny("[modules.draws]\n", draws="gm_entered")
    assert str(Game.new(rules).process({}).position.phase) == "Fall 1901 movement"
    assert drawn(tiny(BY_HAND + HOLES), rules.opening, {"black hole": "nth"}).draws[0].result == "NTH"
