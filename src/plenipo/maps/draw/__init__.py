"""The drawn map: a scene as input, an SVG as output; the rest of the rules does not depend on it.

`draw` is the one function; `Scene` is the content and `Theme` the style. The picture is plain SVG 1.1 with one
stylesheet: a group for each layer, an id for each space, a `<title>` for each space and unit, text as text, and one
class for each meaning, so that a page can restyle it and a screen reader can read it.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple
from xml.sax.saxutils import escape

from plenipo.engine.board import Board, Code, Location
from plenipo.engine.orders import Build
from plenipo.engine.outcome import Outcome, Result
from plenipo.engine.position import Power, Unit
from plenipo.errors import InvalidFigure
from plenipo.maps.draw import titles
from plenipo.maps.draw.annotations import boxes, marks
from plenipo.maps.draw.base import Base, base_of, ident_of
from plenipo.maps.draw.column import LegendEntry, column
from plenipo.maps.draw.crop import trim
from plenipo.maps.draw.legend import ICON, KEY_ROW, LegendSign, rows_of, signs_of
from plenipo.maps.draw.motion import Motion
from plenipo.maps.draw.orders import OrderDrawing
from plenipo.maps.draw.paths import DISC
from plenipo.maps.draw.scene import MARKS, SHAPES, Scene
from plenipo.maps.draw.stylesheet import at_width
from plenipo.maps.draw.symbols import definitions, hatching, motif, ripples, symbol_of
from plenipo.maps.draw.theme import CROWD, Theme, slug, tags
from plenipo.maps.draw.ways import Ways
from plenipo.maps.figure.planar import Figure, Point
from plenipo.maps.lettering.placements import (
    LARGEST,
    MIDDLE,
    MIDDLE_TOKEN,
    NARROW,
    OVERHANG,
    TOKEN,
    Placements,
    point_of,
    rooms,
)
from plenipo.maps.lettering.typeface import CAPITAL, width_of

__all__ = [
    "FIXED_WIDTHS",
    "MARGIN",
    "PAPER",
    "OrderLayers",
    "PictureLayers",
    "Scene",
    "Theme",
    "draw",
    "order_layers",
    "sheets",
    "view_box",
]

MARGIN = 44
"""The paper round the map, in pips."""

FIXED_WIDTHS = {"share": NARROW, "card": MIDDLE + 1}
"""The width in pixels whose design a picture of some shape has, however wide it is shown."""

CLOSE = 210
"""The room round the outermost units of a card, in pips."""

LEAST_CARD = 950
"""The least width of the part of the map that a card shows, in pips."""

LANES = 30
"""The additional margin of a map with lanes round it, in pips."""

COARSE = 64
"""The size of the hatching's tile in a narrow picture, in pips."""

COLUMN_EDGE = 150
"""The free space round the legend beside a map, in pips."""

EDGE = 160
"""The margin of paper, in pips."""

PAPER = ("a4", "a3", "a2", "a1")
"""The shapes of paper."""

LEAST_COLUMN = 0.2
"""The least width of a legend beside the map of a poster, as a share of the map."""

ROW = 80
"""The height of a row of the legend under the map, in pips."""

SWATCH = 58
"""The room of a power's colour in the legend, in pips."""

LARGE = 84
"""The size of the legend's letters where they are largest, which is in a narrow picture."""

WALKERS_APART = 66
"""The distance between walkers in one place, in pips."""

LETTERED = {"army": 15, "fleet": 25}
"""The baseline of letters on a token in a narrow picture, in pips below its middle."""

SMALLEST_TOKEN = 0.5
"""The scale of a token in the narrowest space, relative to its disc."""

HOME = "home-"
"""The prefix of the group of unowned provinces that are homes of one power."""

TINT = tuple(range(80, 15, -8))
"""The widths of the strokes with which a power's land darkens towards its frontier; half of each shows."""


def draw(figure: Figure, board: Board, placements: Placements, scene: Scene, theme: Theme) -> str:
    """Return the picture of a scene on a map as SVG text.

    The parts of the map that do not change are kept for the next picture of the same `figure` and `placements`.
    Raise `ImpossiblePosition` or `UnknownName` if the scene does not fit the board, `InvalidFigure` if they do not.
    """
    return _Picture(_base_for(figure, board, placements, scene), board, scene, theme).text()


class PictureLayers(NamedTuple):
    """A picture as three SVGs that lie one on the other, the lower two without anything that stands on the map."""

    water: str
    """The paper and all water: the same in all pictures of a map."""
    land: str
    """The land with its owners, and everything beside the map: it changes seldom."""
    upper: str
    """Everything that stands on the map, and the legend."""


