"""Measure the scaled setup without containers: page servers and workers as separate processes on one PostgreSQL.

Run it with `python scripts/scaled.py`. Two `plenipo serve --loops none` and two `plenipo work` share a database. In
one game a seat listens at both servers, messages are written to it at one, and the time until each listener gets them
is measured. The exit status is 1 if the 99th percentile is over 200 ms at the same server, or over 500 ms at the other.
"""

import argparse
import http.client
import json
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from deadlines import part

OWN, OTHER = 0.2, 0.5
"""The limit in seconds from sending a message to a reader at the same server, and at another."""

PATIENCE = 60.0
SETTINGS = {"press": {"preset": "Full press"}, "computer": "careless"}


@dataclass(frozen=True)
class Server:
    """A page server in a separate process, and a client with a key."""

    port: int

    def ask(self, method: str, path: str, body: Any = None, key: str = "") -> tuple[int, Any]:
        """Return the status and the JSON of an answer."""
        headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {key}"} if key else {})
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as connection:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"null")

    def events(self, game: str, seat: str, key: str) -> "queue.Queue[tuple[str, float]]":
        """Return a queue of the kinds of the events for a seat, each with its time of arrival, from the greeting on."""
        heard: queue.Queue[tuple[str, float]] = queue.Queue()

        def listen() -> None:
            with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as connection:
                connection.request(
                    "GET", f"/api/games/{game}/events?seat={seat}", headers={"authorization": f"Bearer {key}"}
                )
                answer = connection.getresponse()
                try:
                    while line := answer.readline():
                        if line.startswith(b"event: "):
                            heard.put((line[7:].decode().strip(), time.perf_counter()))
                except OSError:
                    return  # the server is gone

        threading.Thread(target=listen, daemon=True).start()
        kind, _ = heard.get(timeout=PATIENCE)
        if kind != "hello":
            raise RuntimeError(f"a stream begins with {kind}")
        return heard


@contextmanager
def _process(folder: Path, name: str, *arguments: str, database: str) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-c", "from plenipo.cli import app; app()", *arguments]
    environment = os.environ | {"PLENIPO_DATABASE": database}
    with (
        (folder / f"{name}.log").open("w") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment) as running,  # noqa: S603  # our own
    ):
        try:
            yield running
        finally:
            running.terminate()


def _said(running: "subprocess.Popen[str]") -> str:
    said: IO[str] | None = running.stdout
    return said.readline() if said else ""


@contextmanager
def scaled(database: str, folder: Path, servers: int = 2, workers: int = 2) -> Iterator[tuple[Server, ...]]:
    """Yield servers and workers that share a database; they log into the folder."""
    with ExitStack() as stack:
        serve = ("serve", "--no-open", "--port", "0", "--loops", "none")
        pages = [stack.enter_context(_process(folder, f"serve{n}", *serve, database=database)) for n in range(servers)]
        looking = [stack.enter_context(_process(folder, f"work{n}", "work", database=database)) for n in range(workers)]
        places = [re.search(r"http://127\.0\.0\.1:(\d+)/", _said(one)) for one in pages]
        for one in looking:
            _said(one)
        yield tuple(Server(int(place[1])) for place in places if place)


@dataclass(frozen=True)
class Game:
    """A running game, with the keys of two of its seats."""

    id: str
    france: str
    germany: str


def begun(server: Server) -> Game:
    """Start a game with two players, which goes on."""
    _, opened = server.ask("POST", "/api/games", {"variant": "standard", "lobby": True, "settings": SETTINGS})
    game, invitation = opened["id"], opened["invitation"].rpartition("/")[2]
    held = [
        server.ask("POST", f"/api/games/{game}/join", {"name": name, "power": power}, invitation)[1]["key"]
        for name, power in (("Anna", "France"), ("Ben", "Germany"))
    ]
    server.ask("POST", f"/api/games/{game}/start", {}, opened["keys"]["all"])
    return Game(game, *held)


def messages(writes: Server, reads: Server, game: Game, count: int) -> list[float]:
    """Return how many seconds messages take from sending until their reader is notified, sorted."""
    heard, took = reads.events(game.id, "Germany", game.germany), []
    for number in range(count):
        began = time.perf_counter()
        body = {"seat": "France", "to": ["Germany"], "text": f"Message {number}"}
        status, answer = writes.ask("POST", f"/api/games/{game.id}/press", body, game.france)
        if status != 201:
            raise RuntimeError(str(answer))
        while (event := heard.get(timeout=PATIENCE))[0] not in {"message", "behind"}:
            pass
        took.append(event[1] - began)
        time.sleep(0.05 * (number % 9))  # so that messages come at every moment between two queries
    return sorted(took)


def main() -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100, help="messages to each reader")
    parser.add_argument("--database", help="the address of an empty database; left out, a PostgreSQL of our own")
    asked = parser.parse_args()
    good = True
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if asked.database is None:
            sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
            from server.cluster import running  # noqa: PLC0415  # only where it is needed

            asked.database = stack.enter_context(running())
        first, second = stack.enter_context(scaled(asked.database, folder))
        game = begun(first)
        messages(first, second, game, 1)  # the first makes both servers read the game
        for words, reads, goal in (("at the same server", first, OWN), ("at another server", second, OTHER)):
            took = messages(first, reads, game, asked.messages)
            good &= part(took, 0.99) <= goal
            half, most = (f"{1000 * part(took, share):.0f}" for share in (0.5, 0.99))
            print(
                f"{len(took)} messages to a reader {words}: p50 {half} ms, p99 {most} ms, "
                f"worst {1000 * took[-1]:.0f} ms; goal {1000 * goal:.0f} ms"
            )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
