"""Clauses: which deals are void, and which orders keep or break a promise."""

from collections.abc import Sequence

import pytest

from plenipo.bots.deals.agreements import Agreement, complete_orders, list_breaches
from plenipo.bots.deals.clauses import (
    AttackClause,
    Clause,
    ClauseVerdict,
    KeepOutClause,
    LeaveCentresClause,
    OrderClause,
    ProposedDeal,
    ShowOrdersClause,
    judge_clause,
    why_void,
)
from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.orders import Order
from plenipo.engine.position import Power
from table import judge, order_sets, place, standard

FRANCE, GERMANY, ITALY = Power("France"), Power("Germany"), Power("Italy")

BOARD = """
    France: A PAR, A MAR, F MID
    Germany: A MUN, A RUH, F KIE
    Italy: A PIE, F ENG
"""


def order(text: str, power: Power = FRANCE) -> Order:
    return order_sets(standard(), f"{power}: {text}")[power][0]


def spaces(*codes: str) -> frozenset[Code]:
    return frozenset(map(Code, codes))


VOID: dict[str, tuple[Sequence[Clause], str]] = {
    "no clause": ((), "A deal has at least one clause."),
    "a promise of a third power": (
        (ShowOrdersClause(ITALY),),
        "Italy is not a partner of this deal and can promise nothing in it.",
    ),
    "an illegal order": ((OrderClause(FRANCE, order("A PAR - MUN")),), "France may not order A PAR - MUN: "),
    "an order for a unit of the other": ((OrderClause(FRANCE, order("A MUN H")),), "France may not order A MUN H: "),
    "a space that is not there": (
        (KeepOutClause(FRANCE, spaces("XXX")),),
        "There is no space XXX on the board.",
    ),
    "no space": ((KeepOutClause(FRANCE, spaces()),), "A clause about spaces names at least one."),
    "a centre that is none": (
        (LeaveCentresClause(FRANCE, spaces("BUR"), GERMANY),),
        "Burgundy is not a supply centre.",
    ),
    "for too long": (
        (KeepOutClause(FRANCE, spaces("BUR"), 9),),
        "A clause holds for 1 to 8 movements, not for 9.",
    ),
    "for less than a movement": (
        (KeepOutClause(FRANCE, spaces("BUR"), 0),),
        "A clause holds for 1 to 8 movements, not for 0.",
    ),
    "an attack on the partner": (
        (AttackClause(FRANCE, GERMANY),),
        "Germany is not a power that both can attack.",
    ),
    "an attack out of reach": (
        (AttackClause(FRANCE, Power("Turkey")),),
        "France has no unit that can attack Turkey now.",
    ),
    "two orders for a unit": (
        (OrderClause(FRANCE, order("A PAR H")), OrderClause(FRANCE, order("A PAR - BUR"))),
        "A PAR H and A PAR - BUR are two orders for one unit.",
    ),
    "an order into a space to be kept out of": (
        (OrderClause(FRANCE, order("A PAR - BUR")), KeepOutClause(FRANCE, spaces("BUR"), 2)),
        "A PAR - BUR breaks another clause: France moves nothing into BUR in 2 movements.",
    ),
}


@pytest.mark.parametrize(("clauses", "why"), VOID.values(), ids=VOID)
def test_a_void_deal_is_refused_with_the_reason(clauses: Sequence[Clause], why: str) -> None:
    assert why_void(standard(), place(BOARD), ProposedDeal(FRANCE, GERMANY, tuple(clauses))).startswith(why)


def test_deals_are_made_in_movement_phases_between_two_powers_with_units() -> None:
    deal = ProposedDeal(FRANCE, GERMANY, (ShowOrdersClause(FRANCE),))
    assert why_void(standard(), place(BOARD), deal) == ""
    retreats = place(BOARD, Phase("Spring", 1901, PhaseKind.RETREATS))
    assert why_void(standard(), retreats, deal).startswith("Deals are made in movement phases")
    alone = ProposedDeal(FRANCE, FRANCE, deal.clauses)
    assert why_void(standard(), place(BOARD), alone) == "A deal is between two different powers of the game."
    gone = ProposedDeal(FRANCE, Power("Turkey"), deal.clauses)
    assert why_void(standard(), place(BOARD), gone) == "Turkey has no units left to promise anything for."


def test_a_deal_that_contradicts_one_that_was_made_is_void() -> None:
    deal = ProposedDeal(FRANCE, GERMANY, (OrderClause(FRANCE, order("A PAR - BUR")),))
    held = [KeepOutClause(FRANCE, spaces("BUR"), 4)]
    assert why_void(standard(), place(BOARD), deal, held).startswith("A PAR - BUR breaks another clause")


