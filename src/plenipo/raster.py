"""Pictures as pixels: a PNG of an SVG the drawing made; below the I/O line, and only with the extra `plenipo[png]`.

The renderer is resvg. It knows no custom properties, so they are put in first; and it gets the map's own face, which
comes with the package, so a picture is the same on every machine.
"""

import re
from collections.abc import Callable
from functools import cache
from importlib.resources import as_file, files

from plenipo import extras
from plenipo.engine.sentences import say
from plenipo.errors import PlenipoError, UnknownName
from plenipo.maps.draw.stylesheet import at_width

__all__ = ["check_installed", "check_width", "fonts", "plain", "png"]

LARGEST = 16384
"""The widest picture that is made, in pixels."""

_PROPERTY = re.compile(r"--([a-z0-9-]+):([^;}]*)")
_USE = re.compile(r"var\(--([a-z0-9-]+)\)")
_PAPER = re.compile(r'(?<=" )width="[\d.]+mm" height="[\d.]+mm" ')
_HELD = re.compile(r' textLength="[\d.]+" lengthAdjust="spacingAndGlyphs"')
_SHIFT = re.compile(r"translate\((-?[\d.]+)px,(-?[\d.]+)px\)")
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


def plain(svg: str, width: int) -> str:
    """Return the same picture without custom properties and media queries, for programs that know neither.

    `width` is how wide it will be shown, in pixels, for the rules that are meant for narrow pictures.
    Lettering is no longer held to a width: that is for substitute faces, and resvg adds the letter spacing to it.
    Raises `UnknownName` if its stylesheet uses a property that it does not set.
    """

    def resolve_style(style: re.Match[str]) -> str:
        sheet = _SHIFT.sub(r"translate(\1,\2)", at_width(style[1], width))  # resvg reads no units in it
        values = dict(_PROPERTY.findall(sheet))

        def value(use: re.Match[str]) -> str:
            if use[1] not in values:
                raise UnknownName(say("the stylesheet uses '--{use}', which it does not set.", use=use[1]))
            return str(values[use[1]])

        return f"<style>{_USE.sub(value, _PROPERTY.sub('', sheet))}</style>"

    return _STYLE.sub(resolve_style, _HELD.sub("", _PAPER.sub("", svg, count=1)))


def png(svg: str, width: int = 1600) -> bytes:
    """Return the picture as a PNG file `width` pixels wide.

    Raises `UnknownName` for a width that is none, `MissingExtra` without the extra `plenipo[png]`, `PlenipoError` if
    the text is no picture.
    """
    check_width(width)
    try:
        data = _renderer()(svg_string=plain(svg, width), width=width, font_files=list(fonts()), skip_system_fonts=True)
    except ValueError as fault:
        if isinstance(fault, PlenipoError):
            raise
        raise PlenipoError(say("The text is not a picture that can be rendered: {fault}.", fault=fault)) from fault
    return bytes(data)


def check_width(width: int) -> None:
    """Raise `UnknownName` unless a picture can be so many pixels wide."""
    if not 1 <= width <= LARGEST:
        raise UnknownName(
            say("{width} is not a width of a picture; take 1 to {most} pixels.", width=width, most=LARGEST)
        )


def check_installed() -> None:
    """Raise `PlenipoError` if the extra `plenipo[png]` is not installed."""
    _renderer()


def _renderer() -> Callable[..., bytes]:
    with extras.require("png", "PNG"):
        from resvg_py import svg_to_bytes  # noqa: PLC0415  # an extra; everything else works without it
    renderer: Callable[..., bytes] = svg_to_bytes
    return renderer


@cache
def fonts() -> tuple[str, ...]:
    """Return the files of the map's face."""
    folder = files("plenipo.maps.draw") / "fonts"
    fonts = []
    for file in folder.iterdir():
        if file.name.endswith(".ttf"):
            with as_file(file) as path:
                fonts.append(str(path))
    return tuple(sorted(fonts))
