"""A negotiation: two rounds of offers and answers in a movement, for players of any kind; pure but for asking them.

Everybody is asked at once in each step, so that no power gains by its place. Nothing that a player says stops the
phase: what is not understood, void or too much is left out, and a sentence says so.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from plenipo.bots.deals.agreements import Agreement, complete_orders, list_breaches
from plenipo.bots.deals.clauses import Clause, ProposedDeal, ShowOrdersClause, why_void
from plenipo.bots.deals.talks import MOST_OFFERS, DealOffer, Reply, Talks
from plenipo.engine.orders import Order
from plenipo.engine.outcome import Resolution
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import say

__all__ = ["ROUNDS", "Ledger", "Remark", "hold_talks"]

ROUNDS = 2
"""The number of rounds in a movement; in each, all make offers and then answer those they were made."""

Ask = Callable[[Power, Talks], Reply]
"""Asks a power what it says; it raises nothing."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence about something that a power said and that was not understood or not passed on."""

    power: Power
    sentence: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """All deals of a game so far."""

    agreements: tuple[Agreement, ...] = ()
    movement: int = 0
    """The number of movements that are over."""
    offered: int = 0
    """The number of offers made so far."""

    def talks_of(self, power: Power, partners: Sequence[Power] = ()) -> Talks:
        """Return what a power knows: its own deals, and all breaches."""
        own = tuple(one for one in self.agreements if power in (one.deal.proposer, one.deal.partner))
        others = tuple(partner for partner in partners if partner != power)
        return Talks(self.movement, others, own, list_breaches(self.agreements), may_offer=False)

    def list_showing(self) -> tuple[Power, ...]:
        """Return the powers that have promised to show their orders in this movement."""
        showing = {
            clause.power
            for one in self.agreements
            for clause in one.open_clauses
            if isinstance(clause, ShowOrdersClause)
        }
        return tuple(sorted(showing))

    def judge(
        self, rules: Rules, resolution: Resolution, shown: Mapping[Power, Sequence[Order]] | None = None
    ) -> "Ledger":
        """Return the deals after a movement, with the judgement of their clauses."""
        agreements = tuple(one.judge(rules, resolution, shown) if one.open_clauses else one for one in self.agreements)
        return replace(self, agreements=agreements, movement=self.movement + 1)


def hold_talks(
    rules: Rules, position: Position, ledger: Ledger, powers: Sequence[Power], ask: Ask
) -> tuple[Ledger, tuple[Remark, ...]]:
    """Return the deals after the talks of a movement, and the sayings of powers that were left out."""
    remarks: list[Remark] = []
    pending: tuple[DealOffer, ...] = ()
    for step in range(ROUNDS + 1):
        replies: dict[Power, Reply] = {}
        for power in powers:
            mine = tuple(offer for offer in pending if offer.deal.partner == power)
            if step < ROUNDS or mine:
                talks = ledger.talks_of(power, powers)._replace(step=step, offers=mine, may_offer=step < ROUNDS)
                replies[power] = ask(power, talks)
        ledger = _conclude(rules, position, ledger, pending, replies, remarks)
        offers: list[DealOffer] = []
        for power, reply in replies.items():
            for deal in _sift(rules, position, ledger, power, reply, powers, remarks) if step < ROUNDS else ():
                offers.append(DealOffer(ledger.offered + len(offers), deal))
        ledger = replace(ledger, offered=ledger.offered + len(offers))
        pending = tuple(offers)
    return ledger, tuple(remarks)


def _conclude(
    rules: Rules,
    position: Position,
    ledger: Ledger,
    pending: Sequence[DealOffer],
    replies: Mapping[Power, Reply],
    remarks: list[Remark],
) -> Ledger:
    """Return the deals with those offers that were accepted, but such as contradict one that was accepted first."""
    for power, reply in replies.items():
        known = {offer.number for offer in pending if offer.deal.partner == power}
        unknown = sorted(set(reply.answers) - known)
        if unknown:
            remarks.append(
                Remark(
                    power, say("{power} answers offer {number}, which nobody made it.", power=power, number=unknown[0])
                )
            )
    for offer in pending:
        reply = replies.get(offer.deal.partner, Reply())
        answer = reply.answers.get(offer.number)
        if answer is None or not answer.accepts:
            continue
        if _is_made(ledger, offer.deal) or why_void(rules, position, offer.deal, _list_held(ledger, offer.deal)):
            continue  # a deal that was accepted at the same time is the same, or contradicts it
        made = Agreement(len(ledger.agreements), offer.deal, position.phase, ledger.movement)
        ledger = replace(ledger, agreements=(*ledger.agreements, made))
    return ledger


def _sift(
    rules: Rules,
    position: Position,
    ledger: Ledger,
    power: Power,
    reply: Reply,
    powers: Sequence[Power],
    remarks: list[Remark],
) -> list[ProposedDeal]:
    """Return the offers of a power that are passed on, and remark on the first that is not for each reason."""
    passed: list[ProposedDeal] = []
    if len(reply.offers) > MOST_OFFERS:
        remarks.append(
            Remark(
                power,
                say(
                    "{power} makes {number} offers at once; the first {most} are passed on.",
                    power=power,
                    number=len(reply.offers),
                    most=MOST_OFFERS,
                ),
            )
        )
    for offered in reply.offers[:MOST_OFFERS]:
        why = ""
        if offered.proposer != power:
            why = say("{power} cannot propose a deal for {other}.", power=power, other=offered.proposer)
        elif offered.partner not in powers:
            why = say(
                "{other} does not negotiate, so {power} can make no deal with it.", power=power, other=offered.partner
            )
        else:
            why = why_void(rules, position, offered)
        if why:
            remarks.append(Remark(power, str(why)))
            continue
        deal = complete_orders(rules, position, offered)
        # a deal made in the same step may stand against it, or be the same
        if (
            deal not in passed
            and not _is_made(ledger, deal)
            and not why_void(rules, position, deal, _list_held(ledger, deal))
        ):
            passed.append(deal)
    return passed


def _is_made(ledger: Ledger, deal: ProposedDeal) -> bool:
    """Return whether all clauses of a deal bind its partners already."""
    return set(deal.clauses) <= set(_list_held(ledger, deal))


def _list_held(ledger: Ledger, deal: ProposedDeal) -> list[Clause]:
    """Return the clauses that bind the partners of a deal."""
    two = (deal.proposer, deal.partner)
    return [clause for one in ledger.agreements for clause in one.open_clauses if clause.power in two]
