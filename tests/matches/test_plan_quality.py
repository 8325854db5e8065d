"""The quality of plans: each count on a position that has it once, and sums over a game."""

from dataclasses import asdict

import pytest

from plenipo.engine.history.game import Game
from plenipo.engine.position import Power
from plenipo.matches.plan_quality import PlanQuality, measure_game, measure_plan
from table import order_sets, place, standard

FRANCE = Power("France")
BOARD = """
    France: A PAR, A MAR, F BRE, F MID
    Germany: A BUR, A RUH
    England: F ENG
"""

COUNTED = {
    "a support that its unit contradicts": ("A PAR S A MAR - GAS, A MAR - SPA", "contradictions"),
    "a move into a unit that stays": ("A PAR - BRE, F BRE H", "self_blocks"),
    "an attack without support": ("A PAR - BUR", "lone_attacks"),
    "a centre that is left and lost": ("F BRE - GAS\nEngland: F ENG - BRE", "centres_left"),
    "a move that its own power stops": ("A PAR - GAS, A MAR - GAS", "self_blocks"),
}

NONE_COUNTED = {
    "a support that goes with its move": ("A PAR S A MAR - BUR, A MAR - BUR", ("contradictions", "lone_attacks")),
    "a move into a unit that goes": ("A PAR - BRE, F BRE - GAS", ("self_blocks", "stopped_by_own")),
    "a move to where a unit leaves": ("A PAR - BUR\nGermany: A BUR - MUN", ("attacks", "failed")),
    "a centre that could not have been kept": (
        "A PAR - PIC\nGermany: A BUR - PAR, A RUH S A BUR - PAR",
        ("self_blocks",),
    ),
    "a centre left for another unit of one's own": ("F BRE - GAS, A PAR - BRE", ("centres_left",)),
    "a centre that nobody enters": ("F BRE - GAS", ("centres_left",)),
}


def measure(orders: str) -> PlanQuality:
    owners = {"France": "PAR MAR BRE", "Germany": "MUN", "England": "LON"}
    game = Game(standard(), place(BOARD, owners=owners))
    turn = game.process(order_sets(standard(), f"France: {orders}")).turns[0]
    return measure_plan(standard(), turn.resolution, FRANCE)


@pytest.mark.parametrize(("orders", "count"), COUNTED.values(), ids=COUNTED)
def test_each_fault_of_a_plan_is_counted(orders: str, count: str) -> None:
    assert asdict(measure(orders))[count] == 1


@pytest.mark.parametrize(("orders", "counts"), NONE_COUNTED.values(), ids=NONE_COUNTED)
def test_what_is_no_fault_is_not_counted(orders: str, counts: tuple[str, ...]) -> None:
    found = asdict(measure(orders))
    assert [found[count] for count in counts] == [0] * len(counts)


def test_the_counts_of_a_game_are_those_of_its_plans() -> None:
    game = Game.new(standard()).process({FRANCE: ["A PAR - BUR", "A MAR S A PAR - GAS"]})
    game = game.process({FRANCE: ["A BUR - MUN"]})
    quality = measure_game(game)
    assert (quality.plans, quality.doubted, quality.contradictions, quality.moves) == (14, 1, 1, 2)
    assert (quality.attacks, quality.lone_attacks, quality.failed) == (1, 1, 1)
