"""What the host refuses, each with a stable word for programs; the message is one sentence for people."""

from typing import ClassVar

from plenipo.errors import PlenipoError

__all__ = [
    "Busy",
    "HostError",
    "NoKey",
    "NotYours",
    "OrderRefused",
    "Over",
    "Stale",
    "TooMuch",
    "TooOften",
    "UnknownGame",
]


class HostError(PlenipoError):
    """The parent of what the host refuses."""

    code: ClassVar[str] = "refused"


class UnknownGame(HostError):
    """There is no such game, or none with such a turn."""

    code = "not_found"


class NoKey(HostError):
    """A key is needed and none was shown, or it opens nothing here."""

    code = "no_key"


class NotYours(HostError):
    """The key that was shown does not open this."""

    code = "not_yours"


class Stale(HostError):
    """The orders are for a phase that is over."""

    code = "stale"


class Over(HostError):
    """The game is over, or there is nothing to do."""

    code = "over"


class Busy(HostError):
    """Others change the game faster than this change could be made."""

    code = "busy"


class TooMuch(HostError):
    """More than this server takes."""

    code = "too_large"


class TooOften(HostError):
    """More often than this server does it for one address."""

    code = "too_often"


class OrderRefused(HostError):
    """An order of a sheet is refused, and so the whole sheet.

    `index` is its place among those given, from 0; `piece` and `suggestions` are those of `InvalidOrder`.
    """

    code = "invalid"

    def __init__(
        self, message: str, index: int, *, illegal: bool, piece: str = "", suggestions: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.index, self.piece, self.suggestions, self.illegal = index, piece, suggestions, illegal
