"""Texts in the language of a reader: marked texts, and sentences with a kind and parts."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from plenipo import languages
from plenipo.engine.calendar import phase_of_text
from plenipo.engine.sentences import AS_WRITTEN, Either, Quoted, Sentence, SentenceKind, Series, render
from plenipo.languages import mark
from plenipo.languages.names import names_in

__all__ = [
    "LESSONS",
    "MONTHS",
    "SERVER",
    "VARIANTS",
    "current_language",
    "encode_parts",
    "encode_text",
    "gettext",
    "instant_with_year",
    "ngettext",
    "pgettext",
    "replace_texts",
    "translate",
    "translate_name",
    "translate_phase",
    "use_language",
    "using_language",
]

SERVER = "server-"
"""The beginning of the identifiers of all kinds of sentence that the server declares."""

LESSONS = "lessons"
"""The catalogue of the texts of the lessons, each under the id of its lesson."""

VARIANTS = "variants"
"""The catalogue of the texts of the variant library, such as the summary of each variant."""

MONTHS = (
    mark("January"),
    mark("February"),
    mark("March"),
    mark("April"),
    mark("May"),
    mark("June"),
    mark("July"),
    mark("August"),
    mark("September"),
    mark("October"),
    mark("November"),
    mark("December"),
)
"""The months by their English names."""

_LANGUAGE: ContextVar[str] = ContextVar("language", default=languages.ENGLISH)


_INSTANT = SentenceKind("server-instant-with-year", "{day} {month} {year}, {time} UTC")


def instant_with_year(at: datetime) -> Sentence:
    """Return an instant of any year as a part of a sentence.

    >>> instant_with_year(datetime(2026, 3, 2, 19, tzinfo=UTC))
    '2 March 2026, 19:00 UTC'
    """
    at = at.astimezone(UTC)
    return _INSTANT(day=at.day, month=MONTHS[at.month - 1], year=at.year, time=f"{at:%H:%M}")


def use_language(language: str) -> None:
    """Translate texts into a language for the rest of the current task."""
    _LANGUAGE.set(language)


def current_language() -> str:
    """Return the language into which texts are translated in the current task."""
    return _LANGUAGE.get()


@contextmanager
def using_language(language: str) -> Iterator[None]:
    """Translate texts into a language while the block runs."""
    token = _LANGUAGE.set(language)
    try:
        yield
    finally:
        _LANGUAGE.reset(token)


def gettext(message: str) -> str:
    """Translate a text of the pages into the current language."""
    return languages.gettext(_LANGUAGE.get(), message)


def pgettext(context: str, message: str, domain: str = "pages") -> str:
    """Translate a text that means different things in different places; the context names the meaning."""
    return languages.pgettext(_LANGUAGE.get(), context, message, domain)


def ngettext(singular: str, plural: str, number: int) -> str:
    """Translate a text that counts something into the current language."""
    return languages.ngettext(_LANGUAGE.get(), singular, plural, number)


class _Messages:
    """The catalogues of the current language, as `render` needs them: that of the pages, or that of the rules."""

    def pgettext(self, context: str, message: str) -> str:
        """Translate a kind of sentence."""
        return languages.pgettext(_LANGUAGE.get(), context, message, _of(context))

    def npgettext(self, context: str, singular: str, plural: str, number: int) -> str:
        """Translate a kind of sentence that counts something."""
        return languages.npgettext(_LANGUAGE.get(), context, singular, plural, number, _of(context))


def _of(context: str) -> str:
    """Return the domain of a kind of sentence."""
    return "pages" if context.startswith(SERVER) else "rules"


class _Labels(dict[str, str]):
    """The marked labels among the parts of a sentence, translated into the current language."""

    def get(self, key: str, default: str | None = None) -> str:  # type: ignore[override]
        """Translate a part; a text that is no label stays."""
        del default
        return gettext(key)


_MESSAGES, _LABELS = _Messages(), _Labels()

_NAMED = frozenset({"power", "powers", "seat", "space", "taken"})
"""The parts of sentences of the server that are names of powers or spaces."""

_WRITTEN = frozenset(
    {"game", "holder", "line", "name", "order", "player", "read", "reason", "shown", "sitter", "text", "title", "typed"}
    | {"value", "winner"}
)
"""The parts of sentences of the server that people wrote, such as their names; they are never translated."""


def translate(text: str) -> str:
    """Translate a sentence with a kind and parts, or a marked text, into the current language."""
    if not isinstance(text, Sentence):
        return gettext(text)
    if not text.kind.id.startswith(SERVER):
        return render(text, _MESSAGES, _names())
    parts = {key: _translate_part(key, part) for key, part in text.parts.items()}
    return render(text.kind(**parts), _MESSAGES, _LABELS)


def translate_phase(text: str) -> str:
    """Translate a phase that is stored as it is printed in English; another text stays."""
    phase = phase_of_text(text)
    return text if phase is None else translate(phase.as_sentence())


def translate_name(name: str) -> str:
    """Translate the name of a power, a space or a thing that is counted."""
    return _names().get(name, name)


def _names() -> Mapping[str, str]:
    return names_in(_LANGUAGE.get())


def _translate_part(key: str, part: object) -> object:
    as_sentence = getattr(part, "as_sentence", None)
    if as_sentence is not None:
        part = as_sentence()
    if isinstance(part, Sentence):
        return Quoted(translate(part))
    if type(part) is tuple or isinstance(part, Either | Series):
        return type(part)(_translate_part(key, one) for one in part)
    if isinstance(part, str) and key in _NAMED:
        return Quoted(_names().get(part, part))
    return Quoted(part) if isinstance(part, str) and key in _WRITTEN else part


def replace_texts(text: str, change: Callable[[str], str]) -> str:
    """Return a sentence with `change` applied to each text among its parts, and a text without parts changed."""
    if not isinstance(text, Sentence):
        return change(text)
    return text.kind(**{name: _replace_texts_of(part, change) for name, part in text.parts.items()})


def _replace_texts_of(part: Any, change: Callable[[str], str]) -> Any:
    if isinstance(part, Sentence):
        return replace_texts(part, change)
    if type(part) is tuple or isinstance(part, Either | Series):
        return type(part)(_replace_texts_of(one, change) for one in part)
    if not isinstance(part, str) or (changed := change(part)) == part:
        return part
    return changed if isinstance(changed, Sentence) else Quoted(changed)


def encode_text(text: str) -> dict[str, Any]:
    """Return a sentence, or a fixed text, for programs that translate it: `kind`, `parts` and the English `text`."""
    if not isinstance(text, Sentence) or text.kind is AS_WRITTEN:
        return {"text": str(text)}
    return {"kind": text.kind.id, "parts": encode_parts(text), "text": str(text)}


def encode_parts(sentence: Sentence) -> dict[str, Any]:
    """Return the parts of a sentence as JSON: a part that is a sentence has its kind, parts and English text."""
    return {name: _encode_part(part) for name, part in sentence.parts.items()}


def _encode_part(part: object) -> Any:
    as_sentence = getattr(part, "as_sentence", None)
    if as_sentence is not None:
        part = as_sentence()
    if isinstance(part, Sentence):
        return {"kind": part.kind.id, "parts": encode_parts(part), "text": str(part)}
    if isinstance(part, Either):
        return {"or": [_encode_part(one) for one in part]}
    if isinstance(part, Series):
        return {"series": [_encode_part(one) for one in part]}
    if type(part) is tuple:
        return {"and": [_encode_part(one) for one in part]}
    return part if type(part) is int else str(part)
