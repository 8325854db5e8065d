"""Marks beside compiled code: that everything somebody needs has been compiled, for this Python and this processor."""

import hashlib
import sys
from pathlib import Path

import numba
from llvmlite import binding

__all__ = ["WHOLE", "is_marked", "mark"]

WHOLE = "whole"
"""The name of all that is needed."""


def _mark_in(folder: Path, what: str) -> Path:
    """Numba keeps what it compiles by all of this, and by the place of the sources."""
    about = (sys.version, numba.__version__, binding.get_host_cpu_name(), str(Path(__file__).parent))
    return folder / f"{what}-{hashlib.sha256(repr(about).encode()).hexdigest()[:16]}"


def mark(folder: Path, what: str = WHOLE) -> None:
    """Note that the folder of compiled code has all that is needed, or a part of it by name."""
    _mark_in(folder, what).touch()


def is_marked(folder: Path, what: str = WHOLE) -> bool:
    """Return whether `mark` has noted it, for the Python, the processor and the sources of this process."""
    return _mark_in(folder, what).exists()
