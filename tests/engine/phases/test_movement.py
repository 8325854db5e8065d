"""The movement phase on positions where adjudicators are known to go wrong.

The DATC stands in the worked cases and the definitions in the brute-force oracle; these are the traps between.
"""

import pytest

from table import board_of, judge, outcome, results, standard

TRAPS = {
    # support by the victim's own power
    "a support by the victim's power does not help to dislodge it": (
        "Austria: F TRI H, A VIE S A VEN - TRI\nItaly: A VEN - TRI",
        {"A VEN": "fails", "F TRI": "holds", "A VIE": "supports"},
    ),
    "a support by the victim's power does not help to win a head-to-head against it": (
        "Germany: A MUN - TYO, A BOH S A VEN - TYO, A BER H\nItaly: A TYO - MUN, A VEN - TYO",
        {"A MUN": "fails", "A TYO": "fails", "A VEN": "fails", "A BOH": "supports", "A BER": "holds"},
    ),
    "in a head-to-head a support by the opponent's own power does not count against it": (
        "France: A BUR - MUN, A RUH S A MUN - BUR\nGermany: A MUN - BUR",
        {"A BUR": "fails", "A MUN": "fails", "A RUH": "supports"},
    ),
    "a support by the victim's power counts against rivals though not against the victim": (
        "Germany: A MUN H, A SIL S A BOH - MUN\nAustria: A BOH - MUN\nFrance: A BUR - MUN, A RUH S A BUR - MUN",
        {"A MUN": "holds", "A BOH": "fails", "A BUR": "fails", "A SIL": "supports", "A RUH": "supports"},
    ),
    "a support by the victim's power does not help a convoyed attack to dislodge it": (
        "England: A LON H, A WAL S A BEL - LON\nFrance: A BEL - LON, F ENG C A BEL - LON",
        {"A LON": "holds", "A BEL": "fails", "F ENG": "convoys", "A WAL": "supports"},
    ),
    "an own convoyed attack does not dislodge an own unit": (
        "England: A LON - BEL, F NTH C A LON - BEL, A BEL H, F ENG S A LON - BEL",
        {"A LON": "fails", "A BEL": "holds", "F NTH": "convoys", "F ENG": "supports"},
    ),
    "a move succeeds if enough foreign supports are left after those of the victim's power": (
        "Austria: F TRI H, A VIE S A VEN - TRI\nItaly: A VEN - TRI, A TYO S A VEN - TRI",
        {"A VEN": "moves", "F TRI": "holds dislodged", "A VIE": "supports", "A TYO": "supports"},
    ),
    # convoyed attacks on supporters
    "a convoyed attack on a supporter next to the attacker by land does not cut a support against its origin": (
        "Italy: A VEN - TRI VIA, F ADR C A VEN - TRI\nAustria: A TRI S A TYO - VEN, A TYO - VEN",
        {"A VEN": "fails dislodged", "F ADR": "convoys", "A TRI": "supports", "A TYO": "moves"},
    ),
    "a convoyed attack cuts a support that is not against its origin": (
        "England: A YOR - HOL, F NTH C A YOR - HOL\nGermany: A HOL S A RUH - BEL, A RUH - BEL\nFrance: A BEL H",
        {"A YOR": "fails", "F NTH": "convoys", "A HOL": "cut", "A RUH": "fails", "A BEL": "holds"},
    ),
    "a convoyed attack on a land neighbour that supports a third battle cuts it like any attack": (
        "Italy: A ROM - APU VIA, F TYN C A ROM - APU, F ION C A ROM - APU\n"
        "Austria: A APU S A TRI - VEN, A TRI - VEN\nTurkey: A VEN H",
        {
            "A ROM": "fails",
            "F TYN": "convoys",
            "F ION": "convoys",
            "A APU": "cut",
            "A TRI": "fails",
            "A VEN": "holds",
        },
    ),
    # a convoy that only a void support would break
    "a support of an order that was not given breaks no convoy": (
        "England: A LON - NWY, F NTH C A LON - NWY\nGermany: F HEL - NTH, F DEN S F SKA - NTH\nRussia: F SKA H",
        {"A LON": "moves", "F NTH": "convoys", "F HEL": "fails", "F DEN": "void", "F SKA": "holds"},
    ),
    "an illegal support breaks no convoy": (
        "England: A LON - NWY, F NTH C A LON - NWY\nGermany: F HEL - NTH, A HOL S F HEL - NTH",
        {"A LON": "moves", "F NTH": "convoys", "F HEL": "fails", "A HOL": "void"},
    ),
    # swaps
    "two armies of one power change places if one is convoyed": (
        "England: A NWY - SWE VIA, A SWE - NWY, F SKA C A NWY - SWE",
        {"A NWY": "moves", "A SWE": "moves", "F SKA": "convoys"},
    ),
    "two armies of one power do not change places if the convoy is broken": (
        "England: A NWY - SWE VIA, A SWE - NWY, F SKA C A NWY - SWE\nGermany: F DEN - SKA, F NTH S F DEN - SKA",
        {
            "A NWY": "fails",
            "A SWE": "fails",
            "F SKA": "disrupted dislodged",
            "F DEN": "moves",
            "F NTH": "supports",
        },
    ),
    "two units of one power cannot change places by land": (
        "France: A PAR - BUR, A BUR - PAR",
        {"A PAR": "fails", "A BUR": "fails"},
    ),
    # circles
    "a circle turns though one of its units could not enter alone": (
        "Turkey: F ANK - CON, A CON - SMY, A SMY - ANK",
        {"F ANK": "moves", "A CON": "moves", "A SMY": "moves"},
    ),
    "a circle that carries a unit out of an attacked place is stopped by an equal rival": (
        "Turkey: F ANK - CON, A CON - SMY, A SMY - ANK\nRussia: F BLA - ANK",
        {"F ANK": "fails", "A CON": "fails", "A SMY": "fails", "F BLA": "fails"},
    ),
    "two units move round a circle with the help of a convoy": (
        "Turkey: A CON - BUL VIA, A BUL - CON, F BLA C A CON - BUL",
        {"A CON": "moves", "A BUL": "moves", "F BLA": "convoys"},
    ),
    # besieged
    "a unit attacked with equal strength from two sides stays": (
        "Austria: A TYO - MUN, A BOH S A TYO - MUN\nFrance: A BUR - MUN, A RUH S A BUR - MUN\nGermany: A MUN H",
        {"A TYO": "fails", "A BOH": "supports", "A BUR": "fails", "A RUH": "supports", "A MUN": "holds"},
    ),
    "a failed move leaves the unit with a strength of one": (
        "Germany: A MUN - BER, A KIE S A MUN\nRussia: A PRU - BER\nFrance: A BUR - MUN, A RUH S A BUR - MUN",
        {
            "A MUN": "fails dislodged",
            "A KIE": "void",
            "A PRU": "fails",
            "A BUR": "moves",
            "A RUH": "supports",
        },
    ),
}


