"""Annotations: the texts of a picture of a board in addition to its borders, and their places; standard library only.

A figure shows who touches whom, but not all of it: two areas may be in contact that share no border, a border may be
closed, ships may pass through land or along a border that no sea reaches, and a box lies beside the map.
`annotations_of` finds all this by comparing the board with the one that follows from its figure, and gives each a place
and words.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from plenipo.engine.board import Board, Code, Location
from plenipo.engine.facts import Crossing
from plenipo.engine.place_rules import PlaceRule
from plenipo.maps.figure.board import SpaceText, board_from
from plenipo.maps.figure.boxes import Box
from plenipo.maps.figure.planar import BEYOND, Figure, Point
from plenipo.maps.figure.segments import contains
from plenipo.maps.figure.shores import nearest, runs
from plenipo.maps.lettering.placements import Placements, along
from plenipo.maps.lettering.typeface import ASCENT, CAPITAL, width_of

__all__ = ["KINDS", "MARK", "Annotation", "annotations_of", "lane"]

KINDS = ("link", "one_way", "closed", "canal", "passage", "crossing", "lane", "rule")
"""The kinds of annotations: see `Annotation`."""

RAILWAY = "railway"
"""The kind of rule that runs through several spaces."""

MARK = 0.62
"""The radius of the mark of a passage, in radii of a unit."""

BESIDE = 0.95
"""The distance of a lane from the frame, in radii of a unit."""

INTO = 1.5
"""The extent of a lane into a sea, in radii of a unit."""

GRIP = 1.1
"""The extent of a link into the areas it joins, in radii of a unit."""

STUB = 1.6
"""The length of an arrow towards a space that no line can be drawn to, in radii of a unit."""

WRAP = 0.5
"""Spaces on opposite sides of the frame, farther apart than this share of it, are linked round the edge of the map."""

NEAR = 2.5
"""A drawn strait joins two shores if it comes as near as this to both, in radii of a unit."""

ROUND = tuple((math.cos(math.tau * i / 12), math.sin(math.tau * i / 12)) for i in range(12))
"""Directions in which a mark may stand beside its object."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """Something to draw: its kind, the spaces it is about, its line, the place of its mark, and what it says in words.

    A `link` joins two areas without a common border; where a line would lead through a third space, or the way goes
    round the edge of the map, it has `stubs` in place of the line: an arrow in either space. A `one_way` contact leads
    from the first space to the second alone, over their border or as a link. A `closed` border is passed by nobody;
    its line is empty, since it is drawn along the border. A `canal` is a border that ships pass although no sea reaches
    it, at its mark. A `passage` is where ships pass through an area; its line, if any, is water to be drawn. A
    `crossing` is the point where moves along two ways meet. A `lane` joins a box with a space, box first. A `rule`
    belongs to a space, a way or a railway: its `sign` is its kind (`plenipo.engine.place_rules`), its `label` the
    number on it, `border` the arcs of the figure it runs along, and its line, for a railway, the stations.
    """

    kind: str
    spaces: tuple[Code, ...]
    words: str
    line: tuple[Point, ...] = ()
    at: Point = (0, 0)
    sign: str = ""
    label: str = ""
    border: tuple[int, ...] = ()
    stubs: tuple[tuple[Point, Point], ...] = ()
    """In each of two spaces the arrow towards the other, from its tail to its point."""


def annotations_of(
    figure: Figure,
    board: Board,
    placements: Placements,
    crossings: Iterable[Crossing] = (),
    rules: Sequence[PlaceRule] = (),
) -> tuple[Annotation, ...]:
    """Everything to draw that no border of the figure shows, in the order of `KINDS`.

    `crossings` are the pairs of ways that cross by the rules in play, `rules` those that belong to places. Raises
    InvalidFigure as `board_from` does.
    """
    compared = _Comparison(figure, board, placements)
    rails = [frozenset(rule.spaces) for rule in rules if rule.kind == RAILWAY]
    links = [link for link in compared.links() if not any(rail.issuperset(link.spaces) for rail in rails)]
    drawn = [*links, *compared.one_ways(), *compared.find_closed_borders(), *compared.canals(), *compared.passages()]
    crossed = [*compared.crossings(crossings, links), *compared.lanes()]
    return (*drawn, *crossed, *compared.place_rules(rules, links))


def lane(figure: Figure, box: Box, link: Location, placements: Placements) -> tuple[Point, ...]:
    """Return the line from the edge of a box to a place inside a linked space; round the frame where possible."""
    shore = [point for half in figure.between(link.space, BEYOND) for point in figure.line(half)]
    west, south, east, north = figure.frame
    if not shore or (west < box.at[0] < east and south < box.at[1] < north):
        return _straight(figure, box, link, placements)
    return _round_the_frame(figure, box, shore, placements.unit)


class _Comparison:
    def __init__(self, figure: Figure, board: Board, placements: Placements) -> None:
        self.figure, self.board, self.placements, self.unit = figure, board, placements, placements.unit
        drawn = [*(code for code in figure.faces if code not in figure.offboard), *(box.code for box in figure.boxes)]
        on_paper = (
            _as_bordering(figure, board)
            if figure.schematic
            else board_from(figure, {code: SpaceText(code) for code in drawn}, figure.title, checked=True)
        )
        tables = (board, on_paper)
        seas = [{code: _by_sea(table, code) for code in drawn if code in board.spaces} for table in tables]
        # a space that has lost every contact is marked as a whole, by the cause of the loss
        reach = [
            {code for code, to in there.items() if to or table.armies.get(code)}
            for table, there in zip(tables, seas, strict=True)
        ]
        known = seas[0].keys() - (reach[1] - reach[0])

        def pairs(contacts: Mapping[Code, Iterable[Code]]) -> set[tuple[Code, Code]]:
            return {(min(a, b), max(a, b)) for a in known for b in contacts.get(a, ()) if b in known}

        self.by_land, self.land_shown = (pairs(table.armies) for table in tables)
        self.by_sea, self.sea_shown = map(pairs, seas)
        if figure.schematic:
            # show borders that no unit can cross, without assigning them to a unit type
            sides = {arc.pair for arc in figure.arcs if known.issuperset(arc.pair)}
            self.land_shown |= sides - self.sea_shown
        self.busy = list(_list_covered_boxes(figure, placements))
        self._boxes: dict[Code, tuple[int, int, int, int]] = {}

    def name(self, code: Code) -> str:
        return self.board.spaces[code].name if code in self.board.spaces else code

    # ------------------------------------------------------------------ contacts

    def links(self) -> Iterator[Annotation]:
        """Contacts of the board between areas that share no border."""
        boxes = {box.code for box in self.figure.boxes}
        for pair in sorted((self.by_land - self.land_shown) | (self.by_sea - self.sea_shown)):
            if self.figure.between(*pair) or boxes & set(pair):
                continue
            one_way = {tuple(sorted(way)) for ways in self.board.one_way.values() for way in ways}
            land, sea = pair in self.by_land, pair in self.by_sea
            if pair in one_way and not self._both_ways(pair):
                continue
            who = "Armies and fleets pass" if land and sea else "Armies alone pass" if land else "Fleets alone pass"
            words = f"{who} between {self.name(pair[0])} and {self.name(pair[1])}, which share no border here"
            line = self._across(*pair)
            if stubs := self._stubs(*pair, line):
                yield Annotation("link", pair, words, (), stubs[0][1], stubs=stubs)
            else:
                yield Annotation("link", pair, words, line, _middle(line))

    def _both_ways(self, pair: tuple[Code, Code]) -> bool:
        """Tell whether some units pass between two spaces there and back."""
        ways = {pair, pair[::-1]}
        return (pair in self.by_land and not ways & self.board.one_way["land"]) or (
            pair in self.by_sea and not ways & self.board.one_way["sea"]
        )

    def one_ways(self) -> Iterator[Annotation]:
        """Contacts that lead one way: over the middle of a border, or from area to area where there is none."""
        by_land, by_sea = (self.board.one_way[by] for by in ("land", "sea"))
        for start, end in sorted(by_land | by_sea):
            if not {start, end} <= self.figure.faces.keys():
                continue
            land, sea = (start, end) in by_land, (start, end) in by_sea
            who = "Armies and fleets pass" if land and sea else "Armies pass" if land else "Fleets pass"
            words = f"{who} from {self.name(start)} to {self.name(end)}, and not back"
            line = self._across(start, end)
            if halves := self.figure.between(start, end):
                middle = _middle(max((self.figure.line(half) for half in halves), key=_length))
                line = (
                    self._grip(start, middle, self._seat(end), self.unit),
                    self._grip(end, middle, self._seat(start), self.unit),
                )
            elif stubs := self._stubs(start, end, line):
                stubs = (stubs[0], stubs[1][::-1])
                yield Annotation("one_way", (start, end), words, (), stubs[0][1], stubs=stubs)
                continue
            yield Annotation("one_way", (start, end), words, line, _middle(line))

    def _across(self, a: Code, b: Code) -> tuple[Point, Point]:
        """Return the line between two faces, drawn out into both.

        On a board laid out by its contacts that is the one from unit to unit, if it leads through no third space;
        otherwise the shortest.
        """
        p, q = self._straight_across(a, b) or nearest(_points(self.figure, a), _points(self.figure, b))
        reach = min(GRIP * self.unit + math.dist(p, q) / 12, 2 * GRIP * self.unit)
        return self._grip(a, p, q, reach), self._grip(b, q, p, reach)

    def _straight_across(self, a: Code, b: Code) -> tuple[Point, Point] | None:
        """Return where the line between units passes from one face to the other; None if a third space lies between."""
        start, end = self._seat(a), self._seat(b)
        if not self.figure.schematic or (0, 0) in (start, end):
            return None
        spots = _fine((start, end), self.unit / 2)
        inside = {code: [contains(_points(self.figure, code), spot) for spot in spots] for code in (a, b)}
        if not (inside[a][0] and inside[b][-1]):
            return None
        last = next(i for i, within in enumerate(inside[a]) if not within) - 1
        first = len(spots) - next(i for i, within in enumerate(inside[b][::-1]) if not within)
        between = spots[last + 1 : first]
        others = (code for code in self.figure.faces if code not in self.figure.offboard and code not in (a, b))
        if any(contains(_points(self.figure, code), spot) for code in others for spot in between):
            return None
        return spots[last], spots[first]

    def _grip(self, code: Code, start: Point, other: Point, reach: float) -> Point:
        """Return a place inside a face near `start` on its border, if it can on along the way from `other`."""
        ring = _points(self.figure, code)
        places = [(round(start[0] + dx * reach), round(start[1] + dy * reach)) for dx, dy in ROUND]
        heading = math.atan2(start[1] - other[1], start[0] - other[0])

        def value(i: int) -> float:
            room = min(math.dist(places[i], point) for point in ring)
            return (1 if contains(ring, places[i]) else -1) * room + 0.7 * reach * math.cos(math.tau * i / 12 - heading)

        return places[max(range(len(places)), key=value)]

    def _stubs(self, a: Code, b: Code, line: tuple[Point, Point]) -> tuple[tuple[Point, Point], ...]:
        """Return the arrows in two spaces towards each other if no line can join them; nothing if `line` can."""
        if sides := self._sides_of_frame(a, b):
            return tuple(self._stub(code, side) for code, side in zip((a, b), sides, strict=True))
        if not self.figure.schematic or not self._leads_through(line, (a, b)):
            return ()
        goals = self._seat(b), self._seat(a)
        return tuple(
            self._stub(code, _towards(self._seat(code), goal, 1e3 * self.unit))
            for code, goal in zip((a, b), goals, strict=True)
        )

    def _sides_of_frame(self, a: Code, b: Code) -> tuple[Point, Point] | None:
        """Return far places beyond the frame where a way leads from one side of the map to the opposite one."""
        seats = self._seat(a), self._seat(b)
        west, south, east, north = self.figure.frame
        limits = ((0, west, east), (1, south, north))
        for axis, low, high in limits:
            if abs(seats[0][axis] - seats[1][axis]) < WRAP * (high - low):
                continue
            ends = [self._on_frame(code, axis) for code in (a, b)]
            for one, other in ((low, high), (high, low)):
                if one in ends[0] and other in ends[1]:
                    away = 1000 * self.unit
                    return (
                        _move_along(seats[0], axis, away if one == high else -away),
                        _move_along(seats[1], axis, away if other == high else -away),
                    )
        return None

    def _on_frame(self, code: Code, axis: int) -> set[int]:
        """Return the coordinates of the sides of the frame across an axis that a space lies on."""
        lines = (self.figure.line(half) for half in self.figure.between(code, BEYOND))
        return {p[axis] for line in lines for p, q in pairwise(line) if p[axis] == q[axis]}

    def _leads_through(self, line: Sequence[Point], ends: tuple[Code, Code]) -> bool:
        """Tell whether a line leads through a space of the board in addition to its `ends`."""
        spots = _fine(line, self.unit / 4)
        others = (code for code in self.figure.faces if code not in self.figure.offboard and code not in ends)
        for code in others:
            west, south, east, north = self._bounds(code)
            inside = [spot for spot in spots if west <= spot[0] <= east and south <= spot[1] <= north]
            if inside and any(contains(_points(self.figure, code), spot) for spot in inside):
                return True
        return False

    def _stub(self, code: Code, goal: Point) -> tuple[Point, Point]:
        """Return an arrow inside a space whose point lies at its border on the way to `goal`, where there is room."""
        ring, seat = _points(self.figure, code), self._seat(code)
        heading = math.atan2(goal[1] - seat[1], goal[0] - seat[0])
        best = (-math.inf, (seat, seat))
        for tip in _fine((*ring, ring[0]), self.unit):
            tail = _towards(tip, self._grip(code, tip, goal, STUB * self.unit), STUB * self.unit)
            tip_inside = _towards(tip, tail, 0.15 * self.unit)
            turn = math.atan2(tip[1] - tail[1], tip[0] - tail[0]) - heading
            off = math.atan2(tip[1] - seat[1], tip[0] - seat[0]) - heading
            middle = _middle((tail, tip))
            close = [thing for thing in self.busy if math.dist(thing[:2], middle) < 8 * self.unit + thing[2]]
            free = min(
                (
                    math.hypot(max(abs(at[0] - x) - half, 0.0), max(abs(at[1] - y) - high, 0.0)) - radius
                    for x, y, half, high, radius in close
                    for at in (tail, middle)
                ),
                default=self.unit,
            )
            whole = contains(ring, tail) and contains(ring, middle)
            value = math.cos(turn) + math.cos(off) + min(free / self.unit, 0.8) + (0 if whole else -3)
            best = max(best, (value, (tail, tip_inside)))
        tail, tip = best[1]
        self.busy.append((*_middle((tail, tip)), 0.0, 0.0, 0.6 * self.unit))
        return tail, tip

    def _seat(self, code: Code) -> Point:
        return next((at for loc, at in self.placements.units.items() if loc.space == code), (0, 0))

    def find_closed_borders(self) -> Iterator[Annotation]:
        """Return the borders of the figure that no unit can pass on the board."""
        for pair in sorted((self.land_shown | self.sea_shown) - self.by_land - self.by_sea):
            halves = self.figure.between(*pair)
            if halves:
                words = f"Nobody passes the border between {self.name(pair[0])} and {self.name(pair[1])}"
                line = max((self.figure.line(half) for half in halves), key=_length)
                yield Annotation("closed", pair, words, line, _middle(line))

    def canals(self) -> Iterator[Annotation]:
        """Borders between two lands that ships pass although no sea ends at them."""
        for pair in sorted(self.by_sea - self.sea_shown):
            halves = self.figure.between(*pair)
            if halves:
                places = [point for half in halves for point in _fine(self.figure.line(half), self.unit / 2)]
                water, radius = self._by_water(places), MARK * self.unit
                nearest_first = sorted(places, key=lambda place: math.dist(place, water))
                at = next((place for place in nearest_first if not self._abroad(place, pair, radius)), water)
                words = f"Ships pass between {self.name(pair[0])} and {self.name(pair[1])} by a canal"
                yield Annotation("canal", pair, words, (), self._clear(at, pair, near=0.0))

    def _by_water(self, places: Sequence[Point]) -> Point:
        """Return the place where drawn inland water comes nearest, or the middle of all if none is near."""
        rings = [decoration.ring for decoration in self.figure.decorations if decoration.kind == "strait"]
        near = (nearest(places, ring) for ring in rings)
        away, place = min(((math.dist(*pair), pair[0]) for pair in near), default=(math.inf, places[0]))
        return place if away < NEAR * self.unit else _middle(places)

    # ------------------------------------------------------------------ passages

    def passages(self) -> Iterator[Annotation]:
        """Return where ships pass through an area from shore to shore; several areas on one strait share a mark."""
        passages: list[Annotation] = []
        for code, reason in sorted(self.figure.through.items()):
            for line, at in self._straits(code):
                words = f"Ships pass through {self.name(code)}: {reason}"
                same = next(
                    (i for i, passage in enumerate(passages) if math.dist(passage.at, at) < 3 * self.unit), None
                )
                if same is not None and not line:
                    passage = passages[same]
                    if code not in passage.spaces:
                        passages[same] = replace(
                            passage, spaces=(*passage.spaces, code), words=f"{passage.words}. {words}"
                        )
                else:
                    passages.append(Annotation("passage", (code,), words, line, at))
        drawn = [point for passage in passages if passage.line for point in _fine(passage.line, self.unit / 2)]
        self.busy += [(*point, 0.0, 0.0, 0.3 * self.unit) for point in drawn]
        for passage in passages:
            yield replace(passage, at=self._clear(passage.at, passage.spaces, near=1.0))

    def _straits(self, code: Code) -> Iterator[tuple[tuple[Point, ...], Point]]:
        """Yield the water between two shores of a face, to be drawn unless it is, and the middle of it."""
        reach = NEAR * self.unit
        for one, other in combinations(_shores(self.figure, code), 2):
            drawn = [
                ring
                for ring in self._water_in(code)
                if all(math.dist(*nearest(ring, shore)) < reach for shore in (one, other))
            ]
            if drawn:
                # the middle of the narrowest strait is where ships go
                ring = min(drawn, key=len)
                yield (), (round(sum(x for x, _ in ring) / len(ring)), round(sum(y for _, y in ring) / len(ring)))
                continue
            line = nearest(one, other)
            yield line, _middle(line)

    def _water_in(self, code: Code) -> list[tuple[Point, ...]]:
        """Return the rings of drawn inland water that lie in a face at least in part."""
        ring = _points(self.figure, code)
        (west, east), (south, north) = ((min(side), max(side)) for side in zip(*ring, strict=True))
        waters = (decoration.ring for decoration in self.figure.decorations if decoration.kind == "strait")
        return [
            water
            for water in waters
            if any(west <= p[0] <= east and south <= p[1] <= north and contains(ring, p) for p in water)
        ]

    def _clear(self, at: Point, spaces: tuple[Code, ...], *, near: float, within: Sequence[Point] = ()) -> Point:
        """Find a place for a mark about `spaces`, at `at` or beside it and `near` radii away at least.

        It lies in the ring `within`, if there is one and a place of it that near; on no other land, if it can, and
        clear of the units there.
        """
        radius = MARK * self.unit
        reaches = [reach for reach in (0.0, 1.0, 1.6, 2.3, 3.0) if reach >= near]
        places = [
            (round(at[0] + dx * reach * self.unit), round(at[1] + dy * reach * self.unit))
            for reach in reaches
            for dx, dy in (ROUND if reach else ((0.0, 0.0),))
        ]
        places = [place for place in places if not within or contains(within, place)] or places
        # anything farther off than this leaves every place enough room
        far = (max(reaches) + 1) * self.unit + radius
        close = [
            thing
            for thing in self.busy
            if abs(thing[0] - at[0]) - thing[2] - thing[4] < far and abs(thing[1] - at[1]) - thing[3] - thing[4] < far
        ]
        places.sort(key=lambda p: 0.1 * math.dist(p, at) - min(self._room(p, close) - radius, 0.25 * self.unit))
        best = next((place for place in places if not self._abroad(place, spaces, radius)), places[0])
        self.busy.append((best[0], best[1], 0.0, 0.0, radius))
        return best

    def _abroad(self, at: Point, spaces: tuple[Code, ...], radius: float) -> bool:
        """Tell whether a disc lies on land other than `spaces`, in its middle or on its edge."""
        spots = [at, *((round(at[0] + dx * radius), round(at[1] + dy * radius)) for dx, dy in ROUND)]
        for code in self.figure.faces.keys() - self.figure.seas - {*spaces}:
            ring = _points(self.figure, code)
            west, south, east, north = self._bounds(code)
            near = west - radius < at[0] < east + radius and south - radius < at[1] < north + radius
            if near and any(contains(ring, spot) for spot in spots):
                return True
        return False

    def _bounds(self, code: Code) -> tuple[int, int, int, int]:
        """Return the box round a face: west, south, east, north."""
        if code not in self._boxes:
            xs, ys = zip(*_points(self.figure, code), strict=True)
            self._boxes[code] = min(xs), min(ys), max(xs), max(ys)
        return self._boxes[code]

    def _room(self, at: Point, close: Sequence[tuple[float, float, float, float, float]]) -> float:
        """Return a place's distance from lettering, units and centre marks that are `close`, and from the frame."""
        west, south, east, north = self.figure.frame
        edge = min(at[0] - west, at[1] - south, east - at[0], north - at[1])
        away = (
            math.hypot(max(abs(at[0] - x) - half, 0.0), max(abs(at[1] - y) - high, 0.0)) - radius
            for x, y, half, high, radius in close
        )
        return min(away, default=math.inf) if edge > self.unit else edge - self.unit

    # ------------------------------------------------------------------ crossings and lanes

    def crossings(self, crossings: Iterable[Crossing], links: Sequence[Annotation]) -> Iterator[Annotation]:
        """Yield the points where two ways cross: on the one drawn as a link, where it comes nearest to the other."""
        for crossing in crossings:
            one, other = (tuple(sorted(way)) for way in (crossing.one, crossing.other))
            if any(code not in self.figure.faces for code in (*one, *other)):
                continue
            lines = [next((link.line for link in links if link.spaces == pair), ()) for pair in (one, other)]
            first = lines[0] or lines[1] or self._border(*one)
            second = self._border(*(one if lines[1] and not lines[0] else other))
            places = _fine(first, self.unit / 4)
            inner = places[len(places) // 3 : -(len(places) // 3) or None]
            at, _ = nearest(inner, second)
            ends = [" - ".join(map(self.name, pair)) for pair in (one, other)]
            words = f"Moves {ends[0]} and moves {ends[1]} meet here and oppose each other"
            yield Annotation("crossing", (*one, *other), words, (), at)

    def _border(self, a: Code, b: Code) -> tuple[Point, ...]:
        """Return the middle of a common border, or else the point halfway between the placements of the two areas."""
        halves = self.figure.between(a, b)
        lines = [self.figure.line(half) for half in halves] or [(self._seat(a), self._seat(b))]
        return tuple(_middle(line) for line in lines)

    def place_rules(self, rules: Iterable[PlaceRule], links: Sequence[Annotation]) -> Iterator[Annotation]:
        """Yield the marks of rules that belong to places: on the border or the link of a way, and inside a space."""
        for rule in rules:
            parts = [self._parts(code) for code in rule.spaces]
            if not all(parts):
                continue
            spaces = tuple(part[0] for part in parts)
            shown = Annotation("rule", rule.spaces, rule.words, sign=rule.kind, label=rule.label)
            if rule.kind == RAILWAY:
                line = tuple(map(self._seat, spaces))
                middle = (len(line) - 1) // 2
                at = self._clear(_middle(line[middle : middle + 2]), spaces, near=0.0)
                yield replace(shown, line=line, at=at)
            elif len(spaces) == 1:
                ring = _points(self.figure, spaces[0]) if spaces[0] in self.figure.faces else ()
                yield replace(shown, at=self._clear(self._seat(spaces[0]), spaces, near=1.0, within=ring))
            else:
                yield replace(shown, at=self._on_way(parts, links), border=self._arcs(parts))

    def _parts(self, code: Code) -> tuple[Code, ...]:
        """Return the drawn parts of a space: itself, or its parts after changes in play; nothing if not on the map."""
        spaces = self.board.spaces
        if code in spaces:
            return (code,) if any(loc.space == code for loc in self.placements.units) else ()
        return tuple(sorted(other for other, space in spaces.items() if space.whole == code))

    def _arcs(self, parts: Sequence[Sequence[Code]]) -> tuple[int, ...]:
        """Return the arcs of the figure between two spaces."""
        one, other = (set(codes) for codes in parts)
        pairs = ((i, set(arc.pair)) for i, arc in enumerate(self.figure.arcs))
        return tuple(i for i, pair in pairs if pair & one and pair & other)

    def _on_way(self, parts: Sequence[Sequence[Code]], links: Sequence[Annotation]) -> Point:
        """Return the place of a mark on the way between two spaces: on their border, or on the link that is drawn."""
        arcs, spaces = self._arcs(parts), tuple(code for codes in parts for code in codes)
        if arcs:
            return self._clear(_middle(max((self.figure.lines[i] for i in arcs), key=_length)), spaces, near=0.0)
        ends = {codes[0] for codes in parts}
        line = next((link.line for link in links if set(link.spaces) == ends), ())
        return self._clear(_middle(line or tuple(map(self._seat, sorted(ends)))), spaces, near=0.0)

    def lanes(self) -> Iterator[Annotation]:
        """Yield the lines between each box and its links."""
        for box in self.figure.boxes:
            for link in box.links:
                words = f"Fleets pass between {self.name(box.code)} and {self.name(link.space)}: {box.reason}"
                line = lane(self.figure, box, link, self.placements)
                yield Annotation("lane", (box.code, link.space), words, line, line[-1])


# ---------------------------------------------------------------------- contacts of a board


def _by_sea(board: Board, code: Code) -> frozenset[Code]:
    """Return the locations that a fleet there can reach, from any of its coasts."""
    return frozenset(to.space for here in board.spaces[code].locations for to in board.fleets.get(here, ()))


def _as_bordering(figure: Figure, board: Board) -> Board:
    """Return a board with those contacts of another whose areas share a border in a figure."""
    return replace(
        board,
        armies={a: frozenset(b for b in tos if figure.between(a, b)) for a, tos in board.armies.items()},
        fleets={
            at: frozenset(to for to in tos if figure.between(at.space, to.space)) for at, tos in board.fleets.items()
        },
    )


# ---------------------------------------------------------------------- places on a figure


def _points(figure: Figure, code: Code) -> tuple[Point, ...]:
    """Return the points of the outer boundary of a face."""
    return figure.ring(figure.faces[code][0])


def _shores(figure: Figure, code: Code) -> list[tuple[Point, ...]]:
    """Return the points of each unbroken run of shore round a face."""
    shores = (
        run for cycle in figure.faces[code] for run in runs(cycle, lambda half: figure.beyond(half) in figure.seas)
    )
    return [tuple(point for half in run for point in figure.line(half)) for run in shores]


def _straight(figure: Figure, box: Box, link: Location, placements: Placements) -> tuple[Point, ...]:
    """From the edge of a box to the nearest place of a face, and a little into it."""
    end = min(_points(figure, link.space), key=lambda point: math.dist(point, box.at))
    placement = placements.units.get(link) or placements.units.get(Location(link.space)) or end
    end = _towards(end, placement, INTO * placements.unit)
    west, south, east, north = box.bounds
    start = (min(max(end[0], west), east), min(max(end[1], south), north))
    return start, end


def _round_the_frame(figure: Figure, box: Box, shore: Sequence[Point], unit: int) -> tuple[Point, ...]:
    """From the edge of a box beside the frame along the frame's outside to the nearest stretch of it, and in there."""
    west, south, east, north = figure.frame
    away = round(BESIDE * unit)
    sides = [west - away, south - away, east + away, north + away]
    outward = (west - box.at[0], south - box.at[1], box.at[0] - east, box.at[1] - north)
    side = outward.index(max(outward))
    sides[side] = box.at[side % 2]
    track = (sides[0], sides[1], sides[2], sides[3])
    # the stretch of the frame that the lane may enter, without its ends, where the borders are
    fine = _fine(shore, unit)
    clear = [p for p in fine if min(math.dist(p, shore[0]), math.dist(p, shore[-1])) > 4 * unit] or [_middle(fine)]
    routes = [(_along(track, box.at, _beside(figure.frame, track, p)), p) for p in clear]
    route, goal = min(routes, key=lambda option: _length(option[0]))
    inward = min(max(goal[0], west + 1), east - 1), min(max(goal[1], south + 1), north - 1)
    inner = _towards(goal, inward, INTO * unit)
    points = [*_out_of(box, route, goal), inner]
    return tuple(point for point, then in zip(points, [*points[1:], None], strict=True) if point != then)


def _beside(frame: Sequence[int], track: tuple[int, int, int, int], point: Point) -> Point:
    """Return the place of the track outside a point of the frame."""
    x = {frame[0]: track[0], frame[2]: track[2]}.get(point[0], point[0])
    y = {frame[1]: track[1], frame[3]: track[3]}.get(point[1], point[1])
    return (x, point[1]) if x != point[0] else (point[0], y)


def _along(track: tuple[int, int, int, int], start: Point, end: Point) -> list[Point]:
    """Return the shorter way round a rectangle between two places on it, with its corners."""
    west, south, east, north = track
    corners = [(west, south), (east, south), (east, north), (west, north)]
    ways = []
    for turn in (corners, corners[::-1]):
        legs = list(pairwise([*turn, turn[0]]))
        first = next((i for i, leg in enumerate(legs) if _on(leg, start)), 0)
        way, here = [start], start
        for k in range(5):
            a, b = legs[(first + k) % 4]
            if _on((a, b), end) and math.dist(here, b) >= math.dist(end, b):
                way.append(end)
                break
            way.append(b)
            here = b
        ways.append(way)
    return min(ways, key=_length)


def _on(leg: tuple[Point, Point], point: Point) -> bool:
    (ax, ay), (bx, by) = leg
    return min(ax, bx) <= point[0] <= max(ax, bx) and min(ay, by) <= point[1] <= max(ay, by)


def _out_of(box: Box, route: Sequence[Point], goal: Point) -> list[Point]:
    """Return the route from where it leaves the box; it goes in straight where `goal` lies right beside the box."""
    west, south, east, north = box.bounds
    (x, y), (tx, ty) = route[0], route[1]
    if west <= tx <= east and south <= ty <= north:
        if x == tx and not west <= goal[0] <= east:
            return [(east if goal[0] > x else west, ty)]
        return [(tx, north if goal[1] > y else south)]
    start = (east if tx > x else west, y) if ty == y else (x, north if ty > y else south)
    return [start, *route[1:]]


def _towards(start: Point, goal: Point, reach: float) -> Point:
    """Return the place `reach` units from `start` on the way to `goal`; beyond `start` if that is negative."""
    far = math.dist(start, goal) or 1.0
    return round(start[0] + (goal[0] - start[0]) * reach / far), round(start[1] + (goal[1] - start[1]) * reach / far)


def _move_along(point: Point, axis: int, away: int) -> Point:
    """Return a place moved along one axis."""
    return (point[0] + away, point[1]) if axis == 0 else (point[0], point[1] + away)


def _length(line: Sequence[Point]) -> float:
    return math.fsum(math.dist(a, b) for a, b in pairwise(line))


def _middle(line: Sequence[Point]) -> Point:
    """Return the place halfway along a line."""
    left = _length(line) / 2
    for a, b in pairwise(line):
        if (step := math.dist(a, b)) >= left and step:
            return round(a[0] + (b[0] - a[0]) * left / step), round(a[1] + (b[1] - a[1]) * left / step)
        left -= step
    return line[-1]


def _fine(line: Sequence[Point], step: float) -> list[Point]:
    """Return the line with places at most `step` apart."""
    points = [line[0]]
    for a, b in pairwise(line):
        count = max(1, math.ceil(math.dist(a, b) / step))
        points += [
            (round(a[0] + (b[0] - a[0]) * i / count), round(a[1] + (b[1] - a[1]) * i / count))
            for i in range(1, count + 1)
        ]
    return points


# ---------------------------------------------------------------------- what is taken


def _list_covered_boxes(figure: Figure, placements: Placements) -> Iterator[tuple[float, float, float, float, float]]:
    """Yield the rounded boxes that lettering and tokens cover: middle, half the width and height, rounding radius."""
    for unit in (*placements.units.values(), *placements.dislodged.values()):
        yield *unit, 0.0, 0.0, placements.unit
    for centre in placements.centres.values():
        yield *centre, 0.0, 0.0, placements.mark
    for code, lettering in {**placements.codes, **placements.names}.items():
        wet = code in figure.waters
        if lettering.curve:
            for x, y in along(lettering.curve):
                yield x, y, 0.0, 0.0, ASCENT * lettering.size
            continue
        for text, (middle, line) in zip(lettering.lines, lettering.baselines, strict=True):
            half = width_of(text, water=wet, spacing=lettering.spacing / lettering.size) * lettering.size / 2
            yield middle, line + CAPITAL / 2 * lettering.size, half, CAPITAL / 2 * lettering.size, 0.15 * lettering.size
