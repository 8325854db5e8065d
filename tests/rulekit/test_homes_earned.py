"""Home centres that are won and lost."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from plenipo.batch import UnsupportedRules, compile_tables
from plenipo.conformance import of_a_random_game
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.phases.step import advance
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant
from table import place, said

Tiny = Callable[..., Rules]
FALL = Phase("Fall", 1901, PhaseKind.RETREATS)
FRANCE, ITALY = Power("France"), Power("Italy")
HOMES = {"France": "BRE MAR PAR", "Italy": "NAP ROM VEN"}


def module(text: str) -> str:
    return f"[modules.homes]\n{text}\n"


def test_what_is_owned_long_enough_is_a_home_of_its_owner_alone(tiny: Tiny) -> None:
    rules = tiny(module("after = 2"))
    position = place("", FALL, rules, owners={"Italy": "MAR ROM"}, homes=HOMES)
    first = advance(rules, position).position
    assert first.homes_of(ITALY) == {"NAP", "ROM", "VEN"}
    effects = advance(rules, replace(first, phase=FALL._replace(year=1902)))
    assert effects.position.homes_of(ITALY) == {"MAR", "NAP", "ROM", "VEN"}
    assert effects.position.homes_of(FRANCE) == {"BRE", "PAR"}
    assert "The home centres of Italy are now MAR, NAP, ROM, VEN." in said(effects)


def test_a_home_that_another_owns_is_lost_for_good(tiny: Tiny) -> None:
    rules = tiny(module("lost = true"))
    taken = advance(rules, place("", FALL, rules, owners={"Italy": "MAR", "France": "PAR"}, homes=HOMES)).position
    assert taken.homes_of(FRANCE) == {"BRE", "PAR"}
    back = replace(taken, phase=FALL._replace(year=1902), owners=dict.fromkeys(taken.owners, FRANCE))
    assert advance(rules, back).position.homes_of(FRANCE) == {"BRE", "PAR"}


def test_a_power_that_owns_every_home_of_another_has_them_for_homes(tiny: Tiny) -> None:
    rules = tiny(module("conquered = true"))
    some = place("", FALL, rules, owners={"Italy": "MAR PAR", "France": "BRE"}, homes=HOMES)
    assert advance(rules, some).position.homes_of(ITALY) == {"NAP", "ROM", "VEN"}
    whole = place("", FALL, rules, owners={"Italy": "MAR PAR BRE", "France": "LON"}, homes=HOMES)
    assert advance(rules, whole).position.homes_of(ITALY) == {"NAP", "ROM", "VEN", "MAR", "PAR", "BRE"}


def test_what_is_remembered_stands_in_the_record(tiny: Tiny) -> None:
    rules = tiny(module("after = 2"))
    game = Game.new(rules).process({}).process({})
    assert game.position.slots["homes"].to_json()["runs"]["PAR"] == ["France", 1]
    assert decode_game(encode_game(game), rules) == game


@pytest.mark.parametrize("text", ["after = 1", "after = 3\nlost = true\nconquered = true"])
def test_random_games_go_on(text: str, tiny: Tiny) -> None:
    assert list(of_a_random_game(tiny(module(text)), 1, years=5)) == []


def test_a_number_below_nothing_is_refused(tiny: Tiny) -> None:
    with pytest.raises(InvalidVariant, match=r"'homes' has -1 as 'after'; it must be 0 or more."):
        tiny(module("after = -1"))


def test_the_kernel_refuses_it(tiny: Tiny) -> None:
    with pytest.raises(UnsupportedRules, match="'homes': homes are won and lost"):
        compile_tables(tiny(module("after = 1")))
