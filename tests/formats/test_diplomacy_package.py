"""The saved games of the package `diplomacy`, out and in again, and what is wrong with one that cannot be read."""

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from plenipo import bots, jsonlines, library
from plenipo.engine.board import Code
from plenipo.engine.history.game import Game
from plenipo.engine.history.messages import Message
from plenipo.engine.history.rulings import Edited
from plenipo.engine.history.view import view
from plenipo.engine.phases import retreats
from plenipo.engine.position import Power
from plenipo.errors import InvalidRecord, PlenipoError
from plenipo.formats import FORMATS
from plenipo.formats.diplomacy_package import MAPS

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
  "results": {"F LON": [], "F BRE": []}, "messages": [
   {"sender": "FRANCE", "recipient": "ITALY", "time_sent": 1559336400000123, "phase": "S1901M", "message": "Peace?"},
   {"sender": "ITALY", "recipient": "GLOBAL", "time_sent": null, "phase": "S1901M",
    "message": "“War!”\\nYours, Italy"}]},
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
    assert DIPLOMACY.sniff(text)
    assert not FORMATS["plenipo"].sniff(text)


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
    assert first["results"]["A PAR"] == []
    assert second["results"]["F BRE"] == ["void"]
    assert second["results"]["A BUR"] == ["cut"]


SAMPLE = Path(__file__).parents[1] / "data" / "diplomacy_games.json.gz"
"""Two random games played with the package, for this test."""


def by_power(part: Any) -> Any:
    """Return the content by power, without powers that have nothing and without an order."""
    return {
        power: {text: sorted(ways) for text, ways in texts.items()} if isinstance(texts, dict) else sorted(texts)
        for power, texts in part.items()
        if texts
    }


@pytest.mark.parametrize("number", [0, 1])
def test_a_game_of_the_package_is_written_as_the_package_wrote_it(number: int) -> None:
    theirs = json.loads(gzip.decompress(SAMPLE.read_bytes()))[number]
    game = DIPLOMACY.read(json.dumps(theirs), library.load)
    assert game.rulings == ()
    ours = phases(DIPLOMACY.write(game))
    assert [phase["name"] for phase in ours] == [phase["name"] for phase in theirs["phases"]]
    for mine, phase in zip(ours, theirs["phases"], strict=True):
        for part in ("units", "centers", "retreats", "homes"):
            assert by_power(mine["state"][part]) == by_power(phase["state"][part]), (phase["name"], part)
        assert mine["state"]["builds"] == phase["state"]["builds"], phase["name"]
        assert by_power(mine["orders"]) == by_power(phase["orders"]), phase["name"]
        assert mine["results"] == phase["results"], phase["name"]


OPENINGS: dict[str, dict[str, list[str]]] = {
    "standard_age_of_empires": {"FRANCE": ["A PAR"], "GERMANY": ["A BER"], "ITALY": ["F ROM"], "TURKEY": ["A CON"]},
    "standard_age_of_empires_2": {"FRANCE": ["A PAR"], "GERMANY": ["F BER"], "TURKEY": ["F CON"]},
    "standard_fleet_rome": {"ITALY": ["A VEN", "F NAP", "F ROM"]},
    "standard_france_austria": {"AUSTRIA": ["A BUD", "A VIE", "F TRI"], "FRANCE": ["A MAR", "A PAR", "F BRE"]},
    "standard_germany_italy": {"GERMANY": ["A BER", "A MUN", "F KIE"], "ITALY": ["A ROM", "A VEN", "F NAP"]},
    "pure": {"ENGLAND": ["A LON"], "RUSSIA": ["A MOS"]},
}
"""Units of the first position of each map in the package."""


