"""Where things stand on a drawn map: names, codes, units, supply-centre marks, corners; standard library only.

`lettering.label_search` finds them, a `placements.json` beside the figure stores them, and the drawing reads them.
All measures are units of the figure, x east and y north.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import dist
from typing import Any

from plenipo.engine.board import Code, Location
from plenipo.errors import InvalidFigure
from plenipo.maps.figure.segments import Point
from plenipo.maps.lettering.typeface import CAPITAL, LEADING

__all__ = ["LabelPlacement", "PlacementHints", "Placements", "along"]

FORMAT = "plenipo-placements-1"

EARLIER_FORMAT = "plenipo-seats-1"
"""What the same format was called before; it is still read."""


@dataclass(frozen=True, slots=True)
class LabelPlacement:
    """A name or a code as it is set on the map.

    `lines` are one or two lines, `at` is the centre of the block, `size` the font size, `spacing` what is added
    between letters (`letter-spacing`). A single line may run along a `curve`: the control points, left to right, of a
    quadratic Bezier that is its baseline, the text centred on it.
    """

    lines: tuple[str, ...]
    at: Point
    size: int
    curve: tuple[Point, ...] = ()
    spacing: int = 0

    @property
    def baselines(self) -> tuple[Point, ...]:
        """The middle of the baseline of each line, from the top, for text that does not run along a curve."""
        x, y = self.at
        top = y - CAPITAL / 2 * self.size + LEADING * self.size * (len(self.lines) - 1) / 2
        return tuple((x, round(top - LEADING * self.size * i)) for i in range(len(self.lines)))


@dataclass(frozen=True)
class Placements:
    """Where everything stands; immutable.

    `names` has an entry where the full name has room, `codes` one for every space. `units` is where a unit stands,
    by location: the bare space and each of its coasts; `dislodged` where it stands when another took its place.
    `centres` is the supply-centre mark. `corners` is the point of each corner by `str(corner)`.
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

    def with_corners(self) -> "Placements":
        """These placements with room for units in the corners: on the node itself, and beside it for dislodged ones."""
        points = {Location(Code(name)): at for name, at in self.corners.items()}
        beside = {location: (x + self.unit, y + self.unit) for location, (x, y) in points.items()}
        return replace(self, units={**self.units, **points}, dislodged={**self.dislodged, **beside})

    def to_json(self) -> str:
        """The placements as JSON text, a line for each; the same placements always give the same text."""
        tables: dict[str, Mapping[Any, object]] = {
            "names": {code: _lettering_out(found) for code, found in self.names.items()},
            "codes": {code: _lettering_out(found) for code, found in self.codes.items()},
            "units": {str(location): point for location, point in self.units.items()},
            "dislodged": {str(location): point for location, point in self.dislodged.items()},
            "centres": self.centres,
            "corners": self.corners,
        }
        rows = [f'"format":{_dump(FORMAT)}', f'"unit":{self.unit}', f'"mark":{self.mark}']
        for title, table in tables.items():
            lines = ",\n".join(f"{_dump(key)}:{_dump(value)}" for key, value in sorted(table.items()))
            rows.append(f'"{title}":{{\n{lines}\n}}')
        return "{\n" + ",\n".join(rows) + "\n}\n"

    @classmethod
    def from_json(cls, text: str) -> "Placements":
        """Read what `to_json` wrote.

        Raises InvalidFigure if the text is not JSON of this form.
        """
        try:
            data = _of_format(json.loads(text))
            return cls(
                names={Code(code): _lettering_in(found) for code, found in data["names"].items()},
                codes={Code(code): _lettering_in(found) for code, found in data["codes"].items()},
                units={Location.written(name): _point(point) for name, point in data["units"].items()},
                dislodged={Location.written(name): _point(point) for name, point in data["dislodged"].items()},
                centres={Code(code): _point(point) for code, point in data["centres"].items()},
                corners={str(name): _point(point) for name, point in data["corners"].items()},
                unit=_whole(data["unit"]),
                mark=_whole(data["mark"]),
            )
        except InvalidFigure:
            raise
        except KeyError as error:
            raise InvalidFigure(f"the placements lack {error}; they are written by Placements.to_json") from error
        except (AttributeError, TypeError, ValueError) as error:
            raise InvalidFigure(
                f"the placements cannot be read ({error}); they are written by Placements.to_json"
            ) from error


@dataclass(frozen=True)
class PlacementHints:
    """What a variant's author wishes: `centres` are places for centre marks, `lines` the lines a name is set in."""

    centres: Mapping[Code, Point] = field(default_factory=dict)
    lines: Mapping[Code, tuple[tuple[str, ...], ...]] = field(default_factory=dict)


def along(curve: tuple[Point, ...], steps: int = 24) -> tuple[tuple[float, float], ...]:
    """Points along a quadratic Bezier, at even steps of its length, both ends included."""
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


def _of_format(data: dict[str, Any]) -> dict[str, Any]:
    if data["format"] not in (FORMAT, EARLIER_FORMAT):
        raise InvalidFigure(f"placements of format {data['format']!r} cannot be read; this is {FORMAT!r}")
    return data


def _dump(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _lettering_out(lettering: LabelPlacement) -> dict[str, object]:
    found: dict[str, object] = {"lines": lettering.lines, "at": lettering.at, "size": lettering.size}
    if lettering.curve:
        found["curve"] = lettering.curve
    if lettering.spacing:
        found["spacing"] = lettering.spacing
    return found


def _lettering_in(data: Mapping[str, Any]) -> LabelPlacement:
    lines, curve = tuple(str(line) for line in data["lines"]), tuple(_point(p) for p in data.get("curve", ()))
    if len(lines) not in (1, 2) or len(curve) not in (0, 3) or (curve and len(lines) > 1):
        raise InvalidFigure(
            f"the lettering {' / '.join(lines)!r} has {len(lines)} lines and {len(curve)} points of a curve; it has "
            "one or two lines, and a single line may have a curve of three points"
        )
    return LabelPlacement(lines, _point(data["at"]), _whole(data["size"]), curve, _whole(data.get("spacing", 0)))


def _whole(value: object) -> int:
    if type(value) is not int:
        raise InvalidFigure(f"{value!r} is no measure of a placement; measures are whole numbers of 0.1 km")
    return value


def _point(value: Any) -> Point:
    x, y = value
    return _whole(x), _whole(y)
