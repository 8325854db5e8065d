"""Licences: that of Plenipo, and those of the installed packages that it uses, read from their metadata.

With the standard library only, so that `plenipo --licences` answers in every installation.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, PackagePath, distribution

__all__ = [
    "Licence",
    "classify_licence",
    "find_licence_files",
    "list_licences",
    "read_licence",
    "state_licences",
]

NAME = re.compile(r"\s*([A-Za-z0-9._-]+)\s*(?:\[([^]]*)\])?")
EXTRA = re.compile(r"extra\s*==\s*['\"]([^'\"]+)['\"]")

FILE = re.compile(r"\.dist-info/(licenses/|LICEN[CS]E|COPYING)")

LONGEST = 60
"""Characters of a licence's name; a longer text is the licence itself."""


@dataclass(frozen=True)
class Licence:
    """An installed package with its version and the name of its licence, empty if it names none."""

    package: str
    version: str
    licence: str


def state_licences(one: Distribution) -> list[str]:
    """Return what a distribution states as its licence: an SPDX expression, then free text."""
    keys = ("License-Expression", "License")
    return [text.strip() for key in keys for text in one.metadata.get_all(key) or () if text.strip()]


def classify_licence(one: Distribution) -> list[str]:
    """Return the licences of a distribution as its classifiers name them."""
    classifiers = [text.split(" :: ") for text in one.metadata.get_all("Classifier") or ()]
    return [parts[-1] for parts in classifiers if parts[0] == "License" and len(parts) > 2]


def find_licence_files(one: Distribution) -> list[PackagePath]:
    """Return the licence files that come with a distribution."""
    return [file for file in one.files or () if FILE.search(str(file))]


def read_licence(one: Distribution) -> str:
    """Return the name of a distribution's licence; the first line where only a text is given."""
    texts = state_licences(one)
    named = [text for text in texts if len(text) <= LONGEST and "\n" not in text][:1] or classify_licence(one)
    if not named:
        texts = texts or [file.read_text() for file in find_licence_files(one)]
        lines = [line.strip() for text in texts for line in text.splitlines()]
        named = [line[:LONGEST] for line in lines if line and not line.startswith("Copyright")][:1]
    return ", ".join(dict.fromkeys(named))


def list_licences() -> list[Licence]:
    """Return the licence of Plenipo and then, by name, those of the installed packages that it uses."""
    found: dict[str, Distribution] = {}
    asked = [("plenipo", frozenset(distribution("plenipo").metadata.get_all("Provides-Extra") or ()))]
    seen = set(asked)
    while asked:
        name, extras = asked.pop()
        try:
            one = distribution(name)
        except PackageNotFoundError:  # an extra or another system brings it
            continue
        found.setdefault(_normalise(one.name), one)
        new = {need for need in _needs(one, extras) if need not in seen and need[0] != "plenipo"}
        seen |= new
        asked += sorted(new, key=lambda need: need[0])
    own = found.pop("plenipo")
    return [
        Licence(one.name, one.version, read_licence(one)) for one in (own, *(found[name] for name in sorted(found)))
    ]


def _needs(one: Distribution, extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield what a distribution with these extras requires: names with the extras asked of each."""
    for text in one.requires or ():
        wanted, _, marker = text.partition(";")
        condition = EXTRA.search(marker)
        name = NAME.match(wanted)
        if name is not None and (condition is None or condition[1] in extras):
            yield _normalise(name[1]), frozenset(filter(None, re.split(r"\s*,\s*", name[2] or "")))


def _normalise(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
