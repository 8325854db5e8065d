"""Matchmaking: open seats, and the searches of players for a seat; pure."""

from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.sentences import SentenceKind
from plenipo.languages import mark
from plenipo.server.errors import SeatRefused
from plenipo.server.hosting.press import PressPolicy
from plenipo.server.hosting.schedule import Schedule, is_live, pace_of
from plenipo.server.hosting.settings import LANGUAGES, PlayersLanguage

__all__ = ["PACES", "OpenSeat", "Wanted", "pace", "wanted_of", "week_of"]

_SEARCH_INVALID = SentenceKind("server-search-invalid", "'{value}' is not a {name} to search for{known}.")

Pace = Literal["live", "daily", "slow", "own pace"]

PACES: dict[Pace, str] = {
    "live": mark("in one evening"),
    "daily": mark("a move on most days"),
    "slow": mark("fewer moves a week"),
    "own pace": mark("without deadlines"),
}
"""The paces of a game, each in a few words."""

DAILY = 9
"""The moves in two weeks from which a game counts as daily."""


def pace(schedule: Schedule) -> Pace:
    """Return the pace of a game with this schedule."""
    moves = pace_of(schedule)
    if moves is None:
        return "own pace"
    return "live" if is_live(schedule) else "daily" if moves >= DAILY else "slow"


def week_of(schedule: Schedule, now: datetime) -> tuple[datetime, ...]:
    """Return the next instants at which moves would be due, one for each hour of the week in the schedule."""
    at = schedule.movement.at if schedule.movement else ()
    return tuple(islice(schedule.hours(PhaseKind.MOVEMENT, now), len(at)))


@dataclass(frozen=True, kw_only=True)
class OpenSeat:
    """A seat open to strangers: in a game that has not begun, or of a power (`power`) in a running game.

    `free` are the powers to choose from, `missing` the number of players needed before the game begins. `centres` are
    the centres of the power, None where they are hidden. `press` says whether the game has private press.
    """

    game: str
    name: str
    variant: str
    title: str
    phase: str
    power: str = ""
    free: tuple[str, ...] = ()
    missing: int = 0
    seats: int = 0
    centres: int | None = None
    schedule: Schedule
    due: datetime | None = None
    language: PlayersLanguage = ""
    press: PressPolicy
    asked: str = ""
    """The requirements of the game for new players, in sentences."""

    @property
    def pace(self) -> Pace:
        """The pace of the game."""
        return pace(self.schedule)


class Wanted(BaseModel):
    """The search of a player for a game; an empty field matches anything."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pace: Pace | Literal[""] = ""
    language: PlayersLanguage = ""
    press: Literal["", "yes", "no"] = ""
    variant: Annotated[str, Field(max_length=200)] = ""

    def fits(self, seat: OpenSeat) -> bool:
        """Return whether a seat matches; a game without a language matches every language."""
        return (
            self.pace in ("", seat.pace)
            and (not self.language or seat.language in ("", self.language))
            and (not self.press or (self.press == "yes") is (seat.press.who in ("two", "groups")))
            and self.variant in ("", seat.variant)
        )

    @property
    def words(self) -> str:
        """The search in a few words, such as `in one evening, in Deutsch`."""
        parts = [
            PACES[self.pace] if self.pace else "",
            f"in {self.language}" if self.language else "",
            {"yes": "with private press", "no": "without private press", "": ""}[self.press],
        ]
        return ", ".join(filter(None, parts))


_KNOWN = {"pace": tuple(PACES), "language": LANGUAGES, "press": ("yes", "no")}


def wanted_of(**values: Any) -> Wanted:
    """Parse a search from the fields of a form or an address; raise `SeatRefused` for an unknown value."""
    try:
        return Wanted.model_validate(values)
    except ValidationError as fault:
        name = str(fault.errors()[0]["loc"][0])
        known = f"; choose {', '.join(_KNOWN[name])}, or leave it out" if name in _KNOWN else ""
        raise SeatRefused(_SEARCH_INVALID(value=str(values.get(name))[:40], name=name, known=known)) from fault
