"""The regions of a drawing: which of its shapes are areas, and a division of its frame without gaps and overlaps.

Shapes are taken as they are seen: what is painted later hides what lies below. Narrow gaps go to the nearest area,
lines without fills divide what no shape fills, and specks go to their longest neighbour. How narrow and how small
follows from the picture.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from shapely.errors import GEOSException

from plenipo.boards_in.pictures.drawing import Drawing, Shape
from plenipo.boards_in.source_files import fault_at, shorten
from plenipo.engine.sentences import say

__all__ = ["Division", "Region", "divide"]

SMALLEST = 1e-4
"""The least share of the frame that a shape has which counts in the choice of a layer."""

SPECK = 1 / 250
"""An area below this share of a typical one is no region."""

SYMBOL = 1 / 4
"""A repeated outline below this share of a typical area is a symbol."""

NARROW = 1e-4
"""Gaps below this share of the frame are slivers, which are cleaned away without a look at each."""

CODE_NAME = re.compile(r"_?[A-Za-z]{2,4}")
"""A name that may be the code of a space."""

COAST = re.compile(r"(.+?)[-_/ (]+(?:nc|sc|ec|wc|(?:north|south|east|west)(?:ern)?[-_ ]?(?:coast)?)\)?")
"""A name of a coast, with that of its space."""

FILLED = 0.15
"""Shapes with fills that cover less of a picture than this are drawn upon its regions, which are made of its lines."""

MOST_REGIONS = 1_000
"""The most regions of a picture."""


@dataclass(frozen=True, slots=True)
class Region:
    """A region; `shape` is what it was made of, none for the ground between shapes. `line` tells of lines around it."""

    geometry: Any
    shape: Shape | None = None
    from_lines: bool = False


@dataclass(frozen=True, slots=True)
class Division:
    """The regions that fill a frame, the shapes that are none, and the widths that were derived from the picture."""

    regions: tuple[Region, ...]
    rest: tuple[Shape, ...]
    frame: tuple[float, float, float, float]
    layer: str
    typical: float
    """The area of a typical region."""
    gap: float
    """Gaps up to this width were closed."""
    tolerance: float
    """Borders may move by this much."""


def divide(drawing: Drawing, areas: Sequence[str], ignore: Sequence[str], path: str) -> Division:
    """Return the division of a drawing by the shapes that `areas` names, else by those that look like regions."""
    shapes, layer = _choose(drawing, areas, ignore, path)
    shapes = _without_coasts(shapes)
    filled, lines = _tell_lines(shapes)
    if drawing.solid:
        filled, lines = [shape for shape in shapes if shape.closed], []
    if lines and sum(shape.geometry.area for shape in filled) < FILLED * _area_of(drawing.frame):
        filled = []
    typical = _typical(filled) or _area_of(drawing.frame) / 100
    symbols = _symbols(filled, typical)
    solid = [shape for shape in filled if shape.symbol not in symbols and shape.geometry.area >= typical * SPECK]
    frame = _frame(solid, lines, drawing.frame)
    parts = _seen_parts(solid, frame)
    gap = _gap_width(parts, typical, frame, [shape.width for shape in solid])
    ground = shapely.box(*frame).difference(shapely.union_all([part for part, _ in parts]))
    parts, ground = _close_gaps(parts, ground, gap)
    pieces = _split_ground(ground, lines, gap)
    members = [(part, shape, False) for part, shape in parts] + [(piece, None, bool(lines)) for piece in pieces]
    if len(members) > 4 * MOST_REGIONS:
        raise fault_at(path, 0, say("it has more than {number} regions.", number=MOST_REGIONS))
    cleaned = shapely.coverage_clean([part for part, _, _ in members], gap_width=gap)
    regions = [
        Region(geometry, shape, from_lines)
        for geometry, (_, shape, from_lines) in zip(cleaned, members, strict=True)
        if not geometry.is_empty
    ]
    regions = _drop_specks(regions, typical)
    if sum(region.shape is not None or region.from_lines for region in regions) < 2:
        raise fault_at(path, 0, say("no areas were found in it; name their layer or colour with --areas."))
    if len(regions) > MOST_REGIONS:
        raise fault_at(path, 0, say("it has more than {number} regions.", number=MOST_REGIONS))
    chosen = {id(region.shape) for region in regions}
    rest = tuple(shape for shape in drawing.shapes if id(shape) not in chosen)
    size = max(frame[2] - frame[0], frame[3] - frame[1])
    tolerance = max(min(size / 2_000, math.sqrt(typical) / 40), 1.2 * drawing.grain)
    return Division(tuple(regions), rest, frame, layer, typical, gap, tolerance)


def _area_of(box: Sequence[float]) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _choose(drawing: Drawing, areas: Sequence[str], ignore: Sequence[str], path: str) -> tuple[list[Shape], str]:
    """Return the shapes that may be areas or borders, and the name of their layer."""
    shapes = [shape for shape in drawing.shapes if not any(shape.answers_to(word) for word in ignore)]
    for word in (*areas, *ignore):
        if not any(shape.answers_to(word) for shape in drawing.shapes):
            raise fault_at(path, 0, say("nothing in it is named or coloured '{name}'.", name=shorten(word)))
    if areas:
        return [shape for shape in shapes if any(shape.answers_to(word) for word in areas)], ", ".join(areas)
    groups: dict[tuple[tuple[str, ...], ...], list[Shape]] = defaultdict(list)
    for shape in shapes:
        for depth in range(len(shape.layers) + 1):
            groups[shape.layers[:depth]].append(shape)
    scored = []
    for layers, group in groups.items():
        shown = [shape for shape in group if not shape.hidden]
        if not shown or not layers:
            group = shown if not layers else group  # noqa: PLW2901  # only a whole layer may be a hidden one
        count, area = _score(group, drawing.frame)
        codes = sum(any(CODE_NAME.fullmatch(name) for name in shape.names) for shape in group)
        scored.append((count * area, count, len(layers), codes, layers, group))
    best = max((score for score, *_ in scored), default=0.0)
    good = [entry for entry in scored if entry[0] >= 0.8 * best and entry[1] >= 4]
    if not good:
        return [shape for shape in shapes if not shape.hidden], ""
    *_, layers, group = max(good, key=lambda entry: (entry[2], entry[3], entry[1]))
    return group, " / ".join(layer[0] if layer else "?" for layer in layers)


def _without_coasts(shapes: Sequence[Shape]) -> list[Shape]:
    """Leave out shapes that are named after a coast of another one, such as `stp-nc` beside `stp`."""
    names = {name.casefold().strip("_") for shape in shapes for name in shape.names}

    def is_coast(shape: Shape) -> bool:
        found = (COAST.fullmatch(name.casefold().strip("_")) for name in shape.names)
        return any(match is not None and match[1] in names for match in found)

    return [shape for shape in shapes if not is_coast(shape)]


def _score(group: Sequence[Shape], frame: Sequence[float]) -> tuple[int, float]:
    """Return how many shapes of a group can be seen less those that cannot, and the share of the frame they fill."""
    whole = _area_of(frame)
    large = [shape.geometry for shape in group if shape.closed and whole * SMALLEST < shape.geometry.area < 0.9 * whole]
    if len(large) < 2:
        return len(large), 0.0
    points = shapely.point_on_surface(large)
    at, over = shapely.STRtree(large).query(points, predicate="within")
    sizes = shapely.area(large)
    hidden = set(at[(over > at) & (sizes[over] >= 0.3 * sizes[at])].tolist())
    seen = [size for i, size in enumerate(sizes) if i not in hidden]
    return len(seen) - len(hidden), min(sum(seen) / whole, 1.0)


def _tell_lines(shapes: Sequence[Shape]) -> tuple[list[Shape], list[Shape]]:
    """Return the shapes that are areas, and those that are lines between areas."""
    filled = [shape for shape in shapes if shape.closed and (shape.fill or shape.hidden)]
    rings = [shape for shape in shapes if shape.closed and not (shape.fill or shape.hidden)]
    open_lines = [shape for shape in shapes if not shape.closed]
    if len(rings) > len(open_lines):
        return [shape for shape in shapes if shape.closed], open_lines if len(rings) < 4 else []
    return filled, [*rings, *open_lines]


def _typical(shapes: Iterable[Shape]) -> float:
    """Return the median area of the shapes that make up nearly all of the area."""
    sizes = sorted((shape.geometry.area for shape in shapes), reverse=True)
    total, whole = 0.0, sum(sizes)
    counted = []
    for size in sizes:
        counted.append(size)
        total += size
        if total > 0.97 * whole:
            break
    return counted[len(counted) // 2] if counted else 0.0


def _symbols(shapes: Sequence[Shape], typical: float) -> set[str]:
    """Return the words of small outlines that are there again and again."""
    often = Counter(shape.symbol for shape in shapes if shape.symbol and shape.geometry.area < SYMBOL * typical)
    return {symbol for symbol, count in often.items() if count > 2}


def _frame(
    solid: Sequence[Shape], lines: Sequence[Shape], whole: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    """Return the box of the areas; with a margin, if they do not end on it."""
    known = [shape.geometry for shape in (*solid, *lines)]
    box = shapely.box(*whole)
    known = [part for part in known if part.intersects(box)] or known
    if not known:
        return whole
    left, top, right, bottom = shapely.total_bounds(np.array(known)).tolist()
    if box.area > 0 and shapely.box(left, top, right, bottom).area > 0.5 * box.area:
        left, top, right, bottom = max(left, whole[0]), max(top, whole[1]), min(right, whole[2]), min(bottom, whole[3])
    rim = _rim(left, top, right, bottom)
    along = sum((part.boundary if part.area else part).intersection(rim).length for part in known)
    margin = 0.0 if along > 1.2 * (right - left + bottom - top) else 0.02 * max(right - left, bottom - top)
    return left - margin, top - margin, right + margin, bottom + margin


def _rim(left: float, top: float, right: float, bottom: float) -> Any:
    return shapely.box(left, top, right, bottom).exterior.buffer((right - left) / 500)


def _seen_parts(shapes: Sequence[Shape], frame: tuple[float, float, float, float]) -> list[tuple[Any, Shape]]:
    """Return the parts of the shapes that no later one covers, within the frame."""
    grid = max(frame[2] - frame[0], frame[3] - frame[1]) / 200_000
    box = shapely.box(*frame)
    whole = [shapely.intersection(shapely.make_valid(shape.geometry), box, grid_size=grid) for shape in shapes]
    whole = [shapely.union_all(_polygons(area)) for area in whole]
    tree = shapely.STRtree(whole)
    parts = []
    for i, (area, shape) in enumerate(zip(whole, shapes, strict=True)):
        above = [whole[j] for j in tree.query(area, predicate="intersects").tolist() if j > i]
        hidden = shapely.union_all(above, grid_size=grid) if above else None
        seen = _polygons(area if hidden is None else shapely.difference(area, hidden, grid_size=grid))
        if seen and (total := sum(part.area for part in seen)) > 0:
            kept = [part for part in seen if part.area > 0.002 * total]
            parts.append((shapely.union_all(kept), shape))
    return parts


def _polygons(geometry: Any) -> list[Any]:
    return [part for part in shapely.get_parts(shapely.get_parts(geometry)) if part.geom_type == "Polygon"]


def _gap_width(
    parts: Sequence[tuple[Any, Shape]], typical: float, frame: Sequence[float], widths: Sequence[float]
) -> float:
    """Return the width of the gaps between neighbours: as wide as the strokes, or as the gaps are that are seen."""
    least = max(frame[2] - frame[0], frame[3] - frame[1]) / 4_000
    widest = 0.2 * math.sqrt(typical)
    if len(parts) < 2:
        return least
    areas = np.array([part for part, _ in parts])
    coordinates, owners = shapely.get_coordinates(areas, return_index=True)
    chosen = np.linspace(0, len(coordinates) - 1, min(len(coordinates), 6_000)).astype(int)
    points, owners = shapely.points(coordinates[chosen]), owners[chosen]
    near, other = shapely.STRtree(areas).query(points, predicate="dwithin", distance=widest)
    apart = other != owners[near]
    away = np.full(len(points), np.inf)
    np.minimum.at(away, near[apart], shapely.distance(points[near[apart]], areas[other[apart]]))
    gaps = away[np.isfinite(away)]
    wide = gaps[gaps > least]
    stroke = float(np.median(widths)) if widths else 0.0
    seen = float(np.quantile(gaps, 0.95)) * 1.5 if len(wide) > 0.05 * max(len(gaps), 1) else least
    return min(max(least, seen, stroke if len(wide) > 0.01 * max(len(gaps), 1) else least), widest)


def _close_gaps(parts: list[tuple[Any, Shape]], ground: Any, gap: float) -> tuple[list[tuple[Any, Shape]], Any]:
    """Give the narrow gaps between areas to the nearest of them; return what is wide as well."""
    wide = ground.buffer(-gap / 2).buffer(gap / 2 * 1.02).intersection(ground)
    narrow = ground.difference(wide)
    if narrow.is_empty or not parts or narrow.area < NARROW * shapely.box(*ground.bounds).area:
        return parts, ground
    shapely.prepare(narrow)
    spots, owners = [], []
    for number, (part, _) in enumerate(parts):
        along = shapely.get_coordinates(shapely.segmentize(part.boundary, gap / 2))
        found = along[shapely.dwithin(narrow, shapely.points(along), gap / 2)]
        spots.append(found)
        owners += [number] * len(found)
    points = np.concatenate(spots)
    points, first = np.unique(np.round(points / (gap / 50)) * (gap / 50), axis=0, return_index=True)
    if len(points) < 3:
        return parts, ground
    by_owner = np.array(owners)[first]
    cells = shapely.voronoi_polygons(shapely.MultiPoint(points), ordered=True)
    mine: dict[int, list[Any]] = defaultdict(list)
    for cell, owner in zip(shapely.get_parts(cells), by_owner.tolist(), strict=True):
        mine[owner].append(cell)
    grown = []
    for number, (part, shape) in enumerate(parts):
        if number in mine:
            reach = part.buffer(1.5 * gap)
            cells = _union(mine[number], gap / 100)
            near = shapely.make_valid(shapely.clip_by_rect(narrow, *reach.bounds))
            room = shapely.union_all(_polygons(near.intersection(reach)))
            share = shapely.intersection(cells, room, grid_size=gap / 100)
            part = shapely.union_all([part, *_polygons(share)], grid_size=gap / 100)  # noqa: PLW2901  # it has grown
        grown.append((part, shape))
    filled = shapely.union_all([part for part, _ in grown], grid_size=gap / 100)
    return grown, shapely.difference(ground, filled, grid_size=gap / 100)


def _union(cells: list[Any], grid: float) -> Any:
    """Return the union of cells that share their borders; by the slower way, if some do so only nearly."""
    try:
        return shapely.coverage_union_all(cells)
    except GEOSException:
        return shapely.union_all(cells, grid_size=grid)


def _split_ground(ground: Any, lines: Sequence[Shape], gap: float) -> list[Any]:
    """Return the pieces of ground without a shape, divided by lines; ends that nearly meet a line are led to it."""
    pieces = _polygons(ground)
    if not lines:
        return pieces
    drawn = shapely.union_all([line.geometry.boundary if line.closed else line.geometry for line in lines])
    edges = shapely.union_all([drawn, *(piece.boundary for piece in pieces)], grid_size=gap / 8)
    left, top, right, bottom = ground.bounds
    reach = max(4 * gap, max(right - left, bottom - top) / 250)
    edges = shapely.union_all([edges, *_bridges(edges, reach)], grid_size=gap / 8)
    faces = _polygons(shapely.polygonize(shapely.get_parts(edges).tolist()))
    shapely.prepare(ground)
    return [face for face in faces if ground.contains(face.representative_point())]


def _bridges(edges: Any, reach: float) -> list[Any]:
    """Return a line from each free end to the nearest other line in reach."""
    parts = shapely.get_parts(edges)
    ends = Counter(end for part in parts for end in (part.coords[0], part.coords[-1]))
    tree = shapely.STRtree(parts)
    bridges = []
    for number, part in enumerate(parts):
        for end in (part.coords[0], part.coords[-1]):
            if ends[end] > 1:
                continue
            point = shapely.Point(end)
            others = [parts[j] for j in tree.query(point, predicate="dwithin", distance=reach).tolist() if j != number]
            if others:
                bridges.append(shapely.shortest_line(point, min(others, key=point.distance)))
    return [bridge for bridge in bridges if bridge.length > 0]


def _drop_specks(regions: list[Region], typical: float) -> list[Region]:
    """Give pieces that are too small to be a region to the neighbour with the longest common border."""
    pieces = [(part, number) for number, region in enumerate(regions) for part in _polygons(region.geometry)]
    largest = [max((part.area for part, n in pieces if n == number), default=0.0) for number in range(len(regions))]
    small = [
        i
        for i, (part, number) in enumerate(pieces)
        if part.area < min(SPECK * typical, largest[number]) * 0.999
        or (part.area < SPECK * typical and regions[number].shape is None)
    ]
    tree = shapely.STRtree([part for part, _ in pieces])
    owner = {i: number for i, (_, number) in enumerate(pieces)}
    for i in sorted(small, key=lambda i: pieces[i][0].area):
        part = pieces[i][0]
        best: tuple[float, int] = (0.0, owner[i])
        for j in tree.query(part, predicate="intersects").tolist():
            if j != i and owner[j] != owner[i] and j not in small:
                best = max(best, (part.intersection(pieces[j][0]).length, owner[j]))
        owner[i] = best[1]
    merged: dict[int, list[Any]] = defaultdict(list)
    for i, (part, _) in enumerate(pieces):
        merged[owner[i]].append(part)
    return [
        Region(shapely.coverage_union_all(merged[number]), region.shape, region.from_lines)
        for number, region in enumerate(regions)
        if number in merged
    ]
