"""Every point at which a rule module can change a game: few, typed, all here.

A rule module is a value with options. It reads, and returns changes; the engine applies them. A hook that a module
does not override changes nothing, so a module says only what it is about. The hooks, in the order of a game:

- `calendar`: other steps, for instance a choice phase before the first movement;
- `board`: other spaces and contacts;
- `opening`: another first position;
- `choices` and `chosen`: what a power may choose in a choice phase, and what comes of all choices together;
- `scale` and `weight`: what a unit counts in each use of its strength;
- `crossings` and `rides`: moves that oppose each other on the way, and when an army takes a convoy there;
- `unordered_builds`: what is built where builds were left without an order;
- `distance`: how far a unit counts as standing from home when civil disorder removes units;
- `settled`: what happens when ownership has been settled, before the adjustments.

`claims` names what a module decides alone; two modules that claim the same cannot be played together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from plenipo.engine.board import Board, Code
from plenipo.engine.calendar import Calendar, Phase
from plenipo.engine.dice import Dice, Draw
from plenipo.engine.orders import Build, Choose
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.strengths import Crossing, Use

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["Choices", "Revealed", "RuleModule"]

Choices = Mapping[Power, Sequence[Choose]]
"""The legal choices of each power, in the order given; a power that chose nothing is left out."""


class Revealed(NamedTuple):
    """What comes of a choice phase: the position after it, a sentence for each thing that happened, the draws made.

    `waiting` are powers without whose choice the phase cannot end; if there are any, nothing else counts.
    `replaced` are choices that a later one of the same power took the place of.
    """

    position: Position
    notes: tuple[str, ...] = ()
    draws: tuple[Draw, ...] = ()
    waiting: tuple[Power, ...] = ()
    replaced: tuple[tuple[Power, Choose], ...] = ()


@dataclass(frozen=True)
class RuleModule:
    """The hooks, none of which changes anything here; a module is a frozen dataclass whose fields are its options."""

    name: ClassVar[str] = ""
    """The name by which a variant names the module."""

    claims: ClassVar[frozenset[str]] = frozenset()
    """What this module decides alone."""

    fixed: ClassVar[frozenset[str]] = frozenset()
    """Fields that are data of a variant and not options of a game."""

    scale: ClassVar[int] = 1
    """What an ordinary unit counts; a module that sets another number gives every weight on that scale."""

    def weight(self, unit: Unit, use: Use, *, supporting: bool) -> int:  # noqa: ARG002  # a hook
        """What `unit` counts in this use, itself or as a supporter; asked only of a module with a scale of its own."""
        return self.scale

    def crossings(self) -> tuple[Crossing, ...]:
        """Pairs of ways that cross each other."""
        return ()

    def rides(self, start: Code, to: Code) -> bool:  # noqa: ARG002  # a hook
        """Whether an army that can walk from `start` to `to` goes by sea as soon as a whole convoy is ordered."""
        return False

    def calendar(self, calendar: Calendar) -> Calendar:
        """The calendar of the game."""
        return calendar

    def board(self, board: Board) -> Board:
        """The board of the game."""
        return board

    def opening(self, rules: "Rules", position: Position) -> Position:  # noqa: ARG002  # a hook
        """The first position of the game."""
        return position

    def choices(self, rules: "Rules", position: Position, power: Power) -> tuple[Choose, ...]:  # noqa: ARG002  # a hook
        """What `power` may choose now; nothing if it has nothing to choose."""
        return ()

    def chosen(
        self,
        rules: "Rules",  # noqa: ARG002  # a hook
        position: Position,
        choices: Choices,  # noqa: ARG002  # a hook
        dice: Dice | None,  # noqa: ARG002  # a hook
    ) -> Revealed:
        """What comes of all choices together; `dice` make what chance must decide, and may be missing."""
        return Revealed(position)

    def distance(self, rules: "Rules", distances: Mapping[Code, int], unit: Unit) -> int | None:  # noqa: ARG002  # a hook
        """Another distance of `unit` than the one `distances` has for its space; None to leave it so (4.D.8)."""
        return None

    def unordered_builds(self, rules: "Rules", position: Position, power: Power) -> tuple[Build, ...]:  # noqa: ARG002  # a hook
        """What `power` builds where it left builds without an order; legal builds, as far as there are builds left."""
        return ()

    def settled(
        self,
        rules: "Rules",  # noqa: ARG002  # a hook
        position: Position,
        phase: Phase,  # noqa: ARG002  # a hook
    ) -> tuple[Position, tuple[str, ...]]:
        """The position when ownership has been settled in `phase`, and a sentence for each thing that happened."""
        return position, ()

    def events(self, phase: Phase) -> tuple[str, ...]:  # noqa: ARG002  # a hook
        """Names of what `settled` does in this phase of the calendar, for calendars shown to people."""
        return ()
