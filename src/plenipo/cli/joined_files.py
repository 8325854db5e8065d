"""Files, folders and zips with games, each opened as one file: the game of a run, or the pages of a game one by one."""

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NoReturn

from plenipo.cli.options import refuse
from plenipo.languages.current import _
from plenipo.user_files import LARGEST, check

__all__ = ["open_source"]

RUN_FILE = "lmvsgame.json"
"""The game in a folder of a run of AI_Diplomacy."""

MOST_FILES = 5000
"""The most files of a zip."""

_HEAD = 2000
_ENCRYPTED = 1


@contextmanager
def open_source(path: Path) -> Iterator[BinaryIO]:
    """Open a file, or all files of a folder or zip as one; raise `OSError` for a file that cannot be read."""
    if path.is_dir():
        run = path / RUN_FILE
        names = [run] if run.is_file() else sorted(one for one in path.iterdir() if one.is_file())
        yield _join(path, (_read_file(one) for one in names if not one.name.startswith(".")))
        return
    check(path, None)
    with path.open("rb") as file:
        packed = file.read(4) == b"PK\x03\x04"
        file.seek(0)
        if not packed:
            yield file
            return
        try:
            with zipfile.ZipFile(file) as archive:
                joined = _join(path, _read_members(path, archive))
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError):
            _refuse_zip(path)
    yield joined


def _refuse_zip(path: Path) -> NoReturn:
    refuse(_("'{file}' is a zip that is damaged, encrypted or of an unknown kind.", file=path))


def _read_file(path: Path) -> bytes:
    check(path, LARGEST)
    return path.read_bytes()


def _read_members(path: Path, archive: zipfile.ZipFile) -> Iterator[bytes]:
    """Yield the files of a zip; hidden ones and those that belong to a saved page, such as its pictures, are left."""
    members = sorted(archive.infolist(), key=lambda one: one.filename)
    if len(members) > MOST_FILES:
        refuse(_("'{file}' has more than {most} files.", file=path, most=MOST_FILES))
    runs = [one for one in members if PurePosixPath(one.filename).name == RUN_FILE]
    for member in runs[:1] or members:
        parts = PurePosixPath(member.filename).parts
        beside = any(part.startswith((".", "__")) or part.endswith("_files") for part in parts)
        if member.flag_bits & _ENCRYPTED:
            _refuse_zip(path)
        if not member.is_dir() and not beside:
            with archive.open(member) as file:
                yield file.read(LARGEST + 1)


def _join(path: Path, contents: Iterator[bytes]) -> BytesIO:
    """Return the contents one after the other; pages are taken without their pictures."""
    joined = bytearray()
    for content in contents:
        joined += _drop_pictures(content) + b"\n"
        if len(joined) > LARGEST:
            refuse(_("The files of '{folder}' are too large together.", folder=path))
    return BytesIO(joined)


def _drop_pictures(content: bytes) -> bytes:
    """Return a page without its drawings, which are most of a saved page; anything else as it is."""
    if b"<html" not in content[:_HEAD].lower():
        return content
    lower, kept, at = content.lower(), [], 0
    while (start := lower.find(b"<svg", at)) >= 0 and (end := lower.find(b"</svg>", start)) >= 0:
        kept.append(content[at:start])
        at = end
    return b"".join((*kept, content[at:]))
