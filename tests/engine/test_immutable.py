"""Values are values: compared, hashed, pickled, copied, sent to other processes, and shown in one short line."""

import copy
import pickle
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from typing import Any

import pytest

from plenipo import Dice, Game, Rules, load
from plenipo.engine.history.view import GM, view
from plenipo.engine.immutable import FrozenMap
from plenipo.engine.orders import Promise
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position, Power
from plenipo.library import bank, names

VARIANTS = [*names(), *bank()]


def after_two_turns(rules: Rules) -> Game:
    """Play two phases in which each power gives the first legal order of each unit, as far as chance allows."""
    game = Game.new(rules, Dice(bytes(32)))
    for _ in range(2):
        legality = Legality(rules, game.position)
        orders: dict[Power, list[Any]] = {}
        for power in rules.names:
            view = legality.orders_of(power)
            orders[power] = [next(iter(view.of(unit))) for unit in view.units]
        try:
            game = game.process(orders)
        except Exception:  # noqa: BLE001  # a phase that waits for choices is not what this is about
            break
    return game


def values_of(rules: Rules) -> Iterator[Any]:
    """List values of every public type that a game of `rules` has."""
    game = after_two_turns(rules)
    yield from (rules, rules.board, rules.calendar, rules.rulebook, rules.opening, game, game.position)
    yield from rules.board.spaces.values()
    yield from rules.board.corners[:3]
    yield from game.position.units
    for turn in game.turns:
        yield from (turn, turn.resolution, *turn.resolution.outcomes, *turn.resolution.events, *turn.resolution.draws)
        yield from (outcome.cause for outcome in turn.resolution.outcomes)
        yield from (outcome.order for outcome in turn.resolution.outcomes if outcome.order)
    yield from (view(game, None, {}), view(game, Power(GM), {}))


def pickled(value: Any) -> Any:
    """Return what comes out when a value is sent to another process."""
    return pickle.loads(pickle.dumps(value))  # noqa: S301  # it was pickled here


@pytest.mark.parametrize("name", VARIANTS)
def test_values_are_pickled_copied_hashed_and_shown_in_a_line(name: str) -> None:
    for value in values_of(load(name)):
        again = pickled(value)
        assert again == value
        assert hash(again) == hash(value)
        assert copy.deepcopy(value) == copy.copy(value) == value
        assert len(repr(value)) <= 200
        assert "\n" not in repr(value)


@pytest.mark.parametrize("name", VARIANTS)
def test_rule_modules_are_shown_in_a_line(name: str) -> None:
    assert all(len(repr(module)) <= 200 for module in load(name).modules)


def outcomes_of(game: Game) -> tuple[int, Game]:
    """Process a phase without orders, in another process."""
    after = game.process({})
    return hash(after.position.units), after


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_games_are_sent_to_other_processes_and_back(method: str) -> None:
    games = [Game.new(load(name), Dice(bytes(32))) for name in ("standard", "napoleonic")]
    with ProcessPoolExecutor(1, get_context(method)) as pool:
        for game, (_, after) in zip(games, pool.map(outcomes_of, games), strict=True):
            assert after == game.process({})
            assert after.rules is game.rules  # what was loaded here already is used again


def test_rules_that_were_changed_are_pickled_by_their_value() -> None:
    rules = load("standard")
    changed = replace(rules, to_win=3)
    assert pickled(changed) == changed != rules
    assert changed.board_at(rules.opening) == pickled(changed).board_at(rules.opening)


def test_what_is_cached_is_not_pickled() -> None:
    rules = load("standard")
    position = Game.new(rules).process({}).position
    assert len(pickle.dumps(position)) < 4000  # without the board on which it was checked
    assert len(pickle.dumps(rules)) < 400


def test_a_frozen_map_cannot_be_changed() -> None:
    owners = FrozenMap({"PAR": "France"})
    changes: list[Any] = [
        lambda: owners.__setitem__("PAR", "Germany"),
        lambda: owners.__delitem__("PAR"),
        lambda: owners.update(PAR="Germany"),
        lambda: owners.__ior__({}),
        owners.clear,
        owners.popitem,
        lambda: owners.pop("PAR"),
        lambda: owners.setdefault("PAR", ""),
    ]
    for change in changes:
        with pytest.raises(TypeError, match="A FrozenMap cannot be changed"):
            change()
    assert owners == {"PAR": "France"} != FrozenMap()
    assert owners | {"BRE": "France"} == {"PAR": "France", "BRE": "France"}
    assert hash(owners) == hash(pickled(owners)) == hash(FrozenMap({"PAR": "France"}))


def test_positions_are_keys() -> None:
    opening = load("standard").opening
    assert {opening: 1}[replace(opening)] == 1
    assert isinstance(opening, Position)


def test_a_long_text_is_shortened_in_a_repr() -> None:
    text = repr(Promise("If France\n" + "x" * 300))
    assert len(text) == 200
    assert "\n" not in text
