"""Areas that join: by the calendar, by lot and by what units do; what stands there and is owned follows."""

from collections.abc import Callable

import pytest

from plenipo import library
from plenipo.charts import chart_of
from plenipo.engine.board import Code
from plenipo.engine.changes import Joined
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant
from rulekit.test_changing_board import after, goes

Tiny = Callable[..., Rules]


def joins(*pairs: str, more: str = "") -> str:
    ways = ", ".join(f'["{pair[:3]}", "{pair[4:]}"]' for pair in pairs)
    return f"[modules.changing_board]\nrules = [{{ joins = [{ways}]{more} }}]\n"


IN_1902 = ", from_year = 1902"


def test_a_unit_stands_in_the_whole_and_a_fleet_on_its_coast(tiny: Tiny) -> None:
    rules = tiny(joins("POR-SPA", "PAR-BUR", more=IN_1902))
    game = after(rules, {"France": ["A MAR - SPA"]}, {"France": ["F BRE - MID"]})
    assert {str(unit) for unit in game.position.units_of(Power("France"))} == {"A BUR", "A SPA", "F MID"}
    assert goes(game, "France", "F MID - SPA")
    assert goes(game, "France", "A BUR - PIC")
    assert "Portugal is a part of Spain now." in game.turns[-1].resolution.notes
    assert decode_game(encode_game(game), rules) == game


def test_a_fleet_on_a_coast_that_is_no_more_stands_on_the_shore(tiny: Tiny) -> None:
    rules = tiny(joins("POR-SPA", more=IN_1902))
    game = after(rules, {"France": ["F BRE - MID"]}, {"France": ["F MID - SPA/SC"]})
    assert "F SPA" in map(str, game.position.units_of(Power("France")))
    assert goes(game, "France", "F SPA - GOL")
    assert goes(game, "France", "F SPA - GAS")


def test_the_whole_belongs_to_the_owner_of_the_space_that_gives_the_name(tiny: Tiny) -> None:
    rules = tiny(joins("PAR-BUR", "BER-MUN", more=IN_1902))
    game = after(rules, {}, {})
    assert game.position.centres_of(Power("France")) == ("BRE", "BUR", "MAR")
    assert game.position.homes_of(Power("France")) == {"BRE", "BUR", "MAR"}
    assert game.position.centres_of(Power("Germany")) == ("BER", "KIE", "MUN")  # a unit stands in both: they wait


@pytest.mark.parametrize(("both", "left"), [("stays", ["A MUN", "F KIE"]), ("lost", ["F KIE"])])
def test_units_in_both_stay_or_go_as_is_said(both: str, left: list[str], tiny: Tiny) -> None:
    game = after(tiny(joins("BER-MUN", more=f', both = "{both}"{IN_1902}')), {}, {})
    assert sorted(map(str, game.position.units_of(Power("Germany")))) == left
    assert game.position.centres_of(Power("Germany")) == ("KIE", "MUN")


def test_two_that_wait_become_one_when_one_has_left(tiny: Tiny) -> None:
    rules = tiny(joins("BER-MUN"))
    game = after(rules, {}, {"Germany": ["A MUN - TYO"]})
    assert game.position.changes == (Joined(Code("BER"), Code("MUN")),)
    assert "A MUN" in map(str, game.position.units_of(Power("Germany")))


def test_a_unit_that_holds_makes_them_one_at_once(tiny: Tiny) -> None:
    rules = tiny(joins("GAS-BUR", more=', standing = ["BUR"], holding = true, units = ["A"]'))
    game = after(rules, {"France": ["A PAR - BUR"]}, {"France": ["A BUR H"]})
    assert game.position.changes == (Joined(Code("GAS"), Code("BUR")),)


def test_one_that_spreads_takes_a_neighbour_of_its_kind_each_time(tiny: Tiny) -> None:
    more = ', drawn = 1, again = true, spreads = true, seasons = ["Spring"]'
    rules = tiny(joins("BOT-BAL", more=more))
    game = after(rules, {}, {}, {}, {}, {}, {})
    merged = [change for change in game.position.changes if isinstance(change, Joined)]
    assert merged[0] == Joined(Code("BOT"), Code("BAL"))
    assert all(change.into == "BAL" for change in merged)
    assert decode_game(encode_game(game), rules) == game


def test_orders_may_go_on_using_either_name(tiny: Tiny) -> None:
    rules = tiny(joins("POR-SPA", more=IN_1902))
    game = after(rules, {}, {}, {"France": ["A Marseilles - Portugal"]})
    assert "A SPA" in map(str, game.position.units_of(Power("France")))


def test_what_modules_remember_of_the_part_is_of_the_whole(tiny: Tiny) -> None:
    lent = "[modules.lent_centres]\nyears = 9\n"
    rules = tiny(joins("POR-SPA", more=IN_1902) + lent)
    game = after(rules, {"France": ["A MAR - SPA", "F BRE - MID"]}, {"France": ["F MID - POR"]})
    assert decode_game(encode_game(game), rules) == game
    named = '[[modules.secret_choices.items]]\nname = "capital"\nwhere = "home"\nopened = "taken"\n'
    rules = tiny(joins("PAR-BUR", more=IN_1902) + named + 'effect = { does = ["falls"] }\n')
    game = after(rules, {"France": ["NAME capital PAR"]}, {})
    slot = game.position.slots["secret_choices"]
    assert "BUR" in str(slot.to_json())
    assert "PAR" not in str(slot.to_json())


def test_a_board_that_has_joined_is_drawn(tiny: Tiny) -> None:
    rules = tiny(joins("POR-SPA", "PAR-BUR", "MUN-TYO", "ION-TYN", more=IN_1902))
    game = after(rules, {}, {})
    chart = chart_of(rules, library.read("standard").figure)
    picture = chart.draw(chart.scene(game.position))
    assert ">Portugal<" not in picture
    assert "Spain" in picture


def test_contacts_that_are_declared_go_with_what_joins(tiny: Tiny) -> None:
    bridge = '[[modules.contacts.add]]\nbetween = ["LON", "BEL"]\nunits = ["A"]\nreason = "a bridge"\n'
    rules = tiny(bridge + joins("BEL-HOL", more=IN_1902))
    game = after(rules, {}, {})
    assert "LON" in rules.board_at(game.position).armies[Code("HOL")]


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (joins("PAR-ENG"), "joins PAR to ENG: PAR and ENG are a sea and a land"),
        (joins("PAR-ROM"), "joins PAR to ROM: PAR and ROM do not touch"),
        (joins("PAR-XYZ"), "names 'XYZ'"),
        (joins("POR-SPA", more=', standing = ["PAR"], while_so = true'), "has no 'joins'"),
        (joins("POR-SPA", "BOT-BAL", more=", drawn = 1, again = true, spreads = true"), "'joins' to one space"),
    ],
)
def test_a_rule_that_cannot_be_is_refused(rule: str, why: str, tiny: Tiny) -> None:
    with pytest.raises(InvalidVariant, match=why):
        tiny(rule)


def test_spaces_of_a_board_without_a_picture_do_not_join(tiny: Tiny) -> None:
    with pytest.raises(InvalidVariant, match="is given by its contacts, not by a map"):
        tiny('[modules.changing_board]\nrules = [{ joins = [["LON", "PAR"]] }]\n', parent="pure")
