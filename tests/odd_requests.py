"""Odd requests to the server: those of its routes with something changed, left out or added.

Requests of programs are made from the OpenAPI document of the server, those of pages from the fields of its forms.
"""

import json
import logging
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import gettempdir
from typing import Any
from urllib.parse import quote, urlencode

import httpx2

import plenipo
from mutations import ODD, changed, good_lines
from openapi_values import Document
from plenipo import library
from plenipo.server import keys
from plenipo.server.hosting.schedule import PRESETS, schedule_of
from plenipo.server.new_games import NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.store.persons import Persons, SignInMethod, StoredPerson, StoredSession
from plenipo.server.web.app import PARTS, create_app

__all__ = ["MACHINE", "Asker", "Request", "Table", "routes"]

Json = dict[str, Any]

ENDLESS = "/events"
"""The ending of addresses whose answers never end."""

SLOW = ("picture.png", "picture.svg", "/rules", "/variants/{variant}")
"""The endings of addresses that take long to answer and are requested less often."""

FINE = frozenset({200, 201, 204, 303, 304, 400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 501})
"""Every status that an answer may have."""

NOT_READY = "/health/ready"
"""Answers 503 here, where no worker looks for due games."""

LONGEST_SENTENCE = 3000

MACHINE = tuple(
    dict.fromkeys(f"{place}/" for place in (Path(plenipo.__file__).parent, Path.home(), gettempdir(), sys.prefix))
)
"""The beginnings of paths of this machine, which no answer contains."""

QUERIES = ("seat", "turn", "results", "theme", "v", "p", "power", "text", "unit", "order", "labels", "scale", "phase")

ODD_TEXTS = (
    *(value for value in ODD if isinstance(value, str)),
    "-1",
    "0",
    "1",
    "2",
    "99999999999999999999",
    "1e9",
    "NaN",
    "../../etc/passwd",
    "%00",
    "all",
    "observer",
    "light",
    "safe-dark",
    "Weekdays",
    "Europe/London",
    "Mars/Olympus",
    "standard",
    "1897+corner",
    "corner+corner",
    "irish+cline",
    "\u202e\u0000\n",
)

HEADERS: tuple[dict[str, str], ...] = (
    {"authorization": "Bearer"},
    {"authorization": "Bearer nothing~~~"},
    {"authorization": "Basic eDp5"},
    {"origin": "https://evil.example"},
    {"sec-fetch-site": "cross-site"},
    {"content-type": "text/plain"},
    {"content-type": "application/json; charset=utf-16"},
    {"content-length": "-1"},
    {"content-length": "99999999"},
    {"cookie": "seat=; theme=;;;=x"},
    {"cookie": "seat=" + "~" * 300},
    {"if-none-match": '"x", W/"y"'},
    {"accept-encoding": "gzip, br;q=0, x"},
    {"accept": "nothing/at-all"},
    {"host": "a" * 300},
)
"""Headers of which most say something odd."""


MODERATOR = "moderator@example.org"

PEOPLE = ("Ada", "Bela", "Mod")
"""The people who are signed in in a browser; the last is a moderator."""

ORDERS = ("A PAR H", "A MAR - SPA", "A VEN S A ROM", "PROMISE If x, y", "A LON B", "WAIVE")

SEATS = ("France", "Italy", "Austria")

INSTANT = datetime(2026, 11, 24, tzinfo=UTC)


def routes() -> list[tuple[str, str]]:
    """Every method and path of the server, but for those whose answers have no end."""
    found = {
        (method, route.path)
        for part in PARTS
        for route in part.router.routes
        for method in route.methods
        if not route.path.endswith(ENDLESS)
    }
    return sorted(found | {("GET", "/api/openapi.json")})


@dataclass(frozen=True)
class Request:
    """One request: method, address and what goes with it."""

    method: str
    address: str
    headers: Json
    body: bytes
    path: str = ""
    """The path of its route."""


