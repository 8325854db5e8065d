"""The variant library as a list, with search by players, length and special features."""

from functools import lru_cache

from plenipo import library
from plenipo.errors import PlenipoError
from plenipo.library import plugins
from plenipo.server.texts import VARIANTS, pgettext
from plenipo.server.web.models import Model, summary_of, translate_summary

__all__ = [
    "BankEntry",
    "entries",
    "label_of",
    "matching",
    "translate_choice",
    "translate_feature",
    "translate_option",
    "translate_sign",
]


class BankEntry(Model):
    """A variant in the list of the library; its board is not read."""

    name: str
    title: str
    summary: str
    players: int
    length: str
    special: tuple[str, ...]
    designer: str
    source: str

    @classmethod
    def of(cls, name: str) -> "BankEntry":
        """Return the list entry of a variant; raise as `library.read` does."""
        definition = library.read(name)
        about = definition.about
        return cls(
            name=name,
            title=definition.title,
            summary=summary_of(name),
            players=about.players or len(definition.powers),
            length=about.length or "",
            special=tuple(about.special),
            designer=about.designer or "",
            source=about.source or "",
        )

    @property
    def words(self) -> str:
        """The text for the search: that of the list in English and in the current language."""
        translated = (translate_summary(self.name), *(translate_feature(words) for words in self.special))
        texts = (self.title, self.summary, *self.special, *translated, self.designer, self.length, self.name)
        return " ".join(texts).casefold()


def translate_option(name: str) -> str:
    """Return the label of an option in the current language."""
    return pgettext("option", label_of(name), VARIANTS)


def translate_choice(choice: str) -> str:
    """Return a choice of an option in the current language."""
    return pgettext("choice", choice.replace("_", " "), VARIANTS)


def translate_sign(words: str) -> str:
    """Return the meaning of a sign on the board, with places for options, in the current language."""
    return pgettext("sign", words, VARIANTS)


def label_of(name: str) -> str:
    """Return the English label of an option."""
    return name.replace("_", " ").capitalize()


def translate_feature(words: str) -> str:
    """Return a special feature of a variant, in a word or two, in the current language."""
    return pgettext("feature", words, VARIANTS)


def entries() -> tuple[BankEntry, ...]:
    """Return every variant of the library, by the number of players and then alphabetically.

    A variant in an added folder whose file cannot be read now is left out; its page says why.
    """
    added = [_entry(name, plugins.version_of(name)) for name in plugins.find_added()]
    cards = (*_shipped_entries(), *filter(None, added))
    return tuple(sorted(cards, key=lambda entry: (entry.players, entry.title)))


@lru_cache(maxsize=1)
def _shipped_entries() -> tuple[BankEntry, ...]:
    return tuple(map(BankEntry.of, plugins.shipped_bank()))


@lru_cache(maxsize=2048)
def _entry(name: str, _version: tuple[int, ...]) -> BankEntry | None:
    try:
        return BankEntry.of(name)
    except (PlenipoError, OSError, UnicodeDecodeError):
        return None


def matching(text: str, players: int | None = None, length: str = "") -> tuple[BankEntry, ...]:
    """Return the variants that contain every word of `text`, for a number of players and a length."""
    words = text.casefold().split()
    return tuple(
        entry
        for entry in entries()
        if all(word in entry.words for word in words)
        and players in (None, entry.players)
        and length in ("", entry.length)
    )
