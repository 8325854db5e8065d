"""The seats of a board that changed in play: where things stand on the halves of what was split.

A split settles its two halves anew and leaves all other spaces as they are, so that a reader finds everything where it
was. Every prefix of splits that was seated is remembered for a while, as the surveyor does with its figures.
"""

from dataclasses import replace

from plenipo.engine.board import Board, Code
from plenipo.engine.changes import BoardChange, Split
from plenipo.engine.doubles import Double, told_apart
from plenipo.maps.cutting.changed import FigureSurveyor, Prefixes, splits_of
from plenipo.maps.figure.planar import Figure
from plenipo.maps.figure.segments import contains
from plenipo.maps.lettering.label_search import Hints, refit
from plenipo.maps.lettering.placements import Seats

__all__ = ["Reseating", "with_doubles"]


class Reseating:
    """Finds the seats for boards of a surveyor; fit for several threads.

    `seats` are those of the board without changes, and `hints` what its author wishes.
    """

    def __init__(self, surveyor: FigureSurveyor, seats: Seats, hints: Hints | None = None) -> None:
        self.surveyor = surveyor
        self.hints = hints or Hints()
        self._kept = Prefixes(with_doubles(surveyor.figure(()), surveyor.board(()), seats))

    def seats(self, changes: tuple[BoardChange, ...]) -> Seats:
        """The seats after `changes`; a closed space keeps its own, for the day it is opened.

        Raises InvalidFigure as `FigureSurveyor.board` does.
        """
        splits = splits_of(changes)
        known, found = self._kept.longest(splits)
        for n in range(known, len(splits)):
            found = self._after(found, splits[: n + 1])
            self._kept.keep(splits[: n + 1], found)
        return found

    def _after(self, seats: Seats, splits: tuple[Split, ...]) -> Seats:
        """The seats after one split more."""
        figure, board = self.surveyor.figure(splits), self.surveyor.board(splits)
        split = splits[-1]
        centres = dict(self.hints.centres)
        if split.space in seats.centres:
            # the mark stays where it was: that is where the town lies
            town = seats.centres[split.space]
            centres |= {half: town for half in split.halves if contains(figure.ring(figure.faces[half][0]), town)}
        found = refit(figure, board, seats, split.halves, replace(self.hints, centres=centres))
        return with_doubles(figure, board, found)


def with_doubles(figure: Figure, board: Board, seats: Seats) -> Seats:
    """The seats with the points of corners that are told apart by the order of their areas, see `engine.doubles`."""
    corners = told_apart(board.corners, board.borders)
    names = {str(corner) for corner in corners}
    points = {name: at for name, at in seats.corners.items() if name in names}
    doubles = {_turned(corner.areas): str(corner) for corner in corners if isinstance(corner, Double)}
    for node, at in figure.nodes.items():
        around = _turned(figure.around(node))
        if around in doubles:
            points[doubles[around]] = at
    return replace(seats, corners=points)


def _turned(areas: tuple[Code, ...]) -> tuple[Code, ...]:
    """The areas round a point, beginning with the alphabetically first."""
    first = areas.index(min(areas))
    return areas[first:] + areas[:first]
