"""Rulings: what was undone stays in the record, positions are edited, reasons sealed, and nothing is changed unseen."""

import json
import pickle
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import Chain, decode_game, encode_game, entries_of
from plenipo.engine.history.rulings import Back, Edited, ReadAs, seal_text
from plenipo.engine.history.verify import format_record, verify
from plenipo.engine.history.view import view
from plenipo.engine.position import Power, Unit
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidRecord, PlenipoError, UnknownName
from plenipo.library import load

from .test_turns import Shelf

RULES = load("standard")
FRANCE = Power("France")
WHY = seal_text("The order was ambiguous.", "salt")
KEPT = seal_text("A slip of the pen.", "pepper").withheld


def rules(name: str, options: Mapping[str, str]) -> Rules:
    """The rules a record names: the same value as that of the games here, for rules are compared by identity."""
    return RULES if (name, options) == (RULES.variant, RULES.options) else load(name, options)


def edited(game: Game) -> Edited:
    """A position in which an army of Austria has gone."""
    units = game.position.units
    gone = next(unit for unit in units if unit.power == "Austria")
    return Edited(replace(game.position, units=tuple(unit for unit in units if unit != gone)), WHY, "head")


def ruled() -> Game:
    """Two turns, back to the first, an order read as another, two more, an edited position and a turn."""
    game = Game.new(RULES, Dice(bytes(32))).process({FRANCE: ["A PAR - BUR"]}, "h1").process({FRANCE: ["A BUR - MUN"]})
    game = game.back(1, WHY, "h2").with_ruling(ReadAs(FRANCE, "A BUR - MUN", "A BUR - RUH", KEPT, "h2"))
    game = game.process({FRANCE: ["A BUR - RUH"]}, "h3")
    return game.with_ruling(edited(game)).process({}, "h4")


def test_undone_turns_stay_in_the_record_and_out_of_the_game() -> None:
    game = ruled()
    assert [str(turn.resolution.before.phase) for turn in game.turns[:2]] == [
        "Spring 1901 movement",
        "Fall 1901 movement",
    ]
    assert game.turns[1].orders[FRANCE] == ("A BUR - RUH",)
    kinds = [entry.get("ruling", "turn") for entry in entries_of(encode_game(game))]
    assert kinds == ["turn", "turn", "back", "read as", "turn", "edited", "turn"]
    assert entries_of(encode_game(game))[1]["orders"] == {"France": ["A BUR - MUN"]}


def test_a_game_goes_on_from_the_position_that_was_ruled() -> None:
    game = ruled()
    edit = game.rulings[-1][1]
    assert isinstance(edit, Edited)
    assert game.turns[-1].resolution.before == edit.position != game.turns[-2].resolution.after
    assert view(game, None, {}).at(2).position == edit.position
    assert game.fork(2).position == edit.position
    assert game.fork(1).position == game.turns[0].resolution.after


def test_a_record_with_rulings_is_read_and_verified() -> None:
    game = ruled()
    text = format_record(encode_game(game))
    found = verify(text, rules)
    assert found.game == game
    assert found.withheld == 1, "the reason of a reading was kept back"
    assert verify(format_record(encode_game(found.game)), rules).game == game


def test_a_reason_may_be_withheld_and_cannot_be_another() -> None:
    game = ruled()
    assert WHY.text is not None
    value = json.loads(format_record(encode_game(game)))
    assert WHY.text in format_record(value)
    del value["reasons"]
    assert verify(format_record(value), rules).withheld == 3
    other = encode_game(game)
    other["reasons"][WHY.digest][1] = "Somebody paid for it."
    with pytest.raises(InvalidRecord, match="not the one that was sealed"):
        verify(format_record(other), rules)


def test_a_ruling_has_a_position_that_can_be() -> None:
    game = Game.new(RULES)
    doubled = replace(game.position, units=(*game.position.units, Unit.from_text(FRANCE, "A PAR")))
    with pytest.raises(PlenipoError):
        verify(format_record(encode_game(game.with_ruling(Edited(doubled, WHY)))), rules)


def test_going_back_needs_a_turn_to_strike() -> None:
    with pytest.raises(UnknownName):
        Game.new(RULES).back(0, WHY)
    value = encode_game(ruled())
    head = {key: value[key] for key in ("format", "version", "variant", "options", "start", "commitment")}
    alone = Chain.from_hashes(head, ()).extend([Back(3, (), WHY)])
    with pytest.raises(PlenipoError):
        decode_game(alone[0].record(Game.new(RULES), alone[1]), RULES)


def test_a_game_with_rulings_is_opened_by_its_newest_turn() -> None:
    game = ruled()
    shelf = Shelf(game)
    opened = shelf.open()
    assert opened.position == game.position
    assert set(shelf.asked) == {6}
    assert len(opened.turns) == 3
    assert opened.turns == game.turns
    assert opened == game, "also what was undone"
    assert encode_game(opened) == encode_game(game)
    travelled = pickle.loads(pickle.dumps(shelf.open().rulings))  # noqa: S301  # made in the same line
    assert travelled == game.rulings, "it travels to another process"


ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("process"), st.sampled_from([["A PAR - BUR"], ["F BRE - MID"], [], ["nonsense"]])),
        st.tuples(st.just("back"), st.integers(0, 4)),
        st.tuples(st.just("edit"), st.just(0)),
        st.tuples(st.just("read"), st.booleans()),
    ),
    max_size=7,
)


def after(acts: list[tuple[str, object]]) -> Game:
    game = Game.new(RULES, Dice(bytes(32)))
    for number, (act, more) in enumerate(acts):
        why = seal_text(f"reason {number}", f"salt {number}")
        if act == "process":
            game = game.process({FRANCE: more}, f"head {number}")  # type: ignore[dict-item]
        elif act == "back" and isinstance(more, int) and more < len(game.turns):
            game = game.back(more, why)
        elif act == "edit" and any(unit.power == "Austria" for unit in game.position.units):
            game = game.with_ruling(replace(edited(game), reason=why))
        elif act == "read":
            game = game.with_ruling(ReadAs(FRANCE, "A PAR H", "A PAR - BUR", why if more else why.withheld))
    return game


@settings(max_examples=25, deadline=None)
@given(ACTS, st.data())
def test_after_any_acts_the_record_verifies_and_any_flipped_byte_is_found(
    acts: list[tuple[str, object]], data: st.DataObject
) -> None:
    game = after(acts)
    text = format_record(encode_game(game))
    found = verify(text, rules)
    assert found.game == game
    assert Shelf(game).open() == game
    raw = text.encode()
    for place in data.draw(st.lists(st.integers(0, len(raw) - 1), min_size=1, max_size=3)):
        bit = data.draw(st.integers(0, 7))
        flipped = bytearray(raw)
        flipped[place] ^= 1 << bit
        with pytest.raises((PlenipoError, UnicodeDecodeError)):
            verify(bytes(flipped).decode(), rules)
