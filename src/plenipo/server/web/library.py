"""The variant library as a list, with search by words, powers, spaces, length and requirements."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlencode

from plenipo import library
from plenipo.engine.hooks import RuleModule
from plenipo.errors import PlenipoError
from plenipo.languages import mark
from plenipo.library import plugins
from plenipo.server.texts import VARIANTS, current_language, pgettext
from plenipo.server.web.models import Model, summary_of, translate_summary

__all__ = [
    "LENGTHS",
    "NEEDS",
    "BankEntry",
    "LibrarySearch",
    "SearchChoice",
    "entries",
    "label_of",
    "matching",
    "translate_choice",
    "translate_feature",
    "translate_option",
    "translate_sign",
]

LENGTHS = {"short": mark("Short"), "medium": mark("Medium"), "long": mark("Long")}
"""The lengths of games, with their labels."""

NEEDS = {
    "nothing": mark("Standard rules only"),
    "orders": mark("Other orders and choices"),
    "money": mark("Money or points"),
    "secrets": mark("Secrets"),
}
"""The requirements of a variant, what its players must learn or keep in mind, with their labels."""

SIZES = ("-40", "41-75", "76-100", "101-")
"""The ranges of the number of spaces that a reader chooses from."""


class BankEntry(Model):
    """A variant in the list of the library; its board is not read."""

    name: str
    title: str
    summary: str
    players: int
    spaces: int
    length: str
    special: tuple[str, ...]
    needs: tuple[str, ...]
    designer: str
    source: str
    licence: str
    only_here: bool

    @classmethod
    def of(cls, name: str) -> "BankEntry":
        """Return the list entry of a variant; raise as `library.read` does."""
        definition = library.read(name, as_saved=True)
        about = definition.about
        played = [power for power in definition.powers if power.played]
        return cls(
            name=name,
            title=definition.title,
            summary=summary_of(name),
            players=about.players or len(played),
            spaces=len(definition.spaces),
            length=about.length or "",
            special=tuple(about.special),
            needs=tuple(_list_needs(library.modules_of(name))),
            designer=about.designer or "",
            source=about.source or "",
            licence=about.licence or "",
            only_here=bool(about.only_here),
        )

    @property
    def words(self) -> str:
        """The text for the search: that of the list in English and in the current language."""
        return _words(self, current_language())


@lru_cache(maxsize=4096)
def _words(entry: BankEntry, _language: str) -> str:
    translated = (translate_summary(entry.name), *(translate_feature(words) for words in entry.special))
    texts = (entry.title, entry.summary, *entry.special, *translated, entry.designer, entry.source, entry.name)
    return " ".join((*texts, entry.length, entry.licence)).casefold()


def _list_needs(modules: tuple[RuleModule, ...]) -> Iterator[str]:
    """Yield the requirements that rule modules bring, `nothing` where there is no module."""
    if not modules:
        yield "nothing"
    hooks = frozenset[str]().union(*(module.overridden() for module in modules))
    if hooks & {"choices", "offers"}:
        yield "orders"
    if "balances" in hooks:
        yield "money"
    if any(module.hides or module.secrets() is not None for module in modules):
        yield "secrets"


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
    return tuple(map(BankEntry.of, (*library.names(), *plugins.shipped_bank())))


@lru_cache(maxsize=2048)
def _entry(name: str, _version: tuple[int, ...]) -> BankEntry | None:
    try:
        return BankEntry.of(name)
    except (PlenipoError, OSError, UnicodeDecodeError):
        return None


def matching(text: str) -> tuple[BankEntry, ...]:
    """Return the variants that contain every word of `text`."""
    return LibrarySearch(text).find()


class SearchChoice(NamedTuple):
    """A choice of a filter: its value, its label (None for a number or a range), and how many variants it leaves."""

    value: str
    label: str | None
    number: int


@dataclass(frozen=True, slots=True)
class LibrarySearch:
    """A search in the library: words, and filters that are empty or name a number, a range or a choice.

    `players` and `spaces` are a number such as `7` or a range such as `41-75`, `-40` or `101-`.
    """

    q: str = ""
    players: str = ""
    spaces: str = ""
    length: str = ""
    needs: str = ""

    def find(self) -> tuple[BankEntry, ...]:
        """Return the variants that are wanted."""
        words = self.q.casefold().split()
        return tuple(
            entry
            for entry in entries()
            if (not self.players or _is_in(entry.players, self.players))
            and (not self.spaces or _is_in(entry.spaces, self.spaces))
            and self.length in ("", entry.length)
            and (not self.needs or self.needs in entry.needs)
            and all(word in entry.words for word in words)
        )

    @property
    def query(self) -> str:
        """The search as the query of an address, without what is empty."""
        return urlencode({key: value for key, value in self._list_values() if value})

    @property
    def choices(self) -> dict[str, tuple[SearchChoice, ...]]:
        """The choices of each filter that leave something, and the one that is set."""
        found = {field.name: replace(self, **{field.name: ""}).find() for field in fields(self)}
        players = Counter(str(entry.players) for entry in found["players"])
        lengths = Counter(entry.length for entry in found["length"])
        needs = Counter(need for entry in found["needs"] for need in entry.needs)
        sizes = {size: sum(_is_in(entry.spaces, size) for entry in found["spaces"]) for size in SIZES}
        return {
            "players": self._choose("players", dict(sorted(players.items(), key=lambda pair: int(pair[0])))),
            "spaces": self._choose("spaces", sizes),
            "length": self._choose("length", {key: lengths[key] for key in LENGTHS}, LENGTHS),
            "needs": self._choose("needs", {key: needs[key] for key in NEEDS}, NEEDS),
        }

    def _choose(
        self, name: str, counts: dict[str, int], labels: dict[str, str] | None = None
    ) -> tuple[SearchChoice, ...]:
        chosen = getattr(self, name)
        if chosen not in counts:
            counts = {**counts, chosen: len(self.find())} if chosen else counts
        return tuple(
            SearchChoice(value, labels.get(value, value) if labels else None, count)
            for value, count in counts.items()
            if count or value == chosen
        )

    @property
    def looser(self) -> tuple[tuple[str, str, int], ...]:
        """The filters without which something is found: the name of each, the query without it, and the number."""
        without = ((key, replace(self, **{key: ""})) for key, value in self._list_values() if value)
        return tuple((key, other.query, count) for key, other in without if (count := len(other.find())))

    def _list_values(self) -> tuple[tuple[str, str], ...]:
        return tuple((field.name, getattr(self, field.name)) for field in fields(self))


def _is_in(number: int, wanted: str) -> bool:
    """Return whether a number is the one that is wanted, or in the range; a text that is neither fits none.

    >>> [_is_in(76, text) for text in ("76", "-80", "76-100", "101-", "-", "many")]
    [True, True, True, False, True, False]
    """
    least, dash, most = wanted.partition("-")
    if not all(text.isdecimal() for text in (least, most) if text) or not wanted:
        return False
    if not dash:
        return number == int(least)
    return int(least or 0) <= number and (not most or number <= int(most))
