"""Sentences in records: kinds and parts that come back as they were, in every variant, and no language."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plenipo import library
from plenipo.engine.dice import SEED_BYTES, Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.history.sentence_json import decode_sentence, encode_sentence
from plenipo.engine.orders import Declare
from plenipo.engine.position import Power, Unit
from plenipo.engine.sentences import AS_WRITTEN, Either, Quoted, Sentence, SentenceKind, Series, render
from plenipo.errors import InvalidRecord, PlenipoError
from plenipo.languages import catalogue
from plenipo.library.trial_orders import random_orders

AUSTRIA = Power("Austria")
PLACED = SentenceKind("test-placed", "{unit} in {places}: {number} by {power}, {inner}.")
INNER = SentenceKind("test-inner", "says {text}")

units = st.builds(lambda text: Unit.from_text("France", text), st.sampled_from(["A PAR", "F STP/SC"]))
plain = st.one_of(st.integers(), st.text(max_size=5), st.none(), units, st.text(max_size=5).map(Quoted))
inner = st.builds(lambda text: INNER(text=text), plain)
parts = st.one_of(
    plain,
    inner,
    st.lists(st.one_of(plain, inner), max_size=3).map(tuple),
    st.lists(plain, max_size=3).map(Either),
    st.lists(plain, max_size=3).map(Series),
)
sentences = st.builds(PLACED, unit=parts, places=parts, number=parts, power=parts, inner=st.one_of(inner, parts))


def kinds_of(sentence: str) -> Any:
    """Return a sentence as its kinds and parts, for comparison."""
    if not isinstance(sentence, Sentence):
        return sentence
    return sentence.kind.id, {key: kinds_of(part) for key, part in sentence.parts.items()}


@given(sentences)
def test_a_sentence_comes_back_with_its_kind_and_parts(sentence: Sentence) -> None:
    value = json.loads(json.dumps(encode_sentence(sentence)))
    back = decode_sentence(value)
    assert str(back) == str(sentence)
    assert kinds_of(back) == kinds_of(sentence)
    assert encode_sentence(back) == value


def random_game(name: str, seed: int, phases: int) -> Game:
    """Play some phases with random orders, and with one declaration of each kind."""
    game, chance = Game.new(library.load(name), Dice(bytes(SEED_BYTES))), Random(seed)
    for _ in range(phases):
        if game.over:
            break
        orders: dict[Power, list[str]] = {}
        for power, several in random_orders(game.rules, game.position, chance).items():
            orders[power] = [str(order) for order in several]
        for power in game.rules.names:
            offered = [one for one in game.legal_orders(power).declarations if isinstance(one, Declare)]
            words = {one.word: one for one in sorted(offered, key=lambda one: (chance.random(), str(one)))}
            orders.setdefault(power, []).extend(map(str, words.values()))
            orders[power].append("A NOWHERE - X")
        try:
            game = game.process(orders)
        except PlenipoError:
            break
    return game


@given(st.sampled_from(sorted(library.names())), st.integers(0, 3))
@settings(max_examples=12, deadline=None)
def test_a_game_comes_back_with_the_kinds_of_its_sentences(name: str, seed: int) -> None:
    game = random_game(name, seed, 5)
    value = json.loads(json.dumps(encode_game(game)))
    back = decode_game(value, game.rules)
    assert back == game
    assert encode_game(back) == value
    for turn, same in zip(game.turns, back.turns, strict=True):
        said = [(*turn.resolution.notes, *turn.resolution.errors), (*same.resolution.notes, *same.resolution.errors)]
        for one, other in zip(*said, strict=True):
            if isinstance(one, Sentence) and one.kind is not AS_WRITTEN:
                assert isinstance(other, Sentence)
                assert (other.kind, set(other.parts)) == (one.kind, set(one.parts))
                german = catalogue("de", "rules")
                assert render(other, german) == render(one, german)


def test_a_record_has_no_sentence_in_any_language() -> None:
    game = Game.new(library.load("standard"))
    game = game.process({AUSTRIA: ["A VIE - GAL"]}).process({AUSTRIA: ["A GAL - WAR", "F TRI - VEN"]})
    text = json.dumps([turn["events"] + turn["outcomes"] for turn in encode_game(game)["entries"]])
    assert "centre-taken" in text or "did not enter" not in text
    assert " took " not in text
    assert "because" not in text


def test_a_sentence_of_an_unknown_kind_keeps_its_parts() -> None:
    value = {"kind": "gone-since", "parts": {"power": "France", "unit": {"unit": ["France", "A PAR"]}}}
    back = decode_sentence(value)
    assert str(back) == "gone-since: France, A PAR"
    assert encode_sentence(back) == value
    assert render(back, catalogue("de", "rules"), {"France": "Frankreich"}) == "gone-since: Frankreich, A PAR"


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        (3, "is not a sentence"),
        ({"parts": {}}, "is not a sentence"),
        ({"kind": "moved", "more": 1}, "is not a sentence"),
        ({"kind": "moved", "parts": []}, "are no object"),
        ({"kind": "moved", "parts": {"unit": "A PAR"}}, "lacks the part 'place'"),
    ],
)
def test_a_broken_sentence_is_refused(value: Any, fault: str) -> None:
    with pytest.raises(InvalidRecord, match=fault):
        decode_sentence(value)


def test_a_sentence_that_is_too_deep_is_refused() -> None:
    value: Any = "end"
    for _ in range(50):
        value = {"kind": "test-inner", "parts": {"text": value}}
    with pytest.raises(InvalidRecord, match="more than 20 deep"):
        decode_sentence(value)
