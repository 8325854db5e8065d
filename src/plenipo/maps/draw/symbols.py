"""The symbols of the map, drawn once in `<defs>` and used by reference: units, marks, patterns.

Units are drawn about the origin within a disc of `DISC` pips. Their silhouettes differ without colour: an army is a
cannon on a disc, a fleet a ship under sail. Classes say what each part means; the stylesheet gives the colours.
"""

import math
from collections.abc import Iterable
from xml.sax.saxutils import quoteattr

from plenipo.engine.board import ARMY, FLEET, UnitTraits

__all__ = ["MOTIFS", "SYMBOLS", "definitions", "hatching", "motif", "ripples", "symbol_of"]

MOTIFS = {
    "plain": "",
    "rising": "M0 40 40 0M-6 6 6-6M34 46 46 34",
    "falling": "M0 0 40 40M-6 34 6 46M34-6 46 6",
    "level": "M0 10H40M0 30H40",
    "upright": "M10 0V40M30 0V40",
    "dots": "M10 10h.1M30 30h.1",
    "net": "M0 0 40 40M0 40 40 0",
    "waves": "M0 14q10-14 20 0t20 0M0 34q10-14 20 0t20 0",
    "crosses": "M4 10H16M10 4V16M24 30H36M30 24V36",
    "grid": "M0 20H40M20 0V40",
    "bricks": "M0 0H40M0 20H40M10 0V20M30 20V40",
    "zigzag": "M0 14 10 4 20 14 30 4 40 14M0 34 10 24 20 34 30 24 40 34",
    "rings": "M4 10a6 6 0 1 0 12 0a6 6 0 1 0-12 0M24 30a6 6 0 1 0 12 0a6 6 0 1 0-12 0",
    "dashes": "M2 10H18M22 30H38",
    "ticks": "M10 2V18M30 22V38",
    "chevrons": "M2 16 10 6 18 16M22 36 30 26 38 36",
    "steep": "M0 40 20 0M20 40 40 0",
    "sleet": "M6 18 14 4M26 38 34 24",
    "lozenges": "M10 2 17 10 10 18 3 10ZM30 22 37 30 30 38 23 30Z",
    "pairs": "M0 6H40M0 14H40",
    "rails": "M6 0V40M14 0V40",
    "stars": "M10 3V17M4 6.5 16 13.5M4 13.5 16 6.5M30 23V37M24 26.5 36 33.5M24 33.5 36 26.5",
    "triangles": "M10 4 17 16H3ZM30 24 37 36H23Z",
    "squares": "M4 4H16V16H4ZM24 24H36V36H24Z",
}
"""The patterns of land, each the path of a tile of 40 by 40 pips."""

SIGNS = ("hold", "carry", "choice", "failure", "void", "plus", "strike", "waive")
"""The symbols that say something of an order; they are larger in a small picture."""

_ARMY = (
    '<circle class="token" r="35"/>'
    '<path class="glyph" transform="rotate(-27)" d="M-17-13C-23-13-25-9.5-25-6S-23 1-17 1L17-1V2H22V-14H17V-11Z"/>'
    '<path class="glyph-line" stroke-width="5" d="M-3 9-23 21"/>'
    '<circle class="wheel" cx="-3" cy="9" r="12.5"/>'
    '<path class="spokes" d="M-3-1V19M-13 9H7M-10 2 4 16M-10 16 4 2"/>'
)
_FLEET = (
    '<path class="token" d="M-39 8H39C36 25 24 33 0 33S-36 25-39 8Z"/>'
    '<path class="token" d="M2-37V2H30C28-16 19-31 2-37Z"/>'
    '<path class="token" d="M-4-27V2H-26C-24-12-16-22-4-27Z"/>'
    '<path class="glyph-line" d="M-27 16.5H27M-20 24.5H20"/>'
)

