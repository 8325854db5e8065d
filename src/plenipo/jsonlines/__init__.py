"""Adjudication by JSON lines: one position with its orders a line in, one resolution a line out.

A line that cannot be adjudicated gives `{"errors": ["line 3: …"]}` in its place. Within a line whatever can be used is,
and everything else is one sentence in `errors`. What a line may say is described in `docs/command-line.md`.
A line that was put out, with new `orders`, may be put in again: it holds all that the next phase needs.

`reading` and `writing` are for one line. `stream` leads lines from a file to a file. `together` adjudicates many of
them at once with the kernel: `lookup` and `columns` make arrays of their texts, `rows` makes texts of the results.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from plenipo.engine.dice import Dice
from plenipo.engine.history.record import Json
from plenipo.engine.orders import Order
from plenipo.engine.outcome import Resolution, Waiting
from plenipo.engine.phases.step import adjudicate
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.errors import PlenipoError
from plenipo.jsonlines.reading import KEYS, MOST_BYTES, Load, PositionLine, parse_json, read, remembering
from plenipo.jsonlines.writing import encode_answer, encode_legal, encode_position

__all__ = [
    "KEYS",
    "MOST_BYTES",
    "Adjudicate",
    "Load",
    "PositionLine",
    "answer",
    "answer_json",
    "answers",
    "encode_answer",
    "encode_legal",
    "encode_position",
    "parse_json",
    "read",
    "remembering",
]

Adjudicate = Callable[[Rules, Position, Mapping[Power, Sequence[Order]], Dice | None], Resolution | Waiting]
"""A function that adjudicates a phase, such as `plenipo.engine.phases.step.adjudicate`."""


def answers(lines: Iterable[bytes | str], load: Load, adjudicator: Adjudicate = adjudicate) -> Iterator[str]:
    """Yield the answer to each line as soon as the line is there, as JSON in ASCII; blank lines are passed over."""
    load = remembering(load)
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield json.dumps(answer(line, number, load, adjudicator))


def answer(line: bytes | str, number: int, load: Load, adjudicator: Adjudicate = adjudicate) -> Json:
    """Return the answer to one line, valid or not; `number` is for its errors."""
    content: Json = {}
    try:
        content = parse_json(line)
        return answer_json(content, load, adjudicator)
    except PlenipoError as fault:
        name = {"id": content["id"]} if "id" in content else {}
        return {"errors": [f"line {number}: {fault}"], **name}


def answer_json(content: Json, load: Load, adjudicator: Adjudicate = adjudicate) -> Json:
    """Return the answer to a line; raise `PlenipoError` if nothing in it can be adjudicated."""
    line = read(content, load)
    return encode_answer(line, content, adjudicator(line.rules, line.position, line.orders, line.dice))
