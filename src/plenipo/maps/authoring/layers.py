"""A figure as an SVG in layers, for a drawing program such as Inkscape; `plenipo import` reads it back.

Each space is one shape, with its code for an id and its name for a label; seas, lands, closed and absent areas have a
layer each within that of the spaces, and names, centres and what is drawn for the eye alone lie above.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

import shapely

from plenipo.engine.board import Board, Code
from plenipo.maps.figure.planar import Figure, Point

__all__ = ["SPACES", "LayeredMap", "draw_layers"]

SPACES = "spaces"
"""The layer of the shapes that are spaces; what lies above it is for the eye."""

WIDTH = 1600
"""The width of the picture in pixels."""

SEA, LAND, CLOSED = "#a8cce4", "#f0e6cc", "#b8b0a4"
COLOURS = ("#d86060", "#5070c0", "#60a060", "#e0c040", "#a070b0", "#50a8a8", "#e09050", "#907050", "#c080a0", "#808840")
"""The fills of the homes of powers, in their order."""

HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
    'width="{width}" height="{height:g}" viewBox="0 0 {width} {height:g}">'
)

STROKE = 'stroke="#303030" stroke-width="1"'


@dataclass(frozen=True, slots=True)
class LayeredMap:
    """The SVG, and points of the picture: one well inside of each face, and one at each coast that has a name."""

    svg: str
    middles: Mapping[Code, tuple[float, float]]
    shores: Mapping[Code, tuple[tuple[str, tuple[float, float]], ...]]


def draw_layers(figure: Figure, board: Board, homes: Iterable[Iterable[Code]] = ()) -> LayeredMap:
    """Return the layers of a figure; `homes` are the home centres of each power, which get a colour of their own."""
    drawn = _Layers(figure, board, {code: COLOURS[i % len(COLOURS)] for i, own in enumerate(homes) for code in own})
    return LayeredMap("\n".join(drawn.lines()) + "\n", drawn.middles, drawn.shores)


class _Layers:
    """One picture while it is written."""

    def __init__(self, figure: Figure, board: Board, fills: Mapping[Code, str]) -> None:
        self.figure, self.board, self.fills = figure, board, fills
        self.scale = (figure.frame[2] - figure.frame[0]) / WIDTH
        self.middles = {code: self._middle(code) for code in figure.faces}
        self.shores = {
            code: tuple((str(mark.coast), self._pixel(mark.at)) for mark in figure.marks if mark.space == code)
            for code in {mark.space for mark in figure.marks}
        }

    def _pixel(self, point: Sequence[float]) -> tuple[float, float]:
        west, _, _, north = self.figure.frame
        return round((point[0] - west) / self.scale, 2), round((north - point[1]) / self.scale, 2)

    def _middle(self, code: Code) -> tuple[float, float]:
        outer, *holes = (self.figure.ring(cycle) for cycle in self.figure.faces[code])
        area = shapely.Polygon(outer, holes).buffer(0)
        circle = shapely.maximum_inscribed_circle(area, tolerance=area.area**0.5 / 50)
        return self._pixel(circle.coords[0])

    def lines(self) -> Iterator[str]:
        """Yield the lines of the file."""
        height = round((self.figure.frame[3] - self.figure.frame[1]) / self.scale, 2)
        yield HEAD.format(width=WIDTH, height=height)
        yield _layer(SPACES)
        for name, fill, codes in self._kinds():
            if codes:
                yield _layer(name)
                yield from (self._shape(code, self.fills.get(code, fill)) for code in codes)
                yield "</g>"
        yield "</g>"
        yield _layer("eye")
        for piece in self.figure.decorations:
            closed = piece.kind in ("island", "lake", "strait")
            fill = LAND if piece.kind == "island" else SEA if closed else "none"
            if piece.kind != "ridge":
                yield f'<path d="{self._path(piece.ring, closed=closed)}" fill="{fill}" stroke="#5080a0"/>'
        yield "</g>"
        yield _layer("centres")
        for code in sorted(self.board.centres & self.figure.faces.keys()):
            x, y = self.middles[code]
            yield f'<circle cx="{x}" cy="{y + 7:g}" r="3" fill="#ffffff" stroke="#000000"/>'
        yield "</g>"
        yield _layer("names")
        for code, (x, y) in self.middles.items():
            if code in self.board.spaces:
                name = escape(self.board.spaces[code].name)
                yield f'<text x="{x}" y="{y}" font-size="9" text-anchor="middle" fill="#202020">{name}</text>'
        yield "</g>"
        yield "</svg>"

    def _kinds(self) -> Iterator[tuple[str, str, list[Code]]]:
        """Yield the layers within that of the spaces: name, fill, and the faces in it."""
        absent, closed, seas = set(self.figure.offboard), set(self.figure.impassable), set(self.figure.seas)
        faces = set(self.figure.faces)
        yield "absent", CLOSED, sorted(faces & absent)
        yield "impassable", CLOSED, sorted(faces & closed - absent)
        yield "seas", SEA, sorted(faces & seas - absent - closed)
        yield "lands", LAND, sorted(faces - seas - absent - closed)

    def _shape(self, code: Code, fill: str) -> str:
        rings = (self.figure.ring(cycle) for cycle in self.figure.faces[code])
        data = " ".join(self._path(ring, closed=True) for ring in rings)
        name = quoteattr(self.board.spaces[code].name if code in self.board.spaces else code)
        return f'<path id="{code}" inkscape:label={name} d="{data}" fill="{fill}" fill-rule="evenodd" {STROKE}/>'

    def _path(self, points: Sequence[Point], *, closed: bool) -> str:
        return "M" + " ".join(f"{x:g},{y:g}" for x, y in map(self._pixel, points)) + ("Z" if closed else "")


def _layer(name: str) -> str:
    return f'<g inkscape:groupmode="layer" id="{name}" inkscape:label="{name}">'
