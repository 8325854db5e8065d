"""The messages of a game from another program; a game keeps them, and no rule reads them."""

from dataclasses import dataclass

__all__ = ["Message"]


@dataclass(frozen=True)
class Message:
    """A message between players, as written by the program from which the game comes.

    `sender` and `recipient` are powers of the game, or a word of that program for other recipients, such as GLOBAL for
    all powers. `phase` is the code of a phase, such as S1901M, and `time` a moment in the unit of that program.
    """

    sender: str
    recipient: str
    phase: str
    text: str
    time: int | None = None
