"""Time bank is kept to the second on both databases: by the account that the judge of the season keeps, too."""

import os
from collections import Counter, defaultdict
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from plenipo.errors import PlenipoError
from plenipo.server.broker import Broker
from plenipo.server.hosting.changes import changes_of
from plenipo.server.hosting.tick import TimeAct
from plenipo.server.service import GameService
from plenipo.server.worker import Worker
from season_judge import lines_of
from season_live import faults_of_live, noted
from server.test_live import MINUTE, NAMES, SECOND, Evening

if not hasattr(os, "fork"):
    pytest.skip("this system cannot fork the servers of a season", allow_module_level=True)

from season_servers import WatchedStore

BEFORE_THE_CLOCKS_CHANGE = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


class Counted(Evening):
    """A live game of which each change is noted, and each look for what is due."""

    looks: set[float]

    def go_on(self, passed: timedelta) -> None:
        """So much later, with a look every half a minute."""
        until = self.clock.time + passed
        while self.clock.time < until:
            self.clock.time = min(self.clock.time + MINUTE / 2, until)
            self.look()

    def look(self) -> None:
        self.worker.look()
        self.looks.add(self.clock.time.timestamp())

    def killed(self) -> None:
        """The server is gone, and another begins on the same store."""
        self.service = GameService(self.store, Broker(), self.clock)
        self.worker = Worker(self.service)

    def act(self, chance: Random) -> None:
        """Change a ready mark at random, or let the host pause, resume, extend or add to the time bank."""
        power, hosted = chance.choice(list(NAMES)), self.service.games.load(self.id)
        number = hosted.phase_number
        what = chance.choice(["ready", "ready", "ready", "not ready", "pause", "resume", "resume", "extend", "more"])
        with suppress(PlenipoError):
            if what in ("ready", "not ready"):
                self.ready(power, ready=what == "ready")
            elif what == "more":
                own = (self.timed.schedule.time_bank or timedelta(0)) // MINUTE
                self.service.time.change_settings(self.id, self.host, changes_of({"time_bank": f"{own + 1}m"}))
            else:
                acts = {"pause": TimeAct("pause"), "resume": TimeAct("resume")}
                act = acts.get(what, TimeAct("extend", chance.randint(1, 4) * MINUTE))
                self.service.time.keep_time(self.id, self.host, number, act)


@pytest.mark.parametrize("seed", [1])
def test_no_time_bank_is_lost_or_gained_over_kills_pauses_outages_and_changes_of_clocks(
    address: str, tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = WatchedStore(address)
    store.time, store.log, store.live = (lambda: None), tmp_path / "log", True  # type: ignore[method-assign]
    monkeypatch.setattr("server.test_live.START", BEFORE_THE_CLOCKS_CHANGE)
    evening, chance, counts = Counted(store, zone="Europe/London"), Random(seed), Counter[str]()
    evening.looks = set()
    for _ in range(30):
        evening.act(chance)
        if chance.random() < 0.2:
            evening.killed()
        if chance.random() < 0.25:  # an outage: the server does not look for a while
            evening.clock.time += chance.randint(3, 20) * MINUTE
            evening.look()
        else:
            evening.go_on(chance.choice([7 * SECOND, MINUTE, 3 * MINUTE]))
    kinds = defaultdict[float, set[str]](set)
    for entry in store.journal(evening.id):
        kinds[entry.at.timestamp()].add(entry.kind)
    lines = [line for line in lines_of(store.log.read_text(encoding="utf-8")) if "live" in line]
    now = noted(evening.timed, evening.service.games.revision(evening.id), store.times(evening.id)[0])
    assert list(faults_of_live([*lines, now], kinds, evening.looks, counts)) == []
    assert counts["seconds of time bank that ran"] > 0
    assert counts["seconds of time bank given back"] > 0
    store.close()


def test_the_account_finds_time_bank_that_was_taken(address: str, tmp_path: Path) -> None:
    """The check itself must detect a time bank that was reduced wrongly."""
    store = WatchedStore(address)
    store.time, store.log, store.live = (lambda: None), tmp_path / "log", True  # type: ignore[method-assign]
    evening = Counted(store)
    evening.looks = set()
    evening.go_on(7 * MINUTE)
    evening.ready(next(iter(NAMES)))
    lines = [line for line in lines_of(store.log.read_text(encoding="utf-8")) if "live" in line]
    now = noted(evening.timed, evening.service.games.revision(evening.id), store.times(evening.id)[0])
    assert list(faults_of_live([*lines, now], {}, evening.looks, Counter())) == []
    taken = {**now, "own": {power: left - 1 for power, left in now["own"].items()}}
    assert len(list(faults_of_live([*lines, taken], {}, evening.looks, Counter()))) == len(taken["own"])
    store.close()
