"""Killed at any moment, the server comes back with every accepted order, and no phase is ever processed twice."""

import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from plenipo.engine.history.record import decode_game
from plenipo.library import load
from plenipo.server.store import Store
from proofs import so_many
from waiting import LIMIT, join_all, read_line, run_together, wait_until

Json = Any

KILLS = int(os.environ.get("PLENIPO_KILLS") or so_many(12, 2))
"""The number of times the server is killed: 12 in `make proofs`, or the value of `PLENIPO_KILLS`."""

SEATS = ("France", "Turkey")
ANSWERS = 12
"""The most order sets a server answers before it is killed; every other one also processes a phase."""

MANY = 100
"""After so many answers it is killed all the same."""


class ServerGoneError(Exception):
    """The server does not answer any more."""


@dataclass
class Caller:
    """A client that sends one request at a time."""

    port: int
    token: str = ""
    connection: http.client.HTTPConnection | None = None

    def ask(self, method: str, path: str, body: Json = None) -> tuple[int, Json]:
        """The status and the JSON of an answer; raises `ServerGoneError`."""
        headers = {"content-type": "application/json"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)
            self.connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = self.connection.getresponse()
            return answer.status, json.loads(answer.read() or b"null")
        except (OSError, http.client.HTTPException, ValueError) as fault:
            self.close()
            raise ServerGoneError from fault

    def close(self) -> None:
        """Hang up."""
        if self.connection is not None:
            self.connection.close()
        self.connection = None


@dataclass
class Ledger:
    """The knowledge of the players: the last order set accepted at each phase and seat, and the pending ones."""

    accepted: dict[tuple[int, str], tuple[int, list[str]]] = field(default_factory=dict)
    under_way: dict[tuple[int, str], list[list[str]]] = field(default_factory=dict)
    processed: set[int] = field(default_factory=set)
    answers: int = 0


@contextmanager
def nursery(url: str, port: int) -> Iterator["subprocess.Popen[str]"]:
    """The program that forks servers."""
    program = [sys.executable, str(Path(__file__).with_name("killable.py")), url, str(port)]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:  # noqa: S603  # our own
        try:
            yield parent
        finally:
            parent.kill()


def started(parent: "subprocess.Popen[str]", caller: Caller) -> int:
    """A fresh server that answers; its process id."""
    assert parent.stdin
    assert parent.stdout
    parent.stdin.write("start\n")
    parent.stdin.flush()
    child = int(read_line(parent.stdout))

    def answers() -> bool:
        try:
            caller.ask("GET", "/api/games/none")
        except ServerGoneError:
            return False
        return True

    wait_until(answers)
    return child


def killed(child: int) -> None:
    """Kill a server and wait until it is gone; its parent lets it go at once."""
    os.kill(child, signal.SIGKILL)
    wait_until(lambda: not psutil.pid_exists(child))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def leaf(node: Json, chance: random.Random) -> str:
    while "order" not in node:
        node = chance.choice(node["then"])
    return str(node["order"])


def order_on(port: int, token: str, game: str, seat: str, ledger: Ledger, seed: int) -> None:
    """Hand in random orders until the server is gone."""
    caller, chance = Caller(port, token), random.Random(seed)
    with closing(caller), suppress(ServerGoneError):
        while True:
            _, offered = caller.ask("GET", f"/api/games/{game}/options?seat={seat}")
            phase_number = offered["phase_number"]
            nodes = chance.sample(offered["choices"], min(len(offered["choices"]), 3))
            orders = [leaf(node, chance) for node in nodes]
            if offered["phase"]["kind"] == "adjustments":
                orders = orders[:1]
            ledger.under_way.setdefault((phase_number, seat), []).append(orders)
            body = {"phase_number": phase_number, "seat": seat, "orders": orders}
            status, answer = caller.ask("PUT", f"/api/games/{game}/orders", body)
            ledger.answers += 1
            if status == 200 and answer["order_set"]["phase_number"] == phase_number:
                given = [order["text"] for order in answer["order_set"]["orders"]]
                ledger.accepted[phase_number, seat] = (answer["order_set"]["version"], given)


