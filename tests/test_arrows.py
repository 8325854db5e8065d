"""The import arrows of the house hold: who may lean on whom, read from the code itself.

Nothing is imported here; every module is parsed with `ast`, so an import inside a function counts as well.
"""

import ast
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SRC = Path(__file__).parents[1] / "src" / "plenipo"

PURE_STANDARD_LIBRARY = set(
    "__future__ abc bisect collections contextlib copy dataclasses difflib enum fractions functools hashlib heapq hmac "
    "itertools json math operator re string textwrap types typing unicodedata".split()
)
"""The standard modules allowed to rules: none that sees files, clocks, the environment or chance."""

ANY_STANDARD_LIBRARY = {"*"}
"""A layer that is free in its choice of the standard library."""

INPUT_AND_OUTPUT = {"open", "print", "input", "exec", "eval", "compile", "__import__", "breakpoint"}
"""Builtins that reach out of a pure function."""

LAYERS: dict[str, tuple[set[str], set[str], set[str]]] = {
    # layer: (layers of plenipo, standard library, other packages)
    "errors": (set(), PURE_STANDARD_LIBRARY, set()),
    "validation": ({"engine"}, PURE_STANDARD_LIBRARY, set()),
    "extras": ({"errors", "engine"}, ANY_STANDARD_LIBRARY, set()),
    "engine": ({"errors", "engine"}, PURE_STANDARD_LIBRARY, set()),
    "rulekit": ({"errors", "engine", "rulekit"}, PURE_STANDARD_LIBRARY, set()),
    "user_files": (set(), ANY_STANDARD_LIBRARY, set()),
    "maps": (
        {"errors", "extras", "user_files", "engine", "maps"},
        ANY_STANDARD_LIBRARY,
        {"shapely", "numpy", "networkx"},
    ),
    "batch": (
        {"errors", "extras", "engine", "batch"},
        ANY_STANDARD_LIBRARY,
        {"numpy", "numba", "llvmlite", "gymnasium", "pettingzoo"},
    ),
    "bots": ({"errors", "engine", "batch", "bots"}, ANY_STANDARD_LIBRARY, {"numpy"}),
    "formats": ({"errors", "engine", "daide", "formats"}, ANY_STANDARD_LIBRARY, {"ijson"}),
    "daide": ({"errors", "engine", "daide"}, ANY_STANDARD_LIBRARY, set()),
    "variants": (set(), set(), set()),
}
"""Everything above the I/O line, and what each part may import. What is not listed stands below the line."""

DRAWS = {"charts", "cli", "mapfaults", "poster", "raster", "server"}
"""The only parts that may import the drawing: those that show it, print it or look for its faults."""

MAP_ROOMS = {
    "figure": {"figure"},
    "authoring": {"figure", "authoring"},
    "cutting": {"figure", "cutting"},
    "lettering": {"figure", "cutting", "lettering"},
    "draw": {"figure", "lettering", "draw"},
}
"""The rooms of `maps`, and which of them each may import."""

ENGINE_ROOMS = {
    "": {""},
    "phases": {"", "phases"},
    "reading": {"", "phases", "reading"},
    "history": {"", "phases", "reading", "history"},
}
"""The rooms of `engine`, the values themselves first, and which of them each may import."""

FOR_TYPES = {("engine/hooks.py", "reading"), ("engine/module_memory.py", "reading")}
"""Imports that only name a type: what a hook that reads a slot is given."""

HOSTING = "server/hosting/"
"""The pure part of the server: it knows the engine and itself, and no clock, file or network."""

TIME_AS_A_VALUE = {"datetime", "zoneinfo"}
"""The standard modules allowed besides those of rules; another test checks that none reads the time."""

PURE_PARTS = ("engine.", "server.hosting.", "server.errors.", "validation.", "languages.mark")
"""The parts of plenipo that it may use."""

PURE_LIBRARIES = {"confusable_homoglyphs", "munkres", "pydantic"}
"""The libraries it may use: they compute and check."""

SERVES = {"server", "cli"}
"""The only parts that may import the server."""

NAMELESS = ("engine", "rulekit", "batch")
"""The parts that work for any variant and so may name none."""

EDITIONS = ("engine/rulebook.py",)
"""Modules in which the word `standard` is the name of an edition of the rulebook."""


def layer_of(path: str) -> str:
    """The first part of a path below the package: `engine/board.py` -> `engine`, `cli.py` -> `cli`."""
    return path.split("/", maxsplit=1)[0].removesuffix(".py")


def imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every module an import statement names, with its line; `from plenipo import x` names `plenipo.x`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                yield node.lineno, "." * node.level + (node.module or "")
            elif node.module:
                for alias in node.names:
                    yield node.lineno, f"{node.module}.{alias.name}"


def room_of(path: str) -> str:
    """The room of `engine` that a module or something in it is in, empty for the values themselves."""
    room = path.split("/")[1]
    return room if room in ENGINE_ROOMS else ""


