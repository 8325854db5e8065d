"""Plural rules: the `Plural-Forms` header of a catalogue, a small expression in C."""

import re
from collections.abc import Callable
from typing import NamedTuple

__all__ = ["PluralRule", "parse_plural_forms"]

_HEADER = re.compile(r"\s*nplurals\s*=\s*(\d+)\s*;\s*plural\s*=\s*(.+?)\s*;?\s*")
_TOKEN = re.compile(r"\s*(\d+|n|[=!<>]=|&&|\|\||[-+*/%<>!?:()])")

_LEVELS: tuple[dict[str, Callable[[int, int], int]], ...] = (
    {"||": lambda a, b: int(bool(a or b))},
    {"&&": lambda a, b: int(bool(a and b))},
    {"==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b)},
    {
        "<": lambda a, b: int(a < b),
        ">": lambda a, b: int(a > b),
        "<=": lambda a, b: int(a <= b),
        ">=": lambda a, b: int(a >= b),
    },
    {"+": lambda a, b: a + b, "-": lambda a, b: a - b},
    {"*": lambda a, b: a * b, "/": lambda a, b: a // b if b else 0, "%": lambda a, b: a % b if b else 0},
)
"""The operators of C from the loosest to the tightest."""

_Expression = Callable[[int], int]


class PluralRule(NamedTuple):
    """How many plural forms a language has, and the function that selects one by the number."""

    forms: int
    select: _Expression

    def __call__(self, number: int) -> int:
        """Return the index of the form for a number; the last one if the rule yields an impossible index."""
        return min(max(self.select(abs(number)), 0), self.forms - 1)


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
    tokens, end = [], 0
    expression = matched[2]
    while end < len(expression):
        token = _TOKEN.match(expression, end)
        if not token:
            raise ValueError(f"Plural-Forms '{header}' cannot be read from '{expression[end:]}'.")
        tokens.append(token[1])
        end = token.end()
    parser = _Parser(tokens)
    try:
        select = parser.parse_choice()
    except (IndexError, RecursionError):
        raise ValueError(f"Plural-Forms '{header}' is incomplete.") from None
    if parser.tokens:
        raise ValueError(f"Plural-Forms '{header}' cannot be read from '{parser.tokens[0]}'.")
    return PluralRule(int(matched[1]), select)


class _Parser:
    """A parser by recursive descent that turns tokens into a function."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens

    def parse_choice(self) -> _Expression:
        """Parse `condition ? one : other`."""
        condition = self.parse_level(0)
        if self.tokens[:1] != ["?"]:
            return condition
        self.tokens.pop(0)
        one = self.parse_choice()
        self.expect(":")
        other = self.parse_choice()
        return lambda n: one(n) if condition(n) else other(n)

    def parse_level(self, level: int) -> _Expression:
        """Parse the binary operators of a level and of the tighter ones."""
        if level == len(_LEVELS):
            return self.parse_atom()
        left = self.parse_level(level + 1)
        while self.tokens and self.tokens[0] in _LEVELS[level]:
            left = _apply(_LEVELS[level][self.tokens.pop(0)], left, self.parse_level(level + 1))
        return left

    def parse_atom(self) -> _Expression:
        """Parse a number, `n`, a negation or an expression in brackets."""
        token = self.tokens.pop(0)
        if token == "n":  # noqa: S105
            return lambda n: n
        if token.isdigit():
            value = int(token)
            return lambda _n: value
        if token == "!":  # noqa: S105
            negated = self.parse_atom()
            return lambda n: int(not negated(n))
        if token == "(":  # noqa: S105
            inner = self.parse_choice()
            self.expect(")")
            return inner
        raise ValueError(f"Plural-Forms has '{token}' where a number or n belongs.")

    def expect(self, token: str) -> None:
        """Remove the next token, which must be this one."""
        if self.tokens.pop(0) != token:
            raise ValueError(f"Plural-Forms lacks '{token}'.")


def _apply(operator: Callable[[int, int], int], left: _Expression, right: _Expression) -> _Expression:
    return lambda n: operator(left(n), right(n))
