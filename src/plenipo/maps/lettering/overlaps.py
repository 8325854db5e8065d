"""The check of a map's placements: the collisions when it is drawn at some width.

The search in `lettering.label_search` works on a grid; this works on the exact shapes, independently of the search.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import shapely
from shapely import LineString, Point, STRtree
from shapely.geometry.base import BaseGeometry

from plenipo.engine.board import Board, Code, Location
from plenipo.errors import InvalidFigure
from plenipo.maps.figure.planar import Figure
from plenipo.maps.lettering.footprints import HALF, centre_line, footprint_of
from plenipo.maps.lettering.label_grid import FULL_WIDTH, LabelGrid
from plenipo.maps.lettering.placements import LabelPlacement, Placements

__all__ = ["CODE_FLOOR", "NAME_FLOOR", "overlaps"]

NAME_FLOOR = 9.0
"""Names are drawn where every one of them is at least this many pixels high; on smaller maps, codes."""

CODE_FLOOR = 7.0
"""Codes are never drawn smaller than this many pixels."""

OUTSIDE = 0.25
"""The share of a name that may lie outside its face."""

FOREIGN = 0.1
"""The share of a name or code that may lie on other land."""

TOUCH = 1.0
"""Two things overlap if they share more than this many square pixels."""


@dataclass(frozen=True)
class _Thing:
    """A drawn thing: its description, its space, and its shape."""

    title: str
    space: Code
    shape: BaseGeometry
    led: bool = False
    """True for lettering with a line that leads to its space, which may stand elsewhere."""


def overlaps(figure: Figure, board: Board, placements: Placements, width_px: float = FULL_WIDTH) -> list[str]:
    """List the collisions on the map drawn `width_px` pixels wide, a sentence for each; empty if there are none.

    Reported are: lettering on lettering, on a unit, on a dislodged unit or on a centre mark; a unit or centre mark
    whose middle lies outside its face, and a unit on the centre mark of its face or on a unit of another; a name with
    more than a quarter outside its face, or lettering with more than a tenth on other land; lettering that runs over
    the frame, except in a box outside it; a space without placements;
    anything that lies under a box or does not fit into its own.
    Where names would be too small to read, codes alone are taken, enlarged to the size that can be read.
    Raise InvalidFigure if the placements name a space that the board lacks.
    """
    return list(_Check(figure, board, placements, width_px).faults())


class _Check:
    def __init__(self, figure: Figure, board: Board, placements: Placements, width_px: float) -> None:
        self.ground, self.board, self.placements = LabelGrid(figure, board), board, placements
        named = {
            *placements.names,
            *placements.codes,
            *placements.centres,
            *(loc.space for loc in (*placements.units, *placements.dislodged)),
        }
        if unknown := sorted(named - board.spaces.keys()):
            raise InvalidFigure(f"the placements name {unknown[0]}, but the board {board.name} has no such space")
        self.boxes = {box.code: shapely.box(*box.bounds) for box in figure.boxes}
        self.areas = {**self.ground.polygons, **self.boxes}
        self.frame = shapely.box(*figure.frame)
        self.px = (figure.frame[2] - figure.frame[0]) / width_px
        small = any(name.size < NAME_FLOOR * self.px for name in placements.names.values())
        self.names = {} if small else dict(placements.names)
        self.codes = {code: self._readable(label) for code, label in placements.codes.items() if code not in self.names}

    def _readable(self, lettering: LabelPlacement) -> LabelPlacement:
        size = max(lettering.size, round(CODE_FLOOR * self.px))
        return replace(lettering, size=size)

    def faults(self) -> Iterator[str]:
        """Yield every fault."""
        yield from self._missing()
        lettering = [self._thing("name", code, label) for code, label in sorted(self.names.items())]
        lettering += [self._thing("code", code, label) for code, label in sorted(self.codes.items())]
        units = [self._disc("unit", loc, at, self.placements.unit) for loc, at in self.placements.units.items()]
        gone = [
            self._disc("dislodged unit", loc, at, self.placements.unit) for loc, at in self.placements.dislodged.items()
        ]
        marks = [
            self._disc("centre mark", Location(code), at, self.placements.mark)
            for code, at in sorted(self.placements.centres.items())
        ]
        for first, second in combinations((lettering, units, gone, marks), 2):
            if first is lettering or (first is units and second is marks):
                yield from self._between(first, second)
        yield from self._among(lettering)
        yield from self._among(units)
        yield from self._astray([*units, *marks])
        yield from self._find_covered([*lettering, *units, *gone, *marks])
        for thing in lettering:
            yield from self._outside(thing)

    def _missing(self) -> Iterator[str]:
        for code, space in sorted(self.board.spaces.items()):
            if code not in self.areas:
                continue
            if code not in self.placements.codes:
                yield f"{code} has no code"
            if space.centre and code not in self.placements.centres:
                yield f"{code} has no centre mark"
            for location in dict.fromkeys((Location(code), *space.locations)):
                if not space.impassable and location not in self.placements.units:
                    yield f"a unit in {location} has no placement"
                if not space.impassable and location not in self.placements.dislodged:
                    yield f"a dislodged unit in {location} has no placement"

    def _thing(self, kind: str, code: Code, lettering: LabelPlacement) -> _Thing:
        water = code in self.ground.figure.waters
        if lettering.curve:
            line = LineString(centre_line(lettering, water=water))
            return _Thing(f"the {kind} of {code}", code, line.buffer(HALF * lettering.size, cap_style="flat"))
        covered = footprint_of(lettering, water=water)
        discs = shapely.buffer(shapely.points(covered.discs[:, :2]), covered.discs[:, 2])
        shape = shapely.union_all([*shapely.box(*covered.boxes.T), *discs])
        return _Thing(f"the {kind} of {code}", code, shape, led=bool(lettering.leader))

    @staticmethod
    def _disc(kind: str, location: Location, at: tuple[int, int], radius: int) -> _Thing:
        return _Thing(f"the {kind} of {location}", location.space, Point(at).buffer(radius))

    def _between(self, first: list[_Thing], second: list[_Thing]) -> Iterator[str]:
        if not first or not second:
            return
        tree = STRtree([thing.shape for thing in second])
        for i, j in sorted(map(tuple, tree.query([thing.shape for thing in first], predicate="intersects").T.tolist())):
            yield from self._overlap(first[i], second[j])

    def _among(self, things: list[_Thing]) -> Iterator[str]:
        """Overlaps of things of one kind; units of one space are never there together."""
        if not things:
            return
        shapes = [thing.shape for thing in things]
        for i, j in sorted(map(tuple, STRtree(shapes).query(shapes, predicate="intersects").T.tolist())):
            if i < j and things[i].space != things[j].space:
                yield from self._overlap(things[i], things[j])

    def _overlap(self, one: _Thing, other: _Thing) -> Iterator[str]:
        shared = one.shape.intersection(other.shape).area / self.px**2
        if shared > TOUCH:
            yield f"{one.title} overlaps {other.title} by {shared:.0f} square pixels"

    def _astray(self, things: list[_Thing]) -> Iterator[str]:
        for thing in things:
            face = self.areas.get(thing.space)
            if face is not None and not face.contains(thing.shape.centroid):
                yield f"{thing.title} stands outside {thing.space}"

    def _find_covered(self, things: list[_Thing]) -> Iterator[str]:
        """Return the things under a box, or not wholly in their own."""
        for code, box in self.boxes.items():
            for thing in things:
                if thing.space != code and thing.shape.intersects(box):
                    yield f"{thing.title} lies under the box {code}"
                elif thing.space == code and not box.contains(thing.shape):
                    yield f"{thing.title} does not fit into its box"

    def _outside(self, thing: _Thing) -> Iterator[str]:
        area, face = thing.shape.area, self.areas[thing.space]
        outside = thing.shape.difference(face)
        if thing.title.startswith("the name") and outside.area > OUTSIDE * area:
            yield f"{thing.title} lies by {outside.area / area:.0%} outside {thing.space}"
        foreign = outside.difference(self.ground.seas).area
        if foreign > FOREIGN * area and not thing.led:
            yield f"{thing.title} lies by {foreign / area:.0%} on land other than {thing.space}"
        if thing.space not in self.boxes and not self.frame.covers(thing.shape):
            yield f"{thing.title} runs over the frame"
