"""A bounded memory for what texts were read as."""

from collections.abc import Hashable
from typing import Generic, TypeVar

__all__ = ["TextCache"]

T = TypeVar("T")

ENTRY = 500
"""About how many bytes an entry takes besides its text."""


class TextCache(Generic[T]):
    """What texts were read as, up to about `most` bytes; the older half is forgotten when it is full.

    Each step is a single operation on a dictionary, so threads may share it without a lock.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._newer: dict[Hashable, T] = {}
        self._older: dict[Hashable, T] = {}
        self._size = 0

    def __len__(self) -> int:
        return len(self._newer) + len(self._older)

    def get(self, key: Hashable) -> T | None:
        """Return what was kept under a key, None if nothing is."""
        found = self._newer.get(key)
        return self._older.get(key) if found is None else found

    def keep(self, key: Hashable, text: str, value: T) -> None:
        """Keep what a text was read as; what would take half of the room alone is not kept."""
        size = ENTRY + len(text)
        if size > self.most // 2:
            return
        if self._size + size > self.most // 2:
            self._older, self._newer, self._size = self._newer, {}, 0
        self._size += size
        self._newer[key] = value
