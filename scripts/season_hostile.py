"""Hostile clients of a season: a page server, clients that attack it, and honest clients whose waiting time counts.

Rate limits follow the clock of the machine, because the clock of the season passes whole periods of them in a moment.
Hostile clients give way to the server (`os.nice`), as if they ran on separate machines.
"""

import http.client
import json
import os
import re
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

import psutil
import uvicorn

from plenipo.server.broker import Broker
from plenipo.server.clock import SystemClock
from plenipo.server.limits import Limits
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.store.counters import Counters
from plenipo.server.warm_up import Warming
from plenipo.server.web.app import create_app
from plenipo.server.web.slow import protocol

__all__ = ["SLOWEST", "Siege", "besiege"]

SLOWEST = 0.5
"""The most seconds that 99 of 100 requests of honest clients may take."""

HONEST = 2
"""The number of honest clients, and the seconds of rest between two pages."""

REST = 0.05

PATIENCE = 60.0
"""The seconds after which a client gives up waiting for an answer."""

HELD = 20.0
"""The seconds for which a slow client holds its connections."""

GIVES_WAY = 5

LATER = frozenset({500, 501, 502, 504})
"""Statuses that no request may end with; 503 is for temporary failures."""

ENDED = "timeout graceful shutdown exceeded"
"""The log lines of the web server about requests that are still open when it is stopped."""

BAD_ADDRESSES = (
    "https://1.1.1.1/é",
    f"https://{'a' * 64}.example/hook",
    "https://127.0.0.1/",
    "https://[64:ff9b::7f00:1]/",
    "https://user:pass@example.org:22/",
    "https://example.org:99999/",
    "http://169.254.169.254/latest",
    "https://exa\x00mple.org/",
    "https://[::1",
    "gopher://example.org/",
    "https://" + "a." * 400 + "org/",
)


