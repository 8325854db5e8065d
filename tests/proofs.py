"""The part of a long proof that every test run makes; PLENIPO_PROOFS=all (`make proofs`) makes all of it."""

import os
from collections import Counter
from collections.abc import Container, Sequence
from itertools import product
from pathlib import Path
from typing import TypeVar

__all__ = ["ALL", "LIST", "PAGES", "choose", "crossed", "list_long", "share", "so_many"]

S = TypeVar("S")
T = TypeVar("T")

ALL = os.environ.get("PLENIPO_PROOFS") == "all"
"""True if every proof is made in full."""

PAGES = Path(__file__).with_name("browser")
"""The folder of tests in a browser, each of which takes long."""

LIST = Path(__file__).with_name("long_tests.txt")
"""The other tests of which a case takes a second or more; `scripts/long_tests.py` writes it."""

PART = 4
"""A run of all tests makes the first long test of a file and one in so many after it."""


def list_long() -> frozenset[str]:
    """Return the long tests outside the browser: a path below the folder of this one, two colons and a name."""
    return frozenset(LIST.read_text(encoding="utf-8").split())


def so_many(whole: int, part: int) -> int:
    """Return the number of examples to try: one in `part` of the whole, at least one, or the whole."""
    return whole if ALL else -(-whole // part)


def share(things: Sequence[T], part: int) -> Sequence[T]:
    """Which things are tried: one in `part`, the first and the last among them, or all."""
    return things if ALL else [one for number, one in enumerate(things) if not number % part or one is things[-1]]


def crossed(some: Sequence[S], others: Sequence[T]) -> Sequence[tuple[S, T]]:
    """Which pairs are tried: so many that each thing is in one of them, or all."""
    few = [(some[n % len(some)], others[n % len(others)]) for n in range(max(len(some), len(others)))]
    return list(product(some, others)) if ALL else few


def choose(
    tests: Sequence[tuple[Path, str]], named: Sequence[Path] = (), long: Container[str] = (), part: int = PART
) -> list[bool]:
    """Return for each test, given by its file and the name of its function, whether it is made.

    Of the cases of long tests in a file, the first is made and after it one in `part`; of others, each. A test is long
    if it needs a browser or is among `long`. A file that is `named`, or in a folder that is named and does not hold all
    tests, is made in full.
    """
    before: Counter[Path] = Counter()
    chosen = []
    for file, name in tests:
        if ALL or not _is_long(file, name, long) or _is_named(file, named):
            chosen.append(True)
        else:
            chosen.append(not before[file] % part)
            before[file] += 1
    return chosen


def _is_long(file: Path, name: str, long: Container[str]) -> bool:
    """Return whether a test takes long."""
    folder = PAGES.parent
    return file.is_relative_to(folder) and (
        file.is_relative_to(PAGES) or f"{file.relative_to(folder).as_posix()}::{name}" in long
    )


def _is_named(file: Path, named: Sequence[Path]) -> bool:
    """Return whether a file was asked for, by itself or with its folder, and not only with all tests."""
    return any(one in (file, *file.parents) and one != PAGES.parent for one in named)
