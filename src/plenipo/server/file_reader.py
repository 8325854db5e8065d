"""Files of other programs, read by a program of our own, so that a hostile file stops no server.

A file of some megabytes can keep a reader busy for long, with Python's lock held, or take much memory. A task is the
text of a file with the `number` of a game; an answer is the record of the game with what the file is, or an error.
"""

import json
import pickle
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from plenipo.engine.history import record
from plenipo.engine.sentences import SentenceKind
from plenipo.errors import InvalidRecord, InvalidVariant, PlenipoError, UnknownName
from plenipo.server.opened_files import read_file
from plenipo.server.programs import PATIENCE, Programs, Refusals, serve

__all__ = ["FileReader", "FileRecord", "main"]

MOST_MEMORY = 1 << 30
"""The most bytes of memory of the program, where the system has such limits."""

_MANY = SentenceKind("server-files-many", "Too many files are being read now; try again in a moment.")
_SLOW = SentenceKind("server-files-slow", "Files take too long to read now; try again in a moment.")
_STOPPED = SentenceKind(
    "server-file-stopped", "The file takes too long to read; send one game of it, or convert it with 'plenipo convert'."
)

ERRORS: dict[str, type[PlenipoError]] = {kind.__name__: kind for kind in (InvalidRecord, InvalidVariant, UnknownName)}
"""The errors of the reader that are raised again, by their names; others are those of a file that cannot be read."""


@dataclass(frozen=True)
class FileRecord:
    """A game of a file as a record, the name of the format, and what is answered about the game.

    `differences` is the number of positions that differ from those that follow by the rules; `several` is True if the
    file has other games too.
    """

    record: Any
    format: str
    phases: int
    messages: int
    differences: int
    several: bool


class FileReader:
    """Reads files in a program of its own; safe to use from several threads."""

    def __init__(self, *, patience: float = PATIENCE, command: Any = None, **more: int) -> None:
        command = command or [sys.executable, "-m", "plenipo.server.file_reader"]
        self.programs = Programs(command, Refusals(_MANY(), _SLOW(), _STOPPED()), patience=patience, **more)

    def read(self, text: str, number: int) -> FileRecord:
        """Return game `number` of a text in any format, from 1 on.

        Raise the errors of `read_file`, `TooBusy` if too many files are read, and `PlenipoError` if it takes too long.
        """
        head, content = self.programs.ask(text.encode("utf-8", "replace"), number=number)
        if not head["ok"]:
            sentence = pickle.loads(content)  # noqa: S301  # written by our own program, and JSON would lose its kind
            raise ERRORS.get(head["error"], InvalidRecord)(sentence)
        return FileRecord(json.loads(content), **head["about"])

    def close(self) -> None:
        """End the programs that have nothing to do."""
        self.programs.close()


def _read(head: dict[str, Any], content: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the game of a task as a record, or the error that it raises."""
    try:
        opened = read_file(content.decode(), head["number"])
    except PlenipoError as fault:
        return {"ok": False, "error": type(fault).__name__}, pickle.dumps(fault.sentence)
    about = {
        "format": opened.form.name,
        "phases": len(opened.game.turns),
        "messages": len(opened.game.messages),
        "differences": opened.differences,
        "several": opened.several,
    }
    return {"ok": True, "about": about}, json.dumps(record.encode_game(opened.game)).encode()


def main() -> None:
    """Read what comes from standard input until it ends."""
    with suppress(ImportError, OSError, ValueError):  # a system without such limits
        import resource  # noqa: PLC0415  # not on every system

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    serve(_read)


if __name__ == "__main__":
    main()
