"""Declarations of computer players: each pays, is accepted in every variant, and costs no more than is fixed."""

from collections import Counter
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import declarations_proof
from plenipo import bots, library
from plenipo.bots.declaring import MOST_PLAYED, declare
from plenipo.bots.sensible import sensible
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.orders import Build, Declare, Hold, Order
from plenipo.engine.outcome import Resolution, Waiting
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import OrderSets, adjudicate
from plenipo.engine.position import Position, Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.rules import Rules
from plenipo.library.trial_orders import random_orders
from proofs import so_many

DECLARING = (
    *("bribed-orders", "cloak-and-dagger", "concert", "condottieri", "congress", "fallout", "high-speed", "intimate"),
    *("iron-roads", "new-centres", "scorched-earth", "sealed-orders", "secret-patrons"),
)
"""The variants with declarations; to read them all from the library takes seconds of every run."""

NOTHING_PAYS = {"iron-roads"}
"""Variants whose only declarations help others: leave to pass a strait."""


def declare_for(game: Game, power: Power, orders: list[Order] | None = None, seed: int = 1) -> list[Order]:
    """Return the orders and declarations of a power, with orders by rules of thumb where none are given."""
    seen = view(game, power, {})
    legal = Legality(game.rules, seen.position).orders_of(power)
    chance = Random(seed)
    return declare(seen, legal, sensible(seen, legal, chance) if orders is None else orders, chance)


def list_declarations(orders: list[Order]) -> list[str]:
    """Return the declarations among orders as texts."""
    return [str(order) for order in orders if isinstance(order, Declare)]


@cache
def play_on(variant: str, phases: int, seed: int = 3) -> Game:
    """Return a game after some phases by rules of thumb, without declarations, or of its end."""
    game = Game.new(library.load(variant), Dice(bytes(32)))
    chance = Random(seed)
    for _ in range(phases):
        if game.over:
            break
        legality = Legality(game.rules, game.position)
        game = game.process(
            {
                power: sensible(view(game, power, {}), legality.orders_of(power), chance)
                for power in view(game, None, {}).may_order
            }
        )
    return game


def test_the_variants_with_declarations_are_those_of_the_library() -> None:
    assert sorted(declarations_proof.list_variants()) == sorted(DECLARING)


@settings(max_examples=so_many(400, 30), deadline=None)
@given(st.sampled_from(DECLARING), st.integers(0, 2**32), st.integers(0, 9))
def test_whatever_a_computer_declares_is_accepted(variant: str, seed: int, phases: int) -> None:
    """After random orders with random declarations, so that treasuries, secrets and actions are under way."""
    chance = Random(seed)
    game = Game.new(library.load(variant), Dice(bytes(32)))
    for _turn in range(phases):
        if not game.over:
            game = game.process(random_orders(game.rules, game.position, chance))
    if game.over:
        return
    power = chance.choice(view(game, None, {}).may_order or game.rules.names)
    orders = declare_for(game, power, seed=seed)
    legal = Legality(game.rules, game.position).orders_of(power)
    assert [str(order) for order in orders if order not in legal] == []
    assert game.process({power: orders}).turns[-1].resolution.errors == ()


@pytest.mark.parametrize("variant", [variant for variant in DECLARING if variant not in NOTHING_PAYS])
def test_computers_declare_something_in_every_variant_with_declarations(variant: str) -> None:
    game = Game.new(library.load(variant), Dice(bytes(32)))
    chance = Random(4)
    for _ in range(25):
        orders = {
            power: bots.orders_of(bots.BOTS["sensible"], view(game, power, {}), power, chance)
            for power in view(game, None, {}).may_order
        }
        if any(list_declarations(of) for of in orders.values()):
            return
        game = game.process(orders)
    pytest.fail(f"Nothing was declared in {variant}.")


@pytest.mark.parametrize("variant", ["bribed-orders", "intimate", "cloak-and-dagger"])
def test_the_same_seed_declares_the_same(variant: str) -> None:
    game = Game.new(library.load(variant), Dice(bytes(32)))
    power = game.rules.names[0]
    assert declare_for(game, power) == declare_for(game, power)


