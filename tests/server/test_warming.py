"""Computers that think are compiled in another process; until then they play simply, and the page says so."""

import subprocess
import sys
import threading
from pathlib import Path
from random import Random

import pytest

from plenipo import bots, warm
from plenipo.bots import Bot
from plenipo.engine.history.view import View
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import LegalOrders
from plenipo.library import plugins
from plenipo.library.plugins import Plugin, Shelf
from plenipo.server.broker import Announcement
from plenipo.server.host import Host
from plenipo.server.opening import NewGame
from plenipo.server.store import Store
from plenipo.server.warming import FAILED, UNTIL_THEN, Warming


class Oven:
    """What compiles, at the word of a test: a program that waits for a file, and whether that has been done."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, *, ending: int = 0) -> None:
        self._word = folder / "go"
        self._changed = threading.Condition()
        self.heard: list[str] = []
        program = f"import pathlib, sys, time\nwhile not pathlib.Path({str(self._word)!r}).exists(): time.sleep(.01)\n"
        self.warming = Warming((sys.executable, "-c", f"{program}sys.exit({ending})"), self.hear)
        monkeypatch.setattr(bots, "compiled", lambda: False)
        monkeypatch.setattr(warm, "warm", lambda: None)

    def hear(self) -> None:
        with self._changed:
            self.heard.append(self.words)
            self._changed.notify_all()

    @property
    def words(self) -> str:
        return self.warming.words(["middling"])

    def wait_for(self, number: int) -> None:
        """Wait until so many changes were told."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.heard) >= number, 60)

    def let_go(self) -> None:
        self._word.touch()

    def finish(self, number: int = 2) -> None:
        self.let_go()
        self.wait_for(number)


@pytest.fixture
def oven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Oven:
    return Oven(tmp_path, monkeypatch)


def test_they_play_simply_until_they_are_warm_and_it_is_told(oven: Oven) -> None:
    assert oven.words == ""
    assert oven.warming.player("middling") == "sensible"
    oven.wait_for(1)
    assert oven.heard == [UNTIL_THEN]
    assert oven.warming.player("strong") == "sensible"
    oven.finish()
    assert oven.heard == [UNTIL_THEN, ""]
    assert oven.warming.player("strong") == "strong"


def test_one_process_compiles_however_many_ask(oven: Oven, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []
    run = subprocess.run

    def counted(*arguments: object, **more: object) -> object:
        begun.append(arguments)
        return run(*arguments, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", counted)
    for _ in range(5):
        oven.warming.needed(["middling"])
    oven.finish()
    assert len(begun) == 1


def test_who_does_not_think_needs_no_warmth(oven: Oven) -> None:
    oven.warming.needed(["sensible", "careless", ""])
    assert oven.warming.player("careless") == "careless"
    oven.warming.needed(["quick"])
    oven.wait_for(1)
    assert oven.warming.words(["sensible", ""]) == ""
    oven.finish()


def test_a_process_that_fails_leaves_them_simple(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    oven = Oven(tmp_path, monkeypatch, ending=1)
    oven.warming.needed(["middling"])
    oven.finish()
    assert oven.words == FAILED
    assert oven.warming.player("middling") == "sensible"


def test_without_numba_nothing_is_compiled_and_the_reason_is_told(oven: Oven, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "why_simple", lambda: "Numba is not installed, so they play simply.")
    oven.warming.needed(["middling"])
    oven.wait_for(1)
    assert oven.heard == ["Numba is not installed, so they play simply."]
    assert oven.warming.player("middling") == "sensible"


def test_what_is_compiled_already_is_not_compiled_again(oven: Oven, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "compiled", lambda: True)
    oven.warming.needed(["middling"])
    oven.wait_for(1)
    assert oven.heard == [""]
    assert oven.warming.ready


def test_a_game_begins_at_once_and_those_who_look_hear_of_it(
    store: Store, oven: Oven, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def watched(name: str) -> Plugin[Bot]:
        def player(view: View, legal: LegalOrders, chance: Random) -> list[Order]:
            asked.append(name)
            return bots.BOTS["careless"](view, legal, chance)

        return Plugin(name, player)

    shelf = Shelf("computer player", {name: watched(name) for name in ("sensible", "middling")}, {})
    monkeypatch.setattr(plugins, "players", lambda: shelf)
    host = Host(store, warming=oven.warming)
    said: list[tuple[str, Announcement]] = []
    done = threading.Event()

    def announce(game_id: str, what: Announcement) -> None:
        said.append((game_id, what))
        if what == Announcement("computers", {"words": ""}):
            done.set()

    game = host.open(NewGame("standard", {}, {"Austria": "middling"}))
    monkeypatch.setattr(host.broker, "games", lambda: (game.id,))
    monkeypatch.setattr(host.broker, "announce", announce)
    keys = host.credentials(game.id, [game.all_seats])
    host.process(game.id, keys, 1)
    assert set(asked) == {"sensible"}
    asked.clear()
    oven.let_go()
    assert done.wait(60)
    host.process(game.id, keys, host.view(game.id, keys, None).phase_number)
    assert set(asked) == {"middling"}
    assert said[-1][0] == game.id


def test_after_warming_nothing_is_compiled_any_more() -> None:
    """Every variant is thought about from its first phase by code that was compiled before."""
    program = (
        "from plenipo import bots, library, warm\n"
        "warm.warm()\n"
        "from plenipo.bots import opponents, policy, rollout, search\n"
        "parts = (search.prepare, search.think, opponents.foretell, policy.order, rollout.play_out)\n"
        "before = [len(part.signatures) for part in parts]\n"
        "from plenipo.engine.dice import Dice\n"
        "from plenipo.engine.history.game import Game\n"
        "for variant in library.names():\n"
        "    game = Game.new(library.load(variant), Dice(bytes(32)))\n"
        "    for _ in range(4):\n"
        "        warm.thought(game)\n"
        "        game = game.process({})\n"
        "assert all(before) and before == [len(part.signatures) for part in parts], before\n"
        "print(bots.compiled())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)  # noqa: S603
    assert (done.stdout, done.stderr) == ("True\n", "")
