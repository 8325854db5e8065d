"""Placements on a map: names, codes, units, supply-centre marks, corners; standard library only.

`lettering.label_search` finds them, a `placements.json` beside the figure stores them, and the drawing reads them.
All measures are units of the figure, x east and y north.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import cos, dist, hypot, radians, sin
from typing import Any

from plenipo.engine.board import Code, Location
from plenipo.errors import InvalidFigure
from plenipo.maps.figure.planar import UNIT, Figure
from plenipo.maps.figure.segments import Point
from plenipo.maps.figure.values import dump_json, load_json, point_in, reading, text_in, whole_in
from plenipo.maps.lettering.typeface import CAPITAL, LEADING, width_of

__all__ = [
    "LARGER_MARK",
    "LARGEST",
    "LEAST_ROOM",
    "MIDDLE",
    "MIDDLE_CODE",
    "MIDDLE_TOKEN",
    "NARROW",
    "OVERHANG",
    "READABLE",
    "TOKEN",
    "LabelPlacement",
    "PlacementHints",
    "Placements",
    "RoutePlacement",
    "along",
    "free_room",
    "hints_from",
    "point_of",
    "rooms",
    "small_rooms",
]

FORMAT = "plenipo-placements-1"

TOKEN = 0.95
"""The radius of the drawn token of a unit, in radii of its disc."""

NARROW = 640
"""Up to this width, in pixels, the small picture is shown as it is."""

MIDDLE = 1000
"""Up to this width it is shown with smaller letters, tokens and lines, since names could not be read yet."""

MIDDLE_CODE = 74
"""The size of codes there, in pips."""

MIDDLE_TOKEN = 1.45
"""The greatest enlargement of a token there."""

LARGEST = 2.1
"""The enlargement of a token in a small picture with all the room it wants, relative to its disc."""

LEAST_ROOM = 0.55
"""The least size of a token in a crowd, relative to its disc."""

READABLE = 1.6
"""The least enlargement of a token in a small picture: 9 pixels on a map 390 pixels wide."""

OVERHANG = 1.3
"""A token is at most so many times as large as the room inside its space; in a small picture twice as large."""

LARGER_MARK = 1.8
"""The enlargement of the mark of a centre in a small picture."""

BESIDE = 0.13
"""The gap between a token and a code in a small picture, in sizes of its letters: a little more than their halo."""


@dataclass(frozen=True, slots=True)
class LabelPlacement:
    """A name or a code as it is set on the map.

    `lines` are one or two lines, `at` is the centre of the block, `size` the font size, `spacing` what is added
    between letters (`letter-spacing`). A single line may run along a `curve`: the control points, left to right, of a
    quadratic Bezier that is its baseline, the text centred on it. `turn` is by how many degrees a single line is turned
    to the left about `at`; a `leader` is the line from the text to a place in its space, where it does not stand in it.
    """

    lines: tuple[str, ...]
    at: Point
    size: int
    curve: tuple[Point, ...] = ()
    spacing: int = 0
    turn: int = 0
    leader: tuple[Point, ...] = ()

    @property
    def baselines(self) -> tuple[Point, ...]:
        """The middle of the baseline of each line, from the top, for text that does not run along a curve."""
        x, y = self.at
        top = y - CAPITAL / 2 * self.size + LEADING * self.size * (len(self.lines) - 1) / 2
        return tuple((x, round(top - LEADING * self.size * i)) for i in range(len(self.lines)))


@dataclass(frozen=True, slots=True)
class RoutePlacement:
    """The way of a move between two locations: the places through which a smooth line runs, its ends left out.

    Without places it is a plain bend. `aside` is how far the line keeps to its left, so that two that meet do not lie
    on each other.
    """

    places: tuple[Point, ...] = ()
    aside: int = 0


@dataclass(frozen=True)
class Placements:
    """The placements of a map; immutable.

    `names` has an entry where the full name has room, `codes` one for every space. `units` is where a unit stands,
    by location: the bare space and each of its coasts; `dislodged` where it stands when another took its place.
    `centres` is the supply-centre mark. `corners` is the point of each corner by `str(corner)`.
    `routes` has the way of each move that is known, by its two locations in order.
    `small_codes` and `small_centres` are the codes and the marks of centres in a small picture, as on a phone.
    `small_units` is where a unit stands there, by location, if it is not where it stands otherwise.
    `detail` says how finely lines of the figure are drawn, see `draw.paths`; it can be worked out at any time.
    `unit` and `mark` are the radii of the disc round a unit and of the mark of a centre.
    """

    names: Mapping[Code, LabelPlacement]
    codes: Mapping[Code, LabelPlacement]
    units: Mapping[Location, Point]
    dislodged: Mapping[Location, Point]
    centres: Mapping[Code, Point]
    corners: Mapping[str, Point] = field(default_factory=dict)
    unit: int = 1
    mark: int = 1
    routes: Mapping[tuple[Location, Location], RoutePlacement] = field(default_factory=dict)
    small_codes: Mapping[Code, LabelPlacement] = field(default_factory=dict)
    small_centres: Mapping[Code, Point] = field(default_factory=dict)
    small_units: Mapping[Location, Point] = field(default_factory=dict)
    detail: Mapping[str, str] = field(default_factory=dict)

    def with_corners(self) -> "Placements":
        """Return these placements with room for units in the corners: on the node, and beside it for dislodged ones."""
        points = {Location(Code(name)): at for name, at in self.corners.items()}
        beside = {location: (x + self.unit, y + self.unit) for location, (x, y) in points.items()}
        return replace(self, units={**self.units, **points}, dislodged={**self.dislodged, **beside})

    def to_json(self) -> str:
        """Return the placements as JSON text, a line for each; the same placements always give the same text."""
        tables: dict[str, Mapping[Any, object]] = {
            "names": {code: _label_out(label) for code, label in self.names.items()},
            "codes": {code: _label_out(label) for code, label in self.codes.items()},
            "units": {str(location): point for location, point in self.units.items()},
            "dislodged": {str(location): point for location, point in self.dislodged.items()},
            "centres": self.centres,
            "corners": self.corners,
            "small_codes": {code: _label_out(label) for code, label in self.small_codes.items()},
            "small_centres": self.small_centres,
            "small_units": {str(location): point for location, point in self.small_units.items()},
            "routes": {f"{a} - {b}": _route_out(route) for (a, b), route in self.routes.items()},
            "detail": self.detail,
        }
        rows = [f'"format":{dump_json(FORMAT)}', f'"unit":{self.unit}', f'"mark":{self.mark}']
        for title, table in tables.items():
            lines = ",\n".join(f"{dump_json(key)}:{dump_json(value)}" for key, value in sorted(table.items()))
            rows.append(f'"{title}":{{\n{lines}\n}}')
        return "{\n" + ",\n".join(rows) + "\n}\n"

    @classmethod
    def from_json(cls, text: str) -> "Placements":
        """Read the output of `to_json`.

        Raise InvalidFigure if the text is not JSON of this form.
        """
        with reading("the list of placements", "Placements.to_json"):
            data = load_json(text, "the list of placements", FORMAT)
            return cls(
                names={Code(code): _label_in(label) for code, label in data["names"].items()},
                codes={Code(code): _label_in(label) for code, label in data["codes"].items()},
                units={Location.from_text(name): point_in(point) for name, point in data["units"].items()},
                dislodged={Location.from_text(name): point_in(point) for name, point in data["dislodged"].items()},
                centres={Code(code): point_in(point) for code, point in data["centres"].items()},
                corners={name: point_in(point) for name, point in data["corners"].items()},
                small_codes={Code(code): _label_in(label) for code, label in data.get("small_codes", {}).items()},
                small_centres={Code(code): point_in(point) for code, point in data.get("small_centres", {}).items()},
                small_units={
                    Location.from_text(name): point_in(at) for name, at in data.get("small_units", {}).items()
                },
                routes={_ends(name): _route_in(route) for name, route in data.get("routes", {}).items()},
                detail={name: text_in(digits) for name, digits in data.get("detail", {}).items()},
                unit=whole_in(data["unit"]),
                mark=whole_in(data["mark"]),
            )


def point_of(table: Mapping[Location, Point], location: Location) -> Point:
    """Return the placement of a location, or of its space where it has none of its own, or of any coast of it."""
    for key in (location, Location(location.space)):
        if key in table:
            return table[key]
    return next(point for key, point in table.items() if key.space == location.space)


def rooms(tokens: Sequence[tuple[object, Point]], unit: int, most: float, least: float = LEAST_ROOM) -> list[float]:
    """Return the largest scale of each of some tokens, as a multiple of a disc of radius `unit`, clear of one another.

    No more than `most` and no less than `least`. Each token is whose it is and where; those of one owner never meet.
    """
    sizes = []
    for owner, (x, y) in tokens:
        away = 2 * most * unit + 1
        for other, (ox, oy) in tokens:
            if other != owner and abs(ox - x) < away and abs(oy - y) < away:
                away = min(away, hypot(ox - x, oy - y))
        sizes.append(min(max(away / 2 / (unit * TOKEN), least), most))
    return sizes


def small_rooms(placements: Placements) -> Mapping[Location, float]:
    """Return each location's token scale, in discs, in a small picture where all spaces have units.

    It stands clear of the codes and of the marks of centres there.
    """
    moved = placements.small_units
    units = {loc: moved.get(loc, at) for loc, at in placements.units.items() if loc.space not in placements.corners}
    sizes = rooms([(loc.space, at) for loc, at in units.items()], placements.unit, LARGEST)
    return {loc: free_room(placements, at, size) for (loc, at), size in zip(units.items(), sizes, strict=True)}


def free_room(placements: Placements, at: Point, most: float = LARGEST) -> float:
    """Return the scale, in discs, of a token at a place in a small picture, clear of the codes and marks there."""
    unit = placements.unit * TOKEN
    away = most * unit
    for label in placements.small_codes.values():
        if dist(label.at, at) < away + 3 * label.size:
            away = min(away, _away(label, at) - BESIDE * label.size)
    for mark in placements.small_centres.values():
        away = min(away, dist(mark, at) - LARGER_MARK * placements.mark)
    return min(max(away / unit, LEAST_ROOM), most)


def _away(label: LabelPlacement, at: Point) -> float:
    """Return the distance of a place from a code."""
    dx, dy = at[0] - label.at[0], at[1] - label.at[1]
    c, s = cos(radians(label.turn)), sin(radians(label.turn))
    along, across = abs(dx * c + dy * s), abs(dy * c - dx * s)
    return hypot(
        max(along - width_of(label.lines[0]) * label.size / 2, 0.0), max(across - CAPITAL * label.size / 2, 0.0)
    )


@dataclass(frozen=True)
class PlacementHints:
    """Wishes of a variant's author: `centres` are places for centre marks, `lines` the lines a name is set in."""

    centres: Mapping[Code, Point] = field(default_factory=dict)
    lines: Mapping[Code, tuple[tuple[str, ...], ...]] = field(default_factory=dict)


