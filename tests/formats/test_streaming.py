"""The games of a file, one after the other: every way to keep several, and files that are damaged, hostile or huge."""

import gzip
import io
import json
from collections.abc import Callable
from dataclasses import replace
from typing import BinaryIO

import pytest

from formats.sample_games import play
from plenipo import library
from plenipo.engine.history.messages import Message
from plenipo.errors import InvalidRecord
from plenipo.formats import FORMATS
from plenipo.formats.streaming import LARGEST_GAME, MOST_PARTS, games_in

ONE, TWO = play(1, turns=3), play(2, turns=4)


def read(data: bytes | BinaryIO, name: str | None = None) -> list[tuple[int, str, int]]:
    """The number, format and turns of each game in a file."""
    file = io.BytesIO(data) if isinstance(data, bytes) else data
    return [
        (text.number, text.form.name, len(text.form.read(text.text, library.load).turns))
        for text in games_in(file, FORMATS, name)
    ]


def as_lines(name: str) -> str:
    """Two games, a JSON object on each line."""
    return "".join(json.dumps(json.loads(FORMATS[name].write(game))) + "\n" for game in (ONE, TWO))


def as_array(name: str) -> str:
    """Two games in a JSON array."""
    return json.dumps([json.loads(FORMATS[name].write(game)) for game in (ONE, TWO)])


def one_after_the_other(name: str) -> str:
    """Two games, one text after the other."""
    return "".join(FORMATS[name].write(game) for game in (ONE, TWO))


@pytest.mark.parametrize(
    ("name", "keep"),
    [
        ("diplomacy", as_lines),
        ("diplomacy", as_array),
        ("diplomacy", one_after_the_other),
        ("plenipo", as_lines),
        ("plenipo", as_array),
        ("plenipo", one_after_the_other),
        ("text", one_after_the_other),
        ("droidippy", one_after_the_other),
    ],
)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_two_games_in_one_file_are_read_one_by_one(name: str, keep: Callable[[str], str], *, packed: bool) -> None:
    data = keep(name).encode()
    assert read(gzip.compress(data) if packed else data) == [(1, name, 3), (2, name, 4)]


def test_mixed_line_ends_a_byte_order_mark_and_blank_lines_before_the_game_change_nothing() -> None:
    text = FORMATS["text"].write(ONE)
    mixed = "".join(line + ("\r\n", "\n", "\r")[number % 3] for number, line in enumerate(text.splitlines()))
    assert read(b"\xef\xbb\xbf\n\n" + mixed.encode()) == [(1, "text", 3)]


def test_a_text_in_an_old_encoding_is_read() -> None:
    game = replace(ONE, messages=(Message("France", "Italy", "S1901M", "Trêve à Tunis"),))
    (text,) = games_in(io.BytesIO(FORMATS["text"].write(game).encode("cp1252")), FORMATS)
    assert text.form.read(text.text, library.load).messages == game.messages


class Endless(io.RawIOBase):
    """A file that repeats a piece without end, and counts what was read of it."""

    def __init__(self, start: bytes, piece: bytes) -> None:
        self._start, self._piece = start, piece
        self.count = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, place: int, whence: int = 0) -> int:
        assert (place, whence) == (0, 0)
        self.count = 0
        return 0

    def tell(self) -> int:
        return self.count

    def read(self, size: int = -1) -> bytes:
        assert 0 <= size < 2**26, "the whole of a file without end was asked for"
        turned = max(self.count - len(self._start), 0) % len(self._piece)
        endless = self._piece[turned:] + self._piece * (size // len(self._piece) + 1)
        data = (self._start[self.count :] + endless)[:size]
        self.count += len(data)
        return data

    def readline(self, size: int | None = -1) -> bytes:
        data = self.read(-1 if size is None else size)
        line, mark, _ = data.partition(b"\n")
        self.count -= len(data) - len(line + mark)
        return line + mark


@pytest.mark.parametrize(
    ("start", "piece", "sentence"),
    [
        (b'{"phases": [', b'"' + b"x" * 1000 + b'",', "longer than"),
        (b'{"phases":\n[', b"[],\n", "larger than 16 megabytes"),
        (b"[", b"[[[[", "not valid JSON|larger than 16"),
        (b"[[", b"[],", "larger than 16 megabytes"),
        (b"[", b'{"a":"' + b"x" * 1000 + b'"', "not valid JSON|larger than"),
        (b'[Variant "standard"]\n', b"x" * 1000, "A line is longer than 65536 bytes"),
        (b'[Variant "standard"]\n', b"France: A PAR H\n", "larger than 16 megabytes"),
        (b"{", b" ", "longer than"),
    ],
)
def test_a_file_without_end_is_refused_after_a_bounded_part_of_it(start: bytes, piece: bytes, sentence: str) -> None:
    file = Endless(start, piece)
    with pytest.raises(InvalidRecord, match=sentence):
        read(file)  # type: ignore[arg-type]  # it reads as a file
    assert file.count <= 2 * LARGEST_GAME


def test_json_with_more_values_than_a_game_can_have_is_refused_before_it_is_built() -> None:
    with pytest.raises(InvalidRecord, match="larger than"):
        read(b'{"phases": [' + b"[]," * MOST_PARTS + b"1]}\n")


def test_a_compressed_file_that_unpacks_to_far_more_than_itself_is_refused() -> None:
    bomb = gzip.compress(b"\n" * (4 * LARGEST_GAME))
    assert len(bomb) < LARGEST_GAME // 100
    with pytest.raises(InvalidRecord, match="unpacks to more than 400 times its size"):
        read(bomb)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "The file is empty"),
        (b"\n\n", "The file is empty"),
        (b"hello\n", "This is not a game in a format that is known here"),
        (b"PK\x03\x04zip\n", "This is not a game in a format that is known here"),
        ("== Spring".encode("utf-16"), "not UTF-8 text"),
        (b'{"phases": [', "not valid JSON, or it was cut off"),
        (b'[{"phases": [', "not valid JSON, or it was cut off"),
        (b"{" * 100_000, "not valid JSON, or it was cut off"),
        (b'{"a": 1}\n', "This is not a game in a format that is known here"),
        (gzip.compress(b'{"phases": []}', mtime=0)[:-5], "The compressed file is damaged or was cut off"),
        (b"\x1f\x8bnonsense", "The compressed file is damaged or was cut off"),
    ],
)
def test_what_is_no_game_is_refused_in_one_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(InvalidRecord, match=sentence) as caught:
        read(data)
    assert "\n" not in str(caught.value)


def test_a_format_that_is_named_is_not_guessed() -> None:
    with pytest.raises(InvalidRecord, match="not a JSON object with a list of 'phases'"):
        read(b'{"a": 1}\n', "diplomacy")
