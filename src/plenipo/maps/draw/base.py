"""The base of a map, independent of the game: coordinates, water, islands, lettering; made once for a figure.

Nothing here depends on a position or on the colours of a theme.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import cycle, pairwise
from xml.sax.saxutils import escape

from plenipo.engine.board import Board, Code, Location
from plenipo.engine.facts import Crossing
from plenipo.engine.place_rules import PlaceRule
from plenipo.engine.sentences import ENGLISH, TargetLanguage
from plenipo.maps.draw.arrows import Bend
from plenipo.maps.draw.paths import DISC, Plane, Shapes, curve
from plenipo.maps.draw.routes import Routes
from plenipo.maps.figure.planar import Figure, Point
from plenipo.maps.figure.segments import contains
from plenipo.maps.lettering.annotations import Annotation, annotations_of
from plenipo.maps.lettering.placements import LARGER_MARK, LabelPlacement, Placements, free_room, small_rooms
from plenipo.maps.lettering.renamed_labels import rename_labels
from plenipo.maps.lettering.typeface import CAPITAL, SLACK, width_of

__all__ = ["FRAME", "Base", "base_of", "ident_of"]

GLOW = tuple(range(160, 10, -12))
"""The shallow water along the coast: the widths of strokes that lie one over the other, too many to be seen apart."""

FRAME = 16
"""The room of the frame of a box outside it, in pips."""

HILLS = (
    (-28, 6, "q15-2 24-22 9 18 25 21m-23-15q2 9 9 14"),
    (-22, 16, "q12-2 19-17 7 14 20 17m-18-12q1 7 7 10"),
    (-26, -2, "q14-1 22-19 7 15 24 18m-22-12q1 8 8 11"),
)
"""The hills of a ridge, in turn: where the outline of each begins, the outline, and a stroke of its shaded side."""

KEPT = 8
"""Number of boards per figure whose annotations are cached, and of prefixes whose constant parts are."""

SPARE = 0.2
"""The extra length at each end of the line of a curved name, so that no wider face loses letters."""


class Base:
    """The standing part of every picture of one figure with its placements."""

    def __init__(self, figure: Figure, placements: Placements) -> None:
        self.figure, self.placements = figure, placements
        self.plane = Plane.of(figure, placements.unit)
        self.shapes = Shapes(figure, self.plane, placements.detail)
        self.routes = Routes(self.shapes, placements)
        self.definitions = lru_cache(maxsize=KEPT)(self._definitions)
        self.standing = lru_cache(maxsize=KEPT)(self._standing)
        self.water = lru_cache(maxsize=KEPT)(self._water)
        self.lettering = lru_cache(maxsize=4 * KEPT)(self._lettering)
        self._boxes: dict[Code, tuple[int, int, int, int]] = {}
        self._annotations: dict[
            tuple[int, tuple[Crossing, ...], tuple[PlaceRule, ...]], tuple[Board, tuple[Annotation, ...]]
        ] = {}

    @cached_property
    def small_rooms(self) -> Mapping[Location, float]:
        """The scale of a token in a small picture, by its location."""
        return small_rooms(self.placements)

    def aside(self, location: Location) -> tuple[int, int] | None:
        """Return a unit's offset from its usual place in a small picture, in pips; None if it stands there."""
        moved = self.placements.small_units.get(location)
        if moved is None:
            return None
        (x, y), (ox, oy) = self.plane.at(moved), self.plane.at(self.placements.units[location])
        return round(x - ox), round(y - oy)

    def at_home(self, location: Location) -> bool:
        """Tell whether a unit that stands elsewhere in a small picture stands within its space there too."""
        rings = self._rings(location.space)
        return contains(rings[0], self.plane.at(self.placements.small_units[location]))

    @cached_property
    def free_room(self) -> Callable[[Point], float]:
        """Return how much larger a token at any place may be in a small picture."""
        return lru_cache(maxsize=512)(lambda at: free_room(self.placements, at))

    @cached_property
    def shore_room(self) -> Callable[[Code, Point], float]:
        """Return the distance of a place in a face from its border, in radii of a unit's disc; infinite elsewhere."""

        def measure(code: Code, at: Point) -> float:
            rings = self.shapes.rings.get(code, ())
            sides = (side for ring in rings for side in pairwise((*ring, ring[0])))
            return min((_away(at, *side) for side in sides), default=math.inf) / DISC

        return lru_cache(maxsize=512)(measure)

    @property
    def codes(self) -> tuple[Code, ...]:
        """The faces of the map, alphabetically."""
        return tuple(self.figure.faces)

    def _definitions(self, prefix: str) -> str:
        """Return the frame as a clip, the islands, and the coast for the soft strokes along it."""
        width, height = self.plane.width, self.plane.height
        return (
            f'<clipPath id="{prefix}frame"><rect width="{width}" height="{height}"/></clipPath>'
            f'<path id="{prefix}islands" d="{self.shapes.rings_of("island")}"/>'
            f'<path id="{prefix}shallows" d="{self.soft(self.shapes.shore)}"/>'
        )

    def depth(self, ident: str) -> str:
        """Return the gradient of open water, lighter in the middle of the map."""
        width, height = self.plane.width, self.plane.height
        return (
            f'<radialGradient id="{ident}" gradientUnits="userSpaceOnUse" cx="{width * 0.42:.0f}" '
            f'cy="{height * 0.46:.0f}" r="{max(width, height) * 0.72:.0f}"><stop offset="0" class="sea-0"/>'
            '<stop offset="1" class="sea-1"/></radialGradient>'
        )

    def lines(self, arcs: Iterable[int]) -> str:
        """Arcs as one path, so that a stroke of it that lets the ground through is even where they meet."""
        return "".join(map(self.shapes.arc, arcs))

    def soft(self, arcs: Iterable[int]) -> str:
        """Return the same for wide strokes that fade, in which no eye sees the line itself."""
        return "".join(map(self.shapes.soft_arc, arcs))

    def _water(self, prefix: str) -> str:
        """Return the ground of all water, and the glow along the coast."""
        size = f'width="{self.plane.width}" height="{self.plane.height}"'
        rings = "".join(
            f'<use href="#{prefix}{line}" stroke-width="{width}"/>'
            for width in GLOW
            for line in ("islands", "shallows")
        )
        return f'<rect {size} fill="url(#{prefix}water)"/><g class="glow">{rings}</g>'

    def _standing(self, prefix: str) -> dict[str, str]:
        """Return the parts that never change, by name: `islands`, `relief`, `lakes`, `straits`, `coast`, `sea-borders`.

        The coast is a stroke under all land, of which the outer half shows.
        A strait lies over the line that closes its mouths, and its banks over its edge.
        """
        lakes, straits = self.shapes.rings_of("lake"), self.shapes.rings_of("strait")
        banks, rivers = ("".join(map(curve, self.shapes.lines_of(kind))) for kind in ("bank", "river"))
        hills = "".join(
            f"M{x + dx} {y + dy}{shape}"
            for (x, y), (dx, dy, shape) in zip(self.shapes.hills(), cycle(HILLS), strict=False)
        )
        return {
            "islands": f'<use href="#{prefix}islands" class="island"/>'
            f'<use href="#{prefix}islands" class="hatching large" fill="url(#{prefix}hatching)"/>'
            f'<use href="#{prefix}islands" class="hatching small" fill="url(#{prefix}coarse)"/>',
            "lakes": f'<path class="lake" d="{lakes}"/>' if lakes else "",
            "relief": (f'<path class="hill" d="{hills}"/>' if hills else "")
            + (f'<path class="river" d="{rivers}"/>' if rivers else ""),
            "straits": f'<path class="strait" d="{straits}"/><path class="coast" d="{banks}"/>' if straits else "",
            "coast": '<g class="shore" aria-hidden="true">'
            + "".join(
                f'<use href="#{prefix}space-{ident_of(code)}"/>' for code in self.codes if code not in self.figure.seas
            )
            + "</g>",
            "sea-borders": f'<path class="sea-border" d="{self.lines(self.shapes.waters)}"/>',
        }

    def centre(self, code: Code, title: str, home: str = "", *, small: bool = False) -> str:
        """Return the mark of a supply centre, with a ring of the class `home`, if any; a `small` one if asked."""
        (x, y), radius = self.plane.at(self.placements.centres[code]), self.plane.size(self.placements.mark)
        if small:
            x, y = self.plane.at(self.placements.small_centres.get(code, self.placements.centres[code]))
            radius = round(radius * LARGER_MARK)
        heard = f"<title>{title}</title>" if title else ""
        ring = f'<circle class="home {home}" cx="{x}" cy="{y}" r="{radius * 1.5:.1f}"/>' if home else ""
        return (
            f'<g class="centre" stroke-width="{radius * 0.24:.1f}">{heard}{ring}'
            f'<circle cx="{x}" cy="{y}" r="{radius * 0.88:.1f}"/>'
            f'<circle class="centre-dot" cx="{x}" cy="{y}" r="{radius * 0.4:.1f}"/></g>'
        )

    def _lettering(
        self, kind: str, prefix: str, holes: frozenset[Code], board: Board, language: TargetLanguage = ENGLISH
    ) -> str:
        """Return all names, with codes where a name has no room, or all codes, or all codes of a small picture.

        `kind` is `names`, `codes` or `small`; those of `holes` stand on black. Names are in the language.
        """
        names = (
            self._names(board, language) if kind == "names" else self.placements.small_codes if kind == "small" else {}
        )
        labels = {**self.placements.codes, **names}
        return "".join(
            self._text(
                lettering,
                f"{prefix}{kind}-{ident_of(code)}",
                water=code in self.figure.waters,
                sunk=code in holes,
                fitted=kind != "small",
            )
            for code, lettering in sorted(labels.items())
        )

    def _names(self, board: Board, language: TargetLanguage) -> Mapping[Code, LabelPlacement]:
        """Return the labels with names, in a language."""
        if not language.names:
            return self.placements.names
        return rename_labels(self.placements.names, board, language.names, frozenset(self.figure.waters))

    def _text(self, lettering: LabelPlacement, ident: str, *, water: bool, sunk: bool, fitted: bool) -> str:
        # codes of three letters run hardly wider in another face, and lines that hold them to a width weigh a lot
        size = self.plane.size(lettering.size)
        spacing = self.plane.size(lettering.spacing)
        classes = " ".join(word for word, so in (("water", water), ("sunk", sunk)) if so)
        kind = f' class="{classes}"' if classes else ""
        style = f'font-size="{size}"' + (f' letter-spacing="{spacing}"' if spacing else "")  # english: ok
        fits = [self._fit(line, size, spacing, water=water) if fitted else "" for line in lettering.lines]
        if lettering.curve:
            bend = Bend(*(self.plane.at(point) for point in lettering.curve)).part(-SPARE, 1 + SPARE)
            line = "M{:.0f} {:.0f}Q{:.0f} {:.0f} {:.0f} {:.0f}".format(*bend.start, *bend.middle, *bend.end)
            run = f'<textPath href="#{ident}" startOffset="50%">{escape(lettering.lines[0])}</textPath>'
            return f'<path id="{ident}" d="{line}" fill="none" stroke="none"/><text{kind} {style}>{run}</text>'
        places = [self.plane.at(point) for point in lettering.baselines]
        if len(places) == 1:
            (x, y), line, led, turned = places[0], escape(lettering.lines[0]), "", ""
            if lettering.leader:
                start, end = (self.plane.at(point) for point in lettering.leader)
                way = f"M{start[0]} {start[1]}L{end[0]} {end[1]}"
                led = f'<path class="leader-case" d="{way}"/><path class="leader" d="{way}"/>'
            if lettering.turn:
                about = self.plane.at(lettering.at)
                turned = f' transform="rotate({-lettering.turn} {about[0]} {about[1]})"'
            if not fitted:  # about its middle, whatever size the stylesheet gives it
                y = self.plane.at(lettering.at)[1]
                turned = f' dy="{CAPITAL / 2:.3g}em"{turned}'
            return f'{led}<text{kind} {style} x="{x}" y="{y}"{fits[0]}{turned}>{line}</text>'
        spans = "".join(
            f'<tspan x="{x}" y="{y}"{fit}>{escape(line)}</tspan>'
            for line, (x, y), fit in zip(lettering.lines, places, fits, strict=True)
        )
        return f"<text{kind} {style}>{spans}</text>"

    @staticmethod
    def _fit(line: str, size: int, spacing: int, *, water: bool) -> str:
        """Return the width of the line that keeps a substitute face from spilling over its neighbours."""
        width = width_of(line, water=water) / SLACK * size + spacing * len(line)
        return f' textLength="{width:.0f}" lengthAdjust="spacingAndGlyphs"'

    def _rings(self, code: Code) -> Sequence[Sequence[Point]]:
        """Return the outlines of a face, or the point of a corner, in pips."""
        corner = self.placements.corners.get(code)
        return self.shapes.rings[code] if corner is None else ((self.plane.at(corner),),)

    def bounds(self, codes: Iterable[Code]) -> tuple[int, int, int, int]:
        """Return the box round some faces in pips, with room about: west, north, width, height."""
        wests, norths, easts, souths = zip(*(self._box(code) for code in codes), strict=True)
        room = 60
        left, top, right, low = self.extent
        west, north = max(min(wests) - room, left), max(min(norths) - room, top)
        east, south = min(max(easts) + room, right), min(max(souths) + room, low)
        return west, north, east - west, south - north

    def _box(self, code: Code) -> tuple[int, int, int, int]:
        """Return the box of a face in pips: west, north, east, south."""
        if code not in self._boxes:
            xs, ys = zip(*(point for ring in self._rings(code) for point in ring), strict=True)
            self._boxes[code] = min(xs), min(ys), max(xs), max(ys)
        return self._boxes[code]

    @cached_property
    def extent(self) -> tuple[int, int, int, int]:
        """The extent of the map in pips, with the boxes beside it: west, north, east, south."""
        points = [p for box in self.figure.boxes for ring in self.shapes.rings[box.code] for p in ring]
        xs = [0, self.plane.width, *(x + side for x, _ in points for side in (-FRAME, FRAME))]
        ys = [0, self.plane.height, *(y + side for _, y in points for side in (-FRAME, FRAME))]
        return min(xs), min(ys), max(xs), max(ys)

    def annotations(
        self, board: Board, crossings: tuple[Crossing, ...], rules: tuple[PlaceRule, ...] = ()
    ) -> tuple[Annotation, ...]:
        """Return the facts of a board that its borders do not show; cached for the last boards asked for."""
        key = id(board), crossings, rules
        if key not in self._annotations:
            if len(self._annotations) >= KEPT:
                del self._annotations[next(iter(self._annotations))]
            # the board is kept with its annotations, so that no other can have its id
            self._annotations[key] = board, annotations_of(self.figure, board, self.placements, crossings, rules)
        return self._annotations[key][1]

    def frontiers(self, group: dict[Code, str]) -> Iterator[tuple[int, str, str]]:
        """Yield the arcs of land that part two groups, or land from water: number and the groups on both sides."""
        for i, (a, b) in self.shapes.inner.items():
            if group.get(a) != group.get(b):
                yield i, group.get(a, ""), group.get(b, "")
        for i in self.shapes.shore:
            a, b = self.figure.arcs[i].pair
            yield i, group.get(a, ""), group.get(b, "")


