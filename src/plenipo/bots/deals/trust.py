"""Trust: how likely a partner is to keep a clause, learned from those it kept and broke; in whole numbers, pure."""

from collections.abc import Iterable

from plenipo.bots.deals.agreements import Agreement, Breach
from plenipo.bots.deals.clauses import ClauseVerdict
from plenipo.engine.position import Power

__all__ = ["SANCTION", "TRUST_ONE", "find_trust", "is_sanctioned"]

TRUST_ONE = 1024
"""Certainty that a clause is kept."""

KEPT_BEFORE, BROKEN_BEFORE = 3, 1
"""The clauses that a power counts as kept and broken by a partner of whom it knows nothing."""

SANCTION = 4
"""The number of movements for which a power makes no deal with a partner that broke one with it."""

OWN, PUBLIC = 4, 2
"""The weights of a clause of a deal of the power itself, and of a breach of the partner's deals with others."""

FADING = (4, 5)
"""The part of its weight that a clause keeps from year to year."""

FINE = 1 << 16


def find_trust(
    agreements: Iterable[Agreement],
    breaches: Iterable[Breach],
    power: Power,
    partner: Power,
    movement: int,
    year: int = 2,
) -> int:
    """Return how likely `power` takes `partner` to be to keep a clause, in parts of `TRUST_ONE`.

    `agreements` are those of `power`; `breaches` are all that are known; `year` is the number of movements in a year.
    The mean of a Beta distribution: clauses of its own deals count fully, breaches of deals with others half; all
    count less with each year that passes.
    """
    kept, broken = KEPT_BEFORE * OWN * FINE, BROKEN_BEFORE * OWN * FINE
    for one in agreements:
        if partner not in (one.deal.proposer, one.deal.partner) or power not in (one.deal.proposer, one.deal.partner):
            continue
        for place, judgement in enumerate(one.judged):
            if judgement.clause.power != partner:
                continue
            weight = _fade(OWN, movement - one.movement - min(place, one.past - 1), year)
            kept += weight * (judgement.verdict is ClauseVerdict.KEPT)
            broken += weight * (judgement.verdict is ClauseVerdict.BROKEN)
    for breach in breaches:
        if breach.breaker == partner and breach.partner != power:
            broken += _fade(PUBLIC, movement - breach.movement, year)
    return kept * TRUST_ONE // (kept + broken)


def _fade(weight: int, movements: int, year: int) -> int:
    """Return the weight of an event so many movements ago, in parts of 1 / `FINE`."""
    fine = weight * FINE
    for _ in range(max(0, movements) // max(1, year)):
        fine = fine * FADING[0] // FADING[1]
    return fine


def is_sanctioned(breaches: Iterable[Breach], power: Power, partner: Power, movement: int) -> bool:
    """Return whether `power` still punishes `partner` for a promise to it that was broken."""
    return any(
        breach.breaker == partner and breach.partner == power and 0 < movement - breach.movement <= SANCTION
        for breach in breaches
    )
