"""What people are told of by mail, and when: kinds, and hours in which one is left alone; pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

__all__ = ["GATHERED", "KINDS", "Kind", "Wishes", "at_once_or_later", "kind_of"]

Kind = Literal["turn", "reminder", "results", "letter", "vote", "ruling", "seat", "open", "end"]

KINDS: dict[Kind, str] = {
    "turn": "a phase in which I have something to order",
    "reminder": "a deadline that comes near while I am not ready",
    "results": "results, in a phase in which I have nothing to order",
    "letter": "letters, gathered for ten minutes",
    "vote": "what is put to the vote, and what is decided",
    "ruling": "what the game master rules",
    "seat": "what happens to my seat",
    "open": "seats in games that I look for",
    "end": "the end of a game",
}
"""What one may be told of, each in a few words."""

GATHERED = timedelta(minutes=10)
"""How long letters are gathered before one is told of them."""


@dataclass(frozen=True)
class Wishes:
    """What somebody wants to be mailed, by kind, and the hours of his zone in which he is left alone, if any."""

    kinds: Mapping[Kind, bool] = field(default_factory=dict)
    quiet_from: int | None = None
    quiet_until: int | None = None
    zone: str = "UTC"

    def wants(self, kind: Kind) -> bool:
        """Whether he wants to be mailed about it; who has said nothing wants it."""
        return self.kinds.get(kind, True)


def kind_of(notice: str) -> Kind:
    """What kind of thing a notice is about; its first word says it."""
    word = notice.partition(" ")[0]
    return next((kind for kind in KINDS if kind == word), "seat")


def at_once_or_later(wishes: Wishes, now: datetime) -> datetime:
    """When something that happens now is told: now, or when the quiet hours are over."""
    if wishes.quiet_from is None or wishes.quiet_until is None or wishes.quiet_from == wishes.quiet_until:
        return now
    zone = ZoneInfo(wishes.zone)
    here = now.astimezone(zone)
    first, last = wishes.quiet_from, wishes.quiet_until
    quiet = first <= here.hour < last if first < last else here.hour >= first or here.hour < last
    if not quiet:
        return now
    day = here.date() if here.hour < last else here.date() + timedelta(days=1)
    return datetime.combine(day, time(last), zone)
