"""JSON lines from a stream to a stream: gathered as they come, answered in their order, by several processes if asked.

Available input is taken at once, without waiting, so that the first answer does not depend on the second line.
Memory holds only the lines being answered.
"""

import gc
import json
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from queue import Queue
from threading import Thread
from typing import BinaryIO, TextIO

from plenipo import jsonlines, library

__all__ = ["choose_answerer", "gather_lines", "run"]

NumberedLines = list[tuple[int, bytes]]
"""Lines with their numbers, counted from 1."""

_CHUNK = 1 << 20
_TOGETHER = 64
"""The lines that a process gets at once."""

_MORE = 16
"""The factor by which there are more of them where lines are adjudicated together."""

_ALLOCATIONS = 200_000
"""Allocations between two garbage collections; lines leave no reference cycles."""


def gather_lines(source: BinaryIO) -> Iterator[NumberedLines]:
    """Yield the lines of a stream, all that are available at once together; blank lines are counted and left out.

    Only the beginning of a line that is too long is kept.
    """
    read: Callable[[int], bytes] = getattr(source, "read1", source.read)
    number, rest = 0, b""
    while chunk := read(_CHUNK):
        *whole, rest = (rest + chunk).split(b"\n")
        rest = rest[: jsonlines.MOST_BYTES + 1]
        lines = [(n, line) for n, line in enumerate(whole, number + 1) if line.strip()]
        number += len(whole)
        if lines:
            yield lines
    if rest.strip():
        yield [(number + 1, rest)]


def run(source: BinaryIO, sink: TextIO, *, fast: bool = False, workers: int = 1) -> None:
    """Answer every line of `source` in `sink`, in the order of the lines.

    `fast` adjudicates many together by the kernel, with reasons in a word. Raises `OSError` if `sink` is closed.
    """
    if workers > 1:
        _spread(source, sink, workers, fast=fast)
        return
    answer = choose_answerer(fast=fast)
    for lines in gather_lines(source):
        for part in [lines] if fast else ([line] for line in lines):
            _write(sink, answer(part))


def _write(sink: TextIO, texts: list[str]) -> None:
    sink.write("".join([text + "\n" for text in texts]))
    sink.flush()


def choose_answerer(*, fast: bool) -> Callable[[NumberedLines], list[str]]:
    """Return the function that answers lines."""
    gc.set_threshold(_ALLOCATIONS)
    if fast:
        from plenipo.jsonlines.together import Batch  # noqa: PLC0415  # Numba is not always there

        return Batch(library.load).answers
    load = jsonlines.remembering(library.load)
    return lambda lines: [json.dumps(jsonlines.answer(line, number, load)) for number, line in lines]


# Several processes

_answer: Callable[[NumberedLines], list[str]] | None = None
"""The function that answers lines in a worker process."""


def _begin(fast: bool) -> None:  # noqa: FBT001  # called by the pool
    global _answer  # noqa: PLW0603  # a process of the pool has nothing else to remember it by
    _answer = choose_answerer(fast=fast)


def _answer_lines(lines: NumberedLines) -> list[str]:
    assert _answer is not None  # noqa: S101  # every process began
    return _answer(lines)


def _spread(source: BinaryIO, sink: TextIO, workers: int, *, fast: bool) -> None:
    """As `run`, by several processes: what they are at work on waits in a queue, and is written as it is ready."""
    together = _TOGETHER * (_MORE if fast else 1)
    waiting: Queue[Future[list[str]] | None] = Queue(2 * workers)
    faults: list[Exception] = []

    def write() -> None:
        while future := waiting.get():
            try:
                texts = future.result()
                if not faults:
                    _write(sink, texts)
            except Exception as fault:  # noqa: BLE001  # told where the lines are read
                faults.append(fault)

    with ProcessPoolExecutor(workers, get_context("spawn"), _begin, (fast,)) as pool:
        writer = Thread(target=write)
        writer.start()
        try:
            for lines in gather_lines(source):
                for start in range(0, len(lines), together):
                    waiting.put(pool.submit(_answer_lines, lines[start : start + together]))
                if faults:
                    break
        finally:
            waiting.put(None)
            writer.join()
    if faults:
        raise faults[0]
