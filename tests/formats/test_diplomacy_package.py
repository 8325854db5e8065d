"""The saved games of the package `diplomacy`, out and in again, and what is wrong with one that cannot be read."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from plenipo import bots, library
from plenipo.engine.board import Code
from plenipo.engine.history.game import Game
from plenipo.engine.history.rulings import Edited
from plenipo.engine.history.view import view
from plenipo.engine.phases import retreats
from plenipo.engine.position import Power
from plenipo.errors import InvalidRecord, PlenipoError
from plenipo.formats import FORMATS

DIPLOMACY = FORMATS["diplomacy"]

WRITTEN = """
{"id": "x", "map": "standard", "rules": ["NO_PRESS"], "phases": [
 {"name": "S1901M", "state": {
   "units": {"AUSTRIA": ["A BUD", "A VIE", "F TRI"], "ENGLAND": ["F EDI", "F LON", "A LVP"],
             "FRANCE": ["F BRE", "A MAR", "A PAR"], "GERMANY": ["F KIE", "A BER", "A MUN"],
             "ITALY": ["F NAP", "A ROM", "A VEN"], "RUSSIA": ["A WAR", "A MOS", "F SEV", "F STP/SC"],
             "TURKEY": ["F ANK", "A CON", "A SMY"]},
   "centers": {"AUSTRIA": ["BUD", "TRI", "VIE"], "ENGLAND": ["EDI", "LON", "LVP"], "FRANCE": ["BRE", "MAR", "PAR"],
               "GERMANY": ["BER", "KIE", "MUN"], "ITALY": ["NAP", "ROM", "VEN"],
               "RUSSIA": ["MOS", "SEV", "STP", "WAR"], "TURKEY": ["ANK", "CON", "SMY"]}},
  "orders": {"AUSTRIA": null, "ENGLAND": ["F LON - NTH", "F EDI - NWG"], "FRANCE": ["F BRE - MAO"],
             "ITALY": ["F NAP - TYS", "A VEN - TYR"]},
  "results": {"F LON": [], "F BRE": []}, "messages": [{"message": "Hello"}]},
 {"name": "F1901M", "state": {
   "units": {"AUSTRIA": ["A BUD", "A VIE", "F TRI"], "ENGLAND": ["F NWG", "F NTH", "A LVP"],
             "FRANCE": ["F MAO", "A MAR", "A PAR"], "GERMANY": ["F KIE", "A BER", "A MUN"],
             "ITALY": ["F TYS", "A ROM", "A TYR"], "RUSSIA": ["A WAR", "A MOS", "F SEV", "F STP/SC"],
             "TURKEY": ["F ANK", "A CON", "A SMY"]},
   "centers": {"AUSTRIA": ["BUD", "TRI", "VIE"], "ENGLAND": ["EDI", "LON", "LVP"], "FRANCE": ["BRE", "MAR", "PAR"],
               "GERMANY": ["BER", "KIE", "MUN"], "ITALY": ["NAP", "ROM", "VEN"],
               "RUSSIA": ["MOS", "SEV", "STP", "WAR"], "TURKEY": ["ANK", "CON", "SMY"]}},
  "orders": {}, "results": {}, "messages": []}]}
"""


def played(turns: int, seed: int, player: str = "careless") -> Game:
    game, chance = Game.new(library.load("standard")), Random(seed)
    while not game.over and len(game.turns) < turns:
        views = {power: view(game, power, {}) for power in game.rules.names}
        game = game.process(
            {
                power: bots.orders_of(bots.BOTS[player], seen, power, chance)
                for power, seen in views.items()
                if power in seen.may_order
            }
        )
    return game


@pytest.mark.parametrize(("player", "seed"), [("careless", 1), ("careless", 2), ("sensible", 3), ("sensible", 4)])
def test_a_game_comes_back_as_it_was_written(player: str, seed: int) -> None:
    game = played(40, seed, player)
    text = DIPLOMACY.write(game)
    again = DIPLOMACY.read(text, library.load)
    assert [turn.resolution.after for turn in again.turns] == [turn.resolution.after for turn in game.turns]
    assert DIPLOMACY.write(again) == text
    assert DIPLOMACY.matches(text)
    assert not FORMATS["plenipo"].matches(text)


def test_a_game_that_is_over_ends_with_the_phase_completed() -> None:
    game = played(3, 1)
    drawn = game.draw((Power("France"), Power("Italy")))
    value = json.loads(DIPLOMACY.write(drawn))
    assert value["phases"][-1]["name"] == "COMPLETED"
    again = DIPLOMACY.read(json.dumps(value), library.load)
    assert again.over
    assert again.position.units == drawn.position.units


def test_a_game_of_the_package_is_read_with_its_codes_and_its_gaps() -> None:
    game = DIPLOMACY.read(WRITTEN, library.load)
    assert str(game.position.phase) == "Fall 1901 movement"
    assert {"F MID", "A TYO", "F TYN", "F NRG"} <= {str(unit) for unit in game.position.units}


def test_the_words_about_orders_are_those_of_the_package() -> None:
    game = Game.new(library.load("standard"))
    game = game.process({Power("France"): ["A PAR - BUR", "F BRE - ENG"], Power("England"): ["F LON - ENG"]})
    game = game.process({Power("Germany"): ["A MUN - BUR"], Power("France"): ["F BRE C A PAR - LON", "A BUR S A MAR"]})
    first, second, _ = json.loads(DIPLOMACY.write(game))["phases"]
    assert first["results"]["F BRE"] == ["bounce"]
    assert first["results"]["A PAR"] == [""]
    assert second["results"]["F BRE"] == ["void"]
    assert second["results"]["A BUR"] == ["cut"]


def phases(text: str) -> list[Any]:
    return list(json.loads(text)["phases"])


def own_unit_dislodged() -> str:
    """A game in which the package let a power's support dislodge its own unit, since the attack came by convoy."""
    value = json.loads(WRITTEN)
    first, second = value["phases"]
    first["orders"] = {"TURKEY": ["A SMY S A SEV - CON", "F ANK - BLA"], "RUSSIA": ["F SEV - BLA"]}
    units = second["state"]["units"] = json.loads(json.dumps(first["state"]["units"]))
    units["RUSSIA"] = ["A MOS", "F SEV", "F STP/SC", "A CON"]
    units["TURKEY"] = ["F ANK", "A SMY", "*A CON"]
    second["state"]["retreats"] = {"TURKEY": {"A CON": ["BUL"]}}
    second["name"] = "S1901R"
    second["orders"] = {"TURKEY": ["A CON R BUL"]}
    second["results"] = {"A CON": [""]}
    third = json.loads(json.dumps(second))
    third["name"], third["state"]["retreats"], third["orders"], third["results"] = "F1901M", {}, {}, {}
    third["state"]["units"]["TURKEY"] = ["F ANK", "A SMY", "A BUL"]
    value["phases"].append(third)
    return json.dumps(value)


