"""The files of compiled figures: a figure whole, or what makes it differ from that of a variant of the package.

A figure of the package that shares most of its lines with another says so, `"extends":"standard"`, and repeats none of
them; the figure that it extends is whole. Those of other folders are whole, so that they outlast a new release.
"""

import re
from pathlib import Path

from plenipo.errors import InvalidFigure
from plenipo.maps.figure.planar import FORMAT, Figure
from plenipo.maps.figure.values import load_json, reading, text_in
from plenipo.user_files import read_text

__all__ = ["FIGURE", "figure_text", "read_figure"]

FIGURE = "figure.json"
"""The name of the file of a compiled figure."""

VARIANTS = Path(__file__).parents[2] / "variants"
"""The folder of the figures that are extended, and of those that extend them."""

_FOLDER = re.compile(r"[a-z0-9-]+(/[a-z0-9-]+)?")
"""A folder in the package: `standard`, `bank/hundred`."""


def read_figure(file: Path) -> Figure:
    """Return the figure in a file, not proved sound.

    Raise InvalidFigure for a text that is no figure, and the errors of reading a file.
    """
    text = read_text(file)
    name = _base_in(text)
    if not name:
        return Figure.from_json(text)
    base = VARIANTS / name / FIGURE
    whole = read_text(base) if _FOLDER.fullmatch(name) and base.is_file() else ""
    if not whole or _base_in(whole):
        raise InvalidFigure(f"the figure extends '{name}', which is no whole figure of the package")
    return Figure.from_json(text, whole)


def figure_text(figure: Figure, folder: Path, base: Path | None) -> str:
    """Return the text of a figure for a folder; `base` is the folder of the map that its own map extends."""
    inside = VARIANTS.resolve()
    if base is None or not all(at.resolve().is_relative_to(inside) for at in (folder, base)):
        return figure.to_json()
    file = base / FIGURE
    if not file.is_file() or _base_in(read_text(file)):
        return figure.to_json()
    return figure.to_json_above(base.resolve().relative_to(inside).as_posix(), read_figure(file))


def _base_in(text: str) -> str:
    """Return the name of the figure that this text extends, empty if it is whole."""
    if '"extends"' not in text:  # a whole figure is large, and is not read twice
        return ""
    with reading("the figure", "Figure.to_json"):
        return text_in(load_json(text, "the figure", FORMAT).get("extends", ""))
