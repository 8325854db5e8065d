"""The verification of a record: it is complete, every draw repeats, and the orders lead to the stored results.

`format_record` is the only way in which a record is stored as text. `verify` finds any other byte in such a text.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from plenipo.engine.history import record
from plenipo.engine.history.game import Game
from plenipo.engine.history.rulings import Back, Edited, HistoryEntry
from plenipo.engine.history.turns import Turn
from plenipo.engine.outcome import Resolution, Waiting
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import say
from plenipo.errors import InvalidRecord

__all__ = ["Verified", "format_record", "verify"]

BESIDE = ("computers", "messages")
"""The parts of a record that no hash covers: the computer players of its seats, and the messages of its players."""

LoadRules = Callable[[str, Mapping[str, str]], Rules]
"""A function that returns the rules of a variant, by its name and options."""


@dataclass(frozen=True)
class Verified:
    """The result of a verification: the game, the number of repeated draws, and the number of draws a person entered.

    `unproved` are draws that cannot be repeated because the seed is not published yet; they have only the commitment.
    `withheld` are the rulings whose reason is not published; the record has only its hash.
    """

    game: Game
    repeated: int = 0
    entered: int = 0
    unproved: int = 0
    withheld: int = 0


def format_record(value: object) -> str:
    """Return a record as the text that is stored: JSON with a space of indent per level, and a newline at the end."""
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def verify(text: str, load: LoadRules) -> Verified:
    """Check the record in `text`; `load` makes the rules it names.

    The hashes must match, every draw must repeat from the published seed, the orders must lead to the same turns,
    and the text must be byte for byte the one that the program writes.
    Raises `InvalidRecord` naming the first fault, and the errors of `load`.
    """
    try:
        value = json.loads(text)
    except ValueError as fault:
        raise InvalidRecord(say("This is not JSON, so it is not a record: {fault}.", fault=fault)) from fault
    except RecursionError as fault:
        raise InvalidRecord(say("This JSON is nested too deeply to be a record.")) from fault
    if not isinstance(value, dict):
        raise InvalidRecord(say("This is JSON but not an object, so it is not a record."))
    game = record.decode_game(value, load(str(value.get("variant")), _options(value)))
    entries = game.entries
    _replay(game, entries)
    draws = [draw for turn in entries if isinstance(turn, Turn) for draw in turn.resolution.draws]
    entered = sum(draw.entered for draw in draws)
    if game.dice is not None:
        game.dice.check(draws)
    again = record.encode_game(game, public=game.dice is None, version=value["version"])
    again |= {key: part for key, part in value.items() if key in BESIDE}
    if again != value:
        raise InvalidRecord(
            say(
                "{difference} is not as the program writes it: the record was changed.",
                difference=_first_difference(again, value),
            )
        )
    if format_record(again) != text:
        raise InvalidRecord(
            say("{line} is not as the program writes it: the file was changed.", line=_line(format_record(again), text))
        )
    proved = len(draws) - entered if game.dice is not None else 0
    withheld = sum(not isinstance(entry, Turn) and entry.reason.text is None for entry in entries)
    return Verified(game, proved, entered, len(draws) - entered - proved, withheld)


def _options(value: Mapping[str, Any]) -> Mapping[str, str]:
    options = value.get("options")
    if not isinstance(options, dict) or not all(isinstance(choice, str) for choice in options.values()):
        raise InvalidRecord(say("'options' is {options!r}; it must have a text for each option.", options=options))
    return options


def _replay(game: Game, entries: Sequence[HistoryEntry]) -> None:
    """Adjudicate every turn again, also undone ones; raises `InvalidRecord` for the first with a different result.

    Without the seed draws cannot be repeated, and a turn with draws is only protected by its hash.
    """
    line = Game(game.rules, game.start, dice=game.dice, sealed=game.sealed)
    for number, entry in enumerate(entries, 1):
        before, line = line, _with(line, entry)
        if not isinstance(entry, Turn):
            continue
        turn = entry
        drawn = any(not draw.entered for draw in turn.resolution.draws)
        if drawn and game.dice is None:
            continue
        again = before.adjudicate(turn.orders)
        if isinstance(again, Waiting) or _facts(again) != _facts(turn.resolution):
            phase = turn.resolution.before.phase
            raise InvalidRecord(
                say(
                    "Turn {number}, {phase}, comes out otherwise when its orders are adjudicated again.",
                    number=number,
                    phase=phase,
                )
            )


def _with(line: Game, entry: HistoryEntry) -> Game:
    """Return the game after one more entry; raises `InvalidRecord` for an impossible position."""
    if isinstance(entry, Turn):
        return replace(line, turns=line.turns.with_turn(entry))
    if isinstance(entry, Back):
        return line.fork(entry.keep)
    if isinstance(entry, Edited):
        fault = next(entry.position.faults(line.rules.board_at(entry.position)), None)
        if fault:
            raise InvalidRecord(say("A ruling has a position that cannot be: {fault}", fault=fault))
    return line.with_ruling(entry)


def _facts(resolution: Resolution) -> object:
    """Return the results of a turn, without their explanations in causes and sentences, which only its hash protects.

    Another version of the program may give another reason, or more details.
    """
    outcomes = [
        (outcome.power, outcome.unit, outcome.order, outcome.result, outcome.dislodged_by, outcome.retreats)
        for outcome in resolution.outcomes
    ]
    events = [event._replace(sentence="") for event in resolution.events]
    refusals = [refusal._replace(sentence="") for refusal in resolution.refusals]
    return outcomes, resolution.after, resolution.draws, events, refusals


def _first_difference(ours: object, theirs: object, path: str = "") -> str:
    """Return the path of the first value that differs."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in dict.fromkeys((*ours, *theirs)):
            if key not in ours or key not in theirs or ours[key] != theirs[key]:
                below = f"{path}.{key}" if path else str(key)
                return _first_difference(ours.get(key), theirs.get(key), below) if key in ours else f"'{below}'"
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for place, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            if one != other:
                return _first_difference(one, other, f"{path}[{place}]")
    return f"'{path}'"


def _line(ours: str, theirs: str) -> str:
    """Return the first line that differs, by its number."""
    for number, (one, other) in enumerate(zip(ours.split("\n"), theirs.split("\n"), strict=False), 1):
        if one != other:
            return f"Line {number}"
    return f"Line {min(ours.count(chr(10)), theirs.count(chr(10))) + 1}"
