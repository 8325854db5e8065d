"""The worker: it checks repeatedly for due games, and applies the changes that are due.

It runs in a thread of the server, in a process of the server's own, or as a separate program (`plenipo work`).
"""

import asyncio
import logging
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from threading import Event

from starlette.concurrency import run_in_threadpool

from plenipo.server.clock import APART, seconds
from plenipo.server.errors import UnknownGame
from plenipo.server.hosting.tick import AWAY_FROM_TIME_BANK
from plenipo.server.observer import GAME, Watcher
from plenipo.server.prepared_boards import PreparedBoards
from plenipo.server.service import GameService
from plenipo.server.store.cleanup import clean_up
from plenipo.server.store.heartbeats import Heartbeats

__all__ = ["Worker", "apart", "work"]

_LOG = logging.getLogger("plenipo.server")

LOOK = 0.5
"""The interval between checks for due games, in seconds."""

MOST = 100
"""The most games of one check; if there were as many, the next check follows at once."""

BEAT = timedelta(minutes=1)
"""The interval at which the worker stores a heartbeat."""

REST = timedelta(minutes=1)
"""The time until a game that could not be processed is tried again, so that it does not delay the others."""

CLEAN_UP = timedelta(minutes=10)
"""The interval between removals of a batch of data that is no longer needed."""

NAME = "due games"
"""The name of the worker's heartbeat."""


class Worker:
    """The worker for the due games of a service, with the time since the last check."""

    def __init__(self, service: GameService, watchers: Sequence[Watcher] = ()) -> None:
        self.service, self.watchers = service, watchers
        self._looked: datetime | None = None
        self._told: datetime | None = None
        self._resting: dict[str, datetime] = {}
        self._off = False
        self._cleaned: datetime | None = None
        self._boards = PreparedBoards(service)

    def look(self) -> int:
        """Do what is due in every game, and return the number of due games.

        A game that fails is left alone for a while; the others go on. Nothing is done while the clock is wrong.
        """
        now = self.service.clock.now()
        if self._clock_is_off(now):
            return 0
        if self._told is None or now - self._told >= BEAT:
            before = self.service.store.of(Heartbeats).beat(NAME, now)
            self._looked = max(filter(None, (self._looked, before)), default=None)
            self._told = now
        away = timedelta(0) if self._looked is None else max(now - self._looked, timedelta(0))
        self._looked = now
        self._resting = {game: until for game, until in self._resting.items() if until > now}
        for game in self._leave_out_resting(self.service.voting.find_due(MOST + len(self._resting))):
            self._do_due(game, now, partial(self.service.voting.settle, game))
        self._clean_up(now)
        if away > AWAY_FROM_TIME_BANK:
            for game in self._leave_out_resting(self.service.store.overdue(now)):  # their time banks ran meanwhile
                self._do_due(game, now, partial(self.service.time.settle, game, away))
        games = self._leave_out_resting(self.service.store.due(now, MOST + len(self._resting)))
        for game in games:
            self._do_due(game, now, partial(self._go_on, game, now, away))
        if len(games) < MOST:
            self._boards.look(now)
        return len(games)

    def _leave_out_resting(self, games: Iterable[str]) -> list[str]:
        """Return the games that are not left alone for now."""
        return [game for game in games if game not in self._resting]

    def _do_due(self, game: str, now: datetime, act: Callable[[], object]) -> None:
        """Do what is due in a game; one that fails is left alone for a while, so that the others go on."""
        try:
            act()
        except UnknownGame:
            _LOG.info("game %s was deleted while it was due", game, extra={GAME: game})
        except Exception:  # noqa: BLE001  # whatever it was, the other games must go on
            self._resting[game] = now + REST
            _LOG.exception("cannot do what is due in game %s", game, extra={GAME: game})

    def _go_on(self, game: str, now: datetime, away: timedelta) -> None:
        """Process a game if no other process does."""
        with self.service.store.claim(game, now) as mine:
            if mine:
                self.service.time.go_on(game, away)

    def _clean_up(self, now: datetime) -> None:
        """Remove a batch of data that is no longer needed, once every `CLEAN_UP`."""
        if self._cleaned is not None and now - self._cleaned < CLEAN_UP:
            return
        self._cleaned = now
        try:
            clean_up(self.service.store.engine, now)
        except Exception:  # noqa: BLE001  # whatever it was, the games must go on
            _LOG.exception("cannot remove old data")

    def _clock_is_off(self, now: datetime) -> bool:
        """Return whether the clock is too far from the database's; log when that begins and ends."""
        real = self.service.store.time()
        off = real is not None and abs(real - now) > APART
        if off is not self._off:
            self._off = off
            _LOG.log(
                logging.ERROR if off else logging.WARNING,
                "the clock shows %s and that of the database %s: %s",
                now,
                real,
                "nothing is processed" if off else "processing goes on",
            )
        return off

    def look_again(self) -> float:
        """Check the games, whatever goes wrong, and return the seconds until the next check."""
        began = seconds()
        try:
            done = self.look()
        except Exception:  # noqa: BLE001  # whatever it was, the looking must go on
            _LOG.exception("cannot look for due games")
            return LOOK
        for watcher in self.watchers:
            watcher.record_check(NAME, done, seconds() - began)
        return 0.0 if done >= MOST else LOOK

    def run(self, ended: Event) -> None:
        """Look again and again until `ended`."""
        while not ended.wait(self.look_again()):
            pass


async def work(service: GameService, watchers: Sequence[Watcher] = ()) -> None:
    """Look for due games for ever, in a thread."""
    worker = Worker(service, watchers)
    while True:
        pause = await run_in_threadpool(worker.look_again)
        await asyncio.sleep(pause)


async def apart(database: str, happened: Callable[[], None], *said: str) -> None:
    """Have a process of its own look for due games, for ever; `happened` is called whenever it did something.

    It is given the arguments `said`.

    The process ends with this one, and is started again if it ends before.
    """
    command = ("-c", "from plenipo.cli import app; app()", "work", "--child", *said)
    pipe = asyncio.subprocess.PIPE
    while True:
        child = await asyncio.create_subprocess_exec(sys.executable, *command, stdin=pipe, stdout=pipe)
        try:
            assert child.stdin is not None  # noqa: S101  # asked for above
            assert child.stdout is not None  # noqa: S101  # asked for above
            child.stdin.write(f"{database}\n".encode())  # not among its arguments, which other users can list
            while await child.stdout.readline():
                happened()
        finally:
            if child.returncode is None:
                child.kill()
            await child.wait()
        _LOG.error("the process that looks for due games ended; it is started again")
        await asyncio.sleep(LOOK)
