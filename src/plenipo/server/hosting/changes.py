"""Changes to the settings of a running game: time banks, its end, and spectators; pure.

The host may give more time; other changes need a vote of all seats. The result's rules cannot be changed.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from plenipo.engine.calendar import year_text
from plenipo.engine.sentences import SentenceKind
from plenipo.server.errors import ChangeRefused
from plenipo.server.hosting.schedule import End, Span, schedule_of
from plenipo.server.hosting.schedule_words import instant_in_words, span_words
from plenipo.server.hosting.spectators import SPECTATORS, Delay, Spectators, delay_in_words
from plenipo.server.hosting.tick import GameState, TimedGame
from plenipo.validation import clause, without_alternatives

__all__ = ["Changes", "apply_changes", "changes_of", "describe_changes", "gives_time", "why_not_changed"]

_SETTING_FIXED = SentenceKind(
    "server-setting-fixed",
    "'{name}' cannot change after the start of a game; you can change time_bank, end, spectators and delay.",
)
_SETTING_INVALID = SentenceKind("server-setting-invalid", "'{value}' is not a value of '{name}': {fault}.")
_SETTING_MISSING = SentenceKind(
    "server-setting-missing", "Name a setting to change: time_bank, end, spectators or delay."
)


class Changes(BaseModel):
    """Changes to the settings of a game; fields that are not given stay as they are.

    `time_bank` is the time bank of each seat for the whole game, None for none. `end` is the instant at which the game
    ends with the position it has then, None for never. `spectators` and `delay` set who may spectate, and how late.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    time_bank: Span | None = None
    end: End | None = None
    spectators: Spectators = "link"
    delay: Delay = ""

    @property
    def names(self) -> frozenset[str]:
        """The names of the changed settings."""
        return frozenset(self.model_fields_set)

    @property
    def of_settings(self) -> dict[str, Any]:
        """The changed settings other than those of time."""
        return {name: getattr(self, name) for name in ("spectators", "delay") if name in self.names}


def changes_of(values: Mapping[str, Any]) -> Changes:
    """Parse the changes that a form or a program requests; raise `ChangeRefused`."""
    try:
        found = Changes.model_validate(dict(values))
    except ValidationError as fault:
        _, errors = without_alternatives(fault.errors(include_url=False))
        error = errors[0]
        name = str(error["loc"][0])
        if error["type"] == "extra_forbidden":
            raise ChangeRefused(_SETTING_FIXED(name=name[:60])) from fault
        raise ChangeRefused(
            _SETTING_INVALID(value=str(error["input"])[:60], name=name, fault=clause(errors))
        ) from fault
    if not found.names:
        raise ChangeRefused(_SETTING_MISSING())
    return found


def describe_changes(changes: Changes, zone: str) -> str:
    """Return the changes in words; instants are given in a zone."""
    words = []
    if "time_bank" in changes.names:
        own = changes.time_bank
        words.append(
            "Players have no time bank"
            if own is None
            else f"Each player has a time bank of {span_words(own)} for the whole game"
        )
    if "end" in changes.names:
        words.append(_end_words(changes.end, zone))
    if "spectators" in changes.names:
        words.append(SPECTATORS[changes.spectators].rstrip(".").partition(";")[0])
    if "delay" in changes.names:
        words.append(f"Spectators see the game {delay_in_words(changes.delay)}")
    return "; ".join([*words[:1], *(f"{other[0].lower()}{other[1:]}" for other in words[1:])])


def _end_words(end: End | None, zone: str) -> str:
    if end is None:
        return "The game has no year or hour at which it ends"
    when = [] if end.year is None else [f"after {year_text(end.year)}"]
    when += [] if end.at is None else [f"on {instant_in_words(end.at, zone)}"]
    return f"The game ends {' or '.join(when)}"


def gives_time(game: TimedGame, changes: Changes, *, plays: bool) -> bool:
    """Return whether changes only give more time, as a host may; a host who `plays` may not move the end."""
    if not changes.names <= {"time_bank", "end"}:
        return False
    if "time_bank" in changes.names:
        before = game.schedule.time_bank
        if changes.time_bank is None or (before is not None and changes.time_bank < before):
            return False
    return "end" not in changes.names or (not plays and _is_later(game, changes.end))


def _is_later(game: TimedGame, end: End | None) -> bool:
    before = game.schedule.end
    year_before, year = (None if one is None else one.year for one in (before, end))
    at_before, at = game.ends, None if end is None else end.at
    sooner = (year is not None and (year_before is None or year < year_before)) or (
        at is not None and (at_before is None or at < at_before)
    )
    return not sooner


def why_not_changed(game: TimedGame, changes: Changes, now: datetime) -> str:
    """Return why a game cannot be changed in this way at an instant, as a sentence; empty if it can."""
    end, year = changes.end if "end" in changes.names else None, game.phase.year
    if game.state not in (GameState.RUNNING, GameState.PAUSED):
        return "What was settled about a game is changed while it goes on."
    if end is not None and end.year is not None and end.year < year:
        now_text, last = year_text(year), year_text(end.year)
        return f"It is {now_text} in the game, so it cannot end after {last}; write {now_text} or a later year."
    if end is not None and end.at is not None and end.at <= now:
        return f"{instant_in_words(end.at, game.schedule.zone)} is over; a game ends at an hour to come."
    return ""


def apply_changes(game: TimedGame, changes: Changes, now: datetime) -> TimedGame:
    """Return the game with its time changed at an instant; raise `InvalidSchedule` for incompatible settings.

    Each time bank grows or shrinks by the difference of the settings.
    """
    parts: dict[str, Any] = game.schedule.model_dump(mode="json", by_alias=True)
    given = changes.model_dump(mode="json", by_alias=True)
    parts |= {name: given[name] for name in ("time_bank", "end") if name in changes.names}
    after = replace(game, schedule=schedule_of(parts))
    if "time_bank" in changes.names:
        after = _with_time_bank(game, after, now)
    if "end" in changes.names:
        at = None if changes.end is None or changes.end.at is None else changes.end.at.astimezone(UTC)
        # a running pause moves it by its whole length when it ends
        gone = timedelta(0) if game.paused is None else now - game.paused
        after = replace(after, ends=None if at is None else at - gone)
    return after


def _with_time_bank(before: TimedGame, after: TimedGame, now: datetime) -> TimedGame:
    own, had = after.schedule.time_bank or timedelta(0), before.schedule.time_bank
    if had is None:
        seats = {power: replace(seat, time=own, used=timedelta(0), since=now) for power, seat in before.seats.items()}
    else:
        seats = {
            power: replace(seat, time=seat.used + max(seat.rest + own - had, timedelta(0)))
            for power, seat in before.seats.items()
        }
    return replace(after, seats=seats)