def _away(at: Point, start: Point, end: Point) -> float:
    """Return the distance of a place from the line between two others."""
    (x, y), (dx, dy) = (at[0] - start[0], at[1] - start[1]), (end[0] - start[0], end[1] - start[1])
    share = min(max((x * dx + y * dy) / ((dx * dx + dy * dy) or 1), 0.0), 1.0)
    return math.hypot(x - share * dx, y - share * dy)


def ident_of(code: str) -> str:
    """Return the code of a space or the name of a corner as part of an id: letters and digits, hyphens between.

    >>> ident_of("[MID/POR/SPA(nc)]")
    'MID-POR-SPA-nc'
    """
    return "-".join("".join(c if c.isalnum() else " " for c in code).split())


class _Same:
    """A value compared by identity, so that an unhashable one can be the key of a cache."""

    __slots__ = ("value",)

    def __init__(self, value: Figure | Placements) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value is other.value


def base_of(figure: Figure, placements: Placements) -> Base:
    """Return the standing part for a figure and its placements; made once for the same two objects."""
    return _base_of(_Same(figure), _Same(placements))


@lru_cache(maxsize=16)
def _base_of(figure: _Same, placements: _Same) -> Base:
    assert isinstance(figure.value, Figure)  # noqa: S101  # what base_of passed
    assert isinstance(placements.value, Placements)  # noqa: S101  # what base_of passed
    return Base(figure.value, placements.value)