def hints_from(table: Mapping[str, Any], figure: Figure) -> PlacementHints:
    """Return the hints of a `placements.toml`: tables `centres` (longitude and latitude) and `lines` (line breaks).

    Raise InvalidFigure for an unknown table or face, or a place on a figure without a projection.
    """
    for title, entries in table.items():
        if title not in ("centres", "lines"):
            raise InvalidFigure(f"the hints have no table {title!r}; they are centres and lines")
        if not isinstance(entries, dict):
            raise InvalidFigure(f"{title!r} is {entries!r}; it must be a table with the codes of spaces")
        for code in entries:
            if code not in figure.faces and not (title == "lines" and code in figure.waters):
                raise InvalidFigure(f"the hints name {code}, but the figure has no such face")
    places: dict[Code, Point] = {}
    for code, at in table.get("centres", {}).items():
        if figure.projection is None:
            raise InvalidFigure("the hints place centres by longitude and latitude, but the figure has no projection")
        match at:
            case [int() | float() as lon, int() | float() as lat] if -180 <= lon <= 180 and -90 < lat < 90:
                x, y = figure.projection(lon, lat)
            case _:
                raise InvalidFigure(f"'centres.{code}' is {at!r}; a place is [longitude, latitude] in degrees")
        places[Code(code)] = (round(x * UNIT), round(y * UNIT))
    lines: dict[Code, tuple[tuple[str, ...], ...]] = {}
    for code, ways in table.get("lines", {}).items():
        if not isinstance(ways, list) or not all(isinstance(way, list) and 1 <= len(way) <= 2 for way in ways):
            raise InvalidFigure(f"'lines.{code}' is {ways!r}; it is a list of ways, each a list of one or two lines")
        lines[Code(code)] = tuple(tuple(map(text_in, way)) for way in ways)
    return PlacementHints(places, lines)


