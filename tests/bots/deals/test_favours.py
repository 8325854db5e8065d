"""Favours: counted from the supports and convoys that were given as promised, and returned before more are given."""

from plenipo.bots.deals.agreements import Agreement, Judgement
from plenipo.bots.deals.clauses import ClauseVerdict, OrderClause, ProposedDeal, ShowOrdersClause
from plenipo.bots.deals.favours import MOST_AHEAD, count_favours, helps_ahead
from plenipo.engine.position import Power
from table import SPRING, order_sets, standard

FRANCE, GERMANY, ITALY = Power("France"), Power("Germany"), Power("Italy")
HELP = "Germany: A MUN S A PAR - BUR"
MARCH = "Germany: A MUN - RUH"


def dealt(text: str, verdict: ClauseVerdict = ClauseVerdict.KEPT) -> Agreement:
    """A deal of France with a power that promised an order."""
    [(power, [order])] = order_sets(standard(), text).items()
    clause = OrderClause(power, order)
    deal = ProposedDeal(FRANCE, power, (clause, ShowOrdersClause(FRANCE)))
    return Agreement(0, deal, SPRING, 0, (Judgement(SPRING, clause, verdict),), 1)


def test_a_support_that_was_given_is_a_favour() -> None:
    assert count_favours([dealt(HELP)], GERMANY, FRANCE) == 1
    assert count_favours([dealt(HELP)], FRANCE, GERMANY) == 0


def test_a_move_a_broken_promise_and_help_for_others_are_none() -> None:
    assert count_favours([dealt(MARCH)], GERMANY, FRANCE) == 0
    assert count_favours([dealt(HELP, ClauseVerdict.BROKEN)], GERMANY, FRANCE) == 0
    assert count_favours([dealt(HELP)], GERMANY, ITALY) == 0


def test_a_power_helps_ahead_until_so_many_favours_are_not_returned() -> None:
    given = [dealt(HELP)] * MOST_AHEAD
    assert helps_ahead(given[1:], GERMANY, FRANCE)
    assert not helps_ahead(given, GERMANY, FRANCE)
    assert helps_ahead(given, FRANCE, GERMANY)
