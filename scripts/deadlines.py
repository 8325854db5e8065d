"""Measure deadlines: how late phases are processed, how fast pages are meanwhile, and how many clients may listen.

Run it with `python scripts/deadlines.py`. It fills a store with games of seven players who have all submitted orders,
and starts a server with its loops in a separate process. `day`: games due evenly, `--factor` times as many a second as
if all were due within a day. `minute`: a thousand games due at once, while clients load pages. `listen`: so many
browsers listen on one process, and the time until they hear of a phase is measured. The exit status is 1 if a goal is
missed.
"""

import argparse
import asyncio
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import SystemRandom
from typing import Any

from sqlalchemy import insert, select

from load import Browser, Measured, timed
from plenipo.engine.position import Power
from plenipo.server import keys
from plenipo.server.broker import Broker
from plenipo.server.hosted_game import LINKS, Credentials, encode_timing
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.new_games import NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store, schema
from plenipo.server.submissions import Edit

CHANCE = SystemRandom()
SCHEDULE = {"movement": {"within": "1d"}, "retreats": {"within": "1d"}, "adjustments": {"within": "1d"}, "cool": "0m"}
OPENING = {
    "Austria": ("A VIE - GAL", "A BUD - SER", "F TRI - ALB"),
    "England": ("F LON - NTH", "F EDI - NWG", "A LVP - YOR"),
    "France": ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MID"),
    "Germany": ("A MUN - BUR", "A BER - KIE", "F KIE - DEN"),
    "Italy": ("A VEN - TYR", "A ROM - VEN", "F NAP - ION"),
    "Russia": ("A WAR - GAL", "A MOS - UKR", "F SEV - BLA", "F STP/SC - BOT"),
    "Turkey": ("A CON - BUL", "A SMY - CON", "F ANK - BLA"),
}


def filled(address: str, count: int) -> list[str]:
    """Fill a new store with so many games, one played and the rest copies of its rows; return their ids."""
    store = Store(address)
    service = GameService(store, Broker())
    opened = service.open(NewGameRequest("standard", {}, seating=LINKS, schedule=schedule_of(SCHEDULE)))
    for power, texts in OPENING.items():
        service.orders.submit(opened.id, Credentials((Power(power),)), power, 1, Edit(texts))
    games = [opened.id, *(keys.game_id() for _ in range(count - 1))]
    with store.engine.begin() as connection:
        for table, column in ((schema.games, "id"), (schema.seats, "game"), (schema.order_sets, "game")):
            rows = [
                dict(row) for row in connection.execute(select(table).where(table.c[column] == opened.id)).mappings()
            ]
            copies = [{**row, column: game} for game in games[1:] for row in rows]
            for first in range(0, len(copies), 5000):
                connection.execute(insert(table), copies[first : first + 5000])
    store.close()
    return games


def due_at(address: str, instants: dict[str, datetime]) -> None:
    """Make games due at these instants."""
    store = Store(address)
    service = GameService(store, Broker())
    timing = service.games.load(next(iter(instants))).timing
    assert timing is not None  # noqa: S101  # they were opened with a schedule
    games = schema.games
    with store.engine.begin() as connection:
        for game, due in instants.items():
            changed = encode_timing(replace(timing, phase=replace(timing.phase, due=due)))
            connection.execute(games.update().where(games.c.id == game).values(timing=changed, wake=due))
    store.close()


def processed(address: str, instants: dict[str, datetime]) -> list[float]:
    """Return the seconds from each game's instant to its processing; games not processed are left out."""
    store = Store(address)
    games = schema.games
    late = []
    with store.engine.connect() as connection:
        query = select(games.c.id, games.c.changed).where(games.c.phase_number == 2)
        for game, changed in connection.execute(query):
            if game in instants:
                late.append((changed.replace(tzinfo=UTC) - instants[game]).total_seconds())
    store.close()
    return sorted(late)


def part(values: list[float], share: float) -> float:
    """Return the value below which `share` of all values lie."""
    return values[min(len(values) - 1, int(share * len(values)))] if values else float("inf")


@contextmanager
def serving(address: str, loops: str) -> Iterator[tuple[int, "subprocess.Popen[str]"]]:
    """Run a server and yield its port and its process."""
    command = [sys.executable, "-c", "from plenipo.cli import app; app()", "serve", "--no-open", "--port", "0"]
    command += ["--database", address, "--loops", loops]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603  # our own
        try:
            line = server.stdout.readline() if server.stdout else ""
            yield int(line.split("127.0.0.1:")[1].split("/")[0]), server
        finally:
            server.terminate()


async def look_at_pages(port: int, games: list[str], measured: Measured, until: float) -> None:
    """Load the page of one game after another, starting at a random moment."""
    browser = Browser(port)
    while time.monotonic() < until:
        await asyncio.sleep(CHANCE.uniform(0.3, 1.5))
        await timed(measured, "page", browser, f"/games/{CHANCE.choice(games)}")
    browser.close()


def awake(address: str, game: str) -> None:
    """Wait until a worker has processed a due game."""
    instants = {game: datetime.now(UTC)}
    due_at(address, instants)
    until = time.monotonic() + 120
    while not processed(address, instants) and time.monotonic() < until:
        time.sleep(0.2)


