"""Build sites by kind of place and of unit."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from plenipo.batch import Scope, UnsupportedRules, compile_tables
from plenipo.batch.tables import OptionBit, Size
from plenipo.engine.board import Code, Location, UnitKind
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.orders import Build, Ref
from plenipo.engine.outcome import Result
from plenipo.engine.phases.adjustments import build_sites, possible, why_no_site
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import process
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant
from table import WINTER, board_of, order_sets, place

Tiny = Callable[..., Rules]
FRANCE = Power("France")
HOMES = {"France": "BRE MAR PAR"}


def sites(*texts: str) -> str:
    return "".join(f"[[modules.builds.sites]]\n{text}\n" for text in texts)


def built(rules: Rules, position: Position) -> set[str]:
    orders = Legality(rules, position).orders_of(FRANCE)
    return {str(Ref(*order.unit)) for order in orders if isinstance(order, Build)}


def winter(units: str = "France: A BUR", **owners: str) -> Position:
    return place(units, WINTER, owners=owners or {"France": "BRE SPA TUN"}, homes=HOMES)


def test_an_owned_centre_is_a_site_unless_it_is_occupied_or_owned_by_another(tiny: Tiny) -> None:
    rules, owners = tiny(sites('where = "owned"')), {"France": "SPA BRE TUN", "Italy": "ROM"}
    position = place("France: A BUR", WINTER, owners=owners)
    assert build_sites(rules, position, FRANCE) == ("BRE", "SPA", "TUN")
    assert possible(rules, position, FRANCE) == 2
    assert build_sites(rules, place("France: A SPA", WINTER, owners=owners), FRANCE) == ("BRE", "TUN")
    assert why_no_site(rules, position, FRANCE, Code("ROM")) == "Rome is owned by Italy, not by France."
    assert why_no_site(rules, position, FRANCE, Code("BUR")) == "France does not own Burgundy."


def test_units_are_built_abroad(tiny: Tiny) -> None:
    rules = tiny(sites('where = "owned"'))
    position = place("France: A BUR", WINTER, owners={"France": "SPA BRE TUN", "Italy": "ROM"})
    orders = order_sets(rules, "France: F SPA/SC B, A TUN B, A ROM B", PhaseKind.ADJUSTMENTS)
    resolution = process(rules, position, orders)
    assert board_of(resolution.after)["France"] == ["A BUR", "F SPA/SC", "A TUN"]


def test_at_home_is_what_is_usual(tiny: Tiny) -> None:
    position = winter()
    assert built(tiny(sites("where = 'home'")), position) == built(tiny(""), position) == {"A BRE", "F BRE"}


def test_anywhere_owned_but_abroad_armies_only(tiny: Tiny) -> None:
    rules = tiny(sites("where = 'home'", "where = 'owned'\nunits = ['A']"))
    assert built(rules, winter()) == {"A BRE", "F BRE", "A SPA", "A TUN"}


def test_only_as_long_as_a_home_is_owned(tiny: Tiny) -> None:
    rules = tiny(sites("where = 'owned'\nwhile_home = true"))
    assert build_sites(rules, winter(), FRANCE) == ("BRE", "SPA", "TUN")
    assert build_sites(rules, winter(France="SPA TUN"), FRANCE) == ()
    why = why_no_site(rules, winter(France="SPA TUN"), FRANCE, Code("SPA"))
    assert why == "France may not build in Spain: it builds in centres it owns while it owns a home."


def test_next_to_a_home_by_the_way_the_unit_could_have_come(tiny: Tiny) -> None:
    rules = tiny(sites("where = 'near_home'"))
    got = built(rules, winter(France="BRE SPA"))
    assert got == {"A PAR", "A GAS", "A PIC", "F GAS", "F PIC", "F ENG", "F MID"}


def test_next_to_a_unit_but_not_in_the_centre_of_another(tiny: Tiny) -> None:
    rules = tiny(sites("where = 'near_unit'\nunits = ['A']"))
    position = winter("France: A BUR\nGermany: A RUH", France="SPA PAR MAR", Germany="MUN")
    assert built(rules, position) == {"A BEL", "A GAS", "A MAR", "A PAR", "A PIC"}


def test_anywhere_among_some_spaces_and_for_some_powers(tiny: Tiny) -> None:
    rules = tiny(sites("where = 'anywhere'\namong = ['NAF', 'WES']\npowers = ['France']"))
    assert built(rules, winter()) == {"A NAF", "F NAF", "F WES"}
    assert build_sites(rules, winter("Italy: A TUS", Italy="ROM VEN"), Power("Italy")) == ()


def test_a_centre_without_an_owner(tiny: Tiny) -> None:
    rules = tiny(sites("where = 'unowned'\namong = ['SPA', 'POR', 'GAS']"))
    assert {code[2:5] for code in built(rules, winter())} == {"POR"}


def test_what_is_built_elsewhere_stands_there(tiny: Tiny) -> None:
    rules = tiny(sites("where = 'near_home'"))
    came = process(rules, winter(France="BRE SPA"), order_sets(rules, "France: F ENG B, A BRE B", WINTER.kind))
    assert board_of(came.after)["France"] == ["A BUR", "F ENG"]
    assert any("France may not build in Brest: it builds next to home centres it owns." in r for r in came.errors)


def test_an_order_is_legal_if_and_only_if_it_is_listed(tiny: Tiny) -> None:
    """For random sites and positions, of every kind in every place."""
    chance, total = Random(3), 0
    wheres = ["home", "owned", "unowned", "anywhere", "near_home", "near_owned", "near_unit"]
    for _ in range(12):
        kinds = chance.choice(["", "units = ['A']", "units = ['F']"])
        rules = tiny(sites(*(f"where = '{chance.choice(wheres)}'\n{kinds}" for _ in range(2))))
        owned = chance.sample(sorted(rules.board.centres), 8)
        position = winter("France: A BUR, F WES", France=" ".join(owned[:5]), Italy=" ".join(owned[5:]))
        legality = Legality(rules, position)
        listed = {order.unit for order in legality.orders_of(FRANCE) if isinstance(order, Build)}
        assert possible(rules, position, FRANCE) == min(3, len({ref.location.space for ref in listed}))
        if not listed:
            continue
        for space in rules.board.spaces.values():
            for kind in (UnitKind.ARMY, UnitKind.FLEET):
                for location in {Location(space.code), *space.locations}:
                    ref = Ref(kind, location)
                    legal = legality.check(FRANCE, Build(ref)).order
                    assert (legal == Build(ref)) == (ref in listed), ref
                    total += 1
    assert total > 1000


WRONG = {
    "powers = ['Spain']": "names 'Spain', which is not a power;",
    "among = ['PRA']": "names 'PRA', which is not on the board; did you mean PAR?",
    "where = 'owned'\namong = ['BUR']": "is among spaces of which none is a supply centre.",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_site_that_is_nowhere_is_refused(text: str, tiny: Tiny) -> None:
    with pytest.raises(InvalidVariant) as refused:
        tiny(sites(text))
    assert WRONG[text] in str(refused.value)


def test_the_kernel_takes_home_and_owned_and_refuses_the_rest(tiny: Tiny) -> None:
    owned = compile_tables(tiny(sites("where = 'owned'")), scope=Scope.PHASES)
    assert owned.arrays.size[Size.OPTIONS] & OptionBit.ANYWHERE
    home = compile_tables(tiny(sites("where = 'home'")), scope=Scope.PHASES)
    assert not home.arrays.size[Size.OPTIONS] & OptionBit.ANYWHERE
    with pytest.raises(UnsupportedRules, match="'builds': units are built elsewhere"):
        compile_tables(tiny(sites("where = 'near_home'")), scope=Scope.PHASES)
    assert compile_tables(replace(tiny(sites("where = 'near_home'"))), scope=Scope.MOVEMENTS)


def test_a_place_is_open_in_some_years_alone(tiny: Tiny) -> None:
    rules = tiny(sites("where = 'home'", "where = 'owned'\nunits = ['A']\nfrom_year = 1903\nuntil_year = 1904"))
    years = {year: built(rules, replace(winter(), phase=WINTER._replace(year=year))) for year in range(1902, 1906)}
    at_home = {"A BRE", "F BRE"}
    assert years == {
        1902: at_home,
        1903: at_home | {"A SPA", "A TUN"},
        1904: at_home | {"A SPA", "A TUN"},
        1905: at_home,
    }
    why = why_no_site(rules, winter(), FRANCE, Code("SPA"))
    assert why.endswith("it builds in home centres it owns or armies in centres it owns from 1903 on until 1904.")


def test_where_two_powers_build_neither_unit_is_raised(tiny: Tiny) -> None:
    rules = tiny(sites("where = 'home'", "where = 'near_home'"))
    position = place(
        "France: A SPA\nEngland: F IRI", WINTER, owners={"France": "BRE PAR SPA", "England": "LON LVP EDI"}
    )
    position = replace(position, homes=rules.opening.homes)
    came = process(
        rules, position, order_sets(rules, "France: F ENG B, A PAR B\nEngland: F ENG B, F LON B", WINTER.kind)
    )
    assert not list(came.after.faults(rules.board))
    assert {str(unit) for unit in came.after.units} == {"A SPA", "F IRI", "A PAR", "F LON"}
    failed = [outcome for outcome in came.outcomes if outcome.result is Result.FAILS]
    assert [outcome.why for outcome in failed] == [
        "F ENG of England was not built: France built there as well.",
        "F ENG of France was not built: England built there as well.",
    ]
