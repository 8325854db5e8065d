"""The preparation of computer players: their code is compiled once, in another process.

Until then, and where it is impossible, searching players play by rules of thumb, so that no player waits.
"""

import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from tempfile import TemporaryFile
from threading import Lock, Thread

from plenipo import bots, warm
from plenipo.engine.sentences import SentenceKind

__all__ = ["AT_ONCE", "COMMAND", "FAILED", "QUICK_MEANWHILE", "UNTIL_THEN", "Warming"]

_LOG = logging.getLogger("plenipo.server")

COMMAND = (sys.executable, "-m", "plenipo.warm")
"""The command that compiles, at low priority."""

AT_ONCE = (*COMMAND, warm.NOW)
"""The same where a person at this machine waits for it."""

SIMPLE = "sensible"
"""The substitute for computer players that cannot search yet."""

UNTIL_THEN = SentenceKind(
    "server-computers-warming",
    "The computers are still warming up, for a minute or so after an installation; "
    "until then all of them play simply, whatever their level.",
)()
QUICK_MEANWHILE = SentenceKind(
    "server-stronger-computers-warming",
    "The stronger computers are still warming up, for less than a minute after an installation; "
    "until then they play at the level '{level}'.",
)(level=bots.FIRST_COMPILED)
FAILED = SentenceKind(
    "server-computers-not-warmed", "The computers could not be warmed up, so they play by rules of thumb."
)()


class _State(StrEnum):
    UNKNOWN, LOOKING, COMPILING, FIRST, READY, SIMPLE = "unknown looking compiling first ready simple".split()


class Warming:
    """The progress of the preparation; safe to use from several threads.

    `command` compiles and exits with 0. `told` is called when `words` change. `needed` starts the preparation, once.
    """

    def __init__(self, command: Sequence[str] = COMMAND, told: Callable[[], None] = lambda: None) -> None:
        self.command, self.told = tuple(command), told
        self._state, self._fault = _State.UNKNOWN, ""
        self._lock = Lock()

    @property
    def ready(self) -> bool:
        """True if the computer players can search."""
        return self._state is _State.READY

    def start_if_needed(self, computers: Iterable[str]) -> None:
        """Start the preparation if any of these computer players searches; return at once."""
        if not _think(computers):
            return
        with self._lock:
            if self._state is not _State.UNKNOWN:
                return
            self._state = _State.LOOKING
        Thread(target=self._warm, name="warming", daemon=True).start()

    def words(self, computers: Iterable[str]) -> str:
        """Return a notice about how these computer players play at present, empty if there is none."""
        if not _think(computers):
            return ""
        if self._state is _State.FIRST and not _think(set(computers) - {bots.FIRST_COMPILED}):
            return ""
        words = {_State.COMPILING: UNTIL_THEN, _State.FIRST: QUICK_MEANWHILE, _State.SIMPLE: self._fault}
        return words.get(self._state, "")

    def player(self, name: str) -> str:
        """Return the name of the player that plays for a computer player now."""
        if _think([name]) and not self.ready:
            self.start_if_needed([name])
            return bots.FIRST_COMPILED if self._state is _State.FIRST else SIMPLE
        return name

    def _warm(self) -> None:
        try:
            fault = bots.why_simple() or self._compile()
            if not fault:
                warm.warm()  # load it before a player waits for it
        except Exception:  # noqa: BLE001  # whatever it was, they can play simply
            _LOG.exception("cannot warm up the computers")
            fault = FAILED
        self._fault = fault
        self._become(_State.SIMPLE if fault else _State.READY)

    def _become(self, state: _State) -> None:
        self._state = state
        try:
            self.told()
        except Exception:  # noqa: BLE001  # the notice is lost, and the computers play all the same
            _LOG.exception("cannot tell how far the computers are")

    def _compile(self) -> str:
        """Compile the code if it is not compiled; return the reason if that fails, else an empty text."""
        if bots.is_compiled():
            return ""
        self._become(_State.COMPILING)
        self._look_for_first()
        with warm.alone(self._look_for_first) as lock:
            if bots.is_compiled():  # another server has compiled it meanwhile
                return ""
            fault = self._run(lock)
        if fault is not None:
            _LOG.warning("cannot warm up the computers: %s", fault.strip()[-500:])
            return FAILED
        return ""

    def _look_for_first(self) -> None:
        """Let the first level play as soon as its code is compiled."""
        if self._state is not _State.FIRST and bots.is_compiled(bots.FIRST_COMPILED):
            warm.warm_level(bots.FIRST_COMPILED)  # load it before a player waits for it
            self._become(_State.FIRST)

    def _run(self, lock: int | None) -> str | None:
        """Run the compiling command, and return its error output if it fails.

        The command holds the lock as well, and ends when this process ends, which closes its input. It writes a line
        after each level.
        """
        read, write = os.pipe()
        try:
            with (
                TemporaryFile("w+", encoding="utf-8", errors="replace") as complaints,
                subprocess.Popen(  # noqa: S603  # our own program
                    self.command,
                    stdin=read,
                    stdout=subprocess.PIPE,
                    stderr=complaints,
                    text=True,
                    start_new_session=True,  # an interrupt of the server ends it by closing its input
                    env={**os.environ, warm.GUARDED: "1"},
                    pass_fds=() if lock is None else (lock,),
                ) as running,
            ):
                for _ in running.stdout or ():
                    self._look_for_first()
                if running.wait() == 0:
                    return None
                complaints.seek(0)
                return complaints.read()
        finally:
            os.close(read)
            os.close(write)


def _think(computers: Iterable[str]) -> bool:
    return not {*bots.LEVELS, *bots.PERSONS}.isdisjoint(computers)
