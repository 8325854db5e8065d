"""Every result says why, in data and in a sentence with the numbers."""

import pytest

from plenipo import library
from plenipo.engine.outcome import NotCounted, Reason
from table import judge, outcome, standard

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
        "A CON moved to SMY: A CON, A SMY and F ANK moved on in a circle.",
    ),
    (
        "England: A LON - BEL, F NTH H",
        "A LON",
        Reason.NO_CONVOY,
        "A LON did not enter BEL: no complete chain of fleets was ordered to convoy it; F NTH held.",
    ),
    (
        "England: A LON - BEL, F NTH C A LON - BEL\nGermany: F HEL - NTH, F DEN S F HEL - NTH",
        "A LON",
        Reason.CONVOY_BROKEN,
        "A LON did not enter BEL: its convoy was broken when F HEL of Germany dislodged F NTH.",
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
        "A RUH held, because its order 'A RUH S A MUN - TYO' was illegal: "
        "A RUH could not move to Tyrolia and so cannot support there.",
    ),
    (
        "Germany: A MUN - TYO, A RUH S A MUN - BUR",
        "A RUH",
        Reason.NO_MATCH,
        "A RUH supported A MUN to BUR, which counted for nothing: A MUN was ordered 'A MUN - TYO'.",
    ),
    (
        "Turkey: F ANK - CON, A ARM - ANK\nRussia: F BLA - ANK, F CON S F BLA - ANK",
        "A ARM",
        Reason.STOOD_OFF,
        "A ARM did not enter ANK: attack 1 against 2 (with F CON) of F BLA of Russia, which was ordered there too.",
    ),
    (
        "Turkey: A ANK - CON, A CON - ANK",
        "A CON",
        Reason.HEAD_TO_HEAD,
        "A CON did not enter ANK: it met A ANK of its own power head to head.",
    ),
    (
        "Germany: A BER H, F KIE - BER, A MUN S F KIE - BER",
        "A MUN",
        Reason.GIVEN,
        "A MUN supported F KIE to BER, which did not count against A BER of its own power.",
    ),
    (
        "Austria: F TRI H, A VIE S A VEN - TRI\nItaly: A VEN - TRI",
        "A VEN",
        Reason.REPELLED,
        "A VEN did not enter TRI: attack 1 against hold 1; the support of A VIE did not count against F TRI of its own "
        "power.",
    ),
    (
        "Austria: F TRI H, A VIE S A VEN - TRI, A BUD S A VEN - TRI\nItaly: A VEN - TRI\nGermany: A TYO - TRI",
        "A VEN",
        Reason.REPELLED,
        "A VEN did not enter TRI: attack 1 against hold 1; "
        "the supports of A BUD and A VIE did not count against F TRI of their own power.",
    ),
    (
        "Austria: F TRI H, A VIE S A VEN - TRI, A BUD S A VEN - TRI\nItaly: A VEN - TRI\nGermany: A TYO - TRI",
        "A TYO",
        Reason.STOOD_OFF,
        "A TYO did not enter TRI: attack 1 against 3 (with A BUD and A VIE) of A VEN of Italy, "
        "which was ordered there too.",
    ),
    (
        "Germany: A MUN - BUR, A RUH S A MUN - BUR, A KIE S A MUN - BUR\nFrance: A BUR H, A BEL - RUH",
        "A MUN",
        Reason.REPELLED,
        "A MUN did not enter BUR: attack 1 against hold 1; "
        "the support of A RUH was cut and the support of A KIE was illegal.",
    ),
    (
        "Germany: A MUN - BUR, A RUH S A MUN - BUR\nFrance: A BUR H, A PAR S A BUR\nItaly: A PIC - PAR",
        "A BUR",
        Reason.DISLODGED,
        "A BUR was dislodged by A MUN of Germany: attack 2 (with A RUH) against hold 1; the support of A PAR was cut.",
    ),
    (
        "Germany: A MUN - BUR, A RUH S A MUN - BUR, A BEL S A MUN - BUR\nItaly: A MAR - BUR, A GAS S A MAR - BUR\n"
        "France: A BUR H",
        "A BUR",
        Reason.DISLODGED,
        "A BUR was dislodged by A MUN of Germany: attack 3 (with A BEL and A RUH) against hold 1.",
    ),
    (
        "England: A NWY - SWE\nGermany: F SKA C A NWY - SWE\nRussia: A SWE - NWY",
        "F SKA",
        Reason.NO_MATCH,
        "F SKA did not convoy A NWY to SWE: A NWY was to go by land, "
        "as its order did not say VIA and no fleet of its own power convoyed it.",
    ),
    (
        "England: A NWY - SWE, F SKA C A NWY - SWE\nRussia: A SWE - NWY",
        "A SWE",
        Reason.ROTATED,
        "A SWE moved to NWY: it changed places with A NWY of England.",
    ),
    (
        "England: A NWY - SWE, F SKA C A NWY - SWE\nRussia: A SWE - NWY",
        "A NWY",
        Reason.ROTATED,
        "A NWY moved to SWE by convoy: it changed places with A SWE of Russia.",
    ),
    (
        "England: A LON - BRE, F NTH C A LON - BRE, F ENG H",
        "F NTH",
        Reason.ILLEGAL,
        "F NTH held, because its order 'F NTH C A LON - BRE' was illegal: "
        "F NTH is part of no chain of fleets from London to Brest.",
    ),
    (
        "England: A LON - TUN, F ENG C A LON - TUN, F MID C A LON - TUN, F WES H",
        "F MID",
        Reason.NO_CONVOY,
        "F MID did not convoy A LON to TUN: it was part of no complete chain of fleets; F WES held.",
    ),
    (  # DATC 6.F, 6.G: the real cause of a convoy that did not take place
        "England: A LON - BEL, F NTH C A LON - HOL",
        "A LON",
        Reason.NO_CONVOY,
        "A LON did not enter BEL: no complete chain of fleets was ordered to convoy it; "
        "F NTH was ordered 'F NTH C A LON - HOL'.",
    ),
    (
        "England: A LON - TUN, F ENG C A LON - TUN, F MID C A LON - TUN, F WES - LYO",
        "A LON",
        Reason.NO_CONVOY,
        "A LON did not enter TUN: no complete chain of fleets was ordered to convoy it; "
        "F WES was ordered 'F WES - GOL'.",
    ),
    (
        "England: A LON - SPA, F ENG C A LON - SPA, F MID C A LON - SPA\nFrance: F BRE - ENG, F PIC S F BRE - ENG",
        "F MID",
        Reason.CONVOY_BROKEN,
        "F MID did not convoy A LON to SPA: the chain of fleets was broken when F BRE of France dislodged F ENG.",
    ),
    (
        "England: A LON - SPA, F ENG C A LON - SPA, F MID C A LON - SPA\nFrance: F BRE - ENG, F PIC S F BRE - ENG",
        "F ENG",
        Reason.DISLODGED,
        "F ENG did not convoy A LON to SPA. "
        "F ENG was dislodged by F BRE of France: attack 2 (with F PIC) against hold 1.",
    ),
    (
        "England: F LON S F WAL - ENG, F WAL - ENG\nFrance: A BRE - LON, F ENG C A BRE - LON\n"
        "Germany: F BEL S F ENG, F NTH S F ENG",
        "F ENG",
        Reason.GIVEN,
        "F ENG convoyed A BRE, which did not enter LON.",
    ),
    (  # the fleet did what it was ordered, and the army did not land
        "England: A YOR - NWY, F NTH C A YOR - NWY\nRussia: A NWY H",
        "F NTH",
        Reason.GIVEN,
        "F NTH convoyed A YOR, which did not enter NWY.",
    ),
    (
        "England: A YOR - NWY, F NTH C A YOR - NWY\nRussia: A FIN - NWY",
        "F NTH",
        Reason.GIVEN,
        "F NTH convoyed A YOR, which did not enter NWY.",
    ),
    (
        "England: A YOR - NWY, F NTH C A YOR - NWY, A NWY H",
        "F NTH",
        Reason.GIVEN,
        "F NTH convoyed A YOR, which did not enter NWY.",
    ),
    (
        "England: A LON - TUN, F ENG C A LON - TUN, F MID C A LON - TUN, F WES C A LON - TUN\nItaly: F TUN H",
        "F ENG",
        Reason.GIVEN,
        "F ENG convoyed A LON, which did not enter TUN.",
    ),
    (
        "England: A YOR - NWY, F NTH C A YOR - NWY, F NWG S A YOR - NWY\nRussia: A NWY H",
        "F NTH",
        Reason.GIVEN,
        "F NTH convoyed A YOR to NWY.",
    ),
    (
        "England: A YOR H, F NTH C A YOR - NWY",
        "F NTH",
        Reason.NO_MATCH,
        "F NTH did not convoy A YOR to NWY: A YOR was ordered 'A YOR H'.",
    ),
    (
        "France: A BEL - HOL VIA\nEngland: F NTH H",
        "A BEL",
        Reason.NO_CONVOY,
        "A BEL did not enter HOL: no complete chain of fleets was ordered to convoy it, "
        "and it was to go by convoy, not by land.",
    ),
    (
        "Austria: A RUM - ARM\nTurkey: F BLA S A RUM - ARM",
        "F BLA",
        Reason.ILLEGAL,
        "F BLA held, because its order 'F BLA S A RUM - ARM' was illegal: "
        "A RUM could reach Armenia only if F BLA convoyed it, and F BLA cannot support it too.",
    ),
    (
        "France: F SPA/NC - GOL",
        "F SPA/NC",
        Reason.ILLEGAL,
        "F SPA/NC held, because its order 'F SPA/NC - GOL' was illegal: "
        "F SPA/NC does not reach Gulf of Lyon: only a fleet on SPA/SC does.",
    ),
    (
        "France: F SPA/NC S F WES - GOL\nItaly: F WES - GOL",
        "F SPA/NC",
        Reason.ILLEGAL,
        "F SPA/NC held, because its order 'F SPA/NC S F WES - GOL' was illegal: "
        "F SPA/NC could not move to Gulf of Lyon, as a fleet on SPA/SC could, and so cannot support there.",
    ),
    (
        "France: F MID S F POR - SPA/SC\nItaly: F POR - SPA/NC",
        "F MID",
        Reason.NO_MATCH,
        "F MID supported F POR to SPA/SC, which counted for nothing: F POR was ordered 'F POR - SPA/NC'.",
    ),
    (
        "Russia: F CON S F BLA - ANK, F BLA - ANK\nTurkey: F ANK - CON",
        "F CON",
        Reason.GIVEN,
        "F CON supported F BLA to ANK; the attack of F ANK, which came from ANK, did not cut it.",
    ),
    (
        "England: F LON S F NTH - ENG, F NTH - ENG, A YOR - LON\nFrance: F ENG H",
        "F LON",
        Reason.GIVEN,
        "F LON supported F NTH to ENG; the attack of A YOR of its own power did not cut it.",
    ),
    (
        "England: F LON S F NTH - ENG, F NTH - ENG, A YOR - LON, A WAL - LON\nFrance: F ENG H",
        "F LON",
        Reason.GIVEN,
        "F LON supported F NTH to ENG; the attacks of A WAL and A YOR of its own power did not cut it.",
    ),
    (
        "England: F LON S F WAL - ENG, F WAL - ENG\nFrance: A BRE - LON, F ENG C A BRE - LON",
        "F LON",
        Reason.GIVEN,
        "F LON supported F WAL to ENG; the attack of A BRE, which was not convoyed, did not cut it.",
    ),
    (
        "England: F LON S F WAL - ENG, F WAL - ENG, A YOR - LON\nFrance: F ENG - LON",
        "F LON",
        Reason.GIVEN,
        "F LON supported F WAL to ENG; the attack of F ENG, which came from ENG, did not cut it "
        "and the attack of A YOR of its own power did not cut it.",
    ),
    (
        "Austria: F TRI H, A VIE S A VEN - TRI, A BOH - VIE\nItaly: A VEN - TRI",
        "A VIE",
        Reason.GIVEN,
        "A VIE supported A VEN to TRI, which did not count against F TRI of its own power; "
        "the attack of A BOH of its own power did not cut it.",
    ),
    (
        "Austria: A TRI - VEN VIA, F ADR C A TRI - VEN\nItaly: A VEN S F ALB - TRI, F ALB - TRI",
        "A VEN",
        Reason.GIVEN,
        "A VEN supported F ALB to TRI; the attack of A TRI, which came from TRI, did not cut it.",
    ),
    (
        "Germany: A BER - PRU, F KIE - BER, A SIL S A BER - PRU\nRussia: A PRU - BER",
        "F KIE",
        Reason.UNOPPOSED,
        "F KIE moved to BER unopposed; "
        "the move of A PRU had no effect there, because A BER came from there and dislodged it.",
    ),
    (
        "Germany: A BER - PRU, F KIE - BER, A SIL S A BER - PRU, A MUN S F KIE - BER\nRussia: A PRU - BER, F BAL - BER",
        "F KIE",
        Reason.OVERCAME,
        "F KIE moved to BER: attack 2 (with A MUN) against 1 of F BAL of Russia.",
    ),
    (
        "Germany: A BER - PRU, F KIE - BER, A SIL S A BER - PRU, A MUN S F KIE - BER\nRussia: A PRU - BER",
        "F KIE",
        Reason.UNOPPOSED,
        "F KIE moved to BER unopposed.",
    ),
    (
        "England: F ENG C A PIC - BEL\nFrance: F BRE - ENG, A PIC - BEL, F MID S F BRE - ENG",
        "F ENG",
        Reason.DISLODGED,
        "F ENG did not convoy A PIC to BEL: A PIC was to go by land, "
        "as its order did not say VIA and no fleet of its own power convoyed it. "
        "F ENG was dislodged by F BRE of France: attack 2 (with F MID) against hold 1.",
    ),
]


