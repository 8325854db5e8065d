"""Split provinces of a map at random, game after game, and print failed splits and the time it took.

`python scripts/splits.py NAME-OR-FOLDER [GAMES] [SPLITS]`; every figure is proved sound and read as a board. With
`--deep` each game splits one province again and again, always the smallest piece of it.
"""

import sys
import time
from collections.abc import Sequence
from random import Random

from plenipo import library
from plenipo.engine.board import Code
from plenipo.engine.changes import Split, half_names
from plenipo.errors import InvalidFigure, PlenipoError
from plenipo.maps.cutting.changed_figures import ChangedFigures
from plenipo.maps.cutting.cut import borders
from plenipo.maps.figure.figure_files import read_figure
from plenipo.maps.figure.planar import Figure
from plenipo.maps.figure.segments import area2


def dealt(figure: Figure, space: Code, chance: Random) -> Split:
    """Return a split as cards would decide it: two neighbours, and one border of each."""
    near = borders(figure, space)
    first, second = chance.sample(sorted({border.neighbour for border in near}), 2)
    ends = [chance.choice([border for border in near if border.neighbour == there]) for there in (first, second)]
    return Split(space, ends[0], ends[1], half_names(space, figure.faces))


def play(figures: ChangedFigures, seed: str, splits: int, *, deep: bool) -> tuple[list[float], list[str]]:
    """Return the seconds of each split, and a line for each that was refused."""
    chance = Random(seed)  # noqa: S311  # the same seed must give the same game
    changes: tuple[Split, ...] = ()
    took: list[float] = []
    refused: list[str] = []
    space: Code | None = None
    for number in range(splits):
        figure = figures.figure(changes)
        if space is None or not deep:
            space = chance.choice(sorted(figure.faces.keys() - figure.offboard.keys()))
        split = dealt(figure, space, chance)
        start = time.process_time()
        try:
            figures.board((*changes, split))
        except InvalidFigure as fault:
            refused.append(f"{seed}, split {number + 1}, {split.space} from {split.start} to {split.end}: {fault}")
            continue
        took.append(time.process_time() - start)
        changes = (*changes, split)
        after = figures.figure(changes)
        space = min(split.halves, key=lambda half: abs(area2(after.ring(after.faces[half][0]))))
    return took, refused


def main(arguments: Sequence[str]) -> int:
    """Split the map named; return 1 if any split was refused, else 0."""
    plain = [text for text in arguments if text != "--deep"]
    name, games, splits = (*plain, *("irish", "20", "24")[len(plain) :])
    try:
        definition = library.read(name)
    except PlenipoError as fault:
        print(fault, file=sys.stderr)
        return 2
    figure = read_figure(definition.figure)
    took: list[float] = []
    refused: list[str] = []
    for game in range(int(games)):
        figures = ChangedFigures(figure, definition.spaces, definition.name)
        more, faults = play(figures, f"{name} {game}", int(splits), deep="--deep" in arguments)
        took += more
        refused += faults
    took.sort()
    middle, late = (1000 * took[int(len(took) * share)] for share in (0.5, 0.95))
    print(f"{len(took)} splits, {len(refused)} refused; {middle:.0f} ms in the middle, {late:.0f} for one in twenty")
    for line in refused:
        print(line)
    return bool(refused)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