def wrong_imports(path: str, source: str) -> list[str]:
    """A sentence for every arrow the module at `path` (below the package) draws the wrong way."""
    layer = layer_of(path)
    tree = ast.parse(source)
    faults = []
    for line, name in imported(tree):
        first, _, rest = name.partition(".")
        if name.startswith("."):
            faults.append(f"{path}:{line} imports {name}, which is relative; write the whole name")
        elif first == "plenipo":
            if rest.startswith("maps.draw") and layer not in DRAWS and not path.startswith("maps/draw"):
                faults.append(f"{path}:{line} imports the drawing")
            room = path.split("/")[1] if layer == "maps" else ""
            if room in MAP_ROOMS and rest.startswith("maps.") and rest.split(".")[1] not in MAP_ROOMS[room]:
                faults.append(f"{path}:{line} imports plenipo.{rest}, which maps/{room} may not")
            if layer == "engine" and rest.startswith("engine."):
                here, there = (room_of(part) for part in (path, rest.replace(".", "/")))
                if there not in ENGINE_ROOMS[here] and (path, there) not in FOR_TYPES:
                    faults.append(f"{path}:{line} imports plenipo.{rest}, which engine/{here} may not")
            if rest.split(".")[0] == "server" and layer not in SERVES:
                faults.append(f"{path}:{line} imports the server")
            if layer in LAYERS and rest.split(".")[0] not in LAYERS[layer][0]:
                faults.append(f"{path}:{line} imports plenipo.{rest}, which {layer} may not")
        elif layer in LAYERS:
            _, standard, others = LAYERS[layer]
            if not (first in others or first in standard or ("*" in standard and first in sys.stdlib_module_names)):
                faults.append(f"{path}:{line} imports {first}, which {layer} may not")
        if path.startswith(HOSTING):
            known = first in PURE_STANDARD_LIBRARY | TIME_AS_A_VALUE
            within = first == "plenipo" and rest.startswith(PURE_PARTS)
            if not (known or within or first in PURE_LIBRARIES):
                faults.append(f"{path}:{line} imports {name}, which hosting may not")
    if layer in LAYERS and LAYERS[layer][1] is PURE_STANDARD_LIBRARY:
        faults += [
            f"{path}:{node.lineno} calls {node.func.id}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in INPUT_AND_OUTPUT
        ]
    return faults


def server_arrows(sources: dict[str, str]) -> dict[str, set[str]]:
    """For each folder and each module that lies directly in the server, the others that it imports from."""
    known = {path.split("/")[1].removesuffix(".py") for path in sources if path.startswith("server/")}
    arrows: dict[str, set[str]] = {one: set() for one in known}
    for path, source in sources.items():
        if path.startswith("server/"):
            here = path.split("/")[1].removesuffix(".py")
            names = (name.split(".") for _, name in imported(ast.parse(source)))
            arrows[here] |= {
                name[2] for name in names if name[:2] == ["plenipo", "server"] and name[2] in known - {here}
            }
    return arrows


