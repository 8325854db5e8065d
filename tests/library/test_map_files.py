"""Map files of the package `diplomacy` become variants: what their lines say of places, powers and rules."""

import json
from pathlib import Path
from typing import Any

import pytest

from plenipo import library
from plenipo.cli import saved
from plenipo.engine.board import Code, Location
from plenipo.engine.position import Power
from plenipo.errors import PlenipoError
from plenipo.formats import FORMATS

LAND = """
# An isle with two shores, a port off it, and a wall of rock.
Northern Bay      = NBA bay norbay
Southern Sea      = SSE south+sea
The Neck          = NEC thin?
The Neck (west)   = NEC/WC
The Neck (east)   = NEC/EC
Upland            = UPL thin?
Farport           = FAR
Cape              = CAP bay
Rock              = ROC
Old Town          = OLD
COAST NEC/WC ABUTS NBA CAP
COAST NEC/EC ABUTS SSE OLD
COAST nec    ABUTS NBA SSE UPL CAP OLD ROC
WATER NBA    ABUTS NEC/WC CAP Far
WATER SSE    ABUTS NEC/EC OLD FAR
LAND  UPL    ABUTS NEC CAP OLD
COAST CAP    ABUTS NBA NEC/WC UPL FAR old
COAST OLD    ABUTS SSE NEC/EC UPL
PORT  FAR    ABUTS NBA SSE
SHUT  ROC    ABUTS NEC
"""

ISLE = """
USE land.geography
BEGIN FALL 48 MOVEMENT
VICTORY 3
RULES BUILD_ANY NO_PRESS
EAST-MARCH (Marcher:E) OLD
A OLD
WEST (Western:W) NEC
OWNS NEC CAP
F NEC/WC
GUARD (Guardian) UPL
DUMMY
A UPL
UNOWNED FAR
"""

LATER = """
MAP isle.map
UNPLAYED WEST, GUARD
UNOWNED CAP -FAR
AMEND UPL ABUTS -CAP
HEIRS (Heir) NEC
F NEC/EC
RULE !BUILD_ANY
"""

FILES = {"land.geography": LAND, "isle.map": ISLE, "later.map": LATER}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_a_map_file_is_a_variant_with_its_powers_units_homes_and_first_phase(folder: Path) -> None:
    rules = library.load(folder / "isle.map")
    assert rules.variant == "isle.map"
    assert rules.names == ("East March", "West")
    assert rules.power("EASTMARCH") == rules.power("marcher") == "East March"
    assert rules.unplayed_powers == {"Guard"}
    assert {power: [str(unit) for unit in rules.opening.units_of(Power(power))] for power in ("West", "Guard")} == {
        "West": ["F NEC/WC"],
        "Guard": ["A UPL"],
    }
    assert rules.opening.homes[Power("West")] == {"NEC"}
    assert rules.opening.centres_of(Power("West")) == ("CAP", "NEC")
    assert (rules.opening.phase.code, rules.to_win) == ("F48M", 3)
    assert [module.name for module in rules.modules] == ["builds", "convoys"]
    later = [phase.code for phase, _ in zip(rules.calendar.after(rules.opening.phase), range(5), strict=False)]
    assert "S49M" in later


def test_the_letters_of_a_neighbour_say_which_units_pass_and_one_sided_lists_lead_one_way(folder: Path) -> None:
    board = library.load(folder / "isle.map").board
    assert board.armies[Code("UPL")] == {"NEC", "CAP", "OLD"}
    assert board.armies[Code("CAP")] == {"NEC", "UPL", "OLD", "FAR"}
    assert "CAP" not in board.armies[Code("OLD")]
    assert {str(to) for to in board.fleets[Location(Code("CAP"))]} == {"NBA", "NEC/WC", "FAR"}
    assert {str(to) for to in board.fleets[Location(Code("FAR"))]} == {"NBA", "SSE"}
    assert board.spaces[Code("NEC")].coasts == ("EC", "WC")
    assert board.spaces[Code("ROC")].impassable
    assert board.spaces[Code("FAR")].ferry
    assert [str(board.spaces[Code(code)].terrain) for code in ("NBA", "UPL", "OLD")] == ["sea", "inland", "coast"]


def test_a_spelling_of_two_places_is_none_of_either(folder: Path) -> None:
    spaces = library.load(folder / "isle.map").board.spaces
    assert spaces[Code("NBA")].aliases == ("norbay",)
    assert spaces[Code("SSE")].aliases == ("south sea",)
    assert spaces[Code("NEC")].aliases == spaces[Code("UPL")].aliases == ()


def test_a_map_on_top_of_another_changes_powers_centres_contacts_and_rules(folder: Path) -> None:
    rules = library.load(folder / "later.map")
    assert rules.names == ("East March", "Heirs")
    assert rules.board.centres == {"OLD", "NEC", "UPL", "CAP"}
    assert "CAP" not in rules.board.armies[Code("UPL")]
    assert "builds" not in [module.name for module in rules.modules]


def test_a_game_on_a_map_file_is_written_with_its_codes_names_and_years_and_comes_back(folder: Path) -> None:
    rules = library.load(folder / "isle.map")
    form = FORMATS["diplomacy"]
    from plenipo.engine.history.game import Game  # noqa: PLC0415

    game = Game.new(rules).process({Power("East March"): ["A OLD - CAP"], Power("West"): ["F NEC/WC - NBA"]})
    text = form.write(game.process({}))
    value: dict[str, Any] = json.loads(text)
    assert value["map"] == "isle"
    assert [phase["name"] for phase in value["phases"]] == ["F0048M", "W0048A", "S0049M"]
    assert value["phases"][1]["state"]["units"] == {"EASTMARCH": ["A OLD"], "WEST": ["F NBA"], "GUARD": ["A UPL"]}
    again = saved.read(text, str(folder / "isle.map"))
    assert again.position == game.process({}).position
    assert form.write(again) == text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("BEGIN SOON", "x.map, line 1: 'BEGIN SOON' is not a line of a map."),
        ("\nCOAST NEC TOUCHES UPL", "x.map, line 2: 'COAST NEC TOUCHES UPL' is not a line of a map."),
        ("VICTORY many", "x.map, line 1: "),
        ("AMEND XXX ABUTS YYY", "x.map, line 1: "),
        ("USE gone.map", "x.map, line 1: 'gone.map' is not beside it."),
        ("USE ../isle.map", "x.map, line 1: '../isle.map' is not beside it."),
        ("MAP x", "x.map: it names itself"),
        ("VICTORY 3", "x.map: it has no contacts."),
    ],
)
def test_an_unreadable_map_file_is_reported_in_one_sentence(folder: Path, text: str, sentence: str) -> None:
    (folder / "x.map").write_text(text, encoding="utf-8")
    with pytest.raises(PlenipoError) as caught:
        library.load(folder / "x.map")
    assert str(caught.value).startswith(f"The map cannot be read: {sentence}")


def test_a_dropped_place_is_gone_from_its_neighbours_its_powers_and_the_centres(folder: Path) -> None:
    (folder / "x.map").write_text("USE isle.map\nWEST CAP\nF CAP\nDROP CAP\nUNOWNED OLD\n", encoding="utf-8")
    rules = library.load(folder / "x.map")
    assert "CAP" not in rules.board.spaces
    assert [str(unit) for unit in rules.opening.units_of(Power("West"))] == ["F NEC/WC"]
