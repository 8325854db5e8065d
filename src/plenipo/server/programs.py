"""Programs of the server's own, for what would hold Python's lock or much memory: pictures, and files from elsewhere.

A program is started when the first task comes, has one task at a time, gives way to the server, and ends with the
server, whose end closes its standard input. One that takes too long is killed.

The protocol, in both directions: a line of JSON, the head, with the number of `bytes` that follow it, and those bytes.
"""

import json
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, Any

from plenipo.errors import PlenipoError
from plenipo.server.errors import TooBusy

__all__ = ["PATIENCE", "Programs", "Refusals", "send_task", "serve"]

MOST_WAITING = 8
"""The most tasks that wait for a program; one more is refused."""

PATIENCE = 30.0
"""The most seconds that a task may take, and that one may wait for its turn."""

PRIORITY = 10
"""The niceness of the programs (`os.nice`), which gives the server priority over them."""

HeadAndBytes = tuple[dict[str, Any], bytes]
"""A head, and the bytes that follow it."""


@dataclass(frozen=True)
class Refusals:
    """The sentences for a task that is refused: too many wait, the others take too long, it takes too long itself."""

    many: str
    slow: str
    stopped: str


class Programs:
    """Runs tasks in at most `programs` programs at the same time; safe to use from several threads.

    `idle` are the programs that have nothing to do at the moment.
    """

    def __init__(
        self,
        command: Any,
        refusals: Refusals,
        *,
        programs: int = 1,
        most_waiting: int = MOST_WAITING,
        patience: float = PATIENCE,
    ) -> None:
        self.patience = patience
        self.command, self._refusals = command, refusals
        self._places = threading.BoundedSemaphore(programs + most_waiting)
        self._turns = threading.BoundedSemaphore(programs)
        self.idle: list[subprocess.Popen[bytes]] = []
        self._guard = threading.Lock()
        self._ended = weakref.finalize(self, _end_all, self.idle)

    def ask(self, content: bytes, **head: Any) -> HeadAndBytes:
        """Return the answer of a program to a task.

        Raise `TooBusy` if too many tasks wait, `PlenipoError` if the program takes too long or ends.
        """
        with self._place():
            return self._run(content, head)

    def close(self) -> None:
        """End the programs that have nothing to do."""
        with self._guard:
            _end_all(self.idle)

    @contextmanager
    def _place(self) -> Iterator[None]:
        """Wait in the queue; raise `TooBusy` if it is full or does not move."""
        if not self._places.acquire(blocking=False):
            raise TooBusy(self._refusals.many)
        try:
            if not self._turns.acquire(timeout=self.patience):
                raise TooBusy(self._refusals.slow)
            try:
                yield
            finally:
                self._turns.release()
        finally:
            self._places.release()

    def _run(self, content: bytes, head: dict[str, Any]) -> HeadAndBytes:
        with self._guard:
            program = self.idle.pop() if self.idle else None
        if program is not None and program.poll() is not None:  # it was killed
            _end(program)
            program = None
        if program is None:
            program = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603  # ours
        timer = threading.Timer(self.patience, program.kill)
        timer.start()
        try:
            assert program.stdin is not None  # noqa: S101  # asked for above
            assert program.stdout is not None  # noqa: S101  # asked for above
            send_task(program.stdin, content, head)
            answer = _receive(program.stdout)
        except (OSError, ValueError):
            answer = None
        finally:
            timer.cancel()
        if answer is None:
            _end(program)
            raise PlenipoError(self._refusals.stopped)
        with self._guard:
            self.idle.append(program)
        return answer


def serve(answer: Callable[[dict[str, Any], bytes], HeadAndBytes]) -> None:
    """Answer the tasks that come from standard input until it ends: the main function of a program."""
    with suppress(OSError, AttributeError):  # a system without priorities
        os.nice(PRIORITY)
    while True:
        try:
            task = _receive(sys.stdin.buffer)
            if task is None:
                return
            head, content = answer(*task)
        except MemoryError:  # the server sees by the end of its program that the task was too large
            os._exit(1)
        try:
            send_task(sys.stdout.buffer, content, head)
        except BrokenPipeError:  # the server was killed, or no longer waits: what is left must not be written on exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return


def _end_all(programs: "list[subprocess.Popen[bytes]]") -> None:
    while programs:
        _end(programs.pop())


def _end(program: "subprocess.Popen[bytes]") -> None:
    program.kill()
    for pipe in (program.stdin, program.stdout):
        if pipe is not None:
            with suppress(OSError):  # the rest that was not sent yet
                pipe.close()
    program.wait(PATIENCE)


def send_task(target: IO[bytes], content: bytes, head: dict[str, Any]) -> None:
    """Write a head and the bytes that belong to it."""
    target.write(json.dumps({**head, "bytes": len(content)}).encode() + b"\n" + content)
    target.flush()


def _receive(source: IO[bytes]) -> HeadAndBytes | None:
    """Read a line of JSON and the bytes that it announces; None at the end."""
    line = source.readline()
    if not line:
        return None
    head: dict[str, Any] = json.loads(line)
    content = source.read(head["bytes"])
    return (head, content) if len(content) == head["bytes"] else None