@pytest.mark.parametrize(("orders", "unit", "reason", "sentence"), SENTENCES)
def test_the_sentence_and_its_reason(orders: str, unit: str, reason: Reason, sentence: str) -> None:
    found = outcome(judge(orders), unit)
    assert found.why == sentence
    assert found.cause.reason is reason


POLICIES = [
    (
        ("4.A.2", "1971"),
        "England: F LON S F WAL - ENG, F WAL - ENG\nFrance: A BRE - LON, F ENG C A BRE - LON, F YOR S A BRE - LON\n"
        "Germany: F BEL - ENG, F NTH S F BEL - ENG",
        "F LON",
        "F LON supported F WAL to ENG; the attack of A BRE by convoy did not cut it, "
        "because it was against F ENG, which was ordered to convoy. "
        "F LON was dislodged by A BRE of France: attack 2 (with F YOR) against hold 1.",
    ),
    (
        ("4.A.2", "1982"),
        "Germany: F HEL S F SKA - NTH, F SKA - NTH\nEngland: A LON - BEL, F NTH C A LON - BEL\nFrance: F BEL S F NTH",
        "F BEL",
        "F BEL supported F NTH in place; the attack of A LON by convoy did not cut it, "
        "because it was for F NTH, which was ordered to convoy.",
    ),
    (
        ("4.A.3", "explicit"),
        "England: A NWY - SWE, F SKA C A NWY - SWE",
        "F SKA",
        "F SKA did not convoy A NWY to SWE: A NWY was to go by land, as its order did not say VIA.",
    ),
    (
        ("4.A.3", "1971"),
        "England: A NWY - SWE, F SKA C A NWY - SWE",
        "F SKA",
        "F SKA did not convoy A NWY to SWE: A NWY was to go by land, as no unit came the opposite way.",
    ),
    (
        ("4.A.3", "1971"),
        "England: A ROM - APU, F TYN C A ROM - APU, F ION H",
        "F TYN",
        "F TYN did not convoy A ROM to APU: it was part of no complete chain of fleets; F ION held.",
    ),
    (
        ("4.A.3", "intent-or-land"),
        "England: A ROM - APU VIA, F TYN C A ROM - APU, F ION H",
        "F TYN",
        "F TYN did not convoy A ROM to APU: it was part of no complete chain of fleets; F ION held.",
    ),
    (
        ("4.A.7", "no-effect"),
        "France: A BEL - LON VIA, F ENG C A BEL - LON\n"
        "England: A HOL S A LON - BEL, A LON - BEL VIA, F NTH C A LON - BEL, A YOR - LON",
        "A YOR",
        "A YOR moved to LON unopposed; "
        "the move of A BEL had no effect there, because A LON came from there and dislodged it.",
    ),
]


