"""Memory kept tidy: what stays is put aside, and Python is as before when the server has ended."""

import asyncio
import gc
from contextlib import suppress

from plenipo.server import gc_tuning
from server.loops import alone


def test_what_stays_is_put_aside_while_the_server_runs_and_no_longer() -> None:
    before = gc.get_threshold()

    async def served() -> None:
        task = asyncio.create_task(gc_tuning.settle_for_ever())
        await asyncio.sleep(0)
        assert gc.get_freeze_count() > 10_000
        assert gc.get_threshold() == gc_tuning.NEW
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    alone(served())
    assert (gc.get_freeze_count(), gc.get_threshold()) == (0, before)


def test_what_became_garbage_after_it_was_put_aside_goes_at_the_next_whole_look() -> None:
    class Ring:
        def __init__(self) -> None:
            self.itself = self

    kept = Ring()
    gc_tuning.settle()
    gone: list[bool] = []
    Ring.__del__ = lambda _self: gone.append(True)  # type: ignore[attr-defined]
    del kept
    gc.collect()
    assert not gone
    gc_tuning.settle(whole=True)
    gc.unfreeze()
    assert gone
