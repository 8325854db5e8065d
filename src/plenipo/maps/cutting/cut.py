"""Splitting a face of a figure in two along a drawn line, with its name, its coasts and its text.

A split is for a board that changes in play: its line runs from the middle of one border to the middle of another, so
the face and the two borders define it completely. It changes one face only. Every neighbour keeps its border, point for
point, with an additional node at each end of the line; so the contacts of all other faces stay as they are, except for
the name of the half they touch.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, count, pairwise
from typing import NamedTuple

from plenipo import extras
from plenipo.engine.board import NO_COAST, Coast, Code, Location
from plenipo.engine.changes import Border, half_names, stem
from plenipo.errors import InvalidFigure
from plenipo.maps.figure.board import SpaceText
from plenipo.maps.figure.planar import BEYOND, Arc, Figure, HalfEdge, Mark, Point, codes_of, node_name
from plenipo.maps.figure.segments import area2, contains, first_touch
from plenipo.maps.figure.shores import away2, halfway, name_by_compass, runs

__all__ = ["borders", "halves", "middle", "named_anew", "split"]

SNAP = 15
"""A line ends in a bend of the border that lies no farther than this from where it should end, in units."""

_NEAREST = ((0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))

START, END = "first", "second"
"""The provisional names of the nodes at the ends of a new line, until they are named by their faces."""


def borders(figure: Figure, code: Code) -> tuple[Border, ...]:
    """Return the borders of a face with other faces of the board, in the order of `Board.borders`, without the edge.

    Raise InvalidFigure if the figure has no such face.
    """
    return tuple(_stretches(figure, code))


def middle(figure: Figure, code: Code, border: Border) -> Point:
    """Return the point halfway along a border of a face, where `split` ends its line.

    Raise InvalidFigure if there is no such border.
    """
    return _spot(figure, code, _find_border(figure, code, border)).at


def split(
    figure: Figure, code: Code, first: Border | Code, second: Border | Code, names: tuple[Code, Code] | None = None
) -> Figure:
    """Return the figure with face `code` split from the middle of its border with `first` to that with `second`.

    A neighbour that the face touches once may be given by its code. It may be land or sea, passable or not, but not
    the edge of the board. Going clockwise from `first`, the half `names[0]` has the borders from `first` to `second`
    and the half `names[1]` those from `second` back to `first`: both touch `first` and `second`, each other, and every
    other border is in one of them. Without `names` they are those of `plenipo.engine.changes.half_names`.
    Both halves are sea, impassable or through if the face is. Borders between lands look drawn by hand.
    A half with several shores, that is not through, has a coast for each. A shore on a named coast of the old face
    keeps that name, the first clockwise from the line if there are several; each other is named NC, SC, EC or WC if
    it lies further that way than all others, and else C5, C6 and so on. Each such name is a mark with its reason.
    A face too small for a line is enlarged at the expense of its surroundings, see `cutting.swell`.
    Raise InvalidFigure if there is no such face or border, if the two borders are one, if a half would not be new, or
    if no line parts the face: one end lies on an island in it, or it stays too small.
    """
    near = {border.neighbour for border in borders(figure, code)}
    if len(near) < 2:
        raise InvalidFigure(
            f"{code} touches {' '.join(near) or 'nothing'} alone; it cannot be split, since that takes two"
        )
    ends = (_find_border(figure, code, first), _find_border(figure, code, second))
    if ends[0] == ends[1]:
        raise InvalidFigure(f"{code} cannot be split from its border with {ends[0]} to the same border; name two")
    halved = names or half_names(code, figure.faces)
    for name in halved:
        if name in {*figure.faces, BEYOND} - {code} or halved[0] == halved[1]:
            raise InvalidFigure(f"{name} cannot be the name of a half of {code}; another face has that name")
    try:
        return _Cut(figure, code, halved, ends).figure().check(figure)
    except InvalidFigure:
        from plenipo.maps.cutting.swell import roomier  # noqa: PLC0415  # brings Shapely, which only a cut needs

        for roomy in roomier(figure, code):
            with suppress(InvalidFigure):
                return _Cut(roomy, code, halved, ends).figure().check(roomy)
        raise


# ---------------------------------------------------------------------- texts


def halves(spaces: Mapping[Code, SpaceText], code: Code, names: tuple[Code, Code]) -> dict[Code, SpaceText]:
    """Return the texts of a board whose space `code` was split into `names`, as `board_from` wants them.

    Each half is a centre if the whole was, and has its name and other spellings with the number of its own code:
    `North Sea 1`. Raise InvalidFigure if there is no space `code`.
    """
    if code not in spaces:
        raise InvalidFigure(f"{code} is not a space of the board, so it has no halves")
    texts_of = {other: text for other, text in spaces.items() if other != code}
    cut_up = spaces[code]
    for name in names:
        whole, part = stem(name)
        words = [_renumber(word, cut_up.part, part) for word in (cut_up.name, *cut_up.aliases)]
        texts_of[name] = replace(
            cut_up, name=words[0], aliases=tuple(words[1:]), whole=whole if part else None, part=part
        )
    return texts_of


def _renumber(word: str, old: int, new: int) -> str:
    """Return a word with another number at its end."""
    bare, number = stem(Code(word))
    bare = bare if old and number == old else Code(word)
    return f"{bare} {new}" if new else bare


# ---------------------------------------------------------------------- where a line ends


class _Spot(NamedTuple):
    """A point on an arc: on or at the end of its piece number `piece`."""

    arc: int
    piece: int
    at: Point


def _stretches(figure: Figure, code: Code) -> dict[Border, tuple[HalfEdge, ...]]:
    if code not in figure.faces or code in figure.offboard:
        raise InvalidFigure(f"{code} is not a face of {figure.title} that can be cut; its faces have codes such as PAR")
    stretches: dict[Border, tuple[HalfEdge, ...]] = {}
    counts: Counter[Code] = Counter()
    for stretch in figure.stretches(code):
        if not figure.outside(stretch[0]):
            there = figure.beyond(stretch[0])
            stretches[Border(there, counts[there])] = stretch
            counts[there] += 1
    return stretches


def _find_border(figure: Figure, code: Code, border: Border | Code) -> Border:
    """Return a border of the face, found as such or by the code of a neighbour that the face touches once."""
    there = _stretches(figure, code)
    if isinstance(border, str):
        fitting = [known for known in there if known.neighbour == border]
        if len(fitting) > 1:
            raise InvalidFigure(f"{code} touches {border} {len(fitting)} times; say which border, from 0 clockwise")
        border = Border(border)
    if border not in there:
        raise InvalidFigure(f"{code} has no border with {border}; it touches {', '.join(map(str, there))}")
    return border


def _spot(figure: Figure, code: Code, border: Border) -> _Spot:
    """Return the point halfway along a border: a bend of it if one is near, so that no border changes its course."""
    stretch = _stretches(figure, code)[border]
    pieces = [(half, i, a, b) for half in stretch for i, (a, b) in enumerate(pairwise(figure.line(half)))]
    ends = {figure.nodes[figure.origin(stretch[0])], figure.nodes[figure.target(stretch[-1])]}
    left = 0.5 * sum(math.dist(a, b) for _, _, a, b in pieces)
    for half, i, a, b in pieces:
        length = math.dist(a, b)
        if left > length:
            left -= length
            continue
        share = left / length
        exact = (round(a[0] + (b[0] - a[0]) * share), round(a[1] + (b[1] - a[1]) * share))
        number = half >> 1
        piece = len(figure.lines[number]) - 2 - i if half & 1 else i
        bends = sorted((math.dist(exact, point), point) for point in (a, b) if point not in ends)
        if bends and bends[0][0] <= SNAP:
            return _Spot(number, piece, bends[0][1])
        around = ((exact[0] + dx, exact[1] + dy) for dx, dy in _NEAREST)
        fitting = (at for at in around if at not in ends and _harmless(figure, number, piece, at))
        at = next(fitting, bends[0][1] if bends else None)
        if at is None:
            break
        return _Spot(number, piece, at)
    raise InvalidFigure(f"the border {code}-{border.neighbour} is too short for a line to end on it")


def _harmless(figure: Figure, arc: int, piece: int, at: Point) -> bool:
    """Tell whether one more bend, in whole numbers and so a little off the arc, leaves it clear of all other arcs."""
    a, b = figure.lines[arc][piece : piece + 2]
    west, east = min(a[0], b[0]) - 1, max(a[0], b[0]) + 1
    south, north = min(a[1], b[1]) - 1, max(a[1], b[1]) + 1
    near = [
        (c, d)
        for n, line in enumerate(figure.lines)
        for i, (c, d) in enumerate(pairwise(line))
        if (c[0] >= west or d[0] >= west) and (c[0] <= east or d[0] <= east)
        if (c[1] >= south or d[1] >= south) and (c[1] <= north or d[1] <= north)
        if (n, i) != (arc, piece)
    ]
    return at not in (a, b) and first_touch([(a, at), (at, b), *near]) is None


# ---------------------------------------------------------------------- the cut itself


class _ArcStep(NamedTuple):
    """One arc of the changed figure on the way round the old face: its number, and whether it is walked forward."""

    arc: int
    forward: bool


@dataclass(frozen=True, slots=True)
class _Run:
    """A shore of a half: its points, and the coast of the old face it lies on, if that has a name."""

    points: tuple[Point, ...]
    coast: Coast | None


class _Cut:
    """One cut: the arcs are divided where the line ends, the line is inserted, and nodes and coasts are renamed."""

    def __init__(self, figure: Figure, code: Code, names: tuple[Code, Code], ends: tuple[Border, Border]) -> None:
        self.old, self.code, self.names = figure, code, names
        self.between = f"{ends[0]} to that with {ends[1]}"
        self.nodes = dict(figure.nodes)
        taken = {at: name for name, at in figure.nodes.items()}
        spots = [_spot(figure, code, end) for end in ends]
        self.ends = [taken.get(spot.at, name) for name, spot in zip((START, END), spots, strict=True)]
        self.nodes.update((name, spot.at) for name, spot in zip(self.ends, spots, strict=True))
        self.arcs: list[Arc] = []
        self.pieces: list[range] = []
        for number, arc in enumerate(figure.arcs):
            here = [
                (spot, name)
                for spot, name in zip(spots, self.ends, strict=True)
                if spot.arc == number and name not in (arc.start, arc.end)
            ]
            before = len(self.arcs)
            self.arcs += _divide_arc(arc, figure.lines[number], here) if here else [arc]
            self.pieces.append(range(before, len(self.arcs)))

    def figure(self) -> Figure:
        """Return the figure after the cut, not yet proved sound."""
        old = self.old
        cycles = [self._steps(cycle) for cycle in old.faces[self.code]]
        origins = [[self._points(step)[0] for step in cycle] for cycle in cycles]
        start, end = (self.nodes[name] for name in self.ends)
        cut = next((i for i, points in enumerate(origins) if start in points), 0)
        if start not in origins[cut] or end not in origins[cut]:
            raise InvalidFigure(
                f"a line from the border of {self.code} with {self.between} does not part it, since only one of them "
                "is the border of an island in it"
            )
        cycle, i = cycles.pop(cut), origins[cut].index(start)
        turned = cycle[i:] + cycle[:i]
        j = (origins[cut].index(end) - i) % len(cycle)
        line = self._line([turned, *cycles])
        # the first half lies to the right of the line walked backwards; from the line on its shores are counted
        self.arcs.append(Arc(self.ends[0], self.ends[1], line[1:-1], *self.names))
        new = len(self.arcs) - 1
        parts = ([[_ArcStep(new, forward=False), *turned[:j]]], [[_ArcStep(new, forward=True), *turned[j:]]])
        rings = (self._ring(parts[0][0]), self._ring(parts[1][0]))
        for other in cycles:
            parts[_side_of(rings, self._ring(other)[0])].append(other)
        arcs = list(self.arcs)
        for name, part in zip(self.names, parts, strict=True):
            for step in chain(*part):
                arc = arcs[step.arc]
                arcs[step.arc] = replace(arc, right=name) if step.forward else replace(arc, left=name)
        nodes, named = named_anew(self.nodes, tuple(arcs), frozenset({self.code, *self.names}))
        others = tuple(mark for mark in old.marks if mark.space != self.code)
        parents = self._parents()
        shores = {
            name: [
                _Run((*self._ring(run), self._points(run[-1])[-1]), parents.get(run[0].arc))
                for steps in part
                for run in runs(steps, self._wet)
            ]
            for name, part in zip(self.names, parts, strict=True)
        }
        marks = tuple(self._marks(shores))
        return replace(
            old,
            nodes=nodes,
            arcs=named,
            seas=frozenset(self._with_halves(dict.fromkeys(old.seas, ""))),
            impassable=self._with_halves(old.impassable),
            through=self._with_halves(old.through),
            marks=(*others, *marks),
            boxes=tuple(replace(box, links=tuple(self._split_links(box.links, shores, marks))) for box in old.boxes),
        )

    def _split_links(
        self, links: Iterable[Location], shores: Mapping[Code, list[_Run]], marks: Sequence[Mark]
    ) -> Iterator[Location]:
        """Yield the links of a box beside the plane: with both halves, or with those on whose shore it was."""
        for space, coast in links:
            if space != self.code:
                yield Location(space, coast)
                continue
            for half, shore in shores.items():
                named = [mark.coast for mark in marks if mark.space == half]
                if self.code in self.old.seas:
                    yield Location(half)
                elif named:
                    yield from (Location(half, name) for name in named if coast in (NO_COAST, name))
                elif any(coast in (NO_COAST, run.coast) for run in shore):
                    yield Location(half)

    def _with_halves(self, table: Mapping[Code, str]) -> dict[Code, str]:
        """Return a table with the halves in place of the face."""
        others = {code: why for code, why in table.items() if code != self.code}
        return others | dict.fromkeys(self.names, table[self.code]) if self.code in table else others

    # ------------------------------------------------------------------ walking

    def _steps(self, cycle: Iterable[HalfEdge]) -> list[_ArcStep]:
        return [
            _ArcStep(i, forward=not half & 1)
            for half in cycle
            for i in (reversed(self.pieces[half >> 1]) if half & 1 else self.pieces[half >> 1])
        ]

    def _points(self, step: _ArcStep) -> tuple[Point, ...]:
        arc = self.arcs[step.arc]
        points = (self.nodes[arc.start], *arc.bends, self.nodes[arc.end])
        return points if step.forward else points[::-1]

    def _ring(self, steps: Iterable[_ArcStep]) -> list[Point]:
        """Return the points of some steps one after the other, without the very last."""
        return [point for step in steps for point in self._points(step)[:-1]]

    def _line(self, cycles: Sequence[Sequence[_ArcStep]]) -> tuple[Point, ...]:
        """Return the line of the cut."""
        with extras.require("maps", "Splitting a space"):
            from plenipo.maps.cutting.cutline import line_through  # noqa: PLC0415  # brings numpy and shapely

        # a border between seas is a smooth curve, one on land looks drawn by hand, as the authored ones do
        waver = "" if self.code in self.old.seas else " ".join(self.names)
        rings = [self._ring(cycle) for cycle in cycles]
        line = line_through(rings, self.nodes[self.ends[0]], self.nodes[self.ends[1]], waver)
        if line is None:
            raise InvalidFigure(f"no line from the border of {self.code} with {self.between} lies inside it")
        return line

    # ------------------------------------------------------------------ coasts

    def _wet(self, step: _ArcStep) -> bool:
        arc = self.arcs[step.arc]
        beyond = arc.left if step.forward else arc.right
        return beyond in self.old.seas and beyond not in self.old.offboard

    def _parents(self) -> dict[int, Coast]:
        """Return the named coast of the old face on which each of the new arcs lies."""
        coasts: dict[int, Coast] = {}
        shores = [run for cycle in self.old.faces[self.code] for run in runs(self._steps(cycle), self._wet)]
        for mark in self.old.marks:
            if mark.space == self.code:
                run = min(shores, key=lambda run: min(away2(mark.at, self._points(step)) for step in run))
                coasts.update((step.arc, mark.coast) for step in run)
        return coasts

    def _marks(self, shores: Mapping[Code, list[_Run]]) -> Iterator[Mark]:
        """Yield the marks of the halves that need them."""
        old = {mark.coast: mark for mark in self.old.marks if mark.space == self.code}
        for name, shore in shores.items():
            if self.code in self.old.seas or self.code in self.old.through or len(shore) < 2:
                continue
            places = [halfway(run.points) for run in shore]
            named: dict[int, Coast] = {}
            for i, run in enumerate(shore):
                if run.coast and run.coast not in named.values():
                    named[i] = run.coast
                    at = old[run.coast].at
                    if min(range(len(shore)), key=lambda n: away2(at, shore[n].points)) == i:
                        places[i] = at
            inherited = frozenset(named)
            name_by_compass(places, named)
            for i, coast in sorted(named.items()):
                kept = i in inherited
                why = f"on the {coast} of {self.code}" if kept else f"cut off from the other shores of {self.code}"
                yield Mark(name, coast, places[i], why, kept=kept)


def _divide_arc(arc: Arc, line: Sequence[Point], spots: Iterable[tuple[_Spot, str]]) -> list[Arc]:
    """Return an arc in pieces, parted at some points along it that become nodes."""
    pieces: list[Arc] = []
    points = [line[0]]
    start = arc.start
    waiting = sorted(spots, key=lambda item: (item[0].piece, math.dist(line[item[0].piece], item[0].at)))
    for i, (_, b) in enumerate(pairwise(line)):
        while waiting and waiting[0][0].piece == i:
            spot, name = waiting.pop(0)
            bends = points[1:] if points[-1] != spot.at else points[1:-1]
            pieces.append(replace(arc, start=start, end=name, bends=tuple(bends)))
            points, start = [spot.at], name
        if b != points[-1]:
            points.append(b)
    return [*pieces, replace(arc, start=start, bends=tuple(points[1:-1]))]


def _side_of(rings: tuple[Sequence[Point], Sequence[Point]], point: Point) -> int:
    """Tell which of the two new borders encloses another border of the old face, one point of which is given."""
    for i, ring in enumerate(rings):
        # a border that runs clockwise encloses its face; the other kind is the border of an island in it
        if area2(ring) < 0 and contains(ring, point):
            return i
    return next((i for i, ring in enumerate(rings) if area2(ring) > 0), 0)


def named_anew(
    nodes: Mapping[str, Point], arcs: tuple[Arc, ...], changed: frozenset[Code]
) -> tuple[dict[str, Point], tuple[Arc, ...]]:
    """Rename nodes by the faces that meet in them where necessary; return nodes and arcs.

    Only nodes named after a `changed` face and new nodes are checked. Nodes of the same faces are distinguished by
    their former suffixes, or by numbers.
    """
    meeting: dict[str, set[Code]] = defaultdict(set)
    for arc in arcs:
        for name in (arc.start, arc.end):
            meeting[name].update(arc.pair)
    moved = [name for name in nodes if name in (START, END) or not changed.isdisjoint(codes_of(name))]
    taken = nodes.keys() - set(moved)
    shared: dict[str, list[str]] = defaultdict(list)
    for name in sorted(moved):
        shared[node_name(meeting[name])].append(name)
    new: dict[str, str] = {}
    for _, names in sorted(shared.items()):
        suffixes = [name.partition(":")[2] for name in names]
        if len(names) == 1:
            suffixes = [""]
        elif len(set(suffixes)) < len(names):
            suffixes = [str(i) for i in range(1, len(names) + 1)]
        for name, suffix in zip(names, suffixes, strict=True):
            free = (node_name(meeting[name], s) for s in chain([suffix], map(str, count(1))))
            new[name] = next(n for n in free if n not in taken)
            taken = taken | {new[name]}
    places = {new.get(name, name): at for name, at in nodes.items()}
    return places, tuple(
        replace(arc, start=new.get(arc.start, arc.start), end=new.get(arc.end, arc.end))
        if arc.start in new or arc.end in new
        else arc
        for arc in arcs
    )
