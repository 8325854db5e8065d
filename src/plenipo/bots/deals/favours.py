"""Favours: the help that two powers gave each other by deals, and how far one goes ahead with it; pure."""

from collections.abc import Iterable

from plenipo.bots.deals.agreements import Agreement
from plenipo.bots.deals.clauses import Clause, ClauseVerdict, OrderClause
from plenipo.engine.orders import Convoy, Support
from plenipo.engine.position import Power

__all__ = ["MOST_AHEAD", "count_favours", "helps_ahead", "is_favour"]

MOST_AHEAD = 2
"""The number of favours that a power gives before one is returned."""


def is_favour(clause: Clause) -> bool:
    """Return whether a promise is one of help: a support or a convoy."""
    return isinstance(clause, OrderClause) and isinstance(clause.order, Support | Convoy)


def count_favours(agreements: Iterable[Agreement], power: Power, partner: Power) -> int:
    """Return the number of supports and convoys that a power promised a partner, and gave."""
    return sum(
        judgement.verdict is ClauseVerdict.KEPT and judgement.clause.power == power and is_favour(judgement.clause)
        for one in agreements
        if {power, partner} == {one.deal.proposer, one.deal.partner}
        for judgement in one.judged
    )


def helps_ahead(agreements: Iterable[Agreement], power: Power, partner: Power) -> bool:
    """Return whether a power may give a partner more than it receives: its favours were returned, or nearly so."""
    known = tuple(agreements)
    return count_favours(known, power, partner) - count_favours(known, partner, power) < MOST_AHEAD
