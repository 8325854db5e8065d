"""The map compiler: from authored corners and edges and the base land to a figure.

`python -m plenipo.maps.authoring.atlas PATH/map.toml` writes `figure.json` beside the map.
The same input gives the same figure. Every mistake of an author raises InvalidFigure with the corner or edge named.
Only this module and `land` need shapely, and only to compile: playing reads the figure.

The steps: the base land becomes shores; every edge becomes a line, cut off where it meets a shore or the frame, and
its corner moves to that end; shores and frame are divided at the corners on them; the arcs are walked round face by
face; and each face gets the one name that all its corners and edges share.
"""

import hashlib
import math
import sys
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

import shapely
from shapely import LineString, MultiLineString, Polygon
from shapely import Point as Dot
from shapely.ops import linemerge, substring, unary_union

from plenipo.engine.board import Code
from plenipo.errors import InvalidFigure
from plenipo.maps.authoring.authored import Authored, AuthoredEdge, find_base_map, map_digest, read_map
from plenipo.maps.authoring.land import Shores, base_digest_text, border_lines, polygons_of, shores
from plenipo.maps.figure.curves import CurvePoint, by_hand, round_corners, smooth
from plenipo.maps.figure.figure_files import FIGURE, figure_text
from plenipo.maps.figure.naming import name_faces
from plenipo.maps.figure.planar import BEYOND, UNIT, Arc, Decoration, Figure, HalfEdge, Point, codes_of, node_name
from plenipo.maps.figure.segments import Touch, area2, first_touch

__all__ = ["CrossingLines", "compile_figure", "compile_map", "main", "write_figure"]

REACH = 60.0
"""A corner lies at most this many km from the shore, the frame or the border it is to lie on."""
CANAL = 16.0
"""The drawn width of a canal, in km."""
STEP = 8.0
"""Curves are sampled about every this many km."""
WAVERS = (0.055, 0.035, 0.015, 0.0)
"""The sway of land borders, as a share of each wave's length; the next is tried where a line would cross another."""

LONGEST = 110.0
"""The longest of those waves, in km."""
BORDER = 2.0
"""The greatest deviation of a thinned modern border, in km."""
HILL = 62.0
"""The distance between the drawn hills of a ridge, in km."""

CUTOUT = 130.0
"""The distance from the middle of a cut-out of a faulty map to its sides, in km."""

LAND, WATER = "the land side of a shore", "the water side of a shore"


class CrossingLines(InvalidFigure):
    """Two lines of a map cross or touch; `cutout` is an SVG of the place, with the two in red."""

    def __init__(self, message: str, cutout: str) -> None:
        super().__init__(message)
        self.cutout = cutout


def compile_map(path: Path) -> Figure:
    """Read and compile a `map.toml`; the figure is proved sound. Raise InvalidFigure."""
    figure = compile_figure(read_map(path))
    return replace(figure, source={**figure.source, "map": map_digest(path)}).check()


def write_figure(path: Path, figure: Figure) -> Path:
    """Write the figure of a `map.toml` beside it, and return its file."""
    file, base = path.with_name(FIGURE), find_base_map(path)
    text = figure_text(figure, path.parent, base and base.parent)
    file.write_text(text, encoding="utf-8", newline="\n")
    return file


def compile_figure(authored: Authored) -> Figure:
    """Compile an authored map; the figure is proved sound. Raise InvalidFigure."""
    return _Compiler(authored).figure()


class _Shore(NamedTuple):
    """A line of shore with land on its left: closed (its end repeated), or from frame to frame."""

    points: tuple[Point, ...]
    closed: bool


@dataclass(frozen=True)
class _Draft:
    """An arc before its faces are known: for each side the codes that may lie there."""

    start: str
    end: str
    points: tuple[Point, ...]
    left: frozenset[Code]
    right: frozenset[Code]
    label: str


