"""Fleets convoy in the ports listed as they do in a sea."""

from collections.abc import Callable

import pytest

from plenipo.batch import UnsupportedRules, compile_tables
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant
from table import judge, results

Tiny = Callable[..., Rules]
DENMARK = '[modules.convoys]\nports = ["DEN"]'


def test_a_fleet_in_a_port_is_part_of_a_chain(tiny: Tiny) -> None:
    orders = "England: A LON - SWE, F NTH C A LON - SWE, F DEN C A LON - SWE"
    assert results(judge(orders, rules=tiny(""))) == {"A LON": "void", "F NTH": "void", "F DEN": "void"}
    assert results(judge(orders, rules=tiny(DENMARK))) == {"A LON": "moves", "F NTH": "convoys", "F DEN": "convoys"}


def test_one_that_is_dislodged_breaks_it(tiny: Tiny) -> None:
    orders = "England: A LON - SWE, F NTH C A LON - SWE, F DEN C A LON - SWE\nGermany: F BAL - DEN, A KIE S F BAL - DEN"
    assert results(judge(orders, rules=tiny(DENMARK)))["A LON"] == "fails"


def test_no_army_is_convoyed_to_the_space_of_a_fleet_of_its_chain(tiny: Tiny) -> None:
    orders = "England: A LON - DEN, F NTH C A LON - DEN, F DEN H"
    assert results(judge(orders, rules=tiny('[modules.convoys]\nports = "all"')))["A LON"] == "fails"


@pytest.mark.parametrize(
    ("code", "why"),
    [("MUN", "MUN, which is not on a coast"), ("SPA", "SPA, which has several coasts"), ("DEX", "'DEX'")],
)
def test_a_space_without_a_port_is_refused(tiny: Tiny, code: str, why: str) -> None:
    with pytest.raises(InvalidVariant, match=why):
        tiny(DENMARK.replace("DEN", code))


def test_the_kernel_refuses_it(tiny: Tiny) -> None:
    with pytest.raises(UnsupportedRules, match="convoys by fleets on a coast, as in Denmark"):
        compile_tables(tiny(DENMARK))


def test_no_fleet_convoys_in_a_port_that_is_barred(tiny: Tiny) -> None:
    orders = "England: A LON - SWE, F NTH C A LON - SWE, F DEN C A LON - SWE"
    assert results(judge(orders, rules=tiny(DENMARK + '\nbarred = ["DEN"]')))["A LON"] == "void"
