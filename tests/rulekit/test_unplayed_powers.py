"""Unplayed powers in the options of rule modules: they may have units, spaces and votes, but no declarations."""

from collections.abc import Callable

import pytest

from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant

Tiny = Callable[..., Rules]
FRANCE = Power("France")
UNPLAYED = "[powers]\nItaly = { played = false }\n"

NAMED = [
    '[[modules.order_restrictions.restrictions]]\norders = ["move"]\npowers = ["Italy"]\ninto = ["TYO"]\n',
    '[[modules.builds.sites]]\npowers = ["Italy"]\nwhere = "owned"\n',
    "[modules.builds.values_for]\nItaly = { ROM = 2 }\n",
    '[[modules.railways.lines]]\nspaces = ["VIE", "BUD", "GAL"]\npowers = ["Italy"]\n',
    '[modules.votes]\nballot = { of = "power", powers = ["Italy"], effect = { does = ["topples"] } }\n',
    '[[modules.triggered_events.items]]\nwords = "Unrest"\npowers = ["Italy"]\neffect = { does = ["silences"] }\n',
    '[[modules.triggered_events.items]]\nwords = "Grief"\nout = '
    '["Italy"]\neffect = { does = ["razes"], spaces = ["ROM"] }\n',
    '[[modules.special_actions.actions]]\nname = "embargo"\nby = "power"\nof = "power"\nwhom = ["Italy"]\n'
    'effect = { does = ["silences"] }\n',
    '[[modules.secret_choices.items]]\nname = "vassal"\nof = "power"\nwhom = ["Italy"]\n'
    'gives = ["orders"]\nopened = "end"\n',
    '[[modules.victory_conditions.ways]]\ncount = "centres"\nenough = 18\npowers = ["Italy"]\n',
]

DECLARED = [
    '[[modules.special_actions.actions]]\nname = "raze"\npowers = ["Italy"]\neffect = { does = ["razes"] }\n',
    '[[modules.secret_choices.items]]\nname = "capital"\npowers = ["Italy"]\nopened = "taken"\nwhere = "home"\n'
    'effect = { does = ["razes"] }\n',
    '[modules.captures.raids]\npowers = ["Italy"]\n',
    '[modules.money]\neach = 1\n[[modules.triggered_events.items]]\nwords = "Tribute"\n'
    'effect = { points = 2, powers = ["Italy"] }\n',
]


@pytest.mark.parametrize("text", NAMED)
def test_a_rule_may_be_about_an_unplayed_power(tiny: Tiny, text: str) -> None:
    rules = tiny(UNPLAYED + text)
    _ = rules.facts
    assert Game.new(rules).process({}).position.units


@pytest.mark.parametrize("text", [*NAMED, *DECLARED])
def test_a_power_that_is_none_is_refused_with_those_there_are(tiny: Tiny, text: str) -> None:
    with pytest.raises(InvalidVariant, match=r"'Itoly'.* not a power.*Italy"):
        _ = tiny(text.replace("Italy", "Itoly")).facts


@pytest.mark.parametrize("text", DECLARED)
def test_what_is_declared_built_or_paid_needs_a_player(tiny: Tiny, text: str) -> None:
    with pytest.raises(InvalidVariant, match=r"names 'Italy', which is unplayed \(played = false\)"):
        _ = tiny(UNPLAYED + text).facts
    _ = tiny(text).facts


def test_a_restriction_holds_back_the_hired_units_of_an_unplayed_power(tiny: Tiny) -> None:
    bids = '[modules.money]\nstart = 5\n[modules.bids]\ngives = "power"\nphase = "choice"\npowers = ["Italy"]\n'
    calendar = (
        '[calendar]\nstart = 1901\ncycle = [["Auction", "choice"], ["Spring", "movement"], ["Spring", "retreats"]]\n'
    )
    rules = tiny(f"{calendar}{UNPLAYED}{bids}{NAMED[0]}")
    game = Game.new(rules, Dice(bytes(32))).process({FRANCE: ["BID Italy 5"]})
    orders = list(map(str, Legality(rules, game.position).orders_of(FRANCE)))
    assert "A VEN - TRI" in orders
    assert "A VEN - TYO" not in orders


def test_an_embargo_on_an_unplayed_power_is_legal_and_accepted(tiny: Tiny) -> None:
    rules = tiny(UNPLAYED + NAMED[7])
    legality = Legality(rules, rules.opening)
    assert "DO embargo Italy" in map(str, legality.orders_of(FRANCE).declarations)
    turn = Game.new(rules).process({FRANCE: ["DO embargo Italy"]}).turns[0]
    assert any("Italy take no orders" in note for note in turn.resolution.notes)
