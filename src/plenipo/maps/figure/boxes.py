"""Boxes: spaces that lie nowhere on the plane of a map and are drawn as rectangles; standard library only."""

from collections.abc import Sequence
from dataclasses import dataclass

from plenipo.engine.board import Code, Location
from plenipo.maps.figure.segments import Point

__all__ = ["Box", "fault_of"]

Sides = tuple[int, int, int, int]
"""West, south, east, north."""


@dataclass(frozen=True, slots=True)
class Box:
    """A sea beside the plane, drawn as a framed rectangle: it has no border, and fleets reach it by `links` alone.

    `at` is its middle and `size` its width and height, in units; `links` are in the order in which it touches them.
    """

    code: Code
    at: Point
    size: tuple[int, int]
    links: tuple[Location, ...]
    reason: str = ""

    @property
    def bounds(self) -> Sides:
        """West, south, east, north."""
        (x, y), (width, height) = self.at, self.size
        return x - width // 2, y - height // 2, x + (width + 1) // 2, y + (height + 1) // 2


def fault_of(box: Box, frame: Sides, others: Sequence[Box]) -> str:
    """Describe the fault of a box as a rectangle among `others` or of its list of links; empty if there is none."""
    west, south, east, north = frame
    here = box.bounds
    if min(box.size) <= 0:
        return f"box {box.code} of {box.size[0]} by {box.size[1]} units has no room"
    inside = here[0] > west and here[1] > south and here[2] < east and here[3] < north
    if _meets(here, frame) and not inside:
        return f"box {box.code} lies across the frame; put it wholly inside or wholly outside"
    for other in others:
        if other.code == box.code or _meets(here, other.bounds):
            return f"boxes {other.code} and {box.code} are one or lie over each other"
    if not box.links or len(set(box.links)) < len(box.links):
        return f"box {box.code} is linked with nothing, or with one place twice"
    return ""


def _meets(one: Sides, other: Sides) -> bool:
    """Tell whether two rectangles touch."""
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]
