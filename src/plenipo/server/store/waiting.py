"""Opening of a database that may still be starting."""

from collections.abc import Callable
from time import sleep

from plenipo.server.clock import seconds
from plenipo.server.store import Store, StoreAwayError

__all__ = ["PATIENCE", "open_store"]

PATIENCE = 60.0
"""The seconds a program waits for a database that is starting."""

PAUSE = 0.5
"""The seconds between two attempts."""


def open_store(
    url: str | None,
    tell: Callable[[str], object] = lambda _: None,
    patience: float = PATIENCE,
    pause: float = PAUSE,
    *,
    quota: int | None = None,
    game_quota: int | None = None,
) -> Store:
    """Open a database, and wait up to `patience` seconds while it cannot be reached yet.

    `tell` is given one sentence before the first wait; the quotas are those of `Store`. Raise `StoreError`.
    """
    end = seconds() + patience
    told = False
    while True:
        try:
            return Store(url, quota=quota, game_quota=game_quota)
        except StoreAwayError as fault:
            if seconds() + pause > end:
                raise
            if not told:
                told = True
                tell(f"{fault} Waiting up to {patience:g} seconds for it.")
            sleep(pause)
