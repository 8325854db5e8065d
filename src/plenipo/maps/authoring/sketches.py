"""A sketch of a board from the earth: coasts in a piece of the world, and candidate borders and seas laid over them.

A sketch is a whole `map.toml` that compiles, for an author to change: land is divided along modern borders first, then
each large country among seeds spread evenly over it, and the water among seeds likewise. The lines between come out
with corners and bends as an author writes them. The same question gives the same sketch.
"""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, MultiLineString, MultiPoint, Polygon
from shapely import Point as Dot
from shapely.geometry.base import BaseGeometry
from shapely.ops import linemerge, polygonize, unary_union

from plenipo.engine.board import Coast
from plenipo.errors import InvalidFigure
from plenipo.maps.authoring.authored import BASES, LandSpec, LonLat
from plenipo.maps.authoring.land import border_lines, border_names, land_extent, polygons_of, shores
from plenipo.maps.figure.planar import BEYOND, UNIT, Point
from plenipo.maps.figure.projection import Projection
from plenipo.maps.figure.shores import halfway, name_by_compass, runs

__all__ = ["EarthSketch", "SketchedSpace", "sketch_map"]

REGULAR = 4780.0
"""The width of the frame of the regular map in km, to which the lengths of `[land]` are in proportion."""

FRAGMENT = 0.22
"""A piece with less than this share of the usual area is joined to the neighbour it shares most border with."""

ISLET = 0.06
"""An island below this share of the area of the frame for each space is drawn for the eye alone."""

ROUNDS = 12
"""The rounds in which seeds are moved into the middle of the points nearest to them."""

SAMPLES = 6000
"""The number of places among which seeds are spread, about."""

PIECES = 6
"""The most times that scraps of land and water at the frame are cut off and filled."""


@dataclass(frozen=True, slots=True)
class SketchedSpace:
    """A space of a sketch: its code and name, whether it is `sea` or `land`, what it touches, and its middle.

    Land has the names of its `coasts` if it has several.
    """

    code: str
    name: str
    sea: bool
    touches: frozenset[str]
    at: LonLat
    coasts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EarthSketch:
    """A sketched board: the text of its `map.toml`, and its spaces."""

    text: str
    spaces: tuple[SketchedSpace, ...]


def sketch_map(
    title: str, extent: tuple[float, float, float, float], lands: int, seas: int, *, attempt: int = 0
) -> EarthSketch:
    """Return a sketch of the earth between west, south, east and north (degrees), of about so many lands and seas.

    Each `attempt` spreads the seeds otherwise and makes the coast a little coarser.
    Raise InvalidFigure if the extent is empty, beyond the base land, or
    without land.
    """
    return _EarthSketcher(title, extent, lands, seas, attempt).draw_sketch()


@dataclass(frozen=True, slots=True)
class _Line:
    """A line between two faces of a sketch, or a face and the frame, from node to node."""

    points: tuple[tuple[float, float], ...]
    sides: tuple[str, str]
    """The codes on the left and on the right."""


