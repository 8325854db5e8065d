"""Licences of the installed packages: all permissive, each read from the installed files."""

import re
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from typer.testing import CliRunner

from plenipo.cli import app
from plenipo.licences import list_licences
from plenipo.sbom import make_sbom

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PINNED = {
    canonicalize_name(line.partition("==")[0])
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if "==" in line
}

FREE = re.compile(
    r"\b(MIT|BSD|Apache|ISC|PSF|Python Software Foundation|HPND|Zlib|Unlicense|0BSD|CC0|Public Domain|Historical"
    r"|Permission is hereby gr)",
    re.IGNORECASE,
)
ASKS_MORE: dict[str, str] = {}
"""Packages whose licence asks for something, of their own files alone; each with which."""


def needed(*extras: str) -> Iterator[str]:
    """The names of all packages that these extras bring on this system."""
    asked = [Requirement(part) for extra in extras for part in PROJECT["optional-dependencies"][extra]]
    asked += map(Requirement, PROJECT["dependencies"])
    seen: set[str] = set()
    while asked:
        wanted = asked.pop()
        name = canonicalize_name(wanted.name)
        if name in seen or name == "plenipo":
            continue
        seen.add(name)
        asked += [
            part
            for part in map(Requirement, distribution(name).requires or [])
            if part.marker is None or any(part.marker.evaluate({"extra": extra}) for extra in ("", *wanted.extras))
        ]
        yield name


def licence(name: str) -> str:
    """Return the licence of a package in one line."""
    told = distribution(name).metadata
    parts = [part for key in ("License-Expression", "Classifier", "License") for part in told.get_all(key) or []]
    said = [part[:60] for part in parts if not part.count("::") or part.startswith("License")]
    if not any(said):  # then by the beginning of the text that came with it
        texts = [file for file in distribution(name).files or [] if "licenses/" in str(file)]
        said = [str(file.read_text())[:60] for file in texts]
    return "; ".join(filter(None, said))


@pytest.mark.parametrize("extra", sorted(set(PROJECT["optional-dependencies"]) - {"ray"}))
def test_what_an_extra_brings_may_be_used_for_everything(extra: str) -> None:
    for name in needed(extra):
        said = licence(name)
        assert name in ASKS_MORE or (FREE.search(said) and not re.search(r"\b[AL]?GPL", said)), f"{name}: {said}"


def test_all_that_the_server_brings_is_pinned() -> None:
    assert [name for name in needed("server", "postgres") if name not in PINNED] == []


def test_the_licences_are_those_of_the_packages_in_the_bill_of_materials() -> None:
    own, *others = list_licences()
    assert (own.package, own.licence) == ("plenipo", PROJECT["license"])
    listed = {canonicalize_name(one.package): one.version for one in others}
    bill = make_sbom({}, datetime(2026, 11, 27, tzinfo=UTC))["components"]
    assert {canonicalize_name(one["name"]): one["version"] for one in bill}.items() <= listed.items()
    assert list(listed) == sorted(listed)
    assert all(one.licence for one in others)


def test_the_option_prints_a_line_for_each_package() -> None:
    told = CliRunner().invoke(app, ["--licences"])
    first, *lines = told.stdout.splitlines()
    assert (told.exit_code, first) == (0, "Plenipo 0.1.0 is under the MIT licence. It uses these packages:")
    assert [line.split()[0] for line in lines] == [one.package for one in list_licences()[1:]]
