"""Hidden unit types: no power knows the types of other powers' units until these show them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.board import Board, Code, UnitKind, UnitTraits
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.facts import Fact, HiddenKinds
from plenipo.engine.hooks import Adjudication, Effects, RuleModule
from plenipo.engine.module_memory import ModuleMemory
from plenipo.engine.orders import Convoy, Move, Retreat, Support
from plenipo.engine.outcome import Outcome, Result
from plenipo.engine.position import Position, Power, Slot
from plenipo.engine.sentences import say
from plenipo.errors import InvalidVariant

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["HiddenUnitTypes", "RevealedUnits"]


@dataclass(frozen=True)
class RevealedUnits(ModuleMemory):
    """The spaces of the units that have shown their type."""

    spaces: frozenset[Code] = frozenset()


@dataclass(frozen=True)
class HiddenUnitTypes(RuleModule):
    """The options.

    `letter` stands for a unit of which one does not know the kind, `unit` is what it is called. A unit shows its kind
    by the orders of `shown_by` it carries out: a `move` that succeeds, a `support` or `convoy`; when it
    dislodges another (`dislodging`), or is itself `dislodged`. With `remembered` it is known from then on, otherwise
    not longer than until the next orders. With `alone` it is known wherever units of one kind alone can stand.
    """

    name: ClassVar[str] = "hidden_unit_types"
    hides: ClassVar[bool] = True
    memory: ClassVar[type[ModuleMemory]] = RevealedUnits
    claims: ClassVar[frozenset[str]] = frozenset({"whose kinds of unit are known"})
    fixed: ClassVar[frozenset[str]] = frozenset({"letter", "unit"})

    letter: UnitKind = UnitKind("U")  # noqa: RUF009  # a value that does not change
    unit: str = "unit"
    shown_by: tuple[Literal["move", "support", "convoy", "dislodging", "dislodged"], ...] = (
        "convoy",
        "dislodging",
        "dislodged",
    )
    remembered: bool = True
    alone: bool = True

    def board(self, board: Board) -> Board:
        """Return the board with a unit type that stands for any other and is never built."""
        if self.letter in board.traits:
            if not board.traits[self.letter].built:
                return board
            raise InvalidVariant(
                say(
                    "'{name}.letter' is '{letter}', which is {type}; name another letter.",
                    name=self.name,
                    letter=self.letter,
                    type=board.name_with_article(self.letter),
                )  # english: ok
            )
        if len(board.units) < 2:
            raise InvalidVariant(say("'{name}' hides the kinds of units, and there is one kind alone.", name=self.name))
        anything = UnitTraits(self.letter, self.unit, f"{self.unit}s", "both", built=False)
        cargo = {kind for traits in board.units for kind in traits.carries}
        units = (
            replace(traits, carries=traits.carries | {self.letter}) if traits.carries & cargo else traits
            for traits in board.units
        )
        return replace(board, units=(*units, anything))

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the rule that hides the types of units."""
        yield HiddenKinds(self.name, self.letter, self.alone)

    def revealed_spaces(self, position: Position) -> frozenset[Code]:
        """Return the spaces of the units that have shown their type."""
        slot = position.slots.get(self.name)
        return slot.spaces if isinstance(slot, RevealedUnits) else frozenset()

    def after_orders(self, rules: "Rules", adjudication: Adjudication) -> Effects:
        """Record the spaces of the units that have shown their type, now or, with `remembered`, before."""
        before, position, outcomes = adjudication.before, adjudication.position, adjudication.outcomes
        if before.phase.kind not in (PhaseKind.MOVEMENT, PhaseKind.RETREATS):
            return Effects(position)
        known = self.revealed_spaces(before) if self.remembered else frozenset[Code]()
        seen = known | self._showing(outcomes)
        now = {_at(outcome) for outcome in outcomes if outcome.unit and outcome.unit.space in seen}
        if before.phase.kind is PhaseKind.RETREATS:  # the others stay where they are
            now |= {unit.space for unit in before.units if unit.space in seen}
        there = {unit.space for unit in (*position.units, *(dislodged.unit for dislodged in position.dislodged))}
        spaces = frozenset(code for code in now if code in there)
        return Effects(
            position
            if spaces == self.revealed_spaces(position)
            else position.with_slot(self.name, RevealedUnits(spaces))
        )

    def _showing(self, outcomes: Sequence[Outcome]) -> frozenset[Code]:
        """Return the spaces of the units that show their type in a phase."""
        words: dict[Code, set[str]] = {}
        for outcome in outcomes:
            if outcome.unit is None:
                continue
            did = words.setdefault(outcome.unit.space, set())
            if isinstance(outcome.order, Move) and outcome.result is Result.MOVES:
                did.add("move")
            elif isinstance(outcome.order, Support) and outcome.result is Result.SUPPORTS:
                did.add("support")
            elif isinstance(outcome.order, Convoy) and outcome.result is Result.CONVOYS:
                did.add("convoy")
            if outcome.dislodged_by:
                did.add("dislodged")
                words.setdefault(outcome.dislodged_by.space, set()).add("dislodging")
        return frozenset(code for code, did in words.items() if did & set(self.shown_by))

    def slot_seen(self, rules: "Rules", slot: Slot, who: Power | None) -> Slot | None:
        """Return the whole slot, because all powers have seen which units showed their type; None in fog."""
        return None if rules.in_fog else slot


def _at(outcome: Outcome) -> Code:
    """Return the space of a unit after its order."""
    assert outcome.unit is not None  # noqa: S101  # asked of units alone
    order = outcome.order
    went = isinstance(order, Move | Retreat) and outcome.result in (Result.MOVES, Result.RETREATS)
    return order.to.space if went and isinstance(order, Move | Retreat) else outcome.unit.space
