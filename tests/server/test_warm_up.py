"""Computers that think are compiled in another process; until then they play simply, and the page says so."""

import os
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from plenipo import bots, warm
from plenipo.bots import Bot, compiling
from plenipo.engine.history.view import View
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import LegalOrders
from plenipo.library import plugins
from plenipo.library.plugins import Plugin, PluginRegistry
from plenipo.server.broker import Announcement
from plenipo.server.new_games import NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.warm_up import FAILED, QUICK_MEANWHILE, UNTIL_THEN, Warming
from waiting import LIMIT, run_together, wait_until


class Oven:
    """A compiler under the control of the test: a program that waits for a file, and a mark that it is done."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, *, ending: int = 0) -> None:
        self._word, self._first = folder / "go", folder / "first"
        self._changed = threading.Condition()
        self.heard: list[str] = []
        program = (
            "import pathlib, sys, time\n"
            f"first, go = pathlib.Path({str(self._first)!r}), pathlib.Path({str(self._word)!r})\n"
            "while not (first.exists() or go.exists()): time.sleep(.01)\n"
            "print('the first level', flush=True)\n"
            "while not go.exists(): time.sleep(.01)\n"
        )
        self.warming = Warming((sys.executable, "-c", f"{program}sys.exit({ending})"), self.hear)
        monkeypatch.setattr(bots, "is_compiled", self.is_compiled)
        monkeypatch.setattr(warm, "warm", lambda: None)
        monkeypatch.setattr(warm, "warm_level", lambda _level: None)

    def is_compiled(self, level: str = "") -> bool:
        return level == bots.FIRST_COMPILED and self._first.exists()

    def finish_first(self, number: int = 2) -> None:
        """Have the first level compiled, and wait until so many changes were told."""
        self._first.touch()
        self.wait_for(number)

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


def test_they_play_simply_until_they_are_warm_and_the_page_says_so(oven: Oven) -> None:
    assert oven.words == ""
    assert oven.warming.player("middling") == "sensible"
    oven.wait_for(1)
    assert oven.heard == [UNTIL_THEN]
    assert oven.warming.player("strong") == "sensible"
    oven.finish()
    assert oven.heard == [UNTIL_THEN, ""]
    assert oven.warming.player("strong") == "strong"


def test_the_first_level_plays_for_all_while_the_others_are_compiled(oven: Oven) -> None:
    assert oven.warming.player("strong") == "sensible"
    oven.wait_for(1)
    oven.finish_first()
    assert [oven.warming.player(name) for name in ("quick", "strong", "raider", "careless")] == [
        "quick",
        "quick",
        "quick",
        "careless",
    ]
    assert not oven.warming.ready
    assert oven.words == QUICK_MEANWHILE
    assert oven.warming.words(["quick", "sensible"]) == ""
    oven.finish(3)
    assert oven.heard == [UNTIL_THEN, QUICK_MEANWHILE, ""]
    assert oven.warming.player("strong") == "strong"


def test_the_first_level_plays_while_another_server_compiles(
    oven: Oven, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "CACHE", tmp_path)
    with warm.alone():
        oven.warming.start_if_needed(["strong"])
        oven.wait_for(1)
        oven.finish_first()
        assert oven.warming.player("strong") == "quick"
    oven.finish(3)
    assert oven.warming.player("strong") == "strong"


def test_one_process_compiles_however_many_ask(oven: Oven, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []
    start = subprocess.Popen

    def counted(*arguments: object, **more: object) -> object:
        begun.append(arguments)
        return start(*arguments, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", counted)
    for _ in range(5):
        oven.warming.start_if_needed(["middling"])
    oven.finish()
    assert len(begun) == 1


def test_players_without_a_search_need_no_warming_up(oven: Oven) -> None:
    oven.warming.start_if_needed(["sensible", "careless", ""])
    assert oven.warming.player("careless") == "careless"
    oven.warming.start_if_needed(["quick"])
    oven.wait_for(1)
    assert oven.warming.words(["sensible", ""]) == ""
    oven.finish()


def test_a_process_that_fails_leaves_them_simple(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    oven = Oven(tmp_path, monkeypatch, ending=1)
    oven.warming.start_if_needed(["middling"])
    oven.finish()
    assert oven.words == FAILED
    assert oven.warming.player("middling") == "sensible"


def test_without_numba_nothing_is_compiled_and_the_reason_is_given(oven: Oven, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "why_simple", lambda: "Numba is not installed, so they play simply.")
    oven.warming.start_if_needed(["middling"])
    oven.wait_for(1)
    assert oven.heard == ["Numba is not installed, so they play simply."]
    assert oven.warming.player("middling") == "sensible"


def test_what_is_compiled_already_is_not_compiled_again(oven: Oven, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "is_compiled", lambda _level="": True)
    oven.warming.start_if_needed(["middling"])
    oven.wait_for(1)
    assert oven.heard == [""]
    assert oven.warming.ready


def test_a_game_begins_at_once_and_its_viewers_are_notified(
    store: Store, oven: Oven, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def watched(name: str) -> Plugin[Bot]:
        def player(view: View, legal: LegalOrders, chance: Random) -> list[Order]:
            asked.append(name)
            return bots.BOTS["careless"](view, legal, chance)

        return Plugin(name, player)

    shelf = PluginRegistry("computer player", {name: watched(name) for name in ("sensible", "middling")}, {})
    monkeypatch.setattr(plugins, "players", lambda: shelf)
    service = GameService(store, warming=oven.warming)
    said: list[tuple[str, Announcement]] = []
    done = threading.Event()

    def announce(game_id: str, what: Announcement) -> None:
        said.append((game_id, what))
        if what == Announcement("computers", {"words": ""}):
            done.set()

    game = service.open(NewGameRequest("standard", {}, {"Austria": "middling"}))
    monkeypatch.setattr(service.broker, "games", lambda: (game.id,))
    monkeypatch.setattr(service.broker, "announce", announce)
    keys = service.credentials(game.id, [game.all_seats])
    service.phases.process(game.id, keys, 1)
    assert set(asked) == {"sensible"}
    asked.clear()
    oven.let_go()
    assert done.wait(60)
    service.phases.process(game.id, keys, service.view(game.id, keys, None).phase_number)
    assert set(asked) == {"middling"}
    assert said[-1][0] == game.id


def test_after_warming_nothing_is_compiled_any_more() -> None:
    """Every variant is thought about from its first phase by code that was compiled before."""
    program = (
        "from plenipo import bots, library, warm\n"
        "warm.warm()\n"
        "from plenipo.bots import opponents, policy, rollout, search\n"
        "parts = (search.prepare, search.glance, search.think, opponents.foretell, policy.order, rollout.play_out)\n"
        "before = [len(part.signatures) for part in parts]\n"
        "from plenipo.engine.dice import Dice\n"
        "from plenipo.engine.history.game import Game\n"
        "for variant in library.names():\n"
        "    game = Game.new(library.load(variant), Dice(bytes(32)))\n"
        "    for _ in range(4):\n"
        "        warm.think_once(game)\n"
        "        game = game.process({})\n"
        "assert all(before) and before == [len(part.signatures) for part in parts], before\n"
        "print(bots.is_compiled())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=LIMIT)  # noqa: S603
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_of_several_servers_one_compiles_and_the_others_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The compiler of a test notes when it begins and ends, and that it has compiled."""
    monkeypatch.setattr(compiling, "CACHE", tmp_path)
    notes, ready = tmp_path / "notes", tmp_path / "ready"
    program = (
        "import pathlib, time\n"
        f"notes, ready = pathlib.Path({str(notes)!r}), pathlib.Path({str(ready)!r})\n"
        "with notes.open('a') as file: file.write('begins ')\n"
        "time.sleep(.2)\n"
        "with notes.open('a') as file: file.write('ends ')\n"
        "ready.touch()\n"
    )
    monkeypatch.setattr(bots, "is_compiled", lambda _level="": ready.exists())
    monkeypatch.setattr(warm, "warm_level", lambda _level: None)
    monkeypatch.setattr(bots, "why_simple", lambda: "")
    servers = [Warming((sys.executable, "-c", program)) for _ in range(3)]
    assert run_together(*(server._compile for server in servers)) == [""] * 3
    assert notes.read_text() == "begins ends "


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_the_compiler_ends_with_its_server(tmp_path: Path) -> None:
    """A server that is killed leaves no compiler, and no lock, behind."""
    compiler = (
        "import os, pathlib, time\n"
        "from plenipo import warm\n"
        "warm.end_with_input()\n"
        f"pathlib.Path({str(tmp_path / 'pid')!r}).write_text(str(os.getpid()) + ' ')\n"
        f"time.sleep({LIMIT})\n"
    )
    server = (
        "import sys\n"
        "import pathlib\n"
        "from plenipo import bots\n"
        "from plenipo.bots import compiling\n"
        f"compiling.CACHE = pathlib.Path({str(tmp_path)!r})\n"
        "from plenipo.server.warm_up import Warming\n"
        "bots.is_compiled = lambda _level='': False\n"
        f"Warming((sys.executable, '-c', {compiler!r}))._compile()\n"
    )
    pid = tmp_path / "pid"
    with subprocess.Popen([sys.executable, "-c", server]) as running:  # noqa: S603  # ours
        wait_until(lambda: pid.exists() and pid.read_text().endswith(" "))
        running.kill()
    status = Path(f"/proc/{int(pid.read_text())}/stat")
    wait_until(lambda: not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z")
    with closing(os.fdopen(os.open(tmp_path / "compiling.lock", os.O_RDWR))) as lock:
        import fcntl  # noqa: PLC0415  # Windows has none

        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
