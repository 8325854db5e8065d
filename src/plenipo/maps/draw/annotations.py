"""Marks for facts that no border shows: links, closed borders, canals, crossings, boxes beside the map and lanes.

Every mark has a `<title>` that says in words what it means.
"""

import math
from collections.abc import Mapping
from xml.sax.saxutils import escape

from plenipo.engine.board import Code
from plenipo.maps.draw.arrows import Bend, DrawableLine, Route, Spot
from plenipo.maps.draw.base import FRAME, Base, ident_of
from plenipo.maps.draw.paths import DISC, path
from plenipo.maps.draw.place_rules import rule_mark
from plenipo.maps.figure.planar import Point
from plenipo.maps.lettering.annotations import Annotation

__all__ = ["boxes", "marks"]

BOW = 0.16
"""The deviation of a long link from the straight line, as a share of its length."""

SHORT = 4.0 * DISC
"""A link shorter than this runs straight, in pips."""

POINT = 20.0
"""The length of the point at either end of a link or lane, in pips."""

EXIT = 40
"""The size of the letters beside a lane, in pips."""


def marks(annotations: tuple[Annotation, ...], base: Base, prefix: str) -> str:
    """Everything that is drawn on the map itself."""
    parts = []
    for annotation in annotations:
        drawn = _DRAWN.get(annotation.kind)
        if drawn:
            spaces = escape(" ".join(annotation.spaces))
            kind = f"{annotation.kind} {annotation.sign}".strip()
            parts.append(
                f'<g class="annotation {kind}" data-spaces="{spaces}">'
                f"<title>{escape(annotation.words)}</title>{drawn(annotation, base, prefix)}</g>"
            )
    return "\n".join(parts)


def boxes(
    annotations: tuple[Annotation, ...], base: Base, names: Mapping[Code, str], words: Mapping[Code, str], prefix: str
) -> str:
    """Return the boxes beside the map, each in a frame, and the lanes to their links.

    `names` are those of spaces, `words` the titles of the boxes.
    """
    parts = []
    for box in base.figure.boxes:
        west, south, east, north = box.bounds
        (x, y), (right, low) = base.plane.at((west, north)), base.plane.at((east, south))
        lanes = (
            annotation for annotation in annotations if annotation.kind == "lane" and annotation.spaces[0] == box.code
        )
        parts += [_lane(annotation, base, names) for annotation in lanes]
        size = f'x="{x}" y="{y}" width="{right - x}" height="{low - y}"'
        off = FRAME - 4
        outer = f'x="{x - off}" y="{y - off}" width="{right - x + 2 * off}" height="{low - y + 2 * off}"'
        parts.append(
            f'<rect class="box-edge" {outer}/><rect class="box-water" {size} fill="url(#{prefix}water)"/>'
            f'<path id="{prefix}space-{ident_of(box.code)}" class="space sea box" data-space="{escape(box.code)}" '
            f'd="{base.shapes.faces[box.code]}"><title>{escape(words[box.code])}</title></path>'
        )
    return "\n".join(parts)


def _link(annotation: Annotation, base: Base, prefix: str) -> str:  # noqa: ARG001  # one shape for all kinds
    if annotation.stubs:
        return "".join(
            _draw_stub(tuple(map(base.plane.at, stub)), code, back=annotation.kind == "one_way" and number == 1)
            for number, (stub, code) in enumerate(zip(annotation.stubs, annotation.spaces[::-1], strict=True))
        )
    start, end = (base.plane.at(point) for point in annotation.line)
    far = math.dist(start, end)
    # on a board laid out by its contacts there is room for the straight line alone
    line = Bend.between(start, end, left=BOW if far > SHORT and not base.figure.schematic else 0.0)
    least = min(POINT / (far or 1), 0.3)
    body = line.part(least, 1 - least)
    tips = _point(line) + ("" if annotation.kind == "one_way" else _point(line.part(1, 0)))
    return (
        f'<path class="link-case" d="{line.text}"/><path class="link-case" d="{tips}"/>'
        f'<path class="link-line" d="{body.text}"/><path class="link-point" d="{tips}"/>'
    )


def _draw_stub(stub: tuple[Spot, ...], code: Code, *, back: bool) -> str:
    """Draw an arrow towards a space that no line leads to, and the code of that space at its other end.

    An arrow `back` has its point inside, and the code where it comes from.
    """
    start, end = stub
    line = Bend.between(start, end, left=0.0)
    body = line.part(0, 1 - min(POINT / (line.length or 1), 0.5))
    (x, y), (px, py) = (end, start) if back else (start, end)
    far = math.dist((x, y), (px, py)) or 1.0
    # letters are wider than high
    x, y = x + (x - px) / far * EXIT * 0.9, y + (y - py) / far * EXIT * 0.5 + EXIT * 0.33
    return (
        f'<path class="link-case" d="{line.text}"/><path class="link-case" d="{_point(line)}"/>'
        f'<path class="link-line" d="{body.text}"/><path class="link-point" d="{_point(line)}"/>'
        f'<text class="exit entry" x="{x:.0f}" y="{y:.0f}">{escape(code)}</text>'
    )


