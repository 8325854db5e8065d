"""The arena: the same chance gives the same games, whatever comes in is looked through, records are the engine's."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plenipo import library
from plenipo.batch import Arena, InvalidArray, Numbering, Scope, UnsupportedRules, compile_tables, loops
from plenipo.batch.bits import Array
from plenipo.batch.phases import BY_RULE
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.errors import IllegalOrder, InvalidRecord, UnsupportedPosition
from waiting import LIMIT

SEED = bytes(range(32))
PLAYED = ("standard", "corner", "1897", "cline", "napoleonic")


def arena(games: int = 4, variant: str = "standard", **more: object) -> Arena:
    return Arena(library.load(variant), games, seed=SEED, **more)  # type: ignore[arg-type]  # by name


def test_games_that_can_have_more_units_than_there_is_room_for_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plenipo.batch.arena.MOST_UNITS", 32)
    with pytest.raises(UnsupportedRules, match="takes 32 units, and a game of these rules can have 34"):
        arena()
    assert arena(room=32).state.kinds.shape == (4, 32), "with room for a position that is put there"


def test_a_seed_decides_every_game() -> None:
    one, other, third = arena(50), arena(50), Arena(library.load("standard"), 50, seed=bytes(32))
    for each in (one, other, third):
        each.play(12)
    assert all((a == b).all() for a, b in zip(one.state, other.state, strict=True))
    assert not (one.state.places == third.state.places).all()
    assert one.commitment == other.commitment != third.commitment


def test_threads_share_the_games_and_change_nothing() -> None:
    alone, shared = arena(33), arena(33, workers=3)
    alone.play(7)
    shared.play(7)
    assert all((a == b).all() for a, b in zip(alone.state, shared.state, strict=True))
    assert [list(alone.legal().of(g, 0)) for g in range(33)] == [list(shared.legal().of(g, 0)) for g in range(33)]


@pytest.mark.parametrize("variant", PLAYED)
def test_a_game_that_is_kept_becomes_a_record_the_engine_agrees_with(variant: str) -> None:
    kept, plain = arena(3, variant, keep=[1]), arena(3, variant)
    kept.play(14)
    plain.play(14)
    assert kept.position(1) == plain.position(1)
    record = kept.record(1)
    game = decode_game(record, library.load(variant))
    assert isinstance(game, Game)
    assert game.position.units == kept.position(1).units
    assert record["hash"]


def test_steps_are_kept_for_the_record_too() -> None:
    kept = arena(1, keep=[0])
    for _ in range(8):
        kept.random_step()
    kept.step(kept.blank_orders())
    assert kept.record(0)["entries"]


@pytest.mark.parametrize("variant", PLAYED)
def test_a_position_put_in_comes_out_the_same(variant: str) -> None:
    played = arena(40, variant)
    for _ in range(9):
        played.random_step()
        for game in range(40):
            position = played.position(game)
            if not position.winners:
                played.put(game, position)
                assert played.position(game) == position


@pytest.mark.parametrize("variant", PLAYED)
def test_the_legal_orders_are_those_of_the_engine(variant: str) -> None:
    played = arena(6, variant)
    numbering = Numbering(played.tables)
    seen = set()
    for _ in range(14):
        legal = played.legal()
        for game in range(6):
            position = played.position(game)
            seen.add(position.phase.kind)
            view = Legality(played.tables.rules, position)
            if position.phase.kind is PhaseKind.ADJUSTMENTS:
                for column, power in enumerate(played.tables.rules.names):
                    theirs = {played.codes.pack(order, power) for order in view.orders_of(power)}
                    assert set(legal.of(game, column).tolist()) == theirs
                continue
            for column, unit in enumerate(played.units(game)):
                mine = legal.of(game, column)
                retreating = position.phase.kind is PhaseKind.RETREATS
                if retreating and not played.state.came[game, column]:
                    assert len(mine) == 0
                    continue
                theirs = {played.codes.pack(order) for order in view.orders_of(unit.power).of(unit)}
                assert set(mine.tolist()) == theirs
                assert len(mine) == len(theirs)
                kind = np.full(len(mine), unit.kind == "F")
                place = np.full(len(mine), played.tables.location_number[unit.location])
                assert (numbering.numbers(kind, place, mine) > 0).all()
        played.random_step()
    assert PhaseKind.ADJUSTMENTS in seen


def test_a_movement_resolved_changes_no_game_and_is_the_one_stepped() -> None:
    played = arena(60)
    before = [array.copy() for array in played.state]
    orders = played.blank_orders()
    legal = played.legal()
    chance = np.random.default_rng(1)
    for game in range(60):
        for column in range(int(played.state.units[game])):
            orders[game, column] = chance.choice(legal.of(game, column))
    sets = played.resolve(orders)
    assert all((a == b).all() for a, b in zip(played.state, before, strict=True))
    told = played.step(orders)
    moved = [sum(1 << i for i, result in enumerate(row[:22]) if result == 0) for row in told.results.tolist()]
    assert sets.moved.tolist() == moved
    assert any(moved)


WRONG = {
    "a list": (lambda orders: orders.tolist(), "is a list"),
    "another type": (lambda orders: orders.astype(np.int64), "array of int64"),
    "another shape": (lambda orders: orders[:, :5], "has the shape"),
    "a location there is not": (lambda orders: orders + np.uint32(2 << 20 | 1023), "not an order of a movement phase"),
    "a kind there is not": (lambda orders: orders + np.uint32(14 << 20), "not an order of a movement phase"),
    "an order of another phase": (lambda orders: orders + np.uint32(6 << 20), "not an order of a movement phase"),
    "bits that mean nothing": (lambda orders: orders + np.uint32(1 << 31), "not an order of a movement phase"),
}


@pytest.mark.parametrize(("wrong", "told"), WRONG.values(), ids=WRONG)
def test_arrays_that_are_wrong_are_refused_with_one_sentence(wrong: object, told: str) -> None:
    played = arena()
    for adjudicate in (played.step, played.resolve):
        with pytest.raises(InvalidArray, match=told):
            adjudicate(wrong(played.blank_orders()))  # type: ignore[operator]  # a function of the table


def _read_only(orders: Array) -> Array:
    orders.flags.writeable = False
    return orders


def _shifted(orders: Array) -> Array:
    return np.frombuffer(b"x" + orders.tobytes(), np.uint8)[1:].view(orders.dtype).reshape(orders.shape)


LAYOUTS: dict[str, Callable[[Array], Array]] = {
    "read-only": lambda orders: _read_only(orders.copy()),
    "by columns": np.asfortranarray,
    "every other column": lambda orders: np.repeat(orders, 2, axis=1)[:, ::2],
    "turned round": lambda orders: orders[::-1].copy()[::-1],
    "a row for all games": lambda orders: np.broadcast_to(orders[0], orders.shape),
    "out of step with the memory": _shifted,
    "a matrix": lambda orders: orders.view(np.matrix),
    "a part of a larger one": lambda orders: np.pad(orders, 3)[3:-3, 3:-3],
    "with a note on its type": lambda orders: orders.astype(np.dtype(orders.dtype, metadata={"of": "orders"})),
}
"""The same numbers in memory as other programs lay them out."""


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize("laid", LAYOUTS.values(), ids=LAYOUTS)
def test_orders_are_taken_however_they_lie_in_memory_and_nothing_is_compiled_for_them(
    laid: Callable[[Array], Array],
) -> None:
    plain, other = arena(), arena()
    orders = plain.blank_orders()
    legal = plain.legal()
    for column in range(int(plain.state.units[0])):
        orders[:, column] = legal.of(0, column)[-1]
    expected = (plain.resolve(orders), plain.step(orders))
    compiled = [len(function.signatures) for function in COMPILED]
    given = laid(orders)
    before = given.copy()
    told = (other.resolve(given), other.step(given))
    assert [len(function.signatures) for function in COMPILED] == compiled
    assert (given == before).all()
    assert all((a == b).all() for one, two in zip(told, expected, strict=True) for a, b in zip(one, two, strict=True))
    assert all((a == b).all() for a, b in zip(plain.state, other.state, strict=True))


COMPILED: tuple[Any, ...] = (loops.check, loops.resolve_all, loops.run)
"""The functions orders are handed to."""

ODD: dict[str, tuple[Callable[[Array], Any], str]] = {
    "masked": (lambda orders: np.ma.masked_array(orders, orders == 0), "is a masked array"),
    "of objects": (lambda orders: orders.astype(object), "is an array of object; it must be one of uint32"),
    "of truth values": (lambda orders: orders.astype(bool), "is an array of bool"),
    "of texts": (lambda orders: orders.astype("U9"), "is an array of <U9"),
    "of records": (lambda orders: orders.astype([(f"a{i}", "u4") for i in range(99)]), "is an array of "),
    "the other way round": (lambda orders: orders.astype(">u4"), "is an array of >u4"),
    "without a shape": (lambda _: np.array(0, np.uint32), r"has the shape \(\)"),
    "a row too few": (lambda orders: orders[1:], "has the shape"),
    "empty": (lambda orders: orders[:0], "has the shape"),
    "nothing": (lambda _: [None], "is a list"),
    "a number": (lambda _: np.uint32(3), "is a uint32"),
}
"""Values that are no array of orders, with the message for each."""


@pytest.mark.parametrize(("odd", "told"), ODD.values(), ids=ODD)
def test_what_is_no_array_of_orders_is_refused_by_everything_that_takes_one(
    odd: Callable[[Array], Any], told: str
) -> None:
    played = arena()
    given = odd(played.blank_orders())
    takers = (
        played.resolve,
        played.step,
        lambda orders: played.write(orders, 0, {}),
        lambda orders: played.orders_of(orders, 0),
    )
    for take in takers:
        with pytest.raises(InvalidArray, match=f"^'orders' {told}") as refused:
            take(given)
        assert len(str(refused.value)) < 200
        assert "\n" not in str(refused.value)


def test_orders_are_written_only_where_they_can_be() -> None:
    played = arena()
    with pytest.raises(InvalidArray, match="'orders' is read-only"):
        played.write(_read_only(played.blank_orders()), 0, {})
    wide = np.zeros((len(played), 2 * played.room), np.uint32)
    wide[:] = 7
    played.write(wide[:, ::2], 1, {})
    assert (wide[1] == [0, 7] * played.room).all()
    with pytest.raises(InvalidArray, match="'game'"):
        played.write(played.blank_orders(), 4, {})
    with pytest.raises(InvalidArray, match="'game'"):
        played.orders_of(played.blank_orders(), -1)


@pytest.mark.parametrize("laid", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_picks_are_taken_however_they_lie_in_memory(laid: Callable[[Array], Array]) -> None:
    played = arena(2, "1897")
    played.reset(laid(np.full((2, 7), 1, np.int64)))
    expected = arena(2, "1897")
    expected.reset(np.full((2, 7), 1, np.int64))
    assert all((a == b).all() for a, b in zip(played.state, expected.state, strict=True))


@pytest.mark.parametrize("odd", ["masked", "of objects", "of texts", "empty", "nothing"])
def test_what_is_no_array_of_picks_is_refused(odd: str) -> None:
    make, told = ODD[odd]
    with pytest.raises(InvalidArray, match=f"^'picks' {told.replace('uint32', 'int64')}"):
        arena(2, "1897").reset(make(np.zeros((2, 7), np.int64)))


def test_what_else_is_wrong_is_refused() -> None:
    rules = library.load("standard")
    for bad in (0, -1, True, 1.5):
        with pytest.raises(InvalidArray, match="'games'"):
            Arena(rules, bad)  # type: ignore[arg-type]  # on purpose
    with pytest.raises(InvalidArray, match="'room'"):
        Arena(rules, 1, room=65)
    with pytest.raises(InvalidRecord):
        Arena(rules, 1, seed=b"short")
    with pytest.raises(InvalidArray, match="a game to keep"):
        Arena(rules, 1, keep=[1])
    played = arena()
    with pytest.raises(InvalidArray, match="is not kept"):
        played.record(0)
    with pytest.raises(InvalidArray, match="'game'"):
        played.position(4)
    with pytest.raises(InvalidArray, match="not a policy"):
        played.play(1, {Power("France"): "win"})
    with pytest.raises(UnsupportedPosition, match="room"):
        Arena(rules, 1, seed=SEED, room=3)
    with pytest.raises(InvalidArray, match="picks"):
        arena(2, "1897").reset(np.zeros((2, 3), np.int64))
    with pytest.raises(InvalidArray, match="must be below 3"):
        arena(2, "1897").reset(np.full((2, 7), 3, np.int64))
    with pytest.raises(IllegalOrder):
        played.codes.order(3 << 20)


def test_choices_given_are_the_ones_made() -> None:
    played = arena(2, "1897")
    played.reset(np.array([[0] * 7, [2] * 7], np.int64))
    choices = [parts[0].owned for parts in played.choices.values()]
    owners = played.position(0).owners
    assert set().union(*choices) == set(owners)
    assert played.position(1).owners != owners


def test_a_power_that_holds_stays_where_it_is() -> None:
    played = arena(20)
    start = {unit for unit in played.units(0) if unit.power == "Austria"}
    played.play(1, {Power("Austria"): "hold"})
    for game in range(20):
        left = {unit for unit in played.units(game) if unit.power == "Austria"}
        assert left <= start


def test_rules_that_are_no_tables_are_refused_by_name() -> None:
    with pytest.raises(UnsupportedRules, match="'walkers'"):
        Arena(library.load("irish"), 1)
    with pytest.raises(UnsupportedRules, match="'delayed_centres'"):
        compile_tables(library.load("napoleonic", {"ownership_delay": "one_turn"}))
    assert compile_tables(library.load("irish"), scope=Scope.PHASES).scope is Scope.PHASES


def test_unplayed_units_follow_their_standing_orders() -> None:
    played = Arena(library.load("napoleonic", {"nine_players": "false"}), 1, seed=SEED, keep=[0])
    played.play(6)
    assert played.record(0)["entries"]


def test_picks_where_there_is_nothing_to_pick_are_refused() -> None:
    with pytest.raises(InvalidArray, match="open without a choice"):
        arena(2).reset(np.zeros((2, 7), np.int64))


def test_a_first_build_that_is_required_is_an_army_unless_something_else_is_ordered() -> None:
    played = Arena(library.load("1897", {"w1897_build": "required"}), 3, seed=SEED, keep=[0, 1])
    orders = played.blank_orders()
    legal = played.legal()
    orders[1, 0] = legal.of(1, 0)[-2]  # the builds that Austria may order after an army, or that army
    results = played.step(orders)
    assert (played.state.units == 7).all()
    assert np.isin(results.by[0], [255, BY_RULE]).all()
    assert (results.by[0] == BY_RULE).sum() == 7
    assert (results.by[1] == BY_RULE).sum() == 6
    for game in (0, 1):
        assert len(played.record(game)["entries"]) == 2


def test_a_game_takes_no_more_than_512_bytes() -> None:
    assert all(arena(16, variant).bytes_a_game <= 512 for variant in PLAYED)


BOUNDS_CHECKED = """
import sys
sys.path[:0] = [{scripts!r}, {tests!r}]
import numpy as np
from agree import differences, pair, taken
from plenipo.batch import Arena
from plenipo.library import load
assert list(differences("standard", 15)) == []
assert list(differences("irish", 10)) == []
arena = pair("standard").arena
import numba
from plenipo.batch.kernel import resolve
@numba.njit(_nrt=False)
def by_kernel(kinds, places, orders, t, m, of, out):
    resolve(0, 0, 22, kinds, places, orders, t, m, of, out)