@pytest.mark.parametrize("variant", ["bribed-orders", "concert"])
def test_no_more_phases_are_played_than_is_fixed(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, played = play_on(variant, 1), list[Position]()

    def count(rules: Rules, position: Position, order_sets: OrderSets, dice: Dice) -> Resolution | Waiting:
        played.append(position)
        return adjudicate(rules, position, order_sets, dice)

    monkeypatch.setattr("plenipo.bots.declaring.adjudicate", count)
    declare_for(game, game.rules.names[0])
    assert 0 < [one.phase for one in played].count(game.position.phase) <= MOST_PLAYED


def test_orders_are_left_as_they_are_where_nothing_can_be_declared() -> None:
    game = Game.new(library.load("standard"))
    legal = Legality(game.rules, game.position).orders_of(Power("France"))
    plan: list[Order] = [Hold(unit.ref) for unit in legal.units]
    assert declare_for(game, Power("France"), plan) == plan


def test_retreats_and_builds_are_written_with_the_moves() -> None:
    game = play_on("sealed-orders", 1)
    france = declare_for(game, Power("France"))
    assert {text.rpartition(" ")[2] for text in list_declarations(france)} >= {"B", "D"}
    built = 0
    while game.position.phase.kind is not PhaseKind.MOVEMENT or game.position.phase.season != "Spring":
        powers = view(game, None, {}).may_order
        game = game.process({power: declare_for(game, power) for power in powers})
        built += sum(isinstance(outcome.order, Build) for outcome in game.turns[-1].resolution.outcomes)
    assert built > 3


def test_most_powers_vote_alike_and_none_against_itself() -> None:
    game = play_on("congress", 12)
    while game.position.phase.season != "Fall" or game.position.phase.kind is not PhaseKind.MOVEMENT:
        game = game.process({power: declare_for(game, power) for power in view(game, None, {}).may_order})
    votes = {power: list_declarations(declare_for(game, power)) for power in view(game, None, {}).may_order}
    assert all(len(mine) == 1 for mine in votes.values())
    given = Counter(mine[0] for mine in votes.values())
    assert given.most_common(1)[0][1] * 2 > len(votes)
    assert all(mine != [f"VOTE {power}"] for power, mine in votes.items())


def test_a_patron_is_the_strongest_of_the_others() -> None:
    game = play_on("secret-patrons", 1)
    counts = {power: len(game.position.centres_of(power)) for power in game.rules.names}
    (named,) = list_declarations(declare_for(game, min(counts, key=lambda power: counts[power])))
    assert counts[Power(named.removeprefix("NAME patron "))] >= sorted(counts.values())[-2]


def test_a_capital_that_others_could_take_is_never_named() -> None:
    game = Game.new(library.load("cloak-and-dagger"), Dice(bytes(32)))
    for power in game.rules.names:
        assert not any("capital" in text for text in list_declarations(declare_for(game, power)))


def test_a_gift_brings_nothing_and_is_not_given() -> None:
    for variant in ("condottieri", "bribed-orders"):
        game = play_on(variant, 2)
        for power in game.rules.names:
            assert not any(text.startswith("GIVE") for text in list_declarations(declare_for(game, power)))


def test_countries_without_players_are_hired_for_a_part_of_the_money() -> None:
    game = Game.new(library.load("intimate"), Dice(bytes(32)))
    bids = list_declarations(declare_for(game, Power("France")))
    assert bids
    assert all(text.startswith("BID ") for text in bids)
    game = game.process({Power("France"): declare_for(game, Power("France"))})
    assert any(outcome.power == "France" for outcome in game.turns[-1].resolution.outcomes)


def test_a_new_centre_is_begun_with_one_of_the_builds() -> None:
    for phases in range(4, 26):
        game = play_on("new-centres", phases)
        if game.position.phase.kind is not PhaseKind.ADJUSTMENTS:
            continue
        for power in view(game, None, {}).may_order:
            seen = view(game, power, {})
            legal = Legality(game.rules, game.position).orders_of(power)
            plan = sensible(seen, legal, Random(1))
            orders = declare_for(game, power, list(plan))
            if list_declarations(orders):
                builds = [sum(isinstance(order, Build) for order in of) for of in (plan, orders)]
                assert builds[0] - builds[1] in (0, 1)
                return
    pytest.fail("Nobody founded anything.")


def test_players_that_declare_do_better_than_the_same_that_do_not() -> None:
    games = [declarations_proof.play_game("sealed-orders", "sensible", number, 4, "test") for number in range(2)]
    assert all(game["made"] > 0 and not game["errors"] for game in games)
    assert declarations_proof.find_gains(games)[0] > 0.05


def test_what_a_person_may_type_is_what_a_computer_declares() -> None:
    game = Game.new(library.load("scorched-earth"), Dice(bytes(32)))
    power = Power("Austria")
    orders = declare_for(game, power)
    entered = OrderEntry(game.rules, game.position, power).read_preferences(tuple(str(order) for order in orders))
    assert [str(order) for order in entered] == [str(order) for order in orders]