def day(address: str, games: list[str], options: argparse.Namespace) -> bool:
    """Process games that are due evenly; return whether the goal is reached."""
    pause = 86_400 / len(games) / options.factor
    count = int(options.seconds / pause)
    with serving(address, options.loops):
        awake(address, games[-1])
        begin = datetime.now(UTC) + timedelta(seconds=5)
        instants = {game: begin + number * timedelta(seconds=pause) for number, game in enumerate(games[:count])}
        due_at(address, instants)
        time.sleep(max(0.0, (begin - datetime.now(UTC)).total_seconds()) + options.seconds + 5)
    late = processed(address, instants)
    print(
        f"{len(games)} games, {count} of them due evenly within "
        f"{options.seconds:.0f} s ({options.factor:.0f} times the "
        f"rate of a day): {len(late)} processed, p50 {part(late, 0.5):.2f} s, p99 {part(late, 0.99):.2f} s after they "
        "were due"
    )
    return len(late) == count and part(late, 0.99) <= 2 and (not late or late[0] >= 0)


def minute(address: str, games: list[str], options: argparse.Namespace) -> bool:
    """Process a thousand games due at the same instant, while pages are loaded; return whether the goal is reached."""
    measured = Measured()

    async def everybody(port: int, instants: dict[str, datetime]) -> None:
        warm = Browser(port)
        await warm.ask("GET", f"/games/{games[0]}")
        warm.close()
        begin = max(instants.values())
        await asyncio.sleep(max(0.0, (begin - datetime.now(UTC)).total_seconds()))
        until = time.monotonic() + options.most
        looking = [asyncio.create_task(look_at_pages(port, games, measured, until)) for _ in range(options.viewers)]
        for _ in range(int(options.most)):
            await asyncio.sleep(1)
            if len(await asyncio.to_thread(processed, address, instants)) == len(instants):
                break
        for task in looking:
            task.cancel()
        await asyncio.gather(*looking, return_exceptions=True)

    with serving(address, options.loops) as (port, _):
        awake(address, games[0])
        instants = dict.fromkeys(games[-options.at_once :], datetime.now(UTC) + timedelta(seconds=10))
        due_at(address, instants)
        asyncio.run(everybody(port, instants))
    late = processed(address, instants)
    p99 = 1000 * measured.at("page", 0.99)
    print(
        f"{len(instants)} games due at the same instant: {len(late)} processed within {late[-1] if late else 0:.1f} s; "
        f"{len(measured.times['page'])} pages meanwhile, p50 {1000 * measured.at('page', 0.5):.0f} ms, p99 {p99:.0f} ms"
    )
    return len(late) == len(instants) and late[-1] <= 60 and p99 <= 250 and not measured.faults


async def heard(port: int, game: str, ready: asyncio.Event, times: list[float]) -> None:
    """Listen to a game until a phase of it is processed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /api/games/{game}/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".encode())
    try:
        while line := await reader.readline():
            if line.startswith(b"event: hello"):
                ready.set()
            if line.startswith(b"event: phase"):
                times.append(time.monotonic())
                return
    finally:
        writer.close()


def listen(address: str, games: list[str], options: argparse.Namespace) -> bool:
    """Let so many browsers listen on one process, fifty of them to one game; return whether the goal is reached."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    others = games[1 : 1 + (options.listeners - 50) // 10]
    found: dict[str, Any] = {}

    async def everybody(port: int, server: "subprocess.Popen[str]") -> None:
        times: list[float] = []
        tasks, started = [], time.monotonic()
        for number in range(options.listeners):
            game = games[0] if number < 50 else others[number % len(others)]
            ready = asyncio.Event()
            tasks.append(asyncio.create_task(heard(port, game, ready, times)))
            if number % 50 == 49:
                await asyncio.wait_for(ready.wait(), 60)
        found["connected"] = time.monotonic() - started
        await asyncio.sleep(5)
        before = cpu(server.pid)
        await asyncio.sleep(10)
        found["idle"] = (cpu(server.pid) - before) / 10
        found["memory"] = memory(server.pid)
        browser = Browser(port)
        store = Store(address)
        service = GameService(store, Broker())  # another process: this server hears of it by its query
        began = time.monotonic()
        await asyncio.to_thread(service.phases.process, games[0], Credentials((), all_seats=True), 1)
        store.close()
        for _ in range(1000):
            await asyncio.sleep(0.02)
            if len(times) == 50:
                break
        found["heard"] = (len(times), max(times) - began if times else float("inf"))
        browser.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    with serving(address, "none") as (port, server):
        asyncio.run(everybody(port, server))
    count, seconds = found["heard"]
    print(
        f"{options.listeners} listeners to {len(others) + 1} games on one process, there within "
        f"{found['connected']:.0f} s: {found['memory']:.0f} MiB, {100 * found['idle']:.0f} % of a core when idle; "
        f"{count} heard within {seconds:.2f} s of a phase that another process ended"
    )
    return bool(count == 50 and seconds <= 2)


def cpu(pid: int) -> float:
    """Return the processor seconds a process has used."""
    parts = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return (int(parts[11]) + int(parts[12])) / 100


def memory(pid: int) -> float:
    """Return the memory of a process in MiB."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


MEASURES = {"day": day, "minute": minute, "listen": listen}


def main() -> int:
    """Fill a store, and measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("measures", nargs="*", default=[*MEASURES], choices=[*MEASURES])
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--factor", type=float, default=40.0)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--at-once", type=int, default=1000)
    parser.add_argument("--viewers", type=int, default=20)
    parser.add_argument("--listeners", type=int, default=5000)
    parser.add_argument("--most", type=float, default=180.0, help="how long is waited for the thousand, in seconds")
    parser.add_argument("--loops", default="process", choices=["process", "thread"])
    options = parser.parse_args()
    reached = True
    for measure in options.measures:
        with tempfile.TemporaryDirectory() as folder:
            address = str(Path(folder) / "games.sqlite")
            reached &= MEASURES[measure](address, filled(address, options.games), options)
    return int(not reached)


if __name__ == "__main__":
    sys.exit(main())
