"""Rules that belong to places, drawn: a plate with a sign for each, a band along a border, a track for a railway.

Which rule belongs to which place the rules themselves say (`plenipo.engine.place_rules`); here each kind has its looks.
Every mark has a `<title>` with the rule in a sentence.
"""

from itertools import pairwise
from xml.sax.saxutils import escape

from plenipo.engine.board import Location
from plenipo.engine.place_rules import KINDS
from plenipo.maps.draw.arrows import Route
from plenipo.maps.draw.base import Base
from plenipo.maps.lettering.annotations import Annotation

__all__ = ["GLYPHS", "TRACK", "icon_of", "rule_mark"]

TRACK = "M-30 0H30"
"""A piece of railway in the legend."""

GLYPHS = {
    "strength": "M-10 7 0-8 10 7M-5 9 0 1 5 9",
    "barred": "M-10 0H10",
    "slow": "M-7-10H7L-7 10H7Z",
    "leave": "M-10 0A5 5 0 1 1 0 0 5 5 0 1 1-10 0ZM0 0H11V6M6 0V5",
    "toll": "M-8 0A8 8 0 1 1 8 0 8 8 0 1 1-8 0Z",
    "railway": "M-11-4H11M-11 4H11M-7-8V8M0-8V8M7-8V8",
    "closed": "M-7-7 7 7M-7 7 7-7",
    "calm": "M-11-3q5.5-6 11 0t11 0M-11 5q5.5-6 11 0t11 0",
    "value": "M-9 6 0-9 9 6Z",
    "income": "M-8 0A8 8 0 1 1 8 0 8 8 0 1 1-8 0Z",
    "site": "M-9 0H9M0-9V9",
    "capture": "M-6 11V-10L9-5-6 0",
    "objective": "M0-11 3-3H11L5 2 7 10 0 5-7 10-5 2-11-3H-3Z",
    "event": "M3-12-6 2H1L-3 12 7-3H0Z",
    "action": "M0-10 10 0 0 10-10 0Z",
}
"""The sign of each kind of rule, within 12 pips of the origin, where no number stands in its place."""


def icon_of(kind: str, label: str = "") -> str:
    """Return the plate of a kind of rule about the origin, with a number or the sign of the kind."""
    sign = f'<text y="9">{escape(label)}</text>' if label else f'<path class="rule-sign" d="{GLYPHS[kind]}"/>'
    wide = max(20, 9 * len(label) + 6)
    plate = f'<rect class="rule-plate" x="{-wide}" y="-20" width="{2 * wide}" height="40" rx="20"/>'
    return f'<g class="plate">{plate}{sign}</g>'


def rule_mark(annotation: Annotation, base: Base, prefix: str) -> str:  # noqa: ARG001  # as all annotations are drawn
    """Return the mark of a rule: its plate, and its line along a way."""
    x, y = base.plane.at(annotation.at)
    plate = f'<g transform="translate({x} {y})">{icon_of(annotation.sign, annotation.label)}</g>'
    if annotation.sign == "railway":
        line = _track(annotation, base)
        strokes = "".join(f'<path class="{name}" d="{line}"/>' for name in ("track-case", "track", "ties"))
        return f"{strokes}{plate}"
    if annotation.border:
        line = base.lines(annotation.border)
        return f'<path class="rule-case" d="{line}"/><path class="rule-band" d="{line}"/>{plate}'
    return plate


def _track(annotation: Annotation, base: Base) -> str:
    """Return the path of a railway through its stations, each piece within the two areas it joins."""
    seats = [Location(code) for code in annotation.spaces]
    spots = [base.plane.at(point) for point in annotation.line]
    pieces = (base.routes.between(a, b, p, q) for (a, b), (p, q) in zip(pairwise(seats), pairwise(spots), strict=True))
    return Route.from_lines(pieces).text


if KINDS.keys() != GLYPHS.keys():  # a new kind is given its sign with its name
    raise LookupError(f"kinds of rule without a sign, or the other way round: {KINDS.keys() ^ GLYPHS.keys()}")
