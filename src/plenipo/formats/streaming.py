"""The games in a file, one after the other, with bounded memory: JSON, JSON lines, arrays, several texts, gzip.

A file may be of any size; a single game in it may not. What is too large, is no text, or unpacks to far more than it
is, raises `InvalidRecord` with one sentence.
"""

import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import BinaryIO, NamedTuple

import ijson

from plenipo.engine.sentences import say
from plenipo.engine.wording import listing
from plenipo.errors import InvalidRecord
from plenipo.formats.base import Format

__all__ = ["LARGEST_GAME", "GameText", "decode", "find_format", "games_in"]

LARGEST_GAME = 16 << 20
"""The most bytes of one game."""

MOST_PARTS = 1_000_000
"""The most values in the JSON of one game: each takes far more memory than its text."""

DEEPEST = 100
"""The most brackets within each other in the JSON of a file with many games."""

LONGEST_LINE = 1 << 16
"""The most bytes of a line of a format of lines; a page, which begins with `<`, may be a single line."""

MOST_FOLD = 400
"""The largest ratio of a file to its compressed form, beyond `LARGEST_GAME`."""

_HEAD = 1 << 16
_SPACE = re.compile(r"\s*")


class GameText(NamedTuple):
    """The text of one game of a file, its number from 1 on, and its format."""

    number: int
    text: str
    form: Format


class _Limited(io.RawIOBase):
    """A stream that counts the bytes and JSON values since the last game, and refuses too many."""

    def __init__(self, raw: BinaryIO, packed: BinaryIO | None) -> None:
        self._raw, self._packed = raw, packed
        self._total = 0
        self._ahead = b""
        self.bytes = self.parts = 0

    def peek(self) -> bytes:
        """Return the first bytes without taking them, blank space before them left out."""
        while not self._ahead.removeprefix(b"\xef\xbb\xbf").lstrip():
            self.begin_game()
            self._ahead = self._count(self._raw.read(_HEAD))
            if not self._ahead:
                raise InvalidRecord(say("The file is empty, so it is not a saved game."))
        self._ahead = self._ahead.removeprefix(b"\xef\xbb\xbf").lstrip()
        return self._ahead

    def read(self, size: int = -1) -> bytes:
        if self._ahead:
            data, self._ahead = self._ahead, b""
            return data
        return self._count(self._raw.read(_HEAD if size < 0 else min(size, _HEAD)))

    def next_line(self, longest: int) -> bytes:
        """Return the next line, of at most `longest` bytes; empty at the end."""
        line, mark, rest = self._ahead.partition(b"\n")
        line, self._ahead = line + mark, rest
        if not mark:
            line += self._count(self._raw.readline(longest + 1))
        if len(line) > longest:
            raise InvalidRecord(say("A line is longer than {most} bytes.", most=longest))
        return line

    def _count(self, data: bytes) -> bytes:
        self._total += len(data)
        self.bytes += len(data)
        self.parts += data.count(b",") + data.count(b"[") + data.count(b"{")
        if self._packed is not None and self._total > LARGEST_GAME + MOST_FOLD * max(self._packed.tell(), 1):
            raise InvalidRecord(
                say("The compressed file unpacks to more than {fold} times its size, so it is refused.", fold=MOST_FOLD)
            )
        if self.bytes > LARGEST_GAME + 2 * _HEAD:
            raise _too_large()
        return data

    def check_parts(self) -> None:
        """Raise `InvalidRecord` if the JSON since the last game has too many values."""
        if self.parts > MOST_PARTS:
            raise _too_large()

    def begin_game(self) -> None:
        """Count from zero: another game begins."""
        self.bytes = self.parts = 0


class _JsonSource:
    """A stream for `ijson`, which asks for bytes by `read`; each chunk is counted before it is parsed."""

    def __init__(self, source: _Limited) -> None:
        self._source = source

    def read(self, size: int = _HEAD) -> bytes:
        """Return the next bytes."""
        if size == 0:
            return b""
        data = self._source.read(size)
        self._source.check_parts()
        return data


def _too_large() -> InvalidRecord:
    return InvalidRecord(
        say("One game is larger than {most} megabytes, which is more than is read.", most=LARGEST_GAME >> 20)
    )


def find_format(text: str, formats: Mapping[str, Format], name: str | None = None) -> Format:
    """Return the format of a text, the one with a `name` if there is one; raises `InvalidRecord` if none fits."""
    if name is not None:
        return formats[name]
    form = next((form for form in formats.values() if form.sniff(text)), None)
    if form is None:
        titles = [form.title for form in formats.values()]
        raise InvalidRecord(say("This is not a game in a format that is known here: {titles}.", titles=listing(titles)))
    return form


