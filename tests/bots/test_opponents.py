"""Predictions of the other powers' orders, above all of powers that submit none."""

import numpy as np
import pytest

from plenipo.batch import Arena, compile_tables
from plenipo.batch.bits import Array
from plenipo.batch.kinds import kind_of, owner_of, unit_word
from plenipo.batch.packing import HOLD
from plenipo.batch.tables import MOST_UNITS
from plenipo.bots.levels import LEVELS, OTHERS
from plenipo.bots.opponents import LIKELY_ONE, WEIGHT_ALL, stillness, weights_of
from plenipo.bots.search_tables import Thinker
from plenipo.engine.position import Power
from table import standard

TABLES = compile_tables(standard())
THINKER = Thinker(TABLES)
AUSTRIA, ITALY = (TABLES.power_number[Power(name)] for name in ("Austria", "Italy"))
STILL = list(OTHERS).index("still")


def after(movements: int, given: int) -> Array:
    """Return the prediction after some first movements in which every unit was given the same packed number."""
    arena = Arena(TABLES, 1, seed=bytes(32), room=MOST_UNITS)
    seen = np.full(MOST_UNITS, given, np.uint32)
    return THINKER.foretold(arena.state, 0, seen, ITALY, LEVELS["middling"]) * movements


def test_no_power_is_assumed_idle_before_anything_is_known() -> None:
    still = stillness(after(0, 0))
    assert (still > 0).all()
    assert (still < WEIGHT_ALL // 100).all()


@pytest.mark.parametrize("given", [0, HOLD << 20], ids=["without orders", "all hold"])
def test_after_two_movements_without_moves_a_power_is_taken_to_order_nothing(given: int) -> None:
    one, two, three = (stillness(after(movements, given))[AUSTRIA] for movements in (1, 2, 3))
    assert WEIGHT_ALL // 2 < one < two <= three < WEIGHT_ALL
    assert two > 0.95 * WEIGHT_ALL


def test_a_power_that_moved_half_of_the_time_is_assumed_to_order() -> None:
    """Its units went where no style would have sent them, which tells nothing but that they went."""
    moved = after(1, 0xFFFFF)
    moved[:, :STILL] = -LIKELY_ONE
    assert stillness(after(2, 0) + 2 * moved)[AUSTRIA] < WEIGHT_ALL // 2


def test_the_weights_of_all_styles_make_the_whole_and_none_is_ruled_out() -> None:
    for likely in (after(0, 0), after(1, 0), after(4, 0)):
        weights = weights_of(likely)
        assert (weights > 0).all()
        assert weights.sum(axis=1) == pytest.approx(WEIGHT_ALL**2, rel=0.02)
        assert weights[:, STILL] == pytest.approx(stillness(likely) * WEIGHT_ALL)


def test_in_the_samples_a_power_without_orders_holds_and_its_neighbours_expect_more() -> None:
    arena = Arena(TABLES, 1, seed=bytes(32), room=MOST_UNITS)
    level = LEVELS["middling"]
    known = after(0, 0)
    open_ended = THINKER.think(arena.state, 0, ITALY, 5, level, likely=known).value
    known[AUSTRIA] = after(4, 0)[AUSTRIA]
    against = THINKER.think(arena.state, 0, ITALY, 5, level, likely=known).value
    samples = THINKER.list_judged_plans(level)[1]
    theirs = owner_of(arena.state.kinds[0]) == AUSTRIA
    theirs[int(arena.state.units[0]) :] = False
    assert (samples[:, theirs] == HOLD << 20).mean() > 0.9
    assert against > open_ended


def test_rivals_without_orders_are_not_searched_for() -> None:
    arena = Arena(TABLES, 1, seed=bytes(32), room=MOST_UNITS)
    level = LEVELS["strong"]._replace(changes=0)
    known = np.column_stack([after(0, 0), np.zeros(len(TABLES.powers), np.int64)])
    known[AUSTRIA, :-1] = after(4, 0)[AUSTRIA]
    THINKER.think(arena.state, 0, ITALY, 5, level, likely=known)
    samples = THINKER.list_judged_plans(level)[1]
    theirs = np.flatnonzero(owner_of(arena.state.kinds[0, : int(arena.state.units[0])]) == AUSTRIA)
    assert (samples[:, theirs] == HOLD << 20).all(axis=1).mean() > 0.9


def test_what_is_expected_does_not_hang_on_what_was_thought_before() -> None:
    arena = Arena(TABLES, 1, seed=bytes(32), room=MOST_UNITS)
    first = Thinker(TABLES).estimate_shares(arena.state, 0, 3, 2)
    thinker = Thinker(TABLES)
    thinker.think(arena.state, 0, ITALY, 5, LEVELS["quick"], likely=after(4, 0))
    assert np.array_equal(thinker.estimate_shares(arena.state, 0, 3, 2), first)


def test_a_power_without_units_orders_nothing() -> None:
    arena = Arena(TABLES, 1, seed=bytes(32), room=MOST_UNITS)
    here = owner_of(arena.state.kinds[0, :22])
    kinds = arena.state.kinds[0, :22]
    kinds[here == ITALY] = unit_word(AUSTRIA, kind_of(kinds[here == ITALY]))
    known = THINKER.foretold(arena.state, 0, np.zeros(MOST_UNITS, np.uint32), AUSTRIA, LEVELS["middling"])
    assert stillness(known)[ITALY] > WEIGHT_ALL // 2