@dataclass
class Table:
    """A server in memory with games in every state; `requests` are those of people who know what they do."""

    chance: Random
    host: GameService = field(default_factory=lambda: GameService(Store("sqlite://")))
    games: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The ids of games with their keys."""

    def __post_init__(self) -> None:
        self.routes = routes()
        self.lines = [line for name in library.names() for line in good_lines(name, self.chance, 2)]
        self.records: list[Json] = []
        for name in ("standard", "1897", "irish"):
            opened = self.host.open(NewGameRequest(name, {}))
            self._remember(opened)
            mine = self.host.credentials(opened.id, [opened.all_seats])
            if name == "standard":
                self.host.phases.process(opened.id, mine, 1)
            self.records.append(self.host.record(opened.id, mine))
        self._remember(self.host.open(NewGameRequest("standard", {}, lobby=True, schedule=schedule_of("Weekdays"))))
        self._remember(self.host.open(NewGameRequest("napoleonic", {}, seating="links", schedule=schedule_of("Live"))))
        for name in PEOPLE:
            session = StoredSession(keys.digest(f"session-of-{name}"), name.lower() * 3, "A browser", INSTANT, INSTANT)
            self.host.store.of(Persons).add(StoredPerson(session.person, name, INSTANT), session)
        self.host.store.of(Persons).add_way(SignInMethod("mail", MODERATOR, PEOPLE[-1].lower() * 3, INSTANT))
        self.app = create_app(self.host, moderators=(MODERATOR,))
        known = {
            "phase_number": (1, 2, 3),
            "turn": (0, 1, 2),
            "number": (1, 2, 3),
            "seat": SEATS,
            "power": (*SEATS, ""),
            "order": ORDERS,
            "variant": tuple(library.names()),
            "name": ("Ada", "Cora"),
            "unit": ("PAR", "F STP/SC"),
            "person": tuple(name.lower() * 3 for name in PEOPLE),
            "zone": ("Europe/London", "UTC"),
            "schedule": (None, *PRESETS, *PRESETS.values()),
            "lang": ("en",),
        }
        self.document = Document(self.app.openapi(), known)

    def _remember(self, opened: Any) -> None:
        self.games[opened.id] = tuple(filter(None, (opened.all_seats, opened.invitation, *opened.seats.values())))

    def request(self, method: str, path: str) -> Request:
        """A request to a route that could be meant."""
        chance = self.chance
        game = chance.choice(sorted(self.games))
        token = chance.choice(self.games[game])
        names = {
            "game": game,
            "token": token,
            "variant": chance.choice([*library.names(), "1897+corner"]),
            "name": chance.choice(library.names()),
            "case": "6.A.1",
            "turn": str(chance.randint(0, 2)),
            "path": chance.choice(["base.css", "game.js", "icon.svg", "fonts/OFL.txt"]),
            "number": str(chance.randint(1, 3)),
            "person": chance.choice(PEOPLE).lower() * 3,
            "slug": "elsewhere",
            "link": "x" * 32,
        }
        operation = self.document.operation(method, path)
        if operation is not None:
            names |= {k: v for k, v in self.document.parameters(operation, "path", chance).items() if k not in names}
        address = path
        for name, value in names.items():
            address = address.replace(f"{{{name}}}", quote(value, safe="+")).replace(f"{{{name}:path}}", value)
        headers: Json = {"authorization": f"Bearer {token}"} if "/api/" in path and chance.random() < 0.9 else {}
        if "/api/" not in path:
            headers["cookie"] = f"seat={token}"
        if chance.random() < 0.5:
            session = f"session=session-of-{chance.choice(PEOPLE)}"
            headers["cookie"] = "; ".join(filter(None, (str(headers.get("cookie", "")), session)))
        if operation is not None and (query := self.document.parameters(operation, "query", chance)):
            address += "?" + urlencode({name: _utf8(value) for name, value in query.items()})
        if path == "/position":
            address += "?" + urlencode({"v": "standard", "p": "x"})
        body = b""
        if method in {"POST", "PUT"} and path.startswith("/api/"):
            headers["content-type"] = "application/json"
            made = None if operation is None or chance.random() < 0.3 else self.document.body(operation, chance)
            body = json.dumps(self.content(path) if made is None else made).encode()
        elif method == "POST":
            headers["content-type"] = "application/x-www-form-urlencoded"
            body = urlencode(self.form()).encode()
        return Request(method, address, headers, body, path)

    def content(self, path: str) -> Json:
        """Return a body for an address of the programs' interface."""
        chance = self.chance
        phase = {"phase_number": chance.randint(1, 3)}
        seat = {**phase, "seat": chance.choice(SEATS), "client": "w"}
        contents: dict[str, Json] = {
            "/api/adjudicate": chance.choice(self.lines),
            "/api/games": {
                "variant": chance.choice(library.names()),
                "options": {"rulebook": "1971"},
                "computers": chance.choice(["none", "others", ["Italy"]]),
                "schedule": chance.choice([None, "Live", *PRESETS.values()]),
                "lobby": chance.random() < 0.5,
                "zone": "Europe/London",
                "name": "A game",
                "seating": chance.choice(["hotseat", "links"]),
            },
            "/api/games/upload": chance.choice(self.records),
            "/api/games/{game}/fork": {"turn": chance.randint(0, 2)},
            "/api/games/{game}/share": {"turn": chance.randint(0, 2)},
            "/api/games/{game}/join": {"name": "Ada", "power": chance.choice(["", "France"])},
            "/api/games/{game}/leave": {"number": chance.randint(1, 3)},
            "/api/games/{game}/time": {**phase, "action": chance.choice(["pause", "resume", "extend"]), "by": "24h"},
            "/api/games/{game}/ready": {**seat, "ready": chance.random() < 0.5},
            "/api/games/{game}/draw": {**phase, "powers": chance.choice([None, ["France", "Italy"]])},
        }
        orders = chance.sample(ORDERS, 3)
        if path.endswith("/orders"):
            return {**seat, "orders": orders} if chance.random() < 0.5 else {**seat, "give": orders, "clear": ["A PAR"]}
        return contents.get(path, dict(phase))

    def form(self) -> dict[str, str]:
        """Return the fields of a form."""
        chance = self.chance
        return {
            "variant": chance.choice(library.names()),
            "computers": "none",
            "power": chance.choice(["", "France"]),
            "schedule": chance.choice([*PRESETS, ""]),
            "zone": chance.choice(["", "Europe/London"]),
            "name": "Ada",
            "game": "A game",
            "number": str(chance.randint(0, 3)),
            "option.rulebook": "2000",
        }

    def odd(self) -> Request:
        """A request to any route with one to three things wrong."""
        chance = self.chance
        method, path = chance.choice(self.routes)
        if path.endswith(SLOW) and chance.random() < 0.9:
            method, path = chance.choice(self.routes)
        request = self.request(method, path)
        for _ in range(chance.randint(1, 3)):
            request = self._wrong(request)
        return request

    def _wrong(self, request: Request) -> Request:
        chance = self.chance
        method, address, headers, body, path = (
            request.method,
            request.address,
            dict(request.headers),
            request.body,
            request.path,
        )
        match chance.randint(0, 9 if body else 4):
            case 0:
                parts = address.split("?")[0].split("/")
                parts[chance.randrange(1, len(parts))] = quote(_utf8(chance.choice(ODD_TEXTS)))
                address = "/".join(parts)
            case 1 | 2:
                query = {chance.choice(QUERIES): _utf8(chance.choice(ODD_TEXTS)) for _ in range(2)}
                address += ("&" if "?" in address else "?") + urlencode(query)
            case 3:
                headers |= chance.choice(HEADERS)
            case 4:
                method = chance.choice(["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "BREW"])
            case 5:
                at = chance.randrange(len(body))
                damage = chance.choice((b"", b"\xff", b"[" * 900, b'"', b"\\ud800", b"1e999", b"\0", b"&" * 300))
                body = body[:at] + damage + body[at + chance.randint(0, 5) :]
            case _ if headers.get("content-type") == "application/json":
                try:
                    value = json.loads(body)
                except ValueError:
                    return request
                if isinstance(value, dict) and value:
                    changed(value, chance)
                body = json.dumps(value).encode()
            case _:
                fields = self.form() | {
                    chance.choice(["variant", "with", "power", "zone", "schedule", "number", "name", "position"]): (
                        _utf8(chance.choice(ODD_TEXTS))
                    )
                }
                body = urlencode(fields).encode()
        return Request(method, address, headers, body, path)


def _utf8(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


class Asker:
    """Asks a server in this process, and says what is wrong with its answers."""

    def __init__(self, table: Table) -> None:
        self.table = table
        transport = httpx2.ASGITransport(app=table.app, raise_app_exceptions=False)
        self.client = httpx2.AsyncClient(transport=transport, base_url="http://testserver")
        self.statuses: Counter[int] = Counter()

    async def ask(self, request: Request) -> str:
        """Send a request and return the fault in the answer; empty if there is none."""
        with logged() as records:
            try:
                headers = {name: _utf8(value).encode("latin-1", "replace") for name, value in request.headers.items()}
                answer = await self.client.request(
                    request.method,
                    request.address,
                    headers=headers,  # type: ignore[arg-type]  # bytes are taken too
                    content=request.body,
                )
            except Exception as fault:  # noqa: BLE001  # whatever it is, it is what is looked for
                return f"{type(fault).__name__}: {fault}"[:200]
        self.statuses[answer.status_code] += 1
        if answer.status_code not in FINE and answer.url.path != NOT_READY:
            return f"the status {answer.status_code}: {answer.text[:200]}"
        if b"Traceback" in answer.content:
            return "a traceback in the answer"
        if places := [place for place in MACHINE if place.encode() in answer.content]:
            return f"a path of the machine in the answer: {places[0]}"
        if records:
            return f"in the log: {records[0]}"[:300]
        if answer.status_code >= 400 and answer.url.path.startswith("/api/") and request.method != "HEAD":
            return _why_no_sentence(answer)
        return ""

    async def ask_as_usual(self) -> str:
        """Send a request without mistakes and return the fault in the answer; empty if there is none."""
        game = next(iter(self.table.games))
        answer = await self.client.get(f"/api/games/{game}", headers={"authorization": f"Bearer {self._key(game)}"})
        return "" if answer.status_code == 200 else f"afterwards the status {answer.status_code}: {answer.text[:200]}"

    def _key(self, game: str) -> str:
        return self.table.games[game][0]


def _why_no_sentence(answer: Any) -> str:
    try:
        sentence = answer.json()["error"]["message"]
    except (ValueError, KeyError, TypeError):
        return f"no refusal as programs know it: {answer.text[:200]}"
    fine = isinstance(sentence, str) and 0 < len(sentence) <= LONGEST_SENTENCE and "\n" not in sentence
    return "" if fine and sentence[-1] in ".!?…" else f"an odd sentence: {sentence!r}"[:300]


@contextmanager
def logged() -> Iterator[list[str]]:
    """The errors that are logged meanwhile."""
    found: list[str] = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(self.format(record))

    handler = Handler(logging.ERROR)
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        yield found
    finally:
        root.removeHandler(handler)
