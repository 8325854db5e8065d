"""A unit in anarchy takes no orders, needs a centre, and is annihilated when it is dislodged."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from hats import BY_HAND, drawn, turn
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.record import decode_position, encode_position
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.adjustments import due
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import advance
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.errors import PlenipoError
from plenipo.rulekit.anarchy import Anarchy
from table import FALL, WINTER, board_of, outcome, owner, place, reader, results

Tiny = Callable[..., Rules]
MODULE = "[modules.anarchy]\n"
GERMANY = Power("Germany")


def with_anarchy(position: Position, *names: str) -> Position:
    return Anarchy().with_units(position, [unit for unit in position.units if str(unit) in names])


def struck(position: Position) -> set[str]:
    return {str(unit) for unit in Anarchy().units(position)}


def judged(rules: Rules, units: str, orders: str, *names: str) -> Resolution:
    return turn(rules, with_anarchy(place(units, rules=rules), *names), orders)


def test_it_takes_no_orders_and_holds(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    resolution = judged(rules, "Germany: A MUN, A BER", "Germany: A MUN - BUR, A BER H", "A MUN")
    assert results(resolution)["A MUN"] == "holds"
    assert board_of(resolution.after)["Germany"] == ["A BER", "A MUN"]
    told = "A MUN is in anarchy: it takes no orders and holds."
    assert outcome(resolution, "A MUN").why == told
    assert resolution.errors == (f"Germany: 'A MUN - BUR' is illegal: {told}",)


def test_it_has_no_legal_orders_and_no_power_is_waited_for(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    position = with_anarchy(place("Germany: A MUN, A BER", rules=rules), "A MUN")
    orders = Legality(rules, position).orders_of(GERMANY)
    assert [str(unit) for unit in orders.units] == ["A BER"]


@pytest.mark.parametrize("order", ["A MUN S A BUR - RUH", "A MUN S A BER", "A MUN H"])
def test_it_helps_no_unit(tiny: Tiny, order: str) -> None:
    rules = tiny(MODULE)
    resolution = judged(
        rules, "Germany: A MUN, A BER\nFrance: A BUR\nRussia: A RUH", f"Germany: {order}\nFrance: A BUR - RUH", "A MUN"
    )
    assert results(resolution)["A BUR"] == "fails"
    assert len(resolution.errors) == 1


def test_a_fleet_in_anarchy_does_not_convoy(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    orders = "England: A YOR - DEN, F NTH C A YOR - DEN"
    assert results(judged(rules, "England: F NTH, A YOR", orders))["A YOR"] == "moves"
    assert results(judged(rules, "England: F NTH, A YOR", orders, "F NTH"))["A YOR"] == "fails"


def test_any_power_may_support_it_in_place(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    units = "Germany: A MUN\nFrance: A BUR, A RUH\nAustria: A TYO\nItaly: A BOH"
    attack = "France: A BUR - MUN, A RUH S A BUR - MUN\n"
    for helper, result in (("Austria: A TYO S A MUN", "fails"), ("Austria: A TYO H", "moves")):
        assert results(judged(rules, units, attack + helper, "A MUN"))["A BUR"] == result


def test_its_own_power_does_not_dislodge_it(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    orders = "Germany: A BER - MUN, A SIL S A BER - MUN"
    assert results(judged(rules, "Germany: A MUN, A BER, A SIL", orders, "A MUN"))["A BER"] == "fails"


def test_dislodged_it_is_annihilated(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    units, orders = "Germany: A MUN\nFrance: A BUR, A RUH", "France: A BUR - MUN, A RUH S A BUR - MUN"
    beaten = judged(rules, units, orders, "A MUN")
    assert beaten.after.dislodged == ()
    assert outcome(beaten, "A MUN").why.endswith("A MUN was annihilated: it was in anarchy.")
    assert outcome(beaten, "A MUN").retreats == ()
    assert struck(beaten.after) == set()
    assert len(judged(rules, units, orders).after.dislodged) == 1


def test_it_needs_a_centre_and_may_be_removed(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    position = place("Germany: A MUN, A BER", WINTER, rules, owners={"Germany": "BER"})
    position = with_anarchy(position, "A MUN")
    assert due(rules, position, GERMANY) == -1
    after = turn(rules, position, "Germany: A MUN D").after
    assert board_of(after)["Germany"] == ["A BER"]
    assert struck(after) == set()


@pytest.mark.parametrize(("option", "takes"), [("true", "Germany"), ("false", None)])
def test_it_takes_the_centre_it_stands_in_as_the_option_says(tiny: Tiny, option: str, takes: str | None) -> None:
    rules = tiny(MODULE, anarchic_captures=option)
    position = with_anarchy(place("Germany: A BEL", FALL._replace(kind=PhaseKind.RETREATS), rules), "A BEL")
    assert owner(advance(rules, position).position, "BEL") == takes
    plain = place("Germany: A BEL", FALL._replace(kind=PhaseKind.RETREATS), rules)
    assert owner(advance(rules, plain).position, "BEL") == "Germany"


def test_it_lasts_until_it_is_cured_and_another_unit_in_its_place_is_not_taken_for_it(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    position = judged(rules, "Germany: A MUN, A BER", "", "A MUN").after
    assert struck(position) == {"A MUN"}
    assert struck(turn(rules, position, "Germany: A BER H").after) == {"A MUN"}
    gone = replace(position, units=tuple(unit for unit in position.units if str(unit) != "A MUN"))
    moved = turn(rules, gone, "Germany: A BER - MUN").after
    assert board_of(moved)["Germany"] == ["A MUN"]
    assert struck(turn(rules, with_anarchy(moved)).after) == set()


def test_its_double_is_in_anarchy_too(tiny: Tiny) -> None:
    rules = tiny(BY_HAND + "[modules.splits]\n" + MODULE)
    position = with_anarchy(place("Germany: F KIE, A BER", rules=rules), "F KIE")
    after = drawn(rules, position, {"split": "KIE", "cards of KIE": "DEN AS, MUN KD"}).after
    assert struck(after) == {"F KIE 1", "F KIE 2"}
    assert decode_position(encode_position(after), rules) == after
    other = drawn(rules, position, {"split": "MUN", "cards of MUN": "BUR AS, BOH KD"}).after
    assert struck(other) == {"F KIE"}


def test_in_a_hole_it_is_forgotten(tiny: Tiny) -> None:
    rules = tiny(BY_HAND + "[modules.black_holes]\n" + MODULE)
    position = with_anarchy(place("Germany: F KIE, A BER", rules=rules), "F KIE", "A BER")
    after = drawn(rules, position, {"black hole": "KIE"}).after
    assert Anarchy().units(after) == after.slots["anarchy"].units == frozenset(after.units)  # type: ignore[attr-defined]  # what the module keeps there


def test_a_record_keeps_the_units_in_anarchy(tiny: Tiny) -> None:
    rules = tiny(MODULE, parent="corner")
    position = with_anarchy(
        place("France: F SPA/NC, F [BRE/ENG/MID], A PAR", rules=rules), "F SPA/NC", "F [BRE/ENG/MID]"
    )
    assert decode_position(encode_position(position), rules) == position


@pytest.mark.parametrize("value", [None, 3, [["France"]], [["France", "X PAR"]], {"France": "A PAR"}])
def test_what_cannot_have_been_remembered_is_refused(value: object) -> None:
    with pytest.raises((PlenipoError, KeyError)):
        Anarchy().decode_slot(value, reader())
