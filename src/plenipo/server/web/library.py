"""The bank: many variants in one list, by players, length and what is special, that can be searched."""

from functools import lru_cache

from plenipo import library
from plenipo.server.web.models import Model, summary_of

__all__ = ["BankEntry", "entries", "matching"]


class BankEntry(Model):
    """A variant of the bank as the list shows it; nothing of its board is read for that."""

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
        """What is said of a variant; raises as `library.read` does."""
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
        """Everything that is searched."""
        return " ".join((self.title, self.summary, *self.special, self.designer, self.length, self.name)).casefold()


@lru_cache(maxsize=1)
def entries() -> tuple[BankEntry, ...]:
    """Every variant of the bank, by the number of players and then by the alphabet."""
    cards = map(BankEntry.of, library.bank())
    return tuple(sorted(cards, key=lambda entry: (entry.players, entry.title)))


def matching(text: str, players: int | None = None, length: str = "") -> tuple[BankEntry, ...]:
    """The variants in which every word of `text` occurs, for so many players, of such a length."""
    words = text.casefold().split()
    return tuple(
        entry
        for entry in entries()
        if all(word in entry.words for word in words)
        and players in (None, entry.players)
        and length in ("", entry.length)
    )
