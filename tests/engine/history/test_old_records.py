"""Records of version 3, which have sentences as English texts, are read, verified and written on as they are."""

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plenipo.engine.history.game import Game
from plenipo.engine.history.record import TEXTS, VERSION, decode_game, digest, encode_game
from plenipo.engine.history.turns import Turns
from plenipo.engine.history.verify import format_record, verify
from plenipo.engine.sentences import AS_WRITTEN, Sentence
from plenipo.errors import InvalidRecord
from plenipo.library import load

OLD: dict[str, dict[str, Any]] = json.loads(
    gzip.decompress((Path(__file__).parents[2] / "data" / "records-version-3.json.gz").read_bytes())
)
"""Some phases of every variant, as the program wrote them when the format had version 3."""

NAMES = sorted(OLD)


def game_of(name: str) -> Game:
    value = OLD[name]
    return decode_game(value, load(value["variant"], value["options"]))


@pytest.mark.parametrize("name", NAMES)
def test_an_old_record_is_written_as_it_was(name: str) -> None:
    assert OLD[name]["version"] == TEXTS
    assert format_record(encode_game(game_of(name))) == format_record(OLD[name])


@pytest.mark.parametrize("name", NAMES)
def test_an_old_record_is_verified(name: str) -> None:
    assert verify(format_record(OLD[name]), load).game == game_of(name)


@pytest.mark.parametrize("name", NAMES)
def test_its_sentences_are_as_they_were_written(name: str) -> None:
    for turn, value in zip(game_of(name).turns, OLD[name]["entries"], strict=True):
        assert list(turn.resolution.notes) == value["notes"]
        assert list(turn.resolution.errors) == value["errors"]
        for said in (*turn.resolution.notes, *turn.resolution.errors):
            assert isinstance(said, Sentence)
            assert said.kind is AS_WRITTEN


@pytest.mark.parametrize("name", [name for name in NAMES if "by hand" not in name])
def test_a_game_goes_on_after_an_old_record_and_its_old_turns_keep_their_hashes(name: str) -> None:
    game = game_of(name).process({})
    value = encode_game(game)
    assert value["entries"][:-1] == OLD[name]["entries"]
    assert value["entries"][-1]["version"] == VERSION
    assert decode_game(value, game.rules) == game
    assert verify(format_record(value), load).game.turns[-1].version is None
    assert game.undo() == game_of(name)


def test_another_result_in_an_old_record_is_noticed_even_if_it_was_hashed_again() -> None:
    game = game_of(next(name for name in NAMES if OLD[name]["variant"] == "standard"))
    first, *others = game.turns
    moved = [outcome for outcome in first.resolution.outcomes if outcome.result == "moves"]
    held = moved[0]._replace(result=moved[0].result.HOLDS)
    outcomes = tuple(held if outcome is moved[0] else outcome for outcome in first.resolution.outcomes)
    forged = replace(first, resolution=replace(first.resolution, outcomes=outcomes))
    with pytest.raises(InvalidRecord, match="Turn 1, Spring 1901 movement, comes out otherwise"):
        verify(format_record(encode_game(replace(game, turns=Turns((forged, *others))))), load)


@pytest.mark.parametrize("version", [0, 1, 2, VERSION + 1, "3", None])
def test_another_version_is_refused_in_one_sentence(version: Any) -> None:
    value = OLD[NAMES[0]]
    with pytest.raises(InvalidRecord) as refused:
        decode_game({**value, "version": version}, load(value["variant"], value["options"]))
    assert str(refused.value) == (
        f"This is not a game record of format 'plenipo-game', version 3 or 4, but 'plenipo-game', version '{version}'."
    )


def test_a_turn_of_another_version_is_refused() -> None:
    value = json.loads(json.dumps(OLD[NAMES[0]]))
    first = value["entries"][0] | {"version": 2}
    del first["hash"]
    value["entries"] = [{**first, "hash": digest(first)}]
    with pytest.raises(InvalidRecord, match="A turn is of version '2'; it must be 3 or 4"):
        decode_game(value, load(value["variant"], value["options"]))
