"""The basis of the compiled code: the compiling decorator, and the bit instructions of sets of units.

A set of units is one unsigned word of 64 bits, bit `u` standing for the unit in slot `u`. Words are always `uint64`
and indices always signed: mixed, they silently become floating point.

Compiled code is cached on disk. Numba checks only the file of the function itself for changes, while callers contain
the code of the functions they call; so the cache folder is named after a hash of all these sources.
"""

import hashlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

__all__ = [
    "CACHE",
    "FIRST",
    "ONE",
    "SOURCES",
    "ZERO",
    "Array",
    "Word",
    "bit",
    "cache_folder",
    "compile_cached",
    "compile_inlined",
    "compile_kernel",
    "ctz",
    "highest",
    "inlined_too",
    "inner",
    "popcount",
    "rest",
    "whole",
    "word",
]

config: Any = numba.config  # its settings are made when it is imported, unseen by type checkers
njit: Any = numba.njit  # `_nrt` is an option it does not list

Array = np.ndarray[Any, Any]
"""An array of any type; the types are documented with the rows in `tables` and `state`."""

Word = Any
"""A `uint64` with a bit for each unit, sea or space. NumPy's own types would require spelling out every operation."""

whole: Any = np.int64
"""Convert a number from an array of any width to one for counting and indexing."""

word: Any = np.uint64
"""Convert a number to a word."""

ONE: Word = np.uint64(1)
ZERO: Word = np.uint64(0)

FIRST: Any = np.int64(0)
"""The first game or row, for calls: a plain 0 has a type of its own, for which every called function is recompiled."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


SOURCES = (
    *(
        f"batch/{name}.py"
        for name in "bits kernel kinds legal loops packing paradoxes phases play routes scratch".split()
    ),
    *(f"batch/{name}.py" for name in "results state tables".split()),
    "engine/outcome.py",
)
"""The files with compiled functions, and those whose constants are compiled into them."""


def cache_folder(sources: Iterable[str], name: str = "kernel") -> Path:
    """Return the cache folder for compiled code of exactly these sources, in `NUMBA_CACHE_DIR` or the user's cache.

    The sources are files of the package, including everything that is compiled into the code.
    """
    digest = hashlib.sha256(f"bounds checked: {config.BOUNDSCHECK}".encode())
    for source in sources:
        digest.update((Path(__file__).parents[1] / source).read_bytes())
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(config.CACHE_DIR or Path(home) / "plenipo") / f"{name}-{digest.hexdigest()[:16]}"


CACHE = cache_folder(SOURCES)
"""The folder of the compiled code."""


def compile_kernel(function: _Function) -> _Function:
    """Compile `function` on its first call and cache the result on disk; it releases the global interpreter lock."""
    return compile_cached(function, CACHE)


def inner(function: _Function) -> _Function:
    """Compile as `compile_kernel` does, without a Python wrapper; only compiled code may call the result."""
    return compile_cached(function, CACHE, inner=True)


def compile_inlined(function: _Function) -> _Function:
    """Compile as `inner` does, and inline every call: for short functions, and for long ones with one or two callers.

    A call passes every array of a named tuple in seven words each, some hundreds in all, which costs more than most
    functions here do.
    """
    return compile_cached(function, CACHE, inner=True, inlined=True)


def inlined_too(function: _Function) -> _Function:
    """Compile as `compile_inlined` does, callable from Python as well: for the functions of `plenipo.batch.play`."""
    return compile_cached(function, CACHE, inlined=True)


def compile_cached(function: _Function, cache: Path, *, inner: bool = False, inlined: bool = False) -> _Function:
    """Compile as `compile_kernel`, `inner` and `compile_inlined` do, with the code cached in the folder `cache`."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(cache)  # read when the function is decorated, and only then
    try:
        # without reference counts: compiled code here makes no arrays, and its callers hold those they pass
        function_compiled: Any = njit(
            nogil=True, cache=True, forceinline=inlined, _nrt=False, no_cfunc_wrapper=True, no_cpython_wrapper=inner
        )(function)
    finally:
        config.CACHE_DIR = before
    if inner:
        _keep_python_out(function_compiled)
    called: _Function = function_compiled
    return called


def _keep_python_out(function: Any) -> None:
    """Make a call from Python raise a `TypeError`; without a wrapper it would jump to address 0."""

    def refuse(*_arguments: Any, **_named: Any) -> None:
        message = f"'{function.__name__}' can only be called from compiled code."
        raise TypeError(message)

    # the dispatcher has no entry point, and asks for one at every call
    function._insert = lambda *_entry: None  # noqa: SLF001
    function._compile_for_args = refuse  # noqa: SLF001


def _ctz(_context: Any, _word: Any) -> Any:

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


def _highest(_context: Any, _word: Any) -> Any:

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        return builder.sub(ir.Constant(word, 63), builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0)))

    return types.int64(types.uint64), generate


def _popcount(_context: Any, _word: Any) -> Any:

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


ctz: Any = intrinsic(_ctz)
"""The index of the lowest bit of a word, 64 if there is none."""

highest: Any = intrinsic(_highest)
"""The index of the highest bit of a word, -1 if there is none."""

popcount: Any = intrinsic(_popcount)
"""The number of set bits of a word."""


@compile_inlined
def bit(index: int) -> Word:
    """Return the word with bit `index` alone."""
    return ONE << word(index)


@compile_inlined
def rest(bits: Word) -> Word:
    """`bits` without the lowest one."""
    return bits & (bits - ONE)