@dataclass
class Client:
    """A client at its own address, with cookies; `notes` is its log of results."""

    port: int
    network: str
    notes: Path
    games: Path
    chance: Random
    server: psutil.Process | None = None
    """The server, whose processor time is noted."""
    kind: str = ""
    cookies: dict[str, str] = field(default_factory=dict)
    location: str = ""
    """The target of the last redirect."""

    def game(self) -> str:
        """Return the id of a game of the season."""
        known = self.games.read_text(encoding="utf-8").split()
        return self.chance.choice(known) if known else "none"

    def ask(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, float]:
        """Send a request; return and note its status, 0 if the connection broke, and its seconds."""
        sent = {"X-Forwarded-For": self.network, "X-Forwarded-Proto": "http", **(headers or {})}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        began, computed, status = time.monotonic(), self.collect_computer_orders(), 0
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            answer.read()
            status = answer.status
            for name, value in answer.getheaders():
                if name.casefold() == "set-cookie":
                    key, _, rest = value.partition("=")
                    self.cookies[key] = rest.partition(";")[0]
            self.location = answer.getheader("location") or ""
        except (OSError, http.client.HTTPException):
            status = 0
        finally:
            connection.close()
        took = time.monotonic() - began
        self.note(f"{method} {path}"[:80], status, took, self.collect_computer_orders() - computed)
        return status, took

    def collect_computer_orders(self) -> float:
        """Return the seconds that the server has computed, in all its threads."""
        times = None if self.server is None else self.server.cpu_times()
        return 0.0 if times is None else times.user + times.system

    def note(self, what: str, status: int, took: float, computed: float = 0.0) -> None:
        """Write down the result of a request."""
        line = {"kind": self.kind, "what": what, "status": status, "took": took, "computed": computed}
        with self.notes.open("a", encoding="utf-8") as notes:
            notes.write(json.dumps(line) + "\n")

    def form(self, path: str, fields: Mapping[str, str]) -> int:
        """Send a form."""
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.ask("POST", path, urlencode(fields), headers)[0]

    def json(self, method: str, path: str, value: Any) -> int:
        """Send JSON; bytes are sent as they are."""
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        return self.ask(method, path, body, {"Content-Type": "application/json"})[0]

    def open(self, sent: bytes) -> socket.socket:
        """Open a connection and send the beginning of a request."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        connection.sendall(sent)
        return connection


# The attacks, one round each


def pictures(client: Client) -> None:
    """Request wide pictures that are not cached yet."""
    chance = client.chance
    options = {
        "width": chance.choice((*range(1500, 1601), 4096, 10**9, -1)),
        "turn": chance.randrange(3),
        "theme": chance.choice(("light", "dark")),
        "focus": ",".join(chance.choices(("PAR", "BUR", "MUN", "VIE", "ROM", "CON"), k=3)),
    }
    client.ask("GET", f"/games/{client.game()}/picture.png?{urlencode(options)}")


def floods(client: Client) -> None:
    """Ask for pages and for work without a pause."""
    game = client.game()
    for path in (
        "/",
        "/find",
        f"/games/{game}",
        f"/api/games/{game}/history",
        f"/games/{game}/picture.svg",
        "/variants",
    ):
        client.ask("GET", path)
    client.json("POST", "/api/adjudicate", {"variant": "standard", "orders": {"France": ["A PAR - BUR"] * 200}})
    client.form(f"/games/{game}/join", {"name": f"Rudi{client.chance.randrange(10**9)}"})
    client.json("POST", f"/api/games/{game}/fork", {"turn": 0})


def bad_addresses(client: Client) -> None:
    """Open a game, and give addresses for its webhook and for notices that cannot be sent to."""
    client.form("/host", {"variant": "standard", "name": f"Dora{client.chance.randrange(10**9)}", "you": "play"})
    opened = client.location.rpartition("/")[2]
    for address in BAD_ADDRESSES:
        client.form(f"/games/{opened}/hook", {"url": address})
        client.form("/me/push", {"endpoint": address, "p256dh": "x", "auth": "y"})
    client.form("/sign-in", {"mail": f"x{client.chance.randrange(10**9)}@é.{'a' * 70}"})


def slow_readers(client: Client) -> None:
    """Ask for long answers and event streams and hardly read them; send requests a byte at a time."""
    game = client.game()
    head = f"Host: 127.0.0.1\r\nX-Forwarded-For: {client.network}\r\n"
    whole = [f"GET {path} HTTP/1.1\r\n{head}\r\n" for path in (f"/games/{game}", f"/api/games/{game}/events", "/me")]
    opened = [client.open(text.encode()) for text in whole * 10]
    opened += [client.open(b"POST /api/adjudicate HTTP/1.1\r\n" + head.encode()) for _ in range(10)]
    until = time.monotonic() + HELD
    while opened and time.monotonic() < until:
        for connection in list(opened):
            try:
                connection.settimeout(0.01)
                connection.sendall(b"X")
                with suppress(TimeoutError):
                    connection.recv(1)
            except OSError:
                opened.remove(connection)
        time.sleep(0.5)
    client.note("connections that were held", 200, HELD)
    for connection in opened:
        connection.close()


def half_open(client: Client) -> None:
    """Open connections, send half a head or half a body, and wait."""
    begun = (
        b"",
        b"G",
        b"GET / HTTP/1.1\r\nHost: ",
        b"POST /api/adjudicate HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{",
    )
    opened = [client.open(begun[number % len(begun)]) for number in range(60)]
    time.sleep(HELD)
    client.note("connections that were left half open", 200, HELD)
    for connection in opened:
        connection.close()


def nuls(client: Client) -> None:
    """Send characters that some databases refuse."""
    game = client.game()
    paths = ("/api/games/a%00b", "/api/people/%00", "/calendar/%00.ics", "/unsubscribe/%00", "/sign-in/%00")
    for path in (*paths, f"/api/games/{game}?seat=%00", f"/games/{game}/picture.svg?theme=%00%ff"):
        client.ask("GET", path)
    for text in ("\0", "a\0b", "\udcff".encode("utf-8", "surrogatepass").decode("latin-1"), "\u202e\0"):
        client.form("/host", {"variant": "standard", "name": f"Nul{text}", "game": text})
        client.form("/sign-in", {"mail": f"{text}@example.org"})
        client.form("/sign-in/code", {"code": text})
        client.json("POST", f"/api/games/{game}/join", {"name": text, "power": text})
        client.json("PUT", f"/api/games/{game}/orders", {"power": text, "orders": [text], "phase_number": 0})
        client.json("POST", "/api/games", {"variant": text})


def huge_bodies(client: Client) -> None:
    """Send bodies that are too long, too deep, or never end."""
    game = client.game()
    for path in ("/api/adjudicate", "/api/games/upload", f"/api/games/{game}/orders", "/api/games"):
        client.json("POST", path, b"[" * 4_000_000)
        client.json("POST", path, {"variant": "x" * 8_000_000})
    client.form(f"/games/{game}/join", {"name": "x" * 2_000_000})
    client.ask("POST", "/api/adjudicate", (b"x" * 65536 for _ in range(400)), {"Content-Type": "application/json"})
    client.ask("GET", "/?" + "x" * 60_000)
    client.ask("GET", "/", None, {f"X-{number}": "y" * 500 for number in range(80)})


def guesses(client: Client) -> None:
    """Guess sessions, keys, codes and words, and send requests from pages of other sites."""
    game, number = client.game(), client.chance.randrange(10**9)
    client.cookies = {"session": f"guess{number}", "seat": "~".join(["x"] * 50)}
    client.ask("GET", "/me")
    client.ask("GET", f"/api/games/{game}?seat=all", None, {"Authorization": f"Bearer guess{number}"})
    client.form("/sign-in/code", {"code": f"{number % 10**6:06}"})
    client.form("/sign-in/words", {"words": "abandon " * 12})
    client.ask("POST", f"/games/{game}/gm-tools/process", "", {"Origin": "https://evil.example"})
    client.ask("BREW", f"/games/{quote(game)}", "", {"Host": "evil.example"})
    client.cookies = {}


ATTACKS: Sequence[Callable[[Client], None]] = (
    *(pictures, floods, bad_addresses, slow_readers, half_open, nuls, huge_bodies, guesses),
)


def attack_for_ever(client: Client, number: int) -> None:
    """Attack in one way after the other, beginning with that of this number."""
    os.nice(GIVES_WAY)
    while True:
        attack = ATTACKS[number % len(ATTACKS)]
        client.kind = attack.__name__
        for _ in range(5 if attack not in (slow_readers, half_open) else 1):
            with suppress(OSError):
                attack(client)
        number += 1


def read_for_ever(client: Client) -> None:
    """Read pages as players do."""
    client.kind = "honest"
    pages = ("/", "/find", "/variants/standard", "/games/{}", "/games/{}", "/api/games/{}", "/games/{}/picture.svg")
    while True:
        client.ask("GET", client.chance.choice(pages).format(client.game()))
        time.sleep(REST)


def serve_for_ever(
    open_store: Callable[[], Store], clock: Any, warming: Callable[[], Warming], listening: socket.socket, log: Path
) -> None:
    """Serve the pages of the season; all log lines go to a file."""
    with log.open("ab", buffering=0) as out:
        os.dup2(out.fileno(), sys.stderr.fileno())
    service = GameService(open_store(), Broker(), clock, warming())
    app = create_app(service, loops="none", for_others=True)
    here = app.state.services
    here.limits = here.accounts.limits = Limits(service.store.of(Counters), SystemClock())
    config = uvicorn.Config(
        app, log_level="warning", timeout_keep_alive=30, timeout_graceful_shutdown=1, http=protocol(), access_log=False
    )
    uvicorn.Server(config).run(sockets=[listening])


@dataclass
class Siege:
    """A page server with its hostile and its honest clients, and their notes."""

    folder: Path
    count: int
    ran: float = 0.0
    """The seconds for which the main thread of the server computed, and waited for a processor."""
    waited: float = 0.0

    @property
    def games(self) -> Path:
        """The file with the ids of the games, which clients read."""
        return self.folder / "game-ids"

    def add_game(self, game: str) -> None:
        """Announce a game to the clients."""
        with self.games.open("a", encoding="utf-8") as known:
            known.write(f"{game}\n")

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield the notes; the last line of a client may be cut short."""
        for file in self.folder.glob("client-*"):
            for line in file.read_text(encoding="utf-8").splitlines():
                with suppress(ValueError):
                    yield json.loads(line)

    def faults(self) -> Iterator[str]:
        """Yield a sentence for each request with a forbidden status, and for each traceback in the log."""
        for line in self.lines():
            broken = line["status"] == 0 and line["kind"] == "honest"
            if line["status"] in LATER - {501} or broken:
                yield f"{line['kind']}: {line['what']} ended with {line['status'] or 'a broken connection'}"
        log = (self.folder / "served").read_text(encoding="utf-8", errors="replace")
        for part in log.split("Traceback")[1:]:
            if ENDED not in part:
                yield f"the server logged: {part.strip()[:3000]}"

    def report(self) -> Iterator[str]:
        """Yield lines about what the hostile clients did, and how long the honest ones waited."""
        ends: dict[str, Counter[int]] = {}
        for line in self.lines():
            ends.setdefault(line["kind"], Counter())[line["status"]] += 1
        for kind, found in sorted(ends.items()):
            yield f"{kind}: " + ", ".join(f"{number} {status or 'broken'}" for status, number in sorted(found.items()))
        honest = [line for line in self.lines() if line["kind"] == "honest"]
        slowest = sorted(honest, key=lambda line: -line["took"])[:5]
        yield "the slowest: " + ", ".join(f"{line['what']} {line['took'] * 1000:.0f} ms" for line in slowest)
        shapes: dict[str, list[float]] = {}
        for line in honest:
            shapes.setdefault(re.sub(r"(?<=/games/)\w+", "{id}", line["what"]), []).append(line["took"])
        for shape, spent in sorted(shapes.items()):
            times = ", ".join(f"{quantile(sorted(spent), part) * 1000:.0f}" for part in (0.5, 0.9, 0.99))
            yield f"{shape}: {len(spent)}, half, nine tenths and 99 of 100 within {times} ms"
        took = self.waits()
        middle, most = (quantile(took, part) * 1000 for part in (0.5, 0.99))
        computed = sorted(line["computed"] for line in honest)
        yield (
            f"The server computed for {self.ran:.0f} s and waited {self.waited:.0f} s for a processor; while an honest "
            f"request was under way it computed for {quantile(computed, 0.5) * 1000:.0f} ms in the middle and "
            f"{quantile(computed, 0.99) * 1000:.0f} ms at p99."
        )
        yield (
            f"{len(took)} honest requests beside {self.count} hostile clients: p50 {middle:.0f} ms, p99 {most:.0f} ms, "
            f"the longest {max(took, default=0) * 1000:.0f} ms."
        )

    def waits(self) -> list[float]:
        """Return how long the honest requests took, in seconds, in rising order."""
        return sorted(line["took"] for line in self.lines() if line["kind"] == "honest")

    @property
    def slow(self) -> bool:
        """Tell whether honest clients waited too long."""
        return quantile(self.waits(), 0.99) > SLOWEST


