"""Promises kept by players that know of no deals."""

from plenipo.bots.deals.agreements import keep_promises
from plenipo.bots.deals.clauses import AttackClause, KeepOutClause, LeaveCentresClause, OrderClause
from plenipo.engine.board import Code
from plenipo.engine.position import Power
from table import order_sets, standard

FRANCE, GERMANY = Power("France"), Power("Germany")


def test_promised_orders_replace_others_and_nothing_enters_a_barred_space() -> None:
    rules = standard()
    given = order_sets(rules, "France: A PAR - BUR, A MAR - SPA, F BRE - MID")[FRANCE]
    promised = order_sets(rules, "France: A MAR H")[FRANCE][0]
    promises = (
        OrderClause(FRANCE, promised),
        KeepOutClause(FRANCE, frozenset([Code("BUR")])),
        LeaveCentresClause(FRANCE, frozenset([Code("BEL")]), GERMANY),
        AttackClause(FRANCE, GERMANY),
    )
    assert [str(order) for order in keep_promises(given, promises)] == ["A PAR H", "A MAR H", "F BRE - MID"]
    assert keep_promises(given, ()) == list(given)