class _EarthSketcher:
    """One sketch while it is drawn; coordinates are those of the figure."""

    def __init__(
        self, title: str, extent: tuple[float, float, float, float], lands: int, seas: int, attempt: int
    ) -> None:
        self.title, self.wanted, self.attempt = title, (lands, seas), attempt
        west, south, east, north = extent
        base = _find_base(extent)
        span, middle = north - south, (south + north) / 2
        parallels = [south + span / 6, north - span / 6]
        if math.isclose(abs(parallels[0]), abs(parallels[1]), abs_tol=0.5):
            parallels[1] += 1.0
        lat1, lat2 = (round(min(max(lat, -79.0), 79.0), 2) for lat in parallels)
        self.projection = Projection(lat1, lat2, round(middle, 2), round((west + east) / 2, 2))
        flat = self.projection.flat
        self.frame: tuple[float, float, float, float] = (
            round(flat(west, middle)[0], -1),
            round(flat((west + east) / 2, south)[1], -1),
            round(flat(east, middle)[0], -1),
            round(flat((west + east) / 2, north)[1], -1),
        )
        self.box = shapely.box(*(side * UNIT for side in self.frame))
        share = max(self.frame[2] - self.frame[0], self.frame[3] - self.frame[1]) / REGULAR
        coarse = 1 + attempt / 4
        self.land = LandSpec(
            close=round(max(2.4 * share, 1.0) * coarse, 2),
            open=round(max(1.2 * share, 0.7) * coarse, 2),
            thin=round(max(1.0 * share, 0.5) * coarse, 2),
            island=round(max(3000 * share * share, ISLET * self.box.area / UNIT**2 / (lands + seas)), -1) or 10.0,
            lake=round(45000 * share * share, -1) or 150.0,
            base=base,
        )
        self.bend = 22 * share * UNIT
        """The farthest that a written border may stray from a sketched one."""
        self.names: dict[str, str] = {}
        self.coasts: dict[str, dict[Coast, LonLat]] = {}

    # ------------------------------------------------------------------ land and water

    def draw_sketch(self) -> EarthSketch:
        """Return the sketch."""
        ground = self._settle_ground()
        if not ground:
            raise InvalidFigure("there is no land between these degrees; take a larger piece of the earth")
        water = _polygons(self.box.difference(unary_union(ground)))
        faces = {**self._name_lands(self._divide_lands(ground)), **self._name_seas(self._divide_seas(water))}
        lines = list(_lines_between(faces, self.box))
        nodes = _name_nodes(lines)
        self.coasts = dict(self._find_coasts([code for code in faces if not self._is_sea(code)], lines))
        spaces = self._list_spaces(faces, lines)
        return EarthSketch("\n".join(self._write(faces, lines, nodes)) + "\n", tuple(spaces))

    def _settle_ground(self) -> list[Polygon]:
        """Return the pieces of land that are to be faces, once scraps at the frame are cut off and filled."""
        least = self.land.island * UNIT * UNIT
        for _ in range(PIECES):
            base = shores(self.projection, self.frame, self.land)
            parts = [p for p in base.parts if p.area >= least and p.intersects(self.box)]
            whole = [Polygon(p.exterior, [h for h in p.interiors if Polygon(h).area >= self._lake]) for p in parts]
            pieces = [(n, piece) for n, p in enumerate(whole) for piece in _polygons(p.intersection(self.box))]
            used = {n for n, piece in pieces if piece.area >= least}
            scraps = [piece for n, piece in pieces if n in used and piece.area < least]
            ground = [piece for n, piece in pieces if n in used and piece.area >= least]
            ponds = [p for p in _polygons(self.box.difference(unary_union(ground))) if p.area < least]
            if not scraps and not ponds:
                return ground
            cut, fill = (tuple(self._rings(found)) for found in (scraps, ponds))
            self.land = replace(self.land, cut=(*self.land.cut, *cut), fill=(*self.land.fill, *fill))
        return ground

    @property
    def _lake(self) -> float:
        return self.land.lake * UNIT * UNIT

    def _rings(self, pieces: Iterable[Polygon]) -> Iterator[tuple[str, tuple[LonLat, ...]]]:
        """Yield a named ring of places round each piece, with a little room."""
        for piece in pieces:
            near = piece.buffer(12 * UNIT).convex_hull.simplify(4 * UNIT)
            x, y = piece.representative_point().coords[0]
            lon, lat = self._place(x, y)
            name = f"scrap_{lon:.2f}_{lat:.2f}".replace("-", "m").replace(".", "_")
            yield name, tuple(self._place(*at) for at in list(near.exterior.coords)[:-1])

    def _place(self, x: float, y: float) -> LonLat:
        lon, lat = self.projection.inverse(x / UNIT, y / UNIT)
        return round(lon, 3), round(lat, 3)

    # ------------------------------------------------------------------ divisions

    def _divide_lands(self, ground: Sequence[Polygon]) -> list[tuple[Polygon, frozenset[str]]]:
        """Return the lands, each with the countries that may lie there."""
        usual = sum(piece.area for piece in ground) / max(self.wanted[0], 1)
        borders = self._borders()
        lands = []
        for piece in ground:
            near = [(line, pair) for line, pair in borders if line.intersects(piece)]
            countries = _cut_up(piece, [line for line, _ in near], FRAGMENT * usual)
            for country in countries:
                at_edge = country.boundary.buffer(2 * UNIT)
                pairs = [pair for line, pair in near if line.intersection(at_edge).length > 0.5 * line.length]
                inner = [pair for line, pair in near if line.intersection(at_edge).length > 30 * UNIT]
                may = _common(pairs or inner)
                lands += [(part, may) for part in self._spread(country, usual)]
        return lands

    def _borders(self) -> list[tuple[LineString, frozenset[str]]]:
        """Return the modern borders in the frame, drawn out at their ends, with the two countries."""
        found = []
        for name in border_names(self.land.base):
            for line in border_lines(name, self.projection, self.land.base):
                whole = shapely.transform(line.simplify(3.0), lambda at: at * UNIT)
                if whole.intersects(self.box):
                    found.append((_lengthen(whole, 25 * UNIT), frozenset(name.split("|"))))
        return found

    def _divide_seas(self, water: Sequence[Polygon]) -> list[Polygon]:
        usual = sum(piece.area for piece in water) / max(self.wanted[1], 1)
        return [part for piece in water for part in self._spread(piece, usual)]

    def _spread(self, piece: Polygon, usual: float) -> list[Polygon]:
        """Return a piece divided among seeds spread evenly over it, so that each has about the usual area."""
        count = max(1, round(piece.area / usual))
        if count == 1:
            return [piece]
        seeds = _seeds(piece, count, self.attempt)
        edges = shapely.voronoi_polygons(MultiPoint(seeds), extend_to=piece.envelope.buffer(UNIT), only_edges=True)
        return _cut_up(piece, [edges], FRAGMENT * usual)

    # ------------------------------------------------------------------ names

    def _name_lands(self, lands: Sequence[tuple[Polygon, frozenset[str]]]) -> dict[str, Polygon]:
        """Return the lands by codes made of the names of their countries, from the north-west."""
        sure = {next(iter(may)) for _, may in lands if len(may) == 1}
        left = [may if len(may) == 1 else may - sure for _, may in lands]
        called = [min(may) if len(may) == 1 else "Land" for may in left]
        return self._name([land for land, _ in lands], called)

    def _name_seas(self, seas: Sequence[Polygon]) -> dict[str, Polygon]:
        return self._name(seas, ["Sea"] * len(seas))

    def _name(self, pieces: Sequence[Polygon], called: Sequence[str]) -> dict[str, Polygon]:
        number = Counter(called)
        count: Counter[str] = Counter()
        named = {}
        for i in sorted(range(len(pieces)), key=lambda i: (pieces[i].centroid.x - 2 * pieces[i].centroid.y, i)):
            word = called[i]
            count[word] += 1
            letters = "".join(c for c in word.upper() if "A" <= c <= "Z").ljust(3, "X")
            alone = number[word] == 1 and word not in ("Land", "Sea")
            own = letters[:3] if alone else f"{letters[:2]}{count[word]}"
            code = next(c for c in (own, *(f"{letters[0]}{own[-1]}{n}" for n in range(1, 99))) if c not in self.names)
            self.names[code] = word if alone else f"{word} {count[word]}"
            named[code] = pieces[i]
        return named

    def _is_sea(self, code: str) -> bool:
        return self.names[code].startswith("Sea ")

    def _list_spaces(self, faces: Mapping[str, Polygon], lines: Sequence[_Line]) -> Iterator[SketchedSpace]:
        touches: dict[str, set[str]] = defaultdict(set)
        for line in lines:
            for one, other in (line.sides, line.sides[::-1]):
                touches[one].add(other)
        for code, face in faces.items():
            middle = face.representative_point()
            around = frozenset(touches[code] - {BEYOND})
            at, coasts = self._place(middle.x, middle.y), tuple(self.coasts.get(code, ()))
            yield SketchedSpace(code, self.names[code], self._is_sea(code), around, at, coasts)

    # ------------------------------------------------------------------ the text

    def _write(
        self, faces: Mapping[str, Polygon], lines: Sequence[_Line], nodes: Mapping[tuple[float, float], str]
    ) -> Iterator[str]:
        seas, lands = ([code for code in faces if self._is_sea(code) == wet] for wet in (True, False))
        yield f"# {self.title}: a sketch by `plenipo map new`, to be changed. docs/board.md says how a map is written."
        yield "#"
        yield "# Move a corner, bend an edge by its `via`, rename an area in every name that has it."
        yield "# `plenipo map compile` makes figure.json of this, `plenipo map place` places names and units."
        yield f"title = {json.dumps(self.title, ensure_ascii=False)}"
        yield f"seas = {json.dumps(seas)}"
        yield f"lands = {json.dumps(lands)}"
        yield from ("", "[coasts]                     # lands with two shores and no passage: a coast each")
        for code, coasts in self.coasts.items():
            places = ", ".join(f"{coast} = {json.dumps(at)}" for coast, at in coasts.items())
            yield f'{code} = {{ {places}, reason = "other land lies between" }}'
        yield from self._write_inside(faces, lines, nodes)
        yield from ("", "[projection]                 # Lambert conformal conic")
        yield from (f"{key} = {getattr(self.projection, key):g}" for key in ("lat1", "lat2", "lat0", "lon0"))
        yield from ("", "[frame]                      # km from the origin of the projection")
        yield from (
            f"{key} = {side:g}" for key, side in zip(("west", "south", "east", "north"), self.frame, strict=True)
        )
        yield from ("", "[land]")
        if self.land.base != BASES[0]:
            yield f"base = {json.dumps(self.land.base)}"
        yield from (f"{key} = {getattr(self.land, key):g}" for key in ("close", "open", "thin", "island", "lake"))
        for key, rings in (("fill", self.land.fill), ("cut", self.land.cut)):
            if rings:
                yield from ("", f"[land.{key}]")
                yield from (f"{name} = {json.dumps(ring)}" for name, ring in rings)
        yield from ("", "[corners]")
        for at, name in sorted(nodes.items(), key=lambda node: node[1]):
            yield f"{json.dumps(name)} = {json.dumps(self._place(*self._outward(at, name)))}"
        yield from ("", "[edges]")
        yield from self._write_edges(lines, nodes)

    def _is_border(self, line: _Line) -> bool:
        """Tell whether a line is an edge that an author writes: between two lands or two seas."""
        one, other = line.sides
        return BEYOND not in (one, other) and self._is_sea(one) == self._is_sea(other)

    def _outward(self, at: tuple[float, float], name: str) -> tuple[float, float]:
        """Return the place of a corner: one on the frame is written a little beyond it."""
        if not name.startswith(BEYOND):
            return at
        west, south, east, north = self.box.bounds
        x, y, out = at[0], at[1], 0.02 * (east - west)
        x = west - out if x <= west else east + out if x >= east else x
        y = south - out if y <= south else north + out if y >= north else y
        return x, y

    def _write_edges(self, lines: Sequence[_Line], nodes: Mapping[tuple[float, float], str]) -> Iterator[str]:
        borders: dict[str, list[_Line]] = defaultdict(list)
        for line in lines:
            if self._is_border(line):
                borders["-".join(sorted(line.sides))].append(line)
        for pair, several in sorted(borders.items()):
            holding = [name for name in nodes.values() if set(pair.split("-")) <= set(_codes(name))]
            for number, line in enumerate(several, 1):
                ends = [nodes[end] for end in _ends(line)]
                said = []
                if via := self._bends(line):
                    said.append(f"via = {json.dumps(via)}")
                if len(holding) > len(set(ends)):
                    said.append(f"ends = {json.dumps(list(dict.fromkeys(ends)))}")
                name = pair if len(several) == 1 else f"{pair}:{number}"
                yield f"{json.dumps(name)} = {{ {', '.join(said)} }}".replace("{  }", "{}")

    def _bends(self, line: _Line) -> list[LonLat]:
        """Return the places a border bends at, none of them close to its ends."""
        closed = line.points[0] == line.points[-1]
        thin = LineString(line.points).simplify(0 if closed else self.bend).coords[1:-1]
        first, last = line.points[0], line.points[-1]
        far = [at for at in thin if closed or min(math.dist(at, first), math.dist(at, last)) > self.bend]
        return [self._place(*at) for at in far]

    def _find_coasts(self, lands: Iterable[str], lines: Sequence[_Line]) -> Iterator[tuple[str, dict[Coast, LonLat]]]:
        """Yield each land with several shores, with a place on each by the quarter of the compass where it lies."""
        for code in lands:
            for cycle in _cycles(code, lines):
                stretches = runs(cycle, partial(self._is_shore, code))
                if len(stretches) > 1:
                    marks = [halfway([_whole(at) for at in max(run, key=_length).points]) for run in stretches]
                    named: dict[int, Coast] = {}
                    name_by_compass(marks, named)
                    yield code, {named[i]: self._place(*at) for i, at in enumerate(marks)}

    def _is_shore(self, code: str, line: _Line) -> bool:
        other = line.sides[1] if line.sides[0] == code else line.sides[0]
        return other != BEYOND and self._is_sea(other)

    def _write_inside(
        self, faces: Mapping[str, Polygon], lines: Sequence[_Line], nodes: Mapping[tuple[float, float], str]
    ) -> Iterator[str]:
        """Name a point in each face whose corners do not say whose it is."""
        yield from ("", "[inside]                     # a place in each area whose corners all name another one too")
        for code, face in faces.items():
            names = [_codes(nodes[end]) for line in lines if code in line.sides for end in _ends(line)]
            shared = set.intersection(*map(set, names)) - {BEYOND}
            if sum(self._is_sea(other) == self._is_sea(code) for other in shared) > 1:
                middle = face.representative_point()
                yield f"{code} = {json.dumps(self._place(middle.x, middle.y))}"


