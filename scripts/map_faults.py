"""Counts where a map misinforms, measured on the drawn SVG itself: its paths against its areas.

    python scripts/map_faults.py [--phases N] [NAME-OR-FOLDER ...]

For each variant, all of its own if none is named: of all single moves how many are drawn through a third area, and of
all failed moves how many bars stand off the border they should stand on; in random games, how many supports end in a
ring that touches neither a drawn move nor a unit, and how many arrowheads a unit covers; and what lies outside its area
or over something else on maps 390, 760 and 1600 pixels wide. The last are the sentences of `lettering.overlaps`.
"""

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import dist
from random import Random
from xml.etree import ElementTree as ET

import shapely
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from plenipo import library
from plenipo.bots import orders_of
from plenipo.bots.sensible import sensible
from plenipo.charts import Chart, chart
from plenipo.engine.board import Code, Location, UnitKind
from plenipo.engine.history.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.orders import Move, Ref
from plenipo.engine.outcome import Cause, Outcome, Reason, Resolution, Result
from plenipo.engine.position import Position, Unit
from plenipo.maps.lettering.overlaps import overlaps

WIDTHS = (390, 760, 1600)
"""The widths, in pixels, at which what stands on the map is looked at."""

STRAY = 12.0
"""A move may run so many pips through a third area: about the width of its line."""

OFF_BORDER = 16.0
"""A bar may stand so many pips from the border."""

TOUCH = 14.0
"""A ring touches a line if it is no farther from it than this, in pips."""

BESIDE = 76.0
"""A ring touches a unit if it is no farther from its middle than this, in pips."""

DISC = 40.0
"""The radius of a unit, in pips."""

COVERED = 0.25
"""An arrowhead is covered if units cover this share of it."""

_TOKEN = re.compile(r"([MLlQZz])|(-?\d+(?:\.\d+)?)")

Spot = tuple[float, float]


def rings_of(path: str) -> list[list[Spot]]:
    """The points of each part of an SVG path of straight pieces and quadratic curves."""
    rings: list[list[Spot]] = []
    command, numbers = "", list[float]()
    for letter, number in _TOKEN.findall(path):
        if letter:
            command = letter
            continue
        numbers.append(float(number))
        if len(numbers) < (4 if command == "Q" else 2):
            continue
        x, y = numbers[-2:]
        if command == "M":
            rings.append([(x, y)])
            command = "L"
        elif command == "Q":
            rings[-1] += _curve(rings[-1][-1], (numbers[0], numbers[1]), (x, y))
        else:
            ax, ay = rings[-1][-1] if command == "l" else (0.0, 0.0)
            rings[-1].append((ax + x, ay + y))
        numbers.clear()
    return rings


def _curve(start: Spot, middle: Spot, end: Spot) -> Iterator[Spot]:
    """Places along a quadratic Bezier, without its start."""
    for k in range(1, 17):
        t = k / 16
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        yield a * start[0] + b * middle[0] + c * end[0], a * start[1] + b * middle[1] + c * end[1]


def area_of(path: str) -> BaseGeometry:
    """What a path of closed rings encloses, a ring inside another being a hole."""
    area: BaseGeometry = Polygon()
    for ring in rings_of(path):
        if len(ring) > 2:
            area = area.symmetric_difference(Polygon(ring).buffer(0))
    return area


def classes(element: ET.Element) -> set[str]:
    """The classes of an element."""
    return set(element.get("class", "").split())


def parts_of(group: ET.Element, name: str) -> list[list[Spot]]:
    """The lines of the paths of one class in a group, each part by itself."""
    return [ring for path in group if name in classes(path) for ring in rings_of(path.get("d", ""))]


@dataclass(frozen=True)
class Count:
    """How many of some things are at fault."""

    faults: int
    of: int

    def __add__(self, other: "Count") -> "Count":
        return Count(self.faults + other.faults, self.of + other.of)

    def __str__(self) -> str:
        return f"{self.faults} of {self.of} ({self.faults / self.of if self.of else 0:.1%})"


class Drawn:
    """A picture, read: its areas, its units and the lines of its orders."""

    def __init__(self, svg: str) -> None:
        self.root = ET.fromstring(svg)  # noqa: S314  # our own picture

    def orders(self, kind: str) -> Iterator[ET.Element]:
        """The groups of the orders of one kind: `move`, `support` and so on."""
        return (group for group in self.root.iter() if {"order", kind} <= classes(group))

    @cached_property
    def areas(self) -> dict[Code, BaseGeometry]:
        """Every area of the map, and every box beside it."""
        spaces = (path for path in self.root.iter() if "space" in classes(path))
        return {Code(path.get("data-space", "")): area_of(path.get("d", "")) for path in spaces}

    @cached_property
    def units(self) -> list[Spot]:
        """The middle of every unit."""
        places = (group.get("transform", "") for group in self.root.iter() if "unit" in classes(group))
        numbers = (re.findall(r"-?\d+(?:\.\d+)?", place) for place in places)
        return [(float(x), float(y)) for x, y in numbers]

    def grips(self) -> Count:
        """The supports whose ring touches neither a drawn move nor a unit, of all that have a ring."""
        lines = [LineString(line) for group in self.orders("move") for line in parts_of(group, "line")]
        rings = [circle for group in self.orders("support") for circle in group if "grip" in classes(circle)]
        faults = 0
        for ring in rings:
            at = (float(ring.get("cx", "nan")), float(ring.get("cy", "nan")))
            held = any(line.distance(Point(at)) <= TOUCH for line in lines)
            faults += not held and all(dist(at, unit) > BESIDE for unit in self.units)
        return Count(faults, len(rings))

    def heads(self) -> Count:
        """The arrowheads that units cover, of all."""
        discs = shapely.union_all([Point(unit).buffer(DISC) for unit in self.units])
        moves = [*self.orders("move"), *self.orders("retreat")]
        heads = [Polygon(head) for group in moves for head in parts_of(group, "head")]
        return Count(sum(head.intersection(discs).area > COVERED * head.area for head in heads), len(heads))


