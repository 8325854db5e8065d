"""Chance that can be verified.

Before the first draw the SHA-256 of a secret seed is published, which commits the game to it. Each draw is made from
the HMAC-SHA-256 of a label under that seed, so nobody can choose its result and everybody can repeat it once the seed
is known. Every draw is kept with its label, what was in the hat and what came out.
"""

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count

from plenipo.errors import InvalidRecord

__all__ = ["SEED_BYTES", "Dice", "Draw"]

SEED_BYTES = 32
"""The length of a seed."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One slip drawn from a hat: the label of the draw, the slips in canonical order, the slip that came out.

    `entered` says that a person drew from a real hat and told the program the result.
    """

    label: str
    slips: tuple[str, ...]
    result: str
    entered: bool = False


@dataclass(frozen=True, slots=True)
class Dice:
    """A seed of 32 secret bytes; raises `InvalidRecord` for any other length.

    >>> dice = Dice(bytes(32))
    >>> dice.commitment[:16]
    '66687aadf862bd77'
    >>> dice.draw("demo", ["b", "a", "c"]) == dice.draw("demo", ["c", "b", "a"])
    True
    """

    seed: bytes

    def __post_init__(self) -> None:
        if len(self.seed) != SEED_BYTES:
            raise InvalidRecord(f"A seed has {SEED_BYTES} bytes, not {len(self.seed)}.")

    def __repr__(self) -> str:
        return f"<dice committed to {self.commitment}>"  # never the seed itself

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed in hex, to be published before the first draw."""
        return hashlib.sha256(self.seed).hexdigest()

    def number(self, label: str, below: int) -> int:
        """A number from 0 to `below` - 1, every one equally likely.

        The HMAC of `label|0` is taken as a number; if it falls into the uneven rest, `label|1` is tried, and so on.
        """
        size = 2**256
        fair = size - size % below
        for attempt in count():
            digest = hmac.new(self.seed, f"{label}|{attempt}".encode(), hashlib.sha256).digest()
            value = int.from_bytes(digest, "big")
            if value < fair:
                return value % below
        raise AssertionError("the attempts have no end")

    def draw(self, label: str, slips: Iterable[str]) -> Draw:
        """One of `slips`, which must not be empty; their order does not matter, the label decides."""
        hat = tuple(sorted(slips))
        return Draw(label, hat, hat[self.number(label, len(hat))])

    def shuffle(self, label: str, slips: Iterable[str]) -> tuple[str, ...]:
        """All of `slips` in random order (Fisher-Yates, one labelled number a place)."""
        hat = sorted(slips)
        for place in range(len(hat) - 1, 0, -1):
            other = self.number(f"{label}|{place}", place + 1)
            hat[place], hat[other] = hat[other], hat[place]
        return tuple(hat)

    def check(self, draws: Sequence[Draw]) -> None:
        """Repeat every draw that was not entered by hand; raises `InvalidRecord` naming the first that differs."""
        for made in draws:
            again = self.draw(made.label, made.slips)
            if not made.entered and again != made:
                raise InvalidRecord(f"The draw '{made.label}' gives '{again.result}', but '{made.result}' is recorded.")
