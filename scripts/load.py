"""Load: 200 people watch one game and 20 order in it, on a server of its own; how long does a page view take?

Run it with `make load`, or `python scripts/load.py --help`. The exit status is 1 if the 99th percentile of the page
views is not under the limit. The watchers are browsers as the server sees them: each keeps a connection, listens to the
events of the game, looks at the page now and then, and asks for the view as soon as something happened.
"""

import argparse
import asyncio
import gzip
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import SystemRandom
from typing import Any
from urllib.parse import quote

LIMIT = 0.250
"""The limit of the 99th percentile of a page view, in seconds."""

LOOK = (3.0, 9.0)
"""The pause of a watcher between two looks at the page, in seconds."""

ORDER = (1.0, 3.0)
"""The pause of a player between two orders, in seconds."""

PHASE = 6.0
"""The length of a phase."""

NOTICE = 0.3
"""The longest delay before a browser that was notified asks for the view."""

CHANCE = SystemRandom()


@dataclass
class Measured:
    """The durations of all requests, by kind, in seconds; and the errors."""

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    faults: list[str] = field(default_factory=list)

    def table(self) -> str:
        """Return a line for each kind: the number, the median, the 99th percentile, the worst."""
        rows = [f"{'':14}{'count':>8}{'p50 ms':>9}{'p99 ms':>9}{'max ms':>9}"]
        for kind, times in sorted(self.times.items()):
            shown = (self.at(kind, 0.5), self.at(kind, 0.99), max(times))
            rows.append(f"{kind:14}{len(times):>8}" + "".join(f"{1000 * value:>9.1f}" for value in shown))
        return "\n".join(rows)

    def at(self, kind: str, part: float) -> float:
        """Return the time below which `part` of all requests stayed."""
        times = sorted(self.times[kind])
        return times[min(len(times) - 1, int(part * len(times)))]


class Browser:
    """One connection to the server, kept open, with one request at a time."""

    def __init__(self, port: int, token: str = "") -> None:
        self.port, self.token = port, token
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        """Return the status and the bytes of an answer; try once more on a new connection if the old one was closed."""
        known = self.streams is not None
        try:
            return await self._ask(method, path, body)
        except (asyncio.IncompleteReadError, ConnectionError):
            self.close()
            if not known:
                raise
            return await self._ask(method, path, body)

    async def _ask(self, method: str, path: str, body: Any) -> tuple[int, bytes]:
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        sent = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", "host: 127.0.0.1", f"content-length: {len(sent)}"]
        lines += ["accept-encoding: gzip", "content-type: application/json"]
        lines += [f"authorization: Bearer {self.token}"] if self.token else []
        writer.write("\r\n".join((*lines, "", "")).encode() + sent)
        await writer.drain()
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        length = next(line for line in head if line.lower().startswith("content-length:"))
        return int(head[0].split()[1]), await reader.readexactly(int(length.split(":")[1]))

    def close(self) -> None:
        """Close the connection."""
        if self.streams:
            self.streams[1].close()
        self.streams = None


async def timed(measured: Measured, kind: str, browser: Browser, path: str, body: Any = None) -> bytes:
    """Ask, and note the duration."""
    start = time.perf_counter()
    status, answer = await browser.ask("GET" if body is None else "POST", path, body)
    measured.times[kind].append(time.perf_counter() - start)
    if status not in {200, 409}:
        measured.faults.append(f"{path}: {status}")
    return answer


async def watch(port: int, game: str, measured: Measured, until: float) -> None:
    """Watch the game: listen, load the page now and then, ask for the view after an event."""
    happened = asyncio.Event()
    listening = asyncio.create_task(listen(port, game, happened))
    browser = Browser(port)
    try:
        await asyncio.sleep(CHANCE.uniform(0, LOOK[1]))
        while time.monotonic() < until:
            await timed(measured, "page", browser, f"/games/{game}")
            with suppress(TimeoutError):
                await asyncio.wait_for(happened.wait(), CHANCE.uniform(*LOOK))
                happened.clear()
                await asyncio.sleep(CHANCE.uniform(0, NOTICE))
                await timed(measured, "view", browser, f"/api/games/{game}")
    finally:
        browser.close()
        listening.cancel()


