"""The engine's resolver and the oracle, which share no idea of how to resolve, judge the same random movements.

One position in five here, all of them in `make proofs`.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings

from clockwise import standard_board
from oracle import KNOWN, ORDINARY, STANDARD, House, Verdict, _Definitions, solve
from plenipo.engine.board import Board, Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.facts import UnitWeights, Weight
from plenipo.engine.orders import MovementOrder, Support
from plenipo.engine.outcome import Outcome, Reason, Resolution, Result
from plenipo.engine.phases.step import process
from plenipo.engine.position import Position, Power
from plenipo.engine.rulebook import Rulebook
from plenipo.engine.rules import Rules
from plenipo.engine.strengths import Use
from plenipo.library import load
from plenipo.rulekit.contacts import ContactRules
from plenipo.rulekit.corners import add_corners
from plenipo.rulekit.unit_types import UnitTypes
from proofs import so_many
from strategies import (
    battles,
    by_power,
    dense_position,
    knotted_battle,
    movement_orders,
    scattered_position,
    small_position,
    tight_board,
)
from table import Declares, rules_on, standard

MovementSolver = tuple[Position, tuple[MovementOrder, ...]]

PART = 5
"""One in so many positions is judged whenever the tests run."""

BOARD = standard_board()
RULES = standard()
TIGHT = tight_board()
CORNER_RULES = rules_on(add_corners(load("standard").board), Rulebook.edition("standard"))
TIGHT_RULES = rules_on(TIGHT, STANDARD)


def differences(
    rules: Rules, position: Position, orders: tuple[MovementOrder, ...], house: House = ORDINARY
) -> list[str]:
    """A line for everything about which the engine and the oracle disagree, and then the position and the orders."""
    resolution = process(rules, position, by_power(position, orders))
    found = [f"the engine complains: {error}" for error in resolution.errors]
    found += _compare(resolution, solve(rules.board, position.units, orders, rules.rulebook, house))
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
    """Tell whether a support that matched was given, in the terms of the oracle."""
    if not isinstance(outcome.order, Support) or outcome.cause.reason is Reason.NO_MATCH:
        return None
    return outcome.result is Result.SUPPORTS


def battle(shape: Callable[[Random, Board], Position], board: Board, seed: int) -> MovementSolver:
    """The position of `seed` and orders for it."""
    chance = Random(seed)
    position = shape(chance, board)
    return position, movement_orders(chance, board, position)


@pytest.mark.parametrize(
    ("rules", "shape", "count"),
    [
        pytest.param(RULES, small_position, 10_000, id="small"),
        pytest.param(RULES, dense_position, 3000, id="dense"),
        pytest.param(RULES, scattered_position, 1000, id="scattered"),
        pytest.param(TIGHT_RULES, dense_position, 4000, id="on a tight board"),
        pytest.param(CORNER_RULES, dense_position, 2000, id="on a board with corners"),
    ],
)
def test_the_engine_agrees_with_the_oracle_on_seeded_positions(
    rules: Rules, shape: Callable[[Random, Board], Position], count: int
) -> None:
    for seed in range(so_many(count, PART)):
        found = differences(rules, *battle(shape, rules.board, seed))
        assert not found, f"seed {seed}:\n" + "\n".join(found)


def test_the_engine_agrees_with_the_oracle_on_knotted_convoys() -> None:
    for seed in range(so_many(2000, PART)):
        found = differences(RULES, *knotted_battle(Random(seed), BOARD))
        assert not found, f"seed {seed}:\n" + "\n".join(found)


@pytest.mark.parametrize(
    ("key", "choice"),
    [(key, choice) for key, choices in KNOWN.items() for choice in choices if choice != STANDARD[key]],
)
def test_the_engine_agrees_with_the_oracle_under_each_other_policy(key: str, choice: str) -> None:
    rules = rules_on(TIGHT, Rulebook.edition("standard", {key: choice}))
    for seed in range(so_many(2000, PART)):
        found = differences(rules, *battle(dense_position, TIGHT, seed))
        assert not found, f"seed {seed}:\n" + "\n".join(found)


@settings(max_examples=300, deadline=None)
@given(battles(BOARD))
def test_the_engine_agrees_with_the_oracle_on_any_small_position(drawn: MovementSolver) -> None:
    found = differences(RULES, *drawn)
    assert not found, "\n".join(found)


def weighted(board: Board) -> tuple[Rules, House]:
    """Rules in which the pieces of two powers count nine tenths on the offence, for the engine and for the oracle."""
    module = UnitTypes(scale=10, offence=9, offence_of=(Power("Turkey"), Power("Italy")))
    house = House(offence=dict.fromkeys(module.offence_of, Fraction(9, 10)))
    return replace(rules_on(board, STANDARD), modules=(module,)), house


@pytest.mark.parametrize(
    ("board", "shape", "count"),
    [
        pytest.param(BOARD, small_position, 10_000, id="small"),
        pytest.param(BOARD, dense_position, 1000, id="dense"),
        pytest.param(TIGHT, dense_position, 2000, id="on a tight board"),
    ],
)
def test_the_engine_agrees_with_the_oracle_in_fractions_where_pieces_count_nine_tenths(
    board: Board, shape: Callable[[Random, Board], Position], count: int
) -> None:
    rules, house = weighted(board)
    for seed in range(so_many(count, PART)):
        found = differences(rules, *battle(shape, board, seed), house)
        assert not found, f"seed {seed}:\n" + "\n".join(found)


def test_the_engine_agrees_with_the_oracle_where_some_units_never_attack_and_others_never_resist() -> None:
    meek, soft = (Power("Turkey"), Power("Italy")), (Power("Italy"), Power("France"), Power("Russia"))
    offence = [
        Weight(0, power, use, supporting)
        for power in meek
        for use in (Use.ATTACK, Use.PREVENT, Use.DEFEND)
        for supporting in (False, True)
        if supporting or use is not Use.DEFEND
    ]
    weights = UnitWeights(1, (*offence, *(Weight(0, power, Use.HOLD) for power in soft)))
    house = House(dict.fromkeys(meek, Fraction(0)), dict.fromkeys(soft, Fraction(0)))
    rules = replace(rules_on(TIGHT, STANDARD), modules=(Declares((weights,)),))
    changed = 0
    for seed in range(so_many(10_000, PART)):
        drawn = battle(dense_position, TIGHT, seed)
        found = differences(rules, *drawn, house)
        assert not found, f"seed {seed}:\n" + "\n".join(found)
        changed += solve(TIGHT, drawn[0].units, drawn[1], STANDARD, house) != solve(TIGHT, drawn[0].units, drawn[1])
    assert changed > so_many(1000, PART)


def test_the_engine_agrees_with_the_oracle_where_ways_cross() -> None:
    pairs = tuple(
        (tuple(map(Code, one.split("-"))), tuple(map(Code, other.split("-"))))
        for one, other in (("PORT 0-PORT 1", "SEA 0-SEA 1"), ("PORT 2-PORT 3", "PORT 4-SEA 2"))
    )
    module = ContactRules(crossings=pairs, convoy="intent")  # type: ignore[arg-type]  # ways of two, by construction
    house = House(straits=tuple((frozenset(one), frozenset(other)) for one, other in pairs))
    rules = replace(rules_on(TIGHT, STANDARD), modules=(module,))
    met = 0
    for seed in range(so_many(10_000, PART)):
        drawn = battle(dense_position, TIGHT, seed)
        found = differences(rules, *drawn, house)
        assert not found, f"seed {seed}:\n" + "\n".join(found)
        met += solve(TIGHT, drawn[0].units, drawn[1], STANDARD, house) != solve(TIGHT, drawn[0].units, drawn[1])
    assert met > so_many(20, PART)  # the crossings decide something often enough for this to mean anything


WRONG: dict[str, tuple[str, Callable[..., object]]] = {
    "no battle is head to head": ("opposed", lambda *_: False),
    "no route is ever broken": ("route", lambda *_: True),
    "an army without a route attacks": ("path", lambda *_: True),
    "a support needs no matching order": ("_matches", lambda *_: True),
    "a support is never cut": ("given", lambda definitions, space, read: not definitions.dislodged(space, read)),
    "no support is ever given": ("supports", lambda *_, **__: 0),
    "an army goes by sea only where it must": (
        "_goes_by_sea",
        lambda definitions, space: (
            definitions.orders[space].unit.kind == "A"
            and definitions.target[space] not in definitions.board.armies[space]
        ),
    ),
}


@pytest.mark.parametrize(("method", "wrong"), WRONG.values(), ids=WRONG)
def test_the_comparison_notices_a_wrong_definition(
    method: str, wrong: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_Definitions, method, wrong)
    assert any(differences(TIGHT_RULES, *battle(dense_position, TIGHT, seed)) for seed in range(1000))