def games_in(file: BinaryIO, formats: Mapping[str, Format], name: str | None = None) -> Iterator[GameText]:
    """Yield the games of a file in their order; `name` is the format, if it is known. Raises `InvalidRecord`."""
    try:
        yield from _games(file, formats, name)
    except (EOFError, zlib.error, gzip.BadGzipFile) as fault:
        raise InvalidRecord(say("The compressed file is damaged or was cut off.")) from fault


def _games(file: BinaryIO, formats: Mapping[str, Format], name: str | None) -> Iterator[GameText]:
    start = file.read(2)
    file.seek(0)
    packed = start == b"\x1f\x8b"
    raw: BinaryIO = gzip.GzipFile(fileobj=file) if packed else file  # type: ignore[assignment]  # it reads as a file
    source = _Limited(raw, file if packed else None)
    head = source.peek()
    if head.startswith(b"[") and not head[1:2].isalpha():
        texts = _of_array(source)
    elif head.startswith(b"{"):
        texts = _of_objects(source)
    else:
        texts = _of_lines(source, formats, name, LARGEST_GAME if head.startswith(b"<") else LONGEST_LINE)
    form: Format | None = None
    for number, text in enumerate(texts, 1):
        form = form or find_format(text, formats, name)
        yield GameText(number, text, form)
        source.begin_game()


def _of_array(source: _Limited) -> Iterator[str]:
    depth, builder = 0, ijson.ObjectBuilder()
    try:
        for event, value in ijson.basic_parse(_JsonSource(source), use_float=True):
            opens = event in ("start_array", "start_map")
            depth += opens - (event in ("end_array", "end_map"))
            if depth > DEEPEST:
                raise _too_large()
            if depth == opens:
                continue  # the brackets of the whole array
            builder.event(event, value)
            if depth == 1:
                yield json.dumps(builder.value, ensure_ascii=False)
                source.begin_game()
                builder = ijson.ObjectBuilder()
    except (ijson.JSONError, UnicodeDecodeError, RecursionError) as fault:
        raise InvalidRecord(say("The file is not valid JSON, or it was cut off.")) from fault


def _of_objects(source: _Limited) -> Iterator[str]:
    """Yield JSON objects, one on each line or each over many lines."""
    line = source.next_line(LARGEST_GAME)
    source.check_parts()
    while line:
        text = decode(line)
        if not _is_json(text):
            yield from _of_many_lines(source, text)
            return
        yield text
        source.begin_game()
        line = b"\n"
        while line and not line.strip():
            line = source.next_line(LARGEST_GAME)
        source.check_parts()


def _of_many_lines(source: _Limited, first: str) -> Iterator[str]:
    parts = [first]
    while data := source.read():
        parts.append(data.decode("utf-8", "surrogateescape"))
        source.check_parts()
    text = "".join(parts).encode("utf-8", "surrogateescape")
    decoded = decode(text)
    decoder = json.JSONDecoder()
    begin = 0
    while begin < len(decoded):
        try:
            _, end = decoder.raw_decode(decoded, begin)
        except (ValueError, RecursionError) as fault:
            raise InvalidRecord(say("The file is not valid JSON, or it was cut off.")) from fault
        yield decoded[begin:end]
        space = _SPACE.match(decoded, end)
        begin = space.end() if space else end


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _of_lines(source: _Limited, formats: Mapping[str, Format], name: str | None, longest: int) -> Iterator[str]:
    """Yield texts, each up to the line with which another game begins; what stands before the first belongs to all."""
    head: list[bytes] = []
    length = 0
    line = source.next_line(longest)
    while line and length < _HEAD:
        head.append(line)
        length += len(line)
        line = source.next_line(longest)
    form = find_format(decode(b"".join(head)), formats, name)
    preface: str | None = None
    game: list[str] = []
    for one in chain(head, _rest_of_lines(source, line, longest)):
        text = decode(one)
        if form.begins(text.strip("\n")):
            if preface is None:
                preface = "".join(game)
                if len(preface) > _HEAD:
                    raise InvalidRecord(
                        say("What stands before the first game is longer than {most} characters.", most=_HEAD)
                    )
            else:
                yield preface + "".join(game)
                source.begin_game()
            game = []
        game.append(text)
    yield (preface or "") + "".join(game)


def _rest_of_lines(source: _Limited, line: bytes, longest: int) -> Iterator[bytes]:
    while line:
        yield line
        line = source.next_line(longest)


def decode(data: bytes) -> str:
    """Return a text with a line feed at the end of each line, from UTF-8 or, as old files are, from Windows-1252.

    Raises `InvalidRecord` for bytes that are no text.
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\0" in data or data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InvalidRecord(say("The file is not UTF-8 text, so it is not a saved game."))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")
