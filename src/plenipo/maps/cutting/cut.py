"""Cutting a face of a figure in two along a drawn line, and what follows for its name, its coasts and its text.

`split` is for a board that changes in play: from the middle of one border to the middle of another, and a change is
fully told by the face and the two borders. `cut` is for authors of variants, who carve new provinces: its line begins
and ends anywhere along a border, and goes through bends where wanted. `rename` and `halves` serve both.
A cut changes one face only. Every neighbour keeps its border, point for point, with a node more at each end of the
line; so the contacts of all other faces stay as they are, but for the name of the half they touch.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, count, groupby, pairwise
from typing import NamedTuple

from plenipo.engine.board import NO_COAST, Coast, Code, Location
from plenipo.engine.changes import Border, half_names, stem
from plenipo.errors import InvalidFigure
from plenipo.maps.cutting.swell import roomier
from plenipo.maps.figure.board import SpaceText
from plenipo.maps.figure.planar import BEYOND, UNIT, Arc, Figure, HalfEdge, Mark, Point, codes_of, node_name
from plenipo.maps.figure.segments import area2, contains, first_touch
from plenipo.maps.figure.shores import away2, halfway, name_by_compass

__all__ = ["End", "borders", "cut", "halves", "middle", "place", "rename", "split"]

SNAP = 15
"""A line ends in a bend of the border that lies no farther than this from where it should end, in units."""

_NEAREST = ((0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))

START, END = "first", "second"
"""What the nodes at the ends of a new line are called until they are named by their faces."""


class End(NamedTuple):
    """Where a line ends: how much of the border lies before it going clockwise round the face to cut, 0 to 1."""

    border: Border
    fraction: float = 0.5


def borders(figure: Figure, code: Code) -> tuple[Border, ...]:
    """The borders of a face with other faces of the board, in the order of `Board.borders`; the edge is left out.

    Raises InvalidFigure if the figure has no such face.
    """
    return tuple(_stretches(figure, code))


def middle(figure: Figure, code: Code, border: Border) -> Point:
    """The point halfway along a border of a face, where `split` ends its line.

    Raises InvalidFigure if there is no such border.
    """
    return _spot(figure, code, _known(figure, code, border), 0.5).at


def place(figure: Figure, longitude: float, latitude: float) -> Point:
    """A place as a point of the figure, for the bends of a cut.

    Raises InvalidFigure if the figure has no projection.
    """
    if figure.projection is None:
        raise InvalidFigure(f"{figure.title} has no projection, so {longitude}, {latitude} is nowhere on it")
    x, y = figure.projection(longitude, latitude)
    return round(x * UNIT), round(y * UNIT)


# ---------------------------------------------------------------------- cutting


def split(
    figure: Figure, code: Code, first: Border | Code, second: Border | Code, names: tuple[Code, Code] | None = None
) -> Figure:
    """The figure with face `code` split by a line from the middle of its border with `first` to that with `second`.

    For play. A neighbour that the face touches once may be given by its code. It may be land or sea, passable or not,
    but not the edge of the board. Going clockwise from `first`, the half `names[0]` has the borders from `first` to
    `second` and the half `names[1]` those from `second` back to `first`: both touch `first` and `second`, each other,
    and every other border is in one of them. Without `names` they are those of `plenipo.engine.changes.half_names`.
    What the face is, sea, impassable or through, both halves are. For the names of coasts see `cut`.
    A face too small for a line is made larger, and what lies round it a little smaller, see `cutting.swell`.
    Raises InvalidFigure if there is no such face or border, if the two borders are one, if a half would not be new, or
    if no line parts the face: one end lies on an island in it, or it stays too small.
    """
    near = {border.neighbour for border in borders(figure, code)}
    if len(near) < 2:
        raise InvalidFigure(
            f"{code} touches {' '.join(near) or 'nothing'} alone; it cannot be split, since that takes two"
        )
    known = tuple(_known(figure, code, border) for border in (first, second))
    if known[0] == known[1]:
        raise InvalidFigure(f"{code} cannot be split from its border with {known[0]} to the same border; name two")
    halved = names or half_names(code, figure.faces)
    _check_names(figure, code, halved)
    try:
        return cut(figure, code, End(known[0]), End(known[1]), halved)
    except InvalidFigure:
        for roomy in roomier(figure, code):
            with suppress(InvalidFigure):
                return cut(roomy, code, End(known[0]), End(known[1]), halved)
        raise


def cut(
    figure: Figure, code: Code, first: End, second: End, names: tuple[Code, Code], bends: Sequence[Point] = ()
) -> Figure:
    """The figure with face `code` cut in two along a line from `first` to `second`, through `bends` if there are any.

    For authors: both ends may lie on one border, which cuts a bite out of the face. The halves are as in `split`; one
    of them may keep the name `code`. Bends are points of the figure, see `place`. Borders between lands look drawn by
    hand.
    A half with several shores, that is not through, has a coast for each. A shore on a named coast of the old face
    keeps that name, the first clockwise from the line if there are several; each other is named NC, SC, EC or WC if
    it lies further that way than all others, and else C5, C6 and so on. Each such name is a mark
    with its reason, which an author may replace.
    Raises InvalidFigure as `split` does, and if no line from the one end to the other lies inside the face.
    """
    _check_names(figure, code, names)
    spots = tuple(_spot(figure, code, _known(figure, code, end.border), end.fraction) for end in (first, second))
    if spots[0].at == spots[1].at:
        raise InvalidFigure(f"{code} cannot be cut from a point of its border with {first.border} to the same point")
    between = f"{first.border} to that with {second.border}"
    return _Cut(figure, code, names, (spots[0], spots[1]), bends, between).figure().check()


def rename(figure: Figure, names: Mapping[Code, Code]) -> Figure:
    """The figure with some faces renamed, old name to new; for authors.

    Raises InvalidFigure if a face is not there, or if two would have one name.
    """
    if missing := sorted(names.keys() - figure.faces.keys()):
        raise InvalidFigure(f"{missing[0]} cannot be renamed, since the figure has no such face")
    after = Counter(names.get(code, code) for code in figure.faces)
    if double := sorted(code for code, times in after.items() if times > 1):
        raise InvalidFigure(f"{double[0]} cannot be the name of two faces")

    def new(code: Code) -> Code:
        return names.get(code, code)

    arcs = tuple(replace(arc, left=new(arc.left), right=new(arc.right)) for arc in figure.arcs)
    nodes, arcs = _named(figure.nodes, arcs, frozenset(names))
    return replace(
        figure,
        nodes=nodes,
        arcs=arcs,
        seas=frozenset(map(new, figure.seas)),
        impassable={new(code): why for code, why in figure.impassable.items()},
        through={new(code): why for code, why in figure.through.items()},
        offboard={new(code): why for code, why in figure.offboard.items()},
        marks=tuple(replace(mark, space=new(mark.space)) for mark in figure.marks),
        boxes=tuple(
            replace(box, links=tuple(Location(new(space), coast) for space, coast in box.links)) for box in figure.boxes
        ),
    ).check()


# ---------------------------------------------------------------------- names and texts


def halves(
    spaces: Mapping[Code, SpaceText],
    code: Code,
    names: tuple[Code, Code],
    texts: Mapping[Code, SpaceText] | None = None,
) -> dict[Code, SpaceText]:
    """The texts of a board whose space `code` was cut into `names`, as `board_from` wants them.

    Each half is a centre if the whole was, and has its name and other spellings with the number of its own code:
    `North Sea 1`. A half without a number keeps them as they are. `texts` are texts to take instead.
    Raises InvalidFigure if there is no space `code`.
    """
    if code not in spaces:
        raise InvalidFigure(f"{code} is not a space of the board, so it has no halves")
    texts_of = {other: text for other, text in spaces.items() if other != code}
    cut_up = spaces[code]
    for name in names:
        whole, part = stem(name)
        words = [_numbered(word, cut_up.part, part) for word in (cut_up.name, *cut_up.aliases)]
        texts_of[name] = (texts or {}).get(name) or replace(
            cut_up, name=words[0], aliases=tuple(words[1:]), whole=whole if part else None, part=part
        )
    return texts_of


def _numbered(word: str, old: int, new: int) -> str:
    """A word with another number at its end."""
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


def _known(figure: Figure, code: Code, border: Border | Code) -> Border:
    """A border of the face, found as such or by the code of a neighbour that the face touches once."""
    there = _stretches(figure, code)
    if isinstance(border, str):
        fitting = [known for known in there if known.neighbour == border]
        if len(fitting) > 1:
            raise InvalidFigure(f"{code} touches {border} {len(fitting)} times; say which border, from 0 clockwise")
        border = Border(border)
    if border not in there:
        raise InvalidFigure(f"{code} has no border with {border}; it touches {', '.join(map(str, there))}")
    return border


def _spot(figure: Figure, code: Code, border: Border, fraction: float) -> _Spot:
    """The point at a fraction of a border: a bend of it if one is near, so that no border changes its course."""
    if not 0 < fraction < 1:
        raise InvalidFigure(f"a line cannot end {fraction} of the way along {code}-{border.neighbour}; take 0 to 1")
    stretch = _stretches(figure, code)[border]
    pieces = [(half, i, a, b) for half in stretch for i, (a, b) in enumerate(pairwise(figure.line(half)))]
    ends = {figure.nodes[figure.origin(stretch[0])], figure.nodes[figure.target(stretch[-1])]}
    left = fraction * sum(math.dist(a, b) for _, _, a, b in pieces)
    for half, i, a, b in pieces:
        length = math.dist(a, b)
        if left <= length or (half, i) == pieces[-1][:2]:
            share = min(left / length, 1.0)
            exact = (round(a[0] + (b[0] - a[0]) * share), round(a[1] + (b[1] - a[1]) * share))
            number, last = half >> 1, len(figure.lines[half >> 1]) - 2
            piece = last - i if half & 1 else i
            bends = sorted((math.dist(exact, point), point) for point in (a, b) if point not in ends)
            if bends and bends[0][0] <= SNAP:
                return _Spot(number, piece, bends[0][1])
            around = [
                (exact[0] + dx, exact[1] + dy) for dx, dy in _NEAREST if (exact[0] + dx, exact[1] + dy) not in ends
            ]
            fitting = next(
                (at for at in around if _harmless(figure, number, piece, at)), bends[0][1] if bends else None
            )
            if fitting is None:
                break
            return _Spot(number, piece, fitting)
        left -= length
    raise InvalidFigure(f"the border {code}-{border.neighbour} is too short for a line to end on it")


def _harmless(figure: Figure, arc: int, piece: int, at: Point) -> bool:
    """Whether one more bend, in whole numbers and so a little off the arc, leaves it clear of all other arcs."""
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


def _check_names(figure: Figure, code: Code, names: tuple[Code, Code]) -> None:
    others = {*figure.faces, BEYOND} - {code}
    for name in names:
        if name in others or names[0] == names[1]:
            raise InvalidFigure(f"{name} cannot be the name of a half of {code}; another face has that name")


# ---------------------------------------------------------------------- the cut itself


@dataclass(frozen=True, slots=True)
class _Step:
    """One arc of the changed figure on the way round the old face: its number, and whether it is walked forward."""

    arc: int
    forward: bool


@dataclass(frozen=True, slots=True)
class _Run:
    """A shore of a half: its points, and the coast of the old face it lies on, if that has a name."""

    points: tuple[Point, ...]
    coast: Coast | None


class _Cut:
    """One cut: the arcs are divided where the line ends, the line is put in, and everything is named anew."""

    def __init__(
        self,
        figure: Figure,
        code: Code,
        names: tuple[Code, Code],
        spots: tuple[_Spot, _Spot],
        bends: Sequence[Point],
        between: str,
    ) -> None:
        self.old, self.code, self.names, self.bends, self.between = figure, code, names, bends, between
        self.at = {START: spots[0].at, END: spots[1].at}
        self.nodes = dict(figure.nodes)
        taken = {at: name for name, at in figure.nodes.items()}
        self.ends = []
        for name, spot in zip((START, END), spots, strict=True):
            self.ends.append(taken.get(spot.at, name))
            self.nodes[self.ends[-1]] = spot.at
        self.arcs: list[Arc] = []
        self.pieces: list[tuple[int, ...]] = []
        for number, arc in enumerate(figure.arcs):
            here = [
                (spot, name)
                for spot, name in zip(spots, self.ends, strict=True)
                if spot.arc == number and name not in (arc.start, arc.end)
            ]
            before = len(self.arcs)
            self.arcs += _divided(arc, figure.lines[number], here) if here else [arc]
            self.pieces.append(tuple(range(before, len(self.arcs))))

    def figure(self) -> Figure:
        """The figure after the cut, not yet proved sound."""
        cycles = [self._steps(cycle) for cycle in self.old.faces[self.code]]
        origins = [[self._origin(step) for step in cycle] for cycle in cycles]
        cut = [i for i, nodes in enumerate(origins) if self.ends[0] in nodes]
        if not cut or self.ends[1] not in origins[cut[0]]:
            raise InvalidFigure(
                f"a line from the border of {self.code} with {self.between} does not part it, since only one of them "
                "is the border of an island in it"
            )
        cycle, nodes = cycles.pop(cut[0]), origins[cut[0]]
        i = nodes.index(self.ends[0])
        j = (nodes.index(self.ends[1]) - i) % len(cycle)
        turned = cycle[i:] + cycle[:i]
        sides = (turned[:j], turned[j:])
        line = self._line([turned, *cycles])
        rings = (
            [*self._ring(sides[0]), *line[:0:-1]],
            [*self._ring(sides[1]), *line[:-1]],
        )
        parts: tuple[list[list[_Step]], list[list[_Step]]] = ([sides[0]], [sides[1]])
        for other in cycles:
            parts[_side_of(rings, self._ring(other)[0])].append(other)
        arcs = list(self.arcs)
        for name, part in zip(self.names, parts, strict=True):
            for step in (step for steps in part for step in steps):
                arc = arcs[step.arc]
                arcs[step.arc] = replace(arc, right=name) if step.forward else replace(arc, left=name)
        arcs.append(Arc(self.ends[0], self.ends[1], line[1:-1], *self.names))
        named, arcs_named = _named(self.nodes, tuple(arcs), frozenset({self.code, *self.names}))
        old = self.old
        others = tuple(mark for mark in old.marks if mark.space != self.code)
        figure = replace(
            old,
            nodes=named,
            arcs=arcs_named,
            seas=frozenset(self._inherited(dict.fromkeys(old.seas, ""))),
            impassable=self._inherited(old.impassable),
            through=self._inherited(old.through),
            marks=others,
        )
        shores = {name: self._shores(part) for name, part in zip(self.names, parts, strict=True)}
        marks = tuple(self._marks(shores))
        boxes = tuple(replace(box, links=tuple(self._linked(box.links, shores, marks))) for box in old.boxes)
        return replace(figure, marks=(*others, *marks), boxes=boxes)

    def _linked(
        self, links: Iterable[Location], shores: Mapping[Code, list[_Run]], marks: Sequence[Mark]
    ) -> Iterator[Location]:
        """The links of a box, which lies beside the plane: with both halves, or with those on whose shore it was."""
        for space, coast in links:
            if space != self.code:
                yield Location(space, coast)
                continue
            for half, runs in shores.items():
                named = [mark.coast for mark in marks if mark.space == half]
                if self.code in self.old.seas:
                    yield Location(half)
                elif named:
                    yield from (Location(half, name) for name in named if coast in (NO_COAST, name))
                elif any(coast in (NO_COAST, run.coast) for run in runs):
                    yield Location(half)

    def _inherited(self, table: Mapping[Code, str]) -> dict[Code, str]:
        """A table with the halves in place of the face."""
        others = {code: why for code, why in table.items() if code != self.code}
        return others | dict.fromkeys(self.names, table[self.code]) if self.code in table else others

    # ------------------------------------------------------------------ walking

    def _steps(self, cycle: Iterable[HalfEdge]) -> list[_Step]:
        steps: list[_Step] = []
        for half in cycle:
            pieces = self.pieces[half >> 1]
            forward = not half & 1
            steps += [_Step(i, forward) for i in (pieces if forward else reversed(pieces))]
        return steps

    def _origin(self, step: _Step) -> str:
        return self.arcs[step.arc].start if step.forward else self.arcs[step.arc].end

    def _points(self, step: _Step) -> tuple[Point, ...]:
        arc = self.arcs[step.arc]
        points = (self.nodes[arc.start], *arc.bends, self.nodes[arc.end])
        return points if step.forward else points[::-1]

    def _ring(self, steps: Iterable[_Step]) -> list[Point]:
        """The points of some steps one after the other, without the very last."""
        return [point for step in steps for point in self._points(step)[:-1]]

    def _beyond(self, step: _Step) -> Code:
        arc = self.arcs[step.arc]
        return arc.left if step.forward else arc.right

    def _line(self, cycles: Sequence[Sequence[_Step]]) -> tuple[Point, ...]:
        """The line of the cut."""
        from plenipo.maps.cutting.cutline import line_through  # noqa: PLC0415  # brings numpy, which only a cut needs

        # a border between seas is a smooth curve, one on land looks drawn by hand, as the authored ones do
        waver = "" if self.code in self.old.seas else " ".join(self.names)
        rings = [self._ring(cycle) for cycle in cycles]
        line = line_through(rings, self.nodes[self.ends[0]], self.nodes[self.ends[1]], self.bends, waver)
        if line is None:
            through = " through its bends" if self.bends else ""
            raise InvalidFigure(f"no line{through} from the border of {self.code} with {self.between} lies inside it")
        return line

    # ------------------------------------------------------------------ coasts

    def _shores(self, part: Sequence[Sequence[_Step]]) -> list[_Run]:
        """The shores of a half, clockwise from the end of the line."""
        shores: list[_Run] = []
        parents = self._parents()
        for number, steps in enumerate(part):
            wet = [self._wet(step) for step in steps]
            # the new line closes the first cycle of a half, so no run goes on past its beginning
            turn = wet.index(False) if number and not all(wet) else 0
            for is_wet, group in groupby([*steps[turn:], *steps[:turn]], self._wet):
                if is_wet:
                    run = list(group)
                    points = (*self._ring(run), self._points(run[-1])[-1])
                    shores.append(_Run(points, parents.get(run[0].arc)))
        return shores

    def _wet(self, step: _Step) -> bool:
        return self._beyond(step) in self.old.seas and self._beyond(step) not in self.old.offboard

    def _parents(self) -> dict[int, Coast]:
        """The named coast of the old face on which each of the new arcs lies."""
        marks = [mark for mark in self.old.marks if mark.space == self.code]
        coasts: dict[int, Coast] = {}
        if not marks:
            return coasts
        runs: list[list[_Step]] = []
        for cycle in self.old.faces[self.code]:
            steps = self._steps(cycle)
            wet = [self._wet(step) for step in steps]
            turn = wet.index(False) if not all(wet) else 0
            runs += [list(g) for is_wet, g in groupby([*steps[turn:], *steps[:turn]], self._wet) if is_wet]
        for mark in marks:
            run = min(runs, key=lambda run: min(away2(mark.at, self._points(step)) for step in run))
            coasts.update((step.arc, mark.coast) for step in run)
        return coasts

    def _marks(self, shores: Mapping[Code, list[_Run]]) -> Iterator[Mark]:
        """The marks of the halves that need them."""
        old = {mark.coast: mark for mark in self.old.marks if mark.space == self.code}
        for name, runs in shores.items():
            if self.code in self.old.seas or self.code in self.old.through or len(runs) < 2:
                continue
            places = [halfway(run.points) for run in runs]
            named: dict[int, Coast] = {}
            for i, run in enumerate(runs):
                if run.coast and run.coast not in named.values():
                    named[i] = run.coast
                    at = old[run.coast].at
                    if min(range(len(runs)), key=lambda n: away2(at, runs[n].points)) == i:
                        places[i] = at
            inherited = dict(named)
            name_by_compass(places, named)
            for i, coast in sorted(named.items()):
                why = (
                    f"on the {coast} of {self.code}"
                    if i in inherited
                    else f"cut off from the other shores of {self.code}"
                )
                yield Mark(name, coast, places[i], why, kept=i in inherited)


def _divided(arc: Arc, line: Sequence[Point], spots: Iterable[tuple[_Spot, str]]) -> list[Arc]:
    """An arc in pieces, parted at some points along it that become nodes."""
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
    """Which of the two new borders encloses another border of the old face, one point of which is given."""
    for i, ring in enumerate(rings):
        # a border that runs clockwise encloses its face; the other kind is the border of an island in it
        if area2(ring) < 0 and contains(ring, point):
            return i
    return next((i for i, ring in enumerate(rings) if area2(ring) > 0), 0)


def _named(
    nodes: Mapping[str, Point], arcs: tuple[Arc, ...], changed: frozenset[Code]
) -> tuple[dict[str, Point], tuple[Arc, ...]]:
    """Nodes and arcs with the nodes named by the faces that meet in them, where that is not so.

    Only nodes named after a `changed` face are looked at, and the new ones. Nodes of the same faces are told apart by
    the suffixes they had, or by numbers.
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
