"""The text of a map by its author: a `map.toml`, read and validated, nothing drawn yet.

A map is written as named corners and the bends of the edges between them. A corner is named by the faces that meet
there (`BEL/BUR/PIC`); `#` among them puts it beyond the frame; `:n` tells apart two corners of the same faces.
An edge is named by the two faces it divides (`BEL-BUR`) and runs between the corners that hold both names.
Coasts come from the base land, and from the rings of `[land.ground]`. Places are longitude and latitude in degrees,
or x and y in km where the projection is a plane.

A space that lies nowhere on the plane is a box (`[boxes]`): `at` is its middle and `size` its width and height, in
km of the projection as in `[frame]`; `links` are the faces it touches.

A map may extend another (`extends = "../standard/map.toml"`): tables are merged, `remove` lists corners and edges of
the base to leave out, and a `[projection]` or `[frame]` replaces that of the base.
"""

import hashlib
import json
import math
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from plenipo.engine.board import Coast, Code, Location
from plenipo.errors import InvalidFigure
from plenipo.maps.figure.boxes import Box
from plenipo.maps.figure.planar import BEYOND, UNIT, Mark, Point, codes_of, node_name
from plenipo.maps.figure.projection import Projection
from plenipo.maps.figure.values import code_in, reading
from plenipo.user_files import read_text

__all__ = [
    "BASES",
    "Authored",
    "AuthoredEdge",
    "LandSpec",
    "LonLat",
    "Scaling",
    "find_base_map",
    "map_digest",
    "merge",
    "read_map",
    "read_table",
]

VARIANTS = Path(__file__).parents[2] / "variants"
"""The folder of maps that are named in `extends` and not beside the map that extends them."""

BASES = ("land", "far_east", "americas")
"""The base lands: the Atlantic to central Asia, the Pacific coast of Asia with Japan, and Yucatan to Cape Horn."""

BY_HAND = "hand, as docs/board.md says"
"""The author of a map, for error messages."""

LonLat = tuple[float, float]
"""Longitude and latitude in degrees; x and y in km on a plane."""

PlaceReader = Callable[[str, object], LonLat]
"""Read a place, naming in an error where it stands."""


@dataclass(frozen=True, slots=True)
class Scaling:
    """A piece of land drawn larger or smaller than it is: the one round `at`, seen from `origin`.

    `by` is how many times, from west to east and from south to north.
    """

    at: LonLat
    by: tuple[float, float]
    origin: LonLat


@dataclass(frozen=True, slots=True)
class LandSpec:
    """The generalisation of the base land: lengths in km, areas in square km, polygons as rings of places by name.

    Inlets narrower than twice `close` are filled, necks and capes narrower than twice `open` are dropped, and lines
    are thinned by `thin`. Land smaller than `island` and water smaller than `lake` are decoration.
    The rings of `ground` are land that the base, named by `base`, does not have. Before that, `fill` is added to the
    land and `cut` taken away; the pieces of land round the places of `keep` stay apart from all others as decoration,
    those round the places of `drop` are left out. Those of `scale` are drawn larger or smaller than they are, so that a
    small island has room. Lines of places in `canal` are drawn as narrow water across the land; no border follows from
    them. Nor does any from what is drawn on the land for the eye: the lines of `river` and `ridge`, and the rings of
    `lakes`.
    """

    close: float
    open: float
    thin: float
    island: float
    lake: float
    ground: tuple[tuple[str, tuple[LonLat, ...]], ...] = ()
    fill: tuple[tuple[str, tuple[LonLat, ...]], ...] = ()
    cut: tuple[tuple[str, tuple[LonLat, ...]], ...] = ()
    keep: tuple[tuple[str, LonLat], ...] = ()
    drop: tuple[tuple[str, LonLat], ...] = ()
    scale: tuple[tuple[str, Scaling], ...] = ()
    canal: tuple[tuple[str, tuple[LonLat, ...]], ...] = ()
    lakes: tuple[tuple[str, tuple[LonLat, ...]], ...] = ()
    river: tuple[tuple[str, tuple[LonLat, ...]], ...] = ()
    ridge: tuple[tuple[str, tuple[LonLat, ...]], ...] = ()
    base: str = BASES[0]


