"""Marks beside compiled code: all required functions have been compiled for this Python and this processor."""

import hashlib
import sys
from pathlib import Path

import numba
from llvmlite import binding

__all__ = ["WHOLE", "is_marked", "mark"]

WHOLE = "whole"
"""The name of the complete set."""


def _mark_in(folder: Path, what: str) -> Path:
    """Return the path of a mark; Numba's cache key has the same parts, and the path of the sources."""
    about = (sys.version, numba.__version__, binding.get_host_cpu_name(), str(Path(__file__).parent))
    return folder / f"{what}-{hashlib.sha256(repr(about).encode()).hexdigest()[:16]}"


def mark(folder: Path, what: str = WHOLE) -> None:
    """Mark the folder of compiled code as complete, or as complete for a named part."""
    _mark_in(folder, what).touch()


def is_marked(folder: Path, what: str = WHOLE) -> bool:
    """Return whether `mark` was called for the Python, the processor and the sources of this process."""
    return _mark_in(folder, what).exists()
