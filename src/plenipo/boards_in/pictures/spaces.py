"""The spaces that a division shows: their names and codes, land and sea, centres and homes, as far as they can be read.

A text in a region is its name, a small symbol that is repeated its centre, and a fill the home of a power.
"""

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
import shapely

from plenipo.boards_in.drafts import CODE, RESERVED, clean_name, make_codes
from plenipo.boards_in.pictures.answers import CoastPoints, PictureAnswers
from plenipo.boards_in.pictures.colours import colour_name, difference, is_watery, oklab
from plenipo.boards_in.pictures.drawing import Drawing, Label, Shape
from plenipo.boards_in.pictures.regions import Division, Region
from plenipo.boards_in.values import ImportedBoard

__all__ = ["PictureSpace", "describe_spaces", "find_powers"]

MADE_UP = re.compile(
    r"(path|rect|g|polygon|polyline|use|circle|ellipse|svg|shape|layer|text|line|image|object|compound|xmlid|svgid)?"
    r"[\W_]*[\da-f]*[\W_\d]*",
    re.IGNORECASE,
)
"""Ids that programs make up."""

SEA_NAMES = re.compile(
    r"\b(seas?|oceans?|gulf|bay|channel|straits?|sound|mediterranean|atlantic|pacific|lake|lac|basin|passage|waters?"
    r"|mer|mare?|meer|golfe?|golfo|bucht|baie|ozean|océan|océano)\b|sea$|meer$",
    re.IGNORECASE,
)
SEA_WORDS = {"sea", "seas", "water", "waters", "ocean", "oceans"}
SCALES = (1.0, 0.5, 2.0, 0.25, 4.0)
"""A list may have its places in a picture of another size."""

LAND_WORDS = {"land", "lands", "nopower", "neutral", "coast", "inland", "province", "provinces"}
CLOSED_WORDS = {"impassable", "impassible", "unplayable", "impasse"}
CENTRE_WORDS = {"centre", "centres", "center", "centers", "supply", "sc", "scs", "province-centers", "supplycenters"}
FEW = 8
"""On a map with more land than this, colours of which each is there about once are no homes."""

UNIT_WORDS = {"unit", "units", "army", "armies", "fleet", "fleets"}


@dataclass
class PictureSpace:
    """A region as a space; `sure` is false while its kind is only guessed by its colour."""

    region: Region
    at: tuple[float, float]
    code: str = ""
    name: str = ""
    kind: str = ""
    centre: bool = False
    coasts: str = ""
    shores: CoastPoints = ()
    sure: bool = True
    look: Shape | None = None
    """The shape that is seen at its middle: its own, or if that is hidden, the one that is painted there."""

    @property
    def fill(self) -> str:
        """The colour of the region, '' for none."""
        return self.look.fill if self.look is not None else ""

    @property
    def words(self) -> set[str]:
        """The words in the classes and layers of its shape and of the parts seen there."""
        return _words(self.region.shape) | _words(self.look)


def describe_spaces(
    division: Division, drawing: Drawing, answers: PictureAnswers, listed: ImportedBoard | None = None
) -> list[PictureSpace]:
    """Return a space for each region of a division, in its order, as the picture or an answer describes it."""
    spaces = [PictureSpace(region, _middle(region.geometry)) for region in division.regions]
    tree = shapely.STRtree([region.geometry for region in division.regions])
    _answer(spaces, tree, answers)
    _look(spaces, drawing)
    _name(spaces, tree, drawing.labels, division)
    for space in spaces:
        if not space.kind:
            space.kind = _kind_by_words(space)
    _tell_seas(spaces)
    if listed is not None:
        _name_by_list(spaces, tree, listed)
    if not any(space.centre for space in spaces):
        _find_centres(spaces, tree, division)
    _make_codes(spaces)
    return spaces


def _look(spaces: Sequence[PictureSpace], drawing: Drawing) -> None:
    """Note the shape that is seen in the middle of each space, its own if that is painted."""
    painted = [shape for shape in drawing.shapes if shape.closed and shape.fill and not shape.hidden]
    tree = shapely.STRtree([shape.geometry for shape in painted])
    for space in spaces:
        shape = space.region.shape
        if shape is None or not shape.hidden:
            space.look = shape
            continue
        under = tree.query(shapely.Point(space.at), predicate="intersects").tolist()
        large = [i for i in under if painted[i].geometry.area > 0.2 * space.region.geometry.area]
        space.look = painted[max(large)] if large else None