@pytest.mark.parametrize(("policy", "orders", "unit", "sentence"), POLICIES)
def test_a_sentence_names_the_rule_of_a_policy(policy: tuple[str, str], orders: str, unit: str, sentence: str) -> None:
    assert outcome(judge(orders, rules=standard("standard", policy)), unit).why == sentence


def test_a_cause_carries_the_numbers_and_the_units_behind_them() -> None:
    resolution = judge("Germany: A MUN - BUR, A RUH S A MUN - BUR\nFrance: A BUR H, A PAR S A BUR")
    cause = outcome(resolution, "A MUN").cause
    assert (cause.strength, cause.against, cause.place) == (2, 2, "BUR")
    assert [str(unit) for unit in (*cause.helpers, *cause.against_helpers, *cause.by)] == ["A RUH", "A PAR", "A BUR"]


def test_a_cause_tells_apart_the_supports_that_were_given_and_did_not_count() -> None:
    resolution = judge("Austria: F TRI H, A VIE S A VEN - TRI\nItaly: A VEN - TRI")
    (support,) = outcome(resolution, "A VEN").cause.uncounted
    assert (str(support.unit), support.why, str(support.against)) == ("A VIE", NotCounted.OWN_UNIT, "F TRI")


def test_a_support_that_adds_no_strength_is_not_counted_among_the_helpers() -> None:
    resolution = judge("Austria: A TRI - VEN, A TYO S A TRI - VEN\nItaly: A VEN H", rules=library.load("rivers"))
    attack, support = outcome(resolution, "A TRI"), outcome(resolution, "A TYO")
    assert attack.why == "A TRI did not enter VEN: attack 1 against hold 1; the support of A TYO adds no strength here."
    assert attack.cause.helpers == ()
    assert support.why == "A TYO supported A TRI to VEN, which by the rules adds no strength here."
    assert support.succeeded


