"""Rivals who search: the nearest powers, how likely each is to search, and their plans among the samples."""

import numpy as np
import pytest

from baseline import EARLY, ground
from plenipo.batch import Arena, compile_tables
from plenipo.batch.kinds import owner_of
from plenipo.batch.play import MOVEMENT
from plenipo.batch.tables import MOST_UNITS, Tables
from plenipo.bots import proximity
from plenipo.bots.levels import LEVELS, OTHERS
from plenipo.bots.rivals import DRAWS, HANDICAP, SHARE_OF_ONE, found_by, nearest, share_of
from plenipo.bots.search_tables import Thinker
from plenipo.engine.board import Location, UnitKind
from table import standard
from yardstick import STEPS_FELT


def test_the_nearest_powers_are_those_a_power_can_meet_and_never_itself() -> None:
    arena = Arena(standard(), 1, seed=bytes(32))
    tables = arena.tables
    names = list(tables.power_number)
    found = [names[q] for q in nearest(arena.state, 0, tables.power_number[names[0]], tables.arrays, 7)]
    assert names[0] == "Austria"
    assert found[0] == "Italy"
    assert set(found) == {"Italy", "Russia", "Germany"}
    assert nearest(arena.state, 0, 0, tables.arrays, 2) == nearest(arena.state, 0, 0, tables.arrays, 7)[:2]


@pytest.mark.parametrize(("searches", "best_style"), [(0, -4000), (-500, 0), (-4000, 0), (0, 0)])
def test_the_better_searches_predicted_a_power_the_more_samples_have_their_plans(
    searches: int, best_style: int
) -> None:
    row = np.array([best_style - 300, best_style, searches])
    share = share_of(row)
    assert 0 < share < SHARE_OF_ONE  # neither is ever ruled out
    assert (share > SHARE_OF_ONE // 2) == (searches >= best_style)
    assert share_of(np.array([best_style - 300, best_style, searches + 256])) >= share


def test_without_anything_known_most_samples_have_them() -> None:
    assert share_of(None) == share_of(np.zeros(10, np.int64)) > SHARE_OF_ONE // 2


def test_orders_that_every_search_found_are_likelier_than_those_of_one_or_none() -> None:
    plans = np.array([[1, 2, 3], [1, 2, 4], [1, 5, 6], [1, 5, 7]], np.uint32)
    found = [found_by(plans, np.array(seen, np.uint32)) for seen in ([1, 1, 1], [1, 2, 1], [1, 2, 3], [9, 9, 9])]
    assert found[3] < found[0] < found[1] < found[2] < HANDICAP
    assert found_by(plans[:, :0], np.zeros(0, np.uint32)) == HANDICAP
    assert DRAWS % len(plans) == 0


def test_plans_of_rivals_stand_in_the_samples_of_the_levels_that_have_them() -> None:
    """Against the same thought without them, which draws everything else alike."""
    arena = Arena(standard(), 1, seed=bytes(32), room=MOST_UNITS)
    strong = LEVELS["strong"]._replace(changes=0)
    samples = []
    for level in (strong, strong._replace(rivals=0)):
        thinker = Thinker(arena.tables)
        thinker.think(arena.state, 0, 0, 9, level)
        samples.append(thinker.list_judged_plans(level)[1])
    whose = owner_of(arena.state.kinds[0])
    different = {
        int(whose[u]) for u in range(int(arena.state.units[0])) if (samples[0][:, u] != samples[1][:, u]).any()
    }
    near = nearest(arena.state, 0, 0, arena.tables.arrays, strong.rivals)
    assert arena.phases[0] == MOVEMENT
    assert different
    assert different <= set(near)


def test_a_review_of_rivals_covers_searches_too() -> None:
    arena = Arena(standard(), 1, seed=bytes(32), room=MOST_UNITS)
    thinker = Thinker(arena.tables)
    seen = np.zeros(MOST_UNITS, np.uint32)
    power = 1
    columns = owner_of(arena.state.kinds[0, : int(arena.state.units[0])]) == power
    quick = thinker.think(arena.state, 0, power, 3, LEVELS["middling"]).orders
    seen[: len(columns)][columns] = quick[: len(columns)][columns]
    with_searches = thinker.foretold(arena.state, 0, seen, 2, LEVELS["strong"])
    without = thinker.foretold(arena.state, 0, seen, 2, LEVELS["middling"])
    assert with_searches.shape[1] == without.shape[1] + 1 == len(OTHERS) + 1
    assert np.array_equal(with_searches[:, :-1], without)


def test_the_yardstick_has_the_proximity_of_the_baseline() -> None:
    tables: Tables = compile_tables(standard())
    near = proximity.measure_proximity(tables.arrays, STEPS_FELT).near[proximity.EARLY]
    numbers = ground(standard().board)
    count = len(tables.arrays.space_of)
    place = next(i for i in range(count) if tables.spaces[int(tables.arrays.space_of[i])] == "MUN")
    row = numbers.rows[UnitKind.ARMY, Location(tables.spaces[int(tables.arrays.space_of[place])])]
    theirs = {code: numbers.near[EARLY][row, i] for i, code in enumerate(numbers.centres)}
    for c, code in enumerate(tables.centre_number):
        assert near[place, c] == pytest.approx(theirs[code], abs=2)