def test_where_the_file_has_another_position_the_game_goes_on_from_that_one_by_a_ruling() -> None:
    text = own_unit_dislodged()
    game = DIPLOMACY.read(text, library.load)
    ((place, ruling),) = game.rulings
    assert place == 1
    assert isinstance(ruling, Edited)
    assert str(ruling.reason.text).startswith(
        "The position of the file, S1901R. After the orders comes Fall 1901 movement"
    )
    assert "Turkey has the units *A CON, A SMY and F ANK in the file, and after the orders" in str(ruling.reason.text)
    there = [retreats.options(game.rules, ruling.position, fallen) for fallen in ruling.position.dislodged]
    assert [[str(to) for to in ways] for ways in there] == [["BUL"]]
    assert game.position.unit_at(Code("BUL")) is not None
    ours = phases(DIPLOMACY.write(game))
    assert [phase["name"] for phase in ours] == ["S1901M", "S1901R", "F1901M"]
    for mine, theirs in zip(ours, phases(text), strict=True):
        assert {power: sorted(units) for power, units in mine["state"]["units"].items()} == {
            power: sorted(units) for power, units in theirs["state"]["units"].items()
        }
    kept = FORMATS["plenipo"].read(FORMATS["plenipo"].write(game), library.load)
    assert kept.position == game.position


def test_a_convoy_to_an_adjacent_place_that_nobody_gives_is_a_walk_as_in_the_package() -> None:
    value = json.loads(WRITTEN)
    value["phases"][0]["orders"]["ITALY"] = ["F NAP - TYS", "A VEN - TYR VIA"]
    game = DIPLOMACY.read(json.dumps(value), library.load)
    assert game.rulings == ()
    assert game.rules.rulebook["4.A.3"] == "intent-or-land"


def changed(edit: Callable[[Any], object]) -> str:
    value = json.loads(WRITTEN)
    edit(value)
    return json.dumps(value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[]", "The file is not a JSON object with a list of 'phases', so it is not a saved game."),
        ("[" * 100_000, "The file is not a JSON object"),
        ('{"phases": []}', "The list of 'phases' is empty."),
        ('{"phases": [3]}', "Every one of the 'phases' must be an object with a 'name'"),
        ('{"map": "pure", "phases": [{}]}', "The game was played on the map 'pure'; only 'standard' can be read."),
        (changed(lambda value: value["phases"][0].pop("state")), "S1901M: 'state' must be an object."),
        (changed(lambda value: value["phases"][0].update(orders=[])), "S1901M: 'orders' must be an object with a list"),
        (changed(lambda value: value["phases"][1].update(name="F1907M")), "F1907M: this phase does not follow; after"),
        (changed(lambda value: value["phases"][1].update(name="x")), "x: this phase does not follow; after"),
        (
            changed(lambda value: value["phases"][1]["state"]["units"].update(ENGLAND=["F BUR"])),
            "F1901M: 'F BUR' cannot stand there: a fleet needs water.",
        ),
        (
            changed(lambda value: value["phases"][1]["state"]["units"].update(ENGLAND=["LON"])),
            "F1901M: 'LON' is not a unit; write it like 'A PAR'.",
        ),
        (changed(lambda value: value["phases"][0]["orders"].update(SPAIN=[])), "'SPAIN' is not a power of this game"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(PlenipoError) as caught:
        DIPLOMACY.read(text, library.load)
    assert str(caught.value).startswith(sentence)


def test_a_game_on_another_map_is_not_written() -> None:
    with pytest.raises(InvalidRecord, match="for the standard map, and the game is one of Irish"):
        DIPLOMACY.write(Game.new(library.load("irish")))
