"""Deals as JSON: what is written is read again, and what is not understood is quoted."""

import json

import pytest

from plenipo.bots.deals.clauses import (
    AttackClause,
    KeepOutClause,
    LeaveCentresClause,
    OrderClause,
    ProposedDeal,
    ShowOrdersClause,
)
from plenipo.bots.deals.notation import NotUnderstood, encode_deal, read_deal, read_reply
from plenipo.bots.deals.talks import OfferAnswer
from plenipo.engine.board import Code
from plenipo.engine.position import Power
from table import order_sets, standard

FRANCE, GERMANY, ITALY = Power("France"), Power("Germany"), Power("Italy")


def test_a_deal_of_all_clauses_is_read_as_it_was_written() -> None:
    deal = ProposedDeal(
        FRANCE,
        GERMANY,
        (
            OrderClause(FRANCE, order_sets(standard(), "France: A PAR S A MUN - BUR")[FRANCE][0]),
            KeepOutClause(GERMANY, frozenset(map(Code, ("BUR", "PIC"))), 4),
            LeaveCentresClause(FRANCE, frozenset([Code("BEL")]), GERMANY, 2),
            AttackClause(GERMANY, ITALY, 2),
            ShowOrdersClause(GERMANY),
        ),
    )
    assert read_deal(standard(), FRANCE, json.loads(json.dumps(encode_deal(deal)))) == deal


WRONG = {
    "prose": ("let us be friends", "'let us be friends' is no offer; one is like"),
    "no partner": ({"clauses": []}, "None is no power of this game; they are Austria, England, France, "),
    "an unknown partner": ({"with": "Spain", "clauses": []}, "'Spain' is no power of this game"),
    "an offer for another power": (
        {"from": "Italy", "with": "Germany", "clauses": []},
        "France cannot propose a deal for 'Italy'.",
    ),
    "a clause that is none": ({"with": "Germany", "clauses": [7]}, "7 is no clause; one has"),
    "a clause of two kinds": (
        {"with": "Germany", "clauses": [{"power": "France", "show": True, "attack": "Italy"}]},
        "is no clause; one has",
    ),
    "a promise of a third power": (
        {"with": "Germany", "clauses": [{"power": "Italy", "show": True}]},
        "Italy is not a partner of this deal and can promise nothing in it.",
    ),
    "an order that is none": (
        {"with": "Germany", "clauses": [{"power": "France", "order": "march on Berlin"}]},
        "The order 'march on Berlin' is not understood: ",
    ),
    "no order at all": (
        {"with": "Germany", "clauses": [{"power": "France", "order": None}]},
        'None is no order; one is like "A MUN H".',
    ),
    "spaces that are none": (
        {"with": "Germany", "clauses": [{"power": "France", "keep_out": "BUR"}]},
        "'BUR' is no list of spaces; one is like",
    ),
    "a time that is none": (
        {"with": "Germany", "clauses": [{"power": "France", "keep_out": ["BUR"], "movements": "always"}]},
        "'always' is no number of movements.",
    ),
}


@pytest.mark.parametrize(("content", "why"), WRONG.values(), ids=WRONG)
def test_an_offer_that_is_not_understood_is_quoted(content: object, why: str) -> None:
    with pytest.raises(NotUnderstood) as fault:
        read_deal(standard(), FRANCE, content)
    assert why in str(fault.value)


def test_what_is_understood_of_a_reply_is_taken_and_the_rest_is_quoted_once() -> None:
    content = {
        "answers": {"3": True, "4": "no", "x": True, "5": 1},
        "offers": [{"with": "Germany", "clauses": [{"power": "France", "show": True}]}, "peace?"],
    }
    reply, unclear = read_reply(standard(), FRANCE, content)
    assert reply.answers == {3: OfferAnswer(accepts=True), 4: OfferAnswer(accepts=False, reason="no")}
    assert [deal.partner for deal in reply.offers] == [GERMANY]
    assert len(unclear) == 2
    wrong: tuple[object, ...] = (None, [], 7, "yes")
    for nothing in wrong:
        assert len(read_reply(standard(), FRANCE, nothing)[1]) == 1
    assert read_reply(standard(), FRANCE, {}) == (read_reply(standard(), FRANCE, {"offers": []})[0], ())
