"""Bargaining: the value of deals by the search, which are offered and accepted, and when one is broken.

The value of a deal is what the search expects when both keep it, less what it expects now. The partner's sampled orders
keep its promises as often as it is trusted to. The search looks a year ahead, so two gains are added that come later:
a peace with a neighbour, and the favour that is owed for help. Offered is the deal with the greatest product of what it
is worth to both. All numbers are whole: the same seed gives the same deals.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from threading import Lock

from plenipo.batch.refusals import UnsupportedRules
from plenipo.bots import thinking
from plenipo.bots.deals.candidates import LASTING, find_candidates, find_leader
from plenipo.bots.deals.clauses import (
    AttackClause,
    Clause,
    KeepOutClause,
    LeaveCentresClause,
    OrderClause,
    ProposedDeal,
    find_targets,
    why_void,
)
from plenipo.bots.deals.dealers import NO_DEALS, DealStyle, Keeping
from plenipo.bots.deals.favours import helps_ahead, is_favour
from plenipo.bots.deals.prospects import CentreProspects, count_prospects, describe_difference
from plenipo.bots.deals.talks import OfferAnswer, Reply, Talks
from plenipo.bots.deals.trust import SANCTION, TRUST_ONE, find_trust, is_sanctioned
from plenipo.bots.evaluation import SHARE_ONE
from plenipo.bots.levels import Level
from plenipo.bots.search_tables import UNBOUND, Bound, Outlook, SampledPromise
from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.view import View
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import Legality, LegalOrders
from plenipo.engine.position import Power
from plenipo.engine.sentences import SentenceKind
from plenipo.errors import IllegalOrder, InvalidPosition

__all__ = ["bargain", "think_with_deals"]

_BROKE = SentenceKind("refusal-broke", "{power} broke a promise to me less than {count} movements ago.")
_COSTS = SentenceKind(
    "refusal-costs", "It would cost me {loss} of 1000 parts of the board.", note="{loss} is a whole number."
)
_BRINGS_NOTHING = SentenceKind("refusal-brings-nothing", "It would bring me nothing.")
_BETTER_ONE = SentenceKind("refusal-better-one", "I take another of your offers.")
_FAVOUR = SentenceKind("answer-favour", "It helps you more than it costs me, and you owe me a favour then.")
_PEACE = SentenceKind("answer-peace", "It brings me nothing now, but peace with you leaves me free elsewhere.")
_BRINGS = SentenceKind(
    "answer-brings", "It would bring me {gain} of 1000 parts of the board.", note="{gain} is a whole number."
)

BARGAIN = Level(8, 6, 8, 1, 3, 0, 4)
"""The effort of the small search of each partner before deals are weighed."""

CAREFUL = BARGAIN._replace(samples=20)
"""The effort where a person waits for the answer and reads its reasons."""

PLANS, CANDIDATES, PARTNERS, OFFERS = 4, 7, 2, 2
"""The numbers of plans of each partner and of deals with each that are weighed, of partners, and of deals offered to
each in a step."""

LEAST_GAIN = SHARE_ONE * 2 // 1000
"""The gain from which on a deal is offered and accepted; smaller ones are within the error of the samples."""

RETURNED = 2
"""A gain of the partner is worth one part in so many to a power that helps ahead of it."""

MOST_COST = SHARE_ONE * 10 // 1000
"""The most that a deal may cost a power now for what it is worth later."""

USUAL_YEAR = 2
"""The number of movements of a year, as long as none is over."""

GAIN_OF_DEAL = SHARE_ONE * 8 // 1000
"""The gain that a deal is taken to bring in a movement; a breach costs that for as long as it is punished."""


_OUTLOOKS: OrderedDict[tuple[int, Power, Power, int, int], tuple[View, Outlook]] = OrderedDict()
_LOCK = Lock()
MOST_OUTLOOKS = 64


def bargain(
    view: View, legal: LegalOrders, seed: int, style: DealStyle, talks: Talks, *, explains: bool = False
) -> Reply:
    """Return the answers of the power of `legal` to the offers it has, and its own offers if it may make some.

    With `explains` it weighs them in more samples, and says in how many of them a deal changes what it wins or loses.
    """
    if view.position.phase.kind is not PhaseKind.MOVEMENT:
        return Reply()
    try:
        with thinking.lend_head(view) as head:
            return _Bargainer(head, view, legal, seed, style, talks, explains=explains).reply()
    except (UnsupportedRules, InvalidPosition, IllegalOrder):
        return Reply({offer.number: OfferAnswer(accepts=False, reason=NO_DEALS()) for offer in talks.offers})


def think_with_deals(
    view: View, legal: LegalOrders, seed: int, level: Level, style: DealStyle, talks: Talks
) -> list[Order]:
    """Return the orders of the power of `legal`, who keeps its promises unless its style has it break them."""
    if view.position.phase.kind is not PhaseKind.MOVEMENT or not talks.agreements:
        return thinking.think(view, legal, seed, level)
    try:
        with thinking.lend_head(view) as head:
            bargainer = _Bargainer(head, view, legal, seed, style, talks)
            theirs = bargainer.list_promises_of_others()
            bound = bargainer.find_bound()
    except (UnsupportedRules, InvalidPosition, IllegalOrder):
        return thinking.think(view, legal, seed, level)
    return thinking.think(view, legal, seed, level, bound=bound, promises=theirs)


def _list_kept_out(clauses: Iterable[Clause]) -> frozenset[Code]:
    """Return the spaces of which clauses say that units keep out for as long as a peace lasts."""
    return frozenset(
        code
        for clause in clauses
        if isinstance(clause, KeepOutClause) and clause.movements >= LASTING
        for code in clause.spaces
    )


class _Bargainer:
    """One power in the negotiations of a movement."""

    def __init__(
        self,
        head: thinking.Head,
        view: View,
        legal: LegalOrders,
        seed: int,
        style: DealStyle,
        talks: Talks,
        *,
        explains: bool = False,
    ) -> None:
        self.head, self.view, self.legal, self.seed = head, view, legal, seed
        self.effort, self.explains = CAREFUL if explains else BARGAIN, explains
        self.style, self.talks, self.power = style, talks, legal.power
        self.rules, self.position = view.rules, view.position
        self.legality = Legality(view.rules, view.position)
        self.number = head.tables.power_number
        self._values: dict[tuple[Power, tuple[Clause, ...], tuple[SampledPromise, ...]], int] = {}
        head.put(legal.position)

    # ------------------------------------------------------------------ the search

    def look_out(self, power: Power) -> Outlook:
        """Return the outlook of a power as this one imagines it; kept for the rounds of a movement."""
        key = id(self.position), self.power, power, self.seed, self.effort.samples
        with _LOCK:
            known = _OUTLOOKS.get(key)
        thinker = self.head.thinker
        if known is not None:
            # the head may have thought about another position meanwhile
            self.head.put(self.legal.position)
            thinker.set_position(self.head.state, 0)
            return known[1]
        likely = None
        if power == self.power:
            likely = thinking.find_likely_styles(self.view, self.head, self.number[power], self.effort)
            self.head.put(self.legal.position)
        found = thinker.look_out(self.head.state, 0, self.number[power], self.seed, self.effort, PLANS, likely)
        with _LOCK:
            _OUTLOOKS[key] = self.view, found  # the view is kept, so that no other position can have its number
            while len(_OUTLOOKS) > MOST_OUTLOOKS:
                _OUTLOOKS.popitem(last=False)
        return found

    def value(self, power: Power, own: Sequence[Clause], others: Sequence[SampledPromise]) -> int:
        """Return what a power may expect that keeps clauses, while others keep theirs."""
        key = power, tuple(own), tuple(others)
        if key not in self._values:
            bound, outlook = thinking.pack_clauses(self.head, own), self.look_out(power)
            self._values[key] = self.head.thinker.evaluate_promises(outlook, self.effort, self.seed, bound, others)[0]
        return self._values[key]

    def trust(self, partner: Power) -> int:
        """Return how likely a partner is to keep a clause."""
        last = self.position.phase.year - 1
        phases = (turn.resolution.before.phase for turn in self.view.turns)
        year = sum(phase.year == last and phase.kind is PhaseKind.MOVEMENT for phase in phases)
        return find_trust(
            self.talks.agreements, self.talks.breaches, self.power, partner, self.talks.movement, year or USUAL_YEAR
        )

    def promise(self, clauses: Sequence[Clause], power: Power, share: int) -> SampledPromise:
        """Return promises of another power for the samples."""
        attacked = frozenset(
            self.head.tables.space_number[code]
            for clause in clauses
            if isinstance(clause, AttackClause)
            for code in find_targets(self.position, clause.target)
            if code in self.head.tables.space_number
        )
        lasting = any(
            isinstance(clause, KeepOutClause | LeaveCentresClause) and clause.movements > 1 for clause in clauses
        )
        bound = thinking.pack_clauses(self.head, clauses)
        return SampledPromise(self.number[power], bound, share, attacked, friendly=lasting)

    def list_promises_of_others(self, but: Power | None = None) -> list[SampledPromise]:
        """Return what the partners of this power have promised it, each kept as often as it is trusted to."""
        found = []
        for partner in sorted({one.deal.other(self.power) for one in self.talks.agreements}):
            clauses = self.talks.promises_of(partner)
            shown = self.talks.shown.get(partner, ())
            if shown:
                clauses = (*clauses, *(OrderClause(partner, order) for order in shown))
            if clauses and partner != but:
                found.append(self.promise(clauses, partner, TRUST_ONE if shown else self.trust(partner)))
        return found

    # ------------------------------------------------------------------ answers and offers

    def reply(self) -> Reply:
        """Return the answers and offers of a round."""
        answers, accepted = self.answer_all()
        if not self.talks.may_offer:
            return Reply(answers)
        taken = {deal.proposer for deal in accepted}
        refused = {offer.deal.proposer for offer in self.talks.offers} - taken
        promised = [clause for deal in accepted for clause in deal.promises_of(self.power)]
        partners = [
            partner
            for partner in self._nearest_partners()
            if partner not in taken and not self._punishes(partner) and not self._is_at_limit(partner)
        ]
        if self.talks.step > 0:
            # earlier offers would be refused again; an offer that was refused is answered with another one
            partners = [partner for partner in partners if partner in refused]
        offers: list[ProposedDeal] = []
        for partner in partners[:PARTNERS]:
            # offers to different partners are to go together
            found = self.list_offers(partner, promised)
            promised += [clause for deal in found[:1] for clause in deal.promises_of(self.power)]
            offers += found
        reasons = tuple(self.explain(deal, self.weigh(self.power, deal)) for deal in offers) if self.explains else ()
        return Reply(answers, tuple(offers), reasons)

    def answer_all(self) -> tuple[dict[int, OfferAnswer], list[ProposedDeal]]:
        """Return the answers to all offers, and the deals accepted: those that bring most and go together."""
        weighed = [(self.why_refused(offer.deal), offer) for offer in self.talks.offers]
        values = {offer.number: self.weigh(self.power, offer.deal) for why, offer in weighed if not why}
        answers = {offer.number: OfferAnswer(accepts=False, reason=why) for why, offer in weighed if why}
        accepted: list[ProposedDeal] = []
        held = list(self.talks.promises_of(self.power))
        for why, offer in sorted(weighed, key=lambda one: -values.get(one[1].number, 0)):
            if why:
                continue
            worth, deal = values[offer.number], offer.deal
            reason: str
            if worth < LEAST_GAIN:
                reason = self.explain(deal, worth)
            elif any(one.proposer == deal.proposer for one in accepted):
                reason = _BETTER_ONE()
            else:
                reason = why_void(self.rules, self.position, deal, held)
            accepts = not reason
            if accepts:
                accepted.append(deal)
                held += deal.promises_of(self.power)
                reason = self.explain(deal, worth) if self.explains else ""
            answers[offer.number] = OfferAnswer(accepts=accepts, reason=reason)
        return answers, accepted

    def explain(self, deal: ProposedDeal, worth: int) -> str:
        """Return a sentence about the reason for what a deal is worth to this power."""
        gain = self.gain(self.power, deal)
        parts = abs(gain) * 1000 // SHARE_ONE
        if worth >= LEAST_GAIN > gain:
            return _PEACE() if self._is_peace(self.power, deal) else _FAVOUR()
        if self.explains:
            without, within = self.foresee(deal)
            if told := describe_difference(self.view, without, within, better=worth >= LEAST_GAIN):
                return told
        if worth >= LEAST_GAIN:
            return _BRINGS(gain=parts)
        return _COSTS(loss=parts) if gain < 0 and parts else _BRINGS_NOTHING()

    def foresee(self, deal: ProposedDeal) -> tuple[CentreProspects, CentreProspects]:
        """Return in how many samples this power takes and loses centres, without a deal and with it."""
        held, promised = self.talks.promises_of(self.power), deal.promises_of(self.power)
        if self.style.keeping is Keeping.NEVER:
            held = promised = ()
        now, after = self.list_kept(deal)
        return self.count(held, now), self.count((*held, *promised), after)

    def count(self, own: Sequence[Clause], others: Sequence[SampledPromise]) -> CentreProspects:
        """Return in how many samples the best plan of this power takes and loses which centres."""
        thinker, outlook = self.head.thinker, self.look_out(self.power)
        bound = thinking.pack_clauses(self.head, own)
        _, plan = thinker.evaluate_promises(outlook, self.effort, self.seed, bound, others)
        rows = thinker.list_judged_plans(self.effort)[1]
        mine = thinking.list_plans(self.head, plan[None], self.power)[0]
        cases = [{**thinking.read_sample(self.head, row, self.power), self.power: mine} for row in rows]
        return count_prospects(self.view, self.power, cases)

    def why_refused(self, deal: ProposedDeal) -> str:
        """Return why a deal is refused whatever it would bring; empty if it is to be weighed."""
        held = (*self.talks.promises_of(self.power), *self.talks.promises_of(deal.proposer))
        why = why_void(self.rules, self.position, deal, held)
        if not why and self._punishes(deal.proposer):
            why = _BROKE(power=deal.proposer, count=SANCTION + 1)
        return why

    def _nearest_powers(self) -> list[Power]:
        near = self.head.thinker.list_nearest(self.head.state, 0, self.number[self.power])
        powers = {number: power for power, number in self.number.items()}
        return [powers[number] for number in near]

    def _nearest_partners(self) -> list[Power]:
        return [one for one in self._nearest_powers() if one in self.talks.partners]

    def _punishes(self, partner: Power) -> bool:
        if not self.style.punishes:
            return False
        return is_sanctioned(self.talks.breaches, self.power, partner, self.talks.movement)

    def _is_at_limit(self, partner: Power) -> bool:
        """Return whether a deal of this movement with a partner is enough."""
        return any(
            one.movement == self.talks.movement and one.deal.other(self.power) == partner
            for one in self.talks.agreements
        )

    def gain(self, power: Power, deal: ProposedDeal) -> int:
        """Return what a power gains by a deal, as this one sees it."""
        held = self.talks.promises_of(power)
        now, after = self.list_kept(deal, power)
        promised = deal.promises_of(power)
        if power == self.power and self.style.keeping is Keeping.NEVER:
            held, promised = (), ()
        return self.value(power, (*held, *promised), after) - self.value(power, held, now)

    def weigh(self, power: Power, deal: ProposedDeal) -> int:
        """Return what a deal is worth to a power: its gain, the gain of a peace, and the favour that it is owed."""
        own = self.gain(power, deal)
        if own < -MOST_COST:
            return own
        partner = deal.other(power)
        if self._is_peace(power, deal):
            own = max(own, LEAST_GAIN)
        helps = any(map(is_favour, deal.promises_of(power)))
        if helps and helps_ahead(self.talks.agreements, power, partner):
            own += self.gain(partner, deal) // RETURNED
        return own

    def _is_peace(self, power: Power, deal: ProposedDeal) -> bool:
        """Return whether a deal is a lasting peace that a power has a use for.

        It has no use for peace with a partner that is about to win, nor if no other neighbour is left to fight.
        """
        partner = deal.other(power)
        theirs, own = _list_kept_out(deal.promises_of(partner)), self.position.centres_of(power)
        if not _list_kept_out(deal.promises_of(power)) or 2 * len(theirs.intersection(own)) < len(own):
            return False
        if power != self.power:
            return True
        spared = {one.deal.other(power) for one in self.talks.agreements if _list_kept_out(one.open_clauses)}
        foes = [one for one in self._nearest_powers() if one not in spared and one != partner]
        return bool(foes) and find_leader(self.rules, self.legality) != partner

    def list_kept(
        self, deal: ProposedDeal, power: Power | None = None
    ) -> tuple[list[SampledPromise], list[SampledPromise]]:
        """Return what others are taken to keep without a deal, and with it, as this power or its partner sees it."""
        power = power or self.power
        partner = deal.other(power)
        share = self.trust(partner) if power == self.power else TRUST_ONE
        others = self.list_promises_of_others(but=partner) if power == self.power else []
        before = self.talks.promises_of(partner)
        now = [*others, *([self.promise(before, partner, share)] if before else [])]
        return now, [*others, self.promise((*before, *deal.promises_of(partner)), partner, share)]

    def list_offers(self, partner: Power, promised: Sequence[Clause] = ()) -> list[ProposedDeal]:
        """Return the deals with a partner that bring both most, the best first; `promised` binds this power too."""
        held = (*promised, *self.talks.promises_of(self.power), *self.talks.promises_of(partner))
        mine, theirs = self.look_out(self.power), self.look_out(partner)
        candidates = find_candidates(
            self.legality,
            self.power,
            partner,
            thinking.list_plans(self.head, mine.plans, self.power),
            thinking.list_plans(self.head, theirs.plans, partner),
            held,
            CANDIDATES,
        )
        ranked = []
        for place, deal in enumerate(candidates):
            own = self.weigh(self.power, deal)
            if own < LEAST_GAIN:
                continue
            other = self.weigh(partner, deal)
            if other >= LEAST_GAIN:
                ranked.append((-own * other, place, deal))
        return [deal for _, _, deal in sorted(ranked, key=lambda one: one[:2])[:OFFERS]]

    # ------------------------------------------------------------------ orders

    def find_bound(self) -> Bound:
        """Return what the orders of this power keep to: its promises, or nothing where a breach pays or is its way."""
        promises = self.talks.promises_of(self.power)
        if self.style.keeping is Keeping.NEVER or not promises:
            return UNBOUND
        attack = self._find_attack(promises, thinking.pack_clauses(self.head, promises))
        if self.style.keeping is Keeping.IF_BETTER:
            others = self.list_promises_of_others()
            outlook = self.look_out(self.power)
            kept = self.head.thinker.evaluate_promises(outlook, self.effort, self.seed, attack, others)[0]
            free = self.value(self.power, (), others)
            victims = {one.deal.other(self.power) for one in self.talks.agreements if one.open_clauses}
            if free - kept > GAIN_OF_DEAL * SANCTION * len(victims):
                return UNBOUND
        return attack

    def _find_attack(self, promises: Sequence[Clause], bound: Bound) -> Bound:
        """Return the bound with an attack in it where one was promised: the one that promises most."""
        for clause in promises:
            if not isinstance(clause, AttackClause):
                continue
            at = find_targets(self.position, clause.target)
            options = thinking.list_attacks(self.head, self.legal, at, bound)
            if not options:
                continue
            others = self.list_promises_of_others()
            outlook = self.look_out(self.power)
            bound = max(
                options,
                key=lambda one: self.head.thinker.evaluate_promises(outlook, self.effort, self.seed, one, others)[0],
            )
        return bound
