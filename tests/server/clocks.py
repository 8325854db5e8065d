"""A clock that is set by hand, and stores that have no other."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from plenipo.server.store import Store


@dataclass
class ManualClock:
    """Shows the time it was last set to."""

    time: datetime

    def now(self) -> datetime:
        return self.time


def store_by_hand(address: str) -> Iterator[Store]:
    """The fixture of a store of each kind whose clock the tests set."""
    made = Store(address)
    made.time = lambda: None  # type: ignore[method-assign]
    yield made
    made.close()