def _find_base(extent: tuple[float, float, float, float]) -> str:
    """Return the first base land that covers a piece of the earth; raise InvalidFigure if none does."""
    west, south, east, north = extent
    if west >= east or south >= north:
        raise InvalidFigure(
            f"{west:g} {south:g} {east:g} {north:g} is no piece of the earth: write west, south, east, north in "
            "degrees, west below east and south below north"
        )
    known = {base: land_extent(base) for base in BASES}
    for base, (w, s, e, n) in known.items():
        if w <= west and s <= south and east <= e and north <= n:
            return base
    covered = ", or ".join(
        f"between {w:g} and {e:g} degrees east and {s:g} and {n:g} degrees north" for w, s, e, n in known.values()
    )
    raise InvalidFigure(
        f"{west:g} {south:g} {east:g} {north:g} reaches beyond the coasts in the package, which lie {covered}"
    )


# ---------------------------------------------------------------------- geometry


def _polygons(geometry: BaseGeometry) -> list[Polygon]:
    return sorted(polygons_of(shapely.set_precision(geometry, 1.0)), key=lambda p: (-p.area, p.bounds))


def _lengthen(line: LineString, by: float) -> LineString:
    """Return a line drawn out straight at both ends."""
    coords = list(line.coords)
    for at, before in ((0, 1), (-1, -2)):
        (x, y), (bx, by_) = coords[at], coords[before]
        length = math.dist((x, y), (bx, by_)) or 1.0
        coords[at] = (x + (x - bx) / length * by, y + (y - by_) / length * by)
    return LineString(coords)


