"""Boards as JSON: the spaces, and the placements in the coordinates of the picture."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from cachetools import LRUCache, cached
from pydantic import field_serializer

from plenipo import charts
from plenipo.engine.board import Code, Location
from plenipo.engine.history.record import digest, encode_position
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import Sentence
from plenipo.maps.draw import view_box
from plenipo.maps.draw.base import base_of
from plenipo.maps.draw.paths import DISC
from plenipo.maps.lettering.placements import point_of
from plenipo.server.boards import chart_for
from plenipo.server.texts import translate
from plenipo.server.web.models import Model, Spoken

__all__ = ["Board", "BoardSpace", "board_key"]

MOST_CHARTS = 128
"""The most changed boards whose charts are cached."""

PixelPoint = tuple[int, int]
"""A point of the picture."""


class BoardSpace(Model):
    """A space of the board, and its placements; the name of a corner is in the language of the reader."""

    name: Spoken
    terrain: Literal["inland", "coast", "sea"]
    centre: bool
    impassable: bool
    coasts: tuple[str, ...]
    corner: bool
    placement: PixelPoint | None
    coast_placements: dict[str, PixelPoint | None]
    dislodged: PixelPoint | None
    mark: PixelPoint | None
    touches: tuple[str, ...]

    @field_serializer("name")
    def _render(self, name: str) -> str:
        return translate(name) if isinstance(name, Sentence) else name


class Board(Model):
    """A board: `kinds` names its units by their letters, `radius` is that of a unit, `focus` where a phone opens on it.

    `placement` is where a unit stands in a space, and `coast_placements` where one stands on each coast.
    """

    key: str
    view: str
    radius: int
    spaces: dict[str, BoardSpace]
    kinds: dict[str, str]
    focus: dict[str, str]

    @classmethod
    def of(cls, rules: Rules, position: Position) -> "Board":
        """Return the board of a position."""
        chart = _chart_at(rules, position)
        near = {str(power): _near(chart, position, power) for power in rules.names}
        return cls(
            key=board_key(position),
            view=view_box(chart.figure, chart.placements, ()),
            radius=DISC,
            spaces=_spaces(chart),
            kinds={str(traits.kind): traits.name.capitalize() for traits in chart.board.units},
            focus={power: view_box(chart.figure, chart.placements, codes) for power, codes in near.items()},
        )


def board_key(position: Position) -> str:
    """Return a key that changes when the board does."""
    return f"b{digest(encode_position(position).get('changes', []))[:10]}" if position.changes else "b0"


@lru_cache(maxsize=MOST_CHARTS)
def _spaces(chart: charts.Chart) -> dict[str, BoardSpace]:
    base = base_of(chart.figure, chart.placements)
    placements = base.placements

    def at(places: Mapping[Location, PixelPoint], location: Location) -> PixelPoint | None:
        try:
            x, y = base.plane.at(point_of(places, location))
        except StopIteration:
            return None
        return x, y

    return {
        code: BoardSpace(
            name=space.name,
            terrain=space.terrain.value,
            centre=space.centre,
            impassable=space.impassable,
            coasts=space.coasts,
            corner=space.corner is not None,
            placement=at(placements.units, Location(code)),
            coast_placements={coast: at(placements.units, Location(code, coast)) for coast in space.coasts},
            dislodged=at(placements.dislodged, Location(code)),
            mark=base.plane.at(placements.centres[code]) if code in placements.centres else None,
            touches=tuple(sorted({other for other in chart.board.borders.get(code, ()) if other is not None})),
        )
        for code, space in chart.board.spaces.items()
    }


@cached(LRUCache(MOST_CHARTS), key=Rules.board_at)
def _chart_at(rules: Rules, position: Position) -> charts.Chart:
    """Return the chart of a board; the same value for the same board while it is cached."""
    return chart_for(rules).at(position)


def _near(chart: charts.Chart, position: Position, power: Power) -> tuple[Code, ...]:
    """Return the units and homes of a power and the spaces around them; faces of the map only."""
    own = {unit.space for unit in position.units_of(power)} | set(position.homes_of(power))
    own |= {d.unit.space for d in position.dislodged if d.unit.power == power}
    around = {other for code in own for other in chart.board.borders.get(code, ()) if other is not None}
    return tuple(sorted(code for code in own | around if code in chart.figure.faces))
