"""Orders as DAIDE writes them: read, answered with a note, and collected until a power has ordered everything."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from plenipo.daide.reports import describe_dislodged
from plenipo.daide.tokens import Nested, Token, Tokens, build, integer, parts_of, token_of
from plenipo.daide.vocabulary import TokenVocabulary
from plenipo.engine.board import NO_COAST, Code, Location, UnitKind
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.immutable import EMPTY
from plenipo.engine.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Order,
    Ref,
    Remove,
    Retreat,
    RetreatOrder,
    Support,
    Waive,
)
from plenipo.engine.phases import adjustments
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules

__all__ = ["OrderDraft", "OrderReading", "OrderReceiver"]

_KINDS = {Token.AMY.value: UnitKind.ARMY, Token.FLT.value: UnitKind.FLEET}
_PHASES = {
    PhaseKind.MOVEMENT: {Token.HLD, Token.MTO, Token.SUP, Token.CVY, Token.CTO},
    PhaseKind.RETREATS: {Token.RTO, Token.DSB},
    PhaseKind.ADJUSTMENTS: {Token.BLD, Token.REM, Token.WVE},
}


_Ordered = MovementOrder | RetreatOrder | Build | Remove
"""An order to one unit."""


class OrderReading(NamedTuple):
    """An order as it was read: None with a note that says why it was not accepted, `MBV` for one that was."""

    order: _Ordered | Waive | None
    note: Token
    route: tuple[Code, ...] = ()
    """The seas of a convoy, as they were ordered."""


class _Named(NamedTuple):
    """A unit as an order names it."""

    power: Power
    kind: UnitKind
    at: Location


class _Refused(Exception):  # noqa: N818  # it is the note that says what is wrong
    """An order that is not accepted, with its note."""

    def __init__(self, note: Token) -> None:
        super().__init__(note.name)
        self.note = note


@dataclass(frozen=True)
class OrderDraft:
    """The orders of a power in a phase so far: by space, as they were written and as they were read; and waived builds.

    `held` is true after `NOT (GOF)`: the power wants the deadline to be waited for.
    """

    orders: Mapping[Code, tuple[Tokens, _Ordered]] = EMPTY
    routes: Mapping[Code, tuple[Code, ...]] = EMPTY
    waived: int = 0
    held: bool = False


@dataclass
class OrderReceiver:
    """The reading of orders in one position."""

    rules: Rules
    words: TokenVocabulary
    position: Position
    _legality: Legality = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._legality = Legality(self.rules, self.position)

    def submit(self, power: Power, draft: OrderDraft, written: Sequence[Nested]) -> tuple[OrderDraft, Token]:
        """Return the draft with an order, and the note with which it is answered; `written` fits the grammar."""
        read = self.read(power, written)
        if read.order is None:
            return draft, read.note
        text = build(*written)
        if not isinstance(read.order, Waive) and self.position.phase.kind is not PhaseKind.ADJUSTMENTS:
            space = _space_of(read.order)
            routes = {code: route for code, route in draft.routes.items() if code != space}
            if read.route:
                routes[space] = read.route
            return replace(draft, orders={**draft.orders, space: (text, read.order)}, routes=routes), Token.MBV
        owed = self.due(power)
        if isinstance(read.order, Waive):
            if draft.waived + len(draft.orders) >= owed:
                return draft, Token.NMB
            return replace(draft, waived=draft.waived + 1), Token.MBV
        space = _space_of(read.order)
        used = draft.waived + len({*draft.orders, space})
        if isinstance(read.order, Build) and used > owed:
            return draft, Token.NMB
        if isinstance(read.order, Remove) and used > -owed:
            return draft, Token.NMR
        return replace(draft, orders={**draft.orders, space: (text, read.order)}), Token.MBV

    def withdraw(self, draft: OrderDraft, written: Sequence[Nested]) -> OrderDraft | None:
        """Return the draft without an order, None if it has no such order."""
        text = build(*written)
        if written and written[-1] == Token.WVE:
            return replace(draft, waived=draft.waived - 1) if draft.waived else None
        space = next((code for code, (known, _) in draft.orders.items() if known == text), None)
        if space is None:
            return None
        orders = {code: order for code, order in draft.orders.items() if code != space}
        routes = {code: route for code, route in draft.routes.items() if code != space}
        return replace(draft, orders=orders, routes=routes)

    def due(self, power: Power) -> int:
        """Return how many units a power may build, or less than 0 for those it has to remove."""
        if self.position.phase.kind is not PhaseKind.ADJUSTMENTS:
            return 0
        return adjustments.due(self.rules, self.position, power)

    def count_missing(self, power: Power, draft: OrderDraft) -> int:
        """Return how many orders a power still owes, as `MIS` has it: removals above 0, builds below."""
        owed = self.due(power)
        given = len(draft.orders) + draft.waived
        return -owed - given if owed < 0 else given - owed

    def missing(self, power: Power, draft: OrderDraft) -> list[Nested]:
        """Return what `MIS` lists: units without an order, or a number in an adjustment phase; empty if all is done."""
        kind = self.position.phase.kind
        if kind is PhaseKind.RETREATS:
            return [
                describe_dislodged(self.rules, self.words, self.position, dislodged)
                for dislodged in self.position.dislodged
                if dislodged.unit.power == power and dislodged.unit.space not in draft.orders
            ]
        if kind is PhaseKind.ADJUSTMENTS:
            number = self.count_missing(power, draft)
            return [[integer(number)]] if number else []
        units = self._legality.orders_of(power).units
        return [list(self.words.unit(*unit)) for unit in units if unit.space not in draft.orders]

    def orders(self, power: Power, draft: OrderDraft) -> list[Order]:
        """Return the orders of a draft for the engine."""
        found: list[Order] = [order for _, order in draft.orders.values()]
        usable = adjustments.possible(self.rules, self.position, power) if draft.waived else 0
        waived = min(draft.waived, usable - len(found))
        return [*found, Waive(waived)] if waived > 0 else found

    def read(self, power: Power, written: Sequence[Nested]) -> OrderReading:
        """Return an order of a power as it was read; `written` fits the grammar."""
        try:
            return self._read(power, written)
        except _Refused as refused:
            return OrderReading(None, refused.note)

    def _read(self, power: Power, written: Sequence[Nested]) -> OrderReading:
        verb = written[1]
        if verb not in _PHASES.get(self.position.phase.kind, ()):
            raise _Refused(Token.NRS)
        if verb == Token.WVE:
            if self.words.power_of[token_of(written[0])] != power:
                raise _Refused(Token.NYU)
            if self.due(power) <= 0:
                raise _Refused(Token.NMB)
            return OrderReading(Waive(), Token.MBV)
        named = self._name(written[0])
        if verb == Token.BLD:
            return OrderReading(self._read_build(power, named), Token.MBV)
        if self.position.phase.kind is PhaseKind.RETREATS:
            return OrderReading(self._read_retreat(power, named, written), Token.MBV)
        unit = self._find(named)
        if unit.power != power:
            raise _Refused(Token.NYU)
        if verb == Token.REM:
            if self.due(power) >= 0:
                raise _Refused(Token.NMR)
            return OrderReading(self._check(power, Remove(unit.ref), Token.NMR), Token.MBV)
        return self._read_movement(unit, written)

    def _read_movement(self, unit: Unit, written: Sequence[Nested]) -> OrderReading:
        verb, power = written[1], unit.power
        if verb == Token.HLD:
            return OrderReading(self._check(power, Hold(unit.ref), Token.NSU), Token.MBV)
        if verb == Token.MTO:
            to = self.words.location(written[2])
            if to.space not in self._legality.board.reach(unit.kind, unit.location):
                raise _Refused(Token.FAR)
            bare = unit.kind is UnitKind.FLEET and to.coast == NO_COAST
            note = Token.CST if bare and self._legality.board.spaces[to.space].coasts else Token.FAR
            return OrderReading(self._check(power, Move(unit.ref, to), note), Token.MBV)
        if verb == Token.SUP:
            other = self._find(self._name(written[2]))
            to_space = self.words.location(written[4]) if len(written) > 4 else None
            return OrderReading(self._check(power, Support(unit.ref, other.ref, to_space), Token.FAR), Token.MBV)
        if verb == Token.CVY:
            if unit.kind is not UnitKind.FLEET:
                raise _Refused(Token.NSF)
            if not self._legality.board.spaces[unit.space].carries:
                raise _Refused(Token.NAS)
            army = self._find(self._name(written[2]), Token.NSA)
            if army.kind is not UnitKind.ARMY:
                raise _Refused(Token.NSA)
            convoy = Convoy(unit.ref, army.ref, self.words.location(written[4]))
            return OrderReading(self._check(power, convoy, Token.FAR), Token.MBV)
        if unit.kind is not UnitKind.ARMY:
            raise _Refused(Token.NSA)
        route = tuple(self.words.location(place).space for place in parts_of(written[4]))
        end = self.words.location(written[2])
        self._check_route(unit.space, end.space, route)
        return OrderReading(self._check(power, Move(unit.ref, end, via=True), Token.FAR), Token.MBV, route)

    def _check_route(self, start: Code, end: Code, route: Sequence[Code]) -> None:
        """Refuse a convoy over spaces without fleets, or that do not follow each other."""
        board = self._legality.board
        here = start
        for code in route:
            if not board.spaces[code].carries:
                raise _Refused(Token.NAS)
            fleet = self.position.unit_at(code)
            if fleet is None or fleet.kind is not UnitKind.FLEET:
                raise _Refused(Token.NSF)
            if code not in board.waters.get(here, ()):
                raise _Refused(Token.FAR)
            here = code
        if end not in board.ports.get(here, ()):
            raise _Refused(Token.FAR)

    def _read_retreat(self, power: Power, named: _Named, written: Sequence[Nested]) -> _Ordered:
        dislodged = self.position.dislodged_at(named.at.space)
        if dislodged is None or dislodged.unit != Unit(named.power, named.kind, named.at):
            standing = self.position.unit_at(named.at.space)
            raise _Refused(Token.NSU if standing is None or standing.location != named.at else Token.NRN)
        if dislodged.unit.power != power:
            raise _Refused(Token.NYU)
        if written[1] == Token.DSB:
            return self._check(power, Disband(dislodged.unit.ref), Token.NRN)
        to = self.words.location(written[2])
        return self._check(power, Retreat(dislodged.unit.ref, to), Token.NVR)

    def _read_build(self, power: Power, named: _Named) -> _Ordered:
        space, board = named.at.space, self._legality.board
        if named.power != power:
            raise _Refused(Token.NYU)
        if self.due(power) <= 0:
            raise _Refused(Token.NMB)
        if not board.can_stand(named.kind, named.at):
            raise _Refused(Token.CST)
        order = Build(Ref(named.kind, named.at))
        if self._legality.check(power, order).order is not None:
            return order
        if not board.spaces[space].centre:
            raise _Refused(Token.NSC)
        if self.position.owners.get(space) != power:
            raise _Refused(Token.YSC)
        if self.position.unit_at(space) is not None:
            raise _Refused(Token.ESC)
        raise _Refused(Token.HSC)

    def _check(self, power: Power, order: _Ordered, note: Token) -> _Ordered:
        """Return the order as the engine completes it; refuse it with `note` if it is illegal."""
        checked = self._legality.check(power, order).order
        if not isinstance(checked, _Ordered):
            raise _Refused(note)
        return checked

    def _name(self, written: Nested) -> _Named:
        power, kind, place = parts_of(written)
        named = _KINDS.get(token_of(kind))
        if named is None:
            raise _Refused(Token.NSU)
        return _Named(self.words.power_of[token_of(power)], named, self._location(place))

    def _location(self, place: Nested) -> Location:
        try:
            return self.words.location(place)
        except KeyError:
            raise _Refused(Token.NSP) from None

    def _find(self, named: _Named, note: Token = Token.NSU) -> Unit:
        unit = self.position.unit_at(named.at.space)
        if unit is None or unit != Unit(named.power, named.kind, named.at):
            raise _Refused(note)
        return unit


def _space_of(order: _Ordered) -> Code:
    return order.unit.location.space
