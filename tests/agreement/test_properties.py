"""Properties of every movement, retreat and adjustment, in any position."""

import json
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from clockwise import standard_board
from plenipo.engine.board import Board, Coast, Code, Location
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.choices import Choice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, decode_position, encode_game, encode_position
from plenipo.engine.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Order,
    Ref,
    Remove,
    Retreat,
    Support,
)
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import process
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.reading.notation import Notation
from strategies import battles, by_power, dense_position, movement_orders, small_position
from table import WINTER, standard

RULES = standard()
BOARD = standard_board()

seeds = st.integers(min_value=0, max_value=2**32 - 1)
battle = battles(BOARD)


def judged(position: Position, orders: tuple[MovementOrder, ...]) -> Resolution:
    return process(RULES, position, by_power(position, orders))


@given(battle)
def test_units_are_conserved_and_no_two_share_a_space(case: tuple[Position, tuple[MovementOrder, ...]]) -> None:
    position, orders = case
    resolution = judged(position, orders)
    after = resolution.after
    lost = [o.unit for o in resolution.outcomes if o.unit and o.dislodged_by and not after.dislodged_at(o.unit.space)]
    assert not lost or not after.dislodged  # the retreats are skipped only if no unit can retreat
    units = [*after.units, *(d.unit for d in after.dislodged), *lost]
    assert sorted((unit.power, unit.kind) for unit in units) == sorted((u.power, u.kind) for u in position.units)
    assert list(after.faults(BOARD)) == []


@given(battle, seeds)
def test_the_order_of_orders_units_and_powers_does_not_matter(
    case: tuple[Position, tuple[MovementOrder, ...]], seed: int
) -> None:
    position, orders = case
    chance = Random(seed)
    order_sets = list(by_power(position, orders).items())
    shuffled = dict(
        chance.sample(
            [(power, chance.sample(order_set, len(order_set))) for power, order_set in order_sets], len(order_sets)
        )
    )
    units = chance.sample(position.units, len(position.units))
    assert process(RULES, replace(position, units=tuple(units)), shuffled) == judged(position, orders)


@given(battle, seeds)
def test_the_names_of_the_powers_do_not_matter(case: tuple[Position, tuple[MovementOrder, ...]], seed: int) -> None:
    position, orders = case
    names = dict(zip(RULES.names, Random(seed).sample(RULES.names, len(RULES.names)), strict=True))
    renamed = replace(position, units=tuple(unit._replace(power=names[unit.power]) for unit in position.units))
    one, two = judged(position, orders), judged(renamed, orders)
    assert [(str(o.unit), o.result, o.retreats) for o in one.outcomes] == [
        (str(o.unit), o.result, o.retreats) for o in two.outcomes
    ]


@given(battle)
def test_a_stored_position_is_adjudicated_like_the_live_one(case: tuple[Position, tuple[MovementOrder, ...]]) -> None:
    position, orders = case
    stored = decode_position(json.loads(json.dumps(encode_position(position))), RULES)
    assert stored == position
    live = judged(position, orders)
    assert judged(stored, orders) == live
    loaded = decode_position(json.loads(json.dumps(encode_position(live.after))), RULES)
    assert loaded == live.after
    if live.after.phase.kind is PhaseKind.RETREATS:
        order_sets = everything(live.after)
        assert process(RULES, loaded, order_sets) == process(RULES, live.after, order_sets)


def everything(position: Position) -> dict[Power, list[Order]]:
    """The first legal order of every unit that may be ordered."""
    legality = Legality(RULES, position)
    return {
        power: [next(iter(legality.orders_of(power).of(unit))) for unit in legality.orders_of(power).units]
        for power in RULES.names
    }


@given(seeds)
@settings(max_examples=25)
def test_a_game_of_chance_comes_back_from_its_record(seed: int) -> None:
    chance = Random(seed)
    game = Game.new(RULES)
    for _ in range(8):
        legality = Legality(RULES, game.position)
        order_sets: dict[Power, list[str | Order]] = {}
        for power in RULES.names:
            view = legality.orders_of(power)
            if game.position.phase.kind is PhaseKind.ADJUSTMENTS:
                order_sets[power] = list(view)
            else:
                order_sets[power] = [chance.choice(list(view.of(unit))) for unit in view.units]
        game = game.process(order_sets)
    assert decode_game(json.loads(json.dumps(encode_game(game))), RULES) == game


