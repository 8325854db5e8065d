"""A unit dislodged in a province with a supply centre is destroyed; elsewhere it retreats."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from plenipo.engine.board import Code
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.retreats import why_none
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.rulekit.unit_types import UnitTypes
from table import board_of, judge, outcome, standard

Tiny = Callable[..., Rules]
RULES = replace(standard(), modules=(UnitTypes(retreats_from_centres=False),))


def attack(place: str, rules: Rules) -> Resolution:
    """Two Austrian armies drive an Italian one out of Trieste, or out of Tyrolia."""
    other = {"TRI": "A BUD", "TYO": "A BOH"}[place]
    return judge(f"Austria: A VIE - {place}, {other} S A VIE - {place}", f"Italy: A {place}", rules)


def test_a_unit_dislodged_in_a_centre_is_gone_and_no_retreat_is_asked_for() -> None:
    resolution = attack("TRI", RULES)
    assert "Italy" not in board_of(resolution.after)
    assert resolution.after.dislodged == ()
    assert str(resolution.after.phase) == "Fall 1901 movement"


def test_its_outcome_includes_its_fate() -> None:
    lost = outcome(attack("TRI", RULES), "A TRI")
    assert lost.dislodged_by
    assert lost.retreats == ()
    assert lost.why.endswith("A TRI was destroyed: Trieste has a supply centre, from which no unit retreats.")


def test_a_unit_dislodged_elsewhere_retreats_and_may_take_a_centre() -> None:
    resolution = attack("TYO", RULES)
    (dislodged,) = resolution.after.dislodged
    assert str(dislodged.unit) == "A TYO"
    assert "VEN" in map(str, outcome(resolution, "A TYO").retreats)
    assert "destroyed" not in outcome(resolution, "A TYO").why


def test_without_the_option_a_unit_retreats_from_a_centre() -> None:
    assert [str(dislodged.unit) for dislodged in attack("TRI", standard()).after.dislodged] == ["A TRI"]


@pytest.mark.parametrize("owner", ["Austria", "Italy", None])
def test_the_owner_of_the_centre_does_not_matter(tiny: Tiny, owner: str | None) -> None:
    rules = tiny("[modules.unit_types]\nretreats_from_centres = false")
    before = replace(attack("TRI", rules).before, owners={Code("TRI"): Power(owner)} if owner else {})
    assert before.dislodged_at(Code("TRI")) is None
    (dislodged,) = attack("TRI", standard()).after.dislodged
    assert why_none(rules, before, dislodged)


def test_a_unit_that_is_not_dislodged_stays() -> None:
    resolution = judge("Austria: A VIE - TRI", "Italy: A TRI", RULES)
    assert board_of(resolution.after)["Italy"] == ["A TRI"]
