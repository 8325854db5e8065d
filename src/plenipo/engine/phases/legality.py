"""Legality: the one place that decides which orders are legal, for checking, listing and offering orders alike.

`Legality(rules, position)` is a view on one position. `check` compares an order as written with the position: it
completes it (letter, coasts) or says in a sentence why it is not allowed. `orders` lists all legal orders, `choices`
the same as the tree a person clicks through; both contain only orders that `check` accepts.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from plenipo.engine.board import ARMY, Code, Location, Space, Terrain, UnitKind
from plenipo.engine.budgets import Account
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.events import RefusalCode
from plenipo.engine.hooks import RuleModule
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
from plenipo.engine.phases.commands import commanders, elsewhere, served
from plenipo.engine.phases.convoys import fleets_at_sea, landings, list_landings
from plenipo.engine.phases.legal_orders import LegalOrders
from plenipo.engine.position import GAME_MASTER, Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.wording import listing, with_article
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
        self.code = code


class Legality:
    """The legal orders of every power in one position.

    Orders that are `assigned` are listed under the powers whose units they are for, whichever power wrote them.
    """

    def __init__(self, rules: Rules, position: Position, *, assigned: bool = False) -> None:
        self.rules = rules
        self.position = position
        self.board = rules.board_at(position)
        self.commanded = not assigned and elsewhere(rules)
        self._foreseeing = () if assigned else rules.overriding[RuleModule.foreseen]
        self._closing = () if assigned else rules.overriding[RuleModule.why_no_order_set]
        self.pays = bool(rules.overriding[RuleModule.budget])
        self.limits = rules.overriding[RuleModule.why_not_ordered]
        """The modules that forbid orders which a unit could carry out."""
        self._landings: dict[Code | None, dict[Code, Mapping[Code, frozenset[Code]]]] = {}
        self._alone = not (self.commanded or self._foreseeing or self._closing or self.pays)
        """True if the legality of an order depends neither on its author nor on other orders."""

    def why_unpaid(self, power: Power, order: Order) -> str:
        """Return a sentence that says why the funds of `power` do not cover this order alone; empty if they do."""
        return Account(self.rules, self.position, power).why_unpaid(order) if self.pays else ""

    def check(self, power: Power, order: Order) -> CheckedOrder:
        """Complete `order` given by `power`, or say why it is illegal (three levels of failure: this is the second)."""
        if self._alone:
            return self._checked(power, order)
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
            each = [self._checked(one, order) for one in served(self.rules, self.position, power) or (power,)]
            return next((checked for checked in each if checked.order is not None), each[0])
        checked = self._checked(power, order)
        if self.pays and checked.order is not None and not isinstance(order, NOTICES):
            for_power = checked.unit.power if checked.unit else power
            if why := self.why_unpaid(for_power, checked.order):
                return CheckedOrder(None, why, checked.unit, RefusalCode.NO_ROOM)
        return checked

    def _checked(self, power: Power, order: Order) -> CheckedOrder:
        unit: Unit | None = None
        try:
            if isinstance(order, NOTICES):
                return self._notice(power, order)
            if isinstance(order, Convert):
                unit = self._own_unit(power, order.unit)
                if why := self.without_orders.get(unit.location.space, ""):
                    return CheckedOrder(None, why, unit, RefusalCode.NO_ORDERS)
                return self._allowed(unit, Convert(unit.ref, self._converted(unit, order.into)))
            if self.position.phase.kind is not (kind := _PHASE_OF[type(order)]):
                why = f"'{order}' belongs to {with_article(kind.noun)} phase, and this is {self.position.phase}."
                return CheckedOrder(None, why, None, RefusalCode.NOT_NOW)
            if isinstance(order, _MOVEMENT):
                unit = self._own_unit(power, order.unit)
                if why := self.without_orders.get(unit.location.space, ""):
                    return CheckedOrder(None, why, unit, RefusalCode.NO_ORDERS)
                return self._allowed(unit, self._movement(unit, order))
            if isinstance(order, Retreat | Disband):
                unit = self._own_dislodged(power, order.unit)
                return CheckedOrder(self._retreat(unit, order), "", unit)
            if isinstance(order, Choose):
                return CheckedOrder(self._choice(power, order))
            if isinstance(order, Remove):
                unit = self._own_unit(power, order.unit)
            return CheckedOrder(self._adjustment(power, order, unit), "", unit)
        except _Illegal as refused:
            return CheckedOrder(None, str(refused), unit, refused.code)

    def _allowed(self, unit: Unit, order: MovementOrder) -> CheckedOrder:
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
            raise IllegalOrder(f"'{order}' is not allowed: {checked.reason}")
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
            raise _Illegal(f"there is no unit in {self._name(ref.location.space)}.", RefusalCode.NO_UNIT)
        for module in self.rules.overriding[RuleModule.unit_as_named]:
            unit = module.unit_as_named(self.rules, self.position, unit, ref)
        if self.commanded or unit.power != power or ref != unit[1:]:
            self._same_unit(power, ref, unit)
        return unit

    def _notice(self, power: Power, notice: Notice) -> CheckedOrder:
        """Return the answer of the rule modules to a notice; the first that knows it decides."""
        if isinstance(notice, Enter) and self.rules.draws_by_hand:
            if power != GAME_MASTER:
                return CheckedOrder(None, f"only the game master ({GAME_MASTER}) enters what was drawn.")
            return CheckedOrder(notice)
        if isinstance(notice, Declare):
            return self._declaration(power, notice)
        for module in self.rules.overriding[RuleModule.why_no_notice]:
            reason = module.why_no_notice(self.rules, self.position, power, notice)
            if reason is not None:
                return CheckedOrder(None, reason) if reason else CheckedOrder(notice)
        what = "promises" if isinstance(notice, Promise) else "draws entered by hand"
        return CheckedOrder(None, f"there are no {what} in this game.")

    def _declaration(self, power: Power, notice: Declare) -> CheckedOrder:
        """Return a declaration as the module that knows its word completes it."""
        for module in self.rules.modules:
            if notice.word in module.words:
                try:
                    return CheckedOrder(module.declared(self.rules, self.position, power, notice))
                except PlenipoError as fault:
                    return CheckedOrder(None, str(fault))
        return CheckedOrder(None, f"nobody writes {notice.word} in this game.")

    def _own_dislodged(self, power: Power, ref: Ref) -> Unit:
        dislodged = self.position.dislodged_at(ref.location.space)
        if dislodged is None:
            raise _Illegal(f"no unit was dislodged in {self._name(ref.location.space)}.", RefusalCode.NO_UNIT)
        self._same_unit(power, ref, dislodged.unit)
        return dislodged.unit

    def _same_unit(self, power: Power, ref: Ref, unit: Unit) -> None:
        book = self.rules.rulebook
        if self.commanded and unit.power == power and power not in commanders(self.rules, self.position, unit):
            raise _Illegal(f"{unit} takes its orders from others.", RefusalCode.NOT_YOURS)
        if unit.power != power and not (self.commanded and power in commanders(self.rules, self.position, unit)):
            raise _Illegal(f"{unit} belongs to {unit.power}, not to {power}.", RefusalCode.NOT_YOURS)
        if ref.kind is None and book["4.C.1"] == "void":
            which = listing([self.board.called(kind) for kind in self.board.kinds], "or")
            raise _Illegal(f"the order must say whether '{ref}' is {which}.")
        named = (None, unit.kind, *self.board.parted(unit.kind))
        if ref.kind not in named and book["4.C.2"] == "void":
            raise _Illegal(f"the unit in {self._name(unit.space)} is {unit}, not {ref}.")
        coast = ref.location.coast
        if coast and coast != unit.location.coast:
            key = "4.B.5" if unit.kind in self.board.sailing else "4.B.6"
            if book[key] == "void":
                raise _Illegal(f"the unit in {self._name(unit.space)} is {unit}, not {ref}.")

    def _other_unit(self, ref: Ref, verb: str) -> Unit:
        unit = self.position.unit_at(ref.location.space)
        if unit is None:
            raise _Illegal(f"there is no unit in {self._name(ref.location.space)} to {verb}.")
        return unit

    # Movement

    def _movement(self, unit: Unit, order: Hold | Move | Support | Convoy) -> MovementOrder:
        exact = order.unit == unit[1:]  # the letter and the location are those of the unit
        ref = order.unit if exact else unit.ref
        if isinstance(order, Move):
            if order.unit.kind and order.unit.kind in self.board.parted(unit.kind):
                self._on_board(order.to)
                part = self.part(unit, order.unit.kind)
                return Move(part.ref, self._left(unit, part, order.to))
            if exact and not order.via and order.to in self.board.steps(unit.kind, unit.location):
                return order
            return Move(ref, *self._move(unit, order.to, via=order.via))
        if isinstance(order, Hold):
            return order if exact else Hold(ref)
        named, to = order.other, order.to
        if isinstance(order, Support):
            other = self._other_unit(named, "support")
            if to is None:
                self._hold_support(unit, other)
            elif named.kind and named.kind in self.board.parted(other.kind):
                part = self.part(other, named.kind)
                self._may_support(unit, other, to)
                return Support(ref, part.ref, self._left(other, part, to))
            else:
                to = self._move_support(unit, other, to)
            same = exact and named == other[1:] and order.to == to
            return order if same else Support(ref, other.ref, to)
        other = self._other_unit(named, "convoy")
        return Convoy(ref, other.ref, self._convoy(unit, other, order.to))

    def _on_board(self, to: Location) -> None:
        space = self.board.spaces.get(to.space)
        if space is None:
            raise _Illegal(f"{to.space} is not on the board.")
        if space.impassable:
            raise _Illegal(f"{space.name} is {self._why_shut(space)}.")

    def _why_shut(self, space: Space) -> str:
        """Return the description of a space that no unit may enter, in the words of the module that closed it."""
        if not space.closed:
            return "impassable"
        for module in self.rules.overriding[RuleModule.marks]:
            for sign in module.marks(self.rules, self.position).get(space.code, ()):
                if sign in module.closing_signs:
                    return module.signs[sign]
        return "closed: nothing may enter"

    def _move(self, unit: Unit, to: Location, *, via: bool) -> tuple[Location, bool]:
        """Return the exact destination, and whether a convoy is requested."""
        if not via and to in self.board.steps(unit.kind, unit.location):
            return to, False
        self._on_board(to)
        if to.space == unit.space:
            raise _Illegal(f"{unit} is in {self._name(to.space)} already.")
        if not via and Location(to.space) in combining.joining(self.board, self.position, unit):
            return Location(to.space), False
        if via and unit.kind not in self.board.carriers:
            raise _Illegal(f"{self.board.called(unit.kind)} cannot be convoyed.")
        if unit.kind in self.board.sailing and (not via or unit.kind not in self.board.carriers):
            return self._fleet_destination(unit, to), False
        to = self._army_destination(unit.kind, to)
        adjacent = to.space in self.board.reach(unit.kind, unit.location)
        carried = (via or not adjacent) and to.space in self.landings(unit)
        if adjacent and via and not carried:
            # DATC 6.G.8: no fallback to land unless the policy says so
            if self.rules.rulebook["4.A.3"] in ("intent", "explicit"):
                raise _Illegal(f"no chain of fleets could convoy {unit} to {self._name(to.space)}.")
            via = False
        if not adjacent and not carried:
            raise _Illegal(self._no_way(unit, to.space))
        return to, via

    def _army_destination(self, kind: UnitKind, to: Location) -> Location:
        if not to.coast:
            return to
        if self.rules.rulebook["4.B.6"] == "void":
            raise _Illegal(f"{self.board.called(kind)} goes to {to.space}, not to a coast of it.")
        return Location(to.space)

    def _no_way(self, unit: Unit, to: Code) -> str:
        name = self._name(to)
        terrain = self.board.spaces[to].terrain
        if not any(self.board.can_stand(unit.kind, at) for at in (Location(to), *self.board.spaces[to].locations)):
            return f"{self.board.called(unit.kind)} cannot enter {name}."
        ports = {terrain, self.board.spaces[unit.space].terrain}
        if coasts := self._right_coasts(unit, to):
            return f"{unit} does not reach {name}: only {self.board.called(unit.kind)} on {coasts} does."
        cargo = unit.kind in self.board.carriers and ports == {Terrain.COAST}
        chain = ", and no chain of fleets could convoy it there" if cargo else ""
        if (to, unit.space) in self.board.one_way_for(unit.kind):
            here = self._name(unit.space)
            return f"{unit} does not reach {name}{chain}: units pass from {name} to {here}, and not back."
        return f"{unit} does not reach {name}{chain}."

    def _right_coasts(self, unit: Unit, to: Code) -> str:
        """Return the other coasts of the space of a unit from which it would reach `to`, as a sentence lists them."""
        coasts = self.board.spaces[unit.space].locations if unit.location.coast else ()
        return listing([at for at in coasts if at != unit.location and to in self.board.reach(unit.kind, at)], "or")

    def _cannot_support(self, unit: Unit, to: Code) -> str:
        coasts = self._right_coasts(unit, to)
        on_another = f", as {self.board.called(unit.kind)} on {coasts} could," if coasts else ""
        return f"{unit} could not move to {self._name(to)}{on_another} and so cannot support there."

    def _fleet_destination(self, unit: Unit, to: Location) -> Location:
        """Return the exact location meant, by the coast policies 4.B.1 to 4.B.3."""
        reached = self._reached(unit, to)
        if to in reached:
            return to
        names = " or ".join(map(str, reached))
        if to.coast:
            if self.rules.rulebook["4.B.3"] == "corrected" and len(reached) == 1:
                return reached[0]
            raise _Illegal(f"{unit} does not reach {to}, only {names}.")
        if len(reached) > 1:
            raise _Illegal(f"{unit} may go to {names}: the order must name the coast.")
        if self.rules.rulebook["4.B.2"] == "void":
            raise _Illegal(f"the order must name the coast, {names}.")
        return reached[0]

    def _reached(self, unit: Unit, to: Location) -> Sequence[Location]:
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
            raise _Illegal("a unit cannot support itself.")
        if other.space not in self.board.reach(unit.kind, unit.location):
            raise _Illegal(self._cannot_support(unit, other.space))

    def part(self, unit: Unit, kind: UnitKind) -> Unit:
        """Return a part of a unit, as orders name it."""
        at = unit.location if self.board.can_stand(kind, unit.location) else Location(unit.space)
        return Unit(unit.power, kind, at)

    def _left(self, unit: Unit, part: Unit, to: Location) -> Location:
        """Return the destination of a part of a unit that leaves it for `to`."""
        rest = combining.rest_of(self.board, unit, part.kind)
        if not self.board.can_stand(rest.kind, rest.location):
            alone = f"{self.board.called(rest.kind)} cannot stand in {self._name(unit.space)} alone"
            raise _Illegal(f"{part} cannot leave {unit}: {alone}.")
        found = [at for kind, at in combining.leaving(self.board, unit) if kind is part.kind and at.space == to.space]
        if to in found or len(found) == 1:
            return to if to in found else found[0]
        if found:
            raise _Illegal(f"{part} may go to {listing(list(map(str, found)), 'or')}: the order must name the coast.")
        raise _Illegal(f"{part} of {unit} does not reach {self._name(to.space)}.")

    def _move_support(self, unit: Unit, other: Unit, to: Location) -> Location:
        self._may_support(unit, other, to)
        return self._supported_destination(unit, other, to)

    def _may_support(self, unit: Unit, other: Unit, to: Location) -> None:
        self._on_board(to)
        if other.space == unit.space:
            raise _Illegal("a unit cannot support itself.")
        if to.space == other.space:
            raise _Illegal(f"{other} is in {self._name(to.space)} already.")
        if to.space == unit.space:
            raise _Illegal("a unit cannot support a move to the space it is in.")
        if to.space not in self.board.reach(unit.kind, unit.location):
            raise _Illegal(self._cannot_support(unit, to.space))

    def _supported_destination(self, unit: Unit, other: Unit, to: Location) -> Location:
        if other.kind not in self.board.sailing:
            to = self._army_destination(other.kind, to)
            walks = to.space in self.board.reach(other.kind, other.location)
            if not walks and to.space not in self.landings(other, unit):
                if to.space in self.landings(other):
                    name = self._name(to.space)
                    why = f"{other} could reach {name} only if {unit} convoyed it, and {unit} cannot support it too."
                    raise _Illegal(why)
                raise _Illegal(self._no_way(other, to.space))
            return to
        reached = self._reached(other, to)
        if to in reached:
            return to
        if to.coast and (len(reached) > 1 or self.rules.rulebook["4.B.3"] != "corrected"):
            raise _Illegal(f"{other} does not reach {to}, only {listing(reached, 'or')}.")
        if len(reached) > 1 and self.rules.rulebook["4.B.4"] == "required":
            raise _Illegal(f"the order must name the coast, {' or '.join(map(str, reached))}.")
        return reached[0] if len(reached) == 1 else to

    def _convoy(self, unit: Unit, other: Unit, to: Location) -> Location:
        self._on_board(to)
        board = self.board
        if unit.kind not in board.convoying or not board.spaces[unit.space].carries:
            space = board.spaces[unit.space]
            barred = unit.kind in board.convoying and not space.convoys
            who = listing([board.called(kind) for kind in board.kinds if kind in board.convoying], "or")
            why = f"no fleet may convoy in {space.name}" if barred else f"only {who} in a sea can"
            raise _Illegal(f"{unit} cannot convoy; {why}.")
        if unit.kind not in board.carriers.get(other.kind, ()):
            cargo = [traits for traits in board.units if traits.kind in board.traits[unit.kind].carries]
            one, all_of_them = (
                listing(words, "or")
                for words in ([board.called(traits.kind) for traits in cargo], [traits.plural for traits in cargo])
            )
            raise _Illegal(f"{other} is not {one}, and only {all_of_them} are convoyed.")
        to = self._army_destination(other.kind, to)
        if to.space == other.space:
            raise _Illegal(f"{other} is in {self._name(to.space)} already.")
        for code in (other.space, to.space):
            if self.board.spaces[code].terrain is not Terrain.COAST:
                raise _Illegal(f"{self._name(code)} is not on a coast.")
        if unit.space not in self.landings(other).get(to.space, ()):
            ends = f"{self._name(other.space)} to {self._name(to.space)}"
            raise _Illegal(f"{unit} is part of no chain of fleets from {ends}.")
        return to

    # Conversions, choices, retreats and adjustments

    def _converted(self, unit: Unit, into: Ref) -> Ref:
        """Return the unit that a conversion `into` means, whose coast may be left out where there is one."""
        offered = converting.offered(self.rules, self.position, unit, self.position.phase)
        found = [
            ref
            for ref in offered
            if ref.kind is into.kind and into.location in (ref.location, (ref.location.space, ""))
        ]
        if len(found) == 1:
            return found[0]
        if not offered:
            raise _Illegal(converting.why_not(self.rules, self.position, unit))
        raise _Illegal(f"{unit} may turn into {listing(list(map(str, found or offered)), 'or')}.")

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
        listed = ", ".join(str(choice.unit) for choice in meant or offered)
        if meant:
            raise _Illegal(f"'{order.unit}' may be any of {listed}.")
        raise _Illegal(f"{power} may choose {listed}." if listed else f"{power} has nothing to choose.")

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

    def _no_retreat(self, unit: Unit, barred: tuple[Code, ...], to: Location) -> str:
        name = self._name(to.space)
        if to.space == unit.space:
            return f"{unit} was dislodged from {name}."
        if to not in self.board.steps(unit.kind, unit.location):
            if self._right_coasts(unit, to.space):
                return self._no_way(unit, to.space)
            return f"{unit} does not reach {name}, and a retreat is never convoyed."
        occupant = self.position.unit_at(to.space)
        if occupant is not None:
            return f"{name} is occupied by {occupant} of {occupant.power}."
        if to.space in barred:
            return f"the attacker of {unit} came from {name}."
        return f"a stand-off took place in {name}."

    def _adjustment(self, power: Power, order: AdjustmentOrder, unit: Unit | None) -> AdjustmentOrder:
        if unit is not None:
            power = unit.power
        due = adjustments.possible(self.rules, self.position, power)
        if isinstance(order, Remove):
            assert unit is not None  # noqa: S101  # found by _own_unit
            if due >= 0:
                raise _Illegal(f"{power} has no unit to remove.", RefusalCode.NO_ROOM)
            if not self.board.traits[unit.kind].upkeep:
                raise _Illegal(f"{unit} needs no centre, so nothing is won by its removal.", RefusalCode.NO_ROOM)
            return Remove(unit.ref)
        if due <= 0:
            if isinstance(order, Build) and adjustments.due(self.rules, self.position, power) > 0:
                self._built(power, order.unit)  # says what is wrong with the site
            raise _Illegal(f"{power} has no build.", RefusalCode.NO_ROOM)
        if isinstance(order, Waive):
            return order
        built = self._built(power, order.unit)
        if built.kind and self.board.traits[built.kind].upkeep > due:
            why = f"{self.board.called(built.kind)} takes {self.board.traits[built.kind].upkeep} builds"
            raise _Illegal(f"{why}, and {power} has {due}.", RefusalCode.NO_ROOM)
        return Build(built)

    def _built(self, power: Power, ref: Ref) -> Ref:
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
                which = listing([board.called(kind) for kind in board.kinds], "or")
                raise _Illegal(f"the order must say whether to build {which} in {space.name}.")
            kind = fitting[0]
        if kind not in self.board.sailing:
            return self._site(power, Ref(kind, self._army_destination(kind, ref.location)))
        if space.terrain is Terrain.INLAND:
            raise _Illegal(f"no {self.board.traits[kind].name} can be built in {space.name}, which has no coast.")
        if ref.location not in space.locations:
            names = " or ".join(str(loc) for loc in space.locations)
            what = self.board.called(kind)
            raise _Illegal(f"{what} in {space.name} is built in {names}: the order must name it so.")
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
