"""Hundreds of orders as zines, judges, sites and programs write them: nearly all are read, none is misread."""

from collections import Counter

import pytest

from order_texts import OrderText, is_misread, is_right, order_texts, reading_of

TEXTS = tuple(order_texts("order_texts.txt"))
LEAST = 1_800
SHARE = 0.97
"""The smallest share of texts that a player would understand and that are read exactly."""


def test_the_texts_are_many_and_of_many_boards() -> None:
    assert len(TEXTS) >= LEAST
    assert len({(case.text, case.variant, case.kind, case.units) for case in TEXTS}) == len(TEXTS)
    assert {case.kind for case in TEXTS} == {"movement", "retreats", "adjustments", "choice"}
    assert len(Counter(case.variant for case in TEXTS)) >= 7


def test_most_texts_that_a_player_would_understand_are_read_exactly() -> None:
    understood = [case for case in TEXTS if case.understood]
    wrong = [case.text for case in understood if not is_right(case, reading_of(case))]
    assert len(wrong) <= (1 - SHARE) * len(understood), wrong


def test_no_text_is_misread() -> None:
    misread = {case.text: reading_of(case) for case in TEXTS if is_misread(case, reading_of(case))}
    assert misread == {}


@pytest.mark.parametrize("case", [case for case in TEXTS if not case.understood], ids=lambda case: repr(case.text))
def test_a_text_that_is_not_clear_is_refused_with_the_reason(case: OrderText) -> None:
    assert is_right(case, reading_of(case))
