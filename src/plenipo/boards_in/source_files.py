"""The files of a source: a file, a folder, a zip or a whole checkout, read with limits and never followed elsewhere."""

import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Mapping
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

from plenipo.engine.sentences import say
from plenipo.errors import InvalidBoardFile

__all__ = ["SourceFiles", "fault_at", "open_source", "shorten"]

MEGABYTE = 1 << 20

LARGEST = 4 * MEGABYTE
"""The most bytes of a file that is read."""

LARGEST_PICTURE = 32 * MEGABYTE
"""The most bytes of a picture that is read."""

LARGEST_ZIP = 256 * MEGABYTE
"""The most bytes of a zip, and of all its files unpacked."""

MOST_FILES = 50_000
"""The most files of a source."""

DENSEST = 200
"""The most bytes that one byte of a zip may become; a bomb becomes thousands."""

SKIPPED = {".git", "node_modules", "__pycache__", ".venv"}
"""Folders without boards."""


class SourceFiles:
    """Files by their paths, with slashes, under the top of the source; `only` is the one a user named, if it is one."""

    def __init__(self, sizes: Mapping[str, int], read: Callable[[str], bytes], only: str = "") -> None:
        self._sizes, self._read, self.only = dict(sorted(sizes.items())), read, only
        self._texts: dict[str, str] = {}

    def __contains__(self, path: str) -> bool:
        return path in self._sizes

    def find(self, *patterns: str) -> list[str]:
        """Return the paths whose last part fits one of the patterns; only the named file, if there is one."""
        paths = [self.only] if self.only else self._sizes
        return [path for path in paths if any(fnmatch(path.rpartition("/")[2], pattern) for pattern in patterns)]

    def beside(self, path: str, name: str) -> str:
        """Return the path of a file that another one names, '' if there is none; `..` leads nowhere."""
        parts = [*PurePosixPath(path).parent.parts, *PurePosixPath(name.replace("\\", "/")).parts]
        joined = "/".join(part for part in parts if part not in (".", "/"))
        return joined if joined in self._sizes else ""

    def under(self, folder: str, suffix: str = "") -> list[str]:
        """Return the paths in a folder and below it that end with `suffix`."""
        start = f"{folder}/" if folder else ""
        return [path for path in self._sizes if path.startswith(start) and path.endswith(suffix)]

    def text(self, path: str, most: int = LARGEST) -> str:
        """Return the text of a file with line feeds alone, whatever its encoding; raise `InvalidBoardFile`."""
        if path not in self._texts:
            text = _decode(self.content(path, most), path)
            self._texts = {path: text, **dict(list(self._texts.items())[:15])}
        return self._texts[path]

    def content(self, path: str, most: int = LARGEST) -> bytes:
        """Return the bytes of a file, if there are not too many; raise `InvalidBoardFile`."""
        if self._sizes.get(path, 0) > most:
            raise fault_at(path, 0, say("it is larger than {number} megabytes.", number=most // MEGABYTE))
        try:
            content = self._read(path)
        except (OSError, KeyError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError) as fault:
            raise fault_at(path, 0, say("it cannot be read.")) from fault
        if len(content) > most:
            raise fault_at(path, 0, say("it is larger than {number} megabytes.", number=most // MEGABYTE))
        return content


def shorten(text: str) -> str:
    """Return the beginning of a text from a source, in one line, as an error quotes it."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text[:200]).split())[:60]


def fault_at(path: str, line: int, why: str) -> InvalidBoardFile:
    """Return the error for a line of a file, or for a whole file if `line` is 0."""
    if line:
        return InvalidBoardFile(say("{file}, line {line}: {fault}", file=path, line=line, fault=why))
    return InvalidBoardFile(say("{file}: {fault}", file=path, fault=why))


def _decode(content: bytes, path: str) -> str:
    """Return bytes as text: by a mark at their start, else UTF-8, else Latin-1."""
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if content.startswith(mark):
            text = content.decode(encoding, "replace")
            break
    else:
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            text = content.decode("latin-1")
    if "\0" in text:
        raise fault_at(path, 0, say("it is not a text."))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def open_source(source: Path) -> SourceFiles:
    """Return the files of a source on disk; raise `OSError` and `InvalidBoardFile`."""
    seen = source.stat()
    if stat.S_ISDIR(seen.st_mode):
        return SourceFiles(_sizes_in(source), lambda path: _bytes_of(source / path))
    if not stat.S_ISREG(seen.st_mode):
        raise InvalidBoardFile(say("'{name}' is neither a file nor a folder.", name=source.name))
    if source.suffix.lower() == ".zip":
        return _open_zip(source, seen.st_size)
    folder = source.resolve().parent
    beside = {path.name: path.stat().st_size for path in folder.iterdir() if path.is_file() and not path.is_symlink()}
    return SourceFiles({**beside, source.name: seen.st_size}, lambda path: _bytes_of(folder / path), source.name)


def _sizes_in(top: Path) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(name for name in folders if name not in SKIPPED and not (Path(folder) / name).is_symlink())
        for name in files:
            path = Path(folder) / name
            seen = path.lstat()
            if stat.S_ISREG(seen.st_mode):
                sizes[path.relative_to(top).as_posix()] = seen.st_size
        if len(sizes) > MOST_FILES:
            why = say("'{name}' has more than {number} files; name a folder in it.", name=top.name, number=MOST_FILES)
            raise InvalidBoardFile(why)
    return sizes


def _bytes_of(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LARGEST_PICTURE + 1)


def _open_zip(source: Path, size: int) -> SourceFiles:
    if size > LARGEST_ZIP:
        raise fault_at(source.name, 0, say("it is larger than {number} megabytes.", number=LARGEST_ZIP // MEGABYTE))
    try:
        archive = zipfile.ZipFile(source)
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError) as fault:
        raise fault_at(source.name, 0, say("it is not a zip that can be read.")) from fault
    for entry in entries:
        parts = PurePosixPath(entry.filename.replace("\\", "/")).parts
        if not parts or ".." in parts or parts[0] == "/" or ":" in parts[0]:
            raise fault_at(
                source.name, 0, say("it names '{path}', which lies outside of it.", path=shorten(entry.filename))
            )
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise fault_at(source.name, 0, say("'{path}' in it is a link.", path=shorten(entry.filename)))
        if entry.file_size > MEGABYTE and entry.file_size > DENSEST * max(entry.compress_size, 1):
            raise fault_at(source.name, 0, say("'{path}' in it unpacks without measure.", path=shorten(entry.filename)))
    if len(entries) > MOST_FILES or sum(entry.file_size for entry in entries) > LARGEST_ZIP:
        raise fault_at(source.name, 0, say("it unpacks to too many or too large files."))

    def read(path: str) -> bytes:
        with archive.open(path) as file:
            return file.read(LARGEST_PICTURE + 1)

    return SourceFiles({entry.filename: entry.file_size for entry in entries}, read)
