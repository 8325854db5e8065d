"""JSON lines through pipes: answers in order, at once, by one process or several, however the lines come."""

import io
import json
import os
from functools import partial
from queue import Queue
from typing import Any

import pytest

from plenipo import jsonlines
from plenipo.jsonlines import stream
from waiting import LIMIT, run_in_background

LINE = {"variant": "standard", "phase": "Spring 1901", "units": {"France": ["A PAR"]}, "centres": {}}


def numbered(count: int) -> bytes:
    """So many lines, each with its number."""
    return b"".join(json.dumps({**LINE, "id": number}).encode() + b"\n" for number in range(count))


def answers(source: bytes, **options: Any) -> list[dict[str, Any]]:
    """Return the answers of the pipe."""
    sink = io.StringIO()
    stream.run(io.BytesIO(source), sink, **options)
    return [json.loads(line) for line in sink.getvalue().splitlines()]


class Told(io.StringIO):
    """A stream that hands on what is written as soon as it is flushed."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: Queue[str] = Queue()

    def flush(self) -> None:
        self.texts.put(self.getvalue())
        self.truncate(0)
        self.seek(0)


@pytest.mark.parametrize("fast", [False, True])
def test_the_first_answer_does_not_wait_for_the_second_line(fast: bool) -> None:  # noqa: FBT001  # a parameter
    if fast:
        pytest.importorskip("numba")
    reading, writing = os.pipe()
    told = Told()
    with (
        os.fdopen(reading, "rb") as source,
        os.fdopen(writing, "wb", buffering=0) as lines,
        run_in_background(partial(stream.run, source, told, fast=fast), end=lines.close),
    ):
        for number in range(3):
            lines.write(json.dumps({**LINE, "id": number}).encode() + b"\n")
            assert json.loads(told.texts.get(timeout=LIMIT))["id"] == number


def test_lines_are_counted_whether_they_are_blank_or_too_long_or_without_an_end() -> None:
    long = b'{"id": "' + b"x" * (3 * jsonlines.MOST_BYTES) + b'"}'
    found = answers(b"\n  \nnonsense\n" + long + b"\n" + numbered(1).rstrip())
    assert [answer["errors"] for answer in found[:2]] == [
        ["line 3: this is not JSON: Expecting value at character 1, near 'nonsense'."],
        [f"line 4: this line is longer than {jsonlines.MOST_BYTES} characters, which no position needs."],
    ]
    assert [answer["id"] for answer in found[2:]] == [0]


def test_of_a_long_line_no_more_is_kept_than_shows_that_it_is_too_long() -> None:
    source = io.BytesIO(b"x" * (4 * jsonlines.MOST_BYTES) + b"\n")
    assert [len(line) <= 2 * jsonlines.MOST_BYTES for lines in stream.gather_lines(source) for _, line in lines] == [
        True
    ]


def test_several_processes_answer_as_one_does_and_in_order() -> None:
    lines = numbered(150) + b"nonsense\n" + numbered(20)
    assert answers(lines, workers=2) == answers(lines)


def test_a_sink_that_is_closed_ends_the_run() -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError(text[:10])

    with pytest.raises(BrokenPipeError):
        stream.run(io.BytesIO(numbered(3)), Closed())
