"""The names of powers, spaces and units in other languages, and the words in which orders are written.

`languages/<language>/names.po` has the names: a context is the identifier of a variant in which a name differs, and a
name without a context is shared by all variants. A translation may list further spellings that are understood in
orders after the name that is shown: `Ärmelkanal|Kanal`. The words of orders are in `rules.po`.

>>> names_in("de")["Vienna"], names_in("en")
('Wien', {})
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from plenipo.engine import sentences
from plenipo.engine.reading.vocabulary import Vocabulary, vocabulary_of
from plenipo.languages import ENGLISH, FOLDER, catalogue

__all__ = ["DOMAIN", "language_in", "names_in", "vocabulary_in"]

DOMAIN = "names"
SPELLINGS = "|"
"""The mark between a name and its other spellings."""


@cache
def names_in(language: str, variant: str = "", folder: Path = FOLDER) -> Mapping[str, str]:
    """Return the names shown in a language, by their English names; a name that is missing is left in English.

    `get` also knows the names of the parts of a space that was split: `Aegean Sea 1`.
    """
    spellings = _spellings(language, variant, folder)
    return _Names({english: texts[0] for english, texts in spellings.items()})


@cache
def language_in(language: str, variant: str = "", folder: Path = FOLDER) -> sentences.TargetLanguage:
    """Return a language to render the sentences and pictures of a variant in; raises `CatalogueError`."""
    if language == ENGLISH:
        return sentences.ENGLISH
    return sentences.TargetLanguage(catalogue(language, "rules", folder), names_in(language, variant, folder))


@cache
def vocabulary_in(language: str, variant: str = "", folder: Path = FOLDER) -> Vocabulary | None:
    """Return the names and words in which orders of a variant may be written in a language; None for English."""
    if language == ENGLISH:
        return None
    return vocabulary_of(catalogue(language, "rules", folder), _spellings(language, variant, folder))


class _Names(dict[str, str]):
    """Names by their English names, with those of the parts of spaces, which have a number after them."""

    def get(self, key: str, default: str | None = None) -> str:  # type: ignore[override]  # names have no other values
        """Return a name, or the default."""
        whole, _, number = key.rpartition(" ")
        if key not in self and number.isdecimal() and whole in self:
            return f"{self[whole]} {number}"
        return super().get(key, key if default is None else default)


def _spellings(language: str, variant: str, folder: Path) -> dict[str, tuple[str, ...]]:
    shared: dict[str, str] = {}
    own: dict[str, str] = {}
    for context, english, texts in catalogue(language, DOMAIN, folder):
        if context in ("", variant):
            (own if context else shared)[english] = texts[0]
    split = {english: text.split(SPELLINGS) for english, text in {**shared, **own}.items()}
    return {english: tuple(filter(None, map(str.strip, texts))) for english, texts in split.items()}
