"""The commands that pages show: the fenced blocks of a page, the commands in them, and what each is said to print."""

import doctest
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["Block", "Call", "blocks", "calls", "is_shown", "trimmed"]


class Block(NamedTuple):
    """A fenced block of a page: its language, its text, and the line of the page it begins on, from 1."""

    page: Path
    line: int
    language: str
    text: str


class Call(NamedTuple):
    """A command of a console block and what it shows."""

    line: int
    command: str
    shown: str


def blocks(page: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a page."""
    text = page.read_text(encoding="utf-8")
    for match in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        yield Block(page, text.count("\n", 0, match.start()) + 2, match[1], match[2])


def calls(block: Block) -> Iterator[Call]:
    """Yield the commands of a console block: `$ ` begins one, `> ` goes on with it, the rest is what it shows."""
    command, shown, start = "", "", 0
    for number, line in enumerate(block.text.splitlines(), block.line):
        if line.startswith("$ "):
            if command:
                yield Call(start, command, shown)
            command, shown, start = line[2:], "", number
        elif line.startswith("> ") and not shown:
            command += f"\n{line[2:]}"
        else:
            shown += f"{line}\n"
    yield Call(start, command, shown)


def trimmed(text: str) -> str:
    """Return a text without the blanks at the ends of its lines, which tables are filled up with."""
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def is_shown(said: str, printed: str) -> bool:
    """Return whether a command printed what its page says; `...` in the page stands for anything."""
    return doctest.OutputChecker().check_output(trimmed(said), trimmed(printed), doctest.ELLIPSIS)
