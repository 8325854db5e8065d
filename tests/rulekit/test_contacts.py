"""Contacts that a drawn map cannot say are declared, each with its reason, and nothing else on the board changes."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from clockwise import standard_board
from plenipo.charts import chart
from plenipo.engine.board import Board, Coast, Code, Location, Terrain, UnitKind
from plenipo.errors import InvalidVariant, UnknownName
from plenipo.library import load, options_of
from plenipo.maps.lettering.annotations import annotations_of
from plenipo.rulekit import MODULES
from plenipo.rulekit.contacts import Contact, ContactRules
from plenipo.rulekit.corners import add_corners

BOARD = load("standard").board
ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET
WHY = "because the rules say so"
Steps = set[tuple[UnitKind, Location, Location]]


def steps(board: Board) -> Steps:
    """Every step on a board, both ways."""
    found = {(ARMY, Location(a), Location(b)) for a, tos in board.armies.items() for b in tos}
    return found | {(FLEET, a, b) for a, tos in board.fleets.items() for b in tos}


def both_ways(kind: UnitKind, a: Location, b: Location) -> Steps:
    return {(kind, a, b), (kind, b, a)}


def at(code: str, coast: str = "") -> Location:
    return Location(Code(code), Coast(coast))


def test_the_module_is_known_by_its_name_and_changes_nothing_if_nothing_is_declared() -> None:
    module = MODULES["contacts"]()
    assert isinstance(module, ContactRules)
    assert steps(module.board(BOARD)) == steps(BOARD)


def test_a_bridge_for_armies_is_added_both_ways_and_fleets_do_not_use_it() -> None:
    after = ContactRules(add=(Contact(("NAF", "SPA"), WHY, (ARMY,)),)).board(BOARD)
    assert steps(after) - steps(BOARD) == both_ways(ARMY, at("NAF"), at("SPA"))
    assert not steps(BOARD) - steps(after)


def test_a_contact_that_is_dropped_is_dropped_for_both_kinds_of_unit() -> None:
    after = ContactRules(drop=(Contact(("ROM", "TUS"), WHY),)).board(BOARD)
    gone = both_ways(ARMY, at("ROM"), at("TUS")) | both_ways(FLEET, at("ROM"), at("TUS"))
    assert steps(BOARD) - steps(after) == gone
    assert not steps(after) - steps(BOARD)


def test_a_contact_names_the_coast_of_a_fleet_and_an_army_stands_on_all_of_them() -> None:
    after = ContactRules(drop=(Contact(("NWY", "STP/NC"), WHY),)).board(BOARD)
    gone = both_ways(ARMY, at("NWY"), at("STP")) | both_ways(FLEET, at("NWY"), at("STP", "NC"))
    assert steps(BOARD) - steps(after) == gone


def test_what_follows_from_the_contacts_follows_from_the_declared_ones_too() -> None:
    after = ContactRules(add=(Contact(("BLA", "EAS"), WHY, (FLEET,)),)).board(BOARD)
    assert "EAS" not in BOARD.waters[Code("BLA")]
    assert "EAS" in after.waters[Code("BLA")]
    assert after.distances([Code("BLA")])[Code("EAS")] == 1


def test_borders_corners_and_spaces_stay_those_of_the_map() -> None:
    after = ContactRules(drop=(Contact(("ROM", "TUS"), WHY),)).board(BOARD)
    assert (after.borders, after.corners, after.spaces) == (BOARD.borders, BOARD.corners, BOARD.spaces)


def test_corners_and_declared_contacts_may_be_put_on_a_board_in_either_order() -> None:
    module = ContactRules(drop=(Contact(("ROM", "TUS"), WHY),), add=(Contact(("NAF", "SPA"), WHY, (ARMY,)),))
    assert steps(module.board(add_corners(BOARD))) == steps(add_corners(module.board(BOARD)))


READINGS = ContactRules(
    drop=(
        Contact(("ROM", "TUS"), WHY, when=("narrow", "narrower")),
        Contact(("ROM", "VEN"), WHY, (ARMY,), ("narrower",)),
    ),
    add=(Contact(("NAF", "SPA"), WHY, (ARMY,)),),
    readings=("wide", "narrow", "narrower"),
    reading="wide",
)


@pytest.mark.parametrize(
    ("reading", "near_rome"), [("wide", "APU NAP TUS VEN"), ("narrow", "APU NAP VEN"), ("narrower", "APU NAP")]
)
def test_a_contact_may_count_under_some_readings_only(reading: str, near_rome: str) -> None:
    board = replace(READINGS, reading=reading).board(BOARD)
    assert board.armies[Code("ROM")] == set(near_rome.split())
    assert "SPA" in board.armies[Code("NAF")]


SPOTS = sorted(at for at in standard_board().fleets if not at.coast)


@given(st.sets(st.sampled_from(SPOTS), min_size=2, max_size=2))
def test_dropping_what_was_added_gives_the_board_back(pair: set[Location]) -> None:
    a, b = sorted(pair)
    board = standard_board()
    # St Petersburg, Spain and Bulgaria have coasts, so no fleet stands on the bare space
    kinds = tuple(k for k in (ARMY, FLEET) if board.can_stand(k, a) and board.can_stand(k, b))
    kinds = tuple(k for k in kinds if b not in board.steps(k, a))
    contact = Contact((str(a), str(b)), WHY, kinds)
    there = ContactRules(add=(contact,)).board(board)
    assert steps(there) - steps(board) == set().union(*(both_ways(kind, a, b) for kind in kinds))
    assert steps(ContactRules(drop=(contact,)).board(there)) == steps(board)


WRONG = {
    "no reason": (Contact(("NAF", "SPA"), " ", (ARMY,)), "NAF-SPA has no reason; every declared contact says why."),
    "no such space": (Contact(("NAF", "SPAIN"), WHY), "'SPAIN', which is not a space of the board; did you mean SPA"),
    "one space": (Contact(("STP/NC", "STP/SC"), WHY, (FLEET,)), "STP/NC-STP/SC has one space twice"),
    "no coast": (Contact(("SPA", "NAF"), WHY, (FLEET,)), "has 'SPA', where fleets cannot stand."),
    "a wrong coast": (Contact(("SPA/EC", "NAF"), WHY, (FLEET,)), "has 'SPA/EC', where fleets cannot stand."),
    "an army at sea": (Contact(("NTH", "LON"), WHY, (ARMY,)), "has 'NTH', where armies cannot stand."),
    "a fleet inland": (Contact(("MUN", "KIE"), WHY, (FLEET,)), "has 'MUN', where fleets cannot stand."),
    "nobody enters": (Contact(("SWI", "TYO"), WHY, (ARMY,)), "has 'SWI', where armies cannot stand."),
    "an unknown reading": (Contact(("NAF", "SPA"), WHY, (ARMY,), ("odd",)), "'odd', which these rules do not have"),
}


def test_a_river_port_is_a_coast_that_fleets_reach_by_declared_contacts_alone() -> None:
    up_the_rhine = Contact(("MUN", "KIE"), WHY, (FLEET,))
    board = ContactRules(add=(up_the_rhine,), river_ports=(Code("MUN"),)).board(BOARD)
    port = Location(Code("MUN"))
    assert board.spaces[Code("MUN")].terrain is Terrain.COAST
    assert board.steps(FLEET, port) == {Location(Code("KIE"))}
    assert port in board.steps(FLEET, Location(Code("KIE")))
    assert board.armies == BOARD.armies
    assert steps(board) - steps(BOARD) == both_ways(FLEET, port, Location(Code("KIE")))


@pytest.mark.parametrize(
    ("ports", "sentence"),
    [
        (("MUNICH",), "The river port 'MUNICH' is no space; did you mean MUN"),
        (("KIE",), "The river port KIE is no inland space that units enter."),
        (("SWI",), "The river port SWI is no inland space that units enter."),
        (("BOH",), "No contact for fleets leads to the river port BOH; declare one under 'add'."),
    ],
)
def test_a_river_port_that_cannot_be_is_refused_in_a_sentence(ports: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(InvalidVariant) as fault:
        ContactRules(river_ports=tuple(map(Code, ports))).board(BOARD)
    assert str(fault.value).startswith(sentence)


@pytest.mark.parametrize("case", WRONG)
def test_a_contact_that_cannot_be_is_refused_in_a_sentence(case: str) -> None:
    contact, sentence = WRONG[case]
    for module in (ContactRules(add=(contact,)), ContactRules(drop=(contact,))):
        with pytest.raises(InvalidVariant) as fault:
            module.board(BOARD)
        assert str(fault.value).startswith("The declared contact ")
        assert sentence in str(fault.value)


def test_a_contact_is_looked_at_under_every_reading() -> None:
    wrong = Contact(("NTH", "LON"), WHY, (ARMY,), ("narrow",))
    with pytest.raises(InvalidVariant, match="'NTH', where armies cannot stand"):
        replace(READINGS, drop=(wrong,)).board(BOARD)


def test_a_contact_that_is_there_cannot_be_added_and_one_that_is_not_cannot_be_dropped() -> None:
    with pytest.raises(InvalidVariant, match="ROM-TUS has a contact for armies already, so adds none"):
        ContactRules(add=(Contact(("ROM", "TUS"), WHY),)).board(BOARD)
    with pytest.raises(InvalidVariant, match="NAF-SPA has no contact for armies on the map, so drops none"):
        ContactRules(drop=(Contact(("NAF", "SPA"), WHY, (ARMY,)),)).board(BOARD)


def test_a_reading_there_is_none_of_is_refused() -> None:
    with pytest.raises(UnknownName, match="'odd' is not a reading of these rules; there are wide, narrow, narrower"):
        replace(READINGS, reading="odd").board(BOARD)
    with pytest.raises(UnknownName, match="'wide' is not a reading of these rules; there are none"):
        ContactRules(reading="wide").board(BOARD)


def test_a_misspelt_key_of_a_contact_is_reported() -> None:
    written = {"add": [{"between": ["NAF", "SPA"], "reason": WHY, "unit": ["A"]}]}
    with pytest.raises(ValidationError, match="unit"):
        TypeAdapter(ContactRules).validate_python(written)


VARIANT = """
title = "Bridged"
parent = "standard"
[modules.contacts]
readings = ["bridged", "open"]
reading = "bridged"
add = [{ between = ["NAF", "SPA"], units = ["A"], when = ["bridged"], reason = "the rock is near" }]
[options]
strait = "contacts.reading"
"""


def test_a_variant_declares_contacts_in_its_file_and_a_game_chooses_the_reading(tmp_path: Path) -> None:
    (tmp_path / "variant.toml").write_text(VARIANT)
    assert "SPA" in load(tmp_path).board.armies[Code("NAF")]
    assert "SPA" not in load(tmp_path, {"strait": "open"}).board.armies[Code("NAF")]
    with pytest.raises(UnknownName, match="there are bridged, open"):
        load(tmp_path, {"strait": "shut"})


def test_the_choices_of_an_option_are_those_the_data_of_the_variant_list() -> None:
    choices = {option.name: option.choices for option in (*options_of("napoleonic"), *options_of("cline"))}
    assert choices["murmansk_norway"] == "literal | geographic | neither"
    assert choices["extra_contacts"] == "printed | ireland_mid | crete_south_med | both"
    assert choices["first_season"] == "a text"
    assert choices["season_cycle"] == "a list"
    assert choices["nine_players"] == "true | false"
    assert choices["weight_in_tenths"] == "a whole number"
    assert choices["hold_meaning"] == "own | occupy"


def test_a_contact_may_be_added_or_dropped_one_way() -> None:
    drop = (Contact(("BUR", "MUN"), WHY, (ARMY,), one_way=True),)
    add = (Contact(("BRE", "IRI"), WHY, (FLEET,), one_way=True),)
    board = ContactRules(add=add, drop=drop).board(BOARD)
    gone, new = (ARMY, at("BUR"), at("MUN")), (FLEET, at("BRE"), at("IRI"))
    assert steps(board) == steps(BOARD) - {gone} | {new}
    assert board.one_way == {"land": {("MUN", "BUR")}, "sea": {("BRE", "IRI")}}
    assert board.waters[Code("BRE")] == BOARD.waters[Code("BRE")]


def test_a_declared_contact_that_leads_one_way_has_an_arrow(tmp_path: Path) -> None:
    reason = f'reason = "{WHY}", one_way = true'
    (tmp_path / "variant.toml").write_text(
        'title = "Slide"\nparent = "standard"\n[modules.contacts]\n'
        f'drop = [{{ between = ["BUR", "MUN"], units = ["A"], {reason} }}]\n'
        f'add = [{{ between = ["BRE", "IRI"], units = ["F"], {reason} }}]\n',
        encoding="utf-8",
    )
    drawn = chart(tmp_path)
    marks = annotations_of(drawn.figure, drawn.board, drawn.placements)
    assert {mark.spaces: mark.words for mark in marks if mark.kind == "one_way"} == {
        ("MUN", "BUR"): "Armies pass from Munich to Burgundy, and not back",
        ("BRE", "IRI"): "Fleets pass from Brest to Irish Sea, and not back",
    }
    assert not [mark for mark in marks if mark.kind in ("link", "closed") and set(mark.spaces) & {"MUN", "BRE"}]
