"""The turns of a game: a sequence whose older part may still be unread, and is read on demand.

A game continues from its newest position alone, however long it is. A program that stores games gives `Turns` a source
for the earlier ones; it reads each of them once, on demand.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, overload

from plenipo.engine.immutable import FrozenMap, Immutable, name_text
from plenipo.engine.outcome import Resolution
from plenipo.engine.position import Position, Power

__all__ = ["Source", "Turn", "Turns"]


@dataclass(frozen=True)
class Turn(Immutable):
    """A phase that is over: the orders exactly as they were given, and their resolution."""

    orders: Mapping[Power, tuple[str, ...]]
    resolution: Resolution
    version: int | None = None
    """The version of the record from which it was read, if that is older than the current one."""
    journal: str = ""
    """The head of the game log when the turn was played; empty without one."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "orders", FrozenMap(self.orders))

    def __repr__(self) -> str:
        return name_text(self, f"{self.resolution.before.phase}, {len(self.resolution.outcomes)} outcomes")


class Source(Protocol):
    """A source of turns; it returns the same turns at every call."""

    def turns(self, first: int, last: int) -> Sequence[Turn]:
        """Return the turns from number `first` to before `last`; raises `InvalidRecord` for one that was changed."""
        ...

    def after(self, number: int) -> Position:
        """Return the position after a turn, without the turn itself; raises as `turns` does."""
        ...


class Turns(Sequence[Turn]):
    """Turns in their order, numbered from 0; immutable. Equal to any sequence of the same turns.

    The first `unread` are those of `source`, the others are `read`.
    """

    __slots__ = ("_read", "_source", "_unread")

    def __init__(self, read: Sequence[Turn] = (), source: Source | None = None, unread: int = 0) -> None:
        self._read, self._source, self._unread = tuple(read), source, unread

    def __len__(self) -> int:
        return self._unread + len(self._read)

    @overload
    def __getitem__(self, number: int) -> Turn: ...
    @overload
    def __getitem__(self, number: slice) -> "Turns": ...
    def __getitem__(self, number: int | slice) -> "Turn | Turns":
        if isinstance(number, slice):
            first, last, step = number.indices(len(self))
            if first == 0 and step == 1:
                return self.first(last)
            return Turns([self[place] for place in range(first, last, step)])
        place = number + len(self) if number < 0 else number
        if not 0 <= place < len(self):
            raise IndexError(f"There are {len(self)} turns, and none numbered {number}.")
        if self._source is not None and place < self._unread:
            return self._source.turns(place, place + 1)[0]
        return self._read[place - self._unread]

    def __iter__(self) -> Iterator[Turn]:
        if self._source is not None:
            yield from self._source.turns(0, self._unread)
        yield from self._read

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Turns | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<{len(self)} turns, {self._unread} of them unread>" if self._unread else f"<{len(self)} turns>"

    def __reduce__(self) -> "tuple[type[Turns], tuple[tuple[Turn, ...]]]":
        return Turns, (tuple(self),)

    def __copy__(self) -> "Turns":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "Turns":
        return self

    def with_turn(self, turn: Turn) -> "Turns":
        """Return these turns and one more."""
        return Turns((*self._read, turn), self._source, self._unread)

    def first(self, count: int) -> "Turns":
        """Return the first `count` of them, without reading any."""
        if count <= self._unread:
            return Turns((), self._source, max(count, 0))
        return Turns(self._read[: count - self._unread], self._source, self._unread)

    def after(self, number: int) -> Position:
        """Return the position after a turn; nothing else of an unread turn is read."""
        place = number + len(self) if number < 0 else number
        if self._source is not None and 0 <= place < self._unread:
            return self._source.after(place)
        return self[place].resolution.after
