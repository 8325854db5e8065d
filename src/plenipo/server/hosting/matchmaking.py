"""Finding a game: the seats that are open to strangers, and what somebody looks for; pure."""

from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from plenipo.engine.calendar import PhaseKind
from plenipo.server.errors import SeatRefused
from plenipo.server.hosting.press import Policy
from plenipo.server.hosting.schedule import Schedule, pace_of
from plenipo.server.hosting.settings import LANGUAGES, Language

__all__ = ["PACES", "OpenSeat", "Wanted", "pace", "wanted_of", "week_of"]

Pace = Literal["live", "daily", "slow", "own pace"]

PACES: dict[Pace, str] = {
    "live": "in one evening",
    "daily": "a move on most days",
    "slow": "fewer moves a week",
    "own pace": "without deadlines",
}
"""How fast a game goes, each in a few words."""

DAILY = 9
"""So many moves in two weeks are a move on most days."""

LIVE = 100
"""So many are a game of one evening."""


def pace(schedule: Schedule) -> Pace:
    """How fast a game goes that keeps time like this."""
    moves = pace_of(schedule)
    if moves is None:
        return "own pace"
    return "live" if moves >= LIVE else "daily" if moves >= DAILY else "slow"


def week_of(schedule: Schedule, now: datetime) -> tuple[datetime, ...]:
    """The next hours at which moves would be due, one for each hour of the week that the schedule names."""
    at = schedule.movement.at if schedule.movement else ()
    return tuple(islice(schedule.hours(PhaseKind.MOVEMENT, now), len(at)))


@dataclass(frozen=True, kw_only=True)
class OpenSeat:
    """A seat that a stranger may take: in a game that has not begun, or of a power (`power`) in one that goes on.

    `free` are the powers one may choose, `missing` how many more must sit down before the game begins. `centres` are
    those of the power, None where not everybody may know. `letters` says whether private letters are written.
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
    language: Language = ""
    letters: Policy
    asked: str = ""
    """What the game asks of who sits down, in sentences."""

    @property
    def pace(self) -> Pace:
        """How fast the game goes."""
        return pace(self.schedule)


class Wanted(BaseModel):
    """What somebody looks for; what is empty may be anything."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pace: Pace | Literal[""] = ""
    language: Language = ""
    letters: Literal["", "yes", "no"] = ""
    variant: Annotated[str, Field(max_length=200)] = ""

    def fits(self, seat: OpenSeat) -> bool:
        """Whether it is what is looked for; a game that names no language may be in any."""
        return (
            self.pace in ("", seat.pace)
            and (not self.language or seat.language in ("", self.language))
            and (not self.letters or (self.letters == "yes") is (seat.letters.who in ("two", "groups")))
            and self.variant in ("", seat.variant)
        )

    @property
    def words(self) -> str:
        """It in a few words, such as `in one evening, in Deutsch`."""
        parts = [
            PACES[self.pace] if self.pace else "",
            f"in {self.language}" if self.language else "",
            {"yes": "with private letters", "no": "without private letters", "": ""}[self.letters],
        ]
        return ", ".join(filter(None, parts))


_KNOWN = {"pace": tuple(PACES), "language": LANGUAGES, "letters": ("yes", "no")}


def wanted_of(**values: Any) -> Wanted:
    """What the fields of a form or an address say; raises `SeatRefused` for a value there is not."""
    try:
        return Wanted.model_validate(values)
    except ValidationError as fault:
        name = str(fault.errors()[0]["loc"][0])
        known = f"; choose {', '.join(_KNOWN[name])}, or leave it out" if name in _KNOWN else ""
        raise SeatRefused(f"'{str(values.get(name))[:40]}' is not a {name} to look for{known}.") from fault
