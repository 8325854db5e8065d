"""Immutable values: a mapping that cannot be changed, copies and pickles of values, and short texts of them."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, NoReturn, Self, TypeVar

__all__ = ["EMPTY", "Brief", "FrozenMap", "Immutable", "freeze_sorted", "name_text", "shorten"]

K = TypeVar("K")
V = TypeVar("V")

MOST = 200
"""The greatest number of characters of a `repr`."""


class FrozenMap(dict[K, V]):
    """A dictionary that cannot be changed: it can be hashed if its values can, pickled and copied.

    It is equal to any dictionary with the same items. Reading it costs what reading a dictionary costs.

    >>> owners = FrozenMap({"PAR": "France"})
    >>> owners["PAR"], owners == {"PAR": "France"}, {owners: 1}[owners]
    ('France', True, 1)
    >>> owners["PAR"] = "Germany"
    Traceback (most recent call last):
    TypeError: A FrozenMap cannot be changed; make a dict of it first.
    """

    __slots__ = ("_hash",)
    _hash: int

    def __hash__(self) -> int:  # type: ignore[override]  # a dictionary has none, since it may change
        try:
            return self._hash
        except AttributeError:
            self._hash = hash(frozenset(self.items()))
            return self._hash

    def __reduce__(self) -> tuple[type[Self], tuple[dict[K, V]]]:
        return type(self), (dict(self),)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __repr__(self) -> str:
        return shorten(f"FrozenMap({dict.__repr__(self)})")

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("A FrozenMap cannot be changed; make a dict of it first.")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse


EMPTY: FrozenMap[Any, Any] = FrozenMap()
"""The empty mapping."""


def freeze_sorted(mapping: Mapping[Any, Any]) -> FrozenMap[Any, Any]:
    """Return a frozen map with the items of `mapping`, sorted by their keys."""
    return FrozenMap(sorted(mapping.items()))


class Brief:
    """A class whose instances, and those of the dataclasses below it, have a `repr` of one short line."""

    __slots__ = ()

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        if "__repr__" not in cls.__dict__:
            cls.__repr__ = cls.__repr__  # type: ignore[method-assign]  # else a dataclass would bring its own

    def __repr__(self) -> str:
        named = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)  # type: ignore[arg-type]
        return shorten(f"{type(self).__name__}({', '.join(named)})")


class Immutable(Brief):
    """A dataclass that never changes: a copy is the value itself, and it is pickled without what it cached."""

    __slots__ = ()

    def __reduce__(self) -> Any:
        values = tuple(getattr(self, each.name) for each in fields(self) if each.init)  # type: ignore[arg-type]
        return type(self), values

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


def shorten(text: str) -> str:
    """Return `text` as one line of at most 200 characters; its end is kept where its middle is left out.

    >>> len(shorten("A" * 500)), shorten("one" + chr(10) + "line")
    (200, 'one line')
    """
    line = " ".join(text.split("\n"))
    return line if len(line) <= MOST else f"{line[: MOST - 21]}…{line[-20:]}"


def name_text(value: object, text: object) -> str:
    """Return the `repr` of a value that is best known by a text: `<Move A PAR - BUR>`."""
    return shorten(f"<{type(value).__name__} {text}>")
