"""Legality: the one place that decides which orders are legal, for checking, listing and offering orders alike.

`Legality(rules, position)` is a view on one position. `check` compares an order as written with the position: it
completes it (letter, coasts) or says in a sentence why it is not allowed. `orders` lists all legal orders, `choices`
the same as the tree a person clicks through; both contain only orders that `check` accepts.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from plenipo.engine.board import ARMY, Code, Location, Space, Terrain, UnitKind
from plenipo.engine.budgets import PowerBudgets
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.events import RefusalCode
from plenipo.engine.hooks import RuleModule
from plenipo.engine.immutable import name_text
from plenipo.engine.orders import (
    NOTICES,
    AdjustmentOrder,
    Build,
    Choose,
    Convert,
    Convoy,
    Declare,
    Disband,
    Enter,
    Hold,
    Move,
    MovementOrder,
    Notice,
    Order,
    Promise,
    Ref,
    Remove,
    Retreat,
    RetreatOrder,
    Support,
    Waive,
)
from plenipo.engine.phases import adjustments, combining, converting, retreats
from plenipo.engine.phases import refusal_sentences as say
from plenipo.engine.phases.commands import commanders, list_served_powers
from plenipo.engine.phases.convoys import fleets_at_sea, landings, list_landings
from plenipo.engine.phases.legal_orders import LegalOrders
from plenipo.engine.position import GAME_MASTER, Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import Either, Sentence, SentenceKind, Series
from plenipo.errors import IllegalOrder, PlenipoError

__all__ = ["CheckedOrder", "LegalOrders", "Legality"]


class CheckedOrder(NamedTuple):
    """An order compared with a position.

    `order` is the completed order, or None if it is illegal; `reason` and `code` then say why. `unit` is the unit it is
    for, if there is one.
    """

    order: Order | None
    reason: str = ""
    unit: Unit | None = None
    code: RefusalCode = RefusalCode.ILLEGAL


# a tuple, since isinstance with a union of types rebuilds the union at each call
_MOVEMENT = (Move, Support, Hold, Convoy)


class _Illegal(Exception):  # noqa: N818  # never leaves this module
    """Carries the reason out of nested checks."""

    def __init__(self, reason: str, code: RefusalCode = RefusalCode.ILLEGAL) -> None:
        super().__init__(reason)
        self.reason = reason
        self.code = code


class Legality:
    """The legal orders of every power in one position.

    Orders that are `assigned` are listed under the powers whose units they are for, whichever power wrote them.
    """

    def __init__(self, rules: Rules, position: Position, *, assigned: bool = False) -> None:
        self.rules = rules
        self.position = position
        self.board = rules.board_at(position)
        self.commanded = not assigned and rules.commanded
        self._foreseeing = () if assigned else rules.overriding[RuleModule.foreseen]
        self._closing = () if assigned else rules.overriding[RuleModule.why_no_order_set]
        self.pays = bool(rules.overriding[RuleModule.budget])
        self.limits = rules.overriding[RuleModule.why_not_ordered]
        """The modules that forbid orders which a unit could carry out."""
        self._landings: dict[Code | None, dict[Code, Mapping[Code, frozenset[Code]]]] = {}
        self._alone = not (self.commanded or self._foreseeing or self._closing or self.pays)
        """True if the legality of an order depends neither on its author nor on other orders."""

    def __repr__(self) -> str:
        return name_text(self, f"in {self.rules.variant}, {self.position.phase}")

    def why_unpaid(self, power: Power, order: Order) -> str:
        """Return a sentence that says why the funds of `power` do not cover this order alone; empty if they do."""
        return PowerBudgets(self.rules, self.position, power).why_unpaid(order) if self.pays else ""

    def check(self, power: Power, order: Order) -> CheckedOrder:
        """Complete `order` given by `power`, or say why it is illegal (three levels of failure: this is the second)."""
        if self._alone:
            return self._check_order(power, order)
        if self._closing and not isinstance(order, NOTICES) and (why := self.why_closed(power)):
            return CheckedOrder(None, why, None, RefusalCode.NOT_NOW)
        if self._foreseeing and (ahead := self.foreseen(power)) is not self:
            foreseen = ahead.check(power, order)
            now = foreseen if foreseen.order is not None else self._whole(power, order)
            return now if now.order is not None else foreseen
        return self._whole(power, order)

    def why_closed(self, power: Power) -> str:
        """Return a sentence that says why `power` submits no orders in this phase; empty if it does."""
        return next(
            filter(None, (module.why_no_order_set(self.rules, self.position, power) for module in self._closing)), ""
        )

    def foreseen(self, power: Power) -> "Legality":
        """Return the legality of the position for which `power` writes its orders.

        This one if that is the current position.
        """
        for module in self._foreseeing:
            position = module.foreseen(self.rules, self.position, power)
            if position is not None:
                return Legality(self.rules, position, assigned=True)
        return self

    def _whole(self, power: Power, order: Order) -> CheckedOrder:
        if self.commanded and isinstance(order, Build | Waive):
            each = [
                self._check_order(one, order)
                for one in list_served_powers(self.rules, self.position, power) or (power,)
            ]
            return next((checked for checked in each if checked.order is not None), each[0])
        checked = self._check_order(power, order)
        if self.pays and checked.order is not None and not isinstance(order, NOTICES):
            for_power = checked.unit.power if checked.unit else power
            if why := self.why_unpaid(for_power, checked.order):
                return CheckedOrder(None, why, checked.unit, RefusalCode.NO_ROOM)
        return checked

    def _check_order(self, power: Power, order: Order) -> CheckedOrder:
        unit: Unit | None = None
        try:
            if isinstance(order, NOTICES):
                return self._notice(power, order)
            if isinstance(order, Convert):
                unit = self._own_unit(power, order.unit)
                if why := self.without_orders.get(unit.location.space, ""):
                    return CheckedOrder(None, why, unit, RefusalCode.NO_ORDERS)
                return self._check_restrictions(unit, Convert(unit.ref, self._complete_conversion(unit, order.into)))
            if self.position.phase.kind is not (kind := _PHASE_OF[type(order)]):
                why = say.OTHER_PHASE(order=order, kind=kind.one, phase=self.position.phase)
                return CheckedOrder(None, why, None, RefusalCode.NOT_NOW)
            if isinstance(order, _MOVEMENT):
                unit = self._own_unit(power, order.unit)
                if why := self.without_orders.get(unit.location.space, ""):
                    return CheckedOrder(None, why, unit, RefusalCode.NO_ORDERS)
                return self._check_restrictions(unit, self._movement(unit, order))
            if isinstance(order, Retreat | Disband):
                unit = self._own_dislodged(power, order.unit)
                return CheckedOrder(self._retreat(unit, order), "", unit)
            if isinstance(order, Choose):
                return CheckedOrder(self._choice(power, order))
            if isinstance(order, Remove):
                unit = self._own_unit(power, order.unit)
            return CheckedOrder(self._adjustment(power, order, unit), "", unit)
        except _Illegal as refused:
            return CheckedOrder(None, refused.reason, unit, refused.code)

    def _check_restrictions(self, unit: Unit, order: MovementOrder) -> CheckedOrder:
        """Return a complete order, or the reason for which a rule module forbids it."""
        why = self.why_limited(unit, order)
        return CheckedOrder(None, why, unit) if why else CheckedOrder(order, "", unit)

    def why_limited(self, unit: Unit, order: Order) -> str:
        """Return a sentence that says why a rule module forbids an order that the unit could carry out.

        Empty if none does.
        """
        for module in self.limits:
            if why := module.why_not_ordered(self.rules, self.position, unit, order):
                return why
        return ""

    def complete(self, power: Power, order: Order) -> Order:
        """Return the completed order; raises `IllegalOrder` with the reason if it is not allowed."""
        checked = self.check(power, order)
        if checked.order is None:
            raise IllegalOrder(say.NOT_ALLOWED(order=order, reason=checked.reason))
        return checked.order

    def orders_of(self, power: Power) -> "LegalOrders":
        """Return the legal orders of `power`, as a view."""
        return LegalOrders(self.foreseen(power) if self._foreseeing else self, power, self)

    # The meaning of the written reference in this position

    def _name(self, code: Code) -> str:
        space = self.board.spaces.get(code)
        return space.name if space else code

    def _own_unit(self, power: Power, ref: Ref) -> Unit:
        unit = self.position.unit_at(ref.location.space)
        if unit is None:
            raise _Illegal(say.NO_UNIT(place=self._name(ref.location.space)), RefusalCode.NO_UNIT)
        for module in self.rules.overriding[RuleModule.unit_as_named]:
            unit = module.unit_as_named(self.rules, self.position, unit, ref)
        if self.commanded or unit.power != power or ref != unit[1:]:
            self._same_unit(power, ref, unit)
        return unit

    def _notice(self, power: Power, notice: Notice) -> CheckedOrder:
        """Return the answer of the rule modules to a notice; the first that knows it decides."""
        if isinstance(notice, Enter) and self.rules.draws_by_hand:
            if power != GAME_MASTER:
                return CheckedOrder(None, say.ONLY_MASTER_DRAWS(master=GAME_MASTER))
            return CheckedOrder(notice)
        if isinstance(notice, Declare):
            return self._declaration(power, notice)
        for module in self.rules.overriding[RuleModule.why_no_notice]:
            reason = module.why_no_notice(self.rules, self.position, power, notice)
            if reason is not None:
                return CheckedOrder(None, reason) if reason else CheckedOrder(notice)
        return CheckedOrder(None, (say.NO_PROMISES if isinstance(notice, Promise) else say.NO_DRAWS_BY_HAND)())

    def _declaration(self, power: Power, notice: Declare) -> CheckedOrder:
        """Return a declaration as the module that knows its word completes it."""
        for module in self.rules.modules:
            if notice.word in module.words:
                try:
                    return CheckedOrder(module.complete_declaration(self.rules, self.position, power, notice))
                except PlenipoError as fault:
                    return CheckedOrder(None, fault.sentence)
        return CheckedOrder(None, say.WORD_UNKNOWN(word=notice.word))

    def _own_dislodged(self, power: Power, ref: Ref) -> Unit:
        dislodged = self.position.dislodged_at(ref.location.space)
        if dislodged is None:
            raise _Illegal(say.NONE_DISLODGED(place=self._name(ref.location.space)), RefusalCode.NO_UNIT)
        self._same_unit(power, ref, dislodged.unit)
        return dislodged.unit

    def _same_unit(self, power: Power, ref: Ref, unit: Unit) -> None:
        book = self.rules.rulebook
        if self.commanded and unit.power == power and power not in commanders(self.rules, self.position, unit):
            raise _Illegal(say.ORDERED_BY_OTHERS(unit=unit), RefusalCode.NOT_YOURS)
        if unit.power != power and not (self.commanded and power in commanders(self.rules, self.position, unit)):
            raise _Illegal(say.BELONGS_TO(unit=unit, owner=unit.power, power=power), RefusalCode.NOT_YOURS)
        if ref.kind is None and book["4.C.1"] == "void":
            raise _Illegal(
                say.LETTER_MISSING(unit=ref, types=Either(map(self.board.name_with_article, self.board.kinds)))
            )
        named = (None, unit.kind, *self.board.separable_kinds(unit.kind))
        if ref.kind not in named and book["4.C.2"] == "void":
            raise _Illegal(say.OTHER_UNIT(place=self._name(unit.space), unit=unit, written=ref))
        coast = ref.location.coast
        if coast and coast != unit.location.coast:
            key = "4.B.5" if unit.kind in self.board.sailing else "4.B.6"
            if book[key] == "void":
                raise _Illegal(say.OTHER_UNIT(place=self._name(unit.space), unit=unit, written=ref))

    def _other_unit(self, ref: Ref, missing: SentenceKind) -> Unit:
        unit = self.position.unit_at(ref.location.space)
        if unit is None:
            raise _Illegal(missing(place=self._name(ref.location.space)))
        return unit

    # Movement

    def _movement(self, unit: Unit, order: Hold | Move | Support | Convoy) -> MovementOrder:
        exact = order.unit == unit[1:]  # the letter and the location are those of the unit
        ref = order.unit if exact else unit.ref
        if isinstance(order, Move):
            if self.board.wholes and order.unit.kind and order.unit.kind in self.board.separable_kinds(unit.kind):
                self._on_board(order.to)
                part = self.part(unit, order.unit.kind)
                return Move(part.ref, self._find_part_destination(unit, part, order.to))
            if exact and not order.via and order.to in self.board.destinations.get((unit.kind, unit.location), ()):
                return order
            return Move(ref, *self._move(unit, order.to, via=order.via))
        if isinstance(order, Hold):
            return order if exact else Hold(ref)
        named, to = order.other, order.to
        if isinstance(order, Support):
            other = self._other_unit(named, say.NO_UNIT_TO_SUPPORT)
            if to is None:
                self._hold_support(unit, other)
            elif named.kind and named.kind in self.board.separable_kinds(other.kind):
                part = self.part(other, named.kind)
                self._may_support(unit, other, to)
                return Support(ref, part.ref, self._find_part_destination(other, part, to))
            else:
                to = self._move_support(unit, other, to)
            same = exact and named == other[1:] and order.to == to
            return order if same else Support(ref, other.ref, to)
        other = self._other_unit(named, say.NO_UNIT_TO_CONVOY)
        return Convoy(ref, other.ref, self._convoy(unit, other, order.to))

    def _on_board(self, to: Location) -> None:
        space = self.board.spaces.get(to.space)
        if space is None:
            raise _Illegal(say.NOT_ON_BOARD(place=to.space))
        if space.impassable:
            raise _Illegal(say.SPACE_SHUT(place=space.name, shut=self._why_shut(space)))

    def _why_shut(self, space: Space) -> str:
        """Return the description of a space that no unit may enter, in the words of the module that closed it."""
        if not space.closed:
            return say.IMPASSABLE
        for module in self.rules.overriding[RuleModule.marks]:
            for sign in module.marks(self.rules, self.position).get(space.code, ()):
                if sign in module.closing_signs:
                    return module.signs[sign]
        return say.CLOSED

    def _move(self, unit: Unit, to: Location, *, via: bool) -> tuple[Location, bool]:
        """Return the exact destination, and whether a convoy is requested."""
        if not via and to in self.board.steps(unit.kind, unit.location):
            return to, False
        self._on_board(to)
        if to.space == unit.space:
            raise _Illegal(say.THERE_ALREADY(unit=unit, place=self._name(to.space)))
        if not via and Location(to.space) in combining.joining(self.board, self.position, unit):
            return Location(to.space), False
        if via and unit.kind not in self.board.carriers:
            raise _Illegal(say.NEVER_CONVOYED(type=self.board.name_with_article(unit.kind)))
        if unit.kind in self.board.sailing and (not via or unit.kind not in self.board.carriers):
            return self._fleet_destination(unit, to), False
        to = self._army_destination(unit.kind, to)
        adjacent = to.space in self.board.reach(unit.kind, unit.location)
        carried = (via or not adjacent) and to.space in self.landings(unit)
        if adjacent and via and not carried:
            # DATC 6.G.8: no fallback to land unless the policy says so
            if self.rules.rulebook["4.A.3"] in ("intent", "explicit"):
                raise _Illegal(say.NO_CHAIN_TO(unit=unit, place=self._name(to.space)))
            via = False
        if not adjacent and not carried:
            raise _Illegal(self._no_way(unit, to.space))
        return to, via

    def _army_destination(self, kind: UnitKind, to: Location) -> Location:
        if not to.coast:
            return to
        if self.rules.rulebook["4.B.6"] == "void":
            raise _Illegal(say.NO_COAST_FOR(type=self.board.name_with_article(kind), place=to.space))
        return Location(to.space)

    def _no_way(self, unit: Unit, to: Code) -> Sentence:
        name, kind = self._name(to), unit.kind
        terrain = self.board.spaces[to].terrain
        if not any(self.board.can_stand(kind, at) for at in (Location(to), *self.board.spaces[to].locations)):
            return say.CANNOT_ENTER(type=self.board.name_with_article(kind), place=name)
        ports = {terrain, self.board.spaces[unit.space].terrain}
        if coasts := self._right_coasts(unit, to):
            return say.OTHER_COAST_REACHES(
                unit=unit, place=name, type=self.board.name_with_article(kind), coasts=coasts
            )
        cargo = kind in self.board.carriers and ports == {Terrain.COAST}
        if (to, unit.space) in self.board.one_way_for(kind):
            here = self._name(unit.space)
            return (say.ONE_WAY_NO_CONVOY if cargo else say.ONE_WAY)(unit=unit, place=name, here=here)
        return (say.NOT_REACHED_BY_CONVOY if cargo else say.NOT_REACHED)(unit=unit, place=name)

    def _right_coasts(self, unit: Unit, to: Code) -> Either:
        """Return the other coasts of the space of a unit from which it would reach `to`."""
        coasts = self.board.spaces[unit.space].locations if unit.location.coast else ()
        return Either(at for at in coasts if at != unit.location and to in self.board.reach(unit.kind, at))

    def _cannot_support(self, unit: Unit, to: Code) -> Sentence:
        coasts, name = self._right_coasts(unit, to), self._name(to)
        if coasts:
            return say.OTHER_COAST_SUPPORTS(
                unit=unit, place=name, type=self.board.name_with_article(unit.kind), coasts=coasts
            )
        return say.CANNOT_SUPPORT(unit=unit, place=name)

    def _fleet_destination(self, unit: Unit, to: Location) -> Location:
        """Return the exact location meant, by the coast policies 4.B.1 to 4.B.3."""
        reached = self._find_reachable_locations(unit, to)
        if to in reached:
            return to
        if to.coast:
            if self.rules.rulebook["4.B.3"] == "corrected" and len(reached) == 1:
                return reached[0]
            raise _Illegal(say.COAST_NOT_REACHED(unit=unit, coast=to, reached=Either(reached)))
        if len(reached) > 1:
            raise _Illegal(say.COAST_MISSING(unit=unit, coasts=Either(reached)))
        if self.rules.rulebook["4.B.2"] == "void":
            raise _Illegal(say.NAME_THE_COAST(coasts=Either(reached)))
        return reached[0]

    def _find_reachable_locations(self, unit: Unit, to: Location) -> Sequence[Location]:
        """Return the locations a fleet reaches in the space of `to`: the one that is meant, if it is among them."""
        steps = self.board.steps(unit.kind, unit.location)
        reached = (to,) if to in steps else sorted(loc for loc in steps if loc.space == to.space)
        if not reached:
            raise _Illegal(self._no_way(unit, to.space))
        return reached

    @cached_property
    def _fleets(self) -> Mapping[UnitKind, frozenset[Code]]:
        return {kind: fleets_at_sea(self.board, self.position.units, kind) for kind in self.board.carriers}

    def landings(self, unit: Unit, supporter: Unit | None = None) -> Mapping[Code, frozenset[Code]]:
        """Return the destinations of a convoyed unit, each with its possible fleets; empty if it is not convoyed.

        A `supporter` of the move cannot be a fleet that carries it (DATC 6.D.31).
        """
        fleets = self._fleets.get(unit.kind)
        if not fleets:
            return {}
        if supporter is not None and supporter.kind in self.board.convoying:
            fleets -= {supporter.space}
        return self._stands_in(unit.kind, landings(self.board, fleets, unit.location.space))

    def list_landings(self, supporter: Unit | None = None) -> Mapping[Code, Mapping[Code, frozenset[Code]]]:
        """Return the landings of every unit that some fleet may convoy, by the space it is in."""
        space = supporter.location.space if supporter and supporter.kind in self.board.convoying else None
        known = self._landings.get(space)
        if known is not None:
            return known
        if space is not None and not any(space in fleets for fleets in self._fleets.values()):
            return self.list_landings()
        found: dict[Code, Mapping[Code, frozenset[Code]]] = {}
        for kind, fleets in self._fleets.items():
            left = fleets if space is None else fleets - {space}
            if left:
                starts = [unit.location.space for unit in self.position.units if unit.kind is kind]
                chains = list_landings(self.board, left, starts)
                found |= {start: self._stands_in(kind, chains[start]) for start in starts}
        self._landings[space] = found
        return found

    def _stands_in(self, kind: UnitKind, chains: Mapping[Code, frozenset[Code]]) -> Mapping[Code, frozenset[Code]]:
        """Return the landings of `chains` in which a unit of a type may stand."""
        if self.board.traits[kind] is ARMY:  # which may stand wherever it lands
            return chains
        return {code: chain for code, chain in chains.items() if self.board.can_stand(kind, Location(code))}

    def _hold_support(self, unit: Unit, other: Unit) -> None:
        if other.space == unit.space:
            raise _Illegal(say.SUPPORTS_ITSELF())
        if other.space not in self.board.reach(unit.kind, unit.location):
            raise _Illegal(self._cannot_support(unit, other.space))

    def part(self, unit: Unit, kind: UnitKind) -> Unit:
        """Return a part of a unit, as orders name it."""
        at = unit.location if self.board.can_stand(kind, unit.location) else Location(unit.space)
        return Unit(unit.power, kind, at)

    def _find_part_destination(self, unit: Unit, part: Unit, to: Location) -> Location:
        """Return the destination of a part of a unit that leaves it for `to`."""
        rest = combining.rest_of(self.board, unit, part.kind)
        if not self.board.can_stand(rest.kind, rest.location):
            left, place = self.board.name_with_article(rest.kind), self._name(unit.space)
            raise _Illegal(say.CANNOT_LEAVE(part=part, unit=unit, rest=left, place=place))
        found = [at for kind, at in combining.leaving(self.board, unit) if kind is part.kind and at.space == to.space]
        if to in found or len(found) == 1:
            return to if to in found else found[0]
        if found:
            raise _Illegal(say.COAST_MISSING(unit=part, coasts=Either(found)))
        raise _Illegal(say.PART_NOT_REACHED(part=part, unit=unit, place=self._name(to.space)))

    def _move_support(self, unit: Unit, other: Unit, to: Location) -> Location:
        self._may_support(unit, other, to)
        return self._supported_destination(unit, other, to)

    def _may_support(self, unit: Unit, other: Unit, to: Location) -> None:
        self._on_board(to)
        if other.space == unit.space:
            raise _Illegal(say.SUPPORTS_ITSELF())
        if to.space == other.space:
            raise _Illegal(say.THERE_ALREADY(unit=other, place=self._name(to.space)))
        if to.space == unit.space:
            raise _Illegal(say.SUPPORTS_TO_ITSELF())
        if to.space not in self.board.reach(unit.kind, unit.location):
            raise _Illegal(self._cannot_support(unit, to.space))

    def _supported_destination(self, unit: Unit, other: Unit, to: Location) -> Location:
        if other.kind not in self.board.sailing:
            to = self._army_destination(other.kind, to)
            walks = to.space in self.board.reach(other.kind, other.location)
            if not walks and to.space not in self.landings(other, unit):
                if to.space in self.landings(other):
                    name = self._name(to.space)
                    raise _Illegal(say.CONVOYS_OR_SUPPORTS(other=other, place=name, unit=unit))
                raise _Illegal(self._no_way(other, to.space))
            return to
        reached = self._find_reachable_locations(other, to)
        if to in reached:
            return to
        if to.coast and (len(reached) > 1 or self.rules.rulebook["4.B.3"] != "corrected"):
            raise _Illegal(say.COAST_NOT_REACHED(unit=other, coast=to, reached=Either(reached)))
        if len(reached) > 1 and self.rules.rulebook["4.B.4"] == "required":
            raise _Illegal(say.NAME_THE_COAST(coasts=Either(reached)))
        return reached[0] if len(reached) == 1 else to

    def _convoy(self, unit: Unit, other: Unit, to: Location) -> Location:
        self._on_board(to)
        board = self.board
        if unit.kind not in board.convoying or not board.spaces[unit.space].carries:
            space = board.spaces[unit.space]
            if unit.kind in board.convoying and not space.convoys:
                raise _Illegal(say.NO_CONVOY_IN(unit=unit, place=space.name))
            types = Either(board.name_with_article(kind) for kind in board.kinds if kind in board.convoying)
            raise _Illegal(say.CANNOT_CONVOY(unit=unit, types=types))
        if unit.kind not in board.carriers.get(other.kind, ()):
            cargo = [traits for traits in board.units if traits.kind in board.traits[unit.kind].carries]
            types, plurals = (
                Either(board.name_with_article(one.kind) for one in cargo),
                Either(one.plural for one in cargo),
            )
            raise _Illegal(say.NOT_CARGO(unit=other, types=types, plurals=plurals))
        to = self._army_destination(other.kind, to)
        if to.space == other.space:
            raise _Illegal(say.THERE_ALREADY(unit=other, place=self._name(to.space)))
        for code in (other.space, to.space):
            if self.board.spaces[code].terrain is not Terrain.COAST:
                raise _Illegal(say.NOT_ON_COAST(place=self._name(code)))
        if unit.space not in self.landings(other).get(to.space, ()):
            start, name = self._name(other.space), self._name(to.space)
            raise _Illegal(say.NO_PART_OF_CHAIN(unit=unit, start=start, place=name))
        return to

    # Conversions, choices, retreats and adjustments

    def _complete_conversion(self, unit: Unit, into: Ref) -> Ref:
        """Return the unit that a conversion `into` means, whose coast may be left out where there is one."""
        offered = converting.list_conversions(self.rules, self.position, unit, self.position.phase)
        found = [
            ref
            for ref in offered
            if ref.kind is into.kind and into.location in (ref.location, (ref.location.space, ""))
        ]
        if len(found) == 1:
            return found[0]
        if not offered:
            raise _Illegal(converting.why_not(self.rules, self.position, unit))
        raise _Illegal(say.MAY_TURN_INTO(unit=unit, others=Either(found or offered)))

    def choices(self, power: Power) -> tuple[Choose, ...]:
        """Return the choices that the rule modules offer `power` now."""
        return tuple(
            choice
            for module in self.rules.overriding[RuleModule.choices]
            for choice in module.choices(self.rules, self.position, power)
        )

    def why_not_together(self, power: Power, choices: Sequence[Choose]) -> str:
        """Return a sentence that says why these legal choices of `power` exclude each other; empty if they do not."""
        modules = self.rules.overriding[RuleModule.why_not_together]
        clashes = (module.why_not_together(self.rules, self.position, power, choices) for module in modules)
        return next((clash for clash in clashes if clash), "")

    @cached_property
    def without_orders(self) -> Mapping[Code, str]:
        """The units that take no orders in a movement phase, by their spaces, each with the sentence that says why."""
        reasons: dict[Code, str] = {}
        for module in self.rules.overriding[RuleModule.why_no_orders]:
            for unit in self.position.units:
                why = module.why_no_orders(self.rules, self.position, unit)
                if why:
                    reasons.setdefault(unit.location.space, why)
        return reasons

    def _choice(self, power: Power, order: Choose) -> Choose:
        offered = self.choices(power)
        kind, location = order.unit
        meant = [
            choice
            for choice in offered
            if choice.unit.location == location and (kind is None or choice.unit.kind in (None, kind))
        ]
        if len(meant) == 1:
            return meant[0]
        listed = Series(choice.unit for choice in meant or offered)
        if meant:
            raise _Illegal(say.SEVERAL_CHOICES(unit=order.unit, choices=listed))
        raise _Illegal(say.MAY_CHOOSE(power=power, choices=listed) if listed else say.NOTHING_TO_CHOOSE(power=power))

    def _retreat(self, unit: Unit, order: RetreatOrder) -> RetreatOrder:
        if isinstance(order, Disband):
            return Disband(unit.ref)
        dislodged = self.position.dislodged_at(unit.space)
        assert dislodged is not None  # noqa: S101  # found by _own_dislodged
        self._on_board(order.to)
        sails = unit.kind in self.board.sailing
        to = order.to if sails else self._army_destination(unit.kind, order.to)
        if sails and to.space != unit.space:
            to = self._fleet_destination(unit, to)
        if to in retreats.options(self.rules, self.position, dislodged):
            return Retreat(unit.ref, to)
        raise _Illegal(self._no_retreat(unit, dislodged.barred, to))

    def _no_retreat(self, unit: Unit, barred: tuple[Code, ...], to: Location) -> Sentence:
        name = self._name(to.space)
        if to.space == unit.space:
            return say.DISLODGED_FROM(unit=unit, place=name)
        if to not in self.board.steps(unit.kind, unit.location):
            if self._right_coasts(unit, to.space):
                return self._no_way(unit, to.space)
            return say.RETREAT_NOT_CONVOYED(unit=unit, place=name)
        occupant = self.position.unit_at(to.space)
        if occupant is not None:
            return say.OCCUPIED_BY(place=name, unit=occupant, power=occupant.power)
        if to.space in barred:
            return say.ATTACKER_CAME_FROM(unit=unit, place=name)
        return say.STAND_OFF_THERE(place=name)

    def _adjustment(self, power: Power, order: AdjustmentOrder, unit: Unit | None) -> AdjustmentOrder:
        if unit is not None:
            power = unit.power
        due = adjustments.possible(self.rules, self.position, power)
        if isinstance(order, Remove):
            assert unit is not None  # noqa: S101  # found by _own_unit
            if due >= 0:
                raise _Illegal(say.NOTHING_TO_REMOVE(power=power), RefusalCode.NO_ROOM)
            if not self.board.traits[unit.kind].upkeep:
                raise _Illegal(say.NEEDS_NO_CENTRE(unit=unit), RefusalCode.NO_ROOM)
            return Remove(unit.ref)
        if due <= 0:
            if isinstance(order, Build) and adjustments.due(self.rules, self.position, power) > 0:
                self._complete_build(power, order.unit)  # says what is wrong with the site
            raise _Illegal(say.NO_BUILD(power=power), RefusalCode.NO_ROOM)
        if isinstance(order, Waive):
            return order
        built = self._complete_build(power, order.unit)
        if built.kind and self.board.traits[built.kind].upkeep > due:
            one, number = self.board.name_with_article(built.kind), self.board.traits[built.kind].upkeep
            raise _Illegal(say.TAKES_BUILDS(type=one, number=number, power=power, has=due), RefusalCode.NO_ROOM)
        return Build(built)

    def _complete_build(self, power: Power, ref: Ref) -> Ref:
        """Return the unit a build would place, by 4.B.7, 4.C.3 and 4.C.4."""
        self._on_board(ref.location)
        refusal = adjustments.why_no_site(self.rules, self.position, power, ref.location.space)
        if refusal:
            raise _Illegal(refusal)
        space = self.board.spaces[ref.location.space]
        kind = ref.kind
        if kind is None:
            board = self.board
            at = (Location(space.code), *space.locations)
            fitting = [
                kind
                for kind in board.kinds
                if board.traits[kind].built and any(board.can_stand(kind, place) for place in at)
            ]
            if len(fitting) != 1 or self.rules.rulebook["4.C.3"] == "void":
                raise _Illegal(
                    say.TYPE_MISSING(types=Either(map(board.name_with_article, board.kinds)), place=space.name)
                )
            kind = fitting[0]
        if kind not in self.board.sailing:
            return self._site(power, Ref(kind, self._army_destination(kind, ref.location)))
        if space.terrain is Terrain.INLAND:
            raise _Illegal(say.NO_COAST_TO_BUILD(type=self.board.traits[kind].name, place=space.name))
        if ref.location not in space.locations:
            one, coasts = self.board.name_with_article(kind), Either(space.locations)
            raise _Illegal(say.BUILT_ON_COAST(type=one, place=space.name, coasts=coasts))
        return self._site(power, Ref(kind, ref.location))

    def _site(self, power: Power, ref: Ref) -> Ref:
        """Return `ref`, if its unit type may be built there."""
        assert ref.kind is not None  # noqa: S101  # filled in before
        refusal = adjustments.why_not_built(self.rules, self.position, power, ref.kind, ref.location)
        if refusal:
            raise _Illegal(refusal)
        return ref


_PHASE_OF: Mapping[type[Order], PhaseKind] = {
    **dict.fromkeys(_MOVEMENT, PhaseKind.MOVEMENT),
    **dict.fromkeys((Retreat, Disband), PhaseKind.RETREATS),
    **dict.fromkeys((Build, Remove, Waive), PhaseKind.ADJUSTMENTS),
    Choose: PhaseKind.CHOICE,
}
"""The kind of phase in which an order is given."""
