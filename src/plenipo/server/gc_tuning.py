"""Tuning of Python's garbage collection: frequent for new objects, rare for permanent ones.

A full collection, with a few variants loaded, takes a fifth of a second in which no request is answered.
"""

import asyncio
import gc

__all__ = ["settle", "settle_for_ever"]

NEW = (5000, 20, 50)
"""The thresholds of the three generations of the garbage collector."""

LOOK = 2.0
"""The seconds between two moves of objects to the permanent generation."""

WHOLE = 900
"""The number of these moves after which a full collection runs."""


def settle(*, whole: bool = False) -> None:
    """Move current objects to the permanent generation (`gc.freeze`); if `whole`, collect all garbage before."""
    if whole:
        gc.unfreeze()
        gc.collect()
    gc.freeze()


async def settle_for_ever() -> None:
    """Move objects to the permanent generation repeatedly while the server runs; then restore the defaults."""
    before = gc.get_threshold()
    gc.set_threshold(*NEW)
    looks = 0
    try:
        while True:
            settle(whole=looks % WHOLE == 0)
            looks += 1
            await asyncio.sleep(LOOK)
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
