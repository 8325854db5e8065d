"""The values in the files of a map, read by their required forms; standard library only.

A value of another form is refused with `InvalidFigure`, which quotes it and describes the valid form.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from plenipo.engine.board import Code
from plenipo.errors import InvalidFigure
from plenipo.maps.figure.segments import Point

__all__ = ["code_in", "dump_json", "line_of_fault", "load_json", "point_in", "reading", "text_in", "whole_in"]

_PIECE = re.compile(r"[^\s'\"]+")


@contextmanager
def reading(what: str, writer: str) -> Iterator[None]:
    """Turn every error while `what` is read into an `InvalidFigure` that names it and the writer of such files."""
    try:
        yield
    except InvalidFigure:
        raise
    except KeyError as fault:
        raise InvalidFigure(f"{what} lacks {fault}; it is written by {writer}") from fault
    except (ArithmeticError, AttributeError, RecursionError, TypeError, ValueError) as fault:
        raise InvalidFigure(f"{what} cannot be read ({fault}); it is written by {writer}") from fault


def load_json(text: str, what: str, wanted: str) -> dict[str, Any]:
    """Return the JSON object in a text, which must be of the `wanted` format."""
    data = json.loads(text)
    if not isinstance(data, dict):
        raise InvalidFigure(f"{what} cannot be read: it is a JSON object, and this is {_short(data)}")
    if data["format"] != wanted:
        raise InvalidFigure(f"{what} of format {_short(data['format'])} cannot be read; this is {wanted!r}")
    return data


def dump_json(value: object) -> str:
    """Return a value as JSON, in the fewest characters."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def code_in(value: object) -> Code:
    """Return the code of a space."""
    return Code(text_in(value, "the code of a space, such as 'PAR'"))


def text_in(value: object, what: str = "a text") -> str:
    """Return a text; `what` names it."""
    if not isinstance(value, str):
        raise InvalidFigure(f"{_short(value)} is not {what}")
    return value


def whole_in(value: object) -> int:
    """Return a measure or coordinate."""
    if type(value) is not int:
        raise InvalidFigure(f"{_short(value)} is not a coordinate or measure; those are whole numbers of 0.1 km")
    return value


def point_in(value: Sequence[object]) -> Point:
    """Return a point of the plane."""
    x, y = value
    return whole_in(x), whole_in(y)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def line_of_fault(text: str, sentence: str, load: Callable[[str], Any]) -> int:
    """Return the line of a file's `text` that a `sentence` about it means: the first that holds its quotation.

    `load` reads the text as JSON or TOML. The longest key or value of the file that stands in the sentence is looked
    for; 1 if there is none.
    """
    try:
        parts = set(map(str, _parts(load(text))))
    except (ValueError, RecursionError) as fault:
        line = getattr(fault, "lineno", None) or re.search(r"at line (\d+)", str(fault))
        return int(line[1]) if isinstance(line, re.Match) else line or 1 + text.count("\n", 0, len(text.rstrip()))
    quoted = re.findall(r"'([^']+)'", sentence)
    deepest = [path.rpartition(".")[2] for path in quoted if "." in path]
    others = {piece.strip(".,;:()[]{}") for piece in _PIECE.findall(sentence)} | set(quoted)
    for piece in (*deepest, *sorted(others, key=lambda piece: (-len(piece), piece))):
        for number, line in enumerate(text.splitlines() if piece in parts else (), 1):
            if re.search(rf"(?<![\w/]){re.escape(piece)}(?![\w/])", line):
                return number
    return 1


def _parts(value: object) -> Iterator[object]:
    """Yield every key and every value that is neither a table nor a list."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield key
            yield from _parts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _parts(inner)
    else:
        yield value
