"""The record is lossless and shows every change."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from plenipo.engine.history.game import Game
from plenipo.engine.history.messages import Message
from plenipo.engine.history.record import VERSION, decode_game, decode_position, digest, encode_game, encode_position
from plenipo.engine.position import Power
from plenipo.errors import InvalidRecord
from table import place, standard


def played() -> Game:
    game = Game.new(standard())
    game = game.process({Power("France"): ["A PAR - BUR", "A MAR S A PAR - BUR", "nonsense"]})
    game = game.process({Power("France"): ["A BUR - MUN", "A MAR - BUR"], Power("Germany"): ["A MUN - TYO"]})
    return game.process({Power("France"): ["A PAR B"]})


def test_a_game_comes_back_as_it_was() -> None:
    game = played()
    assert decode_game(json.loads(json.dumps(encode_game(game))), standard()) == game
    drawn = game.draw([Power("France"), Power("Italy")])
    assert decode_game(encode_game(drawn), standard()) == drawn


def test_a_record_has_the_attacks_and_rivals_that_changed_nothing() -> None:
    rules = standard("standard", ("4.A.2", "1971"))
    units = (
        "Austria: A BRE, F ENG, F YOR\nItaly: F LON, F WAL\nGermany: A BER, F KIE, A SIL\n"
        "Russia: A PRU\nEngland: F BEL, F NTH"
    )
    orders = {
        Power("Austria"): ["A BRE - LON", "F ENG C A BRE - LON", "F YOR S A BRE - LON"],
        Power("Italy"): ["F LON S F WAL - ENG", "F WAL - ENG"],
        Power("Germany"): ["A BER - PRU", "F KIE - BER", "A SIL S A BER - PRU"],
        Power("Russia"): ["A PRU - BER"],
        Power("England"): ["F BEL - ENG", "F NTH S F BEL - ENG"],
    }
    played = Game(rules, place(units, rules=rules)).process(orders)
    causes = [outcome.cause for outcome in played.turns[0].resolution.outcomes]
    assert [str(one.fleet) for cause in causes for one in cause.uncut] == ["F ENG"]
    assert [str(cause.no_effect.rival) for cause in causes if cause.no_effect] == ["A PRU"]
    assert decode_game(json.loads(json.dumps(encode_game(played))), rules) == played


TALK = Message("France", "GLOBAL", "S1901M", "“Peace”\nto all", 12)


def test_messages_are_part_of_a_record_outside_of_its_hashes_and_of_no_public_one() -> None:
    silent = played()
    game = replace(silent, messages=(TALK, replace(TALK, time=None)))
    stored = json.loads(json.dumps(encode_game(game)))
    assert decode_game(stored, standard()) == game
    assert game.process({}).undo().messages == game.messages
    assert stored["hash"] == encode_game(silent)["hash"]
    assert "messages" not in encode_game(game, public=True)
    assert "messages" not in encode_game(silent)


@pytest.mark.parametrize(
    "wrong", [{"from": 3}, {"time": "noon"}, {"time": True}, {"text": None}], ids=["sender", "text", "flag", "nothing"]
)
def test_a_message_that_is_none_is_refused(wrong: dict[str, Any]) -> None:
    stored = encode_game(replace(played(), messages=(TALK,)))
    stored["messages"][0].update(wrong)
    with pytest.raises(InvalidRecord, match="A message has a text for each of"):
        decode_game(stored, standard())


def test_a_game_that_comes_back_goes_on_like_the_live_one() -> None:
    game = played()
    orders = {Power("France"): ["A PAR - PIC"]}
    assert decode_game(encode_game(game), standard()).process(orders) == game.process(orders)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every string and number in a JSON value."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from places(part, (*path, key))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from places(part, (*path, index))
    elif value is not None:
        yield path


def test_any_changed_value_in_a_record_is_noticed() -> None:
    text = json.dumps(encode_game(played()))
    paths = list(places(json.loads(text)))
    assert len(paths) > 300
    for path in paths:
        record = json.loads(text)
        *way, last = path
        part = record
        for key in way:
            part = part[key]
        part[last] = part[last] + 1 if isinstance(part[last], int) else part[last] + "x"
        with pytest.raises(InvalidRecord):
            decode_game(record, standard())


def test_a_left_out_turn_is_noticed() -> None:
    record = encode_game(played())
    del record["entries"][1]
    with pytest.raises(InvalidRecord, match="Turn 2, Winter 1901 adjustments, does not match its hash"):
        decode_game(record, standard())


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"format": "other"}, "This is not a game record of format 'plenipo-game'"),
        ({"version": VERSION + 1}, f"version '{VERSION + 1}'"),
        ({"version": ["a promise of many words"] * 99}, "…'"),
        ({"format": "long" * 999}, "'longlong.*…'"),
        ({"variant": "long" * 999}, "variant 'longlong.*…'"),
        ({"variant": "other"}, "The record is of variant 'other', not of 'standard'"),
        ({"entries": 3}, "The game cannot be read"),
    ],
)
def test_a_foreign_record_is_refused(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidRecord, match=sentence) as refused:
        decode_game({**encode_game(played()), **change}, standard())
    assert len(str(refused.value)) < 600


def test_a_position_that_lacks_something_is_refused_by_name() -> None:
    value = encode_position(standard().opening)
    del value["centres"]
    with pytest.raises(InvalidRecord, match="'centres' is missing"):
        decode_position(value, standard())


def test_the_digest_does_not_depend_on_the_order_of_keys() -> None:
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1}) != digest({"a": 2, "b": 1})
