"""Messages about a position and about a phase that is over: `NOW`, `SCO`, `ORD`, `MIS`, `SMR`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from plenipo.daide.tokens import Nested, Token, Tokens, build, integer, quote
from plenipo.daide.vocabulary import TokenVocabulary, turn_of
from plenipo.engine.board import Board, Code, UnitKind
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.turns import Turn
from plenipo.engine.orders import (
    Build,
    Choose,
    Convert,
    Convoy,
    Declare,
    Disband,
    Enter,
    Hold,
    Move,
    Order,
    Promise,
    Remove,
    Retreat,
    Support,
    Waive,
)
from plenipo.engine.outcome import Outcome, Reason, Resolution, Result
from plenipo.engine.phases import adjustments, retreats
from plenipo.engine.position import Dislodged, Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import say
from plenipo.errors import InvalidOrder

__all__ = [
    "BracketContent",
    "ConvoyRoutes",
    "SeatSummary",
    "describe_centres",
    "describe_dislodged",
    "describe_position",
    "describe_turn",
    "find_route",
    "owners_changed",
    "summarise",
    "write_order",
]

BracketContent = list[Nested]
"""An order or a result, as the content of a pair of brackets."""

ConvoyRoutes = Mapping[Code, tuple[Code, ...]]
"""The seas of convoys as they were ordered, by the space of the army."""


def describe_centres(rules: Rules, words: TokenVocabulary, position: Position) -> Tokens:
    """Return the owners of all centres: `SCO`."""
    owned: dict[Power | None, list[Nested]] = {info.name: [] for info in rules.powers}
    owned[None] = []
    for code, token in words.provinces.items():
        if rules.board.spaces[code].centre:
            owned[position.owners.get(code)].append(token)
    return build(
        Token.SCO,
        *([words.powers[power] if power else Token.UNO.value, *tokens] for power, tokens in owned.items() if tokens),
    )


def describe_dislodged(rules: Rules, words: TokenVocabulary, position: Position, dislodged: Dislodged) -> list[Nested]:
    """Return a unit that must retreat, with the places to which it may."""
    unit = dislodged.unit
    places = [words.place(to) for to in retreats.options(rules, position, dislodged)]
    return [*words.unit(*unit), Token.MRT.value, places]


def describe_position(rules: Rules, words: TokenVocabulary, position: Position) -> Tokens:
    """Return the turn and all units: `NOW`."""
    units: list[Nested] = [list(words.unit(*unit)) for unit in position.units]
    units += [describe_dislodged(rules, words, position, dislodged) for dislodged in position.dislodged]
    return build(Token.NOW, turn_of(words, position.phase), *units)


def owners_changed(rules: Rules, resolution: Resolution) -> bool:
    """Return whether the owners of centres were settled after a phase."""
    if resolution.after.winners or resolution.before.owners != resolution.after.owners:
        return True
    for phase in rules.calendar.after(resolution.before.phase):
        if phase.kind is PhaseKind.OWNERSHIP:
            return True
        if phase == resolution.after.phase or phase.year > resolution.after.phase.year:
            return False
    return False


def describe_turn(rules: Rules, words: TokenVocabulary, turn: Turn, routes: ConvoyRoutes) -> Iterator[Tokens]:
    """Yield an `ORD` for each order of a phase that is over."""
    before = turn.resolution.before
    when = turn_of(words, before.phase)
    if before.phase.kind is PhaseKind.ADJUSTMENTS:
        for order in _adjustments(rules, words, turn.resolution):
            yield build(Token.ORD, when, order, [Token.SUC.value])
        return
    teller = _Teller(rules.board, words, before, turn.resolution.outcomes, routes)
    for outcome in turn.resolution.outcomes:
        if outcome.unit is not None:
            order, result = teller.describe(outcome, outcome.unit)
            yield build(Token.ORD, when, order, result)


def _adjustments(rules: Rules, words: TokenVocabulary, resolution: Resolution) -> Iterator[list[Nested]]:
    before = resolution.before
    built = dict.fromkeys((info.name for info in rules.powers), 0)
    for outcome in resolution.outcomes:
        unit = outcome.unit or _unit_of(outcome)
        if unit is None:
            continue
        if outcome.result is Result.BUILDS:
            built[outcome.power] += 1
            yield [words.unit(*unit), Token.BLD.value]
        elif outcome.result is Result.REMOVED:
            yield [words.unit(*unit), Token.REM.value]
    for power, number in built.items():
        for _ in range(adjustments.due(rules, before, power) - number):
            yield [words.powers[power], Token.WVE.value]


def _unit_of(outcome: Outcome) -> Unit | None:
    order = outcome.order
    if not isinstance(order, Build | Remove) or order.unit.kind is None:
        return None
    return Unit(outcome.power, order.unit.kind, order.unit.location)


def write_order(words: TokenVocabulary, position: Position, order: Order, route: Sequence[Code] = ()) -> BracketContent:
    """Return an order as DAIDE writes it; `route` are the seas of a convoyed move.

    The units named stand in `position`; raise `InvalidOrder` for an order that DAIDE has no word for, or to a unit that
    is not there.
    """
    if isinstance(order, Waive | Choose | Convert | Declare | Enter | Promise):
        raise InvalidOrder(say("DAIDE has no word for the order '{order}'.", order=order))
    if isinstance(order, Build):
        power = position.owners.get(order.unit.location.space)
        if power is None or order.unit.kind is None:
            raise InvalidOrder(say("DAIDE has no word for the order '{order}'.", order=order))
        return [words.unit(power, order.unit.kind, order.unit.location), Token.BLD.value]
    if isinstance(order, Retreat | Disband):
        dislodged = position.dislodged_at(order.unit.location.space)
        unit = dislodged.unit if dislodged else None
    else:
        unit = position.unit_at(order.unit.location.space)
    here: BracketContent = [list(words.unit(*_there(unit, order)))]
    if isinstance(order, Retreat):
        return [*here, Token.RTO.value, words.place(order.to)]
    if isinstance(order, Disband):
        return [*here, Token.DSB.value]
    if isinstance(order, Remove):
        return [*here, Token.REM.value]
    if isinstance(order, Hold):
        return [*here, Token.HLD.value]
    if isinstance(order, Move):
        if not route:
            return [*here, Token.MTO.value, words.place(order.to)]
        seas: BracketContent = [words.provinces[code] for code in route]
        return [*here, Token.CTO.value, words.provinces[order.to.space], Token.VIA.value, seas]
    other = list(words.unit(*_there(position.unit_at(order.other.location.space), order)))
    if isinstance(order, Convoy):
        return [*here, Token.CVY.value, other, Token.CTO.value, words.provinces[order.to.space]]
    if order.to is None:
        return [*here, Token.SUP.value, other]
    return [*here, Token.SUP.value, other, Token.MTO.value, words.provinces[order.to.space]]


def _there(unit: Unit | None, order: Order) -> Unit:
    if unit is None:
        raise InvalidOrder(say("The order '{order}' names a unit that is not there.", order=order))
    return unit


@dataclass
class _Teller:
    """The orders and results of a movement or retreat phase in DAIDE's words."""

    board: Board
    words: TokenVocabulary
    before: Position
    outcomes: Sequence[Outcome]
    routes: ConvoyRoutes

    def describe(self, outcome: Outcome, unit: Unit) -> tuple[BracketContent, BracketContent]:
        """Return the order of a unit and its result; no order is reported as a hold or a disbandment."""
        order = outcome.order
        route = self._find_route(unit, order) if isinstance(order, Move) else ()
        idle = Disband(unit.ref) if self.before.phase.kind is PhaseKind.RETREATS else Hold(unit.ref)
        try:
            written = write_order(self.words, self.before, order or idle, route)
        except InvalidOrder:
            order, written = idle, write_order(self.words, self.before, idle)
        result = self._find_result(outcome, order)
        if outcome.dislodged_by is None:
            return written, [result.value]
        alone = result is Token.SUC and not isinstance(order, Support)
        return written, [Token.RET.value] if alone else [result.value, Token.RET.value]

    def _find_result(self, outcome: Outcome, order: Order | None) -> Token:
        result = outcome.result
        if isinstance(order, Retreat):
            return Token.SUC if result is Result.RETREATS else Token.BNC
        if isinstance(order, Move):
            return self._find_move_result(outcome)
        if isinstance(order, Support):
            return {Result.SUPPORTS: Token.SUC, Result.CUT: Token.CUT}.get(result, Token.NSO)
        if isinstance(order, Convoy) and not self._is_ordered(order):
            return Token.NSO
        return Token.SUC

    def _is_ordered(self, convoy: Convoy) -> bool:
        here, to = convoy.other.location.space, convoy.to.space
        orders = (one.order for one in self.outcomes if one.unit is not None and one.unit.space == here)
        return any(isinstance(order, Move) and order.to.space == to for order in orders)

    def _find_move_result(self, outcome: Outcome) -> Token:
        if outcome.result is Result.MOVES:
            return Token.SUC
        reason = outcome.cause.reason
        if reason in (Reason.CONVOY_BROKEN, Reason.PARADOX):
            return Token.DSR
        return Token.NSO if reason is Reason.NO_CONVOY else Token.BNC

    def _find_route(self, unit: Unit, move: Move) -> tuple[Code, ...]:
        """Return the seas of a convoyed move: those ordered, or else the shortest way; empty for one by land."""
        on_land = move.to.space in self.board.reach(unit.kind, unit.location)
        if unit.kind is not UnitKind.ARMY or (on_land and not move.via):
            return ()
        ordered = self.routes.get(unit.space)
        if ordered:
            return ordered
        convoying = {
            one.unit.space
            for one in self.outcomes
            if one.unit is not None
            and isinstance(one.order, Convoy)
            and one.order.other.location.space == unit.space
            and one.order.to.space == move.to.space
        }
        afloat = {one.space for one in self.before.units if self.board.spaces[one.space].carries}
        for seas in (convoying, afloat, set(self.board.waters)):
            route = find_route(self.board, unit.space, move.to.space, seas)
            if route:
                return route
        return ()


