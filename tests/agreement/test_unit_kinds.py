"""Kernel and engine agree on kinds of unit of any making: where they stand and go, what they carry and count."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from agree import SHAPES, Pair, warm
from plenipo import library
from plenipo.batch import Arena
from plenipo.engine.board import Terrain, UnitKind
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant
from plenipo.rulekit.unit_types import UnitType, UnitTypes

BASES = ("two-shores", "hundred", "france-austria")
LETTERS = tuple(map(UnitKind, "BCDEGH"))
EXAMPLES = 8
ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET

_kinds = st.builds(
    UnitType,
    name=st.just("other"),
    like=st.sampled_from((ARMY, FLEET)),
    by=st.sampled_from((None, "land", "sea", "both")),
    steps=st.sampled_from((None, 0, 1, 2, 3)),
    terrain=st.none() | st.sets(st.sampled_from(Terrain), min_size=1).map(tuple),
    over=st.sets(st.sampled_from(Terrain)).map(tuple),
    carries=st.none() | st.sets(st.sampled_from((ARMY, *LETTERS[:3]))).map(tuple),
    built=st.booleans(),
    strength=st.dictionaries(st.sampled_from(("defend", "hold", "support", "prevent")), st.integers(1, 4)),
)
made_kinds = st.dictionaries(st.sampled_from(LETTERS), _kinds, min_size=1)
fleets = st.builds(UnitType, like=st.just(FLEET), carries=st.none() | st.sets(st.sampled_from(LETTERS[:3])).map(tuple))


@pytest.fixture(scope="module", autouse=True)
def compiled_kernel() -> None:
    warm()


@cache
def base(name: str) -> Rules:
    return library.load(name)


def with_kinds(rules: Rules, kinds: Mapping[UnitKind, UnitType], chance: Random) -> Rules:
    """Return the rules with these unit types beside armies and fleets, some only in some spaces.

    Types that are impossible are left out of the samples, and so are those that the kernel refuses: types that go by
    sea and are cargo.
    """
    there = {ARMY, FLEET, *kinds}
    kinds = {
        letter: replace(kind, carries=None if kind.carries is None else tuple(set(kind.carries) & there))
        for letter, kind in kinds.items()
    }
    codes = sorted(code for code, space in rules.board.spaces.items() if not space.impassable)
    for letter in [letter for letter in kinds if letter != FLEET and chance.random() < 0.25]:
        kinds[letter] = replace(kinds[letter], only=tuple(chance.sample(codes, len(codes) // 2)))
    module = UnitTypes(kinds=kinds, scale=2)
    try:
        board = module.board(rules.board)
        made = replace(rules, modules=(*rules.modules, module), board=board)
        assert made.facts
    except InvalidVariant:
        reject()
    assume(not board.sailing & board.carriers.keys())
    return made


def legal_is_the_same(arena: Arena, rules: Rules, position: Position) -> None:
    """Every list of legal orders is the same; a convoyed move that could only go by sea is one order to the kernel."""
    legality, legal = Legality(rules, position), arena.legal()
    if position.phase.kind is PhaseKind.ADJUSTMENTS:
        for column, power in enumerate(rules.names):
            theirs = {arena.codes.pack(order, power) for order in legality.orders_of(power)}
            assert set(legal.of(0, column).tolist()) == theirs
        return
    by_power = {power: legality.orders_of(power) for power in rules.names}
    for column, unit in enumerate(arena.units(0)):
        if unit in by_power[unit.power].units:
            theirs = {arena.codes.pack(order) for order in by_power[unit.power].of(unit)}
            mine = legal.of(0, column).tolist()
            assert len(mine) == len(set(mine))
            assert set(mine) == theirs, (str(unit), position)


def _whose(arena: Arena, power: Power, order: Order) -> tuple[str, int]:
    """The space of the unit that an order is for, if it is for one, and its number."""
    unit = getattr(order, "unit", None)
    return unit.location.space if unit else "", arena.codes.pack(order, power)


@given(st.sampled_from(BASES), made_kinds, st.none() | fleets, st.integers(0, 2**32 - 1))
@settings(max_examples=EXAMPLES)
def test_phases_and_their_legal_orders_are_those_of_the_engine(
    name: str, kinds: Mapping[UnitKind, UnitType], fleet: UnitType | None, seed: int
) -> None:
    rules = with_kinds(base(name), {**kinds, **({FLEET: fleet} if fleet else {})}, Random(seed))
    both = Pair(rules)
    for n, shape in enumerate(SHAPES):
        assert list(both.follow(seed + n, shape)) == []
        position, _ = both._begun(Random(seed + n), shape)
        if position.units:
            both.arena.put(0, position)
            legal_is_the_same(both.arena, rules, position)


@given(st.sampled_from(BASES), made_kinds, st.none() | fleets, st.integers(0, 2**32 - 1))
@settings(max_examples=EXAMPLES)
def test_games_drawn_by_the_kernel_are_games_of_the_engine(
    name: str, kinds: Mapping[UnitKind, UnitType], fleet: UnitType | None, seed: int
) -> None:
    rules = with_kinds(base(name), {**kinds, **({FLEET: fleet} if fleet else {})}, Random(seed))
    arena = Arena(rules, 2, seed=seed.to_bytes(32, "big"), keep=[0, 1])
    arena.play(12)
    for game in range(2):
        arena.record(game)  # which the engine decides, and compares
    other = Arena(arena.tables, 1, room=arena.room)
    played = Game.new(rules)
    for turn in arena.turns[0]:
        other.put(0, played.position)
        legal_is_the_same(other, rules, played.position)
        legality = Legality(rules, played.position)
        for power, orders in turn.orders.items():
            legal = {_whose(arena, power, order) for order in legality.orders_of(power)}
            assert {_whose(arena, power, order) for order in orders} <= legal
        played = played.process(turn.orders)
