"""Processor time of child programs, from psutil, which reads it on every system; wall time without it."""

import time
from contextlib import suppress

from plenipo import extras

KNOWN = not extras.missing("match", "psutil")
"""The availability of the processor time of other processes."""

if KNOWN:
    import psutil

__all__ = ["Meter"]


class Meter:
    """The processor time of programs one after the other, in seconds since the first of them began.

    Child processes of a program count as well: those that have ended, and those that were running when `look_round` was
    called. The system counts in hundredths of a second, so a mean is more precise than a single phase.
    """

    def __init__(self) -> None:
        self._before = self._now = 0.0
        self._family: list[psutil.Process] = []

    def follow(self, pid: int) -> None:
        """Continue with another program, which has just been started."""
        self._before += self._now
        self._now = 0.0
        if KNOWN:
            self._family = [psutil.Process(pid)]

    def look_round(self) -> None:
        """Find the processes that the program has started."""
        if KNOWN:
            with suppress(psutil.Error):
                self._family[1:] = self._family[0].children(recursive=True)

    def seconds(self) -> float:
        """Return the time so far."""
        if not KNOWN:
            return time.perf_counter()
        taken = 0.0
        for place, process in enumerate(self._family):
            with suppress(psutil.Error):  # it has ended: its time is counted with that of its parent
                times = process.cpu_times()
                taken += times.user + times.system
                taken += 0.0 if place else times.children_user + times.children_system
        self._now = max(self._now, taken)
        return self._before + self._now
