"""Changes of the board during play, as values: a position contains them, and the board follows from them.

The engine has no map. The package that makes the rules of a game gives it a `ChangedBoards`, which derives the board
after the changes; the rules cache it.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import NamedTuple, Protocol

from plenipo.engine.board import Board, Code

__all__ = [
    "Barred",
    "BoardChange",
    "Border",
    "ChangedBoards",
    "Closed",
    "Founded",
    "Joined",
    "Opened",
    "Razed",
    "Redrawn",
    "Split",
    "closed_by",
    "find_successors",
    "half_names",
    "stem",
    "with_changes",
    "with_closed",
]


class Border(NamedTuple):
    """One stretch of the border of a space: the space beyond, and which of several stretches with it.

    Stretches with the same space are counted from 0, clockwise, as `Board.borders` lists them.
    """

    neighbour: Code
    number: int = 0

    def __str__(self) -> str:
        return f"{self.neighbour} (border {self.number + 1})" if self.number else self.neighbour


@dataclass(frozen=True, slots=True)
class Closed:
    """From now on no unit may enter `space`, and it is no supply centre; it keeps its place on the map."""

    space: Code


@dataclass(frozen=True, slots=True)
class Opened:
    """A space that was closed is open again."""

    space: Code


@dataclass(frozen=True, slots=True)
class Split:
    """`space` is cut in two by a line from the middle of its border `start` to the middle of its border `end`.

    `halves` are the codes of the half that lies clockwise from `start`, and of the other.
    """

    space: Code
    start: Border
    end: Border
    halves: tuple[Code, Code]


@dataclass(frozen=True, slots=True)
class Joined:
    """`space` becomes a part of `into`, which it touches: one space with the name of `into`."""

    space: Code
    into: Code


@dataclass(frozen=True, slots=True)
class Barred:
    """From now on no unit passes between two spaces; the border stays where it is."""

    one: Code
    other: Code


@dataclass(frozen=True, slots=True)
class Founded:
    """`space` is a supply centre from now on."""

    space: Code


@dataclass(frozen=True, slots=True)
class Razed:
    """`space` is no supply centre any more."""

    space: Code


BoardChange = Closed | Opened | Split | Joined | Barred | Founded | Razed

Redrawn = Split | Joined | Founded | Razed
"""The changes after which a map is drawn again: with other borders, or with another mark of a centre."""


class ChangedBoards(Protocol):
    """A source of changed boards; a pure function of the changes."""

    def board(self, changes: tuple[BoardChange, ...]) -> Board:
        """Return the board after `changes`, in their order; raises `InvalidFigure` if they cannot be made."""
        ...

    def middles(
        self, changes: tuple[BoardChange, ...], space: Code, neighbour: Code
    ) -> tuple[tuple[float, float], ...]:
        """Return the middles of the borders of `space` with `neighbour`, as `Border` counts: x east, y north."""
        ...


def find_successors(codes: Iterable[Code], changes: Iterable[BoardChange]) -> frozenset[Code]:
    """Return the spaces that replace `codes` after `changes`: halves of split spaces, and wholes of merged ones.

    >>> split = Split(Code("PAR"), Border(Code("BUR")), Border(Code("PIC")), ("PAR 1", "PAR 2"))
    >>> sorted(find_successors(["PAR"], [split]))
    ['PAR 1', 'PAR 2']
    """
    now = set(codes)
    for change in changes:
        if isinstance(change, Split) and change.space in now:
            now.remove(change.space)
            now.update(change.halves)
        elif isinstance(change, Joined) and change.space in now:
            now.remove(change.space)
            now.add(change.into)
    return frozenset(now)


def closed_by(changes: Iterable[BoardChange]) -> frozenset[Code]:
    """Return the spaces that are closed after `changes`; a closed space that was split has two closed halves."""
    closed: set[Code] = set()
    for change in changes:
        if isinstance(change, Closed):
            closed.add(change.space)
        elif isinstance(change, Opened):
            closed.discard(change.space)
        elif isinstance(change, Split) and change.space in closed:
            closed.remove(change.space)
            closed.update(change.halves)
        elif isinstance(change, Joined):
            closed.discard(change.space)
    return frozenset(closed)


def with_changes(board: Board, changes: Iterable[BoardChange]) -> Board:
    """Return the board with spaces closed and opened, contacts barred, and centres founded and razed.

    Changes of borders need the map, and are not made here.
    """
    changes = tuple(changes)
    closed = closed_by(changes)
    if centres := _centres_by(changes):
        board = _with_centres(board, centres)
    barred = {(change.one, change.other) for change in changes if isinstance(change, Barred)}
    barred |= {(other, one) for one, other in barred}
    board = with_closed(board, closed) if closed else board
    return _with_barred(board, barred) if barred else board


def _centres_by(changes: Iterable[BoardChange]) -> dict[Code, bool]:
    """Return the spaces whose centre was founded or razed, each with whether it is a centre in the end."""
    centres: dict[Code, bool] = {}
    for change in changes:
        if isinstance(change, Founded | Razed):
            centres[change.space] = isinstance(change, Founded)
        elif isinstance(change, Split) and change.space in centres:
            centres |= dict.fromkeys(change.halves, centres.pop(change.space))
        elif isinstance(change, Joined) and centres.pop(change.space, False):
            centres[change.into] = True
    return centres


def _with_centres(board: Board, centres: Mapping[Code, bool]) -> Board:
    spaces = {
        code: replace(space, centre=centres[code]) if centres.get(code, space.centre) is not space.centre else space
        for code, space in board.spaces.items()
    }
    return replace(board, spaces=spaces)


def _with_barred(board: Board, barred: Collection[tuple[Code, Code]]) -> Board:
    def passes(a: Code, b: Code) -> bool:
        # parts of a space that was split are as it was
        return (board.spaces[a].province, board.spaces[b].province) not in barred and (a, b) not in barred

    return replace(
        board,
        armies={a: frozenset(b for b in tos if passes(a, b)) for a, tos in board.armies.items()},
        fleets={at: frozenset(to for to in tos if passes(at.space, to.space)) for at, tos in board.fleets.items()},
    )


def with_closed(board: Board, closed: Collection[Code]) -> Board:
    """Return the board on which the spaces `closed` are impassable and no centres; borders and corners stay."""
    spaces = {
        code: replace(space, impassable=True, centre=False, closed=True) if code in closed else space
        for code, space in board.spaces.items()
    }
    armies = {code: tos - set(closed) for code, tos in board.armies.items() if code not in closed}
    fleets = {
        location: frozenset(to for to in tos if to.space not in closed)
        for location, tos in board.fleets.items()
        if location.space not in closed
    }
    return replace(board, spaces=spaces, armies=armies, fleets=fleets)


def stem(code: Code) -> tuple[Code, int]:
    """Return the code of the space that `code` is a part of, and the number of the part, 0 if it is whole.

    >>> stem("NTH 2"), stem("NTH")
    (('NTH', 2), ('NTH', 0))
    """
    name, _, number = code.rpartition(" ")
    return (Code(name), int(number)) if name and number.isdecimal() else (code, 0)


def half_names(code: Code, taken: Iterable[Code]) -> tuple[Code, Code]:
    """Return the codes of the halves of a space, given the codes that are `taken`.

    A whole space X becomes X 1 and X 2. A part X n keeps its number in its first half, and the second half has the
    lowest number not yet used for X.

    >>> half_names("NTH", ["NTH", "NWY"]), half_names("NTH 2", ["NTH 1", "NTH 2"])
    (('NTH 1', 'NTH 2'), ('NTH 2', 'NTH 3'))
    """
    name, number = stem(code)
    used = {n for other, n in map(stem, taken) if other == name} | {number}
    free = (n for n in count(1) if n not in used)
    first = number or next(free)
    return Code(f"{name} {first}"), Code(f"{name} {next(free)}")
