"""The script that plays all variants sees what is wrong with orders, and finds nothing wrong."""

from random import Random

import pytest

import legal_play
from plenipo import library
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from proofs import share
from table import standard


@pytest.mark.parametrize("variant", [*library.names(), *share(library.bank(), 4)])
def test_a_level_orders_nothing_that_is_not_allowed(variant: str) -> None:
    count, faults = legal_play.played(variant, "quick", 60, Random(5))
    assert (count > 0, faults) == (True, [])


def test_orders_of_another_power_and_units_left_out_are_seen() -> None:
    legality = Legality(standard(), Game.new(standard(), Dice(bytes(32))).position)
    french, german = (legality.orders_of(Power(name)) for name in ("France", "Germany"))
    good = [next(iter(french.of(unit))) for unit in french.units]
    assert legal_play.faults_of(french, good, PhaseKind.MOVEMENT) == []
    wrong = next(iter(german))
    assert legal_play.faults_of(french, [*good[1:], wrong], PhaseKind.MOVEMENT) == [
        f"'{wrong}' is not legal for France."
    ]
    assert legal_play.faults_of(french, good[1:], PhaseKind.MOVEMENT) == ["France has 3 units and ordered 2."]
