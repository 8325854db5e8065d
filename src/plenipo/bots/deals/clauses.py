"""Clauses and deals: what powers can promise each other, when that is void, and whether it was kept; pure.

Every clause is a promise of one power. All of them speak of orders, spaces and powers alone, so that they mean the same
in every variant.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.orders import NOTICES, Move, Order, Support, Waive
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import Sentence, SentenceKind, Series

__all__ = [
    "LONGEST",
    "MOST_CLAUSES",
    "AttackClause",
    "Clause",
    "ClauseVerdict",
    "KeepOutClause",
    "LeaveCentresClause",
    "OrderClause",
    "ProposedDeal",
    "ShowOrdersClause",
    "can_attack",
    "find_targets",
    "judge_clause",
    "why_void",
]

LONGEST = 8
"""The largest number of movements for which a clause holds."""

MOST_CLAUSES = 12
"""The largest number of clauses of a deal."""

_ORDERS = SentenceKind("clause-order", "{power} orders {order}")
_KEEPS_OUT = SentenceKind(
    "clause-keep-out",
    "{power} moves nothing into {places} in this movement",
    "{power} moves nothing into {places} in {count} movements",
    count="count",
)
_LEAVES = SentenceKind(
    "clause-leave-centres",
    "{power} leaves {places} to {other} in this movement",
    "{power} leaves {places} to {other} in {count} movements",
    count="count",
)
_ATTACKS = SentenceKind(
    "clause-attack",
    "{power} attacks {other} in this movement",
    "{power} attacks {other} in each of {count} movements",
    count="count",
)
_SHOWS = SentenceKind("clause-show-orders", "{power} shows its orders")

_WRONG_PHASE = SentenceKind("deal-wrong-phase", "Deals are made in movement phases; this is {phase}.")
_NOT_TWO = SentenceKind("deal-not-two", "A deal is between two different powers of the game.")
_GONE = SentenceKind("deal-power-gone", "{power} has no units left to promise anything for.")
_EMPTY = SentenceKind("deal-empty", "A deal has at least one clause.")
_TOO_MANY = SentenceKind("deal-too-many-clauses", "A deal has at most {most} clauses; this one has {count}.")
_NOT_PARTNER = SentenceKind("deal-not-partner", "{power} is not a partner of this deal and can promise nothing in it.")
_TOO_LONG = SentenceKind("deal-too-long", "A clause holds for 1 to {most} movements, not for {count}.")
_ILLEGAL = SentenceKind("deal-illegal-order", "{power} may not order {order}: {reason}")
_NOT_FOR_UNIT = SentenceKind("deal-not-for-unit", "'{order}' is no order for a unit, so it cannot be promised.")
_NO_SPACES = SentenceKind("deal-no-spaces", "A clause about spaces names at least one.")
_NOT_ON_BOARD = SentenceKind("deal-not-on-board", "There is no space {code} on the board.")
_NO_CENTRE = SentenceKind("deal-no-centre", "{place} is not a supply centre.")
_NO_TARGET = SentenceKind("deal-no-target", "{power} is not a power that both can attack.")
_CANNOT_ATTACK = SentenceKind("deal-cannot-attack", "{power} has no unit that can attack {other} now.")
_TWO_ORDERS = SentenceKind("deal-two-orders", "{order} and {other} are two orders for one unit.")
_CONTRADICTS = SentenceKind("deal-contradicts", "{order} breaks another clause: {clause}.")


class ClauseVerdict(StrEnum):
    """The verdict on a clause after a movement."""

    KEPT = "kept"
    BROKEN = "broken"
    VOID = "void"
    """It could be neither kept nor broken: what it speaks of is gone."""


@dataclass(frozen=True, slots=True)
class OrderClause:
    """The power gives this order in this movement."""

    power: Power
    order: Order

    @property
    def movements(self) -> int:
        """The number of movements for which it holds."""
        return 1

    def as_sentence(self) -> Sentence:
        """Return the promise in words."""
        return _ORDERS(power=self.power, order=self.order)


@dataclass(frozen=True, slots=True)
class KeepOutClause:
    """The power moves no unit into these spaces for so many movements; both partners have one for a neutral zone."""

    power: Power
    spaces: frozenset[Code]
    movements: int = 1

    def as_sentence(self) -> Sentence:
        """Return the promise in words."""
        return _KEEPS_OUT(power=self.power, places=Series(sorted(self.spaces)), count=self.movements)


@dataclass(frozen=True, slots=True)
class LeaveCentresClause:
    """The power leaves these centres to its partner: it neither moves into them nor helps a third power to."""

    power: Power
    spaces: frozenset[Code]
    to: Power
    movements: int = 1

    def as_sentence(self) -> Sentence:
        """Return the promise in words."""
        places = Series(sorted(self.spaces))
        return _LEAVES(power=self.power, places=places, other=self.to, count=self.movements)


@dataclass(frozen=True, slots=True)
class AttackClause:
    """The power attacks another in each of so many movements, or supports such an attack."""

    power: Power
    target: Power
    movements: int = 1

    def as_sentence(self) -> Sentence:
        """Return the promise in words."""
        return _ATTACKS(power=self.power, other=self.target, count=self.movements)


@dataclass(frozen=True, slots=True)
class ShowOrdersClause:
    """The power shows its orders to its partner before the deadline, and does not change them afterwards."""

    power: Power

    @property
    def movements(self) -> int:
        """The number of movements for which it holds."""
        return 1

    def as_sentence(self) -> Sentence:
        """Return the promise in words."""
        return _SHOWS(power=self.power)


Clause = OrderClause | KeepOutClause | LeaveCentresClause | AttackClause | ShowOrdersClause


@dataclass(frozen=True, slots=True)
class ProposedDeal:
    """A deal: the power that proposes it, its partner, and the promises of both."""

    proposer: Power
    partner: Power
    clauses: tuple[Clause, ...]

    def __str__(self) -> str:
        return "; ".join(str(clause.as_sentence()) for clause in self.clauses)

    def other(self, power: Power) -> Power:
        """Return the partner of one of the two."""
        return self.partner if power == self.proposer else self.proposer

    def promises_of(self, power: Power) -> tuple[Clause, ...]:
        """Return the clauses that one of the two has to keep."""
        return tuple(clause for clause in self.clauses if clause.power == power)


# Void deals


def why_void(rules: Rules, position: Position, deal: ProposedDeal, held: Sequence[Clause] = ()) -> str:
    """Return a sentence that says why a deal cannot be made now; empty if it can.

    `held` are clauses that already bind one of the two; a deal that contradicts them is void.
    """
    return next(_objections(rules, position, deal, held), "")


def _objections(rules: Rules, position: Position, deal: ProposedDeal, held: Sequence[Clause]) -> Iterator[Sentence]:
    two = (deal.proposer, deal.partner)
    if position.phase.kind is not PhaseKind.MOVEMENT:
        yield _WRONG_PHASE(phase=position.phase)
        return
    if deal.proposer == deal.partner or not set(two) <= set(rules.names):
        yield _NOT_TWO()
        return
    yield from (_GONE(power=power) for power in two if not position.units_of(power))
    if not deal.clauses:
        yield _EMPTY()
    if len(deal.clauses) > MOST_CLAUSES:
        yield _TOO_MANY(most=MOST_CLAUSES, count=len(deal.clauses))
        return
    legality = Legality(rules, position)
    for clause in deal.clauses:
        if clause.power not in two:
            yield _NOT_PARTNER(power=clause.power)
            return
        if not 1 <= clause.movements <= LONGEST:
            yield _TOO_LONG(most=LONGEST, count=clause.movements)
        yield from _object_to_clause(legality, deal, clause)
    for power in two:
        yield from _contradictions([clause for clause in (*held, *deal.clauses) if clause.power == power])


def _object_to_clause(legality: Legality, deal: ProposedDeal, clause: Clause) -> Iterator[Sentence]:
    board = legality.board
    match clause:
        case OrderClause(power=power, order=order):
            checked = None if isinstance(order, (*NOTICES, Waive)) else legality.check(power, order)
            if checked is None or checked.unit is None:
                yield (
                    _NOT_FOR_UNIT(order=order)
                    if checked is None
                    else _ILLEGAL(power=power, order=order, reason=checked.reason)
                )
            elif checked.order is None:
                yield _ILLEGAL(power=power, order=order, reason=checked.reason)
        case KeepOutClause(spaces=spaces) | LeaveCentresClause(spaces=spaces):
            if not spaces:
                yield _NO_SPACES()
            for code in sorted(spaces):
                if code not in board.spaces:
                    yield _NOT_ON_BOARD(code=code)
                elif isinstance(clause, LeaveCentresClause) and not board.spaces[code].centre:
                    yield _NO_CENTRE(place=board.spaces[code].name)
            if isinstance(clause, LeaveCentresClause) and clause.to != deal.other(clause.power):
                yield _NOT_PARTNER(power=clause.to)
        case AttackClause(power=power, target=target):
            if target in (deal.proposer, deal.partner) or target not in legality.rules.names:
                yield _NO_TARGET(power=target)
            elif not can_attack(legality, power, target):
                yield _CANNOT_ATTACK(power=power, other=target)


def _contradictions(clauses: Sequence[Clause]) -> Iterator[Sentence]:
    """Yield why clauses of one power cannot all be kept."""
    orders = [clause for clause in clauses if isinstance(clause, OrderClause)]
    for place, clause in enumerate(orders):
        for other in orders[:place]:
            if _space_of(other.order) == _space_of(clause.order) and other.order != clause.order:
                yield _TWO_ORDERS(order=other.order, other=clause.order)
    for clause in orders:
        for barring in clauses:
            if isinstance(barring, KeepOutClause | LeaveCentresClause) and _breaks(barring, clause.order, {}):
                yield _CONTRADICTS(order=clause.order, clause=barring.as_sentence())


def _space_of(order: Order) -> Code | None:
    return None if isinstance(order, (*NOTICES, Waive)) else order.unit.location.space


def find_targets(position: Position, target: Power) -> frozenset[Code]:
    """Return the spaces where a power is attacked: those of its units and its centres."""
    units = (unit.space for unit in position.units_of(target))
    return frozenset((*units, *position.centres_of(target)))


def can_attack(legality: Legality, power: Power, target: Power) -> bool:
    """Return whether a unit of a power can attack another, without a convoy."""
    at = find_targets(legality.position, target)
    own = legality.position.units_of(power)
    able = [unit for unit in own if unit.space not in legality.without_orders]
    reached = {space for unit in able for space in legality.board.reach(unit.kind, unit.location)}
    return bool(at & reached - {unit.space for unit in own})


# Kept and broken clauses


def judge_clause(
    rules: Rules, resolution: Resolution, clause: Clause, shown: Mapping[Power, Sequence[Order]] | None = None
) -> ClauseVerdict:
    """Return what became of a clause in a movement that has been adjudicated.

    Orders count, not their results: a support that is cut was given. `shown` are the orders that were shown before.
    """
    before = resolution.before
    given = {
        outcome.unit.space: outcome.order
        for outcome in resolution.outcomes
        if outcome.power == clause.power and outcome.unit is not None and outcome.order is not None
    }
    if not before.units_of(clause.power):
        return ClauseVerdict.VOID
    match clause:
        case OrderClause(order=order):
            return _verdict(kept=given.get(_space_of(order) or Code("")) == order)
        case KeepOutClause(spaces=spaces) | LeaveCentresClause(spaces=spaces):
            if not spaces & set(rules.board_at(before).spaces):
                return ClauseVerdict.VOID
            powers = {unit.space: unit.power for unit in before.units}
            return _verdict(kept=not any(_breaks(clause, order, powers) for order in given.values()))
        case AttackClause(target=target):
            if not can_attack(Legality(rules, before), clause.power, target):
                return ClauseVerdict.VOID
            at = find_targets(before, target)
            return _verdict(kept=any(_goes_to(order) in at for order in given.values()))
        case ShowOrdersClause():
            told = {_space_of(order): order for order in (shown or {}).get(clause.power, ())}
            return _verdict(kept=clause.power in (shown or {}) and all(given.get(at) == told[at] for at in told if at))


def _verdict(*, kept: bool) -> ClauseVerdict:
    return ClauseVerdict.KEPT if kept else ClauseVerdict.BROKEN


def _goes_to(order: Order) -> Code | None:
    """Return the space into which an order moves a unit or supports a move."""
    if isinstance(order, Move | Support):
        return order.to.space if order.to else None
    return None


def _breaks(clause: KeepOutClause | LeaveCentresClause, order: Order, powers: Mapping[Code, Power]) -> bool:
    """Return whether an order breaks a promise about spaces; `powers` are those of the units, by space."""
    if _goes_to(order) not in clause.spaces:
        return False
    if isinstance(order, Move):
        return True
    helped = powers.get(order.other.location.space) if isinstance(order, Support) else None
    return isinstance(clause, LeaveCentresClause) and helped not in (None, clause.power, clause.to)
