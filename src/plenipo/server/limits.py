"""How often somebody may do what costs the server something: so many times within a period."""

from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address
from threading import Lock

from cachetools import LRUCache

from plenipo.engine.wording import count
from plenipo.server.clock import Clock
from plenipo.server.errors import TooOften

__all__ = ["AtOnce", "Limit"]

MOST_PEOPLE = 10_000
"""Of how many addresses is remembered what they did."""


class Limit:
    """At most `most` times within `period` `place`; this machine itself is not limited."""

    def __init__(self, what: str, most: int, period: timedelta, clock: Clock, place: str = "from one address") -> None:
        self.what, self.most, self.period, self.clock, self.place = what, most, period, clock, place
        self._times: LRUCache[str, deque[datetime]] = LRUCache(MOST_PEOPLE)
        self._guard = Lock()

    def take(self, address: str) -> None:
        """Count one more time; raises `TooOften` if that is too many."""
        who, now = _network(address), self.clock.now()
        if who is None:
            return
        with self._guard:
            times = self._times.setdefault(who, deque(maxlen=self.most))
            if len(times) == self.most and now - times[0] < self.period:
                minutes = -(-(times[0] + self.period - now) // timedelta(minutes=1))
                raise TooOften(f"Too many {self.what} {self.place}; try again in {count(minutes, 'minute')}.")
            times.append(now)


class AtOnce:
    """At most `most` of something at the same time for each person, or each address where nobody is signed in."""

    def __init__(self, what: str, most: int) -> None:
        self.what, self.most = what, most
        self._open: Counter[str] = Counter()
        self._guard = Lock()

    def look(self, person: str | None, address: str) -> str:
        """For whom one more is counted, empty for this machine, which is not limited; raises `TooOften`."""
        who = person or _network(address) or ""
        if who and self._open[who] >= self.most:
            raise TooOften(f"There are {self.most} {self.what} already; close one first.")
        return who

    @contextmanager
    def one(self, who: str) -> Iterator[None]:
        """Count one for as long as this lasts."""
        with self._guard:
            self._open[who] += 1
        try:
            yield
        finally:
            with self._guard:
                self._open[who] -= 1
                if self._open[who] <= 0:
                    del self._open[who]


def _network(address: str) -> str | None:
    """Who an address stands for: itself, or in IPv6 its network; None for this machine."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if ip.is_loopback:
        return None
    return ":".join(ip.exploded.split(":")[:4]) if isinstance(ip, IPv6Address) else address
