"""A picture of a map, read from its SVG: areas, tokens, lettering, and the lines of the orders."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations
from math import dist
from xml.etree import ElementTree as ET

import shapely
import shapely.ops
from shapely import LineString, Point, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from plenipo.engine.board import Code
from plenipo.engine.sentences import Sentence, say
from plenipo.maps.lettering.placements import MIDDLE, MIDDLE_CODE, MIDDLE_TOKEN, NARROW
from plenipo.maps.lettering.typeface import CAPITAL, SLACK, width_of

__all__ = [
    "NONE",
    "STRAY",
    "DrawnLabel",
    "DrawnPoint",
    "DrawnUnit",
    "FaultCount",
    "ReadPicture",
    "area_of",
    "classes",
    "parts_of",
    "rings_of",
]

STRAY = 12.0
"""A line may run so many pips through an area that takes no part in its order: about its width."""

TOUCH = 14.0
"""A ring touches a line if it is no farther from it than this, in pips."""

BESIDE = 76.0
"""A ring touches a unit if it is no farther from its middle than this, in pips."""

TOKEN = 38.0
"""The radius of a unit as it is drawn, in pips."""

WIDE = 1600.0
"""The width of a picture of full size, in pixels."""

COVERED = 0.25
"""An arrowhead is covered if units cover this share of it."""

WIDTHS = {"support": 7.0, "failed": 7.5, "convoyed": 11.0}
"""The widths of the lines of orders in a picture of full size, in pips, by their classes; the first that fits."""

WIDEST = 14.0
"""The width of every other one."""

SHARED = 45.0
"""The length that two lines may share, in pips; lines that cross at a sharp angle share some."""

_TOKEN = re.compile(r"([MLlQqtZz])|(-?\d+(?:\.\d+)?)")

_MOVED = re.compile(r"\.(at-[\w-]+)>g\{transform:translate\((-?\d+)px,(-?\d+)px\)")

DrawnPoint = tuple[float, float]


def rings_of(path: str) -> list[list[DrawnPoint]]:
    """Return the points of each part of an SVG path of straight pieces and quadratic curves."""
    rings: list[list[DrawnPoint]] = []
    command, numbers, middle = "", list[float](), (0.0, 0.0)
    for letter, number in _TOKEN.findall(path):
        if letter:
            command = letter
            continue
        numbers.append(float(number))
        if len(numbers) < (4 if command in "Qq" else 2):
            continue
        if command == "M":
            rings.append([(numbers[0], numbers[1])])
            command, numbers = "L", []
            continue
        start = rings[-1][-1]
        ax, ay = start if command.islower() else (0.0, 0.0)
        end = (ax + numbers[-2], ay + numbers[-1])
        if command in "Qqt":
            # a curve that goes on mirrors the middle of the one before it
            mirrored = (2 * start[0] - middle[0], 2 * start[1] - middle[1])
            middle = mirrored if command == "t" else (ax + numbers[0], ay + numbers[1])
            rings[-1] += _curve(start, middle, end)
        else:
            rings[-1].append(end)
        numbers = []
    return rings


def _curve(start: DrawnPoint, middle: DrawnPoint, end: DrawnPoint) -> Iterator[DrawnPoint]:
    """Places along a quadratic Bezier, without its start."""
    for k in range(1, 17):
        t = k / 16
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        yield a * start[0] + b * middle[0] + c * end[0], a * start[1] + b * middle[1] + c * end[1]


@lru_cache(maxsize=2048)
def area_of(path: str) -> BaseGeometry:
    """Return the area that a path of closed rings encloses, a ring inside another being a hole.

    All pictures of a board draw the same areas, so they are kept.
    """
    area: BaseGeometry = Polygon()
    for ring in rings_of(path):
        if len(ring) > 2:
            area = area.symmetric_difference(Polygon(ring).buffer(0))
    return area


def classes(element: ET.Element) -> set[str]:
    """Return the classes of an element."""
    return set(element.get("class", "").split())


def parts_of(group: ET.Element, name: str) -> list[list[DrawnPoint]]:
    """Return the lines of the paths of one class in a group, each part separately."""
    return [ring for path in group if name in classes(path) for ring in rings_of(path.get("d", ""))]


@dataclass(frozen=True)
class FaultCount:
    """The number of things at fault among those counted, and a sentence about each of them."""

    faults: int
    of: int
    said: tuple[Sentence, ...] = field(default=(), compare=False)

    def __add__(self, other: "FaultCount") -> "FaultCount":
        return FaultCount(self.faults + other.faults, self.of + other.of, self.said + other.said)

    @classmethod
    def judge(cls, sentence: Sentence, *, faulty: bool) -> "FaultCount":
        """Count one thing, with the sentence about it if it is at fault."""
        return cls(int(faulty), 1, (sentence,) if faulty else ())

    def __str__(self) -> str:
        return f"{self.faults} of {self.of} ({self.faults / self.of if self.of else 0:.1%})"


NONE = FaultCount(0, 0)
"""The count where nothing was looked at."""


@dataclass(frozen=True)
class DrawnLabel:
    """A name or code as it is drawn: of which space, what it covers, and where the line leads that it has, if any."""

    space: Code
    shape: BaseGeometry
    size: float
    leads: DrawnPoint | None = None


@dataclass(frozen=True)
class DrawnUnit:
    """A drawn unit: its space, and the area that it covers; `gone` if it is dislodged or takes no unit's place.

    `leads` is the end of the line that it has, if any.
    """

    space: Code
    shape: BaseGeometry
    gone: bool = False
    leads: DrawnPoint | None = None


class ReadPicture:
    """A picture, read: its areas, its units and the lines of its orders."""

    def __init__(self, svg: str) -> None:
        self.root = ET.fromstring(svg)  # noqa: S314  # our own picture
        self.width = float((self.root.get("viewBox") or "0 0 1 1").split()[2])

    def orders(self, kind: str) -> Iterator[ET.Element]:
        """Return the groups of the orders of one kind: `move`, `support` and so on."""
        return (group for group in self.root.iter() if {"order", kind} <= classes(group))

    @cached_property
    def frame(self) -> BaseGeometry:
        """The frame of the map."""
        rect = next(e for e in self.root.iter() if "neat" in classes(e))
        return shapely.box(0, 0, float(rect.get("width", 0)), float(rect.get("height", 0)))

    @cached_property
    def areas(self) -> dict[Code, BaseGeometry]:
        """Every area of the map, and every box beside it."""
        spaces = (path for path in self.root.iter() if "space" in classes(path))
        return {Code(path.get("data-space", "")): area_of(path.get("d", "")) for path in spaces}

    @cached_property
    def rooms(self) -> list[BaseGeometry]:
        """The places for lettering: the frame of the map, and the boxes beside it."""
        return [self.frame, *(area for area in self.areas.values() if not self.frame.contains(area.centroid))]

    @cached_property
    def units(self) -> list[DrawnPoint]:
        """The middle of every unit."""
        places = (group.get("transform", "") for group in self.root.iter() if "unit" in classes(group))
        numbers = (re.findall(r"-?\d+(?:\.\d+)?", place) for place in places)
        return [(float(x), float(y)) for x, y in numbers]

    def grips(self) -> FaultCount:
        """Count the rings of supports that touch neither a unit nor a drawn move with the rest of its way."""
        kinds = ("line", "rest")
        moves = self.orders("move")
        lines = [LineString(line) for group in moves for kind in kinds for line in parts_of(group, kind)]
        rings = [(group, circle) for group in self.orders("support") for circle in group if "grip" in classes(circle)]
        count = FaultCount(0, 0)
        for order, ring in rings:
            at = (float(ring.get("cx", "nan")), float(ring.get("cy", "nan")))
            held = any(line.distance(Point(at)) <= TOUCH for line in lines)
            said = say("the support {order} ends beside every unit and move", order=_title(order))
            count += FaultCount.judge(said, faulty=not held and all(dist(at, unit) > BESIDE for unit in self.units))
        return count

    def heads(self, pixels: float = WIDE) -> FaultCount:
        """Count the arrowheads that units cover at this width in pixels; in a small picture they must lie above."""
        if pixels <= MIDDLE:
            tips = [group for group in self.root.iter() if {"ends", "compact"} <= classes(group)]
            above = {id(layer) for layer in self.root.iter() if layer.get("id", "").endswith("layer-signs")}
            over = {id(group) for layer in self.root.iter() if id(layer) in above for group in layer}
            heads = [(group, head) for group in tips for head in parts_of(group, "head")]
            under = [id(group) not in over for group, _ in heads]
            beneath = say("an arrowhead lies under the units at {width} pixels", width=f"{pixels:.0f}")
            return FaultCount(sum(under), len(under), (beneath,) * any(under))
        discs = shapely.union_all([token.shape for token in self.tokens(pixels)])
        count = FaultCount(0, 0)
        for group in (*self.orders("move"), *self.orders("retreat")):
            said = say(
                "a unit covers the arrowhead of {order} at {width} pixels", order=_title(group), width=f"{pixels:.0f}"
            )
            for head in map(Polygon, parts_of(group, "head")):
                count += FaultCount.judge(said, faulty=head.intersection(discs).area > COVERED * head.area)
        return count

    def tangles(self) -> FaultCount:
        """Return the lines of orders that cannot be distinguished from another, and arrowheads that lie on another."""
        groups = [group for group in self.root.iter() if "order" in classes(group) and parts_of(group, "line")]
        lines = [LineString(parts_of(group, "line")[0]) for group in groups]
        widths = [next((wide for kind, wide in WIDTHS.items() if kind in classes(g)), WIDEST) for g in groups]
        heads = [shapely.union_all([Polygon(head) for head in parts_of(group, "head")]) for group in groups]
        alike: set[int] = set()
        for i, j in combinations(range(len(groups)), 2):
            told = (widths[i] + widths[j]) / 2
            if lines[i].distance(lines[j]) < told:
                one, other = lines[i].buffer(told), lines[j].buffer(told)
                run = min(lines[i].intersection(other).length, lines[j].intersection(one).length)
                least = min(heads[i].area, heads[j].area)
                if run > SHARED or heads[i].intersection(heads[j]).area > COVERED * least:
                    alike |= {i, j}
        said = (
            say("the line of {order} runs over that of another order", order=_title(groups[i])) for i in sorted(alike)
        )
        return FaultCount(len(alike), len(groups), tuple(said))

    @cached_property
    def unit_offsets(self) -> dict[str, DrawnPoint]:
        """The offsets of units from their usual place in a small picture, by the class of the rule that sets them."""
        sheet = "".join(style.text or "" for style in self.root.iter() if style.tag.endswith("style"))
        return {name: (float(x), float(y)) for name, x, y in _MOVED.findall(sheet)}

    def tokens(self, pixels: float = WIDE) -> list[DrawnUnit]:
        """Every unit as large as it is in a picture so many pixels wide."""
        tokens = []
        for group in self.root.iter():
            kinds = classes(group)
            if "unit" in kinds:
                x, y = (float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", group.get("transform", ""))[:2])
                letter = "z" if pixels <= MIDDLE else "t"
                sizes = [int(kind[1:]) / 10 for kind in kinds if re.fullmatch(letter + r"\d+", kind)]
                size = sizes[0] if sizes else 1.0
                radius = TOKEN * (min(size, MIDDLE_TOKEN) if NARROW < pixels <= MIDDLE else size)
                dx, dy = next((self.unit_offsets[kind] for kind in kinds if kind in self.unit_offsets), (0.0, 0.0))
                shape, leads = Point(x, y).buffer(radius), None
                if pixels <= MIDDLE:
                    shape = Point(x + dx, y + dy).buffer(radius)
                    leads = (x, y) if any("leader" in classes(part) for part in group) else None
                tokens.append(DrawnUnit(Code(group.get("data-space", "")), shape, "dislodged" in kinds, leads))
        return tokens

    def marks(self, pixels: float = WIDE) -> list[BaseGeometry]:
        """Return the marks of supply centres."""
        return [
            Point(float(circle.get("cx", 0)), float(circle.get("cy", 0))).buffer(float(circle.get("r", 0)))
            for group in self._find_shown("marks large", "compact small", pixels)
            for mark in group
            if "centre" in classes(mark)
            for circle in mark
            if circle.tag.endswith("circle") and not classes(circle)
        ]

    def _find_shown(self, large: str, small: str, pixels: float) -> Iterator[ET.Element]:
        kind = set((small if pixels <= MIDDLE else large).split())
        return (group for group in self.root.iter() if kind <= classes(group))

    def labels(self, named: Sequence[Code], coded: Sequence[Code], pixels: float = WIDE) -> list[DrawnLabel]:
        """Return the lettering of the spaces `named`, in a small picture of those `coded`, in the order of the codes.

        The spaces without lettering are left out of them; a picture without names has none.
        """
        groups = [
            g
            for g in self._find_shown("names large", "compact small", pixels)
            if any("text" in e.tag for e in g.iter())
        ]
        labels: list[DrawnLabel] = []
        for group in groups:
            codes = iter(sorted(coded if pixels <= MIDDLE else named))
            lines: dict[str, list[DrawnPoint]] = {}
            leads: DrawnPoint | None = None
            for element in group:
                if element.tag.endswith("path"):
                    ring = rings_of(element.get("d", ""))[0]
                    if "leader" in classes(element):
                        leads = ring[-1]
                    elif element.get("id"):
                        lines[element.get("id", "")] = ring
                elif element.tag.endswith("text"):
                    size = float(MIDDLE_CODE if NARROW < pixels <= MIDDLE else element.get("font-size", 0))
                    labels.append(DrawnLabel(next(codes), _find_text_area(element, size, lines), size, leads))
                    leads = None
        return labels


def _title(group: ET.Element) -> str:
    """Return the order that a group draws."""
    return group.findtext("{*}title") or ""


def _find_text_area(text: ET.Element, size: float, lines: dict[str, list[DrawnPoint]]) -> BaseGeometry:
    """Return the area that a text covers: a box for each line, or a band along a curve.

    It reaches from the baseline to the height of capitals.
    """
    parts = []
    water = "water" in classes(text)
    for run in text:
        if run.tag.endswith("textPath"):
            line = LineString(lines[run.get("href", "")[1:]])
            long = width_of(run.text or "", water=water) / SLACK * size
            long += float(text.get("letter-spacing", 0)) * len(run.text or "")
            middle = line.length / 2
            band = shapely.ops.substring(line, middle - long / 2, middle + long / 2)
            return band.buffer(CAPITAL * size / 2, cap_style="flat")
    for piece in [text] if text.get("x") else list(text):
        x, y, long = (float(piece.get(key, 0)) for key in ("x", "y", "textLength"))
        y += float(piece.get("dy", "0").removesuffix("em")) * size
        long = long or width_of(piece.text or "", water=water) / SLACK * size
        parts.append(shapely.box(x - long / 2, y - CAPITAL * size, x + long / 2, y))
    shape = shapely.union_all(parts)
    turned = re.findall(r"-?\d+(?:\.\d+)?", text.get("transform", ""))
    if turned:
        angle, x, y = map(float, turned)
        return affinity.rotate(shape, angle, origin=(x, y))
    return shape
