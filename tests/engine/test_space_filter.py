"""Space filters: every kind of space that a rule may mean, as one power sees it."""

from dataclasses import replace
from typing import get_args

import pytest

from plenipo import library
from plenipo.engine.board import Code
from plenipo.engine.position import Power
from plenipo.engine.space_filter import IN_WORDS, Whose, is_such, may_be

RULES = library.load("standard")
FRANCE, GERMANY = Power("France"), Power("Germany")
POSITION = replace(RULES.opening, owners={**RULES.opening.owners, Code("MUN"): FRANCE, Code("BRE"): GERMANY})

# for France, which has taken Munich and lost Brest
KINDS = {
    "PAR": {"home", "owned", "centre", "anywhere"},
    "MUN": {"owned", "foreign_home", "centre", "anywhere"},
    "BRE": {"foreign", "centre", "anywhere"},
    "BER": {"foreign", "foreign_home", "centre", "anywhere"},
    "BEL": {"unowned", "centre", "anywhere"},
    "GAS": {"plain", "anywhere"},
    "NTH": {"plain", "anywhere"},
}


@pytest.mark.parametrize(("code", "kinds"), KINDS.items())
def test_a_space_is_of_these_kinds_and_no_others(code: Code, kinds: set[str]) -> None:
    assert {whose for whose in get_args(Whose) if is_such(whose, RULES.board, POSITION, FRANCE, code)} == kinds


def test_a_filter_that_holds_for_some_power_may_hold() -> None:
    for whose in get_args(Whose):
        for code in RULES.board.spaces:
            ever = any(is_such(whose, RULES.board, POSITION, info.name, code) for info in RULES.powers)
            assert not ever or may_be(whose, RULES.board, code)


def test_sentences_have_words_for_every_kind() -> None:
    assert set(IN_WORDS) == set(get_args(Whose))
