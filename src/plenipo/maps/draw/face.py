"""The face of the lettering, put into pictures that stand alone: files, and images of a page.

Names are placed by the widths of this face (see `lettering.typeface`), and any other that stands in for it is wider or
narrower. A picture inside a page takes it from the page.
"""

import re
from base64 import b64encode
from functools import cache
from importlib.resources import files

__all__ = ["with_face"]

STYLES = {"normal": ("600-normal", "font-weight:600"), "italic": ("500-italic", "font-weight:500;font-style:italic")}
"""The two styles of the map: their file names, and their names in the stylesheet."""

ACCENTED = re.compile("[\u00a1-\u00b6\u00b8-\u00d6\u00d8-\u017f]")
"""The letters of the second file of each style."""

_LETTERED = re.compile(r"<text[ >].*</text>", re.DOTALL)


def with_face(svg: str) -> str:
    """Embed the typeface in a picture, 36 kB more, or 60 with accents; return it unchanged if it has no text."""
    lettering = _LETTERED.search(svg)
    if lettering is None:
        return svg
    parts = ("plain", "accented") if ACCENTED.search(lettering[0]) else ("plain",)
    faces = "".join(_face(style, part) for style in STYLES for part in parts)
    return svg.replace("<style>", f"<style>\n{faces}", 1)


@cache
def _face(style: str, part: str) -> str:
    """Return the rule that brings one file of a style."""
    name, sheet = STYLES[style]
    data = b64encode((files(__package__) / "fonts" / f"eb-garamond-{name}-{part}.woff2").read_bytes()).decode()
    return f'@font-face{{font-family:"EB Garamond";{sheet};src:url(data:font/woff2;base64,{data}) format("woff2")}}\n'
