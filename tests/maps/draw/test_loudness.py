"""A success is drawn at least as loud as a failure: as wide, as opaque and in as strong a colour, at every width."""

import re
from functools import cache

import pytest

from plenipo.charts import chart
from plenipo.maps.draw import Theme
from plenipo.maps.draw.colours import contrast
from plenipo.raster import plain

WIDTHS = (390, 800, 1600)

FAILURES = {
    "move": ("move failed", "move failed broken", "move void"),
    "move convoyed": ("move convoyed failed", "move convoyed failed broken", "move convoyed void"),
    "support": ("support cut", "support void"),
    "convoy": ("convoy void",),
    "retreat": ("retreat failed", "retreat void"),
}
"""The classes of an order that succeeded, and those of the same order where it failed."""

RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")

LENGTH = {"stroke-width": 1.0, "stroke-opacity": 1.0, "opacity": 1.0}


@cache
def sheet(theme: str, width: int) -> str:
    style = plain(chart("standard").draw(theme=theme), width).partition("<style>")[2].partition("</style>")[0]
    return re.sub(r"@font-face\{[^}]*\}", "", style)


def style_of(text: str, order: str, part: str) -> dict[str, str]:
    """Return what a stylesheet says of a part of an order: of the more exact rule, or else of the later one."""
    classes = {*order.split(), "order"}
    found: dict[str, tuple[int, str]] = {}
    for selectors, body in RULE.findall(text):
        for selector in selectors.split(","):
            *around, last = selector.split()
            names = [name for one in around for name in one.split(".") if name]
            if last != f".{part}" or not classes.issuperset(names):
                continue
            for key, _, value in (item.partition(":") for item in body.split(";") if item.strip()):
                if len(names) >= found.get(key.strip(), (0, ""))[0]:
                    found[key.strip()] = (len(names), value.strip())
    return {key: value for key, (_, value) in found.items()}


def number(style: dict[str, str], key: str) -> float:
    return float(style.get(key, LENGTH[key]))


def loudness(style: dict[str, str]) -> float:
    """Return the width of a stroke times what is seen of it."""
    return number(style, "stroke-width") * number(style, "stroke-opacity") * number(style, "opacity")


def fainter(text: str) -> list[str]:
    """Return a line for each success that is drawn less loud than a failure of the same order."""
    found = []
    for order, failures in FAILURES.items():
        good = {part: style_of(text, order, part) for part in ("line", "case")}
        for failed in failures:
            for part, well in good.items():
                badly = style_of(text, failed, part)
                if loudness(well) < loudness(badly) or number(well, "stroke-opacity") < number(badly, "stroke-opacity"):
                    found.append(f"{order} {well} is fainter than {failed} {badly}")
                if well.get("stroke") != badly.get("stroke"):
                    found.append(f"{order} and {failed} are drawn in different colours")
    return found


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("theme", Theme.names())
def test_a_success_is_drawn_at_least_as_loud_as_a_failure(theme: str, width: int) -> None:
    text = sheet(theme, width)
    assert loudness(style_of(text, "move", "line")) > 1
    assert not fainter(text)


@pytest.mark.parametrize("theme", Theme.names())
def test_the_sign_of_a_success_stands_out_as_much_as_that_of_a_failure(theme: str) -> None:
    tokens = Theme.from_name(theme).tokens
    well, badly = (contrast(tokens[name], tokens["edge"]) for name in ("good", "bad"))
    assert min(well, badly) >= 3


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (".failed .line{stroke-width:7.5;", ".failed .line{stroke-width:18;"),
        (".cut .line,.void .line{stroke-width:5.5;stroke-opacity:.7}", ".cut .line,.void .line{stroke-width:9}"),
        (".line{stroke-width:14}", ".line{stroke-width:14;stroke-opacity:.4}"),
        (".failed .line{", ".failed .line{stroke:var(--bad);"),
    ],
)
def test_a_failure_that_is_louder_is_found(before: str, after: str) -> None:
    text = sheet("light", 1600)
    assert before in text
    assert fainter(text.replace(before, after, 1))
