"""The part of a long proof that every test run makes; PLENIPO_PROOFS=all (`make proofs`) makes all of it."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import TypeVar

__all__ = ["ALL", "SHARES", "choose", "crossed", "share", "so_many"]

S = TypeVar("S")
T = TypeVar("T")

ALL = os.environ.get("PLENIPO_PROOFS") == "all"
"""True if every proof is made in full."""

SHARES = {Path(__file__).with_name("browser"): 4}
"""Folders of tests that take long, of each file of which a run of all tests makes one test in so many."""


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


def choose(files: Sequence[Path], named: Sequence[Path] = (), shares: Mapping[Path, int] = SHARES) -> list[bool]:
    """Return for each test, given by its file, whether it is made.

    Of a file in a folder of `shares`, the first test is made and after it one in so many. A file that is `named`, or
    in a folder that is, is made in full, unless all tests are.
    """
    parts = {file: _part_of(file, named, shares) for file in set(files)}
    before: Counter[Path] = Counter()
    chosen = []
    for file in files:
        chosen.append(not before[file] % parts[file])
        before[file] += 1
    return chosen


def _part_of(file: Path, named: Sequence[Path], shares: Mapping[Path, int]) -> int:
    """Return in how many tests of a file one is made."""
    folder = next((one for one in shares if one in file.parents), None)
    if ALL or folder is None or any(one in (file, *file.parents) and one.is_relative_to(folder) for one in named):
        return 1
    return shares[folder]
