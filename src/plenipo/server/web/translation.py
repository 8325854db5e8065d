"""The language of a request, and the texts of the pages in it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from fastapi import Request

from plenipo import languages
from plenipo.engine.sentences import Sentence, render
from plenipo.languages import mark

__all__ = [
    "PSEUDO",
    "direction_of",
    "gettext",
    "language_of",
    "lengthen",
    "mark",
    "ngettext",
    "translate",
    "using_language",
]

COOKIE = "language"
"""The cookie with the language that a person has chosen."""

PSEUDO = "en-XA"
"""English with accents and a third longer, for finding untranslated texts and boxes that are too small."""

SERVER = "server-"
"""The beginning of the identifiers of all kinds of sentence that the server declares."""

RIGHT_TO_LEFT = frozenset("ar ckb dv fa he ps sd ug ur yi".split())

_LANGUAGE: ContextVar[str] = ContextVar("language", default=languages.ENGLISH)


def language_of(request: Request) -> str:
    """Return the language for a request: the one its cookie names, else the best of its header, else English."""
    chosen = request.cookies.get(COOKIE, "")
    if chosen == PSEUDO:
        return PSEUDO
    return _match(chosen) or _match_header(request.headers.get("accept-language", "")) or languages.ENGLISH


def _match(tag: str, domain: str = "*") -> str | None:
    """Find the catalogue for a BCP 47 tag: its own, or that of a shorter one, such as `de` for `de-AT`."""
    known = {one.casefold(): one for one in languages.available(domain=domain)}
    parts = tag.strip().casefold().split("-")
    candidates = ("-".join(parts[:size]) for size in range(len(parts), 0, -1))
    return next((known[candidate] for candidate in candidates if candidate in known), None)


def _match_header(header: str) -> str | None:
    """Find the catalogue of the pages that suits an `Accept-Language` header best.

    A language with other catalogues alone is used only if it is chosen: most of its pages would be in English.
    """
    wanted = []
    for item in header[:400].split(","):
        tag, _, weight = item.partition(";")
        matched = re.fullmatch(r"\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*", weight)
        quality = float(matched[1]) if matched else float(not weight)
        if quality:
            wanted.append((-quality, tag))
    ranked = sorted(wanted, key=lambda one: one[0])
    return next((found for _, tag in ranked if (found := _match(tag, "pages")) is not None), None)


def direction_of(language: str) -> str:
    """Return the direction in which a language is written, as HTML has it: `ltr` or `rtl`."""
    return "rtl" if language.partition("-")[0] in RIGHT_TO_LEFT else "ltr"


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
    language = _LANGUAGE.get()
    return lengthen(message) if language == PSEUDO else languages.gettext(language, message)


def ngettext(singular: str, plural: str, number: int) -> str:
    """Translate a text that counts something into the current language."""
    language = _LANGUAGE.get()
    if language == PSEUDO:
        return lengthen(singular if number == 1 else plural)
    return languages.ngettext(language, singular, plural, number)


class _Messages:
    """The catalogues of the current language, as `render` needs them: that of the pages, or that of the rules."""

    def pgettext(self, context: str, message: str) -> str:
        """Translate a kind of sentence."""
        language = _LANGUAGE.get()
        return lengthen(message) if language == PSEUDO else languages.pgettext(language, context, message, _of(context))

    def npgettext(self, context: str, singular: str, plural: str, number: int) -> str:
        """Translate a kind of sentence that counts something."""
        language = _LANGUAGE.get()
        if language == PSEUDO:
            return lengthen(singular if number == 1 else plural)
        return languages.npgettext(language, context, singular, plural, number, _of(context))


def _of(context: str) -> str:
    """Return the domain of a kind of sentence."""
    return "pages" if context.startswith(SERVER) else "rules"


class _Labels(dict[str, str]):
    """The marked labels among the parts of a sentence, translated into the current language."""

    def get(self, key: str, default: str | None = None) -> str:  # type: ignore[override]
        """Translate a part; a text that is no label stays."""
        del default
        return key if _LANGUAGE.get() == PSEUDO else gettext(key)


_MESSAGES, _LABELS = _Messages(), _Labels()


def translate(text: str) -> str:
    """Translate a sentence with a kind and parts, or a marked text, into the current language."""
    return render(text, _MESSAGES, _LABELS) if isinstance(text, Sentence) else gettext(text)


_ACCENTED = str.maketrans("AEIOUYaceinouyz", "ÀÉÎÕÛÝàçéîñõûýž")

_VERBATIM = re.compile(r"(%\(\w+\)s|%%|\{\w*\}|<[^>]*>|&#?\w+;)")


def lengthen(message: str) -> str:
    """Write a text with accents and a third longer, with placeholders, tags and entities as they are.

    >>> lengthen("Join %(name)s")
    'Jõîñ %(name)s~~'
    """
    parts = _VERBATIM.split(message)
    size = sum(len(part) for part in parts[::2])
    written = "".join(part if at % 2 else part.translate(_ACCENTED) for at, part in enumerate(parts))
    return f"{written}{'~' * -(-size // 3)}"