def _cut_up(piece: Polygon, lines: Sequence[BaseGeometry], smallest: float) -> list[Polygon]:
    """Return a piece cut along lines; parts below `smallest` are joined to the neighbour with the longest border."""
    inner = [line.intersection(piece) for line in lines]
    web = shapely.union_all([piece.boundary, *inner], grid_size=1.0)
    parts = [part for part in polygonize(web) if piece.contains(part.representative_point())]
    while len(parts) > 1:
        small = min(parts, key=lambda part: part.area)
        if small.area >= smallest:
            break
        parts.remove(small)
        best = max(parts, key=lambda part: part.intersection(small).length)
        joined = best.union(small)
        if not isinstance(joined, Polygon):
            break
        parts[parts.index(best)] = joined
    return parts or [piece]


def _seeds(piece: Polygon, count: int, attempt: int) -> NDArray[np.float64]:
    """Return places spread evenly over a piece: each in the middle of the points nearest to it."""
    west, south, east, north = piece.bounds
    step = math.sqrt((east - west) * (north - south) / SAMPLES)
    shift = (0.5 + 0.17 * attempt) % 1.0
    xs, ys = np.meshgrid(np.arange(west + shift * step, east, step), np.arange(south + shift * step, north, step))
    spots = np.column_stack([xs.ravel(), ys.ravel()])
    spots = spots[shapely.contains_xy(piece, spots[:, 0], spots[:, 1])]
    if len(spots) < count:
        return np.array([piece.representative_point().coords[0]], dtype=np.float64)
    # each further seed begins as far as possible from all others
    seeds: NDArray[np.float64] = spots[[int(np.argmin(spots[:, 0] - spots[:, 1] * (1 + attempt)))]]
    while len(seeds) < count:
        away = np.min(np.hypot(*(spots[:, None] - seeds[None]).transpose(2, 0, 1)), axis=1)
        seeds = np.vstack([seeds, spots[int(np.argmax(away))]])
    for _ in range(ROUNDS):
        nearest = np.argmin(np.hypot(*(spots[:, None] - seeds[None]).transpose(2, 0, 1)), axis=1)
        seeds = np.array([spots[nearest == i].mean(axis=0) if (nearest == i).any() else seeds[i] for i in range(count)])
    return np.asarray(seeds, dtype=np.float64)


