"""Players that deal: no void offer in any variant, the same deals for the same seed, promises that are kept."""

import re
from collections.abc import Mapping
from random import Random

import pytest

from plenipo import library
from plenipo.bots.deals.agreements import Agreement
from plenipo.bots.deals.clauses import ClauseVerdict, KeepOutClause, OrderClause, ProposedDeal, judge_clause, why_void
from plenipo.bots.deals.dealers import DEAL_STYLES, Dealer, find_dealer
from plenipo.bots.deals.negotiation import Ledger, Remark, hold_talks
from plenipo.bots.deals.talks import DealOffer, Talks
from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import Sentence
from plenipo.library import plugins
from proofs import share
from table import order_sets, standard

FRANCE, GERMANY = Power("France"), Power("Germany")
VARIANTS = (*library.names(), *share(sorted(plugins.shipped_bank()), 8))


def play(rules: Rules, dealer: Dealer, movements: int, most: int, seed: int = 1) -> tuple[Ledger, list[Remark], Game]:
    """Some movements in which the first powers deal."""
    game, ledger = Game.new(rules, Dice(bytes(32))), Ledger()
    remarks: list[Remark] = []
    while ledger.movement < movements and not game.over:
        legality = Legality(rules, game.position)
        powers = view(game, None, {}).may_order
        moving = game.position.phase.kind is PhaseKind.MOVEMENT

        def chance(power: Power, at: int = ledger.movement) -> Random:
            return Random(f"{seed} {at} {power}")

        if moving:
            ledger, left_out = hold_talks(
                rules,
                game.position,
                ledger,
                powers[:most],
                lambda power, talks, game=game, legality=legality, chance=chance: dealer.negotiate(  # type: ignore[misc]
                    view(game, power, {}), legality.orders_of(power), chance(power), talks
                ),
            )
            remarks += left_out
        orders: Mapping[Power, list[Order]] = {
            power: dealer.orders(
                view(game, power, {}), legality.orders_of(power), chance(power), ledger.talks_of(power)
            )
            for power in powers
        }
        game = game.process(orders)
        if moving:
            ledger = ledger.judge(rules, game.turns[-1].resolution)
    return ledger, remarks, game


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_variant_is_offered_a_void_deal(variant: str) -> None:
    _, remarks, _ = play(library.load(variant), Dealer("quick", DEAL_STYLES["loyal"]), 2, 4)
    assert [remark.sentence for remark in remarks] == []


def test_the_same_seed_makes_the_same_deals_and_they_are_kept() -> None:
    dealer = Dealer("quick", DEAL_STYLES["loyal"])
    ledger, _, game = play(standard(), dealer, 4, 7)
    again, _, other = play(standard(), dealer, 4, 7)
    assert ledger == again
    assert game.position == other.position
    assert ledger.agreements
    verdicts = [judgement.verdict for one in ledger.agreements for judgement in one.judged]
    assert ClauseVerdict.BROKEN not in verdicts
    assert ClauseVerdict.KEPT in verdicts


def test_a_name_says_how_a_player_thinks_and_deals() -> None:
    assert find_dealer("strong+deals") == Dealer("strong", DEAL_STYLES["deals"])
    for name in ("strong", "strong+", "deals", "strong+honest", "nobody+deals"):
        assert find_dealer(name) is None


def test_a_promised_order_is_given_and_a_promised_space_left_alone() -> None:
    game = Game.new(standard())
    legality = Legality(game.rules, game.position)
    order = order_sets(game.rules, "France: A MAR H")[FRANCE][0]
    clauses = (OrderClause(FRANCE, order), KeepOutClause(FRANCE, frozenset(map(Code, ("BUR", "SPA", "MID", "ENG")))))
    deal = ProposedDeal(GERMANY, FRANCE, clauses)
    assert why_void(game.rules, game.position, deal) == ""
    talks = Talks(0, agreements=(Agreement(0, deal, game.position.phase, 0),))
    for level in ("quick", "middling", "strong"):
        dealer = Dealer(level, DEAL_STYLES["loyal"])
        orders = dealer.orders(view(game, FRANCE, {}), legality.orders_of(FRANCE), Random(4), talks)
        resolution = game.process({FRANCE: orders}).turns[-1].resolution
        assert [judge_clause(game.rules, resolution, clause) for clause in clauses] == [ClauseVerdict.KEPT] * 2


def test_an_offer_that_only_costs_is_refused_with_the_reason() -> None:
    game = Game.new(standard())
    legal = Legality(game.rules, game.position).orders_of(FRANCE)
    everywhere = frozenset(game.rules.board.spaces)
    deal = ProposedDeal(GERMANY, FRANCE, (KeepOutClause(FRANCE, everywhere, 4),))
    talks = Talks(0, (GERMANY,), offers=(DealOffer(5, deal),), may_offer=False)
    reply = Dealer("quick", DEAL_STYLES["deals"]).negotiate(view(game, FRANCE, {}), legal, Random(4), talks)
    assert not reply.answers[5].accepts
    assert reply.answers[5].reason.startswith("It would cost me ")


def test_a_person_is_told_why_with_figures_and_the_same_seed_says_the_same() -> None:
    game = Game.new(standard())
    legal = Legality(game.rules, game.position).orders_of(FRANCE)
    france = view(game, FRANCE, {})
    everywhere = frozenset(game.rules.board.spaces)
    generous = ProposedDeal(GERMANY, FRANCE, (KeepOutClause(GERMANY, everywhere, 4),))
    costly = ProposedDeal(GERMANY, FRANCE, (KeepOutClause(FRANCE, everywhere, 4),))
    dealer = Dealer("quick", DEAL_STYLES["deals"])
    for deal, accepts in ((generous, True), (costly, False)):
        talks = Talks(0, (GERMANY,), offers=(DealOffer(5, deal),), step=1)
        reply, again = (dealer.negotiate(france, legal, Random(4), talks, explains=True) for _ in range(2))
        assert reply == again
        answer = reply.answers[5]
        assert answer.accepts is accepts
        assert re.search(r" [0-9]+ of (20 cases|1000 parts)", answer.reason)
        assert len(reply.reasons) == len(reply.offers)
        assert isinstance(answer.reason, Sentence)
