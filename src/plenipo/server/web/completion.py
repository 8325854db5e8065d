"""Completion of order text: its meaning so far, and the legal orders that begin like it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import islice
from string import ascii_uppercase
from typing import NamedTuple

from plenipo.engine.board import Board, Code, UnitKind
from plenipo.engine.reading.order_entry import OrderEntry, Orders
from plenipo.engine.sentences import NOTHING, Sentence, SentenceKind, join_sentences
from plenipo.errors import InvalidOrder, PlenipoError
from plenipo.server.texts import translate, translate_name
from plenipo.server.web.models import Model, OptionalSentence, SentenceField, SentenceModel

__all__ = ["Completions"]

Words = tuple[str, ...]

MOST = 12
"""The most orders that are offered."""

_SPOKEN: Mapping[str, tuple[str, ...]] = {
    "-": ("to", ">", "m", "move", "moves"),
    "H": ("holds", "hold"),
    "S": ("supports", "support"),
    "C": ("convoys", "convoy"),
    "T": ("turns into", "turn", "turns", "becomes", "converts"),
    "R": ("retreats to", "retreat", "retreats", "-", "to"),
    "B": ("built", "build", "builds"),
    "D": ("removed", "disband", "disbands", "remove"),
    "VIA": ("by convoy", "via", "via convoy"),
    "CHOOSE": ("Choose",),
    "WAIVE": ("Waive",),
}
"""The spoken or written variants of each token of an order."""

_READ_OUT: Mapping[str, Sentence] = {
    token: SentenceKind(f"server-read-{name}", words, note="A word of an order that is read out.")()
    for token, name, words in (
        ("-", "to", "to"),
        ("H", "holds", "holds"),
        ("S", "supports", "supports"),
        ("C", "convoys", "convoys"),
        ("T", "turns", "turns into"),
        ("R", "retreats", "retreats to"),
        ("B", "built", "built"),
        ("D", "removed", "removed"),
        ("VIA", "via", "by convoy"),
        ("CHOOSE", "choose", "Choose"),
        ("WAIVE", "waive", "Waive"),
    )
}
"""The words of each token of an order that is read out."""

_TOKEN = re.compile(r"\[[^\]]*\]?|[-\u2013\u2014=]+>|[-\u2013\u2014>]|[^\s\[\u2013\u2014>-]+")


class TextMeaning(Model):
    """The meaning of a text; for a promise also its interpretation and validity."""

    order: str
    words: OptionalSentence = None
    understood: bool = True


class Misread(Model):
    """The error of a text, as a sentence, and its place."""

    sentence: SentenceField
    piece: str
    start: int
    end: int
    suggestions: tuple[str, ...]


class Completion(Model):
    """An order that begins as the text does, and the order in words, in the language of the reader."""

    order: str
    words: str


class Completions(Model):
    """The meaning of a partly typed text, and its completions."""

    text: str
    reading: TextMeaning | None
    error: Misread | None
    completions: tuple[Completion, ...]

    @classmethod
    def of(cls, entry: OrderEntry, text: str, order_set: Orders) -> "Completions":
        """Return the order that `text` is, or its error, and the legal orders that begin like it."""
        reading: TextMeaning | None = None
        error: Misread | None = None
        if text.strip():
            try:
                orders = entry.read(text, order_set)
                reading = _reading(entry, orders) if orders else None
            except PlenipoError as fault:
                error = _misread(text, fault)
        return cls(text=text, reading=reading, error=error, completions=tuple(_beginning(entry, text)))


def _reading(entry: OrderEntry, orders: Orders) -> TextMeaning:
    notices = [entry.words(order) for order in orders]
    return TextMeaning.model_validate(
        {
            "order": ", ".join(map(str, orders)),
            "words": reduce(join_sentences, (words for _, words in notices), NOTHING),
            "understood": all(understood for understood, _ in notices),
        }
    )


def _misread(text: str, fault: PlenipoError) -> Misread:
    piece, suggestions = (fault.piece, fault.suggestions) if isinstance(fault, InvalidOrder) else ("", ())
    start = text.casefold().find(piece.casefold()) if piece else -1
    return Misread(
        sentence=SentenceModel.of(fault.sentence),
        piece=piece,
        start=max(start, 0),
        end=start + len(piece) if start >= 0 else len(text),
        suggestions=suggestions,
    )


def _beginning(entry: OrderEntry, text: str) -> Iterator[Completion]:
    """Yield the first few legal orders that begin like `text`."""
    typed = tuple(_split_words(text))
    board = entry.legality.board
    legal = ((order, _parts(board, str(order))) for order in entry.legality.orders_of(entry.power) if typed)
    matches = ((order, parts) for order, parts in legal if _begins(parts, typed))
    for order, parts in islice(matches, MOST):
        yield Completion(order=str(order), words=_spoken(board, parts))


class Part(NamedTuple):
    """A word or place of an order as it is printed, or a unit's letter by its name, and every way to write it.

    The ways are in lower case; the letter of a unit is `optional`.
    """

    name: str
    ways: tuple[Words, ...]
    optional: bool = False


def _parts(board: Board, text: str) -> tuple[Part, ...]:
    """Split the text of an order into words and places; a place of two words is one part."""
    places = _places(board)
    words = text.split(" ")
    parts: list[Part] = []
    at = 0
    while at < len(words):
        pair = " ".join(words[at : at + 2])
        name = pair if pair in places and at + 1 < len(words) else words[at]
        if name in places:
            parts.append(Part(name, places[name]))
        else:
            unit = board.traits.get(UnitKind(name)) if _names_unit(words, at) else None
            spoken = _SPOKEN.get(name, ()) if unit is None else (unit.name.capitalize(), *unit.words)
            read_out = name if unit is None else unit.name
            ways = tuple(tuple(way.casefold().split()) for way in (name, *spoken))
            parts.append(Part(read_out, ways, optional=unit is not None))
        at += name.count(" ") + 1
    return tuple(parts)


def _names_unit(words: Sequence[str], at: int) -> bool:
    """Return whether the word there is a unit letter: one capital at the beginning, or before a unit's location."""
    begins = at == 0 or words[at - 1] in {"S", "C", "CHOOSE"}
    return begins and at + 1 < len(words) and len(words[at]) == 1 and words[at] in ascii_uppercase


