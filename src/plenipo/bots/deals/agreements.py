"""Deals that were made, followed over the movements for which they hold; pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from plenipo.bots.deals.clauses import (
    Clause,
    ClauseVerdict,
    KeepOutClause,
    LeaveCentresClause,
    OrderClause,
    ProposedDeal,
    judge_clause,
)
from plenipo.engine.calendar import Phase
from plenipo.engine.orders import Hold, Move, MovementOrder, Order
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules

__all__ = ["Agreement", "Breach", "Judgement", "complete_orders", "keep_promises", "list_breaches", "list_promises"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a clause in one movement."""

    phase: Phase
    clause: Clause
    verdict: ClauseVerdict


@dataclass(frozen=True, slots=True)
class Breach:
    """A public fact: a power broke a promise to another in the `movement`-th movement of the game."""

    movement: int
    breaker: Power
    partner: Power


@dataclass(frozen=True, slots=True)
class Agreement:
    """A deal that both partners accepted, in the `movement`-th movement of the game, and what became of it so far.

    A deal ends for both when either breaks a clause.
    """

    number: int
    deal: ProposedDeal
    phase: Phase
    movement: int
    judged: tuple[Judgement, ...] = ()
    past: int = 0
    """The number of movements since, that of the deal included."""

    @property
    def is_broken(self) -> bool:
        """True if one of the partners broke a clause."""
        return any(judgement.verdict is ClauseVerdict.BROKEN for judgement in self.judged)

    @property
    def open_clauses(self) -> tuple[Clause, ...]:
        """The clauses that still bind the partners."""
        if self.is_broken:
            return ()
        return tuple(clause for clause in self.deal.clauses if clause.movements > self.past)

    def verdict_of(self, clause: Clause) -> ClauseVerdict | None:
        """Return what became of a clause in all; None while it is open."""
        verdicts = {judgement.verdict for judgement in self.judged if judgement.clause == clause}
        if ClauseVerdict.BROKEN in verdicts:
            return ClauseVerdict.BROKEN
        if clause in self.open_clauses:
            return None
        return ClauseVerdict.KEPT if ClauseVerdict.KEPT in verdicts else ClauseVerdict.VOID

    def judge(
        self, rules: Rules, resolution: Resolution, shown: Mapping[Power, Sequence[Order]] | None = None
    ) -> "Agreement":
        """Return the deal after a movement, with a judgement of each clause that was open."""
        judged = tuple(
            Judgement(resolution.before.phase, clause, judge_clause(rules, resolution, clause, shown))
            for clause in self.open_clauses
        )
        return replace(self, judged=self.judged + judged, past=self.past + 1)


def list_promises(agreements: Iterable[Agreement], power: Power) -> tuple[Clause, ...]:
    """Return the clauses that bind a power now."""
    return tuple(clause for one in agreements for clause in one.open_clauses if clause.power == power)


def list_breaches(agreements: Iterable[Agreement]) -> tuple[Breach, ...]:
    """Return all promises that were broken, one for each deal and power."""
    return tuple(
        Breach(one.movement + one.past - 1, power, one.deal.other(power))
        for one in agreements
        for power in (one.deal.proposer, one.deal.partner)
        if any(
            judgement.clause.power == power and judgement.verdict is ClauseVerdict.BROKEN for judgement in one.judged
        )
    )


def keep_promises(orders: Sequence[Order], promises: Iterable[Clause]) -> list[Order]:
    """Return orders of a movement changed so that they keep promises about orders and spaces.

    This is for players that know of no deals; what they order else stays.
    """
    promises = tuple(promises)
    promised = {
        one.order.unit.location.space: one.order
        for one in promises
        if isinstance(one, OrderClause) and isinstance(one.order, MovementOrder)
    }
    barred = {code for one in promises if isinstance(one, KeepOutClause | LeaveCentresClause) for code in one.spaces}
    kept: list[Order] = []
    for order in orders:
        if isinstance(order, MovementOrder) and order.unit.location.space in promised:
            kept.append(promised[order.unit.location.space])
        elif isinstance(order, Move) and order.to.space in barred:
            kept.append(Hold(order.unit))
        else:
            kept.append(order)
    return kept


def complete_orders(rules: Rules, position: Position, deal: ProposedDeal) -> ProposedDeal:
    """Return the deal with its orders completed, as they are when they have been adjudicated."""
    legality = Legality(rules, position)
    clauses = tuple(
        replace(clause, order=legality.check(clause.power, clause.order).order or clause.order)
        if isinstance(clause, OrderClause)
        else clause
        for clause in deal.clauses
    )
    return replace(deal, clauses=clauses)
