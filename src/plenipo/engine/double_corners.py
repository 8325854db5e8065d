"""Two corners of the same areas, told apart by the order in which the areas lie round them.

Two areas and an island between them, for instance, meet in a point at either end of the island. No three points of a
plane can have the same areas; and where two have, the areas lie round the one clockwise as they lie round the other
counter-clockwise. So such corners are named by their areas clockwise, with `>` between: `[ICE>NAT>NRG]` and
`[ICE>NRG>NAT]`. Where coasts tell two corners apart already, the coasts do.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise, permutations

from plenipo.engine.board import Code, Corner, Location
from plenipo.errors import InvalidFigure

__all__ = ["Double", "areas_of", "told_apart"]

Borders = Mapping[Code, Sequence[Code | None]]
"""For each space everything it touches, clockwise, as in `Board.borders`."""


class Double(Corner):
    """One of two corners of the same areas: `touches` holds them clockwise, beginning with the alphabetically first.

    >>> str(Double((Location(Code("ICE")), Location(Code("NRG")), Location(Code("NAT")))))
    '[ICE>NRG>NAT]'
    """

    __slots__ = ()

    @property
    def clockwise(self) -> bool:
        """True for these corners, whose order names them."""
        return True

    def __str__(self) -> str:
        return super().__str__().replace("/", ">")


def areas_of(code: Code) -> tuple[Code, ...]:
    """Return the areas in the name of a corner; none if it is no corner.

    >>> areas_of(Code("[BAR/NWY/STP(nc)]")), areas_of(Code("[ICE>NRG>NAT]")), areas_of(Code("PAR"))
    (('BAR', 'NWY', 'STP'), ('ICE', 'NRG', 'NAT'), ())
    """
    if not code.startswith("["):
        return ()
    return tuple(Code(part.partition("(")[0]) for part in re.split("[/>]", code[1:-1]))


def told_apart(corners: Sequence[Corner], borders: Borders) -> tuple[Corner, ...]:
    """Return the corners of a board in the order of their names, each with a name of its own.

    Raises InvalidFigure if more than two have the same areas and coasts, or if more than three areas meet in two of
    them and `borders` do not show in which order.
    """
    alike: dict[tuple[Location, ...], list[Corner]] = {}
    for corner in corners:
        alike.setdefault(tuple(sorted(corner.touches)), []).append(corner)
    corners_apart: list[Corner] = []
    for touches, same in alike.items():
        if len(same) > 2:
            names = ", ".join(sorted({touch.space for touch in touches}))
            raise InvalidFigure(f"{len(same)} corners of {names} have the same coasts; a plane has room for two")
        corners_apart += same if len(same) == 1 else _doubles(touches, borders)
    return tuple(sorted(corners_apart, key=str))


def _doubles(touches: tuple[Location, ...], borders: Borders) -> list[Corner]:
    """Return the two corners in which all of `touches` meet."""
    first, *others = _round(sorted({touch.space for touch in touches}), borders)
    ways = ((first, *others), (first, *reversed(others)))
    return [Double(tuple(touch for area in way for touch in touches if touch.space == area)) for way in ways]


def _round(areas: Sequence[Code], borders: Borders) -> Sequence[Code]:
    """Return the areas in their order round one of their corners, either way; for three there is only one."""
    if len(areas) == 3:
        return areas
    for way in permutations(areas[1:]):
        ring = (areas[0], *way)
        if all(_between(ring[i - 1], ring[i], ring[(i + 1) % len(ring)], borders) for i in range(len(ring))):
            return ring
    raise InvalidFigure(f"2 corners of {', '.join(areas)} cannot be distinguished: their borders have no cyclic order")


def _between(before: Code, area: Code, after: Code, borders: Borders) -> bool:
    """Return whether an area touches two others one after the other, so that it may be between them round a corner."""
    around = borders.get(area, ())
    return any({here, then} == {before, after} for here, then in pairwise([*around, *around[:1]]))
