"""The figure: a board drawn on the plane as nodes, arcs and faces; standard library only.

A `Figure` is the single truth about a board. Nodes are named points where borders meet, arcs are the borders between
them with a face on either side, faces are the provinces. Everything else (who touches whom, in which order, coasts,
corners, the picture) follows from them.

Coordinates are whole numbers of 0.1 km, x east and y north, so every question about them has an exact answer.
`Figure.check` is the one place that proves a figure sound.
The figure follows the half-edge idea: each arc is seen as two half-edges, one each way, and every half-edge belongs
to the face on its right hand. So the half-edges of a face, one after the other, run clockwise round it::

        node ---- h ----> node        twin(h) runs back, along the face on the other side
             (face of h)              following(h) is the next half-edge round the same face
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate, groupby, pairwise
from typing import Any, NewType

from plenipo.engine.board import Coast, Code, Location
from plenipo.errors import InvalidFigure
from plenipo.maps.figure.boxes import Box, fault_of
from plenipo.maps.figure.projection import Projection
from plenipo.maps.figure.segments import Point, Touch, area2, by_direction, contains, first_touch
from plenipo.maps.figure.values import code_in, dump_json, load_json, point_in, reading, text_in, whole_in

__all__ = [
    "BEYOND",
    "FORMAT",
    "UNIT",
    "Arc",
    "Decoration",
    "Figure",
    "HalfEdge",
    "Mark",
    "Point",
    "codes_of",
    "node_name",
]

UNIT = 10
"""Units of a coordinate per kilometre."""

BEYOND = Code("#")
"""The face outside the frame; in the name of a node, that the node lies on the frame."""

HalfEdge = NewType("HalfEdge", int)
"""One side of an arc: `2 * n` is arc number n from start to end, `2 * n + 1` is the same arc backwards."""

FORMAT = "plenipo-figure-1"
"""The format of the files of figures."""

BEARINGS = {"NC": (0, 1), "SC": (0, -1), "EC": (1, 0), "WC": (-1, 0)}
"""Which way a coast of that name lies from the other coasts of its face: steps east and north."""

DECORATIONS = {"island": 3, "lake": 3, "strait": 3, "bank": 2, "river": 2, "ridge": 2}
"""The drawn shapes without rules, and the least points of each: rings first, then lines."""

_JsonPart = str | tuple[str, ...]
"""A part of the file of a figure: the text of a value, or of each entry of a list or table."""

_CODE = re.compile(r"[A-Z][A-Z0-9]*(?: [0-9]+)?")
_SUFFIX = re.compile(r"[a-z0-9]+")


@lru_cache(maxsize=1 << 12)
def codes_of(name: str) -> tuple[Code, ...]:
    """Return the faces a node is named after, with `#` for beyond the frame and without the suffix.

    >>> codes_of("MID/POR/SPA:n")
    ('MID', 'POR', 'SPA')
    """
    return tuple(Code(code) for code in name.partition(":")[0].split("/"))


def node_name(faces: frozenset[Code] | set[Code], suffix: str = "") -> str:
    """Return the name of a node where `faces` meet: sorted, `#` first; suffixes distinguish nodes of the same faces."""
    return "/".join(sorted(faces)) + (f":{suffix}" if suffix else "")


@dataclass(frozen=True, slots=True)
class Arc:
    """A border between two nodes: the points it bends at, and the face on either hand walking from start to end."""

    start: str
    end: str
    bends: tuple[Point, ...]
    left: Code
    right: Code

    def __str__(self) -> str:
        return f"{'-'.join(sorted((self.left, self.right)))} (from {self.start} to {self.end})"

    @property
    def pair(self) -> tuple[Code, Code]:
        """The two faces, sorted."""
        return (self.left, self.right) if self.left < self.right else (self.right, self.left)


@dataclass(frozen=True, slots=True)
class Mark:
    """The name of one of several coasts of a province, written at a point on or near its shore; why, in words.

    A coast is `kept` if it has its name from a larger face of which this one was cut, so that it need no longer lie
    the way its name says.
    """

    space: Code
    coast: Coast
    at: Point
    reason: str = ""
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Decoration:
    """Something drawn that no rule knows.

    A ring: an `island` above a sea, a `lake` or a filled `strait` in land. Or a line: the `bank` of a strait where
    land begins, a `river`, a `ridge` of hills.
    """

    kind: str
    ring: tuple[Point, ...]


@dataclass(frozen=True)
class Figure:
    """A drawn board; immutable. Change it with `dataclasses.replace` and call `check` on what comes out.

    `frame` is west, south, east, north. `nodes` gives the point of every node by its name: the faces that meet there,
    see `node_name`. Four tables declare what a plane cannot show, each face with the reason: `seas` are water,
    `impassable` faces may not be entered, the several shores of a `through` face are one coast, `offboard` faces are
    drawn but are no part of the board. `marks` name the coasts of faces with several. `boxes` are spaces that lie
    nowhere on the plane; neither a face nor Euler's formula knows of them.
    `projection` places longitude and latitude on the figure; `source` identifies what it was compiled from.
    """

    title: str
    frame: tuple[int, int, int, int]
    nodes: Mapping[str, Point]
    arcs: tuple[Arc, ...]
    seas: frozenset[Code] = frozenset()
    impassable: Mapping[Code, str] = field(default_factory=dict)
    through: Mapping[Code, str] = field(default_factory=dict)
    offboard: Mapping[Code, str] = field(default_factory=dict)
    marks: tuple[Mark, ...] = ()
    boxes: tuple[Box, ...] = ()
    decorations: tuple[Decoration, ...] = ()
    projection: Projection | None = None
    source: Mapping[str, str] = field(default_factory=dict)
    schematic: bool = False
    """True if the figure was laid out for a board given by its contacts: it shows contacts, and no shores."""

    def __hash__(self) -> int:
        return hash((self.title, self.frame, frozenset(self.nodes.items())))

    # ------------------------------------------------------------------ walking

    @property
    def half_edges(self) -> Iterator[HalfEdge]:
        """Every half-edge."""
        return (HalfEdge(h) for h in range(2 * len(self.arcs)))

    @staticmethod
    def twin(half: HalfEdge) -> HalfEdge:
        """Return the same arc the other way."""
        return HalfEdge(half ^ 1)

    def arc(self, half: HalfEdge) -> Arc:
        """Return the arc the half-edge is a side of."""
        return self.arcs[half >> 1]

    def origin(self, half: HalfEdge) -> str:
        """Return the node the half-edge leaves."""
        return self.arcs[half >> 1].end if half & 1 else self.arcs[half >> 1].start

    def target(self, half: HalfEdge) -> str:
        """Return the node the half-edge comes to."""
        return self.origin(HalfEdge(half ^ 1))

    def face(self, half: HalfEdge) -> Code:
        """Return the face on the right hand of the half-edge."""
        return self.arcs[half >> 1].left if half & 1 else self.arcs[half >> 1].right

    def beyond(self, half: HalfEdge) -> Code:
        """Return the face on the left hand of the half-edge: the neighbour of its own face here."""
        return self.face(HalfEdge(half ^ 1))

    def line(self, half: HalfEdge) -> tuple[Point, ...]:
        """Return the points of the half-edge from its origin to its target, both included."""
        points = self.lines[half >> 1]
        return points[::-1] if half & 1 else points

    @cached_property
    def lines(self) -> tuple[tuple[Point, ...], ...]:
        """The points of every arc from start to end, both included."""
        return tuple((self.nodes[arc.start], *arc.bends, self.nodes[arc.end]) for arc in self.arcs)

    @cached_property
    def rotation(self) -> Mapping[str, tuple[HalfEdge, ...]]:
        """For each node the half-edges that leave it, counter-clockwise."""
        leaving: dict[str, list[HalfEdge]] = {name: [] for name in self.nodes}
        for half in self.half_edges:
            leaving[self.origin(half)].append(half)
        return {
            name: tuple(halves[i] for i in by_direction(self.nodes[name], [self.line(h)[1] for h in halves]))
            for name, halves in leaving.items()
        }

    @cached_property
    def _following(self) -> Mapping[HalfEdge, HalfEdge]:
        # arriving at a node, the face on the right goes on along the next half-edge counter-clockwise from the way back
        return {
            self.twin(half): halves[(i + 1) % len(halves)]
            for halves in self.rotation.values()
            for i, half in enumerate(halves)
        }

    def following(self, half: HalfEdge) -> HalfEdge:
        """Return the next half-edge of the same cycle."""
        return self._following[half]

    @cached_property
    def cycles(self) -> tuple[tuple[HalfEdge, ...], ...]:
        """Every closed walk of half-edges, each with one and the same face on its right hand if the figure is sound."""
        cycles: list[tuple[HalfEdge, ...]] = []
        walked: set[HalfEdge] = set()
        for first in self.half_edges:
            if first in walked:
                continue
            cycle = [first]
            while (half := self.following(cycle[-1])) != first:
                cycle.append(half)
            walked.update(cycle)
            cycles.append(tuple(cycle))
        return tuple(cycles)

    def ring(self, cycle: tuple[HalfEdge, ...]) -> tuple[Point, ...]:
        """Return the points of a cycle, its end not repeated."""
        return tuple(point for half in cycle for point in self.line(half)[:-1])

    @cached_property
    def faces(self) -> Mapping[Code, tuple[tuple[HalfEdge, ...], ...]]:
        """The cycles of each face on the map: its outer boundary, clockwise, then its holes, counter-clockwise.

        The boundary begins at its first node in the order of names. The face beyond the frame is not listed.
        """
        faces: dict[Code, list[tuple[HalfEdge, ...]]] = defaultdict(list)
        for cycle in self.cycles:
            faces[self.face(cycle[0])].append(_from_first(cycle, [self.origin(half) for half in cycle]))
        faces.pop(BEYOND, None)
        return {
            code: tuple(sorted(cycles, key=lambda c: area2(self.ring(c)))) for code, cycles in sorted(faces.items())
        }

    @cached_property
    def waters(self) -> frozenset[Code]:
        """Every space that is water: the seas among the faces, and the boxes."""
        return self.seas | {box.code for box in self.boxes}

    def around(self, node: str) -> tuple[Code, ...]:
        """Return the faces that meet at a node, clockwise."""
        return tuple(self.face(half) for half in reversed(self.rotation[node]))

    def between(self, face: Code, other: Code) -> tuple[HalfEdge, ...]:
        """Return the half-edges of a face along which it touches another, clockwise; empty if it does not."""
        cycles = self.faces.get(face, ())
        return tuple(half for cycle in cycles for half in cycle if self.beyond(half) == other)

    def outside(self, half: HalfEdge) -> bool:
        """Tell whether the other side of a half-edge is no part of the board: beyond the frame, or `offboard`."""
        there = self.beyond(half)
        return there == BEYOND or there in self.offboard

    def stretches(self, face: Code) -> tuple[tuple[HalfEdge, ...], ...]:
        """Return the borders of a face in the order of its cycles: runs of half-edges with one neighbour, clockwise.

        A border goes on through a node where no other border ends. The outside of the board is one neighbour.
        """
        stretches: list[tuple[HalfEdge, ...]] = []
        for cycle in self.faces.get(face, ()):
            firsts = [
                i for i, half in enumerate(cycle) if not self._goes_on(cycle[i - 1], half) or cycle[i - 1] == half
            ]
            turned = cycle[firsts[0] :] + cycle[: firsts[0]] if firsts else cycle
            starts = [i - firsts[0] for i in firsts] or [0]
            stretches += (turned[i:j] for i, j in pairwise([*starts, len(turned)]))
        return tuple(stretches)

    def _goes_on(self, before: HalfEdge, half: HalfEdge) -> bool:
        """Tell whether a half-edge continues the border of the one before it in the same cycle."""
        if self.outside(before) or self.outside(half):
            return self.outside(before) and self.outside(half)
        return self.beyond(before) == self.beyond(half) and len(self.rotation[self.origin(half)]) == 2

    # ------------------------------------------------------------------ proof

    def check(self, since: "Figure | None" = None) -> "Figure":
        """Prove the figure sound and return it; a figure once proved is not proved again.

        Lines that were proved in the figure `since` are checked only near changes.

        Raise InvalidFigure, naming the corner, edge or face, unless: names are well formed; no end is free; no arcs
        cross, touch or have no length; the faces round every node agree with the sides of the arcs; every node is
        named by exactly the faces that meet there; every face has one boundary, and holes inside it; the frame is
        closed; Euler's formula holds; every declaration is about a face that exists; every box lies apart and wholly
        inside or outside the frame, and is linked with water.
        """
        if not self.__dict__.get("_sound"):
            self._check_names()
            self._check_ends()
            self._check_lines(since.lines if since is not None and since.__dict__.get("_sound") else ())
            self._check_nodes()
            self._check_faces()
            self._check_declarations()
            self._check_boxes()
            self.__dict__["_sound"] = True
        return self

    def taken_as_proved(self) -> "Figure":
        """Return this figure without proving it again; it was proved before it was stored."""
        self.__dict__["_sound"] = True
        return self

    def _check_names(self) -> None:
        west, south, east, north = self.frame
        if west >= east or south >= north:
            raise InvalidFigure(f"the frame {self.frame} is empty; it is west, south, east, north")
        places: dict[Point, str] = {}
        for name, point in self.nodes.items():
            codes, suffix = codes_of(name), name.partition(":")[2]
            for code in codes:
                if code != BEYOND and not _CODE.fullmatch(code):
                    raise InvalidFigure(f"corner {name}: {code!r} is not a code of a province; codes are capitals")
            if list(codes) != sorted(set(codes)) or len(codes) < 2:
                raise InvalidFigure(f"corner {name}: write its two or more faces once each, sorted, with / between")
            if ":" in name and not _SUFFIX.fullmatch(suffix):
                raise InvalidFigure(f"corner {name}: after : a corner takes small letters or digits")  # english: ok
            if not (west <= point[0] <= east and south <= point[1] <= north):
                raise InvalidFigure(f"corner {name} at {point} lies outside the frame {self.frame}")
            if (BEYOND in codes) != self._on_frame(point):
                lies = "does not lie" if BEYOND in codes else "lies"
                raise InvalidFigure(f"corner {name} at {point} {lies} on the frame {self.frame}; {BEYOND} must say so")
            if point in places:
                raise InvalidFigure(f"corners {places[point]} and {name} lie on one point, {point}")
            places[point] = name

    def _check_ends(self) -> None:
        degree: Counter[str] = Counter()
        for arc in self.arcs:
            for name in (arc.start, arc.end):
                if name not in self.nodes:
                    raise InvalidFigure(f"edge {arc} ends at {name!r}, which is not a corner of the figure")
            if arc.left == arc.right:
                raise InvalidFigure(f"edge {arc} has {arc.left} on both sides")
            degree.update((arc.start, arc.end))
        for name in self.nodes:
            if degree[name] < 2:
                arcs = [str(arc) for arc in self.arcs if name in (arc.start, arc.end)]
                ending = f"only edge {arcs[0]} ends there" if arcs else "no edge ends there"
                raise InvalidFigure(f"corner {name} is a free end: {ending}; two or more must")

    def _check_lines(self, proved: Iterable[tuple[Point, ...]]) -> None:
        west, south, east, north = self.frame
        known = set(proved)
        fresh = [number for number, line in enumerate(self.lines) if line not in known]
        for arc, line in ((self.arcs[number], self.lines[number]) for number in fresh):
            for a, b in pairwise(line):
                if a == b:
                    raise InvalidFigure(f"edge {arc} has a piece of no length {self._where(a)}")
            for point in arc.bends:
                if not (west <= point[0] <= east and south <= point[1] <= north):
                    raise InvalidFigure(f"edge {arc} leaves the frame {self._where(point)}")
                if (BEYOND in arc.pair) != self._on_frame(point):
                    verb = "leaves" if BEYOND in arc.pair else "touches"
                    raise InvalidFigure(f"edge {arc} {verb} the frame {self._where(point)}")
        if touch := first_touch(self.lines, fresh if known else None):
            raise InvalidFigure(self._describe(touch))

    def _describe(self, touch: Touch) -> str:
        first, second = self.arcs[touch.first], self.arcs[touch.second]
        if first is second:
            return f"edge {first} meets itself {self._where(touch.at)}"
        return f"edges {first} and {second} cross or touch {self._where(touch.at)}"

    def _where(self, point: Point) -> str:
        if self.projection is None:
            return f"near {point}"
        lon, lat = self.projection.inverse(point[0] / UNIT, point[1] / UNIT)
        return f"near {lon:.2f}, {lat:.2f}"

    def _check_nodes(self) -> None:
        for name, halves in self.rotation.items():
            for here, then in zip(halves, (*halves[1:], halves[0]), strict=True):
                # counter-clockwise from one half-edge to the next lies one face: left of the first, right of the other
                if self.beyond(here) != self.face(then):
                    raise InvalidFigure(
                        f"corner {name}: between edges {self.arc(here)} and {self.arc(then)} lies both "
                        f"{self.beyond(here)} and {self.face(then)}"
                    )
            meeting = {self.face(half) for half in halves}
            if meeting != set(codes_of(name)):
                raise InvalidFigure(
                    f"corner {name} is where {', '.join(sorted(meeting))} meet: it must be named {node_name(meeting)}"
                )

    def _check_faces(self) -> None:
        west, south, east, north = self.frame
        outer: dict[Code, tuple[Point, ...]] = {}
        holes: list[tuple[Code, tuple[Point, ...]]] = []
        for cycle in self.cycles:
            face, ring = self.face(cycle[0]), self.ring(cycle)
            if area2(ring) > 0:
                holes.append((face, ring))
            elif face == BEYOND or face in outer:
                raise InvalidFigure(f"face {face} is drawn twice, the second time round {self.origin(cycle[0])}")
            else:
                outer[face] = ring
        for face, ring in holes:
            if face == BEYOND:
                if area2(ring) != 2 * (east - west) * (north - south) or not all(self._on_frame(p) for p in ring):
                    raise InvalidFigure(f"face {BEYOND} does not end at the frame {self.frame}")
            elif face not in outer or not contains(outer[face], ring[0]):
                raise InvalidFigure(f"face {face} has a hole {self._where(ring[0])} that lies outside it")
            elif any(contains(other, ring[0]) for f, other in holes if f == face and other is not ring):
                raise InvalidFigure(f"face {face} has a hole {self._where(ring[0])} inside another of its holes")
        if sum(face == BEYOND for face, _ in holes) != 1:
            raise InvalidFigure(f"face {BEYOND} must have the frame {self.frame} as its one boundary")
        parts = self._parts()
        euler = len(self.nodes) - len(self.arcs) + len(outer) + 1
        if euler != 1 + parts:
            raise InvalidFigure(
                f"corners - edges + faces is {len(self.nodes)} - {len(self.arcs)} + {len(outer) + 1} = {euler}, and by "
                f"Euler's formula it should be {1 + parts}"
            )

    def _on_frame(self, point: Point) -> bool:
        """Tell whether a point that does not lie outside the frame lies on it."""
        west, south, east, north = self.frame
        return point[0] in (west, east) or point[1] in (south, north)

    def _parts(self) -> int:
        """Count the connected components of the arcs."""
        root = {name: name for name in self.nodes}

        def find(name: str) -> str:
            while root[name] != name:
                root[name] = name = root[root[name]]
            return name

        for arc in self.arcs:
            root[find(arc.start)] = find(arc.end)
        return sum(name == above for name, above in root.items())

    def _check_declarations(self) -> None:
        tables = {
            "seas": self.seas,
            "impassable": self.impassable,
            "through": self.through,
            "offboard": self.offboard,
            "marks": {mark.space for mark in self.marks},
        }
        for table, codes in tables.items():
            for code in sorted(codes):
                if code not in self.faces:
                    raise InvalidFigure(f"{table} names {code}, but the figure has no such face")
                if table in ("through", "marks") and code in self.seas:
                    raise InvalidFigure(f"{table} names {code}, which is a sea; only land has coasts")
        coasts = Counter((mark.space, mark.coast) for mark in self.marks)
        for (space, coast), times in coasts.items():
            if times > 1:
                raise InvalidFigure(f"the coast {coast} of {space} is marked {times} times")
            if space in self.through:
                raise InvalidFigure(f"{space} is a through face with one coast, and yet its coast {coast} is marked")
        for mark in self.marks:
            self._check_bearing(mark)
        for decoration in self.decorations:
            if len(decoration.ring) < DECORATIONS.get(decoration.kind, math.inf):
                raise InvalidFigure(f"a {decoration.kind!r} of {len(decoration.ring)} points is not a decoration")

    def _check_boxes(self) -> None:
        """Check that a box has its own code, room, links with seas and coasts, and crosses neither frame nor box."""
        for i, box in enumerate(self.boxes):
            if not _CODE.fullmatch(box.code) or box.code in self.faces:
                raise InvalidFigure(f"box {box.code}: a box has a code in capitals that no face has")
            if fault := fault_of(box, self.frame, self.boxes[:i]):
                raise InvalidFigure(fault)
            for link in box.links:
                self._check_link(box, link)

    def _check_link(self, box: Box, link: Location) -> None:
        beside = {self.beyond(half) for cycle in self.faces.get(link.space, ()) for half in cycle}
        if link.space not in self.faces or link.space in self.offboard:
            raise InvalidFigure(f"box {box.code} is linked with {link}, which is not a face of the board")
        if link.space not in self.seas and not beside & self.seas:
            raise InvalidFigure(f"box {box.code} is linked with {link}, which no ship reaches; link it with water")

    def _check_bearing(self, mark: Mark) -> None:
        """Check that a coast named after a compass direction lies further that way than its other coasts."""
        if mark.coast not in BEARINGS or mark.kept:
            return
        dx, dy = BEARINGS[mark.coast]
        for other in self.marks:
            if other.space == mark.space and (other.at[0] - mark.at[0]) * dx + (other.at[1] - mark.at[1]) * dy > 0:
                raise InvalidFigure(
                    f"the coast {mark.coast} of {mark.space} is marked on the wrong side of {other.coast}"
                )

    # ------------------------------------------------------------------ codec

    def to_json(self) -> str:
        """Return the figure as JSON text, a line for each node and arc; lines of points are written as integer steps.

        The same figure always gives the same text, and `from_json` gives back an equal figure.
        """
        return _join_parts(self.json_parts())

    def to_json_above(self, name: str, base: "Figure") -> str:
        """Return the figure as JSON text of its differences from `base`, the figure that is called `name`.

        In a list, a text such as "4-17" stands for the entries of the base with these numbers, counted from 0; a node
        of the base that this figure lacks is null. A figure that shares little with the base is written whole.
        """
        parts, known = self.json_parts(), base.json_parts()
        whole = _join_parts(parts)
        other: dict[str, _JsonPart] = {"format": parts["format"], "extends": dump_json(name)}
        for key, part in parts.items():
            below = known.get(key, ())
            if part == below or key == "format":
                continue
            if key == "nodes":
                same = set(below)
                gone = (f"{dump_json(node)}:null" for node in sorted(base.nodes.keys() - self.nodes.keys()))
                other[key] = (*(entry for entry in part if entry not in same), *gone)
            else:
                other[key] = part if isinstance(part, str) else tuple(_number_runs(part, below))
        text = _join_parts(other)
        return whole if known.keys() - parts.keys() or 2 * len(text) > len(whole) else text

    def json_parts(self) -> dict[str, _JsonPart]:
        """Return the JSON text of every part of the figure by its key, or of each entry of a list or table."""
        head: dict[str, object] = {
            "format": FORMAT,
            "title": self.title,
            "unit": "0.1 km",
            "frame": list(self.frame),
            "projection": self.projection.to_json() if self.projection else None,
            "source": dict(sorted(self.source.items())),
            "seas": sorted(self.seas),
            "impassable": dict(sorted(self.impassable.items())),
            "through": dict(sorted(self.through.items())),
            "offboard": dict(sorted(self.offboard.items())),
        }
        if self.schematic:
            head["schematic"] = True
        marks = [[m.space, m.coast, *m.at, m.reason, *([True] if m.kept else [])] for m in self.marks]
        nodes = tuple(f"{dump_json(name)}:{dump_json(point)}" for name, point in sorted(self.nodes.items()))
        arcs = [
            [a.left, a.right, a.start, a.end, _steps(self.nodes[a.start], line[1:-1])]
            for a, line in zip(self.arcs, self.lines, strict=True)
        ]
        decorations = [[d.kind, _steps((0, 0), d.ring)] for d in self.decorations]
        parts: dict[str, _JsonPart] = {key: dump_json(value) for key, value in head.items()}
        if self.boxes:
            boxes = [[b.code, *b.at, *b.size, [str(link) for link in b.links], b.reason] for b in self.boxes]
            parts["boxes"] = tuple(map(dump_json, boxes))
        parts |= {"marks": tuple(map(dump_json, marks)), "arcs": tuple(map(dump_json, arcs)), "nodes": nodes}
        return parts | {"decorations": tuple(map(dump_json, decorations))}

    @classmethod
    def from_json(cls, text: str, base: str | None = None) -> "Figure":
        """Read what `to_json` wrote, without proving it sound.

        `base` is the text of the figure that this one extends, if it does. Raise InvalidFigure if a text is not JSON of
        this form.
        """
        with reading("the figure", "Figure.to_json"):
            data = load_json(text, "the figure", FORMAT)
            if "extends" in data and base is not None:
                data = _whole(load_json(base, "the figure", FORMAT), data)
            nodes = {name: point_in(point) for name, point in data["nodes"].items()}
            west, south, east, north = map(whole_in, data["frame"])
            return cls(
                title=text_in(data["title"]),
                frame=(west, south, east, north),
                nodes=nodes,
                arcs=tuple(
                    Arc(text_in(start), text_in(end), _points(nodes[start], steps), code_in(left), code_in(right))
                    for left, right, start, end, steps in data["arcs"]
                ),
                seas=frozenset(map(code_in, data["seas"])),
                impassable=_reasons(data["impassable"]),
                through=_reasons(data["through"]),
                offboard=_reasons(data["offboard"]),
                marks=tuple(
                    Mark(code_in(space), Coast(text_in(coast)), point_in((x, y)), text_in(reason), bool(kept))
                    for space, coast, x, y, reason, *kept in data["marks"]
                ),
                boxes=tuple(
                    Box(code_in(code), point_in((x, y)), point_in(size), _links(links), text_in(reason))
                    for code, x, y, *size, links, reason in data.get("boxes", ())
                ),
                decorations=tuple(
                    Decoration(text_in(kind), _points((0, 0), steps)) for kind, steps in data["decorations"]
                ),
                projection=Projection.from_json(data["projection"]) if data["projection"] else None,
                source={key: text_in(value) for key, value in data["source"].items()},
                schematic=bool(data.get("schematic")),
            )


def _from_first(cycle: tuple[HalfEdge, ...], origins: list[str]) -> tuple[HalfEdge, ...]:
    turn = origins.index(min(origins))
    return cycle[turn:] + cycle[:turn]


def _reasons(table: Mapping[str, object]) -> dict[Code, str]:
    return {Code(code): text_in(reason) for code, reason in table.items()}


def _links(texts: Sequence[object]) -> tuple[Location, ...]:
    return tuple(Location.from_text(text_in(text)) for text in texts)


def _join_parts(parts: Mapping[str, _JsonPart]) -> str:
    rows = []
    for key, part in parts.items():
        left, right = "{}" if key == "nodes" else "[]"
        text = part if isinstance(part, str) else f"{left}\n" + ",\n".join(part) + f"\n{right}"
        rows.append(f"{dump_json(key)}:{text}")
    return "{\n" + ",\n".join(rows) + "\n}\n"


def _number_runs(entries: Sequence[str], base: Sequence[str]) -> Iterator[str]:
    """Yield the entries of a list, those of its base as runs of their numbers."""
    numbers = {entry: number for number, entry in enumerate(base)}
    found = [numbers.get(entry) for entry in entries]
    # a run goes on while the next entry is the next one of the base
    for _, group in groupby(enumerate(found), lambda at: at if at[1] is None else at[1] - at[0]):
        run = list(group)
        first, last = run[0][1], run[-1][1]
        yield entries[run[0][0]] if first is None else dump_json(f"{first}-{last}")


def _whole(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return a figure that extends a base, as the JSON of a whole one."""
    whole = {**base, **own}
    whole["nodes"] = {name: at for name, at in {**base["nodes"], **own.get("nodes", {})}.items() if at is not None}
    for key in ("boxes", "marks", "arcs", "decorations"):
        if key in own:
            whole[key] = list(_list_entries(own[key], base.get(key, ())))
    return whole


def _list_entries(own: Sequence[Any], base: Sequence[Any]) -> Iterator[Any]:
    for entry in own:
        if isinstance(entry, str):
            first, _, last = entry.partition("-")
            yield from base[int(first) : int(last) + 1]
        else:
            yield entry


def _steps(origin: Point, points: Iterable[Point]) -> list[int]:
    steps: list[int] = []
    for point in points:
        steps += (point[0] - origin[0], point[1] - origin[1])
        origin = point
    return steps


def _points(origin: Point, steps: Sequence[object]) -> tuple[Point, ...]:
    xs = accumulate((whole_in(step) for step in steps[::2]), initial=origin[0])
    ys = accumulate((whole_in(step) for step in steps[1::2]), initial=origin[1])
    return tuple(zip(xs, ys, strict=True))[1:]
