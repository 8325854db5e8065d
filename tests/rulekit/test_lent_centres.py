"""A centre that is lent feeds a unit of another."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plenipo import library
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.phases.adjustments import entitlement
from plenipo.engine.position import Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.rules import Rules
from plenipo.errors import IllegalOrder, PlenipoError
from plenipo.library.trial_orders import random_orders

Tiny = Callable[..., Rules]
FRANCE, ITALY = Power("France"), Power("Italy")
LOANS = "[modules.lent_centres]\n"


def owed(game: Game) -> tuple[int, int]:
    return tuple(entitlement(game.rules, game.position, power).keeps for power in (FRANCE, ITALY))  # type: ignore[return-value]


def test_what_is_lent_feeds_the_other_until_it_is_recalled(tiny: Tiny) -> None:
    rules = tiny(LOANS)
    game = Game.new(rules).process({FRANCE: ["LEND Brest to Italy"]})
    assert owed(game) == (2, 4)
    assert "France lent Brest to Italy." in game.turns[-1].resolution.notes
    assert decode_game(encode_game(game), rules) == game
    with pytest.raises(IllegalOrder, match="BRE is lent already"):
        OrderEntry(rules, game.position, FRANCE).give((), "LEND BRE Austria")
    game = game.process({FRANCE: ["RECALL BRE"]})
    assert owed(game) == (3, 3)


def test_a_loan_may_be_for_some_years(tiny: Tiny) -> None:
    rules = tiny(LOANS + 'years = 1\nrecalled = "never"\n')
    game = Game.new(rules).process({FRANCE: ["LEND BRE to Italy"]})
    with pytest.raises(IllegalOrder, match="lent for 1 year"):
        OrderEntry(rules, game.position, FRANCE).give((), "RECALL BRE")
    while (game.position.phase.year, game.position.phase.season) != (1902, "Spring"):
        game = game.process({})
    assert owed(game) == (2, 4)
    while game.position.phase.year == 1902:
        game = game.process({})
    assert owed(game) == (3, 3)


def test_a_lost_centre_supports_no_other_power(tiny: Tiny) -> None:
    rules = tiny(LOANS)
    game = Game.new(rules).process({FRANCE: ["LEND MAR to Italy", "A MAR - SPA"], ITALY: ["A VEN - PIE"]})
    game = game.process({ITALY: ["A PIE - MAR"], Power("Austria"): []})
    assert owed(game) == (3, 4)  # Spain for Marseilles, and Marseilles is Italy's own
    assert "Marseilles feeds no unit of Italy any more." in game.turns[-1].resolution.notes


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("LEND MUN Italy", "France does not own MUN"),
        ("LEND PAR France", "to itself"),
        ("LEND PAR", "does not read like a loan"),
        ("RECALL PAR", "has not lent PAR"),
    ],
)
def test_a_loan_that_cannot_be_is_answered_in_a_sentence(tiny: Tiny, text: str, why: str) -> None:
    rules = tiny(LOANS)
    with pytest.raises(IllegalOrder, match=why):
        OrderEntry(rules, rules.opening, FRANCE).give((), text)


@pytest.mark.parametrize(("more", "why"), [("years = -1", "is -1"), ('recalled = "never"', "lends for good")])
def test_what_cannot_be_is_refused(tiny: Tiny, more: str, why: str) -> None:
    with pytest.raises(PlenipoError, match=why):
        tiny(LOANS + more)


@settings(max_examples=10)
@given(st.integers(0, 10_000))
def test_loans_neither_make_nor_lose_a_centre(seed: int) -> None:
    rules, chance = library.load("concert"), Random(seed)
    game = Game.new(rules, Dice(bytes(32)))
    for _ in range(5):
        order_sets = random_orders(rules, game.position, chance)
        game = game.process({power: list(orders) for power, orders in order_sets.items()})
        fed = sum(entitlement(rules, game.position, power).keeps for power in rules.names)
        assert fed == len(game.position.owners)


def test_centres_beside_the_board_feed_units_of_others_alone(tiny: Tiny) -> None:
    rules = tiny("[modules.lent_centres]\nextra = 2\n")
    france, italy = Power("France"), Power("Italy")
    game = Game.new(rules).process({france: ["LEND 2 to Italy", "LEND 1 to Germany"]})
    assert "France lends Italy 2 centres beside the board." in game.turns[0].resolution.notes
    assert entitlement(rules, game.position, italy).builds == 5
    assert entitlement(rules, game.position, france).builds == 3
    assert entitlement(rules, game.position, Power("Germany")).builds == 3
    assert decode_game(encode_game(game), rules) == game
    with pytest.raises(IllegalOrder, match="France has 0 centres beside the board to lend, not 1"):
        OrderEntry(rules, game.position, france).give((), "LEND 1 Germany")
    back = game.process({france: ["LEND 0 to Italy"]})
    assert entitlement(rules, back.position, italy).builds == 3
