"""Mutated files are imported or refused with one sentence, and never anything else."""

from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from boards_in.samples import MDF, SAMPLES
from plenipo.boards_in import READERS, SourceFiles, variant_files
from plenipo.errors import InvalidBoardFile

FILES = [(reader, texts, name) for reader, texts in (*SAMPLES.items(), ("daide", MDF)) for name in texts]
PIECES = [
    "(",
    ")",
    "[",
    "]",
    "'",
    '"',
    ",",
    "=",
    "\n",
    "-1",
    "\0",
    "/",
    "//",
    "<",
    "&",
    "é",
    "A" * 300,
    "9" * 30,
    "array(",
    "USE isle",
    "{",
    "}",
]

edits = st.lists(
    st.tuples(st.integers(0, 10_000), st.integers(0, 40), st.sampled_from([*PIECES, ""])), min_size=1, max_size=4
)


def read_all(reader: str, contents: dict[str, bytes]) -> int:
    """Read every board that a reader finds in some files; return how many it yields."""
    files = SourceFiles({name: len(content) for name, content in contents.items()}, contents.__getitem__)
    done = 0
    for key in READERS[reader].find(files):
        with suppress(InvalidBoardFile):
            done += bool(variant_files(READERS[reader].read(files, key)))
    return done


@settings(max_examples=250, deadline=None)
@given(st.sampled_from(FILES), edits)
def test_a_mutated_file_is_imported_or_refused(
    file: tuple[str, dict[str, str], str], edits: list[tuple[int, int, str]]
) -> None:
    reader, texts, name = file
    content = texts[name].encode()
    for at, length, piece in edits:
        start = at % (len(content) + 1)
        content = content[:start] + piece.encode() + content[start + length :]
    read_all(reader, {other: text.encode() for other, text in texts.items()} | {name: content})


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(FILES), st.binary(max_size=300))
def test_bytes_of_any_kind_are_refused(file: tuple[str, dict[str, str], str], content: bytes) -> None:
    reader, texts, name = file
    read_all(reader, {other: text.encode() for other, text in texts.items()} | {name: content})
