"""Two ways over one strait: moves on them oppose each other."""

from dataclasses import replace

import pytest

from plenipo.engine.board import Code
from plenipo.engine.outcome import Reason
from plenipo.engine.rules import Rules
from plenipo.rulekit.contacts import ContactRules
from table import judge, outcome, results, standard

WAYS = (((Code("LON"), Code("YOR")), (Code("NTH"), Code("EDI"))),)
"""Not a strait, but two ways of the regular board that serve as one."""


def rules(**options: object) -> Rules:
    return replace(standard(), modules=(ContactRules(crossings=WAYS, **options),))  # type: ignore[arg-type]


CASES = {
    "one against one both fail": (
        "England: A LON - YOR\nFrance: F NTH - EDI",
        {"A LON": "fails", "F NTH": "fails"},
    ),
    "the better supported passes and the other does not": (
        "England: A LON - YOR, A WAL S A LON - YOR\nFrance: F NTH - EDI",
        {"A LON": "moves", "A WAL": "supports", "F NTH": "fails"},
    ),
    "two against two both fail": (
        "England: A LON - YOR, A WAL S A LON - YOR\nFrance: F NTH - EDI, F NRG S F NTH - EDI",
        {"A LON": "fails", "A WAL": "supports", "F NTH": "fails", "F NRG": "supports"},
    ),
    "units of one power block each other too": (
        "England: A LON - YOR, F NTH - EDI",
        {"A LON": "fails", "F NTH": "fails"},
    ),
    "a fleet supported against its opposite number passes and the army fails": (
        "England: A LON - YOR\nFrance: F NTH - EDI, F NRG S F NTH - EDI\nRussia: F EDI - NTH",
        {"A LON": "fails", "F NTH": "moves", "F NRG": "supports", "F EDI": "fails dislodged"},
    ),
    "an order bounced at its own destination still blocks the strait": (
        "England: A LON - YOR\nFrance: F NTH - EDI\nRussia: A CLY - EDI",
        {"A LON": "fails", "F NTH": "fails", "A CLY": "fails"},
    ),
    "a move stopped in the strait still stands rivals off": (
        "England: A LON - YOR\nFrance: F NTH - EDI\nRussia: A LVP - YOR",
        {"A LON": "fails", "F NTH": "fails", "A LVP": "fails"},
    ),
    "an army that is convoyed is not in the strait": (
        "England: A YOR - LON VIA, F NTH C A YOR - LON\nFrance: F EDI - NTH",
        {"A YOR": "moves", "F NTH": "convoys", "F EDI": "fails"},
    ),
}


@pytest.mark.parametrize(("orders", "expected"), CASES.values(), ids=CASES)
def test_moves_that_cross(orders: str, expected: dict[str, str]) -> None:
    assert results(judge(orders, rules=rules())) == expected


def test_the_sentence_names_the_move_that_crossed() -> None:
    found = outcome(judge("England: A LON - YOR\nFrance: F NTH - EDI", rules=rules()), "A LON")
    assert found.cause.reason is Reason.CROSSED
    assert found.why == "A LON did not enter YOR: attack 1 against 1 of F NTH of France, whose way crosses this one."


def test_an_army_on_a_crossing_takes_a_foreign_convoy_only_where_the_option_says_any() -> None:
    orders = "England: A YOR - LON\nFrance: F NTH C A YOR - LON"
    assert "by convoy" not in outcome(judge(orders, rules=rules()), "A YOR").why
    assert "by convoy" in outcome(judge(orders, rules=rules(convoy="any")), "A YOR").why


def test_without_conflict_moves_cross_freely() -> None:
    found = results(judge("England: A LON - YOR\nFrance: F NTH - EDI", rules=rules(conflict=False)))
    assert found == {"A LON": "moves", "F NTH": "moves"}