def sheets(figure: Figure, board: Board, placements: Placements, scene: Scene, theme: Theme) -> PictureLayers:
    """Return the picture of `draw` as layers, for animations, which reuse unchanged ones; raise as `draw` does.

    Stacked, their pixels are those of the picture except for rounding.
    """
    return _Picture(_base_for(figure, board, placements, scene), board, scene, theme).sheets()


class OrderLayers(NamedTuple):
    """The two layers of a picture that show orders and their results, each one `<g>`, or empty."""

    orders: str
    """The lines, under the names."""
    signs: str
    """The signs over the units."""


def order_layers(figure: Figure, board: Board, placements: Placements, scene: Scene) -> OrderLayers:
    """Return the layers of the orders as `draw` would put them into the picture, without drawing the map.

    They refer to the symbols of a picture with the same `prefix`. Raises as `draw` does.
    """
    return _order_layers(_base_for(figure, board, placements, scene), board, scene)


def _order_layers(base: Base, board: Board, scene: Scene) -> OrderLayers:
    drawing = OrderDrawing(Ways(board, base.placements, base.routes, scene)).draw_all()
    return OrderLayers(
        _layer(f"{scene.prefix}layer-orders", "\n".join(drawing.lines)),
        _layer(f"{scene.prefix}layer-signs", "\n".join(drawing.signs)),
    )


def _layer(ident: str, content: str) -> str:
    return f'<g id="{ident}">\n{content}\n</g>' if content else ""


def _base_for(figure: Figure, board: Board, placements: Placements, scene: Scene) -> Base:
    """Return the standing part, once it is sure that the scene and the map fit the board; raises as `draw` does."""
    scene.check(board)
    base = base_of(figure, placements)
    unseen = [code for code in board.spaces if code not in base.shapes.rings or code not in placements.codes]
    if figure.schematic:  # spaces without neighbours that no unit enters are not laid out
        unseen = [code for code in unseen if board.borders.get(code) or not board.spaces[code].impassable]
    missing = next((code for code in unseen if not board.spaces[code].corner), None)
    if missing is not None:
        raise InvalidFigure(f"the map has no face and placement for {missing}, a space of {board.name}.")
    return base


def view_box(figure: Figure, placements: Placements, codes: tuple[Code, ...]) -> str:
    """Return the `viewBox` that shows some spaces and a little around them; of the whole map if `codes` is empty."""
    base = base_of(figure, placements)
    return " ".join(str(number) for number in (base.bounds(codes) if codes else _paper(base)))


def _paper(base: Base) -> tuple[int, int, int, int]:
    """Return the map with the boxes beside it and a margin round it: west, north, width, height."""
    west, north, east, south = base.extent
    margin = MARGIN + (LANES if base.figure.boxes else 0)
    return west - margin, north - margin, east - west + 2 * margin, south - north + 2 * margin


