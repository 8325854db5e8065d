"""The files of a map that lie beside its figure in a variant's folder: where they are, and every mistake in them."""

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from plenipo.engine.board import Board, Code
from plenipo.errors import InvalidFigure
from plenipo.maps.authoring.authored import read_map
from plenipo.maps.figure.figure_files import read_figure
from plenipo.maps.figure.planar import Point
from plenipo.maps.figure.values import line_of_fault
from plenipo.maps.lettering.placements import Placements, hints_from
from plenipo.user_files import read_text

__all__ = ["LOOK", "MapFault", "MapLook", "faults", "look_from", "placements_beside"]

LOOK = "look.toml"
"""The name of the file with a variant's additions to the look of its map."""


class MapFault(NamedTuple):
    """A mistake in a file of a map: where, and one sentence."""

    file: Path
    line: int
    sentence: str


def placements_beside(figure: Path) -> Path:
    """Return the file of the placements on a figure."""
    return figure.with_name("placements.json")


class MapLook(NamedTuple):
    """The contents of a `look.toml`: the centre each province follows, and the places beside the board."""

    follows: Mapping[Code, Code]
    beside: Mapping[Code, Point]


def look_from(table: Mapping[str, Any], board: Board, *, inherited: bool = False) -> MapLook:
    """Return the look that a `look.toml` describes.

    For an `inherited` one, with the map of a parent, entries that do not fit the board are left out.
    Raise InvalidFigure for an unknown key, a name the board lacks, or an invalid point.
    """
    for key, entries in table.items():
        if key not in MapLook._fields:
            raise InvalidFigure(f"{key!r} is not a key of a look; it has tables 'follows' and 'beside'")
        if not isinstance(entries, dict):
            raise InvalidFigure(f"{key!r} is {entries!r}; it must be a table")
    follows = table.get("follows", {})
    if inherited:
        fits = {code for code in board.spaces if code not in board.centres}
        follows = {c: centre for c, centre in follows.items() if c in fits and centre in board.centres}
    for code, centre in follows.items():
        if code not in board.spaces or not isinstance(centre, str) or centre not in board.centres:
            wrong = centre if code in board.spaces else code
            raise InvalidFigure(f"'follows.{code}' names {wrong!r}; a province follows a supply centre")
    beside: dict[Code, Point] = {}
    for name, point in table.get("beside", {}).items():
        match point:
            case [int(x), int(y)]:
                beside[Code(name)] = (x, y)
            case _:
                raise InvalidFigure(f"'beside.{name}' is {point!r}; write a point like [-17000, 7400]")
    return MapLook(follows, beside)


def faults(figure: Path, board: Board, *, inherited: bool = False) -> Iterator[MapFault]:
    """Yield every mistake in the files beside a sound figure, as far as one does not hide another.

    `board` is that of the variant, which may have `inherited` its map. Files that are not there are no mistake: a
    variant can be played without them.
    """
    drawn = read_figure(figure)

    def check_placements(text: str) -> None:
        placements = Placements.from_json(text)
        for code in drawn.faces:
            if code in board.spaces and code not in placements.codes:
                raise InvalidFigure(f"'codes' has nothing for {code}, a space of the board")

    readers: dict[str, tuple[Callable[[str], Any], Callable[[str], object]]] = {
        "map.toml": (tomllib.loads, lambda _: read_map(figure.with_name("map.toml"))),
        "placements.toml": (tomllib.loads, lambda text: hints_from(tomllib.loads(text), drawn)),
        "placements.json": (json.loads, check_placements),
        LOOK: (tomllib.loads, lambda text: look_from(tomllib.loads(text), board, inherited=inherited)),
    }
    for name, (load, read) in readers.items():
        file = figure.with_name(name)
        if file.exists():
            yield from _faults_in(file, load, read)


def _faults_in(file: Path, load: Callable[[str], Any], read: Callable[[str], object]) -> Iterator[MapFault]:
    try:
        text = read_text(file)
    except UnicodeDecodeError as fault:
        yield MapFault(file, 1 + fault.object.count(b"\n", 0, fault.start), f"this is not UTF-8 text ({fault.reason})")
        return
    try:
        read(text)
    except (InvalidFigure, tomllib.TOMLDecodeError, RecursionError) as fault:
        kind = "this is not TOML: " if isinstance(fault, tomllib.TOMLDecodeError) else ""
        yield MapFault(file, line_of_fault(text, str(fault), load), f"{kind}{fault}")
