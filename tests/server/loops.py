"""Coroutines in tests of the suite that also drives browsers."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

__all__ = ["alone"]

T = TypeVar("T")


def alone(coroutine: Coroutine[Any, Any, T]) -> T:
    """What `coroutine` gives, in a thread of its own: the tests of the pages leave a loop running in theirs."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, coroutine).result()
