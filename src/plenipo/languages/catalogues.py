"""A catalogue: the messages of one language and domain, checked against their English originals."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from plenipo.languages.plurals import PluralRule, parse_plural_forms
from plenipo.languages.po_files import CatalogueError, PoEntry, find_faults

__all__ = ["Catalogue"]

_GERMANIC = "nplurals=2; plural=(n != 1);"


class Catalogue:
    """The translations of one language; a message without a translation is returned in English.

    `faults` are sentences about the entries that cannot be used and are therefore left out.
    """

    def __init__(
        self,
        language: str,
        entries: Iterable[PoEntry] = (),
        headers: Mapping[str, str] | None = None,
        file: Path | None = None,
    ) -> None:
        self.language = language
        self.headers = dict(headers or {})
        try:
            self.plural: PluralRule = parse_plural_forms(self.headers.get("Plural-Forms", _GERMANIC))
        except ValueError as error:
            raise CatalogueError(f"{f'{file}:1' if file else language}: {error}") from None
        self.messages: dict[tuple[str, str], tuple[str, ...]] = {}
        """The translations, one for each plural form, by context (empty if there is none) and English message."""
        faults = []
        for entry in entries:
            if found := list(find_faults(entry, self.plural.forms)):
                faults += [f"{file or language}:{entry.line}: {fault}" for fault in found]
            elif entry.is_translated:
                self.messages[entry.context, entry.message] = entry.translations
        self.faults = tuple(faults)

    def gettext(self, message: str) -> str:
        """Translate a message."""
        return self.pgettext("", message)

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        """Translate a message that counts something; placeholders are not filled in."""
        return self.npgettext("", singular, plural, number)

    def pgettext(self, context: str, message: str) -> str:
        """Translate a message that needs a context to be understood."""
        found = self.messages.get((context, message))
        return found[0] if found else message

    def npgettext(self, context: str, singular: str, plural: str, number: int) -> str:
        """Translate a message that counts something and needs a context."""
        found = self.messages.get((context, singular))
        if not found:
            return singular if number == 1 else plural
        return found[self.plural(number)] if len(found) > 1 else found[0]

    def __iter__(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """Iterate over context, English message and translations."""
        return ((context, message, texts) for (context, message), texts in self.messages.items())

    def __len__(self) -> int:
        return len(self.messages)
