"""Coroutines in tests of the suite that also drives browsers."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from waiting import LIMIT, run_together

__all__ = ["alone"]

T = TypeVar("T")


def alone(coroutine: Coroutine[Any, Any, T]) -> T:
    """Return what `coroutine` returns, run in a thread of its own: tests of the pages leave a loop running in theirs.

    Nothing that it awaits lasts longer than `waiting.LIMIT`.
    """

    async def limited() -> T:
        return await asyncio.wait_for(coroutine, LIMIT)

    (result,) = run_together(lambda: asyncio.run(limited()))
    if isinstance(result, Exception):
        raise result
    return result
