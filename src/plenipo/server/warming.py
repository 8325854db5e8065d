"""Whether the computers of a server think yet: what they need is compiled once, in another process.

Until then, and where it cannot be had, those that think ahead play by rules of thumb, so that nobody waits.
"""

import logging
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from threading import Lock, Thread

from plenipo import bots, warm

__all__ = ["COMMAND", "FAILED", "UNTIL_THEN", "Warming"]

_LOG = logging.getLogger("plenipo.server")

COMMAND = (sys.executable, "-m", "plenipo.warm")
"""What compiles."""

SIMPLE = "sensible"
"""Who plays for those that cannot think yet."""

UNTIL_THEN = "The computers are still warming up; they play simply until then."
FAILED = "The computers could not be warmed up, so they play by rules of thumb."


class _State(StrEnum):
    UNKNOWN, LOOKING, COMPILING, READY, SIMPLE = "unknown looking compiling ready simple".split()


class Warming:
    """How far a server is; safe to use from several threads.

    `command` compiles and ends with 0. `told` hears when `words` change. `needed` begins it all, once.
    """

    def __init__(self, command: Sequence[str] = COMMAND, told: Callable[[], None] = lambda: None) -> None:
        self.command, self.told = tuple(command), told
        self._state, self._fault = _State.UNKNOWN, ""
        self._lock = Lock()

    @property
    def ready(self) -> bool:
        """Whether the computers think."""
        return self._state is _State.READY

    def needed(self, computers: Iterable[str]) -> None:
        """Begin, if any of these computer players thinks ahead; returns at once."""
        if not _think(computers):
            return
        with self._lock:
            if self._state is not _State.UNKNOWN:
                return
            self._state = _State.LOOKING
        Thread(target=self._warm, name="warming", daemon=True).start()

    def words(self, computers: Iterable[str]) -> str:
        """What people who play against these computers should know, a sentence or nothing."""
        if not _think(computers):
            return ""
        return {_State.COMPILING: UNTIL_THEN, _State.SIMPLE: self._fault}.get(self._state, "")

    def player(self, name: str) -> str:
        """The name of who plays for a computer player now."""
        if _think([name]) and not self.ready:
            self.needed([name])
            return SIMPLE
        return name

    def _warm(self) -> None:
        try:
            fault = bots.why_simple() or self._compile()
            if not fault:
                warm.warm()  # loaded before anybody waits for it
        except Exception:  # noqa: BLE001  # whatever it was, they can play simply
            _LOG.exception("cannot warm up the computers")
            fault = FAILED
        self._fault = fault
        self._become(_State.SIMPLE if fault else _State.READY)

    def _become(self, state: _State) -> None:
        self._state = state
        try:
            self.told()
        except Exception:  # noqa: BLE001  # nobody hears it, and the computers play all the same
            _LOG.exception("cannot tell how far the computers are")

    def _compile(self) -> str:
        """Have it compiled if it is not; why it could not be."""
        if bots.compiled():
            return ""
        self._become(_State.COMPILING)
        done = subprocess.run(  # noqa: S603  # our own program
            self.command,
            check=False,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # it ends its work even if the server ends before
        )
        if done.returncode:
            _LOG.warning("cannot warm up the computers: %s", done.stderr.strip()[-500:])
            return FAILED
        return ""


def _think(computers: Iterable[str]) -> bool:
    return not {*bots.LEVELS, *bots.PERSONS}.isdisjoint(computers)
