"""Figures for the tests: the standard map as committed, and small ones drawn by hand."""

import tomllib
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from plenipo.engine.board import Board, Code
from plenipo.maps.authoring.atlas import compile_map
from plenipo.maps.authoring.authored import map_digest
from plenipo.maps.figure.board import SpaceText, board_from
from plenipo.maps.figure.planar import BEYOND, Arc, Figure, Point, codes_of
from plenipo.maps.lettering.footprints import footprint_of
from plenipo.maps.lettering.placements import Placements

STANDARD = Path(__file__).parents[2] / "src" / "plenipo" / "variants" / "standard"


@cache
def standard_figure() -> Figure:
    """The committed figure of the regular board."""
    return Figure.from_json((STANDARD / "figure.json").read_text(encoding="utf-8"))


@cache
def _standard_table() -> dict[str, Any]:
    return tomllib.loads((STANDARD / "map.toml").read_text(encoding="utf-8"))


def standard_table() -> dict[str, Any]:
    """The authored map of the regular board, the caller's own to change."""
    return deepcopy(_standard_table())


@cache
def standard_texts() -> Mapping[Code, SpaceText]:
    """Names, centres and aliases of the regular board."""
    table = tomllib.loads((STANDARD / "variant.toml").read_text(encoding="utf-8"))["spaces"]
    return {
        Code(code): SpaceText(info["name"], info.get("centre", False), tuple(info.get("aliases", ())))
        for code, info in table.items()
    }


def texts_of(figure: Figure) -> dict[Code, SpaceText]:
    """A text for every face on the board of a figure and every box: its code for a name."""
    drawn = [code for code in figure.faces if code not in figure.offboard] + [box.code for box in figure.boxes]
    return {code: SpaceText(code.title()) for code in drawn}


def board_of(figure: Figure) -> Board:
    """The board of a small figure."""
    return board_from(figure, texts_of(figure), "small")


def facts(board: Board) -> tuple[object, ...]:
    """Everything a board says, to compare two of them; where a list of borders begins does not count."""
    turned = {code: min(border[i:] + border[:i] for i in range(len(border))) for code, border in _marked(board).items()}
    return dict(board.spaces), dict(board.armies), dict(board.fleets), turned, board.corners


def _marked(board: Board) -> dict[Code, tuple[str, ...]]:
    return {code: tuple(there or "*" for there in border) for code, border in board.borders.items()}


def draw(
    nodes: Mapping[str, Point], arcs: str, bends: Mapping[str, tuple[Point, ...]] | None = None, **flags: Any
) -> Figure:
    """A figure in a frame of 100 by 100 units.

    `arcs` has a line `start end left right` for each arc; `bends` gives the bends of an arc by its line.
    """
    found = []
    for line in arcs.strip().splitlines():
        start, end, left, right = line.split()
        found.append(Arc(start, end, (bends or {}).get(line.strip(), ()), Code(left), Code(right)))
    flags["seas"] = frozenset(Code(code) for code in flags.get("seas", "").split())
    return Figure(title="small", frame=(0, 0, 100, 100), nodes=nodes, arcs=tuple(found), **flags)


def halves(**flags: Any) -> Figure:
    """Land `AAA` in the west, sea `SSS` in the east, the shore between them from south to north."""
    return draw(
        {"#/AAA/SSS:n": (50, 100), "#/AAA/SSS:s": (50, 0)},
        """
        #/AAA/SSS:s #/AAA/SSS:n AAA SSS
        #/AAA/SSS:n #/AAA/SSS:s AAA #
        #/AAA/SSS:s #/AAA/SSS:n SSS #
        """,
        {
            "#/AAA/SSS:n #/AAA/SSS:s AAA #": ((0, 100), (0, 0)),
            "#/AAA/SSS:s #/AAA/SSS:n SSS #": ((100, 0), (100, 100)),
            "#/AAA/SSS:s #/AAA/SSS:n AAA SSS": ((55, 40), (45, 60)),
        },
        **{"seas": "SSS", **flags},
    )


