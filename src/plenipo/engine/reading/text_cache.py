"""A bounded cache for the readings of texts."""

from collections.abc import Hashable
from typing import Generic, TypeVar

__all__ = ["TextCache"]

T = TypeVar("T")

ENTRY = 500
"""The approximate number of bytes of an entry without its text."""


class TextCache(Generic[T]):
    """The readings of texts, up to about `most` bytes; the older half is dropped when the cache is full.

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
        """Return the value stored under a key, None if there is none."""
        found = self._newer.get(key)
        return self._older.get(key) if found is None else found

    def keep(self, key: Hashable, text: str, value: T) -> None:
        """Store the reading of a text; one that would take half of the space alone is not stored."""
        size = ENTRY + len(text)
        if size > self.most // 2:
            return
        if self._size + size > self.most // 2:
            self._older, self._newer, self._size = self._newer, {}, 0
        self._size += size
        self._newer[key] = value
