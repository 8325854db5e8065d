"""The legal orders of one power: a list, a membership test and a tree, consistent with `Legality`."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from plenipo.engine.board import Code, Location
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.choices import Choice, tree
from plenipo.engine.hooks import RuleModule
from plenipo.engine.immutable import EMPTY, name_text
from plenipo.engine.orders import (
    Build,
    Convert,
    Convoy,
    Declare,
    Disband,
    Hold,
    Move,
    Order,
    Ref,
    Remove,
    Retreat,
    Support,
    Waive,
)
from plenipo.engine.phases import adjustments, combining, converting, retreats
from plenipo.engine.phases.commands import commanders, list_served_powers
from plenipo.engine.position import Position, Power, Unit

if TYPE_CHECKING:
    from plenipo.engine.phases.legality import Legality

__all__ = ["LegalOrders"]


_NOWHERE: Mapping[Code, frozenset[Code]] = EMPTY

_ORDERED = (PhaseKind.MOVEMENT, PhaseKind.RETREATS)
"""The phases in which units are ordered one by one."""


class _Supportable(NamedTuple):
    """A unit that others may support: its space, its name, its moves, and those of its parts that may leave it."""

    space: Code
    ref: Ref
    steps: frozenset[Location]
    parts: tuple[tuple[Ref, Location], ...]


class LegalOrders:
    """The legal orders of one power now, as a view: iterate it, test `in`, or walk `choices`.

    Completed orders are listed; `in` also accepts an order as written if it can be completed. `asked` is the legality
    to check, where orders are listed for another position than the current one.
    """

    def __init__(self, legality: "Legality", power: Power, asked: "Legality | None" = None) -> None:
        self._legality = legality
        self._asked = asked or legality
        self.power = power

    @property
    def position(self) -> Position:
        """The position that the orders are for: that of the phase, or the foreseen one."""
        return self._legality.position

    def __contains__(self, order: object) -> bool:
        return isinstance(order, Order) and self._asked.check(self.power, order).order is not None

    def __iter__(self) -> Iterator[Order]:
        legality = self._legality
        for order in self._list_orders():
            if not legality.pays or legality.check(self.power, order).order is not None:
                yield order

    def _list_orders(self) -> Iterator[Order]:
        kind = self._legality.position.phase.kind
        if self._asked.why_closed(self.power):
            return
        if kind is PhaseKind.ADJUSTMENTS:
            yield from self._adjustments()
            return
        if kind is PhaseKind.CHOICE:
            yield from self._legality.choices(self.power)
            return
        if kind in _ORDERED:
            for unit in self.units:
                yield from self.of(unit)

    def __repr__(self) -> str:
        return name_text(self, f"of {self.power}: {', '.join(map(str, self))}")

    @property
    def declarations(self) -> tuple[Declare, ...]:
        """The declarations that may be made beside orders, as far as they can be listed."""
        rules, position = self._legality.rules, self._asked.position
        offering = rules.overriding[RuleModule.offers]
        return tuple(offer for module in offering for offer in module.offers(rules, position, self.power))

    @property
    def everything(self) -> tuple[Order, ...]:
        """Everything that may be submitted, as far as it can be listed: the orders, and then the declarations."""
        return (*self, *self.declarations)

    def why_not(self, order: Order) -> str:
        """Return a sentence that says why `order` is illegal; empty if it is legal."""
        return self._asked.check(self.power, order).reason

    def __bool__(self) -> bool:
        """Return whether there is anything to order, or to declare where units are not ordered one by one."""
        beside = self._legality.position.phase.kind not in _ORDERED
        return next(iter(self), None) is not None or (beside and bool(self.declarations))

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units of this power that may be ordered in this phase."""
        position = self._legality.position
        if self._asked.why_closed(self.power):
            return ()
        if position.phase.kind is PhaseKind.RETREATS:
            return tuple(d.unit for d in position.dislodged if self._orders(d.unit))
        if position.phase.kind in (PhaseKind.CHOICE, PhaseKind.DRAWS):
            return ()
        units = position.units_of(self.power)
        if self._legality.commanded:
            units = tuple(filter(self._orders, position.units))
        if position.phase.kind is PhaseKind.MOVEMENT:
            without = self._legality.without_orders
            return tuple(unit for unit in units if unit.location.space not in without)
        return units

    def _orders(self, unit: Unit) -> bool:
        """Return whether this power writes orders for `unit`."""
        if not self._legality.commanded:
            return unit.power == self.power
        return self.power in commanders(self._legality.rules, self._legality.position, unit)

    def of(self, unit: Unit) -> Iterator[Order]:
        """Yield the legal orders of one unit in a movement or retreat phase."""
        legality, ways = self._legality, self._ways(unit)
        if legality.limits:
            ways = (order for order in ways if not legality.why_limited(unit, order))
        if not legality.pays:
            return ways
        return (order for order in ways if not legality.why_unpaid(unit.power, order))

    def _ways(self, unit: Unit) -> Iterator[Order]:
        position = self._legality.position
        if position.phase.kind is PhaseKind.RETREATS:
            dislodged = position.dislodged_at(unit.space)
            if dislodged is not None:
                for to in retreats.options(self._legality.rules, position, dislodged):
                    yield Retreat(unit.ref, to)
                yield Disband(unit.ref)
            return
        own = Ref(unit.kind, unit.location)
        yield Hold(own)
        yield from self._moves(unit, own)
        yield from self.supports(unit)
        yield from self._convoys(unit, own)
        yield from self._conversions(unit)

    def _conversions(self, unit: Unit) -> Iterator[Order]:
        rules, position = self._legality.rules, self._legality.position
        if rules.facts.conversions:
            for into in converting.list_conversions(rules, position, unit, position.phase):
                yield Convert(unit.ref, into)

    def _moves(self, unit: Unit, own: Ref) -> Iterator[Order]:
        board, legality = self._legality.board, self._legality
        steps = board.destinations.get((unit.kind, unit.location), frozenset())
        for to in sorted(steps):
            yield Move(own, to)
        if board.wholes:
            for to in combining.joining(board, legality.position, unit):
                yield Move(own, to)
            for kind, to in combining.leaving(board, unit):
                yield Move(legality.part(unit, kind).ref, to)
        for code in sorted(self._landings.get(unit.location.space, ())):
            to = Location(code)
            if to in steps:
                yield Move(own, to, via=True)
            else:
                yield Move(own, to)
                yield Move(own, to, via=True)

    @cached_property
    def _landings(self) -> Mapping[Code, Mapping[Code, frozenset[Code]]]:
        """The landings of the units that may be convoyed, by their spaces."""
        return self._legality.list_landings()

    @cached_property
    def _supportable(self) -> tuple[_Supportable, ...]:
        """Every unit as one that others may support."""
        legality, board = self._legality, self._legality.board
        return tuple(
            _Supportable(
                unit.location.space,
                Ref(unit.kind, unit.location),
                board.destinations.get((unit.kind, unit.location), frozenset()),
                tuple((legality.part(unit, kind).ref, to) for kind, to in combining.leaving(board, unit))
                if board.wholes
                else (),
            )
            for unit in legality.position.units
        )

    @cached_property
    def _names_coasts(self) -> bool:
        """True if a support may name the coast that the move goes to."""
        return self._legality.rules.rulebook["4.B.4"] == "optional"

    def supports(self, unit: Unit) -> Iterator[Support]:
        """Yield the legal supports of one unit."""
        here, own = unit.location.space, Ref(unit.kind, unit.location)
        near = self._legality.board.reachable.get((unit.kind, unit.location), frozenset())
        landings = self._legality.list_landings(unit) if self._landings else {}
        for there, other, steps, parts in self._supportable:
            if there == here:
                continue
            if there in near:
                yield Support(own, other)
            targets = {loc for loc in steps if loc.space in near}
            if there in landings:
                targets |= {Location(code) for code in landings[there] if code in near}
            for part, to in parts:
                if to.space in near and to.space != here:
                    yield Support(own, part, to)
            if targets and self._names_coasts:
                spaces = [loc.space for loc in targets]
                targets |= {Location(code) for code in spaces if spaces.count(code) > 1}
            for to in sorted(targets):
                if to.space not in (here, there):
                    yield Support(own, other, to)

    def _convoys(self, unit: Unit, own: Ref) -> Iterator[Order]:
        board, here = self._legality.board, unit.location.space
        if not self._landings or unit.kind not in board.convoying or not board.spaces[here].carries:
            return
        for other in self._legality.position.units:
            if unit.kind in board.carriers.get(other.kind, ()):
                for code, chain in sorted(self._landings.get(other.location.space, _NOWHERE).items()):
                    if here in chain:
                        yield Convoy(own, Ref(other.kind, other.location), Location(code))

    def _adjustments(self) -> Iterator[Order]:
        rules, position = self._legality.rules, self._legality.position
        traits, waived = self._legality.board.traits, 0
        powers = list_served_powers(rules, position, self.power) if self._legality.commanded else (self.power,)
        for power in powers:
            due = adjustments.possible(rules, position, power)
            if due < 0:
                for unit in position.units_of(power):
                    if traits[unit.kind].upkeep:
                        yield Remove(unit.ref)
            elif due > 0:
                for ref in adjustments.list_possible_builds(rules, position, power):
                    if ref.kind and traits[ref.kind].upkeep <= due:
                        yield Build(ref)
                waived = max(waived, due)
        for count in range(1, waived + 1):
            yield Waive(count)
        for power in powers:
            for unit in position.units_of(power):
                yield from self._conversions(unit)

    def choices(self) -> tuple[Choice, ...]:
        """Return the tree a person clicks through: unit, kind of order, other unit, place; a leaf has the order."""
        return tree(self.everything)
