"""The number of units a power may have for its centres, and the times of builds and removals."""

from collections.abc import Callable
from random import Random

import pytest

from plenipo.batch import Scope, UnsupportedRules, compile_tables
from plenipo.conformance import of_a_random_game
from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.phases import victory
from plenipo.engine.phases.adjustments import due, entitlement
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant
from table import WINTER, place

Tiny = Callable[..., Rules]
FRANCE = Power("France")
TWICE = """[calendar]
start = 1901
cycle = [
  ["Spring", "movement"], ["Spring", "retreats"], ["Spring", "ownership"], ["Spring", "adjustments"],
  ["Fall", "movement"], ["Fall", "retreats"], ["Winter", "ownership"], ["Winter", "adjustments"],
]
"""


def test_a_centre_may_be_worth_more_than_one_or_nothing(tiny: Tiny) -> None:
    rules = tiny("[modules.builds.values]\nPAR = 3\nBRE = 0\n")
    position = place("France: A BUR", WINTER, owners={"France": "PAR BRE MAR"})
    assert entitlement(rules, position, FRANCE) == (4, 4)
    assert due(rules, position, FRANCE) == 3


def test_several_centres_for_a_unit_some_units_more_and_no_more_than(tiny: Tiny) -> None:
    position = place("France: A BUR", WINTER, owners={"France": "PAR BRE MAR SPA POR"})
    assert due(tiny("[modules.builds]\ncentres_per_unit = 2"), position, FRANCE) == 1
    assert due(tiny("[modules.builds]\nextra = { France = 2 }"), position, FRANCE) == 6
    assert due(tiny("[modules.builds]\nmost = 3"), position, FRANCE) == 2
    assert due(tiny("[modules.builds]\nmost_builds = 1"), position, FRANCE) == 1


def test_units_are_built_at_one_time_and_removed_at_another(tiny: Tiny) -> None:
    rules = tiny(TWICE + "[modules.builds]\nbuilds_in = ['Spring']\nremovals_in = ['Winter']")
    spring = Phase("Spring", 1901, PhaseKind.ADJUSTMENTS)
    rich, poor = {"France": "PAR BRE MAR"}, {"France": "PAR"}
    for phase, builds, removals in ((spring, 2, 0), (WINTER, 0, -1)):
        assert due(rules, place("France: A BUR", phase, rules, owners=rich), FRANCE) == builds
        assert due(rules, place("France: A BUR, A GAS", phase, rules, owners=poor), FRANCE) == removals


def test_a_season_is_looked_at_though_the_one_before_has_another_name(tiny: Tiny) -> None:
    rules = tiny("[modules.builds]\nbuilds_in = ['Winter']")
    game = Game.new(rules).process({FRANCE: ["A MAR - SPA"]}).process({})
    assert str(game.position.phase) == "Winter 1901 adjustments"


def test_units_on_credit_need_their_centres_later(tiny: Tiny) -> None:
    rules = tiny(TWICE + "[modules.builds]\nremovals_in = ['Winter']\ncredit = 1\ncredit_in = ['Spring']")
    spring = Phase("Spring", 1901, PhaseKind.ADJUSTMENTS)
    for phase, units, number in ((spring, "A BUR", 1), (WINTER, "A BUR, A GAS", -1), (spring, "A BUR, A GAS", 0)):
        assert due(rules, place(f"France: {units}", phase, rules, owners={"France": "PAR"}), FRANCE) == number


def test_what_centres_are_worth_may_win(tiny: Tiny) -> None:
    text = "[modules.builds.values]\nPAR = 3\n[[modules.victory_conditions.ways]]\ncount = 'value'\nenough = 5\n"
    rules = tiny(text)
    position = place("", WINTER._replace(kind=PhaseKind.OWNERSHIP), owners={"France": "PAR MAR BRE", "Italy": "ROM"})
    assert victory.score(rules, position).counts[FRANCE] == 5
    assert victory.look(rules, position, position.phase).verdict.powers == ("France",)


@pytest.mark.parametrize("seed", range(2))
def test_random_games_end_every_winter_within_what_is_allowed(seed: int, tiny: Tiny) -> None:
    chance = Random(seed)
    values = {code: chance.randint(0, 3) for code in ("PAR", "LON", "MOS", "BUL", "NWY")}
    listed = ", ".join(f"{code} = {number}" for code, number in values.items())
    rules = tiny(f"[modules.builds]\nvalues = {{ {listed} }}\nextra = {{ Italy = 1 }}\nmost = 9\nmost_builds = 2")
    assert list(of_a_random_game(rules, seed, years=6)) == []


WRONG = {
    "values_for = { France = { BUR = 0 } }": "'builds.values_for' names 'BUR', which is not a supply centre",
    "values = { BUR = 2 }": "names 'BUR', which is not a supply centre",
    "values = { PAR = -1 }": "'builds.values' has -1 as 'PAR'; it must be 0 or more.",
    "centres_per_unit = 0": "'builds' has 0 as 'centres_per_unit'; it must be 1 or more.",
    "most_builds = -1": "'builds' has -1 as 'most_builds'; it must be 0 or more.",
    "builds_in = ['Spring']": "has the season 'Spring', which has no adjustment phase; there are Winter.",
    "credit = 1": "has one of 'credit' and 'credit_in'; write both, or neither.",
    "credit = 1\ncredit_in = ['Winter']": "gives credit in every season: no power would ever need the centres.",
    "extra = { Spain = 1 }": "'Spain' is not a power of this variant;",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_not_there_is_refused(text: str, tiny: Tiny) -> None:
    with pytest.raises(InvalidVariant) as refused:
        tiny("[modules.builds]\n" + text)
    assert WRONG[text] in str(refused.value)


def test_the_kernel_refuses_it_beyond_single_movements(tiny: Tiny) -> None:
    rules = tiny("[modules.builds]\nmost = 9")
    assert compile_tables(rules, scope=Scope.MOVEMENTS)
    with pytest.raises(UnsupportedRules, match="'builds': a centre is not a unit"):
        compile_tables(rules, scope=Scope.PHASES)


def test_a_centre_may_count_otherwise_for_single_powers(tiny: Tiny) -> None:
    supply = tiny("[modules.builds]\nvalues = { SPA = 2 }\nvalues_for = { France = { SPA = 0 } }").facts.supply
    codes = [Code("SPA"), Code("BEL")]
    assert (supply.units(Power("France"), codes), supply.units(Power("Italy"), codes)) == (1, 3)
