"""Looking for due games: by whom, by which clock, and what becomes of games that cannot be gone on with."""

import ast
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import event

from plenipo import library
from plenipo.server.broker import Broker
from plenipo.server.clock import APART, StoreClock, SystemClock, clock_of
from plenipo.server.hosted_game import LINKS, Credentials, encode_timing
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.new_games import NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import GameChange, GameProgress, Store
from plenipo.server.web.app import create_app
from plenipo.server.worker import REST, Worker
from server.clocks import ManualClock
from waiting import LIMIT, read_line, wait_until

START = datetime(2026, 11, 22, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
WITHIN = {"movement": {"within": "4h"}, "cool": "0m", "missed": {"first": "hold"}}


class ClockedStore(Store):
    """A store whose database has a clock of its own, which is set by hand."""

    shown: datetime | None = None

    def time(self) -> datetime | None:
        return self.shown


def begun(service: GameService, schedule: Any = WITHIN) -> str:
    """A game with two persons and a deadline after four hours."""
    computers = [str(power) for power in library.load("standard").names[2:]]
    return service.open(NewGameRequest("standard", {}, computers, seating=LINKS, schedule=schedule_of(schedule))).id


def phase_number(service: GameService, game: str) -> int:
    return service.view(game, Credentials(), None).phase_number


# By which clock


def test_a_process_whose_clock_is_off_processes_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = ClockedStore(str(tmp_path / "games.sqlite"))
    right, wrong = ManualClock(START), ManualClock(START + 5 * HOUR)
    hosts = [GameService(store, Broker(), clock) for clock in (right, wrong)]
    game = begun(hosts[0])
    workers = [Worker(service) for service in hosts]
    for minutes in range(0, 250, 10):
        store.shown = right.time = START + timedelta(minutes=minutes)
        wrong.time = right.time + HOUR
        assert workers[1].look() == 0
        due = workers[0].look()
        assert phase_number(hosts[0], game) == (1 if minutes < 240 else 2)
        assert due == (minutes == 240)
    assert len([entry for entry in caplog.records if "nothing is processed" in entry.getMessage()]) == 1
    wrong.time = START + 8 * HOUR
    store.shown = wrong.time - APART
    assert workers[1].look() == 1, "its clock was put right"
    store.close()


def test_the_clock_of_the_database_counts_where_it_has_one(tmp_path: Path) -> None:
    store = ClockedStore(str(tmp_path / "games.sqlite"))
    assert isinstance(clock_of(store), SystemClock)
    store.shown = START
    clock = clock_of(store)
    assert isinstance(clock, StoreClock)
    first = clock.now()
    assert START <= first < START + timedelta(seconds=10)
    store.shown = START + 1000 * HOUR
    second = clock.now()
    assert first <= second < START + timedelta(seconds=20), "it is not asked for each time"
    store.close()


def test_a_clock_that_is_set_back_stands_still_and_does_not_go_back(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = [START]
    clock = StoreClock(lambda: shown[0])
    monkeypatch.setattr("plenipo.server.clock.ANEW", 0.0)
    first = clock.now()
    shown[0] = START - HOUR
    assert clock.now() >= first
    shown[0] = START + HOUR
    assert clock.now() >= START + HOUR


def test_nothing_but_the_clock_asks_for_the_time_of_day() -> None:
    server = Path(library.__file__).parents[1] / "server"
    asked = {"now", "utcnow", "today", "time", "time_ns", "monotonic", "localtime", "gmtime"}
    faults = []
    for path in sorted(server.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            call = node.func if isinstance(node, ast.Call) else None
            if isinstance(call, ast.Attribute) and call.attr in asked and isinstance(call.value, ast.Name):
                faults += [f"{path.name}:{call.lineno}"] if call.value.id in {"datetime", "date", "time"} else []
            if isinstance(call, ast.Name) and call.id in {"monotonic", "time_ns", "perf_counter"}:
                faults.append(f"{path.name}:{call.lineno}")
            if isinstance(node, ast.ImportFrom) and node.module == "time":
                faults += [f"{path.name}:{node.lineno}" for name in node.names if name.name != "sleep"]
    assert {fault.split(":")[0] for fault in faults} == {"clock.py"}


# By whom


def test_a_game_that_cannot_be_gone_on_with_rests_and_the_others_go_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = ManualClock(START)
    service = GameService(store, Broker(), clock)
    monkeypatch.setattr("plenipo.server.worker.MOST", 1)
    broken, sound = begun(service), begun(service)
    settle = service.time.go_on

    def settle_most(game: str, away: timedelta) -> tuple[int, ...]:
        if game == broken:
            raise RuntimeError("a fault of a variant")
        return settle(game, away)

    monkeypatch.setattr(service.time, "go_on", settle_most)
    worker = Worker(service)
    worker.look()
    clock.time = START + 4 * HOUR
    worker._looked = clock.time  # it was never away
    for _ in range(3):
        worker.look()
    assert phase_number(service, sound) == 2, "the broken one is the first in the row, and does not keep it waiting"
    monkeypatch.undo()
    clock.time += REST
    worker.look()
    assert phase_number(service, broken) == 2


def test_a_vote_that_cannot_be_counted_keeps_no_other_game_from_going_on(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    clock = ManualClock(START)
    service = GameService(store, Broker(), clock)
    game, worker = begun(service), Worker(service)
    worker.look()

    settle = service.voting.settle

    def settle_most(game: str) -> None:
        if game == "another":
            raise RuntimeError("a fault of a variant")
        settle(game)

    monkeypatch.setattr(service.voting, "find_due", lambda _most: ("another",))
    monkeypatch.setattr(service.voting, "settle", settle_most)
    clock.time = START + 4 * HOUR
    worker._looked = clock.time  # it was never away
    worker.look()
    worker.look()
    assert phase_number(service, game) == 2
    assert [record.getMessage() for record in caplog.records] == ["cannot do what is due in game another"]


def test_a_game_that_is_deleted_while_it_is_due_leaves_no_traceback(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    service = GameService(store, Broker(), ManualClock(START + 4 * HOUR))
    game, worker = begun(service), Worker(service)
    store.delete(game)
    monkeypatch.setattr(store, "due", lambda *_: (game,))
    monkeypatch.setattr(service.voting, "find_due", lambda _most: (game,))
    assert worker.look() == 1
    assert not [record for record in caplog.records if record.exc_info]


def test_a_game_that_is_due_for_no_reason_is_looked_at_once(store: Store) -> None:
    clock = ManualClock(START)
    service = GameService(store, Broker(), clock)
    game = begun(service)
    store.wake(game, 1, START)  # as another version of the program might have left it
    worker = Worker(service)
    assert [worker.look(), worker.look()] == [1, 0]
    clock.time = START + 4 * HOUR
    assert worker.look() == 1


def test_what_another_program_did_is_seen_by_one_query_for_all_games(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, other = GameService(store), GameService(store)
    games = [begun(service) for _ in range(5)]
    told: list[tuple[str, str]] = []
    service.broker._listeners.update({game: set() for game in games})  # as if a listener were connected
    monkeypatch.setattr(service.broker, "announce", lambda game, what: told.append((game, what.kind)))
    service.games.catch_up()
    keys = other.open(NewGameRequest("standard", {}))
    whole = other.credentials(keys.id, [keys.all_seats])
    service.broker._listeners[keys.id] = set()
    service.games.catch_up()
    other.phases.process(keys.id, whole, 1)
    store.delete(games[0])
    queries: list[str] = []
    event.listen(store.engine, "before_cursor_execute", lambda *given: queries.append(given[2]))
    service.games.catch_up()
    assert sorted(told) == sorted([(games[0], "gone"), (keys.id, "phase")])
    assert len([query for query in queries if query != "BEGIN"]) == 1
    service.games.catch_up()
    assert len(told) == 2, "nobody is told twice"


def test_how_far_games_have_come_is_asked_for_all_at_once(store: Store) -> None:
    service = GameService(store)
    games = [begun(service) for _ in range(3)]
    assert store.stands(games) == {game: GameProgress(1, 1, 0) for game in games}
    assert store.stands([*games[:1], "none"]) == {games[0]: GameProgress(1, 1, 0)}
    assert store.stands([]) == {}


COMMAND = [sys.executable, "-c", "from plenipo.cli import app; app()"]
SOON = {"movement": {"within": "1m"}, "missed": {"first": "hold"}}


def make_due(store: Store, *games: str) -> None:
    """Let games that were opened with `SOON` be due now."""
    service = GameService(store, Broker(), ManualClock(datetime.now(UTC)))
    Worker(service).look()
    for game in games:
        hosted = service.games.load(game)
        assert hosted.timing is not None
        due = datetime.now(UTC) - timedelta(seconds=1)
        timing = replace(hosted.timing, phase=replace(hosted.timing.phase, due=due))
        assert store.change(
            game, hosted.revision, GameChange(columns={"timing": encode_timing(timing), "wake": due}), due
        )


def test_a_worker_without_pages_processes_what_is_due_and_ends_when_asked(tmp_path: Path) -> None:
    address = str(tmp_path / "games.sqlite")
    store = Store(address)
    game = begun(GameService(store), SOON)
    make_due(store, game)
    with subprocess.Popen([*COMMAND, "work", "--database", address], stdout=subprocess.PIPE, text=True) as process:  # noqa: S603  # our own
        assert process.stdout
        assert read_line(process.stdout) == "Looking for due games (Ctrl-C ends it).\n"
        wait_until(lambda: phase_number(GameService(store), game) == 2)
        process.send_signal(signal.SIGINT)
        assert process.wait(LIMIT) == 0
    store.close()


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="this system does not list processes in files")
def test_a_server_has_a_process_look_and_starts_it_again_when_it_is_killed(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "games.sqlite"))
    games = [begun(GameService(store), SOON) for _ in range(2)]
    service = GameService(store)
    with TestClient(create_app(service, loops="process")):
        make_due(store, games[0])
        wait_until(lambda: phase_number(service, games[0]) == 2)
        for child in children():
            os.kill(child, signal.SIGKILL)
        make_due(store, games[1])
        wait_until(lambda: phase_number(service, games[1]) == 2)
        left = children()
        assert left
    wait_until(lambda: not set(left) & set(children()))
    store.close()


def children() -> list[int]:
    """The processes that look for due games for this one."""
    tasks = Path("/proc/self/task").glob("*/children")
    pids = [int(pid) for task in tasks for pid in task.read_text().split()]
    return [pid for pid in pids if b"--child" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def test_a_server_without_loops_leaves_due_games_to_others(store: Store) -> None:
    game = begun(GameService(store), SOON)
    service = GameService(store)
    with TestClient(create_app(service, loops="none")):
        make_due(store, game)
        time.sleep(1.5)
        assert phase_number(service, game) == 1
