"""No-convoy spaces: waters, and land with a passage for ships, in which no fleet may convoy."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from plenipo.engine.board import Board, Code
from plenipo.engine.hooks import RuleModule
from plenipo.engine.place_rules import PlaceRule, name_of
from plenipo.engine.sentences import say
from plenipo.errors import InvalidVariant

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["NoConvoySpaces"]


@dataclass(frozen=True)
class NoConvoySpaces(RuleModule):
    """The field `spaces` lists them by their codes; armies may still be convoyed to such a space if it is land."""

    name: ClassVar[str] = "no_convoy_spaces"
    claims: ClassVar[frozenset[str]] = frozenset()
    fixed: ClassVar[frozenset[str]] = frozenset({"spaces"})

    spaces: tuple[Code, ...] = ()

    def board(self, board: Board) -> Board:
        """Return the board on which no fleet in these spaces convoys; raise `InvalidVariant` for an unknown space."""
        for code in self.spaces:
            if code not in board.known_codes:
                raise InvalidVariant(
                    say("'{name}' has '{code}', which is not a space of the board.", name=self.name, code=code)
                )
        listed = {half for code in self.spaces for half in (code, *_halves(board, code))}
        return replace(
            board,
            spaces={
                code: replace(space, convoys=False) if code in listed else space for code, space in board.spaces.items()
            },
        )

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe each space."""
        yield from (PlaceRule("calm", (code,), f"No fleet convoys in {name_of(rules, code)}") for code in self.spaces)


def _halves(board: Board, code: Code) -> tuple[Code, ...]:
    """Return the halves of a space that was split during play, such as `NTH 1` and `NTH 2`."""
    return tuple(other for other, space in board.spaces.items() if space.whole == code)
