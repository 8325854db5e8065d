"""A game is an immutable history: process, undo, fork, draw."""

import pytest

from plenipo.engine.history.game import Game
from plenipo.engine.position import Power
from plenipo.errors import GameOver, UnknownName
from table import board_of, standard

OPENING = {Power("France"): ["A PAR - BUR", "F BRE - MID"], Power("Germany"): ["A MUN - BUR", "gibberish"]}


def test_processing_gives_a_new_game_and_leaves_the_old_one() -> None:
    game = Game.new(standard())
    after = game.process(OPENING)
    assert game.turns == ()
    assert game.position == standard().opening
    assert str(after.position.phase) == "Fall 1901 movement"
    assert board_of(after.position)["France"] == ["A MAR", "F MID", "A PAR"]


def test_nothing_typed_is_lost() -> None:
    (turn,) = Game.new(standard()).process(OPENING).turns
    assert turn.orders[Power("Germany")] == ("A MUN - BUR", "gibberish")
    assert any("gibberish" in error and error.startswith("Germany: ") for error in turn.resolution.errors)


def test_one_text_has_an_order_in_each_line() -> None:
    in_lines = Game.new(standard()).process({Power("France"): "A PAR - BUR\nF BRE - MID"})
    assert in_lines == Game.new(standard()).process({Power("France"): ["A PAR - BUR", "F BRE - MID"]})


def test_orders_that_are_no_mapping_are_refused_with_an_example() -> None:
    game = Game.new(standard())
    with pytest.raises(TypeError, match=r"Orders come first, as \{'France': \['A PAR - BUR'\]\}, not .*<Position"):
        game.adjudicate(game.position)  # type: ignore[arg-type]


def test_undo_and_fork_go_back_to_any_phase() -> None:
    game = Game.new(standard()).process(OPENING).process({}).process({})
    assert game.undo(3) == game.fork(0) == Game.new(standard())
    assert game.fork(1) == Game.new(standard()).process(OPENING)
    with pytest.raises(UnknownName, match="The game has 3 turns: there is none numbered 4"):
        game.fork(4)
    with pytest.raises(UnknownName, match="none numbered -1"):
        game.undo(4)


def test_a_draw_ends_the_game_until_it_is_undone() -> None:
    game = Game.new(standard()).process({}).draw([Power("France"), Power("Turkey")])
    assert game.over
    assert game.position.winners == ("France", "Turkey")
    with pytest.raises(GameOver, match="The game is over: France and Turkey won"):
        game.process({})
    assert not game.undo().over
    with pytest.raises(UnknownName, match="A draw is shared by powers of the game, not by Sweden\\."):
        Game.new(standard()).draw([Power("Sweden")])
    with pytest.raises(UnknownName, match="A draw needs the powers that share it"):
        Game.new(standard()).draw([])
