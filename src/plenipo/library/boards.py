"""The store of boards that changed in play, kept beyond a process so that no game waits for them to be cut anew."""

import logging
from collections.abc import Callable
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from plenipo import engine, maps
from plenipo.maps.cutting.changed_figures import ResultCache

__all__ = ["BOARDS", "keep_boards"]


class _Boards:
    """The shelf of this process: none, until `keep_boards` sets one.

    A board that a shelf cannot read or keep is computed; so a fault of it costs time and nothing else.
    """

    def __init__(self) -> None:
        self.shelf: ResultCache | None = None

    @cached_property
    def _program(self) -> str:
        """A word for the program that works out boards: another one once it has changed."""
        files = [path for package in (engine, maps) for path in Path(package.__path__[0]).rglob("*.py")]
        return sha256(b"".join(path.read_bytes() for path in sorted(files))).hexdigest()

    def _name(self, name: str) -> str:
        return sha256(f"{self._program} {name}".encode()).hexdigest()

    def read(self, name: str) -> str | None:
        """Return the text stored under a name; None if there is none or it is damaged."""
        if self.shelf is None:
            return None
        try:
            kept = self.shelf.read(self._name(name))
        except Exception:  # whatever it was, it can be worked out
            logging.getLogger(__name__).warning("a board cannot be read; it is worked out", exc_info=True)
            return None
        if kept is None:
            return None
        checksum, _, text = kept.partition("\n")
        if checksum != _checksum(text):
            logging.getLogger(__name__).warning("a board that was kept is damaged; it is worked out")
            return None
        return text

    def keep(self, name: str, write: Callable[[], str]) -> None:
        """Keep what `write` gives under a name."""
        if self.shelf is None:
            return
        try:
            self.shelf.keep(self._name(name), lambda: _with_checksum(write()))
        except Exception:  # whatever it was, it can be worked out again
            logging.getLogger(__name__).warning("a board cannot be kept", exc_info=True)


def _with_checksum(text: str) -> str:
    """Return a text in its stored form, which shows damage: a damaged text may still be readable as a wrong board."""
    return f"{_checksum(text)}\n{text}"


def _checksum(text: str) -> str:
    return sha256(text.encode()).hexdigest()


BOARDS = _Boards()
"""The shelf of this process."""


def keep_boards(shelf: ResultCache | None) -> None:
    """Keep boards on a shelf from now on, or on none."""
    BOARDS.shelf = shelf
