"""Players that deal: no void offer in any variant, the same deals for the same seed, promises that are kept."""

import re
from collections.abc import Mapping
from random import Random

import pytest

from plenipo import library
from plenipo.bots.deals import bargaining
from plenipo.bots.deals.agreements import Agreement, Judgement
from plenipo.bots.deals.clauses import ClauseVerdict, KeepOutClause, OrderClause, ProposedDeal, judge_clause, why_void
from plenipo.bots.deals.dealers import DEAL_STYLES, Dealer, find_dealer
from plenipo.bots.deals.negotiation import Ledger, Remark, hold_talks
from plenipo.bots.deals.talks import DealOffer, OfferAnswer, Talks
from plenipo.bots.evaluation import SHARE_ONE
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
from table import SPRING, order_sets, standard

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


@pytest.mark.parametrize("accepts", [True, False])
def test_a_person_is_told_why_with_figures_and_the_same_seed_says_the_same(
    monkeypatch: pytest.MonkeyPatch,
    accepts: bool,  # noqa: FBT001  # a case
) -> None:
    game = Game.new(standard())
    legal = Legality(game.rules, game.position).orders_of(FRANCE)
    france = view(game, FRANCE, {})
    everywhere = frozenset(game.rules.board.spaces)
    deal = ProposedDeal(GERMANY, FRANCE, (KeepOutClause(GERMANY if accepts else FRANCE, everywhere, 4),))
    if accepts:
        monkeypatch.setattr(bargaining, "LEAST_GAIN", -SHARE_ONE)  # whatever it brings is good enough
    dealer = Dealer("quick", DEAL_STYLES["deals"])
    talks = Talks(0, (GERMANY,), offers=(DealOffer(5, deal),), step=1)
    reply, again = (dealer.negotiate(france, legal, Random(4), talks, explains=True) for _ in range(2))
    assert reply == again
    answer = reply.answers[5]
    assert answer.accepts is accepts
    assert re.search(r" [0-9]+ of (20 cases|1000 parts)", answer.reason)
    assert len(reply.reasons) == len(reply.offers)
    assert isinstance(answer.reason, Sentence)


def peace(movements: int, *, of: tuple[Power, ...] = (FRANCE, GERMANY)) -> ProposedDeal:
    """A peace that Germany offers France, of which one side may be left out."""
    position = standard().opening
    own = {power: frozenset(unit.space for unit in position.units_of(power)) for power in (FRANCE, GERMANY)}
    clauses = {
        FRANCE: KeepOutClause(FRANCE, own[GERMANY], movements),
        GERMANY: KeepOutClause(GERMANY, own[FRANCE], movements),
    }
    return ProposedDeal(GERMANY, FRANCE, tuple(clauses[power] for power in of))


def answer(deal: ProposedDeal, *agreements: Agreement) -> OfferAnswer:
    """The answer of France in the first spring."""
    game = Game.new(standard())
    legal = Legality(game.rules, game.position).orders_of(FRANCE)
    talks = Talks(0, (GERMANY,), agreements, offers=(DealOffer(5, deal),), may_offer=False)
    reply = Dealer("quick", DEAL_STYLES["deals"]).negotiate(
        view(game, FRANCE, {}), legal, Random(4), talks, explains=True
    )
    return reply.answers[5]


def test_a_lasting_peace_of_both_is_accepted_and_the_reason_says_what_it_is_good_for() -> None:
    accepted = answer(peace(8))
    assert accepted.accepts
    assert "peace with you leaves me free elsewhere" in accepted.reason


def test_a_short_peace_or_one_of_one_side_must_bring_something_now() -> None:
    assert not answer(peace(1)).accepts
    assert not answer(peace(8, of=(FRANCE,))).accepts


def test_a_power_without_another_neighbour_to_fight_makes_no_peace_for_its_own_sake() -> None:
    game = Game.new(standard())
    others = [power for power in game.rules.names if power not in (FRANCE, GERMANY)]
    spared = [
        Agreement(number, ProposedDeal(other, FRANCE, (KeepOutClause(FRANCE, frozenset({Code("LON")}), 8),)), SPRING, 0)
        for number, other in enumerate(others)
    ]
    assert not answer(peace(8), *spared).accepts


@pytest.mark.parametrize("unreturned", [0, 1, 2])
def test_help_that_costs_little_is_given_ahead_of_two_favours(monkeypatch: pytest.MonkeyPatch, unreturned: int) -> None:
    rules = standard()
    [order] = order_sets(rules, "Germany: A MUN - BUR")[GERMANY]
    [support] = order_sets(rules, "France: A PAR S A MUN - BUR")[FRANCE]
    help_ = OrderClause(FRANCE, support)
    deal = ProposedDeal(GERMANY, FRANCE, (OrderClause(GERMANY, order), help_))
    past = Agreement(0, deal, SPRING, 0, (Judgement(SPRING, help_, ClauseVerdict.KEPT),), 1)
    gains = {FRANCE: -SHARE_ONE // 1000, GERMANY: SHARE_ONE * 20 // 1000}
    monkeypatch.setattr(bargaining._Bargainer, "gain", lambda _self, power, _deal: gains[power])
    given = answer(deal, *[past] * unreturned)
    assert given.accepts == (unreturned < 2)
    assert given.reason == (
        "It helps you more than it costs me, and you owe me a favour then."
        if given.accepts
        else "It would cost me 1 of 1000 parts of the board."
    )


def test_a_concession_without_help_is_no_favour(monkeypatch: pytest.MonkeyPatch) -> None:
    gains = {FRANCE: -SHARE_ONE // 1000, GERMANY: SHARE_ONE * 20 // 1000}
    monkeypatch.setattr(bargaining._Bargainer, "gain", lambda _self, power, _deal: gains[power])
    assert not answer(ProposedDeal(GERMANY, FRANCE, (KeepOutClause(FRANCE, frozenset({Code("BUR")})),))).accepts
