"""A record is proved whole: one byte, one draw or one order changed is found."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from plenipo.engine.dice import Dice
from plenipo.engine.events import Event, EventKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.messages import Message
from plenipo.engine.history.record import encode_game
from plenipo.engine.history.turns import Turns
from plenipo.engine.history.verify import Verified, format_record, verify
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidRecord, PlenipoError
from plenipo.library import load

FEW = {"majors": "France, Germany", "minors": "Belgium, Holland"}
SEED = bytes(range(32))
FRANCE, GERMANY = Power("France"), Power("Germany")


@cache
def rules_of(variant: str, options: tuple[tuple[str, str], ...]) -> Rules:
    return load(variant, dict(options))


def known(variant: str, options: Mapping[str, str]) -> Rules:
    """The rules a record names, made once; a record that was changed may name anything."""
    return rules_of(variant, tuple(sorted(options.items())))


def drawn_game(**options: str) -> Game:
    """Two turns of Irish Diplomacy."""
    rules = known("irish", {**FEW, **options})
    game = Game.new(rules, Dice(SEED)).process({Power("Holland"): ["CHOOSE F HOL"]})
    promise = "PROMISE If Germany doesn't enter BUR, give him 1 point."
    return game.process({FRANCE: ["A PAR - BUR", promise], GERMANY: ["A MUN - RUH"]}).process({FRANCE: ["A BUR H"]})


def plain_game() -> Game:
    """One turn of the regular game, whose record is small."""
    return Game.new(known("standard", {}), Dice(SEED)).process({FRANCE: ["A PAR - BUR", "nonsense"]})


def passes(text: str) -> bool:
    """Tell whether a text is accepted as a valid record; any fault must raise an error of the project."""
    try:
        verify(text, known)
    except PlenipoError:
        return False
    return True


def refused(text: str) -> str:
    with pytest.raises(InvalidRecord) as fault:
        verify(text, known)
    return str(fault.value)


def test_a_record_is_in_order_as_it_was_written() -> None:
    game = drawn_game()
    found = verify(format_record(encode_game(game)), known)
    assert found == Verified(game, repeated=sum(len(turn.resolution.draws) for turn in game.turns))
    assert found.repeated >= 14


def test_a_record_with_messages_is_in_order() -> None:
    game = replace(drawn_game(), messages=(Message("France", "GLOBAL", "S1901M", "Peace", 3),))
    assert verify(format_record(encode_game(game)), known).game == game
    without = replace(Game.new(known("standard", {})), messages=game.messages)
    assert verify(format_record(encode_game(without)), known).game == without


def test_a_public_record_without_its_seed_is_held_together_by_its_hashes() -> None:
    game = drawn_game()
    text = format_record(encode_game(game, public=True))
    assert SEED.hex() not in text
    found = verify(text, known)
    assert (found.repeated, found.entered) == (0, 0)
    assert found.unproved >= 14
    assert found.game.sealed == Dice(SEED).commitment


def test_a_record_whose_draws_were_entered_by_hand_says_how_many_they_are() -> None:
    rules = known("irish", {**FEW, "draws": "gm_entered"})
    walkers = [
        f"DRAW {name}: BUR" for name in ("IRISH 1", "IRISH 2", "PSYCHIATRIST 1", "PSYCHIATRIST 2", "PSYCHIATRIST 3")
    ]
    slips = ["DRAW black hole: PIC", "DRAW split: NTH", "DRAW cards of NTH: NWY KS, BEL QH"]
    game = Game.new(rules, Dice(SEED)).process({}).process({Power("GM"): walkers}).process({Power("GM"): slips})
    assert str(game.position.phase) == "Fall 1974 movement"
    text = format_record(encode_game(game))
    found = verify(text, known)
    assert (found.repeated, found.entered, found.unproved) == (0, 8, 0)
    assert "draws again" not in refused(text.replace("NWY KS, BEL QH", "NWY KS, DEN QH"))


# One byte


def other_byte(text: str, place: int, chance: Random) -> str:
    """The text with another character at `place`."""
    old = text[place]
    new = chance.choice([c for c in '0aA "{}[],:\n9fF' if c != old])
    return text[:place] + new + text[place + 1 :]


def test_every_byte_of_a_small_record_counts() -> None:
    text, chance = format_record(encode_game(plain_game())), Random(1)
    assert passes(text)
    assert [place for place in range(len(text)) if passes(other_byte(text, place, chance))] == []


@pytest.mark.parametrize("public", [False, True])
def test_any_byte_of_a_bigger_record_counts(public: bool) -> None:  # noqa: FBT001  # both records
    text, chance = format_record(encode_game(drawn_game(), public=public)), Random(2)
    places = sorted(chance.sample(range(len(text)), 400))
    assert [place for place in places if passes(other_byte(text, place, chance))] == []


def test_a_byte_more_or_less_counts() -> None:
    text, chance = format_record(encode_game(plain_game())), Random(3)
    for place in chance.sample(range(len(text)), 150):
        assert not passes(text[:place] + text[place + 1 :])
        assert not passes(text[:place] + " " + text[place:])
    assert not passes(text + "\n")
    assert not passes(text.rstrip("\n"))


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(SEED.hex(), SEED.hex().upper()),
        lambda text: text.replace(Dice(SEED).commitment, Dice(SEED).commitment.upper()),
        lambda text: json.dumps(json.loads(text)),
        lambda text: json.dumps(json.loads(text), indent=1, ensure_ascii=False, sort_keys=True) + "\n",
        lambda text: text.replace('"variant": "standard",', '"variant": "standard",\n "variant": "standard",', 1),
        lambda text: text.replace("nonsense", "nonsens\\u0065"),
        lambda text: text.replace('"version": 4', '"version": 4.0'),
        lambda text: "\ufeff" + text,
    ],
)
def test_the_same_said_otherwise_is_another_record(change: Callable[[str], str]) -> None:
    text = format_record(encode_game(plain_game()))
    changed = change(text)
    assert changed != text
    assert not passes(changed)


# Detected changes


def changed(game: Game, edit: Callable[[Any], None]) -> str:
    value = json.loads(json.dumps(encode_game(game)))
    edit(value)
    return format_record(value)


def test_another_order_is_reported_with_its_turn() -> None:
    text = changed(drawn_game(), lambda value: value["entries"][1]["orders"]["France"].__setitem__(0, "A PAR H"))
    assert refused(text) == "Turn 2, Spring 1974 movement, does not match its hash: the record was changed."


def test_another_draw_is_reported_even_if_its_turn_was_hashed_again() -> None:
    game = drawn_game()
    turn = game.turns[1].resolution
    made = turn.draws[0]
    other = next(slip for slip in made.slips if slip != made.result)
    forged = forge(game, 1, draws=(replace(made, result=other), *turn.draws[1:]))
    assert refused(format_record(encode_game(forged))) == (
        "Turn 2, Spring 1974 movement, comes out otherwise when its orders are adjudicated again."
    )


def test_another_outcome_is_reported_even_if_its_turn_was_hashed_again() -> None:
    game = drawn_game()
    forged = forge(game, 2, events=(Event(EventKind("points_received"), "France got 100 points and has 100."),))
    assert "Turn 3, Fall 1974 movement, comes out otherwise" in refused(format_record(encode_game(forged)))


def test_a_turn_may_be_worded_otherwise_by_the_program_that_wrote_it() -> None:
    game = drawn_game()
    turn = game.turns[1].resolution
    outcomes = tuple(outcome._replace(said=f"{outcome.why} Or so.") for outcome in turn.outcomes)
    events = tuple(event._replace(sentence="It came to pass.") for event in turn.events)
    forged = forge(game, 1, outcomes=outcomes, events=events)
    assert forged.turns[1].resolution.outcomes != turn.outcomes
    assert passes(format_record(encode_game(forged)))


def forge(game: Game, number: int, **fields: Any) -> Game:
    """The game with a turn that says something else, and with hashes that fit."""
    turns = list(game.turns)
    turns[number] = replace(turns[number], resolution=replace(turns[number].resolution, **fields))
    return replace(game, turns=Turns(turns))


def test_a_seed_that_does_not_fit_its_commitment_is_reported() -> None:
    text = changed(drawn_game(), lambda value: value.__setitem__("seed", bytes(32).hex()))
    assert "seed" in refused(text)


def test_other_dice_than_those_that_drew_are_reported() -> None:
    forged = replace(drawn_game(), dice=Dice(bytes(32)))
    assert "comes out otherwise" in refused(format_record(encode_game(forged)))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "This is not JSON, so it is not a record"),
        ("[]", "This is JSON but not an object, so it is not a record."),
        ("{}", "'options' is None; it must have a text for each option."),
        ('{"options": {"majors": 3}}', "'options' is {'majors': 3}; it must have a text for each option."),
    ],
)
def test_a_value_that_is_no_record_is_reported(text: str, told: str) -> None:
    assert refused(text).startswith(told)
