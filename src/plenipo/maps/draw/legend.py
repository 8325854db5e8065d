"""The legend: an icon and a word for each sign that is in the picture, and for no other."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from plenipo.engine.place_rules import KINDS
from plenipo.maps.draw.place_rules import icon_of
from plenipo.maps.draw.scene import MARKS
from plenipo.maps.lettering.typeface import width_of

__all__ = ["ICON", "KEY", "KEY_ROW", "LegendSign", "rows_of", "signs_of"]

KEY = 40
"""The size of the letters that explain signs, in pips."""

KEY_ROW = 64
"""The height of a row of them."""

ICON = 74
"""The room of an icon before its word, in pips."""

GAP = 46
"""The gap between a word and the next icon."""


class LegendSign(NamedTuple):
    """A sign: its icon as SVG about the origin, within 30 pips up and down, and the word for it."""

    icon: str
    word: str


def _sample(content: str, kind: str = "sample") -> str:
    """Draw a sample order in a class of its own: programs find the orders of a picture by their classes."""
    return f'<g class="{kind}">{content}</g>'


def _line(to: int, width: float = 12, more: str = "") -> str:
    return f'<path d="M-30 0H{to}" stroke-width="{width}"{more}/>'


_BREACH = '<path class="sample-bar" d="M10 17 22-15M22 17 34-15"/>'
_HEAD = '<path class="sample-head" d="M36 0 8-15V15Z"/>'
_BAR = '<path class="sample-bar" d="M22-17V17"/>'
_WAVE = '<path d="M-32 0q6-10 12 0t12 0t12 0t12 0" stroke-width="9"/>'
_DASHED = _line(20, 5, ' stroke-dasharray="13 10" stroke-linecap="butt"')
_DOTTED = _line(14, 7.5, ' stroke-dasharray=".1 15"')
_GRIP = '<circle cx="26" r="9" stroke-width="4.5"/>'


def _symbol(name: str, scale: float = 0.6) -> str:
    return f'<use href="#PREFIX{name}" transform="scale({scale})"/>'


ORDERS = (
    # the content of the order layers, the icon, the word
    ('"order move p-', _sample(_line(14) + _HEAD), "moves"),
    (" failed p-", _sample(_line(20, 7) + _BAR), "stopped here"),
    ('"order support p-', _sample(_DASHED + _GRIP), "supports"),
    ('"order support cut', _sample(_DASHED + _BAR), "support cut"),
    ("convoyed", _sample(_WAVE + _HEAD), "goes by sea"),
    (" broken p-", _sample(_WAVE + _BREACH), "convoy broken"),
    ('"order convoy', _sample(_symbol("carry", 0.5)), "convoys"),
    ('"order hold-order', _sample(_symbol("hold", 0.5)), "holds"),
    ('"order retreat', _sample(_DOTTED + _HEAD), "retreats"),
    ('"order choice', _sample(_symbol("choice", 0.45)), "chooses"),
    ('"unit converted', _sample(_symbol("hold", 0.5)), "turns into another"),
    ("stand-off", _symbol("failure", 1.2), "stand-off"),
    ("#PREFIXvoid", _symbol("void", 1.2), "order of no use"),
    ('"build p-', _symbol("plus", 1.2), "built"),
    ('"strike p-', _symbol("strike", 0.7), "disbanded"),
    ('"waive p-', _sample(_symbol("waive", 0.7)), "build waived"),
)
"""The signs of orders and of their results."""

ANNOTATIONS = {
    "link": ('<path class="link-line" d="M-28 0H28"/>', "units pass"),
    "crossing": (_symbol("crossed", 1.1), "ways cross"),
    "closed": ('<path class="closed-wall" d="M-30 0H30"/><path class="closed-bars" d="M-30 0H30"/>', "nobody passes"),
    "canal": (_symbol("anchor", 0.9), "ships pass"),
    "passage": (_symbol("anchor", 0.9), "ships pass"),
}
"""The signs of facts that no border shows, by the kinds of annotations."""

_CENTRE = '<g class="centre" stroke-width="4">{}<circle r="15"/><circle class="centre-dot" r="7"/></g>'

MARK_ICONS = {
    "walker": _sample(_symbol("pentagon", 0.8), "sample-walker"),
    "shade": _sample(_symbol("pentagon", 0.8), "sample-shade"),
    "hole": '<circle class="hole" r="22"/>',
    "split": '<path class="split" d="M-30 0H30"/>',
}
"""The icons of the marks of rule modules."""


def signs_of(
    prefix: str,
    *,
    orders: str,
    annotations: Collection[str],
    rules: Collection[str] = (),
    marks: Iterable[str],
    parts: Collection[str],
) -> Iterator[LegendSign]:
    """Yield the signs in a picture.

    `orders` are the layers of orders and signs as text, `annotations` the kinds of facts that no border shows, `rules`
    those of rules that belong to places, `marks` the words of rule modules in spaces, and `parts` any of `centre`,
    `home`, `closed`, `corner` and `dislodged`.
    """
    signs: list[tuple[str, str]] = []
    if "centre" in parts:
        signs.append((_CENTRE.format(""), "supply centre"))
    if "home" in parts:
        signs.append((_CENTRE.format('<circle class="home p-none" r="24"/>'), "home of the ring's colour"))
    if "closed" in parts:
        box = 'x="-26" y="-19" width="52" height="38"'
        closed = f'<rect class="swatch impassable" {box}/><rect class="hatching" fill="url(#PREFIXhatching)" {box}/>'
        signs.append((closed, "closed to all"))
    signs += (ANNOTATIONS[kind] for kind in ANNOTATIONS if kind in annotations)
    signs += ((icon_of(kind), word) for kind, word in KINDS.items() if kind in rules)
    if "corner" in parts:
        signs.append((_sample(_symbol("corner", 1.2), "sample-corner"), "corner"))
    names = {word.partition(" ")[0] for word in marks}
    signs += ((MARK_ICONS[name], MARKS[name]) for name in MARK_ICONS if name in names)
    signs += ((icon, word) for there, icon, word in ORDERS if there.replace("PREFIX", prefix) in orders)
    if "dislodged" in parts:
        signs.append((_symbol("ring", 0.55), "dislodged"))
    for icon, word in {word: (icon, word) for icon, word in signs}.values():
        yield LegendSign(icon.replace("PREFIX", prefix), word)


def rows_of(signs: Sequence[LegendSign], room: float) -> list[list[tuple[float, LegendSign]]]:
    """Return the signs set in rows of so many pips, each with the place at which it begins."""
    rows: list[list[tuple[float, LegendSign]]] = []
    at = room
    for sign in signs:
        wide = ICON + width_of(sign.word) * KEY
        if at + wide > room:
            rows.append([])
            at = 0.0
        rows[-1].append((at, sign))
        at += wide + GAP
    return rows
