"""How far one thing travels through the house: how often the work passes from one file of the package to another.

Counted are the functions entered one after the other, and of those the ones that stand in another file than the one
before. Few changes mean that each file does its part in one go.

Run: python scripts/journeys.py
"""

import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from fastapi.testclient import TestClient

import plenipo
from plenipo import Game, PhaseKind, load
from plenipo.engine.position import Power
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.web.app import create_app

PACKAGE = str(Path(plenipo.__file__).parent)


class Journey:
    """Counts the changes of file while something is done, in whatever thread it is done."""

    def __init__(self) -> None:
        self.changes = 0
        self.ways: Counter[tuple[str, str]] = Counter()
        self._file = ""

    def _enter(self, frame: FrameType, event: str, _: Any) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file != self._file and file.startswith(PACKAGE):
            self.changes += 1
            self.ways[self._file[len(PACKAGE) + 1 :], file[len(PACKAGE) + 1 :]] += 1
            self._file = file

    def of(self, work: Callable[[], object]) -> "Journey":
        """This journey, after `work` was done once."""
        threading.setprofile(self._enter)
        sys.setprofile(self._enter)
        try:
            work()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
        return self


def _require(condition: bool, otherwise: str) -> None:  # noqa: FBT001  # an assertion
    if not condition:
        raise SystemExit(f"The journey failed: {otherwise}")


def order_to_explanation() -> Journey:
    """A text is read, its phase is adjudicated, and the sentence about it is read out."""
    game = Game.new(load("standard"))

    def work() -> None:
        turn = game.process({Power("France"): ["army paris to burgundy"]}).turns[-1]
        _require(any("BUR" in outcome.why for outcome in turn.resolution.outcomes), "nothing was said of BUR")

    return Journey().of(work)


def weighted_turn() -> Journey:
    """A movement phase in which units count differently by power and kind, without orders."""
    game = Game.new(load("napoleonic"))
    while game.position.phase.kind is not PhaseKind.MOVEMENT:
        game = game.process({})
    return Journey().of(lambda: game.process({}))


def click_to_database(folder: Path) -> Journey:
    """A person's order arrives over HTTP and lies in the database when the answer goes out."""
    store = Store(str(folder / "games.sqlite"))
    # a client that is not entered serves each request in threads of its own, which the journey counts from their start
    client = TestClient(create_app(GameService(store)))
    try:
        game = f"/api/games/{client.post('/api/games', json={'variant': 'standard'}).json()['id']}"
        view = client.get(game).json()
        body = {key: view[key] for key in ("stage", "phase_number") if key in view}

        def give(order: str) -> None:
            answer = client.post(f"{game}/orders", json={**body, "seat": "France", "give": [order]})
            _require(answer.is_success, answer.text)

        give("A MAR - SPA")  # what a board needs once is ready then
        return Journey().of(lambda: give("A PAR - BUR"))
    finally:
        client.close()
        store.close()


def main() -> None:
    """Count every journey and print the busiest ways of each."""
    with tempfile.TemporaryDirectory() as folder:
        journeys = {
            "text order to explanation": order_to_explanation(),
            "turn with weighted units": weighted_turn(),
            "click to the database": click_to_database(Path(folder)),
        }
    for name, journey in journeys.items():
        print(f"{name}: {journey.changes} changes of file")
        for (start, end), count in journey.ways.most_common(8):
            print(f"    {count:5}  {start or '(outside)'} -> {end}")


if __name__ == "__main__":
    main()
