"""The space filter: a selection of spaces by their owner as seen by a power, in the words of rules."""

from collections.abc import Mapping
from typing import Literal

from plenipo.engine.board import Board, Code
from plenipo.engine.immutable import FrozenMap
from plenipo.engine.position import Position, Power
from plenipo.engine.sentences import Sentence, SentenceKind

__all__ = ["IN_WORDS", "Whose", "is_such", "may_be"]

Whose = Literal["home", "owned", "foreign", "foreign_home", "unowned", "centre", "plain", "anywhere"]
"""A home centre that the power owns, any centre it owns, a centre of another power, a home of another that is not
its own, a centre without an owner, any centre, a space without a centre, or any space."""

IN_WORDS: Mapping[Whose, Sentence] = FrozenMap(
    {
        "home": SentenceKind("spaces-home", "home centres it owns")(),
        "owned": SentenceKind("spaces-owned", "centres it owns")(),
        "foreign": SentenceKind("spaces-foreign", "centres of others")(),
        "foreign_home": SentenceKind("spaces-foreign-home", "home centres of others")(),
        "unowned": SentenceKind("spaces-unowned", "centres nobody owns")(),
        "centre": SentenceKind("spaces-centre", "centres")(),
        "plain": SentenceKind("spaces-plain", "spaces without a centre")(),
        "anywhere": SentenceKind("spaces-anywhere", "any space")(),
    }
)
"""The phrases of sentences for such spaces; `it` is the power."""


def may_be(whose: Whose, board: Board, code: Code) -> bool:
    """Return whether a space of a board can pass the filter for any power, under any ownership."""
    return whose == "anywhere" or (code in board.centres) is (whose != "plain")


def is_such(whose: Whose, board: Board, position: Position, power: Power, code: Code) -> bool:
    """Return whether a space passes the filter for a power; `board` is that of the position."""
    if whose == "anywhere":
        return True
    if whose in ("centre", "plain"):
        return (code in board.centres) is (whose == "centre")
    if whose == "foreign_home":
        others = (homes for other, homes in position.homes.items() if other != power)
        return code not in position.homes_of(power) and any(code in homes for homes in others)
    owner = position.owners.get(code)
    if whose == "unowned":
        return owner is None and code in board.centres
    if whose == "foreign":
        return owner not in (None, power)
    return owner == power and (whose == "owned" or code in position.homes_of(power))