_DISC = '<circle class="token" r="35"/>'
SYMBOLS = {
    "army": _ARMY,
    "fleet": _FLEET,
    "horse": _DISC
    + '<path class="glyph" d="M-14 22C-15 4-8-4-13-12L-4-25 2-19C14-16 20-6 20 4L13 9 5 3 0 5C4 11 10 15 11 22Z"/>',
    "wing": _DISC + '<path class="glyph" d="M0-26 5-9 30 6V13L5 6 3 19 10 25H-10L-3 19-5 6-30 13V6L-5-9Z"/>',
    "fort": _DISC + '<path class="glyph" d="M-21 20V-18H-13V-11H-5V-18H5V-11H13V-18H21V20H6V8A6 6 0 0 0-6 8V20Z"/>',
    "aboard": _FLEET + '<path class="glyph" transform="translate(2 -6) scale(.62) rotate(-27)" '
    'd="M-17-13C-23-13-25-9.5-25-6S-23 1-17 1L17-1V2H22V-14H17V-11Z"/>',
    "double": '<circle class="token" cx="-9" cy="-7" r="31"/><g transform="translate(8 6) scale(.92)">'
    + _ARMY
    + "</g>",
    "tank": _DISC + '<path class="glyph" d="M-27 5H-14V-9H8V-5H29V0H8V5H24L29 12 23 19H-22L-29 12Z"/>',
    "gun": _DISC + '<path class="glyph" d="M-8-24H8V4H19L23 20H-23L-19 4H-8Z"/>',
    "foot": _DISC + '<path class="glyph" d="M0-27A8 8 0 0 1 0-11 8 8 0 0 1 0-27ZM-12-8H12V8H7V25H-7V8H-12Z"/>',
}
"""The symbols of units, by the name that a variant gives as their `symbol`."""

_ANCHOR_LINES = "M0-13V21M-10-6H10M-19 8C-17 18-9 22 0 22S17 18 19 8M-25 14-19 7-13 14M13 14 19 7 25 14"
_ANCHOR = (
    f'<g class="anchor-case"><circle cy="-19" r="6"/><path d="{_ANCHOR_LINES}"/></g>'
    f'<g class="anchor"><circle cy="-19" r="6"/><path d="{_ANCHOR_LINES}"/></g>'
)


def _octagon(radius: float) -> str:
    corners = (math.radians(22.5 + 45 * i) for i in range(8))
    return "M" + "L".join(f"{radius * math.cos(a):.1f} {radius * math.sin(a):.1f}" for a in corners) + "Z"


def _frill(radius: float, waves: int, depth: float) -> str:
    """Return a circle drawn in waves: the ring of a fleet that convoys."""
    step = math.tau / waves
    text = f"M{radius:.1f} 0"
    for i in range(2 * waves):
        out = radius + (2 * depth if i % 2 == 0 else -2 * depth)
        middle, end = (i + 0.5) * step / 2, (i + 1) * step / 2
        text += f"Q{out * math.cos(middle):.1f} {out * math.sin(middle):.1f}"
        text += f" {radius * math.cos(end):.1f} {radius * math.sin(end):.1f}"
    return text + "Z"


def _draw_cross(reach: float) -> str:
    return f"M{-reach:g}{-reach:g} {reach:g} {reach:g}M{-reach:g} {reach:g} {reach:g}{-reach:g}"


def symbol_of(kind: str) -> str:
    """Return the name of the symbol of a unit type.

    >>> symbol_of("A"), symbol_of("F"), symbol_of("C")
    ('army', 'fleet', 'kind-C')
    """
    return {"A": "army", "F": "fleet"}.get(kind, f"kind-{kind}")


def _token(traits: UnitTraits) -> str:
    """Draw the token of a unit type: its `symbol`, or its letter on a disc."""
    if traits.symbol in SYMBOLS:
        return SYMBOLS[traits.symbol]
    return f'<circle class="token" r="35"/><text class="kind" y="15">{traits.kind}</text>'


