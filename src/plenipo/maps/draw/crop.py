"""A picture cut down to its view: all that lies outside is left out."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree as ET

__all__ = ["trim"]

ROOM = 100
"""The distance from the view at which a shape may still show, by its stroke or its shadow, in pips."""

SYMBOL = 150
"""The largest distance of a part of a symbol from its point, in pips."""

LETTER = 0.45
"""A letter's width in its font size, with room to spare."""

_XMLNS = ' xmlns="http://www.w3.org/2000/svg"'
_COMMAND = re.compile(r"([A-Za-z])([^A-Za-z]*)")
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
_TRANSLATION = re.compile(r"translate\((-?[\d.]+)[ ,](-?[\d.]+)\)")
_REFERENCE = re.compile(r"url\(#(.+)\)")
_ARGUMENTS = {"m": 2, "l": 2, "t": 2, "q": 4, "s": 4, "c": 6, "h": 1, "v": 1, "a": 7}
"""The number of arguments of each command of a path."""

_WHOLE = frozenset({"title", "style", "pattern", "radialGradient", "linearGradient", "rect"})
"""Elements that are kept as they are."""

_NOT_ON_CARDS = frozenset({"small", "spare", "hill"})
"""The classes of decoration, and of elements that only a narrow picture shows."""


class _Reach(NamedTuple):
    """The box round some points."""

    west: float
    north: float
    east: float
    south: float

    def touches(self, other: "_Reach") -> bool:
        across = self.west <= other.east and other.west <= self.east
        return across and self.north <= other.south and other.north <= self.south


def trim(picture: str, view: tuple[float, float, float, float], *, card: bool = False) -> str:
    """Return an SVG without the parts outside `view`, which is west, north, width and height in pips.

    A `card` is small and always in the design of a wide picture: what only a narrow one shows, symbols that are not
    used, and the titles of spaces are left out too.
    """
    west, north, width, height = view
    shown = _Reach(west - ROOM, north - ROOM, west + width + ROOM, north + height + ROOM)
    root = ET.fromstring(picture.replace(_XMLNS, "", 1))  # noqa: S314  # a picture of the drawing itself
    work = _Trimming(shown, card)
    work.walk(root)
    work.walk(root)  # again, for references to shapes that stand later
    if card:
        _remove_idle_symbols(root)
    text = ET.tostring(root, encoding="unicode")
    return f"<svg{_XMLNS}{text.removeprefix('<svg')}\n"


def _remove_idle_symbols(root: ET.Element) -> None:
    """Remove the symbols to which nothing in a picture refers."""
    used = {element.get("href", "")[1:] for element in root.iter("use")}
    for defs in root.findall("defs"):
        for symbol in [one for one in defs.findall("g") if one.get("id") not in used]:
            defs.remove(symbol)


class _Trimming:
    def __init__(self, shown: _Reach, card: bool) -> None:  # noqa: FBT001  # a detail of this module
        self.shown, self.card = shown, card
        self.gone: set[str] = set()

    def walk(self, parent: ET.Element) -> None:
        """Remove the children of an element that are not shown."""
        for child in [*parent]:
            symbols = parent.tag == "defs" and child.tag != "path"  # they have points of their own
            if not symbols and not self._stays(child):
                parent.remove(child)
                self.gone |= {name for one in child.iter() if (name := one.get("id"))}

    def _stays(self, element: ET.Element) -> bool:
        """Return whether some part of an element is shown, and remove the others."""
        if element.tag in _WHOLE:
            return not (self.card and element.tag == "title" and element.text == "")
        if self.card and not _NOT_ON_CARDS.isdisjoint(element.get("class", "").split()):
            return False
        if (clip := _REFERENCE.fullmatch(element.get("clip-path", ""))) and clip[1] in self.gone:
            return False
        if moved := _TRANSLATION.match(element.get("transform", "")):
            return self._is_near(float(moved[1]), float(moved[2]), SYMBOL)
        if element.tag == "use":
            return element.get("href", "#")[1:] not in self.gone
        if element.tag == "path":
            return self._cut_path(element)
        if element.tag == "circle":
            return self._is_near(*(float(element.get(name, 0)) for name in ("cx", "cy", "r")))
        if element.tag == "text":
            return self._is_text_near(element)
        filled = any(child.tag != "title" for child in element)
        self.walk(element)
        return not filled or any(child.tag != "title" for child in element)

    def _is_near(self, x: float, y: float, reach: float) -> bool:
        return self.shown.touches(_Reach(x - reach, y - reach, x + reach, y + reach))

    def _is_text_near(self, element: ET.Element) -> bool:
        path = element.find("textPath")
        if path is not None:
            return path.get("href", "#")[1:] not in self.gone
        if element.get("x") is None:
            return True
        size = float(element.get("font-size", 60))
        reach = size * (1 + LETTER * len("".join(element.itertext())))
        return self._is_near(float(element.get("x", 0)), float(element.get("y", 0)), reach)

    def _cut_path(self, element: ET.Element) -> bool:
        if self.card and "space" in element.get("class", "").split():
            for title in element.findall("title"):
                element.remove(title)
        if element.get("transform"):
            return True
        pieces = list(_pieces(element.get("d", "")))
        kept = [piece for piece, reach in pieces if reach.touches(self.shown)]
        if 0 < len(kept) < len(pieces):
            element.set("d", "".join(kept))
        return bool(kept)


def _pieces(path: str) -> Iterator[tuple[str, _Reach]]:
    """Yield the pieces of a path, each beginning at a point of the map, and the box round the points of each."""
    x = y = 0.0
    start = (x, y)
    text, points = "", list[tuple[float, float]]()
    for command, rest in _COMMAND.findall(path):
        kind, numbers = command.lower(), [float(number) for number in _NUMBER.findall(rest)]
        if kind == "z":
            text, (x, y) = text + command, start
            continue
        count = _ARGUMENTS[kind]
        if kind == "m":
            if points:
                yield text, _reach_of(points)
            relative = command == kind
            first = (x + numbers[0], y + numbers[1]) if relative else (numbers[0], numbers[1])
            (x, y), start, points = first, first, [first]
            ends = [found.end() for found in _NUMBER.finditer(rest)]
            more = rest[ends[1] :].strip(" ,")
            text = f"M{x:g} {y:g}" + (("l" if relative else "L") + more if more else "")
            numbers = numbers[2:]
        else:
            text += command + rest
        for at in range(0, len(numbers) - count + 1, count):
            there = _points_of(command, numbers[at : at + count], x, y)
            points += there
            x, y = there[-1]
    if points:
        yield text, _reach_of(points)


def _points_of(command: str, numbers: list[float], x: float, y: float) -> list[tuple[float, float]]:
    """Return the points of one step of a path from a point, its end last."""
    kind = command.lower()
    left, top = (x, y) if command == kind else (0.0, 0.0)
    if kind == "h":
        return [(left + numbers[0], y)]
    if kind == "v":
        return [(x, top + numbers[0])]
    if kind == "a":
        far = max(numbers[:2])
        end = (left + numbers[5], top + numbers[6])
        return [(end[0] - far, end[1] - far), (end[0] + far, end[1] + far), end]
    return [(left + numbers[i], top + numbers[i + 1]) for i in range(0, len(numbers), 2)]


def _reach_of(points: list[tuple[float, float]]) -> _Reach:
    xs, ys = zip(*points, strict=True)
    return _Reach(min(xs), min(ys), max(xs), max(ys))
