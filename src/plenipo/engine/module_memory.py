"""The memory of rule modules: values that are written in records as their fields say, and read again.

A module that remembers something between phases declares a frozen dataclass below `ModuleMemory`. Its JSON is an object
with an entry for each field; a class with a single field is written as the value of that field. Codes, powers and units
are looked up when they are read, so that a record cannot name what the game does not have.
"""

from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from functools import cache
from typing import TYPE_CHECKING, Any, Self, get_args, get_origin, get_type_hints

from plenipo.engine.board import Coast, Code
from plenipo.engine.immutable import FrozenMap
from plenipo.engine.position import Power, Unit
from plenipo.engine.wording import in_quotes
from plenipo.errors import UnreadablePosition

if TYPE_CHECKING:
    from plenipo.engine.reading.positions import BoardReader

__all__ = ["ModuleMemory", "make_sparse_field"]

_SPARSE = "sparse"
_LONGEST, _MOST_NUMBER = 60, 10**9

ReadPart = Callable[["BoardReader", object], Any]


def make_sparse_field(default_factory: Callable[[], Any]) -> Any:
    """Return a field that is left out of the JSON while it is empty."""
    return field(default_factory=default_factory, metadata={_SPARSE: True})


@dataclass(frozen=True)
class ModuleMemory:
    """The state that a rule module remembers: mappings are frozen and sorted, and the JSON follows from the fields."""

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if isinstance(value, Mapping):
                object.__setattr__(self, one.name, _freeze(value))

    def to_json(self) -> Any:
        """Return the JSON from which `from_json` restores the value."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        if len(values) == 1:
            return _encode(next(iter(values.values())))
        left_out = {one.name for one in fields(self) if _is_sparse(one)}
        return {name: _encode(value) for name, value in values.items() if value or name not in left_out}

    @classmethod
    def from_json(cls, value: object, reader: "BoardReader") -> Self:
        """Return the value from its JSON.

        Raise the errors of the reader, and `KeyError` for a missing entry.
        """
        hints = get_type_hints(cls)
        if len(fields(cls)) == 1:
            return cls(*(_decode(hints[one.name], reader, value) for one in fields(cls)))
        whole = reader.mapping(value)
        if strange := sorted(whole.keys() - {one.name for one in fields(cls)}):
            raise UnreadablePosition(f"{in_quotes(strange[0], _LONGEST)} is not one of its entries.")
        return cls(
            **{
                one.name: _decode(hints[one.name], reader, whole[one.name])
                for one in fields(cls)
                if one.name in whole or not _is_sparse(one)
            }
        )


def _is_sparse(one: Field[Any]) -> bool:
    return bool(one.metadata.get(_SPARSE))


def _freeze(value: Any) -> Any:
    """Return a mapping, and the mappings in it, frozen and sorted."""
    if not isinstance(value, Mapping):
        return value
    return FrozenMap((key, _freeze(of)) for key, of in sorted(value.items()))


def _encode(value: Any) -> Any:
    """Return a value as JSON: sets are sorted, and a unit is a list of its power and its notation."""
    if isinstance(value, Unit):
        return [value.power, str(value)]
    if isinstance(value, Mapping):
        return {str(key): _encode(of) for key, of in value.items()}
    if isinstance(value, frozenset):
        return [_encode(item) for item in sorted(value, key=_sort_key)]
    if isinstance(value, tuple):
        return [_encode(item) for item in value]
    return value


def _sort_key(value: Any) -> Any:
    return value.location if isinstance(value, Unit) else value


_READ: Mapping[Any, ReadPart] = {
    Code: lambda reader, value: reader.space(value),
    Power: lambda reader, value: reader.power(value),
    Unit: lambda reader, value: reader.unit_of_power(value),
    Coast: lambda reader, value: Coast(reader.text(value)),
    str: lambda reader, value: reader.text(value),
    int: lambda reader, value: reader.number(value),
}
"""The readers of the parts of a memory, by their types."""


def _decode(kind: Any, reader: "BoardReader", value: object) -> Any:
    return _reader_of(kind)(reader, value)


@cache
def _reader_of(kind: Any) -> ReadPart:
    """Return the function that reads a value of a type."""
    if kind in _READ:
        return _READ[kind]
    if hasattr(kind, "_fields"):
        hints = get_type_hints(kind)
        parts = tuple(_reader_of(hints[name]) for name in kind._fields)
        return lambda reader, value: kind(*_read_row(parts, reader, value))
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is frozenset:
        one = _reader_of(arguments[0])
        return lambda reader, value: frozenset(one(reader, item) for item in reader.items(value))
    if origin is tuple and arguments[-1] is Ellipsis:
        one = _reader_of(arguments[0])
        return lambda reader, value: tuple(one(reader, item) for item in reader.items(value))
    if origin is tuple:
        parts = tuple(map(_reader_of, arguments))
        return lambda reader, value: tuple(_read_row(parts, reader, value))
    key, of = (_read_number if arguments[0] is int else _reader_of(arguments[0])), _reader_of(arguments[1])
    return lambda reader, value: {key(reader, name): of(reader, item) for name, item in reader.mapping(value).items()}


def _read_row(parts: tuple[ReadPart, ...], reader: "BoardReader", value: object) -> list[Any]:
    """Return the parts of a list with a fixed number of items."""
    items = reader.items(value)
    if len(items) != len(parts):
        raise UnreadablePosition(f"A list of {len(parts)} items has {len(items)}.")
    return [read(reader, item) for read, item in zip(parts, items, strict=True)]


def _read_number(reader: "BoardReader", value: object) -> int:
    """Return a whole number that is the key of an object, and so a text."""
    text = reader.text(value)
    if not text.isdecimal() or len(text) > len(str(_MOST_NUMBER)):
        raise UnreadablePosition(f"{in_quotes(text, _LONGEST)} is not a whole number.")
    return int(text)
