"""Trust: learned from what a partner kept and broke, publicly too, and slowly forgotten."""

from plenipo.bots.deals.agreements import Agreement, Breach, Judgement
from plenipo.bots.deals.clauses import ClauseVerdict, ProposedDeal, ShowOrdersClause
from plenipo.bots.deals.trust import TRUST_ONE, find_trust, is_sanctioned
from plenipo.engine.position import Power
from table import SPRING

FRANCE, GERMANY, ITALY = Power("France"), Power("Germany"), Power("Italy")


def dealt(verdict: ClauseVerdict, movement: int = 0) -> Agreement:
    clause = ShowOrdersClause(GERMANY)
    deal = ProposedDeal(FRANCE, GERMANY, (clause,))
    return Agreement(0, deal, SPRING, movement, (Judgement(SPRING, clause, verdict),), 1)


def test_an_unknown_partner_is_trusted_three_times_in_four() -> None:
    assert find_trust([], [], FRANCE, GERMANY, 5) == 3 * TRUST_ONE // 4


def test_kept_clauses_raise_trust_and_broken_ones_lower_it() -> None:
    unknown = find_trust([], [], FRANCE, GERMANY, 1)
    kept = find_trust([dealt(ClauseVerdict.KEPT)], [], FRANCE, GERMANY, 1)
    broken = find_trust([dealt(ClauseVerdict.BROKEN)], [], FRANCE, GERMANY, 1)
    assert broken < unknown < kept < TRUST_ONE
    assert find_trust([dealt(ClauseVerdict.VOID)], [], FRANCE, GERMANY, 1) == unknown


def test_a_breach_towards_others_counts_half() -> None:
    unknown = find_trust([], [], FRANCE, GERMANY, 1)
    own = find_trust([dealt(ClauseVerdict.BROKEN)], [], FRANCE, GERMANY, 1)
    public = find_trust([], [Breach(0, GERMANY, ITALY)], FRANCE, GERMANY, 1)
    two = find_trust([], [Breach(0, GERMANY, ITALY)] * 2, FRANCE, GERMANY, 1)
    assert own < public < unknown
    assert two == own


def test_what_is_long_ago_counts_less() -> None:
    trust = [find_trust([dealt(ClauseVerdict.BROKEN)], [], FRANCE, GERMANY, movement) for movement in (1, 5, 9, 41)]
    assert trust == sorted(trust)
    assert trust[0] < trust[-1] < find_trust([], [], FRANCE, GERMANY, 41)


def test_a_breach_is_punished_for_four_movements_by_its_victim() -> None:
    breaches = [Breach(3, GERMANY, FRANCE)]
    assert [is_sanctioned(breaches, FRANCE, GERMANY, movement) for movement in (4, 7, 8)] == [True, True, False]
    assert not is_sanctioned(breaches, ITALY, GERMANY, 4)
