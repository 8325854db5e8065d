"""Every result says why, in data and in a sentence with the numbers."""

import pytest

from plenipo.engine.outcome import Reason
from table import judge, outcome

SENTENCES = [
    (
        "Germany: A MUN - BUR, A RUH S A MUN - BUR\nFrance: A BUR H, A PAR S A BUR",
        "A MUN",
        Reason.REPELLED,
        "A MUN did not enter BUR: attack 2 (with A RUH) against hold 2 (with A PAR).",
    ),
    ("France: A PAR - BUR", "A PAR", Reason.UNOPPOSED, "A PAR moved to BUR unopposed."),
    (
        "Germany: A MUN - BUR, A RUH S A MUN - BUR\nFrance: A BUR H",
        "A BUR",
        Reason.DISLODGED,
        "A BUR was dislodged by A MUN of Germany: attack 2 (with A RUH) against hold 1.",
    ),
    (
        "Austria: A VIE - TYO\nItaly: A VEN - TYO",
        "A VEN",
        Reason.STOOD_OFF,
        "A VEN did not enter TYO: attack 1 against 1 of A VIE of Austria, which was ordered there too.",
    ),
    (
        "France: A BUR - MUN\nGermany: A MUN - BUR, A RUH S A MUN - BUR\nItaly: A MAR - BUR",
        "A BUR",
        Reason.HEAD_TO_HEAD,
        "A BUR did not enter MUN: attack 1 against 2 (with A RUH) of A MUN of Germany, which came the opposite way."
        " A BUR was dislodged by A MUN of Germany: attack 2 (with A RUH) against 1.",
    ),
    (
        "Germany: A BER H, F KIE - BER, A MUN S F KIE - BER",
        "F KIE",
        Reason.OWN_UNIT,
        "F KIE did not enter BER: A BER of its own power stayed there.",
    ),
    (
        "Turkey: F ANK - CON, A CON - SMY, A SMY - ANK",
        "A CON",
        Reason.ROTATED,
        "A CON moved to SMY: the units of a circle all moved on.",
    ),
    (
        "England: A LON - BEL, F NTH H",
        "A LON",
        Reason.NO_CONVOY,
        "A LON did not enter BEL: no complete chain of fleets was ordered to convoy it.",
    ),
    (
        "England: A LON - BEL, F NTH C A LON - BEL\nGermany: F HEL - NTH, F DEN S F HEL - NTH",
        "A LON",
        Reason.CONVOY_BROKEN,
        "A LON did not enter BEL: the convoy was broken, for F HEL of Germany dislodged F NTH.",
    ),
    (
        "England: F LON S F WAL - ENG, F WAL - ENG\nFrance: A BRE - LON, F ENG C A BRE - LON",
        "A BRE",
        Reason.PARADOX,
        "A BRE did not enter LON: its convoy by F ENG depended on its own success, so it was not carried out.",
    ),
    (
        "Germany: A MUN - BUR, A RUH S A MUN - BUR\nFrance: A BUR H, A BEL - RUH",
        "A RUH",
        Reason.ATTACKED,
        "The support of A RUH for A MUN to BUR was cut by the attack of A BEL.",
    ),
    (
        "Germany: A MUN - BUR, A RUH S A MUN - TYO",
        "A RUH",
        Reason.ILLEGAL,
        "A RUH held, for its order 'A RUH S A MUN - TYO' was illegal: "
        "A RUH could not move to Tyrolia and so cannot support there.",
    ),
    (
        "Germany: A MUN - TYO, A RUH S A MUN - BUR",
        "A RUH",
        Reason.NO_MATCH,
        "A RUH supported A MUN to BUR, which counted for nothing: A MUN was ordered 'A MUN - TYO'.",
    ),
]


@pytest.mark.parametrize(("orders", "unit", "reason", "sentence"), SENTENCES, ids=[case[3][:60] for case in SENTENCES])
def test_the_sentence_and_its_reason(orders: str, unit: str, reason: Reason, sentence: str) -> None:
    found = outcome(judge(orders), unit)
    assert found.why == sentence
    assert found.cause.reason is reason


def test_a_cause_carries_the_numbers_and_the_units_behind_them() -> None:
    resolution = judge("Germany: A MUN - BUR, A RUH S A MUN - BUR\nFrance: A BUR H, A PAR S A BUR")
    cause = outcome(resolution, "A MUN").cause
    assert (cause.strength, cause.against, cause.place) == (2, 2, "BUR")
    assert [str(unit) for unit in (*cause.helpers, *cause.against_helpers, *cause.by)] == ["A RUH", "A PAR", "A BUR"]


def test_a_unit_without_an_order_says_so() -> None:
    found = outcome(judge("France: A PAR H", units="Germany: A MUN"), "A MUN")
    assert (found.cause.reason, found.why) == (Reason.NO_ORDER, "A MUN held: it had no order.")