class _Compiler:
    """One compilation; the steps follow each other in `figure`."""

    def __init__(self, authored: Authored) -> None:
        self.map = authored
        west, south, east, north = (round(side * UNIT) for side in authored.frame)
        if west >= east or south >= north:
            raise InvalidFigure(f"the frame {authored.frame} is empty; west lies below east, south below north")
        self.frame = (west, south, east, north)
        self.box = shapely.box(*self.frame)
        self.places = {name: self._spot(*place) for name, place in authored.corners.items()}
        self.nodes: dict[str, Point] = {}
        self.exits: set[str] = set()
        """The nodes where a shore leaves the frame and no corner is named; the faces that meet there name them."""
        self.shores: list[_Shore] = []
        self.on_shore: dict[int, list[tuple[float, str]]] = defaultdict(list)
        self.bare: dict[str, list[Polygon]] = defaultdict(list)
        self.wavers: dict[str, int] = {}

    def figure(self) -> Figure:
        """Return the figure, proved sound."""
        base = shores(self.map.projection, self.map.frame, self.map.land)
        self._find_land(base)
        self._check_places()
        for _ in range(4 * len(WAVERS)):
            self.nodes.clear()
            self.exits.clear()
            self.on_shore.clear()
            self.bare.clear()
            drafts = self._draw_edges() + self._divide_shores()
            drafts += self._divide_frame()
            touch = first_touch([draft.points for draft in drafts])
            if touch is None or not self._steadier({drafts[touch.first].label, drafts[touch.second].label}):
                break
        if touch:
            first, second = drafts[touch.first].label, drafts[touch.second].label
            lon, lat = self._place(touch.at)
            what = f"{first} meets itself" if first == second else f"{first} and {second} cross or touch"
            raise CrossingLines(f"{what} near {lon:.2f}, {lat:.2f}", self._draw_cutout(drafts, touch))
        return self._build_named_figure(drafts, base).check()

    def _draw_cutout(self, drafts: Sequence[_Draft], touch: Touch) -> str:
        """Return an SVG of the lines round the point where two of them touch, those two in red."""
        (x, y), reach = touch.at, CUTOUT * UNIT
        near = shapely.box(x - reach, y - reach, x + reach, y + reach)
        rows = []
        faulty = {touch.first, touch.second}
        for number in sorted(range(len(drafts)), key=lambda number: number in faulty):
            draft = drafts[number]
            if LineString(draft.points).intersects(near):
                style = 'stroke="#d02020" stroke-width="5"' if number in faulty else 'stroke="#606060" stroke-width="2"'
                places = " ".join(
                    f"{(px - x) / reach * 500:.1f},{(y - py) / reach * 500:.1f}" for px, py in draft.points
                )
                rows.append(
                    f'<polyline points="{places}" fill="none" {style}><title>{escape(draft.label)}</title></polyline>'
                )
        for name, (px, py) in self.nodes.items():
            if near.contains(Dot(px, py)):
                at = f'{(px - x) / reach * 500:.1f}" y="{(y - py) / reach * 500:.1f}'
                rows.append(f'<text x="{at}" font-size="22" fill="#204080">{escape(name)}</text>')
        head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-500 -500 1000 1000" width="800" height="800">'
        return "\n".join([head, '<rect x="-500" y="-500" width="1000" height="1000" fill="#fff"/>', *rows, "</svg>\n"])

    def _steadier(self, labels: Iterable[str]) -> bool:
        """Draw the wavering ones among two lines that cross more steadily; say whether any was left to steady."""
        moved = False
        for label in labels:
            name = label.removeprefix("edge ")
            if self.wavers.get(name, len(WAVERS)) + 1 < len(WAVERS):
                self.wavers[name] += 1
                moved = True
        return moved

    def _spot(self, lon: float, lat: float) -> CurvePoint:
        x, y = self.map.projection(lon, lat)
        return x * UNIT, y * UNIT

    def _place(self, point: Sequence[float]) -> tuple[float, float]:
        return self.map.projection.inverse(point[0] / UNIT, point[1] / UNIT)

    # ------------------------------------------------------------------ land

    def _find_land(self, base: Shores) -> None:
        """Find the land that carries corners, with its shores inside the frame; all other land is decoration."""
        parts = [part for part in base.parts if part.area >= self.map.land.island * UNIT * UNIT]
        carrying: set[int] = set()
        for name, place in self.places.items():
            if parts and self.map.lands.intersection(codes_of(name)):
                carrying.add(min(range(len(parts)), key=lambda i: parts[i].distance(Dot(place))))
        small = self.map.land.lake * UNIT * UNIT
        self.mainland = [
            Polygon(parts[i].exterior, [hole for hole in parts[i].interiors if Polygon(hole).area >= small])
            for i in sorted(carrying)
        ]
        lands = {id(parts[i]) for i in carrying}
        self.islands = [p for p in base.parts if id(p) not in lands] + list(base.kept)
        self.land = unary_union(self.mainland)
        shapely.prepare(self.land)
        for part in self.mainland:
            oriented = shapely.geometry.polygon.orient(part)
            for ring in (oriented.exterior, *oriented.interiors):
                self._add_shore(ring)
        self.coast = unary_union([LineString(shore.points) for shore in self.shores])
        self.lines = [LineString(shore.points) for shore in self.shores]

    def _add_shore(self, ring: LineString) -> None:
        """Add the stretches of a ring of shore inside the frame, on the grid."""
        cut = LineString(ring.coords).intersection(self.box)
        stretches = linemerge(cut) if isinstance(cut, MultiLineString) else cut
        for line in getattr(stretches, "geoms", [stretches]):
            if isinstance(line, LineString) and not line.is_empty:
                points = _distinct(line.coords)
                if len(points) > 1:
                    self.shores.append(_Shore(points, line.is_ring))

    def _check_places(self) -> None:
        for name, place in self.places.items():
            kind, dot = self.map.kind(name), Dot(place)
            if kind == "frame" and self.box.contains(dot):
                raise InvalidFigure(f"corner {name} lies inside the frame; put it beyond, or take out #")
            if kind in ("land", "sea") and not self.box.contains(dot):
                raise InvalidFigure(f"corner {name} lies outside the frame")
            if kind == "land" and not self.land.contains(dot):
                raise InvalidFigure(f"corner {name} lies in the water, and all its areas are land")
            if kind == "sea" and self.land.contains(dot):
                raise InvalidFigure(f"corner {name} lies on land, and all its areas are seas")
            if kind == "coast":
                away = self.coast.distance(dot) / UNIT if self.shores else math.inf
                if away > REACH:
                    raise InvalidFigure(
                        f"corner {name} lies {away:.0f} km from the nearest shore; {REACH:.0f} are allowed"
                    )

        for mark in self.map.marks:
            away = self.coast.distance(Dot(mark.at)) / UNIT
            if away > REACH:
                raise InvalidFigure(
                    f"coast {mark.space}/{mark.coast} is marked {away:.0f} km from the nearest shore; "
                    f"{REACH:.0f} are allowed"
                )

    # ------------------------------------------------------------------ edges

    def _draw_edges(self) -> list[_Draft]:
        """Return every authored edge as a line from node to node; fixes the nodes it ends at."""
        carried: dict[str, int] = defaultdict(int)
        for edge in self.map.edges.values():
            for end in self.map.ends(edge):
                carried[end] += 1
        # a corner on a shore where several edges end cannot move to the end of each: it is put on the shore first
        for name, place in self.places.items():
            kind = self.map.kind(name)
            if kind == "coast" and carried[name] != 1:
                self._put_on_shore(name, place)
            elif kind in ("land", "sea"):
                self.nodes[name] = (round(place[0]), round(place[1]))
            elif kind == "frame" and not carried[name]:
                self._put_on_frame(name)
        drafts = []
        for edge in sorted(self.map.edges.values(), key=lambda e: e.name):
            ends = self.map.ends(edge)
            points = self._cut_off(edge, ends, self._line(edge, ends))
            pair = frozenset(edge.pair)
            drafts.append(_Draft(ends[0], ends[-1], points, pair, pair, f"edge {edge.name}"))
        return drafts

    def _line(self, edge: AuthoredEdge, ends: tuple[str, ...]) -> list[CurvePoint]:
        """Return the whole line of an edge between the authored places of its corners."""
        a, b = self.places[ends[0]], self.places[ends[-1]]
        if edge.ref:
            return [a, *self._along(edge, a, b), b]
        via = [self._spot(*place) for place in edge.via]
        if len(ends) == 1 and len(via) < 2:
            raise InvalidFigure(f"edge {edge.name} is a ring and needs two bends at least")
        if via and math.dist(via[-1], a) + math.dist(via[0], b) < math.dist(via[0], a) + math.dist(via[-1], b):
            via.reverse()
        bends = [a, *via, b]
        closed = len(ends) == 1
        if edge.pair[0] in self.map.seas:
            return smooth(bends, STEP * UNIT, closed=closed)
        for level in range(self.wavers.setdefault(edge.name, 0), len(WAVERS)):
            self.wavers[edge.name] = level
            line = smooth(bends, STEP * UNIT, closed=closed)
            if WAVERS[level]:
                line = by_hand(line, edge.name, WAVERS[level], longest=LONGEST * UNIT, step=STEP * UNIT / 2)
            if LineString(line).is_simple:
                break
        return line

    def _along(self, edge: AuthoredEdge, a: CurvePoint, b: CurvePoint) -> list[CurvePoint]:
        """Return the points of the modern border an edge follows, between the places nearest to its corners."""
        best: tuple[float, LineString] | None = None
        for flat in border_lines(edge.ref, self.map.projection, self.map.land.base):
            thinned = round_corners(list(flat.simplify(BORDER).coords), closed=False)
            line = LineString([(x * UNIT, y * UNIT) for x, y in (self.map.projection.warp(*p) for p in thinned)])
            away = line.distance(Dot(a)) + line.distance(Dot(b))
            if best is None or away < best[0]:
                best = away, line
        if best is None or best[0] > 2 * REACH * UNIT:
            raise InvalidFigure(f"edge {edge.name}: its corners lie far from the border {edge.ref!r} it follows")
        line = best[1]
        start, end = line.project(Dot(a)), line.project(Dot(b))
        if abs(start - end) < 5 * UNIT:
            return []
        inner = substring(line, start, end).coords[1:-1]
        near = 12 * UNIT
        return [(x, y) for x, y in inner if math.dist((x, y), a) > near and math.dist((x, y), b) > near]

    def _cut_off(self, edge: AuthoredEdge, ends: tuple[str, ...], spots: list[CurvePoint]) -> tuple[Point, ...]:
        """Return the part of an edge on its own side of the shores, inside the frame; move its corners there."""
        kinds = [self.map.kind(end) for end in ends]
        line = LineString(spots)
        if "frame" in kinds:
            inside = line.intersection(self.box)
            pieces = [p for p in getattr(inside, "geoms", [inside]) if isinstance(p, LineString) and p.length]
            if not pieces:
                raise InvalidFigure(f"edge {edge.name} lies wholly outside the frame")
            line = max(pieces, key=lambda piece: piece.length)
        if "coast" in kinds:
            line = self._own_side(edge, line)
        cut = list(line.coords)
        for end, kind, at in zip(ends, kinds, (0, -1), strict=False):
            if end not in self.nodes:
                if kind == "coast":
                    self._put_on_shore(end, cut[at])
                else:
                    self._put_on_frame(end, cut[at])
            cut[at] = self.nodes[end]
        if len(ends) == 1:
            cut[-1] = cut[0]
        return _simplify_line(cut)

    def _own_side(self, edge: AuthoredEdge, line: LineString) -> LineString:
        """Return the longest stretch of a line that lies in water for an edge of seas, on land for an edge of lands."""
        wet = edge.pair[0] in self.map.seas
        met = line.intersection(self.coast)
        stops = {0.0, line.length}
        for piece in getattr(met, "geoms", [met]):
            stops |= {line.project(Dot(spot)) for spot in piece.coords}
        stretches = [
            (end - start, start, end)
            for start, end in pairwise(sorted(stops))
            if end - start > 1e-6 and self.land.contains(line.interpolate((start + end) / 2)) != wet
        ]
        if not stretches:
            raise InvalidFigure(f"edge {edge.name} lies wholly on the wrong side of the shore")
        _, start, end = max(stretches)
        own = substring(line, start, end)
        assert isinstance(own, LineString)  # noqa: S101 - start and end differ
        return own

    def _put_on_shore(self, name: str, spot: Sequence[float]) -> None:
        """Fix a corner on the shore nearest to a spot, within reach of its authored place."""
        dot = Dot(spot)
        index = min(range(len(self.lines)), key=lambda i: self.lines[i].distance(dot))
        line = self.lines[index]
        along = line.project(dot)
        at = line.interpolate(along)
        point = (round(at.x), round(at.y))
        moved = math.dist(point, self.places[name]) / UNIT
        if moved > REACH:
            raise InvalidFigure(
                f"corner {name} lies {moved:.0f} km from where its edge meets the shore; {REACH:.0f} are allowed"
            )
        self.nodes[name] = point
        self.on_shore[index].append((along, name))

    def _put_on_frame(self, name: str, spot: Sequence[float] | None = None) -> None:
        """Fix a corner on the frame: at the spot where its edge leaves, or where the nearest shore does."""
        west, south, east, north = self.frame
        if spot is None:
            place = self.places[name]
            exits = [p for s in self.shores if not s.closed for p in (s.points[0], s.points[-1])]
            wet = {code in self.map.seas for code in codes_of(name) if code != BEYOND}
            if len(wet) == 2:
                limit = self.box.exterior
                beside = limit.interpolate(limit.project(Dot(place)))
                spot = min(exits, key=lambda p: math.dist(p, (beside.x, beside.y)), default=None)
                if spot is None or math.dist(spot, (beside.x, beside.y)) > 5 * REACH * UNIT:
                    raise InvalidFigure(f"corner {name}: no shore leaves the frame near it")
                if spot in self.nodes.values():
                    other = next(n for n, p in self.nodes.items() if p == spot)
                    raise InvalidFigure(f"corners {other} and {name} are the same point of the frame")
            else:
                nearest = self.box.exterior.interpolate(self.box.exterior.project(Dot(place)))
                spot = (nearest.x, nearest.y)
        x, y = min(max(round(spot[0]), west), east), min(max(round(spot[1]), south), north)
        sides = {(west, y): x - west, (east, y): east - x, (x, south): y - south, (x, north): north - y}
        self.nodes[name] = min(sides, key=lambda point: sides[point])

    # ------------------------------------------------------------------ shores and frame

    def _divide_shores(self) -> list[_Draft]:
        """Return the shores, divided at the corners that lie on them."""
        drafts = []
        by_point = {point: name for name, point in self.nodes.items() if self._on_frame(name)}
        lands, seas = frozenset(self.map.lands), frozenset(self.map.seas)
        for index, shore in enumerate(self.shores):
            line, names = self._with_corners(index, shore)
            if not shore.closed:
                for at in (0, -1):
                    if line[at] not in by_point:
                        by_point[line[at]] = self._add_exit(line[at])
                    names[at % len(line)] = by_point[line[at]]
            elif not names:
                # no corner after all: an island or a lake that is no face
                self.bare["island" if area2(line[:-1]) > 0 else "lake"].append(Polygon(line))
                continue
            stops = sorted(names)
            if shore.closed:
                line = (*line[stops[0] : -1], *line[: stops[0] + 1])
                names = {stop - stops[0]: names[stop] for stop in stops}
                names[len(line) - 1] = names[0]
                stops = sorted(names)
            for start, end in pairwise(stops):
                label = f"the shore from {names[start]} to {names[end]}"
                drafts.append(_Draft(names[start], names[end], tuple(line[start : end + 1]), lands, seas, label))
        return drafts

    def _on_frame(self, node: str) -> bool:
        return node in self.exits or self.map.kind(node) == "frame"

    def _add_exit(self, point: Point) -> str:
        """Add a node where a shore leaves the frame and no corner is named; return what it is called for now."""
        lon, lat = self._place(point)
        node = f"the exit at {lon:.2f}, {lat:.2f}"
        self.nodes[node] = point
        self.exits.add(node)
        return node

    def _with_corners(self, index: int, shore: _Shore) -> tuple[tuple[Point, ...], dict[int, str]]:
        """Return the points of a shore with its corners put in, and the corners by their place among the points."""
        lengths = [0.0]
        for a, b in pairwise(shore.points):
            lengths.append(lengths[-1] + math.dist(a, b))
        line: list[Point] = []
        names: dict[int, str] = {}
        done = 0
        for along, name in sorted(self.on_shore[index]):
            after = min(bisect_right(lengths, along), len(shore.points) - 1)
            line += shore.points[done:after]
            done = max(done, after)
            point = self.nodes[name]
            while line and math.dist(line[-1], point) < UNIT and len(line) - 1 not in names:
                line.pop()
            if line and line[-1] == point:
                raise InvalidFigure(f"corners {names[len(line) - 1]} and {name} fall on one point of the shore")
            names[len(line)] = name
            line.append(point)
            while done < len(shore.points) - 1 and math.dist(shore.points[done], point) < UNIT:
                done += 1
        line += shore.points[done:]
        if shore.closed:
            line[-1] = line[0]
        return tuple(line), names

    def _divide_frame(self) -> list[_Draft]:
        """Return the frame, counter-clockwise, divided at the corners on it."""
        west, south, east, north = self.frame
        places = dict.fromkeys(((west, south), (east, south), (east, north), (west, north)), "")
        places |= {at: name for name, at in self.nodes.items() if self._on_frame(name)}
        posts = sorted((self.box.exterior.project(Dot(at)), at, name) for at, name in places.items())
        named = [i for i, post in enumerate(posts) if post[2]]
        if not named:
            raise InvalidFigure("no corner lies on the frame; name one, for instance '#' and the sea all round")
        outside, anything = frozenset({BEYOND}), self.map.seas | self.map.lands
        drafts = []
        for i, start in enumerate(named):
            end = named[(i + 1) % len(named)]
            stretch = posts[start : end + 1] if end > start else [*posts[start:], *posts[: end + 1]]
            a, b = posts[start][2], posts[end][2]
            drafts.append(_Draft(a, b, tuple(p[1] for p in stretch), anything, outside, f"the frame from {a} to {b}"))
        return drafts

    # ------------------------------------------------------------------ faces

    def _build_named_figure(self, drafts: list[_Draft], base: Shores) -> Figure:
        """Return the figure, every face named."""
        blank = Figure(
            title=self.map.title,
            frame=self.frame,
            nodes=dict(sorted(self.nodes.items())),
            arcs=tuple(Arc(d.start, d.end, d.points[1:-1], Code("?"), Code("?")) for d in drafts),
        )
        for name, halves in blank.rotation.items():
            if len(halves) < 2:
                here = drafts[halves[0] >> 1].label if halves else "nothing"
                raise InvalidFigure(f"corner {name} is a free end: {here} ends there alone")
        names = name_faces(
            blank,
            lambda half: drafts[half >> 1].left if half & 1 else drafts[half >> 1].right,
            self.map.seas | self.map.lands,
            {code: self._point(place) for code, place in self.map.inside.items()},
            lambda node: (BEYOND, *self.map.seas, *self.map.lands) if node in self.exits else codes_of(node),
        )
        called = self._name_exits(blank, names)
        arcs = (
            Arc(
                called.get(arc.start, arc.start),
                called.get(arc.end, arc.end),
                arc.bends,
                left=names[HalfEdge(2 * n + 1)],
                right=names[HalfEdge(2 * n)],
            )
            for n, arc in enumerate(blank.arcs)
        )
        return replace(
            blank,
            nodes=dict(sorted((called.get(name, name), at) for name, at in self.nodes.items())),
            arcs=tuple(sorted(arcs, key=lambda arc: (arc.pair, arc.start, arc.end))),
            seas=self.map.seas,
            impassable=self.map.impassable,
            through=self.map.through,
            offboard=self.map.offboard,
            marks=self.map.marks,
            boxes=self.map.boxes,
            decorations=tuple(self._decorations(base)),
            projection=self.map.projection,
            source={
                "land": hashlib.sha256(base_digest_text(self.map.land.base).encode()).hexdigest()[:16],
                "geos": shapely.geos_version_string,
            },
        )

    def _name_exits(self, blank: Figure, names: Mapping[HalfEdge, Code]) -> dict[str, str]:
        """Return the names of the exits, made of the faces that meet there."""
        called: dict[str, str] = {}
        for node in sorted(self.exits):
            faces = {names[half] for half in blank.rotation[node]}
            suffixes = ("", *(str(number) for number in range(1, len(self.exits) + 2)))
            free = (node_name(faces, suffix) for suffix in suffixes)
            called[node] = next(name for name in free if name not in self.nodes and name not in called.values())
        return called

    def _point(self, place: tuple[float, float]) -> Point:
        x, y = self._spot(*place)
        return round(x), round(y)

    # ------------------------------------------------------------------ decoration

    def _decorations(self, base: Shores) -> list[Decoration]:
        """Islands, lakes, filled straits and canals inside the frame."""
        decorations = []
        straits = [*base.straits, *self._canals()]
        for kind, pieces in (("island", self.islands), ("strait", straits), ("lake", [*base.lakes, *self._lakes()])):
            geometry = unary_union([*pieces, *self.bare[kind]]).intersection(self.box)
            polygons = sorted(polygons_of(shapely.set_precision(geometry, 1.0)), key=lambda p: (-p.area, p.bounds))
            for polygon in polygons:
                ring = _distinct(polygon.exterior.coords)[:-1]
                if len(ring) >= 3:
                    decorations.append(Decoration(kind, ring))
        lines = {"bank": self._banks(decorations), "river": self._rivers(decorations), "ridge": self._ridges()}
        decorations += (
            Decoration(kind, line) for kind, lines_of_kind in lines.items() for line in lines_of_kind if len(line) > 1
        )
        return decorations

    def _banks(self, decorations: Sequence[Decoration]) -> list[tuple[Point, ...]]:
        """Return the stretches of the rings of straits with land behind them; the others are mouths."""
        inside = self.land.buffer(-UNIT / 4)
        banks = []
        for decoration in decorations:
            if decoration.kind == "strait":
                ring = LineString([*decoration.ring, decoration.ring[0]]).intersection(inside)
                merged = linemerge(ring) if isinstance(ring, MultiLineString) else ring
                banks += [_distinct(line.coords) for line in getattr(merged, "geoms", [merged]) if line.length > UNIT]
        return banks

    def _rivers(self, decorations: Sequence[Decoration]) -> list[tuple[Point, ...]]:
        """Return the rivers as a hand draws them, on land and not in its waters."""
        waters = [Polygon(d.ring).buffer(0) for d in decorations if d.kind in ("lake", "strait")]
        dry = self.land.difference(unary_union(waters)).intersection(self.box)
        shapely.prepare(dry)
        rivers = []
        for name, places in self.map.land.river:
            line = smooth([self._spot(*place) for place in places], STEP * UNIT)
            drawn = LineString(by_hand(line, name, WAVERS[0], longest=LONGEST * UNIT / 2, step=STEP * UNIT / 2))
            whole = drawn.simplify(1.0 * UNIT)
            inland = whole if dry.contains(whole) else whole.intersection(dry)  # most rivers leave the land nowhere
            pieces = [piece for piece in getattr(inland, "geoms", [inland]) if isinstance(piece, LineString)]
            rivers += [_distinct(piece.coords) for piece in pieces if piece.length > 2 * STEP * UNIT]
        return rivers

    def _ridges(self) -> list[tuple[Point, ...]]:
        """Return the hills of each ridge: places along it, those on dry land within the frame."""
        ridges = []
        for _, places in self.map.land.ridge:
            line = LineString(smooth([self._spot(*place) for place in places], STEP * UNIT))
            hills = [line.interpolate(along) for along in range(0, int(line.length), round(HILL * UNIT))]
            ridges.append(_distinct((hill.x, hill.y) for hill in hills if self.land.contains(hill)))
        return ridges

    def _lakes(self) -> Iterator[Polygon]:
        """Yield the lakes that are written by hand, as far as they lie on the land."""
        for _, places in self.map.land.lakes:
            ring = Polygon(smooth([self._spot(*place) for place in (*places, places[0])], STEP * UNIT / 2, closed=True))
            yield from polygons_of(ring.buffer(0).intersection(self.land))

    def _canals(self) -> Iterator[Polygon]:
        """Yield the water of the canals, where they cross land."""
        for _, places in self.map.land.canal:
            line = LineString(smooth([self._spot(*place) for place in places], STEP * UNIT))
            yield from polygons_of(line.buffer(CANAL * UNIT / 2, quad_segs=2).intersection(self.land))


