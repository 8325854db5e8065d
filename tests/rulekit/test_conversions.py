"""Units that turn into others by an order."""

from collections.abc import Callable

import pytest

from plenipo import library
from plenipo.batch import UnsupportedRules, compile_tables
from plenipo.charts import chart_of
from plenipo.conformance import of_a_random_game, of_the_opening
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import process
from plenipo.engine.position import Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant
from plenipo.maps.draw.scene import Scene
from table import SPRING, WINTER, order_sets, place

Tiny = Callable[..., Rules]

IN_PORT = """
[modules.unit_types]
conversions = [
  { unit = "A", into = "F", where = "owned" },
  { unit = "F", into = "A", where = "owned", undisturbed = true },
]
"""
IN_WINTER = '[modules.unit_types]\nconversions = [{ unit = "A", into = "F", where = "home", phase = "adjustments" }]\n'


def orders(rules: Rules, units: str, power: str, phase: Phase = SPRING, *, owners: dict[str, str]) -> set[str]:
    position = place(units, phase, rules, owners=owners)
    return {str(order) for order in Legality(rules, position).orders_of(Power(power)) if " T " in str(order)}


def why(rules: Rules, units: str, order: str) -> str:
    position = place(units, SPRING, rules, owners={"France": "BRE PAR MAR", "Russia": "STP"})
    read = notation_of(rules, position).read(order, PhaseKind.MOVEMENT)
    return Legality(rules, position).check(Power("France"), read).reason


def after(rules: Rules, units: str, written: str) -> tuple[set[str], list[str]]:
    done = judged(rules, units, written)
    return {str(unit) for unit in done.after.units}, [str(outcome.result) for outcome in done.outcomes]


def judged(rules: Rules, units: str, written: str, phase: Phase = SPRING, owners: str = "BRE MAR") -> Resolution:
    position = place(units, phase, rules, owners={"France": owners}, homes={"France": "BRE PAR MAR"})
    return process(rules, position, order_sets(rules, written, phase.kind))


def test_an_army_in_a_port_of_its_power_may_turn_into_a_fleet_on_each_coast(tiny: Tiny) -> None:
    rules = tiny(IN_PORT)
    owners = {"Russia": "STP", "France": "PAR BRE"}
    assert orders(rules, "Russia: A STP, A FIN", "Russia", owners=owners) == {"A STP T F STP/NC", "A STP T F STP/SC"}
    assert orders(rules, "France: F BRE, A PAR", "France", owners=owners) == {"F BRE T A BRE"}


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A BRE T F BRE", "A BRE T F BRE"),
        ("a brest turns into a fleet", "A BRE T F BRE"),
        ("Army Brest becomes fleet", "A BRE T F BRE"),
        ("A BRE converts to F BRE", "A BRE T F BRE"),
        ("A STP T F/NC", "A STP T F STP/NC"),
        ("A STP turns into a fleet (north coast)", "A STP T F STP/NC"),
        ("A STP T F STP/SC", "A STP T F STP/SC"),
        ("F STP/NC T A", "F STP/NC T A STP"),
    ],
)
def test_a_conversion_is_written_in_many_ways(tiny: Tiny, text: str, order: str) -> None:
    rules = tiny(IN_PORT)
    assert str(notation_of(rules, rules.opening).read(text, PhaseKind.MOVEMENT)) == order


def test_a_unit_that_turns_holds_meanwhile_and_is_supported(tiny: Tiny) -> None:
    rules = tiny(IN_PORT)
    units = "France: A BRE, A PAR\nEngland: F ENG, F MAO"
    written = "France: A BRE T F BRE, A PAR S A BRE\nEngland: F ENG - BRE, F MAO S F ENG - BRE"
    stood, results = after(rules, units, written)
    assert "F BRE" in stood
    assert "converts" in results


