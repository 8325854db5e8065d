"""Compile what the computer players need, once: `plenipo warm`; below the I/O line.

`python -m plenipo.warm` does the same and yields to everything else, unless `--now` says that somebody waits for it.

It takes most of a minute of processor time the first time, and nothing after that: the result is kept in the user's
cache, and only another version of Plenipo, Python or Numba, or another processor, has it compiled again.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

from plenipo import bots, library
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.phases.legality import Legality

__all__ = ["GUARDED", "NOW", "alone", "end_with_input", "think_once", "warm", "warm_level"]

NICER = 10
"""The niceness of the compiling process."""

PATIENCE = 0.2
"""Seconds between two looks at a lock that another process holds."""

NOW = "--now"
"""The option for a machine without other work."""

GUARDED = "PLENIPO_WARM_GUARDED"
"""The variable of the environment by which a server says that its input stays open for as long as it lives."""

LEVEL = "middling"
"""A level that looks back on what others ordered; every level above `bots.FIRST_COMPILED` runs the same code."""

OPENINGS = (("standard", 2), ("1897", 1))
"""Variants and how many of their phases are thought about: two movements, and a choice before the first move."""


def warm(told: Callable[[str], None] = lambda _level: None) -> None:
    """Think about a few phases, so that everything is compiled, or loaded if it was; nothing where it cannot be had.

    The parts that `bots.FIRST_COMPILED` needs come first. `told` is called with the name of a level as soon as that
    level and
    those below it can think.
    """
    if bots.why_simple():
        return
    warm_level(bots.FIRST_COMPILED)
    told(bots.FIRST_COMPILED)
    warm_level(LEVEL)
    bots.mark_compiled()
    told(list(bots.LEVELS)[-1])


def warm_level(level: str) -> None:
    """Have a level think about a few phases; what `bots.FIRST_COMPILED` needs is noted as compiled."""
    for variant, phases in OPENINGS:
        game = Game.new(library.load(variant), Dice(bytes(32)))
        for _ in range(phases):
            think_once(game, level)
            game = game.process({})
    if level == bots.FIRST_COMPILED:
        bots.mark_compiled(level)


@contextmanager
def alone(meanwhile: Callable[[], None] = lambda: None) -> Iterator[int | None]:
    """Wait until no other process compiles into the same cache, and keep others waiting; the number of the lock's file.

    A process that inherits the file holds the lock as well. None where there can be no lock, and nobody waits.
    `meanwhile` is called again and again while this waits.
    """
    try:
        import fcntl  # noqa: F401, PLC0415  # Windows has none

        from plenipo.bots.compiling import CACHE  # noqa: PLC0415  # it needs Numba

        CACHE.mkdir(parents=True, exist_ok=True)
        lock = os.open(CACHE / "compiling.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except (ImportError, OSError):
        yield None
        return
    try:
        while not _locks(lock):
            meanwhile()
            time.sleep(PATIENCE)
        yield lock
    finally:
        os.close(lock)


def _locks(lock: int) -> bool:
    import fcntl  # noqa: PLC0415  # Windows has none

    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def end_with_input() -> None:
    """End this process at once when its input ends, which is when the server that started it does."""

    def wait() -> None:
        with suppress(OSError):
            while os.read(0, 1024):
                pass
        os._exit(1)

    threading.Thread(target=wait, name="parent", daemon=True).start()


def think_once(game: Game, level: str = LEVEL) -> None:
    """Think about the open phase of a game for the first power that is asked."""
    for power in view(game, None, {}).may_order[:1]:
        bots.think(view(game, power, {}), Legality(game.rules, game.position).orders_of(power), 1, level)


if __name__ == "__main__":
    if os.environ.get(GUARDED):
        end_with_input()
    if NOW not in sys.argv[1:]:
        with suppress(OSError, AttributeError):
            os.nice(NICER)
    warm(partial(print, flush=True))  # the server that started this reads how far it is
    sys.exit(0 if bots.is_compiled() else 1)
