"""Rulings: what a game master changes in the history of a game, each with a reason; nothing of it is erased.

An entry of a game is a turn or a ruling. A ruling that goes back holds the entries that it struck.
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
    "Entry",
    "Placed",
    "ReadAs",
    "Ruling",
    "Sealed",
    "Unread",
    "in_order",
    "sealed",
    "standing",
]


@dataclass(frozen=True)
class Sealed:
    """A text of which the record has the SHA-256 of salt and text; the two stand beside it, or are withheld."""

    digest: str
    salt: str = ""
    text: str | None = None

    @property
    def withheld(self) -> "Sealed":
        """The same without what it says."""
        return Sealed(self.digest)

    @property
    def holds(self) -> bool:
        """Whether the text is the one that was sealed, if it is there."""
        return self.text is None or sealed(self.text, self.salt).digest == self.digest


def sealed(text: str, salt: str) -> Sealed:
    """A text sealed with a salt, which must be unguessable where the text is to be kept back."""
    return Sealed(hashlib.sha256(f"{salt}\n{text}".encode()).hexdigest(), salt, text)


@dataclass(frozen=True)
class Back:
    """The game goes on after its first `keep` turns; what came after them is `struck`."""

    keep: int
    struck: "Sequence[Entry]"
    reason: Sealed
    journal: str = ""


@dataclass(frozen=True)
class Edited:
    """The game goes on from another position."""

    position: Position
    reason: Sealed
    journal: str = ""


@dataclass(frozen=True)
class ReadAs:
    """An order of a power, in the next turn, is read as another; that turn has the other."""

    power: Power
    order: str
    read: str
    reason: Sealed
    journal: str = ""


Ruling = Back | Edited | ReadAs
Entry = Turn | Ruling
Placed = tuple[int, Ruling]
"""A ruling, after so many turns that were played before it and stand."""


def standing(turns: Iterable[Turn], rulings: Iterable[Placed], played: int = 0) -> Iterator[Entry]:
    """Turns, before which so many were played, and rulings, as they were made; without what was struck."""
    rest = list(rulings)
    for number, turn in enumerate(turns, played):
        while rest and rest[0][0] <= number:
            yield rest.pop(0)[1]
        yield turn
    yield from (ruling for _, ruling in rest)


def in_order(turns: Iterable[Turn], rulings: Iterable[Placed]) -> Iterator[Entry]:
    """Turns and rulings as they were made; what was struck stands before the ruling that struck it."""
    for entry in standing(turns, rulings):
        yield from _with_struck(entry)


def _with_struck(entry: Entry) -> Iterator[Entry]:
    for struck in entry.struck if isinstance(entry, Back) else ():
        yield from _with_struck(struck)
    yield entry


class Unread(Sequence[Entry]):
    """Entries that are read when somebody asks for them."""

    def __init__(self, read: Callable[[], Sequence[Entry]]) -> None:
        self._load = read

    @cached_property
    def _entries(self) -> Sequence[Entry]:
        return self._load()

    @overload
    def __getitem__(self, number: int) -> Entry: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Entry]: ...
    def __getitem__(self, number: int | slice) -> Entry | Sequence[Entry]:
        return self._entries[number]

    def __len__(self) -> int:
        return len(self._entries)

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Sequence) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))
