"""Lines of orders that are too thin, or that show a failure louder than a success, read from a picture's stylesheet."""

import re
from collections.abc import Iterator

from plenipo.engine.sentences import Sentence, say
from plenipo.maps.draw.stylesheet import at_width
from plenipo.maps.lettering.placements import MIDDLE, NARROW

__all__ = ["faint_successes", "thin_lines"]

KINDS = {
    say("moves"): ("move",),
    say("convoyed moves"): ("move", "convoyed"),
    say("retreats"): ("retreat",),
    say("supports"): ("support",),
    say("convoys"): ("convoy",),
}
"""The classes of each kind of order that is drawn as a line."""

FAILURES = {"move": "failed", "retreat": "failed", "support": "cut", "convoy": "void"}
"""The class that an order has when it fails, by the one of its kind."""

MOVING = (3.0, 2.0, 1.5)
"""Lines of units that move are at least so many pixels wide: in a large picture, a middling one and a narrow one."""

HELPING = (2.0, 1.5, 1.2)
"""The same of supports and convoys."""

_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_VALUE = re.compile(r"(stroke-width|stroke-opacity):([\d.]+)")


def thin_lines(svg: str, width: int) -> Iterator[Sentence]:
    """Yield the kinds of orders whose lines are too thin in a picture so many pixels wide."""
    rules, scale = _read_rules(svg, width), width / _picture_width(svg)
    size = 0 if width > MIDDLE else 1 if width > NARROW else 2
    for kind, classes in KINDS.items():
        least = (MOVING if classes[0] in ("move", "retreat") else HELPING)[size]
        drawn = _line_style(rules, *classes)["stroke-width"] * scale
        if drawn < least:
            yield say(
                "the lines of {kind} are {drawn} pixels wide at {width} pixels, less than {least}",
                kind=kind,
                drawn=f"{drawn:.1f}",
                width=width,
                least=f"{least:.1f}",
            )


def faint_successes(svg: str, width: int) -> Iterator[Sentence]:
    """Yield the kinds of orders that are drawn fainter when they succeed than when they fail, by width and opacity."""
    rules = _read_rules(svg, width)
    for kind, classes in KINDS.items():
        success, failure = (_line_style(rules, *of) for of in (classes, (*classes, FAILURES[classes[0]])))
        if success["stroke-width"] * success["stroke-opacity"] <= failure["stroke-width"] * failure["stroke-opacity"]:
            yield say(
                "{kind} that succeed are no bolder than those that fail at {width} pixels", kind=kind, width=width
            )


def _picture_width(svg: str) -> float:
    return float(svg.partition('viewBox="')[2].partition('"')[0].split()[2])


def _read_rules(svg: str, width: int) -> list[tuple[list[str], dict[str, float]]]:
    """Return the selectors that end in lines of orders, each as its compounds, and what they set, in their order."""
    sheet = at_width(svg.partition("<style>")[2].partition("</style>")[0], width)
    return [
        (selector.split(), {name: float(value) for name, value in _VALUE.findall(body)})
        for selectors, body in _RULE.findall(sheet)
        for selector in selectors.split(",")
        if selector.strip() == ".line" or selector.endswith(" .line")
    ]


def _line_style(rules: list[tuple[list[str], dict[str, float]]], *classes: str) -> dict[str, float]:
    """Return width and opacity of the line of an order with these classes: the closest rule counts, then the last."""
    style, closest = {"stroke-width": 1.0, "stroke-opacity": 1.0}, {"stroke-width": 0, "stroke-opacity": 0}
    known = {"board", "order", *classes}
    for selector, values in rules:
        named = {name for part in selector[:-1] for name in part.split(".") if name}
        if named <= known:
            for key, value in values.items():
                if len(named) >= closest[key]:
                    style[key], closest[key] = value, len(named)
    return style