def _distinct(spots: Iterable[Sequence[float]]) -> tuple[Point, ...]:
    """Return the spots on the grid, neighbours that fall together taken once."""
    points: list[Point] = []
    for spot in spots:
        point = (round(spot[0]), round(spot[1]))
        if not points or points[-1] != point:
            points.append(point)
    return tuple(points)


def _simplify_line(spots: Sequence[Sequence[float]]) -> tuple[Point, ...]:
    """Return the line on the grid, thinned, without bends near its ends that could lie beyond the shore or frame."""
    thinned = [(x, y) for x, y in LineString(spots).simplify(0.5 * UNIT).coords]
    points = _distinct(thinned)
    inner = [p for p in points[1:-1] if math.dist(p, points[0]) > UNIT and math.dist(p, points[-1]) > UNIT]
    return (points[0], *inner, points[-1])


def main(arguments: Sequence[str]) -> int:
    """Compile the named maps, each to a `figure.json` beside it; print mistakes and return 1, or return 0."""
    if not arguments:
        print("usage: python -m plenipo.maps.authoring.atlas PATH/map.toml ...", file=sys.stderr)  # noqa: T201 - a command
        return 2
    for name in arguments:
        path = Path(name)
        try:
            figure = compile_map(path)
        except InvalidFigure as error:
            print(f"{path}: {error}", file=sys.stderr)  # noqa: T201 - a command
            return 1
        sizes = f"{len(figure.faces)} faces, {len(figure.nodes)} corners, {len(figure.arcs)} edges"
        print(f"{write_figure(path, figure)}: {sizes}")  # noqa: T201 - a command
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
