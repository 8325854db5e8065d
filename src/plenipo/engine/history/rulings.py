"""Rulings: the changes of a game master to the history of a game, each with a reason; nothing is erased.

An entry of a game is a turn or a ruling. A rollback contains the entries that it undid.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

from plenipo.engine.history.turns import Turn
from plenipo.engine.position import Position, Power

__all__ = [
    "Back",
    "Edited",
    "HistoryEntry",
    "Placed",
    "ReadAs",
    "Ruling",
    "Sealed",
    "Unread",
    "in_order",
    "seal_text",
    "standing",
]


@dataclass(frozen=True)
class Sealed:
    """A text of which the record has the SHA-256 of salt and text; both are beside it, or are withheld."""

    digest: str
    salt: str = ""
    text: str | None = None

    @property
    def withheld(self) -> "Sealed":
        """The same without salt and text."""
        return Sealed(self.digest)

    @property
    def holds(self) -> bool:
        """True if the text, where it is present, is the sealed one."""
        return self.text is None or seal_text(self.text, self.salt).digest == self.digest


def seal_text(text: str, salt: str) -> Sealed:
    """Return a text sealed with a salt, which must be unguessable where the text is to be withheld."""
    return Sealed(hashlib.sha256(f"{salt}\n{text}".encode()).hexdigest(), salt, text)


@dataclass(frozen=True)
class Back:
    """A rollback: the game continues after its first `keep` turns; the later ones are `undone`."""

    keep: int
    undone: "Sequence[HistoryEntry]"
    reason: Sealed
    journal: str = ""


@dataclass(frozen=True)
class Edited:
    """The game continues from another position."""

    position: Position
    reason: Sealed
    journal: str = ""


@dataclass(frozen=True)
class ReadAs:
    """A correction: an order of a power, in the next turn, is read as another; that turn contains the other."""

    power: Power
    order: str
    read: str
    reason: Sealed
    journal: str = ""


Ruling = Back | Edited | ReadAs
HistoryEntry = Turn | Ruling
Placed = tuple[int, Ruling]
"""A ruling, with the number of turns in force before it."""


def standing(turns: Iterable[Turn], rulings: Iterable[Placed], played: int = 0) -> Iterator[HistoryEntry]:
    """Yield turns, after `played` earlier ones, and rulings in order; without the turns that were undone."""
    rest = list(rulings)
    for number, turn in enumerate(turns, played):
        while rest and rest[0][0] <= number:
            yield rest.pop(0)[1]
        yield turn
    yield from (ruling for _, ruling in rest)


def in_order(turns: Iterable[Turn], rulings: Iterable[Placed]) -> Iterator[HistoryEntry]:
    """Yield turns and rulings in order; undone turns come before the ruling that undid them."""
    for entry in standing(turns, rulings):
        yield from _with_undone(entry)


def _with_undone(entry: HistoryEntry) -> Iterator[HistoryEntry]:
    for undone in entry.undone if isinstance(entry, Back) else ():
        yield from _with_undone(undone)
    yield entry


class Unread(Sequence[HistoryEntry]):
    """Entries that are read on demand."""

    def __init__(self, read: Callable[[], Sequence[HistoryEntry]]) -> None:
        self._load = read

    @cached_property
    def _entries(self) -> Sequence[HistoryEntry]:
        return self._load()

    def __reduce__(self) -> tuple[Callable[..., Sequence[HistoryEntry]], tuple[Sequence[HistoryEntry]]]:
        """Pickle and copy the entries themselves: another process cannot read where these are read from."""
        return tuple, (tuple(self),)

    @overload
    def __getitem__(self, number: int) -> HistoryEntry: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[HistoryEntry]: ...
    def __getitem__(self, number: int | slice) -> HistoryEntry | Sequence[HistoryEntry]:
        return self._entries[number]

    def __len__(self) -> int:
        return len(self._entries)

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Sequence) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))