def _draw_closed(annotation: Annotation, base: Base, _: str) -> str:
    wanted = set(annotation.spaces)
    line = base.lines(i for i, arc in enumerate(base.figure.arcs) if set(arc.pair) == wanted)
    return f'<path class="closed-wall" d="{line}"/><path class="closed-bars" d="{line}"/>'


def _mark(annotation: Annotation, base: Base, prefix: str) -> str:
    x, y = base.plane.at(annotation.at)
    return f'<g transform="translate({x} {y})"><use href="#{prefix}anchor"/></g>'


def _passage(annotation: Annotation, base: Base, prefix: str) -> str:
    water = ""
    if annotation.line:
        # a little beyond both shores, so that no gap is left where the shore is thinned
        start, end = (base.plane.at(point) for point in annotation.line)
        text = path((_beyond(end, start), _beyond(start, end)))
        water = f'<path class="canal-bank" d="{text}"/><path class="canal-water" d="{text}"/>'
    return water + _mark(annotation, base, prefix)


def _crossing(annotation: Annotation, base: Base, prefix: str) -> str:
    x, y = base.plane.at(annotation.at)
    return f'<g transform="translate({x} {y})"><use href="#{prefix}crossed"/></g>'


def _lane(annotation: Annotation, base: Base, names: Mapping[Code, str]) -> str:
    spots: tuple[Spot, ...] = tuple(base.plane.at(point) for point in annotation.line)
    line = Route(spots)
    # it begins outside the frame of its box
    line = line.part(min(FRAME / max(line.length, 1), 0.3), 1)
    short = min(POINT / max(line.length, 1), 0.3)
    body, tips = line.part(short, 1 - short), _point(line) + _point(Route(line.spots[::-1]))
    box, sea = annotation.spaces
    goals = [names.get(code, code) for code in (box, sea)]
    return (
        f'<g class="annotation lane" data-spaces="{escape(f"{box} {sea}")}"><title>{escape(annotation.words)}</title>'
        f'<path class="link-line" d="{body.text}"/><path class="link-point" d="{tips}"/>'
        f"{_exit(spots[0], spots[1], goals[1], sea)}{_exit(spots[-1], spots[-2], goals[0], box, inside=True)}</g>"
    )


def _exit(at: Spot, then: Spot, name: str, code: Code, *, inside: bool = False) -> str:
    """Draw a lane's goal beside its end `at`: over a level lane, beyond the point of one that goes into a sea."""
    (x, y), level = at, abs(at[0] - then[0]) >= abs(at[1] - then[1])
    away = 1 if at[0] > then[0] else -1
    if inside:
        place = (
            (x + away * POINT * 1.6, y + EXIT * 0.33)
            if level
            else (x, y + (-POINT if at[1] < then[1] else EXIT + POINT))
        )
        anchor = ("start" if away > 0 else "end") if level else ""
    else:
        place = (x - away * POINT * 1.4, y - EXIT * 0.45) if level else (x + POINT, y - POINT)
        anchor = ("end" if away > 0 else "start") if level else "start"
    spot = f'x="{place[0]:.0f}" y="{place[1]:.0f}"'
    kind = " ".join(word for word in ("exit", "entry" if inside else "", anchor) if word)
    large, small = (f'class="{kind} {size}" {spot}' for size in ("large", "small"))
    return f"<text {large}>{escape(name)}</text><text {small}>{escape(code)}</text>"


def _point(line: DrawableLine) -> str:
    """Return the path of the point at the end of a line, its tip on the end."""
    (x, y), angle = line.at(1), line.heading
    corners = (
        (x + r * math.cos(angle + t), y + r * math.sin(angle + t)) for r, t in ((0, 0), (POINT, 2.65), (POINT, -2.65))
    )
    return "M" + "L".join(f"{cx:.0f} {cy:.0f}" for cx, cy in corners) + "Z"


def _beyond(start: Point, end: Point, reach: float = 7.0) -> Point:
    """Return the place a few pips beyond `end`, coming from `start`."""
    far = math.dist(start, end) or 1.0
    return round(end[0] + (end[0] - start[0]) * reach / far), round(end[1] + (end[1] - start[1]) * reach / far)


_DRAWN = {
    "link": _link,
    "one_way": _link,
    "closed": _draw_closed,
    "canal": _mark,
    "passage": _passage,
    "crossing": _crossing,
    "rule": rule_mark,
}
