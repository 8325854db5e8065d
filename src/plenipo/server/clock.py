"""The time of day: the one place that asks for it, so that whatever depends on time is handed it as a value."""

from datetime import UTC, datetime
from typing import Protocol

__all__ = ["Clock", "SystemClock"]


class Clock(Protocol):
    """Something that knows the time of day."""

    def now(self) -> datetime:
        """This instant, with its zone."""


class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        """This instant in UTC."""
        return datetime.now(UTC)
