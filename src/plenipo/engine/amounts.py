"""Amounts: numbers of things as parts of sentences."""

from collections.abc import Mapping

from plenipo.engine.sentences import Sentence, SentenceKind

__all__ = ["count_things"]

_AMOUNT = SentenceKind("amount", "{number} {noun}", "{number} {noun}s", note="A number of things that a variant names.")

_NOUNS = (
    "build",
    "centre",
    "coin",
    "credit",
    "ducat",
    "fault",
    "game",
    "home",
    "move",
    "order",
    "piece",
    "player",
    "point",
    "rival",
    "seat",
    "space",
    "step",
    "supply centre",
    "time",
    "turn",
    "unit",
    "vote",
    "year",
)

_AMOUNTS: Mapping[str, SentenceKind] = {
    noun: SentenceKind(f"amount-{noun.replace(' ', '-')}", f"{{number}} {noun}", f"{{number}} {noun}s")
    for noun in _NOUNS
}


def count_things(number: int, noun: str) -> Sentence:
    """Return a number of things as a part of a sentence.

    >>> str(count_things(1, "centre")), str(count_things(2, "ducat"))
    ('1 centre', '2 ducats')
    """
    kind = _AMOUNTS.get(noun)
    return kind(number=number) if kind else _AMOUNT(number=number, noun=noun)