async def listen(port: int, game: str, happened: asyncio.Event) -> None:
    """Set `happened` when the game goes on."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /api/games/{game}/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".encode())
    try:
        while line := await reader.readline():
            if line.startswith(b"event: phase"):
                happened.set()
    finally:
        writer.close()


def leaf(node: Mapping[str, Any]) -> str:
    """Return any order below a step of the tree."""
    while "order" not in node:
        node = CHANCE.choice(node["then"])
    return str(node["order"])


async def play(port: int, game: str, token: str, seat: str, measured: Measured, until: float) -> None:
    """Order now and then, as a player at a seat does."""
    browser = Browser(port, token)
    try:
        await asyncio.sleep(CHANCE.uniform(*ORDER))
        while time.monotonic() < until:
            found = json.loads(await unpacked(browser, f"/api/games/{game}/options?seat={quote(seat)}"))
            if found["choices"]:
                give = [leaf(CHANCE.choice(found["choices"]))]
                body = {
                    "phase_number": found["phase_number"],
                    "seat": seat,
                    "clear": ["*"] if found["at_once"] else [],
                    "give": give,
                }
                await timed(measured, "order", browser, f"/api/games/{game}/orders", body)
            await asyncio.sleep(CHANCE.uniform(*ORDER))
    finally:
        browser.close()


async def unpacked(browser: Browser, path: str) -> bytes:
    """Return the bytes of an answer, decompressed."""
    _, answer = await browser.ask("GET", path)
    return gzip.decompress(answer) if answer[:2] == b"\x1f\x8b" else answer


async def process(port: int, game: str, token: str, measured: Measured, until: float) -> None:
    """Process the phase again and again."""
    browser = Browser(port, token)
    while time.monotonic() < until - PHASE:
        await asyncio.sleep(PHASE)
        view = json.loads(await unpacked(browser, f"/api/games/{game}?seat=observer"))
        if view["over"]:
            break
        await timed(measured, "process", browser, f"/api/games/{game}/process", {"phase_number": view["phase_number"]})
    browser.close()


async def everybody(port: int, options: argparse.Namespace) -> Measured:
    """Open a game, and start all clients."""
    browser = Browser(port)
    _, answer = await browser.ask("POST", "/api/games", {"variant": options.variant, "seating": "links"})
    opened = json.loads(answer)
    keys = list(opened["keys"]["seats"].items())
    await browser.ask("GET", f"/games/{opened['id']}")  # the first picture of a map takes longer: the server warms up
    measured, until = Measured(), time.monotonic() + options.seconds
    people = [watch(port, opened["id"], measured, until) for _ in range(options.watchers)]
    for number in range(options.players):
        seat, token = keys[number % len(keys)]
        people.append(play(port, opened["id"], token, seat, measured, until))
    people.append(process(port, opened["id"], opened["keys"]["all"], measured, until))
    await asyncio.gather(*people)
    browser.close()
    return measured


def main() -> int:
    """Start a server, load it, print the times."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--watchers", type=int, default=200)
    parser.add_argument("--players", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--variant", default="standard")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", "from plenipo.cli import app; app()", "serve", "--no-open", "--port", "0"]
        command += ["--database", str(Path(folder) / "games.sqlite")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603  # our own
            try:
                line = server.stdout.readline() if server.stdout else ""
                found = re.search(r":(\d+)/", line)
                if not found:
                    sys.stderr.write("The server did not start.\n")
                    return 1
                measured = asyncio.run(everybody(int(found[1]), options))
            finally:
                server.terminate()
    print(
        f"{options.watchers} watch and {options.players} order in one game "
        f"of {options.variant}, {options.seconds:.0f} s:"
    )
    print(measured.table())
    for fault in measured.faults[:5]:
        print(f"failed: {fault}")
    p99 = measured.at("page", 0.99)
    print(f"99 of 100 page views took less than {1000 * p99:.0f} ms; the limit is {1000 * LIMIT:.0f} ms.")
    return 1 if measured.faults or p99 >= LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
