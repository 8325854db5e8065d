"""The retreat phase: where a unit may go, also after saving and loading, and what comes of the orders."""

import json

import pytest

from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.record import decode_position, encode_position
from plenipo.engine.phases import retreats
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import process
from plenipo.engine.position import Dislodged, Power
from plenipo.engine.reading.notation import notation_of
from table import board_of, judge, order_sets, outcome, place, spaces, standard, units_of

RETREATS = {
    "not to where the attacker came from, nor to an occupied place": (
        "Russia: F CON S F BLA - ANK, F BLA - ANK\nTurkey: F ANK H",
        "F ANK",
        "ARM",
    ),
    "not to a place left vacant by a stand-off": (
        "Austria: A BUD S A TRI - VIE, A TRI - VIE\nGermany: A MUN - BOH, A SIL - BOH\nItaly: A VIE H",
        "A VIE",
        "GAL TYO",
    ),
    "to the origin of a convoyed attacker": (
        "France: A GAS - MAR VIA, A BUR S A GAS - MAR, F MID C A GAS - MAR, F WES C A GAS - MAR, F GOL C A GAS - MAR\n"
        "Italy: A MAR H",
        "A MAR",
        "GAS PIE SPA",
    ),
    "to a place a head-to-head loser was beaten out of": (
        "England: F HEL - KIE, F DEN S F HEL - KIE\nGermany: A BER - PRU, F KIE H, A SIL S A BER - PRU\n"
        "Russia: A PRU - BER",
        "F KIE",
        "BAL BER HOL",
    ),
    "not to another coast of the attacker's origin": (
        "England: F POR H\nFrance: F SPA/SC - POR, F MID S F SPA/SC - POR",
        "F POR",
        "",
    ),
    "not to the other coast of a place left vacant by a stand-off": (
        "France: F MID - SPA/NC, F GAS - SPA/NC, F WES H\nItaly: F TUN S F TYN - WES, F TYN - WES",
        "F WES",
        "GOL NAF",
    ),
    "not to the place of a unit that failed to leave it": (
        "Austria: A TRI - VIE, A BUD S A TRI - VIE\nItaly: A VIE H, A TYO - MUN\nGermany: A MUN H",
        "A VIE",
        "BOH GAL",
    ),
    "not to another coast of its own province": (
        "France: F SPA/NC H\nItaly: F WES - SPA/SC, F GOL S F WES - SPA/SC",
        "F SPA/NC",
        "GAS MID POR",
    ),
}


def test_a_retreat_from_the_wrong_coast_names_the_right_one() -> None:
    after = judge("France: F SPA/NC H\nItaly: F POR - SPA/SC, F MID S F POR - SPA/SC").after
    order = notation_of(standard()).read("F SPA/NC - WES", PhaseKind.RETREATS)
    checked = Legality(standard(), after).check(Power("France"), order)
    assert checked.reason == "F SPA/NC does not reach Western Mediterranean: only a fleet on SPA/SC does."


@pytest.mark.parametrize(("orders", "unit", "expected"), RETREATS.values(), ids=RETREATS)
def test_a_unit_may_retreat(orders: str, unit: str, expected: str) -> None:
    resolution = judge(orders)
    assert spaces(outcome(resolution, unit).retreats) == expected


@pytest.mark.parametrize(("orders", "unit", "expected"), RETREATS.values(), ids=RETREATS)
def test_loading_a_stored_position_keeps_the_stand_offs_and_the_attackers_origins(
    orders: str, unit: str, expected: str
) -> None:
    after = judge(orders).after
    loaded = decode_position(json.loads(json.dumps(encode_position(after))), standard())
    found = [d for d in loaded.dislodged if str(d.unit) == unit]
    assert [spaces(retreats.options(standard(), loaded, d)) for d in found] == ([expected] if expected else [])


def retreat(orders: str, text: str) -> dict[str, list[str]]:
    after = judge(orders).after
    return board_of(process(standard(), after, order_sets(standard(), text, PhaseKind.RETREATS)).after)


TWO_BEATEN = (
    "Austria: A BUD S A TRI - VIE, A TRI - VIE\nGermany: A MUN S A SIL - BOH, A SIL - BOH\nItaly: A VIE H, A BOH H"
)


def test_two_units_that_retreat_to_one_place_are_both_disbanded() -> None:
    assert "Italy" not in retreat(TWO_BEATEN, "Italy: A BOH R TYO, A VIE R TYO")


def test_units_that_retreat_apart_both_live() -> None:
    assert retreat(TWO_BEATEN, "Italy: A BOH R GAL, A VIE R TYO")["Italy"] == ["A GAL", "A TYO"]


def test_a_unit_without_an_order_is_disbanded() -> None:
    assert retreat(TWO_BEATEN, "Italy: A BOH R GAL")["Italy"] == ["A GAL"]


def test_an_illegal_retreat_does_not_keep_another_unit_out() -> None:
    orders = (
        "England: A KIE H\nGermany: A BER - KIE, A MUN S A BER - KIE, A PRU H\nRussia: A WAR - PRU, A SIL S A WAR - PRU"
    )
    assert retreat(orders, "England: A KIE R BER\nGermany: A PRU R BER")["Germany"] == ["A BER", "A KIE", "A MUN"]


def test_the_occupant_of_a_space_does_not_change_the_owner_of_the_unit_that_left_it() -> None:
    after = judge(TWO_BEATEN).after
    resolution = process(standard(), after, order_sets(standard(), "Austria: A VIE R TYO", PhaseKind.RETREATS))
    assert resolution.errors == ("Austria: 'A VIE R TYO' was ignored: A VIE belongs to Italy, not to Austria.",)


def test_spaces_barred_by_hand_are_closed() -> None:
    (unit,) = units_of(standard(), "Italy", "A VIE")
    position = place("Austria: A TRI", dislodged=[Dislodged(unit, None, (Code("GAL"),))], contested="BOH")
    assert spaces(retreats.options(standard(), position, position.dislodged[0])) == "BUD TYO"
    assert unit.power == Power("Italy")
