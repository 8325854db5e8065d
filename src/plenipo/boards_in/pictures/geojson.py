"""GeoJSON: polygons with their properties as the shapes of a drawing, points as labels and centres."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import shapely

from plenipo.boards_in.pictures.drawing import Drawing, Label, Shape
from plenipo.boards_in.source_files import fault_at
from plenipo.engine.sentences import say

__all__ = ["read_geojson"]

MOST_POINTS = 600_000
"""The most points of a file."""

NAMES = ("name", "label", "title", "name_en", "admin")
CODES = ("code", "id", "abbr", "abbreviation", "short", "postal", "iso_a3")
KINDS = ("kind", "terrain", "type", "featurecla")
OWNERS = ("owner", "power", "home", "country", "nation")
CENTRES = ("centre", "center", "sc", "supply", "supply_center", "supply_centre", "is_supply_center")
"""The names of properties, in the order in which they are looked for."""

OWNED = ("#d86060", "#5070c0", "#60a060", "#e0c040", "#a070b0", "#50a8a8", "#e09050", "#907050", "#c080a0", "#808840")
"""Colours of owners, one after the other."""


def read_geojson(text: str, path: str) -> Drawing:
    """Return the drawing in a text: places in degrees are laid on a plane around their middle latitude."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise fault_at(path, getattr(fault, "lineno", 0), say("this is not JSON.")) from fault
    features = [feature for feature in _features(data) if isinstance(feature, dict)]
    places = [(_geometry(feature.get("geometry"), path), _properties(feature)) for feature in features]
    known = [(geometry, said) for geometry, said in places if geometry is not None and not geometry.is_empty]
    if not known:
        raise fault_at(path, 0, say("there are no shapes in it."))
    if sum(shapely.get_num_coordinates(geometry) for geometry, _ in known) > MOST_POINTS:
        raise fault_at(path, 0, say("it has more than {number} points.", number=MOST_POINTS))
    bounds = shapely.total_bounds(np.array([geometry for geometry, _ in known])).tolist()
    if not all(map(math.isfinite, bounds)):
        raise fault_at(path, 0, say("a place in it is not a number."))
    flat = [(shapely.transform(geometry, _onto_plane(bounds)), said) for geometry, said in known]
    left, top, right, bottom = shapely.total_bounds(np.array([geometry for geometry, _ in flat])).tolist()
    size = max(right - left, bottom - top)
    owners: dict[str, str] = {}
    shapes: list[Shape] = []
    labels: list[Label] = []
    for geometry, said in flat:
        name, code = _first(said, NAMES), _first(said, CODES)
        owner, kind = _first(said, OWNERS), _first(said, KINDS)
        words = tuple(re.split(r"[\W_]+", kind.lower()))
        if geometry.geom_type in ("Point", "MultiPoint"):
            at = (float(geometry.centroid.x), float(geometry.centroid.y))
            labels += [Label(label, at, size / 100) for label in (name, code) if label]
            if _is_true(said) or {"centre", "center"} & set(words):
                shapes.append(_centre(at, size))
            continue
        closed = geometry.geom_type in ("Polygon", "MultiPolygon")
        fill = owners.setdefault(owner, OWNED[len(owners) % len(OWNED)]) if owner and closed else ""
        shape = geometry if not closed or geometry.is_valid else shapely.make_valid(geometry).buffer(0)
        classes = (*words, owner) if owner else words
        shapes.append(
            Shape(shape, closed, fill, "#000000", names=tuple(text for text in (name, code) if text), classes=classes)
        )
        if closed and _is_true(said):
            inner = shape.representative_point()
            shapes.append(_centre((float(inner.x), float(inner.y)), size))
    return Drawing(tuple(shapes), tuple(labels), (left, top, right, bottom), solid=True)


def _features(data: object) -> Iterator[object]:
    if not isinstance(data, dict):
        return
    if isinstance(data.get("features"), list):
        yield from data["features"]
    elif isinstance(data.get("geometries"), list):
        yield from ({"geometry": geometry} for geometry in data["geometries"])
    else:
        yield data if "geometry" in data else {"geometry": data}


def _geometry(data: object, path: str) -> Any:
    if not isinstance(data, dict) or not data.get("coordinates"):
        return None
    try:
        geometry = shapely.from_geojson(json.dumps(data))
    except (shapely.errors.GEOSException, ValueError, TypeError, RecursionError) as fault:
        kind = str(data.get("type"))[:40]
        raise fault_at(path, 0, say("a {kind} in it has no valid coordinates.", kind=kind)) from fault
    return shapely.force_2d(geometry)


def _properties(feature: Mapping[str, object]) -> dict[str, object]:
    said = feature.get("properties")
    found: dict[str, object] = {"id": feature.get("id")}
    if isinstance(said, dict):
        found |= {str(key).lower(): value for key, value in said.items()}
    return found


def _first(said: Mapping[str, object], keys: tuple[str, ...]) -> str:
    """Return the first of some properties that is a text, '' if none is."""
    return next((value.strip()[:80] for key in keys if isinstance(value := said.get(key), str) and value.strip()), "")


def _is_true(said: Mapping[str, object]) -> bool:
    return any(said.get(key) in (True, 1, "yes", "true", "1", "x") for key in CENTRES)


def _centre(at: tuple[float, float], size: float) -> Shape:
    return Shape(shapely.Point(at).buffer(size / 5_000, 2), closed=True, fill="#000000", symbol="centre")


def _onto_plane(bounds: list[float]) -> Any:
    left, south, right, north = bounds
    degrees = left >= -360 and right <= 360 and south >= -90 and north <= 90
    wide = math.cos(math.radians((south + north) / 2)) if degrees else 1.0

    def move(points: Any) -> Any:
        return np.column_stack((points[:, 0] * wide, -points[:, 1]))

    return move
