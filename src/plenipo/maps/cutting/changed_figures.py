"""Surveying: the figure, the texts and the board that the changes of a game lead to.

A `ChangedFigures` is what a game with a changing board hands to its rules as a `plenipo.engine.changes.ChangedBoards`.
Splits change the figure, one after the other; what was closed is closed on the finished board. Every prefix of splits
that was worked out is remembered for a while, so that a turn costs the work of its own splits only.
What comes out is a function of the changes alone; what is remembered changes nothing but the time.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cached_property
from threading import Lock
from typing import Generic, TypeVar

from plenipo.engine.board import Board, Code
from plenipo.engine.changes import BoardChange, Split, closed_by, with_closed
from plenipo.maps.cutting.cut import borders, halves, middle, split
from plenipo.maps.figure.board import SpaceText, board_from
from plenipo.maps.figure.planar import Figure, Point

__all__ = ["ChangedFigures", "Prefixes", "splits_of"]

KEPT = 128
"""How many prefixes are remembered: those of some games at once, with the last turns of each."""

Splits = tuple[Split, ...]

T = TypeVar("T")


def splits_of(changes: Sequence[BoardChange]) -> Splits:
    """The splits among the changes of a board, in their order: all that changes its figure."""
    return tuple(change for change in changes if isinstance(change, Split))


class Prefixes(Generic[T]):
    """What the splits of some games led to, by the splits; the least used are forgotten. Fit for several threads.

    `first` is what no splits lead to; it is never forgotten.
    """

    def __init__(self, first: T) -> None:
        self._first = first
        self._kept: OrderedDict[Splits, T] = OrderedDict()
        self._lock = Lock()

    def longest(self, splits: Splits) -> tuple[int, T]:
        """How many of the first splits are remembered as done, and what they led to."""
        with self._lock:
            for n in range(len(splits), 0, -1):
                if splits[:n] in self._kept:
                    self._kept.move_to_end(splits[:n])
                    return n, self._kept[splits[:n]]
        return 0, self._first

    def keep(self, splits: Splits, found: T) -> None:
        """Remember what `splits` led to."""
        with self._lock:
            self._kept[splits] = found
            self._kept.move_to_end(splits)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)


class ChangedFigures:
    """Works out boards from a figure and the texts of its spaces; fit for several threads.

    `texts` holds the text of every box and of every face that is not `offboard`, and `name` is that of the boards, as
    for `plenipo.maps.figure.board.board_from`.
    """

    def __init__(self, figure: Figure, texts: Mapping[Code, SpaceText], name: str) -> None:
        self._kept = Prefixes(_AfterSplits(figure, texts, name))

    def board(self, changes: tuple[BoardChange, ...]) -> Board:
        """The board after `changes`, in their order.

        Raises InvalidFigure if there is no such space or border, if a half would have the name of another space, or if
        the line of a split parts nothing since one of its ends lies on an island in the space.
        """
        found, closed = self._after(changes).board, closed_by(changes)
        return with_closed(found, closed) if closed else found

    def figure(self, changes: tuple[BoardChange, ...]) -> Figure:
        """The figure after `changes`, proved sound; raises as `board` does."""
        return self._after(changes).figure

    def texts(self, changes: tuple[BoardChange, ...]) -> Mapping[Code, SpaceText]:
        """The texts of the spaces after `changes`; raises as `board` does."""
        return self._after(changes).texts

    def middles(self, changes: tuple[BoardChange, ...], space: Code, neighbour: Code) -> tuple[Point, ...]:
        """The middle of each border of `space` with `neighbour` after `changes`, in the order in which `Border` counts.

        Each is x east and y north, in units of the figure. Raises InvalidFigure if there is no such space.
        """
        figure = self.figure(changes)
        near = (border for border in borders(figure, space) if border.neighbour == neighbour)
        return tuple(middle(figure, space, border) for border in near)

    def _after(self, changes: Sequence[BoardChange]) -> "_AfterSplits":
        """The survey after the splits among `changes`, made from the longest beginning of them that is remembered."""
        splits = splits_of(changes)
        known, found = self._kept.longest(splits)
        for n in range(known, len(splits)):
            found = found.after(splits[n])
            self._kept.keep(splits[: n + 1], found)
        return found


class _AfterSplits:
    """What some splits lead to; immutable."""

    def __init__(self, figure: Figure, texts: Mapping[Code, SpaceText], name: str) -> None:
        self.figure, self.texts, self.name = figure, texts, name

    @cached_property
    def board(self) -> Board:
        """The board, nothing closed."""
        return board_from(self.figure, self.texts, self.name)

    def after(self, change: Split) -> "_AfterSplits":
        """What one more split leads to; raises as `ChangedFigures.board` does."""
        figure = split(self.figure, change.space, change.start, change.end, change.halves)
        return _AfterSplits(figure, halves(self.texts, change.space, change.halves), self.name)
