"""The part of a long proof that every test run makes; PLENIPO_PROOFS=all (`make proofs`) makes all of it."""

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
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
"""The tests that take a second or more, each after the mean seconds of its cases, from `scripts/long_tests.py`."""

UNMEASURED = 6.0
"""The seconds that a test of the pages takes if it is not on the list."""

BUDGET = 80.0
"""The seconds of long tests that a run of all tests makes, so that it takes about ten minutes on two cores."""


def list_long() -> dict[str, float]:
    """Return the seconds of each long test, by its path below the folder of this file, two colons and its name."""
    lines = (line.split() for line in LIST.read_text(encoding="utf-8").splitlines())
    return {name: float(seconds) for seconds, name in lines}


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
    tests: Sequence[tuple[Path, str]],
    named: Sequence[Path] = (),
    long: Mapping[str, float] | None = None,
    budget: float = BUDGET,
) -> list[bool]:
    """Return for each test, given by its file and the name of its function, whether it is made.

    All are made but the long ones, those of the pages and those in `long` with their seconds. Of these, each file's
    shortest comes first, then each file's second, and so on, and each is made for which the budget of seconds has room.
    A file that is `named`, or in a folder that is named and does not hold all tests, is made in full.
    """
    known = long or {}
    files: defaultdict[Path, list[tuple[float, int]]] = defaultdict(list)
    chosen = [True] * len(tests)
    for number, (file, name) in enumerate(tests):
        if not ALL and not _is_named(file, named) and (seconds := _seconds(file, name, known)):
            files[file].append((seconds, number))
            chosen[number] = False
    turns = ((turn, seconds, number) for one in files.values() for turn, (seconds, number) in enumerate(sorted(one)))
    for _, seconds, number in sorted(turns):
        if seconds <= budget:
            chosen[number] = True
            budget -= seconds
    return chosen


def _seconds(file: Path, name: str, long: Mapping[str, float]) -> float:
    """Return the seconds that a long test takes, 0 for any other."""
    folder = PAGES.parent
    if not file.is_relative_to(folder):
        return 0
    default = UNMEASURED if file.is_relative_to(PAGES) else 0
    return long.get(f"{file.relative_to(folder).as_posix()}::{name}", default)


def _is_named(file: Path, named: Sequence[Path]) -> bool:
    """Return whether a file was asked for, by itself or with its folder, and not only with all tests."""
    return any(one in (file, *file.parents) and one != PAGES.parent for one in named)
