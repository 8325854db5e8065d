"""A format: a function that reads a game from the text of a file, and one that writes it."""

from collections.abc import Callable
from dataclasses import dataclass

from plenipo.engine.history.game import Game
from plenipo.engine.history.verify import LoadRules

__all__ = ["Format", "LoadRules"]


@dataclass(frozen=True)
class Format:
    """A way to keep a game in a file.

    `matches` says whether a text looks like this format, `read` makes a game of it, and raises `InvalidRecord` with
    one sentence where it cannot; `write` gives the text of a game, and raises `InvalidRecord` if the format has no
    room for it.
    """

    name: str
    title: str
    matches: Callable[[str], bool]
    read: Callable[[str, LoadRules], Game]
    write: Callable[[Game], str]
