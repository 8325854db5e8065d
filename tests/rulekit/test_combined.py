"""Units that stand together as one: an army aboard a fleet, two armies in one space."""

from collections.abc import Callable

import pytest

from plenipo import library
from plenipo.charts import chart_of
from plenipo.conformance import of_a_random_game, of_the_opening
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import process
from plenipo.engine.position import Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant
from plenipo.maps.draw.scene import Scene
from table import SPRING, WINTER, order_sets, place

Tiny = Callable[..., Rules]

ABOARD = """
[modules.unit_types.kinds]
T = { name = "transport", like = "F", parts = ["A", "F"], carries = [], words = ["A/F"] }
"""
TWO, THREE = (f"{{ attack = {n}, prevent = {n}, hold = {n}, defend = {n} }}" for n in (2, 3))
STACKS = f"""
[modules.unit_types.kinds]
D = {{ name = "double army", plural = "double armies", parts = ["A", "A"], strength = {TWO} }}
H = {{ name = "host", parts = ["A", "A", "A"], strength = {THREE} }}
"""


def legal(rules: Rules, units: str, power: str) -> set[str]:
    position = place(units, SPRING, rules)
    return {str(order) for order in Legality(rules, position).orders_of(Power(power))}


def after(rules: Rules, units: str, written: str, phase: Phase = SPRING, owners: str = "PAR BRE MAR") -> Resolution:
    position = place(units, phase, rules, owners={"France": owners}, homes={"France": "PAR BRE MAR"})
    return process(rules, position, order_sets(rules, written, phase.kind))


def stand(done: Resolution) -> set[str]:
    return {str(unit) for unit in done.after.units}


def test_an_army_goes_aboard_a_fleet_at_sea_and_ashore_again(tiny: Tiny) -> None:
    rules = tiny(ABOARD)
    assert "A BRE - ENG" in legal(rules, "France: A BRE, F ENG", "France")
    aboard = after(rules, "France: A BRE, F ENG", "France: A BRE - ENG")
    assert stand(aboard) == {"T ENG"}
    assert str(aboard.outcomes[0].why) == "A BRE joined F ENG in ENG."
    sailed = after(rules, "France: T ENG", "France: T ENG - NTH")
    assert stand(sailed) == {"T NTH"}
    orders = legal(rules, "France: T NTH", "France")
    assert {"A NTH - YOR", "A NTH - NWY", "T NTH - EDI"} <= orders
    assert "F NTH - HEL" not in orders  # the army cannot stay
    checked = Legality(rules, place("France: T NTH", SPRING, rules)).check(
        Power("France"), notation_of(rules).read("F NTH - HEL", PhaseKind.MOVEMENT)
    )
    assert checked.reason == "F NTH cannot leave T NTH: an army cannot stand in North Sea alone."
    assert "F BRE - ENG" in legal(rules, "France: T BRE", "France")
    ashore = after(rules, "France: T NTH", "France: A NTH - YOR")
    assert stand(ashore) == {"A YOR", "F NTH"}


@pytest.mark.parametrize(
    "text", ["A/F ENG - NTH", "a/f English Channel to North Sea", "transport eng - nth", "T ENG - NTH"]
)
def test_the_two_together_are_written_with_a_slash(tiny: Tiny, text: str) -> None:
    rules = tiny(ABOARD)
    assert str(notation_of(rules, rules.opening).read(text, PhaseKind.MOVEMENT)) == "T ENG - NTH"


def test_a_unit_that_cannot_go_aboard_stays(tiny: Tiny) -> None:
    rules = tiny(ABOARD)
    assert "A BRE - ENG" not in legal(rules, "France: A BRE\nEngland: F ENG", "France")
    assert "A PAR - ENG" not in legal(rules, "France: A PAR, F ENG", "France")
    away = after(rules, "France: A BRE, F ENG", "France: A BRE - ENG, F ENG - MID")
    assert stand(away) == {"A BRE", "F MID"}
    units = "France: A BRE, F ENG\nEngland: F LON, F NTH"
    beaten = after(rules, units, "France: A BRE - ENG\nEngland: F LON - ENG, F NTH S F LON - ENG")
    assert "A BRE" in stand(beaten)
    assert [str(gone.unit) for gone in beaten.after.dislodged] == ["F ENG"]


def test_joining_is_no_attack_and_is_not_stood_off(tiny: Tiny) -> None:
    rules = tiny(ABOARD)
    units = "France: A BRE, F ENG, A PIC\nEngland: F LON"
    done = after(rules, units, "France: A BRE - ENG, A PIC - BRE\nEngland: F LON - ENG")
    assert stand(done) == {"T ENG", "A BRE", "F LON"}


def test_a_landing_is_supported_and_stood_off_like_any_move(tiny: Tiny) -> None:
    rules = tiny(ABOARD)
    units = "France: T ENG, F NTH\nEngland: A LON"
    assert "F NTH S A ENG - LON" in legal(rules, units, "France")
    done = after(rules, units, "France: A ENG - LON, F NTH S A ENG - LON")
    assert stand(done) == {"A LON", "F ENG", "F NTH"}
    assert [str(gone.unit) for gone in done.after.dislodged] == ["A LON"]
    failed = after(rules, units, "France: A ENG - LON")
    assert stand(failed) == {"T ENG", "F NTH", "A LON"}


