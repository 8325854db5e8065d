"""Live games of a season: how they keep time, and whether the time bank of their seats was kept to the second."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random
from typing import Any

from plenipo.engine.position import GAME_MASTER
from plenipo.server.hosting.tick import GameState, TimedGame

__all__ = ["LIVE_START", "LIVE_STEP", "faults_of_live", "live_schedule", "noted"]

Json = dict[str, Any]

LIVE_STEP = timedelta(minutes=1)
"""The step of the clock in a season of live games."""

LIVE_START = datetime(2026, 10, 24, 23, 30, tzinfo=UTC)
"""The beginning of such a season: an hour and a half before the clocks of Europe change."""


def live_schedule(chance: Random, first_year: int) -> Json:
    """Return a schedule as players choose it for an evening, for a variant that begins in a given year."""
    movement = {"within": f"{chance.randint(4, 8)}m", "remind": ["2m"]}
    short = {"within": f"{chance.randint(2, 4)}m"}
    ends: list[Json | None] = [
        None,
        {"year": first_year + chance.randint(0, 1)},
        {"at": (LIVE_START + timedelta(minutes=chance.randint(60, 400))).isoformat()},
    ]
    return {
        "zone": chance.choice(("Europe/London", "America/New_York", "Australia/Lord_Howe")),
        "cool": "0m",
        "movement": movement,
        **dict.fromkeys(("retreats", "adjustments"), short),
        "draws": {**short, "else": "dice"},
        "missed": {"first": "hold", "then": chance.choice(["hold", "hold", "extend"]), "vacant_after": 3},
        "time_bank": f"{chance.randint(4, 20)}m",
        "later": [{"after": "30m", "movement": {"within": "3m"}}] if chance.random() < 0.3 else [],
        "end": chance.choice(ends),
    }


def noted(timed: TimedGame, revision: int, at: datetime) -> Json:
    """Return the state of a live game at a revision, with the time of that revision; for the judge."""
    phase, end = timed.phase, timed.schedule.end
    stands = phase.waiting or bool(phase.needs) or phase.due is None or timed.state is not GameState.RUNNING
    powers = [power for power in timed.seats if power != GAME_MASTER]
    began = {str(power): (timed.runs_from(power), timed.seats[power].rest) for power in powers}
    return {
        "revision": revision,
        "at": at.timestamp(),
        "state": timed.state.value,
        "phase": phase.opened.timestamp(),
        "due": None if phase.due is None else phase.due.timestamp(),
        "left": None if phase.left is None else phase.left.total_seconds(),
        "runs": not stands,
        "year": phase.year,
        "end_year": None if end is None else end.year,
        "end_set": None if end is None or end.at is None else end.at.timestamp(),
        "ends": None if timed.ends is None else timed.ends.timestamp(),
        "paused": None if timed.paused is None else timed.paused.timestamp(),
        "resumes": None if timed.resumes is None else timed.resumes.timestamp(),
        "whole": (timed.schedule.time_bank or timedelta(0)).total_seconds(),
        "own": {str(power): timed.time_left(power, at).total_seconds() for power in powers},
        "ran_from": {p: (at.timestamp(), rest.total_seconds()) for p, (at, rest) in began.items() if at is not None},
        "late": [str(power) for power in timed.not_ready if power != GAME_MASTER],
    }


Line = Mapping[str, Any]
"""The state of a game at a revision."""


def faults_of_live(
    lines: Sequence[Line], kinds: Mapping[float, set[str]], looks: Collection[float], counts: Counter[str]
) -> Iterator[str]:
    """Yield the faults in the time of a live game, from its state at each of its revisions.

    `kinds` are the kinds of the entries of its journal, by the time they were written. Between two changes the time
    bank of a seat loses exactly the time in which the seat was not ready in a phase that was due and ran; a change
    takes nothing. After an outage, the time since the worker last looked (see `looks`) is given back.
    """
    by_revision = {line["revision"]: line for line in lines}
    known = [by_revision[revision] for revision in sorted(by_revision)]
    for before, after in pairwise(known):
        if after["revision"] != before["revision"] + 1:
            yield f"revision {before['revision'] + 1} was made without a word"
            continue
        if before["state"] in ("running", "paused") and after["state"] in ("running", "paused", "over"):
            written = kinds.get(after["at"], set())
            looked = max((look for look in looks if look < after["at"]), default=0.0)
            yield from _time_bank(before, after, looked if "outage" in written else None, counts)
            yield from _instants(before, after, written, counts)


def _time_bank(before: Line, after: Line, looked: float | None, counts: Counter[str]) -> Iterator[str]:
    """Yield wrong time banks; `looked` is the last time the worker looked before an outage that was noticed."""
    ran = max(after["at"] - max(before["at"], before["due"]), 0) if before["runs"] else 0
    for power, had in before["own"].items():
        spent = ran if power in before["late"] else 0
        should = had - spent
        if looked is not None and power in before["ran_from"]:
            since, rest = before["ran_from"][power]
            should = rest - max(looked - since, 0)
            counts["seconds of time bank given back"] += round(should - max(had - spent, 0))
        should = max(should + after["whole"] - before["whole"], 0)
        counts["seconds of time bank that ran"] += round(min(spent, had))
        if abs(after["own"].get(power, 0) - should) > 0.001:
            yield (
                f"revision {after['revision']}: {power} has {after['own'].get(power)} s of its time bank, and should "
                f"have {should} s: {before} {after}, looked at {looked}"
            )


def _instants(before: Line, after: Line, kinds: set[str], counts: Counter[str]) -> Iterator[str]:
    """Yield pauses that took time away, and ends that were moved or not kept."""
    here = f"revision {after['revision']}"
    goes_on = before["state"] == "paused" and after["state"] == "running"
    if goes_on and "resumed" in kinds and before["resumes"] is not None:
        counts["games that went on at the hour they had named"] += 1
        if after["at"] < before["resumes"]:
            yield f"{here}: it went on before the hour it named: {before} {after}"
    same = before["phase"] == after["phase"] and before["left"] is not None and "outage" not in kinds
    if goes_on and same and abs(after["due"] - after["at"] - before["left"]) > 0.001:
        yield f"{here}: {before['left']} s were left before the pause: {before} {after}"
    if (before["end_set"], before["end_year"]) == (after["end_set"], after["end_year"]):
        pause = after["at"] - before["paused"] if goes_on and before["paused"] is not None else 0
        if before["ends"] is not None and abs(after["ends"] - before["ends"] - pause) > 0.001:
            yield f"{here}: its end was moved: {before} {after}"
        if after["state"] == "running" and after["end_year"] is not None and after["year"] > after["end_year"]:
            yield f"{here}: it goes on after its last year: {after}"
    if "ended" in kinds and after["state"] == "over":
        counts["games that ended at their hour or year"] += 1
        if before["ends"] is not None and before["end_year"] is None and after["at"] < before["ends"]:
            yield f"{here}: it ended before its hour: {before} {after}"