@lru_cache(maxsize=128)
def _places(board: Board) -> Mapping[str, tuple[Words, ...]]:
    """Return every location as printed, with its spellings: code, name and others; with its coast."""
    places: dict[str, tuple[Words, ...]] = {}
    for code, space in board.spaces.items():
        names = (code, space.name, *space.aliases)
        ways = tuple(tuple(name.casefold().split()) for name in names)
        places[code] = ways
        for coast in space.coasts:
            ending = coast.casefold()
            coastal = tuple(
                (*way[:-1], f"{way[-1]}{opening}{ending}{closing}")
                for way in ways
                for opening, closing in (("/", ""), ("(", ")"))
            )
            places[f"{code}/{coast}"] = (*coastal, *((*way, ending) for way in ways))
    return places


def _split_words(text: str) -> Iterator[str]:
    for match in _TOKEN.finditer(text):
        word = match.group().casefold()
        yield "-" if word[0] in "-\u2013\u2014=" else word


def _begins(parts: tuple[Part, ...], typed: Words) -> bool:
    """Return whether the typed words begin an order; the last may be incomplete."""
    if not typed:
        return True
    if not parts:
        return False
    (_, ways, optional), rest = parts[0], parts[1:]
    if optional and _begins(rest, typed):
        return True
    return any(_follows(way, rest, typed) for way in ways)


def _follows(way: Words, rest: tuple[Part, ...], typed: Words) -> bool:
    shared = min(len(way), len(typed))
    last = shared == len(typed)
    whole = shared - 1 if last else shared
    if way[:whole] != typed[:whole]:
        return False
    if last:
        return way[whole].startswith(typed[whole])
    return _begins(rest, typed[shared:])


def _spoken(board: Board, parts: tuple[Part, ...]) -> str:
    """Return the order in words: `Army Paris to Burgundy`."""
    words = []
    for name in (part.name for part in parts):
        code, _, coast = (name, "", "") if name in board.spaces else name.rpartition("/")
        space = board.spaces.get(Code(code or coast))
        if space is not None:
            shown = translate_name(space.name)
            words.append(f"{shown} ({coast.lower()})" if code and coast else shown)
        elif name in _READ_OUT:
            words.append(translate(_READ_OUT[name]))
        else:
            words.append(translate_name(name))
    text = " ".join(words)
    return text[:1].upper() + text[1:]
