"""Turns that are read on demand: the same game, checked while it is read."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import Chain, decode_game, encode_game, open_game
from plenipo.engine.history.turns import Turns
from plenipo.engine.history.view import view
from plenipo.engine.position import Power
from plenipo.errors import InvalidRecord
from plenipo.library import load

Json = dict[str, Any]
RULES = load("standard")
ORDER_SETS: tuple[dict[str, list[str]], ...] = (
    {"France": ["A PAR - BUR", "A MAR S A PAR - BUR"], "Germany": ["A MUN - BUR"]},
    {"France": ["A BUR - MUN", "A MAR - BUR"], "Germany": ["A MUN H", "A BER - KIE"]},
    {"France": ["F BRE - MID"]},
    {"Turkey": ["A CON - BUL"]},
    {"Turkey": ["A BUL - GRE"]},
    {},
)


def played() -> Game:
    game = Game.new(RULES, Dice(bytes(32)))
    for order_sets in ORDER_SETS:
        game = game.process({Power(power): order_set for power, order_set in order_sets.items()})
    return game


class Shelf:
    """The records of the turns of a game, and which of them were asked for."""

    def __init__(self, game: Game) -> None:
        self.record = json.loads(json.dumps(encode_game(game)))
        self.asked: list[int] = []

    def read(self, first: int, last: int) -> Sequence[Json]:
        self.asked += range(first, last)
        entries: list[Json] = self.record["entries"][first:last]
        return entries

    def open(self) -> Game:
        entries = self.record["entries"]
        rulings = {number: entry for number, entry in enumerate(entries) if "ruling" in entry}
        head = {key: value for key, value in self.record.items() if key != "entries"}
        return open_game(head, RULES, [entry["hash"] for entry in entries], self.read, rulings)


def test_a_game_is_opened_and_gone_on_with_by_its_newest_turn_alone() -> None:
    game = played()
    shelf = Shelf(game)
    opened = shelf.open()
    assert opened.position == game.position
    assert len(opened.turns) == len(ORDER_SETS)
    again = opened.process({Power("France"): ["A PAR - GAS"]})
    assert view(again, None, {}).position.phase == again.position.phase
    chain, entries = Chain.of(shelf.record).extend(again.turns[-1:])
    assert set(shelf.asked) == {len(ORDER_SETS) - 1}
    whole = encode_game(game.process({Power("France"): ["A PAR - GAS"]}))
    assert entries == whole["entries"][len(ORDER_SETS) :]
    assert chain.record(again, [*shelf.record["entries"], *entries]) == whole


def test_what_was_not_read_is_read_when_asked_for_and_once_only() -> None:
    game = played()
    shelf = Shelf(game)
    opened = shelf.open()
    assert opened.turns[2] == game.turns[2]
    assert opened.turns[-1] == game.turns[-1]
    assert sorted(shelf.asked) == [1, 2, 4, 5], "a turn is read with the position it began from"
    assert opened == game
    assert opened.turns == game.turns
    asked = len(shelf.asked)
    assert list(opened.turns) == list(game.turns)
    assert len(shelf.asked) == asked


def test_a_game_goes_back_without_being_read() -> None:
    game = played()
    shelf = Shelf(game)
    opened = shelf.open()
    shelf.asked.clear()
    assert opened.fork(3).position == game.fork(3).position
    assert view(opened, None, {}).at(3).position == game.fork(3).position
    assert opened.undo().turns[:2] == game.turns[:2]
    assert opened.fork(0).position == game.start
    assert view(opened, None, {}).at(0).position == game.start
    assert 4 not in shelf.asked
    assert opened.fork(3).process({}) == game.fork(3).process({})


@pytest.mark.parametrize("number", range(len(ORDER_SETS)))
def test_what_was_changed_is_found_when_it_is_read(number: int) -> None:
    shelf = Shelf(played())
    shelf.record["entries"][number]["orders"]["Italy"] = ["A VEN H"]
    if number == len(ORDER_SETS) - 1:
        with pytest.raises(InvalidRecord, match="does not match its hash"):
            shelf.open()
        return
    opened = shelf.open()
    with pytest.raises(InvalidRecord, match=f"Turn {number + 1}, .*does not match its hash"):
        encode_game(opened)


def test_a_turn_of_another_game_does_not_fit_into_the_chain() -> None:
    game = played()
    shelf, other = Shelf(game), Shelf(game.fork(2).process({}).process({}).process({}).process({}))
    opened = shelf.open()
    shelf.record["entries"][2] = other.record["entries"][2]
    with pytest.raises(InvalidRecord, match="is not the one the game goes on from"):
        opened.turns[2]
    shelf = Shelf(game)
    shelf.record["drawn"] = ["France"]
    with pytest.raises(InvalidRecord, match="end of the game"):
        shelf.open()


def test_turns_are_a_sequence() -> None:
    game = played()
    turns = game.turns
    assert turns[1:3] == tuple(turns)[1:3]
    assert turns[::-1] == tuple(turns)[::-1]
    assert Turns(turns) == turns != turns[:2]
    assert turns.first(0) == ()
    assert turns != list(turns)
    with pytest.raises(IndexError):
        turns[6]
    assert decode_game(encode_game(game), RULES).turns == turns
