"""Mistakes in the files of a variant: where they are, and one sentence about each."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from plenipo.engine.calendar import A_YEAR
from plenipo.engine.sentences import Sentence, say
from plenipo.engine.wording import hint
from plenipo.errors import InvalidVariant
from plenipo.validation import NO_SUCH_KEY, NOT_THERE, clause

__all__ = [
    "FaultyFile",
    "Mistake",
    "line_of",
    "line_of_part",
    "line_of_words",
    "line_with",
    "mistakes_in",
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
        return str(self.as_sentence())

    def as_sentence(self) -> Sentence:
        """Return the mistake as a sentence with its file and line."""
        if self.line:
            return say("{file}, line {line}: {fault}", file=self.file, line=self.line, fault=self.sentence)
        return say("{file}: {fault}", file=self.file, fault=self.sentence)

    @property
    def without_path(self) -> str:
        """The same for readers on other machines: the name of the variant in place of the path of its file."""
        return f"{self.file.parent.name}{self._at_line}: {self.sentence}"

    @property
    def _at_line(self) -> str:
        return f", line {self.line}" if self.line else ""


class FaultyFile(InvalidVariant):
    """A variant cannot be used because of a `mistake` in one of its files."""

    def __init__(self, mistake: Mistake) -> None:
        super().__init__(mistake.as_sentence())
        self.mistake = mistake


def line_of(text: str, path: Sequence[object]) -> int:
    r"""Return the line of the key with this path in a TOML text, or else of the nearest table around it; 0 if none.

    An entry of a list of tables is called by its number, from 0 on.

    >>> line_of("[powers]\nFrance = { units = [] }", ["powers", "France", "units"])
    2
    >>> line_of("[powers]\n[[modules.contacts.add]]", ["modules", "contacts"])
    2
    """
    return _nearest(text, path)[0]


def _nearest(text: str, path: Sequence[object]) -> tuple[int, int]:
    """Return the line of `line_of`, and how much of the path leads there."""
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
        shared = min(len(here), len(wanted))  # a table may exist only through its subtables
        if shared > depth and here[:shared] == wanted[:shared]:
            best, depth = number, shared
    return best, depth


def line_of_part(text: str, path: Sequence[object]) -> int:
    r"""Return the line of a part as `line_of` does; in a list over several lines, that of the entry the path names.

    >>> line_of_part("[modules.convoys]\nports = [\n  'PIE',\n]", ["modules", "convoys", "ports", "PIE"])
    3
    >>> text = "[modules.bids]\nbids = [\n  {},\n  {},\n]"
    >>> line_of_part(text, ["modules", "bids", "bids", 1, "into"])
    4
    """
    line, depth = _nearest(text, path)
    if line and depth < len(path) and isinstance(entry := path[depth], int):
        return _line_of_entry(text, line, entry)
    words = [part for part in path[3:] if isinstance(part, str)]
    return line_with(text, line, *words) if line and words else line


_TEXT = re.compile(r"""("(?:[^"\\]|\\.)*"|'[^']*')|#.*""")


def _line_of_entry(text: str, line: int, entry: int) -> int:
    """Return the line on which an entry of a list begins that is written from `line` on; else `line` itself."""
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
    r"""Return the line of a TOML text that a sentence is about: the line with the last quoted word found.

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
    "year": A_YEAR,
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
    """Return a mistake for each error of a validation.

    `prefix` is the path of the table that was validated, `keys` gives the keys known in the table of a path.
    """
    mistakes = []
    for error in fault.errors():
        path = [*prefix, *(part for part in error["loc"] if isinstance(part, str))]
        key = ".".join(path)
        inside = any(isinstance(part, int) for part in error["loc"])
        kind, value = error["type"], error["input"]
        if kind in NO_SUCH_KEY:
            sentence = f"'{key}' is not a key of a variant; {hint(path[-1], sorted(keys(path[:-1])))}"
        elif kind == "missing" and inside:
            sentence = f"'{key}' has {list(value)!r}; it must be a list of two texts."
        elif kind in NOT_THERE:
            sentence = f"'{key}' is missing."
        elif kind == "string_too_short":
            sentence = f"'{key}' is empty."
        elif kind == "literal_error":
            sentence = f"'{key}' has {value!r}; it may be {error['ctx']['expected']}."
        else:
            verb = "has" if inside else "is"
            must = _MUST.get(kind)
            sentence = f"'{key}' {verb} {value!r}; {f'it must be {must}' if must else clause([error])}."
        line = line_of(text, path)
        if inside:  # a list over several lines
            word = value if isinstance(value, str) else next(iter(value), "") if isinstance(value, list | tuple) else ""
            line = line_with(text, line, word)
        mistakes.append(Mistake(file, line, sentence))
    return mistakes


def line_with(text: str, line: int, *words: object) -> int:
    r"""Return the first line from `line` to the next table that has all these texts in quotes; else `line` itself.

    >>> line_with("a = [\n  'x',\n  'y',\n]", 1, "y")
    3
    """
    for number, content in enumerate(text.splitlines()[line - 1 :], line):
        if number > line and _HEADER.fullmatch(content.partition("#")[0].rstrip()):
            break
        if all(f'"{word}"' in content or f"'{word}'" in content for word in words):
            return number
    return line