def find_circle(arrows: dict[str, set[str]]) -> list[str]:
    """Names of which each imports from the one before, and the first from the last; empty if there is no circle."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as fault:
        return list(fault.args[1])
    return []


def named_variants(path: str, source: str, names: set[str]) -> list[str]:
    """A sentence for every text in the code, docstrings and `__all__` apart, that is the name of a variant."""
    tree = ast.parse(source)
    docstrings = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    docstrings |= {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__"
        for inner in ast.walk(node)
    }
    return [
        f"{path}:{node.lineno} names the variant '{node.value}'"
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.casefold() in names
        and id(node) not in docstrings
        and not (path in EDITIONS and node.value == "standard")
    ]


@cache
def variant_names() -> set[str]:
    """The folder name and the title of every variant in the tree, in small letters."""
    files = sorted((SRC / "variants").glob("*/variant.toml"))
    titles = {tomllib.loads(file.read_text(encoding="utf-8"))["title"] for file in files}
    # the game itself gives its title to half the words of this house
    return {name.casefold() for name in titles | {file.parent.name for file in files}} - {"diplomacy"}


@cache
def modules() -> dict[str, str]:
    """The source of every module, by its path below the package."""
    return {file.relative_to(SRC).as_posix(): file.read_text(encoding="utf-8") for file in sorted(SRC.rglob("*.py"))}


def test_the_tree_is_there_to_be_read() -> None:
    assert {"errors.py", "engine/board.py", "engine/phases/movement.py"} <= modules().keys()
    assert "standard" in variant_names()


@pytest.mark.parametrize("path", modules())
def test_every_import_points_up_the_road(path: str) -> None:
    assert not wrong_imports(path, modules()[path])


@pytest.mark.parametrize("path", [path for path in modules() if layer_of(path) in NAMELESS])
def test_no_module_of_the_rules_names_a_variant(path: str) -> None:
    assert not named_variants(path, modules()[path], variant_names())


def test_folders_and_modules_of_the_server_import_from_each_other_in_no_circle() -> None:
    arrows = server_arrows(modules())
    assert {"hosting", "store", "web", "service"} <= arrows.keys()
    assert not find_circle(arrows)


def test_a_circle_in_the_server_is_seen() -> None:
    sources = {
        "server/press/rules.py": "from plenipo.server.press.tables import Messages",
        "server/press/tables.py": "def write() -> None:\n    from plenipo.server import games",
        "server/games.py": "from plenipo.server.press import rules",
        "server/clock.py": "",
    }
    assert set(find_circle(server_arrows(sources))) == {"press", "games"}
    assert not find_circle(server_arrows(sources | {"server/games.py": "from plenipo.server.clock import now"}))


def test_variants_are_data_only() -> None:
    assert not list((SRC / "variants").rglob("*.py"))


# The checker itself, on small sources


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("engine/x.py", "import os"),
        ("engine/x.py", "import random"),
        ("engine/x.py", "from time import monotonic"),
        ("engine/x.py", "from datetime import date"),
        ("engine/x.py", "from pathlib import Path"),
        ("engine/x.py", "import shapely"),
        ("engine/x.py", "import typer"),
        ("engine/x.py", "def late():\n    import sys"),
        ("engine/x.py", "from plenipo.maps.figure import planar"),
        ("engine/x.py", "from plenipo import library"),
        ("engine/x.py", "import plenipo.rulekit.corners"),
        ("engine/x.py", "from plenipo.engine.phases import step"),
        ("engine/phases/x.py", "from plenipo.engine.reading.notation import Notation"),
        ("engine/reading/x.py", "from plenipo.engine.history.game import Game"),
        ("engine/x.py", "from . import board"),
        ("engine/x.py", "print(1)"),
        ("engine/x.py", "open('map')"),
        ("errors.py", "from plenipo.engine import board"),
        ("rulekit/x.py", "from plenipo.maps.figure import planar"),
        ("rulekit/x.py", "import os"),
        ("maps/x.py", "from plenipo.library import load"),
        ("maps/authoring/atlas.py", "from plenipo.maps.draw import draw"),
        ("maps/figure/x.py", "from plenipo.maps.cutting.cut import split"),
        ("maps/cutting/x.py", "from plenipo.maps.lettering import placements"),
        ("maps/x.py", "import typer"),
        ("server/hosting/x.py", "import socket"),
        ("server/hosting/x.py", "from plenipo.server.service import Host"),
        ("server/hosting/x.py", "from plenipo.server import store"),
        ("batch/x.py", "from plenipo.maps.figure.board import board_from"),
        ("batch/x.py", "import shapely"),
        ("bots/x.py", "from plenipo.server import host"),
        ("library/x.py", "from plenipo.server.service import Host"),
        ("bots/x.py", "from plenipo.cases import run_file"),
        ("library.py", "from plenipo.maps import draw"),
        ("cases/run.py", "from plenipo.maps.draw import draw"),
        ("variants/standard/x.py", "import json"),
    ],
)
def test_a_wrong_arrow_is_seen(path: str, source: str) -> None:
    assert wrong_imports(path, source)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("engine/x.py", "from plenipo.engine.board import Board\nfrom plenipo.errors import InvalidOrder"),
        ("engine/x.py", "import hashlib, hmac\nfrom collections.abc import Mapping"),
        ("rulekit/x.py", "from plenipo.engine import retreats"),
        ("maps/x.py", "import numpy\nfrom shapely import geometry\nfrom plenipo.maps.figure import planar"),
        ("maps/draw.py", "from plenipo.maps.figure.board import board_from"),
        ("maps/lettering/x.py", "from plenipo.maps.cutting.changed_figures import ChangedFigures"),
        ("maps/draw/units.py", "from plenipo.maps.draw.style import colour"),
        ("batch/x.py", "from numba import njit"),
        ("bots/x.py", "import random\nfrom plenipo.engine.phases.legality import Legality"),
        ("bots/x.py", "from plenipo.batch.play import advance"),
        ("library.py", "import os\nfrom plenipo.maps.figure.board import board_from"),
        ("charts.py", "from plenipo.maps.draw import Scene, draw"),
        ("cli/app.py", "import typer\nfrom plenipo.maps.draw import draw"),
        ("server/service.py", "import sqlalchemy\nfrom plenipo.maps import draw"),
    ],
)
def test_a_right_arrow_is_left_alone(path: str, source: str) -> None:
    assert not wrong_imports(path, source)


@pytest.mark.parametrize("source", ["if rules.variant == 'standard': pass", "x = {'Standard': 1}", "f'{a}standard'"])
def test_a_named_variant_is_seen(source: str) -> None:
    assert named_variants("engine/x.py", source, {"standard"})


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("engine/x.py", '"""standard"""'),
        ("engine/x.py", "x = 1  # the standard board"),
        ("engine/x.py", "x = 'the standard rules'"),
        ("engine/rulebook.py", "x = 'standard'"),
    ],
)
def test_a_word_that_is_no_name_is_left_alone(path: str, source: str) -> None:
    assert not named_variants(path, source, {"standard"})
