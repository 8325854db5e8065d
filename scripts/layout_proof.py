"""Lay out boards that are given by their contacts, and count what the picture cannot show by a border.

`python scripts/layout_proof.py FOLDER …` prints for each board its spaces and contacts, how many contacts are a line or
a pair of arrows instead of a border, the lines across a third space, which should be none, and the seconds of processor
time. `--free` ignores the places that the author wishes.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import shapely

from plenipo import library
from plenipo.engine.board import Board, Code
from plenipo.maps.authoring.layout import laid_out
from plenipo.maps.authoring.places import SCALE
from plenipo.maps.figure.contacts import ListedBoards
from plenipo.maps.figure.planar import Figure
from plenipo.maps.lettering.annotations import Annotation, annotations_of
from plenipo.maps.lettering.label_search import find_placements

GRAZED = 0.03
"""The depth to which a line may touch another space, in contacts."""


def list_crossed(figure: Figure, board: Board, marks: Sequence[Annotation]) -> list[Annotation]:
    """Return the links and one-way contacts whose line leads through a space that is not one of their ends."""
    rings = {code: shapely.Polygon(figure.ring(figure.faces[code][0])) for code in board.spaces if code in figure.faces}
    inner = {code: ring.buffer(-GRAZED * SCALE) for code, ring in rings.items()}
    drawn = [mark for mark in marks if mark.kind in ("link", "one_way") and not figure.between(*mark.spaces)]

    def is_crossed(mark: Annotation) -> bool:
        lines = shapely.MultiLineString([*mark.stubs, *([mark.line] if mark.line else [])])
        return any(lines.intersects(ring) for code, ring in inner.items() if code not in mark.spaces)

    return [mark for mark in drawn if is_crossed(mark)]


def report(name: str, *, free: bool) -> str:
    """Return a line about the layout of a variant."""
    boards = library.load(name).changed_boards
    if not isinstance(boards, ListedBoards):
        return f"{name} is not given by its contacts alone"
    board = boards.board(())
    begun = time.process_time()
    figure = laid_out(board, {} if free else boards.seats)
    laid = time.process_time() - begun
    marks = annotations_of(figure, board, find_placements(figure, board))
    placed = time.process_time() - begun
    pairs = {frozenset((a, b)) for a, tos in board.armies.items() for b in tos}
    pairs |= {frozenset[Code]((at.space, to.space)) for at, tos in board.fleets.items() for to in tos}
    links = [mark for mark in marks if mark.kind == "link"]
    arrows = sum(bool(link.stubs) for link in links)
    crossed = len(list_crossed(figure, board, marks))
    return (
        f"{Path(name).name}: {len(board.spaces)} spaces, {len(pairs)} contacts, {len(links) - arrows} lines, "
        f"{arrows} pairs of arrows, {crossed} across a third space, {laid:.1f} s to lay out, {placed:.1f} s with names"
    )


def main() -> None:
    """Print a line for each board."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--free", action="store_true", help="ignore the places that the author wishes")
    chosen = parser.parse_args()
    for name in chosen.folders:
        print(report(name, free=chosen.free), flush=True)


if __name__ == "__main__":
    main()
