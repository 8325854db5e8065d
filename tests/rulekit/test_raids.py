"""A unit in another power's centre makes it neutral at the end of a season."""

from collections.abc import Callable

import pytest

from plenipo.engine.board import Code
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.errors import PlenipoError

Tiny = Callable[..., Rules]
FRANCE = Power("France")
START = '[powers]\nGermany = {{ units = ["{unit} PIE"], owned = ["BER"] }}\n'


@pytest.mark.parametrize(
    ("options", "unit", "lost"),
    [
        ("", "A", True),
        ('seasons = ["Spring"]', "A", True),
        ('seasons = ["Fall"]', "A", False),
        ('units = ["F"]', "A", False),
        ('units = ["F"]', "F", True),
        ('powers = ["Germany"]', "A", True),
        ('powers = ["Italy"]', "A", False),
    ],
)
def test_a_raid_counts_in_its_seasons_and_for_its_kinds_of_unit(
    tiny: Tiny, options: str, unit: str, *, lost: bool
) -> None:
    rules = tiny(START.format(unit=unit) + f"[modules.captures.raids]\n{options}\n")
    order_sets = {FRANCE: ["A MAR - BUR"], Power("Germany"): [f"{unit} PIE - MAR"]}
    game = Game.new(rules).process(order_sets)
    assert (Code("MAR") not in game.position.owners) is lost
    assert any("raids it" in note for note in game.turns[0].resolution.notes) is lost
    assert decode_game(encode_game(game), rules) == game


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ('seasons = ["Winter"]', "'captures.raids' has the season 'Winter', which has no movement phase"),
        ('powers = ["X"]', "'X', which is not a power"),
        ('units = ["X"]', "'captures.raids' names the unit 'X'; it must be A or F"),
    ],
)
def test_what_could_never_be_is_refused(tiny: Tiny, options: str, why: str) -> None:
    with pytest.raises(PlenipoError, match=why):
        tiny(f"[modules.captures.raids]\n{options}\n")


def test_what_was_vetoed_is_not_raided(tiny: Tiny) -> None:
    rules = tiny(START.format(unit="A") + '[modules.captures.raids]\n[modules.vetoes]\nby = "owner"\n')
    order_sets = {FRANCE: ["A MAR - BUR", "VETO MAR"], Power("Germany"): ["A PIE - MAR"]}
    assert Game.new(rules).process(order_sets).position.owners[Code("MAR")] == FRANCE
