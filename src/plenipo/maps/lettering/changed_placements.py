"""The placements of a board that changed in play: the positions of things on split or joined spaces.

A change places only the things on the changed spaces and leaves all other spaces as they are, so that the reader finds
everything in its usual place.
"""

from dataclasses import replace
from functools import cached_property
from hashlib import sha256

from plenipo.engine.board import Board, Code
from plenipo.engine.changes import BoardChange, Founded, Joined, Razed
from plenipo.engine.double_corners import Double, told_apart
from plenipo.maps.cutting.changed_figures import AfterChanges, ChangedFigures, Coded, Redrawings
from plenipo.maps.figure.planar import Figure
from plenipo.maps.figure.segments import contains
from plenipo.maps.lettering.placements import PlacementHints, Placements

__all__ = ["ChangedPlacements", "with_doubles"]


class ChangedPlacements:
    """The placements on changed figures; thread-safe.

    `placements` are those of the board without changes, and `hints` the wishes of its author.
    """

    def __init__(self, figures: ChangedFigures, placements: Placements, hints: PlacementHints | None = None) -> None:
        self.figures = figures
        self.hints = hints or PlacementHints()
        self._first = with_doubles(figures.figure(()), figures.board(()), placements)
        coded: Coded[Placements] | None = None
        if figures.shelf is not None:
            coded = Coded(figures.shelf, lambda: f"placements {self._word}", Placements.to_json, _read)
        self._placements = AfterChanges(self._first, self._refit_placements, coded)

    @cached_property
    def _word(self) -> str:
        """A word for all that the placements are made from."""
        return sha256(f"{self.figures.word} {self._first.to_json()} {self.hints}".encode()).hexdigest()

    def placements(self, changes: tuple[BoardChange, ...]) -> Placements:
        """Return the placements after `changes`; a closed space keeps its own, for the day it is opened.

        Raise InvalidFigure as `ChangedFigures.board` does.
        """
        return self._placements.of(changes)

    def _refit_placements(self, placements: Placements, splits: Redrawings) -> Placements:
        """Return the placements after the last of some splits."""
        from plenipo.maps.lettering.label_search import refit  # noqa: PLC0415  # brings numpy and shapely

        split = splits[-1]
        if isinstance(split, Razed) or (isinstance(split, Founded) and split.space in placements.centres):
            return placements  # there is a place for the mark, shown or not
        figure, board = self.figures.figure(splits), self.figures.board(splits)
        if isinstance(split, Founded):
            return with_doubles(figure, board, refit(figure, board, placements, (split.space,), self.hints))
        centres = dict(self.hints.centres)
        if isinstance(split, Joined):
            # the mark of the one that gives the name stays, or else that of the other
            town = placements.centres.get(split.into) or placements.centres.get(split.space)
            wishes = replace(self.hints, centres=centres | ({split.into: town} if town else {}))
            return with_doubles(figure, board, refit(figure, board, placements, (split.into,), wishes))
        if split.space in placements.centres:
            # the mark stays where it was: that is where the town lies
            town = placements.centres[split.space]
            centres |= {half: town for half in split.halves if contains(figure.ring(figure.faces[half][0]), town)}
        refitted = refit(figure, board, placements, split.halves, replace(self.hints, centres=centres))
        return with_doubles(figure, board, refitted)


def _read(text: str, _splits: Redrawings) -> Placements:
    return Placements.from_json(text)


def with_doubles(figure: Figure, board: Board, placements: Placements) -> Placements:
    """Placements with the points of corners that only the order of their areas tells apart, see `engine.doubles`."""
    corners = told_apart(board.corners, board.borders)
    names = {str(corner) for corner in corners}
    points = {name: at for name, at in placements.corners.items() if name in names}
    doubles = {_rotate_areas(corner.areas): str(corner) for corner in corners if isinstance(corner, Double)}
    for node, at in figure.nodes.items():
        around = _rotate_areas(figure.around(node))
        if around in doubles:
            points[doubles[around]] = at
    return replace(placements, corners=points)


def _rotate_areas(areas: tuple[Code, ...]) -> tuple[Code, ...]:
    """Return the areas round a point, beginning with the alphabetically first."""
    first = areas.index(min(areas))
    return areas[first:] + areas[:first]
