"""Deals in a hosted game: offered by a person, and answered by another person or at once by a computer player.

Only the two seats of a deal know of it. Computer players weigh deals while a person waits for the answer, never while a
phase is processed. An offer without an answer ends with its phase.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random
from typing import Any

from plenipo.bots import LEVELS
from plenipo.bots.deals.agreements import Agreement, complete_orders
from plenipo.bots.deals.clauses import Clause, OrderClause, ProposedDeal, ShowOrdersClause, why_void
from plenipo.bots.deals.notation import NotUnderstood, encode_clause, read_deal
from plenipo.bots.deals.talks import DealOffer, Reply
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.sentence_json import encode_sentence
from plenipo.engine.history.view import view
from plenipo.engine.orders import Move
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.sentences import SentenceKind
from plenipo.server import proposals
from plenipo.server.broker import Announcement
from plenipo.server.computer_players import ComputerPlayers
from plenipo.server.computers import find_dealer, order_with_deals
from plenipo.server.deal_ledger import talks_of_seat
from plenipo.server.errors import DealRefused, MessageRefused
from plenipo.server.games import Games
from plenipo.server.hosted_game import HOTSEAT, Credentials, HostedGame
from plenipo.server.hosting import press
from plenipo.server.notifications import of_offer
from plenipo.server.permissions import own_seat, require_phase
from plenipo.server.quota import require_room_in
from plenipo.server.store import GameChange
from plenipo.server.store.deals import DealsChanged
from plenipo.server.store.row_numbers import draw_number_beside
from plenipo.server.store.values import StoredDeal

__all__ = ["MOST_PROPOSALS", "Bargains", "Understanding", "deals_of_seat", "why_no_deals", "why_no_partner"]

_GAME_OVER = SentenceKind("server-deal-game-over", "The game is over; no more deals are made.")
_FORMING = SentenceKind("server-deal-forming", "Deals are made once the game has started.")
_HIDDEN = SentenceKind(
    "server-deal-hidden",
    "In this game parts of the board are hidden, so clauses could not be checked without revealing them.",
)
_WRONG_PHASE = SentenceKind("server-deal-wrong-phase", "Deals are made in movement phases; this is {phase}.")
_NOT_PLAYED = SentenceKind("server-deal-not-played", "'{name}' is not a power that you can make a deal with.")
_OUT = SentenceKind("server-deal-power-out", "{power} is eliminated.")
_SILENT = SentenceKind("server-deal-silent", "The computer that plays {power} makes no deals.")
_SAME_SCREEN = SentenceKind("server-deal-same-screen", "{power} is played at this screen; talk to its player.")
_COMPUTERS_ONLY = SentenceKind(
    "server-deal-computers-only", "In this game there are no messages between players; make deals with computers."
)
_TOO_MANY = SentenceKind("server-deal-too-many", "You have made {most} offers in this phase; wait for the next one.")
_OFFERED = SentenceKind("server-deal-offered", "You have offered this deal in this phase already.")
_MADE = SentenceKind("server-deal-made", "All of this is promised already.")
_UNKNOWN = SentenceKind("server-deal-unknown", "There is no such offer in this phase, or it is already answered.")
_OWN_OFFER = SentenceKind("server-deal-own-offer", "This is your own offer; you can withdraw it.")
_NOTHING_TO_SHOW = SentenceKind("server-deal-nothing-to-show", "You have given no orders yet; show them when you have.")
_NOT_PROMISED = SentenceKind(
    "server-deal-show-not-promised", "In this deal you have not promised to show your orders, or have shown them."
)
_PROMISED_ELSE = SentenceKind("server-deal-promised-else", "I have promised something else.")
_NOTHING_OFFERED = SentenceKind("server-deal-nothing-offered", "I have nothing to offer you in this phase.")
_ALL_OFFERED = SentenceKind("server-deal-all-offered", "You have all my offers for this phase.")
_UNDERSTOOD = SentenceKind(
    "server-deal-understood",
    "I read this as an order, {orders}; offer it as a clause, and I answer.",
    "I read this as orders, {orders}; offer them as clauses, and I answer.",
    count="orders",
)
_NOT_READ = SentenceKind(
    "server-deal-not-read",
    "I do not read sentences, only clauses of deals and orders such as {example}, one per line.",
)

MOST_PROPOSALS = 20
"""The most offers that a seat makes in a phase."""

MOST_UNDERSTOOD = 6
"""The most orders that are read from a text."""


@dataclass(frozen=True)
class Understanding:
    """The meaning of a text to a computer player: a sentence, and the clauses that it could be."""

    said: str
    clauses: tuple[Clause, ...] = ()


def why_no_deals(hosted: HostedGame) -> str:
    """Return why no deals can be made in a game now, as a sentence; empty if they can."""
    phase = hosted.game.position.phase
    if hosted.game.over or hosted.is_cancelled or hosted.is_abandoned:
        return _GAME_OVER()
    if hosted.forming:
        return _FORMING()
    if hosted.rules.has_secrets:
        return _HIDDEN()
    return "" if phase.kind is PhaseKind.MOVEMENT else _WRONG_PHASE(phase=phase)


def why_no_partner(hosted: HostedGame, seat: Power, partner: Power, now: datetime) -> str:
    """Return why a seat can make no deal with another one, as a sentence; empty if it can."""
    if hosted.status(partner) == "out" or not hosted.game.position.units_of(partner):
        return _OUT(power=partner)
    if computer := hosted.computers.get(partner, ""):
        return "" if computer in LEVELS else _SILENT(power=partner)
    if hosted.seating == HOTSEAT:
        return _SAME_SCREEN(power=partner)
    if hosted.timing is None:
        return _COMPUTERS_ONLY()
    return press.why_not(hosted.press_table, seat, [partner], now)


def deals_of_seat(hosted: HostedGame, power: Power) -> tuple[tuple[StoredDeal, Agreement | None], ...]:
    """Return the deals that a seat may know, the newest first, each with its agreement if it was accepted."""
    agreements = {one.number: one for one in hosted.ledger.agreements}
    own = [one for one in hosted.deals if power in (one.proposer, one.partner)]
    own.sort(key=lambda one: (one.made, one.number), reverse=True)
    return tuple((one, agreements.get(one.number)) for one in own)


def _list_held(hosted: HostedGame, power: Power) -> list[Clause]:
    """Return the clauses known to a power that bind it or its partners."""
    own = (one for one in hosted.ledger.agreements if power in (one.deal.proposer, one.deal.partner))
    return [clause for one in own for clause in one.open_clauses]


class Bargains:
    """The deals in the games of one store; safe to use from several threads."""

    def __init__(self, games: Games, computers: ComputerPlayers) -> None:
        self.games, self._computers = games, computers

    def propose(
        self,
        game_id: str,
        credentials: Credentials,
        seat: str,
        phase_number: int,
        partner: str,
        clauses: Sequence[Mapping[str, Any]],
    ) -> None:
        """Offer a deal to another seat; a computer player answers at once, and may make an offer of its own.

        Raise `DealRefused`, `QuotaReached` and the errors of `own_seat`.
        """
        hosted, power = self._begin(game_id, credentials, seat, phase_number)
        try:
            deal = read_deal(hosted.rules, power, {"with": partner, "clauses": list(clauses)})
        except NotUnderstood as fault:
            raise DealRefused(fault.args[0]) from fault
        self._require_partner(hosted, power, deal.partner)
        deal = complete_orders(hosted.rules, hosted.game.position, deal)
        _require_possible(hosted, power, deal)
        _require_new(hosted, power, deal)
        offer = self._make(hosted, deal)
        changed: tuple[StoredDeal, ...] = (offer,)
        if hosted.computers.get(deal.partner):
            changed = self._answer(hosted, offer, deal)
        self._store(game_id, phase_number, changed, lambda now: _require_new(now, power, deal))

    def answer(
        self, game_id: str, credentials: Credentials, seat: str, phase_number: int, number: int, *, accepts: bool
    ) -> None:
        """Accept or refuse an offer, or withdraw an own one; raise `DealRefused` and the errors of `own_seat`."""
        hosted, power = self._begin(game_id, credentials, seat, phase_number)
        offer, deal = _find_open(hosted, power, number)
        if power == offer.proposer:
            if accepts:
                raise DealRefused(_OWN_OFFER())
            state = replace(offer, state="withdrawn")
        elif not accepts:
            state = replace(offer, state="refused")
        else:
            _require_possible(hosted, power, deal)
            if why_void(hosted.rules, hosted.game.position, deal, _list_held(hosted, deal.proposer)):
                state = replace(offer, state="refused", reason=encode_sentence(_PROMISED_ELSE()))
            else:
                state = self._accept(hosted, offer, deal)
        self._store(game_id, phase_number, (state,), lambda now: _find_open(now, power, number))

    def ask(self, game_id: str, credentials: Credentials, seat: str, phase_number: int, partner: str) -> str:
        """Ask a computer player for offers, and return what it says; raise as `propose` does."""
        hosted, power = self._begin(game_id, credentials, seat, phase_number)
        other = self._find_computer(hosted, power, partner)
        reply = self._bargain(hosted, other, power, ())
        known = [one for one in hosted.deals if one.phase_number == hosted.phase_number]
        made: list[StoredDeal] = []
        for offer in self._make_offers(hosted, reply):
            if not any(_is_same(offer, one) for one in (*known, *made)):
                made.append(offer)
        if not made:
            open_ = any(one.proposer == other and one.partner == power and one.state == "open" for one in known)
            return _ALL_OFFERED() if open_ else _NOTHING_OFFERED()
        self._store(game_id, phase_number, tuple(made), lambda _now: None)
        return ""

    def understand(
        self, game_id: str, credentials: Credentials, seat: str, phase_number: int, partner: str, text: str
    ) -> Understanding:
        """Return what a computer player makes of a text; nothing is stored. Raise as `propose` does."""
        hosted, power = self._begin(game_id, credentials, seat, phase_number)
        other = self._find_computer(hosted, power, partner)
        try:
            read = proposals.read_proposal(hosted, power, [press.clean_text(text)])
        except MessageRefused:
            read = ()
        found = [pair for pair in read if pair[0] in (power, other)][:MOST_UNDERSTOOD]
        if not found or len(found) < len(read):
            return Understanding(_NOT_READ(example=_find_example(hosted, other)))
        content = {"with": other, "clauses": [{"power": one, "order": order} for one, order in found]}
        clauses = read_deal(hosted.rules, power, content).clauses
        orders = tuple(clause.order for clause in clauses if isinstance(clause, OrderClause))
        return Understanding(_UNDERSTOOD(orders=orders), clauses)

    def show(self, game_id: str, credentials: Credentials, seat: str, phase_number: int, number: int) -> None:
        """Show the orders of a seat to the partner of a deal in which it promised that; raise as `answer` does."""
        hosted, power = self._begin(game_id, credentials, seat, phase_number)

        def find_deal(now: HostedGame) -> StoredDeal:
            agreement = next((one for one in now.ledger.agreements if one.number == number), None)
            open_ = () if agreement is None else agreement.open_clauses
            stored = next((one for one in now.deals if one.number == number), None)
            promised = any(isinstance(one, ShowOrdersClause) and one.power == power for one in open_)
            if stored is None or not promised or power in stored.shown:
                raise DealRefused(_NOT_PROMISED())
            return stored

        stored, order_set = find_deal(hosted), hosted.order_sets.get(power)
        if order_set is None or not order_set.orders:
            raise DealRefused(_NOTHING_TO_SHOW())
        shown = replace(stored, shown={**stored.shown, power: list(order_set.texts)})
        self._store(game_id, phase_number, (shown,), find_deal)

    # Helpers

    def _begin(self, game_id: str, credentials: Credentials, seat: str, phase_number: int) -> tuple[HostedGame, Power]:
        require_room_in(self.games.store, game_id)
        hosted = self.games.load(game_id)
        power = own_seat(hosted, credentials, seat, phase_number)
        if power not in hosted.rules.names:
            raise DealRefused(_NOT_PLAYED(name=seat[:60]))
        if fault := why_no_deals(hosted):
            raise DealRefused(fault)
        return hosted, power

    def _require_partner(self, hosted: HostedGame, power: Power, partner: Power) -> None:
        if partner == power:
            raise DealRefused(_NOT_PLAYED(name=partner))
        if fault := why_no_partner(hosted, power, partner, self.games.clock.now()):
            raise DealRefused(fault)

    def _find_computer(self, hosted: HostedGame, power: Power, name: str) -> Power:
        partner = next((one for one in hosted.rules.names if one == name), None)
        if partner is None or not hosted.computers.get(partner):
            raise DealRefused(_NOT_PLAYED(name=name[:60]))
        self._require_partner(hosted, power, partner)
        return partner

    def _bargain(self, hosted: HostedGame, power: Power, partner: Power, offers: Sequence[DealOffer]) -> Reply:
        """Return what the computer player of a power says to an offer, or offers by itself; raise `DealRefused`."""
        if words := self._computers.why_simple():
            raise DealRefused(words)
        dealer = find_dealer(self._computers.player(hosted.computers[power]))
        if dealer is None:
            raise DealRefused(_SILENT(power=power))
        own_view = view(hosted.game, power, {})
        legal = Legality(own_view.rules, own_view.position).orders_of(power)
        talks = talks_of_seat(hosted.rules, hosted.ledger, hosted.deals, hosted.turn, power, (partner,))
        talks = talks._replace(offers=tuple(offers), step=min(1, len(offers)), may_offer=True)
        chance = _chance_of(hosted, power)
        return dealer.negotiate(own_view, legal, chance, talks, explains=True)

    def _answer(self, hosted: HostedGame, offer: StoredDeal, deal: ProposedDeal) -> tuple[StoredDeal, ...]:
        """Return an offer as the computer player of its partner answers it, and an offer in return."""
        held = _list_held(hosted, deal.partner)
        if why_void(hosted.rules, hosted.game.position, deal, held):
            # only the two partners of the other deal may learn what was promised in it
            return (replace(offer, state="refused", reason=encode_sentence(_PROMISED_ELSE())),)
        reply = self._bargain(hosted, deal.partner, deal.proposer, [DealOffer(offer.number, deal)])
        answer = reply.answers[offer.number]
        reason = encode_sentence(answer.reason) if answer.reason else None
        if answer.accepts:
            return (replace(self._accept(hosted, offer, deal), reason=reason),)
        known = [one for one in hosted.deals if one.phase_number == hosted.phase_number]
        counters = self._make_offers(hosted, reply, offer)
        new = [one for one in counters if not any(_is_same(one, other) for other in known)]
        return (replace(offer, state="refused", reason=reason), *new[:1])

    def _accept(self, hosted: HostedGame, offer: StoredDeal, deal: ProposedDeal) -> StoredDeal:
        """Return an accepted offer, with the orders that a computer player has promised to show in it."""
        accepted = replace(offer, state="accepted")
        after = hosted.with_deals(accepted)
        shown: dict[str, Sequence[str]] = {}
        for clause in deal.clauses:
            computer = hosted.computers.get(clause.power)
            if isinstance(clause, ShowOrdersClause) and computer:
                own_view = view(hosted.game, clause.power, {})
                chance = _chance_of(hosted, clause.power)
                orders = order_with_deals(after, self._computers.player(computer), own_view, clause.power, chance)
                shown[clause.power] = [str(order) for order in orders or ()]
        return replace(accepted, shown=shown)

    def _make(self, hosted: HostedGame, deal: ProposedDeal, reason: str = "", *others: StoredDeal) -> StoredDeal:
        return StoredDeal(
            number=draw_number_beside({one.number for one in (*hosted.deals, *others)}),
            turn=hosted.turn,
            phase_number=hosted.phase_number,
            phase=str(hosted.game.position.phase),
            proposer=deal.proposer,
            partner=deal.partner,
            clauses=tuple(encode_clause(clause) for clause in deal.clauses),
            reason=encode_sentence(reason) if reason else None,
            made=self.games.clock.now(),
        )

    def _make_offers(self, hosted: HostedGame, reply: Reply, *others: StoredDeal) -> list[StoredDeal]:
        made: list[StoredDeal] = []
        for place, deal in enumerate(reply.offers):
            reason = reply.reasons[place] if place < len(reply.reasons) else ""
            made.append(self._make(hosted, deal, reason, *others, *made))
        return made

    def _store(
        self, game_id: str, phase_number: int, deals: tuple[StoredDeal, ...], check: Callable[[HostedGame], object]
    ) -> None:
        """Store new or changed deals if the phase is still open, and announce them to their seats."""

        def change(hosted: HostedGame) -> tuple[HostedGame, GameChange, HostedGame]:
            require_phase(hosted, phase_number)
            check(hosted)
            after = hosted.with_deals(*deals)
            known = {one.number for one in hosted.deals}
            offered = {one.partner for one in deals if one.number not in known and one.state == "open"}
            notices = tuple(notice for power in sorted(offered) for notice in of_offer(hosted, power))
            return after, GameChange(parts=(DealsChanged(deals),), notices=notices, untold=True), after

        self.games.change(game_id, change)
        for power in sorted({power for deal in deals for power in (deal.proposer, deal.partner)}):
            self.games.broker.announce(game_id, Announcement("deal", None, {"phase_number": phase_number}, power))


def _require_possible(hosted: HostedGame, power: Power, deal: ProposedDeal) -> None:
    """Raise `DealRefused` for a deal that is void, as far as a power knows."""
    if fault := why_void(hosted.rules, hosted.game.position, deal, _list_held(hosted, power)):
        raise DealRefused(fault)


def _require_new(hosted: HostedGame, power: Power, deal: ProposedDeal) -> None:
    """Raise `DealRefused` for a repeated offer, for clauses that bind already, and for too many offers."""
    if set(deal.clauses) <= set(_list_held(hosted, power)):
        raise DealRefused(_MADE())
    clauses = tuple(encode_clause(clause) for clause in deal.clauses)
    own = [one for one in hosted.deals if one.phase_number == hosted.phase_number and one.proposer == power]
    if any(one.partner == deal.partner and one.clauses == clauses and one.state != "withdrawn" for one in own):
        raise DealRefused(_OFFERED())
    if len(own) >= MOST_PROPOSALS:
        raise DealRefused(_TOO_MANY(most=MOST_PROPOSALS))


def _find_open(hosted: HostedGame, power: Power, number: int) -> tuple[StoredDeal, ProposedDeal]:
    """Return an offer of the phase that waits for an answer, and the deal; raise `DealRefused`."""
    for one in hosted.deals:
        mine = power in (one.proposer, one.partner) and one.phase_number == hosted.phase_number
        if one.number == number and mine and one.state == "open":
            content = {"with": one.partner, "clauses": list(one.clauses)}
            return one, read_deal(hosted.rules, Power(one.proposer), content)
    raise DealRefused(_UNKNOWN())


def _is_same(one: StoredDeal, other: StoredDeal) -> bool:
    return (one.proposer, one.partner, one.clauses) == (other.proposer, other.partner, other.clauses)


def _chance_of(hosted: HostedGame, power: Power) -> Random:
    """Return chance that is the same for all answers of a power in a phase, so that asking again changes nothing."""
    return Random(f"{hosted.id} {hosted.phase_number} {power}")  # noqa: S311  # no secret depends on it


def _find_example(hosted: HostedGame, power: Power) -> str:
    """Return an order that a power may give, a move if there is one."""
    legal = Legality(hosted.rules, hosted.game.position).orders_of(power)
    orders = [order for unit in legal.units for order in legal.of(unit)]
    return str(next((order for order in orders if isinstance(order, Move)), orders[0]))
