"""Every exception Plenipo raises on purpose.

Each is a `ValueError` whose message is one clear sentence that quotes the offending piece and says what would be
right, so that a caller may print it as it stands.
"""

from collections.abc import Sequence

__all__ = [
    "AmbiguousOrder",
    "FixedBoard",
    "GameOver",
    "IllegalOrder",
    "ImpossiblePosition",
    "InvalidBoardFile",
    "InvalidCase",
    "InvalidFigure",
    "InvalidMessage",
    "InvalidOrder",
    "InvalidPhase",
    "InvalidPosition",
    "InvalidRecord",
    "InvalidVariant",
    "MissingDice",
    "MissingDraw",
    "MissingExtra",
    "PhaseNotOver",
    "PlenipoError",
    "UnknownName",
    "UnreadablePosition",
    "UnsupportedPosition",
]


class PlenipoError(ValueError):
    """The parent of every error below; catch this one to catch them all."""

    @property
    def sentence(self) -> str:
        """The message; one with a kind and parts can be rendered in other languages, as `str` of the error cannot."""
        return self.args[0] if self.args and isinstance(self.args[0], str) else str(self)


class InvalidOrder(PlenipoError):
    """The text of an order cannot be read.

    `piece` is the smallest part of the text that is wrong; `suggestions` are the nearest meanings, best first.
    """

    def __init__(self, message: str, *, piece: str = "", suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.piece = piece
        self.suggestions = suggestions


class AmbiguousOrder(InvalidOrder):
    """The text of an order can be read in more than one way; `suggestions` lists the ways."""


class IllegalOrder(PlenipoError):
    """The order can be read but is not allowed in this position; the message says why."""


class MissingDraw(PlenipoError):
    """The game master has not entered something that was to be drawn, or entered an impossible draw.

    `label` names the draw and `slips` are the slips of the draw pile, or the receivers of cards. `cards` is the
    number of
    highest cards to enter, 0 if one slip is drawn. Without a label an earlier entry is invalid.
    """

    def __init__(self, message: str, *, label: str = "", slips: tuple[str, ...] = (), cards: int = 0) -> None:
        super().__init__(message)
        self.label = label
        self.slips = slips
        self.cards = cards


class MissingExtra(PlenipoError, ImportError):
    """Something needs packages that come with an extra which is not installed; the message has the command."""


class InvalidFigure(PlenipoError):
    """A drawn map is not a sound planar figure; the message names the corner, edge or face."""


class InvalidPosition(PlenipoError):
    """A position cannot be used; the errors below say in which way."""


class UnreadablePosition(InvalidPosition):
    """A value that cannot be read as a position."""


class ImpossiblePosition(InvalidPosition):
    """A position contradicts its board or itself, for instance with two units in one space."""


class UnsupportedPosition(InvalidPosition):
    """A position that the engine plays and the kernel cannot hold, for instance with too many units."""


class FixedBoard(InvalidPosition):
    """A position has changes of a board on which nothing can change."""


class InvalidPhase(PlenipoError):
    """A phase is not in the calendar, or takes no orders; the message lists the phases."""


class GameOver(PlenipoError):
    """The game is over, and what was asked needs one that goes on."""


class PhaseNotOver(PlenipoError):
    """The phase cannot end yet; the message says what is missing, and `powers` are those that are waited for."""

    def __init__(self, message: str, powers: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.powers = powers


class MissingDice(PlenipoError):
    """Something must be drawn by chance, and the game has no dice."""


class InvalidVariant(PlenipoError):
    """A variant's definition is wrong; the message names the file and the key.

    `path` is that of the key to blame, where who raises it knows that and not the file.
    """

    def __init__(self, message: str = "", path: Sequence[str | int] = ()) -> None:
        super().__init__(message)
        self.path = tuple(path)


class InvalidBoardFile(PlenipoError):
    """A board in the files of another program cannot be imported; the message names the file and the line."""


class InvalidMessage(PlenipoError):
    """A message of a program is no DAIDE message, or cannot be sent as one."""


class InvalidRecord(PlenipoError):
    """A stored game cannot be decoded or its hashes do not match."""


class InvalidCase(PlenipoError):
    """A worked case cannot be read; the message names the case and the key."""


class UnknownName(PlenipoError):
    """A name (variant, power, province, policy) is not known; the message lists the nearest known ones."""
