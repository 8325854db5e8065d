"""Leave: the days on which a player is away, and how many of them a game takes into account."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from itertools import groupby

from plenipo.engine.sentences import SentenceKind
from plenipo.server.errors import SeatRefused
from plenipo.server.hosting.schedule import Days

__all__ = ["CHOICES", "MOST", "absence_of", "in_words", "limit_leave"]

_LEAVE_UNREADABLE = SentenceKind(
    "server-leave-unreadable", "'{first}' to '{last}' are not days; write them like 2026-12-24."
)
_LEAVE_REVERSED = SentenceKind("server-leave-reversed", "The absence ends on {last}, before it begins on {first}.")
_LEAVE_PAST = SentenceKind("server-leave-past", "{last} has passed; choose later days.")
_LEAVE_TOO_LONG = SentenceKind(
    "server-leave-too-long", "An absence has at most {most} days within the next two years; this has {length}."
)

_LEAVE = SentenceKind(
    "server-leave-allowed",
    "Deadlines are moved while a player is on leave, up to {number} day a year each.",
    "Deadlines are moved while a player is on leave, up to {number} days a year each.",
)

MOST = 60
"""The most days of leave a year that a game may allow, and the longest single leave in days."""

CHOICES = (0, 7, 14, 30)
"""The days of leave a year that the form for a new game offers."""


def limit_leave(absences: Sequence[Days], most: int) -> tuple[Days, ...]:
    """Return the days of a player's leave that a game allows: the first `most` of each year."""
    days = sorted({day for days in absences for day in _each(days)})
    heeded: list[date] = []
    for _, year in groupby(days, lambda day: day.year):
        heeded += list(year)[:most]
    return _in_rows(heeded)


def _each(days: Days) -> Iterable[date]:
    return (days.first + timedelta(days=number) for number in range((days.last - days.first).days + 1))


def _in_rows(days: Sequence[date]) -> tuple[Days, ...]:
    """Return days in order, joined into intervals without gaps."""
    rows: list[Days] = []
    for day in days:
        if rows and day - rows[-1].last == timedelta(days=1):
            rows[-1] = Days(rows[-1].first, day)
        else:
            rows.append(Days(day, day))
    return tuple(rows)


def absence_of(first: str, last: str, today: date) -> Days:
    """Return an announced leave; raise `SeatRefused` for invalid, past or too many days."""
    try:
        days = Days(date.fromisoformat(first), date.fromisoformat(last or first))
    except ValueError:
        raise SeatRefused(_LEAVE_UNREADABLE(first=first[:20], last=last[:20])) from None
    if days.last < days.first:
        raise SeatRefused(_LEAVE_REVERSED(last=days.last, first=days.first))
    if days.last < today:
        raise SeatRefused(_LEAVE_PAST(last=days.last))
    length = (days.last - days.first).days + 1
    if length > MOST or (days.first - today).days > 730:
        raise SeatRefused(_LEAVE_TOO_LONG(most=MOST, length=length))
    return days


def in_words(most: int) -> tuple[str, ...]:
    """Return the rule for leave of a game as a sentence."""
    if not most:
        return ()
    return (_LEAVE(number=most),)
