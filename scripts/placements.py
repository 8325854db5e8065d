"""Find the placements on the map of a variant, and write its `placements.json`.

`python scripts/placements.py [--routes | --small | --detail] NAME-OR-FOLDER ...` takes the names of the spaces from the
variant and its parents, and hints from a `placements.toml` beside the figure. Run it when a figure, a name or a hint
was changed, and look at the map. The routes are those of the boards of every variant that is played on the figure; with
`--routes` they alone are found anew, with `--small` the codes and marks of small pictures alone, and with `--detail`
the level of detail of lines. A board that is given by its contacts is laid out, and its figure written as well.
"""

import argparse
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from plenipo import library
from plenipo.charts import chart
from plenipo.engine.board import Board
from plenipo.errors import PlenipoError
from plenipo.maps.draw.paths import with_detail
from plenipo.maps.draw.routes import with_routes
from plenipo.maps.figure.board import board_from
from plenipo.maps.figure.planar import Figure
from plenipo.maps.lettering.label_grid import LabelGrid
from plenipo.maps.lettering.label_search import placements_in
from plenipo.maps.lettering.placements import Placements
from plenipo.maps.lettering.small import with_small


def boards_on(figure: Path, also: str) -> Iterator[Board]:
    """Yield the boards of the variant `also` and of every variant of the package that is played on the same figure."""
    own = (folder.parent.name for folder in sorted(library.VARIANTS.glob("*/variant.toml")))
    for name in dict.fromkeys((also, *own)):
        if library.read(name).figure == figure:
            yield library.load(name).board


def written_beside(name: str) -> str:
    """Lay out a board given by its contacts, write figure and placements beside them; return a sentence about it."""
    europe = chart(name)
    figure, folder = europe.figure, library.read(name).figure.parent
    placements = with_detail(figure, with_routes(figure, [europe.board], europe.placements))
    (folder / "figure.json").write_text(figure.to_json(), encoding="utf-8", newline="\n")
    (folder / "placements.json").write_text(placements.to_json(), encoding="utf-8", newline="\n")
    return f"{folder}: a layout of {len(figure.faces)} areas, {len(placements.routes)} routes"


def main(given: Sequence[str] | None = None) -> int:
    """Find the placements of the variants named; print faults and return 1, or return 0."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("variants", nargs="+", metavar="NAME-OR-FOLDER")
    reader.add_argument("--routes", action="store_true", help="leave everything else as it is")
    reader.add_argument("--small", action="store_true", help="the codes and marks of small pictures alone")
    reader.add_argument("--detail", action="store_true", help="how finely lines are drawn alone")
    arguments = reader.parse_args(given)
    for name in arguments.variants:
        try:
            definition = library.read(name)
            if definition.is_given_by_contacts:
                print(written_beside(name))
                continue
            figure = Figure.from_json(definition.figure.read_text(encoding="utf-8"))
            file = definition.figure.with_name("placements.json")
            if arguments.routes or arguments.small or arguments.detail:
                placements = Placements.from_json(file.read_text(encoding="utf-8"))
            else:
                placements = placements_in(definition.figure.parent, definition.spaces)
            if arguments.small:
                board = board_from(figure, definition.spaces, name)
                placements = with_small(LabelGrid(figure, board), placements)
            elif not arguments.detail:
                placements = with_routes(figure, boards_on(definition.figure, name), placements)
            placements = with_detail(figure, placements)
        except (PlenipoError, OSError, tomllib.TOMLDecodeError) as fault:
            print(f"{name}: {fault}", file=sys.stderr)
            return 1
        file.write_text(placements.to_json(), encoding="utf-8", newline="\n")
        print(f"{file}: {len(placements.names)} names, {len(placements.codes)} codes, {len(placements.routes)} routes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
