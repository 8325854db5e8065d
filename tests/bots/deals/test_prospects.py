"""Prospects: in how many cases a power takes and loses a centre, and the sentence about the greatest change."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from plenipo.bots.deals.prospects import CentreProspects, count_prospects, describe_difference
from plenipo.engine.board import Code
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import View, view
from plenipo.engine.position import Power
from table import order_sets, place, standard

FRANCE = Power("France")
BOARD = "France: A PAR, A BUR\nGermany: A PIC"


def seen() -> View:
    return view(Game(standard(), replace(place(BOARD), owners={Code("PAR"): FRANCE})), FRANCE, {})


def test_a_centre_is_counted_as_taken_or_lost_where_a_unit_stands_in_it_afterwards() -> None:
    rules = standard()
    cases = [
        order_sets(rules, "France: A BUR H, A PAR H\nGermany: A PIC - PAR"),
        order_sets(rules, "France: A BUR - BEL, A PAR - GAS\nGermany: A PIC - PAR"),
        order_sets(rules, "France: A BUR - BEL, A PAR H\nGermany: A PIC H"),
    ]
    found = count_prospects(seen(), FRANCE, cases)
    assert found.cases == 3
    assert {code: count for code, count in found.taken.items() if count} == {Code("BEL"): 2}
    assert {code: count for code, count in found.lost.items() if count} == {Code("PAR"): 1}


def prospects(cases: int, taken: Mapping[str, int], lost: Mapping[str, int]) -> CentreProspects:
    def counted(counts: Mapping[str, int]) -> dict[Code, int]:
        codes = seen().rules.board.spaces
        return {code: counts.get(code, 0) for code in codes}

    return CentreProspects(cases, counted(taken), counted(lost))


@pytest.mark.parametrize(
    ("better", "taken", "lost", "said"),
    [
        (False, {}, {"PAR": 12}, "I would lose Paris in 12 of 20 cases, and in 0 without the deal."),
        (False, {}, {"PAR": 1}, ""),
        (True, {"MUN": 9}, {"PAR": 12}, "I would take Munich in 9 of 20 cases, and in 0 without the deal."),
        (True, {}, {"PAR": 12}, ""),
    ],
)
def test_the_greatest_change_is_told_with_its_figures(
    better: bool,  # noqa: FBT001  # a case
    taken: Mapping[str, int],
    lost: Mapping[str, int],
    said: str,
) -> None:
    assert describe_difference(seen(), prospects(20, {}, {}), prospects(20, taken, lost), better=better) == said
