"""Read the files that a user names or writes: regular files of a sensible size, and nothing else.

A device, a pipe or a file of many gigabytes would be read without an end; it is refused before the first byte is read.
"""

import errno
import stat
from pathlib import Path

__all__ = ["LARGEST", "LARGEST_RECORD", "check", "read_text", "stamp_of"]

MEGABYTE = 1 << 20

LARGEST = 32 * MEGABYTE
"""The most bytes of a file that a person writes: a variant, a map, cases, orders, a program."""

LARGEST_RECORD = 256 * MEGABYTE
"""The most bytes of a saved game, or of a file of a match."""


def check(path: Path, largest: int | None = LARGEST) -> None:
    """Raise `OSError` for a path that is no regular file, or one of more than `largest` bytes."""
    seen = path.stat()
    if stat.S_ISDIR(seen.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder, not a file", str(path))
    if not stat.S_ISREG(seen.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
    if largest is not None and seen.st_size > largest:
        raise _too_large(path, largest)


def stamp_of(path: Path) -> int:
    """Return the time at which a file or folder was last changed, in nanoseconds; 0 if it is not there."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def read_text(path: Path, largest: int = LARGEST, errors: str = "strict") -> str:
    """Return the text of a file of at most `largest` bytes, with a line feed at the end of each line.

    `errors` says what happens to bytes that are not UTF-8, as in `bytes.decode`. Raises `OSError`, also for a device,
    a pipe or a larger file, and `UnicodeDecodeError`.
    """
    check(path, largest)
    with path.open("rb") as file:
        content = file.read(largest + 1)  # the file may have grown since, or reported no size, as files of /proc do
    if len(content) > largest:
        raise _too_large(path, largest)
    return content.decode("utf-8", errors).replace("\r\n", "\n").replace("\r", "\n")


def _too_large(path: Path, largest: int) -> OSError:
    return OSError(errno.EFBIG, f"it is larger than {largest // MEGABYTE} megabytes", str(path))
