"""Names in another language on a map: each is fitted into the room of the name that it replaces.

A name is set in a smaller size, or on more or fewer lines, so that it covers nothing that the other name did not
cover. Where it could not be read, the code stands in its place.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations, pairwise

from plenipo.engine.board import Board, Code
from plenipo.maps.lettering.placements import LabelPlacement
from plenipo.maps.lettering.typeface import LEADING, SLACK, width_of

__all__ = ["rename_labels"]

SMALLEST = 0.5
"""The smallest size of a name relative to that of the name it replaces."""

MOST_LINES = 3
"""The most lines of a name."""

EXTRA_HEIGHT = 1.25
"""The height that a name on more lines may have relative to that of the name it replaces."""


def rename_labels(
    labels: Mapping[Code, LabelPlacement], board: Board, names: Mapping[str, str], water: frozenset[Code]
) -> Mapping[Code, LabelPlacement]:
    """Return the labels of a map with the names of another language, by the names on `board`.

    A name that is not in `names` stays; one without room is left out. `water` are the spaces whose names are italic.
    """
    found: dict[Code, LabelPlacement] = {}
    for code, label in labels.items():
        space = board.spaces.get(code)
        name = None if space is None else names.get(space.name)
        fitted = label if name is None or space is None or name == space.name else _fit(label, name, code in water)
        if fitted is not None:
            found[code] = fitted
    return found


def _fit(label: LabelPlacement, name: str, water: bool) -> LabelPlacement | None:  # noqa: FBT001
    """Return a label with another name in the same room; None if it would be too small."""
    room = max(width_of(line, water=water) / SLACK * label.size + label.spacing * len(line) for line in label.lines)
    if label.curve:
        return _fit_line(label, name, room, water)
    height = label.size * LEADING * len(label.lines)
    best: LabelPlacement | None = None
    for lines in _split(name, 1 if label.turn else MOST_LINES):
        widest = max(width_of(line, water=water) / SLACK for line in lines)
        allowed = height if len(lines) <= len(label.lines) else height * EXTRA_HEIGHT
        size = int(min(label.size, room / widest, allowed / (LEADING * len(lines))))
        if best is None or size > best.size:
            most = (room - widest * size) / max(map(len, lines))
            best = replace(label, lines=lines, size=size, spacing=max(0, min(label.spacing, int(most))))
    return best if best is not None and best.size >= SMALLEST * label.size else None


def _fit_line(label: LabelPlacement, name: str, room: float, water: bool) -> LabelPlacement | None:  # noqa: FBT001
    """Return a label along a curve with another name: with less spacing, or else smaller."""
    width = width_of(name, water=water) / SLACK
    spacing = max(0, min(label.spacing, int((room - width * label.size) / len(name))))
    size = label.size if spacing else int(min(label.size, room / width))
    if size < SMALLEST * label.size:
        return None
    return replace(label, lines=(name,), size=size, spacing=spacing)


def _split(name: str, most: int) -> Iterator[tuple[str, ...]]:
    """Yield the ways to set a name on at most so many lines; a line may end at a space or after a hyphen."""
    words = name.replace("-", "-\0").replace(" ", " \0").split("\0")
    for count in range(1, min(most, len(words)) + 1):
        for cuts in combinations(range(1, len(words)), count - 1):
            bounds = (0, *cuts, len(words))
            yield tuple("".join(words[start:end]).strip() for start, end in pairwise(bounds))
