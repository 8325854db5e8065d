"""The kernel as an adjudicator of movements: what else happens in a phase is the engine's, and comes out the same."""

import json
from dataclasses import replace
from random import Random

import pytest
from typer.testing import CliRunner

from agree import OPTIONS, SHAPES
from plenipo import library
from plenipo.batch.adjudicate import process
from plenipo.cli import app
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import SEED_BYTES, Dice
from plenipo.engine.outcome import Cause, Outcome
from plenipo.engine.phases import step
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position
from plenipo.engine.rules import Rules
from plenipo.errors import UnsupportedPosition
from strategies import by_power, unit_in

DICE = Dice(bytes(SEED_BYTES))


def bare(outcome: Outcome) -> Outcome:
    """An outcome without its sentence, the numbers of its cause and those of its dislodgement."""
    return outcome._replace(said="", cause=Cause(outcome.cause.reason), fall=None)


def first_movement(rules: Rules) -> Position:
    """The first movement of a game, after the first of all choices there are."""
    position = rules.opening
    while position.phase.kind is not PhaseKind.MOVEMENT:
        legality = Legality(rules, position)
        choices = {power: list(legality.orders_of(power))[:1] for power in rules.names}
        position = step.process(rules, position, choices, DICE).after
    return position


@pytest.mark.parametrize("variant", library.names())
@pytest.mark.parametrize("option", ["as it is", "1971", "4.A.5 forbidden"])
def test_a_phase_comes_out_as_by_the_engine(variant: str, option: str) -> None:
    rules = library.load(variant, OPTIONS[option])
    opening = first_movement(rules)
    for seed in range(6):
        position, orders = SHAPES[seed % len(SHAPES)](Random(seed), rules, rules.board_at(opening))
        position = replace(opening, units=position.units, owners={})
        fast, slow = (
            adjudicate(rules, position, by_power(position, orders), DICE) for adjudicate in (process, step.process)
        )
        assert [bare(outcome) for outcome in fast.outcomes] == [bare(outcome) for outcome in slow.outcomes]
        assert (fast.after, fast.notes, fast.errors, fast.draws) == (slow.after, slow.notes, slow.errors, slow.draws)


def test_json_lines_adjudicated_fast_give_the_same_answers_in_fewer_words() -> None:
    movement = {
        "variant": "standard",
        "phase": "S1901M",
        "units": {"Austria": ["A VIE", "F TRI"], "Germany": ["A TYO", "A BOH"]},
        "orders": {
            "Germany": ["A TYO S A BOH - VIE", "A BOH - VIE"],
            "Austria": ["A VIE - BOH", "F TRI - MOS", "F NAP H"],
        },
    }
    adjusting = {
        **movement,
        "phase": "W1901A",
        "centers": {"Austria": ["VIE"]},
        "orders": {"Austria": ["REMOVE F TRI"]},
    }
    lines = "".join(json.dumps(line) + "\n" for line in (movement, adjusting))
    slow, fast = (
        [json.loads(line) for line in CliRunner().invoke(app, ["adjudicate", *mark], input=lines).stdout.splitlines()]
        for mark in ([], ["--fast"])
    )
    assert fast[0]["results"]["A VIE"]["why"] == "A VIE: head to head; dislodged by A BOH of Germany."
    for answer in (*slow, *fast):
        for told in answer["results"].values():
            del told["why"]
    assert fast == slow
    assert fast[0]["dislodged"]["Austria"].keys() == {"A VIE"}


def test_more_units_than_the_kernel_takes_are_refused_by_number() -> None:
    rules = library.load("irish")
    position = first_movement(rules)
    board = rules.board_at(position)
    spaces = [code for code, space in sorted(board.spaces.items()) if not space.impassable]
    crowd = replace(position, units=tuple(unit_in(Random(0), board, rules.names[0], code, 0.5) for code in spaces))
    with pytest.raises(UnsupportedPosition, match=f"takes 64 units, and this position has {len(spaces)}"):
        process(rules, crowd, {})
