"""A format: functions that recognise a text, read a game from it, and write one; and what survives the way."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from plenipo.engine.history.game import Game
from plenipo.engine.history.verify import LoadRules
from plenipo.engine.sentences import say
from plenipo.errors import InvalidRecord

__all__ = ["Format", "GamePart", "LoadRules"]


class GamePart(StrEnum):
    """A part of a game that a format may preserve."""

    ORDERS = "orders"
    POSITIONS = "positions"
    RESULTS = "results"
    MESSAGES = "messages"
    TIMES = "times of messages"
    END = "the end of the game"
    OPTIONS = "options of the variant"
    RULINGS = "rulings"
    CHANCE = "the seed of chance"


def _refuse_to_write(_game: Game) -> str:
    raise InvalidRecord(say("This format is only read; nothing writes it."))


def _begins_none(_line: str) -> bool:
    return False


@dataclass(frozen=True)
class Format:
    """A way to keep a game in a file.

    `sniff` says whether a text looks like this format; the beginning of a file is enough for it. `read` makes a game of
    it, and raises `InvalidRecord` with one sentence where it cannot; `write` gives the text of a game, and raises
    `InvalidRecord` if the format has no room for it, as it always does for a format that is only read. `preserves` are
    the parts of a game that are still there when it is written and read again. `begins` says whether a line begins
    a game in a file with several, and what stands before the first belongs to all; a JSON format needs none.
    """

    name: str
    title: str
    sniff: Callable[[str], bool]
    read: Callable[[str, LoadRules], Game]
    write: Callable[[Game], str] = _refuse_to_write
    preserves: frozenset[GamePart] = frozenset({GamePart.ORDERS})
    begins: Callable[[str], bool] = _begins_none

    @property
    def writes(self) -> bool:
        """True if games can be written in this format."""
        return self.write is not _refuse_to_write

    @property
    def loses(self) -> tuple[GamePart, ...]:
        """The parts of a game that this format does not preserve."""
        return tuple(part for part in GamePart if part not in self.preserves)
