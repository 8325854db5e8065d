"""A phase in sentences: everything is named, and each power learns what concerns it."""

import pytest

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.summary import Summary
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.step import process
from plenipo.engine.position import Power
from table import FALL, WINTER, order_sets, place, standard

BOARD = """
    Austria: A VIE, A BUD
    Russia: A GAL, A UKR
    Turkey: A BUL, F BLA, A SMY
    Italy: A VEN, A ROM
"""
OWNED = {"Austria": "VIE BUD", "Russia": "SEV MOS RUM", "Turkey": "CON ANK SMY BUL", "Italy": "VEN ROM NAP"}

ORDERS = """
    Austria: A VIE - TYR, A BUD H
    Russia: A GAL - BUD, A UKR H
    Turkey: A BUL - RUM, A SMY - CON
    Italy: A VEN - TYR, A ROM - VEN
"""


def resolved() -> Resolution:
    return process(standard(), place(BOARD, FALL, owners=OWNED), order_sets(standard(), ORDERS))


def test_the_sentences_name_every_place_and_power() -> None:
    assert Summary(standard(), resolved()).sentences() == (
        "2 moves succeeded and 4 failed.",
        "Stood off: Tyrolia.",
        "Turkey took Rumania from Russia.",
    )


@pytest.mark.parametrize(
    ("power", "sentences"),
    [
        ("Turkey", ["gained: Gained: Rumania from Russia."]),
        ("Russia", ["lost: Lost: Rumania to Turkey."]),
        ("Austria", ["attacked: A BUD was attacked by A GAL of Russia and stands."]),
        ("Italy", []),
        ("France", []),
    ],
)
def test_a_power_learns_what_concerns_it(power: str, sentences: list[str]) -> None:
    found = Summary(standard(), resolved()).concerns(Power(power))
    assert [f"{concern.kind}: {concern}" for concern in found] == sentences


def test_the_summary_names_dislodgers_and_retreats_and_occupiers_of_own_centres() -> None:
    position = place("Austria: A BUD\nRussia: A GAL, A RUM", owners={"Austria": "BUD"})
    moved = process(standard(), position, order_sets(standard(), "Russia: A GAL - BUD, A RUM S A GAL - BUD"))
    found = Summary(standard(), moved)
    assert "Dislodged: A BUD of Austria by A GAL of Russia." in found.sentences()
    first, second = found.concerns(Power("Austria"))
    assert str(first) == "A BUD was dislodged by A GAL of Russia and may retreat to SER, TRI or VIE."
    assert str(second) == "A BUD of Russia stands in Budapest, a centre of Austria."
    gone = process(standard(), moved.after, {})
    assert [str(concern) for concern in Summary(standard(), gone).concerns(Power("Austria"))] == ["Disbanded: A BUD."]


def test_builds_and_removals_are_named() -> None:
    position = place("France: A PAR", WINTER, owners={"France": "PAR BRE MAR"})
    built = process(standard(), position, order_sets(standard(), "France: F BRE B, A MAR B", PhaseKind.ADJUSTMENTS))
    assert Summary(standard(), built).sentences() == ("Built: France F BRE and A MAR.",)
