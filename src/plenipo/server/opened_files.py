"""Files of other programs, opened as games of this server: what a file is, and where its positions differ."""

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from typing import Any

from plenipo.engine.history.game import Game
from plenipo.engine.history.rulings import Edited
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import SentenceKind
from plenipo.errors import InvalidRecord, PlenipoError
from plenipo.formats import Format
from plenipo.formats.streaming import games_in
from plenipo.library import plugins
from plenipo.server.uploads import rules_of

__all__ = ["GameFile", "read_file"]

_UNREADABLE = SentenceKind(
    "server-saved-file-unreadable", "The file cannot be read: a value in it is missing, misplaced or of the wrong type."
)
_GAME_MISSING = SentenceKind("server-file-game-missing", "The file has no game number {number}.")

MOST_GAMES = 1000
"""The largest number of a game in a file."""


@dataclass(frozen=True)
class GameFile:
    """A game of a file, and the format it was in; `several` is True if the file has other games too."""

    game: Game
    form: Format
    several: bool = False

    @property
    def differences(self) -> int:
        """The number of positions that differ from those that follow by the rules."""
        if self.form.name == "plenipo":
            return 0
        return sum(isinstance(ruling, Edited) for _, ruling in self.game.rulings)


def read_file(text: str, number: int = 1) -> GameFile:
    """Return game `number` of a text in any format, from 1 on; raise `InvalidRecord` and the errors of `rules_of`."""

    def load(name: str, options: Mapping[str, Any]) -> Rules:
        return rules_of(name, dict(options))

    formats = plugins.formats().values
    try:
        found = list(islice(games_in(BytesIO(text.encode("utf-8", "replace")), formats), number - 1, number + 1))
        if not found or found[0].number != number:
            raise InvalidRecord(_GAME_MISSING(number=number))
        return GameFile(found[0].form.read(found[0].text, load), found[0].form, number > 1 or len(found) > 1)
    except PlenipoError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as fault:
        raise InvalidRecord(_UNREADABLE()) from fault
