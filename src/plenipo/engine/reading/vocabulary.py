"""The words of orders in another language, beside the English ones, which are always understood.

A translator gives the words of each kind below, separated by commas, and the names of spaces and powers. A word or
phrase of the language is replaced by an English one before the grammar reads the order (`TokenReader`), unless it is
part of a name. Letters with marks may be written with two letters as well: `haelt` for `hält`.
"""

import re
import unicodedata
from collections.abc import Mapping

from plenipo.engine.sentences import Messages, SentenceKind

__all__ = ["WORD_KINDS", "Vocabulary", "spell", "vocabulary_of"]

_NOTE = "Words and phrases that players use in orders, separated by commas; write those of your language."

WORD_KINDS: Mapping[str, SentenceKind] = {
    word: SentenceKind(f"words-{name}", words, note=_NOTE)
    for word, name, words in (
        ("army", "army", "army, armies"),
        ("fleet", "fleet", "fleet, fleets"),
        ("holds", "hold", "holds, hold, stands"),
        ("moves", "move", "moves, move, attacks, attack"),
        ("supports", "support", "supports, support, helps"),
        ("convoys", "convoy", "convoys, convoy, transports"),
        ("turns", "convert", "turns, converts"),
        ("retreats", "retreat", "retreats, retreat, withdraws"),
        ("disbands", "disband", "disbands, disband, removes"),
        ("builds", "build", "builds, build"),
        ("waives", "waive", "waives, waive, passes"),
        ("chooses", "choose", "chooses, selects"),
        ("to", "to", "to, into"),
        ("on", "on", "on, against"),
        ("from", "from", "from, of"),
        ("with", "with", "with, using"),
        ("via", "via", "via, by convoy, by sea"),
        ("in", "in", "in, at"),
        ("the", "the", "the, a, an, my"),
        ("and", "and", "and, then"),
        ("orders", "headings", "orders, spring, summer, fall, autumn, winter"),
        ("please", "courtesies", "please, thanks"),
        ("northcoast", "north-coast", "north coast, NC"),
        ("southcoast", "south-coast", "south coast, SC"),
        ("eastcoast", "east-coast", "east coast, EC"),
        ("westcoast", "west-coast", "west coast, WC"),
    )
}
"""The kind of each English word that the grammar reads: its words in English, for translators."""

_TWO_LETTERS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae", "œ": "oe", "ß": "ss", "þ": "th", "ð": "d"}
)
_WORD = re.compile(r"[^\W_]+")


class Vocabulary:
    """The spellings of names, by their English names, and the words of orders in one language; compared by identity.

    `words` maps the phrases of the language, as words of letters without marks, to the English words.
    """

    def __init__(self, names: Mapping[str, tuple[str, ...]], words: Mapping[str, tuple[str, ...]]) -> None:
        self.names = names
        self.words: dict[tuple[str, ...], str] = {}
        self.last: dict[tuple[str, ...], str] = {}
        """The words that mean nothing at the end of an order."""
        for english, phrases in words.items():
            found = self.last if english == "please" else self.words
            for phrase in phrases:
                for written in spell(phrase):
                    found.setdefault(tuple(map(_plain, _WORD.findall(written))), english)
        self.longest = max((len(phrase) for phrase in self.words), default=1)
        self.joins = tuple(phrase for phrase in words.get("and", ()) if phrase)


def spell(text: str) -> tuple[str, ...]:
    """Return a text and its spelling with two letters for those with marks, if that is another.

    >>> spell("Wien"), spell("Dänemark")
    (('Wien',), ('Dänemark', 'daenemark'))
    """
    lower = text.casefold() if not text.isascii() else text
    other = lower.translate(_TWO_LETTERS)
    return (text,) if other == lower or text.isascii() else (text, other)


def _plain(word: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", word.casefold()).casefold()))


def vocabulary_of(messages: Messages, names: Mapping[str, tuple[str, ...]]) -> Vocabulary:
    """Return the vocabulary of a language from its catalogue and its names, each with its spellings."""
    words = {}
    for english, kind in WORD_KINDS.items():
        text = messages.pgettext(kind.id, kind.template)
        if text != kind.template:
            words[english] = tuple(filter(None, (phrase.strip() for phrase in text.split(","))))
    return Vocabulary(names, words)
