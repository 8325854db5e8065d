"""Whose a space is: a space as a power sees it, in the words of rules that say where something is done."""

from collections.abc import Mapping
from typing import Literal

from plenipo.engine.board import Board, Code
from plenipo.engine.immutable import FrozenMap
from plenipo.engine.position import Position, Power

__all__ = ["IN_WORDS", "Whose", "is_such", "may_be"]

Whose = Literal["home", "owned", "foreign", "foreign_home", "unowned", "centre", "plain", "anywhere"]
"""A home centre that the power owns, any centre it owns, a centre of another, a home centre of another that is none of
its own, a centre nobody owns, any centre, a space without a centre, or any space."""

IN_WORDS: Mapping[Whose, str] = FrozenMap(
    {
        "home": "home centres it owns",
        "owned": "centres it owns",
        "foreign": "centres of others",
        "foreign_home": "home centres of others",
        "unowned": "centres nobody owns",
        "centre": "centres",
        "plain": "spaces without a centre",
        "anywhere": "any space",
    }
)
"""What sentences call such spaces; `it` is the power."""


def may_be(whose: Whose, board: Board, code: Code) -> bool:
    """Whether a space of a board may be such a one for anybody, whoever owns what."""
    return whose == "anywhere" or (code in board.centres) is (whose != "plain")


def is_such(whose: Whose, board: Board, position: Position, power: Power, code: Code) -> bool:
    """Whether a space is such a one for a power; `board` is that of the position."""
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
