"""Mistakes in the files of a variant: where they are, and one sentence about each."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from plenipo.engine.wording import hint
from plenipo.errors import InvalidVariant

__all__ = ["FaultyFile", "Mistake", "line_of", "mistakes_in"]

_HEADER = re.compile(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?")
_KEY = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([\w.-]+))\s*=""")


@dataclass(frozen=True, slots=True)
class Mistake:
    """Something wrong in a file; `line` counts from 1 and is 0 where no line can be named."""

    file: Path
    line: int
    sentence: str

    def __str__(self) -> str:
        return f"{self.file}{f', line {self.line}' if self.line else ''}: {self.sentence}"


class FaultyFile(InvalidVariant):
    """A variant cannot be used because of a `mistake` in one of its files."""

    def __init__(self, mistake: Mistake) -> None:
        super().__init__(str(mistake))
        self.mistake = mistake


def line_of(text: str, path: Sequence[object]) -> int:
    r"""The line of a TOML text on which the key with this path stands, or else the nearest table around it; 0 if none.

    >>> line_of("[powers]\nFrance = { units = [] }", ["powers", "France", "units"])
    2
    """
    wanted = [str(part) for part in path]
    best, depth, table = 0, 0, list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.fullmatch(line.partition("#")[0].rstrip()):
            table = [part.strip().strip("\"'") for part in header[1].split(".")]
            here = table
        elif key := _KEY.match(line):
            name = next(filter(None, key.groups()), "")
            here = [*table, *(name.split(".") if key[3] else [name])]
        else:
            continue
        if len(here) > depth and here == wanted[: len(here)]:
            best, depth = number, len(here)
    return best


_MUST = {
    "int_type": "a whole number above 0",
    "int_from_float": "a whole number above 0",
    "greater_than": "a whole number above 0",
    "string_type": "a text",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list of two texts",
    "dict_type": "a table",
    "model_type": "a table",
}


def mistakes_in(
    fault: ValidationError,
    file: Path,
    text: str,
    keys: Callable[[Sequence[str]], Iterable[str]],
    prefix: Sequence[str] = (),
) -> list[Mistake]:
    """A mistake for each error of a validation.

    `prefix` is the path of the table that was validated, `keys` gives the keys known in the table of a path.
    """
    mistakes = []
    for error in fault.errors():
        path = [*prefix, *(part for part in error["loc"] if isinstance(part, str))]
        key = ".".join(path)
        kind, value = error["type"], error["input"]
        if kind in ("extra_forbidden", "unexpected_keyword_argument"):
            sentence = f"'{key}' is not a key of a variant; {hint(path[-1], sorted(keys(path[:-1])))}"
        elif kind in ("missing", "missing_argument"):
            sentence = f"'{key}' is missing."
        elif kind == "string_too_short":
            sentence = f"'{key}' is empty."
        elif kind == "literal_error":
            sentence = f"'{key}' has {value!r}; it may be {error['ctx']['expected']}."
        else:
            verb = "has" if any(isinstance(part, int) for part in error["loc"]) else "is"
            must = _MUST.get(kind)
            sentence = f"'{key}' {verb} {value!r}; " + (f"it must be {must}." if must else f"{error['msg'].lower()}.")
        mistakes.append(Mistake(file, line_of(text, path), sentence))
    return mistakes
