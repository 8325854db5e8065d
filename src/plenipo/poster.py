"""Posters: a PDF of a drawn map with sharp lines and embedded letters; below the I/O line, with `plenipo[poster]`.

Typst turns the SVG into PDF (through svg2pdf): the only permissive library that keeps patterns, clips, curves of text
and fonts as they are. It is one wheel without dependencies.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from plenipo import extras
from plenipo.engine.sentences import say
from plenipo.errors import PlenipoError
from plenipo.maps.draw.scene import SHAPES
from plenipo.raster import fonts, plain

__all__ = ["BLEED", "pdf"]

BLEED = 3
"""The bleed on every side of the paper, in millimetres, which the printer cuts off."""

DOTS = 6000
"""As how wide a picture a poster is drawn, in pixels: never as a narrow one."""

_PAGE = """#set page(width: {wide}mm, height: {high}mm, margin: 0mm, fill: rgb("{ground}"))
#set document(title: {title})
#place(dx: {bleed}mm, dy: {bleed}mm, image("map.svg", width: {width}mm, height: {height}mm))
"""


def pdf(svg: str, paper: str, ground: str, *, title: str = "", upright: bool = False) -> bytes:
    """Return a picture in the shape of some `paper` as a PDF page, with `BLEED` in the colour `ground` round it.

    `paper` is one of the sizes of `SHAPES` in millimetres; the page lies on its side unless `upright`. Raises
    `PlenipoError` if the extra `plenipo[poster]` is not installed or the text is no picture.
    """
    with extras.require("poster", "A poster"):
        import typst  # noqa: PLC0415  # an extra; everything else works without it
    width, height = sorted(SHAPES[paper], reverse=not upright)
    words = '"' + title.replace("\\", "\\\\").replace('"', '\\"') + '"'
    page = _PAGE.format(
        wide=width + 2 * BLEED,
        high=height + 2 * BLEED,
        bleed=BLEED,
        width=width,
        height=height,
        ground=ground,
        title=words,
    )
    with TemporaryDirectory() as folder:
        Path(folder, "map.svg").write_text(plain(svg, DOTS), encoding="utf-8")
        source = Path(folder, "poster.typ")
        source.write_text(page, encoding="utf-8")
        folders = sorted({str(Path(file).parent) for file in fonts()})
        try:
            made = typst.compile(str(source), font_paths=folders, ignore_system_fonts=True, format="pdf")
        except RuntimeError as fault:
            raise PlenipoError(say("The text is not a picture that can be printed: {fault}.", fault=fault)) from fault
    return bytes(made)
