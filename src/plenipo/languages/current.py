"""The language of a program at a terminal: chosen once, and used by everything that it prints.

>>> from plenipo.languages.current import _
>>> _("Saved; go on with: {command}", command="plenipo play")
'Saved; go on with: plenipo play'
"""

from collections.abc import Iterable, Mapping

from plenipo.engine.sentences import SentenceKind, render
from plenipo.languages import ENGLISH, Catalogue, CatalogueError, available, catalogue
from plenipo.languages.names import names_in

__all__ = ["_", "current_language", "in_list", "in_words", "mark", "name_of", "plural", "set_language"]

DOMAIN = "rules"
"""The catalogue of the texts of the command line, and of the sentences of the rules."""

_LISTED = SentenceKind("listed", "{items}")

_current: list[Catalogue] = [Catalogue(ENGLISH)]


def set_language(language: str) -> None:
    """Use a language from now on; raises `CatalogueError` with the available ones if there is no catalogue for it."""
    try:
        _current[0] = catalogue(language, DOMAIN)
    except CatalogueError:
        known = ", ".join(available())
        raise CatalogueError(f"Unknown language '{language[:40]}'; there are {known}.") from None


def current_language() -> str:
    """Return the language in use, as a BCP 47 tag."""
    return _current[0].language


def _(message: str, /, **parts: object) -> str:
    """Translate a text of the program and fill in its parts; a part that is a sentence is translated as well."""
    return _current[0].gettext(message).format_map(_put_in_words(parts)) if parts else _current[0].gettext(message)


def plural(singular: str, plural: str, number: int, /, **parts: object) -> str:
    """Translate a text that counts something; the part `number` is filled in."""
    return _current[0].ngettext(singular, plural, number).format_map(_put_in_words({"number": number, **parts}))


def mark(message: str) -> str:
    """Return a text unchanged; it is translated where it is shown."""
    return message


def in_words(sentence: object) -> str:
    """Return a sentence in the language in use, with names of powers and spaces; any other value as text."""
    as_sentence = getattr(sentence, "as_sentence", None)
    said = getattr(sentence, "sentence", sentence) if as_sentence is None else as_sentence()
    return render(said, _current[0], names_in(current_language())) if isinstance(said, str) else str(said)


def name_of(name: str) -> str:
    """Return the name of a power or a space in the language in use."""
    return names_in(current_language()).get(name, name)


def in_list(items: Iterable[object]) -> str:
    """Return items as a list in the language in use, such as `A PAR, A MAR and F BRE`."""
    return in_words(_LISTED(items=tuple(items)))


def _put_in_words(parts: Mapping[str, object]) -> Mapping[str, str]:
    return {key: in_words(part) for key, part in parts.items()}
