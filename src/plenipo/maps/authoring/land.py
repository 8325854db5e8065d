"""The base land of every map, placed on a map and generalised; the only reader of the coasts in `data`.

The data is made with Natural Earth (see NOTICE) by `scripts/bake_land.py`.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, MultiPolygon, Point, Polygon, affinity
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from plenipo.errors import InvalidFigure
from plenipo.maps.authoring.authored import LandSpec, LonLat
from plenipo.maps.figure.curves import round_corners
from plenipo.maps.figure.planar import UNIT
from plenipo.maps.figure.projection import Projection

__all__ = ["Shores", "base_digest_text", "border_lines", "border_names", "land_extent", "polygons_of", "shores"]

MARGIN = 900.0
"""Land is kept this many km beyond the frame, so that the frame cuts finished shores."""
PIECE = 20.0
"""Straight pieces are divided to at most this many km before the bulges bend them."""
SMALLEST_WATER = 60.0
"""Straits and lakes below this many square km are not drawn."""
SMALLEST_ISLAND = 150.0
"""Islands below this many square km of the map are not drawn."""
DETAIL = 0.6
"""Points of the shore that change it by less than this many km are left out."""


@dataclass(frozen=True)
class Shores:
    """The land of a map in units of the figure, every coordinate a whole number.

    `parts` are the pieces of land, largest first, with their waters; `kept` the islands that stay apart;
    `straits` are the parts of the fills, and `lakes` the small waters, that are not land in truth.
    """

    parts: tuple[Polygon, ...]
    kept: tuple[Polygon, ...]
    straits: tuple[Polygon, ...]
    lakes: tuple[Polygon, ...]


@cache
def base_digest_text(base: str) -> str:
    """Return the text of a base land, for the digest of a compiled figure."""
    return (files("plenipo.maps") / "data" / f"{base}.json").read_text(encoding="utf-8")


@cache
def _base(base: str) -> tuple[list[list[list[LonLat]]], dict[str, list[list[LonLat]]]]:
    """Rings of places of every piece of land, and lines of places of every border, by pair of countries."""
    data = json.loads(base_digest_text(base))
    land = [[_places(ring) for ring in rings] for rings in data["land"]]
    return land, {pair: [_places(line) for line in lines] for pair, lines in data["borders"].items()}


@cache
def land_extent(base: str) -> tuple[float, float, float, float]:
    """Return the west, south, east and north end of a base land, in degrees."""
    west, south, east, north = json.loads(base_digest_text(base))["extent"]
    return west, south, east, north


def border_names(base: str) -> tuple[str, ...]:
    """Return the pairs of countries that share a border of a base land (`France|Spain`)."""
    return tuple(_base(base)[1])


def _places(steps: Sequence[int]) -> list[LonLat]:
    return [(x / 1000, y / 1000) for x, y in zip(accumulate(steps[::2]), accumulate(steps[1::2]), strict=True)]


def polygons_of(geometry: BaseGeometry) -> Iterator[Polygon]:
    """Yield the polygons a geometry consists of; lines and points are passed over."""
    if isinstance(geometry, Polygon):
        if not geometry.is_empty:
            yield geometry
    else:
        for part in getattr(geometry, "geoms", ()):
            yield from polygons_of(part)


@lru_cache(maxsize=4)
def _project_land(projection: Projection, base: str) -> list[Polygon]:
    """Return a base land in true km, before the bulges; there is none in a plane."""
    land = [] if projection.plane else _base(base)[0]
    polygons = []
    for rings in land:
        shell, *holes = ([projection.flat(lon, lat) for lon, lat in ring] for ring in rings)
        polygons.append(shapely.make_valid(Polygon(shell, holes)))
    return polygons


@lru_cache(maxsize=64)
def border_lines(ref: str, projection: Projection, base: str) -> tuple[LineString, ...]:
    """Return the common border of two countries (`France|Spain`, in either order) in true km, before the bulges.

    Raises InvalidFigure if the base data has no such border.
    """
    borders = {} if projection.plane else _base(base)[1]
    lines = borders.get("|".join(sorted(ref.split("|"))))
    if lines is None:
        raise InvalidFigure(f"the base land has no border {ref!r}; a border is two countries with | between")
    return tuple(LineString([projection.flat(lon, lat) for lon, lat in line]) for line in lines)


@lru_cache(maxsize=8)
def shores(projection: Projection, frame: tuple[float, float, float, float], spec: LandSpec) -> Shores:
    """Return the generalised land round a frame (west, south, east, north in km), as `spec` asks.

    Raises InvalidFigure if a place to keep or drop lies on no land.
    """
    nature = _before_filling(projection, frame, replace(spec, fill=()))
    fill = _area(spec.fill, projection)
    land = unary_union([nature.land, fill.intersection(_far(frame))])
    pieces = (p for p in _warp_land(land, projection) if p.area > SMALLEST_ISLAND * UNIT * UNIT)
    parts = sorted(pieces, key=lambda p: (-p.area, p.bounds))
    holes = [Polygon(hole) for p in parts for hole in p.interiors if Polygon(hole).area < spec.lake * UNIT * UNIT]
    straits = unary_union(list(_warp_land(fill, projection)))
    water = unary_union([straits, *holes]).difference(nature.drawn)
    water = _on_grid(water.buffer(-1.5 * UNIT).buffer(1.5 * UNIT).simplify(UNIT))
    shown = [p for p in polygons_of(water) if p.area > SMALLEST_WATER * UNIT * UNIT]
    return Shores(
        tuple(parts),
        nature.islands,
        tuple(p for p in shown if p.intersects(straits)),
        tuple(p for p in shown if not p.intersects(straits)),
    )


class _Nature(NamedTuple):
    """The generalised land before straits are filled: in km, and bent on the grid with the islands that are kept."""

    land: BaseGeometry
    drawn: BaseGeometry
    islands: tuple[Polygon, ...]


@lru_cache(maxsize=8)
def _before_filling(projection: Projection, frame: tuple[float, float, float, float], spec: LandSpec) -> _Nature:
    far = _far(frame)
    written = polygons_of(_area(spec.ground, projection))
    raw = [polygon for polygon in (*_project_land(projection, spec.base), *written) if polygon.intersects(far)]
    dropped = _round_places(raw, spec.drop, "drop", projection)
    kept = _round_places(raw, spec.keep, "keep", projection)
    scaled = [(_round_places(raw, [(name, s.at)], "scale", projection), s) for name, s in spec.scale]
    for numbers, scaling in scaled:
        for i in numbers:
            raw[i] = affinity.scale(raw[i], *scaling.by, origin=projection.flat(*scaling.origin))
    rest = [polygon for i, polygon in enumerate(raw) if i not in dropped | kept]
    cut = _area(spec.cut, projection)
    land = unary_union(rest).difference(cut).intersection(far)
    land = _generalise_land(land, spec.open, spec.close, spec.thin).difference(cut.buffer(-1))
    islands = [_generalise_land(raw[i], spec.open, spec.close, spec.thin) for i in sorted(kept)]
    drawn = unary_union(list(_warp_land(land, projection)))
    return _Nature(land, drawn, tuple(p for island in islands for p in _warp_land(island, projection)))


def _far(frame: tuple[float, float, float, float]) -> BaseGeometry:
    """Return the frame with a margin, so that nothing ends at its edge that goes on beyond it."""
    return shapely.box(*frame).buffer(MARGIN)


def _area(rings: Iterable[tuple[str, tuple[LonLat, ...]]], projection: Projection) -> BaseGeometry:
    return unary_union([Polygon([projection.flat(*place) for place in ring]).buffer(0) for _, ring in rings])


def _round_places(
    raw: Sequence[Polygon], places: Iterable[tuple[str, LonLat]], key: str, projection: Projection
) -> set[int]:
    """Return the numbers of the pieces of land round the places."""
    at = set()
    for name, place in places:
        spot = Point(projection.flat(*place))
        numbers = [i for i, polygon in enumerate(raw) if polygon.contains(spot)]
        if not numbers:
            raise InvalidFigure(f"land.{key} {name}: no land at {place}")
        at.update(numbers)
    return at


def _generalise_land(land: BaseGeometry, narrow: float, inlet: float, thin: float) -> BaseGeometry:
    """Land without narrow inlets, then without narrow necks, thinned and rounded; km."""
    land = land.buffer(inlet, quad_segs=4).buffer(-inlet - narrow, quad_segs=4).buffer(narrow, quad_segs=4)
    # simplifying depends on the first point of a ring; normalise, so that the same land looks the same on every map
    land = land.normalize().simplify(thin)
    pieces = []
    for polygon in polygons_of(land):
        shell, *holes = (
            round_corners(list(ring.coords), closed=True) for ring in (polygon.exterior, *polygon.interiors)
        )
        pieces.append(Polygon(shell, holes).buffer(0))
    return unary_union(pieces)


def _warp_land(land: BaseGeometry, projection: Projection) -> Iterator[Polygon]:
    """Yield the polygons bent by the bulges and put on the grid of the figure."""
    if land.is_empty:
        return

    def bent(points: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.array([projection.warp(x, y) for x, y in points]) * UNIT

    polygons = [shapely.transform(polygon, bent) for polygon in polygons_of(land.segmentize(PIECE))]
    yield from polygons_of(_on_grid(unary_union(polygons).normalize().simplify(DETAIL * UNIT)))


def _on_grid(geometry: BaseGeometry) -> BaseGeometry:
    """Return the geometry with every coordinate a whole unit, valid still."""
    snapped: BaseGeometry = shapely.set_precision(geometry, 1.0)
    return MultiPolygon(list(polygons_of(snapped)))