@pytest.mark.parametrize("name", OPENINGS)
def test_a_game_on_another_map_of_the_package_comes_back_on_that_map(name: str) -> None:
    game, chance = Game.new(library.load(MAPS[name])), Random(name)
    for _ in range(8):
        views = {power: view(game, power, {}) for power in game.rules.names}
        careless = bots.BOTS["careless"]
        game = game.process({power: bots.orders_of(careless, views[power], power, chance) for power in views})
    text = DIPLOMACY.write(game)
    value = json.loads(text)
    first = value["phases"][0]["state"]
    assert (value["map"], first["map"]) == (name, name)
    units = {power: sorted(texts) for power, texts in first["units"].items()}
    assert {power: units[power] for power in OPENINGS[name]} == OPENINGS[name]
    assert len(units) == (2 if len(OPENINGS[name]) == 2 and name != "pure" else 7)
    assert DIPLOMACY.write(DIPLOMACY.read(text, library.load)) == text


def results_of(units: dict[str, list[str]], orders: dict[str, list[str]], phase: str = "Spring 1901") -> Any:
    """The results of the package for a phase that begins with these units."""
    rules = library.load("standard")
    line = {"variant": "standard", "phase": phase, "units": units}
    game = Game(rules, jsonlines.read(line, library.load).position)
    order_sets = {Power(power): texts for power, texts in orders.items()}
    return phases(DIPLOMACY.write(game.process(order_sets).process({})))


def test_a_support_against_a_unit_of_its_own_power_is_void_if_the_attack_were_the_strongest() -> None:
    units = {"Italy": ["A VEN", "A ROM"], "Austria": ["F TRI"]}
    first, *_ = results_of(units, {"Italy": ["A ROM S F TRI - VEN"], "Austria": ["F TRI - VEN"]})
    assert first["results"] == {"A VEN": [], "A ROM": ["void"], "F TRI": ["bounce"]}
    first, *_ = results_of(units, {"Italy": ["A ROM S F TRI - VEN", "A VEN - TYO"], "Austria": ["F TRI - VEN"]})
    assert first["results"] == {"A VEN": [], "A ROM": [], "F TRI": []}


def test_a_support_of_a_move_by_an_unordered_convoy_is_void() -> None:
    units = {"England": ["A LON", "F NTH", "F BEL"]}
    first, *_ = results_of(units, {"England": ["A LON - HOL", "F BEL S A LON - HOL"]})
    assert first["results"]["F BEL"] == ["void"]


def test_a_convoy_on_no_way_from_shore_to_shore_is_no_convoy_and_void() -> None:
    units = {"England": ["A LON", "F NTH", "F NWG"], "France": ["F SKA"]}
    order_sets = {"England": ["A LON - SWE", "F NTH C A LON - SWE"]}
    first, *_ = results_of(units, order_sets)
    assert first["results"]["F NTH"] == ["no convoy", "void"]
    order_sets["England"].append("F NWG C A LON - SWE")
    first, *_ = results_of(units, {**order_sets, "France": ["F SKA C A LON - SWE"]})
    assert {unit: first["results"][unit] for unit in ("A LON", "F NTH", "F SKA", "F NWG")} == {
        "A LON": [],
        "F NTH": [],
        "F SKA": [],
        "F NWG": ["no convoy", "void"],
    }
    by_land = {"Italy": ["A VEN - APU"]}
    first, *_ = results_of({"Italy": ["A VEN"], "Austria": ["F ADR"]}, {**by_land, "Austria": ["F ADR C A VEN - APU"]})
    assert first["results"]["F ADR"] == ["no convoy", "void"]
    first, *_ = results_of(units, {"England": ["A LON H", "F NTH C A LON - SWE"]})
    assert first["results"]["F NTH"] == ["void"]


def test_a_move_to_the_next_place_by_an_unordered_convoy_is_a_bounce() -> None:
    first, *_ = results_of({"Italy": ["A NAP", "F ION"]}, {"Italy": ["A NAP - APU VIA"]})
    assert first["results"]["A NAP"] == ["bounce"]


def test_a_support_keeps_the_place_as_it_was_written() -> None:
    units = {"Russia": ["A LVN", "F BOT"]}
    first, *_ = results_of(units, {"Russia": ["F BOT - STP", "A LVN S F BOT - STP"]})
    assert "A LVN S F BOT - STP" in first["orders"]["RUSSIA"]


