"""Scoring systems against worked examples that others have published, and what holds of every one of them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo.engine.position import Power
from plenipo.server.hosting.scoring import SYSTEMS, Final, Scoring, format_points, score_seats

NAMES = tuple(map(Power, ("England", "Russia", "France", "Turkey", "Italy", "Austria", "Germany")))


def final(*counts: int, sharing: int = 0) -> Final:
    table = dict(zip(NAMES, counts, strict=False))
    shared = tuple(power for power, count in table.items() if count)
    return Final(table, shared[:sharing] if sharing else shared)


def points(system: Scoring, end: Final) -> list[float]:
    found = score_seats(system, end)
    return [float(found[power].points) for power in end.counts]


def test_carnage_scores_as_its_authors_print_it() -> None:
    assert points("Carnage", final(8, 8, 7, 6, 4, 1, 0)) == [6508, 6508, 5007, 4006, 3004, 2001, 1000]
    assert points("Carnage", final(18, 3, 6, 4, 3, 0, 0, sharing=1)) == [28034, 0, 0, 0, 0, 0, 0]
    assert points("Carnage", final(5, 5, 5, 5, 4, 4, 4))[:5] == [5505, 5505, 5505, 5505, 2004]


def test_open_tribute_pays_the_leader() -> None:
    assert points("OpenTribute", final(10, 8, 7, 5, 4, 0, 0)) == [
        34 + 30 + 2 + 3 + 5 + 6 + 34 + 34,
        34 + 24 - 2,
        34 + 21 - 3,
        34 + 15 - 5,
        34 + 12 - 6,
        0,
        0,
    ]
    assert points("OpenTribute", final(9, 9, 6, 5, 5, 0, 0))[:2] == [34 + 27 + (3 + 4 + 4 + 68) // 4] * 2
    assert points("OpenTribute", final(18, 10, 6, 0, 0, 0, 0, sharing=1))[0] == 340


def test_the_other_systems_by_hand() -> None:
    drawn = final(17, 10, 7, 0, 0, 0, 0)
    assert points("Draw size", drawn)[:4] == [pytest.approx(100 / 3)] * 3 + [0]
    assert points("Sum of squares", drawn)[0] == pytest.approx(100 * 289 / (289 + 100 + 49))
    assert points("Solos only", drawn) == [0] * 7
    assert points("C-Diplo", drawn)[:3] == [1 + 17 + 38, 1 + 10 + 14, 1 + 7 + 7]
    assert points("C-Diplo", final(12, 12, 10, 0, 0, 0, 0))[:2] == [1 + 12 + 26] * 2
    assert sum(points("C-Diplo", drawn)) == 100


COUNTS = st.lists(st.integers(0, 17), min_size=2, max_size=7).filter(any)


@pytest.mark.parametrize("system", SYSTEMS)
@given(COUNTS)
def test_more_is_never_worth_less_equals_score_alike_and_the_sum_is_printed(system: Scoring, counts: list[int]) -> None:
    end = final(*counts, sharing=0)
    if len(end.sharing) == 1:
        return
    found = score_seats(system, end)
    assert list(found.values()) == sorted(found.values(), key=lambda score: -score.points)
    for one, other in zip(end.counts, list(end.counts)[1:], strict=False):
        if end.counts[one] == end.counts[other]:
            assert found[one] == found[other]
        elif end.counts[one] > end.counts[other]:
            assert found[one].points >= found[other].points
    for score in found.values():
        assert format_points(score.points) in score.sum


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_solo_winner_scores_everything(system: Scoring) -> None:
    found = score_seats(system, final(18, 10, 6, 0, 0, 0, 0, sharing=1))
    assert [score.points > 0 for score in found.values()] == [True] + [False] * 6
    assert found[NAMES[0]].points >= Fraction(100)
