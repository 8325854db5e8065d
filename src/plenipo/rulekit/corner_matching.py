"""Corners before and after a split: the same points of the map under other names.

A line ends in the middle of a border, so every corner of the province that was split is a corner of one of its halves,
and new ones are only where the line ends. Two corners of the same areas are distinguished by their half, by
the coasts of their areas, or by the order in which the areas lie round them.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise, takewhile

from plenipo.engine.board import Board, Code, Corner, Location, Terrain
from plenipo.engine.changes import Border, Split
from plenipo.engine.double_corners import Double

__all__ = ["same_point"]


def same_point(before: Board, after: Board, code: Code, split: Split) -> Code | None:
    """Return the code on the board `after` of the corner `code` of the board `before`; None if it has none there."""
    if code in after.spaces:
        return code
    corner = next((corner for corner in before.corners if str(corner) == code), None)
    if corner is None:
        return None
    places = list(_places(before, corner, split.space))
    if len(places) > 1:
        places = [place for place in places if _fits(before, corner, split.space, place)] or places
    halves = [split.halves[_half(before, split, place)] for place in places]
    candidates = [
        now for now in after.corners if any(_areas(now) == _with_half(corner, split, half) for half in halves)
    ]
    best = max(candidates, key=lambda now: _alike(corner, now, split), default=None)
    return None if best is None else Code(str(best))


def _areas(corner: Corner) -> set[Code]:
    return {touch.space for touch in corner.touches}


def _with_half(corner: Corner, split: Split, half: Code) -> set[Code]:
    return _areas(corner) - {split.space} | {half}


def _places(board: Board, corner: Corner, area: Code) -> Iterator[int]:
    """Yield the numbers of the borders of `area` after which this corner may lie, before the next border clockwise."""
    others = _areas(corner) - {area}
    around = board.borders[area]
    for place, (here, then) in enumerate(pairwise([*around, around[0]])):
        if here is not None and then is not None and {here, then} <= others:
            yield place


def _fits(board: Board, corner: Corner, area: Code, place: int) -> bool:
    """Return True if this corner, and not the other one of the same areas, lies after the border numbered `place`."""
    around = board.borders[area]
    if isinstance(corner, Double):
        ring = [touch.space for touch in corner.touches]
        return ring[(ring.index(area) + 1) % len(ring)] == around[place]  # the areas lie clockwise in both lists
    here = next(touch for touch in corner.touches if touch.space == area)
    return not here.coast or set(_run(board, around, place)) == _seas(board, board.fleets.get(here, ()))


def _run(board: Board, around: Sequence[Code | None], place: int) -> Iterator[Code]:
    """Yield the seas of the coast on which a point between two borders lies, in both directions from it."""
    back, forth = reversed(range(place - len(around) + 1, place + 1)), range(place + 1, place + len(around) + 1)
    for way in (back, forth):
        codes = (around[at % len(around)] for at in way)
        yield from takewhile(partial(_is_sea, board), codes)


def _is_sea(board: Board, code: Code | None) -> bool:
    return code is not None and board.spaces[code].terrain is Terrain.SEA


def _seas(board: Board, locations: Iterable[Location]) -> set[Code]:
    return {to.space for to in locations if _is_sea(board, to.space) and not board.spaces[to.space].corner}


def _half(board: Board, split: Split, place: int) -> int:
    """Return 0 if the point after the border numbered `place` is in the first half, 1 if it is in the other."""
    around = board.borders[split.space]
    start, end = (_number(around, border) for border in (split.start, split.end))
    return 0 if (place - start) % len(around) < (end - start) % len(around) else 1


def _number(around: Sequence[Code | None], border: Border) -> int:
    """Return the place of a border in the list of all."""
    return [place for place, code in enumerate(around) if code == border.neighbour][border.number]


def _alike(old: Corner, new: Corner, split: Split) -> int:
    """Return how alike two corners of the same areas are: 2 for each equal coast, 1 for the same order round them."""
    coasts = {touch.space: touch.coast for touch in old.touches}
    same = sum(coasts.get(split.space if t.space in split.halves else t.space) == t.coast for t in new.touches)
    ring = [split.space if touch.space in split.halves else touch.space for touch in new.touches]
    turned = [touch.space for touch in old.touches]
    at = ring.index(turned[0]) if turned[0] in ring else 0
    return 2 * same + (ring[at:] + ring[:at] == turned)
