"""Pieces worth nine tenths on the offence and a full unit in defence."""

from dataclasses import replace

import pytest

from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.rulekit.unit_types import UnitTypes
from table import judge, outcome, results, standard

TURKS = (Power("Turkey"),)


def rules(**options: str) -> Rules:
    return replace(standard(), modules=(UnitTypes(scale=10, offence=9, offence_of=TURKS, **options),))  # type: ignore[arg-type]


TABLE = {
    "a weak piece alone gives way to a full one": (
        "Turkey: A BUL - RUM\nAustria: A BUD - RUM",
        {"A BUL": "fails", "A BUD": "moves"},
    ),
    "two weak pieces stand each other off": (
        "Turkey: A BUL - RUM, A SEV - RUM",
        {"A BUL": "fails", "A SEV": "fails"},
    ),
    "1.8 goes in against 1": (
        "Turkey: A BUL - RUM, A UKR S A BUL - RUM\nAustria: A BUD - RUM",
        {"A BUL": "moves", "A UKR": "supports", "A BUD": "fails"},
    ),
    "1.8 gives way to 2": (
        "Turkey: A BUL - RUM, A UKR S A BUL - RUM\nAustria: A BUD - RUM, A GAL S A BUD - RUM",
        {"A BUL": "fails", "A UKR": "supports", "A BUD": "moves", "A GAL": "supports"},
    ),
    "1.9 gives way to 2": (
        "Turkey: A BUL - RUM\nRussia: A UKR S A BUL - RUM\nAustria: A BUD - RUM, A GAL S A BUD - RUM",
        {"A BUL": "fails", "A UKR": "supports", "A BUD": "moves", "A GAL": "supports"},
    ),
    "a weak support on the other side wins for it": (
        "Turkey: A BUL - RUM, A SER S A BUL - RUM, A UKR S A BUD - RUM\nAustria: A BUD - RUM",
        {"A BUL": "fails", "A SER": "supports", "A UKR": "supports", "A BUD": "moves"},
    ),
    "1.8 dislodges 1": (
        "Turkey: A BUL - RUM, A UKR S A BUL - RUM\nAustria: A RUM H",
        {"A BUL": "moves", "A UKR": "supports", "A RUM": "holds dislodged"},
    ),
    "1.8 does not dislodge 2": (
        "Turkey: A BUL - RUM, A UKR S A BUL - RUM\nAustria: A RUM H, A BUD S A RUM",
        {"A BUL": "fails", "A UKR": "supports", "A RUM": "holds", "A BUD": "supports"},
    ),
    "2.7 dislodges 2": (
        "Turkey: A BUL - RUM, A UKR S A BUL - RUM, F BLA S A BUL - RUM\nAustria: A RUM H, A BUD S A RUM",
        {"A BUL": "moves", "A UKR": "supports", "F BLA": "supports", "A RUM": "holds dislodged", "A BUD": "supports"},
    ),
    "a weak piece defends and supports a defence in full": (
        "Austria: A BUD - RUM, A GAL S A BUD - RUM\nTurkey: A RUM H, A UKR S A RUM",
        {"A BUD": "fails", "A GAL": "supports", "A RUM": "holds", "A UKR": "supports"},
    ),
    "one against one head to head nobody moves": (
        "Turkey: A BUL - RUM\nAustria: A RUM - BUL",
        {"A BUL": "fails", "A RUM": "fails"},
    ),
    "two against two head to head the weak side is dislodged": (
        "Turkey: A BUL - RUM, F BLA S A BUL - RUM\nAustria: A RUM - BUL, A SER S A RUM - BUL",
        {"A BUL": "fails dislodged", "F BLA": "supports", "A RUM": "moves", "A SER": "supports"},
    ),
    "three weak against two full head to head the weak side wins": (
        "Turkey: A BUL - RUM, F BLA S A BUL - RUM, A UKR S A BUL - RUM\nAustria: A RUM - BUL, A SER S A RUM - BUL",
        {"A BUL": "moves", "F BLA": "supports", "A UKR": "supports", "A RUM": "fails dislodged", "A SER": "supports"},
    ),
    "of two attacks on a besieged unit the stronger succeeds": (
        "Turkey: A BUL - RUM, F BLA S A BUL - RUM\nAustria: A BUD - RUM, A GAL S A BUD - RUM\nRussia: A RUM H",
        {
            "A BUL": "fails",
            "F BLA": "supports",
            "A BUD": "moves",
            "A GAL": "supports",
            "A RUM": "holds dislodged",
        },
    ),
}


@pytest.mark.parametrize(("orders", "expected"), TABLE.values(), ids=TABLE)
def test_the_table_of_strengths(orders: str, expected: dict[str, str]) -> None:
    assert results(judge(orders, rules=rules())) == expected


def test_the_sentence_shows_tenths() -> None:
    found = outcome(judge(TABLE["1.8 does not dislodge 2"][0], rules=rules()), "A BUL")
    assert found.why == "A BUL did not enter RUM: attack 1.8 (with A UKR) against hold 2 (with A BUD)."
    assert (found.cause.strength, found.cause.against, found.cause.scale) == (18, 20, 10)


def test_the_options_change_what_counts_head_to_head_and_against_rivals() -> None:
    alone = "Turkey: A BUL - RUM\nAustria: A RUM - BUL"
    assert results(judge(alone, rules=rules(head_to_head="offence")))["A BUL"] == "fails dislodged"
    both = TABLE["two against two head to head the weak side is dislodged"][0]
    assert results(judge(both, rules=rules(support_head_to_head="full")))["A BUL"] == "fails"
    rivals = TABLE["a weak piece alone gives way to a full one"][0]
    assert results(judge(rivals, rules=rules(prevent="full"))) == {"A BUL": "fails", "A BUD": "fails"}
