"""The figure, the texts and the board after the changes of a game.

A game with a changing board passes a `ChangedFigures` to its rules as a `plenipo.engine.changes.ChangedBoards`.
Splits and joins change the figure, one after the other; closures apply to the finished board. Every computed prefix of
them is cached for a while, so that a turn computes only its own changes.
The result depends on the changes alone; the cache only saves time. The caller may pass a `ResultCache`, which stores
boards
computed by other processes.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from hashlib import sha256
from threading import Lock
from typing import Generic, NamedTuple, Protocol, Self, TypeVar

from plenipo.engine.board import Board, Code
from plenipo.engine.changes import BoardChange, Founded, Joined, Razed, Redrawn, with_changes
from plenipo.errors import InvalidFigure
from plenipo.maps.cutting.cut import borders, halves, middle, split
from plenipo.maps.cutting.join import join_faces, with_joined
from plenipo.maps.figure.board import SpaceText, board_from
from plenipo.maps.figure.planar import Figure, Point

__all__ = ["AfterChanges", "ChangedFigures", "Coded", "Redrawings", "ResultCache"]

KEPT = 128
"""Number of cached prefixes: those of some games at once, with the last turns of each."""

Redrawings = tuple[Redrawn, ...]

T = TypeVar("T")


class ResultCache(Protocol):
    """A store of computed results as text, each under a name that identifies all of its inputs."""

    def read(self, name: str) -> str | None:
        """Return the text stored under a name, None if there is none."""
        ...

    def keep(self, name: str, write: Callable[[], str]) -> None:
        """Store the result of `write` under a name."""
        ...


class Coded(NamedTuple, Generic[T]):
    """The encoding of values on a shelf: a word for their kind and inputs, and conversion into text and back.

    `decode` is given the splits that led to the value.
    """

    shelf: ResultCache
    kind: Callable[[], str]
    encode: Callable[[T], str]
    decode: Callable[[str, "Redrawings"], T]

    def name(self, splits: "Redrawings") -> str:
        """Return the name under which the value after some splits is kept."""
        return sha256(f"{self.kind()} {splits}".encode()).hexdigest()


class AfterChanges(Generic[T]):
    """The results of the splits and joins of some games, step by step; prefixes are cached while they are used.

    `first` is the result without splits; `step` computes the result of all splits from that of all but the last.
    With `coded`, requested results are stored beyond this process. Thread-safe.
    """

    def __init__(self, first: T, step: Callable[[T, Redrawings], T], coded: Coded[T] | None = None) -> None:
        self._first, self._step, self._coded = first, step, coded
        self._remembered: OrderedDict[Redrawings, T] = OrderedDict()
        self._lock = Lock()

    def of(self, changes: Sequence[BoardChange]) -> T:
        """Return the result of the splits and joins among `changes`; raises as `step` does."""
        splits = tuple(change for change in changes if isinstance(change, Redrawn))
        known, value = self._find_cached(splits)
        for n in range(known + 1, len(splits) + 1):
            value = self._step(value, splits[:n])
            self._remember(splits[:n], value)
        if self._coded is not None and known < len(splits):
            self._coded.shelf.keep(self._coded.name(splits), partial(self._coded.encode, value))
        return value

    def _find_cached(self, splits: Redrawings) -> tuple[int, T]:
        """Return how many of the splits are cached, and their result."""
        for n in range(len(splits), 0, -1):
            with self._lock:
                if splits[:n] in self._remembered:
                    self._remembered.move_to_end(splits[:n])
                    return n, self._remembered[splits[:n]]
            text = None if self._coded is None else self._coded.shelf.read(self._coded.name(splits[:n]))
            value = None if self._coded is None or text is None else self._decode(self._coded, text, splits[:n])
            if value is not None:
                self._remember(splits[:n], value)
                return n, value
        return 0, self._first

    @staticmethod
    def _decode(coded: Coded[T], text: str, splits: Redrawings) -> T | None:
        """Return the stored value; None if it was damaged, so that it is computed again."""
        try:
            return coded.decode(text, splits)
        except (InvalidFigure, ValueError):
            return None

    def _remember(self, splits: Redrawings, value: T) -> None:
        with self._lock:
            self._remembered[splits] = value
            while len(self._remembered) > KEPT:
                self._remembered.popitem(last=False)


class ChangedFigures:
    """A calculator of boards from a figure and the texts of its spaces; thread-safe.

    `texts` holds the text of every box and of every face that is not `offboard`, and `name` is that of the boards, as
    for `plenipo.maps.figure.board.board_from`.
    """

    def __init__(
        self, figure: Figure, texts: Mapping[Code, SpaceText], name: str, shelf: ResultCache | None = None
    ) -> None:
        first = _LetteredFigure(figure, texts, name)
        self.shelf = shelf
        self._first = first
        coded = (
            None if shelf is None else Coded(shelf, lambda: f"figure {self.word}", _LetteredFigure.encode, first.decode)
        )
        self._drawn = AfterChanges(first, lambda drawn, splits: drawn.after(splits[-1]), coded)

    def __reduce__(self) -> tuple[type[Self], tuple[Figure, Mapping[Code, SpaceText], str]]:
        return type(self), (self._first.figure, self._first.texts, self._first.name)

    @cached_property
    def word(self) -> str:
        """A fingerprint of the unmodified figure."""
        return sha256(self._first.figure.to_json().encode()).hexdigest()

    def board(self, changes: tuple[BoardChange, ...]) -> Board:
        """Return the board after `changes`, in their order.

        Raise InvalidFigure if there is no such space or border, if a half would have the name of another space, or if
        the line of a split parts nothing since one of its ends lies on an island in the space; or if two that are to
        become one do not touch, or are a sea and a land.
        """
        return with_changes(self._drawn.of(changes).board, changes)

    def figure(self, changes: tuple[BoardChange, ...]) -> Figure:
        """Return the figure after `changes`, proved sound; raises as `board` does."""
        return self._drawn.of(changes).figure

    def texts(self, changes: tuple[BoardChange, ...]) -> Mapping[Code, SpaceText]:
        """Return the texts of the spaces after `changes`; raises as `board` does."""
        return self._drawn.of(changes).texts

    def middles(self, changes: tuple[BoardChange, ...], space: Code, neighbour: Code) -> tuple[Point, ...]:
        """Return the middle of each border of `space` with `neighbour` after `changes`, in the order of `Border`.

        Each is x east and y north, in units of the figure. Raise InvalidFigure if there is no such space.
        """
        figure = self.figure(changes)
        near = (border for border in borders(figure, space) if border.neighbour == neighbour)
        return tuple(middle(figure, space, border) for border in near)


class _LetteredFigure:
    """A figure with the texts of its spaces; immutable."""

    def __init__(self, figure: Figure, texts: Mapping[Code, SpaceText], name: str) -> None:
        self.figure, self.texts, self.name = figure, texts, name

    @cached_property
    def board(self) -> Board:
        """The board, nothing closed."""
        return board_from(self.figure, self.texts, self.name)

    def after(self, change: Redrawn) -> "_LetteredFigure":
        """Return the result of one more change; raises as `ChangedFigures.board` does."""
        if isinstance(change, Founded | Razed):
            return _LetteredFigure(self.figure, _with_centre(self.texts, change), self.name)
        if isinstance(change, Joined):
            figure = join_faces(self.figure, change.space, change.into)
            return _LetteredFigure(figure, with_joined(self.texts, change.space, change.into), self.name)
        figure = split(self.figure, change.space, change.start, change.end, change.halves)
        return _LetteredFigure(figure, halves(self.texts, change.space, change.halves), self.name)

    def encode(self) -> str:
        """Return the figure as text, which was proved when it was made."""
        return self.figure.check().to_json()

    def decode(self, text: str, splits: Redrawings) -> "_LetteredFigure":
        """Return the result of splits of this, whose figure was encoded."""
        texts = self.texts
        for change in splits:
            if isinstance(change, Founded | Razed):
                texts = _with_centre(texts, change)
            elif isinstance(change, Joined):
                texts = with_joined(texts, change.space, change.into)
            else:
                texts = halves(texts, change.space, change.halves)
        return _LetteredFigure(Figure.from_json(text).taken_as_proved(), texts, self.name)


def _with_centre(texts: Mapping[Code, SpaceText], change: Founded | Razed) -> dict[Code, SpaceText]:
    """Return the texts once a centre was founded or razed; raises InvalidFigure if there is no such space."""
    if change.space not in texts:
        raise InvalidFigure(f"'{change.space}' is not on the board")
    return {**texts, change.space: replace(texts[change.space], centre=isinstance(change, Founded))}
