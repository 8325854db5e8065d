"""Counts of misleading places on a map, measured on the drawn SVG itself: its paths against its areas.

`faults_of` counts for one variant; `plenipo faults` prints a sentence about each. Of all single moves: how many are
drawn through a third area, and how many bars of failed ones stand off the border they should stand on. In random
games the same for orders, with retreats and supports; how many supports end in a ring that touches neither a drawn
move nor a unit, how many lines run over that of another order, and how many arrowheads a unit covers. And at several
widths, what lies outside its space or over something else, in these games and with a unit in every space. Needs
shapely, like cutting.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from xml.etree import ElementTree as ET

import shapely
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from plenipo.bots import orders_of
from plenipo.bots.sensible import sensible
from plenipo.charts import Chart
from plenipo.engine.board import Code, Location, UnitKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.orders import Move, Ref, Retreat, Support
from plenipo.engine.outcome import Cause, Outcome, Reason, Resolution, Result
from plenipo.engine.position import Position, Unit
from plenipo.engine.sentences import Sentence, say
from plenipo.mapfaults.orders import OrderFaults, order_faults
from plenipo.mapfaults.picture import beyond_its_place, marks_abroad, near_colours, untold
from plenipo.mapfaults.places import unmarked_rules
from plenipo.mapfaults.reading import NONE, STRAY, DrawnLabel, DrawnPoint, FaultCount, ReadPicture, classes, parts_of
from plenipo.mapfaults.strokes import faint_successes, thin_lines
from plenipo.maps.draw import Theme
from plenipo.maps.lettering.placements import MIDDLE

__all__ = [
    "WIDTHS",
    "Faults",
    "Moves",
    "faults_of",
    "full_board",
    "game_counted",
    "laid_wrong",
    "moves_of",
    "phase_counted",
    "tiny_tokens",
]

WIDTHS = (390, 760, 1600)
"""The widths, in pixels, at which the marks on the map are checked."""

OFF_BORDER = 16.0
"""A bar may stand so many pips from the border."""

BENEATH = 10.0
"""The outline of a sea runs so many pips beside that of the land over it at most."""

ABROAD = 0.15
"""The share of lettering that may lie on other land without a line to its space."""

OVERLAP = 2.0
"""Two things lie over each other if they share more than this many square pixels."""

NEAR = 0.045
"""A label touches a unit that is nearer to it than this, in sizes of its text: half the width of their halo."""

OUTSIDE = 0.4
"""The share of a token that may lie outside its space in a picture of full size."""

SMALLEST_TOKEN = 9.0
"""A token narrower than this is hard to see in a small picture, in pixels."""

SMALLEST = 9.0
"""The size of codes in a small picture, in pixels."""


@dataclass(frozen=True)
class Faults:
    """The faults counted on the map of a variant; `laid` has the sentences by width, `whole` those of any."""

    strays: FaultCount = NONE
    bars: FaultCount = NONE
    grips: FaultCount = NONE
    supports: FaultCount = NONE
    tangles: FaultCount = NONE
    orders: OrderFaults = field(default_factory=OrderFaults)
    unmarked: FaultCount = NONE
    tiny: FaultCount = NONE
    heads: dict[int, FaultCount] = field(default_factory=dict)
    laid: dict[int, list[Sentence]] = field(default_factory=dict)
    whole: list[Sentence] = field(default_factory=list)

    def __add__(self, other: "Faults") -> "Faults":
        return Faults(
            self.strays + other.strays,
            self.bars + other.bars,
            self.grips + other.grips,
            self.supports + other.supports,
            self.tangles + other.tangles,
            self.orders + other.orders,
            self.unmarked + other.unmarked,
            self.tiny + other.tiny,
            {w: self.heads.get(w, NONE) + other.heads.get(w, NONE) for w in (*self.heads, *other.heads)},
            {w: list(dict.fromkeys(self.laid.get(w, []) + other.laid.get(w, []))) for w in (*self.laid, *other.laid)},
            list(dict.fromkeys(self.whole + other.whole)),
        )

    def sentences(self) -> tuple[Sentence, ...]:
        """Return a sentence for each fault, none twice."""
        orders = self.orders
        lines = (self.strays, self.bars, self.supports, self.grips, self.tangles, *self.heads.values())
        counts = (*lines, orders.overland, orders.unbarred, orders.long, orders.astray, self.unmarked, self.tiny)
        said = [sentence for count in counts for sentence in count.said]
        return tuple(dict.fromkeys((*said, *self.whole, *(one for laid in self.laid.values() for one in laid))))


def moves_of(on: Chart) -> Iterator[tuple[Unit, Location]]:
    """Every single move on the board, no convoy among them, with the unit that makes it."""
    power, board = on.powers[0], on.board
    for code, tos in sorted(board.armies.items()):
        yield from ((Unit(power, UnitKind.ARMY, Location(code)), Location(to)) for to in sorted(tos))
    for start, ends in sorted(board.fleets.items()):
        yield from ((Unit(power, UnitKind.FLEET, start), end) for end in sorted(ends))


class Moves:
    """The lines of orders on a board, against its areas as they are drawn."""

    def __init__(self, on: Chart, areas: Mapping[Code, BaseGeometry] | None = None) -> None:
        self.on, self.areas = on, areas or ReadPicture(on.draw(on.scene(legend=False))).areas
        self._borders: dict[tuple[Code, Code], BaseGeometry | None] = {}

    def count_faults(self) -> tuple[FaultCount, FaultCount]:
        """Count the single moves drawn through a third area, and the bars of failed moves that are off the border."""
        strays, bars = NONE, NONE
        for unit, to in moves_of(self.on):
            ends = (self.own(unit.space), self.own(to.space))
            (line, *_), _ = self.lines(unit, to, Result.MOVES)
            move = str(Move(Ref(unit.kind, unit.location), to))
            strays += FaultCount.judge(_astray(move), faulty=self.astray(line, ends))
            border = self.border(*ends)
            if border is not None:
                _, bar = self.lines(unit, to, Result.FAILS)
                middle = Point(LineString(bar).interpolate(0.5, normalized=True))
                bars += FaultCount.judge(_off_border(move), faulty=border.distance(middle) > OFF_BORDER)
        return strays, bars

    def count_phase_faults(self, drawn: ReadPicture, resolution: Resolution) -> Faults:
        """Return the same of the legal moves, retreats and supports in a picture of a phase that need no convoy."""
        strays, bars, supports = NONE, NONE, NONE
        groups = {group.findtext("{*}title"): group for group in drawn.root.iter() if "order" in classes(group)}
        moves = [outcome.order for outcome in resolution.outcomes if isinstance(outcome.order, Move)]
        drawn_moves = [(move.unit.location.space, groups.get(str(move))) for move in moves]
        sailing = {space: g for space, g in drawn_moves if g is not None and "convoyed" in classes(g)}
        for outcome in resolution.outcomes:
            order, group = outcome.order, groups.get(str(outcome.order))
            if group is None or outcome.result is Result.VOID or "convoyed" in classes(group):
                continue
            if isinstance(order, Move | Retreat):
                ends = self.own(order.unit.location.space), self.own(order.to.space)
                line = parts_of(group, "line")[0]
                strays += FaultCount.judge(_astray(str(order)), faulty=self.astray(line, ends))
                border = self.border(*ends)
                if "failed" in classes(group) and border is not None:
                    off = border.distance(Point(line[-1])) > OFF_BORDER
                    bars += FaultCount.judge(_off_border(str(order)), faulty=off)
            elif isinstance(order, Support) and (lines := parts_of(group, "line")):
                aim = order.to or order.other.location
                named = [self.own(at.space) for at in (order.other.location, order.unit.location, aim)]
                passed = self.find_crossed_areas(sailing.get(order.other.location.space))
                astray = self.astray(lines[0], [passed, *named])
                supports += FaultCount.judge(_astray(str(order)), faulty=astray)
        return Faults(strays, bars, supports=supports)

    def lines(self, unit: Unit, to: Location, result: Result) -> tuple[list[list[DrawnPoint]], list[DrawnPoint]]:
        """Return the parts of the drawn line, and the bar across its end if it failed."""
        position = Position(self.on.opening.phase, (unit,))
        outcome = Outcome(unit.power, unit, Move(Ref(unit.kind, unit.location), to), result, Cause(Reason.NO_ORDER), "")
        scene = self.on.scene(resolution=Resolution(position, (outcome,), position), legend=False)
        layers = self.on.order_layers(scene)
        groups = [*ET.fromstring(layers.orders), *(ET.fromstring(layers.signs) if layers.signs else ())]  # noqa: S314  # our own picture
        bars = [bar for group in groups for bar in parts_of(group, "bar")]
        return [line for group in groups for line in parts_of(group, "line")], bars[0] if bars else []

    def find_crossed_areas(self, group: ET.Element | None) -> frozenset[Code]:
        """Return the areas through which a drawn move runs, with the rest that it does not go."""
        lines = (
            [] if group is None else [LineString(line) for kind in ("line", "rest") for line in parts_of(group, kind)]
        )
        return frozenset(code for code, area in self.areas.items() if any(area.intersects(line) for line in lines))

    def own(self, code: Code) -> frozenset[Code]:
        """Return the areas a unit in a space is in: one, or those round a corner."""
        corner = self.on.board.spaces[code].corner
        return frozenset(corner.areas if corner else (code,))

    def astray(self, line: Sequence[DrawnPoint], ends: Sequence[frozenset[Code]]) -> bool:
        """Return True if a line runs through an area that is not its own.

        Between the last two of `ends`, if they do not meet, it may cross what parts them, by twice the shortest way. A
        sea is drawn on under its shores: over land of its own a line is on land.
        """
        drawn, own = LineString(line), frozenset[Code]().union(*ends)
        here, to = (shapely.union_all([self.areas[code] for code in end if code in self.areas]) for end in ends[-2:])
        most = STRAY + 2 * (here.distance(to) if not here.is_empty and not to.is_empty else 0.0)
        others = [area for code, area in self.areas.items() if code not in own and area.intersects(drawn)]
        if not others:
            return False
        land = [self.areas[code] for code in own - self.on.figure.seas if code in self.areas]
        visible = drawn.difference(shapely.union_all(land))
        lengths = [float(visible.intersection(area).length) for area in others]
        return sum(length for length in lengths if length > STRAY / 2) > most

    def border(self, one: frozenset[Code], other: frozenset[Code]) -> BaseGeometry | None:
        """Return the border between two areas, or None if they have none or either end is a corner."""
        if len(one) > 1 or len(other) > 1:
            return None
        (a,), (b,) = one, other
        if a in self.on.figure.seas:
            a, b = b, a
        if (a, b) not in self._borders:
            shared = self.areas[a].boundary.intersection(self.areas[b].buffer(BENEATH))
            self._borders[a, b] = None if shared.is_empty else shared
        return self._borders[a, b]


def _astray(order: str) -> Sentence:
    return say("the line of {order} runs through a third area", order=order)


def _off_border(order: str) -> Sentence:
    return say("the bar of {order} stands off the border", order=order)


def laid_wrong(on: Chart, svg: str, width: int) -> Iterator[Sentence]:
    """Yield a sentence for each thing outside its space or over something else in a picture of `width` pixels.

    A label with a line that leads to its space may stand anywhere.
    """
    drawn = ReadPicture(svg)
    px = drawn.width / width
    named, coded = {*on.placements.codes, *on.placements.names}, on.placements.small_codes
    labels = drawn.labels(sorted(named), sorted(coded), width)
    tokens, marks = drawn.tokens(width), drawn.marks(width)
    areas = drawn.areas
    seas = shapely.union_all([areas[code] for code in on.figure.seas if code in areas])
    for label in labels:
        yield from _label_faults(label, areas, seas, px, small=width <= MIDDLE)
        if not drawn.frame.buffer(px).covers(label.shape) and label.space in on.figure.faces:
            yield say("the label of {space} runs over the frame", space=label.space)
    for one, other in combinations(labels, 2):
        shared = one.shape.intersection(other.shape).area / px**2
        if shared > OVERLAP:
            yield say(
                "the labels of {one} and {other} share {shared} square pixels",
                one=one.space,
                other=other.space,
                shared=f"{shared:.0f}",
            )
    tree = shapely.STRtree([token.shape for token in tokens])
    for label in labels:
        reach = shapely.box(*label.shape.bounds).buffer(NEAR * label.size, join_style="mitre")
        for token in (tokens[number] for number in sorted(tree.query(reach))):
            shared = label.shape.intersection(token.shape).area / px**2
            if shared > OVERLAP:
                yield say(
                    "the label of {label} and the unit in {space} share {shared} square pixels",
                    label=label.space,
                    space=token.space,
                    shared=f"{shared:.0f}",
                )
            elif token.space in areas and label.shape.distance(token.shape) < NEAR * label.size:
                yield say("the label of {label} touches the unit in {space}", label=label.space, space=token.space)
        shared = max((label.shape.intersection(mark).area / px**2 for mark in marks), default=0.0)
        if shared > OVERLAP:
            yield say(
                "the label of {space} and the mark of a centre share {shared} square pixels",
                space=label.space,
                shared=f"{shared:.0f}",
            )
    for token in tokens:
        if token.leads is not None:
            if token.space in areas and not areas[token.space].contains(Point(token.leads)):
                yield say("the line of the unit in {space} leads elsewhere", space=token.space)
        elif token.space in areas and not token.gone and not areas[token.space].contains(token.shape.centroid):
            yield say("the unit in {space} stands outside it", space=token.space)
        elif token.space in areas and not token.gone and width > MIDDLE:
            outside = token.shape.difference(areas[token.space]).area / token.shape.area
            if outside > OUTSIDE:
                yield say("the unit in {space} lies by {share} outside it", space=token.space, share=f"{outside:.0%}")
    for first, second in combinations(tokens, 2):
        shared = first.shape.intersection(second.shape).area / px**2
        if shared > OVERLAP:
            yield say(
                "the units in {one} and {other} share {shared} square pixels",
                one=first.space,
                other=second.space,
                shared=f"{shared:.0f}",
            )


def tiny_tokens(svg: str, width: int = WIDTHS[0]) -> FaultCount:
    """Return the units that are hard to see in a picture so many pixels wide."""
    drawn = ReadPicture(svg)
    sizes = [2 * math.sqrt(token.shape.area / math.pi) * width / drawn.width for token in drawn.tokens(width)]
    small = sum(size < SMALLEST_TOKEN for size in sizes)
    said = say(
        "{number} of {of} units are less than {least} pixels wide at {width} pixels",
        number=small,
        of=len(sizes),
        least=f"{SMALLEST_TOKEN:g}",
        width=width,
    )
    return FaultCount(small, len(sizes), (said,) * bool(small))


def _label_faults(
    label: DrawnLabel, areas: dict[Code, BaseGeometry], seas: BaseGeometry, px: float, *, small: bool
) -> Iterator[Sentence]:
    area = areas[label.space]
    if small and label.size / px < SMALLEST - 0.1:
        yield say("the label of {space} is {high} pixels high", space=label.space, high=f"{label.size / px:.1f}")
    if label.leads is not None:
        if not area.buffer(px).contains(Point(label.leads)):
            yield say("the line of the label of {space} leads elsewhere", space=label.space)
        return
    if not area.contains(label.shape.centroid):
        yield say("the label of {space} stands outside it, without a line", space=label.space)
        return
    abroad = label.shape.difference(area).difference(seas).area / label.shape.area
    if abroad > ABROAD:
        yield say("the label of {space} lies by {share} on other land", space=label.space, share=f"{abroad:.0%}")


def full_board(on: Chart) -> Position:
    """Return the opening with a unit in every space that is no corner, as on a map without a vacant space."""
    units: list[Unit] = []
    board = on.board
    for code, space in sorted(board.spaces.items()):
        if space.impassable or space.corner:
            continue
        kind = UnitKind.ARMY if not space.coasts and board.armies.get(code) else UnitKind.FLEET
        where = space.locations[0] if kind is UnitKind.FLEET else Location(code)
        units.append(Unit(on.powers[len(units) % len(on.powers)], kind, where))
    return Position(on.opening.phase, tuple(units), changes=on.opening.changes)


def faults_of(on: Chart, games: int = 1, phases: int = 20) -> Faults:
    """Count the faults on the map of a variant: its moves, random games of so many phases, its places.

    Needs the extra `png`.
    """
    strays, bars = Moves(on).count_faults()
    faults = Faults(strays, bars)
    for number in range(games):
        faults += game_counted(on, phases, number)
    svg = on.draw(on.scene(full_board(on), legend=False))
    laid = {
        width: [
            *laid_wrong(on, svg, width),
            *untold(svg, width),
            *beyond_its_place(on, svg, width),
            *thin_lines(svg, width),
            *faint_successes(svg, width),
        ]
        for width in WIDTHS
    }
    whole = [*marks_abroad(svg), *(said for name in Theme.names() for said in near_colours(on, Theme.from_name(name)))]
    unmarked = unmarked_rules(on, ReadPicture(svg))
    return faults + Faults(unmarked=unmarked, tiny=tiny_tokens(svg), laid=laid, whole=whole)


def game_counted(on: Chart, phases: int, seed: int = 0) -> Faults:
    """Count the faults in the pictures of a random game of so many phases: its orders and the units on the board."""
    rules, chance = on.rules, Random(seed)  # noqa: S311  # the same seed must give the same game
    if rules is None:
        return Faults()
    faults, game = Faults(), Game.new(rules, Dice(seed.to_bytes(32)))
    for _ in range(phases):
        if game.over:
            break
        orders = {power: orders_of(sensible, view(game, power, {}), power, chance) for power in rules.names}
        game = game.process(orders)
        faults += phase_counted(on, game.turns[-1].resolution)
    return faults


def phase_counted(on: Chart, resolution: Resolution) -> Faults:
    """Count the faults in the pictures of a phase: its orders, and the units on the board after it."""
    svg = on.draw(on.scene(resolution=resolution, legend=False))
    drawn, there = ReadPicture(svg), Moves(on.at(resolution.before), ReadPicture(svg).areas)
    heads = {width: drawn.heads(width) for width in WIDTHS}
    laid = {width: list(laid_wrong(there.on, svg, width)) for width in WIDTHS}
    return there.count_phase_faults(drawn, resolution) + Faults(
        grips=drawn.grips(),
        tangles=drawn.tangles(),
        orders=order_faults(there.on, drawn, resolution),
        heads=heads,
        laid=laid,
    )
