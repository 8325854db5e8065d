"""Bake the base lands of all maps: Natural Earth's coasts and borders as small committed files, one a region.

Run once, by hand: `python scripts/bake_land.py`.
It asks npm for the package `world-atlas` (Natural Earth 1:10m as TopoJSON, public domain), keeps what lies in each
of the regions, leaves out what no drawn map shows (Visvalingam and Whyatt 1993, all coasts at once, so that none comes
to cross another), and writes a file for each region to `src/plenipo/maps/data`.
Npm is not needed afterwards: the map compiler reads only a written file and a `map.toml`.
The files hold degrees, not map coordinates, so that every map may choose its own projection and frame.
"""

import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, pairwise
from pathlib import Path
from typing import Any

from shapely import LineString, Polygon, box, coverage_simplify, get_parts, make_valid
from shapely.geometry.base import BaseGeometry
from shapely.ops import linemerge, unary_union

from packages import fetch

PACKAGE = "world-atlas@2.0.2"
FOLDER = Path(__file__).parents[1] / "src" / "plenipo" / "maps" / "data"
UNIT = 1000
"""Written integers are thousandths of a degree."""

Line = list[tuple[float, float]]
Extent = tuple[float, float, float, float]
"""West, south, east and north end of an area, in degrees."""


@dataclass(frozen=True)
class Region:
    """A file of base land: the area it covers, and the area `near` within, which is drawn in detail.

    A bend of coast is removed if its triangle is smaller than the square of so many degrees: `detail` near,
    `far_detail` elsewhere. Borders differ from the true ones by less. Islands below `smallest` square degrees are left
    out.
    """

    name: str
    extent: Extent
    near: Extent
    detail: float = 0.010
    far_detail: float = 0.06
    smallest: float = 0.0015


REGIONS = (
    Region("land", (-75, -12, 112, 84), (-30, 8, 66, 73)),
    Region("far_east", (104, 16, 152, 54), (128.3, 30, 146.2, 46), detail=0.007),
    Region("americas", (-93, -60, -30, 24), (-82, -35, -77, -32), detail=0.002, far_detail=0.03, smallest=0.0045),
)
"""The Atlantic to central Asia, with Europe in detail; the Pacific coast of Asia, with Japan in detail; Yucatan to Cape
Horn, finest round Juan Fernandez, which a board draws many times as large as it is."""


class Topology:
    """A TopoJSON file: shared arcs, and geometries that refer to them by number."""

    def __init__(self, path: Path) -> None:
        self.data: dict[str, Any] = json.loads(path.read_text())
        (kx, ky), (x0, y0) = self.data["transform"]["scale"], self.data["transform"]["translate"]
        self.arcs: list[Line] = []
        for deltas in self.data["arcs"]:
            xs, ys = accumulate(d[0] for d in deltas), accumulate(d[1] for d in deltas)
            self.arcs.append([(x * kx + x0, y * ky + y0) for x, y in zip(xs, ys, strict=True)])

    def ring(self, numbers: Sequence[int]) -> Line:
        """Return the closed line of several arcs; `~n` is arc n backwards.

        A ring that runs across the date line is continued beyond 180 degrees east.
        """
        points: Line = []
        for number in numbers:
            arc = self.arcs[number] if number >= 0 else self.arcs[~number][::-1]
            points.extend(arc[1:] if points else arc)
        if any(abs(a[0] - b[0]) > 180 for a, b in pairwise(points)):
            return [(x + 360 if x < -100 else x, y) for x, y in points]
        return points

    def geometries(self, name: str) -> list[dict[str, Any]]:
        """Return the geometries of the object `name`."""
        found: list[dict[str, Any]] = self.data["objects"][name]["geometries"]
        return found

    def polygons(self, name: str) -> Iterator[Polygon]:
        """Yield every polygon of the object `name`."""
        for geometry in self.geometries(name):
            parts = [geometry["arcs"]] if geometry["type"] == "Polygon" else geometry["arcs"]
            for rings in parts:
                shell, *holes = (self.ring(ring) for ring in rings)
                yield Polygon(shell, holes)


