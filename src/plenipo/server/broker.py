"""Announcements to browsers: events and their receivers, across threads and servers.

Each listener of a game has a queue. Changes by this server are announced at once; changes by another server on the
same database are found by the revisions of the games that have listeners.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from plenipo.server.texts import encode_text

__all__ = ["MARKS", "Announcement", "Broker", "Listener", "time_event"]

WAITING = 100
"""The most events that wait for one listener; a listener further behind is sent `behind` and loads again."""


MARKS: Final = "marks"
"""The viewpoint of viewers who see the ready marks, in a game that hides them from others."""


@dataclass(frozen=True)
class Announcement:
    """Something that happened in a hosted game.

    `private` goes only to viewers who see the order set of `power`, `public` to all others; either may be None. With
    `readers` it goes only to listeners with one of these tenures.
    """

    kind: str
    public: Mapping[str, Any] | None = None
    private: Mapping[str, Any] | None = None
    power: str | None = None
    readers: frozenset[int] | None = None

    def for_eyes(self, powers: frozenset[str]) -> Mapping[str, Any] | None:
        """Return the part visible to viewers who see the order sets of `powers`, None if there is none."""
        return self.private if self.power is not None and self.power in powers else self.public


def time_event(phase_number: int, why: str = "") -> dict[str, object]:
    """Return the data of a `time` event: the open phase, and what changed, in words and for programs to translate."""
    return {"phase_number": phase_number, "why": str(why), **({"sentence": encode_text(why)} if why else {})}


@dataclass(eq=False)
class Listener:
    """One browser that listens to games with its tenures in each; `loop` is the event loop of its queue."""

    powers: frozenset[str]
    tenures: frozenset[tuple[str, int]]
    loop: asyncio.AbstractEventLoop
    queue: "asyncio.Queue[tuple[str, Mapping[str, Any]]]" = field(default_factory=lambda: asyncio.Queue(WAITING))

    def put(self, kind: str, data: Mapping[str, Any]) -> None:
        """Queue an event, from the listener's own loop."""
        if self.queue.full():
            while not self.queue.empty():
                self.queue.get_nowait()
            kind, data = "behind", {}
        self.queue.put_nowait((kind, data))


class Broker:
    """The listeners of each game. `announce` may be called from any thread; the rest belongs to the event loop."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = defaultdict(set)
        self.notify: Callable[[], None] | None = None
        """The function called for each announcement, also without listeners."""

    @contextmanager
    def listening(
        self, powers: frozenset[str], *games: str, tenures: frozenset[tuple[str, int]] = frozenset()
    ) -> Iterator[Listener]:
        """Listen to games as a viewer who sees the order sets of `powers` and has `tenures`, each with its game."""
        listener = Listener(powers, tenures, asyncio.get_running_loop())
        for game in games:
            self._listeners[game].add(listener)
        try:
            yield listener
        finally:
            for game in games:
                self._listeners[game].discard(listener)
                if not self._listeners[game]:
                    del self._listeners[game]

    def games(self) -> tuple[str, ...]:
        """Return the games with listeners."""
        return tuple(self._listeners)

    def listeners(self) -> int:
        """Return the number of listening browsers."""
        return len(set().union(*tuple(self._listeners.values())))

    def has_listeners(self, game: str) -> bool:
        """Return whether a game has listeners."""
        return game in self._listeners

    def announce(self, game: str, announcement: Announcement) -> None:
        """Send an announcement to the listeners of the game."""
        if self.notify is not None:
            self.notify()
        to = announcement.readers
        for listener in tuple(self._listeners.get(game, ())):
            if to is not None and listener.tenures.isdisjoint((game, number) for number in to):
                continue
            data = announcement.for_eyes(listener.powers)
            if data is not None and not listener.loop.is_closed():
                listener.loop.call_soon_threadsafe(listener.put, announcement.kind, data)
