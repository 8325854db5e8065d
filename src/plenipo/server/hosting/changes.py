"""Changes to the settings of a running game: time banks, its end, and spectators; pure.

The host may give more time; other changes need a vote of all seats. The result's rules cannot be changed.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from plenipo.engine.sentences import Sentence, SentenceKind
from plenipo.server.errors import ChangeRefused
from plenipo.server.hosting.joining import join_clauses
from plenipo.server.hosting.schedule import End, Span, schedule_of
from plenipo.server.hosting.schedule_words import describe_end, span_words, why_end_over, year_part
from plenipo.server.hosting.spectators import Delay, Spectators, delay_in_words
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


_NO_TIME_BANK = SentenceKind("server-change-no-time-bank", "players have no time bank")
_TIME_BANK = SentenceKind("server-change-time-bank", "each player has a time bank of {span} for the whole game")
_NO_END = SentenceKind("server-change-no-end", "the game has no year or hour at which it ends")
_ENDS_AFTER = SentenceKind("server-change-ends-after", "the game ends after {year}")
_ENDS_ON = SentenceKind("server-change-ends-on", "the game ends on {instant}")
_ENDS_AFTER_OR_ON = SentenceKind("server-change-ends-after-or-on", "the game ends after {year} or on {instant}")
_SPECTATORS: dict[Spectators, SentenceKind] = {
    "link": SentenceKind("server-change-watch-by-link", "anyone with the link can watch"),
    "public": SentenceKind("server-change-watch", "anyone can watch"),
    "nobody": SentenceKind("server-change-watch-none", "only players can watch"),
}
_DELAY = SentenceKind("server-change-delay", "spectators see the game {late}")


def describe_changes(changes: Changes, zone: str) -> str:
    """Return the changes as clauses, without a capital letter and a full stop; instants are given in a zone."""
    clauses: list[Sentence] = []
    if "time_bank" in changes.names:
        own = changes.time_bank
        clauses.append(_NO_TIME_BANK() if own is None else _TIME_BANK(span=span_words(own)))
    if "end" in changes.names:
        ends = (_ENDS_AFTER, _ENDS_ON, _ENDS_AFTER_OR_ON)
        clauses.append(_NO_END() if changes.end is None else describe_end(changes.end, zone, *ends))
    if "spectators" in changes.names:
        clauses.append(_SPECTATORS[changes.spectators]())
    if "delay" in changes.names:
        clauses.append(_DELAY(late=delay_in_words(changes.delay)))
    return join_clauses(clauses)


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


_NOT_RUNNING = SentenceKind("server-settings-not-running", "Settings can be changed while the game is running.")
_END_PAST = SentenceKind(
    "server-settings-end-past",
    "It is {now} in the game, so it cannot end after {last}; write {now} or a later year.",
)


def why_not_changed(game: TimedGame, changes: Changes, now: datetime) -> str:
    """Return why a game cannot be changed in this way at an instant, as a sentence; empty if it can."""
    end, year = changes.end if "end" in changes.names else None, game.phase.year
    if game.state not in (GameState.RUNNING, GameState.PAUSED):
        return _NOT_RUNNING()
    if end is not None and end.year is not None and end.year < year:
        return _END_PAST(now=year_part(year), last=year_part(end.year))
    return "" if end is None else why_end_over(end, game.schedule.zone, now)


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
