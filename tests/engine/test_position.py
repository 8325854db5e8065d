"""A position reports every fault it has, and compares by value."""

from dataclasses import replace

from plenipo.engine.board import Coast, Code, Location, UnitKind
from plenipo.engine.position import Position, Power, Unit
from table import SPRING, place, standard


def unit(power: str, kind: str, space: str, coast: str = "") -> Unit:
    return Unit(Power(power), UnitKind(kind), Location(Code(space), Coast(coast)))


def test_the_opening_is_sound() -> None:
    assert list(standard().opening.faults(standard().board)) == []


def test_every_fault_is_reported_at_once() -> None:
    position = Position(
        SPRING,
        (
            unit("France", "A", "PAR"),
            unit("Germany", "F", "PAR"),
            unit("France", "A", "NTH"),
            unit("France", "F", "STP"),
            unit("France", "F", "BRE", "NC"),
            unit("France", "A", "STP", "NC"),
            unit("France", "A", "SWI"),
            unit("France", "A", "XXX"),
        ),
        owners={Code("BUR"): Power("France")},
    )
    assert set(position.faults(standard().board)) == {
        "'A NTH' cannot stand there: an army needs land.",
        "'A PAR' and 'F PAR' stand in the same space.",
        "'F STP' and 'A STP/NC' stand in the same space.",
        "'A STP/NC' cannot stand there: an army has no coast.",
        "'A SWI' cannot stand there: Switzerland is impassable.",
        "'A XXX' stands in 'XXX', which is not on the board.",
        "'BUR' is owned but is not a supply centre.",
        "'F BRE/NC' cannot stand there: Brest has no coast NC.",
        "'F PAR' cannot stand there: a fleet needs water.",
        "'F STP' cannot stand there: a fleet there is on one of NC, SC.",
    }


def test_the_order_in_which_units_are_given_does_not_matter() -> None:
    assert place("France: A PAR, F BRE\nItaly: A ROM") == place("Italy: A ROM\nFrance: F BRE, A PAR")


def test_a_position_in_another_phase_is_the_same_but_for_the_phase() -> None:
    position = standard().opening
    later = next(standard().calendar.after(position.phase))
    before = position.units_of(Power("France"))
    there = position.in_phase(later)
    assert there == replace(position, phase=later) != position
    assert position.phase == standard().opening.phase
    assert there.units_of(Power("France")) is before
