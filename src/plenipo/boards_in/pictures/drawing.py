"""A picture as values, whatever file it was read from: shapes with their colours and layers, texts, and its frame."""

from dataclasses import dataclass
from typing import Any

__all__ = ["Drawing", "Label", "Shape"]

Geometry = Any
"""A geometry of shapely, which is known only where the extra is installed."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape in the order of painting, in the coordinates of the picture, y downwards.

    `geometry` is a polygon of one or more pieces for a closed shape, else lines. `layers` are the names of the groups
    that it is in, outermost first, each with all the names of one group. `names` are its own: id, label and title.
    `symbol` is a word for its outline: shapes with the same word are copies of one symbol.
    """

    geometry: Geometry
    closed: bool
    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    hidden: bool = False
    names: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    layers: tuple[tuple[str, ...], ...] = ()
    symbol: str = ""

    def answers_to(self, word: str) -> bool:
        """Tell whether a word is a name, a class or a colour of this shape, or the name of a layer it is in."""
        known = (*self.names, *self.classes, self.fill, self.stroke, *(name for layer in self.layers for name in layer))
        return word.casefold() in {name.casefold() for name in known if name}


@dataclass(frozen=True, slots=True)
class Label:
    """A text and its middle; `size` is the size of its font."""

    text: str
    at: tuple[float, float]
    size: float
    layers: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Drawing:
    """All that was read of a picture; `frame` is left, top, right and bottom."""

    shapes: tuple[Shape, ...]
    labels: tuple[Label, ...]
    frame: tuple[float, float, float, float]
    notes: tuple[str, ...] = ()
    """Sentences about what was left out."""
    grain: float = 0.0
    """The size of a pixel, where the borders follow pixels."""
    solid: bool = False
    """True if every closed shape is an area, painted or not."""
