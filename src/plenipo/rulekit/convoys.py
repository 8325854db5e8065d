"""Convoys: the ports in which fleets convoy as they do in a sea, and the spaces in which none may."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.board import Board, Code, Space, Terrain
from plenipo.engine.hooks import RuleModule
from plenipo.engine.place_rules import PlaceRule, name_of
from plenipo.engine.sentences import say
from plenipo.errors import InvalidVariant
from plenipo.rulekit.rule_entries import check_space

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["ConvoySpaces"]


@dataclass(frozen=True)
class ConvoySpaces(RuleModule):
    """The options list spaces by their codes; the halves of one that is split during play are as the whole was.

    `ports` are provinces with one coast, `all` of them or those listed. In the spaces that are `barred`, waters or land
    with a passage for ships, no fleet convoys; armies may still be convoyed to such a space if it is land.
    """

    name: ClassVar[str] = "convoys"
    fixed: ClassVar[frozenset[str]] = frozenset({"ports", "barred"})

    ports: tuple[Code, ...] | Literal["all"] = ()
    barred: tuple[Code, ...] = ()

    def board(self, board: Board) -> Board:
        """Return the board with these ports and bars; raise `InvalidVariant` for a space that cannot be one."""
        listed = () if self.ports == "all" else self.ports
        for key, codes in (("ports", listed), ("barred", self.barred)):
            for code in codes:
                check_space(board, self.name, code, ("modules", self.name, key))
        for code in listed:
            space = board.spaces.get(code)
            if space and not space.closed and not _has_one_coast(space):
                wrong = (
                    say(
                        "'{name}' names {code}, which has several coasts; no fleet convoys there.",
                        name=self.name,
                        code=code,
                    )
                    if space.coasts
                    else say(
                        "'{name}' names {code}, which is not on a coast; no fleet convoys there.",
                        name=self.name,
                        code=code,
                    )
                )
                raise InvalidVariant(wrong, ("modules", self.name, "ports"))
        spaces = {
            code: replace(
                space,
                ferry=space.ferry or (_has_one_coast(space) and (self.ports == "all" or _among(space, listed))),
                convoys=space.convoys and not _among(space, self.barred),
            )
            for code, space in board.spaces.items()
        }
        return replace(board, spaces=spaces)

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe each space in which no fleet convoys."""
        yield from (PlaceRule("calm", (code,), f"No fleet convoys in {name_of(rules, code)}") for code in self.barred)


def _has_one_coast(space: Space) -> bool:
    return space.terrain is Terrain.COAST and not space.coasts


def _among(space: Space, codes: Iterable[Code]) -> bool:
    """Return True for a listed space, or for a half of one that was split during play, such as `NTH 1`."""
    return any(code in (space.code, space.whole) for code in codes)
