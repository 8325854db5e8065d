"""The part of a long proof that every test run makes; PLENIPO_PROOFS=all (`make proofs`) makes all of it."""

import os
from collections.abc import Sequence
from itertools import product
from typing import TypeVar

__all__ = ["ALL", "crossed", "share", "so_many"]

S = TypeVar("S")
T = TypeVar("T")

ALL = os.environ.get("PLENIPO_PROOFS") == "all"
"""True if every proof is made in full."""


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