class _Picture:
    """One picture in the making; a method for each layer, from the ground up."""

    def __init__(self, base: Base, board: Board, scene: Scene, theme: Theme) -> None:
        self.base, self.board, self.scene, self.theme = base, board, scene, theme
        self.prefix = scene.prefix
        self.colours = theme.colours(scene.everyone, scene.like)
        self.tags = tags(scene.everyone)
        self.standing = base.standing(self.prefix)
        self.annotations = base.annotations(board, scene.crossings, scene.place_rules)
        self.orders = _order_layers(base, board, scene)
        self.motion = Motion(scene, lambda unit, gone: self._where(unit, gone=gone))
        self.holes = frozenset(code for code in board.spaces if "hole" in scene.mark_words(code))

    def text(self) -> str:
        """Return the whole, without what lies outside its view."""
        whole = self._svg(self._ground() + "\n" + self._upper())
        return trim(whole, self._view(), card=self.scene.shape == "card") if self.scene.focus else whole

    def sheets(self) -> PictureLayers:
        """Return the picture as three that lie one on the other."""
        below = self._clip_to_frame(self._water)
        land = f"{self._clip_to_frame(self._land)}\n{self._edge()}"
        return PictureLayers(
            self._svg(below, units=False),
            self._svg(land, paper=False, units=False),
            self._svg(self._upper(), paper=False),
        )

    def _ground(self) -> str:
        """Return the map itself, its frame and everything beside it."""
        return f"{self._clip_to_frame({**self._water, **self._land})}\n{self._edge()}"

    @property
    def _water(self) -> Mapping[str, str]:
        return {"water": self.base.water(self.prefix) + self._seas() + self.standing["sea-borders"]}

    @property
    def _land(self) -> Mapping[str, str]:
        return {
            "land": self.standing["coast"] + self._lands() + self.standing["islands"],
            "ownership": self._tints(),
            "inland-water": self.standing["relief"] + self.standing["lakes"],
            "borders": self.standing["straits"] + self._borders(),
        }

    def _clip_to_frame(self, layers: Mapping[str, str]) -> str:
        return f'<g clip-path="url(#{self.prefix}frame)">\n{self._groups_of(layers)}\n</g>'

    def _edge(self) -> str:
        """Return the frame of the map and everything beside it."""
        beside = {
            "boxes": boxes(self.annotations, self.base, self._names_of_spaces(), self._box_words(), self.prefix),
            "holes": self._holes(),
        }
        return f"{self._neat()}{self._groups_of(beside)}"

    def _upper(self) -> str:
        """Draw the upper layers of the map, and the legend."""
        layers = {
            "annotations": marks(self.annotations, self.base, self.prefix) + self._coast_names(),
            "centres": self._centres(),
            "orders": self.motion.appear(self.orders.orders),
            "names": self._names(),
            "units": self._units(),
            "dislodged": self._draw_dislodged(),
            "signs": self.motion.appear(self.orders.signs),
            "walkers": self._walkers(),
            "corners": self._corners(),
        }
        return f"{self._groups_of(layers)}\n{self._legend()}"

    def _svg(self, content: str, *, paper: bool = True, units: bool = True) -> str:
        """Put a picture round the content, on paper or none; without units it is the same wherever they stand."""
        west, north, width, height = self._view()
        heading = escape(self.scene.heading(self.board))
        rect = f'<rect class="paper" x="{west}" y="{north}" width="{width}" height="{height}"/>\n' if paper else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="board theme-{self.theme.name}" '
            f'{self._on_paper()}viewBox="{west} {north} {width} {height}" role="graphics-document document" '
            f'aria-labelledby="{self.prefix}title">\n'
            f'<title id="{self.prefix}title">{heading}</title>\n'
            f"<style>\n{escape(self._sheet(units=units))}\n</style>\n"
            f"<defs>\n{self._definitions()}\n</defs>\n{rect}{content}</svg>\n"
        )

    def _sheet(self, *, units: bool) -> str:
        """Return the stylesheet; a share picture is shown small, in chats, and has the design of a narrow one."""
        sheet = self.theme.sheet(self.scene.everyone, self.prefix, self.scene.like)
        sheet += self._write_token_offsets() if units else ""
        width = FIXED_WIDTHS.get(self.scene.shape)
        return sheet if width is None else at_width(sheet, width)

    def _write_token_offsets(self) -> str:
        """Return the rules for tokens beside their usual place in a small picture, with the signs round them."""
        by = {unit: self.base.aside(unit.location) for unit in (*self.scene.position.units, *self._new)}
        led = [(unit, far, int(10 * self._sizes[unit.space, False][1]) / 10) for unit, far in by.items() if far]
        if not led:
            return ""
        middle, narrow = "", ""
        for unit, (x, y), size in led:
            name, far = f"{self.prefix}{ident_of(unit.space)}", f"translate({x}px,{y}px)"
            parts = f".at-{name}>use,.at-{name}>g"
            middle += f"{parts}{{transform:{far} scale({min(size, MIDDLE_TOKEN)})}}.by-{name}{{transform:{far}}}"
            narrow += f"{parts}{{transform:{far} scale({size})}}"
        return f"\n@media (max-width:{MIDDLE}px){{{middle}}}\n@media (max-width:{NARROW}px){{{narrow}}}"

    def _groups_of(self, layers: Mapping[str, str]) -> str:
        return "\n".join(
            content if name in OrderLayers._fields else _layer(f"{self.prefix}layer-{name}", content)
            for name, content in layers.items()
            if content
        )

    def _names_of_spaces(self) -> dict[Code, str]:
        return {code: self.scene.language.name(space.name) for code, space in self.board.spaces.items()}

    def _box_words(self) -> dict[Code, str]:
        return {box.code: self._words(box.code) for box in self.base.figure.boxes}

    def _view(self) -> tuple[int, int, int, int]:
        west, north, width, height = self._map_view
        wide, high = SHAPES[self.scene.shape]
        if not wide:
            return west, north, width, height
        if wide < high and width > height:
            wide, high = high, wide
        if self.scene.shape in PAPER:  # a margin that printers need
            west, north, width, height = west - EDGE, north - EDGE, width + 2 * EDGE, height + 2 * EDGE
        if width * high < height * wide:
            more = round(height * wide / high) - width
            # if the legend is beside the map, the map is on the right
            west, width = west - (more if self._beside else more // 2), width + more
        else:
            more = round(width * high / wide) - height
            north, height = north - more // 2, height + more
        return self._shift_onto_map(west, north, width, height) if self.scene.focus else (west, north, width, height)

    def _shift_onto_map(self, west: int, north: int, width: int, height: int) -> tuple[int, int, int, int]:
        """Return a view that does not reach beyond the map unless it is larger than the map."""
        left, top, right, low = self.base.extent
        return max(min(west, right - width), left), max(min(north, low - height), top), width, height

    @property
    def _map_view(self) -> tuple[int, int, int, int]:
        """Return the extent of the map, with the legend that is below it."""
        if self.scene.focus:
            close = self.scene.shape == "card"
            return self._bounds_of_units(self.scene.focus) if close else self.base.bounds(self.scene.focus)
        west, north, width, height = _paper(self.base)
        below = self.scene.legend and not self._beside
        return west, north, width, height + (self._below if below else 0)

    def _bounds_of_units(self, codes: tuple[Code, ...]) -> tuple[int, int, int, int]:
        """Return the box round the places of units in some spaces: west, north, width, height."""
        units = self.base.placements.units
        places = [self.base.plane.at(point) for location, point in units.items() if location.space in codes]
        xs, ys = zip(*places, strict=True)
        aside = round(max(CLOSE, (LEAST_CARD - max(xs) + min(xs)) / 2))
        west, north = round(min(xs)) - aside, round(min(ys)) - CLOSE
        return west, north, round(max(xs)) + aside - west, round(max(ys)) + CLOSE - north

    @property
    def _below(self) -> int:
        """The height of the legend below the map."""
        return ROW * (len(self._entries) + 1) + 30 + (KEY_ROW * len(self._keys) + 20 if self._keys else 0)

    @cached_property
    def _keys(self) -> list[list[tuple[float, LegendSign]]]:
        """The rows of the signs in this picture, each with its place and its word."""
        figure, scene = self.base.figure, self.scene
        closed = figure.impassable or figure.offboard or self.base.shapes.decorations("island")
        there = {
            "centre": self.board.centres,
            "home": [c for c, power in scene.homes.items() if c in self.board.centres and power != scene.owner(c)],
            "closed": closed,
            "corner": scene.corners,
            "dislodged": scene.position.dislodged or any(outcome.dislodged_by for outcome in scene.outcomes),
        }
        signs = signs_of(
            self.prefix,
            orders=self.orders.orders + self.orders.signs,
            annotations={annotation.kind for annotation in self.annotations},
            rules={annotation.sign for annotation in self.annotations if annotation.sign},
            marks=[word for code in scene.marks for word in scene.mark_words(code)],
            parts={name for name, some in there.items() if some},
        )
        return rows_of([*signs], self.base.plane.width)

    @property
    def _beside(self) -> bool:
        """Tell whether the legend stands beside the map: on a share picture, and on paper wider than the map."""
        if not self.scene.legend or self.scene.focus:
            return False
        if self.scene.shape in PAPER:
            _, _, width, height = _paper(self.base)
            high, wide = sorted(SHAPES[self.scene.shape])
            return width > height and (height + 2 * EDGE) * wide / high - width - 2 * EDGE > LEAST_COLUMN * width
        return self.scene.shape == "share"

    def _on_paper(self) -> str:
        """Return the size of the picture on paper, as attributes; nothing for a screen."""
        if self.scene.shape not in PAPER:
            return ""
        wide, high = sorted(SHAPES[self.scene.shape], reverse=self._view()[2] > self._view()[3])
        return f'width="{wide:g}mm" height="{high:g}mm" '

    def _class(self, power: Power | None) -> str:
        return f"p-{slug(power)}" if power else "p-none"

    def _definitions(self) -> str:
        prefix, theme = self.prefix, self.theme
        parts = [
            self.base.definitions(prefix),
            definitions(prefix, self.board.units),
            hatching(f"{prefix}hatching"),
            hatching(f"{prefix}coarse", COARSE),
        ]
        if theme.ruled:
            parts.append(ripples(f"{prefix}water"))
        else:
            parts.append(self.base.depth(f"{prefix}water"))
        if theme.patterned:
            for power, colours in self.colours.items():
                parts.append(motif(f"{prefix}pattern-{slug(power)}", colours.pattern, self._class(power)))
        return "\n".join(parts)

    # ------------------------------------------------------------------ the ground

    def _face(self, code: Code, kind: str, title: str) -> str:
        head = f'<path id="{self.prefix}space-{ident_of(code)}" class="{kind}" data-space="{escape(code)}"'
        return f'{head} d="{self.base.shapes.faces[code]}"><title>{escape(title)}</title></path>'

    def _seas(self) -> str:
        figure = self.base.figure
        return "\n".join(
            self._face(code, "space sea offboard", self._words(code)) + self._draw_hatching(code)
            if code in figure.offboard
            else self._face(code, "space sea", self._words(code))
            for code in sorted(figure.seas)
        )

    def _draw_hatching(self, code: Code) -> str:
        """Return the hatching of a face, coarser where the picture is narrow."""
        shape = self.base.shapes.outline(code)
        return "".join(
            f'<path class="hatching {size}" fill="url(#{self.prefix}{name})" d="{shape}"/>'
            for name, size in (("hatching", "large"), ("coarse", "small"))
        )

    def _words(self, code: Code) -> str:
        return self.scene.space_words(self.board, code) if code in self.board.spaces else code

    def _lands(self) -> str:
        figure, parts = self.base.figure, []
        for code in self.base.codes:
            if code in figure.seas:
                continue
            owner = self.scene.owner(code)
            kind = "space land" + (f" {self._class(owner)}" if owner else "")
            closed = code in figure.impassable or code in figure.offboard or "closed" in self.scene.mark_words(code)
            if closed:
                kind = "space offboard" if code in figure.offboard else "space impassable"
            parts.append(self._face(code, kind, self._words(code)))
            if closed:
                parts.append(self._draw_hatching(code))
        return "\n".join(parts)

    def _groups(self) -> dict[Code, str]:
        """Return each land face's group: its owner's class; without an owner its home power's, or else its own code."""
        groups = {}
        for code in self.base.codes:
            if code not in self.base.figure.seas:
                owner, home = self.scene.owner(code), self.scene.homes.get(code)
                groups[code] = self._class(owner) if owner else HOME + slug(home) if home else code
        return groups

    def _tints(self) -> str:
        """For each power, a darker edge inside its frontier and round its homes; for other land one like the border."""
        groups, members, edges = self._groups(), defaultdict[str, list[Code]](list), defaultdict[str, set[int]](set)
        closed = {*self.base.figure.impassable, *self.base.figure.offboard}
        theirs = ("p-", HOME)
        shared = {code: name if name.startswith(theirs) else "p-none" for code, name in groups.items()}
        for code, name in shared.items():
            if code not in closed:
                members[name].append(code)
        for i, a, b in self.base.frontiers(groups):
            for name in (a, b):
                if name:
                    edges[name if name.startswith(theirs) else "p-none"].add(i)
        parts = []
        for name, codes in sorted(members.items()):
            clip = f"{self.prefix}realm-{name}"
            kind = f"home p-{name.removeprefix(HOME)}" if name.startswith(HOME) else name
            faces = "".join(f'<use href="#{self.prefix}space-{ident_of(code)}"/>' for code in codes)
            edge, line = f"{self.prefix}edge-{name}", self.base.soft(sorted(edges[name]))
            parts.append(
                f'<clipPath id="{clip}">{faces}</clipPath><g class="tint {kind}" clip-path="url(#{clip})">'
                f'<defs><path id="{edge}" d="{line}"/></defs>'
                + "".join(f'<use href="#{edge}" stroke-width="{width}"/>' for width in TINT)
                + "</g>"
            )
        return "\n".join(parts)

    def _borders(self) -> str:
        groups = self._groups()
        parting = {i for i, (a, b) in self.base.shapes.inner.items() if groups[a] != groups[b]}
        within = [i for i in self.base.shapes.inner if i not in parting]
        return (
            f'<path class="borders border" d="{self.base.lines(within)}"/>\n'
            f'<path class="borders frontier" d="{self.base.lines(sorted(parting))}"/>\n'
        )

    def _neat(self) -> str:
        if self.scene.focus:
            return ""
        width, height = self.base.plane.width, self.base.plane.height
        return (
            f'<rect class="neat" stroke-width="7" width="{width}" height="{height}"/>'
            f'<rect class="neat" stroke-width="2.5" x="-18" y="-18" width="{width + 36}" height="{height + 36}"/>\n'
        )

    # ------------------------------------------------------------------ units and marks

    def _holes(self) -> str:
        parts = []
        for code in sorted(self.holes):
            x, y = self.base.plane.at(point_of(self.base.placements.units, Location(code)))
            clip, shape = f"{self.prefix}hole-{ident_of(code)}", self.base.shapes.outline(code)
            rings = "".join(f'<circle class="hole-ring" cx="{x}" cy="{y}" r="{r}"/>' for r in range(30, 420, 30))
            parts.append(
                f'<clipPath id="{clip}"><path d="{shape}"/></clipPath><path class="hole" d="{shape}"/>'
                f'<g clip-path="url(#{clip})">{rings}</g>'
            )
        halves = (code for code in self.scene.marks if "split" in self.scene.mark_words(code))
        parts += (f'<path class="split" d="{self.base.shapes.outline(code)}"/>' for code in sorted(halves))
        return "\n".join(parts)

    def _centres(self) -> str:
        owners = self.scene.position.owners
        parts, small = [], []
        for code in sorted(self.board.centres - self.holes):
            if code in self.base.placements.centres:
                owner, home = owners.get(code), self.scene.homes.get(code)
                name = self.scene.language.name(self.board.spaces[code].name)
                centre = titles.CENTRE_OF(space=name, owner=owner) if owner else titles.CENTRE_FREE(space=name)
                whole = titles.HOME_OF(centre=centre, power=home) if home else centre
                title = escape(self.scene.language.render(whole))
                mark = self._class(home) if home and home != owners.get(code) else ""
                parts.append(self.base.centre(code, title, mark))
                small.append(self.base.centre(code, "", mark, small=True))
        return (
            f'<g class="marks large">{"".join(parts)}</g>\n<g class="compact small">{"".join(small)}</g>'
            if parts
            else ""
        )

    def _coast_names(self) -> str:
        """Return the name of each coast of a space with several, where its fleet would stand, unless one does."""
        parts, units = [], self.base.placements.units
        for code, space in sorted(self.board.spaces.items()):
            standing = self.scene.position.unit_at(code)
            for coast in sorted(space.coasts) if len(space.coasts) > 1 and code not in self.holes else ():
                here = Location(code, coast)
                if here in units and (standing is None or standing.location != here):
                    x, y = self.base.plane.at(units[here])
                    parts.append(f'<text class="coast-name" x="{x}" y="{y + 10}">{coast}</text>')
        return f'<g class="large" aria-hidden="true">{"".join(parts)}</g>' if parts else ""

    def _names(self) -> str:
        """Names, or codes; and the codes of a small picture in their place where the picture is narrow."""
        if self.scene.labels == "none":
            return ""
        names, codes, small = (
            self.base.lettering(kind, self.prefix, self.holes, self.board, self.scene.language)
            for kind in ("names", "codes", "small")
        )
        shown = (
            f'<g class="codes large">{codes}</g>'
            if self.scene.labels == "codes"
            else f'<g class="names large">{names}</g>\n<g class="codes spare">{codes}</g>'
        )
        return f'{shown}\n<g class="compact small">{small}</g>'

    def _at(self, unit: Unit, *, gone: bool) -> Point:
        """Return the place of a unit, on the figure."""
        placements = self.base.placements
        return point_of(placements.dislodged or placements.units if gone else placements.units, unit.location)

    def _where(self, unit: Unit, *, gone: bool = False) -> Point:
        """Return the place of a unit, in pips."""
        return self.base.plane.at(self._at(unit, gone=gone))

    @cached_property
    def _sizes(self) -> Mapping[tuple[Code, bool], tuple[float, float]]:
        """Return the size of each token, in a large and in a small picture, by its space and whether it is dislodged.

        Tokens shrink to make way for others.
        """
        position = self.scene.position
        units = [(unit, False) for unit in (*position.units, *self._new)]
        units += [(gone.unit, True) for gone in position.dislodged]
        tokens = [((unit.space, gone), self._where(unit, gone=gone)) for unit, gone in units]
        moved = [None if gone else self.base.aside(unit.location) for unit, gone in units]
        led = [(key, (x + by[0], y + by[1]) if by else (x, y)) for (key, (x, y)), by in zip(tokens, moved, strict=True)]
        large, small = rooms(tokens, DISC, 1.0), rooms(led, DISC, LARGEST)
        return {
            key: (
                min(one, self._inside(unit, at)),
                min(other, self._cap(unit, gone=gone), LARGEST if by else self._inside(unit, at, 2)),
            )
            for (key, at), (unit, gone), by, one, other in zip(tokens, units, moved, large, small, strict=True)
        }

    def _inside(self, unit: Unit, at: Point, times: float = 1.0) -> float:
        """Return how much larger than its disc a token may be that hangs so far over the border of its space."""
        return max(SMALLEST_TOKEN, OVERHANG * times * self.base.shore_room(unit.space, at))

    def _cap(self, unit: Unit, *, gone: bool) -> float:
        """Return how much larger a token may be in a small picture, whatever else is there."""
        cap = None if gone else self.base.small_rooms.get(unit.location)
        return self.base.free_room(self._at(unit, gone=gone)) if cap is None else cap

    def _unit(self, unit: Unit, at: tuple[float, float], kind: str, title: str, extra: str = "") -> str:
        gone = "dislodged" in kind
        motion = self.motion.of_built() if "new" in kind else self.motion.of_unit(unit, at, gone=gone)
        sizes = self._sizes[unit.space, gone]
        by = None if gone else self.base.aside(unit.location)
        size, lead = _size(*sizes), ""
        if by is not None:
            size += f" at-{self.prefix}{ident_of(unit.space)}"
            lead = "" if self.base.at_home(unit.location) else _lead(by, TOKEN * DISC * sizes[1])
        symbol = symbol_of(unit.kind)
        ident = f"{self.prefix}{'dislodged' if 'dislodged' in kind else 'unit'}-{ident_of(unit.space)}"
        letter = escape(self.tags[unit.power])
        tag = f'<circle class="beside" cx="29" cy="29" r="17"/><text class="beside" x="29" y="37.5">{letter}</text>'
        if symbol in LETTERED:
            tag += f'<text class="inside" y="{LETTERED[symbol]}">{letter}</text>'  # english: ok
        tag = f'<g class="tag">{tag}</g>'
        return (
            f'<g id="{ident}" class="unit {kind}{symbol} {self._class(unit.power)}{size}" '
            f'data-space="{escape(unit.space)}" transform="translate({at[0]} {at[1]})">'
            f'<title>{escape(title)}</title>{motion}{lead}<use href="#{self.prefix}{symbol}"/>{extra}{tag}</g>'
        )

    def _units(self) -> str:
        parts = []
        gone = {o.unit: o for o in self.scene.outcomes if o.unit and o.dislodged_by}
        for unit in self.scene.position.units:
            at = self._where(unit)
            kind = "anarchy " if "anarchy" in self.scene.mark_words(unit.space) else ""
            extra = f'<use href="#{self.prefix}anarchy"/>' if kind else ""
            if unit in gone:
                kind += "beaten "
                extra += f'<g class="dislodged">{self.motion.ring()}<use href="#{self.prefix}ring"/></g>'
            parts.append(self._unit(unit, at, kind, self.scene.unit_words(self.board, unit), extra))
        parts += self._draw_new_units()
        return "\n".join(parts)

    def _draw_new_units(self) -> Iterator[str]:
        """Yield the units that are to be built and do not stand on the board yet."""
        for unit, outcome in self._new.items():
            yield self._unit(unit, self._where(unit), "new ", self.scene.unit_words(self.board, unit, outcome))

    @cached_property
    def _new(self) -> Mapping[Unit, Outcome | None]:
        """Return each unit to be built on a vacant space, and the outcome of its order."""
        new: dict[Unit, Outcome | None] = {}
        for power, _, order, outcome in self.scene.given_orders:
            if isinstance(order, Build) and power is not None and order.unit.kind is not None:
                built = outcome is None or outcome.result is Result.BUILDS
                if built and not self.scene.position.unit_at(order.unit.location.space):
                    new[Unit(power, order.unit.kind, order.unit.location)] = outcome
        return new

    def _draw_dislodged(self) -> str:
        parts = []
        for dislodged in self.scene.position.dislodged:
            unit = dislodged.unit
            at = self._where(unit, gone=True)
            words, by = self.scene.unit_words(self.board, unit), dislodged.by
            gone = titles.DISLODGED_BY(unit=words, other=by, power=by.power) if by else titles.DISLODGED(unit=words)
            words = self.scene.language.render(gone)
            ring = f'<use href="#{self.prefix}ring"/>'
            parts.append(self._unit(unit, at, "dislodged ", words, ring))
        return "\n".join(parts)

    def _walkers(self) -> str:
        parts = []
        for code in sorted(self.scene.marks):
            words = [word.partition(" ") for word in self.scene.mark_words(code)]
            here = [(name, letter) for name, _, letter in words if name in ("walker", "shade")]
            beside = self.scene.beside.get(code)
            x, y = self.base.plane.at(beside or point_of(self.base.placements.dislodged, Location(code)))
            place = code if beside else self.board.spaces[code].name
            language = self.scene.language
            for number, (name, letter) in enumerate(here):
                walker = language.render(titles.WALKER_IN(walker=MARKS[name], letter=letter, place=place))
                title = f"{walker[0].upper()}{walker[1:]}"
                aside = round(WALKERS_APART * (number - (len(here) - 1) / 2))
                parts.append(
                    f'<g class="{name}" data-aside="{aside}" transform="translate({x + aside} {y})">'
                    f"<title>{escape(title)}</title>"
                    f'<use href="#{self.prefix}pentagon"/><text y="12">{escape(letter)}</text></g>'  # english: ok
                )
        return "\n".join(parts)

    def _corners(self) -> str:
        if not self.scene.corners:
            return ""
        parts = []
        for corner in self.board.corners:
            name = str(corner)
            # a unit standing in the corner takes the place of its mark
            if name in self.base.placements.corners and self.scene.position.unit_at(Code(name)) is None:
                x, y = self.base.plane.at(self.base.placements.corners[name])
                parts.append(
                    f'<g id="{self.prefix}corner-{ident_of(name)}" class="corner" data-corner="{escape(name)}" '
                    f'transform="translate({x} {y})"><title>{escape(name)}</title>'
                    f'<use href="#{self.prefix}corner"/></g>'
                )
        return "\n".join(parts)

    @cached_property
    def _entries(self) -> list[list[tuple[Power, str]]]:
        """The rows of the legend: each power with its text, as many in a row as have room where they are largest."""
        counts, position = self.scene.counts, self.scene.position
        entries = [
            (power, f"{name} {len(position.centres_of(power)) if counts is None else counts.get(power, 0)}")
            for power in self.scene.everyone
            for name in (self.scene.language.name(power),)
        ]
        widest = max((SWATCH + width_of(text) * LARGE + 40 for _, text in entries), default=1)
        most = max(1, int(self.base.plane.width / widest))
        rows = -(-len(entries) // most) or 1
        each = -(-len(entries) // rows) or 1
        return [entries[i : i + each] for i in range(0, len(entries), each)]

    def _legend(self) -> str:
        if not self.scene.legend or self.scene.focus:
            return ""
        if self._beside:
            return self._column()
        line = self.base.extent[3] + MARGIN + 44
        parts = [f'<text class="caption" x="0" y="{line}">{escape(self.scene.heading(self.board))}</text>']
        if self.scene.caption:
            end = f'x="{self.base.plane.width}" y="{line}"'
            parts.append(f'<text class="caption note" {end}>{escape(self.scene.caption)}</text>')
        for row, entries in enumerate(self._entries):
            for place, (power, text) in enumerate(entries):
                x, y = round(place * self.base.plane.width / len(self._entries[0])), line + ROW * (row + 1)
                box = f'x="{x}" y="{y - 36}" width="44" height="44" rx="6"'
                parts.append(
                    f'<rect class="swatch land {self._class(power)}" {box}/>{self._letter(power, x + 22, y - 14, 30)}'
                    f'<text class="count" x="{x + SWATCH}" y="{y}">{escape(text)}</text>'
                )
        line += ROW * len(self._entries) + 20
        keys = [
            f'<g transform="translate({x + 32:.0f} {line + KEY_ROW * row - 13})">{sign.icon}</g>'
            f'<text class="key" x="{x + ICON:.0f}" y="{line + KEY_ROW * row}">{escape(sign.word)}</text>'
            for row, signs in enumerate(self._keys, 1)
            for x, sign in signs
        ]
        parts += [f'<g class="large">{"".join(keys)}</g>'] if keys else []
        return f'<g id="{self.prefix}layer-legend">\n' + "\n".join(parts) + "\n</g>\n"

    def _letter(self, power: Power, x: int, y: int, size: int) -> str:
        """Return the letter that units of a power bear, in the middle of its colour in the legend."""
        if not (self.theme.tagged or len(self.tags) > CROWD):
            return ""
        style = f'style="font-size:{size}px" x="{x}" y="{y + round(CAPITAL * size / 2)}"'
        return f'<g class="tag {self._class(power)}"><text {style}>{escape(self.tags[power])}</text></g>'

    def _column(self) -> str:
        """Return the title, the powers and the signs, in a column beside the map of a share picture or a poster."""
        west, north, _, height = self._view()
        left = self._map_view[0]
        poster = self.scene.shape != "share"
        inset = EDGE if poster else COLUMN_EDGE
        box = west + inset, north + (EDGE if poster else inset / 2), left - west - 1.6 * inset, height - 2 * inset
        words = [*self.scene.heading(self.board).split(", "), *filter(None, [self.scene.caption])]
        counts, position = self.scene.counts, self.scene.position
        lettered = self.theme.tagged or len(self.tags) > CROWD
        entries = [
            LegendEntry(
                self.scene.language.name(power),
                len(position.centres_of(power)) if counts is None else counts.get(power, 0),
                self._class(power),
                self.tags[power] if lettered else "",
            )
            for power in self.scene.everyone
        ]
        signs = [sign for row in self._keys for _, sign in row] if poster else []
        compass = poster and self.base.figure.projection is not None
        parts = column(words, entries, signs, box, compass=compass)
        return f'<g id="{self.prefix}layer-legend">\n' + "\n".join(parts) + "\n</g>\n"


def _lead(by: tuple[int, int], radius: float) -> str:
    """Return the line from a token beside its place in a small picture to that place, unless the token covers it."""
    far = math.hypot(*by)
    if far <= radius:
        return ""
    x, y = (round(side * (1 - 0.9 * radius / far)) for side in by)
    line = f'd="M{x} {y}L0 0"'
    return f'<path class="leader-case compact small" {line}/><path class="leader compact small" {line}/>'


def _size(large: float, small: float) -> str:
    """Return the size classes of a token that differs from its disc, in a large and in a small picture; in tenths."""
    return (f" t{int(10 * large)}" if large < 0.95 else "") + f" z{int(10 * small)}"
