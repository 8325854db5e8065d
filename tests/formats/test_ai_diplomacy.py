"""Runs of AI_Diplomacy: their diaries come along as messages that no player receives, and go back into the file."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formats.sample_games import games, messages, play, with_messages
from plenipo import library
from plenipo.engine.history.game import Game
from plenipo.engine.history.messages import Message
from plenipo.errors import InvalidRecord
from plenipo.formats import FORMATS

RUN, PACKAGE = FORMATS["ai_diplomacy"], FORMATS["diplomacy"]


def run_file(game: Game, diaries: list[dict[str, list[str]]]) -> str:
    """The file of a run: the game as the package saves it, with the diaries that each phase has so far."""
    value = json.loads(PACKAGE.write(game))
    for phase, diary in zip(value["phases"], diaries, strict=False):
        phase["state_agents"] = {
            power: {
                "power_name": power,
                "model_id": "a-model",
                "max_tokens": 16000,
                "goals": ["win"],
                "relationships": {"ITALY": "Neutral"},
                "full_private_diary": entries,
                "private_diary": ["[CONSOLIDATED HISTORY] …", *entries[-1:]],
            }
            for power, entries in diary.items()
        }
        phase["config"], phase["order_results"] = {"max_year": 1905}, {}
    value |= {"phase_summaries": {"S1901M": "Calm."}, "final_agent_states": {}}
    return json.dumps(value, indent=4)


def test_the_entries_of_a_diary_that_grows_are_read_once_each_with_its_phase() -> None:
    game = with_messages(play(1, turns=2), [Message("France", "Italy", "S1901M", "Peace?", 7)])
    first = {"FRANCE": ["[S1901M] Italy is quiet."], "ITALY": ["[S1901M] France is loud."]}
    second = {"FRANCE": [*first["FRANCE"], "[F1901M] To Spain!\nAnd on.", "no mark"], "ITALY": first["ITALY"]}
    text = run_file(game, [first, second])
    assert [name for name, form in FORMATS.items() if form.sniff(text)] == ["ai_diplomacy"]
    again = RUN.read(text, library.load)
    assert again.position == game.position
    assert again.messages == (
        Message("France", "Italy", "S1901M", "Peace?", 7),
        Message("France", "DIARY", "S1901M", "Italy is quiet."),
        Message("Italy", "DIARY", "S1901M", "France is loud."),
        Message("France", "DIARY", "F1901M", "To Spain!\nAnd on."),
        Message("France", "DIARY", "F1901M", "no mark"),
    )


@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_diaries_and_messages_are_written_and_read_again(data: st.DataObject) -> None:
    game = data.draw(games())
    said = data.draw(messages(game))
    kept = [Message(one.sender, "DIARY", one.phase, one.text) for one in data.draw(messages(game))]
    text = RUN.write(with_messages(game, [*said, *kept]))
    again = RUN.read(text, library.load)
    assert [one for one in again.messages if one.recipient != "DIARY"] == list(said)
    assert sorted(map(str, (one for one in again.messages if one.recipient == "DIARY"))) == sorted(map(str, kept))
    assert PACKAGE.read(text, library.load).position == again.position


@pytest.mark.parametrize(
    "agents",
    [7, ["FRANCE"], {"FRANCE": {"full_private_diary": "text"}}, {"FRANCE": {"full_private_diary": [7]}}],
)
def test_agents_that_are_no_agents_are_refused_with_their_phase(agents: Any) -> None:
    value = json.loads(RUN.write(play(1, turns=1)))
    value["phases"][0]["state_agents"] = agents
    with pytest.raises(InvalidRecord, match="S1901M: 'state_agents' must be an object with a 'full_private_diary'"):
        RUN.read(json.dumps(value), library.load)


def test_a_run_without_diaries_of_some_powers_is_read() -> None:
    value = json.loads(RUN.write(play(1, turns=1)))
    value["phases"][0]["state_agents"] = {"FRANCE": {"model_id": "a-model"}, "ITALY": None}
    del value["final_agent_states"]
    text = json.dumps(value)
    assert RUN.sniff(text)
    assert len(RUN.read(text, library.load).turns) == 1
