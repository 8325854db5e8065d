"""The measure that decides the victory."""

from collections.abc import Callable

import pytest

from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.phases.step import advance
from plenipo.engine.position import Position
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant
from table import place, said

Tiny = Callable[..., Rules]
MODULE = "victory = 4\n[modules.victory_conditions]\n"
FALL = Phase("Fall", 1901, PhaseKind.RETREATS)


def after(rules: Rules, units: str, **owners: str) -> tuple[Position, tuple[str, ...]]:
    effects = advance(rules, place(units, FALL, rules, owners=owners))
    return effects.position, said(effects)


FOUR_CENTRES = {"France": "BRE MAR PAR SPA", "Italy": "NAP ROM VEN"}
FOUR_PIECES = "Italy: A APU, A PIE, A TYO, F ADR\nFrance: A BUR"


def test_the_centres_owned_are_counted(tiny: Tiny) -> None:
    position, notes = after(tiny(MODULE), FOUR_PIECES, **FOUR_CENTRES)
    assert position.winners == ("France",)
    assert "France won the game with 4 supply centres." in notes


def test_or_the_pieces_on_the_board(tiny: Tiny) -> None:
    position, notes = after(tiny(MODULE, measure="pieces"), FOUR_PIECES, **FOUR_CENTRES)
    assert position.winners == ("Italy",)
    assert "Italy won the game with 4 pieces." in notes
    assert str(position.phase) == "Winter 1901 ownership"


@pytest.mark.parametrize(
    "units",
    [
        "Italy: A APU, A PIE, A TYO\nFrance: A BUR",
        "Italy: A APU, A PIE, A TYO, F ADR\nFrance: A BUR, A GAS, A PIC, F MID",
    ],
)
def test_too_few_pieces_or_as_many_as_another_win_nothing(tiny: Tiny, units: str) -> None:
    position, _ = after(tiny(MODULE, measure="pieces"), units, **FOUR_CENTRES)
    assert position.winners == ()
    assert str(position.phase) == "Winter 1901 adjustments"


def test_no_power_wins_between_two_changes_of_ownership(tiny: Tiny) -> None:
    rules = tiny(MODULE, measure="pieces")
    spring = Phase("Spring", 1901, PhaseKind.RETREATS)
    assert advance(rules, place(FOUR_PIECES, spring, rules)).position.winners == ()


def test_the_rules_say_what_wins(tiny: Tiny) -> None:
    assert tiny(MODULE).victory_condition == "4 centres"
    assert tiny(MODULE, measure="pieces").victory_condition == "4 pieces"


def test_a_measure_beside_ways_to_win_is_refused(tiny: Tiny) -> None:
    with pytest.raises(InvalidVariant, match="has ways to win and a measure; it must have one of the two"):
        tiny(MODULE + "[[modules.victory_conditions.ways]]\nenough = 4\n", measure="pieces")