@pytest.mark.parametrize(("orders", "expected"), TRAPS.values(), ids=TRAPS)
def test_known_traps(orders: str, expected: dict[str, str]) -> None:
    assert results(judge(orders)) == expected


def test_an_illegal_order_lets_the_unit_hold_and_be_supported_in_place() -> None:
    resolution = judge("Russia: F RUM - HOL\nAustria: A BUD S F RUM\nTurkey: A BUL - RUM, F BLA S A BUL - RUM")
    assert results(resolution)["A BUD"] == "supports"
    assert results(resolution)["A BUL"] == "fails"


def test_the_coast_named_in_a_support_must_match_the_move() -> None:
    wrong = judge("France: F POR S F MID - SPA/SC, F MID - SPA/NC\nItaly: F WES - SPA/SC")
    assert results(wrong) == {"F POR": "void", "F MID": "fails", "F WES": "fails"}


PARADOX = "England: F LON S F WAL - ENG, F WAL - ENG\nFrance: A BRE - LON, F ENG C A BRE - LON"


@pytest.mark.parametrize("edition", ["standard", "1971", "1982", "2000", "2023"])
def test_the_simple_paradox_ends_the_same_under_every_rulebook(edition: str) -> None:
    resolution = judge(PARADOX, rules=standard(edition))
    assert board_of(resolution.after) == {"England": ["F ENG", "F LON"], "France": ["A BRE"]}


PANDIN = (
    "England: F LON S F WAL - ENG, F WAL - ENG\nFrance: A BRE - LON, F ENG C A BRE - LON, F YOR S A BRE - LON\n"
    "Germany: F NTH S F BEL - ENG, F BEL - ENG"
)


@pytest.mark.parametrize(
    ("edition", "army"),
    [("standard", "fails"), ("1971", "moves"), ("1982", "moves"), ("2000", "moves"), ("2023", "moves")],
)
def test_the_extended_pandin_paradox_ends_as_the_rulebook_says(edition: str, army: str) -> None:
    assert outcome(judge(PANDIN, rules=standard(edition)), "A BRE").result == army


def test_under_1971_a_foreign_fleet_may_carry_an_army_past_one_coming_the_other_way() -> None:
    orders = "England: A NWY - SWE\nRussia: F SWE - NWY\nGermany: F SKA C A NWY - SWE"
    assert results(judge(orders))["A NWY"] == "fails"
    assert results(judge(orders, rules=standard("1971")))["A NWY"] == "moves"


def test_under_1971_a_broken_convoy_leaves_a_head_to_head_by_land() -> None:
    orders = (
        "England: A NWY - SWE\nRussia: F SWE - NWY, A FIN S F SWE - NWY\nGermany: F SKA C A NWY - SWE\n"
        "France: F NTH - SKA, F DEN S F NTH - SKA"
    )
    resolution = judge(orders, rules=standard("1971"))
    assert results(resolution)["A NWY"] == "fails dislodged"
    assert results(resolution)["F SWE"] == "moves"


def test_with_policy_any_one_dislodged_convoying_fleet_stops_the_army() -> None:
    orders = "England: A LON - BEL, F ENG C A LON - BEL, F NTH C A LON - BEL\nFrance: F BRE S F MID - ENG, F MID - ENG"
    assert results(judge(orders))["A LON"] == "moves"
    assert results(judge(orders, rules=standard("standard", ("4.A.1", "any"))))["A LON"] == "fails"
