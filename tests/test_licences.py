"""What is installed with the program is under licences that allow everything: each is read from what was installed."""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PINNED = {
    line.partition("==")[0].casefold() for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
}

FREE = re.compile(
    r"\b(MIT|BSD|Apache|ISC|PSF|Python Software Foundation|HPND|Zlib|Unlicense|0BSD|CC0|Public Domain|Historical"
    r"|Permission is hereby gr)",
    re.IGNORECASE,
)
ASKS_MORE: dict[str, str] = {}
"""Packages whose licence asks for something, of their own files alone; each with which."""

NAME = re.compile(r"^[\w.-]+")


def needed(*extras: str) -> Iterator[str]:
    """The names of all packages that these extras bring, as far as they are for this system."""
    asked = [part for extra in extras for part in PROJECT["optional-dependencies"][extra]] + PROJECT["dependencies"]
    seen: set[str] = set()
    while asked:
        wanted = asked.pop()
        name = NAME.match(wanted.strip())
        assert name, wanted
        key = name[0].casefold().replace("_", "-")
        if key in seen or key == "plenipo" or "extra ==" in wanted:
            continue
        seen.add(key)
        try:
            asked += distribution(key).requires or []
        except PackageNotFoundError:
            continue  # it is for other systems
        yield key


def licence(name: str) -> str:
    """What a package says of its licence, in one line."""
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
    missing = [
        name
        for name in needed("server", "postgres")
        if name.replace("-", "_") not in {p.replace("-", "_") for p in PINNED}
    ]
    assert missing == []
