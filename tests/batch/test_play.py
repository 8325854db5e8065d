"""One game, one phase at a time: the same as the arena gives, in a row of one's own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agree import taken
from plenipo import library
from plenipo.batch import Arena
from plenipo.batch.play import advance, blank, chance_of, copy_game, draw, memory


def same(one: Arena, state: object, game: int) -> bool:
    """Tell whether a game of the arena equals game 0 of a state, apart from leftovers in the row of dislodged units."""
    count = int(one.state.units[game])
    return all(
        np.array_equal(
            getattr(one.state, name)[game][:count]
            if name in ("kinds", "places", "came")
            else getattr(one.state, name)[game],
            getattr(state, name)[0][:count] if name in ("kinds", "places", "came") else getattr(state, name)[0],
        )
        for name in ("units", "kinds", "places", "came", "owner", "home", "ripe", "step", "year", "played", "winner")
    )


@pytest.mark.parametrize("variant", taken())
def test_a_game_goes_on_as_in_the_arena(variant: str) -> None:
    arena = Arena(library.load(variant), 3, seed=bytes(range(32)))
    scratch, work = memory(arena.tables)
    mine = blank(arena.tables, 1, arena.room)
    for _ in range(24):
        for game in range(3):
            copy_game(arena.state, game, mine, 0)
            assert same(arena, mine, game)
        before = [tuple(array[game].copy() for array in arena.state) for game in range(3)]
        orders, _ = arena.random_step()
        for game in range(3):
            for array, row in zip(mine, before[game], strict=True):
                array[0] = row
            if mine.winner[0] == 255:
                advance(0, mine, 0, orders[game : game + 1].copy(), arena.tables.arrays, scratch, work)
            assert same(arena, mine, game)


def test_a_copy_goes_on_alone() -> None:
    arena = Arena(library.load("standard"), 1, seed=bytes(32))
    scratch, work = memory(arena.tables)
    mine = blank(arena.tables, 1, 64)
    copy_game(arena.state, 0, mine, 0)
    before = [array.copy() for array in arena.state]
    for _ in range(4):
        advance(0, mine, 0, np.zeros((1, 64), np.uint32), arena.tables.arrays, scratch, work)
    assert mine.played[0] == 4
    assert all(np.array_equal(array, old) for array, old in zip(arena.state, before, strict=True))


@given(st.integers(0, 2**64 - 1), st.integers(1, 1000))
def test_chance_is_the_same_for_the_same_seed_and_keeps_within_bounds(seed: int, below: int) -> None:
    one, other = chance_of(seed), chance_of(seed)
    drawn = [draw(one, below) for _ in range(20)]
    assert drawn == [draw(other, below) for _ in range(20)]
    assert all(0 <= number < below for number in drawn)