def moves_of(on: Chart) -> Iterator[tuple[Unit, Location]]:
    """Every single move on the board, no convoy among them, with the unit that makes it."""
    power, board = on.powers[0], on.board
    for code, tos in sorted(board.armies.items()):
        yield from ((Unit(power, UnitKind.ARMY, Location(code)), Location(to)) for to in sorted(tos))
    for start, ends in sorted(board.fleets.items()):
        yield from ((Unit(power, UnitKind.FLEET, start), end) for end in sorted(ends))


class Moves:
    """All single moves on a board, drawn one by one."""

    def __init__(self, on: Chart) -> None:
        self.on, self.areas = on, Drawn(on.draw(on.scene(legend=False))).areas

    def counted(self) -> tuple[Count, Count]:
        """Of all single moves those drawn through a third area, and of all failed ones the bars off the border."""
        strays, bars = Count(0, 0), Count(0, 0)
        for unit, to in moves_of(self.on):
            ends = (self.own(unit.space), self.own(to.space))
            (line, *_), _ = self.lines(unit, to, Result.MOVES)
            strays += Count(self.astray(line, ends), 1)
            border = self.border(*ends)
            if border is not None:
                _, bar = self.lines(unit, to, Result.FAILS)
                bars += Count(border.distance(Point(LineString(bar).interpolate(0.5, normalized=True))) > OFF_BORDER, 1)
        return strays, bars

    def lines(self, unit: Unit, to: Location, result: Result) -> tuple[list[list[Spot]], list[Spot]]:
        """The parts of the drawn line, and the bar across its end if it failed."""
        position = Position(self.on.opening.phase, (unit,))
        outcome = Outcome(unit.power, unit, Move(Ref(unit.kind, unit.location), to), result, Cause(Reason.NO_ORDER), "")
        scene = self.on.scene(resolution=Resolution(position, (outcome,), position), legend=False)
        layers = self.on.order_layers(scene)
        groups = [*ET.fromstring(layers.orders), *(ET.fromstring(layers.signs) if layers.signs else ())]  # noqa: S314  # our own picture
        bars = [bar for group in groups for bar in parts_of(group, "bar")]
        return [line for group in groups for line in parts_of(group, "line")], bars[0] if bars else []

    def own(self, code: Code) -> frozenset[Code]:
        """The areas a unit in a space is in: one, or those round a corner."""
        corner = self.on.board.spaces[code].corner
        return frozenset(corner.areas if corner else (code,))

    def astray(self, line: Sequence[Spot], ends: Sequence[frozenset[Code]]) -> bool:
        """Whether a line runs through an area it has nothing to do with.

        Between areas that do not meet it may cross what parts them, by twice the shortest way.
        """
        drawn, own = LineString(line), frozenset[Code]().union(*ends)
        here, to = (shapely.union_all([self.areas[code] for code in end if code in self.areas]) for end in ends)
        most = STRAY + 2 * (here.distance(to) if not here.is_empty and not to.is_empty else 0.0)
        others = (area for code, area in self.areas.items() if code not in own)
        lengths = [float(drawn.intersection(area).length) for area in others]
        return sum(length for length in lengths if length > STRAY / 2) > most

    def border(self, one: frozenset[Code], other: frozenset[Code]) -> BaseGeometry | None:
        """The border between two areas, or None if they have none or either end is a corner."""
        if len(one) > 1 or len(other) > 1:
            return None
        (a,), (b,) = one, other
        shared = self.areas[a].boundary.intersection(self.areas[b].buffer(2.0))
        return None if shared.is_empty else shared


def games_counted(on: Chart, phases: int, seed: int = 1) -> tuple[Count, Count]:
    """The supports that grip nothing and the covered arrowheads in the phases of a random game."""
    rules, chance = on.rules, Random(seed)  # noqa: S311  # the same seed must give the same game
    grips, heads = Count(0, 0), Count(0, 0)
    if rules is None:
        return grips, heads
    game = Game.new(rules, Dice(bytes(32)))
    for _ in range(phases):
        orders = {power: orders_of(sensible, view(game, power, {}), power, chance) for power in rules.names}
        game = game.process(orders)
        drawn = Drawn(on.draw(on.scene(resolution=game.turns[-1].resolution, legend=False)))
        grips, heads = grips + drawn.grips(), heads + drawn.heads()
    return grips, heads


def lines_about(name: str, phases: int) -> Iterator[str]:
    """What there is to say about the map of a variant."""
    on = chart(name)
    strays, bars = Moves(on).counted()
    grips, heads = games_counted(on, phases)
    yield f"{name}"
    yield f"  moves drawn through a third area: {strays}"
    yield f"  bars off the border: {bars}"
    yield f"  supports that grip nothing: {grips}"
    yield f"  arrowheads covered: {heads}"
    for width in WIDTHS:
        sentences = overlaps(on.figure, on.board, on.placements, width)
        yield f"  at {width} pixels: {len(sentences)} outside their area or over something else"
        yield from (f"    {sentence}" for sentence in sentences[:5])


def main() -> None:
    """Count and print."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("variants", nargs="*", metavar="NAME-OR-FOLDER")
    reader.add_argument("--phases", type=int, default=20, help="how many phases of a random game")
    arguments = reader.parse_args()
    own = sorted(file.parent.name for file in library.VARIANTS.glob("*/variant.toml"))
    for name in arguments.variants or own:
        for line in lines_about(name, arguments.phases):
            print(line)


if __name__ == "__main__":
    main()
