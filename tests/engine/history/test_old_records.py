"""Records that older versions of the format wrote are read, verified and written on as they are."""

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plenipo.engine.events import UNSPECIFIED, RefusalCode
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import VERSION, decode_game, encode_game
from plenipo.engine.history.turns import Turns
from plenipo.engine.history.verify import verify, written
from plenipo.errors import InvalidRecord, PhaseNotOver
from plenipo.library import load


def records(version: int) -> dict[str, dict[str, Any]]:
    """Some phases of every variant, as the program wrote them when the format had a version."""
    packed = (Path(__file__).parents[2] / "data" / f"records-version-{version}.json.gz").read_bytes()
    found = json.loads(gzip.decompress(packed))
    return {name if version == 1 else f"{name}, version {version}": value for name, value in found.items()}


FIRST = records(1)
OLD = {**FIRST, **records(2)}
NAMES = sorted(OLD)


def game_of(name: str) -> Game:
    value = OLD[name]
    return decode_game(value, load(value["variant"], value["options"]))


@pytest.mark.parametrize("name", NAMES)
def test_an_old_record_is_written_as_it_was(name: str) -> None:
    assert OLD[name]["version"] == (1 if name in FIRST else 2)
    assert written(encode_game(game_of(name))) == written(OLD[name])


@pytest.mark.parametrize("name", NAMES)
def test_an_old_record_is_verified(name: str) -> None:
    assert verify(written(OLD[name]), load).game == game_of(name)


@pytest.mark.parametrize("name", sorted(FIRST))
def test_what_happened_has_its_sentence_and_no_kind(name: str) -> None:
    for turn, value in zip(game_of(name).turns, OLD[name]["turns"], strict=True):
        assert [event.sentence for event in turn.resolution.events] == value["notes"]
        assert [refusal.sentence for refusal in turn.resolution.refusals] == value["errors"]
        assert {event.kind for event in turn.resolution.events} <= {UNSPECIFIED}
        assert {refusal.code for refusal in turn.resolution.refusals} <= {RefusalCode.UNSPECIFIED}


@pytest.mark.parametrize(
    "name", [name for name in NAMES if "by hand" not in name and not (name not in FIRST and OLD[name]["drawn"])]
)
def test_a_game_goes_on_after_an_old_record_and_its_old_turns_keep_their_hashes(name: str) -> None:
    game = game_of(name).process({})
    value = encode_game(game)
    assert value["turns"][:-1] == OLD[name]["turns"]
    assert value["turns"][-1]["version"] == VERSION
    assert decode_game(value, game.rules) == game
    assert verify(written(value), load).game.turns[-1].version is None
    assert game.undo() == replace(game_of(name), drawn=())


@pytest.mark.parametrize(("name", "number"), [("1897", 0), ("irish by hand", 1)])
def test_a_turn_in_which_something_was_missing_stays_in_an_old_record_and_is_none_in_a_new_one(
    name: str, number: int
) -> None:
    game = game_of(name)
    turn = game.turns[number]
    assert turn.resolution.after == turn.resolution.before
    with pytest.raises(PhaseNotOver) as waiting:
        game.fork(number).process(turn.orders)
    assert str(waiting.value) == turn.resolution.errors[-1]


def test_another_result_in_an_old_record_is_told_even_if_it_was_hashed_again() -> None:
    game = game_of("standard")
    first, *others = game.turns
    moved = [outcome for outcome in first.resolution.outcomes if outcome.result == "moves"]
    held = moved[0]._replace(result=moved[0].result.HOLDS)
    outcomes = tuple(held if outcome is moved[0] else outcome for outcome in first.resolution.outcomes)
    forged = replace(first, resolution=replace(first.resolution, outcomes=outcomes))
    with pytest.raises(InvalidRecord, match="Turn 1, Spring 1901 movement, comes out otherwise"):
        verify(written(encode_game(replace(game, turns=Turns((forged, *others))))), load)


def test_an_old_record_without_a_turn_is_verified_too() -> None:
    game = game_of("standard").fork(0)
    text = written(encode_game(game, version=1))
    assert json.loads(text)["version"] == 1
    assert verify(text, load).game == game
