"""Plural rules: the `Plural-Forms` header of a catalogue, whose expression in C the standard library compiles."""

import re
from collections.abc import Callable
from gettext import c2py
from typing import NamedTuple

__all__ = ["PluralRule", "parse_plural_forms"]

_HEADER = re.compile(r"\s*nplurals\s*=\s*(\d+)\s*;\s*plural\s*=\s*(.+?)\s*;?\s*")


class PluralRule(NamedTuple):
    """The number of plural forms of a language, and the function that selects one by the number."""

    forms: int
    select: Callable[[int], int]

    def __call__(self, number: int) -> int:
        """Return the index of the form for a number; the last one if the rule yields an impossible index."""
        try:
            return min(max(self.select(abs(number)), 0), self.forms - 1)
        except ZeroDivisionError:
            return self.forms - 1


def parse_plural_forms(header: str) -> PluralRule:
    """Parse a `Plural-Forms` header.

    >>> rule = parse_plural_forms("nplurals=2; plural=(n > 1);")
    >>> rule(0), rule(1), rule(2)
    (0, 0, 1)

    Raises `ValueError` with a sentence for a header that cannot be read.
    """
    matched = _HEADER.fullmatch(header)
    if not matched or not int(matched[1]):
        raise ValueError(f"Plural-Forms '{header}' is not of the form 'nplurals=2; plural=(n != 1);'.")
    try:
        return PluralRule(int(matched[1]), c2py(matched[2]))
    except ValueError as fault:
        raise ValueError(f"Plural-Forms '{header}' cannot be read: {fault}.") from fault
