"""Black holes: after every turn a province is drawn that swallows what is in it, and nobody may enter it again.

A centre in it is struck from the chart. Once there are as many holes as the rules say, one of them is freed before the
next is drawn: it is an ordinary province again, and its centre is nobody's.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from plenipo.engine.board import Code
from plenipo.engine.calendar import Calendar, Phase, PhaseKind
from plenipo.engine.changes import Closed, Opened
from plenipo.engine.history.dice import DrawSource
from plenipo.engine.hooks import Effects, RuleModule
from plenipo.engine.position import Position
from plenipo.rulekit.drawing import provinces, with_draws

if TYPE_CHECKING:
    from plenipo.engine.reading.positions import BoardReader
    from plenipo.engine.rules import Rules

__all__ = ["BlackHoles", "Holes"]


@dataclass(frozen=True)
class Holes:
    """The holes there are, the oldest first."""

    spaces: tuple[Code, ...] = ()

    def to_json(self) -> Any:
        """The codes."""
        return list(self.spaces)


@dataclass(frozen=True)
class BlackHoles(RuleModule):
    """The options.

    `free_after_turns` is how many turns go by before the first hole is freed; from the turn after these on one is
    freed each turn. `freed_can_be_redrawn_at_once` says whether the slip of the freed province is in the hat when the
    next hole is drawn; `freed_home_status` whether a home that is freed is a home again when its power retakes it
    (`kept`) or not (`lost`).
    """

    name: ClassVar[str] = "black_holes"
    claims: ClassVar[frozenset[str]] = frozenset({"provinces that close during play"})

    free_after_turns: int = 6
    freed_can_be_redrawn_at_once: bool = True
    freed_home_status: Literal["kept", "lost"] = "kept"

    def calendar(self, calendar: Calendar) -> Calendar:
        """The calendar with the draws of every turn."""
        return with_draws(calendar)

    def after_phase(self, rules: "Rules", position: Position, phase: Phase, hat: DrawSource) -> Effects:
        """One hole is freed if it is time, then another province becomes one."""
        if phase.kind is not PhaseKind.DRAWS:
            return Effects(position)
        notes: list[str] = []
        holes = self.holes(position)
        freed: Code | None = None
        if holes and turns_before(rules, phase) >= self.free_after_turns:
            freed = Code(hat.draw("un-hole", holes))
            position = self.freed(position, freed)
            notes.append(f"{rules.board_at(position).spaces[freed].name} is a black hole no more.")
        barred = {*self.holes(position), *({freed} if not self.freed_can_be_redrawn_at_once else ())}
        hat_slips = [code for code in provinces(rules, position) if code not in barred]
        if not hat_slips:
            return Effects(position, (*notes, "No province is left that could become a black hole."))
        hole = Code(hat.draw("black hole", hat_slips))
        happened = self.swallow(rules, position, hole)
        return Effects(happened.position, (*notes, *happened.notes))

    def holes(self, position: Position) -> tuple[Code, ...]:
        """The black holes, the oldest first."""
        slot = position.slots.get(self.name)
        return slot.spaces if isinstance(slot, Holes) else ()

    def marks(self, rules: "Rules", position: Position) -> Mapping[Code, tuple[str, ...]]:  # noqa: ARG002  # a hook
        """The holes."""
        return dict.fromkeys(self.holes(position), ("hole",))

    def decode_slot(self, value: Any, reader: "BoardReader") -> Holes:
        """The holes, from JSON."""
        return Holes(tuple(map(reader.space, reader.items(value))))

    def freed(self, position: Position, space: Code) -> Position:
        """`position` with the hole `space` an ordinary province again; a centre in it is nobody's."""
        homes = position.homes
        if self.freed_home_status == "lost":
            homes = {power: codes - {space} for power, codes in homes.items()}
        left = tuple(code for code in self.holes(position) if code != space)
        freed = replace(position, changes=(*position.changes, Opened(space)), homes=homes)
        return freed.with_slot(self.name, Holes(left))

    def swallow(self, rules: "Rules", position: Position, space: Code) -> Effects:
        """Everything in `space` is lost, and it closes."""
        notes = [f"{rules.board_at(position).spaces[space].name} became a black hole."]
        lost = [unit for unit in position.units if unit.space == space]
        lost += [d.unit for d in position.dislodged if d.unit.space == space]
        notes += [f"{unit} of {unit.power} was annihilated." for unit in lost]
        owner = position.owners.get(space)
        if owner is not None:
            notes.append(f"{owner} lost the supply centre.")
        position = replace(position, changes=(*position.changes, Closed(space)))
        board = rules.board_at(position)
        homeless = [
            unit
            for unit in (*position.units, *(d.unit for d in position.dislodged))
            if unit not in lost and not board.can_stand(unit.kind, unit.location) and not position.stranded(board, unit)
        ]
        notes += [f"{unit} of {unit.power} was disbanded: the hole left it nowhere to stand." for unit in homeless]
        gone = {*lost, *homeless}
        position = replace(
            position,
            units=tuple(unit for unit in position.units if unit not in gone),
            dislodged=tuple(d for d in position.dislodged if d.unit not in gone),
            owners={code: power for code, power in position.owners.items() if code != space},
        ).with_slot(self.name, Holes((*self.holes(position), space)))
        for module in rules.modules:
            happened = module.space_lost(rules, position, space)
            position = happened.position
            notes += happened.notes
        return Effects(position, tuple(notes))


def turns_before(rules: "Rules", phase: Phase) -> int:
    """How many turns with draws lie between the beginning of the game and that of `phase`, which is one of them."""
    seasons = [step.season for step in rules.calendar.cycle if step.kind is PhaseKind.DRAWS]
    early = [step.season for step in rules.calendar.opening if step.kind is PhaseKind.DRAWS]
    first = rules.calendar.start if rules.calendar.first_year is None else rules.calendar.first_year
    if phase.season in early and phase.year < first:
        return early.index(phase.season)
    return len(early) + (phase.year - first) * len(seasons) + seasons.index(phase.season)
