"""Count how often the work passes from one file of the package to another while one thing is done.

Counted are calls: each time a function of `src/plenipo` is entered whose file is another than that of the function
entered before. Returns are not counted, nor are functions of other packages, nor the first run of a module; a generator
counts each time it goes on. Few changes mean that each file does its part in one go.

Every journey has a ceiling, and `tests/test_journeys.py` fails above it. The counts are those of a fresh process.

Run: python scripts/journeys.py [--where]
"""

import argparse
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, NamedTuple
from unittest.mock import patch

from fastapi.testclient import TestClient

import plenipo
from plenipo import Game, PhaseKind, load
from plenipo.engine.position import Power
from plenipo.server.broker import Broker
from plenipo.server.clock import Clock
from plenipo.server.hosted_game import LINKS
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.new_games import NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.web.app import create_app
from plenipo.server.worker import Worker

PACKAGE = str(Path(plenipo.__file__).parent)

CEILINGS = {
    "order from text to explanation": 80,
    "turn with weighted units": 160,
    "click to the database": 250,
    "message over HTTP": 130,
    "deadline with five computers": 1150,
}
"""The most changes of file of each journey."""


class Journey:
    """Count the changes of file while something is done, in whatever thread it is done."""

    def __init__(self) -> None:
        self.changes = 0
        self.pairs: Counter[tuple[str, str]] = Counter()
        self._file = ""

    def _enter(self, frame: FrameType, event: str, _: Any) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file != self._file and file.startswith(PACKAGE) and frame.f_code.co_name != "<module>":
            self.changes += 1
            self.pairs[self._file[len(PACKAGE) + 1 :], file[len(PACKAGE) + 1 :]] += 1
            self._file = file

    def count(self, work: Callable[[], object]) -> "Journey":
        """Do `work` once and return this journey."""
        threading.setprofile(self._enter)
        sys.setprofile(self._enter)
        try:
            work()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
        return self


class Measured(NamedTuple):
    """A journey with its name and ceiling."""

    name: str
    journey: Journey
    ceiling: int


class HandClock(Clock):
    """A clock that stands still until it is set."""

    def __init__(self, time: datetime) -> None:
        self.time = time

    def now(self) -> datetime:
        """Return the time it was set to."""
        return self.time


def _require(condition: bool, otherwise: str) -> None:  # noqa: FBT001  # an assertion
    if not condition:
        raise SystemExit(f"The journey failed: {otherwise}")


def explain_order() -> Journey:
    """Read a text, adjudicate its phase, and read the sentence about that order."""
    game = Game.new(load("standard"))

    def work() -> None:
        turn = game.process({Power("France"): ["army paris to burgundy"]}).turns[-1]
        explained = next(outcome for outcome in turn.resolution.outcomes if outcome.order)
        _require("BUR" in explained.why, "the sentence is not about BUR")

    return Journey().count(work)


def process_weighted_turn() -> Journey:
    """Adjudicate a movement phase in which units count differently by power and kind, without orders."""
    game = Game.new(load("napoleonic"))
    while game.position.phase.kind is not PhaseKind.MOVEMENT:
        game = game.process({})
    return Journey().count(lambda: game.process({}))


def order_by_click(folder: Path) -> Journey:
    """Send one order over HTTP until the database holds it and the answer is sent."""
    store = Store(str(folder / "orders.sqlite"))
    # a client that is not entered serves each request in threads of its own, which the journey counts from their start
    client = TestClient(create_app(GameService(store)))
    try:
        game = f"/api/games/{client.post('/api/games', json={'variant': 'standard'}).json()['id']}"
        body = {"phase_number": client.get(game).json()["phase_number"], "seat": "France"}

        def give(order: str) -> None:
            answer = client.post(f"{game}/orders", json={**body, "give": [order]})
            _require(answer.is_success, answer.text)

        give("A MAR - SPA")  # caches are filled then
        return Journey().count(lambda: give("A PAR - BUR"))
    finally:
        client.close()
        store.close()


def write_message(folder: Path) -> Journey:
    """Send a private message over HTTP in a started game of two players."""
    store = Store(str(folder / "messages.sqlite"))
    client = TestClient(create_app(GameService(store)))
    try:
        opened = client.post("/api/games", json={"variant": "standard", "lobby": True, "name": "Friday"}).json()
        game = f"/api/games/{opened['id']}"

        def send(what: str, key: str, body: dict[str, Any]) -> Any:
            answer = client.post(f"{game}/{what}", json=body, headers={"authorization": f"Bearer {key}"})
            _require(answer.is_success, answer.text)
            client.cookies.clear()
            return answer.json()

        invitation = opened["invitation"].rpartition("/")[2]
        keys = {
            power: send("join", invitation, {"name": name, "power": power})["key"]
            for power, name in (("France", "Anna"), ("Germany", "Ben"))
        }
        send("start", opened["keys"]["all"], {})

        def write(text: str) -> None:
            send("press", keys["France"], {"seat": "France", "to": ["Germany"], "text": text})

        write("Good morning.")  # caches are filled then
        return Journey().count(lambda: write("Shall we bounce in Burgundy?"))
    finally:
        client.close()
        store.close()


def pass_deadline(folder: Path) -> Journey:
    """Let the worker find a deadline that has passed, with five `careless` computers and two players."""
    store = Store(str(folder / "deadline.sqlite"))
    store.time = lambda: None  # type: ignore[method-assign]  # the clock is set by hand
    clock = HandClock(datetime(2026, 1, 5, 12, tzinfo=UTC))
    service = GameService(store, Broker(), clock)
    powers = [str(power) for power in load("standard").names[2:]]
    schedule = schedule_of({"movement": {"within": "4h"}, "cool": "0m", "missed": {"first": "hold"}})
    try:
        game = service.open(NewGameRequest("standard", {}, powers, "careless", seating=LINKS, schedule=schedule)).id
        worker = Worker(service)
        clock.time += timedelta(hours=4, seconds=-1)
        worker.look()
        clock.time += timedelta(seconds=1)
        # the same orders each time
        with patch("plenipo.server.computers.SystemRandom", lambda: Random(1)):  # noqa: S311
            journey = Journey().count(worker.look)
        _require(service.games.load(game).turn == 1, "the phase was not processed")
        return journey
    finally:
        store.close()


def measure() -> tuple[Measured, ...]:
    """Do each journey once and return the counts, in the order of the ceilings."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        journeys = (
            explain_order(),
            process_weighted_turn(),
            order_by_click(folder),
            write_message(folder),
            pass_deadline(folder),
        )
    return tuple(
        Measured(name, journey, ceiling) for journey, (name, ceiling) in zip(journeys, CEILINGS.items(), strict=True)
    )


def main() -> None:
    """Count every journey; exit with 1 if one is above its ceiling."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--where", action="store_true", help="list the pairs of files with the most changes")
    where = parser.parse_args().where
    found = measure()
    for name, journey, ceiling in found:
        print(f"{journey.changes:6} of at most {ceiling:5}  {name}")
        for (start, end), count in journey.pairs.most_common(40) if where else ():
            print(f"    {count:5}  {start or '(outside)'} -> {end}")
    if any(journey.changes > ceiling for _, journey, ceiling in found):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