def _make_codes(spaces: Sequence[PictureSpace]) -> None:
    """Give each space without a code one made of its name, and to one without a name a number."""
    taken = {space.code for space in spaces if space.code}
    names = {str(i): space.name for i, space in enumerate(spaces) if space.name and not space.code}
    codes = make_codes(names, taken)
    taken |= set(codes.values())
    numbers = {"sea": count(1), "land": count(1)}
    for i, space in enumerate(spaces):
        kind = "sea" if space.kind == "sea" else "land"
        while not space.code and (str(i) not in codes):
            number = next(numbers[kind])
            if (code := f"{kind[0].upper()}{number:02}") not in taken:
                space.code, space.name = code, f"{kind.capitalize()} {number}"
        space.code = space.code or codes[str(i)]
        space.name = space.name or space.code


def _middle(geometry: Any) -> tuple[float, float]:
    """Return a point well inside the largest piece of a region."""
    largest = max(shapely.get_parts(geometry).tolist(), key=lambda part: part.area)
    size = largest.area**0.5
    line = shapely.maximum_inscribed_circle(largest.simplify(size / 50), tolerance=size / 20)
    point = shapely.Point(line.coords[0])
    if not largest.contains(point):
        point = largest.representative_point()
    return round(point.x, 2), round(point.y, 2)


def _answer(spaces: Sequence[PictureSpace], tree: Any, answers: PictureAnswers) -> None:
    """Give the spaces what the answers say of them."""
    answered: set[int] = set()
    for code, said in answers.spaces.items():
        for i in sorted(tree.query(shapely.Point(said.at), predicate="intersects").tolist()):
            if i not in answered:
                space = spaces[i]
                space.code, space.name, space.kind = code, said.name, said.kind
                space.centre, space.coasts, space.at = said.centre, said.coasts, said.at
                space.shores = said.shores
                answered.add(i)
                break


# ---------------------------------------------------------------- names and lists


def _name_by_list(spaces: Sequence[PictureSpace], tree: Any, listed: ImportedBoard) -> None:
    """Give spaces the code, name, kind, centre and coasts of those in a list that they are.

    They are found by code or name, else by the place that the list gives.
    """
    by_word: dict[str, PictureSpace] = {}
    for space in spaces:
        for word in (space.name, space.code):
            by_word.setdefault(_plain(word), space)
    found: dict[str, PictureSpace] = {}
    for code, said in listed.spaces.items():
        for word in (code, said.name, *said.aliases):
            match = by_word.get(_plain(word)) if _plain(word) else None
            if match is not None and match not in found.values():
                found[code] = match
                break
    free = {code: said.at for code, said in listed.spaces.items() if code not in found and said.at is not None}
    taken = {id(space) for space in found.values()}
    for code, number in _by_place(free, tree).items():
        if id(spaces[number]) not in taken:
            found[code] = spaces[number]
            taken.add(id(spaces[number]))
    codes = {space.code for space in spaces if id(space) not in taken}
    for code, space in found.items():
        said = listed.spaces[code]
        space.code, space.name, space.sure = code, said.name, True
        space.kind = "impassable" if said.impassable else "sea" if said.kind == "sea" else "land"
        space.centre, space.coasts = said.centre, "several" if len(said.coasts) > 1 else "one"
    for space in spaces:
        if id(space) not in taken and space.code in found:
            space.code = next(code for i in range(1, 10_000) if (code := f"X{i:02}") not in codes and code not in found)
            codes.add(space.code)
        if id(space) not in taken and space.sure is False:
            space.kind, space.sure = "off", True


def _by_place(places: Mapping[str, tuple[float, float]], tree: Any) -> dict[str, int]:
    """Return the region in which each place lies, at the scale at which most lie in regions of their own."""
    best: dict[str, int] = {}
    for scale in SCALES:
        found: dict[str, int] = {}
        for code, (x, y) in places.items():
            within = tree.query(shapely.Point(x * scale, -y * scale), predicate="intersects").tolist()
            if within and within[0] not in found.values():
                found[code] = within[0]
        if len(found) > len(best):
            best = found
    return best


