"""Finds where everything stands on the map of a variant, and writes its `placements.json`.

`python scripts/placements.py NAME-OR-FOLDER ...` takes the names of the spaces from the variant and its parents, and
hints from a `placements.toml` beside the figure. Run it when a figure, a name or a hint was changed, and look at the
map.
"""

import sys
import tomllib
from collections.abc import Sequence

from plenipo import library
from plenipo.errors import PlenipoError
from plenipo.maps.lettering.label_search import placements_in


def main(arguments: Sequence[str]) -> int:
    """Find the placements of the variants named; say what is wrong and return 1, or return 0."""
    if not arguments:
        print("usage: python scripts/placements.py NAME-OR-FOLDER ...", file=sys.stderr)
        return 2
    for name in arguments:
        try:
            definition = library.read(name)
            placements = placements_in(definition.figure.parent, definition.spaces)
        except (PlenipoError, OSError, tomllib.TOMLDecodeError) as fault:
            print(f"{name}: {fault}", file=sys.stderr)
            return 1
        file = definition.figure.with_name("placements.json")
        file.write_text(placements.to_json(), encoding="utf-8", newline="\n")
        print(f"{file}: {len(placements.names)} names, {len(placements.codes)} codes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
