"""Pictures for pages: the map of a moment as SVG, in parts a page can inline, and where everything stands on it."""

import re
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from plenipo import charts, library
from plenipo.engine.board import Board, Code, Location
from plenipo.engine.history.record import digest, encode_position
from plenipo.engine.orders import Order
from plenipo.engine.outcome import Resolution
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.maps.draw import Theme, view_box
from plenipo.maps.draw.base import Base, base_of
from plenipo.maps.draw.orders import point_of
from plenipo.maps.draw.paths import DISC

__all__ = ["PREFIX", "Look", "arrows", "board_key", "board_of", "chart_for", "marks_of", "picture", "sheet_css"]

Json = dict[str, Any]

PREFIX = "m-"
"""What stands before the ids of a picture that is to be part of a page."""

_STYLE = re.compile(r"<style>.*?</style>\n?", re.DOTALL)
_BOARDS_KEPT = 128


@dataclass(frozen=True)
class Look:
    """How a picture is to look; `bare` leaves out the style sheet, for a page that has it already."""

    theme: str = "light"
    labels: str = "names"
    bare: bool = False
    legend: bool = True
    focus: tuple[str, ...] = ()


def chart_for(rules: Rules) -> charts.Chart:
    """The chart of some rules; raises `InvalidVariant` if they have no map to draw."""
    return charts.chart_of(rules, library.read(rules.variant).figure)


def marks_of(rules: Rules, position: Position) -> dict[Code, str]:
    """The marks of the spaces, such as holes, as the picture shows them."""
    return chart_for(rules).marks(position)


def picture(
    rules: Rules, position: Position, look: Look, resolution: Resolution | None = None, orders: Iterable[Order] = ()
) -> str:
    """A moment as SVG: a position with orders not judged yet, or what a resolution made of the one before it.

    Raises `UnknownName` for a theme, labels or a focus there are none of.
    """
    chart = chart_for(rules)
    scene = chart.scene(
        position,
        resolution,
        tuple(orders),
        labels=look.labels,
        legend=look.legend and not look.bare,
        focus=tuple(map(Code, look.focus)),
        prefix=PREFIX if look.bare else "",
    )
    text = chart.draw(scene, look.theme)
    return _STYLE.sub("", text, count=1) if look.bare else text


def arrows(rules: Rules, position: Position, orders: Iterable[Order]) -> dict[str, str]:
    """The orders as they are drawn in a bare picture: what lies under the names, and the signs over the units."""
    chart = chart_for(rules)
    return chart.order_layers(chart.scene(position, orders=tuple(orders), prefix=PREFIX))._asdict()


def sheet_css(rules: Rules, theme: str) -> str:
    """The style sheet of bare pictures of a game; raises `UnknownName` for a theme there is none of."""
    everyone = chart_for(rules).scene(rules.opening, prefix=PREFIX).everyone
    return Theme.named(theme).sheet(everyone, PREFIX)


# Where everything stands


def board_key(position: Position) -> str:
    """A word that changes when the board does."""
    return f"b{digest(encode_position(position).get('changes', []))[:10]}" if position.changes else "b0"


@lru_cache(maxsize=_BOARDS_KEPT)
def _standing(chart: charts.Chart) -> Mapping[str, Json]:
    """The spaces of a board with their placements in the picture, in pips."""
    board = chart.board
    base: Base = base_of(chart.figure, chart.placements)
    placements = base.placements

    def at(table: Mapping[Location, tuple[int, int]], location: Location) -> tuple[int, int] | None:
        try:
            return base.plane.at(point_of(table, location))
        except StopIteration:
            return None

    spaces: dict[str, Json] = {}
    for code, space in board.spaces.items():
        near = board.borders.get(code, ())
        centre = placements.centres.get(code)
        spaces[code] = {
            "name": space.name,
            "terrain": str(space.terrain),
            "centre": space.centre,
            "impassable": space.impassable,
            "coasts": list(space.coasts),
            "corner": space.corner is not None,
            "placement": at(placements.units, Location(code)),
            "coast_placements": {coast: at(placements.units, Location(code, coast)) for coast in space.coasts},
            "dislodged": at(placements.dislodged, Location(code)),
            "mark": base.plane.at(centre) if centre else None,
            "touches": sorted({other for other in near if other is not None}),
        }
    return spaces


def board_of(rules: Rules, position: Position) -> Json:
    """The board of a position for a page: names, terrain and placements; and for each power what its phone opens on."""
    chart = _chart_at(rules, rules.board_at(position), position)
    return {
        "key": board_key(position),
        "view": view_box(chart.figure, chart.placements, ()),
        "unit": DISC,
        "spaces": _standing(chart),
        "focus": {
            power: view_box(chart.figure, chart.placements, _near(chart, position, power)) for power in rules.names
        },
    }


_charts: OrderedDict[Board, charts.Chart] = OrderedDict()


def _chart_at(rules: Rules, board: Board, position: Position) -> charts.Chart:
    """The chart of a board; the same value for the same board, as long as it is remembered."""
    found = _charts.get(board)
    if found is None:
        found = _charts[board] = chart_for(rules).at(position)
        while len(_charts) > _BOARDS_KEPT:
            _charts.popitem(last=False)
    return found


def _near(chart: charts.Chart, position: Position, power: Power) -> tuple[Code, ...]:
    """The units and homes of a power and what lies around them; faces of the map only."""
    own = {unit.space for unit in position.units_of(power)} | set(position.homes_of(power))
    own |= {d.unit.space for d in position.dislodged if d.unit.power == power}
    around = {other for code in own for other in chart.board.borders.get(code, ()) if other is not None}
    return tuple(sorted(code for code in own | around if code in chart.figure.faces))