def polygons_in(geometry: BaseGeometry) -> list[Polygon]:
    """Return the polygons of a geometry at any depth."""
    return [p for p in get_parts(get_parts(geometry)) if isinstance(p, Polygon) and not p.is_empty]


def land(topology: Topology, region: Region) -> list[Polygon]:
    """Return the land inside a region, largest first."""
    found: list[Polygon] = []
    for polygon in topology.polygons("land"):
        cut = make_valid(polygon).intersection(box(*region.extent))
        found.extend(p for p in polygons_in(cut) if p.area >= region.smallest)
    near = box(*region.near)
    pieces = [part for p in found for side in (p.intersection(near), p.difference(near)) for part in polygons_in(side)]
    seen = [near.contains(p.representative_point()) for p in pieces]
    # at the seam of two detail levels the ends are shared, so that the pieces join exactly
    simple = [
        part
        for detail, which in ((region.detail, True), (region.far_detail, False))
        for p in coverage_simplify([p for p, is_near in zip(pieces, seen, strict=True) if is_near == which], detail)
        for part in polygons_in(p)
    ]
    return sorted(polygons_in(unary_union(simple)), key=lambda p: (-p.area, p.bounds))


def borders(topology: Topology, region: Region) -> dict[str, list[Line]]:
    """Return the land borders inside a region, by pair of countries (`France|Spain`)."""
    arcs: dict[str, set[int]] = defaultdict(set)
    for geometry in topology.geometries("countries"):
        parts = [geometry["arcs"]] if geometry["type"] == "Polygon" else geometry["arcs"]
        arcs[geometry["properties"]["name"]] |= {n if n >= 0 else ~n for part in parts for ring in part for n in ring}
    extent = box(*region.extent)
    near = box(*region.near)
    found: dict[str, list[Line]] = {}
    for a, b in combinations(sorted(arcs), 2):
        lines = [LineString(topology.arcs[n]) for n in sorted(arcs[a] & arcs[b])]
        if lines and all(extent.contains(line) for line in lines):
            merged = linemerge(lines)
            whole = [merged] if isinstance(merged, LineString) else list(merged.geoms)
            found[f"{a}|{b}"] = [
                [(x, y) for x, y in line.simplify(region.detail if near.intersects(line) else region.far_detail).coords]
                for line in whole
            ]
    return found


def deltas(line: Sequence[tuple[float, ...]]) -> list[int]:
    """Return a line as integers: the first point, then the steps; repeated points are dropped."""
    points: list[tuple[int, int]] = []
    for x, y in line:
        point = (round(x * UNIT), round(y * UNIT))
        if not points or points[-1] != point:
            points.append(point)
    steps = [points[0], *((b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points))]
    return [value for step in steps for value in step]


def write(region: Region, polygons: Sequence[Polygon], lines: dict[str, list[Line]]) -> None:
    """Write the file of a region."""
    head = {
        "note": "Made with Natural Earth (public domain), by scripts/bake_land.py from world-atlas 2.0.2.",
        "unit": f"1/{UNIT} degree, longitude and latitude, each line as its first point and then steps",
        "extent": list(region.extent),
    }
    rows = [json.dumps([deltas(r.coords) for r in (p.exterior, *p.interiors)], separators=(",", ":")) for p in polygons]
    pairs = [
        f"{json.dumps(pair)}:{json.dumps([deltas(r) for r in found], separators=(',', ':'))}"
        for pair, found in lines.items()
    ]
    text = json.dumps(head, indent=0)[:-2] + ',\n"land": [\n' + ",\n".join(rows) + '\n],\n"borders": {\n'
    target = FOLDER / f"{region.name}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text + ",\n".join(pairs) + "\n}\n}\n")
    print(f"{target}: {len(rows)} pieces of land, {len(pairs)} borders, {target.stat().st_size // 1000} kB")


def main() -> None:
    """Fetch the data, simplify it and write a file for each region."""
    with tempfile.TemporaryDirectory() as name:
        package = fetch(PACKAGE, Path(name))
        coasts, countries = Topology(package / "land-10m.json"), Topology(package / "countries-10m.json")
    for region in REGIONS:
        write(region, land(coasts, region), borders(countries, region))


if __name__ == "__main__":
    main()
