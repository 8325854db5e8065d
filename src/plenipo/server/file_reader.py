"""Uploaded files and game records, read by a program of our own, so that a hostile one stops no server.

A file of some megabytes can keep a reader busy for long, with Python's lock held, or take much memory. A task is the
text of a file with the `number` of a game, or a game record, whose number is 0; an answer is the record of the game
with the format of the file, or an error.
"""

import json
import pickle
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from plenipo.engine.history.record import encode_game
from plenipo.engine.sentences import SentenceKind
from plenipo.errors import InvalidRecord, InvalidVariant, PlenipoError, UnknownName
from plenipo.library import plugins
from plenipo.server.opened_files import read_file
from plenipo.server.programs import PATIENCE, Programs, Refusals, serve
from plenipo.server.uploads import RECORD_UNREADABLE, CheckedRecord, check_record

__all__ = ["RECORD", "FileReader", "FileRecord", "InvalidBodyError", "main"]

MOST_MEMORY = 1 << 30
"""The most bytes of memory of the program, where the system has such limits."""

_MANY = SentenceKind("server-files-many", "Too many files are being read now; try again in a moment.")
_SLOW = SentenceKind("server-files-slow", "Files take too long to read now; try again in a moment.")
_STOPPED = SentenceKind(
    "server-file-stopped", "The file takes too long to read; send one game of it, or convert it with 'plenipo convert'."
)

ERRORS: dict[str, type[PlenipoError]] = {kind.__name__: kind for kind in (InvalidRecord, InvalidVariant, UnknownName)}
"""The errors of the reader that are raised again, by their names; others are those of a file that cannot be read."""


RECORD = TypeAdapter(dict[str, Any])
"""The form of a game record, before anything in it is read."""


class InvalidBodyError(ValueError):
    """A body is no JSON object; `errors` are those of `pydantic.ValidationError`."""

    def __init__(self, errors: list[Any]) -> None:
        super().__init__("the body is no JSON object")
        self.errors = errors


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
        content, about = self._ask(text.encode("utf-8", "replace"), number)
        return FileRecord(json.loads(content), **about)

    def check(self, body: bytes) -> CheckedRecord:
        """Return the game record in a body, read and checked.

        Raise the errors of `check_record`, `InvalidBodyError` if the body is no JSON object, `TooBusy` if too many
        files are read, and `PlenipoError` if it takes too long.
        """
        content, about = self._ask(body, 0)
        return CheckedRecord(json.loads(content), about["computers"])

    def _ask(self, content: bytes, number: int) -> tuple[bytes, dict[str, Any]]:
        """Return the record of a game as JSON, and what is answered about it."""
        library = {"folders": list(map(str, plugins.added_folders())), "trust": plugins.code_is_trusted()}
        head, answer = self.programs.ask(content, number=number, **library)
        if head["ok"]:
            return answer, head["about"]
        told = pickle.loads(answer)  # noqa: S301  # written by our own program, and JSON would lose its kind
        if head["error"] == InvalidBodyError.__name__:
            raise InvalidBodyError(told)
        raise ERRORS.get(head["error"], InvalidRecord)(told)

    def close(self) -> None:
        """End the programs that have nothing to do."""
        self.programs.close()


def _read(head: dict[str, Any], content: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the game of a task as a record, or the error that it raises."""
    plugins.add_folders(map(Path, head["folders"]))
    plugins.trust_code(allowed=head["trust"])
    try:
        about, record = _read_file(content.decode(), head["number"]) if head["number"] else _check(content)
        return {"ok": True, "about": about}, json.dumps(record, allow_nan=False).encode()
    except PlenipoError as fault:
        return {"ok": False, "error": type(fault).__name__}, pickle.dumps(fault.sentence)
    except InvalidBodyError as fault:
        return {"ok": False, "error": InvalidBodyError.__name__}, pickle.dumps(fault.errors)
    except ValueError:  # a number that JSON does not have
        return {"ok": False, "error": InvalidRecord.__name__}, pickle.dumps(RECORD_UNREADABLE())


def _check(content: bytes) -> tuple[dict[str, Any], Any]:
    """Return the computer players of a record, and the record."""
    try:
        value = RECORD.validate_json(content)
    except ValidationError as fault:
        raise InvalidBodyError(fault.errors(include_url=False, include_input=False)) from fault
    checked = check_record(value)
    return {"computers": dict(checked.computers)}, checked.record


def _read_file(text: str, number: int) -> tuple[dict[str, Any], Any]:
    """Return what is answered about a game of a file, and its record."""
    opened = read_file(text, number)
    about = {
        "format": opened.form.name,
        "phases": len(opened.game.turns),
        "messages": len(opened.game.messages),
        "differences": opened.differences,
        "several": opened.several,
    }
    return about, encode_game(opened.game)


def main() -> None:
    """Read what comes from standard input until it ends."""
    with suppress(ImportError, OSError, ValueError):  # a system without such limits
        import resource  # noqa: PLC0415  # not on every system

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    serve(_read)


if __name__ == "__main__":
    main()
