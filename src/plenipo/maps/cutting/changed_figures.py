"""The figure, the texts and the board that the changes of a game lead to.

A `ChangedFigures` is what a game with a changing board hands to its rules as a `plenipo.engine.changes.ChangedBoards`.
Splits change the figure, one after the other; what was closed is closed on the finished board. Every prefix of splits
that was worked out is remembered for a while, so that a turn costs the work of its own splits only.
What comes out is a function of the changes alone; what is remembered changes nothing but the time.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from threading import Lock
from typing import Generic, TypeVar

from plenipo.engine.board import Board, Code
from plenipo.engine.changes import BoardChange, Split, closed_by, with_closed
from plenipo.maps.cutting.cut import borders, halves, middle, split
from plenipo.maps.figure.board import SpaceText, board_from
from plenipo.maps.figure.planar import Figure, Point

__all__ = ["AfterSplits", "ChangedFigures", "Splits"]

KEPT = 128
"""How many prefixes are remembered: those of some games at once, with the last turns of each."""

Splits = tuple[Split, ...]

T = TypeVar("T")


class AfterSplits(Generic[T]):
    """What the splits of some games lead to, step by step; every prefix of them is remembered until it is little used.

    `first` is what no splits lead to; `step` makes of what all splits but the last lead to what all of them lead to.
    Fit for several threads.
    """

    def __init__(self, first: T, step: Callable[[T, Splits], T]) -> None:
        self._first, self._step = first, step
        self._remembered: OrderedDict[Splits, T] = OrderedDict()
        self._lock = Lock()

    def of(self, changes: Sequence[BoardChange]) -> T:
        """What the splits among `changes` lead to; raises as `step` does."""
        splits = tuple(change for change in changes if isinstance(change, Split))
        known, value = 0, self._first
        with self._lock:
            for n in range(len(splits), 0, -1):
                if splits[:n] in self._remembered:
                    self._remembered.move_to_end(splits[:n])
                    known, value = n, self._remembered[splits[:n]]
                    break
        for n in range(known + 1, len(splits) + 1):
            value = self._step(value, splits[:n])
            with self._lock:
                self._remembered[splits[:n]] = value
                while len(self._remembered) > KEPT:
                    self._remembered.popitem(last=False)
        return value


class ChangedFigures:
    """Works out boards from a figure and the texts of its spaces; fit for several threads.

    `texts` holds the text of every box and of every face that is not `offboard`, and `name` is that of the boards, as
    for `plenipo.maps.figure.board.board_from`.
    """

    def __init__(self, figure: Figure, texts: Mapping[Code, SpaceText], name: str) -> None:
        first = _Drawn(figure, texts, name)
        self._drawn = AfterSplits(first, lambda drawn, splits: drawn.after(splits[-1]))

    def board(self, changes: tuple[BoardChange, ...]) -> Board:
        """The board after `changes`, in their order.

        Raises InvalidFigure if there is no such space or border, if a half would have the name of another space, or if
        the line of a split parts nothing since one of its ends lies on an island in the space.
        """
        board, closed = self._drawn.of(changes).board, closed_by(changes)
        return with_closed(board, closed) if closed else board

    def figure(self, changes: tuple[BoardChange, ...]) -> Figure:
        """The figure after `changes`, proved sound; raises as `board` does."""
        return self._drawn.of(changes).figure

    def texts(self, changes: tuple[BoardChange, ...]) -> Mapping[Code, SpaceText]:
        """The texts of the spaces after `changes`; raises as `board` does."""
        return self._drawn.of(changes).texts

    def middles(self, changes: tuple[BoardChange, ...], space: Code, neighbour: Code) -> tuple[Point, ...]:
        """The middle of each border of `space` with `neighbour` after `changes`, in the order in which `Border` counts.

        Each is x east and y north, in units of the figure. Raises InvalidFigure if there is no such space.
        """
        figure = self.figure(changes)
        near = (border for border in borders(figure, space) if border.neighbour == neighbour)
        return tuple(middle(figure, space, border) for border in near)


class _Drawn:
    """A figure with the texts of its spaces; immutable."""

    def __init__(self, figure: Figure, texts: Mapping[Code, SpaceText], name: str) -> None:
        self.figure, self.texts, self.name = figure, texts, name

    @cached_property
    def board(self) -> Board:
        """The board, nothing closed."""
        return board_from(self.figure, self.texts, self.name)

    def after(self, change: Split) -> "_Drawn":
        """What one more split leads to; raises as `ChangedFigures.board` does."""
        figure = split(self.figure, change.space, change.start, change.end, change.halves)
        return _Drawn(figure, halves(self.texts, change.space, change.halves), self.name)
