"""The messages of a negotiation, as values: those that players receive and those that they send."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from plenipo.bots.deals.agreements import Agreement, Breach
from plenipo.bots.deals.clauses import Clause, ProposedDeal
from plenipo.engine.orders import Order
from plenipo.engine.position import Power

__all__ = ["MOST_OFFERS", "DealOffer", "OfferAnswer", "Reply", "Talks"]

MOST_OFFERS = 6
"""The largest number of offers that a power makes in a round; further ones are not passed on."""


class DealOffer(NamedTuple):
    """A deal that waits for the answer of its partner, and the number by which it is answered."""

    number: int
    deal: ProposedDeal


class OfferAnswer(NamedTuple):
    """An answer to an offer; it may give its reason as a sentence."""

    accepts: bool
    reason: str = ""


class Talks(NamedTuple):
    """The knowledge of a power about the negotiations in a movement."""

    movement: int
    """The number of the movement in the game, from 0 on."""
    partners: tuple[Power, ...] = ()
    """The powers that negotiate, without the power itself."""
    agreements: tuple[Agreement, ...] = ()
    """All deals that the power has made so far."""
    breaches: tuple[Breach, ...] = ()
    """All promises broken so far, by whomever."""
    offers: tuple[DealOffer, ...] = ()
    """Offers that wait for its answer."""
    step: int = 0
    """The number of times the power was asked before in this movement, if it had to be: 0 to 2."""
    may_offer: bool = True
    shown: Mapping[Power, Sequence[Order]] = {}
    """Orders that partners have shown."""

    def promises_of(self, power: Power) -> tuple[Clause, ...]:
        """Return the clauses of the deals known here that bind a power now."""
        return tuple(clause for one in self.agreements for clause in one.open_clauses if clause.power == power)


class Reply(NamedTuple):
    """The words of a power in a step: answers by the number of the offer, and offers of its own."""

    answers: Mapping[int, OfferAnswer] = {}
    offers: tuple[ProposedDeal, ...] = ()
    reasons: tuple[str, ...] = ()
    """A sentence for each offer that says why it is made; none if the power was not asked for them."""