def quantile(sorted_values: Sequence[float], part: float) -> float:
    """Return the value below which a part of some values is; 0 if there are none."""
    return sorted_values[min(int(len(sorted_values) * part), len(sorted_values) - 1)] if sorted_values else 0.0


@contextmanager
def besiege(
    count: int, folder: Path, seed: int, fork: Any, serve: Callable[[socket.socket, Path], None]
) -> Iterator[Siege | None]:
    """Serve pages and attack them with so many clients inside the context; do nothing for 0."""
    if not count:
        yield None
        return
    siege = Siege(folder, count)
    siege.games.touch()
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listening:
        server = fork.Process(target=serve, args=(listening, folder / "served"), daemon=True)
        server.start()
        port = listening.getsockname()[1]
    running = [server]
    try:
        _wait_for(port)
        for number in range(count + HONEST):
            honest = number >= count
            network = f"203.0.113.{number}" if honest else f"198.51.100.{number}"
            notes, chance = folder / f"client-{number}", Random(f"{seed} {number}")  # noqa: S311  # not for secrets
            client = Client(port, network, notes, siege.games, chance, psutil.Process(server.pid))
            work, given = (read_for_ever, (client,)) if honest else (attack_for_ever, (client, number))
            one = fork.Process(target=work, args=given, daemon=True)
            one.start()
            running.append(one)
        yield siege
        for _ in range(600):  # a season of one game may be over before anyone has read a page
            if siege.waits():
                break
            time.sleep(0.1)
        with suppress(OSError):  # only Linux says so
            times = Path(f"/proc/{server.pid}/schedstat").read_text(encoding="utf-8").split()
            siege.ran, siege.waited = (int(text) / 1e9 for text in times[:2])
    finally:
        _end(running)


def _wait_for(port: int) -> None:
    """Wait until the server answers."""
    for _ in range(600):
        with suppress(OSError, http.client.HTTPException):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            connection.request("GET", "/health/live")
            if connection.getresponse().status == 200:
                return
        time.sleep(0.1)
    raise TimeoutError("the server of the season does not answer")


def _end(running: Iterable[Any]) -> None:
    """End the clients, and then the server."""
    for process in reversed(list(running)):
        process.terminate()
        process.join(10)
        if process.exitcode is None:
            process.kill()
            process.join()
