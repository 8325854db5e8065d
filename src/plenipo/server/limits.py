"""Rate limits: how often one person or one network may do what costs the server something.

`RATES` is the one table of them. They are counted in the database, so that they hold for all processes of a server
together and after a restart.
"""

import asyncio
import hashlib
import hmac
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from ipaddress import IPv6Address, ip_address
from threading import Lock

from cachetools import LRUCache

from plenipo.engine.amounts import count_things
from plenipo.engine.sentences import SentenceKind
from plenipo.languages import mark
from plenipo.server import keys
from plenipo.server.clock import Clock
from plenipo.server.errors import TooBusy, TooOften
from plenipo.server.store.counters import Counters

__all__ = ["RATES", "AtOnce", "Limits", "Queue", "Rate", "is_this_machine", "network_prefix"]

_TOO_OFTEN = SentenceKind("server-too-often", "Too many {what} {place}; try again in {time}.")
_TOO_MANY_OPEN = SentenceKind("server-too-many-open", "There are already {most} {what}; close one first.")

HELD = 10_000
"""The number of subjects for which a process holds reserved counts."""

PARTS = 20
"""A process reserves a part of a limit at a time, this share of it, and so asks the database that much less often."""

PLACES = {
    "person": mark("by one person"),
    "network": mark("from one address"),
    "mail": mark("to one mail address"),
}
"""The kinds of subjects that are counted, as the sentence of a refusal names them."""

HOUR, TEN_MINUTES, DAY = timedelta(hours=1), timedelta(minutes=10), timedelta(days=1)


@dataclass(frozen=True)
class Rate:
    """A limit: at most so many times within a `period`, by one `person`, from one `network`, to one `mail` address.

    The period begins with the first time. `what` completes the sentence "Too many …". None where that subject is not
    counted.
    """

    what: str
    period: timedelta
    person: int | None = None
    network: int | None = None
    mail: int | None = None


RATES: Mapping[str, Rate] = {
    "games": Rate(mark("games were opened"), HOUR, person=60, network=60),
    "uploads": Rate(mark("saved games were uploaded"), HOUR, person=30, network=30),
    "guests": Rate(mark("guests came"), HOUR, network=30),
    "orders": Rate(mark("orders were changed"), TEN_MINUTES, person=600, network=3000),
    "messages": Rate(mark("messages were sent"), TEN_MINUTES, person=100, network=500),
    "invitations": Rate(mark("players were invited"), DAY, person=30, network=60),
    "deals": Rate(mark("deals were proposed"), TEN_MINUTES, person=60, network=200),
    "reports": Rate(mark("reports were made"), DAY, person=10, network=30),
    "reminders": Rate(mark("reminders were sent"), HOUR, person=20, network=60),
    "adjudications": Rate(mark("positions were adjudicated"), TEN_MINUTES, person=300, network=600),
    "previews": Rate(mark("previews were asked for"), TEN_MINUTES, person=60, network=120),
    "what-ifs": Rate(mark("explanations were asked for"), TEN_MINUTES, person=200, network=400),
    "hints": Rate(mark("hints were asked for"), TEN_MINUTES, person=60, network=120),
    "analyses": Rate(mark("analyses were asked for"), TEN_MINUTES, person=20, network=40),
    "pictures": Rate(mark("pictures were drawn"), TEN_MINUTES, person=120, network=120),
    "drawings": Rate(mark("maps were drawn"), TEN_MINUTES, network=1200),
    "combinations": Rate(mark("variants were combined"), TEN_MINUTES, network=60),
    "puzzle results": Rate(mark("results of a puzzle were counted"), DAY, person=1, network=1),
    "completions": Rate(mark("completions were asked for"), TEN_MINUTES, person=2000, network=6000),
    "changes": Rate(mark("changes were made"), TEN_MINUTES, person=600, network=3000),
    "mailed codes": Rate(mark("codes were sent"), HOUR, mail=3),
    "codes": Rate(mark("codes were asked for"), HOUR, network=20),
    "words": Rate(mark("words were tried"), HOUR, network=30),
    "sign-ins": Rate(mark("sign-ins were begun"), HOUR, network=300),
}
"""Every limit by its name. `changes` counts each request that changes something and is not counted under another."""


@dataclass
class _Reserve:
    """A part of a limit that this process may use without asking the database: `left` times, `until` the window ends.

    `full` means that nothing is left in the database either.
    """

    left: int
    until: datetime
    full: bool = False


