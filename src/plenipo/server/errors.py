"""The errors of the game service, each with a stable code for programs and a one-sentence message for people."""

from collections.abc import Mapping
from datetime import timedelta
from typing import ClassVar

from plenipo.errors import PlenipoError

__all__ = [
    "Busy",
    "CodeRefused",
    "GameServiceError",
    "HookNotTaken",
    "InvalidSchedule",
    "MessageRefused",
    "MotionRefused",
    "NoDeadline",
    "NoKey",
    "NotBegun",
    "NotOver",
    "NotSignedIn",
    "NotYours",
    "OrderRefused",
    "Over",
    "ProviderAway",
    "PushNotTaken",
    "QuestionRefused",
    "QuotaReached",
    "ReportRefused",
    "RulingRefused",
    "SeatRefused",
    "Stale",
    "TooBusy",
    "TooOften",
    "TournamentRefused",
    "UnknownGame",
    "UnknownLesson",
    "UnknownPerson",
    "UnknownPuzzle",
    "UnknownTournament",
    "WrongCode",
]


class GameServiceError(PlenipoError):
    """The parent of the game service's errors."""

    code: ClassVar[str]
    """A stable word for programs."""
    status: ClassVar[int]
    """The HTTP status of the answer."""

    def __init_subclass__(cls, *, code: str, status: int) -> None:
        cls.code, cls.status = code, status

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers that the answer has beside the usual ones."""
        return {}


class UnknownGame(GameServiceError, code="not_found", status=404):
    """There is no such game, or none with such a turn."""


class UnknownLesson(GameServiceError, code="not_found", status=404):
    """There is no such lesson, or none with such an exercise."""


class UnknownTournament(GameServiceError, code="not_found", status=404):
    """There is no such tournament."""


class UnknownPuzzle(GameServiceError, code="not_found", status=404):
    """There is no such puzzle, or its variant is gone."""


class UnknownPerson(GameServiceError, code="not_found", status=404):
    """There is no such person, or no longer."""


class NoKey(GameServiceError, code="no_key", status=401):
    """A key is needed and none was shown, or it opens nothing here."""


class NotYours(GameServiceError, code="not_yours", status=403):
    """The key that was shown does not open this."""


class Stale(GameServiceError, code="stale", status=409):
    """The orders are for a phase that is over."""


class Over(GameServiceError, code="over", status=409):
    """The game is over, or there is nothing to do."""


class NotOver(GameServiceError, code="not_over", status=409):
    """The game goes on, and this is for games that are over."""


class InvalidSchedule(GameServiceError, code="schedule", status=422):
    """A schedule that cannot be kept; the sentence quotes what is wrong."""


class NoDeadline(GameServiceError, code="no_deadline", status=409):
    """The game has no deadlines that could be moved."""


class SeatRefused(GameServiceError, code="seating", status=422):
    """A player cannot take a seat: the name or the preferred power is not available, or no seat is left."""


class TournamentRefused(GameServiceError, code="tournament", status=422):
    """A tournament cannot be opened like this, or an action on it is not possible now."""


class MessageRefused(GameServiceError, code="message", status=422):
    """A message cannot be sent in this form, to these recipients, or now."""


class MotionRefused(GameServiceError, code="motion", status=422):
    """A motion or vote is not allowed for this player or now."""


class ChangeRefused(GameServiceError, code="settings", status=422):
    """A setting of a game cannot be changed in this way, or no longer."""


class PushNotTaken(GameServiceError, code="push", status=422):
    """A browser's push subscription is invalid."""


class HookNotTaken(GameServiceError, code="hook", status=422):
    """A game's webhook is invalid."""


class CodeRefused(GameServiceError, code="sign_in", status=422):
    """Signing in failed: the address, the code or the words are wrong or have expired."""


class WrongCode(CodeRefused, code="sign_in", status=422):
    """The code is wrong, and another one may be tried."""


class ProviderAway(GameServiceError, code="unavailable", status=503):
    """An identity provider cannot be reached."""


class NotSignedIn(GameServiceError, code="not_signed_in", status=401):
    """The request needs a signed-in person."""


class RulingRefused(GameServiceError, code="ruling", status=422):
    """A ruling that cannot be made; the sentence says why."""


class QuestionRefused(GameServiceError, code="question", status=422):
    """A question to the game master, or an answer, that cannot be accepted."""


class Banned(GameServiceError, code="banned", status=403):
    """An account or a network that moderators banned, and that changes nothing here until then."""


class ReportRefused(GameServiceError, code="report", status=422):
    """Something that cannot be reported, or not be done about a report."""


class NotBegun(GameServiceError, code="not_begun", status=409):
    """The game has not begun, so nothing can be ordered."""


class Busy(GameServiceError, code="busy", status=409):
    """Concurrent changes of the game kept this one from being made."""


class TooBusy(GameServiceError, code="unavailable", status=503):
    """The server has too much to do now to do this as well."""


class TooOften(GameServiceError, code="too_often", status=429):
    """More often than this server does it for one person or address; `wait` is after how long it does it again."""

    def __init__(self, message: str, wait: timedelta) -> None:
        super().__init__(message)
        self.wait = wait

    @property
    def headers(self) -> Mapping[str, str]:
        """After how many seconds to try again."""
        return {"retry-after": str(max(-(-self.wait // timedelta(seconds=1)), 1))}


class QuotaReached(GameServiceError, code="quota", status=409):
    """The server, or the game, stores as much as it may."""


class OrderRefused(GameServiceError, code="invalid", status=422):
    """An order of an order set is refused, and so the whole order set.

    `index` is its place among the orders given, from 0; `piece` and `suggestions` are those of `InvalidOrder`.
    """

    def __init__(
        self, message: str, index: int, *, illegal: bool, piece: str = "", suggestions: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.index, self.piece, self.suggestions, self.illegal = index, piece, suggestions, illegal
