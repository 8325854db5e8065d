"""Wait for something in a test, never without an end.

A wait that depends on another thread, process or server goes through this module, and `tests/test_waiting.py` finds
those that do not. The limits are generous: they end a test that hangs, and say nothing about how fast anything is.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any, AnyStr, TypeVar

__all__ = ["LIMIT", "join_all", "read_line", "run_in_background", "run_together", "wait_until"]

T = TypeVar("T")

LIMIT = 300.0
"""Seconds after which a single wait is taken to hang, on a machine however busy."""


def wait_until(is_done: Callable[[], object], *, within: float = LIMIT, pause: float = 0.005) -> None:
    """Wait until `is_done` returns something true; raise `AssertionError` after `within` seconds."""
    end = time.monotonic() + within
    while not is_done():
        assert time.monotonic() < end, f"nothing happened within {within:g} seconds"
        time.sleep(pause)


def join_all(threads: Iterable[threading.Thread], *, within: float = LIMIT) -> None:
    """Wait for the end of every thread; raise `AssertionError` if one is still running after `within` seconds."""
    end = time.monotonic() + within
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
        assert not thread.is_alive(), f"the thread {thread.name!r} did not end within {within:g} seconds"


def run_together(*calls: Callable[[], T], within: float = LIMIT) -> list[T | Exception]:
    """Run the calls in threads that start at the same moment; return what each returned or raised, in their order."""
    barrier = threading.Barrier(len(calls))
    results: dict[int, T | Exception] = {}

    def run(number: int, call: Callable[[], T]) -> None:
        try:
            barrier.wait(within)
            results[number] = call()
        except Exception as fault:  # noqa: BLE001  # the test looks at it
            results[number] = fault

    threads = [threading.Thread(target=run, args=(number, call), daemon=True) for number, call in enumerate(calls)]
    for thread in threads:
        thread.start()
    join_all(threads, within=within)
    return [results[number] for number in range(len(calls))]


def read_line(stream: IO[AnyStr], *, within: float = LIMIT) -> AnyStr:
    """Return the next line that a program writes; raise `AssertionError` if none has come after `within` seconds."""
    (line,) = run_together(stream.readline, within=within)
    if isinstance(line, Exception):
        raise line
    return line


@contextmanager
def run_in_background(work: Callable[..., object], *arguments: Any, end: Callable[[], object]) -> Iterator[None]:
    """Run `work` in a thread of its own meanwhile; at the end call `end`, which makes it stop, and wait for it."""
    thread = threading.Thread(target=work, args=arguments, daemon=True)
    thread.start()
    try:
        yield
    finally:
        end()
        join_all([thread])
