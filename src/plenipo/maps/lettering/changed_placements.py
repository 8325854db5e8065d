"""The placements of a board that changed in play: where things stand on the halves of what was split.

A split settles its two halves anew and leaves all other spaces as they are, so that a reader finds everything where it
was. Every prefix of splits that was seated is remembered for a while, as the figures does with its figures.
"""

from dataclasses import replace

from plenipo.engine.board import Board, Code
from plenipo.engine.changes import BoardChange, Split
from plenipo.engine.doubles import Double, told_apart
from plenipo.maps.cutting.changed_figures import ChangedFigures, Prefixes, splits_of
from plenipo.maps.figure.planar import Figure
from plenipo.maps.figure.segments import contains
from plenipo.maps.lettering.label_search import PlacementHints, refit
from plenipo.maps.lettering.placements import Placements

__all__ = ["ChangedPlacements", "with_doubles"]


class ChangedPlacements:
    """Finds the placements for boards of a figures; fit for several threads.

    `placements` are those of the board without changes, and `hints` what its author wishes.
    """

    def __init__(self, figures: ChangedFigures, placements: Placements, hints: PlacementHints | None = None) -> None:
        self.figures = figures
        self.hints = hints or PlacementHints()
        self._kept = Prefixes(with_doubles(figures.figure(()), figures.board(()), placements))

    def placements(self, changes: tuple[BoardChange, ...]) -> Placements:
        """The placements after `changes`; a closed space keeps its own, for the day it is opened.

        Raises InvalidFigure as `ChangedFigures.board` does.
        """
        splits = splits_of(changes)
        known, found = self._kept.longest(splits)
        for n in range(known, len(splits)):
            found = self._after(found, splits[: n + 1])
            self._kept.keep(splits[: n + 1], found)
        return found

    def _after(self, placements: Placements, splits: tuple[Split, ...]) -> Placements:
        """The placements after one split more."""
        figure, board = self.figures.figure(splits), self.figures.board(splits)
        split = splits[-1]
        centres = dict(self.hints.centres)
        if split.space in placements.centres:
            # the mark stays where it was: that is where the town lies
            town = placements.centres[split.space]
            centres |= {half: town for half in split.halves if contains(figure.ring(figure.faces[half][0]), town)}
        found = refit(figure, board, placements, split.halves, replace(self.hints, centres=centres))
        return with_doubles(figure, board, found)


def with_doubles(figure: Figure, board: Board, placements: Placements) -> Placements:
    """Placements with the points of corners that only the order of their areas tells apart, see `engine.doubles`."""
    corners = told_apart(board.corners, board.borders)
    names = {str(corner) for corner in corners}
    points = {name: at for name, at in placements.corners.items() if name in names}
    doubles = {_turned(corner.areas): str(corner) for corner in corners if isinstance(corner, Double)}
    for node, at in figure.nodes.items():
        around = _turned(figure.around(node))
        if around in doubles:
            points[doubles[around]] = at
    return replace(placements, corners=points)


def _turned(areas: tuple[Code, ...]) -> tuple[Code, ...]:
    """The areas round a point, beginning with the alphabetically first."""
    first = areas.index(min(areas))
    return areas[first:] + areas[:first]
