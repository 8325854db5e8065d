"""The messages of a game that another program kept; a game carries them along, and no rule reads them."""

from dataclasses import dataclass

__all__ = ["Message"]


@dataclass(frozen=True)
class Message:
    """A message between players, as the program wrote it that the game comes from.

    `sender` and `recipient` are powers of the game, or a word of that program for somebody else, such as GLOBAL for
    all powers. `phase` is the code of a phase, such as S1901M, and `time` a moment in the unit of that program.
    """

    sender: str
    recipient: str
    phase: str
    text: str
    time: int | None = None