def along(curve: tuple[Point, ...], steps: int = 24) -> tuple[tuple[float, float], ...]:
    """Return points along a quadratic Bezier, at even steps of its length, both ends included."""
    (x0, y0), (x1, y1), (x2, y2) = curve
    fine = [
        ((1 - t) ** 2 * x0 + 2 * t * (1 - t) * x1 + t * t * x2, (1 - t) ** 2 * y0 + 2 * t * (1 - t) * y1 + t * t * y2)
        for t in (i / 64 for i in range(65))
    ]
    return tuple(_evenly(fine, steps))


def _evenly(line: list[tuple[float, float]], steps: int) -> Iterator[tuple[float, float]]:
    lengths = [dist(a, b) for a, b in pairwise(line)]
    step, walked, i = sum(lengths) / steps, 0.0, 0
    yield line[0]
    for n in range(1, steps):
        while i < len(lengths) - 1 and walked + lengths[i] < n * step:
            walked += lengths[i]
            i += 1
        share = (n * step - walked) / lengths[i] if lengths[i] else 0.0
        (ax, ay), (bx, by) = line[i], line[i + 1]
        yield ax + (bx - ax) * share, ay + (by - ay) * share
    yield line[-1]


def _label_out(lettering: LabelPlacement) -> dict[str, object]:
    data: dict[str, object] = {"lines": lettering.lines, "at": lettering.at, "size": lettering.size}
    if lettering.curve:
        data["curve"] = lettering.curve
    if lettering.spacing:
        data["spacing"] = lettering.spacing
    if lettering.turn:
        data["turn"] = lettering.turn
    if lettering.leader:
        data["leader"] = lettering.leader
    return data


