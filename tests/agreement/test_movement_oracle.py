"""The engine's resolver and the oracle, which share no idea of how to resolve, judge the same random movements."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings

from clockwise import standard_board
from oracle import Verdict, solve
from plenipo.engine.board import Board
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.orders import MovementOrder, Support
from plenipo.engine.outcome import Outcome, Reason, Resolution, Result
from plenipo.engine.position import Position
from plenipo.engine.step import process
from strategies import (
    battles,
    by_power,
    dense_position,
    knotted_battle,
    movement_orders,
    scattered_position,
    small_position,
)
from table import standard

BOARD = standard_board()

RULES = standard()


def differences(position: Position, orders: tuple[MovementOrder, ...]) -> list[str]:
    """A sentence for everything about which the engine and the oracle disagree."""
    resolution = process(RULES, position, by_power(position, orders))
    found = [f"the engine complains: {error}" for error in resolution.errors]
    found += _compare(resolution, solve(BOARD, position.units, orders))
    if found:
        found.append(f"units: {', '.join(f'{unit.power} {unit}' for unit in position.units)}")
        found.append(f"orders: {'; '.join(map(str, orders))}")
    return found


def _compare(resolution: Resolution, verdict: Verdict) -> list[str]:
    found = []
    judged = {outcome.unit.space: outcome for outcome in resolution.outcomes if outcome.unit is not None}
    if set(judged) != set(verdict.fates):
        found.append(f"the engine judges the units of {sorted(judged)}, the oracle those of {sorted(verdict.fates)}")
    for space, outcome in judged.items():
        fate = verdict.fates[space]
        by = outcome.dislodged_by.space if outcome.dislodged_by else None
        pairs = {
            "moved": (outcome.result is Result.MOVES, fate.moved),
            "dislodged by": (by, fate.dislodged_by),
            "given": (_given(outcome), fate.given),
            "retreats": (frozenset(outcome.retreats), fate.retreats),
        }
        found += [f"{space} {what}: engine {a}, oracle {b}" for what, (a, b) in pairs.items() if a != b]
    if resolution.after.phase.kind is PhaseKind.RETREATS and resolution.after.contested != verdict.contested:
        found.append(f"contested: engine {set(resolution.after.contested)}, oracle {set(verdict.contested)}")
    return found


def _given(outcome: Outcome) -> bool | None:
    """Whether a support that matched was given, as the oracle says it."""
    if not isinstance(outcome.order, Support) or outcome.cause.reason is Reason.NO_MATCH:
        return None
    return outcome.result is Result.SUPPORTS


@pytest.mark.parametrize(
    ("shape", "count"),
    [(small_position, 8000), (dense_position, 3000), (scattered_position, 1000)],
)
def test_the_engine_agrees_with_the_oracle_on_seeded_positions(
    shape: Callable[[Random, Board], Position], count: int
) -> None:
    for seed in range(count):
        chance = Random(seed)
        position = shape(chance, BOARD)
        found = differences(position, movement_orders(chance, BOARD, position))
        assert not found, f"seed {seed}:\n" + "\n".join(found)


def test_the_engine_agrees_with_the_oracle_on_knotted_convoys() -> None:
    for seed in range(2000):
        found = differences(*knotted_battle(Random(seed), BOARD))
        assert not found, f"seed {seed}:\n" + "\n".join(found)


@settings(max_examples=300, deadline=None)
@given(battles(BOARD))
def test_the_engine_agrees_with_the_oracle_on_any_small_position(
    battle: tuple[Position, tuple[MovementOrder, ...]],
) -> None:
    found = differences(*battle)
    assert not found, "\n".join(found)
