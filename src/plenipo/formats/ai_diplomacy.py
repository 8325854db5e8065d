"""The game of a run of AI_Diplomacy, `lmvsgame.json`: language models play, and each keeps a private diary.

It is a saved game of the package `diplomacy` in which each phase that was played has `state_agents`: for each power its
model, goals, relations and `full_private_diary`, a list of texts such as `[S1901M] Italy cannot be trusted.` that grows
from phase to phase. An entry of a diary is read as a message of its power to `DIARY`. Models, goals, relations, plans
and summaries are not kept.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from plenipo.engine.history.game import Game
from plenipo.engine.history.messages import Message
from plenipo.engine.position import Power
from plenipo.engine.sentences import say
from plenipo.errors import InvalidRecord
from plenipo.formats.base import Format, GamePart, LoadRules
from plenipo.formats.diplomacy_package import encode_game, has_agents, powers_in_file, transcribe
from plenipo.formats.parsing import json_object
from plenipo.formats.playback import play_back

__all__ = ["AI_DIPLOMACY"]

DIARY = "DIARY"
"""The recipient of the entries of a diary, which no player receives."""

_ENTRY = re.compile(r"\[(?P<phase>[SFW]\d{1,4}[MRA])\] (?P<text>.*)", re.DOTALL)


# Reading


def _sniff(text: str) -> bool:
    value = json_object(text)
    return value is not None and has_agents(value)


def _read(text: str, load: LoadRules) -> Game:
    transcript = transcribe(text)
    phases = (json_object(text) or {})["phases"]
    numbers = _number_phases(phases)
    placed = [*_place(numbers, transcript.messages), *_place(numbers, _list_entries(phases))]
    messages = [message for _, message in sorted(placed, key=lambda one: one[0])]
    return play_back(replace(transcript, messages=tuple(messages)), load)


def _number_phases(phases: Sequence[Mapping[str, Any]]) -> Mapping[str, int]:
    return {phase["name"]: number for number, phase in reversed(list(enumerate(phases)))}


def _place(numbers: Mapping[str, int], messages: Iterable[Message]) -> Iterator[tuple[int, Message]]:
    """Yield each message with the number of its phase; one of a phase that the file lacks follows the one before."""
    at = 0
    for message in messages:
        at = numbers.get(message.phase, at)
        yield at, message


def _list_entries(phases: Sequence[Mapping[str, Any]]) -> Iterator[Message]:
    """Yield the entries of all diaries; a diary repeats in each phase what it had in the one before."""
    read: dict[str, int] = {}
    for phase in phases:
        agents = phase.get("state_agents") or {}
        if not isinstance(agents, dict):
            raise _not_agents(phase)
        for power, agent in agents.items():
            diary = agent.get("full_private_diary") if isinstance(agent, dict) else None
            if not isinstance(diary or [], list) or not all(isinstance(entry, str) for entry in diary or ()):
                raise _not_agents(phase)
            for entry in (diary or ())[read.get(power, 0) :]:
                marked = _ENTRY.fullmatch(entry)
                when, text = (marked["phase"], marked["text"]) if marked else (phase["name"], entry)
                yield Message(power, DIARY, when, text)
            read[power] = max(read.get(power, 0), len(diary or ()))


def _not_agents(phase: Mapping[str, Any]) -> InvalidRecord:
    return InvalidRecord(
        say(
            "{name}: 'state_agents' must be an object with a 'full_private_diary', a list of texts, for each power.",
            name=phase["name"],
        )
    )


# Writing


def _write(game: Game) -> str:
    entries = [message for message in game.messages if message.recipient == DIARY]
    others = tuple(message for message in game.messages if message.recipient != DIARY)
    value = encode_game(replace(game, messages=others))
    names = powers_in_file(game.rules)
    diaries: dict[str, list[str]] = {name: [] for name in names.values()}
    placed = list(_place(_number_phases(value["phases"]), entries))
    for number, phase in enumerate(value["phases"]):
        for place, message in placed:
            if place == number:
                name = names.get(Power(message.sender), message.sender)
                diaries.setdefault(name, []).append(f"[{message.phase}] {message.text}")
        phase["state_agents"] = {name: _agent(name, diary) for name, diary in diaries.items()}
    states: dict[str, dict[str, Any]] = {name: {"relationships": {}, "goals": []} for name in diaries}
    value |= {"phase_summaries": {}, "final_agent_states": states}
    return json.dumps(value, ensure_ascii=False) + "\n"


def _agent(name: str, diary: list[str]) -> dict[str, Any]:
    agent = {"power_name": name, "model_id": "", "goals": [], "relationships": {}}
    return {**agent, "full_private_diary": list(diary), "private_diary": list(diary)}


AI_DIPLOMACY = Format(
    "ai_diplomacy",
    "the game of a run of AI_Diplomacy, with diaries",
    _sniff,
    _read,
    _write,
    frozenset({GamePart.ORDERS, GamePart.POSITIONS, GamePart.RESULTS, GamePart.MESSAGES, GamePart.TIMES}),
)