def find_route(board: Board, start: Code, end: Code, seas: set[Code]) -> tuple[Code, ...]:
    """Return the shortest chain of `seas` over which an army can be convoyed; empty if there is none."""
    ways: dict[Code, tuple[Code, ...]] = {code: (code,) for code in sorted(board.waters.get(start, ())) if code in seas}
    edge = dict(ways)
    while edge:
        for code, way in edge.items():
            if end in board.ports.get(code, ()):
                return way
        edge = {
            to: (*way, to)
            for code, way in edge.items()
            for to in sorted(board.waters.get(code, ()))
            if to in seas and to not in ways
        }
        ways |= edge
    return ()


@dataclass(frozen=True)
class SeatSummary:
    """The program that played a power, as `SMR` names it, and the year of its elimination."""

    name: str
    version: str
    out: int | None = None


def summarise(rules: Rules, words: TokenVocabulary, position: Position, seats: Mapping[Power, SeatSummary]) -> Tokens:
    """Return who played each power and with how many centres it ended: `SMR`."""
    rows: list[Nested] = []
    for info in rules.powers:
        seat, centres = seats.get(info.name, SeatSummary("none", "0")), len(position.centres_of(info.name))
        row: list[Nested] = [words.powers[info.name], quote(seat.name), quote(seat.version), integer(centres)]
        rows.append([*row, integer(seat.out)] if seat.out is not None and not centres else row)
    return build(Token.SMR, turn_of(words, position.phase), *rows)
