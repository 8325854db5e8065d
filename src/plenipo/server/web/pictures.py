"""Pictures for pages: the map of a moment as SVG, in parts a page can inline."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from threading import Lock
from types import MappingProxyType

from cachetools import LRUCache

from plenipo import charts, library
from plenipo.engine.board import Code
from plenipo.engine.orders import Order
from plenipo.engine.outcome import Resolution
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.errors import PlenipoError
from plenipo.languages import ENGLISH
from plenipo.languages.names import language_in
from plenipo.library import plugins
from plenipo.maps.draw import FIXED_WIDTHS, OrderLayers, Theme
from plenipo.maps.draw.stylesheet import at_width

__all__ = ["PREFIX", "PictureLook", "arrows", "chart_for", "find_influence", "map_css", "picture"]

PREFIX = "m-"
"""The prefix of the ids of a picture that is to be part of a page."""

_STYLE = re.compile(r"<style>.*?</style>\n?", re.DOTALL)


@dataclass(frozen=True)
class PictureLook:
    """The look of a picture; `bare` leaves out the stylesheet, for a page that has it already.

    `prefix` goes before every id of a bare picture, for several in a page.
    """

    theme: str = "light"
    labels: str = "names"
    bare: bool = False
    legend: bool = True
    focus: tuple[str, ...] = ()
    language: str = ENGLISH
    title: str = ""
    shape: str = "map"
    motion: bool = False
    prefix: str = PREFIX


def chart_for(rules: Rules) -> charts.Chart:
    """Return the chart of some rules; raise `InvalidVariant` if they have no map to draw.

    Of a variant in an added folder, the rules of a game may be those of before an edit: then its chart stays.
    """
    version = plugins.version_of(rules.variant)
    if not version:
        return charts.chart_of(rules, library.read(rules.variant).figure)
    with _DRAWING:
        before = _DRAWN.get(rules)
    if before is not None and before[0] == version:
        return before[1]
    try:
        if before is not None and library.load(rules.variant, rules.options, as_saved=True) != rules:
            chart = before[1]
        else:
            chart = charts.chart_of(rules, library.read(rules.variant).figure, version)
    except (PlenipoError, OSError):
        if before is None:
            raise
        chart = before[1]
    with _DRAWING:
        _DRAWN[rules] = version, chart
    return chart


_DRAWN: LRUCache[Rules, tuple[tuple[int, ...], charts.Chart]] = LRUCache(64)
"""The newest charts of rules from added folders, and the times at which the files were changed."""

_DRAWING = Lock()


def find_influence(positions: Iterable[Position]) -> dict[Code, Power]:
    """Return the power whose unit stood last in each space, by positions in their order."""
    return {unit.space: unit.power for position in positions for unit in position.units}


def picture(
    rules: Rules,
    position: Position,
    look: PictureLook,
    resolution: Resolution | None = None,
    orders: Iterable[Order] = (),
    influence: Mapping[Code, Power] = MappingProxyType({}),
) -> str:
    """Return a moment as SVG: a position with orders not adjudicated yet, or with the resolution of the turn before.

    Spaces with an `influence` and without an owner have the colour of that power. Raise `UnknownName` for an unknown
    theme, labels or focus.
    """
    chart = chart_for(rules)
    scene = chart.scene(
        position,
        resolution,
        tuple(orders),
        labels=look.labels,
        legend=look.legend and not look.bare,
        focus=tuple(map(Code, look.focus)),
        prefix=look.prefix if look.bare else "",
        title=look.title,
        shape=look.shape,
        motion=look.motion,
        language=language_in(look.language, rules.variant),
    )
    if influence:
        spaces = chart.at(position).board.spaces
        tinted = {code: power for code, power in influence.items() if code in spaces}
        scene = replace(scene, lands={**scene.lands, **tinted})
    text = chart.draw(scene, look.theme)
    return _STYLE.sub("", text, count=1) if look.bare else text


def arrows(rules: Rules, position: Position, orders: Iterable[Order]) -> OrderLayers:
    """Return the orders for a bare picture: the layer under the names, and the signs over the units."""
    return chart_for(rules).order_layers_at(position, tuple(orders), prefix=PREFIX)


def map_css(rules: Rules, theme: str, *, cards: bool = False) -> str:
    """Return the stylesheet of bare pictures of a game, or of cards; raise `UnknownName` for an unknown theme."""
    scene = chart_for(rules).scene(rules.opening, prefix=PREFIX)
    sheet = Theme.from_name(theme).sheet(scene.everyone, PREFIX, scene.like)
    return at_width(sheet, FIXED_WIDTHS["card"]) if cards else sheet