def test_a_unit_that_was_dislodged_has_its_own_strength_and_not_that_of_a_rival_of_the_attacker() -> None:
    resolution = judge(
        "Germany: A MUN - BUR, A RUH S A MUN - BUR, A BEL S A MUN - BUR\n"
        "Italy: A MAR - BUR, A GAS S A MAR - BUR\nFrance: A BUR - PIC, A PAR - PIC"
    )
    fall = outcome(resolution, "A BUR").fall
    assert fall is not None
    assert (fall.strength, fall.against) == (1, 3)


def test_a_fleet_whose_convoy_never_began_did_not_succeed() -> None:
    resolution = judge("England: A LON - TUN, F ENG C A LON - TUN, F MID C A LON - TUN, F WES H")
    assert not outcome(resolution, "F ENG").succeeded


def test_an_attack_by_convoy_from_where_a_support_is_directed_does_not_cut_it() -> None:
    # the convoyed army dislodges no unit, so the army by land alone cut the support
    resolution = judge(
        "Austria: A TRI - VEN VIA, F ADR C A TRI - VEN, A TYO - VEN\nItaly: A VEN S F ALB - TRI, F ALB - TRI"
    )
    assert [str(unit) for unit in outcome(resolution, "A VEN").cause.by] == ["A TYO"]


def test_a_unit_without_an_order_says_so() -> None:
    found = outcome(judge("France: A PAR H", units="Germany: A MUN"), "A MUN")
    assert (found.cause.reason, found.why) == (Reason.NO_ORDER, "A MUN held: it had no order.")
