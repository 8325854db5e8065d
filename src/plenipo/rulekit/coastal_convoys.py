"""Coastal convoys: provinces in whose ports fleets convoy as they do in a sea."""

from dataclasses import dataclass, replace
from typing import ClassVar

from plenipo.engine.board import Board, Code, Terrain
from plenipo.engine.hooks import RuleModule
from plenipo.engine.sentences import say
from plenipo.engine.wording import hint
from plenipo.errors import InvalidVariant

__all__ = ["CoastalConvoys"]


@dataclass(frozen=True)
class CoastalConvoys(RuleModule):
    """The option `spaces` lists the provinces; all that have one coast alone where it is empty."""

    name: ClassVar[str] = "coastal_convoys"
    fixed: ClassVar[frozenset[str]] = frozenset({"spaces"})

    spaces: tuple[Code, ...] = ()

    def board(self, board: Board) -> Board:
        """Return the board with these ports; raise `InvalidVariant` for a space that is none."""
        path = ("modules", self.name, "spaces")
        for code in self.spaces:
            if code not in board.known_codes:
                raise InvalidVariant(
                    say(
                        "'{name}' names '{code}'; {hint}",
                        name=self.name,
                        code=code,
                        hint=hint(code, tuple(board.spaces)),
                    ),
                    path,
                )
            space = board.spaces.get(code)
            if space and not space.closed and (space.terrain is not Terrain.COAST or space.coasts):
                what = "has several coasts" if space.coasts else "is not on a coast"
                raise InvalidVariant(
                    say(
                        "'{name}' names {code}, which {what}; no fleet could convoy there.",
                        name=self.name,
                        code=code,
                        what=what,
                    ),
                    path,
                )
        ports = {
            code: replace(space, ferry=True)
            for code, space in board.spaces.items()
            if space.terrain is Terrain.COAST
            and not space.coasts
            and (not self.spaces or code in self.spaces or space.province in self.spaces)
        }
        return replace(board, spaces={**board.spaces, **ports})