def _plain(text: str) -> str:
    flat = unicodedata.normalize("NFKD", text.casefold())
    return re.sub(r"[^a-z0-9]", "", flat)


def _name(spaces: Sequence[PictureSpace], tree: Any, labels: Sequence[Label], division: Division) -> None:
    texts: dict[int, list[Label]] = defaultdict(list)
    shown = [label for label in labels if any(map(str.isalpha, label.text))]
    for label in shown:
        found = tree.query(shapely.Point(label.at), predicate="intersects").tolist()
        if not found:
            nearest = int(tree.nearest(shapely.Point(label.at)))
            if shapely.Point(label.at).distance(spaces[nearest].region.geometry) < 2 * label.size:
                found = [nearest]
        if found:
            texts[found[0]].append(label)
    usual = float(np.median([label.size for label in shown])) if shown else 0.0
    taken = {space.code for space in spaces if space.code}
    for i, space in enumerate(spaces):
        name, code = _names_of_shape(space.region.shape)
        written, short = _names_in(texts[i], usual)
        if space.region.shape is None and not written and (not space.region.from_lines or _is_rim(space, division)):
            space.kind = space.kind or "off"
        space.name = space.name or clean_name(name or written or short)
        for wanted in (code, short):
            if not space.code and wanted and wanted not in taken and wanted not in RESERVED:
                space.code = wanted
                taken.add(wanted)


def _is_rim(space: PictureSpace, division: Division) -> bool:
    """Tell whether a region is a thin strip along the frame."""
    left, top, right, bottom = division.frame
    size = max(right - left, bottom - top)
    edge = shapely.box(*division.frame).exterior
    area = space.region.geometry
    return bool(area.intersects(edge.buffer(size / 10_000)) and area.buffer(-size / 150).is_empty)


def _names_of_shape(shape: Shape | None) -> tuple[str, str]:
    """Return the name and the code among the names of a shape, '' for each that is not there."""
    name = code = ""
    for text in shape.names if shape is not None else ():
        plain = text.strip(" _").replace("_", " ")
        if MADE_UP.fullmatch(text):
            continue
        if re.fullmatch(r"_?([a-z]{2,4}|[A-Z]{2,4})", text.strip()) and CODE.fullmatch(plain.upper()):
            code = code or plain.upper()
        else:
            name = name or (plain if any(map(str.isupper, plain)) else plain.title())
    return name, code


def _names_in(labels: Sequence[Label], usual: float) -> tuple[str, str]:
    """Return the name and the code that texts in a region write."""
    short = [label.text for label in labels if re.fullmatch(r"[A-Z][A-Z0-9]{1,3}", label.text)]
    long = [label for label in labels if label.text not in short and sum(map(str.isalpha, label.text)) > 2]
    if not long:
        return "", short[0] if len(set(short)) == 1 else ""
    size = min((label.size for label in long), key=lambda size: abs(size - usual))
    same = sorted((label for label in long if abs(label.size - size) <= 0.15 * size), key=lambda label: label.at[1])
    return " ".join(dict.fromkeys(label.text for label in same[:3])), short[0] if short else ""


# ---------------------------------------------------------------- land and sea


def _words(shape: Shape | None) -> set[str]:
    if shape is None:
        return set()
    known = (*shape.classes, *(name for layer in shape.layers for name in layer))
    return {word for name in known for word in re.split(r"[\W_]+", name.lower())}


def _kind_by_words(space: PictureSpace) -> str:
    words = space.words
    if words & CLOSED_WORDS:
        return "impassable"
    if words & SEA_WORDS and not words & LAND_WORDS:
        return "sea"
    return "land" if words & LAND_WORDS and not words & SEA_WORDS else ""


