"""The worker: looks again and again which games are due, and does with them what time does."""

import asyncio
import logging
from datetime import datetime, timedelta

from starlette.concurrency import run_in_threadpool

from plenipo.server.host import Host

__all__ = ["Worker", "work"]

_LOG = logging.getLogger("plenipo.server")

LOOK = 1.0
"""How often it is looked which games are due, in seconds."""

BEAT = timedelta(minutes=1)
"""How often the store is told that somebody looks."""

NAME = "due games"
"""Under which name it is told."""


class Worker:
    """Who looks for the due games of a host, and how long nobody had looked before."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self._looked: datetime | None = None
        self._told: datetime | None = None

    def look(self) -> int:
        """Do what is due in every game; how many games were due.

        A game whose turn fails is left for the next look; the others go on.
        """
        now = self.host.clock.now()
        if self._told is None or now - self._told >= BEAT:
            before = self.host.store.beat(NAME, now)
            self._looked = max(filter(None, (self._looked, before)), default=None)
            self._told = now
        away = timedelta(0) if self._looked is None else max(now - self._looked, timedelta(0))
        self._looked = now
        games = self.host.store.due(now)
        for game in games:
            try:
                self.host.settle(game, away)
            except Exception:  # noqa: BLE001  # whatever it was, the other games must go on
                _LOG.exception("cannot do what is due in game %s", game)
        return len(games)


async def work(host: Host) -> None:
    """Look for due games for ever."""
    worker = Worker(host)
    while True:
        try:
            await run_in_threadpool(worker.look)
        except Exception:  # noqa: BLE001  # whatever it was, the looking must go on
            _LOG.exception("cannot look for due games")
        await asyncio.sleep(LOOK)
