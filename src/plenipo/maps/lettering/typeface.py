"""The face of the map's lettering: how wide a text runs and how high its letters stand; standard library only.

The widths are those of EB Garamond, semi-bold for land and medium italic for water, baked by
`scripts/bake_typeface.py`. A reader without that face sees another one, so every width is given some slack.
All measures are fractions of the font size.
"""

import json
from functools import cache
from importlib.resources import files

__all__ = ["ASCENT", "CAPITAL", "DESCENT", "LEADING", "SLACK", "depth_of", "width_of"]

ASCENT = 0.71
"""The height of b, d, h and l above the baseline."""

CAPITAL = 0.65
"""The height of a capital above the baseline."""

DESCENT = 0.27
"""The depth of g, p and y below the baseline."""

LEADING = 0.98
"""The distance of two baselines of one name."""

SLACK = 1.05
"""The share of a width that is reckoned with, since a substitute face may run wider."""

UNKNOWN = 0.9
"""The width of a letter the baked file does not know: wide, so that a box is too large rather than too small."""

_DEEP = frozenset("gjpqyçęįųşţQJ,;()[]/")


@cache
def _advances() -> dict[str, dict[str, int]]:
    text = (files("plenipo.maps") / "data" / "typeface.json").read_text(encoding="utf-8")
    return {style: table for style, table in json.loads(text).items() if style != "note"}


def width_of(text: str, *, water: bool = False, spacing: float = 0.0) -> float:
    """Return the width of a text at size 1, slack included; `spacing` is added between its letters.

    `water` chooses the italic of seas.

    >>> width_of("Ruhr") < width_of("Bohemia") < width_of("Bohemia", spacing=0.1)
    True
    """
    table = _advances()["water" if water else "land"]
    letters = sum(table.get(letter, UNKNOWN * 1000) for letter in text) / 1000
    return letters * SLACK + spacing * max(len(text) - 1, 0)


def depth_of(text: str) -> float:
    """Return the depth of a text below its baseline at size 1: nearly nothing unless a letter hangs down."""
    return DESCENT if _DEEP.intersection(text) else 0.03
