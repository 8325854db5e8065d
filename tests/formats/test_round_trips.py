"""Every format that is written is read again: what it says that it preserves is there, and nothing differs."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formats.sample_games import games, messages, with_messages
from plenipo import library
from plenipo.engine.history.game import Game
from plenipo.errors import PlenipoError
from plenipo.formats import FORMATS, Format, GamePart

WRITTEN = [name for name, form in FORMATS.items() if form.writes]


def parts(game: Game, form: Format) -> dict[GamePart, Any]:
    """The parts of a game that can be compared, of those that a format preserves."""
    found: dict[GamePart, Any] = {
        GamePart.ORDERS: [
            sorted((one.power, str(one.order)) for one in turn.resolution.outcomes if one.order is not None)
            for turn in game.turns
        ],
        GamePart.POSITIONS: [game.position_after(number) for number in range(len(game.turns) + 1)],
        GamePart.MESSAGES: [(one.sender, one.recipient, one.phase, one.text) for one in game.messages],
        GamePart.TIMES: [one.time for one in game.messages],
        GamePart.END: (game.over, game.drawn),
        GamePart.OPTIONS: dict(game.rules.options),
    }
    return {part: value for part, value in found.items() if part in form.preserves}


@pytest.mark.parametrize("name", WRITTEN)
@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_a_game_that_is_written_and_read_again_is_the_same_as_far_as_the_format_preserves_it(
    name: str, data: st.DataObject
) -> None:
    form = FORMATS[name]
    game = data.draw(games())
    game = with_messages(game, data.draw(messages(game)))
    text = form.write(game)
    assert [other for other, known in FORMATS.items() if known.sniff(text)] == [name]
    again = form.read(text, library.load)
    assert again.rulings == ()
    assert parts(again, form) == parts(game, form)


@pytest.mark.parametrize("name", WRITTEN)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_a_file_that_was_cut_off_or_changed_is_read_or_refused_in_one_sentence(name: str, data: st.DataObject) -> None:
    form = FORMATS[name]
    text = form.write(data.draw(games()))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    broken = text[:start] + data.draw(st.sampled_from(["", "\n", "{", "A", "\x00", "é", "9" * 30])) + text[end:]
    assert_read_or_refused(form, broken)


def assert_read_or_refused(form: Format, text: str) -> None:
    """Read a text; anything but a game or one sentence of Plenipo's own is a fault."""
    told = ""
    try:
        form.read(text, library.load)
    except PlenipoError as fault:
        told = str(fault)
    assert "\n" not in told