def quarters(**flags: Any) -> Figure:
    """Four squares that meet in one point: `AAA` northwest, `BBB` northeast, `CCC` southeast, `DDD` southwest."""
    names = {"#/AAA/BBB": (50, 100), "#/BBB/CCC": (100, 50), "#/CCC/DDD": (50, 0), "#/AAA/DDD": (0, 50)}
    return draw(
        {"AAA/BBB/CCC/DDD": (50, 50), **names},
        """
        AAA/BBB/CCC/DDD #/AAA/BBB AAA BBB
        AAA/BBB/CCC/DDD #/BBB/CCC BBB CCC
        AAA/BBB/CCC/DDD #/CCC/DDD CCC DDD
        AAA/BBB/CCC/DDD #/AAA/DDD DDD AAA
        #/AAA/BBB #/AAA/DDD AAA #
        #/AAA/DDD #/CCC/DDD DDD #
        #/CCC/DDD #/BBB/CCC CCC #
        #/BBB/CCC #/AAA/BBB BBB #
        """,
        {
            "#/AAA/BBB #/AAA/DDD AAA #": ((0, 100),),
            "#/AAA/DDD #/CCC/DDD DDD #": ((0, 0),),
            "#/CCC/DDD #/BBB/CCC CCC #": ((100, 0),),
            "#/BBB/CCC #/AAA/BBB BBB #": ((100, 100),),
        },
        **flags,
    )


def island(**flags: Any) -> Figure:
    """A sea `SSS` with an island of two lands, `AAA` west and `BBB` east, and in `AAA` an enclave `EEE`."""
    return draw(
        {"#/SSS": (0, 0), "AAA/BBB/SSS:n": (50, 80), "AAA/BBB/SSS:s": (50, 20), "AAA/EEE": (30, 50)},
        """
        #/SSS #/SSS SSS #
        AAA/BBB/SSS:s AAA/BBB/SSS:n AAA BBB
        AAA/BBB/SSS:s AAA/BBB/SSS:n BBB SSS
        AAA/BBB/SSS:n AAA/BBB/SSS:s AAA SSS
        AAA/EEE AAA/EEE EEE AAA
        """,
        {
            "#/SSS #/SSS SSS #": ((100, 0), (100, 100), (0, 100)),
            "AAA/BBB/SSS:s AAA/BBB/SSS:n BBB SSS": ((80, 20), (80, 80)),
            "AAA/BBB/SSS:n AAA/BBB/SSS:s AAA SSS": ((20, 80), (20, 20)),
            "AAA/EEE AAA/EEE EEE AAA": ((40, 45), (40, 55)),
        },
        **{"seas": "SSS", **flags},
    )


def beyond_frame(figure: Figure, placements: Placements) -> set[tuple[str, Code]]:
    """The names and codes, curved ones too, that reach beyond the frame of a figure; those in boxes left out."""
    west, south, east, north = figure.frame
    found = set()
    for kind, table in (("name", placements.names), ("code", placements.codes)):
        for code in table.keys() & figure.faces.keys():
            covered = footprint_of(table[code], water=code in figure.waters)
            boxes = [tuple(box) for box in covered.boxes]
            boxes += [(x - radius, y - radius, x + radius, y + radius) for x, y, radius in covered.discs]
            if any(x0 < west or y0 < south or x1 > east or y1 > north for x0, y0, x1, y1 in boxes):
                found.add((kind, code))
    return found


def all_codes(figure: Figure) -> set[Code]:
    """Every face the corners of a figure are named after."""
    return {code for name in figure.nodes for code in codes_of(name)} - {BEYOND}


def assert_compiled_from_map(figure: Figure, folder: Path) -> None:
    """Assert that the figure of a folder is the one that the map in it compiles to."""
    path = folder / "map.toml"
    assert figure.source["map"] == map_digest(path)
    compiled = compile_map(path)
    if compiled.source == figure.source:
        assert compiled.to_json() == (folder / "figure.json").read_text(encoding="utf-8")
    # another release of GEOS may round a shore otherwise, but never to another board
    assert facts(board_of(compiled)) == facts(board_of(figure))


def pairs_of(contacts: Mapping[str, str]) -> set[tuple[str, str]]:
    """Return listed contacts both ways; a list gives each space with the spaces it touches, parted by blanks."""
    pairs = {(one, other) for one, others in contacts.items() for other in others.split()}
    return pairs | {(other, one) for one, other in pairs}
