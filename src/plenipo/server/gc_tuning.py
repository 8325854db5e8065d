"""Memory kept tidy: Python looks for garbage among what is new, and seldom among what stays.

A look through everything, with a few variants loaded, takes a fifth of a second in which nobody is answered.
"""

import asyncio
import gc

__all__ = ["settle", "settle_for_ever"]

NEW = (5000, 20, 50)
"""After how many new objects Python looks for garbage, and after how many such looks among older ones."""

LOOK = 2.0
"""How often what has stayed is put aside, in seconds."""

WHOLE = 900
"""After how many of these looks everything is looked through, so that what became garbage meanwhile goes too."""


def settle(*, whole: bool = False) -> None:
    """Put what there is now aside, where Python looks for no garbage; if `whole`, look everything through before."""
    if whole:
        gc.unfreeze()
        gc.collect()
    gc.freeze()


async def settle_for_ever() -> None:
    """Put aside what stays, again and again, as long as the server runs; then let Python do as before."""
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