arena.put(0, arena.tables.rules.opening)
z = arena.scratch
wild = np.full((1, 64), 2 << 20 | 1000, np.uint32)
try:
    by_kernel(arena.state.kinds, arena.state.places, wild, arena._read, z.m, z.of, z.out)
except IndexError:
    print("bounds are checked")
arena.play(30)
for name in taken():
    Arena(load(name), 5, seed=bytes(32)).play(25)
Arena(load("1897", {{"w1897_build": "required"}}), 5, seed=bytes(32)).play(2)
"""


def test_a_build_that_checks_bounds_reaches_outside_no_array() -> None:
    here = Path(__file__).parents[1]
    script = BOUNDS_CHECKED.format(scripts=str(here.parent / "scripts"), tests=str(here))
    done = subprocess.run(  # noqa: S603  # our own script
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1"},
        timeout=LIMIT,
    )
    assert (done.returncode, done.stdout) == (0, "bounds are checked\n"), done.stderr


def test_an_unplayed_unit_holds_when_its_partner_is_gone() -> None:
    played = Arena(library.load("napoleonic", {"nine_players": "false"}), 1, seed=SEED)
    full = played.position(0)
    for units in (full.units, tuple(unit for unit in full.units if unit.space != "SPA")):
        played.put(0, replace(full, units=units))
        columns = played.units(0)
        verdicts = played.order_results(played.step(played.blank_orders()), 0, columns)
        told = {str(unit): verdict.result for unit, verdict in zip(columns, verdicts, strict=True)}
        assert told["F POR"] == ("supports" if units == full.units else "holds")