def test_a_unit_that_cannot_retreat_is_not_listed_beside_one_that_can_and_its_result_stands_there() -> None:
    units = {"Italy": ["F TUN", "A PIE"], "France": ["F WES", "F ION", "F TYN", "A MAR", "A TYO", "F NAF"]}
    orders = {"France": ["F WES - TUN", "F ION S F WES - TUN", "A MAR - PIE", "A TYO S A MAR - PIE"]}
    _, second, *_ = results_of(units, orders)
    assert second["name"] == "S1901R"
    assert "*F TUN" not in second["state"]["units"]["ITALY"]
    assert list(second["state"]["retreats"]["ITALY"]) == ["A PIE"]
    assert second["results"]["F TUN"] == ["disband"]


TALK = [
    Message("France", "Italy", "S1901M", "Peace?", 1559336400000123),
    Message("Italy", "GLOBAL", "S1901M", "“War!”\nYours, Italy"),
]


def test_messages_come_back_in_their_phases_with_senders_recipients_and_times() -> None:
    game = DIPLOMACY.read(WRITTEN, library.load)
    assert list(game.messages) == TALK
    kept = FORMATS["plenipo"].read(FORMATS["plenipo"].write(game), library.load)
    assert kept.messages == game.messages
    ours = phases(DIPLOMACY.write(kept))
    assert [phase["messages"] for phase in ours] == [phase["messages"] for phase in phases(WRITTEN)]


def test_a_message_of_a_phase_that_is_passed_over_here_stays_in_its_place_and_names_its_phase() -> None:
    game = DIPLOMACY.read(WRITTEN, library.load)
    later = Message("SYSTEM", "OBSERVER", "S1901R", "Nothing to retreat", 7)
    written = DIPLOMACY.write(replace(game, messages=(*game.messages, later)))
    assert [len(phase["messages"]) for phase in phases(written)] == [3, 0]
    assert DIPLOMACY.read(written, library.load).messages[-1] == later


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


def test_an_unordered_convoy_to_an_adjacent_place_is_a_walk_as_in_the_package() -> None:
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
        (
            changed(lambda value: value.update(map="moonscape")),
            "'moonscape.map' is a map of the package diplomacy, and neither that package nor such a file is here",
        ),
        ('{"map": "../x", "phases": [{}]}', "The game was played on the map '../x'; the name of a map is a word"),
        ('{"map": ["pure"], "phases": [{}]}', "The game was played on the map ['pure']; the name of a map is a word"),
        (changed(lambda value: value["phases"][0].pop("state")), "S1901M: 'state' must be an object."),
        (changed(lambda value: value["phases"][0].update(orders=[])), "S1901M: 'orders' must be an object with a list"),
        (changed(lambda value: value["phases"][0].update(messages=[{"message": "x"}])), "S1901M: 'messages' must be"),
        (changed(lambda value: value["phases"][0]["messages"][0].update(time_sent="x")), "S1901M: 'messages' must be"),
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
def test_an_unreadable_file_is_reported_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(PlenipoError) as caught:
        DIPLOMACY.read(text, library.load)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    ("orders", "waived"),
    [(["A PAR B"], None), (["A PAR B", "WAIVE"], ["void", "void"]), ([], ["void"] * 3), (["F BRE B", "A MAR B"], None)],
)
def test_builds_are_waived_by_powers_that_say_so_and_by_those_that_order_nothing(
    orders: list[str], waived: list[str] | None
) -> None:
    rules = library.load("standard")
    line = {"variant": "standard", "phase": "Winter 1901 adjustments", "units": {"Germany": ["A MUN"]}}
    line |= {"centres": {"France": ["PAR", "BRE", "MAR"], "Germany": ["MUN"]}}
    game = Game(rules, jsonlines.read(line, library.load).position)
    first, *_ = phases(DIPLOMACY.write(game.process({Power("France"): orders})))
    assert first["results"].get("WAIVE") == waived


def test_a_game_on_another_map_is_not_written() -> None:
    with pytest.raises(InvalidRecord, match=r"standard_france_austria.* of the package, and the game is one of Irish"):
        DIPLOMACY.write(Game.new(library.load("irish")))