def definitions(prefix: str, units: Iterable[UnitTraits] = (ARMY, FLEET)) -> str:
    """Everything a picture refers to by `prefix` and the symbol's name, as the inside of `<defs>`.

    `units` are the kinds of unit on the board.
    """
    octagon, frill, diamond = _octagon(48), _frill(47, 14, 3.5), "M0-62 62 0 0 62-62 0Z"
    symbols = {
        **{symbol_of(traits.kind): _token(traits) for traits in units},
        "hold": f'<path class="hold-case" d="{octagon}"/><path class="hold" d="{octagon}"/>',
        "carry": f'<path class="hold-case" d="{frill}"/><path class="hold" d="{frill}"/>',
        "choice": f'<path class="hold-case" d="{diamond}"/><path class="hold" d="{diamond}"/>',
        "anarchy": '<circle class="anarchy-ring" r="28"/>',
        "ring": '<circle class="ring" r="47"/>',
        "failure": f'<circle class="badge" r="19"/><path class="badge-line" d="{_draw_cross(8)}"/>',
        "void": '<circle class="badge" r="17"/><path class="badge-line" d="M-10 10 10-10"/>',
        "plus": '<circle class="badge-new" r="17"/><path class="badge-new-line" d="M-9 0H9M0-9V9"/>',
        "strike": f'<path class="strike-case" d="{_draw_cross(30)}"/><path class="strike" d="{_draw_cross(30)}"/>',
        "waive": '<circle class="vacant" r="32"/><path class="vacant" d="M-13 0H13"/>',
        "anchor": _ANCHOR,
        "crossed": f'<circle class="crossed" r="19"/><path class="crossed-line" d="{_draw_cross(8.5)}"/>',
        "corner": '<path d="M0-15 15 0 0 15-15 0Z"/>',
        "pentagon": '<path class="pentagon" d="M0-32 30-10 19 26H-19L-30-10Z"/>',
    }
    kinds = dict.fromkeys(SIGNS, ' class="sign"')
    # a unit type that has only an outline may bear letters instead of a drawing
    kinds |= {name: ' class="lettered"' for name, content in symbols.items() if content in (_ARMY, _FLEET)}
    return "".join(f'<g id="{prefix}{name}"{kinds.get(name, "")}>{content}</g>' for name, content in symbols.items())


def motif(ident: str, name: str, power_class: str) -> str:
    """Return the pattern of a power's land: its colour, and the motif in its ink."""
    return (
        f'<pattern id={quoteattr(ident)} width="40" height="40" patternUnits="userSpaceOnUse">'
        f'<rect class="ground {power_class}" width="40" height="40"/>'
        f'<g class="{power_class}"><path class="motif" d="{MOTIFS[name]}"/></g></pattern>'
    )


def hatching(ident: str, size: int = 16) -> str:
    """Draw the hatching of impassable land and of the area off the board; `size` is that of its tile in pips."""
    quarter = size // 4
    lines = (
        f"M{-quarter} {quarter} {quarter} {-quarter}M0 {size} {size} 0"
        f"M{3 * quarter} {5 * quarter} {5 * quarter} {3 * quarter}"
    )
    return _tile(ident, size, f'<path class="hatch" stroke-width="{size * 3 / 16:g}" d="{lines}"/>')


def ripples(ident: str) -> str:
    """Return the small waves of water in a theme without colours."""
    waves = "M10 24q8-9 16 0t16 0M70 64q8-9 16 0t16 0"
    return _tile(
        ident, 120, f'<rect class="sea-ground" width="120" height="120"/><path class="ripple" d="{waves}"/>', 80
    )


def _tile(ident: str, width: int, content: str, height: int = 0) -> str:
    size = f'width="{width}" height="{height or width}"'
    return f'<pattern id={quoteattr(ident)} {size} patternUnits="userSpaceOnUse">{content}</pattern>'
