"""Values are values: compared, hashed, pickled, copied, sent to other processes, and shown in one short line."""

import copy
import pickle
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from multiprocessing import get_context
from typing import Any

import pytest

import plenipo
from plenipo import (
    Build,
    Choose,
    Convoy,
    Corner,
    Dice,
    Disband,
    Dislodged,
    Draw,
    Game,
    Hold,
    Legality,
    LegalOrders,
    Location,
    Move,
    Notation,
    PhaseKind,
    Position,
    Power,
    Reason,
    Ref,
    Remove,
    Result,
    Retreat,
    Rulebook,
    RuleModule,
    Submissions,
    Support,
    Terrain,
    Unit,
    UnitKind,
    Waiting,
    Waive,
    load,
)
from plenipo.engine.history.view import GM, view
from plenipo.engine.immutable import FrozenMap
from plenipo.engine.orders import Promise
from plenipo.engine.reading.notation import notation_of
from plenipo.library import bank, names

VARIANTS = [*names(), *bank()]


@cache
def after_two_turns(name: str) -> Game:
    """Play two phases in which each power gives the first legal order of each unit, as far as chance allows."""
    rules = load(name)
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


PARIS = Ref(UnitKind.ARMY, Location.from_text("PAR"))
BURGUNDY = Location.from_text("BUR")
UNIT = Unit("France", "A", "PAR")
VALUES: tuple[Any, ...] = (
    *(Hold(PARIS), Move(PARIS, BURGUNDY), Support(PARIS, PARIS, BURGUNDY), Convoy(PARIS, PARIS, BURGUNDY)),
    *(Retreat(PARIS, BURGUNDY), Disband(PARIS), Build(PARIS), Remove(PARIS), Waive(2), Choose(PARIS)),
    *(Promise("If Germany helps"), PARIS, BURGUNDY, UNIT, Dislodged(UNIT), Dice(bytes(32))),
    *(PhaseKind.MOVEMENT, Terrain.SEA, Result.MOVES, Reason.HELD, UnitKind.FLEET, Rulebook.edition("1971")),
    *(
        Corner((BURGUNDY,)),
        Draw("France: a card", ("BUR", "PAR"), "PAR"),
        Power("France"),
        BURGUNDY.space,
        BURGUNDY.coast,
    ),
)
"""A value of each public type that is not in every game."""


def values_of(name: str) -> Iterator[Any]:
    """List values of every public type that a game of a variant has."""
    game = after_two_turns(name)
    rules = game.rules
    yield from (rules, rules.board, rules.calendar, rules.rulebook, rules.opening, game, game.position)
    yield from rules.board.spaces.values()
    yield from rules.board.corners[:3]
    yield from game.position.units
    for turn in game.turns:
        yield from (turn, turn.resolution, *turn.resolution.outcomes, *turn.resolution.events, *turn.resolution.draws)
        yield from (outcome.cause for outcome in turn.resolution.outcomes)
        yield from (outcome.order for outcome in turn.resolution.outcomes if outcome.order)
    yield from (view(game, None, {}), view(game, Power(GM), {}))
    yield from (Submissions(rules, rules.opening), Waiting(rules.opening, (Power("France"),), "Orders are missing."))
    yield rules.opening.phase
    yield from VALUES


def pickled(value: Any) -> Any:
    """Return what comes out when a value is sent to another process."""
    return pickle.loads(pickle.dumps(value))  # noqa: S301  # it was pickled here


@pytest.mark.parametrize("name", VARIANTS)
def test_values_are_pickled_copied_hashed_and_shown_in_a_line(name: str) -> None:
    for value in values_of(name):
        again = pickled(value)
        assert again == value
        assert hash(again) == hash(value)
        assert copy.deepcopy(value) == copy.copy(value) == value
        assert len(repr(value)) <= 200
        assert "\n" not in repr(value)


@pytest.mark.parametrize("name", VARIANTS)
def test_readers_and_lists_of_orders_are_shown_in_a_line(name: str) -> None:
    game = after_two_turns(name)
    rules = game.rules
    legality = Legality(rules, game.position)
    views = [legality.orders_of(power) for power in rules.names]
    for value in (legality, notation_of(rules), *views):
        assert len(repr(value)) <= 200
        assert repr(value).startswith(f"<{type(value).__name__} ")


def test_an_instance_of_every_public_type_is_tried() -> None:
    public = {value for name in plenipo.__all__ if isinstance(value := getattr(plenipo, name), type)}
    tried = {type(value) for name in VARIANTS for value in values_of(name)}
    others = {LegalOrders, Legality, Notation, RuleModule}
    missing = {kind for kind in public - others if not any(issubclass(one, kind) for one in tried)}
    assert {kind.__name__ for kind in missing} == set()


@pytest.mark.parametrize("name", VARIANTS)
def test_rule_modules_are_shown_in_a_line(name: str) -> None:
    assert all(len(repr(module)) <= 200 for module in load(name).modules)


def outcomes_of(game: Game) -> tuple[int, Game]:
    """Process a phase without orders, in another process."""
    after = game.process({})
    return hash(after.position.units), after


def test_the_games_of_all_variants_are_sent_to_another_process_and_back() -> None:
    games = [*map(after_two_turns, VARIANTS)]
    with ProcessPoolExecutor(1, get_context("fork")) as pool:
        assert list(pool.map(copy.copy, games)) == games


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_games_are_sent_to_other_processes_and_back(method: str) -> None:
    games = [Game.new(load(name), Dice(bytes(32))) for name in ("standard", "napoleonic")]
    with ProcessPoolExecutor(1, get_context(method)) as pool:
        for game, (_, after) in zip(games, pool.map(outcomes_of, games), strict=True):
            assert after == game.process({})
            assert after.rules is game.rules  # rules already loaded here are used again


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
