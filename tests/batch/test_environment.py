"""The learning environment: the interface of PettingZoo, masks that are the legal orders, whole games."""

import warnings
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from agree import options_of, taken
from plenipo import library
from plenipo.batch import InvalidArray, UnsupportedRules
from plenipo.batch.kinds import unit_word
from plenipo.batch.tables import compile_tables
from plenipo.bots import BOTS
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.orders import Order
from plenipo.engine.phases import adjustments
from plenipo.engine.phases.step import process
from plenipo.engine.position import Power

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")

import gymnasium
from pettingzoo.test import parallel_api_test

from plenipo.batch.environment import DiplomacyEnvironment
from plenipo.batch.one_power import OnePowerEnvironment


@pytest.mark.parametrize("variant", taken())
def test_it_passes_the_tests_of_pettingzoo(variant: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # results that are merely unusual come as warnings
        parallel_api_test(DiplomacyEnvironment(library.load(variant), movements=3), num_cycles=60)


def test_the_first_mask_holds_the_orders_of_the_first_unit() -> None:
    environment = DiplomacyEnvironment(library.load("standard"))
    observed, _ = environment.reset(seed=1)
    texts = {environment.numbering.text(n) for n in np.flatnonzero(observed["France"]["action_mask"]).tolist()}
    moves = {"F BRE H", "F BRE - ENG", "F BRE - GAS", "F BRE - MID", "F BRE - PIC"}
    supports = {"F BRE S PAR - PIC", "F BRE S PAR - GAS", "F BRE S MAR - GAS", "F BRE S LON - ENG"}
    assert texts == moves | supports


GAMES = [
    *((variant, "as it is") for variant in taken()),
    ("napoleonic", "pieces"),
    ("napoleonic", "starving"),
    ("napoleonic", "occupy, starving"),
]


@pytest.mark.parametrize(("variant", "option"), GAMES)
def test_random_play_by_the_masks_ends_with_shares_that_make_one(variant: str, option: str) -> None:
    environment = DiplomacyEnvironment(library.load(variant, options_of(variant)[option]), movements=16)
    observed, _ = environment.reset(seed=7)
    rewards: dict[str, float] = {}
    adjusted = 0
    chance = np.random.default_rng(7)
    for _ in range(5000):
        actions = {agent: int(chance.choice(np.flatnonzero(seen["action_mask"]))) for agent, seen in observed.items()}
        observed, rewards, _, cut_off, _ = environment.step(actions)
        if environment._kind is PhaseKind.ADJUSTMENTS and environment._turn == 0:
            rules, position = environment.tables.rules, environment.arena.position(0)
            asked = {power: len(orders) for power, orders in environment._asked.items()}
            assert asked == {power: abs(adjustments.possible(rules, position, power)) for power in rules.names}
            adjusted += 1
        for seen in observed.values():
            assert environment.observation_space("any").contains(seen)
        if any(cut_off.values()):
            break
    assert adjusted
    assert environment.agents == []
    assert sum(rewards.values()) == pytest.approx(1)
    assert int(environment.arena.state.played[0]) == 16


def test_the_power_with_most_units_has_the_largest_share_where_units_win() -> None:
    environment = DiplomacyEnvironment(library.load("napoleonic", {"victory_measure": "pieces"}), movements=0)
    environment.reset(seed=3)
    state = environment.arena.state
    france = environment.tables.power_number[Power("France")]
    state.kinds[0, : int(state.units[0])] = unit_word(france, 0)
    rewards = environment._rewards()
    assert rewards["France"] == 1
    assert sum(rewards.values()) == 1


def test_a_variant_that_the_kernel_does_not_play_is_refused_by_name() -> None:
    with pytest.raises(UnsupportedRules, match="'walkers'"):
        DiplomacyEnvironment(library.load("irish"))


def test_an_order_that_is_not_legal_now_is_refused() -> None:
    environment = DiplomacyEnvironment(library.load("standard"))
    observed, _ = environment.reset(seed=1)
    wrong = int(np.flatnonzero(observed["Italy"]["action_mask"])[0])
    with pytest.raises(InvalidArray, match="not legal for France now"):
        environment.step({"France": wrong})


def test_the_same_seed_gives_the_same_game() -> None:
    seen = []
    for _ in range(2):
        environment = DiplomacyEnvironment(library.load("1897"))
        observed, _ = environment.reset(seed=5)
        seen.append(observed["Russia"]["observation"])
    assert (seen[0] == seen[1]).all()
    assert seen[0].any()


# Opponents


def idle(*_: Any) -> list[Order]:
    return []


def test_with_opponents_it_passes_the_tests_of_pettingzoo() -> None:
    rules = library.load("standard")
    opponents = {str(power): BOTS["careless"] for power in rules.names[2:]}
    environment = DiplomacyEnvironment(rules, movements=3, opponents=opponents)
    assert environment.possible_agents == [str(power) for power in rules.names[:2]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        parallel_api_test(environment, num_cycles=60)


@pytest.mark.parametrize("variant", ["standard", "napoleonic"])
def test_orders_of_opponents_are_carried_out(variant: str) -> None:
    """A computer player and the kernel's random learner: the game is the one the engine plays from the same orders."""
    rules = library.load(variant)
    learner = str(rules.names[0])
    others = {str(power): BOTS["sensible"] for power in rules.names[1:]}
    environment = DiplomacyEnvironment(rules, movements=8, opponents=others)
    seen, _ = environment.reset(seed=2)
    chance = np.random.default_rng(2)
    arena, records = environment.arena, []
    adjudicated = environment.arena.step

    def step(orders: np.ndarray) -> object:
        records.append((arena.position(0), arena.orders_of(orders, 0)))
        return adjudicated(orders)

    environment.arena.step = step  # type: ignore[method-assign, assignment]
    while environment.agents:
        actions = {agent: int(chance.choice(np.flatnonzero(one["action_mask"]))) for agent, one in seen.items()}
        seen, rewards, *_ = environment.step(actions)
    assert rewards.keys() == {learner}
    ordered = {power for _, order_sets in records for power, order_set in order_sets.items() if order_set}
    assert ordered >= set(rules.names[1:3])
    for (before, order_sets), (after, _) in pairwise(records):
        came = process(rules, before, order_sets)
        assert not came.refusals
        assert came.after.units == after.units


def test_one_power_is_an_environment_of_gymnasium_and_can_be_vectorised() -> None:
    rules = library.load("standard")
    tables = compile_tables(rules)

    def make() -> OnePowerEnvironment:
        return OnePowerEnvironment(tables, idle, "France", movements=3)

    one = make()
    assert isinstance(one, gymnasium.Env)
    assert one.observation_space.contains(one.reset(seed=4)[0])
    many = gymnasium.vector.SyncVectorEnv([make, make, make])
    seen, _ = many.reset(seed=4)
    assert seen["observation"].shape == (3, *one.reset()[0]["observation"].shape)
    ended = np.zeros(3, bool)
    for _ in range(60):
        actions = np.array([np.flatnonzero(mask)[-1] for mask in seen["action_mask"]])
        seen, rewards, won, cut_off, _ = many.step(actions)
        assert ((rewards > 0) <= (won | cut_off)).all()
        ended |= cut_off
    assert ended.all()


def test_a_learner_without_a_fixed_power_sits_in_all_seats() -> None:
    environment = OnePowerEnvironment(library.load("standard"), idle, movements=1)
    seats = set()
    for seed in range(40):
        _, told = environment.reset(seed=seed)
        seats.add(told["power"])
        assert environment.action_masks().any()
        assert not environment.action_masks()[0]
    assert seats == set(map(str, environment.tables.rules.names))
