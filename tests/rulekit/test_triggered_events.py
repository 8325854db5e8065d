"""Triggered events: effects at a date, by chance, or once a power meets a condition."""

from collections.abc import Callable

import pytest

from plenipo.engine.board import Code
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant

Tiny = Callable[..., Rules]
FRANCE, ITALY = Power("France"), Power("Italy")
ITEM = "[[modules.triggered_events.items]]\n"
PLAGUE = (
    ITEM
    + 'words = "the plague"\nspaces = ["NAP", "ROM", "VEN"]\nseasons = ["Fall"]\neffect = { does = ["destroys"] }\n'
)


def test_it_happens_once_at_its_time_in_every_space_or_in_as_many_as_are_drawn(tiny: Tiny) -> None:
    game = Game.new(tiny(PLAGUE), Dice(bytes(32))).process({})
    assert not game.position.units_of(ITALY)
    rules = tiny(PLAGUE + "drawn = 1\n")
    game = Game.new(rules, Dice(bytes(32))).process({})
    (draw,) = game.turns[0].resolution.draws
    assert draw.label == "Spring 1901|where the plague"
    assert len(game.position.units_of(ITALY)) == 2
    while game.position.phase.year == 1901:
        game = game.process({})
    assert len(game.process({}).position.units_of(ITALY)) == 2
    assert decode_game(encode_game(game), rules) == game


def test_with_odds_it_is_drawn_each_time_it_is_looked_at(tiny: Tiny) -> None:
    rules = tiny(PLAGUE.replace('seasons = ["Fall"]\n', "odds = [1, 2]\nagain = true\n"))
    game = Game.new(rules, Dice(bytes(32)))
    happened = []
    for _ in range(8):
        year, season = game.position.phase.year, game.position.phase.season
        game = game.process({})
        happened += [e.kind for e in game.turns[-1].resolution.events if e.kind == "happened"]
        assert (year, season) != (game.position.phase.year, game.position.phase.season)
    assert 0 < len(happened) < 3 * 8
    labels = {draw.label for turn in game.turns for draw in turn.resolution.draws}
    assert "Spring 1901|the plague before Fall 1901 movement" in labels


def test_the_owner_of_the_required_centres_profits(tiny: Tiny) -> None:
    text = 'words = "the crown of Spain"\nspaces = ["SPA"]\nowning = ["SPA", "POR"]\neffect = { does = ["homes"] }\n'
    rules = tiny(ITEM + text)
    game = Game.new(rules).process({FRANCE: ["A MAR - SPA", "F BRE - MID"]})
    game = game.process({FRANCE: ["F MID - POR"]})
    game = game.process({})
    assert "SPA" in game.position.homes_of(FRANCE)
    assert "the crown of Spain (Spain)." in [n for turn in game.turns for n in turn.resolution.notes]


def test_a_unit_that_is_silenced_takes_no_orders_in_the_next_movement_alone(tiny: Tiny) -> None:
    rules = tiny(PLAGUE.replace("destroys", "silences"))
    game = Game.new(rules).process({})
    assert not Legality(rules, game.position).orders_of(ITALY).units
    while game.position.phase.season != "Spring":
        game = game.process({})
    assert len(Legality(rules, game.position).orders_of(ITALY).units) == 3


def test_a_unit_may_be_raised_for_the_beneficiary_in_a_vacant_space(tiny: Tiny) -> None:
    text = 'words = "volunteers"\nspaces = ["TUS", "ROM"]\nowning = ["NAP"]\n'
    rules = tiny(ITEM + text + 'effect = { does = ["raises"], unit = "A" }\n')
    game = Game.new(rules).process({})
    assert [str(unit) for unit in game.position.units_of(ITALY)] == ["F NAP", "A ROM", "A TUS", "A VEN"]
    assert decode_game(encode_game(game), rules) == game


def test_it_happens_to_each_power_that_has_so_much_once_or_whenever_it_is_looked_at(tiny: Tiny) -> None:
    text = 'words = "unrest"\nconditions = [{ at_most = 2 }]\neffect = { does = ["silences"] }\n'
    rules = tiny("[powers.Italy]\nunits = ['A ROM', 'F NAP']\nhomes = ['ROM', 'NAP']\n" + ITEM + text)
    game = Game.new(rules).process({})
    assert "unrest (Italy)." in game.turns[0].resolution.notes
    assert not Legality(rules, game.position).orders_of(ITALY).units
    assert Legality(rules, game.position).orders_of(FRANCE).units
    assert decode_game(encode_game(game), rules) == game
    game = game.process({})
    assert Legality(rules, game.position).orders_of(ITALY).units
    again = tiny(
        "[powers.Italy]\nunits = ['A ROM', 'F NAP']\nhomes = ['ROM', 'NAP']\n" + ITEM + text + "again = true\n"
    )
    game = Game.new(again).process({}).process({})
    assert not Legality(again, game.position).orders_of(ITALY).units


def test_the_power_with_the_most_or_fewest_of_something_profits_from_it(tiny: Tiny) -> None:
    text = (
        'words = "{}"\nconditions = '
        '[{{ count = "units", {} = true }}]\neffect = {{ does = ["gives"], spaces = ["{}"] }}\n'
    )
    rules = tiny(ITEM + text.format("tribute", "most", "BEL") + ITEM + text.format("alms", "fewest", "HOL"))
    game = Game.new(rules).process({})
    assert game.position.owners[Code("BEL")] == "Russia"  # the one power with four units
    assert "HOL" not in game.position.owners  # six have three


@pytest.mark.parametrize(
    ("good", "wrong", "why"),
    [
        ('"Fall"', '"Autumn"', "has the season 'Autumn'"),
        ("seasons", "odds = [3, 2]\nseasons", "has 3 in 2 as odds"),
        ("seasons", "drawn = 3\nseasons", "draws 3 of 3; there must be more to draw from"),
        ('"NAP"', '"NAX"', "names 'NAX', which is not on the board"),
        ("destroys", "raises", "has 'raises', and no power gets it"),
        ('"destroys"]', '"destroys"], unit = "A"', "has the unit 'A', and raises none"),
        ("destroys", "gives", "has 'gives', and no power gets it"),
        ("seasons", 'owning = ["BUR"]\nseasons', "names 'BUR', which is not a supply centre"),
        ("seasons", "conditions = [{ at_most = 2 }]\nseasons", "asks what a power has, and happens to spaces"),
        ("seasons", "conditions = [{ at_most = -1 }]\nseasons", "has -1 as 'at_most'; it must be 0 or more"),
        ("seasons", "from_year = 1905\nuntil_year = 1902\nseasons", "from 1905 until 1902: never"),
    ],
)
def test_what_could_never_happen_is_refused(tiny: Tiny, good: str, wrong: str, why: str) -> None:
    with pytest.raises(InvalidVariant, match=why):
        _ = tiny(PLAGUE.replace(good, wrong, 1)).facts
