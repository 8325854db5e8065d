"""End the processes that a run of the tests started and left behind, however the run ends.

Every process of a run carries a mark in its environment, which its own processes inherit. `watch_over` starts this file
as a program, which waits until its standard input is closed, as the system does when the run ends, is interrupted or is
killed; then it kills whatever still carries the mark.
"""

import faulthandler
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import psutil

__all__ = ["MARK", "end_later", "kill_marked", "marked", "watch_over"]

MARK = "PLENIPO_TEST_RUN"
"""The variable of the environment that names a run."""

GRACE = 5.0
"""Seconds for processes that are about to end by themselves, such as a server that was just told to."""


def watch_over() -> Callable[[], None]:
    """Mark what this process will start, and start the program that ends what is left of it; return how to end both."""
    os.environ[MARK] = run = secrets.token_hex(8)
    environment = {name: value for name, value in os.environ.items() if name != MARK}
    watcher = subprocess.Popen(  # noqa: S603  # this very file
        [sys.executable, __file__, run],
        stdin=subprocess.PIPE,
        env=environment,
        start_new_session=True,  # an interruption from the keyboard is not for this program
    )

    def end() -> None:
        watcher.communicate(timeout=10 * GRACE)

    return end


def marked(run: str) -> Iterator[psutil.Process]:
    """Find the processes of a run, but for the one that asks."""
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.pid != os.getpid() and process.environ().get(MARK) == run:
                yield process


def kill_marked(run: str) -> list[str]:
    """Kill what a run left behind after a grace of some seconds; return the command lines of what was killed."""
    end = time.monotonic() + GRACE
    while any(marked(run)) and time.monotonic() < end:
        time.sleep(0.1)
    killed = []
    end = time.monotonic() + GRACE
    while (
        left := list(marked(run))
    ) and time.monotonic() < end:  # one that is about to start another does so once more
        for process in left:
            with suppress(psutil.Error):
                killed.append(" ".join(process.cmdline()) or process.name())
                process.kill()
        psutil.wait_procs(left, timeout=1)
    return killed


def end_later(seconds: float) -> None:
    """End this process after so many seconds, wherever it hangs, and write the stack of each of its threads."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=2)


if __name__ == "__main__":
    sys.stdin.buffer.read()
    for line in kill_marked(sys.argv[1]):
        sys.stderr.write(f"left behind by the tests, and ended now: {line}\n")