def _route_out(route: RoutePlacement) -> list[object]:
    return [route.aside, *route.places] if route.places else []


def _route_in(data: Sequence[Any]) -> RoutePlacement:
    return RoutePlacement(tuple(map(point_in, data[1:])), whole_in(data[0])) if data else RoutePlacement()


def _ends(name: str) -> tuple[Location, Location]:
    first, _, last = name.partition(" - ")
    return Location.from_text(first), Location.from_text(last)


def _label_in(data: Mapping[str, Any]) -> LabelPlacement:
    lines, curve = tuple(text_in(line) for line in data["lines"]), tuple(point_in(p) for p in data.get("curve", ()))
    if len(lines) not in (1, 2) or len(curve) not in (0, 3) or (curve and len(lines) > 1):
        raise InvalidFigure(
            f"the lettering {' / '.join(lines)!r} has {len(lines)} lines and {len(curve)} points of a curve; it has "
            "one or two lines, and a single line may have a curve of three points"
        )
    turn, leader = whole_in(data.get("turn", 0)), tuple(point_in(p) for p in data.get("leader", ()))
    if (turn and (len(lines) > 1 or curve)) or len(leader) not in (0, 2):
        raise InvalidFigure(
            f"the lettering {' / '.join(lines)!r} is turned by {turn} and has a leader of {len(leader)} points; a "
            "single straight line may be turned, and a leader has two points"
        )
    spacing = whole_in(data.get("spacing", 0))
    return LabelPlacement(lines, point_in(data["at"]), whole_in(data["size"]), curve, spacing, turn, leader)