def _common(pairs: Sequence[frozenset[str]]) -> frozenset[str]:
    """Return the countries that all of some pairs have; where none is in all, the one that is in most."""
    if not pairs:
        return frozenset()
    shared = frozenset.intersection(*pairs)
    if shared:
        return shared
    number = Counter(name for pair in pairs for name in pair)
    return frozenset([min(number, key=lambda name: (-number[name], name))])


def _lines_between(faces: Mapping[str, Polygon], box: Polygon) -> Iterator[_Line]:
    """Yield every line between two faces, or a face and the frame, from node to node."""
    web = shapely.union_all([*(face.boundary for face in faces.values()), box.boundary], grid_size=1.0)
    codes, tree = list(faces), shapely.STRtree(list(faces.values()))

    def sides_of(line: LineString) -> tuple[str, str]:
        a, b = max(pairwise(line.coords), key=lambda pair: math.dist(*pair))
        middle, length = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), math.dist(a, b) or 1.0
        dx, dy = (b[1] - a[1]) / length * 0.3, (a[0] - b[0]) / length * 0.3
        spots = (Dot(middle[0] + sign * dx, middle[1] + sign * dy) for sign in (-1, 1))
        homes = [[codes[i] for i in tree.query(spot, predicate="within")] for spot in spots]
        return (homes[0] or [BEYOND])[0], (homes[1] or [BEYOND])[0]

    # a line with one face on both sides is none, and its ends are no nodes
    kept = [line for line in _merge_lines(web) if len(set(sides_of(line))) == 2]
    for line in _merge_lines(MultiLineString(kept)):
        yield _Line(tuple((x, y) for x, y in line.coords), sides_of(line))