JUDGED: dict[str, tuple[Clause, str, ClauseVerdict]] = {
    "an order that is given": (OrderClause(FRANCE, order("A PAR - BUR")), "A PAR - BUR", ClauseVerdict.KEPT),
    "an order that is given and fails": (
        OrderClause(FRANCE, order("A PAR - BUR")),
        "A PAR - BUR\nGermany: A MUN - BUR",
        ClauseVerdict.KEPT,
    ),
    "another order": (OrderClause(FRANCE, order("A PAR - BUR")), "A PAR H", ClauseVerdict.BROKEN),
    "no order": (OrderClause(FRANCE, order("A PAR - BUR")), "F MID H", ClauseVerdict.BROKEN),
    "a move into a space to be kept out of": (
        KeepOutClause(FRANCE, spaces("BUR")),
        "A PAR - BUR",
        ClauseVerdict.BROKEN,
    ),
    "a support into it": (KeepOutClause(FRANCE, spaces("BUR")), "A PAR S A MUN - BUR", ClauseVerdict.KEPT),
    "a move past it": (KeepOutClause(FRANCE, spaces("BUR")), "A PAR - PIC", ClauseVerdict.KEPT),
    "help for a third power into a centre that was left": (
        LeaveCentresClause(FRANCE, spaces("BRE"), GERMANY),
        "A PAR S F ENG - BRE",
        ClauseVerdict.BROKEN,
    ),
    "help for the partner into it": (
        LeaveCentresClause(FRANCE, spaces("BRE"), ITALY),
        "A PAR S F ENG - BRE",
        ClauseVerdict.KEPT,
    ),
    "an attack that was promised": (AttackClause(FRANCE, ITALY), "A MAR - PIE", ClauseVerdict.KEPT),
    "none": (AttackClause(FRANCE, ITALY), "A MAR - SPA", ClauseVerdict.BROKEN),
    "an attack on a power out of reach": (AttackClause(FRANCE, Power("Turkey")), "A MAR H", ClauseVerdict.VOID),
    "a promise about a space that is not there": (
        KeepOutClause(FRANCE, spaces("XXX")),
        "A MAR H",
        ClauseVerdict.VOID,
    ),
    "a promise of a power without units": (
        KeepOutClause(Power("Turkey"), spaces("BUR")),
        "A MAR H",
        ClauseVerdict.VOID,
    ),
    "orders that were not shown": (ShowOrdersClause(FRANCE), "A MAR H", ClauseVerdict.BROKEN),
}


@pytest.mark.parametrize(("clause", "orders", "verdict"), JUDGED.values(), ids=JUDGED)
def test_orders_keep_or_break_a_promise_whatever_comes_of_them(
    clause: Clause, orders: str, verdict: ClauseVerdict
) -> None:
    resolution = judge(f"France: {orders}", BOARD)
    assert judge_clause(standard(), resolution, clause) is verdict


def test_orders_that_were_shown_are_to_be_given() -> None:
    resolution = judge("France: A PAR - BUR, A MAR H, F MID H", BOARD)
    clause = ShowOrdersClause(FRANCE)
    assert judge_clause(standard(), resolution, clause, {FRANCE: [order("A PAR - BUR")]}) is ClauseVerdict.KEPT
    assert judge_clause(standard(), resolution, clause, {FRANCE: [order("A PAR - PIC")]}) is ClauseVerdict.BROKEN


def test_a_breach_ends_the_deal_for_both_and_is_known() -> None:
    clauses = (KeepOutClause(FRANCE, spaces("BUR"), 2), KeepOutClause(GERMANY, spaces("BUR"), 2))
    position = place(BOARD)
    made = Agreement(0, ProposedDeal(FRANCE, GERMANY, clauses), position.phase, 3)
    assert made.open_clauses == clauses
    kept = made.judge(standard(), judge("France: A PAR - PIC", BOARD))
    assert kept.open_clauses == clauses
    assert list_breaches([kept]) == ()
    broken = kept.judge(standard(), judge("France: A PAR - BUR", BOARD))
    assert broken.open_clauses == ()
    assert [(breach.movement, breach.breaker, breach.partner) for breach in list_breaches([broken])] == [
        (4, FRANCE, GERMANY)
    ]
    assert [broken.verdict_of(clause) for clause in clauses] == [ClauseVerdict.BROKEN, ClauseVerdict.KEPT]


def test_promised_orders_are_completed_as_those_of_players_are() -> None:
    written = ProposedDeal(FRANCE, GERMANY, (OrderClause(FRANCE, order("PAR - BUR")),))
    (clause,) = complete_orders(standard(), place(BOARD), written).clauses
    assert isinstance(clause, OrderClause)
    assert str(clause.order) == "A PAR - BUR"
