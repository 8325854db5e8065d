"""Everything in a value as text, at whatever length; the `repr` of a value is cut short."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from plenipo.engine.history.turns import Turns

__all__ = ["whole_text"]


def whole_text(value: Any) -> str:
    """Return every part of a value as text, those of parts included; not what a field leaves out of its `repr`."""
    if is_dataclass(value) and not isinstance(value, type):
        return f"{type(value).__name__}({_all(getattr(value, each.name) for each in fields(value) if each.repr)})"
    if isinstance(value, Mapping):
        return f"{{{_all(part for item in value.items() for part in item)}}}"
    if isinstance(value, tuple | list | set | frozenset | Turns):
        return f"{type(value).__name__}({_all(value)})"
    return value if type(value) is str else f"{value} {value!r}"


def _all(values: Iterable[Any]) -> str:
    return ", ".join(map(whole_text, values))
