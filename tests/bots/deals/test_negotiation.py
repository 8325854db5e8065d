"""Two rounds of offers and answers: whatever players say, the talks end, and a sentence says what was left out."""

from collections.abc import Callable

from plenipo.bots.deals.clauses import KeepOutClause, OrderClause, ProposedDeal, ShowOrdersClause
from plenipo.bots.deals.negotiation import Ledger, Remark, hold_talks
from plenipo.bots.deals.talks import MOST_OFFERS, OfferAnswer, Reply, Talks
from plenipo.engine.board import Code
from plenipo.engine.position import Power
from table import order_sets, place, standard

FRANCE, GERMANY, ITALY = Power("France"), Power("Germany"), Power("Italy")
BOARD = "France: A PAR\nGermany: A MUN\nItaly: A PIE"
PEACE = ProposedDeal(FRANCE, GERMANY, (KeepOutClause(FRANCE, frozenset([Code("MUN")]), 4), ShowOrdersClause(GERMANY)))

Says = Callable[[Talks], Reply]


def accept_all(talks: Talks) -> Reply:
    return Reply({offer.number: OfferAnswer(accepts=True) for offer in talks.offers})


def offer_once(*deals: ProposedDeal) -> Says:
    def say(talks: Talks) -> Reply:
        return Reply(offers=deals if talks.step == 0 else ())

    return say


def talk(**players: Says) -> tuple[Ledger, tuple[Remark, ...]]:
    powers = [Power(name) for name in players]
    return hold_talks(standard(), place(BOARD), Ledger(), powers, lambda power, talks: players[str(power)](talks))


def test_an_offer_that_is_accepted_binds_both() -> None:
    ledger, remarks = talk(France=offer_once(PEACE), Germany=accept_all)
    assert [one.deal for one in ledger.agreements] == [PEACE]
    assert remarks == ()
    assert ledger.talks_of(FRANCE).promises_of(FRANCE) == PEACE.clauses[:1]
    assert ledger.talks_of(ITALY).agreements == ()
    assert ledger.list_showing() == (GERMANY,)


def test_silence_and_refusal_make_no_deal() -> None:
    def refuse(talks: Talks) -> Reply:
        return Reply({offer.number: OfferAnswer(accepts=False, reason="no") for offer in talks.offers})

    for other in (refuse, lambda _: Reply()):
        assert talk(France=offer_once(PEACE), Germany=other) == talk(France=offer_once(PEACE), Germany=other)
        assert talk(France=offer_once(PEACE), Germany=other)[0].agreements == ()


def test_a_refused_offer_may_be_countered_and_the_counter_accepted() -> None:
    counter = ProposedDeal(GERMANY, FRANCE, (KeepOutClause(FRANCE, frozenset([Code("BUR")]), 1),))

    def answer(talks: Talks) -> Reply:
        refused = {offer.number: OfferAnswer(accepts=False) for offer in talks.offers}
        return Reply(refused, (counter,) if refused and talks.may_offer else ())

    def propose(talks: Talks) -> Reply:
        return Reply(accept_all(talks).answers, () if talks.offers or not talks.may_offer else (PEACE,))

    ledger, _ = talk(France=propose, Germany=answer)
    assert counter in [one.deal for one in ledger.agreements]


def test_floods_foreign_offers_and_void_deals_are_left_out_with_a_sentence() -> None:
    foreign = ProposedDeal(ITALY, GERMANY, PEACE.clauses)
    silent = ProposedDeal(FRANCE, Power("Turkey"), PEACE.clauses)
    void = ProposedDeal(FRANCE, GERMANY, ())
    flood = [PEACE] * (MOST_OFFERS + 1)
    ledger, remarks = talk(France=offer_once(foreign, silent, void, *flood), Germany=lambda _: Reply())
    told = [remark.sentence for remark in remarks if remark.power == FRANCE]
    assert told[:4] == [
        "France makes 10 offers at once; the first 6 are passed on.",
        "France cannot propose a deal for Italy.",
        "Turkey does not negotiate, so France can make no deal with it.",
        "A deal has at least one clause.",
    ]
    assert ledger.offered == 1  # the others of the flood are the same again


def test_answers_to_offers_that_nobody_made_are_left_out() -> None:
    _, remarks = talk(France=offer_once(PEACE), Germany=lambda _: Reply({99: OfferAnswer(accepts=True)}))
    assert remarks[0] == Remark(GERMANY, "Germany answers offer 99, which nobody made it.")


def test_of_two_deals_that_contradict_each_other_the_first_holds() -> None:
    holds, goes = (
        ProposedDeal(FRANCE, GERMANY, (OrderClause(FRANCE, order_sets(standard(), f"France: {text}")[FRANCE][0]),))
        for text in ("A PAR H", "A PAR - BUR")
    )
    ledger, remarks = talk(France=offer_once(holds, goes), Germany=accept_all)
    assert [one.deal for one in ledger.agreements] == [holds]
    assert remarks == ()
