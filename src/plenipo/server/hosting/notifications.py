"""Kinds of notification, the channels they use, and quiet hours; pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from plenipo.languages import mark

__all__ = [
    "AT_FIRST",
    "GATHERED",
    "KINDS",
    "MORNING",
    "WAYS",
    "NotificationChannel",
    "NotificationKind",
    "Preferences",
    "at_once_or_later",
    "kind_of",
    "when",
]

NotificationChannel = Literal["mail", "push", "day"]

WAYS: dict[NotificationChannel, str] = {"mail": mark("Email"), "push": mark("My devices"), "day": mark("Daily digest")}
"""The channels of notifications, each in a few words."""

AT_FIRST: frozenset[NotificationChannel] = frozenset({"mail", "push"})
"""The channels of a person who has chosen none."""

MORNING = 8
"""The default hour of the daily digest."""

NotificationKind = Literal[
    "turn", "reminder", "results", "message", "vote", "ruling", "question", "seat", "open", "end"
]

KINDS: dict[NotificationKind, str] = {
    "turn": mark("My turn"),
    "reminder": mark("Deadline reminders"),
    "results": mark("Results when I have no orders to give"),
    "message": mark("Messages, gathered for ten minutes"),
    "vote": mark("Votes and changed settings"),
    "ruling": mark("Rulings"),
    "question": mark("Questions to the game master, and answers"),
    "seat": mark("Changes to my seat"),
    "open": mark("Open games"),
    "end": mark("End of a game"),
}
"""The kinds of notification, each in a few words."""

GATHERED = timedelta(minutes=10)
"""The time for which messages are gathered before one notification is sent for them."""


@dataclass(frozen=True)
class Preferences:
    """The notification settings of a person.

    They have channels by kind, the hour of the daily digest in a zone, and quiet hours if there are any.
    """

    kinds: Mapping[NotificationKind, frozenset[NotificationChannel]] = field(default_factory=dict)
    quiet_from: int | None = None
    quiet_until: int | None = None
    zone: str = "UTC"
    hour: int = MORNING

    def ways(self, kind: NotificationKind) -> frozenset[NotificationChannel]:
        """Return the channels for a kind of notification."""
        return self.kinds.get(kind, AT_FIRST)


def kind_of(notice: str) -> NotificationKind:
    """Return the kind of a notice, which its first word gives."""
    word = notice.partition(" ")[0]
    return next((kind for kind in KINDS if kind == word), "seat")


def when(preferences: Preferences, kind: NotificationKind, now: datetime) -> Mapping[str, datetime]:
    """Return the channels through which a person is notified of something that is ready now, and when in each."""
    return {
        way: at_once_or_later(preferences, _next(preferences.hour, preferences.zone, now) if way == "day" else now)
        for way in WAYS
        if way in preferences.ways(kind)
    }


def _next(hour: int, zone: str, now: datetime) -> datetime:
    """Return the next instant after now with this local hour in a zone; where clocks skip it, the hour after."""
    here = now.astimezone(ZoneInfo(zone))
    days = (here.date() + timedelta(days=number) for number in range(3))
    found = (datetime.combine(day, time(hour), ZoneInfo(zone)).astimezone(UTC) for day in days)
    return next(at for at in found if at > now)


def at_once_or_later(preferences: Preferences, now: datetime) -> datetime:
    """Return when a notification is sent for something that happens now: now, or after the quiet hours."""
    if (
        preferences.quiet_from is None
        or preferences.quiet_until is None
        or preferences.quiet_from == preferences.quiet_until
    ):
        return now
    zone = ZoneInfo(preferences.zone)
    here = now.astimezone(zone)
    first, last = preferences.quiet_from, preferences.quiet_until
    quiet = first <= here.hour < last if first < last else here.hour >= first or here.hour < last
    if not quiet:
        return now
    day = here.date() if here.hour < last else here.date() + timedelta(days=1)
    return datetime.combine(day, time(last), zone)