def process_on(port: int, token: str, game: str, ledger: Ledger, seed: int) -> None:
    """Process phases until the server is gone, now and then twice at once."""
    caller, other, chance = Caller(port, token), Caller(port, token), random.Random(seed)
    with closing(caller), closing(other), suppress(ServerGoneError):
        while True:
            time.sleep(chance.random() * 0.06)
            _, view = caller.ask("GET", f"/api/games/{game}?seat=observer")
            body = {"phase_number": view["phase_number"]}
            answer, _ = run_together(
                partial(caller.ask, "POST", f"/api/games/{game}/process", body),
                partial(other.ask, "POST", f"/api/games/{game}/process", body),
            )
            if isinstance(answer, Exception):
                raise answer
            if answer[0] == 200:
                ledger.processed.add(view["phase_number"])


def wait_for_answers(ledger: Ledger, wanted: int, *, processed: bool) -> None:
    """Wait for so many answers, and if `processed` until a phase was processed too, or many more answers came."""
    wait_until(lambda: ledger.answers >= wanted and (not processed or ledger.processed or ledger.answers >= MANY))


def check(caller: Caller, game: str, ledger: Ledger) -> None:
    """Everything that was accepted is there, and every phase_number was processed once."""
    status, view = caller.ask("GET", f"/api/games/{game}?seat=all")
    assert status == 200
    assert view["phase_number"] == view["turn"] + 1, "every phase_number has one turn"
    assert all(phase_number < view["phase_number"] for phase_number in ledger.processed)
    for (phase_number, seat), (version, orders) in ledger.accepted.items():
        tried = [orders, *ledger.under_way[phase_number, seat]]
        if phase_number == view["phase_number"]:
            order_set = view["order_sets"][seat]
            found = [order["text"] for order in order_set["orders"]]
            assert order_set["version"] >= version
            if order_set["version"] == version:
                assert found == orders
        else:
            _, turn = caller.ask("GET", f"/api/games/{game}/turns/{phase_number - 1}")
            found = turn["orders"][seat]
        assert sorted(found) in [sorted(order_set) for order_set in tried]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork a server; the store is tested elsewhere")
def test_a_server_killed_again_and_again_loses_no_order_and_processes_no_phase_twice(tmp_path: Path) -> None:
    url, port, chance = str(tmp_path / "games.sqlite"), free_port(), random.Random(20)
    ledger = Ledger()
    kept: list[str] = []
    with nursery(url, port) as parent:
        caller = Caller(port)
        game = ""
        for number in range(KILLS):
            child = started(parent, caller)
            over = game and caller.ask("GET", f"/api/games/{game}")[1]["over"]
            if not game or over:
                _, opened = caller.ask("POST", "/api/games", {"variant": "standard"})
                game, caller.token, ledger = opened["id"], opened["keys"]["all"], Ledger()
                kept.append(game)
            else:
                check(caller, game, ledger)
                ledger = Ledger()
            token = caller.token
            players = [
                threading.Thread(target=order_on, args=(port, token, game, seat, ledger, 100 * number + n))
                for n, seat in enumerate(SEATS)
            ]
            players.append(threading.Thread(target=process_on, args=(port, token, game, ledger, number)))
            for player in players:
                player.start()
            wanted = chance.randrange(ANSWERS)
            wait_for_answers(ledger, wanted, processed=bool(number % 2))
            time.sleep(chance.random() * 0.02)
            killed(child)
            join_all(players)
        child = started(parent, caller)
        check(caller, game, ledger)
        caller.close()
        killed(child)
    store = Store(url)
    for name in kept:
        found = store.read(name)
        assert found is not None
        again = decode_game(found.record, load("standard"))
        assert len(again.turns) == found.phase_number - 1
    turns = [len(found.record["entries"]) for found in map(store.read, kept) if found]
    assert sum(turns) > KILLS // 4, "hardly anything was played"
    store.close()