# Orders that are listed and orders that are accepted


def locations(board: Board) -> Iterator[Location]:
    for space in board.spaces.values():
        yield Location(space.code)
        yield from (Location(space.code, Coast(coast)) for coast in space.coasts)


def conceivable(position: Position, unit: Unit) -> Iterator[MovementOrder]:
    """Every movement order that could be written for `unit`, legal or not."""
    ref = unit.ref
    others = [other.ref for other in position.units]
    yield Hold(ref)
    for to in locations(BOARD):
        yield Move(ref, to)
        yield Move(ref, to, via=True)
    for other in others:
        yield Support(ref, other)
        for to in locations(BOARD):
            yield Support(ref, other, to)
            yield Convoy(ref, other, to)


@given(seeds)
@settings(max_examples=25)
def test_the_legal_orders_listed_are_those_accepted(seed: int) -> None:
    chance = Random(seed)
    position = chance.choice((small_position, dense_position))(chance, BOARD)
    legality = Legality(RULES, position)
    unit = chance.choice(position.units)
    listed = set(legality.orders_of(unit.power).of(unit))
    completed = {legality.check(unit.power, order).order for order in conceivable(position, unit)} - {None}
    assert {str(order) for order in listed} == {str(order) for order in completed}
    assert all(legality.complete(unit.power, order) == order for order in listed)


@given(seeds)
def test_the_legal_retreats_and_adjustments_listed_are_those_accepted(seed: int) -> None:
    chance = Random(seed)
    position = dense_position(chance, BOARD)
    after = judged(position, movement_orders(chance, BOARD, position)).after
    legality = Legality(RULES, after)
    for dislodged in after.dislodged:
        ref, power = dislodged.unit.ref, dislodged.unit.power
        tried: list[Order] = [Disband(ref), *(Retreat(ref, to) for to in locations(BOARD))]
        completed = {legality.check(power, order).order for order in tried} - {None}
        assert set(legality.orders_of(power).of(dislodged.unit)) == completed
    winter = replace(
        position,
        phase=WINTER,
        owners={code: chance.choice(RULES.names) for code in BOARD.centres},
        homes=RULES.opening.homes,
    )
    legality = Legality(RULES, winter)
    for power in RULES.names:
        built: list[Order] = [Build(Ref(kind, to)) for kind in BOARD.kinds for to in locations(BOARD)]
        removed: list[Order] = [Remove(unit.ref) for unit in winter.units]
        accepted = {legality.check(power, order).order for order in [*built, *removed]} - {None}
        assert {order for order in legality.orders_of(power) if isinstance(order, Build | Remove)} == accepted


@given(battle)
def test_the_tree_of_choices_leads_to_every_legal_order_and_no_other(
    case: tuple[Position, tuple[MovementOrder, ...]],
) -> None:
    position, _ = case
    legality = Legality(RULES, position)
    power = position.units[0].power

    def leaves(choices: tuple[Choice, ...]) -> Iterator[Order]:
        for choice in choices:
            if choice.order is not None:
                yield choice.order
            yield from leaves(choice.then)

    view = legality.orders_of(power)
    assert sorted(map(str, leaves(view.choices()))) == sorted(map(str, view))
    assert all(order in view for order in view)


@given(battle)
def test_every_legal_order_is_read_back_from_its_text(case: tuple[Position, tuple[MovementOrder, ...]]) -> None:
    position, _ = case
    notation = Notation(BOARD, RULES.powers)
    for order in Legality(RULES, position).orders_of(position.units[0].power):
        assert notation.read(str(order), PhaseKind.MOVEMENT) == order


def test_distances_are_total_or_absent() -> None:
    steps = BOARD.distances([Code("PAR")])
    assert steps[Code("PAR")] == 0
    assert set(BOARD.spaces) - set(steps) == {"SWI"}
