"""Balances are filled in each build season, and enough points win."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.hooks import Effects
from plenipo.engine.phases.step import advance
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.errors import PlenipoError
from plenipo.library import load
from plenipo.rulekit.points import Balances, Points
from table import place, reader, said

Tiny = Callable[..., Rules]
MODULE = '[modules.points]\nmajors = ["France"]\n'
FRANCE, ITALY, TURKEY = Power("France"), Power("Italy"), Power("Turkey")


def settle(rules: Rules, position: Position, **balances: int) -> Effects:
    """The build season of `position`, with these points in the balances before it."""
    points = {Power(name): count for name, count in balances.items()}
    fall = Phase("Fall", 1901, PhaseKind.RETREATS)
    return advance(rules, Points().with_ledger(replace(position, phase=fall), Balances(points)))


def balance(position: Position, power: str) -> int:
    return Points().balances(position).get(Power(power), 0)


def test_balances_begin_empty_and_are_filled_when_ownership_is_settled(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    assert set(Points().balances(rules.opening).values()) == {0}
    game = Game.new(rules).process({})
    assert balance(game.position, "Italy") == 0
    game = game.process({})
    assert (balance(game.position, "France"), balance(game.position, "Italy"), balance(game.position, "Russia")) == (
        6,
        15,
        20,
    )
    assert "Italy got 15 points and has 15." in game.turns[-1].resolution.notes


def test_what_is_captured_in_the_same_season_counts(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    after = settle(rules, place("Italy: A MAR", rules=rules, owners={"France": "MAR PAR", "Italy": "ROM"}))
    assert (balance(after.position, "France"), balance(after.position, "Italy")) == (2, 10)


@pytest.mark.parametrize(("option", "count", "income"), [("major_income", 0, 0), ("minor_income", 1, 3)])
def test_the_income_is_what_the_options_say(tiny: Tiny, option: str, count: int, income: int) -> None:
    rules = tiny(MODULE, **{option: str(count)})
    after = settle(rules, rules.opening)
    assert balance(after.position, "France" if option == "major_income" else "Italy") == income
    assert balance(after.position, "Italy" if option == "major_income" else "France") in (15, 6)


def test_one_point_is_written_in_the_singular(tiny: Tiny) -> None:
    rules = tiny(MODULE, major_income="1")
    after = settle(rules, place("", rules=rules, owners={"France": "PAR"}))
    assert "France got 1 point and has 1." in said(after)


def test_two_hundred_points_and_strictly_the_most_win(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    assert settle(rules, rules.opening, Italy=184).position.winners == ()
    won = settle(rules, rules.opening, Italy=185, France=190)
    assert won.position.winners == (ITALY,)
    assert said(won)[-1] == "Italy won the game with 200 points."


@pytest.mark.parametrize(("tie", "winners"), [("continue", ()), ("shared", (ITALY, TURKEY))])
def test_of_several_leaders_none_wins_or_all_as_the_option_says(
    tiny: Tiny, tie: str, winners: tuple[Power, ...]
) -> None:
    rules = tiny(MODULE, tie=tie)
    assert settle(rules, rules.opening, Italy=185, Turkey=185).position.winners == winners


def test_the_points_that_win_are_an_option(tiny: Tiny) -> None:
    rules = tiny(MODULE, victory_points="20")
    assert settle(rules, rules.opening).position.winners == (Power("Russia"),)
    assert settle(tiny(MODULE, victory_points="21"), rules.opening).position.winners == ()


def test_the_number_of_centres_does_not_matter(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    owners = dict.fromkeys(sorted(rules.board.centres), FRANCE)
    position = replace(rules.opening, owners=owners, units=())
    assert settle(rules, position).position.winners == ()
    assert settle(load("standard"), position).position.winners == (FRANCE,)


def test_an_eliminated_power_keeps_its_points_and_does_not_win(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    position = place("Turkey: A SMY", rules=rules, owners={"Turkey": "SMY"})
    after = settle(rules, position, Italy=300, Turkey=190).position
    assert balance(after, "Italy") == 300
    assert after.winners == ()
    assert settle(rules, position, Italy=300, Turkey=195).position.winners == (TURKEY,)


def test_a_record_keeps_the_balances(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    game = Game.new(rules, Dice(bytes(32))).process({}).process({})
    assert decode_game(encode_game(game), rules) == game
    assert game.position.slots["points"] == Balances(dict(Points().balances(game.position)))


@pytest.mark.parametrize("value", [None, [], {"France": "3"}, {"France": 1.5}])
def test_what_cannot_have_been_remembered_is_refused(value: object) -> None:
    with pytest.raises((PlenipoError, KeyError)):
        Points().decode_slot(value, reader())


def test_holes_take_the_income_and_splits_double_it(tiny: Tiny) -> None:
    rules = tiny(MODULE + "[modules.splits]\n[modules.black_holes]\n")
    game = Game.new(rules, Dice(bytes(32))).process({}).process({})
    for power in rules.names:
        each = 2 if power == "France" else 5
        assert balance(game.position, power) == each * len(game.position.centres_of(power))
    assert Code("NTH") not in game.position.owners