@dataclass(frozen=True, slots=True)
class AuthoredEdge:
    """An authored edge: the two faces, the places it bends at or the modern border it follows, and its corners.

    `ends` is empty where only two corners hold both names.
    """

    name: str
    pair: tuple[Code, Code]
    via: tuple[LonLat, ...] = ()
    ref: str = ""
    ends: tuple[str, ...] = ()


@dataclass(frozen=True)
class Authored:
    """A whole map as written; places are longitude and latitude, but marks and boxes are those of the figure.

    The frame is west, south, east, north in km of the projection.
    """

    title: str
    seas: frozenset[Code]
    lands: frozenset[Code]
    projection: Projection
    frame: tuple[float, float, float, float]
    land: LandSpec
    corners: Mapping[str, LonLat]
    edges: Mapping[str, AuthoredEdge]
    impassable: Mapping[Code, str] = field(default_factory=dict)
    through: Mapping[Code, str] = field(default_factory=dict)
    offboard: Mapping[Code, str] = field(default_factory=dict)
    marks: tuple[Mark, ...] = ()
    boxes: tuple[Box, ...] = ()
    inside: Mapping[Code, LonLat] = field(default_factory=dict)

    def kind(self, corner: str) -> str:
        """Return the position of a corner: on the `frame`, in a `sea`, inside `land` or on a `coast`."""
        codes = codes_of(corner)
        if BEYOND in codes:
            return "frame"
        wet = {code in self.seas for code in codes}
        return "coast" if len(wet) == 2 else "sea" if wet == {True} else "land"

    def ends(self, edge: AuthoredEdge) -> tuple[str, ...]:
        """Return the corners an edge runs between: two, or one if it is a ring.

        Raise InvalidFigure if none, or too many, hold both names.
        """
        holding = [name for name in self.corners if set(edge.pair) <= set(codes_of(name))]
        if edge.ends:
            for name in edge.ends:
                if name not in holding:
                    raise InvalidFigure(f"edge {edge.name}: its end {name!r} is not a corner of {edge.pair}")
            return edge.ends
        if len(holding) == 1 and set(codes_of(holding[0])) == set(edge.pair):
            return tuple(holding)
        if len(holding) < 2:
            which = f"only corner {holding[0]} holds" if holding else "no corner holds"
            raise InvalidFigure(f"edge {edge.name} has a free end: {which} both names; two must")
        if len(holding) > 2:
            raise InvalidFigure(
                f"edge {edge.name}: {len(holding)} corners hold both names ({', '.join(holding)}); name its ends"
            )
        return tuple(holding)


@reading("the map", BY_HAND)
def read_map(path: Path) -> Authored:
    """Read a `map.toml` and every map it extends.

    Raises InvalidFigure naming the file, corner or edge that is wrong.
    """
    return read_table(_load(path, ()))


