"""The deals of a game as values: read from what is stored, followed over its turns, and told to one power. Pure."""

from collections.abc import Mapping, Sequence
from threading import Lock

from cachetools import LRUCache, cached

from plenipo.bots.deals.agreements import Agreement
from plenipo.bots.deals.clauses import ProposedDeal
from plenipo.bots.deals.negotiation import Ledger
from plenipo.bots.deals.notation import NotUnderstood, read_deal
from plenipo.bots.deals.talks import Talks
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.orders import Order
from plenipo.engine.position import Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rules import Rules
from plenipo.errors import PlenipoError
from plenipo.server.store.values import StoredDeal

__all__ = ["find_shown_orders", "follow_deals", "ledger_of_phase", "read_shown", "read_stored_deal", "talks_of_seat"]


HELD = 200
"""The number of games whose deals are held in memory."""


def read_stored_deal(rules: Rules, stored: StoredDeal) -> ProposedDeal | None:
    """Return a deal as a value; None if its clauses mean nothing under the rules as they are now."""
    try:
        return read_deal(rules, Power(stored.proposer), {"with": stored.partner, "clauses": list(stored.clauses)})
    except NotUnderstood:
        return None


def follow_deals(rules: Rules, game: Game, deals: Sequence[StoredDeal]) -> Ledger:
    """Return the deals that were accepted, each clause checked in every movement since.

    Movements are counted from the turn in which the first of these deals was made.
    """
    accepted = [(one, deal) for one in deals if one.state == "accepted" and (deal := read_stored_deal(rules, one))]
    if not accepted:
        return Ledger()
    shown = {one.number: read_shown(rules, one) for one, _ in accepted}
    made: dict[int, Agreement] = {}
    movement, first = 0, min(one.turn for one, _ in accepted)
    for turn in range(first, len(game.turns) + 1):
        resolution = game.turns[turn].resolution if turn < len(game.turns) else None
        phase = game.position.phase if resolution is None else resolution.before.phase
        for one, deal in accepted:
            if one.turn == turn:
                made[one.number] = Agreement(one.number, deal, phase, movement)
        if resolution is not None and phase.kind is PhaseKind.MOVEMENT:
            for number, agreement in made.items():
                if agreement.open_clauses:
                    made[number] = agreement.judge(rules, resolution, {} if agreement.past else shown[number])
            movement += 1
    return Ledger(tuple(made.values()), movement)


@cached(LRUCache(HELD), key=lambda game_id, number, _rules, _game, deals: (game_id, number, _mark(deals)), lock=Lock())
def ledger_of_phase(game_id: str, phase_number: int, rules: Rules, game: Game, deals: Sequence[StoredDeal]) -> Ledger:
    """Return the same as `follow_deals`, once for each phase: no history has the same phase number twice."""
    del game_id, phase_number
    return follow_deals(rules, game, deals)


def _mark(deals: Sequence[StoredDeal]) -> tuple[tuple[int, str], ...]:
    return tuple((one.number, repr(one.shown)) for one in deals if one.state == "accepted")


def read_shown(rules: Rules, stored: StoredDeal) -> Mapping[Power, tuple[Order, ...]]:
    """Return the orders that the partners of a deal have shown each other."""
    notation = notation_of(rules)
    shown: dict[Power, tuple[Order, ...]] = {}
    for power, texts in stored.shown.items():
        try:
            shown[Power(power)] = tuple(notation.read(text, PhaseKind.MOVEMENT) for text in texts)
        except PlenipoError:
            continue
    return shown


def find_shown_orders(rules: Rules, deals: Sequence[StoredDeal], turn: int, power: Power) -> tuple[Order, ...]:
    """Return the orders that a power has shown after so many turns; empty if it has shown none."""
    for one in deals:
        if one.turn == turn and one.state == "accepted" and (orders := read_shown(rules, one).get(power)):
            return orders
    return ()


def talks_of_seat(
    rules: Rules, ledger: Ledger, deals: Sequence[StoredDeal], turn: int, power: Power, partners: Sequence[Power] = ()
) -> Talks:
    """Return what a power knows: its own deals, what was broken in them, and the orders that it was shown.

    It knows nothing of the deals of others, not even that one was broken.
    """
    own = tuple(one for one in ledger.agreements if power in (one.deal.proposer, one.deal.partner))
    shown: dict[Power, tuple[Order, ...]] = {}
    for one in deals:
        if one.turn == turn and one.state == "accepted" and power in (one.proposer, one.partner):
            shown |= {other: orders for other, orders in read_shown(rules, one).items() if other != power}
    return Ledger(own, ledger.movement).talks_of(power, partners)._replace(shown=shown)
