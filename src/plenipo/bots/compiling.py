"""The compilation of the search: as the kernel is, into a cache of its own, since it holds the code of both."""

from collections.abc import Callable
from typing import Any, TypeVar

from plenipo.batch import bits

__all__ = ["CACHE", "SOURCES", "compile_inlined", "compile_kernel", "inner"]

_Function = TypeVar("_Function", bound=Callable[..., Any])

SOURCES = (
    *bits.SOURCES,
    *(f"bots/{name}.py" for name in "compiling evaluation proximity opponents plans policy rollout search".split()),
)
"""The files with functions compiled here, and those whose code or constants are compiled into them."""

CACHE = bits.cache_folder(SOURCES, "players")
"""The folder of the compiled code."""


def compile_kernel(function: _Function) -> _Function:
    """As `plenipo.batch.bits.compile_kernel`."""
    return bits.compile_cached(function, CACHE)


def inner(function: _Function) -> _Function:
    """As `plenipo.batch.bits.inner`."""
    return bits.compile_cached(function, CACHE, inner=True)


def compile_inlined(function: _Function) -> _Function:
    """As `plenipo.batch.bits.compile_inlined`."""
    return bits.compile_cached(function, CACHE, inner=True, inlined=True)
