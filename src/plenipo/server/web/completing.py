"""What a text typed so far means, and which legal orders begin like it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from plenipo.engine.board import Board, Code
from plenipo.engine.orders import Order
from plenipo.engine.reading.order_entry import OrderEntry, Orders
from plenipo.errors import InvalidOrder, PlenipoError

__all__ = ["completed"]

Json = dict[str, Any]
Words = tuple[str, ...]

MOST = 12
"""The most orders that are offered."""

_SPOKEN: Mapping[str, tuple[str, ...]] = {
    "A": ("Army",),
    "F": ("Fleet",),
    "-": ("to", ">", "m", "move", "moves"),
    "H": ("holds", "hold"),
    "S": ("supports", "support"),
    "C": ("convoys", "convoy"),
    "R": ("retreats to", "retreat", "retreats", "-", "to"),
    "B": ("built", "build", "builds"),
    "D": ("removed", "disband", "disbands", "remove"),
    "VIA": ("by convoy", "via", "via convoy"),
    "CHOOSE": ("Choose",),
    "WAIVE": ("Waive",),
}
"""How each word of an order may be written besides; the first is how it is read out."""

_LETTERS = frozenset({"A", "F"})
"""Words that may be left out."""

_TOKEN = re.compile(r"\[[^\]]*\]?|[-\u2013\u2014=]+>|[-\u2013\u2014>]|[^\s\[\u2013\u2014>-]+")


def completed(desk: OrderEntry, text: str, sheet: Orders) -> Json:
    """The order that `text` is, or why it is none, and the legal orders that begin like it."""
    reading: Json | None = None
    fault: Json | None = None
    if text.strip():
        try:
            orders = desk.read(text, sheet)
            reading = {"order": ", ".join(map(str, orders))} if orders else None
        except PlenipoError as wrong:
            fault = _misread(text, wrong)
    return {"text": text, "reading": reading, "error": fault, "completions": list(_beginning(desk, text))}


def _misread(text: str, fault: PlenipoError) -> Json:
    piece = fault.piece if isinstance(fault, InvalidOrder) else ""
    start = text.casefold().find(piece.casefold()) if piece else -1
    return {
        "message": str(fault),
        "piece": piece,
        "start": max(start, 0),
        "end": start + len(piece) if start >= 0 else len(text),
        "suggestions": list(fault.suggestions) if isinstance(fault, InvalidOrder) else [],
    }


def _beginning(desk: OrderEntry, text: str) -> Iterator[Json]:
    """The first few legal orders that begin like `text`."""
    typed = tuple(_typed(text))
    if not typed:
        return
    found = 0
    for order, parts in _legal(desk):
        if _begins(parts, typed):
            yield {"order": str(order), "words": _spoken(desk.legality.board, parts)}
            found += 1
            if found == MOST:
                return


Part = tuple[str, tuple[Words, ...]]
"""A word or place of an order as it is printed, and every way to write it, in small letters."""


def _legal(desk: OrderEntry) -> Iterable[tuple[Order, tuple[Part, ...]]]:
    board = desk.legality.board
    return ((order, _parts(board, str(order))) for order in desk.legality.orders_of(desk.power))


def _parts(board: Board, text: str) -> tuple[Part, ...]:
    """The text of an order, cut into words and places; a place of two words is one part."""
    places = _places(board)
    words = text.split(" ")
    parts: list[Part] = []
    at = 0
    while at < len(words):
        pair = " ".join(words[at : at + 2])
        name = pair if pair in places and at + 1 < len(words) else words[at]
        if name in places:
            parts.append((name, places[name]))
        else:
            ways = tuple(tuple(way.casefold().split()) for way in (name, *_SPOKEN.get(name, ())))
            parts.append((name, ways))
        at += name.count(" ") + 1
    return tuple(parts)


@lru_cache(maxsize=128)
def _places(board: Board) -> Mapping[str, tuple[Words, ...]]:
    """Every location as it is printed, and how it may be written: code, name and other spellings; with its coast."""
    found: dict[str, tuple[Words, ...]] = {}
    for code, space in board.spaces.items():
        names = (code, space.name, *space.aliases)
        ways = tuple(tuple(name.casefold().split()) for name in names)
        found[code] = ways
        for coast in space.coasts:
            ending = coast.casefold()
            coastal = tuple(
                (*way[:-1], f"{way[-1]}{opening}{ending}{closing}")
                for way in ways
                for opening, closing in (("/", ""), ("(", ")"))
            )
            found[f"{code}/{coast}"] = (*coastal, *((*way, ending) for way in ways))
    return found


def _typed(text: str) -> Iterator[str]:
    for match in _TOKEN.finditer(text):
        word = match.group().casefold()
        yield "-" if word[0] in "-\u2013\u2014=" else word


def _begins(parts: tuple[Part, ...], typed: Words) -> bool:
    """Whether the words typed are the beginning of an order, the last of them perhaps the beginning of a word."""
    if not typed:
        return True
    if not parts:
        return False
    (name, ways), rest = parts[0], parts[1:]
    if name in _LETTERS and _begins(rest, typed):
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
    """The order in words: `Army Paris to Burgundy`."""
    told = []
    for name, _ in parts:
        code, _, coast = (name, "", "") if name in board.spaces else name.rpartition("/")
        space = board.spaces.get(Code(code or coast))
        if space is not None:
            told.append(f"{space.name} ({coast.lower()})" if code and coast else space.name)
        else:
            told.append(_SPOKEN[name][0] if name in _SPOKEN else name)
    text = " ".join(told)
    return text[:1].upper() + text[1:]
