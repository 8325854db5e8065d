"""Pictures as PNG for the server, rendered by programs of their own, so that a picture never stops the server.

The renderer of PNGs (`plenipo.raster`) holds Python's lock for as long as a picture takes, seconds for a large one. A
program is started when the first picture is asked for, has one picture at a time, gives way to the server, and ends
with the server, whose end closes its standard input.

The protocol, in both directions: a line of JSON with the number of `bytes` that follow it, and those bytes. A request
is an SVG with its `width`; an answer is a PNG, or a sentence where `ok` is false.
"""

import hashlib
import json
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

from cachetools import LRUCache

from plenipo.errors import PlenipoError
from plenipo.server.errors import TooBusy

__all__ = ["Renderer", "main"]

MOST_WAITING = 8
"""The most pictures that wait for a program; one more is refused."""

PATIENCE = 30.0
"""The most seconds that a picture may take, and that one may wait for its turn."""

MOST_BYTES = 32 * 1024 * 1024
"""The most bytes of pictures that are cached."""

PRIORITY = 10
"""The niceness of the rendering programs (`os.nice`), which gives the server priority over them."""


class Renderer:
    """Renders pictures in at most `programs` programs at the same time; safe to use from several threads."""

    def __init__(
        self, programs: int = 1, *, most_waiting: int = MOST_WAITING, patience: float = PATIENCE, command: Any = None
    ) -> None:
        self.patience = patience
        self._command = command or [sys.executable, "-m", "plenipo.server.renderer"]
        self._places = threading.BoundedSemaphore(programs + most_waiting)
        self._turns = threading.BoundedSemaphore(programs)
        self._idle: list[subprocess.Popen[bytes]] = []
        self._cache: LRUCache[str, bytes] = LRUCache(MOST_BYTES, len)
        self._guard = threading.Lock()
        self._ended = weakref.finalize(self, _end_all, self._idle)

    def png(self, svg: str, width: int) -> bytes:
        """Return an SVG as a PNG `width` pixels wide, from the cache if the same was rendered lately.

        Raise `TooBusy` if too many pictures wait, `PlenipoError` if it cannot be rendered or takes too long.
        """
        key = hashlib.sha256(f"{width} {svg}".encode()).hexdigest()
        with self._guard:
            known = self._cache.get(key)
        if known is not None:
            return known
        with self._place():
            made = self._render(svg.encode(), width)
        with self._guard, suppress(ValueError):  # a picture larger than the whole cache
            self._cache[key] = made
        return made

    def close(self) -> None:
        """End the programs that have nothing to do."""
        with self._guard:
            _end_all(self._idle)

    @contextmanager
    def _place(self) -> Iterator[None]:
        """Wait in the queue; raise `TooBusy` if it is full or does not move."""
        if not self._places.acquire(blocking=False):
            raise TooBusy("Too many pictures are being drawn now; try again in a moment.")
        try:
            if not self._turns.acquire(timeout=self.patience):
                raise TooBusy("Pictures take too long to draw now; try again in a moment.")
            try:
                yield
            finally:
                self._turns.release()
        finally:
            self._places.release()

    def _render(self, svg: bytes, width: int) -> bytes:
        with self._guard:
            program = self._idle.pop() if self._idle else None
        if program is not None and program.poll() is not None:  # it was killed
            _end(program)
            program = None
        if program is None:
            program = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603  # ours
        timer = threading.Timer(self.patience, program.kill)
        timer.start()
        try:
            assert program.stdin is not None  # noqa: S101  # asked for above
            assert program.stdout is not None  # noqa: S101  # asked for above
            _send(program.stdin, svg, width=width)
            answer = _receive(program.stdout)
        except (OSError, ValueError):
            answer = None
        finally:
            timer.cancel()
        if answer is None:
            _end(program)
            raise PlenipoError("The picture took too long to draw; ask for a narrower one.")
        with self._guard:
            self._idle.append(program)
        head, content = answer
        if not head["ok"]:
            raise PlenipoError(content.decode())
        return content


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


def _send(target: IO[bytes], content: bytes, **head: Any) -> None:
    target.write(json.dumps({**head, "bytes": len(content)}).encode() + b"\n" + content)
    target.flush()


def _receive(source: IO[bytes]) -> tuple[dict[str, Any], bytes] | None:
    """Read a line of JSON and the bytes that it announces; None at the end."""
    line = source.readline()
    if not line:
        return None
    head = json.loads(line)
    content = source.read(head["bytes"])
    return (head, content) if len(content) == head["bytes"] else None


def main() -> None:
    """Render what comes from standard input until it ends."""
    from plenipo.raster import png  # noqa: PLC0415  # only this program renders

    with suppress(OSError, AttributeError):  # a system without priorities
        os.nice(PRIORITY)
    while (request := _receive(sys.stdin.buffer)) is not None:
        head, svg = request
        try:
            content, ok = png(svg.decode(), head["width"]), True
        except PlenipoError as fault:
            content, ok = str(fault).encode(), False
        try:
            _send(sys.stdout.buffer, content, ok=ok)
        except BrokenPipeError:  # the server was killed, or no longer waits: what is left must not be written on exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return


if __name__ == "__main__":
    main()
