"""Mistakes in the files of a variant: where they are, and one sentence about each."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from plenipo.engine.wording import hint, listing
from plenipo.errors import InvalidVariant

__all__ = [
    "FaultyFile",
    "Mistake",
    "line_of",
    "line_of_part",
    "line_of_words",
    "line_with",
    "mistakes_in",
    "why_not_read",
]

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

    An entry of a list of tables is called by its number, from 0 on.

    >>> line_of("[powers]\nFrance = { units = [] }", ["powers", "France", "units"])
    2
    >>> line_of("[powers]\n[[modules.crossings.ways]]", ["modules", "crossings"])
    2
    """
    return _nearest(text, path)[0]


def _nearest(text: str, path: Sequence[object]) -> tuple[int, int]:
    """The line of `line_of`, and how much of the path leads there."""
    wanted = [str(part) for part in path]
    best, depth, table = 0, 0, list[str]()
    numbers: dict[tuple[str, ...], int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.fullmatch(line.partition("#")[0].rstrip()):
            table = [part.strip().strip("\"'") for part in header[1].split(".")]
            if line.lstrip().startswith("[["):  # an entry of a list, called by its number
                nth = numbers[tuple(table)] = numbers.get(tuple(table), -1) + 1
                table = [*table, str(nth)]
            here = table
        elif key := _KEY.match(line):
            name = next(filter(None, key.groups()), "")
            here = [*table, *(name.split(".") if key[3] else [name])]
        else:
            continue
        shared = min(len(here), len(wanted))  # a table may be there by what stands in it alone
        if shared > depth and here[:shared] == wanted[:shared]:
            best, depth = number, shared
    return best, depth


def line_of_part(text: str, path: Sequence[object]) -> int:
    r"""As `line_of`, or of a list over several lines the entry that the path names by its number or by what is in it.

    >>> line_of_part("[modules.crossings]\nways = [\n  ['PIE'],\n]", ["modules", "crossings", "ways", "PIE"])
    3
    >>> line_of_part("[modules.limits]\nlimits = [\n  {},\n  {},\n]", ["modules", "limits", "limits", 1, "into"])
    4
    """
    line, depth = _nearest(text, path)
    if line and depth < len(path) and isinstance(entry := path[depth], int):
        return _line_of_entry(text, line, entry)
    words = [part for part in path[3:] if isinstance(part, str)]
    return line_with(text, line, *words) if line and words else line


_TEXT = re.compile(r"""("(?:[^"\\]|\\.)*"|'[^']*')|#.*""")


def _line_of_entry(text: str, line: int, entry: int) -> int:
    """The line on which an entry of a list begins that is written from `line` on; else `line` itself."""
    deep, before, waiting = 0, entry, True
    for number, content in enumerate(text.splitlines()[line - 1 :], line):
        plain = _TEXT.sub(lambda found: "x" if found[1] else "", content)
        for char in plain.partition("=")[2] if number == line else plain:
            if deep == 1 and char == ",":
                waiting = True
            elif deep == 1 and waiting and char != "]" and not char.isspace():
                if before == 0:
                    return number
                before, waiting = before - 1, False
            deep += (char in "[{") - (char in "]}")
    return line


_QUOTED = re.compile(r"'([^']+)'")


def line_of_words(text: str, sentence: str) -> int:
    r"""The line of a TOML text that a sentence is about, by what it quotes: the last thing quoted that a line has.

    A sentence quotes the table or key first and the wrong value after it; 0 if no line has any of it.

    >>> line_of_words("[modules.points]\nmajors = ['Spain']", "'points' names 'Spain', which is not a power.")
    2
    """
    lines = [line.partition("#")[0] for line in text.splitlines()]
    best, start = 0, 0
    for quoted in _QUOTED.findall(sentence):
        module, _, option = quoted.partition(".")
        if option and (at := line_of(text, ["modules", module, option])):
            return at
        for word in (quoted, quoted.rpartition(".")[2]):
            at = next((n for n, line in enumerate(lines[start:], start + 1) if word and word in line), 0)
            if at:
                best, start = at, at - 1
                break
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
        inside = any(isinstance(part, int) for part in error["loc"])
        kind, value = error["type"], error["input"]
        if kind in ("extra_forbidden", "unexpected_keyword_argument"):
            sentence = f"'{key}' is not a key of a variant; {hint(path[-1], sorted(keys(path[:-1])))}"
        elif kind == "missing" and inside:
            sentence = f"'{key}' has {list(value)!r}; it must be a list of two texts."
        elif kind in ("missing", "missing_argument"):
            sentence = f"'{key}' is missing."
        elif kind == "string_too_short":
            sentence = f"'{key}' is empty."
        elif kind == "literal_error":
            sentence = f"'{key}' has {value!r}; it may be {error['ctx']['expected']}."
        else:
            verb = "has" if inside else "is"
            must = _MUST.get(kind)
            sentence = f"'{key}' {verb} {value!r}; " + (f"it must be {must}." if must else f"{error['msg'].lower()}.")
        line = line_of(text, path)
        if inside:  # of a list over several lines
            word = value if isinstance(value, str) else next(iter(value), "") if isinstance(value, list | tuple) else ""
            line = line_with(text, line, word)
        mistakes.append(Mistake(file, line, sentence))
    return mistakes


def line_with(text: str, line: int, *words: object) -> int:
    r"""The first line from `line` on that has all these texts in quotes, before the next table; else `line` itself.

    >>> line_with("a = [\n  'x',\n  'y',\n]", 1, "y")
    3
    """
    for number, content in enumerate(text.splitlines()[line - 1 :], line):
        if number > line and _HEADER.fullmatch(content.partition("#")[0].rstrip()):
            break
        if all(f'"{word}"' in content or f"'{word}'" in content for word in words):
            return number
    return line


def why_not_read(fault: ValidationError) -> tuple[tuple[str | int, ...], str]:
    """Where in a value an error is, and a sentence that says what it must be there; the first error of a validation."""
    first = fault.errors()[0]
    where = tuple(first["loc"])
    alike = [error for error in fault.errors() if error["loc"][: len(where) - 1] == where[:-1]]
    alternatives = [error for error in alike if error["input"] == first["input"]] if len(alike) > 1 else [first]
    if len(alternatives) > 1:
        where = where[:-1]  # the last part names the alternative
    musts = [_must_be(error["type"], error.get("ctx", {}), error["msg"]) for error in alternatives]
    return where, f"it must be {listing(dict.fromkeys(musts), 'or')}."


def _must_be(kind: str, context: Mapping[str, object], said: str) -> str:
    if kind in ("literal_error", "enum"):
        return str(context["expected"])
    whole = ("int_parsing", "int_type", "int_from_float")
    if kind in whole:
        return "a whole number"
    if kind.startswith("bool"):
        return "true or false"
    return {"tuple_type": "a list", "string_type": "a text", "dict_type": "a table", "mapping_type": "a table"}.get(
        kind, said.lower()
    )
