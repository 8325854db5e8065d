"""The rules of one variant with its options chosen: everything about a game that does not change while it is played."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property

from plenipo.engine.board import Board
from plenipo.engine.calendar import Calendar
from plenipo.engine.hooks import RuleModule
from plenipo.engine.position import Position, Power
from plenipo.engine.rulebook import Rulebook
from plenipo.errors import UnknownName

__all__ = ["PowerInfo", "Rules"]


@dataclass(frozen=True, slots=True)
class PowerInfo:
    """A power of the variant: its name, its adjective (`German`) and other spellings understood on input."""

    name: Power
    adjective: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Rules:
    """A variant made ready to play; compared by identity, shared by all positions of a game.

    `to_win` is the number of centres that wins, if no other power owns as many.
    `options` are the deviations from the variant's defaults, as given, for the record.
    `modules` are the rule modules in play, in the order in which their hooks are asked.
    """

    variant: str
    title: str
    board: Board
    powers: tuple[PowerInfo, ...]
    calendar: Calendar
    rulebook: Rulebook
    to_win: int
    opening: Position
    options: Mapping[str, str] = field(default_factory=dict)
    modules: tuple[RuleModule, ...] = ()

    @cached_property
    def names(self) -> tuple[Power, ...]:
        """The powers in the order of play reports."""
        return tuple(info.name for info in self.powers)

    @cached_property
    def _spellings(self) -> dict[str, Power]:
        return {
            word.casefold(): info.name
            for info in self.powers
            for word in (info.name, info.adjective, *info.aliases)
            if word
        }

    def power(self, text: str) -> Power:
        """The power meant by `text`: a name, adjective or alias in any case; raises `UnknownName` otherwise."""
        found = self._spellings.get(text.strip().casefold())
        if found is None:
            near = get_close_matches(text.casefold(), self._spellings, 1, 0.6)
            hint = f"did you mean {self._spellings[near[0]]}?" if near else f"the powers are {', '.join(self.names)}."
            raise UnknownName(f"'{text}' is not a power of this game; {hint}")
        return found
