"""The time of day: the one place that asks for it, so that whatever depends on time is handed it as a value.

Where several machines share a database its clock is the one that counts. A process whose time is more than `APART` from
it must not process anything.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from threading import Lock
from time import monotonic
from typing import Protocol

__all__ = ["APART", "Clock", "SharedTime", "StoreClock", "SystemClock", "clock_of", "seconds"]

APART = timedelta(seconds=2)
"""The largest allowed difference between a clock and that of the database."""

ANEW = 30.0
"""The seconds after which the clock of the database is read again."""


def seconds() -> float:
    """Return the seconds of this machine's monotonic clock, to measure durations."""
    return monotonic()


class Clock(Protocol):
    """A source of the current time."""

    def now(self) -> datetime:
        """Return this instant, with its zone."""


class SharedTime(Protocol):
    """A database that may have a clock of its own."""

    def time(self) -> datetime | None:
        """Return the time of its own clock; None where that is the clock of this machine."""


class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        """Return this instant in UTC."""
        return datetime.now(UTC)


class StoreClock:
    """The clock of the database, read at intervals; in between, the seconds since the last reading are added."""

    def __init__(self, look: Callable[[], datetime]) -> None:
        self._look = look
        self._guard = Lock()
        self._seen: tuple[datetime, float] | None = None

    def now(self) -> datetime:
        """Return this instant in UTC; it never goes back."""
        with self._guard:
            counted = monotonic()
            if self._seen is None or counted - self._seen[1] > ANEW:
                before = self._at(counted)
                shown, after = self._look(), monotonic()
                shown += timedelta(seconds=(after - counted) / 2)
                self._seen = (shown if before is None else max(shown, before), after)
            time = self._at(monotonic())
        assert time is not None  # noqa: S101  # it was looked at above
        return time

    def _at(self, counted: float) -> datetime | None:
        return None if self._seen is None else self._seen[0] + timedelta(seconds=counted - self._seen[1])


def clock_of(store: SharedTime) -> Clock:
    """Return the clock for the games of a store: the database's own, or this machine's if they are the same."""

    def look() -> datetime:
        time = store.time()
        assert time is not None  # noqa: S101  # it has a clock of its own
        return time

    return SystemClock() if store.time() is None else StoreClock(look)
