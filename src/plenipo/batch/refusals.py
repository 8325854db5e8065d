"""Refusals of the kernel, one sentence each, and the validation of input."""

from typing import Any

import numpy as np

from plenipo.errors import PlenipoError

__all__ = ["InvalidArray", "UnsupportedRules", "check_array", "check_whole", "plain"]

_LONGEST_TYPE = 60


class UnsupportedRules(PlenipoError):  # noqa: N818  # an exception is named after what is wrong
    """A rule of a variant that cannot be a table; the message names the rule module or policy and its effect."""


class InvalidArray(PlenipoError):  # noqa: N818  # an exception is named after what is wrong
    """An array given to the kernel has the wrong type, shape or content; the message names it and the first fault."""


def check_whole(name: str, value: object, least: int, most: int) -> None:
    """Refuse a value that is not a whole number in a range."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= int(value) <= most:
        raise InvalidArray(f"'{name}' is {value!r}; it must be a whole number from {least} to {most}.")


def check_array(name: str, array: object, dtype: Any, shape: tuple[int, ...], *, written: bool = False) -> None:
    """Refuse a value that is not an array of this type and shape, or one that cannot be `written` to."""
    if not isinstance(array, np.ndarray):
        raise InvalidArray(f"'{name}' is a {type(array).__name__}; it must be a NumPy array of {np.dtype(dtype)}.")
    if isinstance(array, np.ma.MaskedArray):
        raise InvalidArray(f"'{name}' is a masked array; fill what is masked and give a plain one.")
    if array.dtype != dtype:
        dtype_name = str(array.dtype)
        dtype_name = dtype_name if len(dtype_name) < _LONGEST_TYPE else f"{dtype_name[:_LONGEST_TYPE]}…"
        raise InvalidArray(f"'{name}' is an array of {dtype_name}; it must be one of {np.dtype(dtype)}.")
    if array.shape != shape:
        raise InvalidArray(f"'{name}' has the shape {array.shape}; it must be {shape}.")
    if written and not array.flags.writeable:
        raise InvalidArray(f"'{name}' is read-only; give an array that can be written to.")


def plain(name: str, array: object, dtype: Any, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Return the array, after `check_array`, in the layout that compiled functions expect; copied only if needed."""
    check_array(name, array, dtype, shape)
    return np.require(np.asarray(array), np.dtype(dtype), ["C", "A", "W"])
