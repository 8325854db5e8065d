"""The package: what installing it brings, what it works without, and how little it loads to start."""

import ast
import re
import subprocess
import sys
import tomllib
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from waiting import LIMIT

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PINNED = {
    re.split("==", line)[0].casefold()
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
}

WHEEL = 3_420_000
"""Bytes that the files of the wheel may take, each compressed as in a wheel; half of them are Python."""


def packed_size(file: Path) -> int:
    return len(zlib.compress(file.read_bytes(), 6))


def python(code: str, *, without: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Run `code` in a process of its own, in which these packages cannot be imported."""
    absent = "".join(f"sys.modules['{name}'] = None\n" for name in without)
    command = [sys.executable, "-c", f"import sys\n{absent}{code}"]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT)  # noqa: S603  # our own code


def is_installed(file: Path) -> bool:
    """Return whether the wheel has this file of the package."""
    excluded: list[str] = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["exclude"]
    return file.is_file() and "__pycache__" not in file.parts and not any(map(file.match, excluded))


def test_the_wheel_is_at_most_so_large() -> None:
    package = ROOT / "src" / "plenipo"
    sizes = {file.relative_to(package): packed_size(file) for file in package.rglob("*") if is_installed(file)}
    largest = sorted(sizes, key=lambda file: -sizes[file])[:5]
    assert sum(sizes.values()) <= WHEEL, f"the largest are {', '.join(map(str, largest))}"


def names(requirements: list[object]) -> set[str]:
    return {re.split(r"[\s\[><=;]", text)[0].casefold() for text in requirements if isinstance(text, str)}


def test_what_only_developers_need_is_a_group_and_not_an_extra() -> None:
    extras, groups = PROJECT["project"]["optional-dependencies"], PROJECT["dependency-groups"]
    assert not {"dev", "test"} & extras.keys()
    assert {"pytest", "hypothesis"} <= names(groups["test"])
    assert {"mypy", "ruff", "playwright"} <= names(groups["dev"])
    assert {"include-group": "test"} in groups["dev"]


def test_every_requirement_is_pinned_for_make() -> None:
    project = PROJECT["project"]
    lists = [
        project["dependencies"],
        *project["optional-dependencies"].values(),
        *PROJECT["dependency-groups"].values(),
    ]
    wanted = set().union(*map(names, lists)) - {"plenipo"}
    assert not wanted - PINNED
    assert "pip" in PINNED  # one that knows groups


def test_maps_are_an_extra_that_the_browser_and_the_pictures_include() -> None:
    project = PROJECT["project"]
    assert not {"numpy", "shapely"} & names(project["dependencies"])
    for extra in ("server", "png"):
        assert "plenipo[maps]" in project["optional-dependencies"][extra]


def imports_of(file: Path) -> Iterator[str]:
    """Yield the first names of what a file imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]


@cache
def installed_modules() -> Mapping[str, Sequence[str]]:
    """Return the distributions of every module installed here, by its name; finding out reads a file of each."""
    return packages_distributions()


def distributions_of(module: str) -> set[str]:
    return {canonicalize_name(name) for name in installed_modules().get(module, [module])}


def with_what_they_require(wanted: Iterable[str]) -> set[str]:
    """Return the distributions of requirements, and all that those require here in turn."""
    found = set[str]()
    open_ones = [Requirement(text) for text in wanted]
    while open_ones:
        name = canonicalize_name(open_ones.pop().name)
        if name not in found:
            found.add(name)
            needed = map(Requirement, requires(name) or ())
            open_ones += [one for one in needed if one.marker is None or one.marker.evaluate({"extra": ""})]
    return found


def test_what_the_package_imports_is_a_requirement_of_it_or_of_an_extra() -> None:
    project = PROJECT["project"]
    stated = [*project["dependencies"], *(text for one in project["optional-dependencies"].values() for text in one)]
    known = {canonicalize_name(Requirement(text).name) for text in stated}
    for file in (ROOT / "src" / "plenipo").rglob("*.py"):
        for module in set(imports_of(file)) - sys.stdlib_module_names - {"plenipo"}:
            assert distributions_of(module) & known, f"{file.relative_to(ROOT)} imports {module}"


@cache
def modules_beyond_the_core() -> tuple[str, ...]:
    """Return the modules installed here that the core's requirements do not bring."""
    core = with_what_they_require(PROJECT["project"]["dependencies"]) | {"plenipo"}
    return tuple(module for module in installed_modules() if not distributions_of(module) & core)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["variants"],
        ["board", "irish", "--json"],
        ["check", "standard"],
        ["rulebooks", "4.A.2"],
        ["play", "1897+corner"],
        ["adjudicate"],
        ["show", "napoleonic", "--svg", "-"],
    ],
    ids=" ".join,
)
def test_the_core_works_without_any_extra(arguments: list[str]) -> None:
    told = python(f"from plenipo.cli import app\napp({arguments!r})", without=modules_beyond_the_core())
    assert (told.returncode, told.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "extra"), [(["play", "irish", "--orders", "-"], "maps"), (["selfplay", "standard"], "fast")], ids=str
)
def test_what_needs_an_extra_says_so_in_one_sentence(arguments: list[str], extra: str, tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text(f"# Seed: {'5a' * 32}\nSpring 1976\n", encoding="utf-8")  # by then a province was split
    arguments = [str(script) if argument == "-" else argument for argument in arguments]
    told = python(f"from plenipo.cli import app\napp({arguments!r})", without=("numpy", "shapely", "numba"))
    assert told.returncode == 2
    assert told.stderr.count("\n") == 1
    assert f"plenipo[{extra}]" in told.stderr


@pytest.mark.parametrize(
    ("code", "unwanted"),
    [
        ("import plenipo", {"pydantic", "numpy", "rich", "typer", "yaml", "plenipo.library"}),
        (
            "from plenipo.cli import app\ntry: app(['--help'])\nexcept SystemExit: pass",
            {"pydantic", "plenipo.library", "plenipo.engine.rules"},
        ),
    ],
)
def test_starting_loads_little(code: str, unwanted: set[str]) -> None:
    told = python(f"{code}\nprint('loaded', *sys.modules)")
    loaded = set(told.stdout.rpartition("loaded ")[2].split())
    assert loaded
    assert not loaded & unwanted


def test_every_version_said_to_be_supported_is_new_enough() -> None:
    versions = [line.rpartition(" ")[2] for line in PROJECT["project"]["classifiers"] if "Python :: 3." in line]
    assert versions == sorted(versions)
    assert f">={versions[0]}" == PROJECT["project"]["requires-python"]
