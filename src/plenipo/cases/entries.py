"""YAML as cases use it: text stays text, a key stands once, and one broken entry does not spoil the rest.

Only `true`, `false`, `null` and whole numbers are more than text (the core of YAML 1.2), so that `off`, `no`, `1_000`
and `6.10` are what they look like. What could take for ever is refused at once: depth, aliases and size have a bound.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml

from plenipo.engine.sentences import say
from plenipo.errors import InvalidCase

__all__ = ["CaseEntry", "entries"]

_DEEPEST = 40
"""The largest depth to which mappings and lists may be nested; a case needs ten."""

_ALIASES = 20
"""The largest number of aliases in a file, so that a few lines cannot stand for millions."""

_LARGEST = 4_000_000
"""The largest number of characters in a file."""


class CaseEntry(NamedTuple):
    """One item of the list of cases: its first line (from 1), its value, and the sentence if it cannot be read."""

    line: int
    value: object
    fault: str = ""


class _TooMuchError(yaml.YAMLError):
    """A bound of this module is exceeded."""


class _Loader(yaml.SafeLoader):
    """The safe loader with the scalars and the bounds of the module's docstring."""

    yaml_implicit_resolvers = {}  # noqa: RUF012  # PyYAML's own way; filled below
    depth = aliases = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Return a node; raise an error if it is nested too deep or there are too many aliases."""
        self.depth += 1
        self.aliases += self.check_event(yaml.AliasEvent)
        if self.depth > _DEEPEST:
            raise _TooMuchError(say("it is nested too deeply; a case needs no more than {most} levels", most=_DEEPEST))
        if self.aliases > _ALIASES:
            raise _TooMuchError(
                say("it has too many aliases (`*`); write out what they stand for, or use {most}", most=_ALIASES)
            )
        node: yaml.Node | None = super().compose_node(parent, index)
        self.depth -= 1
        return node


_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|false|False)$"), list("tTfF"))
_Loader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^[-+]?(?:0|[1-9][0-9]*)$"), list("-+0123456789"))
_Loader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"^(?:~|null|Null|)$"), ["~", "n", "N", ""])

_ITEM = re.compile(r"^( *)- ", re.MULTILINE)


def entries(text: str, known: frozenset[str]) -> Iterator[CaseEntry]:
    """Yield the items of the list `cases` in `text`, which is that list itself or a mapping that holds it.

    A mapping may have the `known` keys besides. Text that is no YAML is cut at the items of its outermost list and
    read piece by piece, so that the pieces without a fault are still found.
    Raises `InvalidCase` if there is no list of cases at all.
    """
    if len(text) > _LARGEST:
        raise InvalidCase(
            say(
                "this file has {number:,} characters; one of cases has at most {most:,}.",
                number=len(text),
                most=_LARGEST,
            )
        )
    try:
        root = yaml.compose(text, _Loader)
    except yaml.YAMLError as error:
        pieces = [] if isinstance(error, _TooMuchError) else list(_pieces(text))
        if not pieces:
            raise InvalidCase(say("this is not YAML: {reason}.", reason=_reason(error))) from error
        yield from pieces
        return
    yield from (_entry(node) for node in _list_of_cases(root, known))


def _list_of_cases(root: yaml.Node | None, known: frozenset[str]) -> list[yaml.Node]:
    listed = root
    if isinstance(root, yaml.MappingNode):
        listed = None
        for key, value in root.value:
            if key.value == "cases" and listed is None:
                listed = value
            elif key.value not in known:
                again = "stands twice" if key.value == "cases" else "is not known"
                allowed = ", ".join(sorted({"cases", *known}))
                raise InvalidCase(
                    say(
                        "key '{value}' {again} at the top; a file has the keys {allowed}.",
                        value=key.value,
                        again=again,
                        allowed=allowed,
                    )
                )
    if not isinstance(listed, yaml.SequenceNode):
        raise InvalidCase(say("there is no list 'cases'; a file of cases is a list of mappings under that key."))
    if not listed.value:
        raise InvalidCase(say("the list 'cases' is empty, so nothing would be tested."))
    return list(listed.value)


def _entry(node: yaml.Node, offset: int = 0) -> CaseEntry:
    line = node.start_mark.line + 1 + offset
    repeated = next(_find_repeated_keys(node, set()), None)
    try:
        loader = _Loader("")
        try:
            value: object = loader.construct_document(node)
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        return CaseEntry(line, None, f"this cannot be read: {_reason(error)}.")
    return CaseEntry(line, value, f"key '{repeated}' stands twice; write each key once." if repeated else "")


def _find_repeated_keys(node: yaml.Node, visited: set[int]) -> Iterator[str]:
    """Yield the keys that stand twice in one mapping, anywhere below `node`."""
    if id(node) in visited:
        return
    visited.add(id(node))
    if isinstance(node, yaml.MappingNode):
        keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        yield from (key for i, key in enumerate(keys) if key in keys[:i])
        for _, value in node.value:
            yield from _find_repeated_keys(value, visited)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _find_repeated_keys(value, visited)


def _pieces(text: str) -> Iterator[CaseEntry]:
    """Yield the items of the outermost list of a text that is no YAML as a whole, each read separately."""
    head = re.search(r"^cases:.*\n", text, re.MULTILINE)
    start = head.end() if head else 0
    first = _ITEM.search(text, start)
    if first is None:
        return
    starts = [m.start() for m in _ITEM.finditer(text, start) if m.group(1) == first.group(1)]
    for begin, end in zip(starts, [*starts[1:], len(text)], strict=True):
        piece = text[begin:end]
        line = text.count("\n", 0, begin)
        try:
            node = yaml.compose(piece, _Loader)
        except yaml.YAMLError as error:
            named = re.search(r"\bid: *['\"]?([^\s'\",}]+)", piece)
            yield CaseEntry(line + 1, {"id": named.group(1)} if named else None, f"this is not YAML: {_reason(error)}.")
        else:
            assert isinstance(node, yaml.SequenceNode)  # noqa: S101  # the piece begins with a dash
            yield _entry(node.value[0], line)


def _reason(error: yaml.YAMLError) -> str:
    if isinstance(error, yaml.MarkedYAMLError):
        parts = (error.context, error.problem)
        return ", ".join(part for part in parts if part)
    return " ".join(str(error).split())
