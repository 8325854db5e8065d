"""Corners: the points where three areas meet are spaces too.

A corner touches the areas that meet in it and no other corner. Armies may enter it if it touches land, fleets if it
touches a sea; a fleet on a coast reaches only the corners of that coast. A corner is no supply centre, and a fleet in
it may not convoy; an army may be convoyed into and out of a corner that touches land, by fleets in its sea areas.
`plenipo.engine.double_corners` distinguishes two corners of the same areas.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.board import Board, Code, Corner, Location, Space, Terrain
from plenipo.engine.double_corners import Double, told_apart
from plenipo.engine.facts import CornersAsNearestArea, Fact
from plenipo.engine.hooks import RuleModule
from plenipo.engine.sentences import SentenceKind, Series

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["Corners", "add_corners"]

_CORNER = SentenceKind("corner-of", "the corner of {spaces}", note="A space at the corner of several spaces.")
_CLOCKWISE = SentenceKind(
    "corner-of-clockwise", "the corner of {spaces}, clockwise", note="One of two corners of the same spaces."
)


@dataclass(frozen=True)
class Corners(RuleModule):
    """The option `corner_distance` says how far a unit in a corner counts from home in civil disorder.

    `count` counts the step out of the corner like any other; `as_nearest_area` takes the nearest of its areas.
    """

    name: ClassVar[str] = "corners"
    signs: ClassVar[Mapping[str, str]] = {
        "diamond": "a corner: a unit may stand there as in a province",
    }
    claims: ClassVar[frozenset[str]] = frozenset({"spaces at corners"})
    needs_figure: ClassVar[bool] = True

    corner_distance: Literal["count", "as_nearest_area"] = "count"

    def board(self, board: Board) -> Board:
        """Return the board with its corners."""
        return add_corners(board)

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the rule that a corner is as far from home as its nearest area, if the option says so."""
        if self.corner_distance == "as_nearest_area":
            yield CornersAsNearestArea()


def add_corners(board: Board) -> Board:
    """Return the board with every corner of its figure as a space of its own; contacts between areas stay as they are.

    Raises InvalidFigure if two corners have the same areas in the same order.
    """
    spaces = dict(board.spaces)
    armies = {code: set(tos) for code, tos in board.armies.items()}
    fleets = {location: set(tos) for location, tos in board.fleets.items()}
    borders = {code: tuple(around) for code, around in board.borders.items()}
    corners = told_apart(board.corners, board.borders)
    for corner in corners:
        code = Code(str(corner))
        spaces[code] = _space(board, corner, code)
        borders[code] = tuple(touch.space for touch in corner.touches)
        for touch in corner.touches:
            here, there = Location(code), touch
            if touch.space in board.armies and not board.spaces[touch.space].impassable:
                armies.setdefault(code, set()).add(touch.space)
                armies[touch.space].add(code)
            if _wet(board, corner) and touch in board.fleets:
                fleets.setdefault(here, set()).add(there)
                fleets[there].add(here)
    return replace(
        board,
        spaces=spaces,
        armies={code: frozenset(tos) for code, tos in armies.items()},
        fleets={location: frozenset(tos) for location, tos in fleets.items()},
        borders=borders,
        corners=corners,
    )


def _wet(board: Board, corner: Corner) -> bool:
    return any(board.spaces[touch.space].terrain is Terrain.SEA for touch in corner.touches)


def _space(board: Board, corner: Corner, code: Code) -> Space:
    land = any(board.spaces[touch.space].terrain is not Terrain.SEA for touch in corner.touches)
    terrain = Terrain.SEA if not land else Terrain.COAST if _wet(board, corner) else Terrain.INLAND
    spaces = Series(board.spaces[touch.space].name for touch in corner.touches)
    name = (_CLOCKWISE if isinstance(corner, Double) else _CORNER)(spaces=spaces)
    return Space(code, name, terrain, convoys=False, corner=corner)
