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
    """Return the names shown in a language, by their English names; a name that is missing is left in English."""
    return {english: spellings[0] for english, spellings in _spellings(language, variant, folder).items()}


@cache
def language_in(language: str, variant: str = "", folder: Path = FOLDER) -> sentences.Language:
    """Return a language to render the sentences and pictures of a variant in; raises `CatalogueError`."""
    if language == ENGLISH:
        return sentences.ENGLISH
    return sentences.Language(catalogue(language, "rules", folder), names_in(language, variant, folder))


@cache
def vocabulary_in(language: str, variant: str = "", folder: Path = FOLDER) -> Vocabulary | None:
    """Return the names and words in which orders of a variant may be written in a language; None for English."""
    if language == ENGLISH:
        return None
    return vocabulary_of(catalogue(language, "rules", folder), _spellings(language, variant, folder))


def _spellings(language: str, variant: str, folder: Path) -> dict[str, tuple[str, ...]]:
    shared: dict[str, str] = {}
    own: dict[str, str] = {}
    for context, english, texts in catalogue(language, DOMAIN, folder):
        if context in ("", variant):
            (own if context else shared)[english] = texts[0]
    split = {english: text.split(SPELLINGS) for english, text in {**shared, **own}.items()}
    return {english: tuple(filter(None, map(str.strip, texts))) for english, texts in split.items()}