def _tell_seas(spaces: Sequence[PictureSpace]) -> None:
    """Tell land from sea by the names of the spaces of one colour, and by the colour where there are no names."""
    groups: dict[str, list[PictureSpace]] = defaultdict(list)
    for space in spaces:
        if not space.kind:
            groups[space.fill].append(space)
    sizes = {fill: sum(space.region.geometry.area for space in group) for fill, group in groups.items()}
    blue = [fill for fill in groups if fill and is_watery(fill)]
    main = max(blue, key=sizes.__getitem__, default="")
    for fill, group in groups.items():
        named = [space for space in group if space.name]
        wet = sum(bool(SEA_NAMES.search(space.name)) for space in named)
        by_colour = bool(fill) and fill in blue and difference(fill, main) < 0.1
        if not fill:
            for space in group:
                space.kind = "sea" if SEA_NAMES.search(space.name) else "land"
                space.sure = bool(space.name)
        elif len(named) > 0.5 * len(group):
            wet_group = wet > (0.2 if by_colour else 0.5) * len(named)
            for space in group:
                space.kind = "sea" if wet_group else "land"
                space.sure = len(named) >= 3 or wet_group == by_colour
        else:
            for space in group:
                space.kind, space.sure = ("sea" if by_colour else "land"), False


# ---------------------------------------------------------------- centres and homes


def _find_centres(spaces: Sequence[PictureSpace], tree: Any, division: Division) -> None:
    """Find the symbol that stands once in each of many land spaces; these are the centres."""
    often: dict[str, list[Shape]] = defaultdict(list)
    for shape in division.rest:
        if shape.geometry.area < division.typical / 3:
            often[shape.symbol].append(shape)
    best: tuple[float, set[int]] = (0.0, set())
    for group in often.values():
        points = shapely.points([shapely.centroid(shape.geometry).coords[0] for shape in group])
        found = tree.query(points, predicate="intersects")[1].tolist()
        inland = Counter(i for i in found if spaces[i].kind == "land")
        words = set().union(*(_words(shape) | {name.lower() for name in shape.names} for shape in group))
        symbols = {word for shape in group for word in re.split(r"[\W_]+", shape.symbol.lower())}
        by_word = bool((words | symbols) & CENTRE_WORDS)
        if not by_word and (len(group) < 3 or (words | symbols) & UNIT_WORDS):
            continue
        once = sum(count == 1 for count in inland.values())
        if once < 0.85 * len(found) or (len(inland) < 3 and not by_word):
            continue
        weight = len(inland) * (10 if by_word else 1)
        if weight > best[0]:
            best = (weight, set(inland))
    for i in best[1]:
        spaces[i].centre = True


def find_powers(spaces: Sequence[PictureSpace]) -> Mapping[str, list[str]]:
    """Return the powers by name with their home centres: a fill of land with centres in it, but for the commonest."""
    land = [space for space in spaces if space.kind == "land"]
    centres = [space for space in land if space.centre]
    fills = Counter(space.fill for space in land)
    if len(land) > FEW and len(fills) > 0.6 * len(land):
        return {}
    common = max(fills, key=lambda fill: (fills[fill], -_chroma(fill), fill), default="")
    homes: dict[str, list[str]] = defaultdict(list)
    for space in centres:
        if space.fill and space.fill != common:
            homes[space.fill].append(space.code)
    taken: set[str] = set()
    found: dict[str, list[str]] = {}
    for fill, codes in sorted(homes.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        name = _shared_class(space for space in centres if space.fill == fill)
        name = name if name and name not in taken else colour_name(fill, taken)
        taken.add(name)
        found[name] = sorted(codes)
    return found


def _chroma(fill: str) -> float:
    return math.hypot(*oklab(fill)[1:]) if fill else 0.0


def _shared_class(spaces: Iterable[PictureSpace]) -> str:
    """Return the one class that all these spaces have and that can be the name of a power, '' for none."""
    shared: set[str] | None = None
    for space in spaces:
        classes = {name for shape in (space.region.shape, space.look) if shape is not None for name in shape.classes}
        shared = classes if shared is None else shared & classes
    words = [word for word in shared or () if re.fullmatch(r"[A-Za-z]{4,20}", word)]
    words = [word for word in words if word.lower() not in LAND_WORDS | SEA_WORDS | CLOSED_WORDS]
    return words[0].capitalize() if len(words) == 1 else ""
