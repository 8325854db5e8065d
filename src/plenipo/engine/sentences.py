"""Sentences as data: a kind and its parts, rendered in English or in another language.

A module declares the kinds of its sentences beside the rules that use them:

>>> MOVED = SentenceKind("test-moved", "{unit} moved to {place}{how}.")
>>> sentence = MOVED(unit="A PAR", place="BUR", how="")
>>> str(sentence), sentence.kind.id, sentence.parts["place"]
('A PAR moved to BUR.', 'test-moved', 'BUR')

A part is a number, a code, a name, a unit, an order, a phase, a tuple of parts, which is rendered as a list, or a
sentence that is a part of another one. A value with a method `as_sentence` is rendered as that sentence. No code reads
the text of a sentence; programs use the kind and the parts.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, Final, Protocol

from plenipo.engine.wording import listing

__all__ = [
    "AS_WRITTEN",
    "EITHER",
    "ENGLISH",
    "LIST",
    "NOTHING",
    "Either",
    "Quoted",
    "Sentence",
    "SentenceKind",
    "Series",
    "TargetLanguage",
    "find_kind",
    "join_sentences",
    "known_kinds",
    "render",
    "say",
    "unknown_kind",
]

_KINDS: dict[str, "SentenceKind"] = {}


class Messages(Protocol):
    """The translations that rendering needs; `plenipo.languages.Catalogue` has them."""

    def pgettext(self, context: str, message: str, /) -> str:
        """Translate a message with its context."""
        ...

    def npgettext(self, context: str, singular: str, plural: str, number: int, /) -> str:
        """Translate a message that counts something."""
        ...


class Either(tuple[Any, ...]):
    """Parts that are listed with 'or' before the last one."""

    __slots__ = ()


class Series(tuple[Any, ...]):
    """Parts that are listed with commas alone, such as codes."""

    __slots__ = ()


_LISTS = frozenset({tuple, Either, Series})
"""The types of parts that are rendered as lists; a unit is a tuple and none of them."""


class Quoted(str):
    """A text written by a player; it is never translated."""

    __slots__ = ()


class SentenceKind:
    """A kind of sentence, or of a part of one: a stable identifier and an English template with named placeholders.

    A kind whose identifier begins with `test-` is in no catalogue.
    A kind that counts has a second template for all numbers but one, and `count` names the part that decides: a
    number, or a tuple whose length counts. `note` is for translators.
    """

    __slots__ = ("count", "id", "note", "plural", "template")

    def __init__(self, id: str, template: str, plural: str = "", *, count: str = "number", note: str = "") -> None:  # noqa: A002
        self.id: Final = id
        self.template: Final = template
        self.plural: Final = plural
        self.count: Final = count
        self.note: Final = note
        known = _KINDS.setdefault(id, self)
        if (known.template, known.plural) != (template, plural):
            raise ValueError(f"There are two kinds of sentence '{id}'.")

    def __call__(self, **parts: Any) -> "Sentence":  # a part is a value of many types
        """Make a sentence of this kind from its parts."""
        template = self.template
        if self.plural and _number(parts[self.count]) != 1:
            template = self.plural
        if not parts:
            return Sentence(template, self, _NO_PARTS)
        for part in parts.values():
            if part.__class__ in _LISTS:
                shown = {key: _english(value) for key, value in parts.items()}
                return Sentence(template.format_map(shown), self, parts)
        return Sentence(template.format_map(parts), self, parts)

    def __reduce__(self) -> tuple[Callable[..., "SentenceKind"], tuple[str, str, str, str]]:
        return _declare, (self.id, self.template, self.plural, self.count)

    def __repr__(self) -> str:
        return f"SentenceKind({self.id!r}, {self.template!r})"


def _declare(id: str, template: str, plural: str, count: str) -> SentenceKind:  # noqa: A002
    return _KINDS.get(id) or SentenceKind(id, template, plural, count=count)


_NO_PARTS: Mapping[str, Any] = MappingProxyType({})


class Sentence(str):
    """A sentence, or a part of one: its text in English, its kind and its parts.

    Sentences are equal if their texts are; a text can be used wherever a sentence is wanted, and has no kind.
    """

    __slots__ = ("kind", "parts")

    kind: SentenceKind
    parts: Mapping[str, Any]

    def __new__(cls, text: str, kind: SentenceKind, parts: Mapping[str, Any]) -> "Sentence":  # noqa: PYI034
        """Make a sentence from its English text; kinds call this."""
        self = super().__new__(cls, text)
        self.kind = kind
        self.parts = parts
        return self

    def __reduce__(self) -> tuple[Callable[..., "Sentence"], tuple[Any, ...]]:
        if not self.kind.id:
            return _say_again, (self.kind.template, dict(self.parts))
        return _restore, (str(self), self.kind.id, dict(self.parts))


def _restore(text: str, kind: str, parts: Mapping[str, Any]) -> Sentence:
    known = _KINDS.get(kind)
    return Sentence(text, known, parts) if known else Sentence(text, AS_WRITTEN, {"text": text})


def say(template: str, /, **parts: Any) -> Sentence:
    """Make a sentence that needs no identifier, such as an error: catalogues find it by its English template.

    A part that is a text, such as a key of a file, is never translated; one that is an error is its sentence.

    >>> say("'{key}' is not an option.", key="fog").parts
    {'key': 'fog'}
    """
    return _text_kind(template)(**{key: _as_part(part) for key, part in parts.items()})


def _as_part(part: Any) -> Any:
    if isinstance(part, BaseException):
        part = part.args[0] if part.args and isinstance(part.args[0], Sentence) else str(part)
    return Quoted(part) if part.__class__ is str else part


@cache
def _text_kind(template: str) -> SentenceKind:
    kind = object.__new__(SentenceKind)
    for name, value in {"id": "", "template": template, "plural": "", "count": "number", "note": ""}.items():
        object.__setattr__(kind, name, value)
    return kind


def _say_again(template: str, parts: dict[str, Any]) -> Sentence:
    return say(template, **parts)


AS_WRITTEN = SentenceKind("as-written", "{text}")
"""A text without a kind, for instance from a record of an earlier version."""

NOTHING = SentenceKind("nothing", "")()
"""The empty sentence, for a part that is left out."""

SEQUENCE = SentenceKind("sequence", "{first} {second}")
"""Two sentences one after the other."""

LIST = SentenceKind("list", "{others} and {last}", note="The end of a list such as 'A PAR, A MAR and F BRE'.")
EITHER = SentenceKind("list-or", "{others} or {last}", note="The end of a list such as 'A PAR, A MAR or F BRE'.")
BETWEEN = SentenceKind("list-between", "{one}, {other}", note="The items of a list before the last one.")


def join_sentences(first: str, second: str) -> Sentence:
    """Return two sentences as one text; either may be empty."""
    if not first or not second:
        one = first or second
        return one if isinstance(one, Sentence) else AS_WRITTEN(text=one)
    return SEQUENCE(first=first, second=second)


def known_kinds() -> tuple[SentenceKind, ...]:
    """Return every kind declared by the modules imported so far, by identifier."""
    return tuple(_KINDS[one] for one in sorted(_KINDS))


def find_kind(id: str) -> SentenceKind | None:  # noqa: A002
    """Return the kind with an identifier; None if no module imported so far declares it."""
    return _KINDS.get(id)


def unknown_kind(id: str, parts: Iterable[str]) -> SentenceKind:  # noqa: A002
    """Return a kind that no module declares, whose sentences show the identifier and the parts."""
    named = ", ".join(f"{{{part}}}" for part in parts if part.isidentifier())
    kind = object.__new__(SentenceKind)
    words = id.replace("{", "{{").replace("}", "}}")
    for name, value in {"id": id, "template": f"{words}: {named}" if named else words}.items():
        object.__setattr__(kind, name, value)
    for name in ("plural", "count", "note"):
        object.__setattr__(kind, name, "")
    return kind


def render(text: str, messages: Messages, names: Mapping[str, str] = _NO_PARTS) -> str:
    """Render a sentence in the language of `messages`; `names` are those of powers, spaces and units in it.

    A text without a kind is returned as it is.
    """
    if not isinstance(text, Sentence):
        return text
    kind = text.kind
    if kind is AS_WRITTEN:
        return str(text)
    if kind.plural:
        template = messages.npgettext(kind.id, kind.template, kind.plural, _number(text.parts[kind.count]))
    else:
        template = messages.pgettext(kind.id, kind.template) if kind.template else ""
    return template.format_map({key: _translate_part(part, messages, names) for key, part in text.parts.items()})


class _English:
    """The messages as they are in the source."""

    def pgettext(self, context: str, message: str, /) -> str:
        del context
        return message

    def npgettext(self, context: str, singular: str, plural: str, number: int, /) -> str:
        del context
        return singular if number == 1 else plural


@dataclass(frozen=True, eq=False)
class TargetLanguage:
    """A language to render sentences in: its translations, and its names of powers, spaces and units.

    Compared by identity, so that it can be part of a key.
    """

    messages: Messages
    names: Mapping[str, str]

    def render(self, text: str) -> str:
        """Return a sentence in this language; a text without a kind is returned as it is."""
        return render(text, self.messages, self.names)

    def name(self, name: str) -> str:
        """Return a name in this language; one that it lacks is returned as it is."""
        return self.names.get(name, name)


ENGLISH = TargetLanguage(_English(), _NO_PARTS)
"""The language of the source."""


def _number(part: object) -> int:
    return len(part) if isinstance(part, tuple) else int(part)  # type: ignore[call-overload]


def _english(part: Any) -> str:
    if isinstance(part, Series):
        return ", ".join(map(_english, part))
    if part.__class__ in _LISTS:
        return listing(map(_english, part), "or" if isinstance(part, Either) else "and")
    return str(part)


def _translate_part(part: Any, messages: Messages, names: Mapping[str, str]) -> object:
    if isinstance(part, Sentence):
        return render(part, messages, names)
    if part.__class__ in _LISTS:
        return _translated_list(part, messages, names)
    as_sentence = getattr(part, "as_sentence", None)
    if as_sentence is not None:
        return render(as_sentence(), messages, names)
    if isinstance(part, str) and not isinstance(part, Quoted):
        return names.get(part, part)
    return part


def _translated_list(parts: tuple[object, ...], messages: Messages, names: Mapping[str, str]) -> str:
    items = [str(_translate_part(part, messages, names)) for part in parts]
    if len(items) < 2:
        return "".join(items)
    others, ends = items[0], isinstance(parts, Series)
    for item in items[1:] if ends else items[1:-1]:
        others = messages.pgettext(BETWEEN.id, BETWEEN.template).format(one=others, other=item)
    if ends:
        return others
    end = EITHER if isinstance(parts, Either) else LIST
    return messages.pgettext(end.id, end.template).format(others=others, last=items[-1])
