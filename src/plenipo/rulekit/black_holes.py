"""Black holes: after every turn a province is drawn that swallows everything in it, and no unit may enter it again.

A supply centre in it no longer counts. Once there are as many holes as the rules say, one of them is freed before the
next is drawn: it becomes an ordinary province again, and its centre has no owner.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.board import Code
from plenipo.engine.calendar import Calendar, Phase, PhaseKind
from plenipo.engine.changes import Opened
from plenipo.engine.dice import DrawSource
from plenipo.engine.events import UNIT_DESTROYED, Event, EventKind
from plenipo.engine.hooks import Effects, RuleModule
from plenipo.engine.module_memory import ModuleMemory
from plenipo.engine.position import Position
from plenipo.engine.sentences import SentenceKind
from plenipo.rulekit.board_closing import shut
from plenipo.rulekit.draw_piles import NOTHING_TO_DRAW, provinces, with_draws

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["SPACE_CLOSED", "SPACE_OPENED", "BlackHoles", "Holes", "holes_in"]

SPACE_CLOSED = EventKind("space_closed")
"""The space became a black hole."""

SPACE_OPENED = EventKind("space_opened")
"""The black hole is an ordinary province again."""

_OPENED = SentenceKind("hole-opened", "{place} is a black hole no more.")
_NONE_LEFT = SentenceKind("hole-none-left", "No province is left that could become a black hole.")
_BECAME = SentenceKind("hole-became", "{place} became a black hole.")
_ANNIHILATED = SentenceKind("hole-annihilated", "{unit} of {power} was annihilated.")
_HOMELESS = SentenceKind("hole-homeless", "{unit} of {power} was disbanded: the hole left it nowhere to stand.")


@dataclass(frozen=True)
class Holes(ModuleMemory):
    """The holes there are, the oldest first."""

    spaces: tuple[Code, ...] = ()


@dataclass(frozen=True)
class BlackHoles(RuleModule):
    """The options.

    `free_after_turns` is how many turns go by before the first hole is freed; from the turn after these on one is
    freed each turn. `freed_can_be_redrawn_at_once` says whether the slip of the freed province is in the draw when the
    next hole is drawn; `freed_home_status` whether a home that is freed is a home again when its power retakes it
    (`kept`) or not (`lost`).
    """

    name: ClassVar[str] = "black_holes"
    memory: ClassVar[type[ModuleMemory]] = Holes
    signs: ClassVar[Mapping[str, str]] = {
        "hole": "a black hole: nothing may enter",
    }
    closing_signs: ClassVar[frozenset[str]] = frozenset({"hole"})
    claims: ClassVar[frozenset[str]] = frozenset({"provinces that close during play"})

    free_after_turns: int = 6
    freed_can_be_redrawn_at_once: bool = True
    freed_home_status: Literal["kept", "lost"] = "kept"

    def calendar(self, calendar: Calendar) -> Calendar:
        """Return the calendar with the draws of every turn."""
        return with_draws(calendar)

    def after_phase(self, rules: "Rules", position: Position, phase: Phase, source: DrawSource) -> Effects:
        """Free a hole if it is time, and then turn another province into one."""
        if phase.kind is not PhaseKind.DRAWS:
            return Effects(position)
        events: list[Event] = []
        holes = holes_in(position)
        freed: Code | None = None
        if holes and turns_before(rules, phase) >= self.free_after_turns:
            freed = Code(source.draw("un-hole", holes))
            position = self.reopen_space(position, freed)
            why = _OPENED(place=rules.board_at(position).spaces[freed].name)
            events.append(Event(SPACE_OPENED, why, spaces=(freed,)))
        barred = {*holes_in(position), *({freed} if not self.freed_can_be_redrawn_at_once else ())}
        hat_slips = [code for code in provinces(rules, position) if code not in barred]
        if not hat_slips:
            none_left = Event(NOTHING_TO_DRAW, _NONE_LEFT())
            return Effects(position, (*events, none_left))
        hole = Code(source.draw("black hole", hat_slips))
        effects = self.swallow(rules, position, hole)
        return effects._replace(events=(*events, *effects.events))

    def marks(self, rules: "Rules", position: Position) -> Mapping[Code, tuple[str, ...]]:
        """Return the holes."""
        return dict.fromkeys(holes_in(position), ("hole",))

    def reopen_space(self, position: Position, space: Code) -> Position:
        """Return `position` with the hole `space` an ordinary province again; a centre in it has no owner."""
        homes = position.homes
        if self.freed_home_status == "lost":
            homes = {power: codes - {space} for power, codes in homes.items()}
        left = tuple(code for code in holes_in(position) if code != space)
        freed = replace(position, changes=(*position.changes, Opened(space)), homes=homes)
        return freed.with_slot(self.name, Holes(left))

    def swallow(self, rules: "Rules", position: Position, space: Code) -> Effects:
        """Remove everything in `space` and close it."""
        name = rules.board_at(position).spaces[space].name
        event = Event(SPACE_CLOSED, _BECAME(place=name), spaces=(space,))
        effects = shut(rules, position, space, UNIT_DESTROYED, _ANNIHILATED, _HOMELESS)
        holes = Holes((*holes_in(position), space))
        return Effects(effects.position.with_slot(self.name, holes), (event, *effects.events))


def holes_in(position: Position) -> tuple[Code, ...]:
    """Return the black holes, the oldest first."""
    slot = position.slots.get(BlackHoles.name)
    return slot.spaces if isinstance(slot, Holes) else ()


def turns_before(rules: "Rules", phase: Phase) -> int:
    """Return the number of turns with draws from the start of the game to that of `phase`, which is one of them."""
    seasons = [step.season for step in rules.calendar.cycle if step.kind is PhaseKind.DRAWS]
    early = [step.season for step in rules.calendar.opening if step.kind is PhaseKind.DRAWS]
    first = rules.calendar.start if rules.calendar.first_year is None else rules.calendar.first_year
    if phase.season in early and phase.year < first:
        return early.index(phase.season)
    return len(early) + (phase.year - first) * len(seasons) + seasons.index(phase.season)