class Limits:
    """The limits of one server, counted in its database; safe to use from several threads and processes.

    The subject of each counter is stored as a keyed digest, so that it reveals no address or person.
    """

    def __init__(self, counters: Counters, clock: Clock, rates: Mapping[str, Rate] = RATES) -> None:
        self.counters, self.clock, self.rates = counters, clock, rates
        self._reserves: LRUCache[tuple[str, str, str], _Reserve] = LRUCache(HELD)
        self._guard = Lock()

    @cached_property
    def _secret(self) -> bytes:
        return self.counters.secret(keys.token).encode()

    def take(self, name: str, *, person: str | None = None, network: str = "", mail: str = "", about: str = "") -> None:
        """Count one more time for each subject that is named and limited; raise `TooOften` if that is too many.

        With `about`, what it is done to, it is limited apart for each of these.
        """
        rate = self.rates[name]
        network = network_prefix(network)
        subjects = (("person", person, rate.person), ("network", network, rate.network), ("mail", mail, rate.mail))
        for kind, subject, most in subjects:
            if subject and most is not None:
                self._take(name, kind, f"{subject} {about}".rstrip(), most)

    def _take(self, name: str, kind: str, subject: str, most: int) -> None:
        key, rate, now = (name, kind, subject), self.rates[name], self.clock.now()
        with self._guard:
            held = self._reserves.get(key)
            if held is not None and held.until > now and held.left:
                held.left -= 1
                return
        if held is None or held.until <= now or not held.full:
            held = self._reserve(key, most, now)
        if held.full:
            wait = held.until - now
            minutes = -(-wait // timedelta(minutes=1))
            raise TooOften(_TOO_OFTEN(what=rate.what, place=PLACES[kind], time=count_things(minutes, "minute")), wait)

    def _reserve(self, key: tuple[str, str, str], most: int, now: datetime) -> _Reserve:
        """Count one use and reserve the rest of a part of the limit; reserve less near its end, none if used up."""
        digest = hmac.new(self._secret, "\n".join(key).encode(), hashlib.sha256).hexdigest()
        ends = until = now + self.rates[key[0]].period
        made = None
        for number in dict.fromkeys((max(most // PARTS, 1), 1)):
            taken, ends = self.counters.take(digest, number, most, now, until)
            if taken:
                made = _Reserve(number - 1, ends)
                break
        made = made or _Reserve(0, ends, full=True)
        with self._guard:
            held = self._reserves.get(key)
            if held is not None and held.until == made.until:  # another thread reserved, too
                made.left += held.left
            self._reserves[key] = made
        return made


class AtOnce:
    """At most `most` of something at the same time for each person, or each address without a session.

    Counted for one process, whose memory and connections it protects.
    """

    def __init__(self, what: str, most: int) -> None:
        self.what, self.most = what, most
        self._open: Counter[str] = Counter()
        self._guard = Lock()

    def look(self, person: str | None, network: str) -> str:
        """Return the key under which one more is counted, empty if there is none; raise `TooOften`."""
        who = person or network_prefix(network)
        if who and self._open[who] >= self.most:
            raise TooOften(_TOO_MANY_OPEN(most=self.most, what=self.what), timedelta(minutes=1))
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


class Queue:
    """A queue of requests of one process, of which one is served at a time; the others wait without a thread."""

    def __init__(self, full: SentenceKind, most_waiting: int) -> None:
        self.full, self.most_waiting = full, most_waiting
        self._waiting = 0
        self._turn = asyncio.Semaphore()

    @asynccontextmanager
    async def take_turn(self) -> AsyncIterator[None]:
        """Wait for a turn and hold it as long as this lasts; raise `TooBusy` if too many wait."""
        if self._waiting >= self.most_waiting:
            raise TooBusy(self.full())
        self._waiting += 1
        try:
            await self._turn.acquire()
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._turn.release()


def is_this_machine(address: str) -> bool:
    """Return whether an address is a loopback address."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return ((isinstance(ip, IPv6Address) and ip.ipv4_mapped) or ip).is_loopback


def network_prefix(address: str) -> str:
    """Return what an address is counted as: itself, or the network of 64 bits of one in IPv6."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, IPv6Address):
        return str(ip.ipv4_mapped) if ip.ipv4_mapped else ":".join(ip.exploded.split(":")[:4])
    return address