def _merge_lines(lines: BaseGeometry) -> list[LineString]:
    """Return lines joined wherever only two of them end."""
    merged = linemerge(lines)
    return list(getattr(merged, "geoms", [merged]))


def _name_nodes(lines: Sequence[_Line]) -> dict[tuple[float, float], str]:
    """Return the names of all nodes, with numbers where several have the same areas."""
    around: dict[tuple[float, float], set[str]] = defaultdict(set)
    for line in lines:
        for end in _ends(line):
            around[end] |= set(line.sides)
    number = Counter(frozenset(codes) for codes in around.values())
    count: Counter[frozenset[str]] = Counter()
    names = {}
    for at, codes in sorted(around.items()):
        key = frozenset(codes)
        count[key] += 1
        suffix = f":{count[key]}" if number[key] > 1 else ""
        names[at] = "/".join(sorted(codes)) + suffix
    return names


def _ends(line: _Line) -> tuple[tuple[float, float], tuple[float, float]]:
    return line.points[0], line.points[-1]


def _codes(name: str) -> list[str]:
    return name.partition(":")[0].split("/")


def _length(line: _Line) -> float:
    return float(LineString(line.points).length)


def _whole(at: tuple[float, float]) -> Point:
    return round(at[0]), round(at[1])


def _cycles(code: str, lines: Sequence[_Line]) -> list[list[_Line]]:
    """Return the lines round a face, one walk after the other."""
    left = [line for line in lines if code in line.sides]
    cycles = []
    while left:
        line = left.pop(0)
        cycle, first, at = [line], line.points[0], line.points[-1]
        while at != first:
            following = next((other for other in left if at in _ends(other)), None)
            if following is None:
                break
            left.remove(following)
            cycle.append(following)
            at = following.points[-1] if following.points[0] == at else following.points[0]
        cycles.append(cycle)
    return cycles
