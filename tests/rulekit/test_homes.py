"""Which centres are home for powers that start on more than their country."""

from collections.abc import Callable

import pytest

from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.phases.adjustments import build_sites
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant
from table import place

Tiny = Callable[..., Rules]
FRANCE = Power("France")
MODULE = """
[powers]
France = { units = ["F BRE", "A MAR", "A PAR", "A SPA"] }

[modules.homes.countries]
France = ["BRE", "MAR", "PAR"]
"""


def test_every_centre_a_power_starts_on_is_home(tiny: Tiny) -> None:
    assert tiny(MODULE).opening.homes_of(FRANCE) == {"BRE", "MAR", "PAR", "SPA"}


def test_or_only_those_of_its_country(tiny: Tiny) -> None:
    rules = tiny(MODULE, homes="regular_country")
    assert rules.opening.homes_of(FRANCE) == {"BRE", "MAR", "PAR"}
    assert rules.opening.owners[Code("SPA")] == FRANCE
    assert len(rules.opening.units_of(FRANCE)) == 4


@pytest.mark.parametrize(("homes", "sites"), [("starting_centres", ("MAR", "SPA")), ("regular_country", ("MAR",))])
def test_units_are_built_at_home_only(tiny: Tiny, homes: str, sites: tuple[str, ...]) -> None:
    rules = tiny(MODULE, homes=homes)
    winter = Phase("Winter", 1901, PhaseKind.ADJUSTMENTS)
    position = place("France: F BRE, A PAR", winter, rules, owners={"France": "BRE MAR PAR SPA"})
    assert build_sites(rules, position, FRANCE) == sites


def test_a_power_that_is_not_listed_keeps_its_homes(tiny: Tiny) -> None:
    rules = tiny(MODULE, homes="regular_country")
    assert rules.opening.homes_of(Power("Italy")) == {"NAP", "ROM", "VEN"}


@pytest.mark.parametrize("homes", ["starting_centres", "regular_country"])
def test_a_home_that_is_no_centre_is_refused_whatever_is_chosen(tiny: Tiny, homes: str) -> None:
    with pytest.raises(InvalidVariant, match="'homes' gives France 'BUR', which is not a supply centre"):
        tiny(MODULE.replace('"BRE", "MAR", "PAR"]\n', '"BUR"]\n'), homes=homes)


def test_a_power_there_is_not_is_refused(tiny: Tiny) -> None:
    with pytest.raises(InvalidVariant, match=r"'Frence' is not a power of this variant; did you mean France\?"):
        tiny(MODULE.replace("\nFrance = [", "\nFrence = ["))
