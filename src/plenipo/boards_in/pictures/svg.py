"""SVG pictures: the shapes and texts of a file, with transforms, `use`, clip paths and styles resolved.

The XML is read without entities and without any other file; scripts and references that lead elsewhere are left out.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
import svgelements
from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

from plenipo.boards_in.pictures.drawing import Drawing, Label, Shape
from plenipo.boards_in.source_files import fault_at
from plenipo.engine.sentences import say
from plenipo.engine.wording import shorten

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

__all__ = ["read_svg"]

MOST_NUMBERS = 1_200_000
"""The most coordinates of a picture."""

MOST_SHAPES = 20_000
"""The most shapes of a picture, each copy counted."""

DEEPEST = 40
"""The deepest nesting of groups and copies."""

STEPS_ACROSS = 3_000
"""A curve is followed in steps of this share of the size of the picture."""

SHAPES = {"path", "rect", "circle", "ellipse", "polygon", "polyline", "line"}
UNPAINTED = {"defs", "symbol", "clipPath", "mask", "metadata", "marker", "pattern", "linearGradient", "radialGradient"}
GROUPS = {"g", "svg", "a", "switch"}
INHERITED = ("fill", "stroke", "stroke-width", "fill-rule", "visibility", "font-size", "text-anchor", "fill-opacity")
OWN = ("display", "opacity", "clip-path")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def _number(text: str | None, otherwise: float = 0.0) -> float:
    match = NUMBER.match((text or "").strip())
    value = float(match[0]) if match else otherwise
    return value if math.isfinite(value) else otherwise


def _local(name: object) -> str:
    return name.rpartition("}")[2] if isinstance(name, str) else ""


def _attributes(element: "Element") -> dict[str, str]:
    """Return the attributes by their local names; a label of an editor and a link keep theirs."""
    return {_local(name): value for name, value in element.attrib.items()}


def _declarations(text: str) -> dict[str, str]:
    pairs = (piece.partition(":") for piece in text.split(";"))
    return {name.strip().lower(): value.replace("!important", "").strip() for name, _, value in pairs if value}


class _Styles:
    """The rules of the style sheets in a picture, as far as each names one element, class or id."""

    def __init__(self, root: "Element") -> None:
        self.rules: dict[str, dict[str, str]] = {}
        for element in root.iter():
            if _local(element.tag) == "style":
                text = re.sub(r"/\*.*?\*/", " ", "".join(element.itertext()), flags=re.DOTALL)
                for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
                    for selector in selectors.split(","):
                        if re.fullmatch(r"[\w*]*[.#]?[\w-]*", selector.strip()):
                            self.rules.setdefault(selector.strip(), {}).update(_declarations(body))

    def of(self, tag: str, attributes: Mapping[str, str]) -> dict[str, str]:
        """Return what applies to an element by its attributes, the sheets and its own style, later ones stronger."""
        found = {name: attributes[name] for name in (*INHERITED, *OWN) if name in attributes}
        classes = attributes.get("class", "").split()
        for selector in (tag, *(f".{name}" for name in classes), *(f"{tag}.{name}" for name in classes)):
            found |= self.rules.get(selector, {})
        if attributes.get("id"):
            found |= self.rules.get(f"#{attributes['id']}", {})
        return found | _declarations(attributes.get("style", ""))


@dataclass(frozen=True, slots=True)
class _SvgContext:
    """All that an element has from the elements around it."""

    matrix: Any
    style: Mapping[str, str] = field(default_factory=dict)
    layers: tuple[tuple[str, ...], ...] = ()
    clip: Any = None
    symbol: str = ""
    names: tuple[str, ...] = ()
    hidden: bool = False
    depth: int = 0


class _SvgReader:
    """One reading of a picture."""

    def __init__(self, root: "Element", path: str) -> None:
        self.root, self.path = root, path
        self.styles = _Styles(root)
        self.by_id = {element.get("id", ""): element for element in root.iter() if element.get("id")}
        self.shapes: list[Shape] = []
        self.labels: list[Label] = []
        self.notes: dict[str, None] = {}
        self.frame = self._frame()
        self.step = max(self.frame[2] - self.frame[0], self.frame[3] - self.frame[1]) / STEPS_ACROSS

    def _frame(self) -> tuple[float, float, float, float]:
        box = [float(text) for text in NUMBER.findall(self.root.get("viewBox", ""))]
        if len(box) == 4 and box[2] > 0 and box[3] > 0:
            return box[0], box[1], box[0] + box[2], box[1] + box[3]
        width, height = _number(self.root.get("width")), _number(self.root.get("height"))
        if "%" not in self.root.get("width", "") and width > 0 and height > 0:
            return 0.0, 0.0, width, height
        return 0.0, 0.0, 1_000.0, 1_000.0

    def drawing(self) -> Drawing:
        """Return everything that is painted."""
        self._walk(self.root, _SvgContext(svgelements.Matrix()))
        return Drawing(tuple(self.shapes), tuple(self.labels), self.frame, tuple(self.notes))

    def _walk(self, element: "Element", place: _SvgContext) -> None:
        tag, attributes = _local(element.tag), _attributes(element)
        if not tag or (tag in UNPAINTED and not place.symbol):
            return
        if tag in ("script", "foreignObject", "image", "animate", "animateTransform"):
            self.notes[say("not read: <{tag}> in the picture", tag=tag)] = None
            return
        if place.depth > DEEPEST:
            raise fault_at(self.path, 0, say("its groups are nested more than {number} deep.", number=DEEPEST))
        style = self.styles.of(tag, attributes)
        place = replace(
            place,
            style={**place.style, **{name: value for name, value in style.items() if name not in OWN}},
            hidden=place.hidden or style.get("display") == "none" or _number(style.get("opacity"), 1) == 0,
            matrix=self._matrix(attributes.get("transform", ""), place.matrix),
            depth=place.depth + 1,
        )
        if "clip-path" in style:
            place = self._apply_clip(place, style["clip-path"])
        names = self._names(element, attributes)
        if tag in GROUPS or (tag == "symbol" and place.symbol):
            layers = (*place.layers, (*names, *attributes.get("class", "").split()))
            for child in element:
                self._walk(child, replace(place, layers=layers if element is not self.root else ()))
        elif tag == "use":
            self._use(attributes, replace(place, names=names))
        elif tag in SHAPES:
            self._add_shape(tag, attributes, replace(place, names=(*place.names, *names)))
        elif tag == "text":
            self._add_text(element, attributes, place)

    @staticmethod
    def _names(element: "Element", attributes: Mapping[str, str]) -> tuple[str, ...]:
        titles = [(child.text or "").strip() for child in element if _local(child.tag) == "title"]
        found = (attributes.get("label", ""), *titles, attributes.get("data-name", ""), attributes.get("id", ""))
        return tuple(dict.fromkeys(" ".join(name.split())[:80] for name in found if name.strip()))

    def _matrix(self, text: str, outer: Any) -> Any:
        if not text:
            return outer
        try:
            return svgelements.Matrix(text[:2_000]) * outer
        except (ValueError, IndexError, TypeError, ZeroDivisionError) as fault:
            raise fault_at(self.path, 0, say("'{text}' is not a transform.", text=shorten(text, 40))) from fault

    def _find_linked(self, link: str) -> "Element | None":
        """Return the element in the picture that a link names; what lies elsewhere is left out."""
        match = re.fullmatch(r"""(?:url\(["']?)?#([^"')]+)["']?\)?""", link.strip())
        if match is None:
            self.notes[say("not read: a reference to another file, '{link}'", link=link[:40])] = None
        return self.by_id.get(match[1]) if match else None

    def _apply_clip(self, place: _SvgContext, link: str) -> _SvgContext:
        element = None if link == "none" else self._find_linked(link)
        if element is None or place.depth > DEEPEST:
            return place
        painted, self.shapes = self.shapes, []
        try:
            for child in element:
                self._walk(child, replace(place, clip=None, symbol="", hidden=False))
            kept = [shape.geometry for shape in self.shapes if shape.closed]
        finally:
            self.shapes = painted
        if not kept:
            return place
        clip = shapely.union_all(kept)
        return replace(place, clip=clip if place.clip is None else place.clip.intersection(clip))

    def _use(self, attributes: Mapping[str, str], place: _SvgContext) -> None:
        element = self._find_linked(attributes.get("href", ""))
        if element is None:
            return
        x, y = _number(attributes.get("x")), _number(attributes.get("y"))
        matrix = svgelements.Matrix(f"translate({x},{y})") * place.matrix
        self._walk(element, replace(place, matrix=matrix, symbol=place.symbol or attributes["href"]))

    def _add_shape(self, tag: str, attributes: Mapping[str, str], place: _SvgContext) -> None:
        try:
            path = abs(svgelements.Path(_outline(tag, attributes)) * place.matrix)
            rings = [ring for part in path.as_subpaths() if (ring := self._points(svgelements.Path(part))) is not None]
        except (ValueError, IndexError, TypeError, AttributeError, ZeroDivisionError, OverflowError) as fault:
            shown = attributes.get("d", tag)[:40]
            raise fault_at(self.path, 0, say("'{text}' is not a path.", text=shown)) from fault
        if not rings:
            return
        fill, stroke = self._colour(place.style.get("fill", "black")), self._colour(place.style.get("stroke", "none"))
        unpainted = _number(place.style.get("fill-opacity"), 1) == 0
        closed = [ring for ring, is_closed in rings if is_closed or (fill and len(ring) > 3)]
        hidden = place.hidden or place.style.get("visibility") in ("hidden", "collapse")
        shape: Any
        if closed and len(closed) == len(rings):
            shape = _polygon(closed, even_odd=place.style.get("fill-rule") == "evenodd")
        else:
            shape = shapely.MultiLineString([ring for ring, _ in rings if len(ring) > 1])
        if place.clip is not None:
            shape = shape.intersection(place.clip)
        if shape.is_empty:
            return
        if len(self.shapes) >= MOST_SHAPES:
            raise fault_at(self.path, 0, say("it has more than {number} shapes.", number=MOST_SHAPES))
        scale = math.sqrt(abs(place.matrix.a * place.matrix.d - place.matrix.b * place.matrix.c))
        self.shapes.append(
            Shape(
                shape,
                closed=bool(closed) and len(closed) == len(rings),
                fill="" if unpainted else fill,
                stroke=stroke,
                width=_number(place.style.get("stroke-width"), 1) * scale if stroke else 0.0,
                hidden=hidden or (not stroke and (not fill or unpainted)),
                names=place.names,
                classes=tuple(attributes.get("class", "").split()),
                layers=place.layers,
                symbol=place.symbol or _outline_word(tag, rings),
            )
        )

    def _colour(self, text: str) -> str:
        """Return a colour as `#rrggbb`, '' for none; a pattern or a gradient has the colour it begins with."""
        text = text.strip()
        if text.startswith("url("):
            element = self._find_linked(text.partition(" ")[0])
            stops = [] if element is None else [part for part in element.iter() if _local(part.tag) == "stop"]
            style = self.styles.of("stop", _attributes(stops[0])) if stops else {}
            return self._colour(style.get("stop-color", stops[0].get("stop-color", "gray") if stops else "gray"))
        try:
            value = svgelements.Color(text[:60])
        except (ValueError, TypeError, IndexError):
            return ""
        none = value.value is None or value.alpha == 0
        return "" if none else f"#{value.red:02x}{value.green:02x}{value.blue:02x}"

    def _points(self, path: Any) -> tuple[Any, bool] | None:
        """Return the points of a part of a path, and whether it is closed; curves in short steps."""
        points: list[tuple[float, float]] = []
        closed = False
        for segment in path:
            end = segment.end
            if isinstance(segment, svgelements.Move):
                points = [(float(end.x), float(end.y))]
            elif isinstance(segment, svgelements.Close):
                closed = True
            elif isinstance(segment, svgelements.Line):
                points.append((float(end.x), float(end.y)))
            else:
                points += self._curve(segment)
        line = np.array(points, float)
        if len(line) < 2 or not np.isfinite(line).all():
            return None
        line = line[np.concatenate([[True], (np.diff(line, axis=0) != 0).any(axis=1)])]
        if len(line) > 3 and (line[0] == line[-1]).all():
            closed, line = True, line[:-1]
        return (line, closed and len(line) > 2) if len(line) > 1 else None

    def _curve(self, segment: Any) -> list[tuple[float, float]]:
        ends = [segment.start, segment.end, getattr(segment, "control", None), getattr(segment, "control1", None)]
        known = [(float(at.x), float(at.y)) for at in ends if at is not None]
        reach = 2 * max(math.dist(known[0], at) for at in known)
        if isinstance(segment, svgelements.Arc):
            reach = abs(float(segment.rx)) * abs(float(segment.sweep))
        steps = int(min(32, max(2, math.ceil(reach / self.step / 2))))
        return [(float(at.x), float(at.y)) for at in (segment.point(i / steps) for i in range(1, steps + 1))]

    def _add_text(self, element: "Element", attributes: Mapping[str, str], place: _SvgContext) -> None:
        parts = [element, *(part for part in element.iter() if _local(part.tag) == "tspan")]
        words = [" ".join("".join(piece).split()) for piece in (element.itertext(),)]
        if not words[0]:
            return
        xs = [_number(part.get("x")) for part in parts if part.get("x")]
        ys = [_number(part.get("y")) for part in parts if part.get("y")]
        styles = [self.styles.of("tspan", _attributes(part)) for part in parts[1:]]
        style = {**place.style, **(styles[0] if styles else {})}
        size = _number(style.get("font-size"), 12)
        lines = max(len(set(ys)), 1)
        width = 0.5 * size * len(words[0]) / lines
        shift = {"middle": 0.0, "end": -width / 2}.get(style.get("text-anchor", ""), width / 2)
        x = (xs[0] if xs else 0.0) + shift
        y = (sum(ys) / len(ys) if ys else 0.0) - 0.35 * size
        matrix = place.matrix
        scale = math.sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))
        at = (matrix.a * x + matrix.c * y + matrix.e, matrix.b * x + matrix.d * y + matrix.f)
        if not place.hidden and all(map(math.isfinite, at)):
            layers = (*place.layers, (*self._names(element, attributes), *attributes.get("class", "").split()))
            self.labels.append(Label(words[0][:80], (float(at[0]), float(at[1])), size * float(scale), layers))


def _outline(tag: str, attributes: Mapping[str, str]) -> str:
    """Return a shape as the data of a path."""
    if tag == "path":
        return attributes.get("d", "")
    if tag in ("polygon", "polyline"):
        numbers = NUMBER.findall(attributes.get("points", ""))
        pairs = " ".join(f"{x},{y}" for x, y in zip(numbers[::2], numbers[1::2], strict=False))
        return f"M {pairs}{' Z' if tag == 'polygon' else ''}" if pairs else ""
    if tag == "line":
        return "M {},{} L {},{}".format(*(_number(attributes.get(name)) for name in ("x1", "y1", "x2", "y2")))
    if tag == "rect":
        x, y, w, h = (_number(attributes.get(name)) for name in ("x", "y", "width", "height"))
        return f"M {x},{y} h {w} v {h} h {-w} Z" if w > 0 and h > 0 else ""
    cx, cy, r = (_number(attributes.get(name)) for name in ("cx", "cy", "r"))
    rx, ry = _number(attributes.get("rx"), r), _number(attributes.get("ry"), r)
    return f"M {cx - rx},{cy} a {rx},{ry} 0 1 0 {2 * rx},0 a {rx},{ry} 0 1 0 {-2 * rx},0 Z" if rx > 0 < ry else ""


def _outline_word(tag: str, rings: list[tuple[Any, bool]]) -> str:
    """Return a word for the outline of a shape, the same wherever it stands."""
    points = np.concatenate([ring for ring, _ in rings])
    width, height = points.max(axis=0) - points.min(axis=0)
    return f"{tag} {width:.3g} {height:.3g} {len(points)}"


def _polygon(rings: list[Any], *, even_odd: bool) -> Any:
    """Return the area that rings enclose; a ring inside of another is a hole, unless it turns the same way."""
    areas = []
    for ring in rings:
        area = shapely.Polygon(ring)
        areas.append((area if area.is_valid else shapely.make_valid(area).buffer(0), shapely.is_ccw(area.exterior)))
    areas.sort(key=lambda pair: -pair[0].area)
    whole, turn = areas[0]
    for area, other in areas[1:]:
        whole = whole.union(area) if other == turn and not even_odd else whole.symmetric_difference(area)
    return whole


def _numbers_in(root: "Element") -> Iterator[int]:
    for element in root.iter():
        for name in ("d", "points"):
            if text := element.get(name):
                yield sum(1 for _ in NUMBER.finditer(text))


def read_svg(text: str, path: str) -> Drawing:
    """Return the drawing in the text of an SVG file; raise `InvalidBoardFile`."""
    try:
        root: Element = ElementTree.fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", text), forbid_dtd=False)
    except ElementTree.ParseError as fault:
        raise fault_at(path, fault.position[0], say("this is not XML.")) from fault
    except (DefusedXmlException, ValueError, LookupError, RecursionError) as fault:
        raise fault_at(path, 0, say("its XML declares entities or names other files.")) from fault
    if _local(root.tag) != "svg":
        raise fault_at(path, 0, say("it is not an SVG picture."))
    counted = 0
    for number in _numbers_in(root):
        counted += number
        if counted > MOST_NUMBERS:
            raise fault_at(path, 0, say("it has more than {number} points.", number=MOST_NUMBERS // 2))
    return _SvgReader(root, path).drawing()
