"""The readers of pictures: from a file to a board with a figure, and to the answers that are kept beside it."""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from plenipo import extras
from plenipo.boards_in.drafts import power_name
from plenipo.boards_in.source_files import LARGEST_PICTURE, SourceFiles, fault_at
from plenipo.boards_in.values import BoardFormat, ImportChoices, ImportedBoard
from plenipo.engine.sentences import say
from plenipo.errors import InvalidBoardFile

if TYPE_CHECKING:
    from plenipo.boards_in.pictures.drawing import Drawing

__all__ = ["PICTURES"]

GEOJSON = re.compile(r'"type"\s*:\s*"(FeatureCollection|Feature|GeometryCollection)"')
"""The beginning of a file of GeoJSON."""

PIXELS = ("*.png", "*.jpg", "*.jpeg", "*.gif", "*.bmp", "*.webp")
"""The names of pictures of pixels."""


def _find_svg(files: SourceFiles) -> list[str]:
    """Return the SVG file that a user named; of a folder none, for most pictures there are no boards."""
    return [path for path in files.find("*.svg") if path == files.only]


def _read_svg(files: SourceFiles, key: str, choices: ImportChoices = ImportChoices()) -> ImportedBoard:  # noqa: B008  # immutable
    with extras.require("import", say("Reading a picture")):
        from plenipo.boards_in.pictures.svg import read_svg  # noqa: PLC0415  # an extra
    return _board_of(read_svg(files.text(key, LARGEST_PICTURE), key), key, choices)


def _find_pixels(files: SourceFiles) -> list[str]:
    """Return the picture of pixels that a user named."""
    return [path for path in files.find(*PIXELS) if path == files.only]


def _read_pixels(files: SourceFiles, key: str, choices: ImportChoices = ImportChoices()) -> ImportedBoard:  # noqa: B008  # immutable
    with extras.require("import", say("Reading a picture")):
        from plenipo.boards_in.pictures.pixels import read_pixels  # noqa: PLC0415  # an extra
    return _board_of(read_pixels(files.content(key, LARGEST_PICTURE), key), key, choices)


def _find_geojson(files: SourceFiles) -> list[str]:
    """Return the file of GeoJSON that a user named."""
    with suppress(InvalidBoardFile):
        return [
            path
            for path in files.find("*.geojson", "*.json")
            if path == files.only
            and (path.endswith(".geojson") or GEOJSON.search(files.text(path, LARGEST_PICTURE)[:4_000]))
        ]
    return []


def _read_geojson(files: SourceFiles, key: str, choices: ImportChoices = ImportChoices()) -> ImportedBoard:  # noqa: B008  # immutable
    with extras.require("import", say("Reading a picture")):
        from plenipo.boards_in.pictures.geojson import read_geojson  # noqa: PLC0415  # an extra
    return _board_of(read_geojson(files.text(key, LARGEST_PICTURE), key), key, choices)


def _board_of(drawing: "Drawing", key: str, choices: ImportChoices) -> ImportedBoard:
    from plenipo.boards_in.pictures.importing import import_drawing  # noqa: PLC0415  # an extra

    stem = key.rpartition("/")[2].rpartition(".")[0]
    if not drawing.shapes:
        raise fault_at(key, 0, say("there are no shapes in it."))
    return import_drawing(drawing, stem, power_name(stem), key, choices)


PICTURES: Mapping[str, BoardFormat] = {
    "svg": BoardFormat("svg", "an SVG picture", _find_svg, _read_svg, _read_svg),
    "geojson": BoardFormat("geojson", "GeoJSON", _find_geojson, _read_geojson, _read_geojson),
    "pixels": BoardFormat("pixels", "a PNG or JPEG picture", _find_pixels, _read_pixels, _read_pixels),
}
"""The readers of pictures."""
