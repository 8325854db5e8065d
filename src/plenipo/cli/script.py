"""Scripts of orders: a whole game, or a part of one, as a text that a person can write and read.

A script is a sequence of phases. A line that is a phase (`Spring 1901`, `F1901R`, `S 1901`) begins one; the text
after a colon and the lines below it are orders, of a named power (`England: A LVP - YOR, F LON - NTH`), of the
power named on a line above (`England:`), or of the owner of the unit. `Draw` ends the game for all remaining powers,
`Draw: England, France` for these two.
A `#` begins a comment. Two comments set up the game: `# Seed: …`, 64 hexadecimal digits, is its seed;
each `# Set: KEY=VALUE` is one of its options.
`docs/command-line.md` shows an example.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from plenipo.engine.calendar import Calendar, Phase
from plenipo.engine.dice import Dice
from plenipo.errors import InvalidPhase

__all__ = ["Block", "blocks_of", "dice_of", "settings_of"]

_DRAW = re.compile(r"draw\s*(?::\s*(?P<powers>.*))?", re.IGNORECASE)
_COMMENT = re.compile(r"#.*")
_SEED = re.compile(r"^[ \t]*#[ \t]*Seed:(?P<seed>.*)$", re.IGNORECASE | re.MULTILINE)


_SETTING = re.compile(r"^[ \t]*#[ \t]*Set:(?P<setting>.*)$", re.IGNORECASE | re.MULTILINE)


def settings_of(text: str) -> list[str]:
    """Return the options of a script, each as `KEY=VALUE`."""
    return [match["setting"].strip() for match in _SETTING.finditer(text)]


def dice_of(text: str) -> Dice | None:
    """Return the dice with the seed of a script, or None; raise `InvalidRecord` for an invalid seed."""
    match = _SEED.search(text)
    return Dice.from_hex(match["seed"].strip()) if match else None


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a script: the orders of one phase, or the draw that ends the game.

    `number` is the line of its heading, from 1. `text` holds its orders behind as many empty lines as the script has
    before them, so that a line of the text has the number it has in the script. `phase` is None for orders before any
    heading, which belong to the phase the game is in. `draw` lists the powers of a draw as written, `""` for all.
    """

    number: int
    phase: Phase | None
    text: str
    draw: str | None = None


def blocks_of(text: str, calendar: Calendar) -> Iterator[Block]:
    """Yield the blocks of a script, cut at its headings; raise nothing, as any other line is read as orders."""
    number, phase = 1, None
    rows: list[str] = []
    start = 0
    for line, written in enumerate(text.splitlines(), 1):
        row = _COMMENT.sub("", written)
        draw = _DRAW.fullmatch(row.strip())
        heading = None if draw else _heading(row, calendar)
        below = line
        if not draw and not heading and ":" in row:  # 'Autumn 1897: Select London'
            head, _, orders = row.partition(":")
            heading = _heading(head, calendar)
            below = line - 1
        if not draw and not heading:
            rows.append(row)
            continue
        if phase or any(rows):
            yield Block(number, phase, "\n" * start + "\n".join(rows))
        number, phase, rows, start = line, heading, [] if below == line else [orders], below
        if draw:
            yield Block(line, None, "", draw["powers"] or "")
    if phase or any(rows):
        yield Block(number, phase, "\n" * start + "\n".join(rows))


def _heading(row: str, calendar: Calendar) -> Phase | None:
    """Return the phase a line names; a line without a year is none."""
    text = row.strip().strip("=-*").strip().removesuffix(":")
    if not any(letter.isdigit() for letter in text):
        return None
    try:
        return calendar.read(text)
    except InvalidPhase:
        return None