def test_a_unit_that_is_dislodged_retreats_as_what_it_was(tiny: Tiny) -> None:
    rules = tiny(IN_PORT)
    units = "France: A BRE\nEngland: F ENG, F MAO"
    done = judged(rules, units, "France: A BRE T F BRE\nEngland: F ENG - BRE, F MAO S F ENG - BRE")
    assert [str(gone.unit) for gone in done.after.dislodged] == ["A BRE"]


def test_one_that_must_be_undisturbed_fails_where_another_power_attacks(tiny: Tiny) -> None:
    rules = tiny(IN_PORT)
    stood, results = after(rules, "France: F BRE\nEngland: F ENG", "France: F BRE T A BRE\nEngland: F ENG - BRE")
    assert (stood, sorted(results)) == ({"F BRE", "F ENG"}, ["fails", "fails"])
    stood, _ = after(rules, "France: F BRE, F ENG", "France: F BRE T A BRE, F ENG - BRE")
    assert stood == {"A BRE", "F ENG"}


def test_beside_builds_in_winter_it_costs_nothing(tiny: Tiny) -> None:
    rules = tiny(IN_WINTER)
    owners = {"France": "BRE PAR MAR"}
    assert orders(rules, "France: A BRE, A PAR", "France", WINTER, owners=owners) == {"A BRE T F BRE"}
    units = "France: A BRE, A PAR"
    done = judged(rules, units, "France: A BRE T F BRE, F MAR B", WINTER, "BRE PAR MAR")
    assert {str(unit) for unit in done.after.units} == {"F BRE", "A PAR", "F MAR"}
    removed = judged(rules, units, "France: A BRE T F BRE, A BRE D", WINTER, "BRE")
    assert {str(unit) for unit in removed.after.units} == {"A PAR"}


def test_what_is_refused_says_what_would_be_right(tiny: Tiny) -> None:
    rules = tiny(IN_PORT)
    assert why(rules, "France: A PAR", "A PAR T F PAR").startswith("an army turns into a fleet in centres it owns")
    assert why(rules, "France: A BRE", "A BRE T A BRE") == "A BRE may turn into F BRE."
    none = tiny("")
    assert why(none, "France: A BRE", "A BRE T F BRE") == "an army turns into nothing else in this game."


def test_games_with_conversions_are_played_drawn_and_recorded(tiny: Tiny) -> None:
    for text in (IN_PORT, IN_WINTER):
        rules = tiny(text)
        assert list(of_the_opening(rules)) == []
        assert list(of_a_random_game(rules, 2, years=3)) == []
    done = judged(rules := tiny(IN_PORT), "France: A BRE", "France: A BRE T F BRE")
    chart = chart_of(rules, library.folder_of("standard") / "figure.json")
    assert "converted" in chart.draw(Scene(done.before, done))


def test_the_kernel_refuses_conversions_by_name(tiny: Tiny) -> None:
    with pytest.raises(UnsupportedRules, match="'unit_types': it declares Conversions"):
        compile_tables(tiny(IN_PORT))


@pytest.mark.parametrize(
    ("way", "sentence"),
    [
        ('unit = "A", into = "Z"', "names the unit 'Z'; it must be A or F"),
        ('unit = "A", into = "A"', "turns A into A, which it is already"),
        ('unit = "A", into = "F", among = ["MUN"]', "an army into a fleet, but nowhere"),
        ('unit = "A", into = "F", among = ["BRR"]', "'BRR', which is not on the board; did you mean"),
        ('unit = "A", into = "F", seasons = ["Winter"]', "'Winter', which has no movement phase"),
        ('unit = "A", into = "F", powers = ["Frence"]', "'Frence', which is not a power; did you mean France"),
        ('unit = "A", into = "F", whre = "home"', "'whre' is not a key"),
    ],
)
def test_ways_that_cannot_be_are_refused(tiny: Tiny, way: str, sentence: str) -> None:
    with pytest.raises(InvalidVariant, match=sentence):
        assert tiny(f"[modules.unit_types]\nconversions = [{{ {way} }}]").facts
