"""The smallest change that would have altered an outcome is found by adjudicating again."""

from itertools import chain

import pytest

from plenipo.engine.history.what_if import SupportChange, what_would_change
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.step import process
from plenipo.engine.position import Unit
from plenipo.errors import UnknownName
from table import judge, outcome, results, standard, units_of


def unit_in(resolution: Resolution, text: str) -> Unit:
    found = outcome(resolution, text).unit
    assert found is not None
    return found


def told(resolution: Resolution, text: str) -> set[str]:
    changes = what_would_change(standard(), resolution, unit_in(resolution, text))
    return {" and ".join(map(str, one)) for one in changes}


def test_a_repelled_attack_lacks_one_support_or_suffers_from_one() -> None:
    resolution = judge(
        "Germany: A MUN - BUR, A RUH S A MUN - BUR\nFrance: A BUR H, A PAR S A BUR, A GAS H", units="Italy: A MAR"
    )
    # a support by A GAS would not count, for it is of the victim's own power
    assert told(resolution, "A MUN") == {"A MAR had supported A MUN to BUR", "the support of A PAR had been cut"}


def test_a_unit_that_was_dislodged_lacked_a_support() -> None:
    resolution = judge("Germany: A MUN - BUR, A RUH S A MUN - BUR\nFrance: A BUR H, A PAR H")
    assert told(resolution, "A BUR") == {"A PAR had supported A BUR in place", "the support of A RUH had been cut"}


def test_a_support_may_be_better_placed_elsewhere() -> None:
    resolution = judge("Austria: A TYO - VEN, A TRI S A TYO - VEN\nItaly: A VEN H, A ROM - TUS, A PIE S A ROM - TUS")
    assert "A PIE had instead supported A VEN in place" in told(resolution, "A VEN")


def test_no_single_change_helps_where_two_are_needed() -> None:
    resolution = judge(
        "Germany: A MUN - BUR\nFrance: A BUR H, A PAR S A BUR", units="Germany: A RUH, A BEL\nItaly: A MAR"
    )
    changes = what_would_change(standard(), resolution, unit_in(resolution, "A MUN"))
    assert changes
    assert {len(one) for one in changes} == {2}


def test_every_set_is_proved_by_judging_again() -> None:
    resolution = judge(
        "Germany: A MUN - BUR, A RUH S A MUN - BUR\nFrance: A BUR H, A PAR S A BUR",
        units="Italy: A MAR\nEngland: A BEL",
    )
    for one in what_would_change(standard(), resolution, unit_in(resolution, "A MUN")):
        assert results(again(resolution, one))["A MUN"] == "moves"


def again(resolution: Resolution, changes: tuple[SupportChange, ...]) -> Resolution:
    changed = {change.unit: change.order for change in changes}
    given = {found.unit: found.order for found in resolution.outcomes if found.unit and found.order}
    order_sets = {
        power: [
            order
            for unit, order in chain(given.items(), changed.items())
            if unit.power == power and (unit not in changed or order == changed[unit])
        ]
        for power in standard().names
    }
    return process(standard(), resolution.before, order_sets)


def test_a_unit_that_was_not_there_is_refused() -> None:
    (stranger,) = units_of(standard(), "Turkey", "A SYR")
    with pytest.raises(UnknownName, match="'A SYR' of Turkey was not on the board"):
        what_would_change(standard(), judge("France: A PAR H"), stranger)