def test_what_is_dislodged_while_a_part_leaves_is_what_is_left(tiny: Tiny) -> None:
    rules = tiny(ABOARD)
    units = "France: T ENG\nEngland: F LON, F NTH"
    attack = "England: F LON - ENG, F NTH S F LON - ENG"
    gone = after(rules, units, f"France: A ENG - PIC\n{attack}")
    assert [str(one.unit) for one in gone.after.dislodged] == ["F ENG"]
    assert "A PIC" in stand(gone)
    both = after(rules, f"{units}\nGermany: A PIC", f"France: A ENG - PIC\n{attack}")
    assert [str(one.unit) for one in both.after.dislodged] == ["T ENG"]


def test_armies_are_stacked_up_to_the_kinds_there_are(tiny: Tiny) -> None:
    rules = tiny(STACKS)
    two = after(rules, "France: A PAR, A BUR", "France: A PAR - BUR, A BUR H")
    assert stand(two) == {"D BUR"}
    three = after(rules, "France: A PAR, D BUR", "France: A PAR - BUR")
    assert stand(three) == {"H BUR"}
    assert stand(after(rules, "France: A PAR, H BUR", "France: A PAR - BUR")) == {"A PAR", "H BUR"}
    won = after(rules, "France: D BUR\nGermany: A MUN", "France: D BUR - MUN")
    assert stand(won) == {"D MUN"}
    split = after(rules, "France: H BUR", "France: D BUR - GAS")
    assert stand(split) == {"D GAS", "A BUR"}


def test_two_that_would_join_the_same_unit_both_stay(tiny: Tiny) -> None:
    rules = tiny(STACKS)
    done = after(rules, "France: A PAR, A BUR, A GAS", "France: A PAR - BUR, A GAS - BUR")
    assert stand(done) == {"A PAR", "A BUR", "A GAS"}


def test_a_stack_counts_as_its_parts_and_is_not_built(tiny: Tiny) -> None:
    rules = tiny(STACKS)
    position = place("France: D BUR", WINTER, rules, owners={"France": "PAR BRE MAR"})
    entry = OrderEntry(rules, position, Power("France"))
    assert entry.due == 1
    listed = {str(order) for order in Legality(rules, position).orders_of(Power("France"))}
    assert {"A PAR B", "WAIVE"} <= listed
    assert not {text for text in listed if text.startswith(("D ", "H "))}
    fewer = after(rules, "France: H BUR, A GAS", "France: H BUR D", WINTER)
    assert stand(fewer) == {"A GAS"}


def test_what_a_kind_costs_is_data(tiny: Tiny) -> None:
    text = '[modules.unit_types.kinds]\nG = { name = "guard", upkeep = 2 }\nM = { name = "militia", upkeep = 0 }'
    rules = tiny(text)
    position = place("France: M GAS", WINTER, rules, owners={"France": "PAR BRE MAR"}, homes={"France": "PAR BRE MAR"})
    entry = OrderEntry(rules, position, Power("France"))
    order_set = entry.give((), "G PAR B").order_set
    assert entry.describe_missing(order_set) == "1 build will be waived."
    done = after(rules, "France: M GAS", "France: G PAR B, G BRE B", WINTER)
    assert stand(done) == {"M GAS", "G PAR"}
    over = after(rules, "France: M GAS, G PAR, A BUR", "", WINTER, owners="PAR BRE")
    assert "M GAS" in stand(over)
    assert len(stand(over)) == 2


@pytest.mark.parametrize("text", [ABOARD, STACKS])
def test_games_with_units_together_are_played_and_drawn(tiny: Tiny, text: str) -> None:
    rules = tiny(text)
    assert list(of_the_opening(rules)) == []
    assert [fault for seed in range(2) for fault in of_a_random_game(rules, seed, years=3)] == []
    kind = "T BRE" if text is ABOARD else "D BRE"
    done = after(rules, f"France: {kind}", f"France: A BRE - {'GAS' if text is STACKS else 'PIC'}")
    assert len(done.after.units) == 2
    chart = chart_of(rules, library.folder_of("standard") / "figure.json")
    assert "order move" in chart.draw(Scene(done.before, done))


@pytest.mark.parametrize(
    ("kinds", "sentence"),
    [
        ('T = { name = "x", parts = ["A", "Z"] }', "'T' is made of 'Z'"),
        ('T = { name = "x", parts = ["A"] }', "'T' is made of A alone; it takes two parts"),
        ('T = { name = "x", parts = ["A", "F"] }\nU = { name = "y", parts = ["F", "A"] }', "made of the same parts"),
        (
            'T = { name = "x", parts = ["A", "F"] }\nU = { name = "y", parts = ["T", "A"] }',
            "'T', which is made of others",
        ),
        ('T = { name = "x", upkeep = -1 }', "'T' has -1 upkeep"),
    ],
)
def test_parts_that_cannot_be_are_refused(tiny: Tiny, kinds: str, sentence: str) -> None:
    with pytest.raises(InvalidVariant, match=sentence):
        tiny(f"[modules.unit_types.kinds]\n{kinds}")


def test_a_part_that_leaves_one_unit_joins_another_in_one_move(tiny: Tiny) -> None:
    rules = tiny(ABOARD)
    assert stand(after(rules, "France: T BRE, F PIC", "France: A BRE - PIC")) == {"F BRE", "T PIC"}
    attacked = "France: A BRE - PIC\nGermany: F BEL - PIC, A BUR S F BEL - PIC"
    lost = after(rules, "France: T BRE, F PIC\nGermany: F BEL, A BUR", attacked)
    assert stand(lost) == {"T BRE", "F PIC", "A BUR"}
    assert [str(one.unit) for one in lost.after.dislodged] == ["F PIC"]
