"""Wording: lists and counts in sentences, and suggestions for misspelt words."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

__all__ = ["count", "hint", "in_quotes", "listing", "nearest", "shorten", "with_article"]

_LONGEST_COMPARED = 40
"""The number of characters compared with known words; longer texts are not misspellings."""

_MOST_LISTED = 50
"""The number of names that a sentence lists where none is similar."""


def listing(items: Iterable[object], last: str = "and") -> str:
    """Return the items as a sentence lists them, with the word `last` before the last one.

    >>> listing("abc"), listing(["a"], "or"), listing([])
    ('a, b and c', 'a', '')
    """
    *others, end = [str(item) for item in items] or [""]
    return f"{', '.join(others)} {last} {end}" if others else end


def with_article(noun: str) -> str:
    """Return a noun with its article.

    >>> with_article("phase"), with_article("army")
    ('a phase', 'an army')
    """
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def count(number: int, noun: str) -> str:
    """Return a number of things in words.

    >>> count(1, "centre"), count(2, "centre")
    ('1 centre', '2 centres')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def nearest(text: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """Return those of `known` that `text` was most likely meant for, at most `most` of them; none if none is similar.

    The word with the fewest typing errors is the most similar: a letter left out, added or replaced, or two swapped.
    Among equals the same characters in another order come first, then the same first one; only the best are named.

    >>> nearest("PRA", ["PAR", "PRU", "PIC"])
    ('PAR',)
    """
    word = text.casefold()[:_LONGEST_COMPARED]
    ranks: dict[str, tuple[int, bool, bool]] = {}
    for other in known:
        spelling = other.casefold()
        slips = _slips(word, spelling)
        if slips is not None:
            ranks[other] = (slips, sorted(word) != sorted(spelling), word[:1] != spelling[:1])
    best = min(ranks.values(), default=None)
    return tuple(other for other, rank in ranks.items() if rank == best)[:most]


def in_quotes(text: str, longest: int = 200) -> str:
    r"""Return a text as sentences quote it: in quotes, cut short, without unprintable characters.

    >>> in_quotes("Fran\nce"), in_quotes("Neverland", 6)
    ("'Fran�ce'", "'Never…'")
    """
    return f"'{shorten(text, longest)}'"


def shorten(text: str, longest: int) -> str:
    """Return a text cut short, without unprintable characters."""
    short = text if len(text) <= longest else f"{text[: longest - 1]}…"
    return "".join(char if char.isprintable() else "�" for char in short)


def hint(text: str, known: Iterable[str], meanings: Mapping[str, str] | None = None) -> str:
    """Return the end of a sentence about an unknown `text`: a suggestion, or else the known names.

    With `meanings` the known texts are spellings, and these are the names that are shown for them.

    >>> hint("pralis", ["paris", "rome"]), hint("?", ["paris", "rome"])
    ('did you mean paris?', 'there are paris, rome.')
    """
    from plenipo.engine.sentences import Either, say  # noqa: PLC0415  # they list their parts by `listing`

    meaning = {spelling: (meanings or {}).get(spelling, spelling) for spelling in known}
    near = dict.fromkeys(meaning[spelling] for spelling in nearest(text, meaning, len(meaning)))
    if near:
        return say("did you mean {names}?", names=Either(tuple(near)[:3]))
    names = tuple(dict.fromkeys(meaning.values()))
    if len(names) > _MOST_LISTED:
        return say("there are {number}, such as {names}.", number=len(names), names=", ".join(names[:3]))
    return say("there are {names}.", names=", ".join(names)) if names else say("there are none.")


def _slips(word: str, other: str) -> int | None:
    """Return the number of typing errors between two words; None if they are too many.

    A beginning or a part of the other word is one error, a word that continues after the other is two.
    """
    most = (len(word) + 1) // 3 if len(word) > 2 else 0
    if len(word) > 1 and (other.startswith(word) or (len(word) > 2 and word in other)):
        return int(word != other)
    # a slip changes at most two letters, so most words need not be compared at all
    may = abs(len(word) - len(other)) <= most and (_letters(word) ^ _letters(other)).bit_count() <= 2 * most
    slips = _distance(word, other) if may else most + 1
    if len(other) > 2 and word.startswith(other):
        return min(slips, 2)
    return slips if slips <= most else None


@lru_cache(maxsize=4096)
def _letters(word: str) -> int:
    """Return the letters of a word as a bit set."""
    bits = 0
    for letter in word:
        bits |= 1 << ord(letter) % 64
    return bits


def _distance(one: str, other: str) -> int:
    """Return the edit distance in which a swap of two neighbours is one edit (optimal string alignment)."""
    before, row = [0] * (len(other) + 1), list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        before, last, row = row, before, [i]
        for j, facing in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != facing))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == facing:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]
