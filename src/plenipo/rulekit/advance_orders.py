"""Advance orders: retreats, builds and removals are written with the moves, before the results of these are known.

`THEN A PAR R GAS` and `THEN build A PAR` are submitted with the orders of a movement phase, in order of preference: of
several for one unit or place, the first legal one counts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.board import Location
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import DrawSource
from plenipo.engine.hooks import Adjudication, Declared, Effects, Prospect
from plenipo.engine.orders import Build, Declare, Order, Ref, Remove, Retreat
from plenipo.engine.position import Position, Power, Slot
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.sentences import Either, SentenceKind, say
from plenipo.errors import IllegalOrder, InvalidOrder, InvalidVariant
from plenipo.rulekit.stored_orders import StoredOrders, StoresOrders

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["AdvanceOrders"]

_NOT_IN_MOVEMENT = SentenceKind("then-not-now", "THEN is written with the orders of a movement, and this is {phase}.")
_NOT_ORDERED = SentenceKind("then-not-ordered", "'{text}' is nothing one may order {when}: {reason}")
_IN_PHASE = SentenceKind("in-phase-kind", "in {phase}", note="{phase} is 'retreats' or 'adjustments'.")
_WRITTEN_AHEAD = SentenceKind("written-with-moves", "what is done in {phase} was written with the moves.")


@dataclass(frozen=True)
class AdvanceOrders(StoresOrders):
    """The options: the `phases` that are ordered with the moves, and whether they are ordered so and `only` so."""

    name: ClassVar[str] = "advance_orders"
    claims: ClassVar[frozenset[str]] = frozenset({"when retreats and builds are written"})
    words: ClassVar[frozenset[str]] = frozenset({"THEN"})

    phases: tuple[Literal["retreats", "adjustments"], ...] = ("retreats", "adjustments")
    only: bool = True

    @property
    def kinds(self) -> tuple[PhaseKind, ...]:
        """The kinds of phase that are ordered with the moves."""
        return tuple(map(PhaseKind, self.phases))

    def check(self, rules: "Rules") -> None:
        """Raise `InvalidVariant` if `phases` is empty or names a phase that the calendar lacks."""
        if not self.phases:
            raise InvalidVariant(
                say("'{name}.phases' is empty: nothing could be written with the moves.", name=self.name)
            )
        for kind in self.kinds:
            if all(step.kind is not kind for step in rules.calendar.cycle):
                raise InvalidVariant(
                    say("'{name}.phases' names '{kind}', of which the calendar has none.", name=self.name, kind=kind)
                )

    # Writing

    def complete_declaration(self, rules: "Rules", position: Position, power: Power, declaration: Declare) -> Declare:
        """Return the declaration of a retreat, build or removal; raise `IllegalOrder` if it cannot be read."""
        if position.phase.kind is not PhaseKind.MOVEMENT:
            raise IllegalOrder(_NOT_IN_MOVEMENT(phase=position.phase))
        read, faults = self._read(rules, position, declaration.text)
        if read is None:
            when = Either(_IN_PHASE(phase=PhaseKind(kind)) for kind in self.phases)
            raise IllegalOrder(_NOT_ORDERED(text=declaration, when=when, reason=faults[0].sentence))
        return Declare("THEN", str(read))

    def _read(self, rules: "Rules", position: Position, text: str) -> tuple[Order | None, list[InvalidOrder]]:
        notation, faults = notation_of(rules, position), list[InvalidOrder]()
        for kind in self.kinds:
            try:
                return notation.read(text, kind), []
            except InvalidOrder as fault:
                faults.append(fault)
        return None, faults

    def offers(self, rules: "Rules", position: Position, power: Power) -> tuple[Declare, ...]:
        """Return every retreat of every unit from its current space, the builds in home centres, and the removals."""
        if position.phase.kind is not PhaseKind.MOVEMENT:
            return ()
        return tuple(Declare("THEN", str(order)) for order in self._likely(rules, position, power))

    def prospect(self, rules: "Rules", position: Position, power: Power, declaration: Declare) -> Prospect:
        """Return the order that was written with the moves."""
        return Prospect(ahead=self._read(rules, position, declaration.text)[0])

    def _likely(self, rules: "Rules", position: Position, power: Power) -> Iterator[Order]:
        board = rules.board_at(position)
        if PhaseKind.RETREATS in self.kinds:
            for unit in position.units_of(power):
                yield from (Retreat(unit.ref, to) for to in sorted(board.steps(unit.kind, unit.location)))
        following = next(p for p in rules.calendar.after(position.phase) if p.kind in _LAST)
        if PhaseKind.ADJUSTMENTS in self.kinds and following.kind is PhaseKind.ADJUSTMENTS:
            for code in sorted(position.homes_of(power)):
                at = dict.fromkeys((Location(code), *board.spaces[code].locations))
                kinds = [kind for kind in board.kinds if not board.traits[kind].parts]
                yield from (Build(Ref(kind, place)) for kind in kinds for place in at if board.can_stand(kind, place))
            yield from (Remove(unit.ref) for unit in position.units_of(power))

    def after_orders(self, rules: "Rules", adjudication: Adjudication) -> Effects:
        """Store the orders that were written with the moves until the next movement phase."""
        before, _, position, _, declared, _ = adjudication
        if before.phase.kind is not PhaseKind.MOVEMENT:
            return Effects(position)
        written = {
            power: texts
            for power, several in declared.items()
            if (texts := tuple(one.text for one in several if one.word == "THEN"))
        }
        return Effects(position.with_slot(self.name, StoredOrders(written)))

    # Carrying out

    def why_no_order_set(self, rules: "Rules", position: Position, power: Power) -> str:
        """Return why a power submits no orders in a phase that was ordered with the moves; empty where it may."""
        if not self.only or position.phase.kind not in self.kinds or self.name not in position.slots:
            return ""
        return _WRITTEN_AHEAD(phase=position.phase)

    def order_sets(
        self,
        rules: "Rules",
        position: Position,
        order_sets: Mapping[Power, Sequence[Order]],
        declared: Declared,
        source: DrawSource,
    ) -> tuple[Mapping[Power, Sequence[Order]], Position]:
        """Return the orders that were written with the moves, for each power that submits no others now.

        With `only`, orders submitted now are ignored.
        """
        kind = position.phase.kind
        if kind not in self.kinds or self.name not in position.slots:
            return order_sets, position
        ahead = self.stored_orders(position)
        whole = {} if self.only else {power: order_set for power, order_set in order_sets.items() if order_set}
        for power in rules.names:
            if power not in whole:
                whole[power] = OrderEntry(rules, position, power, assigned=True).read_preferences(ahead.get(power, ()))
        return whole, position

    # Visibility

    def secrets(self) -> frozenset[str] | None:
        """Return the word of orders written with the moves, which are secret until they are carried out."""
        return self.words

    def slot_seen(self, rules: "Rules", slot: Slot, who: Power | None) -> Slot | None:
        """Return the stored orders of `who` alone."""
        return slot.of(who) if isinstance(slot, StoredOrders) else slot


_LAST = (PhaseKind.MOVEMENT, PhaseKind.ADJUSTMENTS)
"""Orders can be written with the moves for phases up to the next one of these kinds."""