def map_digest(path: Path) -> str:
    """Return the beginning of the SHA-256 of a `map.toml` and the maps it extends, without comments."""
    text = json.dumps(_load(path, ()), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def find_base_map(path: Path) -> Path | None:
    """Return the file of the map that a `map.toml` extends, None if it stands alone; raise as reading TOML does."""
    named = tomllib.loads(read_text(path)).get("extends")
    return None if named is None else _base_of(path, str(named))


def _base_of(path: Path, named: str) -> Path:
    beside = path.parent / named
    return beside if beside.exists() else VARIANTS / named / "map.toml"


def _load(path: Path, above: tuple[Path, ...]) -> dict[str, Any]:
    if path.resolve() in above:
        raise InvalidFigure(f"the map {path} extends itself")
    try:
        table = tomllib.loads(read_text(path))
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidFigure(f"the map {path} cannot be read: {error}") from error
    if "extends" not in table:
        return table
    named = str(table.pop("extends"))
    base = _load(_base_of(path, named), (*above, path.resolve()))
    return merge(base, table)


def merge(base: Mapping[str, Any], table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the table of a map extended by another: see the head of this module."""
    merged = dict(base)
    for key, names in table.get("remove", {}).items():
        if key not in ("corners", "edges", "impassable", "lands", "seas"):
            raise InvalidFigure(f"remove.{key}: only corners, edges, impassable, lands and seas can be removed")
        for name in names:
            if name not in merged.get(key, ()):
                raise InvalidFigure(f"remove.{key}: the base has no {name!r}")
        entries = merged[key]
        merged[key] = (
            {k: v for k, v in entries.items() if k not in names}
            if isinstance(entries, dict)
            else [k for k in entries if k not in names]
        )
    gone = {name for key in ("lands", "seas") for name in table.get("remove", {}).get(key, ())}
    for key in ("coasts", "through", "impassable", "offboard", "inside"):  # the attributes of an area go with it
        entries = merged.get(key)
        if gone and isinstance(entries, dict):
            merged[key] = {k: v for k, v in entries.items() if k not in gone}
        elif gone and isinstance(entries, list):
            merged[key] = [k for k in entries if k not in gone]
    for key, value in table.items():
        if key == "remove":
            continue
        if key in ("seas", "lands"):
            merged[key] = [*merged[key], *value]
        elif isinstance(value, dict) and key not in ("projection", "frame"):
            merged[key] = {**merged.get(key, {}), **value}
        else:
            merged[key] = value
    return merged


FORMS: dict[str, tuple[type, str]] = {
    "title": (str, "a text"),
    **dict.fromkeys(("seas", "lands"), (list, "a list of codes")),
    **dict.fromkeys("impassable through offboard coasts boxes inside".split(), (dict, "a table by codes")),
    **dict.fromkeys("projection frame land corners edges".split(), (dict, "a table")),
}
"""The keys of a map, and the form of each."""


@reading("the map", BY_HAND)
def read_table(table: Mapping[str, Any]) -> Authored:
    """Read a map from the table its TOML makes.

    Raises InvalidFigure naming the corner, edge or key that is wrong.
    """
    for key in ("title", "seas", "lands", "projection", "frame", "land", "corners", "edges"):
        if key not in table:
            raise InvalidFigure(f"the map has no {key!r}; every map needs it")
    for key, value in table.items():
        if key not in FORMS:
            raise InvalidFigure(f"the map has a {key!r}, which no map has; known are {', '.join(sorted(FORMS))}")
        if not isinstance(value, FORMS[key][0]):
            raise InvalidFigure(f"{key!r} is {value!r}; it must be {FORMS[key][1]}")
    seas, lands = _codes("seas", table["seas"]), _codes("lands", table["lands"])
    if both := seas & lands:
        raise InvalidFigure(f"{min(both)} is listed among both seas and lands")
    known = seas | lands
    projection = Projection.from_json(table["projection"])
    place = _place_on_plane if projection.plane else _place
    corners = {_corner(name, known): place(f"corner {name}", at) for name, at in table["corners"].items()}
    edges = {name: _edge(name, value, seas, known, place) for name, value in table["edges"].items()}
    frame = table["frame"]
    authored = Authored(
        title=str(table["title"]),
        seas=seas,
        lands=lands,
        projection=projection,
        frame=(
            _number("frame", frame, "west"),
            _number("frame", frame, "south"),
            _number("frame", frame, "east"),
            _number("frame", frame, "north"),
        ),
        land=_land(table["land"], place),
        corners=corners,
        edges=edges,
        impassable=_reasons("impassable", table, known),
        through=_reasons("through", table, lands),
        offboard=_reasons("offboard", table, known),
        marks=tuple(_marks(table.get("coasts", {}), lands, projection, place)),
        boxes=tuple(_box(code, value, known) for code, value in table.get("boxes", {}).items()),
        inside={
            _check_code("inside", code, known): place(f"inside {code}", at)
            for code, at in table.get("inside", {}).items()
        },
    )
    _look_over(authored)
    return authored


def _look_over(authored: Authored) -> None:
    """Check that every face has a corner, and every border that two corners imply is authored once, with own ends."""
    named = {code for name in authored.corners for code in codes_of(name)}
    if absent := (authored.seas | authored.lands) - named:
        raise InvalidFigure(
            f"face {min(absent)} is in no corner, so it cannot be drawn; name its corners or take it out"
        )
    used: dict[tuple[str, tuple[Code, Code]], str] = {}
    for edge in authored.edges.values():
        for end in authored.ends(edge):
            if (end, edge.pair) in used:
                raise InvalidFigure(f"edges {used[end, edge.pair]} and {edge.name} both end at corner {end}")
            used[end, edge.pair] = edge.name
    for name in authored.corners:
        codes = [code for code in codes_of(name) if code != BEYOND]
        for a, b in combinations(codes, 2):
            mixed = (a in authored.seas) != (b in authored.seas)
            # some of the areas at a corner of four or more meet only in that point
            if not mixed and len(codes) < 4 and (name, (a, b)) not in used:
                raise InvalidFigure(
                    f"corner {name}: no edge {a}-{b} ends there; write it under edges, {{}} if straight"
                )


def _codes(key: str, value: Sequence[str]) -> frozenset[Code]:
    for code in value:
        if value.count(code) > 1:
            raise InvalidFigure(f"{key} lists {code} twice")
    return frozenset(map(code_in, value))


def _check_code(where: str, code: str, known: frozenset[Code]) -> Code:
    if code not in known:
        raise InvalidFigure(f"{where}: {code!r} is not among the areas of the map that may stand there")
    return Code(code)


def _corner(name: str, known: frozenset[Code]) -> str:
    codes = codes_of(name)
    for code in codes:
        if code != BEYOND and code not in known:
            raise InvalidFigure(f"corner {name}: {code!r} is neither among the seas nor among the lands of the map")
    canonical = node_name(set(codes), name.partition(":")[2])
    if len(codes) < 2 or name != canonical:
        raise InvalidFigure(f"corner {name}: write its two or more areas once each and sorted, as in {canonical}")
    return name


def _edge(
    name: str, value: Mapping[str, Any], seas: frozenset[Code], known: frozenset[Code], place: PlaceReader
) -> AuthoredEdge:
    pair = name.partition(":")[0].split("-")
    if len(pair) != 2 or pair != sorted(set(pair)):
        raise InvalidFigure(f"edge {name}: write its two areas sorted, with - between")
    a, b = (_check_code(f"edge {name}", code, known) for code in pair)
    if (a in seas) != (b in seas):
        raise InvalidFigure(f"edge {name} is a shore; shores are not authored, they come from the base land")
    if not isinstance(value, dict):
        raise InvalidFigure(f"edge {name}: {value!r} is not a table with via or ref, and ends")
    if extra := set(value) - {"via", "ref", "ends"}:
        raise InvalidFigure(f"edge {name} has no {min(extra)!r}; it has via or ref, and ends")
    if "via" in value and "ref" in value:
        raise InvalidFigure(f"edge {name} has both via and ref; it either bends or follows a border")
    via = tuple(place(f"edge {name}", at) for at in value.get("via", ()))
    return AuthoredEdge(name, (a, b), via, str(value.get("ref", "")), tuple(value.get("ends", ())))


def _place(where: str, value: object) -> LonLat:
    if isinstance(value, list | tuple) and len(value) == 2:
        lon, lat = value
        if isinstance(lon, int | float) and isinstance(lat, int | float) and -180 <= lon <= 180 and -90 <= lat <= 90:
            return float(lon), float(lat)
    raise InvalidFigure(f"{where}: {value!r} is not a place; a place is [longitude, latitude] in degrees")


def _place_on_plane(where: str, value: object) -> LonLat:
    match value:
        case [int() | float() as x, int() | float() as y] if math.isfinite(x) and math.isfinite(y):
            return float(x), float(y)
    raise InvalidFigure(f"{where}: {value!r} is not a place; a place on this map is [x, y] in km, east and north")


def _number(where: str, table: Mapping[str, Any], key: str) -> float:
    value = table.get(key)
    if not isinstance(value, int | float):
        raise InvalidFigure(f"{where}: {key} must be a number, and is {value!r}")
    return float(value)


def _reasons(key: str, table: Mapping[str, Any], known: frozenset[Code]) -> dict[Code, str]:
    return {_check_code(key, code, known): str(reason) for code, reason in table.get(key, {}).items()}


def _marks(
    table: Mapping[str, Any], lands: frozenset[Code], projection: Projection, place: PlaceReader
) -> Iterator[Mark]:
    for code, coasts in table.items():
        space = _check_code("coasts", code, lands)
        for coast, at in coasts.items():
            if coast != "reason":
                x, y = projection(*place(f"coast {code}/{coast}", at))
                yield Mark(space, Coast(coast), (round(x * UNIT), round(y * UNIT)), str(coasts.get("reason", "")))


def _box(code: str, table: Mapping[str, Any], known: frozenset[Code]) -> Box:
    where = f"box {code}"
    if extra := set(table) ^ {"at", "size", "links", "reason"}:
        raise InvalidFigure(f"{where}: it has at, size, links and reason, and {min(extra)!r} is missing or unknown")
    links = tuple(Location.from_text(str(text)) for text in table["links"])
    for link in links:
        _check_code(where, link.space, known)
    at, size = (_units(where, key, table[key]) for key in ("at", "size"))
    return Box(Code(code), at, size, links, str(table["reason"]))


def _units(where: str, key: str, value: object) -> Point:
    match value:
        case [int() | float() as x, int() | float() as y]:
            return round(x * UNIT), round(y * UNIT)
    raise InvalidFigure(f"{where}: {key} is two numbers of km, east and north, and is {value!r}")


def _land(table: Mapping[str, Any], place: PlaceReader) -> LandSpec:
    def lines(key: str) -> tuple[tuple[str, tuple[LonLat, ...]], ...]:
        rings = table.get(key, {})
        return tuple((name, tuple(place(f"land.{key} {name}", at) for at in ring)) for name, ring in rings.items())

    def places(key: str) -> tuple[tuple[str, LonLat], ...]:
        return tuple((name, place(f"land.{key} {name}", at)) for name, at in table.get(key, {}).items())

    if extra := set(table) - set(LandSpec.__dataclass_fields__):
        raise InvalidFigure(f"land has no {min(extra)!r}; it has {', '.join(LandSpec.__dataclass_fields__)}")
    base = table.get("base", BASES[0])
    if base not in BASES:
        raise InvalidFigure(f"land.base is {base!r}; it must be one of {', '.join(BASES)}")
    return LandSpec(
        **{key: _number("land", table, key) for key in ("close", "open", "thin", "island", "lake")},
        ground=lines("ground"),
        fill=lines("fill"),
        cut=lines("cut"),
        keep=places("keep"),
        drop=places("drop"),
        scale=tuple(
            (name, _scaling(f"land.scale {name}", value, place)) for name, value in table.get("scale", {}).items()
        ),
        canal=lines("canal"),
        lakes=lines("lakes"),
        river=lines("river"),
        ridge=lines("ridge"),
        base=base,
    )


def _scaling(where: str, table: Mapping[str, Any], place: PlaceReader) -> Scaling:
    if extra := set(table) ^ {"at", "by", "from"}:
        raise InvalidFigure(f"{where}: it has at, by and from, and {min(extra)!r} is missing or unknown")
    by = table["by"] if isinstance(table["by"], list) else [table["by"]] * 2
    if len(by) != 2 or not all(isinstance(times, int | float) and times > 0 for times in by):
        raise InvalidFigure(f"{where}: by is a number above 0 or two, [east, north], and is {table['by']!r}")
    return Scaling(place(where, table["at"]), (float(by[0]), float(by[1])), place(where, table["from"]))
