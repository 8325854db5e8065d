"""The small language in which a case says what it expects: a pattern, and whether a JSON value is like it.

A mapping matches partly, a list item by item in any order, and anything else if it is equal or names the same. What is
empty matches what is empty or missing. Operators begin with a dollar sign; several in one mapping must all hold.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from plenipo.engine.sentences import say
from plenipo.errors import InvalidCase

__all__ = ["OPERATORS", "Difference", "Same", "differences"]

Same = Callable[[str, str], bool]
"""A function that returns True if two texts mean the same, such as two spellings of a place."""

MISSING = object()
"""The placeholder for a value that an answer does not have."""

_SHOWN = 400
"""The most characters of an answer that a message shows."""


class Difference(NamedTuple):
    """A place in an answer that is not as the case says; `where` are the keys that lead there."""

    where: tuple[str, ...]
    expected: object
    actual: object
    words: str = "expected"

    def __str__(self) -> str:
        path = ", ".join(self.where) or "the answer"
        return f"{path}: {self.words} {_quote(self.expected)}, but it is {_quote(self.actual)}"


def _quote(value: object) -> str:
    if value is MISSING:
        return "missing"
    if isinstance(value, Mapping) and not isinstance(value, dict):
        return "as it is"
    if isinstance(value, str):
        return f"'{value[:_SHOWN]}'"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def differences(
    expected: object, actual: object, same: Same = str.__eq__, where: tuple[str, ...] = ()
) -> Iterator[Difference]:
    r"""Every place where `actual` is not like the pattern `expected`; raises `InvalidCase` for an operator misused.

    >>> [str(difference) for difference in differences({"A PAR": "moves"}, {"A PAR": {"result": "fails", "why": "…"}})]
    ['A PAR: expected \'moves\', but it is {"result": "fails", "why": "…"}']
    """
    if isinstance(expected, Mapping):
        operators = {key: item for key, item in expected.items() if key.startswith("$")}
        if operators:
            yield from _apply_operators(operators, actual, same, where)
        if len(operators) < len(expected) or not expected:
            plain = {key: item for key, item in expected.items() if key not in operators}
            yield from _compare_mapping(plain, actual, same, where)
    elif isinstance(expected, list):
        if expected:
            yield from _compare_list(expected, actual, same, where, whole=True)
        elif actual is not MISSING and actual not in ([], {}, ()):
            yield Difference(where, expected, actual)
    elif not _equal(expected, actual, same):
        yield Difference(where, expected, actual)


def _like(expected: object, actual: object, same: Same) -> bool:
    return next(differences(expected, actual, same), None) is None


def _equal(expected: object, actual: object, same: Same) -> bool:
    """Return True if two values are equal; a word stands for an entry with that `result`."""
    if expected is None:
        return actual is None or actual is MISSING
    if isinstance(actual, Mapping) and isinstance(expected, str) and "result" in actual:
        actual = actual["result"]
    if isinstance(expected, str) and isinstance(actual, str):
        return same(expected, actual)
    return type(expected) is type(actual) and expected == actual


def _compare_mapping(
    expected: Mapping[str, object], actual: object, same: Same, where: tuple[str, ...]
) -> Iterator[Difference]:
    if not expected:
        if actual is not MISSING and actual not in ({}, [], ()):
            yield Difference(where, expected, actual)
        return
    if not isinstance(actual, Mapping):
        if actual is not MISSING or not all(_like(item, MISSING, same) for item in expected.values()):
            yield Difference(where, expected, actual)
        return
    for key, item in expected.items():
        yield from differences(item, _entry(actual, key, same), same, (*where, key))


def _entry(actual: Mapping[str, object], key: str, same: Same) -> object:
    """Return the entry called `key`, by that name or another of the same thing."""
    if key in actual:
        return actual[key]
    return next((item for name, item in actual.items() if same(key, name)), MISSING)


def _compare_list(
    expected: Sequence[object], actual: object, same: Same, where: tuple[str, ...], *, whole: bool
) -> Iterator[Difference]:
    """Each expected item has one of its own among the actual ones, and with `whole` none is left."""
    if not isinstance(actual, Sequence) or isinstance(actual, str):
        yield Difference(where, expected, actual)
        return
    partner: dict[int, int] = {}  # the expected item that has each actual one

    def place(i: int, tried: set[int]) -> bool:
        for j, item in enumerate(actual):
            if j not in tried and _like(expected[i], item, same):
                tried.add(j)
                if j not in partner or place(partner[j], tried):
                    partner[j] = i
                    return True
        return False

    for i, pattern in enumerate(expected):
        if not place(i, set()):
            yield Difference(where, pattern, actual, "expected an item")
    if whole:
        for j, item in enumerate(actual):
            if j not in partner:
                yield Difference(where, expected, item, "expected no item besides")


# Operators: what a mapping says whose keys begin with a dollar sign


def _apply_operators(
    expected: Mapping[str, object], actual: object, same: Same, where: tuple[str, ...]
) -> Iterator[Difference]:
    whole_value = actual
    if "$matching" in expected:
        actual = _filter_items(expected["$matching"], actual, same)
    for name, operand in expected.items():
        if name not in OPERATORS:
            raise InvalidCase(
                say("'{name}' is not an operator; these are {operators}.", name=name, operators=", ".join(OPERATORS))
            )
        if not all(OPERATORS[name](operand, actual, same)):
            yield Difference(where, expected, whole_value)
            return


def _filter_items(pattern: object, actual: object, same: Same) -> object:
    if isinstance(actual, Mapping):
        return {key: item for key, item in actual.items() if _like(pattern, item, same)}
    return [item for item in _items(actual) if _like(pattern, item, same)]


def _items(actual: object) -> Sequence[object]:
    return actual if isinstance(actual, Sequence) and not isinstance(actual, str) else ()


def _sequence(operand: object) -> Sequence[object]:
    if not isinstance(operand, list):
        raise InvalidCase(
            say("{operand} must be a list where an operator wants several things.", operand=_quote(operand))
        )
    return operand


def _in_order(operand: object, actual: object, same: Same, *, begins: bool = False) -> Iterator[bool]:
    wanted, items = _sequence(operand), _items(actual)
    yield len(wanted) <= len(items) if begins else len(wanted) == len(items)
    yield from (_like(pattern, item, same) for pattern, item in zip(wanted, items, strict=False))


def _round(operand: object, actual: object, same: Same) -> Iterator[bool]:
    items = [item for item in _items(actual) if item is not None]
    turns = (items[i:] + items[:i] for i in range(len(items) or 1))
    yield any(all(_in_order(operand, turn, same)) for turn in turns)


def _only(operand: object, actual: object, same: Same) -> Iterator[bool]:
    """Everything is like the pattern, and what the pattern does not name is empty."""
    if not isinstance(operand, Mapping):
        raise InvalidCase(say("'$only' takes a mapping, not {operand}.", operand=_quote(operand)))
    yield _like(operand, actual, same)
    if isinstance(actual, Mapping):
        others = (name for name in actual if not any(key == name or same(key, name) for key in operand))
        yield all(actual[name] in ([], {}, (), None) for name in others)


def _count(operand: object, actual: object, same: Same) -> Iterator[bool]:
    countable = isinstance(actual, Sequence | Mapping) and not isinstance(actual, str)
    yield _like(operand, len(actual) if countable else 0, same)  # type: ignore[arg-type]  # it has a length


def _each(operand: object, actual: object, same: Same) -> Iterator[bool]:
    items = list(actual.values()) if isinstance(actual, Mapping) else _items(actual)
    yield bool(items)
    yield from (_like(operand, item, same) for item in items)


def _has(operand: object, actual: object, _: Same) -> Iterator[bool]:
    if not isinstance(operand, str):
        raise InvalidCase(say("'$has' takes a text, not {operand}.", operand=_quote(operand)))
    yield isinstance(actual, str) and operand in actual


Operator = Callable[[object, object, Same], Iterator[bool]]

OPERATORS: dict[str, Operator] = {
    "$not": lambda operand, actual, same: iter((not _like(operand, actual, same),)),
    "$one_of": lambda operand, actual, same: iter((any(_like(o, actual, same) for o in _sequence(operand)),)),
    "$is": lambda operand, actual, same: iter((_like(operand, actual, same),)),
    "$contains": lambda operand, actual, same: (
        difference is None
        for difference in [next(_compare_list(_sequence(operand), _items(actual), same, (), whole=False), None)]
    ),
    "$lacks": lambda operand, actual, same: (
        not _like(pattern, item, same) for pattern in _sequence(operand) for item in _items(actual)
    ),
    "$in_order": _in_order,
    "$begins": lambda operand, actual, same: _in_order(operand, actual, same, begins=True),
    "$round": _round,
    "$only": _only,
    "$matching": lambda *_: iter(()),
    "$count": _count,
    "$keys": lambda operand, actual, same: iter(
        (_like(operand, list(actual) if isinstance(actual, Mapping) else [], same),)
    ),
    "$each": _each,
    "$has": _has,
    "$max": lambda operand, actual, _: iter((type(operand) is type(actual) is int and actual <= operand,)),
    "$all": lambda operand, actual, same: (_like(pattern, actual, same) for pattern in _sequence(operand)),
}
"""Each operator by its name: what it is given, the value, and how texts are compared; it holds if everything does."""
